"""Typographic variants of plain sentences: each should be read as the plain one.

Plain are keyboard quotes, hyphens, three dots and single spaces. A variant changes
every place where it can. Only such variants are listed as have one plain reading.
"""

import unicodedata

LIGATURES = [("ffi", "\ufb03"), ("ffl", "\ufb04"), ("ff", "\ufb00"), ("fi", "\ufb01"),
             ("fl", "\ufb02"), ("st", "\ufb06")]
INVISIBLE = {"zero-width space": "\u200b", "zero-width non-joiner": "\u200c",
             "zero-width joiner": "\u200d", "word joiner": "\u2060",
             "zero-width no-break space": "\ufeff", "soft hyphen": "\u00ad",
             "left-to-right mark": "\u200e", "right-to-left mark": "\u200f"}
SPACES = {"no-break space": "\u00a0", "narrow no-break space": "\u202f", "thin space": "\u2009",
          "hair space": "\u200a", "en space": "\u2002", "em space": "\u2003",
          "figure space": "\u2007", "punctuation space": "\u2008", "six-per-em space": "\u2006",
          "mathematical space": "\u205f", "ideographic space": "\u3000", "ogham space": "\u1680",
          "tab": "\t", "two spaces": "  ", "no-break and space": "\u00a0 ",
          "line feed": "\n", "carriage return": "\r", "both": "\r\n", "next line": "\u0085",
          "vertical tab": "\v", "form feed": "\f", "line separator": "\u2028",
          "paragraph separator": "\u2029", "blank line": "\n\n"}
APOSTROPHES = {"right quote": "\u2019", "left quote": "\u2018", "modifier letter": "\u02bc",
               "prime": "\u2032", "grave": "`", "acute": "\u00b4", "reversed": "\u201b",
               "full-width": "\uff07"}
DASHES = {"hyphen": "\u2010", "no-break hyphen": "\u2011", "figure dash": "\u2012",
          "en dash": "\u2013", "em dash": "\u2014", "bar": "\u2015", "minus": "\u2212",
          "small hyphen": "\ufe63", "full-width hyphen": "\uff0d"}
QUOTES = {"curly quotes": ("\u201c", "\u201d"), "German quotes": ("\u201e", "\u201c"),
          "angle quotes": ("\u00ab", "\u00bb"), "spaced angle quotes": ("\u00ab ", " \u00bb"),
          "no-break angle quotes": ("\u00ab\u00a0", "\u00a0\u00bb"),
          "double primes": ("\u2033", "\u2033"), "full-width quotes": ("\uff02", "\uff02")}


def replacing(plain, other):
    return lambda text: text.replace(plain, other)


def quoted(pair):
    def change(text):
        parts = text.split('"')
        if len(parts) % 2 == 0:
            return text
        return "".join(p + (pair[i % 2] if i < len(parts) - 1 else "")
                       for i, p in enumerate(parts))
    return change


def between_letters(mark):
    """After every second letter of a word, never at its end."""
    def change(text):
        return "".join(c + (mark if i % 2 and c.isalpha() and text[i + 1 : i + 2].isalpha() else "")
                       for i, c in enumerate(text))
    return change


def wide(text):
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def ligatures(text):
    for plain, one in LIGATURES:
        text = text.replace(plain, one)
    return text


def spaced_signs(text):
    """French habit: a no-break space before ? ! : ;."""
    return "".join("\u202f" + c if c in "?!" and i and text[i - 1].isalnum() else c
                   for i, c in enumerate(text))


def variants():
    """{name: change}."""
    out = {f"apostrophe, {n}": replacing("'", c) for n, c in APOSTROPHES.items()}
    out |= {f"space, {n}": replacing(" ", c) for n, c in SPACES.items()}
    out |= {f"dash, {n}": replacing("-", c) for n, c in DASHES.items()}
    out |= {n: quoted(pair) for n, pair in QUOTES.items()}
    out |= {f"inside words, {n}": between_letters(c) for n, c in INVISIBLE.items()}
    out |= {f"around the text, {n}": lambda t, c=c: c + t + c
            for n, c in (INVISIBLE | SPACES).items()}
    out |= {"byte order mark": lambda t: "\ufeff" + t, "ellipsis": replacing("...", "\u2026"),
            "full-width forms": wide, "ligatures": ligatures, "spaced signs": spaced_signs,
            "decomposed": lambda t: unicodedata.normalize("NFD", t),
            "all at once": lambda t: "\ufeff " + between_letters("\u00ad")(ligatures(
                quoted(("\u201c", "\u201d"))(t))).replace("'", "\u2019").replace(
                    " ", "\u00a0").replace("...", "\u2026").replace("-", "\u2011") + "\u2003\n"}
    return out
