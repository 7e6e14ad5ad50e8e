#!/usr/bin/env python3
"""How typed and training text is cleaned: the normalizer of tokenizer.json.

    normalizer.py tokenizer.json ...     puts it into these files, the rest unchanged

One list serves both: `NORMALIZER` is written into tokenizer.json, where any program
that reads such files follows it, and `clean` follows it for the training text. Only
what PCRE2, Oniguruma and Python agree on is used: literal classes, no \\s.
"""

import json
import os
import re
import sys
import unicodedata

# Seen by nobody: controls, soft hyphen, grapheme joiner, fillers, zero-width and
# direction marks, variation selectors, byte order mark, annotation marks.
INVISIBLE = ("[\x01-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5"
             "\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
             "\uffa0\ufff9-\ufffb]")
# Those that NFKC would take apart (acute accent, double prime) come before it.
SINGLE = "[\u2018-\u201b\u2032\u2035\u02b9\u02bb-\u02bd\u02c8`\u00b4\uff07\uff40\ua78c]"
DOUBLE = "[\u201c-\u201f\u2033\u2036\u301d-\u301f\uff02\u275d\u275e]"
SPACES = "[\t-\r\x1c-\x1f \x85\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"
DASHES = "[\u2010-\u2015\u2212\u2043]"


def replace(regex, content):
    return {"type": "Replace", "pattern": {"Regex": regex}, "content": content}


def string(text, content):
    return {"type": "Replace", "pattern": {"String": text}, "content": content}


# Of which NFKC would change the sense: 10\u00b2 is not 102, 3\u00bd not 31/2.
MEANT = [string("\u00b2", "^2"), string("\u00b3", "^3"), string("\u00ba", "\u00b0"),
         string("\u00bd", " 1/2"), string("\u00bc", " 1/4"), string("\u00be", " 3/4")]

NORMALIZER = {"type": "Sequence", "normalizers": [
    replace(INVISIBLE, ""),
    replace(SINGLE, "'"),
    replace(DOUBLE, '"'),
    *MEANT,
    # full-width forms, ligatures, three dots, composed letters
    {"type": "NFKC"},
    replace(SPACES, " "),
    replace("(?<=[\u00ab\u2039]) | (?=[\u00bb\u203a])", ""),
    replace("[\u00ab\u00bb]", '"'),
    replace("[\u2039\u203a]", "'"),
    replace(DASHES, "-"),
    replace(" (?=[.,?!:;])", ""),
    {"type": "Strip", "strip_left": True, "strip_right": True}]}


def clean(text):
    """What the normalizer makes of a text."""
    for step in NORMALIZER["normalizers"]:
        if step["type"] == "NFKC":
            text = unicodedata.normalize("NFKC", text)
        elif step["type"] == "Strip":
            text = text.strip()
        else:
            pattern = step["pattern"]
            regex = pattern.get("Regex") or re.escape(pattern["String"])
            text = re.sub(regex, step["content"], text)
    return text


def dumped(tokenizer):
    """The file's text; the normalizer's characters are escaped, since many of them
    cannot be seen."""
    compact = {"ensure_ascii": False, "separators": (",", ":")}
    plain = json.dumps(tokenizer, **compact)
    shown = json.dumps(tokenizer["normalizer"], **compact)
    return plain.replace(shown, json.dumps(tokenizer["normalizer"], separators=(",", ":"))) + "\n"


def write(path, tokenizer):
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(dumped(tokenizer))
    os.replace(path + ".new", path)


def main():
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            tokenizer = json.load(file)
        tokenizer["normalizer"] = NORMALIZER
        write(path, tokenizer)


if __name__ == "__main__":
    main()
