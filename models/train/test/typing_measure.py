"""The two figures of typing: how calm the output is, and what it invents.

Each sentence of typing.txt is translated after every key. "Edits" are the characters
taken out and put in from each translation to the next (the fewest that do; the first
against nothing), divided by the length of the last. "Invented" looks only at prefixes
that end with a whole word (letters, with what follows a blank, a sign or the end): such
a prefix has invented something if a content word of its translation corresponds to
nothing typed. Content words are those outside FUNCTION, of three letters or more; one
corresponds if it begins with a stem that typing_words.tsv lists for a typed word, or if
it is a typed word itself.
"""

import re

from sets import lines

WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
FUNCTION = set("""
un une des les aux ces ses mes tes nos vos notre votre leur leurs mon ton son sa ma ta
ce cet cette cela ceci ça celui celle ceux celles que qui quoi dont où quel quelle quels quelles
je tu il elle on nous vous ils elles moi toi lui eux soi même mêmes en y le la de du au et ou
mais donc car ni or si ne pas plus point rien aucun aucune personne jamais très trop tout toute
tous toutes peu assez aussi encore déjà bien alors ainsi comme quand lorsque lorsqu puisque
parce pendant avec sans pour par dans sur sous entre vers chez jusque jusqu jusqu'à depuis avant
après lors afin près là ici est-ce là-bas quelque quelques autre autres chose choses
est suis es sommes êtes sont était étais étions étiez étaient serai sera seras serons seront
serait soit sois soient fut furent été être étant ai as a avons avez ont avais avait avions
aviez avaient aurai aura auras aurons auront aurait eu avoir ayant fait faire fais faites font
faisait faisaient fera ferait vais vas va allons allez vont allait allaient aller
voici voilà ils-sont ce-que quoi oui non afin ceci quiconque""".split())


def distance(a, b):
    """Characters to take out of a and to put in to make it b, at the least."""
    while a and b and a[0] == b[0]:
        a, b = a[1:], b[1:]
    while a and b and a[-1] == b[-1]:
        a, b = a[:-1], b[:-1]
    common = [0] * (len(b) + 1)
    for x in a:
        row = [0]
        for j, y in enumerate(b):
            row.append(common[j] + 1 if x == y else max(common[j + 1], row[j]))
        common = row
    return len(a) + len(b) - 2 * common[-1]


def french_words(text):
    """Words of a translation, cut at apostrophes and hyphens."""
    return [w for part in WORD.findall(text.lower().replace("’", "'")) for w in part.split("-")]


def invented(typed, answer, stems):
    """Content words of a translation that correspond to nothing typed."""
    words = [w.lower() for w in re.findall(r"[^\W_]+(?:'[^\W_]+)?", typed)]
    allowed = tuple(s for w in words for s in stems.get(w, ())) + tuple(words)
    return [w for w in french_words(answer) if len(w) > 2 and w not in FUNCTION
            and not w.startswith(allowed)]


def ends_word(text, n):
    """Whether the first n characters end with a whole word."""
    after = text[n : n + 1]
    return text[n - 1].isalnum() and not (after.isalnum() or after in ("'", "-"))


def measure(translate):
    """`translate` takes texts and gives as many. Returns (edits by sentence,
    [(any invented, typed, answer, words)] of all whole-word prefixes)."""
    stems = {w: tuple(s.split()) for w, s in lines("typing_words.tsv")}
    sentences = [row[0] for row in lines("typing.txt")]
    prefixes = [(s, n) for s in sentences for n in range(1, len(s) + 1)]
    answers = dict(zip(prefixes, translate([s[:n] for s, n in prefixes])))
    edits, ends = [], []
    for s in sentences:
        told = [answers[s, n] for n in range(1, len(s) + 1)]
        edits.append(sum(map(distance, [""] + told, told)) / max(1, len(told[-1])))
        for n in range(1, len(s) + 1):
            if ends_word(s, n):
                new = invented(s[:n], answers[s, n], stems)
                ends.append((bool(new), s[:n], answers[s, n], new))
    return edits, ends
