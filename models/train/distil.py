"""Adds what one translator says to the sentences that another is trained on.

    python3 distil.py --headlight H --model ../en-fr-transformer --data WORK/data --out DIR

Sequence-level distillation (Kim and Rush 2016): every English sentence of
Tatoeba in train.tsv is translated by the given model, greedily, and the pairs
are appended to a copy of train.tsv in DIR, beside copies of the other files.
Pairs whose numbers differ, or in which a word is said three times in a row,
are left out: from the teacher's slips with numbers the pupil unlearns dates.
The held-out sentences are not in train.tsv, so nothing of them comes in.
"""

import argparse
import os
import re
import shutil
import subprocess


STUTTER = re.compile(r"(\b\w+\b)(?:\W+\1\b){2}")


def usable(english, french):
    numbers = [sorted(re.findall(r"\d+", text)) for text in (english, french)]
    return french.strip() and numbers[0] == numbers[1] and not STUTTER.search(french)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--headlight", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    shutil.copytree(options.data, options.out, dirs_exist_ok=True)
    with open(os.path.join(options.data, "train.tsv"), encoding="utf-8") as handle:
        rows = [line.rstrip("\n").split("\t") for line in handle]
    english = sorted({row[1] for row in rows if row[0] == "tatoeba"})
    said = subprocess.run([options.headlight, "translate", "--model", options.model],
                          input="\n".join(english) + "\n", capture_output=True, text=True,
                          encoding="utf-8", check=True).stdout.split("\n")[: len(english)]
    pairs = [(e, f) for e, f in zip(english, said, strict=True) if usable(e, f)]
    with open(os.path.join(options.out, "train.tsv"), "a", encoding="utf-8") as handle:
        handle.writelines(f"tatoeba\t{e}\t{f}\t\n" for e, f in pairs)
    print(f"{len(pairs)} pairs added to {len(rows)}")


if __name__ == "__main__":
    main()
