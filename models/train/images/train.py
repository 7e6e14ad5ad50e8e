"""Trains the generator and the discriminator (hinge loss, two time scales).

    ../run.sh images/train.py --work DIR --minutes 90

Resumes from DIR/sagan.pt. Snapshots of the averaged generator are kept as
DIR/snapshot.STEP.pt; export.py makes the model folder out of them.
"""

import argparse
import copy
import math
import os
import signal
import sys
import time

import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from data import load
from networks import LATENT, ConditionalNorm, Discriminator, Generator

SNAPSHOTS = (0, 100, 300, 800, 2000, 4500)
AVERAGE = 0.999


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", required=True)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=3e-4, help="the generator's")
    parser.add_argument("--seed", type=int, default=20260)
    parser.add_argument("--decay", type=float, default=0.25,
                        help="share of this run over which the rates fall to a tenth")
    return parser.parse_args()


def groups(network, rate):
    """gamma, the gain of attention and the tables of the classes learn faster."""
    few = [network.attention.gamma, network.attention.log_gain]
    few += [p for m in network.modules() if isinstance(m, ConditionalNorm)
            for p in m.parameters()]
    known = {id(p) for p in few}
    return [
        {"params": [p for p in network.parameters() if id(p) not in known], "lr": rate},
        {"params": few, "lr": 2e-3},
    ]


class Run:
    def __init__(self, options):
        self.o = options
        torch.manual_seed(options.seed)
        self.g = Generator().to(memory_format=torch.channels_last)
        self.d = Discriminator().to(memory_format=torch.channels_last)
        self.mean = copy.deepcopy(self.g).requires_grad_(False)
        self.g_step = torch.optim.Adam(groups(self.g, options.rate), betas=(0.0, 0.9))
        self.d_step = torch.optim.Adam(groups(self.d, 4e-4), betas=(0.0, 0.9))
        self.rates = [[x["lr"] for x in s.param_groups] for s in (self.g_step, self.d_step)]
        self.step, self.spent, self.place = 0, 0.0, 0
        self.pictures, self.labels = load("train")
        self.order = torch.randperm(len(self.labels))
        self.path = os.path.join(options.work, "sagan.pt")
        os.makedirs(options.work, exist_ok=True)
        self.begin = time.time()
        self.end = self.begin + 60 * options.minutes
        self.stopping = False
        signal.signal(signal.SIGTERM, self.stop)
        if os.path.exists(self.path):
            self.resume()

    def stop(self, *_):
        self.stopping = True

    def log(self, text):
        line = f"{time.strftime('%H:%M:%S')} {text}"
        print(line, flush=True)
        with open(os.path.join(self.o.work, "sagan.log"), "a", encoding="utf-8") as handle:
            handle.write(line + "\n")

    def parts(self):
        return {"g": self.g, "d": self.d, "mean": self.mean,
                "g_step": self.g_step, "d_step": self.d_step}

    def resume(self):
        state = torch.load(self.path)
        for name, part in self.parts().items():
            part.load_state_dict(state[name])
        self.step, self.spent, self.place = state["step"], state["spent"], state["place"]
        self.order = state["order"]
        torch.set_rng_state(state["rng"])
        self.log(f"resumed at step {self.step}")

    def save(self):
        state = {name: part.state_dict() for name, part in self.parts().items()}
        state.update(step=self.step, place=self.place, order=self.order,
                     rng=torch.get_rng_state(), spent=self.spent + time.time() - self.begin)
        torch.save(state, self.path + ".part")
        os.replace(self.path + ".part", self.path)

    def snapshot(self):
        path = os.path.join(self.o.work, f"snapshot.{self.step}.pt")
        torch.save(self.mean.state_dict(), path)

    def real(self):
        n = self.o.batch
        if self.place + n > len(self.order):
            self.order, self.place = torch.randperm(len(self.labels)), 0
        chosen = self.order[self.place : self.place + n]
        self.place += n
        return self.pictures[chosen], self.labels[chosen]

    def average(self):
        """Weights by their running mean, everything else as it is."""
        keep = min(AVERAGE, (1 + self.step) / (10 + self.step))
        mean, now = self.mean.state_dict(), self.g.state_dict()
        for name, value in now.items():
            if value.dtype.is_floating_point and not name.endswith(("weight_u", "weight_v")):
                mean[name].lerp_(value, 1 - keep)
            else:
                mean[name].copy_(value)

    def set_rates(self):
        start = self.end - self.o.decay * (self.end - self.begin)
        factor = 1.0
        if time.time() > start:
            factor = max(0.1, 1 - 0.9 * (time.time() - start) / (self.end - start))
        for step, rates in zip((self.g_step, self.d_step), self.rates):
            for group, rate in zip(step.param_groups, rates):
                group["lr"] = rate * factor

    def one(self):
        n = self.o.batch
        x, y = self.real()
        with torch.autocast("cpu", torch.bfloat16):
            with torch.no_grad():
                fake = self.g(torch.randn(n, LATENT), y).float()
            score = self.d(torch.cat([x, fake]), torch.cat([y, y])).float()
        d_loss = torch.relu(1 - score[:n]).mean() + torch.relu(1 + score[n:]).mean()
        self.d_step.zero_grad(set_to_none=True)
        d_loss.backward()
        self.d_step.step()
        label = torch.randint(0, 10, (n,))
        self.d.requires_grad_(False)
        with torch.autocast("cpu", torch.bfloat16):
            g_loss = -self.d(self.g(torch.randn(n, LATENT), label), label).float().mean()
        self.g_step.zero_grad(set_to_none=True)
        g_loss.backward()
        self.d.requires_grad_(True)
        self.g_step.step()
        self.step += 1
        self.average()
        return float(d_loss), float(g_loss)

    def entropies(self):
        """Mean entropy of the maps against log P, generator and discriminator."""
        with torch.no_grad():
            caught = {}
            hook = self.g.attention.register_forward_pre_hook(
                lambda _, args: caught.update(x=args[0]))
            y = torch.arange(10).repeat(2)
            self.g(torch.randn(20, LATENT), y)
            hook.remove()
            maps = (self.g.attention.weights(caught["x"].float()),
                    self.d.attention.weights(self.d.features(self.real()[0][:20])))
            return [float(-(m * (m + 1e-20).log()).sum(-1).mean() / math.log(256)) for m in maps]

    def go(self):
        saved = logged = time.time()
        sums, count = [0.0, 0.0], 0
        if self.step == 0:
            self.snapshot()
        while not self.stopping and time.time() < self.end:
            self.set_rates()
            losses = self.one()
            sums, count = [a + b for a, b in zip(sums, losses)], count + 1
            if self.step in SNAPSHOTS:
                self.snapshot()
            if self.step % 100 == 0:
                now = time.time()
                e = self.entropies()
                self.log(f"step {self.step} d {sums[0] / count:.3f} g {sums[1] / count:.3f} "
                         f"gamma {float(self.g.attention.gamma):.4f} "
                         f"{float(self.d.attention.gamma):.4f} "
                         f"gain {float(self.g.attention.log_gain.exp()):.2f} "
                         f"{float(self.d.attention.log_gain.exp()):.2f} "
                         f"entropy {e[0]:.3f} {e[1]:.3f} {(now - logged) / count:.2f} s/step")
                sums, count, logged = [0.0, 0.0], 0, now
            if time.time() - saved > 240:
                self.save()
                saved = time.time()
        self.save()
        self.log(f"stopped at step {self.step} after "
                 f"{(self.spent + time.time() - self.begin) / 60:.1f} minutes")


if __name__ == "__main__":
    torch.set_num_threads(1)
    Run(arguments()).go()
