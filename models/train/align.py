"""Aligns the training pairs with the recurrent model's additive score.

    python3 align.py --checkpoint WORK/gru.pt --data DIR --out WORK/align.npz

For each target piece the strongest source piece, as characters of both texts
(so that they survive another tokenisation). train.py reads the file to teach
one cross-attention head of the Transformer.
"""

import argparse
import os

import numpy as np
import torch

import gru
from corpus import Corpus, Tokenizer

SURE = 0.4  # weights below this are not taught


def align(network, corpus, every):
    """Per pair a list of (target character, source character), empty for all
    but each so many-th pair."""
    found = [[] for _ in corpus.pairs]
    corpus.augment = False
    for group, english, french in corpus.batches(0, 6000 * every):
        group = [i for i in group if i % every == 0]
        if not group:
            continue
        batch = corpus.tensors(group, english, french)
        weights = network.run(batch["source"], batch["given"], "additive", 0.0)[2]
        top, place = weights.max(2)
        top, place = top.t().numpy(), place.t().numpy()
        for row, i in enumerate(group):
            e, f = english[i], french[i]
            source, target = corpus.tokenizer.starts(e), corpus.tokenizer.starts(f)
            found[i] = [(target[t], source[place[row, t]]) for t in range(len(f))
                        if top[row, t] >= SURE and place[row, t] < len(e)]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--checkpoint", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--every", type=int, default=3, help="align each so many-th pair")
    options = parser.parse_args()
    torch.set_num_threads(1)
    network = gru.Network(0)
    store = network.store
    store.load(torch.load(options.checkpoint)["store"])
    store.flat["weight"].copy_(store.flat["mean"])
    store.half.copy_(store.flat["mean"])
    tokenizer = Tokenizer(os.path.join(options.data, "vocab.model"))
    corpus = Corpus(os.path.join(options.data, "train.tsv"), tokenizer, 0)
    with torch.no_grad():
        found = align(network, corpus, options.every)
    flat = np.array([link for links in found for link in links], dtype=np.int32).reshape(-1, 2)
    offsets = np.concatenate([[0], np.cumsum([len(links) for links in found])])
    part = options.out + ".part.npz"
    np.savez(part, target=flat[:, 0], source=flat[:, 1], offsets=offsets)
    os.replace(part, options.out)
    print(f"{len(flat)} links in {len(found)} pairs")


if __name__ == "__main__":
    main()
