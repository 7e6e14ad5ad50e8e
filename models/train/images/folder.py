"""The model folder: names of its tensors, and networks without training parts.

A plain network has its spectral normalisation divided out (as PyTorch's eval
forward does: weight_orig / sigma with the stored vectors) and the learned gain of
its attention folded into f, so that its weights are those that are used.
"""

import os
import sys

import torch
from torch.nn.utils import remove_spectral_norm
from torch.nn.utils.spectral_norm import SpectralNorm

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]


def plain(network):
    """The network itself, changed in place, in eval mode."""
    for part in network.modules():
        if any(isinstance(h, SpectralNorm) for h in part._forward_pre_hooks.values()):
            remove_spectral_norm(part)
    network.eval().requires_grad_(False)
    attention = network.attention
    attention.f.weight *= attention.log_gain.exp()
    attention.log_gain.zero_()
    return network


def attention_parts(attention, prefix):
    parts = {prefix + name: getattr(attention, name[0]).weight
             for name in ("f.weight", "g.weight", "h.weight", "v.weight")}
    parts[prefix + "gamma"] = attention.gamma
    return parts


def generator_parts(g):
    """{name: tensor} over the network's own memory."""
    parts = {"generator.start.weight": g.start.weight, "generator.start.bias": g.start.bias,
             "generator.paint.weight": g.paint.weight, "generator.paint.bias": g.paint.bias}
    for k, norm in enumerate(g.norm):
        name = f"generator.norm.{k}."
        parts[name + "mean"] = norm.norm.running_mean
        parts[name + "variance"] = norm.norm.running_var
        parts[name + "gain"] = norm.gain.weight
        parts[name + "bias"] = norm.bias.weight
    for k, up in enumerate(g.up):
        parts[f"generator.up.{k}.weight"] = up.weight
    return {**parts, **attention_parts(g.attention, "generator.attention.")}


def discriminator_parts(d):
    parts = {"discriminator.look.weight": d.look.weight, "discriminator.look.bias": d.look.bias,
             "discriminator.judge.weight": d.judge.weight, "discriminator.judge.bias": d.judge.bias,
             "discriminator.embed.weight": d.embed.weight}
    for k, down in enumerate(d.down):
        parts[f"discriminator.down.{k}.weight"] = down.weight
        parts[f"discriminator.down.{k}.bias"] = down.bias
    return {**parts, **attention_parts(d.attention, "discriminator.attention.")}


def stored_shape(name, tensor):
    """1x1 convolutions are stored as matrices, gamma as a list of one."""
    if ".attention." in name:
        return tensor.reshape(1) if name.endswith("gamma") else tensor.flatten(1)
    return tensor


def to_store(parts):
    return {name: stored_shape(name, tensor) for name, tensor in parts.items()}


def fill(parts, tensors):
    """Copies tensors as read from a file into a network's parts."""
    for name, part in parts.items():
        part.copy_(tensors[name].reshape(part.shape))


def round_to_half(parts):
    for part in parts.values():
        part.copy_(part.half().float())
