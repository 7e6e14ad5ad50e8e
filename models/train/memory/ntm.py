"""The Neural Turing Machine (Graves et al. 2014) in plain PyTorch.

The reference for ntm.c (gradients) and for the program (outputs). B
sequences of T steps side by side; N slots of width M, R read heads, C the
controller's size. One step, with the memory m [B, N, M] the last one left:

    h        = LSTM or tanh layer of [x_t; the last step's reads]
    content  = softmax_i(beta cos(key, m_i))
    gated    = g content + (1 - g) last weights
    shifted  = circular convolution of gated with the shift distribution
    weights  = shifted^gamma / sum
    read     = sum_i weights_i m_i
    m_i      = m_i (1 - weights_i erase) + weights_i add, head after head
    y        = sigmoid(W [h; reads] + b)

All heads are addressed, and all reads taken, before any write of the step.
"""

import math

import torch
import torch.nn.functional as F


def make_config(task, controller, size, slots, width, readers, writers):
    """config.json of a machine for "copy" or "recall"."""
    config = {
        "model_type": "headlight-ntm",
        "title": f"{task.capitalize()} · Neural Turing Machine",
        "task": task, "controller": controller, "controller_size": size,
        "n_slots": slots, "slot_width": width, "n_read_heads": readers,
        "n_write_heads": writers, "shift_range": 1, "n_bits": 8,
        "n_inputs": 9 if task == "copy" else 10,
    }
    if task == "copy":
        config["trained_length"] = 40
    else:
        config.update(item_length=3, min_items=2, max_items=6)
    config["memory_init"] = 1e-6
    return config


def shapes(config):
    """{name: shape} of all parameters, in the order of ntm.c."""
    size, width = config["controller_size"], config["slot_width"]
    reads = config["n_read_heads"] * width
    lstm = config["controller"] == "lstm"
    gates = 4 * size if lstm else size
    common = width + 4 + 2 * config["shift_range"]
    out = {"controller.weight_ih": (gates, config["n_inputs"] + reads)}
    if lstm:
        out["controller.weight_hh"] = (gates, size)
    out["controller.bias"] = (gates,)
    if lstm:
        out["initial.hidden"] = (size,)
        out["initial.cell"] = (size,)
    out["initial.read"] = (config["n_read_heads"], width)
    for kind, rows in (("read", common), ("write", common + 2 * width)):
        for k in range(config[f"n_{kind}_heads"]):
            out[f"{kind}.{k}.weight"] = (rows, size)
            out[f"{kind}.{k}.bias"] = (rows,)
    out["output.weight"] = (config["n_bits"], size + reads)
    out["output.bias"] = (config["n_bits"],)
    return out


def split(config, flat):
    """Views {name: tensor} of a flat vector of parameters."""
    views, place = {}, 0
    for name, shape in shapes(config).items():
        count = math.prod(shape)
        views[name] = flat[place : place + count].view(shape)
        place += count
    return views


def initial(config, seed):
    """Fresh parameters, flat: uniform by fan-in, small starts, zero biases
    but for the forget gate's and the key strength's."""
    torch.manual_seed(seed)
    size, parts = config["controller_size"], []
    for name, shape in shapes(config).items():
        value = torch.zeros(shape)
        if "weight" in name:
            value.uniform_(-1, 1).mul_(1 / math.sqrt(shape[1]))
        elif name.startswith("initial"):
            value.normal_(0, 0.05)
        elif name == "controller.bias" and config["controller"] == "lstm":
            value[size : 2 * size] = 1.0
        elif name.endswith("bias") and name.startswith(("read", "write")):
            value[config["slot_width"]] = 2.0
        parts.append(value.flatten())
    return torch.cat(parts)


class Reference:
    def __init__(self, config, tensors):
        self.c, self.t = config, tensors
        self.heads = [f"{kind}.{k}" for kind in ("read", "write")
                      for k in range(config[f"n_{kind}_heads"])]

    def parameters(self, name, h):
        """A head's activated parameters, {name: [B, ...]}."""
        m, s = self.c["slot_width"], 2 * self.c["shift_range"] + 1
        p = h @ self.t[f"{name}.weight"].T + self.t[f"{name}.bias"]
        out = {
            "key": torch.tanh(p[:, :m]), "beta": F.softplus(p[:, m]),
            "gate": torch.sigmoid(p[:, m + 1]),
            "shift": torch.softmax(p[:, m + 2 : m + 2 + s], dim=1),
            "gamma": 1 + F.softplus(p[:, m + 2 + s]),
        }
        if name.startswith("write"):
            out["erase"] = torch.sigmoid(p[:, m + 3 + s : 2 * m + 3 + s])
            out["add"] = torch.tanh(p[:, 2 * m + 3 + s :])
        return out

    def address(self, p, last, memory):
        """All stages of a head's addressing, {name: [B, N]}."""
        norms = p["key"].norm(dim=1, keepdim=True) * memory.norm(dim=2)
        cosine = (memory @ p["key"].unsqueeze(2)).squeeze(2) / (norms + 1e-8)
        content = torch.softmax(p["beta"].unsqueeze(1) * cosine, dim=1)
        gate = p["gate"].unsqueeze(1)
        gated = gate * content + (1 - gate) * last
        reach = self.c["shift_range"]
        shifted = sum(p["shift"][:, s + reach, None] * torch.roll(gated, s, dims=1)
                      for s in range(-reach, reach + 1))
        sharp = shifted.clamp(min=1e-30) ** p["gamma"].unsqueeze(1)
        return {"cosine": cosine, "content": content, "gated": gated, "shifted": shifted,
                "weights": sharp / sharp.sum(dim=1, keepdim=True)}

    def control(self, x, state):
        gates = x @ self.t["controller.weight_ih"].T + self.t["controller.bias"]
        if self.c["controller"] == "feedforward":
            return torch.tanh(gates), state
        h, c = state
        i, f, g, o = (gates + h @ self.t["controller.weight_hh"].T).chunk(4, dim=1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        return h, (h, c)

    def run(self, x, shut=()):
        """Outputs [B, T, bits] for x [B, T, inputs], and the trace: reads
        [B, T, R, M], hidden [B, T, C], memory [B, T, N, M] after each step, and
        by the head's name its parameters and stages, each [B, T, ...].
        In the steps `shut` the read heads' gates are 0: nothing by content."""
        batch = len(x)
        like = x.new_zeros
        memory = like(batch, self.c["n_slots"], self.c["slot_width"]) + self.c["memory_init"]
        start = like(batch, self.c["n_slots"])
        start[:, 0] = 1
        weights = {name: start for name in self.heads}
        reads = self.t["initial.read"].expand(batch, -1, -1)
        state = None
        if self.c["controller"] == "lstm":
            state = tuple(self.t[f"initial.{k}"].expand(batch, -1) for k in ("hidden", "cell"))
        outputs, trace = [], {"reads": [], "hidden": [], "memory": [],
                          **{n: [] for n in self.heads}}
        for t in range(x.shape[1]):
            h, state = self.control(torch.cat([x[:, t], reads.flatten(1)], dim=1), state)
            heads = {}
            for name in self.heads:
                p = self.parameters(name, h)
                if t in shut and name.startswith("read"):
                    p["gate"] = torch.zeros_like(p["gate"])
                heads[name] = {**p, **self.address(p, weights[name], memory)}
                weights[name] = heads[name]["weights"]
                trace[name].append(heads[name])
            reads = torch.stack([(heads[n]["weights"].unsqueeze(1) @ memory).squeeze(1)
                                 for n in self.heads if n.startswith("read")], dim=1)
            for head in (heads[n] for n in self.heads if n.startswith("write")):
                w = head["weights"].unsqueeze(2)
                memory = memory * (1 - w * head["erase"].unsqueeze(1))
                memory = memory + w * head["add"].unsqueeze(1)
            joined = torch.cat([h, reads.flatten(1)], dim=1)
            outputs.append(torch.sigmoid(joined @ self.t["output.weight"].T
                                         + self.t["output.bias"]))
            trace["reads"].append(reads)
            trace["hidden"].append(h)
            trace["memory"].append(memory)
        for name in self.heads:
            trace[name] = {k: torch.stack([s[k] for s in trace[name]], dim=1)
                           for k in trace[name][0]}
        for name in ("reads", "hidden", "memory"):
            trace[name] = torch.stack(trace[name], dim=1)
        return torch.stack(outputs, dim=1), trace
