#!/usr/bin/env python3
"""The joint vocabulary: SentencePiece training and Headlight's tokenizer.json.

    vocab.py --work DIR     checks tokenizer.json against SentencePiece itself
"""

import argparse
import json
import os
import random

import numpy
import sentencepiece

import normalizer

SIZE = 8000
SPECIAL = ["</s>", "<unk>", "<pad>"]


def train(pairs, folder):
    """Unigram pieces over both sides; one line in ten of the English lower-cased,
    as the loaders do, so that both spellings have pieces."""
    text = os.path.join(folder, "vocab.txt")
    with open(text, "w", encoding="utf-8") as file:
        for n, (_, english, french, _) in enumerate(pairs):
            file.write((english.lower() if n % 10 == 0 else english) + "\n" + french + "\n")
    sentencepiece.SentencePieceTrainer.train(
        input=text, model_prefix=os.path.join(folder, "vocab"), model_type="unigram",
        vocab_size=SIZE, character_coverage=1.0, byte_fallback=True,
        normalization_rule_name="identity", eos_id=0, unk_id=1, pad_id=2, bos_id=-1,
        num_threads=2, minloglevel=1)
    os.remove(text)


def load(folder):
    return sentencepiece.SentencePieceProcessor(
        model_file=os.path.join(folder, "vocab.model"))


def at_most(pairs, folder, limit):
    """The pairs of at most `limit` pieces on each side."""
    sp = load(folder)
    n_en = map(len, sp.encode([p[1] for p in pairs]))
    n_fr = map(len, sp.encode([p[2] for p in pairs]))
    return [p for p, a, b in zip(pairs, n_en, n_fr) if a <= limit and b <= limit]


def export(folder):
    """Writes tokenizer.json; a piece's id is its row in the embedding."""
    sp = load(folder)
    pieces = [[sp.id_to_piece(i), sp.get_score(i)] for i in range(sp.get_piece_size())]
    assert len(pieces) == SIZE and [p[0] for p in pieces[:3]] == SPECIAL
    assert all(pieces[3 + b][0] == f"<0x{b:02X}>" for b in range(256))
    added = [{"id": i, "content": s, "single_word": False, "lstrip": False, "rstrip": False,
              "normalized": False, "special": True} for i, s in enumerate(SPECIAL)]
    meta = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    tokenizer = {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": added,
        "normalizer": normalizer.NORMALIZER,
        "pre_tokenizer": meta,
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [{"Sequence": {"id": "A", "type_id": 0}},
                       {"SpecialToken": {"id": "</s>", "type_id": 0}}],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}},
                     {"SpecialToken": {"id": "</s>", "type_id": 0}},
                     {"Sequence": {"id": "B", "type_id": 0}},
                     {"SpecialToken": {"id": "</s>", "type_id": 0}}],
            "special_tokens": {"</s>": {"id": "</s>", "ids": [0], "tokens": ["</s>"]}}},
        "decoder": {"type": "Sequence", "decoders": [{"type": "ByteFallback"}, meta]},
        "model": {"type": "Unigram", "unk_id": 1, "vocab": pieces, "byte_fallback": True}}
    normalizer.write(os.path.join(folder, "tokenizer.json"), tokenizer)


def viterbi(word, scores, longest, unknown):
    """Pieces of one word by the rules of Unigram, sums in float32."""
    n = len(word)
    best = [(numpy.float32(0), -1)] + [None] * n
    for start in range(n):
        single = False
        for end in range(start + 1, min(n, start + longest) + 1):
            score = scores.get(word[start:end])
            if score is None:
                continue
            single |= end == start + 1
            total = numpy.float32(best[start][0] + score)
            if best[end] is None or total > best[end][0]:
                best[end] = (total, start)
        if not single:
            total = numpy.float32(best[start][0] + unknown)
            if best[start + 1] is None or total > best[start + 1][0]:
                best[start + 1] = (total, start)
    cuts, at = [], n
    while at > 0:
        cuts.append(word[best[at][1]:at])
        at = best[at][1]
    return cuts[::-1]


def encode(text, tokenizer):
    """Ids of a normalised text by tokenizer.json alone, without the final </s>."""
    vocab = tokenizer["model"]["vocab"]
    ids = {p: i for i, (p, _) in enumerate(vocab)}
    scores = {p: numpy.float32(s) for p, s in vocab[len(SPECIAL) + 256:]}
    unknown = numpy.float32(min(scores.values()) - numpy.float32(10))
    longest, out = max(map(len, scores)), []
    for word in text.split(" "):
        for piece in viterbi("▁" + word, scores, longest, unknown):
            if piece in scores:
                out.append(ids[piece])
            else:
                out += [ids[f"<0x{b:02X}>"] for b in piece.encode()]
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", required=True)
    folder = os.path.join(parser.parse_args().work, "data")
    sp = load(folder)
    with open(os.path.join(folder, "tokenizer.json"), encoding="utf-8") as file:
        tokenizer = json.load(file)
    with open(os.path.join(folder, "train.tsv"), encoding="utf-8") as file:
        lines = [line.split("\t")[side] for line in file for side in (1, 2)]
    lines = random.Random(1).sample(lines, 200) + ["Ça 東京 🙂 naïve Ω.", "ünïcödé ẞ"]
    wrong = [t for t in lines if encode(t, tokenizer) != sp.encode(t)]
    print(len(lines) - len(wrong), "of", len(lines), "lines encode alike", wrong[:3])


if __name__ == "__main__":
    main()
