"""Does the attention cross over where the word order does?

    python3 eval_order.py --headlight build/headlight --model DIR

Translates the sentence on the European Economic Area, which was held out, and
prints for each alignment or cross-attention head from which word "zone
économique européenne" comes; the heads in which all three are right first.
"""

import argparse
import json
import os

from measures import merged, word_of_tokens, word_spans
from program import attention, dump, spans

TEXT = "The agreement on the European Economic Area was signed in August 1992."
PAIRS = (("zone", "Area"), ("économique", "Economic"), ("européenne", "European"))


def sources(matrix, source, target, answer):
    """Strongest source word of each wanted target word, mean of its pieces."""
    words, owner = word_spans(TEXT), word_of_tokens(TEXT, source)
    french, place = word_spans(answer), word_of_tokens(answer, target)
    found = []
    for wanted, _ in PAIRS:
        index = next((w for w, (a, b) in enumerate(french) if answer[a:b] == wanted), None)
        rows = [matrix[t] for t, w in enumerate(place) if w == index and t < len(matrix)]
        if index is None or not rows:
            found.append(("-", 0.0))
            continue
        mean = [sum(column) / len(rows) for column in zip(*rows)]
        sums = merged(mean, owner, len(words))
        best = max(range(len(words)), key=sums.__getitem__)
        found.append((TEXT[slice(*words[best])], sums[best]))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--headlight", required=True)
    parser.add_argument("--model", required=True)
    options = parser.parse_args()
    with open(os.path.join(options.model, "config.json"), encoding="utf-8") as handle:
        scores = json.load(handle).get("scores", [None])
    rows = []
    for score in scores:
        settings = [] if score is None else [f"score={score}"]
        record = dump(options.headlight, options.model, [TEXT], *settings)[0]
        answer = record["output"]["text"]
        if score in (None, scores[0]):
            print(answer)
        source = spans(record["tokens"]["source"], TEXT)
        target = spans(record["tokens"]["target"], answer)
        maps = attention(record, "decoder.cross" if score is None else "alignment")
        for layer, heads in enumerate(maps):
            for head, matrix in enumerate(heads):
                found = sources(matrix, source, target, answer)
                right = sum(f[0] == p[1] for f, p in zip(found, PAIRS))
                name = score or f"layer {layer + 1} head {head + 1}"
                rows.append((-right, name, found))
    for right, name, found in sorted(rows, key=lambda row: row[:2]):
        print(f"{name:18} {-right} of 3:", ", ".join(
            f"{wanted} < {word} {weight:.2f}" for (wanted, _), (word, weight) in zip(PAIRS, found)))


if __name__ == "__main__":
    main()
