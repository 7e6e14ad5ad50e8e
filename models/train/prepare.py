#!/usr/bin/env python3
"""Prepares the training data of both translators: see README.md.

    prepare.py --data DIR --work DIR [--regenerate]

DIR of --data holds eng-fra.tsv.gz (and, beside it, coref-tests/, whose
sentences are kept out of training). Everything is written to WORK/data. All
held-out sets are decided before the training file is written, and checked on
it afterwards. --regenerate keeps the vocabulary and rewrites the other files.
"""

import argparse
import gzip
import json
import os
import random
import re

import frames
import grammar
import lexicon
import normalizer
import vocab

SEED = 20260
N_TEST = N_DEV = 1000
N_PAIRS = 100
N_VALID_EACH = 750
MAX_TOKENS = 40
ANIMAL = "animal", "street"
AREA = "European Economic Area", "zone économique européenne"
# Noun pairs of well-known test schemas; no practice sentence joins them.
SCHEMAS = [("bottle", "cup"), ("ball", "table")]
HERE = os.path.dirname(os.path.abspath(__file__))


def normal(text, french):
    """As the tokenizer cleans; French ? ! : ; after one plain space."""
    text = normalizer.clean(text)
    if french:
        text = re.sub(r"(?<=[^\s?!:;])([?!:;]+)(?!\d)", r" \1", text)
    return text


def key(text):
    """What two sentences share that differ in case and punctuation only."""
    return re.sub(r"[^\w]+", " ", text.lower()).strip()


def read_tatoeba(folder):
    """[(line number, english, french)] from 1, normalised."""
    path = os.path.join(folder, "eng-fra.tsv.gz")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    return [(n, normal(e, False), normal(f, True)) for n, (e, f) in enumerate(rows, 1)]


def read_schemas(folder):
    """Keys of the Winograd-type test sentences."""
    keys = set()
    folder = os.path.join(folder, os.pardir, "coref-tests")
    if os.path.isdir(folder):
        for name in sorted(os.listdir(folder)):
            if name.startswith(("xwino", "winomt", "winogender")):
                with gzip.open(os.path.join(folder, name), "rt", encoding="utf-8") as file:
                    for line in file:
                        keys.update(key(normal(f, False)) for f in line.split("\t")
                                    if len(f) > 20)
    return keys


def split_tatoeba(rows):
    """(test, dev) line numbers: one of each drawn English sentence."""
    first = {}
    for n, en, _ in rows:
        first.setdefault(key(en), n)
    drawn = random.Random(SEED).sample(sorted(first.values()), N_TEST + N_DEV)
    return sorted(drawn[:N_TEST]), sorted(drawn[N_TEST:])


def read_siblings():
    return [row for row in lexicon.rows("siblings.tsv")]


def draw_pairs(siblings):
    """({"dev": pairs, "test": pairs} of animal and thing, person pairs)."""
    taken = {tuple(row[:2]) for row in siblings}
    r = random.Random(SEED + 1)
    free = [(a, b) for a in grammar.CORE_ANIMALS for b in grammar.CORE_THINGS
            if a.gender != b.gender and (a.en, b.en) not in taken]
    drawn = r.sample(free, 2 * N_PAIRS)
    persons = [(a, b) for a in grammar.NOUNS["person"][:7] for b in grammar.CORE_THINGS
               if a.gender != b.gender]
    return {"dev": drawn[:N_PAIRS], "test": drawn[N_PAIRS:]}, r.sample(persons, 40)


class HoldOut:
    """Tells whether a pair of sentences may be trained on."""

    def __init__(self, pairs, english_keys, french_keys):
        self.forms, self.partners = {}, {}
        self.english, self.french = english_keys, french_keys
        for a, b in pairs:
            self.partners.setdefault(a, set()).add(b)
            self.partners.setdefault(b, set()).add(a)
        for name in self.partners:
            noun = grammar.BY_NAME[name]
            self.forms[noun.en], self.forms[noun.en_plural] = name, name

    def joins_pair(self, english):
        found = {self.forms[w] for w in re.findall(r"\w+", english.lower()) if w in self.forms}
        return any(self.partners[name] & found for name in found)

    def allows(self, english, french):
        return not (self.joins_pair(english) or AREA[0].lower() in english.lower()
                    or AREA[1] in french.lower() or key(english) in self.english
                    or key(french) in self.french)


PLAIN_FRAMES = [  # frame, to the thing?, order of the referent
    (grammar.active, 0, "first"), (grammar.passive, 1, "first"), (grammar.active, 0, "first"),
    (grammar.active, 1, "second"), (grammar.passive, 0, "second"), (grammar.active, 1, "second")]
OTHER_FRAMES = [(grammar.beside, 1, "first"), (grammar.beside, 0, "second"),
                (grammar.moving, 0, "first"), (grammar.moving, 1, "second")]


def one_row(r, frame, a, b, to_thing, order, name):
    """A row of a pronoun set, or None if its adjective also names a noun."""
    en, fr = frame(r, a, b, to_thing, True)
    plain, links = lexicon.english(en)
    plain_fr = grammar.capitals(lexicon.french(fr))
    pronoun, right = links.split(">")
    noun, other = (b, a) if to_thing else (a, b)
    start = re.search(rf"\b{other.en}\b", plain, re.I).start()
    wrong = f"{start}:{start + len(other.en)}"
    s, e = map(int, right.split(":"))
    assert plain[s:e].lower() == noun.en
    adjective = plain.rstrip(".").split()[-1]
    found = [x.of(noun) for x in grammar.CORE_BEING + grammar.CORE_PLACE if x.en == adjective]
    assert len(found) == 1 and found[0] in plain_fr
    return [plain, plain_fr, pronoun, right, wrong, noun.gender, adjective, name, order, found[0]]


def pronoun_rows(pairs, seed):
    """Six sentences for each pair; three have the referent second."""
    r, rows = random.Random(seed), []
    for a, b in pairs:
        table = list(PLAIN_FRAMES)
        for extra in r.sample(OTHER_FRAMES, 2):
            places = [i for i, row in enumerate(table)
                      if row[0] is grammar.active and row[1:] == extra[1:]]
            same = [i for i, row in enumerate(table) if row[1:] == extra[1:]]
            table[(places or same)[-1]] = extra
        seen = set()
        for frame, to_thing, order in table:
            row = one_row(r, frame, a, b, to_thing, order, f"{a.en}/{b.en}")
            while row[0] in seen:
                row = one_row(r, frame, a, b, to_thing, order, f"{a.en}/{b.en}")
            seen.add(row[0])
            rows.append(row)
    return rows


def sibling_rows(row):
    """The two sentences of a sibling, in the columns of the pronoun sets."""
    a, b = grammar.BY_NAME[row[0]], grammar.BY_NAME[row[1]]
    verb = next(v for v in grammar.VERBS["place"] if v.base == row[2])
    out = []
    for to_thing, word in enumerate(row[3:5]):
        noun, k = (b, "b") if to_thing else (a, "a")
        adjective = next(x for x in grammar.CORE_BEING + grammar.CORE_PLACE if x.en == word)
        en = (f"the [a:{a.en}] didn't {verb.base} the [b:{b.en}] because "
              f"<{k}:it> was too {word}.")
        fr = (f"{a.le} ne a pas {verb.pp} {b.le} parce que {noun.il} était trop "
              f"{adjective.of(noun)}.")
        plain, links = lexicon.english(en)
        pronoun, right = links.split(">")
        other = (a, b)[1 - to_thing]
        at = plain.index(other.en)
        out.append([plain, lexicon.french(fr), pronoun, right, f"{at}:{at + len(other.en)}",
                    noun.gender, word, f"{a.en}/{b.en}", ("first", "second")[to_thing],
                    adjective.of(noun)])
    return out


def write(path, rows):
    """Writes rows as a whole or not at all."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        for row in rows:
            assert not any("\t" in str(f) or "\n" in str(f) for f in row)
            file.write("\t".join(map(str, row)) + "\n")
    os.replace(path + ".new", path)


def eval_sets(siblings, pairs, persons):
    sets = {f"pronouns.{part}.tsv": pronoun_rows(pairs[part], SEED + 2 + i)
            for i, part in enumerate(("dev", "test"))}
    sets["persons.test.tsv"] = pronoun_rows(persons, SEED + 4)
    sets["animal.tsv"] = sibling_rows(siblings[0])
    sets["siblings.tsv"] = [r for row in siblings[1:] for r in sibling_rows(row)]
    sets["area.tsv"] = [[f"The agreement on the {AREA[0]} was signed in August 1992.",
                         f"L'accord sur la {AREA[1]} a été signé en août 1992."]]
    return sets


def check(train, hold, tatoeba_test):
    """Asserts that nothing held out is in the training file."""
    english = {key(e) for _, e, _, _ in train}
    french = {key(f) for _, _, f, _ in train}
    for en, fr in tatoeba_test:
        assert key(en) not in english and key(fr) not in french
    for _, en, fr, links in train:
        assert hold.allows(en, fr)
        words = set(re.findall(r"\w+", en.lower()))
        assert not ({"animal", "animals"} & words and {"street", "streets"} & words)
        for link in links.split():
            (p0, p1), (n0, n1) = (map(int, s.split(":")) for s in link.split(">"))
            assert en[p0:p1].isalpha() and 0 <= n0 < n1 <= len(en)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", required=True, help="folder of eng-fra.tsv.gz")
    parser.add_argument("--work", required=True, help="folder for everything made")
    parser.add_argument("--regenerate", action="store_true", help="keep the vocabulary")
    args = parser.parse_args()
    out = os.path.join(args.work, "data")
    os.makedirs(out, exist_ok=True)

    rows = read_tatoeba(args.data)
    siblings = read_siblings()
    pairs, persons = draw_pairs(siblings)
    test, dev = split_tatoeba(rows)
    write(os.path.join(HERE, "tatoeba.test.ids"), [[n] for n in test])
    held = {key(rows[n - 1][1]) for n in test + dev}
    sets = eval_sets(siblings, pairs, persons)
    held_rows = [(e, f) for _, e, f in rows if key(e) in held]
    english = held | read_schemas(args.data) | {key(r[0]) for s in sets.values() for r in s}
    french = {key(f) for _, f in held_rows} | {key(r[1]) for s in sets.values() for r in s}
    names = [(a.en, b.en) for a, b in pairs["dev"] + pairs["test"] + persons]
    hold = HoldOut(names + [tuple(r[:2]) for r in siblings] + SCHEMAS, english, french)

    for name, ids in (("test", test), ("dev", dev)):
        write(os.path.join(out, f"tatoeba.{name}.tsv"), [rows[n - 1][1:] for n in ids])
    for name, content in sets.items():
        write(os.path.join(out, name), content)

    with open(os.path.join(out, "hold.json"), "w", encoding="utf-8") as file:
        json.dump({"english": sorted(hold.english), "french": sorted(hold.french),
                   "forms": hold.forms,
                   "partners": {k: sorted(v) for k, v in hold.partners.items()}}, file)

    tatoeba = [("tatoeba", e, f, "") for _, e, f in rows if hold.allows(e, f)]
    practice = [("practice", *p[:2], p[2]) for p in grammar.generate(
        grammar.CORE + frames.PRONOUNS + frames.OTHER, SEED, hold.allows)]
    r = random.Random(SEED + 5)
    valid_keys = set(r.sample(sorted({key(t[1]) for t in tatoeba}), N_VALID_EACH))
    valid = list({key(t[1]): t for t in tatoeba if key(t[1]) in valid_keys}.values())
    r.shuffle(practice)
    valid += practice[:N_VALID_EACH]
    valid_keys |= {key(v[1]) for v in valid}
    train = [t for t in tatoeba + practice if key(t[1]) not in valid_keys]
    r.shuffle(train)

    if not args.regenerate:
        vocab.train(train, out)
    train = vocab.at_most(train, out, MAX_TOKENS)
    check(train, hold, held_rows)
    write(os.path.join(out, "train.tsv"), train)
    write(os.path.join(out, "valid.tsv"), valid)
    vocab.export(out)
    counts = {}
    for t in train:
        counts[t[0]] = counts.get(t[0], 0) + 1
    print("train", counts, "valid", len(valid), "with links",
          sum(bool(t[3]) for t in train))


if __name__ == "__main__":
    main()
