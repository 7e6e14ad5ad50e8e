"""Trains one Neural Turing Machine: copy or associative recall.

    python3 train.py --task copy --seed 2 --work DIR --minutes 10

Resumes from DIR/TASK-SEED.npz; SIGTERM saves and ends. Needs gcc.
"""

import argparse
import json
import os
import signal
import time

import numpy as np

import task
from compiled import Machine
from ntm import initial, make_config

# Controller, its size, slots, width, read heads, write heads.
SHAPES = {"copy": ("lstm", 100, 128, 20, 1, 1), "recall": ("feedforward", 200, 128, 20, 2, 1)}
# The rate is RATE up to the first step, then falls exponentially to a
# hundredth at the second.
STEPS = {"copy": (4000, 8000), "recall": (8000, 20000)}
RATE, BATCH = 1e-3, 8
CLIP = {"copy": 10.0, "recall": 1.0}  # norm of one sequence's gradient
MEAN = 0.002                          # share of each step in the mean weights
GROWING = 500                         # steps until lengths reach 20
TURNS = 3                             # questions in a sequence of recall


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--task", choices=sorted(SHAPES), required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--minutes", type=float, required=True)
    return parser.parse_args()


class Copy:
    """Lengths up to `size`, which grows from 2 to 20; from the fall of the rate
    on, a quarter of all sequences are up to twice as long."""

    def __init__(self):
        self.size = 2

    def draw(self, draw, step, late):
        self.size = min(20, 2 + 18 * step // GROWING)
        if late and draw.random() < 0.25:
            return task.draw_copy(draw, int(draw.integers(21, 41)))
        return task.draw_copy(draw, int(draw.integers(1, self.size + 1)))

    def seen(self, wrong):
        """Lengths grow with the steps, whatever was wrong."""


class Recall:
    """Half of all sequences have `size` items, the others fewer. It starts at
    three (with two, the answer is always the second) and grows by one whenever
    such sequences have under 5 % of wrong bits."""

    def __init__(self):
        self.size, self.wrong = 3, 0.5

    def draw(self, draw, step, late):
        kind = draw.choice(["bits", "letters", "words"], p=[0.5, 0.25, 0.25])
        many = draw.random() < 0.5
        self.count = self.size if many else int(draw.integers(2, self.size + 1))
        return task.draw_recall(draw, self.count, 3, kind, turns=TURNS)

    def seen(self, wrong):
        if self.count == self.size:
            self.wrong += 0.005 * (wrong - self.wrong)
        if self.wrong < 0.05 and self.size < 6:
            self.size, self.wrong = self.size + 1, 0.5


class Run:
    def __init__(self, options):
        self.o = options
        self.config = make_config(options.task, *SHAPES[options.task])
        self.hold, self.steps = STEPS[options.task]
        self.machine = Machine(self.config)
        self.machine.w[:] = initial(self.config, options.seed).numpy()
        self.course = {"copy": Copy, "recall": Recall}[options.task]()
        self.draw = np.random.default_rng(options.seed)
        self.step, self.spent = 0, 0.0
        name = f"{options.task}-{options.seed}"
        self.path = os.path.join(options.work, name + ".npz")
        self.log_path = os.path.join(options.work, name + ".log")
        os.makedirs(options.work, exist_ok=True)
        if os.path.exists(self.path):
            self.resume()
        self.begin, self.stopping = time.time(), False
        signal.signal(signal.SIGTERM, self.stop)

    def stop(self, *_):
        """SIGTERM: make this step the last one and save."""
        self.stopping = True

    def log(self, text):
        line = f"{time.strftime('%H:%M:%S')} {text}"
        print(line, flush=True)
        with open(self.log_path, "a", encoding="utf-8") as handle:
            handle.write(line + "\n")

    def resume(self):
        with np.load(self.path) as state:
            for name in ("w", "m", "v", "mean"):
                getattr(self.machine, name)[:] = state[name]
            rest = json.loads(str(state["rest"]))
        self.step, self.spent = rest["step"], rest["spent"]
        self.course.__dict__.update(rest["course"])
        self.draw.bit_generator.state = rest["draw"]
        self.log(f"resumed at step {self.step}")

    def save(self):
        rest = {"step": self.step, "spent": self.spent + time.time() - self.begin,
                "course": self.course.__dict__, "draw": self.draw.bit_generator.state,
                "config": self.config}
        machine, part = self.machine, self.path + ".part.npz"
        np.savez(part, w=machine.w, m=machine.m, v=machine.v, mean=machine.mean,
                 rest=json.dumps(rest))
        os.replace(part, self.path)

    def rate(self):
        return RATE * 0.01 ** (max(0, self.step - self.hold) / (self.steps - self.hold))

    def sequence(self):
        """One sequence's gradient; gives its loss per bit, wrong bits, number
        of bits, and the gradient's norm."""
        x, target, weight = self.course.draw(self.draw, self.step, self.step >= self.hold)
        answered = weight > 0
        count = 8 * int(answered.sum())
        loss, y = self.machine.gradient(x, target, weight / np.float32(count))
        wrong = int(((y > 0.5) != (target > 0.5))[answered].sum())
        self.course.seen(wrong / count)
        return loss, wrong, count, self.machine.absorb(CLIP[self.o.task])

    def go(self):
        tally, saved = np.zeros(4), time.time()
        end = self.begin + 60 * self.o.minutes
        while self.step < self.steps and not self.stopping and time.time() < end:
            for _ in range(BATCH):
                tally += self.sequence()
            self.step += 1
            share = max(MEAN, 1 / self.step)
            self.machine.update(self.step, BATCH, self.rate(), share)
            if self.step % 250 == 0:
                self.log(f"step {self.step} size {self.course.size} loss "
                         f"{tally[0] / (250 * BATCH):.5f} wrong {100 * tally[1] / tally[2]:.3f}% "
                         f"norm {tally[3] / (250 * BATCH):.2f} rate {self.rate():.6f}")
                tally[:] = 0
            if time.time() - saved > 60:
                saved = time.time()
                self.save()
        self.save()
        minutes = (self.spent + time.time() - self.begin) / 60
        self.log(f"ended at step {self.step} after {minutes:.1f} minutes")


if __name__ == "__main__":
    Run(arguments()).go()
