"""A seeded generator of English-French practice pairs.

Every frame is a function that takes a random generator and returns a marked
English text and an unelided French one (see lexicon.py). `generate()` draws
from each frame until its share of distinct English sentences is reached. The
core frames hold an "it" that only its meaning resolves: adjectives of being
go to the animal, adjectives of place to the thing, and the French gender
follows. The other frames live in frames.py.
"""

import random

import lexicon

NOUNS, ADJECTIVES, VERBS = lexicon.load()
# The first of each kind are those that the held-out pairs are drawn from.
CORE_ANIMALS, CORE_THINGS = NOUNS["animal"][:24], NOUNS["thing"][:29]
CORE_BEING, CORE_PLACE = ADJECTIVES["being"][:12], ADJECTIVES["place"][:12]
CORE_VERBS = VERBS["place"][:11]
PRE, POST = ADJECTIVES["pre"], ADJECTIVES["post"]
BY_NAME = {n.en: n for kind in NOUNS for n in NOUNS[kind]}

DEGREES = [("too ", "trop ")] * 7 + [
    ("very ", "très "), ("so ", "si "), ("really ", "vraiment "), ("", "")]
CONNECTORS = [("because", "parce que")] * 8 + [
    ("since", "puisque"), ("as", "comme"), ("when", "quand"),
    ("even though", "même si"), ("although", "même si")]
# English, French, auxiliary ("e" être, "r" reflexive, "a" avoir), participle
MOVES = [
    ("stop", "stopped", "in front of", "se arrêter", "r", "arrêté", "devant"),
    ("stay", "stayed", "near", "rester", "e", "resté", "près de"),
    ("sleep", "slept", "near", "dormir", "a", "dormi", "près de"),
    ("lie down", "lay down", "beside", "se coucher", "r", "couché", "à côté de"),
    ("wait", "waited", "in front of", "attendre", "a", "attendu", "devant"),
    ("walk", "walked", "along", "marcher", "a", "marché", "le long de"),
    ("hide", "hid", "behind", "se cacher", "r", "caché", "derrière"),
    ("go", "went", "into", "entrer", "e", "entré", "dans"),
    ("come", "came", "out of", "sortir", "e", "sorti", "de"),
    ("jump", "jumped", "over", "sauter", "a", "sauté", "par-dessus"),
    ("fall", "fell", "into", "tomber", "e", "tombé", "dans"),
    ("go", "went", "to", "aller", "e", "allé", "jusque à"),
    ("run", "ran", "through", "courir", "a", "couru", "à travers"),
    ("live", "lived", "far from", "vivre", "a", "vécu", "loin de"),
    ("return", "returned", "to", "retourner", "e", "retourné", "à"),
    ("rest", "rested", "next to", "se reposer", "r", "reposé", "à côté de"),
]


def prep(preposition, phrase):
    """Preposition and noun phrase, marked for contraction (du, au)."""
    joins = preposition.split()[-1] in ("de", "à")
    glue = "_" if joins and phrase.split()[0] in ("le", "la", "les") else " "
    return preposition + glue + phrase


def phrase(r, noun, key, plain=False):
    """A noun phrase, mostly "the" and the bare noun."""
    kind = 0.0 if plain else r.random()
    if kind < 0.72:
        return f"the [{key}:{noun.en}]", noun.le
    if kind < 0.77:
        return f"a_ [{key}:{noun.en}]", noun.un
    if kind < 0.82:
        return f"my [{key}:{noun.en}]", ("ma " if noun.fem else "mon ") + noun.fr
    if kind < 0.87:
        return f"this [{key}:{noun.en}]", ("cette " if noun.fem else "ce ") + noun.fr
    article = "la " if noun.fem else "le "
    if kind < 0.95:
        a = r.choice(PRE[:4])
        return f"the {a.en} [{key}:{noun.en}]", f"{article}{a.before(noun)} {noun.fr}"
    a = r.choice(POST[:8])
    return f"the {a.en} [{key}:{noun.en}]", f"{article}{noun.fr} {a.of(noun)}"


def passive_verb(r, verbs):
    return r.choice([v for v in verbs if v.base not in ("like", "fear", "hate", "prefer")])


def acts(r, verb, subject, obj, present):
    """A clause in which the subject does something to the object."""
    (se, sf), (oe, of) = subject, obj
    if present:
        en, fr = r.choice([
            ("{s} doesn't {v} {o}", "{S} ne {p} pas {O}"),
            ("{s} does not {v} {o}", "{S} ne {p} pas {O}"),
            ("{s} {t} {o}", "{S} {p} {O}"),
            ("{s} cannot {v} {o}", "{S} ne peut pas {i} {O}"),
            ("{s} can't {v} {o}", "{S} ne peut pas {i} {O}"),
            ("{s} will not {v} {o}", "{S} ne {f} pas {O}"),
            ("{s} won't {v} {o}", "{S} ne {f} pas {O}"),
            ("{s} never {t} {o}", "{S} ne {p} jamais {O}"),
            ("{s} wants to {v} {o}", "{S} veut {i} {O}")])
    else:
        en, fr = r.choice([
            ("{s} didn't {v} {o}", "{S} ne a pas {pp} {O}"),
            ("{s} didn't {v} {o}", "{S} ne a pas {pp} {O}"),
            ("{s} did not {v} {o}", "{S} ne a pas {pp} {O}"),
            ("{s} {d} {o}", "{S} a {pp} {O}"),
            ("{s} {d} {o}", "{S} a {pp} {O}"),
            ("{s} could not {v} {o}", "{S} ne pouvait pas {i} {O}"),
            ("{s} couldn't {v} {o}", "{S} ne pouvait pas {i} {O}"),
            ("{s} never {d} {o}", "{S} ne a jamais {pp} {O}"),
            ("{s} did not want to {v} {o}", "{S} ne voulait pas {i} {O}"),
            ("{s} refused to {v} {o}", "{S} a refusé de {i} {O}"),
            ("{s} tried to {v} {o}", "{S} a essayé de {i} {O}"),
            ("{s} had to {v} {o}", "{S} a dû {i} {O}"),
            ("{s} wanted to {v} {o}", "{S} voulait {i} {O}"),
            ("{s} hadn't {n} {o}", "{S} ne avait pas {pp} {O}")])
    keys = {"v": verb.base, "t": verb.third, "d": verb.past, "n": verb.part,
            "p": verb.pres, "i": verb.inf, "f": verb.fut, "pp": verb.pp}
    return en.format(s=se, o=oe, **keys), fr.format(S=sf, O=of, **keys)


def moves(r, a, subject, obj):
    """A clause in which the subject moves or rests somewhere (past)."""
    base, past, p_en, inf, aux, part, p_fr = r.choice(MOVES)
    place = prep(p_fr, obj[1])
    form = part if aux == "a" else lexicon.agree(part, a)
    have = {"a": "a", "e": "est", "r": "se est"}[aux]
    no = {"a": "ne a pas", "e": "ne est pas", "r": "ne se est pas"}[aux]
    return r.choice([
        (f"{subject[0]} {past} {p_en} {obj[0]}", f"{subject[1]} {have} {form} {place}"),
        (f"{subject[0]} {past} {p_en} {obj[0]}", f"{subject[1]} {have} {form} {place}"),
        (f"{subject[0]} didn't {base} {p_en} {obj[0]}",
         f"{subject[1]} {no} {form} {place}"),
        (f"{subject[0]} wanted to {base} {p_en} {obj[0]}",
         f"{subject[1]} voulait {inf} {place}"),
        (f"{subject[0]} could not {base} {p_en} {obj[0]}",
         f"{subject[1]} ne pouvait pas {inf} {place}")])


def is_so(r, noun, key, adjective, present, plain=False):
    """ "it was too wide" """
    degree = ("too ", "trop ") if plain else r.choice(DEGREES)
    verbs = [("is", "est")] * 7 + [("seems", "semble"), ("looks", "semble")] if present else (
        [("was", "était")] * 7 + [("seemed", "semblait"), ("looked", "semblait")])
    be = verbs[0] if plain else r.choice(verbs)
    if not plain and not present and r.random() < 0.04:
        return (f"<{key}:{noun.it}> was not {adjective.en} enough",
                f"{noun.il} ne était pas assez {adjective.of(noun)}")
    return (f"<{key}:{noun.it}> {be[0]} {degree[0]}{adjective.en}",
            f"{noun.il} {be[1]} {degree[1]}{adjective.of(noun)}")


def joined(r, clause, reason, present=False, plain=False):
    """Main clause and reason: one sentence, reason first, or two sentences."""
    kind = 0.0 if plain else r.random()
    if kind < 0.78:
        en, fr = r.choice(CONNECTORS[:8] if plain else CONNECTORS)
        if fr == "comme":
            fr = "car"
        return f"{clause[0]} {en} {reason[0]}.", f"{clause[1]} {fr} {reason[1]}."
    if kind < 0.86:
        return f"{clause[0]}. {up(reason[0])}.", f"{clause[1]}. {up(reason[1])}."
    if kind < 0.93:
        en, fr = r.choice([("because", "parce que"), ("since", "comme"),
                           ("as", "comme"), ("when", "quand")])
        return f"{en} {reason[0]}, {clause[0]}.", f"{fr} {reason[1]}, {clause[1]}."
    if kind < 0.96:
        return f"{clause[0]}, for {reason[0]}.", f"{clause[1]}, car {reason[1]}."
    word = r.choice([("and", "et"), ("but", "mais")])
    return f"{clause[0]} {word[0]} {reason[0]}.", f"{clause[1]} {word[1]} {reason[1]}."


def up(text):
    """Capital of the first letter, behind a mark if there is one."""
    at = 3 if text[0] in "[<" and text[2] == ":" else 0
    return text[:at] + text[at].upper() + text[at + 1:]


def pick(r, core, all_):
    return r.choice(core if r.random() < 0.45 else all_)


def active(r, a, b, to_thing, plain=False):
    """ "The cow didn't cross the bridge because it was too tired / wide." """
    present = r.random() < 0.25
    verb = pick(r, CORE_VERBS, CORE_VERBS if plain else VERBS["place"])
    clause = acts(r, verb, phrase(r, a, "a", plain), phrase(r, b, "b", plain), present)
    return joined(r, clause, reason_for(r, a, b, to_thing, present, plain),
                  present, plain)


def reason_for(r, a, b, to_thing, present, plain):
    """The clause whose adjective tells which of the two nouns it speaks of."""
    core = (CORE_BEING, CORE_PLACE)[to_thing]
    adjective = pick(r, core, core if plain else ADJECTIVES[("being", "place")[to_thing]])
    return is_so(r, (a, b)[to_thing], "ab"[to_thing], adjective, present, plain)


def passive(r, a, b, to_thing, plain=False):
    """ "The bridge was not crossed by the cow because it was too tired." """
    verb = passive_verb(r, CORE_VERBS if plain else VERBS["place"])
    b_en, b_fr = phrase(r, b, "b", plain)
    a_en, a_fr = phrase(r, a, "a", plain)
    en, fr = r.choice([("was not", "ne a pas été"), ("was", "a été"),
                       ("wasn't", "ne a pas été"), ("was never", "ne a jamais été")])
    clause = (f"{b_en} {en} {verb.part} by {a_en}",
              f"{b_fr} {fr} {verb.agreed(b)} par {a_fr}")
    return joined(r, clause, reason_for(r, a, b, to_thing, False, plain), False, plain)


def beside(r, a, b, to_thing, plain=False):
    """ "Near the lake, the cow stopped because it was too tired." """
    p_en, p_fr = r.choice([("near", "près de"), ("in front of", "devant"),
                           ("beside", "à côté de"), ("behind", "derrière")])
    past, aux, part = r.choice([
        ("stopped", "se est", "arrêté"), ("waited", "a", "attendu"),
        ("slept", "a", "dormi"), ("turned back", "a fait demi-tour", ""),
        ("hesitated", "a", "hésité"), ("fell", "est", "tombé"), ("stayed", "est", "resté")])
    b_en, b_fr = phrase(r, b, "b", plain)
    a_en, a_fr = phrase(r, a, "a", plain)
    form = lexicon.agree(part, a) if aux.endswith("est") else part
    clause = (f"{p_en} {b_en}, {a_en} {past}",
              f"{prep(p_fr, b_fr)}, {a_fr} {aux} {form}".rstrip())
    return joined(r, clause, reason_for(r, a, b, to_thing, False, plain), False, True)


def moving(r, a, b, to_thing, plain=False):
    """ "The cow stayed near the lake because it was too tired / deep." """
    clause = moves(r, a, phrase(r, a, "a", plain), phrase(r, b, "b", plain))
    return joined(r, clause, reason_for(r, a, b, to_thing, False, plain), False, plain)


def led(r, a, b, to_thing, plain=False):
    """ "The farmer led the cow to the bridge because it was too tired." """
    who = r.choice(NOUNS["person"] + NOUNS["kin"])
    past, p_en, fr, p_fr = r.choice([
        ("led", "to", "a conduit", "jusque à"), ("saw", "near", "a vu", "près de"),
        ("found", "near", "a trouvé", "près de"), ("left", "beside", "a laissé", "à côté de"),
        ("carried", "across", "a porté", "à travers"), ("kept", "away from", "a tenu", "loin de"),
        ("met", "in front of", "a rencontré", "devant")])
    subject = (f"the {who.en}", who.le) if r.random() < 0.7 else r.choice(
        [("I", "je"), ("we", "nous"), ("my brother", "mon frère"), ("my sister", "ma sœur")])
    fr = {"je": "je ai", "nous": "nous avons"}.get(subject[1], subject[1] + " a") + fr[1:]
    a_en, a_fr = phrase(r, a, "a", plain)
    b_en, b_fr = phrase(r, b, "b", plain)
    clause = (f"{subject[0]} {past} {a_en} {p_en} {b_en}", f"{fr} {a_fr} {prep(p_fr, b_fr)}")
    return joined(r, clause, reason_for(r, a, b, to_thing, False, plain), False, plain)


def core_pair(r):
    return pick(r, CORE_ANIMALS, NOUNS["animal"]), pick(r, CORE_THINGS, NOUNS["thing"])


def of_animals(frame):
    def draw(r):
        return frame(r, *core_pair(r), r.randrange(2))
    return draw


def of_persons(frame):
    def draw(r):
        who = r.choice(NOUNS["person"] + NOUNS["kin"][:10])
        if r.random() < 0.4:
            who = r.choice(NOUNS["person"][:7])
        return frame(r, who, pick(r, CORE_THINGS, NOUNS["thing"]), r.randrange(2))
    return draw


def many(r):
    """ "they": "The cows didn't cross the bridges because they were too wide." """
    a, b = core_pair(r)
    if r.random() < 0.3:
        a = r.choice(NOUNS["person"])
    to_thing = r.randrange(2)
    verb = r.choice(VERBS["place"])
    noun, key = ((a, "a"), (b, "b"))[to_thing]
    adjective = r.choice(ADJECTIVES[("being", "place")[to_thing]])
    keys = {"v": verb.base, "d": verb.past, "n": verb.part, "pp": verb.pp, "i": verb.inf,
            "P": verb.pres_pl, "s": f"the [a:{a.en_plural}]", "o": f"the [b:{b.en_plural}]",
            "S": f"les {a.fr_plural}", "O": f"les {b.fr_plural}",
            "q": verb.agreed(b, True)}
    clauses = [
        ("{s} didn't {v} {o}", "{S} ne ont pas {pp} {O}"),
        ("{s} did not {v} {o}", "{S} ne ont pas {pp} {O}"),
        ("{s} {d} {o}", "{S} ont {pp} {O}"),
        ("{s} could not {v} {o}", "{S} ne pouvaient pas {i} {O}"),
        ("{s} never {d} {o}", "{S} ne ont jamais {pp} {O}"),
        ("{o} were not {n} by {s}", "{O} ne ont pas été {q} par {S}"),
        ("{s} do not {v} {o}", "{S} ne {P} pas {O}"),
        ("{s} don't {v} {o}", "{S} ne {P} pas {O}")]
    en, fr = r.choice(clauses if verb.base not in ("like", "fear", "hate", "prefer")
                      else clauses[:5] + clauses[6:])
    present = " do" in en
    degree = r.choice(DEGREES)
    be = ("are", "sont") if present else ("were", "étaient")
    reason = (f"<{key}:they> {be[0]} {degree[0]}{adjective.en}",
              f"{noun.il}s {be[1]} {degree[1]}{adjective.of(noun, True)}")
    return joined(r, (en.format(**keys), fr.format(**keys)), reason, present)


def animal_and_person(r):
    """ "The girl followed the dog because it was hungry / because she was ..." """
    a, b = r.choice(NOUNS["person"]), r.choice(NOUNS["animal"])
    if r.random() < 0.5:
        a, b = b, a
    elif r.random() < 0.3:
        b = r.choice([n for n in NOUNS["person"] if n.gender != a.gender])
    target = r.choice("ab")
    noun = a if target == "a" else b
    present = r.random() < 0.25
    clause = acts(r, r.choice(VERBS["creature"]), phrase(r, a, "a"), phrase(r, b, "b"), present)
    return joined(r, clause, is_so(r, noun, target, r.choice(ADJECTIVES["being"]), present),
                  present)


CORE = [
    (of_animals(active), 16000), (of_animals(passive), 4000), (of_animals(beside), 2000),
    (of_animals(moving), 4500), (of_animals(led), 2500), (of_persons(active), 3500),
    (of_persons(passive), 800), (of_persons(moving), 1200), (many, 4000),
    (animal_and_person, 2500),
]


def draw(r, frame):
    """One pair: (english, french, links)."""
    en, fr = frame(r)
    plain, links = lexicon.english(en)
    return plain, capitals(lexicon.french(fr)), links


def capitals(text):
    """A capital after a full stop inside the text."""
    parts = text.split(". ")
    return ". ".join(p[0].upper() + p[1:] for p in parts)


def generate(frames, seed, allowed):
    """Distinct pairs of all frames; `allowed(english, french)` keeps hold-outs out."""
    seen, pairs = set(), []
    for number, (frame, quota) in enumerate(frames):
        r = random.Random(f"{seed}/{number}")
        got = 0
        for _ in range(quota * 8):
            if got == quota:
                break
            pair = draw(r, frame)
            if pair[0] in seen or not allowed(pair[0], pair[1]):
                continue
            seen.add(pair[0])
            pairs.append(pair)
            got += 1
    return pairs
