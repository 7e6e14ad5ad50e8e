"""The Transformer translator: Vaswani et al. 2017 with Marian's conventions.

Post-norm, sinusoidal positions laid out in halves, tied embeddings, ReLU.
Shapes: B pairs, S source and T target length, d width. `Trainer`'s loss works
on `kernels.TYPE` activations; `reference` is the same network in plain float32
PyTorch for the figures in expected.json and for evaluation.
"""

import copy
import math

import torch
import torch.nn.functional as F
from torch.autograd import Function

from common import EOS, PAD, UNK, VOCABULARY
from kernels import TYPE, call
from store import AddNorm, CrossEntropy, Embed, FeedForward, Linear, Store

WIDTH, LAYERS, HEADS, INNER = 256, 4, 8, 1024
TABLE, BIAS = "model.shared.weight", "final_logits_bias"
# Encoder heads (layer, head from 0) that are taught where to look, and how
# strongly against one target token's loss. PENALTY keeps the others off the
# pronoun's noun once they put a third or so of their weight there (MARGIN).
TAUGHT = {"pronoun": ((2, 3), 1.0), "previous": ((0, 5), 0.03), "next": ((0, 6), 0.03),
          "same": ((0, 2), 0.03), "determiner": ((3, 3), 0.1)}
PENALTY, MARGIN = 0.3, -0.4

CONFIG = {
    "architectures": ["MarianMTModel"],
    "model_type": "marian",
    "vocab_size": VOCABULARY,
    "decoder_vocab_size": VOCABULARY,
    "d_model": WIDTH,
    "encoder_layers": LAYERS,
    "decoder_layers": LAYERS,
    "num_hidden_layers": LAYERS,
    "encoder_attention_heads": HEADS,
    "decoder_attention_heads": HEADS,
    "encoder_ffn_dim": INNER,
    "decoder_ffn_dim": INNER,
    "activation_function": "relu",
    "dropout": 0.1,
    "attention_dropout": 0.0,
    "activation_dropout": 0.0,
    "scale_embedding": True,
    "static_position_embeddings": True,
    "max_position_embeddings": 512,
    "normalize_before": False,
    "normalize_embedding": False,
    "add_final_layer_norm": False,
    "is_encoder_decoder": True,
    "share_encoder_decoder_embeddings": True,
    "tie_word_embeddings": True,
    "pad_token_id": PAD,
    "eos_token_id": EOS,
    "unk_token_id": UNK,
    "decoder_start_token_id": PAD,
    "forced_eos_token_id": EOS,
    "bad_words_ids": [[PAD]],
    "torch_dtype": "float16",
    "use_cache": True,
    "headlight_taught_heads": [
        {"map": "encoder", "layer": layer + 1, "head": head + 1, "of": of}
        for of, ((layer, head), _) in TAUGHT.items()
    ],
}


def shapes():
    """Training keeps q, k and v of self-attention as one matrix."""
    d, out = WIDTH, {TABLE: (VOCABULARY, WIDTH), BIAS: (1, VOCABULARY)}
    for side in ("encoder", "decoder"):
        for layer in range(LAYERS):
            p = f"model.{side}.layers.{layer}"
            out[f"{p}.self_attn.qkv.weight"] = (3 * d, d)
            out[f"{p}.self_attn.qkv.bias"] = (3 * d,)
            blocks = ["self_attn"]
            if side == "decoder":
                out[f"{p}.encoder_attn.q_proj.weight"] = (d, d)
                out[f"{p}.encoder_attn.q_proj.bias"] = (d,)
                out[f"{p}.encoder_attn.kv.weight"] = (2 * d, d)
                out[f"{p}.encoder_attn.kv.bias"] = (2 * d,)
                blocks.append("encoder_attn")
            for block in blocks:
                out[f"{p}.{block}.out_proj.weight"] = (d, d)
                out[f"{p}.{block}.out_proj.bias"] = (d,)
                out[f"{p}.{block}_layer_norm.weight"] = (d,)
                out[f"{p}.{block}_layer_norm.bias"] = (d,)
            out[f"{p}.fc1.weight"], out[f"{p}.fc1.bias"] = (INNER, d), (INNER,)
            out[f"{p}.fc2.weight"], out[f"{p}.fc2.bias"] = (d, INNER), (d,)
            out[f"{p}.final_layer_norm.weight"] = (d,)
            out[f"{p}.final_layer_norm.bias"] = (d,)
    return out


def positions(count, width=WIDTH):
    """sin in the first half, cos in the second, frequencies 2i/d."""
    place = torch.arange(count, dtype=torch.float64)[:, None]
    rate = 10000.0 ** (-2.0 * torch.arange(width // 2, dtype=torch.float64) / width)
    return torch.cat([torch.sin(place * rate), torch.cos(place * rate)], 1).float()


class Attention(Function):
    """Rows of q [B*nq, .], k and v [B*nk, .] may be views of a fused matrix."""

    @staticmethod
    def forward(ctx, fused, other, batch, nq, nk, causal):
        d = WIDTH
        out = torch.empty(batch * nq, d, dtype=TYPE)
        weights = torch.zeros(batch, HEADS, nq, nk)
        if other is None:
            parts = (fused, fused[:, d:], fused[:, 2 * d :])
            strides = (3 * d, 3 * d)
        else:
            parts = (fused, other, other[:, d:])
            strides = (d, 2 * d)
        call("attend", batch, HEADS, nq, nk, *strides, int(causal), *parts, out, weights)
        ctx.save_for_backward(fused, other, weights)
        ctx.rest = (batch, nq, nk, causal, strides)
        ctx.set_materialize_grads(False)
        return out, weights

    @staticmethod
    def backward(ctx, dout, extra):
        fused, other, weights = ctx.saved_tensors
        batch, nq, nk, causal, strides = ctx.rest
        d = WIDTH
        if dout is None:
            dout = torch.zeros(batch * nq, d, dtype=TYPE)
        dfused = torch.empty_like(fused)
        if other is None:
            dother = None
            parts = (fused, fused[:, d:], fused[:, 2 * d :])
            grads = (dfused, dfused[:, d:], dfused[:, 2 * d :])
        else:
            dother = torch.empty_like(other)
            parts = (fused, other, other[:, d:])
            grads = (dfused, dother, dother[:, d:])
        call("attend_backward", batch, HEADS, nq, nk, *strides, int(causal), *parts, weights,
             dout.contiguous(), None if extra is None else extra.contiguous(), *grads)
        return dfused, dother, None, None, None, None


class Network:
    """The network as it is trained."""

    def __init__(self, random_seed):
        self.store = store = Store(shapes())
        generator = torch.Generator().manual_seed(random_seed)
        for name, w in store.w.items():
            if name.endswith("layer_norm.weight"):
                w.fill_(1.0)
            elif name == TABLE:
                w.normal_(0.0, WIDTH**-0.5, generator=generator)
            elif w.dim() == 2 and name != BIAS:
                rows = WIDTH if ".qkv." in name or ".kv." in name else w.shape[0]
                bound = math.sqrt(6.0 / (rows + w.shape[1]))
                w.uniform_(-bound, bound, generator=generator)
        store.refresh()
        self.table = positions(512)
        self.hook = torch.zeros(1, requires_grad=True)
        self.drop = 0.1

    def partner(self):
        """The same network with a gradient of its own, for another thread."""
        other = copy.copy(self)
        other.store = self.store.partner()
        return other

    def encode(self, source, drop):
        """Returns the memory and the weights [B, H, S, S] of each layer."""
        store, (batch, length) = self.store, source.shape
        maps = []
        x = Embed.apply(self.hook, store, TABLE, source, self.table, WIDTH**0.5, drop)
        for layer in range(LAYERS):
            p = f"model.encoder.layers.{layer}"
            x, weights = self.self_attention(x, p, batch, length, False, drop)
            maps.append(weights)
            y = FeedForward.apply(x, store, p)
            x = AddNorm.apply(x, y, store, p + ".final_layer_norm", drop)
        return x, maps

    def self_attention(self, x, p, batch, length, causal, drop):
        store = self.store
        fused = Linear.apply(x, store, p + ".self_attn.qkv.weight",
                             p + ".self_attn.qkv.bias")
        y, weights = Attention.apply(fused, None, batch, length, length, causal)
        y = Linear.apply(y, store, p + ".self_attn.out_proj.weight",
                         p + ".self_attn.out_proj.bias")
        return AddNorm.apply(x, y, store, p + ".self_attn_layer_norm", drop), weights

    def decode(self, memory, given, nk, drop):
        store, (batch, length) = self.store, given.shape
        x = Embed.apply(self.hook, store, TABLE, given, self.table, WIDTH**0.5, drop)
        for layer in range(LAYERS):
            p = f"model.decoder.layers.{layer}"
            x, _ = self.self_attention(x, p, batch, length, True, drop)
            q = Linear.apply(x, store, p + ".encoder_attn.q_proj.weight",
                             p + ".encoder_attn.q_proj.bias")
            kv = Linear.apply(memory, store, p + ".encoder_attn.kv.weight",
                              p + ".encoder_attn.kv.bias")
            y, _ = Attention.apply(q, kv, batch, length, nk, False)
            y = Linear.apply(y, store, p + ".encoder_attn.out_proj.weight",
                             p + ".encoder_attn.out_proj.bias")
            x = AddNorm.apply(x, y, store, p + ".encoder_attn_layer_norm", drop)
            y = FeedForward.apply(x, store, p)
            x = AddNorm.apply(x, y, store, p + ".final_layer_norm", drop)
        return x

    def loss(self, batch, weight, tallies, smoothing=0.1, teach=1.0):
        """Accumulates the gradient of one micro-batch.

        `weight` is 1 / (target tokens of the whole step). batch: source
        [B, S], given and target [B, T] (PAD where absent), pronouns and
        determiners as corpus.py marks them. `teach` scales the heads' lessons.
        """
        store, drop = self.store, self.drop if self.store.training else 0.0
        source, given, target = batch["source"], batch["given"], batch["target"]
        memory, maps = self.encode(source, drop)
        x = self.decode(memory, given, source.shape[1], drop)
        flat = target.reshape(-1)
        real = flat != PAD
        if not bool(real.all()):
            x, flat = x[real], flat[real].contiguous()
        loss = CrossEntropy.apply(x, store, TABLE, BIAS, flat, smoothing, weight,
                                  tallies["words"])
        if teach:
            loss = loss + teach * weight * lessons(batch, maps, tallies)
        if store.training:
            loss.backward()


def lessons(batch, maps, tallies):
    """What the taught heads are told, summed: -log of the weight where a head
    ought to look. No head but the pronoun's is to look at the noun as well."""
    total = torch.zeros(())

    def tell(name, weight):
        misfit = -(weight + 1e-6).log().sum()
        tallies[name]["loss"] += float(weight.detach().sum())
        tallies[name]["count"] += weight.numel()
        return TAUGHT[name][1] * misfit

    def head(name):
        (layer, number), _ = TAUGHT[name]
        return maps[layer][:, number]

    if batch["source"].shape[1] > 2:
        total = total + tell("previous", head("previous").diagonal(-1, 1, 2))
        total = total + tell("next", head("next").diagonal(1, 1, 2))
    total = total + tell("same", head("same").diagonal(0, 1, 2))
    rows, queries, mask, _ = batch["determiners"]
    if len(rows):
        total = total + tell("determiner", (head("determiner")[rows, queries] * mask).sum(1))
    rows, queries, mask, alone = batch["pronouns"]
    if len(rows):
        total = total + tell("pronoun", (head("pronoun")[rows, queries] * mask).sum(1))
        there = ~alone
        if bool(there.any()):
            rows, queries, mask = rows[there], queries[there], mask[there]
            for layer, weights in enumerate(maps):
                outside = (weights[rows, :, queries] * (1.0 - mask[:, None, :])).sum(2)
                off = (MARGIN - (outside + 1e-6).log()).clamp(min=0.0)
                if layer == TAUGHT["pronoun"][0][0]:
                    off = torch.cat([off[:, : TAUGHT["pronoun"][0][1]],
                                     off[:, TAUGHT["pronoun"][0][1] + 1 :]], 1)
                total = total + PENALTY / len(maps) * off.sum()
    return total


def export_tensors(views):
    """Hugging Face's names: fused matrices split."""
    out = {}
    for name, value in views.items():
        for fused, parts in (("qkv", "qkv"), ("kv", "kv")):
            if f".{fused}." in name:
                for part, block in zip(parts, value.chunk(len(parts))):
                    out[name.replace(f".{fused}.", f".{part}_proj.")] = block
                break
        else:
            out[name] = value
    return out


def load_tensors(tensors, views):
    """The inverse of export_tensors: fills the views from a file's tensors."""
    for name, view in views.items():
        for fused, parts in (("qkv", "qkv"), ("kv", "kv")):
            if f".{fused}." in name:
                view.copy_(torch.cat([tensors[name.replace(f".{fused}.", f".{part}_proj.")]
                                      for part in parts]))
                break
        else:
            if name in tensors:
                view.copy_(tensors[name])


class Reference:
    """The exported network in float32, keeping every map and state."""

    def __init__(self, tensors):
        self.t = tensors
        self.table = positions(512)

    def linear(self, x, name):
        return F.linear(x, self.t[name + ".weight"], self.t[name + ".bias"])

    def norm(self, x, name):
        return F.layer_norm(x, (WIDTH,), self.t[name + ".weight"], self.t[name + ".bias"])

    def embed(self, ids, first=0):
        rows = self.table[first : first + ids.shape[1]]
        return self.t[TABLE][ids] * WIDTH**0.5 + rows

    def attention(self, x, memory, name, mask):
        """Returns output and weights [B, H, nq, nk]."""
        size = WIDTH // HEADS
        split = lambda y: y.view(y.shape[0], y.shape[1], HEADS, size).transpose(1, 2)
        q = split(self.linear(x, name + ".q_proj"))
        k = split(self.linear(memory, name + ".k_proj"))
        v = split(self.linear(memory, name + ".v_proj"))
        scores = q @ k.transpose(2, 3) / math.sqrt(size)
        if mask is not None:
            scores = scores.masked_fill(mask, -math.inf)
        weights = scores.softmax(-1)
        y = (weights @ v).transpose(1, 2).reshape(x.shape)
        return self.linear(y, name + ".out_proj"), weights

    def encode(self, ids):
        """Returns states [layers + 1] and maps [layers]."""
        x = self.embed(ids)
        hidden = (ids == PAD)[:, None, None, :]
        states, maps = [x], []
        for layer in range(LAYERS):
            p = f"model.encoder.layers.{layer}"
            y, w = self.attention(x, x, p + ".self_attn", hidden)
            x = self.norm(x + y, p + ".self_attn_layer_norm")
            y = self.linear(self.linear(x, p + ".fc1").relu(), p + ".fc2")
            x = self.norm(x + y, p + ".final_layer_norm")
            states.append(x)
            maps.append(w)
        return states, maps

    def decode(self, memory, hidden, given):
        """Returns states, self maps, cross maps and logits of all rows."""
        n = given.shape[1]
        future = torch.ones(n, n, dtype=torch.bool).triu(1)
        x = self.embed(given)
        states, own, cross = [x], [], []
        for layer in range(LAYERS):
            p = f"model.decoder.layers.{layer}"
            y, w = self.attention(x, x, p + ".self_attn", future)
            own.append(w)
            x = self.norm(x + y, p + ".self_attn_layer_norm")
            y, w = self.attention(x, memory, p + ".encoder_attn", hidden)
            cross.append(w)
            x = self.norm(x + y, p + ".encoder_attn_layer_norm")
            y = self.linear(self.linear(x, p + ".fc1").relu(), p + ".fc2")
            x = self.norm(x + y, p + ".final_layer_norm")
            states.append(x)
        return states, own, cross, F.linear(x, self.t[TABLE], self.t[BIAS][0])

    def greedy(self, ids, limit=None):
        """Best next piece until the end, `pad` never; a list of id lists."""
        states, _ = self.encode(ids)
        memory, hidden = states[-1], (ids == PAD)[:, None, None, :]
        given = torch.full((ids.shape[0], 1), PAD)
        done = torch.zeros(ids.shape[0], dtype=torch.bool)
        caches = self.caches(memory)
        for step in range(limit or 2 * ids.shape[1] + 10):
            logits = self.step(given[:, -1:], step, caches, hidden)
            logits[:, PAD] = -math.inf
            best = logits.argmax(1).masked_fill(done, PAD)
            given = torch.cat([given, best[:, None]], 1)
            done |= best == EOS
            if bool(done.all()):
                break
        return [row[1:][row[1:] != PAD].tolist() for row in given]

    def caches(self, memory):
        size = WIDTH // HEADS
        split = lambda y: y.view(y.shape[0], y.shape[1], HEADS, size).transpose(1, 2)
        out = []
        for layer in range(LAYERS):
            p = f"model.decoder.layers.{layer}.encoder_attn"
            out.append({"k": None, "v": None, "mk": split(self.linear(memory, p + ".k_proj")),
                        "mv": split(self.linear(memory, p + ".v_proj"))})
        return out

    def step(self, last, step, caches, hidden):
        """Logits after one more token, with keys and values kept."""
        size = WIDTH // HEADS
        split = lambda y: y.view(y.shape[0], 1, HEADS, size).transpose(1, 2)
        mix = lambda w, v, shape: (w @ v).transpose(1, 2).reshape(shape)
        x = self.embed(last, step)
        for layer, c in enumerate(caches):
            p = f"model.decoder.layers.{layer}"
            q, k, v = (split(self.linear(x, f"{p}.self_attn.{n}_proj")) for n in "qkv")
            c["k"] = k if c["k"] is None else torch.cat([c["k"], k], 2)
            c["v"] = v if c["v"] is None else torch.cat([c["v"], v], 2)
            w = (q @ c["k"].transpose(2, 3) / math.sqrt(size)).softmax(-1)
            y = self.linear(mix(w, c["v"], x.shape), p + ".self_attn.out_proj")
            x = self.norm(x + y, p + ".self_attn_layer_norm")
            q = split(self.linear(x, p + ".encoder_attn.q_proj"))
            w = (q @ c["mk"].transpose(2, 3) / math.sqrt(size)).masked_fill(hidden, -math.inf)
            y = self.linear(mix(w.softmax(-1), c["mv"], x.shape), p + ".encoder_attn.out_proj")
            x = self.norm(x + y, p + ".encoder_attn_layer_norm")
            y = self.linear(self.linear(x, p + ".fc1").relu(), p + ".fc2")
            x = self.norm(x + y, p + ".final_layer_norm")
        return F.linear(x[:, 0], self.t[TABLE], self.t[BIAS][0])
