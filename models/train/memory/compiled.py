"""Builds ntm.c for one set of sizes and gives its functions to Python."""

import ctypes
import hashlib
import os
import subprocess
import tempfile
import warnings

import numpy as np

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ntm.c")
FLAGS = ["-O3", "-march=native", "-ffast-math", "-mprefer-vector-width=512"]
# -ffast-math makes the process flush subnormal numbers, which NumPy remarks on.
warnings.filterwarnings("ignore", "The value of the smallest subnormal")


def build(config, real):
    sizes = {
        "REAL": real, "LSTM": int(config["controller"] == "lstm"),
        "INPUTS": config["n_inputs"], "OUTPUTS": config["n_bits"],
        "SIZE": config["controller_size"], "SLOTS": config["n_slots"],
        "WIDTH": config["slot_width"], "READERS": config["n_read_heads"],
        "WRITERS": config["n_write_heads"], "REACH": config["shift_range"],
        "START": config["memory_init"],
    }
    command = ["gcc", *FLAGS, *(f"-D{name}={value}" for name, value in sizes.items())]
    with open(SOURCE, "rb") as handle:
        digest = hashlib.sha256(handle.read() + " ".join(command).encode()).hexdigest()[:16]
    folder = os.path.join(tempfile.gettempdir(), f"headlight-ntm-{os.getuid()}")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    path = os.path.join(folder, f"ntm-{digest}.so")
    if not os.path.exists(path):
        part = f"{path}.{os.getpid()}"
        subprocess.run([*command, "-shared", "-fPIC", "-o", part, SOURCE, "-lmvec", "-lm"],
                       check=True)
        os.replace(part, path)
    return ctypes.CDLL(path)


class Machine:
    """The network with flat parameters `w`, the gradient `g` of a sequence, the
    sum of a batch's, Adam's `m` and `v`, and the running mean of `w`."""

    def __init__(self, config, real="float"):
        self.library = build(config, real)
        self.library.gradient.restype = ctypes.c_double
        self.library.absorb.restype = ctypes.c_double
        self.library.parameter_count.restype = ctypes.c_long
        self.library.step_bytes.restype = ctypes.c_long
        self.type = np.float32 if real == "float" else np.float64
        self.outputs = config["n_bits"]
        count = self.library.parameter_count()
        for name in ("w", "g", "sum", "m", "v", "mean"):
            setattr(self, name, np.zeros(count, self.type))
        self.steps = np.zeros(0, np.uint8)

    def room(self, length):
        """Space for `length` steps, kept from call to call."""
        size = length * self.library.step_bytes()
        if self.steps.size < size:
            self.steps = np.zeros(size, np.uint8)
        return np.empty((length, self.outputs), self.type)

    def forward(self, x):
        """Probabilities [T, bits] for the inputs x [T, inputs]."""
        y = self.room(len(x))
        self.library.forward(pointer(self.w), ctypes.c_long(len(x)), pointer(x),
                             pointer(self.steps), pointer(y))
        return y

    def gradient(self, x, target, weight):
        """Adds to self.g; gives the loss and the outputs."""
        y = self.room(len(x))
        loss = self.library.gradient(
            pointer(self.w), ctypes.c_long(len(x)), pointer(x), pointer(target),
            pointer(weight), pointer(self.steps), pointer(y), pointer(self.g))
        return loss, y

    def absorb(self, clip):
        """Adds self.g to the batch's sum; gives its norm before clipping."""
        return self.library.absorb(ctypes.c_double(clip), pointer(self.g), pointer(self.sum))

    def update(self, step, batch, rate, share):
        """A step of Adam with the sum of `batch` gradients."""
        self.library.adam(
            ctypes.c_long(step), ctypes.c_double(batch), ctypes.c_double(rate),
            ctypes.c_double(share),
            *(pointer(a) for a in (self.w, self.sum, self.m, self.v, self.mean)))


def pointer(array):
    return ctypes.c_void_p(array.ctypes.data)
