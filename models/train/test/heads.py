"""What the encoder's heads look at, over test sentences.

    python3 heads.py --headlight H --model DIR [--data WORK/data] [--taught L.H]

Layers and heads count from 1. Printed are: heads that put 0.5 or more of "it" on its
noun on average (heads_it.txt, and with --data as many again of pronouns.test.tsv);
with --taught in how many sentences that head does so at 0.6; the best heads for the
previous, next and same token (mean weight over 200 of typed.tsv, special tokens
left out as rows); how often a head's strongest word for a determiner is its noun
(heads_noun.txt), against the best fixed distance; and how many heads have a kind other
than mixed in 80 % of the 200 sentences, as the program names it.
"""

import argparse
import collections
import os
import random
import re
import sys

import sets

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
from measures import merged, read_cases, word_of_tokens, word_spans  # noqa: E402
from program import attention, dump, spans  # noqa: E402

N_SENTENCES = 200


def marked(text, left, right):
    """(plain text, [spans of what stood between the marks])."""
    plain, found, begin = "", [], 0
    for character in text:
        if character == left:
            begin = len(plain)
        elif character == right:
            found.append((begin, len(plain)))
        else:
            plain += character
    return plain, found


def it_sentences(options):
    """[(text, span of "it", span of its noun)]."""
    rows = []
    for (line,) in sets.lines("heads_it.txt"):
        text, (noun,) = marked(line, "[", "]")
        it = [m.span() for m in re.finditer(r"\b[Ii]t\b", text)][-1]
        rows.append((text, it, noun))
    if options.data:
        cases = read_cases(os.path.join(options.data, "pronouns.test.tsv"))
        drawn = random.Random(4).sample(cases, N_SENTENCES - len(rows))
        rows += [(c.english, c.pronoun, c.right) for c in drawn]
    return rows


def word_at(text, span):
    return next(i for i, (_, end) in enumerate(word_spans(text)) if end >= span[1])


def weights_between(text, tokens, maps, pairs):
    """For each head [(weight from the first word to the second, strongest other word)]."""
    owner, count = word_of_tokens(text, tokens), len(word_spans(text))
    found = {}
    for layer, heads in enumerate(maps, 1):
        for head, matrix in enumerate(heads, 1):
            for asking, asked in pairs:
                rows = [matrix[i] for i, w in enumerate(owner) if w == asking]
                mean = [sum(column) / len(rows) for column in zip(*rows)]
                sums = merged(mean, owner, count)
                weight, sums[asking] = sums[asked], -1.0
                found.setdefault((layer, head), []).append(
                    (weight, max(range(count), key=sums.__getitem__)))
    return found


def records(options, texts):
    for text, record in zip(texts, dump(options.headlight, options.model, texts)):
        tokens = spans(record["tokens"]["source"], text)
        yield text, tokens, attention(record, "encoder.self"), record


def pronoun_heads(options):
    rows, weights = it_sentences(options), collections.defaultdict(list)
    for (text, it, noun), (_, tokens, maps, _) in zip(rows, records(options, [r[0] for r in rows])):
        pair = [(word_at(text, it), word_at(text, noun))]
        for head, found in weights_between(text, tokens, maps, pair).items():
            weights[head] += [w for w, _ in found]
    means = sorted(((sum(w) / len(w), h) for h, w in weights.items()), reverse=True)
    many = [h for m, h in means if m >= 0.5]
    print(f"'it' on its noun, {len(rows)} sentences: {len(many)} of {len(means)} heads at 0.5 or "
          "more on average;", ", ".join(f"{h[0]}.{h[1]} {m:.2f}" for m, h in means[:4]))
    taught = tuple(map(int, options.taught.split("."))) if options.taught else means[0][1]
    own = len(sets.lines("heads_it.txt"))
    for name, part in (("all", weights[taught]), ("own", weights[taught][:own])):
        good = sum(w >= 0.6 for w in part)
        print(f"    head {taught[0]}.{taught[1]}, {name}: 0.6 or more in {good} of {len(part)} "
              f"({100 * good / len(part):.1f} %)")


def positions(tokens, maps):
    """Mean weight on the previous, next and same token by head, special rows left out."""
    places = [i for i, t in enumerate(tokens) if t is not None]
    for layer, heads in enumerate(maps, 1):
        for head, m in enumerate(heads, 1):
            yield (layer, head), (
                [m[i][i - 1] for i in places if i - 1 in places],
                [m[i][i + 1] for i in places if i + 1 in places], [m[i][i] for i in places])


def position_heads(options):
    texts = [row[1] for row in sets.lines("typed.tsv")]
    texts = random.Random(6).sample(texts, N_SENTENCES)
    sums, kinds, scored = collections.defaultdict(lambda: ([], [], [])), collections.Counter(), 0
    for _, tokens, maps, record in records(options, texts):
        for head, found in positions(tokens, maps):
            for total, some in zip(sums[head], found):
                total += [sum(some) / len(some)] if some else []
        for h in record.get("heads", []):
            if h["map"] == "encoder.self":
                kinds[h["layer"] + 1, h["head"] + 1] += h["kind"] != "mixed"
                scored += 1
    for n, name in enumerate(("previous", "next", "same")):
        ranked = sorted(((sum(s[n]) / len(s[n]), h) for h, s in sums.items()), reverse=True)
        print(f"{name} token:", ", ".join(f"{h[0]}.{h[1]} {m:.2f}" for m, h in ranked[:3]))
    if scored:
        often = [h for h in sorted(sums) if kinds[h] >= 0.8 * len(texts)]
        print(f"with a kind in 80 % of {len(texts)} sentences: {len(often)} of {len(sums)} heads:",
              " ".join(f"{a}.{b}" for a, b in often))


def noun_heads(options):
    rows = []
    for (line,) in sets.lines("heads_noun.txt"):
        bare = line.replace("[", "").replace("]", "")
        text, determiners = marked(bare, "<", ">")
        _, nouns = marked(line.replace("<", "").replace(">", ""), "[", "]")
        places = lambda found: [word_at(text, span) for span in found]
        rows.append((text, list(zip(places(determiners), places(nouns)))))
    offsets = collections.Counter(n - d for _, pairs in rows for d, n in pairs)
    total, hits = sum(offsets.values()), collections.Counter()
    for (text, pairs), (_, tokens, maps, _) in zip(rows, records(options, [r[0] for r in rows])):
        for head, found in weights_between(text, tokens, maps, pairs).items():
            hits[head] += sum(best == noun for (_, best), (_, noun) in zip(found, pairs))
    offset, fixed = offsets.most_common(1)[0]
    (head, best), *_ = hits.most_common(1)
    print(f"determiner to noun, {total} pairs: head {head[0]}.{head[1]} strongest on it in "
          f"{best / total:.2f}; best fixed distance ({offset:+d}) {fixed / total:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.
                                     RawDescriptionHelpFormatter)
    parser.add_argument("--headlight", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--data")
    parser.add_argument("--taught")
    options = parser.parse_args()
    pronoun_heads(options)
    position_heads(options)
    noun_heads(options)


if __name__ == "__main__":
    main()
