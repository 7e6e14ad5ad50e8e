"""What PyTorch answers for an exported model, for the program's tests.

    python3 expected.py --folder EXPORT --data DIR --out DIR

Writes expected.json (the index) and expected.bin (little-endian float32) in
the layout of the Hugging Face fixtures: each tensor has name, shape, byte
offset and count. All figures are float32 on the weights as stored (half
floats). Row i of a decoder map reads decoder_ids[i].
"""

import argparse
import json
import os
import platform

import torch

import gru
import transformer
from common import EOS, PAD, Bin, read_safetensors, write_atomically, write_json
from corpus import Tokenizer

LONGEST = 24
TEXTS = [
    ("tired", "The animal didn't cross the street because it was too tired."),
    ("wide", "The animal didn't cross the street because it was too wide."),
    ("short", "Go"),
    ("accents", "The café in Besançon isn't naïve."),
    ("bytes", "I like 🐱 and 日本!"),
    ("typed", "she eats a green apple"),
    ("area", "The agreement on the European Economic Area was signed in August 1992."),
]


def greedy(step):
    """step(ids) -> last logits; returns ids from the start token on and the
    smallest distance between the best and the second on the way."""
    ids, margin = [PAD], float("inf")
    for _ in range(LONGEST):
        logits = step(ids).clone()
        logits[PAD] = -float("inf")
        best = logits.topk(2)
        margin = min(margin, float(best.values[0] - best.values[1]))
        ids.append(int(best.indices[0]))
        if ids[-1] == EOS:
            break
    return ids, margin


def top5(logits):
    best = logits.topk(5)
    return [[int(i), round(float(x), 6)] for i, x in zip(best.indices, best.values)]


def transformer_input(model, source, store, name):
    states, maps = model.encode(source)
    hidden = torch.zeros(1, 1, 1, source.shape[1], dtype=torch.bool)
    run = lambda ids: model.decode(states[-1], hidden, torch.tensor([ids]))
    ids, margin = greedy(lambda ids: run(ids)[3][0, -1])
    outputs, own, cross, logits = run(ids[:-1])
    tensors = [
        store.add("attn.encoder", torch.cat(maps)),
        store.add("attn.decoder", torch.cat(own)),
        store.add("attn.cross", torch.cat(cross)),
        store.add("encoder_last_hidden_state", states[-1][0]),
        store.add("last_hidden_state", outputs[-1][0]),
        store.add("logits_last", logits[0, -1]),
    ]
    if name == "tired":
        tensors.append(store.add("encoder_hidden_states", torch.cat(states)))
        tensors.append(store.add("decoder_hidden_states", torch.cat(outputs)))
    return {"greedy_ids": ids, "greedy_min_margin": round(margin, 6),
            "decoder_ids": ids[:-1], "top5_last": top5(logits[0, -1]), "tensors": tensors}


def gru_input(model, source, store, name):
    """One forced target (the additive score's greedy answer) for all scores."""
    force = lambda ids, score: model.force(source, torch.tensor([ids]), score)
    ids, margin = greedy(lambda ids: force(ids, "additive")[3][0, -1])
    tensors, by_score = [], {}
    for score in gru.SCORES:
        annotations, states, weights, logits = force(ids[:-1], score)
        if score == "additive":
            tensors.append(store.add("encoder_last_hidden_state", annotations[0]))
            top = top5(logits[0, -1])
        own, own_margin = greedy(lambda ids: force(ids, score)[3][0, -1])
        by_score[score] = {"greedy_ids": own, "greedy_min_margin": round(own_margin, 6)}
        tensors.append(store.add(f"alignment.{score}", weights[0]))
        if score == "additive" or name in ("tired", "typed"):
            tensors.append(store.add(f"decoder_states.{score}", states[0]))
            tensors.append(store.add(f"logits_last.{score}", logits[0, -1]))
    return {"greedy_ids": ids, "greedy_min_margin": round(margin, 6), "decoder_ids": ids[:-1],
            "scores": by_score, "top5_last": top, "tensors": tensors}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--folder", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    torch.set_num_threads(1)
    with open(os.path.join(options.folder, "config.json"), encoding="utf-8") as handle:
        kind = json.load(handle)["model_type"]
    tensors = read_safetensors(os.path.join(options.folder, "model.safetensors"))
    tokenizer = Tokenizer(os.path.join(options.data, "vocab.model"))
    module, answer = ((transformer, transformer_input) if kind == "marian"
                      else (gru, gru_input))
    model, store, inputs = module.Reference(tensors), Bin(), []
    with torch.no_grad():
        for name, text in TEXTS:
            ids = tokenizer.encode([text])[0] + [EOS]
            result = answer(model, torch.tensor([ids]), store, name)
            strings = lambda row: [tokenizer.sp.id_to_piece(i) for i in row]
            inputs.append({"name": name, "text": text, "ids": ids, "tokens": strings(ids),
                           "greedy_text": tokenizer.sp.decode(result["greedy_ids"][1:-1]),
                           "greedy_tokens": strings(result["greedy_ids"]), **result})
    write_atomically(os.path.join(options.out, "expected.bin"), b"".join(store.blocks))
    write_json(os.path.join(options.out, "expected.json"), {
        "format": "attention-expected/1", "model_type": kind,
        "command": "models/train/expected.py --folder FOLDER --data DATA --out OUT",
        "torch": torch.__version__, "python": platform.python_version(),
        "stored_dtype": "F16", "compute_dtype": "F32", "bin": "expected.bin",
        "bin_dtype": "little-endian float32", "greedy_max_new_tokens": LONGEST,
        "inputs": inputs,
    })


if __name__ == "__main__":
    main()
