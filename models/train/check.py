"""Looks at an exported model while it trains, on the development sets.

    python3 check.py --folder EXPORT --data DIR [--bleu 200] [--pairs 120]
"""

import argparse
import json
import os
import time

import torch

import gru
import transformer
from bleu import corpus_bleu
from common import EOS, PAD, read_safetensors
from corpus import Tokenizer
from measures import HeadFigures, agrees, read_cases

EXAMPLES = ["I am a student.", "She eats a green apple.", "she eats a green apple",
            "The red car is in front of the house.", "Where did you buy this book?"]


class Model:
    def __init__(self, folder, data):
        with open(os.path.join(folder, "config.json"), encoding="utf-8") as handle:
            self.kind = json.load(handle)["model_type"]
        tensors = read_safetensors(os.path.join(folder, "model.safetensors"))
        module = transformer if self.kind == "marian" else gru
        self.net = module.Reference(tensors)
        self.tokenizer = Tokenizer(os.path.join(data, "vocab.model"))

    def ids(self, texts):
        rows = [ids + [EOS] for ids in self.tokenizer.encode(texts)]
        longest = max(map(len, rows))
        return torch.tensor([row + [PAD] * (longest - len(row)) for row in rows])

    def translate(self, texts, **rest):
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        out = [""] * len(texts)
        for begin in range(0, len(texts), 64):
            part = order[begin : begin + 64]
            rows = self.net.greedy(self.ids([texts[i] for i in part]), **rest)
            for i, row in zip(part, rows):
                out[i] = self.tokenizer.sp.decode([x for x in row if x != EOS])
        return out

    def spans(self, ids):
        """(begin, end) characters of each piece, None for special ones."""
        widths = self.tokenizer.widths[ids]
        begins = self.tokenizer.starts(ids)
        return [None if w == 0 else (int(b) - 1, int(b + w) - 1) for b, w in zip(begins, widths)]


def agreement(model, cases, **rest):
    answers = model.translate([c.english for c in cases], **rest)
    right = [agrees(c, a) for c, a in zip(cases, answers)]
    wrong = [(c, a) for c, a, r in zip(cases, answers, right) if not r[1]]
    return (100.0 * sum(r[0] for r in right) / len(cases),
            100.0 * sum(r[1] for r in right) / len(cases), wrong)


def heads(model, cases):
    figures = HeadFigures()
    for case in cases:
        ids = model.ids([case.english])
        _, maps = model.net.encode(ids)
        figures.add(case, model.spans(ids[0].tolist()), [m[0].tolist() for m in maps])
    return figures.ranking()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--folder", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--bleu", type=int, default=200, help="development sentences")
    parser.add_argument("--pairs", type=int, default=120, help="pronoun sentences")
    parser.add_argument("--scores", nargs="*", default=["additive"])
    options = parser.parse_args()
    torch.set_num_threads(1)
    begin, model = time.time(), Model(options.folder, options.data)
    with open(os.path.join(options.data, "tatoeba.dev.tsv"), encoding="utf-8") as handle:
        pairs = [line.rstrip("\n").split("\t") for line in handle]
    pairs = pairs[:: max(1, len(pairs) // options.bleu)]
    cases = read_cases(os.path.join(options.data, "pronouns.dev.tsv"))
    cases = cases[:: max(1, len(cases) // options.pairs)]
    settings = [{}] if model.kind == "marian" else [{"score": s} for s in options.scores]
    with torch.no_grad():
        for rest in settings:
            answers = model.translate([p[0] for p in pairs], **rest)
            bleu = corpus_bleu(answers, [p[1] for p in pairs])
            pronoun, both, wrong = agreement(model, cases, **rest)
            print(f"{rest.get('score', 'greedy'):10} BLEU {bleu:.1f} ({len(pairs)}) pronoun "
                  f"{pronoun:.1f} with adjective {both:.1f} ({len(cases)})")
            for case, answer in wrong[:5]:
                print(f"    {case.english} -> {answer}")
        if model.kind == "marian":
            for hits, weight, layer, head in heads(model, cases)[:4]:
                print(f"    layer {layer} head {head}: {hits:.1f} %, mean weight {weight:.3f}")
        texts = EXAMPLES + [c.english for c in
                            read_cases(os.path.join(options.data, "animal.tsv"))]
        with open(os.path.join(options.data, "area.tsv"), encoding="utf-8") as handle:
            texts.append(handle.read().split("\t")[0])
        for text, answer in zip(texts, model.translate(texts)):
            print(f"    {text} -> {answer}")
    print(f"    {time.time() - begin:.0f} s")


if __name__ == "__main__":
    main()
