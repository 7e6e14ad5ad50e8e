"""Compares the gradients of ntm.c with PyTorch's, in double precision.

    python3 check.py
"""

import numpy as np
import torch

from compiled import Machine
from ntm import Reference, initial, make_config, split


def worst(config, length, seed):
    """Largest differences (outputs, each tensor's gradient relative to its
    largest entry)."""
    machine = Machine(config, "double")
    flat = (2 * initial(config, seed)).double().requires_grad_()
    machine.w[:] = flat.detach().numpy()
    draw = np.random.default_rng(seed)
    x = draw.integers(0, 2, (length, config["n_inputs"])).astype(np.float64)
    target = draw.integers(0, 2, (length, config["n_bits"])).astype(np.float64)
    weight = draw.random(length)
    _, y = machine.gradient(x, target, weight)
    outputs, _ = Reference(config, split(config, flat)).run(torch.from_numpy(x)[None])
    entropy = torch.nn.functional.binary_cross_entropy(
        outputs[0], torch.from_numpy(target), reduction="none")
    (entropy.sum(dim=1) * torch.from_numpy(weight)).sum().backward()
    ours = split(config, torch.from_numpy(machine.g))
    theirs = split(config, flat.grad)
    return (float(np.abs(y - outputs[0].detach().numpy()).max()),
            max(float((ours[n] - theirs[n]).abs().max() / theirs[n].abs().max()) for n in ours))


def main():
    torch.set_num_threads(1)
    for sizes in (("copy", "lstm", 13, 16, 6, 1, 1), ("copy", "lstm", 100, 128, 20, 1, 1),
                  ("recall", "feedforward", 17, 12, 5, 2, 2),
                  ("recall", "lstm", 20, 10, 7, 3, 2)):
        output, gradient = worst(make_config(*sizes), 12, 5)
        print(f"{sizes}: outputs differ by {output:.1e}, gradients by {gradient:.1e}")
        if output > 1e-9 or gradient > 1e-7:
            raise SystemExit("ntm.c and ntm.py differ")


if __name__ == "__main__":
    main()
