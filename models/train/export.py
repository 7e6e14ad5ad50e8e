"""Writes a trained network as Headlight opens it: a folder of three files.

    python3 export.py --model gru --checkpoint FILE --data DIR --out DIR
"""

import argparse
import os

import torch

from common import write_atomically, write_json, write_safetensors


def export(module, views, folder, data):
    """config.json, model.safetensors (half floats) and tokenizer.json."""
    os.makedirs(folder, exist_ok=True)
    write_safetensors(os.path.join(folder, "model.safetensors"), module.export_tensors(views))
    write_json(os.path.join(folder, "config.json"), module.CONFIG)
    with open(os.path.join(data, "tokenizer.json"), "rb") as handle:
        write_atomically(os.path.join(folder, "tokenizer.json"), handle.read())


def main():
    import gru
    import transformer

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", choices=["transformer", "gru"], required=True)
    parser.add_argument("--checkpoint", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--weights", choices=["mean", "weight"], default="mean",
                        help="the running mean (as shipped) or the last step's")
    options = parser.parse_args()
    module = {"transformer": transformer, "gru": gru}[options.model]
    network = module.Network(0)
    network.store.load(torch.load(options.checkpoint)["store"])
    views = network.store.views(network.store.flat[options.weights])
    export(module, views, options.out, options.data)


if __name__ == "__main__":
    main()
