"""Words of the practice grammar and the morphology that it needs.

French is written unelided ("que il", "de_le arbre"); `french()` joins it as it
is spelt ("qu'il", "de l'arbre"). English is written with marks: `[k:cow]` is
a noun that may be referred to, `<k:it>` a pronoun that stands for noun k (for
nothing where there is no such noun: it is linked to itself then); `english()`
takes the marks out and gives their character ranges.
"""

import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
VOWELS = "aeiouyâàäéèêëîïôöûùüœæAEIOUYÂÀÉÈÊËÎÏÔÖÛÙŒ"
ASPIRATE = (
    "hérisson|haie|haut|hibou|hamster|héros|homard|hutte|huit|hors|honte|hach|hall|hamburger|"
    "hanche|handball|handicap|hangar|hant|harcel|hardi|haricot|harpe|hasard|hâte|hausse|heurt|"
    "hiérarchie|hindi|hoche|hoché|hockey|hollandais|hongrois|hublot|hurl|haine|halt|hamac|hippie")
VOWEL_START = (
    rf"(?=(?!onze\b|oui\b|yaourt|yacht)[{VOWELS}]|(?!{ASPIRATE})[hH])")


class Noun:
    def __init__(self, kind, en, fr, gender, en_plural="", fr_plural=""):
        self.kind, self.en, self.fr, self.gender = kind, en, fr, gender
        self.en_plural = en_plural or plural_en(en)
        self.fr_plural = fr_plural or plural_fr(fr)

    @property
    def fem(self):
        return self.gender == "f"

    @property
    def le(self):
        return ("la " if self.fem else "le ") + self.fr

    @property
    def un(self):
        return ("une " if self.fem else "un ") + self.fr

    @property
    def il(self):
        return "elle" if self.fem else "il"

    @property
    def it(self):
        if self.kind in ("person", "kin"):
            return "she" if self.fem else "he"
        return "it"


class Adjective:
    def __init__(self, kind, en, masc, fem):
        self.kind, self.en, self.masc, self.fem = kind, en, masc, fem

    def of(self, noun, plural=False):
        form = self.fem if noun.fem else self.masc
        return plural_fr(form) if plural else form

    def before(self, noun, plural=False):
        """The form that stands in front of its noun."""
        special = {"beau": "bel", "nouveau": "nouvel", "vieux": "vieil"}
        form = self.of(noun, plural)
        if not plural and re.match(VOWEL_START, noun.fr):
            form = special.get(form, form)
        return form


class Verb:
    def __init__(self, kind, base, past, part, inf, pp="", pres="", pres_pl="",
                 fut="", imp=""):
        stem = inf[:-2]
        self.kind, self.base, self.past, self.part = kind, base, past, part
        self.inf, self.pp = inf, pp or stem + "é"
        self.pres, self.pres_pl = pres or stem + "e", pres_pl or stem + "ent"
        self.fut, self.imp = fut or inf + "a", imp or stem + "ait"

    @property
    def third(self):
        head, _, tail = self.base.partition(" ")
        head = head[:-1] + "ies" if head.endswith("y") and head[-2] not in "aeou" else (
            head + ("es" if re.search("(s|x|ch|sh)$", head) else "s"))
        return (head + " " + tail).strip()

    @property
    def ing(self):
        head, _, tail = self.base.partition(" ")
        if head in ("cut", "drop", "forget", "prefer"):
            head += head[-1]
        elif head.endswith("e") and not head.endswith("ee"):
            head = head[:-1]
        return (head + "ing " + tail).strip()

    def agreed(self, noun, plural=False):
        return agree(self.pp, noun, plural)


def agree(participle, noun, plural=False):
    form = participle + ("e" if noun.fem else "")
    return form if not plural or form[-1] in "sx" else form + "s"


def plural_en(word):
    if re.search("(s|x|ch|sh)$", word):
        return word + "es"
    if word.endswith("y") and word[-2] not in "aeou":
        return word[:-1] + "ies"
    return word + "s"


def plural_fr(word):
    if word.startswith("en ") or word[-1] in "sxz":
        return word
    if word.endswith("al"):
        return word[:-2] + "aux"
    if re.search("(eau|eu)$", word) and word != "bleu":
        return word + "x"
    return word + "s"


def rows(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                yield line.rstrip("\n").split("\t")


def load():
    """(nouns by kind, adjectives by kind, verbs by kind)."""
    nouns, adjectives, verbs = {}, {}, {}
    for row in rows("lexicon.tsv"):
        if row[3] in ("m", "f") and len(row[3]) == 1:
            nouns.setdefault(row[0], []).append(Noun(*row))
        else:
            adjectives.setdefault(row[0], []).append(Adjective(*row))
    for row in rows("verbs.tsv"):
        verbs.setdefault(row[0], []).append(Verb(*row))
    return nouns, adjectives, verbs


def french(text):
    """Spells an unelided French text: contractions, elisions, capital."""
    text = re.sub(rf"\b(de|à)_l[ea] {VOWEL_START}", r"\1 l'", text)
    for raw, spelt in (("de_le ", "du "), ("de_les ", "des "), ("à_le ", "au "),
                       ("à_les ", "aux "), ("de_la ", "de la "), ("à_la ", "à la ")):
        text = text.replace(raw, spelt)
    text = re.sub(r"\b([Ss])i (?=ils?\b)", r"\1'", text)
    text = re.sub(r"\b([Cc])e (?=est\b|était\b)", r"\1'", text)
    text = re.sub(rf"\bce {VOWEL_START}", "cet ", text)
    text = re.sub(rf"\bCe {VOWEL_START}", "Cet ", text)
    text = re.sub(rf"\b([MmTtSs])a {VOWEL_START}", r"\1on ", text)
    text = re.sub(
        r"(?<![-\w])(je|ne|que|de|le|la|se|me|te|jusque|puisque|lorsque)(?: )"
        + VOWEL_START,
        lambda m: m.group(1)[:-1] + "'", text, flags=re.I)
    return text[0].upper() + text[1:]


def english(text):
    """(plain text, links) of a marked English text."""
    text = re.sub(
        r"\b([aA])_ (?=(?:\[\w:)?(?!European|one|use|uni)[aeiouAEIOU])", r"\1n ", text)
    text = re.sub(r"\b([aA])_ ", r"\1 ", text)
    out, nouns, pronouns, at = [], {}, [], 0
    for part in re.split(r"(\[\w:[^\]]*\]|<\w:[^>]*>)", text):
        marked = len(part) > 3 and part[0] in "[<" and part[2] == ":"
        word = part[3:-1] if marked else part
        span = (at, at + len(word))
        if marked and part[0] == "[":
            nouns[part[1]] = span
        elif marked:
            pronouns.append((part[1], span))
        out.append(word)
        at += len(word)
    plain = "".join(out)
    links = ["{}:{}>{}:{}".format(*p, *nouns.get(k, p)) for k, p in pronouns]
    return plain[0].upper() + plain[1:], " ".join(links)
