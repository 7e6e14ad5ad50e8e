#!/usr/bin/env python3
"""Checks words.py: every word of lexicon/ in ten sentences, and its morphology.

    check_words.py [--count 60000]

Says which words are met less often, and ends with 1 if there are any.
"""

import argparse
import re
import sys

import clauses
import words
from conjugation import conjugate

FORMS = [  # infinitive, what, person, form
    ("manger", "present", 3, "mangeons"), ("commencer", "imperfect", 0, "commençais"),
    ("commencer", "imperfect", 3, "commencions"), ("acheter", "future", 0, "achèterai"),
    ("appeler", "present", 2, "appelle"), ("jeter", "conditional", 5, "jetteraient"),
    ("préférer", "present", 5, "préfèrent"), ("nettoyer", "future", 1, "nettoieras"),
    ("envoyer", "future", 2, "enverra"), ("finir", "subjunctive", 4, "finissiez"),
    ("venir", "subjunctive", 2, "vienne"), ("prendre", "subjunctive", 3, "prenions"),
    ("faire", "subjunctive", 4, "fassiez"), ("être", "subjunctive", 3, "soyons"),
    ("aller", "order", 1, "va"), ("ouvrir", "order", 1, "ouvre"), ("dire", "order", 4, "dites"),
    ("interdire", "present", 4, "interdisez"), ("peindre", "present", 5, "peignent"),
    ("connaître", "present", 2, "connaît"), ("produire", "imperfect", 2, "produisait"),
    ("résoudre", "present", 3, "résolvons"), ("recevoir", "present", 0, "reçois"),
    ("lever", "order", 1, "lève"), ("courir", "future", 2, "courra"),
    ("convaincre", "present", 3, "convainquons"), ("croire", "subjunctive", 5, "croient")]
PARTICIPLES = {"ouvrir": "ouvert", "lire": "lu", "écrire": "écrit", "naître": "né",
               "reconnaître": "reconnu", "vivre": "vécu", "rire": "ri", "mettre": "mis",
               "éteindre": "éteint", "conclure": "conclu", "mourir": "mort", "devoir": "dû",
               "promouvoir": "promu", "servir": "servi", "avertir": "averti"}
ENGLISH = {"stop": ("stopped", "stopping"), "try": ("tried", "trying"), "lie": ("lied", "lying"),
           "open": ("opened", "opening"), "play": ("played", "playing"), "use": ("used", "using"),
           "agree": ("agreed", "agreeing"), "visit": ("visited", "visiting"),
           "offer": ("offered", "offering"), "dye": ("dyed", "dyeing"), "fix": ("fixed", "fixing"),
           "admit": ("admitted", "admitting"), "unplug": ("unplugged", "unplugging")}
WRONG = [  # what no French line may hold
    r"\b(de|à) les?\b(?! \w+er\b)", r"\b(je|ne|que|le|la|se|me|te|de|ce) [aeiouéèêâîô]",
    r"\bsi ils?\b", r"  ", r"[^ ][?!;:]", r"\b(ma|ta|sa|cette) \1\b", r"_",
    r"(?<!est )(?<!sont )pas (un|une) (?!fois|jour)", r"\bà le\b", r"\ba-(il|elle)\b"]
FINE = r"\b(le|la|de) (onze|oui|yaourt|un )|ce est-|(le|la|ce|de) h"
WRONG_ENGLISH = [r"\ba [aeio]\w+", r"\ban [^aeiouhAEIOUFMUX]", r"  ", r"_|ONE'S|one's",
                 r"^(He|She|It) (have|do|don't)\b", r"\bany \w+ any\b"]
FINE_ENGLISH = r"\ba (one|eu)"


def morphology():
    for infinitive, what, person, form in FORMS:
        verb = conjugate(infinitive)
        got = verb.present[person] if what == "present" else getattr(verb, what)(person)
        assert got == form, (infinitive, what, person, got)
    for infinitive, form in PARTICIPLES.items():
        assert conjugate(infinitive).participle == form, infinitive
    for base, (past, ing) in ENGLISH.items():
        assert (clauses.past(base), clauses.ing(base)) == (past, ing), base
    assert clauses.spell("a_ hour", "le homme")[0] == "An hour"
    assert clauses.spell("a_ university", "de_le hibou")[1] == "Du hibou"
    assert clauses.comparative("big") == "bigger" and clauses.comparative("happy") == "happier"
    assert clauses.comparative("modern") == "more modern"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=60000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    morphology()
    met, bad = {}, 0
    pairs = words.generate(args.seed, args.count, None, met)
    for en, fr in pairs:
        for text, wrong, fine in ((fr, WRONG, FINE), (en, WRONG_ENGLISH, FINE_ENGLISH)):
            for pattern in wrong:
                if re.search(pattern, text) and not re.search(fine, text):
                    bad += 1
                    if bad <= 40:
                        print("suspect", repr(pattern), "|", en, "|", fr)
    rare = sorted(((n, w.en if hasattr(w, "en") else w.base, words.sort_of(w))
                   for w, n in met.items() if n < 10), key=str)
    for row in rare[:60]:
        print("rare", *row)
    print(f"{len(pairs)} pairs, {len(met)} words, {len(rare)} met less than ten times, "
          f"{bad} suspect lines")
    return 1 if rare or bad else 0


if __name__ == "__main__":
    sys.exit(main())
