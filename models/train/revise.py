#!/usr/bin/env python3
"""Revises the vocabulary of a trained model without losing what it learned.

    revise.py --from MODEL --data WORK/data --out DIR

Numbers are to be copied digit by digit, so every piece that joins digits to
anything else is given up, and so are the pieces that the training text uses
least. Their rows go to whole words that were spelt in several pieces; a new
row begins as the mean of its old pieces' rows. Writes model.safetensors (to
start from), tokenizer.json and vocab.model for SentencePiece.
"""

import argparse
import collections
import json
import os
import re
import struct

from common import read_safetensors, write_atomically, write_safetensors

SCORE = -11.0
SPARE = 420  # rarely used pieces that are given up
TABLES = ("model.shared.weight", "embed.weight")


def varint(n):
    out = b""
    while True:
        n, low = n >> 7, n & 127
        if not n:
            return out + bytes([low])
        out += bytes([low | 128])


def field(number, value):
    """One field of a protocol buffer: int, float or bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value & (1 << 64) - 1)
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def sentencepiece_model(vocab):
    """SentencePiece's own file of a Unigram vocabulary (see its .proto)."""
    out = b""
    for i, (piece, score) in enumerate(vocab):
        kind = 3 if i in (0, 2) else 2 if i == 1 else 6 if re.fullmatch("<0x..>", piece) else 1
        out += field(1, field(1, piece.encode()) + field(2, float(score)) + field(3, kind))
    trainer = (field(3, 1) + field(4, len(vocab)) + field(35, 1) + field(40, 1) + field(41, -1)
               + field(42, 0) + field(43, 2) + field(45, b"<unk>") + field(46, b"<s>")
               + field(47, b"</s>") + field(48, b"<pad>"))
    spaces = field(1, b"identity") + field(3, 1) + field(4, 1) + field(5, 1)
    return out + field(2, trainer) + field(3, spaces)


def texts(folder):
    """(text, how often it counts) of both sides of all training text."""
    from corpus import HoldOut, own_pairs
    from slots import SLOT

    with open(os.path.join(folder, "train.tsv"), encoding="utf-8") as handle:
        for n, line in enumerate(handle):
            origin, english, french, _ = line.rstrip("\n").split("\t")
            if origin == "tatoeba" or n % 5 == 0:
                yield english, 1
                yield french, 1
    for pair in own_pairs(HoldOut(os.path.join(folder, "hold.json")).allows):
        for text in pair:
            yield SLOT.sub("", text), 4


def main():
    import sentencepiece

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--from", dest="start", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    with open(os.path.join(options.start, "tokenizer.json"), encoding="utf-8") as handle:
        tokenizer = json.load(handle)
    vocab = tokenizer["model"]["vocab"]
    old = sentencepiece.SentencePieceProcessor()
    old.LoadFromSerializedProto(sentencepiece_model(vocab))
    used, words = collections.Counter(), collections.Counter()
    for text, times in texts(options.data):
        for piece in old.encode(text):
            used[piece] += times
        for word in re.findall(r"(?:(?<= )|^)[^\W\d_]+", text):
            words[word] += times
    given = [i for i, (p, _) in enumerate(vocab)
             if i > 258 and re.search(r"\d", p) and not re.fullmatch(r"▁?\d", p)]
    letters = {i for i, (p, _) in enumerate(vocab) if len(p.lstrip("▁")) <= 1}
    rare = sorted((i for i in range(259, len(vocab)) if i not in letters and i not in given),
                  key=lambda i: used[i])
    given += rare[:SPARE]
    print("rarest kept piece is used", used[rare[SPARE]], "times")
    held = {p for p, _ in vocab}
    gain = {w: n * (len(old.encode(w)) - 1) for w, n in words.items() if "▁" + w not in held}
    new = ["▁0", "▁1"] + ["▁" + w for w in sorted(gain, key=lambda w: (-gain[w], w))]
    names = [name for name in TABLES]
    tensors = read_safetensors(os.path.join(options.start, "model.safetensors"))
    table = next(tensors[name] for name in names if name in tensors)
    rows = {i: table[old.encode(piece[1:])].mean(0) for i, piece in zip(given, new)}
    for i, piece in zip(given, new):
        vocab[i] = [piece, SCORE]
        table[i] = rows[i]
        for bias in ("final_logits_bias", "output.bias"):
            if bias in tensors:
                tensors[bias].view(-1)[i] = -1.0
    print(len(given), "pieces exchanged:", " ".join(new[:60]))
    os.makedirs(options.out, exist_ok=True)
    write_safetensors(os.path.join(options.out, "model.safetensors"), tensors)
    text = json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":")) + "\n"
    write_atomically(os.path.join(options.out, "tokenizer.json"), text.encode())
    write_atomically(os.path.join(options.out, "vocab.model"), sentencepiece_model(vocab))


if __name__ == "__main__":
    main()
