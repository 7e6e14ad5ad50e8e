"""What fills the slots of practice sentences: names, numbers, times, prices
and strings, each drawn anew, the same on both sides as each language writes it.

A slot is {name}, {name:f}, {name:m}, {name2}, {surname}, {place}, {number},
{year}, {time}, {price} or {string}. The French side is written unelided in
front of a slot ("de {name}"); `fill` elides it ("d'Anna").
"""

import os
import random
import re

HERE = os.path.dirname(os.path.abspath(__file__))
SLOT = re.compile(r"\{(\w+)(?::(\w))?\}")
UNITS = ("zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze "
         "quinze seize dix-sept dix-huit dix-neuf").split()
TENS = {20: "vingt", 30: "trente", 40: "quarante", 50: "cinquante", 60: "soixante"}
EN_UNITS = ("zero one two three four five six seven eight nine ten eleven twelve thirteen "
            "fourteen fifteen sixteen seventeen eighteen nineteen").split()
EN_TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()
CITIES = [("London", "Londres"), ("Rome", "Rome"), ("Vienna", "Vienne"), ("Moscow", "Moscou"),
          ("Warsaw", "Varsovie"), ("Brussels", "Bruxelles"), ("Lisbon", "Lisbonne"),
          ("Geneva", "Genève"), ("Venice", "Venise"), ("Florence", "Florence"),
          ("Athens", "Athènes"), ("Edinburgh", "Édimbourg"), ("Copenhagen", "Copenhague"),
          ("Beijing", "Pékin"), ("Barcelona", "Barcelone"), ("Prague", "Prague"),
          ("New York", "New York"), ("San Francisco", "San Francisco"),
          ("Hamburg", "Hambourg"), ("Cologne", "Cologne"), ("Algiers", "Alger")]


def french_number(n, final=True):
    """2 to 999,999 in words, traditional spelling, masculine. `final` is false
    in front of "mille", where quatre-vingt and cent take no s."""
    if n < 20:
        return UNITS[n]
    if n < 70 or 80 <= n < 80:
        ten, unit = n - n % 10, n % 10
        if unit == 1:
            return TENS[ten] + " et un"
        return TENS[ten] + ("-" + UNITS[unit] if unit else "")
    if n < 80:
        return "soixante et onze" if n == 71 else "soixante-" + UNITS[n - 60]
    if n < 100:
        return "quatre-vingt-" + UNITS[n - 80] if n > 80 else (
            "quatre-vingts" if final else "quatre-vingt")
    if n < 1000:
        head = "cent" if n < 200 else UNITS[n // 100] + " cent"
        if n % 100:
            return head + " " + french_number(n % 100, final)
        return head + ("s" if n >= 200 and final else "")
    head = "mille" if n < 2000 else french_number(n // 1000, False) + " mille"
    return head + (" " + french_number(n % 1000) if n % 1000 else "")


def english_number(n, conjunction=""):
    """2 to 999,999 in words; `conjunction` is "and " between hundreds and rest."""
    if n < 20:
        return EN_UNITS[n]
    if n < 100:
        return EN_TENS[n // 10] + ("-" + EN_UNITS[n % 10] if n % 10 else "")
    if n < 1000:
        rest = " " + conjunction + english_number(n % 100) if n % 100 else ""
        return EN_UNITS[n // 100] + " hundred" + rest
    rest = n % 1000
    tail = ""
    if rest:
        tail = " " + (conjunction if rest < 100 else "") + english_number(rest, conjunction)
    return english_number(n // 1000, conjunction) + " thousand" + tail


def grouped(n, mark):
    return f"{n:,}".replace(",", mark)


class Chain:
    """Writes new names that look like those it has seen (letters given two)."""

    def __init__(self, words):
        self.next = {}
        for word in words:
            padded = "^^" + word + "$"
            for i in range(2, len(padded)):
                self.next.setdefault(padded[i - 2:i], []).append(padded[i])

    def draw(self, r):
        while True:
            text = "^^"
            while text[-1] != "$" and len(text) < 15:
                text += r.choice(self.next[text[-2:]])
            word = text[2:-1]
            if text[-1] == "$" and 3 <= len(word) <= 11 and word[0].isupper():
                return word


def load_names():
    names = {"f": [], "m": [], "s": [], "p": []}
    with open(os.path.join(HERE, "names.tsv"), encoding="utf-8") as handle:
        for line in handle:
            if not line.startswith("#"):
                kind, words = line.rstrip("\n").split("\t")
                names[kind] += words.split(" ")
    names["s"] = [n for n in names["s"] if n[0].isupper()]
    return names


NAMES = load_names()
CHAINS = {kind: Chain(words) for kind, words in NAMES.items()}
CHAINS["a"] = Chain(NAMES["f"] + NAMES["m"])
SYLLABLES = [c + v for c in ("b c d f g h j k l m n p r s t v w z br tr kl st sh ch qu x y "
                             "th gr dr fl pr").split() for v in "a e i o u ai ou ee".split()]
CONSONANTS, VOWELS = "bcdfghjklmnpqrstvwxz", "aeiouy"


def invented(r):
    """A name of syllables that no list holds."""
    word = "".join(r.choice(SYLLABLES) for _ in range(r.randint(1, 3)))
    word += r.choice(["", "", "n", "s", "k", "l", "r", "m", "t", "x", "ck", "ng", "tz"])
    return word.capitalize()


def a_name(r, kind):
    if kind == "a":
        kind = r.choice("fm") if r.random() < 0.5 else "a"
    draw = r.random()
    if draw < 0.42 and kind != "a":
        return r.choice(NAMES[kind])
    if draw < 0.85:
        return CHAINS[kind].draw(r)
    return invented(r)


def a_surname(r):
    name = a_name(r, "s")
    if r.random() < 0.04:
        name += "-" + a_name(r, "s")
    return name


def a_place(r):
    if r.random() < 0.25:
        return r.choice(CITIES)
    place = a_name(r, "p")
    return place, place


def whole(r):
    """A number of 2 and more; short ones more often."""
    digits = r.choices((1, 2, 3, 4, 5, 6, 8), (22, 33, 20, 14, 6, 3, 2))[0]
    if digits > 2 and r.random() < 0.25:
        return max(2, r.randint(1, 99)) * 10 ** (digits - 2)
    return r.randint(2 if digits == 1 else 10 ** (digits - 1), 10**digits - 1)


def spelled(r, limit=10000):
    n = r.choice((r.randint(2, 20), r.randint(2, 99), r.randint(20, 99),
                  r.randint(100, 999), r.randint(1000, limit), r.randint(2, 99) * 100))
    n = min(n, limit)
    return n, english_number(n, r.choice(("", "and "))), french_number(n)


def a_number(r, words=0.2):
    draw = r.random()
    if draw < words:
        n, en, fr = spelled(r)
        if n % 10 == 1 and n % 100 != 11:  # un or une: only the sentence knows
            return a_number(r, 0.0)
        return en, fr
    n = whole(r)
    if n >= 1000 and r.random() < 0.6:
        return grouped(n, ","), grouped(n, " ")
    if draw > 0.96:
        tail = f"{r.randint(1, 99)}"
        return f"{n}.{tail}", f"{n},{tail}"
    return str(n), str(n)


def a_year(r):
    year = str(r.choice((r.randint(1900, 2030), r.randint(1950, 2030), r.randint(1000, 1999))))
    return year, year


def a_time(r):
    hour, minute = r.randint(1, 12), r.randint(1, 59)
    kind = r.random()
    if kind < 0.45:
        hour = r.randint(1, 23) if r.random() < 0.5 else hour
        minute = r.choice((15, 30, 45, minute, minute, 10 * (minute // 10) or 20))
        return f"{hour}:{minute:02}", f"{hour} h {minute:02}"
    night = r.random() < 0.5
    part = ("du soir" if hour >= 6 else "de l'après-midi") if night else "du matin"
    mark = r.choice((("a.m.", "p.m."), ("am", "pm")))[night]
    if kind < 0.57:
        return f"{hour}:{minute:02} {mark}", f"{hour} h {minute:02} {part}"
    hour = max(hour, 2)
    part = ("du soir" if hour >= 6 else "de l'après-midi") if night else "du matin"
    if kind < 0.67:
        return f"{hour} {mark}", f"{hour} heures {part}"
    if kind < 0.76:
        return f"{hour} o'clock", f"{hour} heures"
    if hour == 12:
        return ("midnight", "minuit") if night else ("noon", "midi")
    if kind < 0.85:
        return f"{EN_UNITS[hour]} o'clock", f"{UNITS[hour]} heures"
    past, there = r.choice((("half past {}", "{} heures et demie"),
                            ("a quarter past {}", "{} heures et quart"),
                            ("a quarter to {}", "{} heures moins le quart"),
                            ("ten past {}", "{} heures dix"),
                            ("twenty to {}", "{} heures moins vingt")))
    return past.format(EN_UNITS[hour]), there.format(UNITS[hour])


def a_price(r):
    n = whole(r) if r.random() < 0.8 else r.randint(2, 99)
    en, fr = (grouped(n, ","), grouped(n, " ")) if n > 999 else (str(n), str(n))
    if n < 1000 and r.random() < 0.4:
        cents = r.choice((50, 99, 95, 20, 80, r.randint(10, 99)))
        en, fr = f"{n}.{cents}", f"{n},{cents}"
    kind = r.random()
    if kind < 0.45:
        mark = r.choice("$$$€€£")
        return f"{mark}{en}", f"{fr} {mark}"
    unit = r.choice((("euros", "euros"), ("euros", "euros"), ("dollars", "dollars"),
                     ("pounds", "livres"), ("yen", "yens"), ("francs", "francs"),
                     ("cents", "centimes")))
    if kind < 0.55:
        return f"{en} €", f"{fr} €"
    if kind > 0.78 and unit[1] != "livres":
        _, a, b = spelled(r)
        return f"{a} {unit[0]}", f"{b} {unit[1]}"
    return f"{en} {unit[0]}", f"{fr} {unit[1]}"


STRINGS = ["hello", "hello world", "cat", "dog", "the", "a", "it", "apple", "stop", "yes", "no",
           "attention", "query", "key", "value", "bank", "river", "OK", "print", "main", "the cat",
           "good morning", "thank you", "water", "house", "school", "table", "light", "green",
           "run", "Help", "Exit", "Save", "Error", "not found", "null", "bonjour", "chat"]


def a_string(r):
    kind = r.random()
    if kind < 0.2:
        return r.choice(STRINGS)
    letters = "abcdefghijklmnopqrstuvwxyz"
    if kind < 0.62:
        text = "".join(r.choice(letters) for _ in range(r.randint(3, 10)))
    elif kind < 0.8:
        return invented(r).lower()
    else:
        text = "".join(r.choice(letters + "0123456789") for _ in range(r.randint(3, 8)))
        if r.random() < 0.4:
            text = (text[:2] + "-" + text[2:]).upper()
    draw = r.random()
    return text.upper() if draw < 0.25 else (text.capitalize() if draw < 0.35 else text)


def draw(r, slot, kind):
    """(English, French) of one slot."""
    if slot in ("name", "name2", "name3"):
        name = a_name(r, kind or "a")
        if r.random() < 0.03:
            name += " " + a_surname(r)
        return name, name
    if slot.startswith("surname"):
        name = a_surname(r)
        return name, name
    if slot.startswith("place"):
        return a_place(r)
    if slot == "string":
        text = a_string(r)
        return text, text
    return {"number": a_number, "year": a_year, "time": a_time, "price": a_price}[
        slot.rstrip("0123456789")](r)


ELIDED = re.compile(r"\b([Dd]|[Qq]u|[Jj]usqu|[Ll]orsqu|[Pp]uisqu)e (?=\{(name|surname|place))")
STARTS = re.compile("[AEIOUÀÂÉÈÊËÎÏÔÛÜŒaeiouéèêàâîôû]")


def fill(english, french, r):
    """Both sides with their slots filled."""
    chosen = {}
    for slot, kind in SLOT.findall(english):
        key = slot + (":" + kind if kind else "")
        if key not in chosen:
            chosen[key] = draw(r, slot, kind)
    texts = [english, french]
    for key, pair in chosen.items():
        if key.startswith(("name", "surname", "place")) and STARTS.match(pair[1]):
            texts[1] = re.sub(ELIDED.pattern.replace("(name|surname|place)", key + r"\}"),
                              r"\1'", texts[1])
        for side in (0, 1):
            texts[side] = texts[side].replace("{" + key + "}", pair[side])
    return tuple(t[:1].upper() + t[1:] for t in texts)


MEN = "Tom John Bob Jim Mike Bill Ken Jack George Paul Peter Sam David Tony Taro Dan Fred".split()
WOMEN = "Mary Jane Susan Kate Nancy Betty Helen Lucy Meg Cathy Yumi Judy".split()
TOWNS = "Boston Tokyo Berlin Chicago Kyoto".split()
RUN = re.compile(r"\d+")
PLAIN = re.compile(r"(?<![\w.,:/$€£#'-])\d+(?![\w:/%$€£'-]|[.,]\d| ?[h$€£%]\b)")


def template(english, french, r):
    """A Tatoeba pair with slots where both sides agree, or None."""
    e, f = english, french
    for words, slot in ((MEN, "name{}:m"), (WOMEN, "name{}:f"), (TOWNS, "place{}")):
        used = 0
        for word in words:
            other = "(?:Marie|Mary)" if word == "Mary" else word
            n = len(re.findall(rf"\b{word}\b", e))
            if not n or used == 2 or n != len(re.findall(rf"\b{other}\b", f)):
                continue
            name = "{" + slot.format("" if not used else "2") + "}"
            e, f = re.sub(rf"\b{word}\b", name, e), re.sub(rf"\b{other}\b", name, f)
            used += 1
    left, right = RUN.findall(e), RUN.findall(f)
    if left and sorted(left) == sorted(right) and len(set(left)) == len(left):
        if left == PLAIN.findall(e) and right == PLAIN.findall(f):
            for n in left:
                year = len(n) == 4 and 1000 <= int(n) <= 2100
                if int(n) >= 2 and len(n) < 9:
                    value = a_year(r)[0] if year else str(whole(r))
                    e = PLAIN.sub(lambda m: value if m.group() == n else m.group(), e)
                    f = PLAIN.sub(lambda m: value if m.group() == n else m.group(), f)
    return None if (e, f) == (english, french) else (e, f)


if __name__ == "__main__":
    import sys
    r = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    for slot in ("name", "name:f", "name:m", "surname", "place", "number", "year", "time", "price",
                 "string"):
        for _ in range(14):
            print(slot, *fill("x {%s}" % slot, "x de {%s}" % slot, r), sep="\t")
