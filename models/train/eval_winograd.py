"""Pronouns in sentences that no grammar wrote: agreement and heads.

    python3 eval_winograd.py --headlight build/headlight --model DIR
        --data WORK/data --tests DIR --layer 3 --head 2

Reads the English Winograd schemas (WSC273 and DPR, as XWino has them). Kept
are sentences all of whose words occur five times in training, whose pronoun
is it, he or she, and both of whose candidates end in a noun. There is no
French reference, so agreement is judged on pairs that differ in what the
pronoun stands for: the head's strongest word is compared, and for "it" the
pronoun of the translation with the gender that the model itself gives the
noun ("the trophy" -> "le trophée").
"""

import argparse
import collections
import gzip
import json
import os
import re

from measures import Case, HeadFigures, WORD, pronouns
from program import attention, dump, spans, translate

FILES = ("xwino.en.original.tsv.gz", "xwino.en.dpr.tsv.gz")
SUBJECTS = {"it", "he", "she"}
OFTEN = 5


def known_words(data):
    counts = collections.Counter()
    with open(os.path.join(data, "train.tsv"), encoding="utf-8") as handle:
        for line in handle:
            counts.update(w.lower() for w in WORD.findall(line.split("\t")[1]))
    return {word for word, count in counts.items() if count >= OFTEN}


def normal(text):
    for typed, others in (("'", "\u2018\u2019`"), ('"', "\u201c\u201d")):
        for other in others:
            text = text.replace(other, typed)
    return " ".join(text.split())


def place(text, tokens, index):
    """Character range of a token: tokens lie in the text in order."""
    at = 0
    for n, token in enumerate(tokens):
        at = text.find(normal(token), at)
        if at < 0:
            return None
        if n == index:
            return (at, at + len(normal(token)))
        at += len(normal(token))
    return None


def read_cases(folder, known):
    """Cases whose `gender` is the pronoun; candidates by their last word."""
    cases, total = [], 0
    for name in FILES:
        with gzip.open(os.path.join(folder, name), "rt", encoding="utf-8") as handle:
            for line in handle:
                fields = line.rstrip("\n").split("\t")
                text, tokens = normal(fields[3]), json.loads(fields[4])
                pronoun, candidates = json.loads(fields[5]), json.loads(fields[6])
                total += 1
                if any(w.lower() not in known for w in WORD.findall(text)):
                    continue
                if pronoun[0].lower() not in SUBJECTS or len(candidates) != 2:
                    continue
                right, wrong = sorted(candidates, key=lambda c: not c[3])
                ranges = [place(text, tokens, n) for n in
                          (pronoun[1][0], right[1][1] - 1, wrong[1][1] - 1)]
                if None in ranges:
                    continue
                cases.append(Case(text, "", *ranges, pronoun[0].lower(), "", name, "", ""))
    return cases, total


def genders(options, cases):
    """The gender that the model gives each noun alone: m, f or unknown."""
    nouns = sorted({c.english[slice(*span)].lower() for c in cases for span in (c.right, c.wrong)})
    answers = translate(options.headlight, options.model, [f"I see a {n}." for n in nouns])
    found = {}
    for noun, answer in zip(nouns, answers):
        words = re.findall(r"\w+", answer.lower())
        found[noun] = "m" if "un" in words else "f" if "une" in words else ""
    return found


def agreement(options, cases):
    """Of the "it" sentences whose nouns differ in gender, how many have the
    right pronoun; also what the two baselines get."""
    gender, rows = genders(options, cases), []
    for case in cases:
        a, b = (gender[case.english[slice(*span)].lower()] for span in (case.right, case.wrong))
        if a and b and a != b:
            rows.append((case, a))
    if not rows:
        return
    answers = translate(options.headlight, options.model, [c.english for c, _ in rows])
    right = told = always = nearest = 0
    for (case, wanted), answer in zip(rows, answers):
        il, elle = pronouns(answer)
        told += (il > 0) != (elle > 0)
        right += (elle if wanted == "f" else il) > 0 and (il if wanted == "f" else elle) == 0
        always += wanted == "m"
        nearest += case.right[0] > case.wrong[0]
    print(f"agreement, it between genders: {right} of {len(rows)} "
          f"({told} have only one of il and elle); always il {always}, nearest noun {nearest}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--headlight", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--tests", required=True, help="folder of the XWino files")
    parser.add_argument("--layer", type=int, help="the head chosen on pronouns.dev.tsv")
    parser.add_argument("--head", type=int)
    options = parser.parse_args()
    cases, total = read_cases(options.tests, known_words(options.data))
    print(f"{len(cases)} of {total} sentences have only words seen {OFTEN} times")
    groups = {"it": [c for c in cases if c.gender == "it"],
              "he and she": [c for c in cases if c.gender != "it"]}
    agreement(options, groups["it"])
    if options.layer is None or options.head is None:
        return
    for name, group in groups.items():
        figures = HeadFigures()
        preferred = 0
        for case, record in zip(group, dump(options.headlight, options.model,
                                            [c.english for c in group])):
            tokens = spans(record["tokens"]["source"], case.english)
            maps = attention(record, "encoder.self")
            figures.add(case, tokens, maps)
            one = HeadFigures()
            one.add(case, tokens, maps)
            other = HeadFigures()
            other.add(case._replace(right=case.wrong), tokens, maps)
            key = (options.layer - 1, options.head - 1)
            preferred += one.weight[key] > other.weight[key]
        row = [r for r in figures.ranking() if r[2:] == (options.layer, options.head)][0]
        print(f"{name}: layer {options.layer} head {options.head} strongest on the right noun "
              f"in {row[0]:.1f} % of {len(group)}, mean weight {row[1]:.3f}, more on it than on "
              f"the other candidate in {100.0 * preferred / len(group):.1f} %")


if __name__ == "__main__":
    main()
