"""Writes the machine of this folder: random weights, all that the shipped
machines have not: a feed-forward controller, several heads, shifts of two.

    python3 make.py && python3 ../../../models/train/memory/expected.py --model . --out .
"""

import os
import sys

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
TRAIN = os.path.join(HERE, "..", "..", "..", "models", "train")
sys.path[:0] = [os.path.join(TRAIN, "memory"), TRAIN]

from common import write_json, write_safetensors
from ntm import initial, make_config, split


def main():
    config = make_config("recall", "feedforward", 11, 12, 5, 2, 3)
    config["shift_range"] = 2
    flat = initial(config, 20141020)
    flat = 2.5 * flat + 0.05 * torch.randn(flat.shape)
    write_safetensors(os.path.join(HERE, "model.safetensors"), split(config, flat))
    write_json(os.path.join(HERE, "config.json"), config)


if __name__ == "__main__":
    main()
