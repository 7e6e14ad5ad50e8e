"""The recurrent translator: bidirectional GRU, eight alignments, GRU decoder.

Bahdanau et al. 2015 with the scores of Luong et al. 2015, Vaswani et al. 2017
and Graves et al. 2014 beside the additive one; one set of weights serves all.
Letters: B pairs, S source length, T target length, E embedding, De encoder
state per direction, Dh = 2 De annotation, Ds decoder state, A attention width.

`Network` trains on `kernels.TYPE` with the whole decoder as one differentiable
operation; `Reference` is the same network in plain float32 PyTorch.
"""

import copy
import ctypes
import math

import torch
import torch.nn.functional as F
from torch.autograd import Function

from common import EOS, PAD, UNK, VOCABULARY
from kernels import TYPE, call
from store import CrossEntropy, Dropout, Embed, Linear, Store, add_weight_gradient

E, DE, DS, A = 192, 192, 320, 160
DH = 2 * DE
HALF, SMAX = 3, 64
SCORES = ["additive", "dot", "general", "scaled", "cosine", "location", "local-m", "local-p"]
DRAWN = [0] + list(range(8))  # additive twice as often as each other score

CONFIG = {
    "model_type": "headlight-gru",
    "vocab_size": VOCABULARY,
    "d_embed": E,
    "d_encoder": DE,
    "d_decoder": DS,
    "d_attention": A,
    "window": HALF,
    "max_source_positions": SMAX,
    "pad_token_id": PAD,
    "eos_token_id": EOS,
    "unk_token_id": UNK,
    "decoder_start_token_id": PAD,
    "scores": SCORES,
}


def tensor_name(score):
    return "attn." + score.replace("-", "_")


def shapes():
    """Training keeps the decoder's input weights as two matrices."""
    out = {"embed.weight": (VOCABULARY, E), "output.bias": (1, VOCABULARY)}
    for side in ("forward", "backward"):
        out[f"encoder.{side}.weight_ih"] = (3 * DE, E)
        out[f"encoder.{side}.weight_hh"] = (3 * DE, DE)
        out[f"encoder.{side}.bias_ih"] = (3 * DE,)
        out[f"encoder.{side}.bias_hh"] = (3 * DE,)
    out["bridge.weight"], out["bridge.bias"] = (DS, DE), (DS,)
    out["decoder.weight_ih.embed"] = (3 * DS, E)
    out["decoder.weight_ih.context"] = (3 * DS, DH)
    out["decoder.weight_hh"] = (3 * DS, DS)
    out["decoder.bias_ih"], out["decoder.bias_hh"] = (3 * DS,), (3 * DS,)
    for score in SCORES:
        p = tensor_name(score)
        if score == "location":
            out[p + ".weight"], out[p + ".bias"] = (SMAX, DS), (SMAX,)
            continue
        out[p + ".query.weight"], out[p + ".key.weight"] = (A, DS), (A, DH)
        if score in ("general", "local-m", "local-p"):
            out[p + ".weight"] = (A, A)
    out["attn.additive.v"] = (A,)
    out["attn.cosine.strength"] = (1,)
    out["attn.local_p.position.weight"] = (A, DS)
    out["attn.local_p.position.v"] = (A,)
    out["readout.weight"], out["readout.bias"] = (E, DS + E + DH), (E,)
    return out


class ScoreArguments(ctypes.Structure):
    """struct score of kernels.c"""

    _fields_ = [(n, ctypes.c_long) for n in
                ("batch", "length", "width", "wide", "kind", "window", "half", "step")]
    _fields_ += [("factor", ctypes.c_float)]


class Recurrence(Function):
    """A GRU over [S, B, 3 De] input shares, from a zero state, to [S, B, De]."""

    @staticmethod
    def forward(ctx, gi, store, prefix, reverse):
        steps, batch, d = gi.shape[0], gi.shape[1], gi.shape[2] // 3
        state = torch.zeros(steps + 1, batch, d)
        out = torch.empty(steps, batch, d, dtype=TYPE)
        saved = torch.empty(steps, batch, 4 * d, dtype=TYPE)
        before = torch.zeros(batch, d, dtype=TYPE)
        order = range(steps - 1, -1, -1) if reverse else range(steps)
        weight = store.h[prefix + ".weight_hh"].t()
        for n, t in enumerate(order):
            gh = torch.mm(before, weight)
            call("gru_cell", batch, d, gi[t], None, gh, store.w[prefix + ".bias_ih"],
                 store.w[prefix + ".bias_hh"], state[n], state[n + 1], out[t], saved[n])
            before = out[t]
        ctx.save_for_backward(state, out, saved)
        ctx.rest = (store, prefix, list(order))
        return out

    @staticmethod
    def backward(ctx, dout):
        state, out, saved = ctx.saved_tensors
        store, prefix, order = ctx.rest
        steps, batch, d = out.shape
        dgi = torch.empty(steps, batch, 3 * d, dtype=TYPE)
        dgh = torch.empty(steps, batch, 3 * d, dtype=TYPE)
        past = torch.zeros(steps, batch, d, dtype=TYPE)
        dh = torch.zeros(batch, d)
        weight = store.h[prefix + ".weight_hh"]
        for n in range(steps - 1, -1, -1):
            t = order[n]
            dh += dout[t]
            call("gru_cell_backward", batch, d, dh, saved[n], state[n], dgi[t], dgh[n],
                 store.g[prefix + ".bias_ih"], store.g[prefix + ".bias_hh"])
            if n:
                dh += torch.mm(dgh[n], weight)
                past[n] = out[order[n - 1]]
        add_weight_gradient(store, prefix + ".weight_hh", past.view(-1, d), dgh.view(-1, 3 * d))
        return dgi, None, None, None


class Decoder(Function):
    """All steps of the attention decoder with a forced target.

    inputs [T, B, 3 Ds] the embeddings' share of the gates, annotations
    [B, S, Dh], keys [B, S, A] (None for location), first [B, Ds].
    Returns states [T, B, Ds], contexts [T, B, Dh], weights [T, B, S].
    """

    @staticmethod
    def forward(ctx, inputs, annotations, keys, first, store, score):
        steps, batch = inputs.shape[0], inputs.shape[1]
        length, p, half = annotations.shape[1], tensor_name(score), TYPE
        kind = {"additive": 0, "cosine": 2, "location": 3}.get(score, 1)
        window = {"local-m": 1, "local-p": 2}.get(score, 0)
        arguments = ScoreArguments(batch, length, A, DH, kind, window, HALF, 0,
                                   A**-0.5 if score == "scaled" else 1.0)
        k = {
            "state": torch.empty(steps + 1, batch, DS),
            "state16": torch.empty(steps + 1, batch, DS, dtype=half),
            "context": torch.empty(steps, batch, DH, dtype=half),
            "saved": torch.empty(steps, batch, 4 * DS, dtype=half),
            "soft": torch.empty(steps, batch, length),
            "alpha": torch.empty(steps, batch, length),
            "centre": torch.empty(steps, batch),
            "q": [None] * steps,
            "place": [None] * steps,
        }
        k["state"][0], k["state16"][0] = first.float(), first
        query = store.h[p + (".weight" if kind == 3 else ".query.weight")].t()
        extra = Decoder.extra(store, p, kind, window)
        hh = store.h["decoder.weight_hh"].t()
        wc = store.h["decoder.weight_ih.context"].t()
        for t in range(steps):
            before = k["state16"][t]
            q = k["q"][t] = torch.mm(before, query)
            if window == 2:
                k["place"][t] = torch.mm(before, store.h[p + ".position.weight"].t())
            arguments.step = t
            call("score_forward", ctypes.byref(arguments), q, keys, extra["v"],
                 q, q.shape[1], extra["bias"], k["place"][t], extra["place_v"], annotations,
                 k["soft"][t], k["alpha"][t], k["centre"][t], k["context"][t])
            gc, gh = torch.mm(k["context"][t], wc), torch.mm(before, hh)
            call("gru_cell", batch, DS, inputs[t], gc, gh, store.w["decoder.bias_ih"],
                 store.w["decoder.bias_hh"], k["state"][t], k["state"][t + 1],
                 k["state16"][t + 1], k["saved"][t])
        ctx.save_for_backward(annotations, keys)
        ctx.rest = (k, store, p, arguments, kind, window)
        ctx.mark_non_differentiable(k["alpha"])
        return k["state16"][1:], k["context"], k["alpha"]

    @staticmethod
    def extra(store, p, kind, window):
        return {
            "v": store.w[p + ".v"] if kind == 0 else None,
            "bias": store.w[p + ".bias"] if kind == 3 else None,
            "place_v": store.w[p + ".position.v"] if window == 2 else None,
        }

    @staticmethod
    def backward(ctx, dstates, dcontexts, _):
        annotations, keys = ctx.saved_tensors
        k, store, p, arguments, kind, window = ctx.rest
        steps, batch, half = dstates.shape[0], dstates.shape[1], TYPE
        extra = Decoder.extra(store, p, kind, window)
        g = store.g
        dgi = torch.empty(steps, batch, 3 * DS, dtype=half)
        dgh = torch.empty(steps, batch, 3 * DS, dtype=half)
        dq = torch.empty(steps, batch, SMAX if kind == 3 else A, dtype=half)
        dplace = torch.empty(steps, batch, A, dtype=half) if window == 2 else [None] * steps
        dannotations = torch.zeros(annotations.shape)
        dkeys = None if kind == 3 else torch.zeros(keys.shape)
        query = store.h[p + (".weight" if kind == 3 else ".query.weight")]
        hh, wc = store.h["decoder.weight_hh"], store.h["decoder.weight_ih.context"]
        ds = torch.zeros(batch, DS)
        for t in range(steps - 1, -1, -1):
            ds += dstates[t]
            call("gru_cell_backward", batch, DS, ds, k["saved"][t], k["state"][t], dgi[t],
                 dgh[t], g["decoder.bias_ih"], g["decoder.bias_hh"])
            dc = torch.mm(dgi[t], wc).float()
            dc += dcontexts[t]
            arguments.step = t
            call("score_backward", ctypes.byref(arguments), k["q"][t], keys, extra["v"],
                 SMAX, k["place"][t], extra["place_v"], annotations, k["soft"][t],
                 k["alpha"][t], k["centre"][t], dc, dq[t], dkeys,
                 g[p + ".v"] if kind == 0 else None, dq[t],
                 g[p + ".bias"] if kind == 3 else None, dplace[t],
                 g[p + ".position.v"] if window == 2 else None, dannotations)
            ds += torch.mm(dgh[t], hh)
            ds += torch.mm(dq[t], query)
            if window == 2:
                ds += torch.mm(dplace[t], store.h[p + ".position.weight"])
        past = k["state16"][:-1].reshape(-1, DS)
        add_weight_gradient(store, "decoder.weight_hh", past, dgh.view(-1, 3 * DS))
        add_weight_gradient(store, "decoder.weight_ih.context", k["context"].view(-1, DH),
                            dgi.view(-1, 3 * DS))
        name = p + (".weight" if kind == 3 else ".query.weight")
        add_weight_gradient(store, name, past, dq.view(steps * batch, -1))
        if window == 2:
            add_weight_gradient(store, p + ".position.weight", past, dplace.view(-1, A))
        return (dgi, dannotations.to(half), None if dkeys is None else dkeys.to(half),
                ds.to(half), None, None)


class UnitKeys(Function):
    """exp(strength) * k / |k|, rows of A"""

    @staticmethod
    def forward(ctx, keys, store, name):
        k = keys.float()
        norm = (k * k).sum(-1, keepdim=True).add(1e-12).sqrt()
        unit = k / norm
        beta = float(store.w[name].exp())
        ctx.save_for_backward(unit, norm)
        ctx.rest = (store, name, beta)
        return (unit * beta).to(TYPE)

    @staticmethod
    def backward(ctx, dout):
        unit, norm = ctx.saved_tensors
        store, name, beta = ctx.rest
        d = dout.float()
        store.g[name] += beta * (d * unit).sum()
        d = beta * (d - unit * (d * unit).sum(-1, keepdim=True)) / norm
        return d.to(TYPE), None, None


class Network:
    def __init__(self, random_seed):
        self.store = store = Store(shapes())
        generator = torch.Generator().manual_seed(random_seed)
        for name, w in store.w.items():
            if name == "embed.weight":
                w.normal_(0.0, 0.1, generator=generator)
            elif name.endswith((".v", "strength")):
                w.fill_(math.log(8.0)) if w.numel() == 1 else w.normal_(
                    0.0, A**-0.5, generator=generator)
            elif w.dim() == 2 and name != "output.bias":
                bound = w.shape[1] ** -0.5
                w.uniform_(-bound, bound, generator=generator)
        store.refresh()
        self.hook = torch.zeros(1, requires_grad=True)
        self.drop = 0.15

    def partner(self):
        """The same network with a gradient of its own, for another thread."""
        other = copy.copy(self)
        other.store = self.store.partner()
        return other

    def encode(self, source, drop):
        """source [B, S] -> annotations [B, S, Dh], backward state at 0."""
        store, (batch, length) = self.store, source.shape
        ids = source.t().contiguous()
        x = Embed.apply(self.hook, store, "embed.weight", ids, None, 1.0, drop)
        sides = []
        for side in ("forward", "backward"):
            p = "encoder." + side
            gi = Linear.apply(x, store, p + ".weight_ih", None)
            gi = gi.view(length, batch, 3 * DE)
            sides.append(Recurrence.apply(gi, store, p, side == "backward"))
        return torch.cat(sides, 2).transpose(0, 1).contiguous(), sides[1][0]

    def keys(self, annotations, score):
        store, p = self.store, tensor_name(score)
        if score == "location":
            return None
        shape = annotations.shape[:2] + (A,)
        keys = Linear.apply(annotations.view(-1, DH), store, p + ".key.weight", None)
        if score in ("general", "local-m", "local-p"):
            keys = Linear.apply(keys, store, p + ".weight", None)
        elif score == "cosine":
            keys = UnitKeys.apply(keys, store, p + ".strength")
        return keys.view(shape)

    def run(self, source, given, score, drop):
        """Returns states, contexts, weights and embedded targets, time first."""
        store, (batch, steps) = self.store, given.shape
        annotations, last = self.encode(source, drop)
        if drop:
            annotations = Dropout.apply(annotations, drop)
        first = torch.tanh(Linear.apply(last.contiguous(), store, "bridge.weight",
                                        "bridge.bias"))
        ids = given.t().contiguous()
        y = Embed.apply(self.hook, store, "embed.weight", ids, None, 1.0, drop)
        inputs = Linear.apply(y, store, "decoder.weight_ih.embed", None)
        states, contexts, alpha = Decoder.apply(
            inputs.view(steps, batch, 3 * DS), annotations, self.keys(annotations, score),
            first, store, score)
        return states, contexts, alpha, y.view(steps, batch, E)

    def loss(self, batch, weight, tallies, smoothing=0.1, teach=0.0, score=None):
        """Accumulates the gradient of one micro-batch (see transformer.py)."""
        store, drop = self.store, self.drop if self.store.training else 0.0
        if score is None:
            score = SCORES[DRAWN[int(torch.randint(0, len(DRAWN), (1,)))]]
        states, contexts, _, y = self.run(batch["source"], batch["given"], score, drop)
        flat = batch["target"].t().reshape(-1)
        x = torch.cat([states, y, contexts], 2).view(flat.shape[0], -1)
        real = flat != PAD
        if not bool(real.all()):
            x, flat = x[real], flat[real]
        r = torch.tanh(Linear.apply(x, store, "readout.weight", "readout.bias"))
        if drop:
            r = Dropout.apply(r, drop)
        loss = CrossEntropy.apply(r, store, "embed.weight", "output.bias", flat.contiguous(),
                                  smoothing, weight, tallies["words"])
        if store.training:
            loss.backward()


def export_tensors(views):
    """The file's names: the decoder's input matrix whole, the bias flat."""
    out = {}
    for name, value in views.items():
        if name == "decoder.weight_ih.embed":
            out["decoder.weight_ih"] = torch.cat(
                [value, views["decoder.weight_ih.context"]], 1)
        elif name == "output.bias":
            out[name] = value.reshape(-1)
        elif name != "decoder.weight_ih.context":
            out[name] = value
    return out


def load_tensors(tensors, views):
    """The inverse of export_tensors: fills the views from a file's tensors."""
    for name, view in views.items():
        if name.startswith("decoder.weight_ih."):
            whole = tensors["decoder.weight_ih"]
            view.copy_(whole[:, :E] if name.endswith(".embed") else whole[:, E:])
        else:
            view.copy_(tensors[name].reshape(view.shape))


class Reference:
    """The exported network in float32; everything [B, ...], batch first."""

    def __init__(self, tensors):
        self.t = tensors

    def cell(self, x, h, prefix):
        t = self.t
        i = F.linear(x, t[prefix + ".weight_ih"], t[prefix + ".bias_ih"]).chunk(3, -1)
        g = F.linear(h, t[prefix + ".weight_hh"], t[prefix + ".bias_hh"]).chunk(3, -1)
        r, z = torch.sigmoid(i[0] + g[0]), torch.sigmoid(i[1] + g[1])
        n = torch.tanh(i[2] + r * g[2])
        return (1 - z) * n + z * h

    def encode(self, ids):
        """ids [B, S], PAD at the end allowed -> annotations, first state."""
        x, real = self.t["embed.weight"][ids], (ids != PAD)
        length, sides = ids.shape[1], []
        for side, order in (("forward", range(length)), ("backward", range(length)[::-1])):
            h, rows = torch.zeros(ids.shape[0], DE), [None] * length
            for j in order:
                new = self.cell(x[:, j], h, "encoder." + side)
                h = torch.where(real[:, j, None], new, h)
                rows[j] = h
            sides.append(torch.stack(rows, 1))
        first = torch.tanh(F.linear(sides[1][:, 0], self.t["bridge.weight"],
                                    self.t["bridge.bias"]))
        return torch.cat(sides, 2), first

    def prepare(self, annotations, ids, score):
        """What the scores need of the source: keys, lengths, the mask."""
        p = tensor_name(score)
        keys = None
        if score != "location":
            keys = F.linear(annotations, self.t[p + ".key.weight"])
        return {"annotations": annotations, "keys": keys, "score": score,
                "hidden": ids == PAD, "lengths": (ids != PAD).sum(1)}

    def align(self, state, source, step):
        """Weights [B, S] of one step."""
        score, keys, hidden = source["score"], source["keys"], source["hidden"]
        t, p, n = self.t, tensor_name(score), hidden.shape[1]
        place = torch.arange(n, dtype=torch.float32)[None, :]
        if score == "location":
            e = F.linear(state, t[p + ".weight"], t[p + ".bias"])[:, :n]
        else:
            q = F.linear(state, t[p + ".query.weight"])
            if score == "additive":
                e = torch.tanh(q[:, None] + keys) @ t[p + ".v"]
            elif score in ("general", "local-m", "local-p"):
                e = ((q @ t[p + ".weight"])[:, None] * keys).sum(-1)
            else:
                e = (q[:, None] * keys).sum(-1)
            if score == "scaled":
                e = e / math.sqrt(A)
            elif score == "cosine":
                size = q.norm(dim=-1)[:, None] * keys.norm(dim=-1)
                e = e / size.clamp(min=1e-8) * t[p + ".strength"].exp()
        centre, last = None, (source["lengths"] - 1).float()
        if score == "local-m":
            centre = last.clamp(max=float(step))
        elif score == "local-p":
            u = torch.tanh(F.linear(state, t[p + ".position.weight"])) @ t[p + ".position.v"]
            centre = source["lengths"].float() * torch.sigmoid(u)
        if centre is not None:
            nearest = torch.minimum((centre + 0.5).floor(), last).clamp(min=0)
            far = ((place - centre[:, None]).abs() > HALF) & (place != nearest[:, None])
            hidden = hidden | far
        alpha = e.masked_fill(hidden, -math.inf).softmax(-1)
        if score == "local-p":
            alpha = alpha * torch.exp(-((place - centre[:, None]) ** 2) / (2 * (HALF / 2) ** 2))
        return alpha

    def step(self, last, state, source, step):
        """One decoder step: new state, weights, logits."""
        alpha = self.align(state, source, step)
        context = (alpha[:, :, None] * source["annotations"]).sum(1)
        y = self.t["embed.weight"][last]
        state = self.cell(torch.cat([y, context], 1), state, "decoder")
        r = torch.tanh(F.linear(torch.cat([state, y, context], 1), self.t["readout.weight"],
                                self.t["readout.bias"]))
        return state, alpha, F.linear(r, self.t["embed.weight"], self.t["output.bias"])

    def force(self, ids, given, score):
        """Returns annotations, states [B, T], weights [B, T, S], logits."""
        annotations, state = self.encode(ids)
        source = self.prepare(annotations, ids, score)
        states, weights, logits = [state], [], []
        for t in range(given.shape[1]):
            state, alpha, row = self.step(given[:, t], state, source, t)
            states.append(state)
            weights.append(alpha)
            logits.append(row)
        return annotations, torch.stack(states, 1), torch.stack(weights, 1), torch.stack(logits, 1)

    def greedy(self, ids, limit=None, score="additive"):
        annotations, state = self.encode(ids)
        source = self.prepare(annotations, ids, score)
        last = torch.full((ids.shape[0],), PAD)
        done, rows = torch.zeros(ids.shape[0], dtype=torch.bool), []
        for t in range(limit or 2 * ids.shape[1] + 10):
            state, _, logits = self.step(last, state, source, t)
            logits[:, PAD] = -math.inf
            last = logits.argmax(1).masked_fill(done, PAD)
            rows.append(last)
            done |= last == EOS
            if bool(done.all()):
                break
        return [row[row != PAD].tolist() for row in torch.stack(rows, 1)]
