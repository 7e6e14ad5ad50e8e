"""The figures that several evaluations share: pronouns and heads.

A "token" here is (begin, end) in characters of the text, None for special
ones. Words are runs of letters, digits and inner apostrophes; all other
visible characters are punctuation.
"""

import collections
import re

WORD = re.compile(r"\w+(?:'\w+)*")
FRENCH = re.compile(r"\w+")

Case = collections.namedtuple(
    "Case", "english french pronoun right wrong gender adjective pair order agreeing")


def read_cases(path):
    """pronouns.*.tsv, persons.test.tsv, animal.tsv, siblings.tsv."""
    span = lambda text: tuple(map(int, text.split(":")))
    cases = []
    with open(path, encoding="utf-8") as handle:
        for line in handle:
            f = line.rstrip("\n").split("\t")
            cases.append(Case(f[0], f[1], span(f[2]), span(f[3]), span(f[4]), *f[5:10]))
    return cases


def pronouns(french):
    """How many il and elle a sentence has."""
    words = [w.lower() for w in FRENCH.findall(french)]
    return words.count("il"), words.count("elle")


def agrees(case, french):
    """(pronoun right, pronoun and adjective right) of a translation."""
    pronoun = pronouns(french) == pronouns(case.french)
    words = [w.lower() for w in FRENCH.findall(french)]
    adjective = all(w.lower() in words for w in FRENCH.findall(case.agreeing))
    return pronoun, pronoun and adjective


def baselines(cases):
    """Shares that "always il" and "the nearest noun" get right."""
    always = sum(c.gender == "m" for c in cases)
    nearest = sum(c.right[0] > c.wrong[0] for c in cases)
    return 100.0 * always / len(cases), 100.0 * nearest / len(cases)


def word_spans(text):
    return [m.span() for m in WORD.finditer(text)]


def word_of_tokens(text, tokens):
    """Index into word_spans of each token, -1 for special and punctuation."""
    words = word_spans(text)
    out = []
    for token in tokens:
        found = -1
        if token is not None:
            for w, (begin, end) in enumerate(words):
                if begin < token[1] <= end:
                    found = w
        out.append(found)
    return out


def word_of_pieces(words, tokens):
    """The same for a text whose words are separated by single spaces."""
    ends, place = [], 0
    for word in words:
        place += len(word)
        ends.append(place)
        place += 1
    out = []
    for token in tokens:
        found = -1
        if token is not None:
            found = next((w for w, end in enumerate(ends) if token[1] <= end), -1)
        out.append(found)
    return out


def word_at(text, span):
    """The word of a text that holds the last character of a span."""
    for w, (begin, end) in enumerate(word_spans(text)):
        if begin < span[1] <= end:
            return w
    raise ValueError(f"no word at {span} of: {text}")


def merged(row, owner, count):
    """Weights of one row summed over the tokens of each word."""
    sums = [0.0] * count
    for weight, word in zip(row, owner):
        if word >= 0:
            sums[word] += weight
    return sums


class HeadFigures:
    """For each head: how often the strongest word is the right noun, and the
    mean weight on it. Special tokens, punctuation and the pronoun aside."""

    def __init__(self):
        self.hits, self.weight = collections.Counter(), collections.Counter()
        self.cases = 0

    def add(self, case, tokens, maps):
        """maps[layer][head][query][key] of the encoder's self-attention."""
        text = case.english
        owner, count = word_of_tokens(text, tokens), len(word_spans(text))
        asking, right = word_at(text, case.pronoun), word_at(text, case.right)
        rows = [i for i, w in enumerate(owner) if w == asking]
        self.cases += 1
        for layer, heads in enumerate(maps):
            for head, matrix in enumerate(heads):
                mean = [sum(matrix[i][j] for i in rows) / len(rows) for j in range(len(owner))]
                sums = merged(mean, owner, count)
                self.weight[layer, head] += sums[right]
                sums[asking] = -1.0
                self.hits[layer, head] += max(range(count), key=sums.__getitem__) == right

    def ranking(self):
        """[(share of hits in percent, mean weight, layer, head)], best first;
        layers and heads from 1."""
        rows = [(100.0 * self.hits[k] / self.cases, self.weight[k] / self.cases, k[0] + 1, k[1] + 1)
                for k in self.weight]
        return sorted(rows, reverse=True)
