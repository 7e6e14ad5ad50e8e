"""Runs the `headlight` program for the evaluations."""

import json
import subprocess


def translate(headlight, model, texts, *settings, beam=1):
    """One translation a line; settings are "key=value"."""
    rest = ["--beam", str(beam)] if beam > 1 else []
    lines = run(headlight, "translate", model, texts, settings, *rest)
    if len(lines) != len(texts):
        raise RuntimeError(f"{len(texts)} lines in, {len(lines)} lines out")
    return lines


def dump(headlight, model, texts, *settings):
    """One record for each text, in order."""
    lines = run(headlight, "dump", model, texts, settings, "--stages", "weights")
    if len(lines) != len(texts):
        raise RuntimeError(f"{len(texts)} lines in, {len(lines)} records out")
    return [json.loads(line) for line in lines]


def dump_forced(headlight, model, text, target, *settings):
    """The record of one text with a forced target."""
    command = [headlight, "dump", "--model", model, "--text", text, "--target", target,
               "--stages", "weights"]
    for setting in settings:
        command += ["--set", setting]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8")
    return json.loads(done.stdout)


def run(headlight, verb, model, texts, settings, *rest):
    command = [headlight, verb, "--model", model, *rest]
    for setting in settings:
        command += ["--set", setting]
    text = "".join(line + "\n" for line in texts)
    done = subprocess.run(command, input=text, check=True, stdout=subprocess.PIPE,
                          encoding="utf-8")
    return done.stdout.splitlines()


def attention(record, name):
    """A map of a record as nested lists [layer][head][query][key]."""
    for entry in record["attentions"]:
        if entry["name"] == name and entry["stage"] == "weights":
            layers, heads, queries, keys = entry["shape"]
            data, out = entry["data"], []
            for n in range(layers * heads):
                block = data[n * queries * keys : (n + 1) * queries * keys]
                out.append([block[i * keys : (i + 1) * keys] for i in range(queries)])
            return [out[n * heads : (n + 1) * heads] for n in range(layers)]
    raise KeyError(f"no {name} in the record")


def spans(tokens, text):
    """(begin, end) in characters of each token, None for special ones.
    A record counts bytes; a token that starts inside a character (a byte of
    it) is moved to where that character starts."""
    places, byte = {0: 0}, 0
    for index, character in enumerate(text):
        width = len(character.encode("utf-8"))
        for inside in range(1, width):
            places[byte + inside] = index
        byte += width
        places[byte] = index + 1
    return [None if t.get("start") is None or t.get("special")
            else (places[t["start"]], places[t["end"]]) for t in tokens]
