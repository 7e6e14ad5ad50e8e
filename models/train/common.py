"""What both trainings share: special ids, and files written safely."""

import json
import os
import struct

import numpy as np
import torch

EOS, UNK, PAD = 0, 1, 2
VOCABULARY = 8000


def write_atomically(path, data):
    """Write bytes under a temporary name, then rename."""
    temporary = f"{path}.part"
    with open(temporary, "wb") as handle:
        handle.write(data)
        handle.flush()
        os.fsync(handle.fileno())
    os.replace(temporary, path)


def write_json(path, value):
    text = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    write_atomically(path, text.encode("utf-8"))


def write_safetensors(path, tensors):
    """Write a {name: tensor} map as half floats, sorted by name."""
    header = {"__metadata__": {"format": "pt"}}
    blocks, offset = [], 0
    for name in sorted(tensors):
        array = tensors[name].detach().float().numpy().astype("<f2")
        if not np.isfinite(array).all():
            raise ValueError(f"{name} does not fit into half floats")
        block = np.ascontiguousarray(array).tobytes()
        header[name] = {
            "dtype": "F16",
            "shape": list(array.shape),
            "data_offsets": [offset, offset + len(block)],
        }
        blocks.append(block)
        offset += len(block)
    text = json.dumps(header, separators=(",", ":")).encode("ascii")
    text += b" " * (-len(text) % 8)
    write_atomically(path, struct.pack("<Q", len(text)) + text + b"".join(blocks))


def read_safetensors(path):
    """Read what write_safetensors wrote, as float32 tensors."""
    with open(path, "rb") as handle:
        data = handle.read()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = (8 + length + x for x in entry["data_offsets"])
        array = np.frombuffer(data[begin:end], dtype="<f2").reshape(entry["shape"])
        tensors[name] = torch.from_numpy(array.astype(np.float32))
    return tensors


class Bin:
    """Collects tensors for expected.bin and their index entries."""

    def __init__(self):
        self.blocks, self.offset = [], 0

    def add(self, name, tensor):
        array = np.ascontiguousarray(tensor.detach().numpy().astype("<f4"))
        self.blocks.append(array.tobytes())
        entry = {"name": name, "shape": list(array.shape), "offset": self.offset,
                 "count": int(array.size)}
        self.offset += 4 * array.size
        return entry
