"""All automatic figures of one translator, with bootstrap 95 % intervals.

    python3 measure.py --headlight H --model DIR [--data WORK/data] [--only SET ...]

Sets: names, figures, strings, pronouns, winograd, typed, typing, typography, tatoeba,
multi30k. typed gives BLEU against one reference only; grade.py is for the grades.
typography and tatoeba need --data, multi30k needs --multi30k DIR with its test of
2016. --show prints what is wrong, --write keeps all translations as a TSV.
"""

import argparse
import collections
import gzip
import json
import math
import os
import random
import subprocess
import sys

import forms
import sets
import typing_measure
import typography

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
from bleu import corpus_bleu, counts, tokenize  # noqa: E402
from program import translate  # noqa: E402

RESAMPLES = 2000


def interval(values, figure=lambda v: sum(v) / len(v), resamples=RESAMPLES):
    """95 % percentile bootstrap of a figure over independent values."""
    r = random.Random(5)
    drawn = sorted(figure(r.choices(values, k=len(values))) for _ in range(resamples))
    return drawn[int(0.025 * resamples)], drawn[int(0.975 * resamples) - 1]


def share(name, right, groups=None):
    """Prints a share; resampled by `groups` (a name in its four frames) if given."""
    whole = collections.defaultdict(list)
    for i, good in enumerate(right):
        whole[groups[i] if groups else i].append(good)
    low, high = interval(list(whole.values()), lambda v: sum(map(sum, v)) / sum(map(len, v)))
    print(f"{name:24} {sum(right):4d} of {len(right):4d}  {100 * sum(right) / len(right):5.1f} %"
          f"  [{100 * low:.1f}, {100 * high:.1f}]", flush=True)


class Model:
    def __init__(self, options):
        self.options, self.told = options, []

    def translate(self, texts, name):
        answers = translate(self.options.headlight, self.options.model, texts, *self.options.set)
        self.told += [(name, t, a) for t, a in zip(texts, answers)]
        return answers

    def wrong(self, rows):
        if self.options.show:
            for english, answer in rows:
                print(f"    {english} -> {answer}")


def lists(model, rows):
    """names, figures and strings: each judged by its own rule."""
    by = collections.defaultdict(list)
    for group, english, judge in rows:
        by[group].append((english, judge))
    for group, items in by.items():
        answers = model.translate([e for e, _ in items], group)
        right = [bool(judge(a)) for (_, judge), a in zip(items, answers)]
        share(group, right, [i // (4 if "names" in group or group == "strings" else 5)
                             for i in range(len(items))])
        model.wrong([(e, a) for (e, _), a, good in zip(items, answers, right) if not good])


def pronouns(model):
    rows = forms.pronouns()
    answers = model.translate([r[1] for r in rows], "pronouns")
    right = [forms.judge(k, a, alt) for (k, _, _, alt), a in zip(rows, answers)]
    for kind in dict.fromkeys(r[0] for r in rows):
        share(f"pronouns, {kind}", [g for g, r in zip(right, rows) if r[0] == kind])
    share("pronouns, all", right)
    model.wrong([(r[1], a) for r, a, g in zip(rows, answers, right) if not g])


def winograd(model):
    rows = forms.winograd()
    answers = model.translate([r[0] for r in rows], "winograd")
    right = [forms.subject(a, good) for (_, good, _, _), a in zip(rows, answers)]
    share("winograd", right)
    genders = [forms.gender(a, good) for (_, good, _, _), a in zip(rows, answers)]
    share("  always il", [g == "m" for g in genders])
    share("  first noun", [n == 1 for *_, n in rows])
    share("  nearest noun", [n == 2 for *_, n in rows])
    model.wrong([(r[0], a) for r, a, g in zip(rows, answers, right) if not g])


def sentence_counts(hypothesis, reference):
    """What corpus BLEU sums: matches and totals by order, two lengths."""
    h, r = tokenize(hypothesis), tokenize(reference)
    grams = [(counts(h, n), counts(r, n)) for n in range(1, 5)]
    return ([sum((a & b).values()) for a, b in grams] + [sum(a.values()) for a, _ in grams]
            + [len(h), len(r)])


def summed_bleu(rows):
    sums = [sum(column) for column in zip(*rows)]
    if min(sums[:4]) == 0:
        return 0.0
    precision = sum(math.log(m / t) for m, t in zip(sums[:4], sums[4:8])) / 4
    return 100 * math.exp(precision + min(0.0, 1 - sums[9] / sums[8]))


def bleu(model, name, pairs):
    answers = model.translate([p[0] for p in pairs], name)
    rows = [sentence_counts(a, p[1]) for a, p in zip(answers, pairs)]
    low, high = interval(rows, summed_bleu, 500)
    value = corpus_bleu(answers, [p[1] for p in pairs])
    print(f"{name + ', BLEU':24} {value:.2f}  [{low:.2f}, {high:.2f}]  {len(pairs)} sentences",
          flush=True)


def typing(model):
    edits, ends = typing_measure.measure(lambda texts: model.translate(texts, "typing"))
    low, high = interval(edits)
    print(f"{'typing, edits':24} {sum(edits) / len(edits):.2f} times the length  "
          f"[{low:.2f}, {high:.2f}]  {len(edits)} sentences")
    share("typing, invented", [e[0] for e in ends])
    model.wrong([(e[1], f"{e[2]}  {' '.join(e[3])}") for e in ends if e[0]])


def tokens(options, texts):
    """Ids of texts; those with line breaks one program each."""
    command = [options.headlight, "tokenize", "--model", options.model]
    read = lambda line: json.loads(line)["ids"]
    if not any(c in t for t in texts for c in "\n\r"):
        text = "".join(t + "\n" for t in texts)
        done = subprocess.run(command, input=text.encode(), check=True, stdout=subprocess.PIPE)
        return [read(line) for line in done.stdout.decode().split("\n")[:-1]]
    return [read(subprocess.run(command + ["--text", t], check=True,
                                stdout=subprocess.PIPE).stdout) for t in texts]


def typography_set(model, sentences):
    options, wrong, total = model.options, collections.Counter(), 0
    plain = dict(zip(sentences, tokens(options, sentences)))
    for name, change in typography.variants().items():
        changed = [(t, change(t)) for t in sentences]
        changed = [(t, c) for t, c in changed if c != t]
        if changed and any(c in changed[0][1] for c in "\n\r"):
            changed = changed[: options.line_breaks]
        for (t, c), ids in zip(changed, tokens(options, [c for _, c in changed])):
            total += 1
            wrong[name] += ids != plain[t]
            if ids != plain[t] and options.show:
                print(f"    {name}: {c!r}")
    bad = sum(wrong.values())
    print(f"{'typography':24} {total - bad} of {total} variants have the plain ids")
    for name, n in wrong.most_common():
        if n:
            print(f"    {name}: {n} differ")


def read_pairs(path):
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t")[:2] for line in file]


def read_multi30k(folder):
    read = lambda path: gzip.open(path, "rt", encoding="utf-8") if path.endswith(".gz") else open(
        path, encoding="utf-8")
    sides = []
    for side in ("en", "fr"):
        names = [n for n in sorted(os.listdir(folder)) if "2016" in n and f".{side}" in n]
        with read(os.path.join(folder, names[0])) as file:
            sides.append(file.read().splitlines())
    return list(zip(*sides))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.
                                     RawDescriptionHelpFormatter)
    parser.add_argument("--headlight", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--data", help="WORK/data of prepare.py")
    parser.add_argument("--multi30k")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--set", nargs="*", default=[], help="score=... of a recurrent model")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--write")
    parser.add_argument("--line-breaks", type=int, default=100, dest="line_breaks",
                        help="sentences whose variants have line breaks (a program each)")
    options = parser.parse_args()
    model = Model(options)
    data = lambda name: read_pairs(os.path.join(options.data, name))
    jobs = {"names": lambda: lists(model, sets.names()),
            "figures": lambda: lists(model, sets.capital(sets.figures())),
            "strings": lambda: lists(model, sets.strings()),
            "pronouns": lambda: pronouns(model), "winograd": lambda: winograd(model),
            "typed": lambda: bleu(model, "typed", [r[1:] for r in sets.lines("typed.tsv")]),
            "typing": lambda: typing(model)}
    if options.data:
        jobs["typography"] = lambda: typography_set(
            model, [p[0] for p in data("tatoeba.test.tsv")])
        jobs["tatoeba"] = lambda: bleu(model, "tatoeba", data("tatoeba.test.tsv"))
    if options.multi30k:
        jobs["multi30k"] = lambda: bleu(model, "multi30k", read_multi30k(options.multi30k))
    for name, job in jobs.items():
        if not options.only or name in options.only:
            job()
    if options.write:
        with open(options.write, "w", encoding="utf-8") as file:
            file.writelines("\t".join(row) + "\n" for row in model.told)


if __name__ == "__main__":
    main()
