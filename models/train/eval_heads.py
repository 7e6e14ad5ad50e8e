"""Which encoder heads look at the word before, the next, themselves, the noun.

    python3 eval_heads.py --folder MODEL --data WORK/data [--set dev]

Mean weights in percent, a row for each layer, over 200 Tatoeba sentences
(previous, next, same, end token, determiner to noun) and over the pronoun set
("it" to its noun's pieces). Plain float32 PyTorch.
"""

import argparse
import os

import torch

import check
from corpus import Words
from measures import read_cases

KINDS = ("previous", "next", "same", "end", "determiner", "it to its noun")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--folder", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--set", choices=["dev", "test"], default="dev")
    parser.add_argument("--cases", type=int, default=600)
    options = parser.parse_args()
    torch.set_num_threads(1)
    model, words = check.Model(options.folder, options.data), Words()
    path = os.path.join(options.data, f"tatoeba.{options.set}.tsv")
    with open(path, encoding="utf-8") as handle:
        texts = [line.split("\t")[0] for line in handle]
    texts = [t for t in texts if 5 < len(t.split()) < 14][:200]
    sums, counts, offsets = torch.zeros(len(KINDS), 4, 8), [0] * len(KINDS), {}

    def add(kind, weights, count):
        sums[kind] += weights
        counts[kind] += count

    def to_noun(kind, text, query, noun):
        ids = model.ids([text])
        w = torch.stack([m[0] for m in model.net.encode(ids)[1]])
        rows = ids[0].tolist()[:-1]
        q, a, b = (model.tokenizer.piece_at(rows, c)
                   for c in (query[1] - 1, noun[0], noun[1] - 1))
        found = w[:, :, q, a : b + 1].sum(-1)
        add(kind, found, 1)
        return found, a - q

    above = 0
    with torch.no_grad():
        for text in texts:
            w = torch.stack([m[0] for m in model.net.encode(model.ids([text]))[1]])
            n = w.shape[-1]
            for kind, offset in ((0, -1), (1, 1), (2, 0)):
                add(kind, w.diagonal(offset, 2, 3).sum(-1), n - abs(offset))
            add(3, w[..., n - 1].sum(-1), n)
            for determiner, noun in words.links(text):
                _, offset = to_noun(4, text, determiner, noun)
                offsets[offset] = offsets.get(offset, 0) + 1
        cases = read_cases(os.path.join(options.data, f"pronouns.{options.set}.tsv"))
        cases = cases[: options.cases]
        for case in cases:
            found, _ = to_noun(5, case.english, case.pronoun, case.right)
            above += (found >= 0.6).float()
    for kind, name in enumerate(KINDS):
        mean = 100.0 * sums[kind] / max(1, counts[kind])
        print(f"{name} ({counts[kind]}): best {float(mean.max()):.0f} %")
        for row in mean.round().int().tolist():
            print("   ", " ".join(f"{x:3}" for x in row))
    print("distance of the noun from its determiner:", dict(sorted(offsets.items())))
    heads = sums[5] / max(1, counts[5])
    print(f"{int((heads >= 0.5).sum())} heads with a mean of 0.5 or more on the noun; at 0.6 or "
          f"more in {100.0 * float((above / len(cases)).max()):.1f} % of sentences (best head)")


if __name__ == "__main__":
    main()
