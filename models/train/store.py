"""Parameters in flat arrays, and differentiable operations on them.

Every parameter lives four times in a flat array: the float32 master, its
bfloat16 copy for the matrix products (the master itself where kernels.py finds
float32 products faster), the float32 gradient, and the running mean that is
exported. Operations write parameter gradients straight into the
flat gradient; PyTorch's autograd only carries activations.
"""

import copy

import numpy as np
import torch
from torch.autograd import Function

from kernels import TYPE, call

ALIGN = 64


class Store:
    def __init__(self, shapes):
        self.shapes, self.places, total = dict(shapes), {}, 0
        for name, shape in self.shapes.items():
            count = int(np.prod(shape))
            self.places[name] = (total, count)
            total += (count + ALIGN - 1) // ALIGN * ALIGN
        self.flat = {
            kind: torch.zeros(total)
            for kind in ("weight", "grad", "first", "second", "mean")
        }
        self.half = (self.flat["weight"] if TYPE == torch.float32
                     else torch.zeros(total, dtype=TYPE))
        self.w = self.views(self.flat["weight"])
        self.g = self.views(self.flat["grad"])
        self.mean = self.views(self.flat["mean"])
        self.h = self.views(self.half)
        self.step = 0
        self.training = True

    def views(self, flat):
        return {
            name: flat[begin : begin + count].view(self.shapes[name])
            for name, (begin, count) in self.places.items()
        }

    def partner(self):
        """A store with the same parameters and a gradient of its own."""
        other = copy.copy(self)
        other.flat = dict(self.flat, grad=torch.zeros_like(self.flat["grad"]))
        other.g = other.views(other.flat["grad"])
        return other

    def take(self, other):
        """Adds a partner's gradient to this one and empties it."""
        self.flat["grad"] += other.flat["grad"]
        other.flat["grad"].zero_()

    def refresh(self):
        """Set copy and mean from the masters (after initialising them)."""
        self.half.copy_(self.flat["weight"])
        self.flat["mean"].copy_(self.flat["weight"])

    def update(self, rate, average, clip=1.0, beta1=0.9, beta2=0.98):
        """One Adam step on the accumulated gradient; returns its norm."""
        self.step += 1
        f = self.flat
        count = f["grad"].numel()
        norm = float(call("square_norm", count, f["grad"])) ** 0.5
        if not np.isfinite(norm):
            f["grad"].zero_()
            return norm
        call(
            "adam", count, float(rate), float(beta1), float(beta2),
            1.0 / (1.0 - beta1**self.step), 1.0 / (1.0 - beta2**self.step),
            min(1.0, clip / (norm + 1e-9)), float(average),
            f["weight"], f["first"], f["second"], f["grad"], f["mean"],
            None if TYPE == torch.float32 else self.half,
        )
        f["grad"].zero_()
        return norm

    def state(self):
        return {"flat": self.flat, "step": self.step}

    def load(self, state):
        for kind, value in state["flat"].items():
            self.flat[kind].copy_(value)
        self.flat["grad"].zero_()
        self.half.copy_(self.flat["weight"])
        self.step = state["step"]


def seed():
    return int(torch.randint(0, 2**31 - 1, (1,)))


def add_weight_gradient(store, name, x, dy):
    if TYPE == torch.float32:
        store.g[name].addmm_(dy.t(), x)
        return
    product = torch.mm(dy.t(), x)
    call("accumulate", product.numel(), product, store.g[name])


class Linear(Function):
    """x [N, in] -> x W^T + b, in the activations' type."""

    @staticmethod
    def forward(ctx, x, store, weight, bias):
        ctx.save_for_backward(x)
        ctx.rest = (store, weight, bias)
        y = torch.mm(x, store.h[weight].t())
        if bias:
            call("add_bias", y.shape[0], y.shape[1], store.w[bias], y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        store, weight, bias = ctx.rest
        dy = dy.contiguous()
        dx = torch.mm(dy, store.h[weight])
        add_weight_gradient(store, weight, x, dy)
        if bias:
            call("sum_rows", dy.shape[0], dy.shape[1], dy, store.g[bias])
        return dx, None, None, None


class FeedForward(Function):
    """x -> relu(x W1^T + b1) W2^T + b2; one node, so relu works in place."""

    @staticmethod
    def forward(ctx, x, store, prefix):
        w1, b1, w2, b2 = (f"{prefix}.{s}" for s in
                          ("fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias"))
        mid = torch.mm(x, store.h[w1].t())
        call("bias_relu", mid.shape[0], mid.shape[1], store.w[b1], mid)
        y = torch.mm(mid, store.h[w2].t())
        call("add_bias", y.shape[0], y.shape[1], store.w[b2], y)
        ctx.save_for_backward(x, mid)
        ctx.rest = (store, w1, b1, w2, b2)
        return y

    @staticmethod
    def backward(ctx, dy):
        x, mid = ctx.saved_tensors
        store, w1, b1, w2, b2 = ctx.rest
        dy = dy.contiguous()
        call("sum_rows", dy.shape[0], dy.shape[1], dy, store.g[b2])
        add_weight_gradient(store, w2, mid, dy)
        dmid = torch.mm(dy, store.h[w2])
        call("bias_relu_backward", mid.shape[0], mid.shape[1], mid, dmid, store.g[b1])
        add_weight_gradient(store, w1, x, dmid)
        return torch.mm(dmid, store.h[w1]), None, None


class AddNorm(Function):
    """layernorm(x + dropout(y))"""

    @staticmethod
    def forward(ctx, x, y, store, prefix, drop):
        n, d = x.shape
        out, hat = torch.empty_like(x), torch.empty_like(x)
        inverse = torch.empty(n)
        word = seed() if drop else 0
        call("add_norm", n, d, drop, word, x, y, store.w[prefix + ".weight"],
             store.w[prefix + ".bias"], out, hat, inverse)
        ctx.save_for_backward(hat, inverse)
        ctx.rest = (store, prefix, drop, word)
        return out

    @staticmethod
    def backward(ctx, dout):
        hat, inverse = ctx.saved_tensors
        store, prefix, drop, word = ctx.rest
        dout = dout.contiguous()
        n, d = hat.shape
        dx, dy = torch.empty_like(hat), torch.empty_like(hat)
        call("add_norm_backward", n, d, drop, word, dout, hat, inverse,
             store.w[prefix + ".weight"], dx, dy, store.g[prefix + ".weight"],
             store.g[prefix + ".bias"])
        return dx, dy, None, None, None


class Embed(Function):
    """dropout(scale * table[ids] + positions); ids [B, T] -> [B * T, d]"""

    @staticmethod
    def forward(ctx, hook, store, name, ids, positions, scale, drop):
        n, length, d = ids.numel(), ids.shape[1], store.shapes[name][1]
        word = seed() if drop else 0
        out = torch.empty(n, d, dtype=TYPE)
        call("embed", n, d, length, scale, drop, word, ids, store.w[name], positions, out)
        ctx.rest = (store, name, ids, scale, drop, word)
        return out

    @staticmethod
    def backward(ctx, dout):
        store, name, ids, scale, drop, word = ctx.rest
        dout = dout.contiguous()
        call("embed_backward", dout.shape[0], dout.shape[1], scale, drop, word, ids, dout,
             store.g[name])
        return None, None, None, None, None, None, None


class Dropout(Function):
    @staticmethod
    def forward(ctx, x, drop):
        ctx.rest = (drop, seed())
        out = torch.empty_like(x)
        call("dropout", x.numel(), drop, ctx.rest[1], x, out)
        return out

    @staticmethod
    def backward(ctx, dout):
        drop, word = ctx.rest
        dout = dout.contiguous()
        out = torch.empty_like(dout)
        call("dropout", dout.numel(), drop, word, dout, out)
        return out, None


class CrossEntropy(Function):
    """Loss of tied output rows at the given positions; the gradient of the
    input is made in the forward pass, piece by piece to stay in the cache."""

    PIECE = 512

    @staticmethod
    def forward(ctx, x, store, table, bias, target, smoothing, weight, tally):
        n = x.shape[0]
        dx = torch.empty_like(x)
        total = 0.0
        for begin in range(0, n, CrossEntropy.PIECE):
            part = x[begin : begin + CrossEntropy.PIECE]
            logits = torch.mm(part, store.h[table].t())
            plain, right = torch.zeros(1, dtype=torch.float64), torch.zeros(1, dtype=torch.int64)
            total += call(
                "cross_entropy", part.shape[0], logits.shape[1], smoothing, weight,
                target[begin : begin + CrossEntropy.PIECE],
                store.w[bias] if bias else None, logits,
                store.g[bias] if bias and store.training else None, plain, right,
            )
            tally["loss"] += float(plain)
            tally["right"] += int(right)
            tally["count"] += part.shape[0]
            if store.training:
                dx[begin : begin + CrossEntropy.PIECE] = torch.mm(logits, store.h[table])
                add_weight_gradient(store, table, part, logits)
        ctx.save_for_backward(dx)
        return torch.tensor(total * weight)

    @staticmethod
    def backward(ctx, dloss):
        (dx,) = ctx.saved_tensors
        return dx, None, None, None, None, None, None, None


def new_tally():
    return {"loss": 0.0, "right": 0, "count": 0}
