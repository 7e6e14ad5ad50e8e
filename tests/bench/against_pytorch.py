#!/usr/bin/env python3
"""Engine time against PyTorch's on the same weights, sentences and one thread.

Usage: against_pytorch.py HEADLIGHT MODELS [LINES]

Both translate the same sentences greedily with a key/value cache and keep all
attention maps (Headlight always does; PyTorch's products are written out for
it). Headlight's start-up is taken off by a run on no lines. PyTorch computes in
float32, its fastest format for single rows. Exits with 77 without PyTorch.
"""
import json
import math
import os
import pathlib
import struct
import subprocess
import sys
import time

try:
    import torch
    import torch.nn.functional as F
except ImportError:
    print("PyTorch is not installed: nothing to compare with")
    sys.exit(77)

EXE, MODELS = sys.argv[1], pathlib.Path(sys.argv[2])
N = int(sys.argv[3]) if len(sys.argv) > 3 else 60
SENTENCES = [
    "The animal didn't cross the street because it was too tired and it wanted to sleep in the garden.",
    "My sister bought a red car yesterday because her old car was too small for the whole family.",
    "I think that you should read this book again before you talk to your teacher about it.",
    "The little boy opened the door of the house and saw that nobody was waiting for him.",
]


def load(folder):
    raw = (folder / "model.safetensors").read_bytes()
    n = struct.unpack("<Q", raw[:8])[0]
    head = json.loads(raw[8:8 + n])
    out = {}
    for name, t in head.items():
        if name == "__metadata__":
            continue
        a, b = t["data_offsets"]
        flat = torch.frombuffer(bytearray(raw[8 + n + a:8 + n + b]), dtype=torch.float16)
        out[name] = flat.float().reshape(t["shape"])
    return json.loads((folder / "config.json").read_text()), out


class Marian:
    """Post-norm encoder-decoder with sinusoids in halves, one sentence at a time."""

    def __init__(self, folder):
        self.c, self.w = load(folder)
        c = self.c
        self.d, self.h = c["d_model"], c["encoder_attention_heads"]
        self.embed = self.w["model.shared.weight"]
        self.bias = self.w["final_logits_bias"][0]
        half = self.d // 2
        pos = torch.arange(512, dtype=torch.float64)[:, None]
        angle = pos / 10000 ** (torch.arange(half, dtype=torch.float64) * 2 / self.d)
        self.pos = torch.cat([angle.sin(), angle.cos()], 1).float()
        self.act = {"relu": F.relu, "swish": F.silu, "gelu": F.gelu}[c["activation_function"]]
        self.scale = math.sqrt(self.d) if c["scale_embedding"] else 1.0

    def lin(self, name, x):
        return F.linear(x, self.w[name + ".weight"], self.w[name + ".bias"])

    def norm(self, name, x):
        return F.layer_norm(x, (self.d,), self.w[name + ".weight"], self.w[name + ".bias"], 1e-5)

    def split(self, x):
        return x.reshape(x.shape[0], self.h, -1).transpose(0, 1)

    def attend(self, name, x, k, v, maps):
        q = self.split(self.lin(name + ".q_proj", x)) * (self.d // self.h) ** -0.5
        a = torch.softmax(q @ k.transpose(1, 2), -1)
        maps.append(a)
        return self.lin(name + ".out_proj", (a @ v).transpose(0, 1).reshape(x.shape[0], -1))

    def feed(self, p, x):
        y = self.lin(p + ".fc2", self.act(self.lin(p + ".fc1", x)))
        return self.norm(p + ".final_layer_norm", x + y)

    @torch.no_grad()
    def translate(self, ids):
        maps = []
        x = self.embed[ids] * self.scale + self.pos[:len(ids)]
        for i in range(self.c["encoder_layers"]):
            p = f"model.encoder.layers.{i}"
            s = p + ".self_attn"
            y = self.attend(s, x, self.split(self.lin(s + ".k_proj", x)),
                            self.split(self.lin(s + ".v_proj", x)), maps)
            x = self.feed(p, self.norm(s + "_layer_norm", x + y))
        layers = self.c["decoder_layers"]
        cross, cache = [], [None] * layers
        for i in range(layers):
            s = f"model.decoder.layers.{i}.encoder_attn"
            cross.append((self.split(self.lin(s + ".k_proj", x)), self.split(self.lin(s + ".v_proj", x))))
        out, token = [], self.c["decoder_start_token_id"]
        for t in range(2 * len(ids) + 16):
            y = self.embed[token][None] * self.scale + self.pos[t:t + 1]
            for i in range(layers):
                p = f"model.decoder.layers.{i}"
                s = p + ".self_attn"
                k, v = self.split(self.lin(s + ".k_proj", y)), self.split(self.lin(s + ".v_proj", y))
                if cache[i] is not None:
                    k, v = torch.cat([cache[i][0], k], 1), torch.cat([cache[i][1], v], 1)
                cache[i] = (k, v)
                y = self.norm(s + "_layer_norm", y + self.attend(s, y, k, v, maps))
                s = p + ".encoder_attn"
                y = self.norm(s + "_layer_norm", y + self.attend(s, y, *cross[i], maps))
                y = self.feed(p, y)
            logits = (F.linear(y, self.embed) + self.bias)[0]
            logits[self.c["pad_token_id"]] = -math.inf
            token = int(logits.argmax())
            out.append(token)
            if token == self.c["eos_token_id"]:
                break
        return out


def headlight(lines):
    env = {**os.environ, "HEADLIGHT_MODELS": str(MODELS), "OPENBLAS_NUM_THREADS": "1"}
    t = time.perf_counter()
    r = subprocess.run([EXE, "dump", "--model", "en-fr-transformer"], input="".join(lines).encode(),
                       capture_output=True, env=env, check=True)
    return time.perf_counter() - t, r.stdout


def translate_time(lines):
    env = {**os.environ, "HEADLIGHT_MODELS": str(MODELS), "OPENBLAS_NUM_THREADS": "1"}
    t = time.perf_counter()
    subprocess.run([EXE, "translate", "--model", "en-fr-transformer"], input="".join(lines).encode(),
                   capture_output=True, env=env, check=True)
    return time.perf_counter() - t


def main():
    torch.set_num_threads(1)
    model = Marian(MODELS / "en-fr-transformer")
    lines = [SENTENCES[i % len(SENTENCES)] + "\n" for i in range(N)]
    rows = [json.loads(x) for x in headlight(SENTENCES[i] + "\n" for i in range(len(SENTENCES)))[1]
            .decode().splitlines()]
    same = 0
    for row in rows:
        ids = [t["id"] for t in row["tokens"]["source"]]
        same += model.translate(ids) == [t["id"] for t in row["tokens"]["target"]]
    ids = [[t["id"] for t in row["tokens"]["source"]] for row in rows]
    t = time.perf_counter()
    for i in range(N):
        model.translate(ids[i % len(ids)])
    theirs = (time.perf_counter() - t) / N
    ours = (translate_time(lines) - translate_time([])) / N
    print(f"same translation: {same} of {len(rows)}")
    print(f"engine: {ours * 1e3:.2f} ms a sentence, PyTorch {torch.__version__}: {theirs * 1e3:.2f} ms, "
          f"ratio {ours / theirs:.2f} ({N} sentences, 1 thread)")


if __name__ == "__main__":
    main()
