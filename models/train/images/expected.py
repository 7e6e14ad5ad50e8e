"""What PyTorch answers for the exported GAN, for the program's tests.

    ../run.sh images/expected.py --folder MODEL --out DIR

Writes expected.json and expected.bin (little-endian float32) in the layout of
the translators' answers. Everything is computed in float32 on the weights as
stored. Rows of scores and weights are given for ROWS of the map's cells.
"""

import argparse
import json
import os
import platform

import torch

import folder
from common import Bin, read_safetensors, write_atomically, write_json
from networks import LATENT, Discriminator, Generator

SEED = 20262
PICTURES = (("dress", 3), ("sneaker", 7), ("bag", 8))
ROWS = (0, 15, 37, 120, 136, 255)


def network(kind, parts, tensors):
    plain = folder.plain(kind())
    folder.fill(parts(plain), tensors)
    return plain


def looked(attention, x):
    """Scores, weights and results of an attention that reads x [1, C, H, W]."""
    f, g = attention.f(x).flatten(2), attention.g(x).flatten(2)
    scores = torch.bmm(g.transpose(1, 2), f)
    o = torch.bmm(attention.h(x).flatten(2), torch.softmax(scores, -1).transpose(1, 2))
    o = attention.v(o.view(1, -1, *x.shape[2:]))
    return scores, torch.softmax(scores, -1), o, attention.gamma * o + x


def capture(net, name, run, store):
    """Runs `run` and stores what the network's attention read and gave."""
    caught = {}
    hook = net.attention.register_forward_hook(
        lambda _, args, result: caught.update(x=args[0], y=result))
    result = run()
    hook.remove()
    scores, weights, o, y = looked(net.attention, caught["x"])
    if not torch.allclose(y, caught["y"], atol=1e-5):
        raise ValueError(f"{name}: two ways of attending differ")
    cells = lambda t: t[0].flatten(1).t()
    rows = torch.tensor(ROWS)
    return result, [
        store.add(f"{name}.scores", scores[0, rows]),
        store.add(f"{name}.weights", weights[0, rows]),
        store.add(f"{name}.input", cells(caught["x"])[rows]),
        store.add(f"{name}.attended", cells(o)[rows]),
        store.add(f"{name}.output", cells(y)[rows]),
    ]


def answer(g, d, word, label, z, store):
    of = torch.tensor([label])
    picture, tensors = capture(g, "generator", lambda: g(z, of), store)
    gamma = g.attention.gamma.clone()
    g.attention.gamma.zero_()
    without = g(z, of)
    g.attention.gamma.copy_(gamma)
    judge = lambda: torch.cat([d(picture, torch.tensor([k])) for k in range(10)])
    scores, more = capture(d, "discriminator", judge, store)
    tensors += more + [store.add("latent", z[0]), store.add("image", picture.flatten()),
                       store.add("image.convolution", without.flatten()),
                       store.add("score", scores)]
    return {"name": word, "text": word, "label": label, "rows": list(ROWS), "tensors": tensors}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--folder", required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    with open(os.path.join(options.folder, "config.json"), encoding="utf-8") as handle:
        config = json.load(handle)
    tensors = read_safetensors(os.path.join(options.folder, "model.safetensors"))
    random, store, inputs = torch.Generator().manual_seed(SEED), Bin(), []
    with torch.no_grad():
        g = network(Generator, folder.generator_parts, tensors)
        d = network(Discriminator, folder.discriminator_parts, tensors)
        for word, label in PICTURES:
            z = torch.randn(1, LATENT, generator=random)
            inputs.append(answer(g, d, word, label, z, store))
    os.makedirs(options.out, exist_ok=True)
    write_atomically(os.path.join(options.out, "expected.bin"), b"".join(store.blocks))
    write_json(os.path.join(options.out, "expected.json"), {
        "format": "attention-expected/1", "model_type": config["model_type"],
        "command": "models/train/images/expected.py --folder FOLDER --out OUT",
        "torch": torch.__version__, "python": platform.python_version(),
        "stored_dtype": "F16", "compute_dtype": "F32", "bin": "expected.bin",
        "bin_dtype": "little-endian float32", "inputs": inputs,
    })


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
