"""Writes a trained machine as Headlight opens it: a folder of two files.

    python3 export.py --checkpoint FILE.npz --out DIR
"""

import argparse
import json
import os
import sys

import numpy as np
import torch

from ntm import split

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from common import read_safetensors, write_json, write_safetensors


def load(folder):
    """(config, {name: tensor}) of an exported machine, float32."""
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as handle:
        config = json.load(handle)
    return config, read_safetensors(os.path.join(folder, "model.safetensors"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--checkpoint", required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    with np.load(options.checkpoint) as state:
        config = json.loads(str(state["rest"]))["config"]
        flat = torch.from_numpy(state["mean"])
    os.makedirs(options.out, exist_ok=True)
    write_safetensors(os.path.join(options.out, "model.safetensors"), split(config, flat))
    write_json(os.path.join(options.out, "config.json"), config)


if __name__ == "__main__":
    main()
