"""Alignment error rate (Och and Ney 2003) on hand-aligned sentences.

    python3 eval_aer.py --headlight build/headlight --model DIR --gold DIR

The gold target is forced, weights are summed over the pieces of a word and
averaged over the pieces of the target word; each target word is linked to its
strongest source word, unless the strongest piece is the end mark. The
sentences are debates of a parliament, far from what the models have seen.
"""

import argparse
import gzip
import json
import os

from measures import word_of_pieces
from program import attention, dump_forced, spans


def read_gold(folder):
    """[(source words, target words, sure, possible)], indices from 0."""
    rows = []
    with gzip.open(os.path.join(folder, "enfr.src-tgt.gz"), "rt", encoding="utf-8") as texts, \
         gzip.open(os.path.join(folder, "enfr.gold.gz"), "rt", encoding="utf-8") as links:
        for text, marks in zip(texts, links):
            source, target = (side.split() for side in text.split("|||"))
            sure, possible = set(), set()
            for mark in marks.split():
                parts = mark.replace("p", "-").split("-")
                link = (int(parts[0]) - 1, int(parts[1]) - 1)
                possible.add(link)
                if "p" not in mark:
                    sure.add(link)
            rows.append((source, target, sure, possible))
    return rows


def links(matrix, source_owner, target_owner, source_count):
    """Links of one map; row t predicts target token t."""
    rows = {}
    for t, word in enumerate(target_owner):
        if word >= 0 and t < len(matrix):
            rows.setdefault(word, []).append(matrix[t])
    found = set()
    for word, parts in rows.items():
        mean = [sum(column) / len(parts) for column in zip(*parts)]
        sums, rest = [0.0] * source_count, 0.0
        for weight, owner in zip(mean, source_owner):
            if owner >= 0:
                sums[owner] += weight
            else:
                rest = max(rest, weight)
        best = max(range(source_count), key=sums.__getitem__)
        if sums[best] >= rest:
            found.add((best, word))
    return found


class Rate:
    def __init__(self):
        self.sure_hits = self.possible_hits = self.links = self.sure = 0

    def add(self, found, sure, possible):
        self.sure_hits += len(found & sure)
        self.possible_hits += len(found & possible)
        self.links += len(found)
        self.sure += len(sure)

    def error(self):
        return 1.0 - (self.sure_hits + self.possible_hits) / (self.links + self.sure)

    def __str__(self):
        return (f"AER {100.0 * self.error():.1f} %, precision "
                f"{100.0 * self.possible_hits / self.links:.1f} %, recall "
                f"{100.0 * self.sure_hits / self.sure:.1f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--headlight", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--gold", required=True, help="folder with enfr.*.gz")
    parser.add_argument("--lines", type=int, help="only the first so many")
    parser.add_argument("--longest", type=int, default=40, help="words a side")
    parser.add_argument("--scores", nargs="*", help="only these alignments")
    options = parser.parse_args()
    gold = [g for g in read_gold(options.gold)[: options.lines]
            if max(len(g[0]), len(g[1])) <= options.longest]
    with open(os.path.join(options.model, "config.json"), encoding="utf-8") as handle:
        scores = json.load(handle).get("scores", [None])
    print(f"{len(gold)} sentences of at most {options.longest} words a side")
    for score in options.scores or scores:
        rates = {}
        for source, target, sure, possible in gold:
            text, answer = " ".join(source), " ".join(target)
            settings = [] if score is None else [f"score={score}"]
            record = dump_forced(options.headlight, options.model, text, answer, *settings)
            owners = [word_of_pieces(words, spans(record["tokens"][side], line))
                      for words, side, line in ((source, "source", text),
                                                (target, "target", answer))]
            maps = attention(record, "decoder.cross" if score is None else "alignment")
            for layer, row in enumerate(maps):
                for head, matrix in enumerate(row):
                    found = links(matrix, *owners, len(source))
                    rates.setdefault((layer, head), Rate()).add(found, sure, possible)
        ranking = sorted(rates.items(), key=lambda item: item[1].error())
        for (layer, head), rate in ranking[: 1 if score else 4]:
            name = score or f"layer {layer + 1} head {head + 1}"
            print(f"{name:18} {rate}")


if __name__ == "__main__":
    main()
