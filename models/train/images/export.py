"""Writes a trained GAN as Headlight opens it.

    ../run.sh images/export.py --work DIR --out FOLDER [--last N]

DIR is the training's: sagan.pt and snapshot.STEP.pt. The averaged generator is
written, its batch statistics measured anew on 40 batches (those of training
belong to the network that was averaged), with the discriminator and the
snapshots of the averaged generator, oldest first.
"""

import argparse
import glob
import os
import re

import torch

import folder
from common import write_json, write_safetensors
from networks import D_WIDTHS, G_WIDTHS, LATENT, N_CLASSES, Discriminator, Generator

BATCHES, BATCH, SEED = 40, 64, 20261
WEIGHTS, SNAPSHOTS = "model.safetensors", "snapshots.safetensors"

# In the order of the labels; every class is also found by its name.
CLASSES = [
    ("T-shirt", "t-shirt t-shirts tshirt tshirts tee tees tee-shirt tee-shirts top tops"),
    ("trouser", "trouser trousers pants jean jeans slacks chinos leggings"),
    ("pullover", "pullover pullovers sweater sweaters jumper jumpers sweatshirt sweatshirts "
                 "hoodie hoodies jersey jerseys knitwear"),
    ("dress", "dress dresses gown gowns frock frocks"),
    ("coat", "coat coats jacket jackets overcoat overcoats parka parkas anorak anoraks"),
    ("sandal", "sandal sandals flip-flop flip-flops slipper slippers heel heels high-heel "
               "high-heels"),
    ("shirt", "shirt shirts blouse blouses button-down polo polos"),
    ("sneaker", "sneaker sneakers trainer trainers shoe shoes running-shoe running-shoes "
                "tennis-shoe tennis-shoes plimsoll plimsolls"),
    ("bag", "bag bags handbag handbags purse purses backpack backpacks tote totes satchel "
            "satchels rucksack rucksacks"),
    ("boot", "boot boots ankle-boot ankle-boots bootie booties"),
]


def measure_norms(generator):
    """Running statistics as the cumulative mean over batches of fresh pictures."""
    norms = [n.norm for n in generator.norm]
    for norm in norms:
        norm.reset_running_stats()
        norm.momentum = None
        norm.train()
    random = torch.Generator().manual_seed(SEED)
    for _ in range(BATCHES):
        z = torch.randn(BATCH, LATENT, generator=random)
        generator(z, torch.randint(0, N_CLASSES, (BATCH,), generator=random))
    generator.eval()


def generator_tensors(state):
    """What is stored for a generator's state; statistics fit the rounded weights."""
    generator = Generator()
    generator.load_state_dict(state)
    folder.plain(generator)
    parts = folder.generator_parts(generator)
    folder.round_to_half(parts)
    measure_norms(generator)
    return folder.to_store(parts)


def find_snapshots(work, before, last):
    steps = sorted(int(re.search(r"snapshot\.(\d+)\.pt$", path).group(1))
                   for path in glob.glob(os.path.join(work, "snapshot.*.pt")))
    steps = [step for step in steps if step < before]
    return steps[len(steps) - last:] if 0 <= last < len(steps) else steps


def config(step, snapshots):
    return {
        "model_type": "headlight-sagan",
        "title": "Fashion · self-attention GAN",
        "side": 32, "channels": 1, "latent_size": LATENT,
        "generator_widths": G_WIDTHS, "discriminator_widths": D_WIDTHS,
        "attention_side": 16, "step": step,
        "classes": [{"name": name, "words": words.split()} for name, words in CLASSES],
        "snapshots": [{"step": s, "file_prefix": f"snapshot.{s}."} for s in snapshots],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--last", type=int, default=-1,
                        help="how many snapshots, the newest; all by default")
    options = parser.parse_args()
    state = torch.load(os.path.join(options.work, "sagan.pt"))
    discriminator = Discriminator()
    discriminator.load_state_dict(state["d"])
    steps = find_snapshots(options.work, state["step"], options.last)
    os.makedirs(options.out, exist_ok=True)
    with torch.no_grad():
        own = folder.to_store(folder.discriminator_parts(folder.plain(discriminator)))
        own.update(generator_tensors(state["mean"]))
        early = {}
        for step in steps:
            path = os.path.join(options.work, f"snapshot.{step}.pt")
            for name, tensor in generator_tensors(torch.load(path)).items():
                early[f"snapshot.{step}.{name}"] = tensor
    write_safetensors(os.path.join(options.out, WEIGHTS), own)
    if early:
        write_safetensors(os.path.join(options.out, SNAPSHOTS), early)
    write_json(os.path.join(options.out, "config.json"), config(state["step"], steps))
    print(f"step {state['step']}, gamma {float(own['generator.attention.gamma']):.4f} and "
          f"{float(own['discriminator.attention.gamma']):.4f}, snapshots {steps}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
