"""More frames for words.py: adverbs, several clauses, quantities, fixed patterns."""

import clauses
from clauses import Phrase, english, french, join, noun_phrase, subject
from wordframes import (ANY, PLACES, THINGS, action, active, ask, at_time, be, definite, fixed, frame,
                        place, say, so, tense)
from words import HUMAN, owner

# What makes people do or not do things.
MOODS = set(
    "tired hungry thirsty sleepy sick ill strong weak brave calm nervous furious jealous curious "
    "clever intelligent stupid lazy kind fast slow frightened happy sad lonely exhausted polite rude "
    "honest generous selfish patient impatient proud shy rich poor young old busy ready worried "
    "surprised disappointed satisfied bored excited embarrassed ashamed careful careless stubborn "
    "optimistic pessimistic ambitious talented crazy drunk experienced motivated anxious depressed "
    "desperate confused shocked determined relaxed cautious clumsy timid upset glad pleased "
    "foolish wise naive arrogant".split())


@frame(3)
def manner(d):
    subj = d.person()
    p = d.phrase("adverbs", "manner")
    verb, obj = action(d, active, objects=0.4)
    when = d.of("past", "past", "prog", "fut", "can", "pastprog", "must")
    if p.en == "together" and not (subj.plural or subj.person == 3):
        return None
    en, fr = say(d, subj, verb, obj, when)
    return f"{en} {p.en}.", f"{fr} {p.fr}."


@frame(2)
def how_often(d):
    subj = d.person()
    p = d.phrase("adverbs", "frequency")
    verb, obj = action(d, active)
    if p.en in ("already", "recently", "even", "also", "finally", "completely", "almost"):
        when = "perf"
    elif p.en in ("probably", "certainly", "definitely", "soon", "still"):
        when = "fut"
    else:
        when = d.of("pres", "pres", "past")
    en, fr = say(d, subj, verb, obj, when, "", (p.en, p.fr))
    return en + ".", fr + "."


@frame(2)
def opening(d):
    p = d.phrase("adverbs", "sentence")
    subj = d.person()
    verb, obj = action(d)
    when = tense(d, verb)
    en, fr = say(d, subj, verb, obj, when, d.of("", "", "not"))
    if p.fr.endswith(" que"):
        return f"{p.en} {en}.", f"{p.fr} {fr}."
    return f"{p.en}, {en}.", f"{p.fr}, {fr}."


@frame(2)
def where_and_how(d):
    subj = d.person()
    p = d.phrase("phrases", "place", "manner")
    verb, obj = action(d, active, lambda n: n.kind not in PLACES, objects=0.5)
    if obj is None and p.kind == "place" and verb.base.split()[0] in ("go", "come", "leave"):
        return None
    if p.en == "with her friends" and not (subj.fem and subj.person == 2):
        return None
    when = d.of("past", "past", "prog", "pres", "fut", "pastprog", "going", "perf")
    if d.chance(0.25):
        en, fr = ask(d, subj, verb, obj, when)
        return f"{en} {p.en}?", f"{fr} {p.fr} ?"
    en, fr = say(d, subj, verb, obj, when, d.of("", "", "", "not"))
    return f"{en} {p.en}.", f"{fr} {p.fr}."


@frame()
def live_in(d):
    subj = d.person()
    p = d.phrase("phrases", "place")
    base, fr_verb = d.of(("live", "vivre"), ("work", "travailler"), ("study", "étudier"),
                         ("live", "habiter"))
    verb = clauses.Verb(base, clauses.past(base), clauses.past(base), clauses.ing(base), fr_verb,
                        "a", "h", "", "")
    when = d.of("pres", "pres", "pastprog", "fut", "prog", "used")
    en, fr = say(d, subj, verb, None, when, d.of("", "", "not") if when != "used" else "")
    return f"{en} {p.en}.", f"{fr} {p.fr}."


@frame()
def is_there(d):
    noun = d.noun("per", "kin", "ani", "tool", "veh", "clo", "hard", "text", "food")
    np = definite(d, noun)
    where = place(d)
    when = d.of("pres", "pres", "past", "fut")
    if d.chance(0.25):
        en, fr = be(np, where, "pres", "", False, "est-ce que")
        return en + "?", fr + " ?"
    en, fr = be(np, where, when, d.of("", "", "", "not"), True)
    return en + ".", fr + "."


@frame()
def where_is(d):
    noun = d.noun(*ANY, test=lambda n: n.kind not in ("abs", "event", "tech", "attr", "math",
                                                         "ling", "sci"))
    np = definite(d, noun)
    be_en = "are" if np.en_plural else "is"
    sont = "sont" if np.plural else "est"
    if d.chance(0.3):
        be_en = {"are": "were", "is": "was"}[be_en]
        sont = "étaient" if np.plural else "était"
    return f"where {be_en} {np.en}?", f"où {sont} {np.fr} ?"


@frame(2)
def this_is(d):
    noun = d.noun(*ANY, test=lambda n: n.counts)
    adjective = d.adjective(noun) if d.chance(0.5) else None
    many = d.chance(0.25)
    whose = d.of("a", "a", "je", "vous", "il", "elle") if noun.kind in THINGS + HUMAN else "a"
    if noun.kind == "kin":
        whose = d.of("je", "tu", "il", "elle")
    np = noun_phrase(noun, "bare" if many and whose == "a" else whose, many, adjective)
    if many:
        start = d.of(("these are", "ce sont"), ("those are", "ce sont"), ("are these", ""))
    else:
        start = d.of(("this is", "ce est"), ("it's", "ce est"), ("that's", "ce est"),
                     ("it was", "ce était"), ("is this", ""), ("this isn't", "ce n'est pas"))
    if not start[1]:
        return f"{start[0]} {np.en}?", f"est-ce que ce {'sont' if many else 'est'} {np.fr} ?"
    return f"{start[0]} {np.en}.", f"{start[1]} {np.fr}."


@frame()
def what_a(d):
    noun, adjective = d.described(*ANY, noun_test=lambda n: n.counts)
    np = noun_phrase(noun, "a", False, adjective)
    fr = np.fr.replace("une ", "quelle ", 1) if noun.fem else np.fr.replace("un ", "quel ", 1)
    return f"what {np.en}!", f"{fr} !"


@frame()
def how_so(d):
    noun, adjective = d.described(*ANY, test=lambda a: a.graded and not fixed(a))
    np = definite(d, noun)
    be_en = "are" if np.en_plural else "is"
    sont = "sont" if np.plural else "est"
    en, fr = so(adjective, np)
    return f"how {en} {np.en} {be_en}!", f"comme {np.fr} {sont} {fr} !"


def asked(v):
    return v.direct and not v.reflexive and not v.split and v.infinitive not in (
        "faire", "laisser", "avoir")


@frame(2)
def which(d):
    subj = d.person(0.9)
    verb, noun = d.verb_and_noun(asked, lambda n: n.counts and n.kind not in ("kin", "body"))
    many = d.chance(0.3)
    det = d.of("which", "which", "which", "how many")
    np = noun_phrase(noun, "which", many or det == "how many")
    when = "pres" if verb.stative else d.of("past", "past", "fut", "prog", "can", "should")
    start = np.fr
    if det == "how many":
        np.en = "how many " + noun.en_plural
        start = "combien de " + noun.fr_plural
    return asked_about(d, subj, verb, np, start, when)


def asked_about(d, subj, verb, np, start, when):
    if subj.person == 0 and when not in ("can", "should"):
        return None
    way = "inversion" if subj.pronoun and subj.person and d.chance(0.6) else "est-ce que"
    en = english(subj, verb, None, when, "", False, True)
    fr = french(subj, verb, None, when, "", way)
    if when in ("past", "perf"):
        part = verb.fr.participle
        words = fr.split()
        words[words.index(part)] = np.agree(part)
        fr = " ".join(words)
    return f"{np.en} {en}?", f"{start} {fr} ?"


@frame()
def how_much(d):
    subj = d.person(0.9)
    verb, noun = d.verb_and_noun(lambda v: asked(v) and not v.stative, lambda n: n.kind in (
        "foodm", "drink", "mat") and not n.fr_always)
    np = Phrase("how much " + noun.en, "combien de " + noun.fr, noun.fem, False)
    return asked_about(d, subj, verb, np, np.fr, d.of("past", "past", "fut", "pres"))


@frame(3)
def that_object(d):
    """The book that I bought is interesting: la lettre que j'ai écrite."""
    verb, noun = d.verb_and_noun(lambda v: asked(v), lambda n: n.kind not in
                                 ("body", "kin", "qual", "sport", "lang", "hob", "subj", "inst"))
    subj = d.person(0.8)
    many = noun.counts and d.chance(0.25)
    np = noun_phrase(noun, d.of("the", "the", "the", "this"), many)
    if np.en.startswith("this") or np.en.startswith("these"):
        np = noun_phrase(noun, "the", many)
    when = "pres" if verb.stative else d.of("past", "past", "past", "prog", "fut")
    that = d.of("that ", "that ", "", "whom " if noun.kind == "per" else "which ")
    en = english(subj, verb, None, when)
    fr = french(subj, verb, None, when)
    if when == "past":
        words = fr.split()
        words[words.index(verb.fr.participle)] = np.agree(verb.fr.participle)
        fr = " ".join(words)
    relative = f"{np.en} {that}{en}", f"{np.fr} que {fr}"
    if noun.kind in d.book.describing and d.chance(0.6):
        en, fr = be(np, so(d.adjective(noun), np), d.of("pres", "past"))
        return relative[0] + en[len(np.en):] + ".", relative[1] + fr[len(np.fr):] + "."
    start = d.of(("this is", "voici"), ("where is", "où est"), ("I like", "je aime"),
                 ("here is", "voici"), ("do you know", "connaissez-vous"),
                 ("have you seen", "as-tu vu"), ("I remember", "je me rappelle"),
                 ("tell me about", "parlez-moi de"))
    if start[0].endswith(" is") and np.en_plural:
        start = {"this is": ("these are", "voici"), "where is": ("where are", "où sont"),
                 "here is": ("here are", "voici")}[start[0]]
    if start[0].startswith("where are") and not np.plural:
        start = "where are", "où est"
    if start[0] == "where is" and np.plural:
        start = "where is", "où sont"
    end = ("?", " ?") if start[0].startswith(("where", "do", "have")) else (".", ".")
    joined = join("parlez-moi de", relative[1]) if start[1].endswith(" de") else (
        start[1] + " " + relative[1])
    return f"{start[0]} {relative[0]}{end[0]}", joined + end[1]


@frame(2)
def who_does(d):
    """I know a doctor who speaks Russian."""
    noun = d.noun("per")
    np = noun_phrase(noun, d.of("the", "a", "a"))
    verb, obj = action(d)
    when = d.of("pres", "past", "prog", "fut") if not verb.stative else "pres"
    en, fr = say(d, np, verb, obj, when)
    en, fr = f"{np.en} who{en[len(np.en):]}", f"{np.fr} qui{fr[len(np.fr):]}"
    start = d.of(("I know", "je connais"), ("we met", "nous avons rencontré"), ("he is", "ce est"),
                 ("I saw", "je ai vu"), ("do you know", "connais-tu"),
                 ("they are looking for", "ils cherchent"), ("this is", "voici"))
    if start[0] == "he is" and noun.fem:
        start = "she is", "ce est"
    end = ("?", " ?") if start[0].startswith("do") else (".", ".")
    return f"{start[0]} {en}{end[0]}", f"{start[1]} {fr}{end[1]}"


@frame(3)
def two_clauses(d):
    """Two clauses with a conjunction of the lexicon."""
    c = d.phrase("conjunctions", "any")
    one, two = d.person(0.8), d.person(0.6)
    first, first_obj = action(d, objects=0.6)
    second, second_obj = action(d, objects=0.4)
    when = {"if": ("fut", "pres"), "as soon as": ("fut", "fut"), "before": None, "so that": None,
            "while": ("pastprog", "pastprog"), "even if": ("fut", "pres"),
            "as long as": ("fut", "fut"), "whenever": ("pres", "pres"),
            "or": ("fut", "fut")}.get(c.en, ("past", "past"))
    if when is None:
        when = ("fut", "subjunctive")
    if first.stative or second.stative and when[1] != "pres":
        return None
    a = say(d, one, first, first_obj, when[0], d.of("", "", "not") if when[0] != "pastprog" else "")
    if when[1] == "subjunctive":
        b = english(two, second, second_obj, "pres"), subjunctive(two, second, second_obj)
        if c.en == "so that":
            b = english(two, second, second_obj, "can"), subjunctive(two, second, second_obj)
    elif when == ("fut", "fut") and c.en != "or":
        b = (say(d, two, second, second_obj, "pres")[0],
             french(two, second, second_obj, "fut"))
    else:
        b = say(d, two, second, second_obj, when[1], d.of("", "", "not"))
    comma = "," if c.en in ("but", "so") else ""
    if "ONE'S" in b[0]:
        return None
    return f"{a[0]}{comma} {c.en} {b[0]}.", f"{a[1]}{comma} {c.fr} {b[1]}."


def subjunctive(subj, verb, obj):
    clitic, after = clauses.object_fr(verb, obj, subj)
    words = (subj.fr, clitic, verb.fr.subjunctive(subj.person), clauses.own(verb.tail, subj), after)
    return " ".join(w for w in words if w)


@frame(2)
def want_someone_to(d):
    """I want you to close the door: je veux que vous fermiez la porte."""
    pairs = d.of((0, 4), (0, 1), (2, 0), (3, 4), (3, 1), (4, 0), (3, 6), (0, 6), (2, 4), (6, 0),
                 (1, 0), (0, 2), (0, 3))
    one = subject(pairs[0])
    two = subject(pairs[1]) if d.chance(0.6) else d.person(0.0)
    verb, obj = action(d, active)
    if obj is not None and "ONE'S" in obj.en:
        return None
    want = clauses.Verb("want", "wanted", "wanted", "wanting", "vouloir", "a", "h", "any", "s")
    whom = two.pronoun[2] if two.pronoun else two.en
    when = d.of("pres", "pres", "cond", "past")
    neg = d.of("", "", "", "not")
    en = english(one, want, None, when if when != "cond" else "pres", neg, True)
    if when == "cond":
        en = english(one, LIKE, None, "cond", neg, True)
    fr = french(one, want if when != "cond" else FR_LIKE, None, when, neg)
    return (f"{en} {whom} to {clauses.placed(verb.base, verb, obj)}.",
            f"{fr} que {subjunctive(two, verb, obj)}.")


LIKE = clauses.Verb("like", "liked", "liked", "liking", "aimer", "a", "h", "any", "s")
FR_LIKE = LIKE


@frame()
def necessary(d):
    verb, obj = action(d, active)
    subj = d.person(0.8)
    if obj is not None and "ONE'S" in obj.en:
        return None
    if d.chance(0.5):
        en = english(subj, verb, obj, "must")
        return en + ".", f"il faut que {subjunctive(subj, verb, obj)}."
    whom = subj.pronoun[2] if subj.pronoun else subj.en
    start = d.of(("it is important for", "il est important que"),
                 ("it is necessary for", "il est nécessaire que"),
                 ("it would be better for", "il vaudrait mieux que"))
    return (f"{start[0]} {whom} to {clauses.placed(verb.base, verb, obj)}.",
            f"{start[1]} {subjunctive(subj, verb, obj)}.")


def infinitive(verb, obj, subj):
    """(to close the door, fermer la porte) with the subject's possessives."""
    clitic, after = clauses.object_fr(verb, obj, subj)
    fr = " ".join(w for w in (clitic, verb.infinitive, clauses.own(verb.tail, subj), after) if w)
    return owner(clauses.placed(verb.base, verb, obj), subj), fr


@frame(2)
def it_is_hard_to(d):
    verb, obj = action(d, active)
    en, fr = infinitive(verb, obj, subject(2))
    if "his" in en.split() or verb.reflexive and d.chance(0.5):
        return None
    word = d.of(("difficult", "difficile"), ("easy", "facile"), ("important", "important"),
                ("impossible", "impossible"), ("dangerous", "dangereux"), ("useful", "utile"),
                ("necessary", "nécessaire"), ("possible", "possible"), ("hard", "difficile"),
                ("forbidden", "interdit"), ("normal", "normal"), ("strange", "étrange"))
    be_ = d.of(("it is", "il est"), ("it's", "il est"), ("it was", "il était"),
               ("it isn't", "il n'est pas"), ("it will be", "il sera"), ("is it", "est-il"))
    if be_[0] == "is it":
        return f"is it {word[0]} to {en}?", f"est-il {word[1]} de {fr} ?"
    return f"{be_[0]} {word[0]} to {en}.", f"{be_[1]} {word[1]} de {fr}."


@frame(2)
def too_to(d):
    """She is too tired to work; he is old enough to drive."""
    noun, adjective = d.described("per", "kin", test=lambda a: a.en in MOODS)
    subj = definite(d, noun, plural=0.1) if d.chance(0.5) or d.want is noun else subject(
        d.r.randrange(7))
    verb, obj = action(d, active)
    en, fr = infinitive(verb, obj, subj)
    word = so(adjective, subj)
    if d.chance(0.55):
        told = f"too {word[0]}", f"trop {word[1]}"
    else:
        told = f"{word[0]} enough", f"assez {word[1]}"
    a, b = be(subj, told, d.of("pres", "past", "past"), d.of("", "", "not"), True)
    return f"{a} to {en}.", f"{b} pour {fr}."


@frame()
def so_that(d):
    noun, adjective = d.described("per", "kin", test=lambda a: a.en in MOODS)
    subj = definite(d, noun, plural=0.1)
    verb, obj = action(d, active, objects=0.4)
    word = so(adjective, subj)
    a, b = be(subj, (f"so {word[0]}", f"si {word[1]}"), "past")
    he = subject(6) if subj.plural else subject(3 if subj.fem else 2)
    he = Phrase(he.en, "elles" if subj.plural and subj.fem else he.fr, subj.fem, subj.plural,
                he.en_plural, 5 if subj.plural else 2, he.pronoun)
    en, fr = say(d, he, verb, obj, "past", d.of("", "", "not"))
    return f"{a} that {en}.", f"{b} que {fr}."


SAYING = [("say", "said", "dire"), ("think", "thought", "penser"), ("know", "knew", "savoir"),
          ("believe", "believed", "croire"), ("hope", "hoped", "espérer"),
          ("claim", "claimed", "prétendre"), ("explain", "explained", "expliquer"),
          ("promise", "promised", "promettre"), ("admit", "admitted", "avouer"),
          ("forget", "forgot", "oublier"), ("notice", "noticed", "remarquer"),
          ("find out", "found out", "découvrir"), ("understand", "understood", "comprendre"),
          ("remember", "remembered", "se rappeler"), ("suppose", "supposed", "supposer"),
          ("swear", "swore", "jurer"), ("announce", "announced", "annoncer")]


@frame(3)
def reported(d):
    base, past, fr_verb = d.r.choice(SAYING)
    verb = clauses.Verb(base, past, past, "", fr_verb, "r" if fr_verb[:3] == "se " else "a", "h",
                        "any", "s" if base in ("think", "know", "believe", "hope") else "")
    one, two = d.person(0.7), d.person(0.6)
    act, obj = action(d)
    if d.chance(0.5):
        first = "pres"
        when = d.of("past", "prog", "fut", "perf") if not act.stative else "pres"
    else:
        first = "past"
        when = d.of("plup", "pastprog", "cond") if not act.stative else "past"
    if base in ("hope", "promise", "swear") and when not in ("fut", "cond"):
        when = "fut" if first == "pres" else "cond"
    a = english(one, verb, None, first), french(one, verb, None, first)
    b = say(d, two, act, obj, when, d.of("", "", "", "not"))
    that = d.of(" that", " that", "")
    if base in ("explain", "announce", "promise", "swear"):
        that = " that"
    return f"{a[0]}{that} {b[0]}.", f"{a[1]} que {b[1]}."


@frame(2)
def reported_question(d):
    start = d.of(("I don't know", "je ne sais pas"), ("tell me", "dites-moi"),
                 ("I wonder", "je me demande"), ("do you know", "savez-vous"),
                 ("she asked me", "elle me a demandé"), ("nobody knows", "personne ne sait"),
                 ("we want to know", "nous voulons savoir"), ("can you tell me", "peux-tu me dire"))
    q = d.of(("if", "si"), ("why", "pourquoi"), ("when", "quand"), ("how", "comment"),
             ("where", "où"), ("whether", "si"))
    two = d.person(0.7)
    verb, obj = action(d, active)
    when = d.of("pastprog", "plup") if start[0].startswith("she") else d.of("past", "fut", "prog")
    en, fr = say(d, two, verb, obj, when)
    end = ("?", " ?") if start[0].startswith(("do ", "can ")) else (".", ".")
    return f"{start[0]} {q[0]} {en}{end[0]}", f"{start[1]} {q[1]} {fr}{end[1]}"


@frame(2)
def if_would(d):
    """If I had a car, I would visit the castle."""
    one, two = d.person(0.8), d.person(0.7)
    if_verb, if_obj = action(d)
    verb, obj = action(d, active)
    if d.chance(0.5):
        a = (english(one, if_verb, if_obj, "past"), french(one, if_verb, if_obj, "pastprog"))
        b = say(d, two, verb, obj, "cond", d.of("", "", "not"))
    else:
        a = (english(one, if_verb, if_obj, "pres"), french(one, if_verb, if_obj, "pres"))
        b = say(d, two, verb, obj, "fut", d.of("", "", "not"))
    if "ONE'S" in a[0] or "one's" in a[0]:
        return None
    if d.chance(0.6):
        return f"if {a[0]}, {b[0]}.", f"si {a[1]}, {b[1]}."
    return f"{b[0]} if {a[0]}.", f"{b[1]} si {a[1]}."


@frame(2)
def when_clause(d):
    """When I came in, he was reading a book."""
    one, two = d.person(0.8), d.person(0.7)
    a_verb, a_obj = action(d, active, objects=0.5)
    verb, obj = action(d, active)
    a = say(d, one, a_verb, a_obj, "past")
    b = say(d, two, verb, obj, d.of("pastprog", "pastprog", "plup"))
    if d.chance(0.5):
        return f"when {a[0]}, {b[0]}.", f"quand {a[1]}, {b[1]}."
    return f"{b[0]} when {a[0]}.", f"{b[1]} quand {a[1]}."


@frame(2)
def because_so(d):
    """The doctor didn't work because she was ill."""
    one = d.person(0.5)
    verb, obj = action(d, active, objects=0.6)
    subj = subject(d.r.choice((0, 3, 4, 5, 6))) if one.pronoun else d.person(0)
    if one.pronoun:
        subj = one
    adjective = d.pick(d.book.pool("adjectives", "per"), lambda a: a.en in MOODS)
    a = say(d, one, verb, obj, "past", d.of("", "not"))
    b = be(subj, so(adjective, subj), "past")
    return f"{a[0]} because {b[0]}.", f"{a[1]} parce que {b[1]}."


@frame()
def in_the_act(d):
    subj = d.person()
    verb, obj = action(d, active)
    when = d.of("prog", "pastprog")
    en = english(subj, verb, obj, when, "", d.chance(0.4))
    be_fr = clauses.conjugate("être")
    form = be_fr.present[subj.person] if when == "prog" else be_fr.imperfect(subj.person)
    fr = infinitive(verb, obj, subj)[1]
    return owner(en, subj) + ".", f"{subj.fr} {form} en train de {fr}."


@frame()
def just_done(d):
    subj = d.person()
    verb, obj = action(d, active)
    en = owner(english(subj, verb, obj, "perf", "", d.chance(0.5), False, "just"), subj)
    form = clauses.conjugate("venir").present[subj.person]
    return en + ".", f"{subj.fr} {form} de {infinitive(verb, obj, subj)[1]}."


@frame(2)
def before_after(d):
    subj = d.person()
    one, one_obj = action(d, active, objects=0.6)
    two, two_obj = action(d, active, objects=0.5)
    a = say(d, subj, one, one_obj, d.of("past", "past", "fut"))
    ing = owner(clauses.placed(two.ing, two, two_obj), subj)
    fr = infinitive(two, two_obj, subj)[1]
    kind = d.r.randrange(4)
    if kind == 0:
        return f"{a[0]} before {ing}.", f"{a[1]} avant de {fr}."
    if kind == 1:
        return f"{a[0]} without {ing}.", f"{a[1]} sans {fr}."
    clitic, after = clauses.object_fr(two, two_obj, subj)
    tail = clauses.own(two.tail, subj)
    if kind == 2:
        helper = "avoir" if two.aux == "a" else "être"
        agrees = two.aux == "e" or two.aux == "r" and (two.prep or not two.object) and (
            two.infinitive != "faire")
        part = subj.agree(two.fr.participle) if agrees else two.fr.participle
        done = " ".join(w for w in (clitic, helper, part, tail, after) if w)
        return f"after {ing}, {a[0]}.", f"après {done}, {a[1]}."
    gerund = " ".join(w for w in (clitic, two.fr.gerund, tail, after) if w)
    return f"{a[0]} while {ing}.", f"{a[1]} en {gerund}."


@frame()
def jobs(d):
    noun = d.noun("per", test=lambda n: n.feminine)
    she = noun.gender == "f"
    subj = subject(3 if she else d.of(0, 1, 2, 2))
    fr_be = d.of(("pres", "pres"), ("past", "past"))
    if d.chance(0.35):
        become = clauses.Verb("become", "became", "become", "becoming", "devenir", "e", "h", "any")
        v = clauses.chained(("want to", "wanted to", "wanted to", "wanting to"), "vouloir", become)
        a = english(subj, v, None, "pres"), french(subj, v, None, "pres")
        return f"{a[0]} a_ {noun.en}.", f"{a[1]} {noun.fr}."
    en, fr = be(subj, ("a_ " + noun.en, noun.fr), fr_be[0], d.of("", "", "not"), True)
    return en + ".", fr + "."


@frame(2)
def him(d):
    """I saw him yesterday; they gave up waiting for us."""
    verb = d.pick([v for v in d.book.pool("takers") if "per" in v.object and not v.stative])
    subj = d.person()
    obj = d.other_person(subj)
    if obj.person == subj.person and not obj.pronoun[0] in ("he", "she", "they"):
        return None
    if subj.person in (0, 3) and obj.person in (0, 3):
        return None
    when = d.of("past", "past", "pres", "fut", "going", "can", "perf")
    neg = d.of("", "", "not")
    en = english(subj, verb, obj, when, neg, d.chance(0.6))
    fr = french(subj, verb, obj, when, neg)
    if when in ("past", "perf") and verb.direct and not verb.tail and verb.aux == "a":
        words = fr.split()
        if verb.fr.participle in words:
            at = words.index(verb.fr.participle)
            plural = obj.person in (5,) or obj.person == 3
            words[at] = Phrase("", "", obj.fem, plural).agree(verb.fr.participle)
        fr = " ".join(words)
    t = at_time(d, when, 0.4)
    return en + t[0] + ".", fr + t[1] + "."
