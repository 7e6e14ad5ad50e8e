"""Generator and discriminator with self-attention (Zhang et al. 2018).

Attention over the P = 16 x 16 cells of a feature map x [B, C, 16, 16]:

    s_ij = gain f(x_i).g(x_j)     beta_ji = softmax over i
    o_j  = v(sum_i beta_ji h(x_i))     y = gamma o + x

f, g, h and v are 1x1 convolutions under spectral normalisation, so their
products are tiny at first; `gain` is a learned factor (one number, folded
into f at export) that lets the maps sharpen.
"""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils import spectral_norm

LATENT = 24
N_CLASSES = 10
G_WIDTHS = (128, 96, 64, 32)
D_WIDTHS = (32, 64, 96, 128)


def normed(layer):
    nn.init.orthogonal_(layer.weight)
    if getattr(layer, "bias", None) is not None:
        nn.init.zeros_(layer.bias)
    return spectral_norm(layer)


class Attention(nn.Module):
    def __init__(self, width, gain):
        super().__init__()
        self.f = normed(nn.Conv2d(width, width // 8, 1, bias=False))
        self.g = normed(nn.Conv2d(width, width // 8, 1, bias=False))
        self.h = normed(nn.Conv2d(width, width // 2, 1, bias=False))
        self.v = normed(nn.Conv2d(width // 2, width, 1, bias=False))
        self.gamma = nn.Parameter(torch.zeros(()))
        self.log_gain = nn.Parameter(torch.tensor(math.log(gain)))

    def weights(self, x):
        """[B, P, P]: row j is where cell j looks."""
        f, g = self.f(x).flatten(2), self.g(x).flatten(2)
        return torch.softmax(self.log_gain.exp() * torch.bmm(g.transpose(1, 2), f), dim=-1)

    def forward(self, x):
        beta = self.weights(x)
        h = self.h(x).flatten(2)
        o = torch.bmm(h, beta.transpose(1, 2)).view(x.shape[0], -1, *x.shape[2:])
        return self.gamma * self.v(o) + x


class ConditionalNorm(nn.Module):
    """Batch normalisation whose gain and bias belong to the class.

    The tables start apart from each other: from equal ones, the classes need a
    thousand steps at the generator's rate before they differ.
    """

    def __init__(self, width):
        super().__init__()
        self.norm = nn.BatchNorm2d(width, affine=False)
        self.gain = nn.Embedding(N_CLASSES, width)
        self.bias = nn.Embedding(N_CLASSES, width)
        nn.init.normal_(self.gain.weight, 1.0, 0.2)
        nn.init.normal_(self.bias.weight, 0.0, 0.2)

    def forward(self, x, label):
        gain = self.gain(label)[:, :, None, None]
        return gain * self.norm(x) + self.bias(label)[:, :, None, None]


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        a, b, c, d = G_WIDTHS
        self.start = normed(nn.Linear(LATENT, 16 * a))
        self.norm = nn.ModuleList(ConditionalNorm(w) for w in G_WIDTHS)
        self.up = nn.ModuleList(
            normed(nn.ConvTranspose2d(i, o, 4, 2, 1, bias=False))
            for i, o in ((a, b), (b, c), (c, d))
        )
        self.attention = Attention(c, 1.0)
        self.paint = normed(nn.Conv2d(d, 1, 3, 1, 1))

    def forward(self, z, label):
        x = self.start(z).view(-1, G_WIDTHS[0], 4, 4)
        for n, up in enumerate(self.up):
            x = up(F.relu(self.norm[n](x, label)))
            if n == 1:
                x = self.attention(x)
        return torch.tanh(self.paint(F.relu(self.norm[3](x, label))))


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        a, b, c, d = D_WIDTHS
        self.look = normed(nn.Conv2d(1, a, 3, 1, 1))
        self.down = nn.ModuleList(
            normed(nn.Conv2d(i, o, 4, 2, 1)) for i, o in ((a, b), (b, c), (c, d))
        )
        self.attention = Attention(b, 8.0)
        self.judge = normed(nn.Linear(d, 1))
        self.embed = normed(nn.Embedding(N_CLASSES, d))

    def features(self, x):
        """The 16 x 16 map that attention reads."""
        return F.leaky_relu(self.down[0](F.leaky_relu(self.look(x), 0.1)), 0.1)

    def forward(self, x, label):
        x = self.attention(self.features(x))
        for down in self.down[1:]:
            x = F.leaky_relu(down(x), 0.1)
        x = x.sum((2, 3))
        return self.judge(x).squeeze(1) + (self.embed(label) * x).sum(1)
