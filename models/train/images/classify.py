"""A classifier of Fashion-MNIST that judges the generator's pictures.

    ../run.sh images/classify.py --work DIR            # trains DIR/classifier.pt
    from classify import load_classifier

It shares nothing with the discriminator: another network, other training.
"""

import argparse
import os
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from data import load


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Conv2d(1, 32, 3, padding=1)
        self.two = nn.Conv2d(32, 64, 3, padding=1)
        self.three = nn.Conv2d(64, 96, 3, padding=1)
        self.norm = nn.ModuleList(nn.BatchNorm2d(n) for n in (32, 64, 96))
        self.last = nn.Linear(96 * 16, 10)

    def forward(self, x):
        for layer, norm in zip((self.one, self.two, self.three), self.norm):
            x = F.max_pool2d(F.relu(norm(layer(x))), 2)
        return self.last(F.dropout(x.flatten(1), 0.3, self.training))


def load_classifier(work):
    network = Classifier()
    network.load_state_dict(torch.load(os.path.join(work, "classifier.pt")))
    return network.eval()


def accuracy(network, pictures, labels):
    with torch.no_grad():
        right = sum(int((network(p).argmax(1) == l).sum())
                    for p, l in zip(pictures.split(500), labels.split(500)))
    return right / len(labels)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", required=True)
    parser.add_argument("--epochs", type=int, default=4)
    options = parser.parse_args()
    torch.manual_seed(7)
    pictures, labels = load("train")
    test = load("t10k")
    network = Classifier()
    steps = options.epochs * (len(labels) // 128)
    adam = torch.optim.Adam(network.parameters())
    rate = torch.optim.lr_scheduler.OneCycleLR(adam, 3e-3, total_steps=steps)
    for epoch in range(options.epochs):
        network.train()
        for chosen in torch.randperm(len(labels)).split(128)[: len(labels) // 128]:
            with torch.autocast("cpu", torch.bfloat16):
                loss = F.cross_entropy(network(pictures[chosen]).float(), labels[chosen])
            adam.zero_grad()
            loss.backward()
            adam.step()
            rate.step()
        network.eval()
        print(f"epoch {epoch + 1}: {100 * accuracy(network, *test):.2f} % of the test set", flush=True)
    torch.save(network.state_dict(), os.path.join(options.work, "classifier.pt"))


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
