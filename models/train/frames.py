"""Frames of the practice grammar beside the core ones (see grammar.py)."""

import grammar
from grammar import ADJECTIVES, BY_NAME, NOUNS, POST, PRE, VERBS, phrase, prep
from lexicon import Adjective, agree

MONTHS = list(zip(
    "January February March April May June July August September October November "
    "December".split(),
    "janvier février mars avril mai juin juillet août septembre octobre novembre "
    "décembre".split()))
DAYS = list(zip("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
                "lundi mardi mercredi jeudi vendredi samedi dimanche".split()))
NUMBERS = list(zip(
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen twenty thirty forty fifty".split(),
    "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze "
    "seize vingt trente quarante cinquante".split()))
# subject, French with avoir, gender letter and number for être
HAVE = [("I", "je ai"), ("you", "tu as"), ("he", "il a"), ("she", "elle a"),
        ("we", "nous avons"), ("they", "ils ont"), ("my sister", "ma sœur a"),
        ("my brother", "mon frère a"), ("the teacher", "le professeur a"),
        ("my mother", "ma mère a"), ("the girl", "la fille a"), ("Tom", "Tom a"),
        ("Mary", "Marie a"), ("my father", "mon père a"), ("the boy", "le garçon a")]
THIRD = [("he", "il"), ("she", "elle"), ("my sister", "ma sœur"), ("my brother", "mon frère"),
         ("the woman", "la femme"), ("the man", "le homme"), ("Tom", "Tom"),
         ("Mary", "Marie"), ("the child", "le enfant"), ("the nurse", "la infirmière"),
         ("the teacher", "le professeur"), ("my mother", "ma mère")]
BIG = [Adjective("", *w) for w in (
    ("big", "grand", "grande"), ("large", "gros", "grosse"), ("wide", "large", "large"),
    ("long", "long", "longue"), ("thick", "épais", "épaisse"))]
SMALL = [Adjective("", *w) for w in (
    ("small", "petit", "petite"), ("narrow", "étroit", "étroite"), ("short", "court", "courte"),
    ("full", "plein", "pleine"))]
TASTY = [Adjective("", *w) for w in (
    ("delicious", "délicieux", "délicieuse"), ("fresh", "frais", "fraîche"),
    ("ripe", "mûr", "mûre"), ("sweet", "sucré", "sucrée"), ("soft", "mou", "molle"))]
HEAVY = Adjective("", "heavy", "lourd", "lourde")
FRAGILE = Adjective("", "fragile", "fragile", "fragile")
HOLDERS = [BY_NAME[n] for n in (
    "box bag basket bucket drawer cupboard wardrobe crate pot car truck room cellar "
    "barn kitchen cage boat").split()]
ITEMS = [BY_NAME[n] for n in (
    "ball book chair hat coat dress shirt knife plate bottle lamp clock umbrella computer "
    "camera newspaper piano guitar violin rope mirror carpet blanket pillow stone statue "
    "machine vase desk toy doll pencil notebook scarf jacket candle broom hammer saw sword "
    "shield parcel map helmet table bed ladder bicycle").split()]
VESSELS = [BY_NAME[n] for n in "bottle cup glass bucket pot vase".split()]
SMASHED = [BY_NAME[n] for n in "window mirror vase lamp plate glass cup bottle table chair".split()]
CLOTHES = [BY_NAME[n] for n in "hat coat dress shirt scarf tie jacket helmet".split()]
SURFACES = [BY_NAME[n] for n in "table chair bed desk shelf piano carpet cupboard".split()]


def some(r):
    """Any noun that is "it", weighted over kinds."""
    return r.choice(NOUNS[r.choice(("animal", "thing", "object", "object", "food"))])


def quality(r, noun):
    """An adjective that suits the noun."""
    kind = {"animal": "being", "thing": "place", "person": "being", "kin": "being"}.get(noun.kind)
    if noun.kind in ("object", "food"):
        return r.choice(POST[:18])
    return r.choice(ADJECTIVES[kind])


def fits(r):
    """ "The ball doesn't fit in the box because it is too big / small." """
    a, b = r.choice(ITEMS), r.choice(HOLDERS)
    to_b = r.randrange(2)
    adjective = r.choice(SMALL if to_b else BIG)
    noun, key = (b, "b") if to_b else (a, "a")
    (ae, af), (be, bf) = phrase(r, a, "a"), phrase(r, b, "b")
    en, fr, now = r.choice([
        ("{a} doesn't fit in {b}", "{A} ne rentre pas dans {B}", True),
        ("{a} does not fit into {b}", "{A} ne rentre pas dans {B}", True),
        ("{a} won't fit in {b}", "{A} ne rentrera pas dans {B}", True),
        ("{a} didn't fit in {b}", "{A} ne rentrait pas dans {B}", False),
        ("I couldn't put {a} into {b}", "je ne ai pas pu mettre {A} dans {B}", False),
        ("we can't put {a} in {b}", "nous ne pouvons pas mettre {A} dans {B}", True)])
    reason = grammar.is_so(r, noun, key, adjective, now, True)
    return grammar.joined(r, (en.format(a=ae, b=be), fr.format(A=af, B=bf)), reason, now)


def pours(r):
    a, b = r.sample(VESSELS, 2)
    what = r.choice([m for m in NOUNS["mass"] if m.en in (
        "water", "milk", "wine", "oil", "soup", "coffee", "tea", "honey", "beer", "cream")])
    full = r.randrange(2)
    noun, key = (b, "b") if full else (a, "a")
    word = (("full", "plein", "pleine"), ("empty", "vide", "vide"))[1 - full]
    who = r.choice(HAVE)
    form = word[2] if noun.fem else word[1]
    return (f"{who[0]} poured {what.en} from the [a:{a.en}] into the [b:{b.en}] until "
            f"<{key}:it> was {word[0]}.",
            f"{who[1]} versé {prep('de', what.le)} {prep('de', a.le)} dans {b.le} jusque à ce "
            f"que {noun.il} soit {form}.")


def smashes(r):
    a = r.choice([i for i in ITEMS if i not in SMASHED])
    b = r.choice([s for s in SMASHED if s.en != "table"])
    to_b = r.randrange(2)
    noun, key = (b, "b") if to_b else (a, "a")
    adjective = FRAGILE if to_b else HEAVY
    en, fr, part = r.choice([("broke", "a cassé", ""), ("smashed", "a brisé", ""),
                             ("damaged", "a abîmé", "")])
    (ae, af), (be, bf) = phrase(r, a, "a"), phrase(r, b, "b")
    return grammar.joined(r, (f"{ae} {en} {be}", f"{af} {fr} {bf}"),
                          grammar.is_so(r, noun, key, adjective, False))


def eats(r):
    a, b = r.choice(NOUNS["animal"]), r.choice(NOUNS["food"])
    to_b = r.randrange(2)
    noun, key = (b, "b") if to_b else (a, "a")
    adjective = r.choice(TASTY if to_b else ADJECTIVES["being"][:5] + ADJECTIVES["being"][25:26])
    present = r.random() < 0.3
    clause = grammar.acts(r, r.choice(VERBS["eat"][:1] + VERBS["eat"][3:5] + VERBS["eat"][6:7]),
                          phrase(r, a, "a"), phrase(r, b, "b"), present)
    return grammar.joined(r, clause, grammar.is_so(r, noun, key, adjective, present), present)


def reaches(r):
    a, b = BY_NAME[r.choice(("ladder", "rope"))], r.choice(
        [BY_NAME[n] for n in "roof window wall bridge cliff tree shelf cave".split()])
    to_b = r.randrange(2)
    noun, key = (b, "b") if to_b else (a, "a")
    adjective = ADJECTIVES["place"][2] if to_b else SMALL[2]
    (ae, af), (be, bf) = phrase(r, a, "a"), phrase(r, b, "b")
    return grammar.joined(r, (f"{ae} didn't reach {be}", f"{af} ne atteignait pas {bf}"),
                          grammar.is_so(r, noun, key, adjective, False))


def then_it(r):
    """ "It" as object: "The dog chased the cat and caught it." """
    if r.random() < 0.55:
        a, b = r.sample(NOUNS["animal"], 2)
        subject = (f"the {a.en}", a.le)
        verbs = VERBS["creature"]
    else:
        who = r.choice(THIRD)
        b = r.choice(NOUNS["object"])
        subject = who
        verbs = VERBS["thing"]
    v, w = r.sample(verbs, 2)
    en, fr = r.choice([
        ("{s} {d} {o} and {e} <b:it>.", "{S} a {pp} {O} et le a {qq}."),
        ("{s} {d} {o} but didn't {w} <b:it>.", "{S} a {pp} {O} mais ne le a pas {qq}."),
        ("{s} {d} {o} but never {e} <b:it>.", "{S} a {pp} {O} mais ne le a jamais {qq}."),
        ("{s} {d} {o} and wants to {w} <b:it>.", "{S} a {pp} {O} et veut {le} {j}."),
        ("{s} {d} {o} but cannot {w} <b:it>.", "{S} a {pp} {O} mais ne peut pas {le} {j}."),
        ("{s} {t} {o} and {u} <b:it>.", "{S} {p} {O} et {le} {q}.")])
    o = phrase(r, b, "b")
    keys = {"s": subject[0], "S": subject[1], "o": o[0], "O": o[1], "d": v.past, "e": w.past,
            "w": w.base, "t": v.third, "u": w.third, "pp": v.pp, "qq": w.agreed(b),
            "p": v.pres, "q": w.pres, "j": w.inf, "le": "la" if b.fem else "le"}
    return en.format(**keys), fr.format(**keys)


def i_did_it(r):
    """ "I bought a red car but I lost it." and "I am looking for the key." """
    b = r.choice(NOUNS["object"])
    who, v, w = r.choice(HAVE[:6] + HAVE[11:13]), *r.sample(VERBS["thing"], 2)
    le = "la" if b.fem else "le"
    pron, _, have = who[1].partition(" ")
    o = phrase(r, b, "b")
    en, fr = r.choice([
        (f"{who[0]} {v.past} {o[0]}, then {who[0]} {w.past} <b:it>.",
         f"{who[1]} {v.pp} {o[1]}, puis {pron} le {have} {w.agreed(b)}."),
        (f"{who[0]} {v.past} {o[0]} because {who[0]} had {w.part} <b:it>.",
         f"{who[1]} {v.pp} {o[1]} parce que {pron} le {IMPERFECT[have]} {w.agreed(b)}."),
        (f"I am looking for {o[0]}. Have you {w.part} <b:it>?",
         f"je cherche {o[1]}. Le as-tu {w.agreed(b)} ?"),
        (f"where is {o[0]}? I can't find <b:it>.", f"où est {o[1]} ? Je ne {le} trouve pas."),
        (f"where is {o[0]}? I have {w.part} <b:it>.",
         f"où est {o[1]} ? Je le ai {w.agreed(b)}."),
        (f"here is {o[0]}. Do you want <b:it>?", f"voici {o[1]}. {le.capitalize()} veux-tu ?"),
        (f"this is my [b:{b.en}]. I {w.past} <b:it> yesterday.",
         f"ce est {'ma' if b.fem else 'mon'} {b.fr}. Je le ai {w.agreed(b)} hier."),
        (f"{who[0]} took {o[0]} and put <b:it> on the table.",
         f"{who[1]} pris {o[1]} et le {have} {'posée' if b.fem else 'posé'} sur la table.")])
    return en, fr


IMPERFECT = {"ai": "avais", "as": "avais", "a": "avait", "avons": "avions", "ont": "avaient"}


def one_noun(r):
    """A single noun and its pronoun."""
    n = some(r)
    a = quality(r, n)
    ce = "cette" if n.fem else "ce"
    d = r.choice(grammar.DEGREES)
    s, o = r.sample(SURFACES, 1)[0], r.choice(NOUNS["object"])
    en, fr = r.choice([
        (f"I like this [a:{n.en}] because <a:it> is {d[0]}{a.en}.",
         f"je aime {ce} {n.fr} parce que {n.il} est {d[1]}{a.of(n)}."),
        (f"I don't like the [a:{n.en}] because <a:it> is {d[0]}{a.en}.",
         f"je ne aime pas {n.le} parce que {n.il} est {d[1]}{a.of(n)}."),
        (f"look at the [a:{n.en}]! <a:It> is {d[0]}{a.en}.",
         f"regarde {n.le} ! {n.il.capitalize()} est {d[1]}{a.of(n)}."),
        (f"is the [a:{n.en}] {a.en}? Yes, <a:it> is {d[0]}{a.en}.",
         f"est-ce que {n.le} est {a.of(n)} ? Oui, {n.il} est {d[1]}{a.of(n)}."),
        (f"I saw a_ [a:{n.en}]. <a:It> was {d[0]}{a.en}.",
         f"je ai vu {n.un}. {n.il.capitalize()} était {d[1]}{a.of(n)}."),
        (f"where is the [a:{o.en}]? <a:It> is on the {s.en}.",
         f"où est {o.le} ? {o.il.capitalize()} est sur {s.le}."),
        (f"the [a:{n.en}] is not {a.en}. <a:It> is {d[0]}old.",
         f"{n.le} ne est pas {a.of(n)}. {n.il.capitalize()} est {d[1]}{PRE[2].of(n)}."),
        (f"when I saw the [a:{n.en}], <a:it> was {a.en}.",
         f"quand je ai vu {n.le}, {n.il} était {a.of(n)}."),
        (f"if the [a:{n.en}] is {a.en}, I don't want <a:it>.",
         f"si {n.le} est {a.of(n)}, je ne {'la' if n.fem else 'le'} veux pas.")])
    return en, fr


def is_plain(r):
    """ "The street is wide." "The dogs are tired." """
    n = r.choice(NOUNS["person"]) if r.random() < 0.15 else some(r)
    a = quality(r, n)
    d = r.choice([("", "")] * 4 + [("very ", "très "), ("too ", "trop "), ("not ", "")])
    un_negated = d[0] != "not "
    ce = "cette" if n.fem else "ce"
    kind = r.randrange(7)
    if kind == 0:
        be = "sont" if un_negated else "ne sont pas"
        return (f"the {n.en_plural} are {d[0]}{a.en}.",
                f"les {n.fr_plural} {be} {d[1]}{a.of(n, True)}.")
    if kind == 1:
        be = "était" if un_negated else "ne était pas"
        return f"the {n.en} was {d[0]}{a.en}.", f"{n.le} {be} {d[1]}{a.of(n)}."
    if kind == 2:
        be = "est" if un_negated else "ne est pas"
        return f"this {n.en} is {d[0]}{a.en}.", f"{ce} {n.fr} {be} {d[1]}{a.of(n)}."
    if kind == 3:
        mon = r.choice([("my", "m"), ("your", "t"), ("his", "s"), ("her", "s")])
        be = "est" if un_negated else "ne est pas"
        return (f"{mon[0]} {n.en} is {d[0]}{a.en}.",
                f"{mon[1]}{'a' if n.fem else 'on'} {n.fr} {be} {d[1]}{a.of(n)}.")
    if kind == 4:
        return f"is the {n.en} {a.en}?", f"est-ce que {n.le} est {a.of(n)} ?"
    be = "est" if un_negated else "ne est pas"
    return f"the {n.en} is {d[0]}{a.en}.", f"{n.le} {be} {d[1]}{a.of(n)}."


def adjective_order(r):
    """ "My sister bought a big red car yesterday." """
    n = r.choice(NOUNS[r.choice(("object", "object", "thing", "animal", "food"))])
    pre, post = r.choice(PRE), r.choice(POST)
    kind = r.randrange(3)
    art = r.choice([("a_", "une" if n.fem else "un"), ("the", "la" if n.fem else "le"),
                    ("this", "cette" if n.fem else "ce"), ("my", "ma" if n.fem else "mon")])
    en, fr = ((f"{post.en} {n.en}", f"{n.fr} {post.of(n)}"),
              (f"{pre.en} {n.en}", f"{pre.before(n)} {n.fr}"),
              (f"{pre.en} {post.en} {n.en}", f"{pre.before(n)} {n.fr} {post.of(n)}"))[kind]
    en, fr = f"{art[0]} {en}", f"{art[1]} {fr}"
    who = r.choice(HAVE)
    v = r.choice(VERBS["thing"] if n.kind == "object" else VERBS["place"][1:12])
    when = r.choice([("", ""), (" yesterday", " hier"), (" today", " aujourd'hui"),
                     (" last week", " la semaine dernière"), (" this morning", " ce matin")])
    return r.choice([
        (f"{who[0]} {v.past} {en}{when[0]}.", f"{who[1]} {v.pp} {fr}{when[1]}."),
        (f"{who[0]} {v.past} {en}{when[0]}.", f"{who[1]} {v.pp} {fr}{when[1]}."),
        (f"here is {en}.", f"voici {fr}."),
        (f"I see {en}.", f"je vois {fr}."),
        (f"it is {en}.", f"ce est {fr}."),
        (f"do you want {en}?", f"veux-tu {fr} ?"),
        (f"she is looking at {en}.", f"elle regarde {fr}.")])


def group_np(r):
    """ "the European Monetary Union": (English, French with its article)."""
    g = r.choice(NOUNS["group"][:1] * 4 + NOUNS["group"])
    o = r.choice(ADJECTIVES["origin"][:1] * 4 + ADJECTIVES["origin"])
    d = r.choice(ADJECTIVES["domain"][:1] * 3 + ADJECTIVES["domain"])
    if g.fr == d.masc or (g.en, o.en) == ("Region", "Regional"):
        return group_np(r)
    kind = r.random()
    if kind < 0.66:
        en, fr = f"{o.en} {d.en} {g.en}", f"{g.fr} {d.of(g)} {o.of(g)}"
    elif kind < 0.83:
        en, fr = f"{o.en} {g.en}", f"{g.fr} {o.of(g)}"
    else:
        en, fr = f"{d.en} {g.en}", f"{g.fr} {d.of(g)}"
    if r.random() < 0.25:
        proper = {"European", "African", "American", "Asian", "French", "German", "Italian",
                  "Canadian", "British", "Japanese"}
        en = " ".join(w if w in proper else w.lower() for w in en.split())
    return f"the {en}", ("la " if g.fem else "le ") + fr, g


PAPERS = [("agreement", "accord", "m"), ("treaty", "traité", "m"), ("contract", "contrat", "m"),
          ("report", "rapport", "m"), ("law", "loi", "f"), ("convention", "convention", "f"),
          ("declaration", "déclaration", "f"), ("decision", "décision", "f"),
          ("document", "document", "m"), ("protocol", "protocole", "m")]
DONE = [("signed", "signé"), ("published", "publié"), ("adopted", "adopté"),
        ("approved", "approuvé"), ("rejected", "rejeté"), ("presented", "présenté")]


def reversed_np(r):
    """ "The agreement on the European Monetary Union was signed in March 1957." """
    np_en, np_fr, g = group_np(r)
    month, year = r.choice(MONTHS), r.randrange(1900, 2030)
    when = (f"in {month[0]} {year}", f"en {month[1]} {year}")
    p, d = r.choice(PAPERS), r.choice(DONE)
    le = ("la " if p[2] == "f" else "le ") + p[1]
    part = d[1] + ("e" if p[2] == "f" else "")
    who = r.choice(HAVE[:7])
    return r.choice([
        (f"the {p[0]} on {np_en} was {d[0]} {when[0]}.",
         f"{le} sur {np_fr} a été {part} {when[1]}."),
        (f"the {p[0]} on {np_en} was {d[0]} {when[0]}.",
         f"{le} sur {np_fr} a été {part} {when[1]}."),
        (f"the {p[0]} on {np_en} was not {d[0]}.", f"{le} sur {np_fr} ne a pas été {part}."),
        (f"the {p[0]} of {np_en} was {d[0]} in {year}.",
         f"{le} {prep('de', np_fr)} a été {part} en {year}."),
        (f"{np_en} was founded {when[0]}.", f"{np_fr} a été {agree('fondé', g)} {when[1]}."),
        (f"{np_en} is very important.",
         f"{np_fr} est très {'importante' if g.fem else 'important'}."),
        (f"{who[0]} wrote a book about {np_en}.", f"{who[1]} écrit un livre sur {np_fr}."),
        (f"he works for {np_en}.", f"il travaille pour {np_fr}."),
        (f"what is {np_en}?", f"que est-ce que {np_fr} ?"),
        (f"the president of {np_en} spoke {when[0]}.",
         f"le président {prep('de', np_fr)} a parlé {when[1]}.")])


def relative(r):
    """qui and que, with the agreement of the participle."""
    a, b = r.choice(NOUNS["animal"]), r.choice(NOUNS["thing"])
    o, s = r.choice(NOUNS["object"]), r.choice(SURFACES)
    q, who = r.choice(POST[:18]), r.choice(HAVE)
    v, w = r.choice(VERBS["thing"]), r.choice(VERBS["place"])
    p, being = r.choice(NOUNS["person"]), r.choice(ADJECTIVES["being"])
    return r.choice([
        (f"the {a.en} that {w.past} the {b.en} is {being.en}.",
         f"{a.le} qui a {w.pp} {b.le} est {being.of(a)}."),
        (f"the {o.en} that {who[0]} {v.past} is {q.en}.",
         f"{o.le} que {who[1]} {v.agreed(o)} est {q.of(o)}."),
        (f"the {o.en} which {who[0]} {v.past} was {q.en}.",
         f"{o.le} que {who[1]} {v.agreed(o)} était {q.of(o)}."),
        (f"the {p.en} who {v.past} the {o.en} is {being.en}.",
         f"{p.le} qui a {v.pp} {o.le} est {being.of(p)}."),
        (f"I know the {p.en} who lives near the {b.en}.",
         f"je connais {p.le} qui habite {prep('près de', b.le)}."),
        (f"the {o.en} that is on the {s.en} is {q.en}.",
         f"{o.le} qui est sur {s.le} est {q.of(o)}."),
        (f"here is the {o.en} that {who[0]} {v.past}.",
         f"voici {o.le} que {who[1]} {v.agreed(o)}.")])


def negation(r):
    who, v = r.choice(THIRD), r.choice(VERBS["thing"])
    o, b = r.choice(NOUNS["object"]), r.choice(NOUNS["thing"])
    w, u = r.choice(VERBS["place"]), r.choice(NOUNS["animal"])
    return r.choice([
        (f"{who[0]} never {v.third} the {o.en}.", f"{who[1]} ne {v.pres} jamais {o.le}."),
        (f"{who[0]} no longer {v.third} the {o.en}.", f"{who[1]} ne {v.pres} plus {o.le}."),
        (f"{who[0]} doesn't {v.base} anything.", f"{who[1]} ne {v.pres} rien."),
        (f"{who[0]} didn't {v.base} anything in the {b.en}.",
         f"{who[1]} ne a rien {v.pp} dans {b.le}."),
        (f"{who[0]} does not have a_ {o.en}.", f"{who[1]} ne a pas de {o.fr}."),
        (f"there are no {u.en_plural} in the {b.en}.",
         f"il ne y a pas de {u.fr_plural} dans {b.le}."),
        (f"nobody {w.past} the {b.en}.", f"personne ne a {w.pp} {b.le}."),
        (f"{who[0]} didn't {w.base} the {b.en}.", f"{who[1]} ne a pas {w.pp} {b.le}."),
        (f"{who[0]} only has one {o.en}.",
         f"{who[1]} ne a que {'une' if o.fem else 'un'} {o.fr}."),
        (f"{who[0]} has never {w.part} this {b.en}.",
         f"{who[1]} ne a jamais {w.pp} {'cette' if b.fem else 'ce'} {b.fr}.")])


def counts(r):
    n, k = some(r), r.choice(NUMBERS)
    b, s = r.choice(NOUNS["thing"]), r.choice(SURFACES)
    v, who = r.choice(VERBS["thing"]), r.choice(HAVE)
    month, day, year = r.choice(MONTHS), r.randrange(2, 29), r.randrange(1900, 2026)
    week = r.choice(DAYS)
    o = r.choice(NOUNS["object"])
    hour = r.choice(NUMBERS[:9])
    il, part = r.choice([("he", "il est né"), ("she", "elle est née")])
    return r.choice([
        (f"there are {k[0]} {n.en_plural} in the {b.en}.",
         f"il y a {k[1]} {n.fr_plural} dans {b.le}."),
        (f"there are {k[0]} {o.en_plural} on the {s.en}.",
         f"il y a {k[1]} {o.fr_plural} sur {s.le}."),
        (f"{who[0]} {v.past} {k[0]} {o.en_plural}.", f"{who[1]} {v.pp} {k[1]} {o.fr_plural}."),
        (f"I have {k[0]} {n.en_plural}.", f"je ai {k[1]} {n.fr_plural}."),
        (f"{il} was born on {month[0]} {day}, {year}.", f"{part} le {day} {month[1]} {year}."),
        (f"{il} was born in {month[0]} {year}.", f"{part} en {month[1]} {year}."),
        (f"{who[0]} {v.past} the {o.en} on {week[0]}.",
         f"{who[1]} {v.pp} {o.le} {week[1]}."),
        (f"{who[0]} {v.past} the {o.en} in {month[0]} {year}.",
         f"{who[1]} {v.pp} {o.le} en {month[1]} {year}."),
        (f"the train leaves at {hour[0]} o'clock.", f"le train part à {hour[1]} heures."),
        (f"the {b.en} was closed on {month[0]} {day}.",
         f"{b.le} était {'fermée' if b.fem else 'fermé'} le {day} {month[1]}.")])


def questions(r):
    n, b = some(r), r.choice(NOUNS["thing"])
    v, w = r.choice(VERBS["thing"]), r.choice(VERBS["place"])
    o, who = r.choice(NOUNS["object"]), r.choice(THIRD[2:])
    f = r.choice(NOUNS["food"])
    quel = "quelle" if o.fem else "quel"
    return r.choice([
        (f"where is the {n.en}?", f"où est {n.le} ?"),
        (f"do you have a_ {o.en}?", f"as-tu {o.un} ?"),
        (f"did {who[0]} {v.base} the {o.en}?", f"est-ce que {who[1]} a {v.pp} {o.le} ?"),
        (f"why did {who[0]} {v.base} the {o.en}?", f"pourquoi {who[1]} a-t-"
         f"{IL[who[0]]} {v.pp} {o.le} ?"),
        (f"who {v.past} the {o.en}?", f"qui a {v.pp} {o.le} ?"),
        (f"who {w.past} the {b.en}?", f"qui a {w.pp} {b.le} ?"),
        (f"which {o.en} did you {v.base}?", f"{quel} {o.fr} as-tu {v.agreed(o)} ?"),
        (f"can you see the {n.en}?", f"peux-tu voir {n.le} ?"),
        (f"how many {n.en_plural} do you see?", f"combien de {n.fr_plural} vois-tu ?"),
        (f"have you {v.part} my {o.en}?",
         f"as-tu {v.pp} {'ma' if o.fem else 'mon'} {o.fr} ?"),
        (f"do you like {f.en_plural}?", f"aimes-tu les {f.fr_plural} ?"),
        (f"when did you {w.base} the {b.en}?", f"quand as-tu {w.pp} {b.le} ?")])


IL = {"my sister": "elle", "my brother": "il", "the woman": "elle", "the man": "il",
      "Tom": "il", "Mary": "elle", "the child": "il", "the nurse": "elle",
      "the teacher": "il", "my mother": "elle"}


def food(r):
    m, f = r.choice(NOUNS["mass"]), r.choice(NOUNS["food"])
    who, a = r.choice(THIRD), r.choice(POST[:6])
    have = r.choice(HAVE)
    drink = m.en in ("water", "milk", "wine", "beer", "coffee", "tea")
    eat = ("drinks", "boit", "drinking", "drank", "bu") if drink else (
        "eats", "mange", "eating", "ate", "mangé")
    some_m = prep("de", m.le)
    v = r.choice(VERBS["eat"])
    return r.choice([
        (f"{who[0]} {eat[0]} {m.en}.", f"{who[1]} {eat[1]} {some_m}."),
        (f"{who[0]} is {eat[2]} {m.en}.", f"{who[1]} {eat[1]} {some_m}."),
        (f"{who[0]} doesn't want any {m.en}.", f"{who[1]} ne veut pas de {m.fr}."),
        (f"{have[0]} {eat[3]} some {m.en}.", f"{have[1]} {eat[4]} {some_m}."),
        (f"{who[0]} is eating a_ {a.en} {f.en}.", f"{who[1]} mange {f.un} {a.of(f)}."),
        (f"{who[0]} is eating a_ {f.en}.", f"{who[1]} mange {f.un}."),
        (f"{have[0]} {v.past} a_ {f.en} and some {m.en}.",
         f"{have[1]} {v.pp} {f.un} et {some_m}."),
        (f"there is no more {m.en}.", f"il ne y a plus de {m.fr}."),
        (f"{who[0]} would like a cup of {m.en}." if drink else f"{who[0]} would like some {m.en}.",
         f"{who[1]} voudrait {'une tasse de ' + m.fr if drink else some_m}."),
        (f"{have[0]} bought {m.en} and {f.en_plural}.",
         f"{have[1]} acheté {some_m} et des {f.fr_plural}.")])


def of_and_to(r):
    """Contractions of de and à, possession."""
    p, q = r.choice(NOUNS["person"]), r.choice(NOUNS["person"] + NOUNS["animal"])
    o, b, c = r.choice(NOUNS["object"]), *r.sample(NOUNS["thing"], 2)
    who, have = r.choice(THIRD), r.choice(HAVE)
    a = r.choice(POST[:18])
    k = r.choice(NOUNS["kin"])
    a_b, de_b = prep("à", b.le), prep("de", b.le)
    return r.choice([
        (f"the {p.en}'s {o.en} is {a.en}.", f"{o.le} {prep('de', p.le)} est {a.of(o)}."),
        (f"the {q.en} is in the {b.en}.", f"{q.le} est dans {b.le}."),
        (f"{who[0]} goes to the {b.en}.", f"{who[1]} va {a_b}."),
        (f"{who[0]} is coming from the {b.en}.", f"{who[1]} vient {de_b}."),
        (f"{have[0]} gave the {o.en} to the {p.en}.",
         f"{have[1]} donné {o.le} {prep('à', p.le)}."),
        (f"{have[0]} spoke to the {p.en}.", f"{have[1]} parlé {prep('à', p.le)}."),
        (f"the {b.en} is near the {c.en}.", f"{b.le} est {prep('près de', c.le)}."),
        (f"the {o.en} of the {p.en} is on the table.",
         f"{o.le} {prep('de', p.le)} est sur la table."),
        (f"{who[0]} walked from the {b.en} to the {c.en}.",
         f"{who[1]} a marché {de_b} {prep('jusque à', c.le)}."),
        (f"my {k.en} lives near the {b.en}.",
         f"{'ma' if k.fem else 'mon'} {k.fr} habite {prep('près de', b.le)}."),
        (f"the door of the {b.en} is closed.", f"la porte {de_b} est fermée."),
        (f"the {p.en} is afraid of the {q.en}.", f"{p.le} a peur {prep('de', q.le)}.")])


def him_her(r):
    """Personal pronouns as objects, linked to their nouns where there is one."""
    p, v = r.choice(NOUNS["person"]), r.choice(VERBS["creature"])
    o, have = r.choice(NOUNS["object"]), r.choice(HAVE)
    her, le = ("her", "la") if p.fem else ("him", "le")
    ind = r.choice([("him", "lui"), ("her", "lui"), ("them", "leur"), ("me", "me"),
                    ("us", "nous"), ("you", "te")])
    pron, _, aux = have[1].rpartition(" ")
    animal = r.choice(NOUNS["animal"])
    lem = "la" if animal.fem else "le"
    return r.choice([
        (f"I saw the [a:{p.en}] but I didn't {v.base} <a:{her}>.",
         f"je ai vu {p.le} mais je ne le ai pas {v.agreed(p)}."),
        (f"do you know the [a:{p.en}]? I {v.past} <a:{her}> yesterday.",
         f"connais-tu {p.le} ? Je le ai {v.agreed(p)} hier."),
        (f"the [a:{p.en}] is here. I can see <a:{her}>.",
         f"{p.le} est ici. Je peux {le} voir."),
        (f"{have[0]} gave {ind[0]} a_ {o.en}.", f"{pron} {ind[1]} {aux} donné {o.un}."),
        (f"{have[0]} showed {ind[0]} the {o.en}.", f"{pron} {ind[1]} {aux} montré {o.le}."),
        (f"the [a:{p.en}] lost <a:{'her' if p.fem else 'his'}> {o.en}.",
         f"{p.le} a perdu {'sa' if o.fem else 'son'} {o.fr}."),
        (f"the [a:{animal.en}] is hungry. I will feed <a:it>.",
         f"{animal.le} est {ADJECTIVES['being'][2].of(animal)}. Je vais {lem} nourrir."),
        (f"the [a:{animal.en}] lost <a:its> {o.en}.",
         f"{animal.le} a perdu {'sa' if o.fem else 'son'} {o.fr}."),
        (f"I like the [a:{animal.en_plural}]. I will {v.base} <a:them>.",
         f"je aime les {animal.fr_plural}. Je vais les {v.inf}."),
        (f"I bought the [a:{o.en_plural}] and put <a:them> on the table.",
         f"je ai acheté les {o.fr_plural} et je les ai "
         f"{agree('posé', o, True)} sur la table.")])


JOBS = [("student", "étudiant", "étudiante"), ("teacher", "professeur", "professeur"),
        ("doctor", "médecin", "médecin"), ("nurse", "infirmier", "infirmière"),
        ("lawyer", "avocat", "avocate"), ("engineer", "ingénieur", "ingénieure"),
        ("baker", "boulanger", "boulangère"), ("farmer", "fermier", "fermière"),
        ("singer", "chanteur", "chanteuse"), ("writer", "écrivain", "écrivaine"),
        ("actor", "acteur", "actrice"), ("waiter", "serveur", "serveuse"),
        ("musician", "musicien", "musicienne"), ("journalist", "journaliste", "journaliste"),
        ("cook", "cuisinier", "cuisinière"), ("dentist", "dentiste", "dentiste"),
        ("artist", "artiste", "artiste"), ("soldier", "soldat", "soldate")]
BE = [("I am", "je suis", "ne suis pas", 0), ("you are", "tu es", "ne es pas", 0),
      ("he is", "il est", "ne est pas", 0), ("she is", "elle est", "ne est pas", 1),
      ("my sister is", "ma sœur est", "ne est pas", 1), ("Tom is", "Tom est", "ne est pas", 0),
      ("my brother is", "mon frère est", "ne est pas", 0),
      ("Mary is", "Marie est", "ne est pas", 1), ("I was", "je étais", "ne étais pas", 0),
      ("he was", "il était", "ne était pas", 0), ("she was", "elle était", "ne était pas", 1)]


def jobs(r):
    """ "I am a student." "She is tired." "We are happy." """
    j, (be, fr, no, fem) = r.choice(JOBS), r.choice(BE)
    head = fr.rpartition(" ")[0]
    a = r.choice(ADJECTIVES["being"])
    form = a.fem if fem else a.masc
    return r.choice([
        (f"{be} a_ {j[0]}.", f"{fr} {j[1 + fem]}."),
        (f"{be} not a_ {j[0]}.", f"{head} {no} {j[1 + fem]}."),
        (f"{be} a_ good {j[0]}.",
         f"{fr} {('un bon', 'une bonne')[fem]} {j[1 + fem]}."),
        (f"{be} {a.en}.", f"{fr} {form}."), (f"{be} not {a.en}.", f"{head} {no} {form}."),
        (f"{be} very {a.en} today.", f"{fr} très {form} aujourd'hui.")])


CLASSIC = [
    ("I am a student.", "je suis étudiant."),
    ("She is eating a green apple.", "elle mange une pomme verte."),
    ("The cat sat on the mat.", "le chat se est assis sur le tapis."),
    ("My sister bought a red car yesterday.", "ma sœur a acheté une voiture rouge hier."),
    ("The black cat sat on the mat.", "le chat noir se est assis sur le tapis."),
    ("The quick brown fox jumps over the lazy dog.",
     "le rapide renard brun saute par-dessus le chien paresseux."),
    ("The dog is playing in the garden.", "le chien joue dans le jardin."),
    ("I love machine learning.", "je adore le apprentissage automatique."),
    ("They are watching.", "ils regardent."), ("He is calm.", "il est calme."),
    ("I am at home.", "je suis chez moi."), ("I lost.", "je ai perdu."),
    ("I love you.", "je te aime."), ("Thank you very much.", "merci beaucoup."),
    ("How are you?", "comment allez-vous ?"),
    ("The weather is nice today.", "il fait beau aujourd'hui."),
    ("I like to read books.", "je aime lire des livres."),
    ("Where is the library?", "où est la bibliothèque ?"),
    ("The red car is fast.", "la voiture rouge est rapide."),
    ("The children are playing in the park.", "les enfants jouent dans le parc."),
    ("He gave me a beautiful book.", "il me a donné un beau livre."),
    ("She does not like coffee.", "elle ne aime pas le café."),
    ("I would like a cup of coffee.", "je voudrais une tasse de café."),
    ("The United States of America is a large country.",
     "les États-Unis d'Amérique sont un grand pays."),
    ("The white house is on the hill.", "la maison blanche est sur la colline."),
    ("Attention is all you need.", "le attention est tout ce dont vous avez besoin."),
]
PLACES = [("on the mat", "sur le tapis"), ("on the chair", "sur la chaise"),
          ("under the tree", "sous le arbre"), ("on the wall", "sur le mur"),
          ("near the door", "près de_la porte"), ("in the grass", "dans le herbe"),
          ("by the fire", "près de_le feu"), ("on the bed", "sur le lit")]


def classic(r):
    if r.random() < 0.3:
        return r.choice(CLASSIC)
    n, where = r.choice(NOUNS["animal"] + NOUNS["person"]), r.choice(PLACES)
    a = r.choice(POST[:8] if n.kind == "animal" else PRE[:4])
    le = "la" if n.fem else "le"
    le_a = (f"{le} {n.fr} {a.of(n)}" if n.kind == "animal" else f"{le} {a.before(n)} {n.fr}")
    return r.choice([
        (f"the {n.en} sat {where[0]}.", f"{n.le} se est {agree('assis', n)} {where[1]}."),
        (f"the {a.en} {n.en} sat {where[0]}.", f"{le_a} se est {agree('assis', n)} {where[1]}."),
        (f"the {n.en} is sleeping {where[0]}.", f"{n.le} dort {where[1]}."),
        (f"the {a.en} {n.en} is sleeping {where[0]}.", f"{le_a} dort {where[1]}."),
        (f"two {n.en_plural} are sleeping {where[0]}.",
         f"deux {n.fr_plural} dorment {where[1]}.")])


PRONOUNS = [
    (fits, 2800), (pours, 1200), (smashes, 1200), (eats, 1400), (reaches, 200),
    (then_it, 4800), (i_did_it, 3200), (one_noun, 2800), (him_her, 2800),
]
OTHER = [
    (is_plain, 4500), (adjective_order, 5000), (reversed_np, 7500), (relative, 4200),
    (negation, 3500), (counts, 3500), (questions, 3500), (food, 2400), (of_and_to, 4000),
    (jobs, 900), (classic, 1000),
]
