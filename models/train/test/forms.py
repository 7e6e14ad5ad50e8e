"""Which French pronoun stands for "it" or "they", and whether it is the right one.

A referent is given by its usual translations with their genders, "souris:f,rat:m".
The first of them that the French uses decides the gender; where it uses none, the
first one listed does. Expletives (il y a, il faut, il pleut ...) are not counted
where a referent is asked for.
"""

import re

from sets import lines

WORD = re.compile(r"\w+")
NOT_A_REFERENT = re.compile(
    r"\bil (?:(?:n'y |y )(?:en )?(?:a|avait|aura|aurait)\b|(?:ne |en |me |te |nous |vous )?"
    r"(?:faut|fallait|faudra|faudrait|pleu\w*|neige\w*|gèle|gelait|semble que|semblait que|"
    r"fait (?:froid|chaud|beau|nuit|noir|jour|sombre)|"
    r"faisait (?:froid|chaud|beau|nuit|noir|jour|sombre))\b)")
WEAK = re.compile(r"\b(?:c'|ce |ça |cela |il |qu'il\b|s'il\b)|-(?:il|ce)\b|en cas de pluie", re.I)
DEMONSTRATIVE = {"il": "celui", "elle": "celle", "ils": "ceux", "elles": "celles"}
BEFORE_VERB = ("je tu il elle on nous vous ils elles ne me te qui veux veut peux peut vais va "
               "dois doit voulez pouvez devez allez pouvons devons voulons allons puis et "
               "jamais peut").split()
HAVE = "ai as a avons avez ont avais avait avions aviez avaient aura auras aurai".split()
INFINITIVE = re.compile(r"\w+(?:er|ir|re|oir)$")
NOT_INFINITIVES = set("mer hiver fer livre chambre lettre pierre montre terre mètre fenêtre "
                      "verre soir arbre rivière bière poussière cuillère dîner".split())


def referents(text):
    return [tuple(part.split(":")) for part in text.split(",")]


def gender(answer, alternatives):
    """Of the referent's translations the one used, else the first listed."""
    text = answer.lower()
    found = [(m.start(), g) for noun, g in alternatives
             for m in [re.search(rf"(?<!\w){noun}(?:s|x)?(?!\w)", text)] if m]
    return min(found)[1] if found else alternatives[0][1]


def subject(answer, alternatives, plural=False):
    """The subject pronoun agrees, and none of the other gender is there."""
    text = NOT_A_REFERENT.sub(" ", answer.lower().replace("’", "'"))
    words = WORD.findall(text)
    end = "s" if plural else ""
    is_f = gender(answer, alternatives) == "f"
    good, bad = ("elle", "il") if is_f else ("il", "elle")
    count = lambda p: words.count(p + end) + words.count(DEMONSTRATIVE[p + end])
    return count(good) > 0 and count(bad) == 0


def objects(answer):
    """Object pronouns le, la and l' as they stand before verbs or after hyphens."""
    text = answer.lower().replace("’", "'")
    found = re.findall(r"-(le|la)\b", text)
    found += re.findall(r"(?:^|[.!?,] )(le|la) \w+-(?:t-)?(?:tu|vous|il|elle|on|je)\b", text)
    tokens = re.findall(r"\w+'|\w+|[^\w\s]", text)
    for i, token in enumerate(tokens):
        before, after = tokens[i - 1] if i else "", tokens[i + 1] if i + 1 < len(tokens) else ""
        verb = INFINITIVE.match(after) and after not in NOT_INFINITIVES
        if token in ("le", "la") and before != "-" and (before in BEFORE_VERB or verb):
            found.append(token)
        elif token == "l'" and (before in BEFORE_VERB or verb or after in HAVE):
            found.append(token)
    return found


def object_form(answer, alternatives):
    """le or la by gender; l' is right for both."""
    good, bad = ("la", "le") if gender(answer, alternatives) == "f" else ("le", "la")
    found = objects(answer)
    return ("l'" in found or good in found) and bad not in found


def expletive(answer):
    """il, ce, ça or cela, and no elle."""
    words = WORD.findall(answer.lower())
    return not {"elle", "elles"} & set(words) and bool(WEAK.search(answer.replace("’", "'")))


def judge(kind, answer, alternatives):
    if kind == "expletive":
        return expletive(answer)
    if kind == "object":
        return object_form(answer, alternatives)
    plural = kind == "they" and alternatives[0][0].endswith(("s", "x"))
    return subject(answer, alternatives, plural)


def pronouns():
    """[(kind, english, reference, alternatives)]."""
    return [(k, e, f, [] if a == "-" else referents(a)) for k, e, f, a in lines("pronouns.tsv")]


def winograd():
    """[(english, right, wrong, which of the two comes first in English)]."""
    return [(e, referents(r), referents(w), int(n)) for e, r, w, n in lines("winograd.tsv")]


def self_test():
    """Every reference is right, and wrong with the other gender's pronoun."""
    swap = {"il": "elle", "elle": "il", "ils": "elles", "elles": "ils", "le": "la", "la": "le"}
    for kind, _, reference, alternatives in pronouns():
        assert judge(kind, reference, alternatives), (kind, reference)
        if kind == "object":
            turned = re.sub(r"-(le|la)\b", lambda m: "-" + swap[m[1]], reference)
            for m in list(re.finditer(r"\b(le|la)\b", turned))[-1:]:
                if turned == reference:
                    turned = turned[:m.start()] + swap[m[1]] + turned[m.end():]
            if "l'" in objects(reference):
                continue
        else:
            turned = re.sub(r"\b(ils|elles|il|elle)\b", lambda m: swap[m[1]], reference.lower())
            turned = re.sub(r"\bc'(?=était)", "elle ", turned)
        assert not judge(kind, turned, alternatives), (kind, turned, objects(turned))


if __name__ == "__main__":
    self_test()
    print("forms.py: all well")
