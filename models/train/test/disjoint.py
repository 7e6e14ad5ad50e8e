"""No test sentence may equal, or nearly equal, a line of training.

    python3 disjoint.py FILE.tsv ...      corpus files, train.tsv, fra.txt

Every column of every line counts as a sentence. Names, figures and quoted strings
become slots; two sentences are nearly equal if they then differ in one word at most
(put in, left out or changed) and have five words or more. Exit status 1 if any do.
"""

import re
import sys

import sets

QUOTED = re.compile(r'"[^"]*"')
SLOT = re.compile(r"\{\w+\}|\d[\d.,:]*")


def key(text):
    """Words in lower case; slots, figures and capitalised inner words are "#"."""
    text = SLOT.sub(" # ", QUOTED.sub(" # ", text))
    words = re.findall(r"#|[^\W\d_]+(?:'[^\W\d_]+)?", text)
    return tuple("#" if w == "#" or (i and w[0].isupper() and w != "I" and not
                                     w.startswith("I'")) else w.lower()
                 for i, w in enumerate(words))


def near(words):
    """The sentence itself and with each word left out or open."""
    yield words
    if len(words) >= 5:
        for i in range(len(words)):
            yield words[:i] + words[i + 1 :]
            yield words[:i] + ("?",) + words[i + 1 :]


def tests():
    """{english: set it is in}."""
    found = {row[1]: "typed" for row in sets.lines("typed.tsv")}
    found |= {row[1]: "pronouns" for row in sets.lines("pronouns.tsv")}
    found |= {row[0]: "winograd" for row in sets.lines("winograd.tsv")}
    found |= {row[0]: "typing" for row in sets.lines("typing.txt")}
    frames = sets.FIRST_NAMES + sets.LAST_NAMES + sets.STRINGS + sum(sets.FRAMES.values(), [])
    return found | {frame.replace("{}", "{x}"): "frames" for frame in frames}


def main():
    index = {}
    for text in tests():
        for variant in near(key(text)):
            index.setdefault(variant, set()).add(text)
    names = {row[1] for row in sets.lines("names.txt")}
    hits, named = {}, {}
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            for line in file:
                for text in line.rstrip("\n").split("\t"):
                    for word in names & set(re.findall(r"[\w'-]+", text)):
                        named.setdefault(word, f"{path}: {text}")
                    for variant in near(key(text)):
                        for test in index.get(variant, ()):
                            hits.setdefault(test, f"{path}: {text}")
    for test, place in sorted(hits.items()):
        print(f"{tests()[test]}: {test}\n    {place}")
    for word, place in sorted(named.items()):
        print(f"name {word}\n    {place}")
    print(f"{len(hits)} sentences and {len(named)} names of the tests are in training")
    return 1 if hits or named else 0


if __name__ == "__main__":
    sys.exit(main())
