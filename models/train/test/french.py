"""Numbers, times, years and prices as French writes them, read back.

`numbers`, `times` and `prices` list what a French sentence mentions, whether it is
in digits or in words. "un" and "une" alone are articles and never count.
"""

import re

UNITS = ["zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix",
         "onze", "douze", "treize", "quatorze", "quinze", "seize", "dix sept", "dix huit",
         "dix neuf"]
TENS = {20: "vingt", 30: "trente", 40: "quarante", 50: "cinquante", 60: "soixante"}
SPACE = r"[ \u00a0\u202f]"


def below_hundred(n):
    """In words without hyphens, "et" and the plural s."""
    if n < 20:
        return UNITS[n]
    if n < 70:
        return TENS[n // 10 * 10] + (" " + UNITS[n % 10] if n % 10 else "")
    if n < 80:
        return "soixante " + UNITS[n - 60]
    return "quatre vingt" + (" " + UNITS[n - 80] if n > 80 else "")


def words(n):
    """0 to 99,999 in bare words: "deux cent", "soixante onze"."""
    parts = []
    if n >= 1000:
        parts += ([words(n // 1000)] if n >= 2000 else []) + ["mille"]
    if n % 1000 >= 100:
        parts += ([UNITS[n % 1000 // 100]] if n % 1000 >= 200 else []) + ["cent"]
    if n % 100 or not parts:
        parts.append(below_hundred(n % 100))
    return " ".join(parts)


VALUES = {words(n): n for n in range(2, 10101)}
# years in hundreds, and the tens of Belgium and Switzerland
VALUES.update({f"{below_hundred(c)} cent" + (f" {below_hundred(y)}" if y else ""): 100 * c + y
               for c in range(11, 20) for y in range(100)})
VALUES.update({tens + (" " + UNITS[u] if u else ""): value + u
               for tens, value in (("septante", 70), ("huitante", 80), ("nonante", 90))
               for u in range(10)})
ATOMS = sorted({w for words_ in VALUES for w in words_.split()} | {"une", "vingts", "cents"},
               key=len, reverse=True)
RUN = re.compile(rf"\b(?:{'|'.join(ATOMS)})(?:(?:[ -]et)?[ -](?:{'|'.join(ATOMS)}))*\b", re.I)


def in_digits(text):
    """The text with its numbers in words as digits; a lone article and what is no
    number ("deux trois") stay."""
    def digits(match):
        run = match.group().lower()
        bare = re.sub(r"[ -]+", " ", re.sub(r"[ -]et[ -]", " ", run))
        bare = re.sub(r"\bune\b", "un", re.sub(r"\b(cent|vingt)s\b", r"\1", bare))
        if bare in VALUES:
            return str(VALUES[bare])
        return match.group()
    return RUN.sub(digits, text)


def numbers(text):
    """Values mentioned, in order. A decimal comma makes a fraction; 7,000 is 7."""
    found = []
    pattern = rf"\d{{1,3}}(?:{SPACE}\d{{3}})+(?!\d)(?:,\d+)?|\d+(?:[.,]\d+)?"
    for match in re.finditer(pattern, in_digits(text)):
        bare = re.sub(SPACE, "", match.group())
        if re.fullmatch(r"\d{1,3}\.\d{3}", bare):
            bare = bare.replace(".", "")
        found.append(float(bare.replace(",", ".")))
    return found


def years(text):
    """Four digits without a space, or words."""
    return [int(y) for y in re.findall(r"(?<![\d.,])\d{4}(?![\d.,]\d|\d)", in_digits(text))]


TIME = re.compile(
    r"(?:(?<!\d)(\d{1,2}|\bune(?= heure))\s*(?:h|:|heures?)\s*(?:et\s+)?(\d{1,2})?"
    r"|(?<![-\w])(midi|minuit)\b)(?!\d)"
    r"(\s*et demie?|\s*et quart|\s*moins le quart|\s*moins \d+)?(?!\w)", re.I)


def times(text):
    """(hour, minute) of each time mentioned: 7h30, 7 h 30, 7:30, sept heures et demie."""
    found = []
    for hour, minute, noon, rest in TIME.findall(in_digits(text)):
        h = {"midi": 12, "minuit": 0}.get(noon.lower()) if noon else int(
            hour.lower().replace("une", "1"))
        m, rest = int(minute or 0), rest.lower()
        if "demi" in rest:
            m = 30
        elif "et quart" in rest:
            m = 15
        elif "le quart" in rest:
            h, m = h - 1, 45
        elif rest:
            h, m = h - 1, 60 - int(re.search(r"\d+", rest).group())
        found.append((h % 24, m))
    return found


AMOUNT = r"(\d+(?:[.,]\d{1,2})?)"
CURRENCY = {"€": "€", "e": "€", "$": "$", "d": "$", "£": "£", "l": "£"}
AFTER = re.compile(rf"{AMOUNT}\s*(€|euros?|\$|dollars?|£|livres?)"
                   r"(?:\s*sterling)?(?:\s*(?:et\s+)?(\d{2})(?!\d)(?:\s*(?:centimes?|cents?))?)?",
                   re.I)
BEFORE = re.compile(rf"(€|\$|£)\s*{AMOUNT}")


def prices(text):
    """(cents, currency) of each price: 12,50 €, 12.50 euros, douze euros cinquante."""
    text = in_digits(text)
    cents = lambda amount: round(100 * float(amount.replace(",", ".")))
    found = [(cents(a) + int(rest or 0), CURRENCY[c[0].lower()])
             for a, c, rest in AFTER.findall(text)]
    return found or [(cents(a), c) for c, a in BEFORE.findall(text)]


def self_test():
    assert words(9999) == "neuf mille neuf cent quatre vingt dix neuf"
    assert words(71) == "soixante onze"
    assert numbers("Il y a vingt et un livres et 7 000 pages.") == [21, 7000]
    assert numbers("deux mille trois cents") == [2300] and numbers("7,000") == [7]
    assert years("en 1789") == [1789] and years("en mille neuf cent dix-huit") == [1918]
    assert years("en 1 789") == []
    for text in ("7h30", "7 h 30", "7:30", "sept heures et demie", "sept heures trente"):
        assert times(f"Il part à {text}.") == [(7, 30)], (text, times(text))
    assert times("à neuf heures moins le quart") == [(8, 45)] and times("à midi") == [(12, 0)]
    assert times("à 6 h 00 de l'après-midi") == [(6, 0)]
    assert times("à une heure vingt") == [(1, 20)] and times("à une heure et quart") == [(1, 15)]
    assert times("à huit heures") == [(8, 0)] and times("à 18 h.") == [(18, 0)]
    for text in ("12,50 €", "12.50 euros", "12 euros 50", "douze euros cinquante", "€12.50",
                 "12 euros et 50 centimes", "12,5 euros"):
        assert prices(f"Il coûte {text}.") == [(1250, "€")], (text, prices(text))
    assert prices("40 $") == [(4000, "$")] and prices("sept livres") == [(700, "£")]


if __name__ == "__main__":
    self_test()
    print("french.py: all well")
