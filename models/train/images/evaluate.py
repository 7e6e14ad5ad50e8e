"""Figures of the image model, computed from what the program draws.

    python3 evaluate.py --headlight H --model ../../sagan-fashion --work DIR

1,000 pictures, a hundred of each class under seeds 1 to 100, judged by the
classifier in DIR (classify.py); the entropy of the attention maps against the
uniform map; how often a place's strongest weight lies outside its 3 x 3
neighbourhood; the same for the discriminator on test pictures.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

import numpy as np
import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from classify import accuracy, load_classifier
from data import CLASSES, load
from png import write_grey


def dump(options, *more):
    """One record of the program."""
    command = [options.headlight, "dump", "--model", options.model, *more]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def weights(record):
    """[pictures, P, P] of the record's self-attention."""
    for a in record["attentions"]:
        if a["name"] == "self" and a["stage"] == "weights":
            n, _, p, q = a["shape"]
            return np.array(a["data"], dtype=np.float64).reshape(n, p, q)
    raise SystemExit("the record has no self-attention")


def picture(record):
    for v in record["vectors"]:
        if v["name"] == "image":
            return np.array(v["data"], dtype=np.float32).reshape(v["shape"][0], 32, 32)
    raise SystemExit("the record has no picture")


class Tally:
    """Entropy and far looks of attention maps."""

    def __init__(self):
        row, column = np.divmod(np.arange(256), 16)
        self.near = (np.abs(row[:, None] - row) <= 1) & (np.abs(column[:, None] - column) <= 1)
        self.entropy, self.far, self.mass, self.n = 0.0, 0, 0.0, 0

    def add(self, maps):
        for m in maps:
            h = -(m * np.log(m + 1e-300)).sum(1) / math.log(256)
            self.entropy += h.sum()
            self.far += int((~self.near[np.arange(256), m.argmax(1)]).sum())
            self.mass += float((m * ~self.near).sum())
            self.n += 256

    def line(self, name):
        print(f"{name}: entropy {self.entropy / self.n:.3f} of the uniform map's; strongest weight "
              f"outside the 3x3 neighbourhood {100 * self.far / self.n:.1f} %; "
              f"weight outside it {100 * self.mass / self.n:.1f} %")


def generator(options):
    drawn, labels, maps = [], [], Tally()
    groups = [range(0, 4), range(4, 8), range(8, 10)]  # four pictures a text at most
    for seed in range(1, options.each + 1):
        for group in groups:
            text = " and ".join(CLASSES[label] for label in group)
            r = dump(options, "--text", text, "--set", f"seed={seed}", "--stages", "all")
            drawn += list(picture(r))
            labels += list(group)
            maps.add(weights(r))
    x = torch.from_numpy(np.stack(drawn))[:, None]
    y = torch.tensor(labels)
    network = load_classifier(options.work)
    print(f"the classifier names the class asked for in {100 * accuracy(network, x, y):.1f} % of "
          f"{len(y)} pictures")
    for label, name in enumerate(CLASSES):
        print(f"  {name}: {100 * accuracy(network, x[y == label], y[y == label]):.0f} %")
    real = load("t10k")
    print(f"on the {len(real[1])} real test pictures: {100 * accuracy(network, *real):.1f} %")
    maps.line("generator")


def scores(record):
    """The discriminator's score of the picture as each class."""
    return next(v["data"] for v in record["vectors"] if v["name"] == "score")


def discriminator(options):
    pictures, labels = load("t10k")
    maps, best, real = Tally(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.png")
        for x, label in zip(pictures[: options.real], labels.tolist()):
            write_grey(path, ((x[0, 2:30, 2:30].numpy() + 1) * 127.5).round().astype(np.uint8))
            record = dump(options, "--image", path, "--stages", "all")
            maps.add(weights(record))
            score = scores(record)
            best += max(score) == score[label]
            real += score[label] > 0
    maps.line("discriminator")
    print(f"of {options.real} real pictures {real} are taken for real as what they are, "
          f"{best} score highest as that")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--headlight", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--each", type=int, default=100)
    parser.add_argument("--real", type=int, default=100)
    options = parser.parse_args()
    if options.each > 0:
        generator(options)
    discriminator(options)


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
