#!/usr/bin/env python3
"""The command line, run as a user runs it: output, exit status, error sentences.

Usage: test_cli.py HEADLIGHT MODELS
"""
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

EXE, MODELS = sys.argv[1], sys.argv[2]
ANIMAL = "The animal didn't cross the street because it was too tired"
ENV = {**os.environ, "HEADLIGHT_MODELS": MODELS, "HOME": "/nonexistent"}
BOTH = ("en-fr-transformer", "en-fr-gru")


def run(*args, stdin=b"", env=None, limit=120):
    if isinstance(stdin, str):
        stdin = stdin.encode()
    return subprocess.run([EXE, *args], input=stdin, capture_output=True, env=env or ENV,
                          timeout=limit)


def png_size(path):
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG signature"
    at, seen = 8, []
    while at < len(data):
        n, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + n]
        assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + n:at + 12 + n])[0]
        seen.append(kind)
        if kind == b"IHDR":
            size = struct.unpack(">II", body[:8])
        at += 12 + n
    assert seen[-1] == b"IEND"
    return size


class Sentence(unittest.TestCase):
    """An error is one line on standard error and the right exit status."""

    def fails(self, status, word, *args, stdin=b"", env=None):
        r = run(*args, stdin=stdin, env=env)
        err = r.stderr.decode()
        self.assertEqual(r.returncode, status, err)
        self.assertEqual(err.count("\n"), 1, err)
        self.assertIn(word, err)
        self.assertTrue(err.startswith("headlight: "), err)

    def test_wrong_usage(self):
        self.fails(2, "--nonsense", "dump", "--nonsense")
        self.fails(2, "missing", "dump", "--model")
        self.fails(2, "-o", "render", "--screen", "translate")
        for size in ("9x9", " 900x600", "900x+600", "900x600x", "900", "899x600", "x", "99999x600", "-1x600"):
            self.fails(2, "--size", "render", "--size", size, "-o", "x.png")
        self.fails(2, "--scale", "render", "--size", "1280x800", "--scale", "4", "-o", "x.png")
        self.fails(2, "KEY=VALUE", "dump", "--set", "score")
        self.fails(2, "stages", "dump", "--stages", "some")
        self.fails(2, "--beam", "translate", "--beam", "0")
        self.fails(2, "not both", "dump", "--target", "a", "--decoder-ids", "2")
        self.fails(2, "--decoder-ids", "dump", "--text", "a", "--decoder-ids", "2 x")
        self.fails(2, "--output", "dump", "--output", "x")

    def test_no_font(self):
        """HL_E_FONT: a system without a single font."""
        with tempfile.TemporaryDirectory() as tmp:
            conf = pathlib.Path(tmp) / "fonts.conf"
            conf.write_text("<?xml version='1.0'?><!DOCTYPE fontconfig SYSTEM 'fonts.dtd'>"
                            f"<fontconfig><cachedir>{tmp}</cachedir></fontconfig>")
            self.fails(1, "font", "render", "--screen", "positions", "-o", tmp + "/x.png",
                       env={**ENV, "FONTCONFIG_FILE": str(conf)})

    def test_not_supported(self):
        """HL_E_UNSUPPORTED"""
        self.fails(1, "--text-pair", "dump", "--text-pair", "x")

    def test_no_such_model(self):
        self.fails(1, "no-such-model", "translate", "--model", "no-such-model", "--text", "a")
        self.fails(1, "no such model", "translate", "--model", "", "--text", "a")

    def test_wrong_key(self):
        self.fails(2, "colour", "dump", "--text", "a", "--set", "colour=red")
        self.fails(2, "score", "dump", "--model", "en-fr-gru", "--text", "a", "--set", "score=best")

    def test_output_cannot_be_written(self):
        """HL_E_WRITE"""
        self.fails(1, "nowhere", "render", "--screen", "translate", "--text", "a",
                   "-o", "/nonexistent/nowhere/x.png")
        if os.path.exists("/dev/full"):
            with open("/dev/full", "wb") as full:
                r = subprocess.run([EXE, "translate", "--text", "I am a student."], stdout=full,
                                   stderr=subprocess.PIPE, env=ENV)
            self.assertEqual(r.returncode, 1)
            self.assertIn(b"standard output", r.stderr)
            for args in (["--help"], ["--version"], ["models"]):
                with open("/dev/full", "wb") as full:
                    r = subprocess.run([EXE, *args], stdout=full, stderr=subprocess.PIPE, env=ENV)
                self.assertEqual(r.returncode, 1, args)
                self.assertIn(b"standard output", r.stderr)


class Broken(unittest.TestCase):
    """Damaged model folders give a sentence, never a crash."""

    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        src = pathlib.Path(MODELS) / "en-fr-gru"
        self.model = pathlib.Path(self.dir.name) / "m"
        self.model.mkdir()
        for name in ("config.json", "model.safetensors", "tokenizer.json"):
            (self.model / name).write_bytes((src / name).read_bytes())

    def tearDown(self):
        self.dir.cleanup()

    def refuses(self, word):
        r = run("translate", "--model", str(self.model), "--text", "I am a student.")
        err = r.stderr.decode()
        self.assertEqual(r.returncode, 1, err)
        self.assertEqual(err.count("\n"), 1, err)
        self.assertIn(word, err)

    def test_missing(self):
        for name in ("config.json", "model.safetensors", "tokenizer.json"):
            path = self.model / name
            data = path.read_bytes()
            path.unlink()
            self.refuses(name)
            path.write_bytes(data)

    def test_truncated(self):
        for name in ("config.json", "model.safetensors", "tokenizer.json"):
            path = self.model / name
            data = path.read_bytes()
            for n in (0, 1, 7, 8, 9, len(data) // 2, len(data.rstrip()) - 1):
                path.write_bytes(data[:n])
                self.refuses(name)
            path.write_bytes(data)

    def test_wrong_shape(self):
        config = json.loads((self.model / "config.json").read_text())
        for key, value in (("d_decoder", 7), ("vocab_size", 8001), ("d_embed", 2**31 - 1),
                           ("vocab_size", -1), ("d_encoder", 1e300), ("d_attention", "wide")):
            (self.model / "config.json").write_text(json.dumps({**config, key: value}))
            r = run("translate", "--model", str(self.model), "--text", "I am.")
            self.assertEqual(r.returncode, 1, (key, value))
            self.assertEqual(r.stderr.decode().count("\n"), 1)

    def test_unknown_family(self):
        (self.model / "config.json").write_text('{"model_type":"mbart"}')
        self.refuses("mbart")


class Dump(unittest.TestCase):
    def test_shape_of_the_object(self):
        r = run("dump", "--model", "en-fr-transformer", "--text", ANIMAL)
        self.assertEqual(r.returncode, 0, r.stderr)
        d = json.loads(r.stdout)
        self.assertEqual(d["headlight"], 1)
        source, target = d["tokens"]["source"], d["tokens"]["target"]
        self.assertEqual(len(target), len(d["tokens"]["decoder_input"]))
        names = [a["name"] for a in d["attentions"] if a["stage"] == "weights"]
        self.assertEqual(names, ["encoder.self", "decoder.self", "decoder.cross"])
        for a in d["attentions"]:
            layers, heads, q, k = a["shape"]
            self.assertEqual(len(a["data"]), layers * heads * q * k)
            if a["stage"] == "weights":
                for i in range(0, len(a["data"]), k):
                    self.assertAlmostEqual(sum(a["data"][i:i + k]), 1, places=4)
        raw = ANIMAL.encode()
        words = b"".join(raw[t["start"]:t["end"]] for t in source if t["start"] is not None)
        self.assertEqual(words.replace(b" ", b""), raw.replace(b" ", b""))
        out = d["output"]["text"].encode()
        for t in target:
            if t["start"] is not None:
                self.assertTrue(0 <= t["start"] <= t["end"] <= len(out))
        self.assertEqual(len(d["output"]["logprobs"]), len(target))
        self.assertEqual(len(d["heads"]), sum(a["shape"][0] * a["shape"][1]
                                              for a in d["attentions"]))
        for h in d["heads"]:
            self.assertTrue(h["kind"] == "mixed" or h["scores"][h["kind"]] >= 0.5, h)
            self.assertTrue(all(0 < v <= 1.0001 for v in h["scores"].values()), h)

    def test_lines(self):
        r = run("dump", "--model", "en-fr-gru", stdin="I am.\nYou are.\tTu es.\n\nLast")
        rows = [json.loads(x) for x in r.stdout.decode().splitlines()]
        self.assertEqual(len(rows), 4, r.stderr)
        self.assertEqual(rows[1]["output"]["text"], "Tu es.")

    def test_all_stages_recompute(self):
        """Queries and keys, multiplied again here, give the weights shown."""
        import math
        r = run("dump", "--model", "en-fr-transformer", "--text", ANIMAL, "--stages", "all")
        d = json.loads(r.stdout)
        maps = {(a["name"], a["stage"]): a for a in d["attentions"]}
        vectors = {v["name"]: v for v in d["vectors"]}
        w = maps["encoder.self", "weights"]
        layers, heads, nq, nk = w["shape"]
        for name in ("encoder.self.query", "encoder.self.key"):
            self.assertIn(name, vectors)
        q, k = vectors["encoder.self.query"], vectors["encoder.self.key"]
        width = q["shape"][-1]
        dh = width // heads
        worst = 0
        for layer in range(layers):
            for head in range(0, heads, 3):
                for row in range(0, nq, 2):
                    def part(v, t):
                        at = (layer * v["shape"][-2] + t) * width + head * dh
                        return v["data"][at:at + dh]
                    a = part(q, row)
                    scores = [sum(x * y for x, y in zip(a, part(k, t))) / math.sqrt(dh)
                              for t in range(nk)]
                    top = max(scores)
                    e = [math.exp(s - top) for s in scores]
                    at = ((layer * heads + head) * nq + row) * nk
                    for t in range(nk):
                        worst = max(worst, abs(e[t] / sum(e) - w["data"][at + t]))
        self.assertLess(worst, 1e-5)

    def test_odd_text(self):
        for text in (b"", b" ", b"\xff\xfe broken", b"nul\0inside", "👩‍👩‍👧 مرحبا hello".encode(),
                     b"e" + b"\xcc\x81" * 500, b"word " * 2000, b"x" * 10000):
            for model in BOTH:
                r = run("dump", "--model", model, stdin=text + b"\n")
                self.assertEqual(r.returncode, 0, (text[:20], r.stderr))
                json.loads(r.stdout.decode())

    def test_odd_target(self):
        """Forced targets of any bytes, from an option or a setting."""
        for target in (b"\xff\xfe", b"", b"</s> a <pad>", "👩‍👩‍👧 مرحبا".encode(), b"\t\x01"):
            for args in ((b"--text", b"I am.", b"--target", target),
                         (b"--text", b"I am.", b"--set", b"target=" + target)):
                r = run("dump", "--model", "en-fr-gru", *args)
                self.assertEqual(r.returncode, 0, (target, r.stderr))
                json.loads(r.stdout.decode())


class Translate(unittest.TestCase):
    def test_spaces_change_nothing(self):
        for model in BOTH:
            r = run("translate", "--model", model,
                    stdin="I am a student.\n I am  a student. \nI am a student.   \n")
            lines = r.stdout.decode().splitlines()
            self.assertEqual(len(lines), 3)
            self.assertEqual(len(set(lines)), 1, lines)

    def test_empty_line(self):
        r = run("translate", stdin="\n \u00a0\u3000\t\nYes.\n")
        lines = r.stdout.decode().split("\n")
        self.assertEqual(lines[0], "")
        self.assertEqual(lines[1], "")
        self.assertEqual(len(lines), 4)

    def test_says_what_it_left_out(self):
        r = run("translate", "--model", "en-fr-gru", "--set", "max=4", "--text", "the car " * 400)
        self.assertEqual(r.returncode, 0)
        self.assertRegex(r.stderr.decode(), r"its last [0-9]+ tokens were left out, from byte")
        r = run("translate", "--model", "en-fr-gru", "--text", "the car")
        self.assertEqual(r.stderr, b"")

    def test_beam_is_at_least_as_likely(self):
        for text in (ANIMAL, "My sister bought a red car yesterday."):
            total = {}
            for beam in ("1", "4"):
                r = run("dump", "--model", "en-fr-transformer", "--text", text, "--beam", beam)
                self.assertEqual(r.returncode, 0, r.stderr)
                d = json.loads(r.stdout)
                total[beam] = sum(d["output"]["logprobs"]) / len(d["output"]["logprobs"])
            self.assertGreaterEqual(total["4"], total["1"] - 1e-6)

    def test_scores(self):
        seen = set()
        for score in ("additive", "dot", "general", "scaled", "cosine", "location", "local-m",
                      "local-p"):
            r = run("dump", "--model", "en-fr-gru", "--text", "I am a student.", "--set",
                    "score=" + score)
            self.assertEqual(r.returncode, 0, r.stderr)
            d = json.loads(r.stdout)
            a = [x for x in d["attentions"] if x["name"] == "alignment"][0]
            seen.add(tuple(a["data"]))
        self.assertEqual(len(seen), 8)


class Tokenize(unittest.TestCase):
    def test_needs_no_weights(self):
        with tempfile.TemporaryDirectory() as tmp:
            data = (pathlib.Path(MODELS) / "en-fr-gru" / "tokenizer.json").read_bytes()
            (pathlib.Path(tmp) / "tokenizer.json").write_bytes(data)
            r = run("tokenize", "--model", tmp, "--text", "Élodie didn't")
            self.assertEqual(r.returncode, 0, r.stderr)
            d = json.loads(r.stdout)
            self.assertEqual(len(d["ids"]), len(d["pieces"]))
            self.assertEqual(len(d["ids"]), len(d["spans"]))
            self.assertEqual(d["spans"][-1], None)


class Render(unittest.TestCase):
    def test_pictures(self):
        with tempfile.TemporaryDirectory() as tmp:
            for screen in ("translate", "transformer", "positions", "arithmetic"):
                png = pathlib.Path(tmp) / (screen + ".png")
                svg = pathlib.Path(tmp) / (screen + ".svg")
                r = run("render", "--screen", screen, "--text", ANIMAL, "--size", "900x600",
                        "-o", str(png))
                self.assertEqual(r.returncode, 0, r.stderr)
                self.assertEqual(png_size(png), (900, 600))
                r = run("render", "--screen", screen, "--text", ANIMAL, "-o", str(svg))
                self.assertEqual(r.returncode, 0, r.stderr)
                import xml.etree.ElementTree as ET
                root = ET.parse(svg).getroot()
                self.assertTrue(root.tag.endswith("svg"))
                self.assertGreater(sum(1 for _ in root.iter()), 50)
            self.assertEqual([p.name for p in pathlib.Path(tmp).iterdir()
                              if p.suffix not in (".png", ".svg")], [], "no temporary file is left")

    def test_says_when_it_is_unsure(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder, "x.svg")
            for screen in ("translate", "transformer"):
                for text, expected in (("hi", True), (ANIMAL, False)):
                    r = run("render", "--screen", screen, "--text", text, "-o", str(out))
                    self.assertEqual(r.returncode, 0, r.stderr)
                    self.assertEqual(">unsure<" in out.read_text(encoding="utf-8"), expected, text)

    def test_a_text_without_the_first_pin(self):
        """A first start pins "it"; another text needs no such word."""
        with tempfile.TemporaryDirectory() as tmp:
            for screen in ("transformer", "translate"):
                out = pathlib.Path(tmp) / "cat.svg"
                r = run("render", "--screen", screen, "--text", "a cat", "-o", str(out))
                self.assertEqual(r.returncode, 0, r.stderr)

    def test_what_is_not_there_is_not_drawn(self):
        """A layer, a head or a model that the screen cannot show is refused."""
        for word, args in (("1 to 4", ("transformer", "--set", "layer=5")),
                           ("1 to 8", ("transformer", "--set", "head=9")),
                           ("1 to 4", ("translate", "--set", "layer=5")),
                           ("no word 'zebra'", ("transformer", "--set", "pin=zebra")),
                           ("no word 'zèbre'", ("translate", "--set", "pin=out:zèbre")),
                           ("cannot show", ("transformer", "--model", "en-fr-gru")),
                           ("cannot show", ("memory", "--model", "en-fr-gru")),
                           ("cannot show", ("images", "--model", "ntm-copy"))):
            r = run("render", "--screen", *args, "-o", "/dev/null/x.png")
            self.assertNotEqual(r.returncode, 0, args)
            self.assertIn(word, r.stderr.decode())

    def test_model_by_folder(self):
        """However long the name of the folder is."""
        with tempfile.TemporaryDirectory() as tmp:
            deep = pathlib.Path(tmp).joinpath(*["a-folder-with-a-long-name"] * 6, "mine")
            deep.parent.mkdir(parents=True)
            deep.symlink_to((pathlib.Path(MODELS) / "en-fr-gru").resolve())
            out = pathlib.Path(tmp) / "x.svg"
            r = run("render", "--screen", "translate", "--model", str(deep), "--text", "I am.",
                    "-o", str(out))
            self.assertEqual(r.returncode, 0, r.stderr)
            self.assertIn("mine", out.read_text())
            self.assertNotIn("long-name", out.read_text())

    def test_shows_what_dump_prints(self):
        """The inspector's numbers for a pinned token are the row that dump prints."""
        import random
        import xml.etree.ElementTree as ET
        rng = random.Random(7)
        texts = [ANIMAL, "My sister bought a red car yesterday.",
                 "He gave the old book to his friend because she liked it."]
        with tempfile.TemporaryDirectory() as tmp:
            for text in texts:
                d = json.loads(run("dump", "--text", text).stdout)
                maps = {a["name"]: a for a in d["attentions"]}
                layers, heads, nq, nk = maps["encoder.self"]["shape"]
                for _ in range(3):
                    layer, head = rng.randrange(layers), rng.randrange(heads)
                    source = d["tokens"]["source"]
                    word = rng.randrange(source[-2]["word"] + 1)
                    row = [t["word"] for t in source].index(word)  # its first piece
                    at = ((layer * heads + head) * nq + row) * nk
                    weights = maps["encoder.self"]["data"][at:at + nk]
                    path = pathlib.Path(tmp) / "x.svg"
                    r = run("render", "--screen", "transformer", "--text", text, "--set",
                            "map=encoder", "--set", f"layer={layer + 1}", "--set",
                            f"head={head + 1}", "--set", "words=off", "--set", f"pin={word + 1}",
                            "-o", str(path))
                    self.assertEqual(r.returncode, 0, r.stderr)
                    shown = ["".join(t.itertext()) for t in ET.parse(path).getroot().iter()
                             if t.tag.endswith("text")]
                    for w in sorted(weights, reverse=True)[:5]:
                        self.assertIn(f"{w:.4f}", shown, (text, layer, head, row))

    def test_same_bytes_twice(self):
        with tempfile.TemporaryDirectory() as tmp:
            out = []
            for i in "ab":
                path = pathlib.Path(tmp) / (i + ".svg")
                run("render", "--screen", "transformer", "--text", ANIMAL, "-o", str(path))
                out.append(path.read_bytes())
            self.assertEqual(out[0], out[1])


class Help(unittest.TestCase):
    def test_page_fits_the_smallest_window(self):
        """Text of the F1 page stays above the lower edge of its panel, at 584."""
        with tempfile.TemporaryDirectory() as folder:
            for screen in ("translate", "transformer", "positions", "memory", "images", "arithmetic"):
                out = pathlib.Path(folder, "help.svg")
                r = run("render", "--screen", screen, "--set", "help=on", "--size", "900x600",
                        "-o", str(out))
                self.assertEqual(r.returncode, 0, r.stderr)
                page = out.read_text(encoding="utf-8").split(">Headlight<")[-1]
                lowest = max(float(y) for y in re.findall(r"<text[^>]* y=\"([0-9.]+)\"", page))
                self.assertTrue(300 < lowest < 580, f"{screen}: {lowest}")

    def test_help_and_version(self):
        for args in (("--help",), ("help",), ("dump", "--help")):
            r = run(*args)
            self.assertEqual(r.returncode, 0)
            self.assertIn(b"headlight render", r.stdout)
        self.assertRegex(run("--version").stdout.decode(), r"^headlight \d+\.\d+")

    def test_models(self):
        r = run("models")
        self.assertEqual(r.returncode, 0, r.stderr)
        for name in BOTH:
            self.assertIn(name.encode(), r.stdout)

    def test_no_control_reaches_the_terminal(self):
        """A title and the name of a folder are what somebody else wrote."""
        tiny = pathlib.Path(__file__).resolve().parents[2] / "data" / "ntm-tiny"
        with tempfile.TemporaryDirectory() as tmp:
            for folder, title in (("a\x1b[31mb\u009b1m", "Tiny\x1b[31m\n\x07\u009b\u202e"),
                                  ("broken\x07\u202e\u2066", None)):
                model = pathlib.Path(tmp) / folder
                model.mkdir()
                (model / "model.safetensors").symlink_to(tiny / "model.safetensors")
                config = json.loads((tiny / "config.json").read_text())
                config.update({"title": title} if title else {"n_slots": 0})
                (model / "config.json").write_text(json.dumps(config))
            r = run("models", env={**ENV, "HEADLIGHT_MODELS": tmp})
            self.assertEqual(r.returncode, 0, r.stderr)
            lines = r.stdout.decode().splitlines()
            self.assertTrue(any("Tiny [31m" in line for line in lines), lines)
            self.assertTrue(any("broken" in line and "n_slots" in line for line in lines), lines)
            self.assertFalse(set(map(chr, [*range(32), *range(127, 160), 0x202e, 0x2066])) &
                             set("".join(lines)))


class Bench(unittest.TestCase):
    def test_lines(self):
        r = run("bench", "--edits", "12", limit=300)
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertRegex(r.stdout.decode(),
                         r"key to picture: median [\d.]+ ms, p95 [\d.]+ ms, p99 [\d.]+ ms, "
                         r"worst [\d.]+ ms \(12 edits, 1 thread\)")


class Memory(unittest.TestCase):
    """A model that takes bytes and gives bytes."""

    DIR = str(pathlib.Path(__file__).resolve().parents[2] / "data" / "ntm-tiny")

    def dump(self, *args, **more):
        r = run("dump", "--model", self.DIR, *args, **more)
        self.assertEqual(r.returncode, 0, r.stderr)
        return [json.loads(line) for line in r.stdout.decode().splitlines()]

    def test_everything_is_printed(self):
        d, = self.dump("--text", "cat dog ? cat", "--stages", "all")
        config = json.load(open(pathlib.Path(self.DIR) / "config.json"))
        steps, slots = 16, config["n_slots"]
        shapes = {(a["name"], a["stage"]): a["shape"] for a in d["attentions"]}
        for kind in ("read", "write"):
            heads = config[f"n_{kind}_heads"]
            for stage in ("cosine", "content", "gated", "shifted", "weights"):
                self.assertEqual(shapes[kind, stage], [1, heads, steps, slots])
            for part in ("key", "strength", "gate", "shift", "gamma"):
                self.assertEqual(len(d["series"][f"{kind}.{part}"]), steps)
        for part in ("input", "output", "target", "controller", "read.vector", "write.erase",
                     "write.add"):
            self.assertEqual(len(d["series"][part]), steps)
        memory, = d["vectors"]
        self.assertEqual((memory["name"], memory["axis"], memory["shape"]),
                         ("memory", "address", [steps + 1, slots, config["slot_width"]]))
        self.assertEqual([t["text"] for t in d["tokens"]["steps"]][8:],
                         ["<query>", "c", "a", "t", "<query>", "", "", ""])
        self.assertEqual(len(d["tokens"]["target"]), 3)
        self.assertEqual(d["settings"]["query"], "1")

    def test_weights_alone(self):
        d, = self.dump("--text", "cat dog ? cat")
        self.assertEqual({a["stage"] for a in d["attentions"]}, {"weights"})
        self.assertNotIn("vectors", d)

    def test_a_tab_is_a_byte_as_others(self):
        one, two = self.dump(stdin="cat\tdog\nred sea ice\n")
        self.assertEqual(one["settings"]["items"], "2")
        self.assertEqual(two["settings"]["items"], "3")

    def test_no_picture_of_an_older_run(self):
        """A run that fails leaves the one before on the screen, and no file."""
        with tempfile.TemporaryDirectory() as tmp:
            out = pathlib.Path(tmp) / "x.svg"
            Sentence.fails(self, 2, "no such head", "render", "--screen", "memory", "--model",
                           self.DIR, "--text", "cat dog ? cat", "--set", "hand=1@write:60,g:1",
                           "-o", str(out))
            self.assertFalse(out.exists())

    def test_what_it_cannot_do(self):
        for word, *args in (("translator", "translate", "--text", "a"),
                            ("tokeniser", "tokenize", "--text", "a"),
                            ("takes none", "dump", "--text", "a", "--target", "b"),
                            ("no such option", "dump", "--text", "a", "--beam", "3"),
                            ("takes none", "dump", "--text", "a", "--decoder-ids", "1")):
            Sentence.fails(self, 2, word, args[0], "--model", self.DIR, *args[1:])


@unittest.skipUnless((pathlib.Path(MODELS) / "sagan-fashion").exists(), "no model for it")
class Pictures(unittest.TestCase):
    """A model that draws what words name, and judges pictures."""

    DATA = pathlib.Path(__file__).resolve().parents[2] / "data"
    SHOE = str(DATA / "pictures" / "plain.jpg")

    def fails(self, status, word, *args):
        Sentence.fails(self, status, word, *args)

    def dump(self, *args):
        r = run("dump", "--model", "sagan-fashion", *args)
        self.assertEqual(r.returncode, 0, r.stderr)
        d, = (json.loads(line) for line in r.stdout.decode().splitlines())
        return d

    def test_own_pictures(self):
        d = self.dump("--image", self.SHOE, "--set", "invert=off")
        self.assertEqual(d["settings"]["network"], "discriminator")
        a, = d["attentions"]
        cells = a["shape"][2]
        for i in range(0, cells, 7):
            self.assertAlmostEqual(sum(a["data"][i * cells:(i + 1) * cells]), 1, places=4)
        drawn = self.dump("--text", "sneaker and shirt", "--set", "seed=3", "--set", "gamma=0.5")
        self.assertEqual(drawn["settings"]["network"], "generator")
        self.assertEqual(drawn["settings"]["gamma"], "0.5")
        self.assertEqual(drawn["attentions"][0]["shape"][0], 2)

    def test_shows_what_dump_prints(self):
        a = self.dump("--text", "bag", "--set", "seed=5")["attentions"][0]
        side = round(a["shape"][2] ** 0.5)
        place = 6 * side + 9
        row = a["data"][place * side * side:(place + 1) * side * side]
        with tempfile.TemporaryDirectory() as tmp:
            path = pathlib.Path(tmp) / "x.svg"
            r = run("render", "--screen", "images", "--model", "sagan-fashion", "--text", "bag",
                    "--set", "seed=5", "--set", "cell=7,10", "-o", str(path))
            self.assertEqual(r.returncode, 0, r.stderr)
            shown = path.read_text()
        for w in sorted(row)[-5:]:
            self.assertIn(f">{w:.4f}<", shown)

    def test_refused(self):
        with tempfile.TemporaryDirectory() as tmp:
            words = pathlib.Path(tmp) / "words.png"
            words.write_text("no picture at all")
            huge = pathlib.Path(tmp) / "huge.png"
            body = b"IHDR" + struct.pack(">IIBBBBB", 20000, 20000, 8, 6, 0, 0, 0)
            huge.write_bytes(b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + body +
                             struct.pack(">I", zlib.crc32(body)))
            for status, word, path in ((1, "neither a PNG nor a JPEG", words),
                                       (1, "400 megapixels", huge), (1, "a folder", tmp),
                                       (1, "missing", tmp + "/none.png")):
                self.fails(status, word, "dump", "--model", "sagan-fashion", "--image", str(path))
        self.fails(2, "takes no pictures", "dump", "--model", "en-fr-gru", "--image", self.SHOE)
        with tempfile.TemporaryDirectory() as tmp:
            for more in (["--set", "image=" + tmp], ["--image", tmp]):
                self.fails(1, "a folder", "render", "--screen", "images", *more, "-o", tmp + "/x.svg")
            self.assertEqual(list(pathlib.Path(tmp).iterdir()), [])
        for key in ("seed=-1", "gamma=x", "snapshot=99", "invert=maybe"):
            self.fails(2, key.split("=")[0], "dump", "--model", "sagan-fashion", "--text", "a", "--set", key)

    def test_rendered(self):
        with tempfile.TemporaryDirectory() as tmp:
            path = pathlib.Path(tmp) / "x.png"
            r = run("render", "--model", "sagan-fashion", "--image", self.SHOE,
                    "-o", str(path))
            self.assertEqual(r.returncode, 0, r.stderr)
            self.assertEqual(png_size(path), (1280, 800))
            self.fails(1, "neither a PNG", "render", "--image", __file__, "-o", str(path))


if __name__ == "__main__":
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=1).run(suite)
    bad = len(result.failures) + len(result.errors)
    print(f"[  PASSED  ] {result.testsRun - bad} test(s).")
    if bad:
        print(f"[  FAILED  ] {bad} test(s)")
    sys.exit(1 if bad else 0)
