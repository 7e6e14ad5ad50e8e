"""BLEU of a model through the program, on the held-out Tatoeba sentences.

    python3 eval_bleu.py --headlight build/headlight --model DIR --data WORK/data

A recurrent model is scored with each of its alignments.
"""

import argparse
import json
import os

from bleu import corpus_bleu
from program import translate


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--headlight", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--set", choices=["test", "dev"], default="test")
    parser.add_argument("--beam", type=int, default=1)
    parser.add_argument("--scores", nargs="*", help="only these alignments")
    options = parser.parse_args()
    path = os.path.join(options.data, f"tatoeba.{options.set}.tsv")
    with open(path, encoding="utf-8") as handle:
        pairs = [line.rstrip("\n").split("\t") for line in handle]
    with open(os.path.join(options.model, "config.json"), encoding="utf-8") as handle:
        scores = json.load(handle).get("scores", [None])
    for score in options.scores or scores:
        settings = [] if score is None else [f"score={score}"]
        answers = translate(options.headlight, options.model, [p[0] for p in pairs], *settings,
                            beam=options.beam)
        value = corpus_bleu(answers, [p[1] for p in pairs])
        same = sum(a == p[1] for a, p in zip(answers, pairs))
        print(f"{score or 'Transformer':12} BLEU {value:.2f}, {same} of {len(pairs)} as the reference")


if __name__ == "__main__":
    main()
