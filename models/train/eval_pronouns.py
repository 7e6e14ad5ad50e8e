"""Pronouns through the program: agreement, and the head that resolves them.

    python3 eval_pronouns.py --headlight build/headlight --model DIR --data WORK/data

The head is chosen on pronouns.dev.tsv and measured on pronouns.test.tsv; one
that was chosen before can be named with --layer and --head (from 1). For a
recurrent model only agreement is printed.
"""

import argparse
import json
import os

from measures import HeadFigures, agrees, baselines, read_cases
from program import attention, dump, spans, translate


def heads(options, cases):
    figures = HeadFigures()
    for case, record in zip(cases, dump(options.headlight, options.model,
                                        [c.english for c in cases])):
        tokens = spans(record["tokens"]["source"], case.english)
        figures.add(case, tokens, attention(record, "encoder.self"))
    return figures.ranking()


def agreement(options, name, cases, show=False):
    answers = translate(options.headlight, options.model, [c.english for c in cases])
    right = [agrees(c, a) for c, a in zip(cases, answers)]
    count = lambda n: sum(r[n] for r in right)
    print(f"{name}: pronoun right in {count(0)}, pronoun and adjective in {count(1)} of "
          f"{len(cases)} ({100.0 * count(1) / len(cases):.1f} %); always il "
          f"{baselines(cases)[0]:.1f} %, nearest noun {baselines(cases)[1]:.1f} %")
    for case, answer, good in zip(cases, answers, right):
        if show or not good[1]:
            print(f"    {'right' if good[1] else 'wrong'}: {case.english} -> {answer}")
    return [r[1] for r in right]


def line(row):
    return f"layer {row[2]} head {row[3]}: {row[0]:.1f} % strongest, mean weight {row[1]:.3f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--headlight", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--layer", type=int)
    parser.add_argument("--head", type=int)
    options = parser.parse_args()
    read = lambda name: read_cases(os.path.join(options.data, name))
    test, persons = read("pronouns.test.tsv"), read("persons.test.tsv")
    agreement(options, "test pairs", test)
    agreement(options, "persons", persons)
    agreement(options, "animal", read("animal.tsv"), show=True)
    good = agreement(options, "siblings", read("siblings.tsv"), show=True)
    both = sum(a and b for a, b in zip(good[::2], good[1::2]))
    print(f"siblings: {both} of {len(good) // 2} right with both adjectives")
    with open(os.path.join(options.model, "config.json"), encoding="utf-8") as handle:
        if json.load(handle)["model_type"] != "marian":
            return
    chosen = (options.layer, options.head)
    if None in chosen:
        ranking = heads(options, read("pronouns.dev.tsv"))
        print("development pairs:", *(line(row) for row in ranking[:4]), sep="\n    ")
        chosen = ranking[0][2:]
    for name, cases in (("test pairs", test), ("persons", persons)):
        found = [row for row in heads(options, cases) if row[2:] == tuple(chosen)]
        print(f"{name}: {line(found[0])}")


if __name__ == "__main__":
    main()
