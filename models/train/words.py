#!/usr/bin/env python3
"""Writes English-French pairs in which every word of lexicon/ is met often.

    words.py --seed N --count N > FILE        # English TAB French

The frames are in wordframes.py. The generator goes through the lexicon in
random order, again and again, and takes for each word a frame that has a place
for it; the other places get the words that were met least. Same seed, same
file. `generate()` is the same for programs.
"""

import argparse
import random
import re
import sys

import clauses
from clauses import Adjective, Noun, Verb, noun_phrase

HUMAN = ("per", "kin")
GENERIC = {"sport", "hob", "subj", "lang"}
# Pairs of nouns that are kept for tests.
TU = re.compile(r"\b(tu|te|toi|ton|ta|tes|t')\b|\bt'", re.I)
VOUS = re.compile(r"\b(vous|votre|vos|dites|savez|parlez|regardez|connaissez|aimez)\b", re.I)
APART = [("animal", "street"), ("bottle", "cup"), ("ball", "table"), ("trophy", "suitcase")]


class Phrase:
    """An adverb, time phrase or other fixed words."""

    def __init__(self, en, fr, kind):
        self.en, self.fr, self.kind = en, fr, kind


class Pool(list):
    """A list that knows fast what is in it."""

    def __init__(self, words):
        super().__init__(words)
        self.members = set(self)

    def __contains__(self, word):
        return word in self.members


class Book:
    """The lexicon, by class and by what goes with what."""

    def __init__(self):
        self.nouns = [Noun(*row) for row in clauses.table("nouns.tsv")]
        self.adjectives = [self.adjective(row) for row in clauses.table("adjectives.tsv")]
        self.verbs = [self.verb(row) for row in clauses.table("verbs.tsv")]
        self.others = {name: [Phrase(*row) for row in clauses.table(name + ".tsv")] for name in
                       ("adverbs", "phrases", "prepositions", "conjunctions", "questions")}
        self.classes = {}
        for noun in self.nouns:
            noun.key = noun
            self.classes.setdefault(noun.kind, []).append(noun)
        self.groups = {}
        for name, words in clauses.table("groups.tsv"):
            wanted = {w.replace("_", " ") for w in words.split()}
            self.groups[name] = [n for n in self.nouns if n.en in wanted and n.kind != "ani" or
                                 n.en in wanted and name in ("dog", "horse")]
        self.describing = {}
        for adjective in self.adjectives:
            adjective.key = adjective
            for kind in adjective.describes:
                self.describing.setdefault(kind, []).append(adjective)
        self.taking, self.doing = {}, {}
        for verb in self.verbs:
            verb.key = verb
            verb.nouns = self.members(verb.object)
            for noun in verb.nouns:
                self.taking.setdefault(noun, []).append(verb)
            for kind in verb.subject:
                for noun in (self.members([kind]) if kind != "h" else ()):
                    self.doing.setdefault(noun, []).append(verb)
        self.words = self.nouns + self.adjectives + self.verbs + [
            x for rows in self.others.values() for x in rows]
        for rows in self.others.values():
            for x in rows:
                x.key = x

        self.pools = {}

    def pool(self, name, *kinds):
        """A list of words by class, with fast membership."""
        if (name, kinds) not in self.pools:
            words = {"nouns": lambda: (n for n in self.nouns if n.kind in kinds),
                     "adjectives": lambda: self.describing.get(kinds[0], ()),
                     "verbs": lambda: (v for v in self.verbs
                                       if kinds[0] in v.subject and not v.object),
                     "takers": lambda: (v for v in self.verbs if "h" in v.subject and v.nouns)}
            others = lambda: (p for p in self.others[name] if p.kind in kinds)
            self.pools[name, kinds] = Pool(words.get(name, others)())
        return self.pools[name, kinds]

    @staticmethod
    def adjective(row):
        row = list(row) + [""] * (6 - len(row))
        return Adjective(row[0], row[1], row[1] if row[2] == "=" else row[2], row[3], row[4],
                         row[5]) if row[2] != "=" else Fixed(*row)

    @staticmethod
    def verb(row):
        base, past, part, ing, french, aux, subject, obj, marks = list(row) + [""] * (9 - len(row))
        past = past or clauses.past(base)
        return Verb(base, past, part or past, ing or clauses.ing(base), french, aux, subject, obj,
                    marks)

    def members(self, names):
        found = {}
        for name in names:
            for noun in self.groups.get(name) or self.classes.get(name, ()):
                found[noun] = True
        return list(found)


class Fixed(Adjective):
    """An adjective that never changes: marron, en bois, à la mode."""

    def __init__(self, en, masc, fem, position, describes, compare):
        super().__init__(en, masc, masc, position, describes, compare)

    def agreed(self, fem, plural):
        return self.masc


class Draw:
    """What one sentence is drawn with: random choices that favour rare words."""

    def __init__(self, r, book, met):
        self.r, self.book, self.met = r, book, met
        self.want, self.got = None, []

    def start(self, want):
        self.want, self.got = want, []

    def chance(self, share):
        return self.r.random() < share

    def of(self, *options):
        return self.r.choice(options)

    def pick(self, options, test=None):
        """The wanted word if it is among the options, or one of those met least."""
        if self.want is not None and self.want not in self.got and self.want in options and (
                not test or test(self.want)):
            chosen = self.want
        else:
            few = []
            for _ in range(40 if options else 0):
                word = options[int(self.r.random() * len(options))]
                if not test or test(word):
                    few.append(word)
                    if len(few) == 3:
                        break
            if not few:
                raise LookupError
            chosen = min(few, key=lambda x: self.met.get(x, 0))
        self.got.append(chosen)
        return chosen

    def noun(self, *kinds, test=None):
        noun = self.pick(self.book.pool("nouns", *kinds), test)
        if noun.feminine and self.chance(0.35):
            return noun.woman()
        return noun

    def phrase(self, name, *kinds):
        return self.pick(self.book.pool(name, *kinds))

    def adjective(self, noun, test=None):
        """An adjective that may describe the noun."""
        return self.pick(self.book.pool("adjectives", noun.kind),
                         lambda a: a.en != noun.en and (not test or test(a)))

    def described(self, *kinds, test=None, noun_test=None):
        """A noun of the kinds and an adjective for it."""
        want = self.want
        if isinstance(want, Adjective) and want.describes & set(kinds) and (
                not test or test(want)):
            kinds = sorted(want.describes & set(kinds))
        noun = self.noun(*kinds, test=noun_test)
        return noun, self.adjective(noun, test)

    def verb(self, subject="h", test=None):
        """A verb without object."""
        return self.pick(self.book.pool("verbs", subject), test)

    def verb_and_noun(self, test=None, noun_test=None):
        """A human's verb and a noun that it may take."""
        pool = self.book.pool("takers")

        def fits(v):
            return v in pool and (not test or test(v))
        want = self.want
        if isinstance(want, Noun) and (not noun_test or noun_test(want)):
            options = [v for v in self.book.taking.get(want, ()) if fits(v)]
            if options:
                verb = self.pick(options)
                self.got.append(want)
                return verb, want.woman() if want.feminine and self.chance(0.35) else want
        verb = self.pick(pool, test)
        noun = self.pick(verb.nouns, noun_test)
        if noun.feminine and self.chance(0.35):
            return verb, noun.woman()
        return verb, noun

    def person(self, pronouns=0.65):
        """A human subject: a pronoun, my sister, the doctor."""
        want = self.want
        if isinstance(want, Noun) and want.kind in HUMAN and want not in self.got:
            pronouns = 0.0
        if self.chance(pronouns):
            return clauses.subject(self.r.choice((0, 0, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6)))
        kind = self.of("per", "kin")
        if isinstance(want, Noun) and want.kind in HUMAN and want not in self.got:
            kind = want.kind
        noun = self.noun(kind)
        if kind == "kin":
            return noun_phrase(noun, self.of("je", "je", "tu", "vous", "il", "elle"))
        if self.chance(0.2) and noun.counts:
            return noun_phrase(noun, self.of("the", "the", "two", "several"), True)
        return noun_phrase(noun, self.of("the", "the", "the", "this"))

    def thing(self, noun, verb=None, adjectives=0.12):
        """The object phrase of a verb: articles as the class wants them."""
        kind, chance = noun.kind, self.r.random()
        if kind == "body":
            return body_phrase(noun)
        if kind == "lang" and verb and verb.infinitive == "parler":
            return clauses.Phrase(noun.en, noun.fr, noun=noun)
        if kind == "inst":
            return noun_phrase(noun, "the")
        if kind in GENERIC or kind == "ill" and noun.mass:
            return noun_phrase(noun, "generic")
        if kind == "qual":
            bare = verb and verb.base in ("show", "feel", "lack", "need", "express")
            return noun_phrase(noun, "bare" if bare else "generic")
        if verb and verb.infinitive in ("aimer", "adorer", "détester", "préférer") and (
                not verb.tail and kind not in HUMAN and chance < 0.6 and not noun.en_always):
            return noun_phrase(noun, "generic", noun.counts)
        adjective = None
        if self.chance(adjectives) and kind in self.book.describing:
            adjective = self.adjective(noun)
        if kind == "kin":
            return noun_phrase(noun, self.of("je", "je", "tu", "vous", "elle", "nous"))
        if kind == "wea":
            return noun_phrase(noun, "the")
        if noun.mass:
            bare = kind in ("foodm", "drink", "mat") or noun.fr_always
            options = ["the", "the", "this", "je"] + (["a", "a", "bare"] if bare else [])
            return noun_phrase(noun, self.r.choice(options), False, adjective)
        if kind in ("geo", "bld", "room", "wea", "org"):
            return noun_phrase(noun, self.of("the", "the", "the", "this", "a"), False, adjective)
        if chance < 0.7 or noun.en_always or not noun.counts:
            options = ["the", "the", "the", "a", "a", "this", "that", "je", "elle", "vous", "ils"]
            if kind in ("event", "tech", "per", "ani", "math", "ling", "sci"):
                options = options[:7]
            if noun.en_always or not noun.counts:
                options = ["the", "this", "je", "elle"]
            return noun_phrase(noun, self.r.choice(options), False, adjective)
        return noun_phrase(noun, self.of("the", "the", "a", "a", "this", "je", "two", "three",
                                         "several", "few", "many"), True, adjective)

    def other_person(self, subj):
        """A pronoun object that is neither the subject nor its group."""
        mixed = {0: (0, 3), 1: (1, 4), 3: (0, 3), 4: (1, 4), 2: (), 5: (6,)}
        person = self.r.choice([p for p in range(7)
                                if clauses.PERSONS[p][10] not in mixed[subj.person]
                                and not (subj.person in (1, 4) and p in (1, 5))])
        return clauses.subject(person)


def body_phrase(noun):
    """My arm: le bras (whose it is, the French reflexive says)."""
    out = noun_phrase(noun, "the")
    out.en = "ONE'S " + noun.en
    return out


def owner(en, subj):
    """Puts the subject's possessive for one's: my, your, his …"""
    if subj.pronoun:
        whose = subj.pronoun[6]
    elif subj.en_plural:
        whose = "their"
    elif subj.noun and subj.noun.kind in HUMAN:
        whose = "her" if subj.fem else "his"
    else:
        whose = "its"
    return re.sub(r"\b(ONE'S|one's)\b", whose, en)


def generate(seed, count, allowed=None, met=None):
    """`count` distinct (english, french) pairs; allowed(en, fr) keeps hold-outs out.

    `met`, a dictionary, gets the number of pairs of each word.
    """
    import patterns  # noqa: F401 (adds its and longframes' frames)
    import wordframes
    r = random.Random(f"words/{seed}")
    book, seen, pairs = Book(), set(), []
    met = {} if met is None else met
    met.update(dict.fromkeys(book.words, 0))
    draw = Draw(r, book, met)
    queue, chooser = [], Chooser(wordframes.FRAMES)
    while len(pairs) < count:
        if not queue:
            queue = list(book.words)
            r.shuffle(queue)
            queue.sort(key=lambda w: met.get(w, 0), reverse=True)
            queue = queue[len(queue) // 3:] if pairs else queue
        pair = one(draw, chooser, queue.pop())
        if not pair or pair[0] in seen or kept_apart(pair[0]):
            continue
        if allowed and not allowed(*pair):
            continue
        seen.add(pair[0])
        for word in set(draw.got):
            met[word] = met.get(word, 0) + 1
        pairs.append(pair)
    return pairs


def sort_of(word):
    """Words of one sort fit the same frames."""
    if isinstance(word, Verb):
        return "verb", " ".join(word.object[:1]), word.subject[0], word.stative
    if isinstance(word, Adjective):
        return "adjective", min(word.describes)
    return type(word).__name__, word.kind


class Chooser:
    """Draws frames, and the more often those that took words of the sort before."""

    def __init__(self, frames):
        self.frames, self.weights = frames, {}

    def draw(self, r, sort):
        weights = self.weights.setdefault(sort, {f: [1.0, 1.0] for f in self.frames})
        rates = [weights[f][0] / weights[f][1] for f in self.frames]
        return r.choices(self.frames, rates)[0]

    def note(self, sort, frame, good):
        counts = self.weights[sort][frame]
        counts[0] += good
        counts[1] += 1


def one(draw, chooser, want):
    """A pair that has the wanted word in it, or None."""
    sort = sort_of(want)
    for _ in range(100):
        draw.start(want)
        frame = chooser.draw(draw.r, sort)
        try:
            made = frame(draw)
        except LookupError:
            made = None
        nouns = [w for w in draw.got if isinstance(w, Noun)]
        once = len(nouns) == len(set(nouns))
        whole = bool(made) and not re.search(r"\b(one's|ONE'S)", made[0])
        good = whole and once and want in draw.got and len(made[0].split()) <= 22
        chooser.note(sort, frame, good)
        if good:
            pair = clauses.spell(*made)
            if not (TU.search(pair[1]) and VOUS.search(pair[1])):
                return pair
    return None


def kept_apart(english):
    words = set(re.findall(r"[a-z]+", english.lower()))
    words |= {w[:-1] for w in words if w.endswith("s")}
    return any(a in words and b in words for a, b in APART)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60000)
    args = parser.parse_args()
    for en, fr in generate(args.seed, args.count):
        sys.stdout.write(f"{en}\t{fr}\n")


if __name__ == "__main__":
    main()
