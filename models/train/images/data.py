"""Fashion-MNIST as Debian packages it, padded from 28x28 to 32x32.

Pixels are scaled to [-1, 1] with -1 for the background, as the generator's
tanh gives them. The package is dataset-fashion-mnist.
"""

import gzip
import os

import numpy as np
import torch

FOLDER = "/usr/share/datasets/fashion-mnist"
CLASSES = [
    "T-shirt", "trouser", "pullover", "dress", "coat",
    "sandal", "shirt", "sneaker", "bag", "boot",
]
SIDE = 32


def read_idx(path):
    """One file of the IDX format: big-endian header, then bytes."""
    with gzip.open(path, "rb") as handle:
        magic = int.from_bytes(handle.read(4), "big")
        shape = [int.from_bytes(handle.read(4), "big") for _ in range(magic & 255)]
        return np.frombuffer(handle.read(), dtype=np.uint8).reshape(shape)


def load(part, folder=FOLDER):
    """part is "train" or "t10k"; pictures [n, 1, 32, 32] in [-1, 1], labels [n]."""
    pictures = read_idx(os.path.join(folder, f"{part}-images-idx3-ubyte.gz"))
    labels = read_idx(os.path.join(folder, f"{part}-labels-idx1-ubyte.gz"))
    wide = np.zeros((len(pictures), 1, SIDE, SIDE), dtype=np.float32)
    wide[:, 0, 2:30, 2:30] = pictures
    return torch.from_numpy(wide / 127.5 - 1.0), torch.from_numpy(labels.astype(np.int64))
