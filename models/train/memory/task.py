"""The two tasks as sequences of inputs and wanted outputs.

A byte is eight channels, the most significant bit first. Then, for copy, one
channel that asks for the answer; for recall, one that begins an item and one
around the query. `weight` is 1 at the steps that answer, else 0.
"""

import numpy as np

SOURCES = {
    "bits": np.arange(256), "printable": np.arange(32, 127),
    "letters": np.concatenate([np.arange(65, 91), np.arange(97, 123)]),
    "words": np.concatenate([np.arange(48, 58), np.arange(65, 91), np.arange(97, 123)]),
}


def bits(data):
    """[n, 8] floats of n bytes."""
    data = np.asarray(data, np.uint8)
    return np.unpackbits(data.reshape(-1, 1), axis=1).astype(np.float32)


def to_bytes(outputs):
    """The bytes that [n, 8] probabilities stand for."""
    return np.packbits(np.asarray(outputs) > 0.5, axis=1).ravel()


def copy(data):
    """x [2n+1, 9], target [2n+1, 8], weight [2n+1] for n bytes."""
    n = len(data)
    x = np.zeros((2 * n + 1, 9), np.float32)
    target = np.zeros((2 * n + 1, 8), np.float32)
    x[:n, :8] = target[n + 1 :] = bits(data)
    x[n, 8] = 1
    weight = np.zeros(2 * n + 1, np.float32)
    weight[n + 1 :] = 1
    return x, target, weight


def recall(items, *queries):
    """The same for items [k, length]; asks what follows items[query], once or,
    in training, several times over."""
    count, length = items.shape
    begin, turn = count * (length + 1), 2 * (length + 1)
    steps = begin + turn * len(queries)
    x = np.zeros((steps, 10), np.float32)
    target = np.zeros((steps, 8), np.float32)
    weight = np.zeros(steps, np.float32)
    for k, item in enumerate(items):
        x[k * (length + 1), 8] = 1
        x[k * (length + 1) + 1 : (k + 1) * (length + 1), :8] = bits(item)
    for asked, query in zip(range(begin, steps, turn), queries):
        answer = asked + length + 2
        x[asked, 9] = x[answer - 1, 9] = 1
        x[asked + 1 : answer - 1, :8] = bits(items[query])
        target[answer : answer + length] = bits(items[query + 1])
        weight[answer : answer + length] = 1
    return x, target, weight


def draw_items(draw, count, length, kind):
    """Distinct items of random bytes, printable characters, letters, or letters
    and digits of which some are shorter and filled up with spaces."""
    while True:
        items = draw.choice(SOURCES[kind], (count, length)).astype(np.uint8)
        if kind == "words":
            items[np.arange(length) >= draw.integers(1, length + 1, (count, 1))] = 32
        if len(np.unique(items, axis=0)) == count:
            return items


def draw_copy(draw, length, kind="bits"):
    return copy(draw_items(draw, 1, length, kind)[0])


def draw_recall(draw, count, length, kind="bits", turns=1):
    """Asks for `turns` different items, or for all that another follows."""
    return recall(draw_items(draw, count, length, kind), *draw.permutation(count - 1)[:turns])
