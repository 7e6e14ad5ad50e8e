"""Sentence pairs as training sees them: augmented, tokenised, in batches.

Augmentation makes the translator sturdy towards how people type: the final
full stop is sometimes missing (on both sides), the English sometimes wholly
in lower case. Every epoch draws anew, from its own seed.
"""

import numpy as np
import sentencepiece
import torch

from common import EOS, PAD

NO_STOP, LOWER, BOTH = 0.15, 0.08, 0.04
LONGEST = 62


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


def read_pairs(path):
    """Lines of train.tsv or valid.tsv: (english, french, links, origin)."""
    pairs = []
    with open(path, encoding="utf-8") as handle:
        for line in handle:
            fields = line.rstrip("\n").split("\t")
            if fields[0] == "origin":
                continue
            links = []
            for link in (fields[3] if len(fields) > 3 else "").split():
                pronoun, noun = (tuple(map(int, side.split(":"))) for side in link.split(">"))
                links.append((pronoun, noun))
            pairs.append((fields[1], fields[2], links, fields[0]))
    return pairs


class Corpus:
    """`share` of the practice pairs, drawn anew, take part in each epoch."""

    def __init__(self, path, tokenizer, seed, augment=True, share=0.45):
        self.pairs, self.tokenizer = read_pairs(path), tokenizer
        self.seed, self.augment = seed, augment
        self.english = tokenizer.encode([p[0] for p in self.pairs])
        self.french = tokenizer.encode([p[1] for p in self.pairs])
        self.practice = np.array([p[3] == "practice" for p in self.pairs])
        self.share, self.alignment = share, None

    def load_alignment(self, path):
        """Source characters that a recurrent model aligned to each target
        piece: three flat arrays and the offset of each pair in them."""
        data = np.load(path)
        if len(data["offsets"]) != len(self.pairs) + 1:
            raise ValueError(f"{path} belongs to another train.tsv: run align.py again")
        self.alignment = {name: data[name] for name in data.files}

    def augmented(self, epoch):
        """Token lists of one epoch, English texts where they were changed."""
        rng = np.random.default_rng([self.seed, epoch])
        english, french, texts = list(self.english), list(self.french), {}
        if not self.augment:
            return english, french, texts, rng
        draw = rng.random(len(self.pairs))
        again, again_french, target = [], [], []
        for i, x in enumerate(draw):
            if x >= NO_STOP + LOWER + BOTH:
                continue
            source, french_text = self.pairs[i][:2]
            if x < NO_STOP + BOTH and source.endswith(".") and not source.endswith(".."):
                source = source[:-1]
                if french_text.endswith(".") and not french_text.endswith(".."):
                    again_french.append(i)
                    target.append(french_text[:-1])
            if x >= NO_STOP:
                source = source.lower()
            again.append(i)
            texts[i] = source
        for i, ids in zip(again, self.tokenizer.encode([texts[i] for i in again])):
            english[i] = ids
        for i, ids in zip(again_french, self.tokenizer.encode(target)):
            french[i] = ids
        return english, french, texts, rng

    def batches(self, epoch, tokens):
        """Micro-batches of one source length and about `tokens` targets."""
        english, french, _, rng = self.augmented(epoch)
        source = np.array([len(x) for x in english])
        target = np.array([len(x) for x in french])
        fits = (source < LONGEST) & (target < LONGEST) & (source > 0)
        if self.augment:
            fits &= ~self.practice | (rng.random(len(source)) < self.share)
        usable = np.flatnonzero(fits)
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
        return [(groups[g], english, french) for g in rng.permutation(len(groups))]

    def tensors(self, group, english, french, naming_scale=1.0):
        """One micro-batch as transformer.py's `loss` wants it."""
        length = len(english[group[0]]) + 1
        longest = max(len(french[i]) for i in group) + 1
        source = np.full((len(group), length), EOS, dtype=np.int64)
        target = np.full((len(group), longest), PAD, dtype=np.int64)
        given = np.full((len(group), longest), PAD, dtype=np.int64)
        pronouns, names = [], []
        aligned = None
        if self.alignment is not None:
            aligned = np.full((len(group), longest), -1, dtype=np.int64)
        for row, i in enumerate(group):
            e, f = english[i], french[i]
            source[row, : len(e)] = e
            target[row, : len(f)] = f
            target[row, len(f)] = EOS
            given[row, 1 : len(f) + 1] = f
            for (_, p1), (n0, _) in self.pairs[i][2]:
                pronouns.append(row * length + self.tokenizer.piece_at(e, p1 - 1))
                names.append(e[self.tokenizer.piece_at(e, n0)])
            if aligned is not None:
                self.align_row(aligned[row], i, e, f)
        batch = {
            "source": torch.from_numpy(source),
            "given": torch.from_numpy(given),
            "target": torch.from_numpy(target),
            "pronouns": torch.tensor(pronouns, dtype=torch.int64),
            "names": torch.tensor(names, dtype=torch.int64),
            "naming_scale": naming_scale,
        }
        if aligned is not None:
            batch["aligned"] = torch.from_numpy(aligned)
        return batch

    def align_row(self, row, i, english, french):
        """Carries stored character alignments over to these pieces."""
        a = self.alignment
        begin, end = a["offsets"][i], a["offsets"][i + 1]
        if begin == end:
            return
        stored = dict(zip(a["target"][begin:end].tolist(), a["source"][begin:end].tolist()))
        starts = self.tokenizer.starts(english)
        for t, place in enumerate(self.tokenizer.starts(french).tolist()):
            character = stored.get(place)
            if character is not None:
                row[t] = np.searchsorted(starts, character, "right") - 1
