"""What PyTorch answers for an exported machine, for the program's tests.

    python3 expected.py --model DIR --out DIR

Writes expected.json (the index) and expected.bin (little-endian float32):
each tensor has name, shape, byte offset and count. All figures are computed in
float64 on the weights as stored (half floats); `float32` is how far float32
strays from them at most. T steps, N slots, M a slot's width, R and
W read and write heads, S shifts, C the controller's size.

input [T, I]; output [T, 8]; reads [T, R, M]; memory.last [N, M], after the
last step; read.* and write.* [T, heads, ...]: the parameters beta, gate,
gamma, key (M), shift (S), erase, add (M). At the K steps named by
`stage_steps` alone: hidden [K, C], the controller's h, and read.* and write.*
[K, heads, N], the stages cosine, content, gated, shifted and weights.
"""

import argparse
import os
import platform

import numpy as np
import torch

import task
from export import load
from common import write_atomically, write_json
from ntm import Reference

STAGES = ("cosine", "content", "gated", "shifted", "weights")
PARAMETERS = ("beta", "gate", "gamma", "key", "shift", "erase", "add")
COPIES = ["Go", "Turing machine", "naïve café", "x" * 20,
          "The quick brown fox jumps over the lazy dog, twice a day."]
RECALLS = [(["cat", "dog"], 0), (["one", "two", "six", "ten"], 1),
           (["red", "sea", "sky", "sun", "ice", "fog"], 4), (["a", "bc", "Ün", "x1"], 2),
           ("ant bat cat dog elk fox gnu hen ibx jay koi lab man nit owl pig qua rat sow tit "
            "urs vip wog yak".split(), 9)]
SHORT = 8


class Bin:
    """Collects tensors for expected.bin and their index entries."""

    def __init__(self):
        self.blocks, self.offset = [], 0

    def add(self, name, tensor, single):
        """The tensor as float64 and as float32 arithmetic have it."""
        array = np.ascontiguousarray(tensor.numpy().astype("<f4"))
        self.blocks.append(array.tobytes())
        entry = {"name": name, "shape": list(array.shape), "offset": self.offset,
                 "count": int(array.size),
                 "float32": float(f"{float((tensor - single).abs().max()):.1e}")}
        self.offset += 4 * array.size
        return entry


def pad(word, length):
    data = word.encode("utf-8")[:length]
    return list(data) + [32] * (length - len(data))


def sequences(config):
    """(text as the program takes it, inputs, bytes wanted)."""
    if config["task"] == "copy":
        for text in COPIES:
            data = list(text.encode("utf-8"))
            yield text, task.copy(data)[0], data
        return
    for words, query in RECALLS:
        items = np.array([pad(w, config["item_length"]) for w in words], np.uint8)
        yield f"{' '.join(words)} ? {words[query]}", task.recall(items, query)[0], items[query + 1]


def tensors_of(model, x, steps):
    """{name: tensor} of one input, in the layout told above."""
    with torch.no_grad():
        y, trace = model.run(x[None])
    out = {"input": x, "output": y[0], "reads": trace["reads"][0],
           "memory.last": trace["memory"][0, -1], "hidden": trace["hidden"][0, steps]}
    for kind in ("read", "write"):
        heads = [trace[name] for name in model.heads if name.startswith(kind)]
        for part in (p for p in PARAMETERS if p in heads[0]):
            out[f"{kind}.{part}"] = torch.stack([h[part][0] for h in heads], dim=1)
        for part in STAGES:
            out[f"{kind}.{part}"] = torch.stack([h[part][0, steps] for h in heads], dim=1)
    return out


def answer(double, single, store, text, x, wanted):
    """One input's entry in the index."""
    n = len(x)
    steps = list(range(n)) if n <= SHORT else [0, n // 4, n // 2, n // 2 + 1, 3 * n // 4, n - 1]
    exact = tensors_of(double, torch.from_numpy(x).double(), steps)
    rough = tensors_of(single, torch.from_numpy(x), steps)
    outputs = exact["output"][-len(wanted):].numpy()
    return {"text": text, "steps": n, "stage_steps": steps,
            "wanted": [int(b) for b in wanted], "answer": task.to_bytes(outputs).tolist(),
            "nearest_half": round(float(np.abs(outputs - 0.5).min()), 6),
            "tensors": [store.add(name, exact[name], rough[name]) for name in exact]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    torch.set_num_threads(1)
    config, tensors = load(options.model)
    single, store = Reference(config, tensors), Bin()
    double = Reference(config, {name: value.double() for name, value in tensors.items()})
    inputs = [answer(double, single, store, *sequence) for sequence in sequences(config)]
    os.makedirs(options.out, exist_ok=True)
    write_atomically(os.path.join(options.out, "expected.bin"), b"".join(store.blocks))
    write_json(os.path.join(options.out, "expected.json"), {
        "format": "memory-expected/1", "model_type": config["model_type"],
        "command": "models/train/memory/expected.py --model DIR --out DIR",
        "layout": __doc__.split("\n\n", 3)[3].strip(),
        "torch": torch.__version__, "python": platform.python_version(),
        "stored_dtype": "F16", "compute_dtype": "F64", "bin": "expected.bin",
        "bin_dtype": "little-endian float32", "inputs": inputs,
    })


if __name__ == "__main__":
    main()
