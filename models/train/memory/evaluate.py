"""How much a machine gets right.

    python3 evaluate.py --model DIR [--headlight PATH]

Random bytes go through ntm.c with the weights as stored (half floats); with
--headlight, texts go through that program as well. Every draw has a fixed
seed. The last table of recall comes from ntm.py: what content addressing does
where the query is read.
"""

import argparse
import json
import subprocess

import numpy as np
import torch

import task
from compiled import Machine
from export import load
from ntm import Reference, shapes

LONGER = (40, 80, 120, 130, 160)


class Figures:
    """Counts wrong bits and exact answers."""

    def __init__(self):
        self.bits = self.wrong = self.answers = self.exact = 0

    def add(self, outputs, data):
        """outputs [n, 8] that should have been the bytes `data`."""
        wrong = int(((outputs > 0.5) != (task.bits(data) > 0.5)).sum())
        self.bits, self.wrong = self.bits + 8 * len(data), self.wrong + wrong
        self.answers, self.exact = self.answers + 1, self.exact + (wrong == 0)

    def __str__(self):
        return (f"{100 * self.wrong / self.bits:8.4f} % wrong bits, "
                f"{self.exact} of {self.answers} exact")


def through_machine(machine, sequences):
    """The answers' outputs [n, 8] to sequences (x, target, weight)."""
    return [machine.forward(x)[weight > 0] for x, _, weight in sequences]


def through_program(headlight, folder, texts, lengths):
    """The same for texts, by `headlight dump`, one record a line."""
    done = subprocess.run(
        [headlight, "dump", "--model", folder, "--stages", "weights"],
        input="".join(text + "\n" for text in texts), check=True, stdout=subprocess.PIPE,
        encoding="utf-8")
    lines = done.stdout.splitlines()
    if len(lines) != len(texts):
        raise RuntimeError(f"{len(texts)} lines in, {len(lines)} records out")
    outputs = [np.array(json.loads(line)["series"]["output"]).reshape(-1, 8) for line in lines]
    return [y[-length:] for y, length in zip(outputs, lengths)]


def show(name, answers, wanted):
    figures = Figures()
    for outputs, data in zip(answers, wanted):
        figures.add(outputs, data)
    print(f"{name:36}{figures}", flush=True)


def draw_texts(draw, count, length=None):
    """Printable strings of `length` or 1 to 20 characters, without a space at
    either end, which a line of input does not keep."""
    texts = []
    while len(texts) < count:
        size = length or int(draw.integers(1, 21))
        text = bytes(task.draw_items(draw, 1, size, "printable")[0]).decode("ascii")
        if text == text.strip():
            texts.append(text)
    return texts


def copy_figures(run, draw, options):
    every = []
    for length in (*range(1, 21), *LONGER):
        count = options.count if length <= 20 else options.count // 5
        data = [task.draw_items(draw, 1, length, "bits")[0] for _ in range(count)]
        answers = through_machine(run, [task.copy(d) for d in data])
        show(f"random bytes, length {length}", answers, data)
        if length <= 20:
            every += zip(answers, data)
    show("random bytes, lengths 1 to 20", *zip(*every))
    for length in (None, *LONGER):
        texts = draw_texts(draw, 1000 if length is None else 200, length)
        data = [np.frombuffer(text.encode("ascii"), np.uint8) for text in texts]
        name = f"printable, {f'length {length}' if length else 'lengths 1 to 20'}"
        show(name, through_machine(run, [task.copy(d) for d in data]), data)
        if options.headlight:
            answers = through_program(options.headlight, options.model, texts,
                                      [len(d) for d in data])
            show(name + ", program", answers, data)


def draw_question(draw, count, kind):
    return task.draw_items(draw, count, 3, kind), int(draw.integers(0, count - 1))


def recall_figures(run, draw, options, config):
    for kind in ("bits", "letters", "words"):
        for count in (*range(config["min_items"], config["max_items"] + 1), 8, 12, 16):
            drawn = [draw_question(draw, count, kind) for _ in range(options.count)]
            wanted = [items[query + 1] for items, query in drawn]
            name = f"{kind}, {count} items"
            show(name, through_machine(run, [task.recall(*d) for d in drawn]), wanted)
            if options.headlight and kind != "bits":
                word = lambda item: bytes(item).decode("ascii").strip()
                texts = [" ".join(map(word, items)) + " ? " + word(items[query])
                         for items, query in drawn]
                answers = through_program(options.headlight, options.model, texts,
                                          [3] * len(texts))
                show(name + ", program", answers, wanted)


def attention_figures(config, tensors, draw):
    """What content addressing does at the steps of the query's bytes, and what
    becomes of the answers when the read heads' gates are shut there."""
    model, length = Reference(config, tensors), config["item_length"]
    for count in range(config["min_items"], config["max_items"] + 1):
        drawn = [draw_question(draw, count, "bits") for _ in range(200)]
        x = torch.from_numpy(np.stack([task.recall(*d)[0] for d in drawn]))
        asked = range(count * (length + 1) + 1, (count + 1) * (length + 1))
        with torch.no_grad():
            _, trace = model.run(x)
            blind, _ = model.run(x, shut=asked)
        show(f"bits, {count} items, gates shut", blind[:, -length:].numpy(),
             [items[query + 1] for items, query in drawn])
        begins = torch.tensor([query for _, query in drawn]) * (length + 1)
        for name in (n for n in model.heads if n.startswith("read")):
            print(f"  {name}: " + ", ".join(looked_up(trace, name, t, begins, length + 1)
                                            for t in asked))


def looked_up(trace, name, step, begins, steps):
    """The mean gate, the mean of the largest content weight, and how often that
    lies on a slot that was written while the queried item was read in."""
    written = trace["write.0"]["weights"].argmax(dim=2)
    rows = torch.arange(len(begins))
    slots = torch.stack([written[rows, begins + k] for k in range(steps)], dim=1)
    best = trace[name]["content"][:, step].max(dim=1)
    right = (best.indices[:, None] == slots).any(dim=1).float().mean()
    gate = trace[name]["gate"][:, step].mean()
    return f"gate {gate:.2f} content {best.values.mean():.2f} right {right:.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", required=True)
    parser.add_argument("--headlight")
    parser.add_argument("--count", type=int, default=1000, help="sequences of each length")
    options = parser.parse_args()
    torch.set_num_threads(1)
    config, tensors = load(options.model)
    machine = Machine(config)
    machine.w[:] = torch.cat([tensors[name].flatten() for name in shapes(config)]).numpy()
    draw = np.random.default_rng(77)
    if config["task"] == "copy":
        copy_figures(machine, draw, options)
    else:
        recall_figures(machine, draw, options, config)
        attention_figures(config, tensors, draw)


if __name__ == "__main__":
    main()
