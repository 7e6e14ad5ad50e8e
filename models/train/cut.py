"""Sentence pairs that end where somebody stopped typing.

    python3 cut.py --data WORK/data      # word table for the cuts: lexical.npz

A lexical model (IBM model 1 with a preference for the diagonal, our own few
lines) aligns the words of a pair. An English text may be cut behind any word
at which the alignment is monotone, or inside the word after it; the French
text is cut to match, and an unfinished word is copied as it stands.
"""

import argparse
import os
import re

import numpy as np

TOKEN = re.compile(r"\w+'(?=\w)|[\w-]+|[^\w\s]")
ENGLISH = re.compile(r"\w+(?:['-]\w+)*|[^\w\s]")
SLOPE, ROUNDS, LEAST = 6.0, 6, 1e-3


def words(pattern, text):
    return [m.group().lower() for m in pattern.finditer(text)]


def lexical(pairs):
    """{(english, french): probability} of the word pairs that matter."""
    tables = ({}, {})
    rows = []
    for english, french in pairs:
        e = [tables[0].setdefault(w, len(tables[0])) for w in words(ENGLISH, english)]
        f = [tables[1].setdefault(w, len(tables[1])) for w in words(TOKEN, french)]
        if 0 < len(e) < 40 and 0 < len(f) < 40:
            rows.append((np.array(e), np.array(f)))
    size = len(tables[1])
    keys, prior, cell, base = [], [], [], 0
    for e, f in rows:
        keys.append((e[None, :] * size + f[:, None]).ravel())
        i = (np.arange(len(f)) + 0.5) / len(f)
        j = (np.arange(len(e)) + 0.5) / len(e)
        prior.append(np.exp(-SLOPE * np.abs(i[:, None] - j[None, :])).ravel())
        cell.append(base + np.repeat(np.arange(len(f)), len(e)))
        base += len(f)
    keys, place = np.unique(np.concatenate(keys), return_inverse=True)
    prior = np.concatenate(prior).astype(np.float32)
    cell = np.concatenate(cell)
    source = keys // size
    table = np.ones(len(keys), dtype=np.float32)
    for _ in range(ROUNDS):
        share = table[place] * prior
        share /= np.bincount(cell, share, base)[cell]
        count = np.bincount(place, share, len(keys))
        table = (count / np.bincount(source, count)[source]).astype(np.float32)
    keep = table > LEAST
    names = [list(t) for t in tables]
    return {(names[0][k // size], names[1][k % size]): float(p)
            for k, p in zip(keys[keep], table[keep])}


class Cutter:
    def __init__(self, table, vocabulary):
        self.table, self.vocabulary = table, vocabulary

    def align(self, e, f):
        """For each French word the English word it goes with."""
        n, m = len(e), len(f)
        out = []
        for i, target in enumerate(f):
            best, at = 0.0, -1
            for j, word in enumerate(e):
                p = 0.9 if word == target else self.table.get((word, target), 1e-5)
                p *= np.exp(-SLOPE * abs((i + 0.5) / m - (j + 0.5) / n))
                if p > best:
                    best, at = p, j
            out.append(at)
        return out

    def cut(self, english, french, r):
        """(English, French) that break off, or None where no place suits."""
        left, right = list(ENGLISH.finditer(english)), list(TOKEN.finditer(french))
        if len(left) < 3 or len(left) > 30:
            return None
        aligned = self.align([m.group().lower() for m in left],
                             [m.group().lower() for m in right])
        places = []
        high = 0
        for k in range(1, len(left)):
            # the French words of the first k English ones, if they stand first
            while high < len(right) and aligned[high] < k:
                high += 1
            if high and all(a >= k for a in aligned[high:]):
                places.append((k, high))
        if not places:
            return None
        k, high = r.choice(places)
        head, there = english[: left[k - 1].end()], french[: right[high - 1].end()]
        word = left[k].group()
        if r.random() < 0.25 or not word[0].isalnum() or left[k].start() == left[k - 1].end():
            if not left[k - 1].group()[0].isalnum():
                return None
            return head, there
        lengths = [n for n in range(1, len(word))
                   if word[:n].lower() not in self.vocabulary and word[n - 1].isalnum()]
        if not lengths:
            return None
        part = word[: r.choice(lengths)]
        return head + " " + part, there + ("" if there.endswith("'") else " ") + part


def load(folder):
    data = np.load(os.path.join(folder, "lexical.npz"))
    table = {(e, f): p for e, f, p in zip(data["english"].tolist(), data["french"].tolist(),
                                          data["share"].tolist())}
    return Cutter(table, set(data["vocabulary"].tolist()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", required=True)
    folder = parser.parse_args().data
    with open(os.path.join(folder, "train.tsv"), encoding="utf-8") as handle:
        rows = [line.rstrip("\n").split("\t") for line in handle]
    pairs = [r[1:3] for n, r in enumerate(rows) if r[0] == "tatoeba" or n % 4 == 0]
    table = lexical(pairs)
    count = {}
    for english, _ in pairs:
        for word in set(words(ENGLISH, english)):
            count[word] = count.get(word, 0) + 1
    np.savez(os.path.join(folder, "lexical.npz"),
             english=np.array([k[0] for k in table]), french=np.array([k[1] for k in table]),
             share=np.array(list(table.values()), dtype=np.float32),
             vocabulary=np.array([w for w, n in count.items() if n > 1]))
    print(f"{len(table)} word pairs")


if __name__ == "__main__":
    main()
