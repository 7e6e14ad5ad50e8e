"""The frames of words.py: everyday grammar in both languages.

A frame takes a words.Draw and returns the English and the unelided French. It
may return None or raise LookupError where the drawn words do not go together.
"""

import clauses
from clauses import english, french, join, noun_phrase, subject
from words import HUMAN, owner

THINGS = ("tool", "furn", "veh", "hard", "clo", "text", "art", "digi")
PLACES = ("bld", "room", "geo")
FRAMES = []
TIMES = {"past": "past", "fut": "future", "going": "future", "pres": "present", "prog": "now"}
CHAINS = [  # English forms, French head, tenses
    (("want to", "wanted to", "wanted to", "wanting to"), "vouloir", 1),
    (("want to", "wanted to", "wanted to", "wanting to"), "vouloir", 1),
    (("need to", "needed to", "needed to", "needing to"), "avoir besoin de", 1),
    (("have to", "had to", "had to", "having to"), "devoir", 1),
    (("like to", "liked to", "liked to", "liking to"), "aimer", 1),
    (("hope to", "hoped to", "hoped to", "hoping to"), "espérer", 1),
    (("prefer to", "preferred to", "preferred to", "preferring to"), "préférer", 1),
    (("try to", "tried to", "tried to", "trying to"), "essayer de", 0),
    (("decide to", "decided to", "decided to", "deciding to"), "décider de", 0),
    (("refuse to", "refused to", "refused to", "refusing to"), "refuser de", 0),
    (("forget to", "forgot to", "forgotten to", "forgetting to"), "oublier de", 0),
    (("begin to", "began to", "begun to", "beginning to"), "commencer à", 0),
    (("learn to", "learnt to", "learnt to", "learning to"), "apprendre à", 0),
    (("promise to", "promised to", "promised to", "promising to"), "promettre de", 0),
    (("agree to", "agreed to", "agreed to", "agreeing to"), "accepter de", 0),
    (("manage to", "managed to", "managed to", "managing to"), "réussir à", 0),
    (("hesitate to", "hesitated to", "hesitated to", "hesitating to"), "hésiter à", 0),
    (("continue to", "continued to", "continued to", "continuing to"), "continuer à", 0),
    (("intend to", "intended to", "intended to", "intending to"), "avoir le intention de", 1),
    (("plan to", "planned to", "planned to", "planning to"), "prévoir de", 0),
    (("know how to", "knew how to", "known how to", "knowing how to"), "savoir", 1),
    (("dare to", "dared to", "dared to", "daring to"), "oser", 0),
    (("be afraid to", "was afraid to", "been afraid to", "being afraid to"), "avoir peur de", 1),
    (("choose to", "chose to", "chosen to", "choosing to"), "choisir de", 0),
]


def frame(weight=1):
    def add(function):
        FRAMES.extend([function] * weight)
        return function
    return add


def action(d, test=None, noun_test=None, objects=0.72):
    """(verb, object or None): something that a human does."""
    want = d.want
    if isinstance(want, clauses.Verb) and want not in d.got:
        objects = 1.0 if want.object else 0.0
    elif isinstance(want, clauses.Noun) and want not in d.got:
        objects = 1.0
    if d.chance(objects):
        verb, noun = d.verb_and_noun(test, noun_test)
        return verb, d.thing(noun, verb)
    return d.verb("h", test), None


def active(v):
    return not v.stative


def tense(d, verb, *more):
    if verb.stative:
        return d.of("pres", "pres", "pres", "past", "fut", "cond")
    return d.of("past", "past", "past", "pres", "prog", "prog", "fut", "going", "perf", "can",
                "could", "must", "should", "pastprog", *more)


def say(d, subj, verb, obj, when, neg="", adverb=("", ""), mid=""):
    """A clause with matching contraction and possessives."""
    if neg and obj and obj.en.startswith(("several ", "a few ", "three ", "two ")):
        raise LookupError
    en = english(subj, verb, obj, when, neg, d.chance(0.5), False, adverb[0])
    return owner(en, subj), french(subj, verb, obj, when, neg, "", adverb[1], mid)


def ask(d, subj, verb, obj, when, neg=""):
    """A yes-no question, by inversion or with est-ce que."""
    en = owner(english(subj, verb, obj, when, neg, True, True), subj)
    way = "inversion" if subj.pronoun and subj.person != 0 and d.chance(0.5) else "est-ce que"
    if subj.person == 0 and when not in ("can", "should", "must", "could"):
        raise LookupError
    return en, french(subj, verb, obj, when, neg, way)


def at_time(d, when, share=0.5):
    """(" yesterday", " hier") or nothing."""
    if when not in TIMES or not (d.chance(share) or isinstance(d.want, clauses_phrase())):
        return "", ""
    p = d.phrase("phrases", TIMES[when])
    return " " + p.en, " " + p.fr


def clauses_phrase():
    from words import Phrase
    return Phrase


def be(subj, complement, when, neg="", short=False, ask_=""):
    """(English, French) of to be with (English, French) complement."""
    en = english(subj, BE, None, when, neg, short, bool(ask_)) + " " + complement[0]
    return en, french(subj, BE, None, when, neg, ask_) + " " + complement[1]


BE = clauses.Verb("be", "was", "been", "being", "être", "a", "h", "", "s")
HAVE = clauses.Verb("have", "had", "had", "having", "avoir", "a", "h", "any", "s")


# Adjectives that only stand beside a noun: the main road, never "the road is main".
BESIDE = set("favorite main principal first last next previous future current left right spare default "
             "total chemical electric daily weekly monthly annual northern southern eastern western "
             "final same nearby internal external".split())


def so(adjective, phrase):
    """An adjective as it agrees with a phrase, after to be and the like."""
    if adjective.en in BESIDE:
        raise LookupError
    return adjective.en, adjective.agreed(phrase.fem, phrase.plural)


def lower(en):
    return en if en[:2] in ("I ", "I'") else en[0].lower() + en[1:]


@frame(4)
def statement(d):
    subj = d.person()
    verb, obj = action(d)
    when = tense(d, verb)
    en, fr = say(d, subj, verb, obj, when)
    t = at_time(d, when)
    return en + t[0] + ".", fr + t[1] + "."


@frame(3)
def negation(d):
    subj = d.person()
    verb, obj = action(d)
    when = tense(d, verb)
    en, fr = say(d, subj, verb, obj, when, "not")
    t = at_time(d, when, 0.3)
    return en + t[0] + ".", fr + t[1] + "."


@frame()
def never(d):
    subj = d.person()
    verb, obj = action(d)
    en, fr = say(d, subj, verb, obj, d.of("pres", "perf", "past", "fut", "plup")
                 if not verb.stative else "pres", "never")
    return en + ".", fr + "."


@frame(3)
def yes_no(d):
    subj = d.person(0.8)
    verb, obj = action(d)
    when = tense(d, verb)
    en, fr = ask(d, subj, verb, obj, when)
    t = at_time(d, when, 0.3)
    return en + t[0] + "?", fr + t[1] + " ?"


@frame(2)
def question_word(d):
    subj = d.person(0.8)
    verb, obj = action(d, active)
    when = d.of("past", "past", "pres", "fut", "going", "can", "should")
    q = d.phrase("questions", "any")
    en, fr = ask(d, subj, verb, obj, when)
    return f"{q.en} {en}?", f"{q.fr} {fr} ?"


@frame(2)
def who(d):
    verb, obj = action(d)
    when = d.of("past", "past", "pres", "fut", "can") if not verb.stative else "pres"
    he = subject(2)
    en = english(clauses.Phrase("who", "qui"), verb, obj, when)
    if "ONE'S" in en:
        return None
    return f"{en}?", f"{french(he, verb, obj, when).replace('il ', 'qui ', 1)} ?"


@frame()
def what(d):
    subj = d.person(0.9)
    verb, _ = d.verb_and_noun(lambda v: v.direct and not v.split and not v.tail and not v.stative
                              and not v.reflexive, lambda n: n.kind not in HUMAN + ("body",))
    when = d.of("past", "past", "prog", "fut", "going", "can", "should")
    en = english(subj, verb, None, when, "", False, True)
    if subj.pronoun and subj.person and d.chance(0.4):
        fr = "que " + french(subj, verb, None, when, "", "inversion")
    else:
        fr = "qu'" + french(subj, verb, None, when, "", "est-ce que")
    return f"what {en}?", fr + " ?"


def order_fr(verb, obj, person, negative=False):
    """The French imperative of tu (1), nous (3), vous (4)."""
    subj = subject({1: 1, 3: 4, 4: 5}[person])
    form, after = verb.fr.order(person), clauses.object_fr(verb, obj, subj, negative)[1]
    tail = clauses.denied(clauses.own(verb.tail, subj), negative)
    clitic = {1: "toi", 3: "nous", 4: "vous"}[person] if verb.reflexive else ""
    if negative:
        words = ("ne", clauses.CLITICS[person] if verb.reflexive else "", form, "pas", tail, after)
    else:
        words = (form + ("-" + clitic if clitic else ""), tail, after)
    return " ".join(w for w in words if w)


def mixed(fr, person):
    """Whether an order to tu speaks of votre or the other way."""
    words = set(fr.split())
    return bool(words & ({"votre", "vos"} if person == 1 else {"ton", "ta", "tes"}))


def ordering(v):
    return not v.stative and not v.base.startswith(("be ", "get old", "find out", "age"))


@frame(2)
def imperative(d):
    verb, obj = action(d, ordering)
    en = owner(clauses.placed(verb.base, verb, obj), subject(1))
    who_ = d.of(1, 4, 4)
    fr = order_fr(verb, obj, who_)
    if mixed(fr, who_):
        return None
    if d.chance(0.3):
        vous = {1: "te", 4: "vous"}[who_]
        return f"please {en}.", f"{fr}, se il {vous} plaît.".replace("se il", "s'il")
    return en + ".", fr + "."


@frame()
def prohibition(d):
    verb, obj = action(d, ordering)
    en = owner(clauses.placed(verb.base, verb, obj), subject(1))
    start = d.of("don't", "don't", "do not", "never")
    en = en.replace(" some ", " any ")
    who_ = d.of(1, 4, 4)
    fr = order_fr(verb, obj, who_, True)
    if mixed(fr, who_):
        return None
    if start == "never":
        fr = fr.replace(" pas", " jamais", 1)
    return f"{start} {en}.", fr + "."


@frame()
def lets(d):
    verb, obj = action(d, ordering)
    en = owner(clauses.placed(verb.base, verb, obj), subject(4))
    return f"let's {en}.", order_fr(verb, obj, 3) + "."


def indefinite(d, *kinds, plural=0.4, adjectives=0.3):
    noun = d.noun(*kinds, test=lambda n: not n.en_always and (not n.mass or n.kind not in
                                                           ("abs", "org", "geo")))
    many = noun.counts and d.chance(plural)
    adjective = d.adjective(noun) if noun.kind in d.book.describing and d.chance(
        adjectives) else None
    return noun_phrase(noun, d.of("a", "a", "two", "several", "many", "three", "few")
                       if many else "a", many, adjective)


SMALL = ("tool", "hard", "clo", "text", "food")


def place(d, *kinds):
    """(preposition and place, the same in French)."""
    kinds = kinds or ("furn", "bld", "room", "geo", "veh")
    noun = d.noun(*kinds, test=lambda n: n.counts)
    options = {"furn": ("on", "under", "behind", "next to", "near", "beside", "above", "below"),
               "veh": ("in", "in", "behind", "in front of", "next to"),
               "room": ("in", "in", "in", "near", "next to"),
               "geo": ("near", "near", "far from", "towards"),
               "bld": ("in", "in front of", "behind", "near", "next to", "opposite",
                       "far from", "around", "inside", "outside")}[noun.kind]
    p = d.pick([x for x in d.book.others["prepositions"] if x.en in options])
    np = noun_phrase(noun, d.of("the", "the", "the", "this", "je"))
    return f"{p.en} {np.en}", join(p.fr, np.fr)


@frame(2)
def there_is(d):
    np = indefinite(d, *d.of(SMALL, SMALL, ("ani", "per", "plt"), ("foodm", "drink"),
                             ("veh", "furn"), ("bld", "geo")))
    where = place(d) if np.noun.kind not in ("bld", "geo") else place(d, "bld", "geo")
    en_is, fr_is = d.of(("is", "il y a"), ("is", "il y a"), ("was", "il y avait"),
                        ("will be", "il y aura"))
    if np.en_plural:
        en_is = {"is": "are", "was": "were"}.get(en_is, en_is)
    if d.chance(0.25):
        return f"there {en_is} {np.en} {where[0]}.", f"{fr_is} {np.fr} {where[1]}."
    if d.chance(0.25) and en_is != "will be":
        return f"{en_is} there {np.en} {where[0]}?", f"est-ce que {fr_is} {np.fr} {where[1]} ?"
    return f"there {en_is} {np.en} {where[0]}.", f"{fr_is} {np.fr} {where[1]}."


@frame()
def there_is_no(d):
    noun = d.noun("foodm", "drink", "mat", "tool", "text", "food", "digi", "plt", "ani",
                  test=lambda n: not n.en_always and not (n.mass and n.kind == "digi"))
    where = place(d)
    plural = noun.counts
    word = noun.en_plural if plural else noun.en
    en = d.of(f"there {'are' if plural else 'is'} no {word}",
              f"there {'are not' if plural else 'is not'} any {word}",
              f"there {'aren' if plural else 'isn'}'t any {word}")
    fr = noun.fr_plural if plural or noun.fr_always else noun.fr
    return f"{en} {where[0]}.", f"il n'y a pas de {fr} {where[1]}."


@frame(2)
def possession(d):
    subj = d.person(0.6)
    noun = d.noun("tool", "veh", "clo", "hard", "ani", "text", "digi", "abs",
                  test=lambda n: n.counts or n.en_always)
    adjective = d.adjective(noun) if d.chance(0.55) else None
    plural = noun.counts and d.chance(0.3)
    np = noun_phrase(noun, d.of("a", "two", "several", "many") if plural else (
        "bare" if noun.en_always else "a"), plural, adjective)
    neg = d.of("", "", "", "not")
    if d.chance(0.25):
        en, fr = ask(d, subj, HAVE, np, "pres")
        return en + "?", fr + " ?"
    if neg and plural and np.en.startswith(("two", "many", "several", "some")):
        return None
    en, fr = say(d, subj, HAVE, np, d.of("pres", "pres", "past", "fut"), neg)
    return en + ".", fr + "."


ANY = ("tool", "furn", "veh", "hard", "clo", "text", "art", "digi", "tech", "food", "bld", "room",
       "geo", "per", "kin", "ani", "event", "abs", "attr", "org", "plt", "math", "ling", "sci")


def definite(d, noun, adjective=None, plural=0.25):
    """The, this, my … noun as a subject."""
    if noun.kind == "kin":
        return noun_phrase(noun, d.of("je", "je", "tu", "vous", "il"), False, adjective)
    if noun.kind == "qual":
        return noun_phrase(noun, "generic")
    if noun.kind == "body":
        return noun_phrase(noun, d.of("je", "tu", "il", "elle"), False, adjective)
    many = noun.counts and d.chance(plural)
    mine = noun.kind in THINGS + ("room", "ani")
    return noun_phrase(noun, d.of("the", "the", "the", "this", "that", *(
        ("je", "vous", "elle", "nous") if mine else ())), many, adjective)


@frame(4)
def is_so(d):
    noun, adjective = d.described(*ANY + ("body", "foodm", "drink", "mat", "ill"))
    if noun.mass and noun.kind == "ill":
        return None
    np = definite(d, noun)
    when = d.of("pres", "pres", "past", "past", "fut")
    neg = d.of("", "", "", "not")
    so_ = so(adjective, np)
    if adjective.graded and not neg and d.chance(0.5) and not fixed(adjective):
        p = d.phrase("adverbs", "degree")
        if p.en.endswith(("totally", "completely", "absolutely")):
            raise LookupError
        so_ = f"{p.en} {so_[0]}", f"{p.fr} {so_[1]}"
    if d.chance(0.2):
        en, fr = be(np, so_, "pres" if when == "fut" else when, "", False, "est-ce que")
        return en + "?", fr + " ?"
    en, fr = be(np, so_, when, neg, True)
    return en + ".", fr + "."


def fixed(adjective):
    return type(adjective).__name__ == "Fixed"


@frame(2)
def he_is_so(d):
    adjective = d.pick(d.book.describing["per"])
    subj = subject(d.r.randrange(7))
    so_ = so(adjective, subj)
    when = d.of("pres", "pres", "past", "fut")
    if adjective.graded and d.chance(0.5) and not fixed(adjective):
        p = d.phrase("adverbs", "degree")
        so_ = f"{p.en} {so_[0]}", f"{p.fr} {so_[1]}"
    neg = "not" if so_[0] == adjective.en and d.chance(0.4) else ""
    if d.chance(0.25):
        way = "inversion" if d.chance(0.5) and subj.person else "est-ce que"
        en, fr = be(subj, so_, "pres", "", False, way)
        return en + "?", fr + " ?"
    en, fr = be(subj, so_, when, neg, d.chance(0.6))
    t = at_time(d, {"pres": "prog"}.get(when, when), 0.3)
    return en + t[0] + ".", fr + t[1] + "."


@frame(2)
def comparison(d):
    kind = d.of("per", "kin", "ani", "tool", "veh", "bld", "geo", "text", "art", "food", "abs",
                "event", "furn", "hard", "tech", "math", "ling", "sci", "attr")
    if isinstance(d.want, clauses.Noun) and d.want.kind in ANY and d.want.kind != "room":
        kind = d.want.kind
    noun, adjective = d.described(kind, test=lambda a: a.graded and not fixed(a),
                                  noun_test=lambda n: not n.mass)
    other = d.noun(noun.kind, test=lambda n: n.en != noun.en and not n.mass)
    one, two = definite(d, noun, plural=0.1), definite(d, other, plural=0.1)
    form = adjective.agreed(one.fem, one.plural)
    better = {"bon": "meilleur", "bonne": "meilleure", "bons": "meilleurs",
              "bonnes": "meilleures"}
    kind = d.r.random()
    if kind < 0.5:
        than = adjective.comparative, better.get(form, "plus " + form)
    elif kind < 0.65:
        than = "less " + adjective.en, "moins " + form
    elif kind < 0.85:
        so_ = f"as {adjective.en} as {two.en}", f"aussi {form} que {two.fr}"
        en, fr = be(one, so_, "pres", d.of("", "", "not"), True)
        return en + ".", fr + "."
    else:
        en, fr = be(one, (f"{adjective.comparative} than {two.en}",
                          f"{better.get(form, 'plus ' + form)} que {two.fr}"), "pres", "", False,
                    "est-ce que")
        return en + "?", fr + " ?"
    en, fr = be(one, (f"{than[0]} than {two.en}", f"{than[1]} que {two.fr}"),
                d.of("pres", "pres", "past"))
    return en + ".", fr + "."


@frame()
def superlative(d):
    noun, adjective = d.described("tool", "veh", "bld", "geo", "text", "art", "food", "per", "ani",
                                  "event", "abs", test=lambda a: a.graded and not fixed(a),
                                  noun_test=lambda n: n.counts)
    form = adjective.agreed(noun.fem, False)
    le = "la" if noun.fem else "le"
    best = {"bon": "meilleur", "bonne": "meilleure"}.get(form, "plus " + form)
    if adjective.front:
        fr = f"{le} {best} {noun.fr}"
    else:
        fr = f"{le} {noun.fr} {le} {best}"
    en = f"the {clauses.superlative(adjective)} {noun.en}"
    end = d.of(("in the world", "de_le monde"), ("in the country", "de_le pays"),
               ("of all", "de tous" if not noun.fem else "de toutes"),
               ("in the region", "de la région"), ("I know", "que je connaisse"))
    start = d.of(("it's", "ce est"), ("this is", "ce est"), ("it was", "ce était"))
    return f"{start[0]} {en} {end[0]}.", f"{start[1]} {fr} {end[1]}."


@frame(2)
def passive(d):
    verb, noun = d.verb_and_noun(
        lambda v: v.direct and not v.tail and not v.reflexive and not v.stative and
        v.base.split()[0] not in ("get", "take", "leave", "have"), lambda n: n.kind != "body" and
        n.kind not in GENERIC_KINDS)
    np = definite(d, noun)
    when = d.of("past", "past", "past", "fut", "pres", "perf")
    part = np.agree(verb.fr.participle)
    base = verb.part
    be_en = {"pres": english(np, BE, None, "pres"), "past": english(np, BE, None, "past"),
             "fut": np.en + " will be",
             "perf": np.en + (" have been" if np.en_plural else " has been")}[when]
    have = "ont" if np.plural else "a"
    etre = {"pres": "sont" if np.plural else "est", "fut": "seront" if np.plural else "sera"}
    fr = etre.get(when, have + " été")
    if when == "past" and d.chance(0.3):
        neg = "n'ont pas été" if np.plural else "n'a pas été"
        return f"{be_en} not {base}.", f"{np.fr} {neg} {part}."
    t = at_time(d, when, 0.4)
    by = ("", "")
    if not t[0] and d.chance(0.6):
        who_ = d.person(0.0)
        by = f" by {who_.en}", f" par {who_.fr}"
    return f"{be_en} {base}{by[0]}{t[0]}.", f"{np.fr} {fr} {part}{by[1]}{t[1]}."


GENERIC_KINDS = ("sport", "hob", "subj", "lang", "qual", "inst", "ill")


@frame(2)
def and_noun(d):
    subj = d.person()
    verb, obj = d.verb_and_noun(active, lambda n: n.kind not in ("body",))
    one = d.thing(obj, verb)
    other = d.pick([n for n in verb.nouns if n.en != obj.en])
    two = d.thing(other, verb)
    when = d.of("past", "past", "pres", "fut", "prog")
    if verb.prep == "en" or verb.split or verb.base.endswith("back"):
        return None
    en, fr = say(d, subj, verb, one, when)
    return f"{en} and {two.en}.", f"{fr} et {join(verb.prep, two.fr)}."


@frame(2)
def chained(d):
    forms, head, stative = d.r.choice(CHAINS)
    subj = d.person()
    if forms[0].startswith("be ") and subj.index == 1:
        return None
    verb, obj = action(d, active)
    v = clauses.chained(forms, head, verb, bool(stative))
    when = d.of("pres", "pres", "past", "cond") if stative else d.of("past", "past", "perf", "fut")
    neg = d.of("", "", "", "not")
    if d.chance(0.2):
        en, fr = ask(d, subj, v, obj, "pres" if stative else "past")
        return en + "?", fr + " ?"
    en, fr = say(d, subj, v, obj, when, neg)
    return en + ".", fr + "."


def chained_to(head, verb):
    """The French of a head like ("stop", "stopped", "arrêter de") and a verb."""
    return clauses.chained((head[0], head[1], head[1], ""), head[2], verb, False)


@frame()
def would_like(d):
    subj = d.person(0.8)
    verb, obj = action(d, active)
    v = clauses.chained(("like to", "liked to", "liked to", "liking to"), "aimer", verb)
    if d.chance(0.3):
        en, fr = ask(d, subj, v, obj, "cond")
        return en + "?", fr + " ?"
    en, fr = say(d, subj, v, obj, "cond")
    return en + ".", fr + "."
