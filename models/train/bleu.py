"""Corpus BLEU (Papineni et al. 2002) with the 13a tokenisation, cased.

One reference a sentence, n-grams to four, brevity penalty, no smoothing.
    python3 bleu.py HYPOTHESES REFERENCES
"""

import collections
import math
import re
import sys

ENTITIES = (("&quot;", '"'), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))
# ASCII symbols other than , . - ' stand alone; full stops and commas do
# unless between digits; a hyphen after a digit does.
SYMBOL = re.compile(r"([{-~\[-` -&(-+:-@/])")
AFTER_OTHER = re.compile(r"([^0-9])([.,])")
BEFORE_OTHER = re.compile(r"([.,])([^0-9])")
DIGIT_HYPHEN = re.compile(r"([0-9])(-)")


def tokenize(text):
    for entity, character in ENTITIES:
        text = text.replace(entity, character)
    text = SYMBOL.sub(r" \1 ", f" {text} ")
    text = AFTER_OTHER.sub(r"\1 \2 ", text)
    text = BEFORE_OTHER.sub(r" \1 \2", text)
    text = DIGIT_HYPHEN.sub(r"\1 \2 ", text)
    return text.split()


def counts(tokens, n):
    return collections.Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def corpus_bleu(hypotheses, references):
    """BLEU in percent of two lists of lines of the same length."""
    if len(hypotheses) != len(references):
        raise ValueError(f"{len(hypotheses)} lines against {len(references)} references")
    matched, total, ours, theirs = [0] * 4, [0] * 4, 0, 0
    for hypothesis, reference in zip(hypotheses, references):
        h, r = tokenize(hypothesis), tokenize(reference)
        ours, theirs = ours + len(h), theirs + len(r)
        for n in range(1, 5):
            mine = counts(h, n)
            matched[n - 1] += sum((mine & counts(r, n)).values())
            total[n - 1] += sum(mine.values())
    if min(matched) == 0:
        return 0.0
    precision = sum(math.log(m / t) for m, t in zip(matched, total)) / 4
    penalty = min(0.0, 1.0 - theirs / ours)
    return 100.0 * math.exp(precision + penalty)


def main():
    files = []
    for path in sys.argv[1:3]:
        with open(path, encoding="utf-8") as handle:
            files.append(handle.read().splitlines())
    print(f"BLEU {corpus_bleu(*files):.2f} ({len(files[0])} lines, 13a, cased)")


if __name__ == "__main__":
    main()
