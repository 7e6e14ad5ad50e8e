"""Sentence pairs as training sees them: drawn, augmented, tokenised, batched.

Training goes in rounds. Each draws a part of Tatoeba, some of the practice
sentences, every line of our own corpus (with fresh fillings of its slots) and
newly generated sentences. Augmentation makes the translator sturdy towards
how people type: names and numbers of Tatoeba are exchanged, the final full
stop is sometimes missing (on both sides), the English sometimes wholly in
lower case, and some pairs break off where somebody stopped typing.
"""

import glob
import json
import os
import random
import re

import numpy as np
import sentencepiece
import torch

import cut
import grammar
import slots
import words
from common import EOS, PAD

NO_STOP, LOWER, CUT = 0.15, 0.08, 0.08
LONGEST = 62
HERE = os.path.dirname(os.path.abspath(__file__))
ALONE = re.compile(r"(It|They|He|She)\b(?!.*[.?!;,] )")
DETERMINERS = {"the", "a", "an", "my", "your", "his", "our", "their"}


class Tokenizer:
    """vocab.model, and which pieces cover which characters."""

    def __init__(self, path):
        self.sp = sentencepiece.SentencePieceProcessor(model_file=path)
        self.widths = np.array([self.width(i) for i in range(self.sp.get_piece_size())])

    def width(self, i):
        """Characters that a piece stands for; of a byte run only the lead."""
        if self.sp.is_control(i) or self.sp.is_unknown(i):
            return 0
        piece = self.sp.id_to_piece(i)
        if self.sp.is_byte(i):
            return 0 if 0x80 <= int(piece[3:5], 16) < 0xC0 else 1
        return len(piece)

    def encode(self, texts):
        return self.sp.encode(texts)

    def starts(self, ids):
        """First character of each piece; the text's own characters from 1,
        since the tokeniser puts a mark in front."""
        widths = self.widths[np.asarray(ids)]
        return np.cumsum(widths) - widths

    def piece_at(self, ids, character):
        """Index of the piece that covers a character of the text."""
        return int(np.searchsorted(self.starts(ids), character + 1, "right")) - 1


def read_links(text):
    return [tuple(tuple(map(int, side.split(":"))) for side in link.split(">"))
            for link in text.split()]


def read_pairs(path):
    """Lines of train.tsv or valid.tsv: (english, french, links, origin)."""
    pairs = []
    with open(path, encoding="utf-8") as handle:
        for line in handle:
            fields = line.rstrip("\n").split("\t")
            pairs.append((fields[1], fields[2], read_links(fields[3]), fields[0]))
    return pairs


class HoldOut:
    """hold.json of prepare.py: what may not be trained on."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as handle:
            data = json.load(handle)
        self.english, self.french = set(data["english"]), set(data["french"])
        self.forms = data["forms"]
        self.partners = {k: set(v) for k, v in data["partners"].items()}

    def allows(self, english, french):
        words = re.findall(r"\w+", english.lower())
        found = {self.forms[w] for w in words if w in self.forms}
        key = re.sub(r"[^\w]+", " ", english.lower()).strip()
        other = re.sub(r"[^\w]+", " ", french.lower()).strip()
        return not (any(self.partners[name] & found for name in found)
                    or "european economic area" in key or key in self.english
                    or other in self.french)


def own_pairs(allows):
    """Lines of corpus/*.tsv that keep the hold-outs out."""
    pairs = []
    for path in sorted(glob.glob(os.path.join(HERE, "corpus", "*.tsv"))):
        with open(path, encoding="utf-8") as handle:
            for line in handle:
                fields = line.rstrip("\n").split("\t")
                if not line.startswith("#") and len(fields) == 2 and allows(*fields):
                    pairs.append(tuple(fields))
    return pairs


def read_words(folder):
    """Sentences that words.py wrote with the lexicon, where there are any."""
    path = os.path.join(folder, "words.tsv")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as handle:
        return [tuple(line.rstrip("\n").split("\t")) for line in handle]


class Words:
    """Nouns and adjectives by which a determiner finds its noun."""

    def __init__(self):
        self.nouns, self.adjectives = set(), set()
        for kind in grammar.NOUNS.values():
            self.nouns |= {n.en for n in kind} | {n.en_plural for n in kind}
        for kind in grammar.ADJECTIVES.values():
            self.adjectives |= {a.en for a in kind}
        self.adjectives |= set("""new old good bad big small little young long short red blue green
            white black yellow brown grey hot cold warm nice great other first second third last
            next same whole beautiful pretty large poor rich strong heavy light dark clean dirty
            cheap expensive important difficult easy favourite favorite own only best better open
            empty full fresh sweet high low deep wide narrow strange famous modern tall fat thin
            wooden broken lost two three four five""".split())
        book = words.Book()
        self.nouns |= {w for n in book.nouns for w in (n.en, n.en_plural) if w}
        self.adjectives |= {a.en for a in book.adjectives}
        self.nouns -= self.adjectives - {"orange"}

    def links(self, text):
        """[((determiner), (noun))] as character ranges."""
        found = list(re.finditer(r"[\w'-]+", text))
        out = []
        for i, m in enumerate(found):
            if m.group().lower() not in DETERMINERS:
                continue
            for n in found[i + 1 : i + 5]:
                word = n.group().lower()
                if word in self.nouns:
                    out.append((m.span(), n.span()))
                    break
                if word not in self.adjectives:
                    break
        return out


class Corpus:
    """Rounds of training pairs, or (augment=False) a fixed list."""

    def __init__(self, path, tokenizer, seed, augment=True, parts=None, generators=()):
        self.tokenizer, self.seed, self.augment = tokenizer, seed, augment
        self.pairs = read_pairs(path)
        self.words = Words()
        self.parts = {"tatoeba": 0.125, "practice": 3000, "fresh": 8000, "words": 4000, "own": 1.5, **(parts or {})}
        self.generators = generators
        if not augment:
            return
        self.folder = os.path.dirname(path)
        self.hold = HoldOut(os.path.join(self.folder, "hold.json"))
        self.cutter = cut.load(self.folder)
        self.tatoeba = [p for p in self.pairs if p[3] == "tatoeba"]
        self.practice = [p for p in self.pairs if p[3] != "tatoeba"]
        order = random.Random(seed).sample(range(len(self.tatoeba)), len(self.tatoeba))
        self.tatoeba = [self.tatoeba[i] for i in order]

    def drawn(self, number, r):
        """The pairs of one round: (english, french, links, may be cut)."""
        stripes = round(1 / self.parts["tatoeba"])
        out = []
        for e, f, links, _ in self.tatoeba[number % stripes :: stripes]:
            changed = slots.template(e, f, r) if r.random() < 0.9 else None
            if changed:
                e, f = slots.fill(*changed, r)
            start = ALONE.match(e)
            if start and r.random() < 0.4:
                links = [(start.span(1), start.span(1))]
            out.append((e, f, links, True))
        out += [(*p[:3], True) for p in r.sample(self.practice, self.parts["practice"])]
        for e, f in own_pairs(self.hold.allows):
            times = self.parts["own"] * (3 if "{" in e else 1)
            for _ in range(int(times) + (r.random() < times % 1)):
                out.append((*slots.fill(e, f, r), [], True))
        pairs = read_words(self.folder)
        for e, f in r.sample(pairs, min(len(pairs), self.parts["words"])):
            out.append((e, f, [], True))
        total = sum(weight for _, weight in self.generators)
        for generate, weight in self.generators:
            wanted = int(self.parts["fresh"] * weight / total)
            for e, f, links in generate(r, wanted, self.hold.allows):
                out.append((e, f, read_links(links), True))
        return out

    def varied(self, e, f, links, r):
        """One pair as somebody may type it."""
        draw = r.random()
        if draw < CUT:
            pair = self.cutter.cut(e, f, r)
            if pair:
                e, f = pair
                links = [p for p in links if max(p[0][1], p[1][1]) <= len(e)]
        elif draw < CUT + NO_STOP and e.endswith(".") and not e.endswith(".."):
            e = e[:-1]
            f = f[:-1] if f.endswith(".") and not f.endswith("..") else f
        if r.random() < LOWER:
            low = e.lower()
            e = low if len(low) == len(e) and '"' not in e else e
        return e, f, links

    def round(self, number):
        r = random.Random(f"{self.seed}/{number}")
        if not self.augment:
            return [p[:3] for p in self.pairs]
        return [self.varied(e, f, links, r) for e, f, links, _ in self.drawn(number, r)]

    def batches(self, number, tokens):
        """Micro-batches of one source length and about `tokens` targets."""
        rng = np.random.default_rng([self.seed, number])
        pairs = self.round(number)
        english = self.tokenizer.encode([p[0] for p in pairs])
        french = self.tokenizer.encode([p[1] for p in pairs])
        source = np.array([len(x) for x in english])
        target = np.array([len(x) for x in french])
        usable = np.flatnonzero((source < LONGEST) & (target < LONGEST) & (source > 0))
        order = usable[np.lexsort((rng.random(len(usable)), target[usable], source[usable]))]
        groups, current = [], []
        for i in order:
            if current and (source[i] != source[current[0]]
                            or (len(current) + 1) * (target[i] + 1) > tokens):
                groups.append(current)
                current = []
            current.append(i)
        if current:
            groups.append(current)
        rows = [[(english[i], french[i], *pairs[i]) for i in group] for group in groups]
        return [rows[g] for g in rng.permutation(len(rows))]

    def tensors(self, group):
        """One micro-batch as transformer.py's `loss` wants it."""
        length = len(group[0][0]) + 1
        longest = max(len(row[1]) for row in group) + 1
        source = np.full((len(group), length), EOS, dtype=np.int64)
        target = np.full((len(group), longest), PAD, dtype=np.int64)
        given = np.full((len(group), longest), PAD, dtype=np.int64)
        pronouns, determiners = [], []
        for n, (e, f, text, _, links) in enumerate(group):
            source[n, : len(e)] = e
            target[n, : len(f)] = f
            target[n, len(f)] = EOS
            given[n, 1 : len(f) + 1] = f
            for link in links:
                pronouns.append((n, *self.pieces(e, link), link[0] == link[1]))
            for link in self.words.links(text):
                determiners.append((n, *self.pieces(e, link), False))
        return {
            "source": torch.from_numpy(source),
            "given": torch.from_numpy(given),
            "target": torch.from_numpy(target),
            "pronouns": self.marked(pronouns, length),
            "determiners": self.marked(determiners, length),
        }

    def pieces(self, ids, link):
        """Piece that says the pronoun, first and last piece of its noun."""
        (_, p1), (n0, n1) = link
        return [self.tokenizer.piece_at(ids, c) for c in (p1 - 1, n0, n1 - 1)]

    @staticmethod
    def marked(found, length):
        """rows, queries, and a mask [links, length] of where to look; a pronoun
        that stands for nothing may rest on itself or on the end token."""
        mask = torch.zeros(len(found), length)
        for i, (_, _, first, last, alone) in enumerate(found):
            mask[i, first : last + 1] = 1.0
            if alone:
                mask[i, length - 1] = 1.0
        return (torch.tensor([x[0] for x in found], dtype=torch.int64),
                torch.tensor([x[1] for x in found], dtype=torch.int64), mask,
                torch.tensor([x[4] for x in found], dtype=torch.bool))
