"""Blind grades of the 300 typed sentences.

    python3 grade.py write --headlight H --model DIR [DIR ...] --sheet S.tsv --key K.tsv
    python3 grade.py sum --sheet S.tsv --key K.tsv [--skip FILE] [--rows]

"write" translates typed.tsv with every model (old and new, two kinds ...), puts equal
translations of one sentence into one line, shuffles the lines of a sentence, and
writes the sheet (number, grade to fill in, English, French) and, apart from it, the
key that says which models wrote a line. The reader fills the grade column: r right,
u understandable (the sense comes through in spite of a fault), w wrong (French, but
another sense), n nonsense (no French sentence, or words that mean nothing). "sum"
gives shares by model and kind with bootstrap intervals; --skip names a file of English
sentences to leave out.
"""

import argparse
import collections
import os
import random
import sys

import sets
from measure import interval

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
from program import translate  # noqa: E402

GRADES = {"r": "right", "u": "understandable", "w": "wrong", "n": "nonsense"}


def write(options):
    rows = sets.lines("typed.tsv")
    told = {model: translate(options.headlight, model, [r[1] for r in rows])
            for model in options.model}
    r, sheet, key = random.Random(options.seed), [], []
    for i in r.sample(range(len(rows)), len(rows)):
        by = collections.defaultdict(list)
        for model in options.model:
            by[told[model][i]].append(model)
        for answer, models in r.sample(sorted(by.items()), len(by)):
            sheet.append(f"{len(sheet) + 1}\t\t{rows[i][1]}\t{answer}\n")
            key.append("\t".join([str(len(sheet)), rows[i][0], *models]) + "\n")
    for path, lines in ((options.sheet, sheet), (options.key, key)):
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(lines)
    print(f"{len(sheet)} lines to grade")


def read(path):
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file]


def table(model, graded):
    """graded: [(kind, grade)]."""
    print(f"\n{model}: {len(graded)} sentences")
    for g, name in GRADES.items():
        values = [grade == g for _, grade in graded]
        low, high = interval(values)
        print(f"    {name:15} {sum(values):4d}  {100 * sum(values) / len(values):5.1f} %"
              f"  [{100 * low:.1f}, {100 * high:.1f}]")
    for kind in dict.fromkeys(sorted(k for k, _ in graded)):
        of = [grade for k, grade in graded if k == kind]
        print(f"    {kind:12} " + "  ".join(f"{of.count(g):3d} {n}" for g, n in GRADES.items()))


def summed(options):
    skip = {row[0] for row in read(options.skip)} if options.skip else set()
    models, key = collections.defaultdict(list), {row[0]: row[1:] for row in read(options.key)}
    for number, grade, english, answer in read(options.sheet):
        if grade not in GRADES:
            raise SystemExit(f"line {number} of {options.sheet} has no grade r, u, w or n")
        for model in key[number][1:]:
            if english not in skip:
                models[model].append((key[number][0], grade))
            if options.rows:
                print(model, GRADES[grade], english, answer, sep="\t")
    for model, graded in sorted(models.items()):
        table(model, graded)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.
                                     RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["write", "sum"])
    parser.add_argument("--headlight")
    parser.add_argument("--model", nargs="+", default=[])
    parser.add_argument("--sheet", required=True)
    parser.add_argument("--key", required=True)
    parser.add_argument("--skip")
    parser.add_argument("--rows", action="store_true", help="print each grade")
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    (write if options.what == "write" else summed)(options)


if __name__ == "__main__":
    main()
