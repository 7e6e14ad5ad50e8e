"""Still more frames for words.py: giving, amounts, kinds, durations, fixed patterns."""

import clauses
from clauses import Phrase, english, french, join, noun_phrase, subject
from longframes import infinitive
from wordframes import (PLACES, action, active, ask, at_time, be, chained_to, definite, fixed, frame,
                        say, so, tense)
from words import owner


GIVE = [("give", "gave", "given", "donner"), ("send", "sent", "sent", "envoyer"),
        ("show", "showed", "shown", "montrer"), ("lend", "lent", "lent", "prêter"),
        ("sell", "sold", "sold", "vendre"), ("offer", "offered", "offered", "offrir"),
        ("bring", "brought", "brought", "apporter"), ("return", "returned", "returned", "rendre")]


@frame(2)
def give(d):
    base, past, part, fr_verb = d.r.choice(GIVE)
    verb = clauses.Verb(base, past, part, clauses.ing(base), fr_verb, "a", "h", "any")
    subj = d.person(0.8)
    noun = d.noun("tool", "clo", "text", "food", "hard", "foodm", "drink", "plt",
                  test=lambda n: not n.mass or n.kind != "text")
    thing = d.thing(noun)
    when = d.of("past", "past", "fut", "going", "perf", "can")
    if d.chance(0.6):
        to = d.person(0.0)
        en, fr = say(d, subj, verb, thing, when, d.of("", "", "", "not"))
        return f"{en} to {to.en}.", f"{fr} {join('à', to.fr)}."
    obj = d.other_person(subj)
    if (subj.person in (0, 3) and obj.person in (0, 3)) or obj.person == subj.person:
        return None
    verb = clauses.Verb(base, past, part, clauses.ing(base), fr_verb + " à", "a", "h", "any", "d")
    en, fr = say(d, subj, verb, obj, when)
    if d.chance(0.2):
        en, fr = ask(d, subj, verb, obj, when)
        return f"{en} {thing.en}?", f"{fr} {thing.fr} ?"
    return f"{en} {thing.en}.", f"{fr} {thing.fr}."


MEASURES = [("a cup of", "une tasse de", "drink"), ("a glass of", "un verre de", "drink"),
            ("a bottle of", "une bouteille de", "drink"), ("a litre of", "un litre de", "drink"),
            ("a kilo of", "un kilo de", "foodm"), ("a piece of", "un morceau de", "foodm"),
            ("a spoonful of", "une cuillerée de", "foodm"), ("a bit of", "un peu de", "foodm"),
            ("a lot of", "beaucoup de", ""), ("too much", "trop de", ""),
            ("enough", "assez de", ""), ("a little", "un peu de", ""), ("less", "moins de", ""),
            ("more", "plus de", ""), ("a kilo of", "un kilo de", "food"),
            ("a basket of", "un panier de", "food"), ("a lot of", "beaucoup de", "food"),
            ("a box of", "une boîte de", "tool"), ("dozens of", "des dizaines de", "food")]


@frame()
def qualities(d):
    """He showed great courage: il a montré un grand courage."""
    noun, adjective = d.described("qual")
    subj = d.person()
    base, past, part, fr_verb, stative = d.of(
        ("show", "showed", "shown", "montrer", ""), ("need", "needed", "needed",
        "avoir besoin de", "s"), ("have", "had", "had", "avoir", "s"),
        ("dream of", "dreamt of", "dreamt of", "rêver de", ""),
        ("talk about", "talked about", "talked about", "parler de", ""))
    verb = clauses.Verb(base, past, part, "", fr_verb, "a", "h", "any", stative)
    np = noun_phrase(noun, "bare", False, adjective)
    form = adjective.agreed(noun.fem, False)
    core = f"{adjective.before(noun)} {noun.fr}" if adjective.front else f"{noun.fr} {form}"
    np.fr = ("une " if noun.fem else "un ") + core
    en, fr = say(d, subj, verb, np, d.of("pres", "past", "fut"))
    return en + ".", fr + "."


@frame(2)
def amounts(d):
    en, fr, kind = d.r.choice(MEASURES)
    kinds = (kind,) if kind else ("foodm", "drink", "mat")
    verb, noun = d.verb_and_noun(lambda v: v.direct and not v.stative and not v.reflexive,
                                 lambda n: n.kind in kinds)
    if noun.en_always or noun.kind == "food" and not noun.counts:
        return None
    words = (noun.en_plural, noun.fr_plural) if noun.counts or noun.fr_always else (
        noun.en, noun.fr)
    if noun.mass:
        words = noun.en, noun.fr
    np = Phrase(f"{en} {words[0]}", f"{fr} {words[1]}")
    subj = d.person()
    a, b = say(d, subj, verb, np, d.of("past", "past", "fut", "going", "must", "can"))
    return a + ".", b + "."


@frame()
def hurts(d):
    noun = d.noun("body", test=lambda n: n.en not in (
        "beard", "hair", "moustache", "eyebrow", "lip", "skull", "fist"))
    subj = subject(d.of(0, 0, 1, 2, 3, 4))
    le, part = noun_phrase(noun, "the").fr, noun.en
    if noun.en in ("hand", "arm", "leg", "foot", "knee", "elbow", "shoulder", "eye", "ear", "wrist",
                   "ankle", "thumb", "hip", "heel", "thigh"):
        side = d.adjective(noun, lambda a: a.en in ("left", "right"))
        le, part = noun_phrase(noun, "the", False, side).fr, f"{side.en} {noun.en}"
    when = d.of("pres", "past")
    avoir = clauses.conjugate("avoir")
    form = avoir.present[subj.person] if when == "pres" else avoir.imperfect(subj.person)
    word = "hurts" if when == "pres" else "hurt"
    return (f"{subj.pronoun[6]} {part} {word}.", f"{subj.fr} {form} mal {join('à', le)}.")


@frame()
def made_of(d):
    noun = d.noun("tool", "furn", "clo")
    mat = d.pick([m for m in d.book.pool("nouns", "mat") if m.en in (
        "wood", "metal", "iron", "steel", "gold", "silver", "copper", "plastic", "paper",
        "cardboard", "leather", "cotton", "wool", "silk", "marble", "concrete", "clay", "rubber",
        "ivory", "velvet", "wax")])
    np = definite(d, noun)
    en, fr = be(np, (f"made of {mat.en}", f"en {mat.fr}"), "pres", d.of("", "", "not"), True)
    return en + ".", fr + "."


@frame(2)
def looks(d):
    noun, adjective = d.described("per", "kin", "bld", "text", "food", "abs", "org", "furn", "veh",
                                  test=lambda a: not fixed(a))
    np = definite(d, noun)
    base, past, fr_verb, aux = d.of(("seem", "seemed", "sembler", "a"),
                                    ("look", "looked", "paraître", "a"),
                                    ("become", "became", "devenir", "e"),
                                    ("remain", "remained", "rester", "e"))
    part = "become" if base == "become" else past
    verb = clauses.Verb(base, past, part, "", fr_verb, aux, "h", "any",
                        "s" if aux == "a" else "")
    word = so(adjective, np)
    en, fr = say(d, np, verb, None, d.of("pres", "past"), d.of("", "", "", "not"))
    return f"{en} {word[0]}.", f"{fr} {word[1]}."


@frame(2)
def find_it_so(d):
    """I find this film boring."""
    noun, adjective = d.described("text", "art", "event", "abs", "bld", "veh", "clo", "food", "ani",
                                  test=lambda a: a.graded and not fixed(a))
    find = clauses.Verb("find", "found", "found", "finding", "trouver", "a", "h", "any")
    subj = d.person(0.9)
    np = definite(d, noun)
    word = so(adjective, np)
    a, b = say(d, subj, find, np, d.of("pres", "past"), d.of("", "", "not"))
    return f"{a} {word[0]}.", f"{b} {word[1]}."


@frame()
def owned(d):
    """My brother's car is red: la voiture de mon frère est rouge."""
    noun, adjective = d.described("tool", "veh", "clo", "hard", "bld", "ani", "text", "room",
                                  noun_test=lambda n: n.counts)
    who_ = d.person(0.0)
    if who_.en_plural:
        return None
    np = noun_phrase(noun, "the", d.chance(0.25))
    poss = f"{who_.en}'s {np.en[4:]}", join(np.fr + " de", who_.fr)
    whole = Phrase(poss[0], poss[1], np.fem, np.plural, np.en_plural, noun=noun)
    en, fr = be(whole, so(adjective, whole), d.of("pres", "past"), d.of("", "", "not"), True)
    return en + ".", fr + "."


@frame()
def of_the(d):
    """The colour of the sofa, the end of the film."""
    whole = d.noun("tool", "furn", "veh", "clo", "bld", "room", "text", "art", "event", "geo", "ani",
                   "digi", "tech", "abs", "org", "math", test=lambda n: n.counts)
    part = {"tool": ("colour", "size", "shape", "price", "weight"),
            "text": ("beginning", "end", "title", "meaning", "subject", "length"),
            "art": ("beginning", "end", "title", "quality"), "event": ("beginning", "end", "date"),
            "geo": ("beauty", "size", "name"), "ani": ("name", "age", "size", "weight"),
            "digi": ("size", "name", "content"), "tech": ("value", "size", "number", "definition"),
            "abs": ("importance", "cause", "consequence", "origin", "advantage"),
            "org": ("leader", "role", "size", "member")}.get(
                whole.kind, ("colour", "size", "price", "quality"))
    head = d.pick([n for n in d.book.nouns if n.en in part and n.kind in
                   ("abs", "attr", "text", "qual", "digi", "per")])
    one, two = noun_phrase(head, "the"), noun_phrase(whole, d.of("the", "the", "this", "je"))
    np = Phrase(f"{one.en} of {two.en}", join(one.fr + " de", two.fr), one.fem, one.plural,
                one.en_plural, noun=head)
    subj = d.person(0.8)
    verb = d.of(("know", "knew", "known", "connaître", "s"), ("forget", "forgot", "forgotten",
                "oublier", ""), ("like", "liked", "liked", "aimer", "s"),
                ("describe", "described", "described", "décrire", ""))
    v = clauses.Verb(verb[0], verb[1], verb[2], clauses.ing(verb[0]), verb[3], "a", "h", "any",
                     verb[4])
    when = d.of("pres", "past") if verb[4] else d.of("past", "fut", "perf")
    if d.chance(0.3):
        what = d.of(("what is", "quel est", "quelle est"), ("what was", "quel était",
                    "quelle était"))
        if one.plural or one.en_plural:
            return None
        return f"{what[0]} {np.en}?", f"{what[1 + np.fem]} {np.fr} ?"
    en, fr = say(d, subj, v, np, when, d.of("", "", "not"))
    return en + ".", fr + "."


@frame()
def costs(d):
    noun = d.noun("tool", "veh", "clo", "hard", "food", "furn", "text", "bld")
    np = definite(d, noun)
    if d.chance(0.5):
        do = "do" if np.en_plural else "does"
        return (f"how much {do} {np.en} cost?",
                f"combien coût{'ent' if np.plural else 'e'} {np.fr} ?")
    n = d.r.choice((2, 3, 5, 8, 10, 12, 15, 20, 25, 30, 45, 50, 80, 100, 150, 200, 350, 500, 1200))
    return (f"{np.en} cost{'' if np.en_plural else 's'} {n} euros.",
            f"{np.fr} coût{'ent' if np.plural else 'e'} {n} euros.")


@frame(3)
def subjects_act(d):
    """Clauses of animals, machines, events, plants, ideas: the dog barked."""
    want = d.want
    verb = None
    if isinstance(want, clauses.Verb) and "h" not in want.subject:
        verb = d.pick([want])
        noun = d.pick(d.book.members(verb.subject))
    elif isinstance(want, clauses.Noun) and d.book.doing.get(want):
        noun = d.pick([want])
        verb = d.pick(d.book.doing[want])
    else:
        noun = d.noun("ani", "plt", "event", "abs", "hard", "veh", "wea",
                      test=lambda n: bool(d.book.doing.get(n)))
        verb = d.pick(d.book.doing[noun])
    np = definite(d, noun)
    if noun.kind == "wea":
        np = noun_phrase(noun, "the")
    when = tense(d, verb)
    if when in ("can", "could", "should", "must") and d.chance(0.6):
        when = "past"
    t = at_time(d, when, 0.4)
    if d.chance(0.2):
        en, fr = ask(d, np, verb, None, when)
        return en + t[0] + "?", fr + t[1] + " ?"
    en, fr = say(d, np, verb, None, when, d.of("", "", "", "not"))
    return en + t[0] + ".", fr + t[1] + "."


@frame()
def weather(d):
    noun = d.noun("wea")
    np = noun_phrase(noun, "the")
    kind = d.r.randrange(4)
    if kind == 0:
        hate = d.of(("I like", "je aime"), ("he hates", "il déteste"), ("she loved", "elle adorait"),
                    ("we don't like", "nous n'aimons pas"), ("do you like", "aimez-vous"))
        end = ("?", " ?") if hate[0].startswith("do") else (".", ".")
        return f"{hate[0]} {np.en}{end[0]}", f"{hate[1]} {np.fr}{end[1]}"
    if kind == 1:
        subj = d.person()
        verb = clauses.Verb("talk about", "talked about", "talked about", "talking about",
                            "parler de", "a", "h", "any")
        en, fr = say(d, subj, verb, np, d.of("past", "prog", "fut"))
        return en + ".", fr + "."
    if kind == 2:
        subj = d.person()
        verb, obj = action(d, active, objects=0.4)
        en, fr = say(d, subj, verb, obj, "past", d.of("", "not"))
        because = d.of(("because of", "à cause de"), ("despite", "malgré"))
        return f"{en} {because[0]} {np.en}.", f"{fr} {join(because[1], np.fr)}."
    where = d.phrase("phrases", "place")
    start = d.of(("look at", "regardez"), ("I remember", "je me souviens de"),
                 ("she photographed", "elle a photographié"))
    return f"{start[0]} {np.en} {where.en}.", f"{join(start[1], np.fr)} {where.fr}."


@frame(2)
def lasting(d):
    unit = d.noun("time")
    n = d.r.randrange(2, 13)
    word = ["", "", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
            "eleven", "twelve"][n], ["", "", "deux", "trois", "quatre", "cinq", "six", "sept",
                                     "huit", "neuf", "dix", "onze", "douze"][n]
    long_en, long_fr = f"{word[0]} {unit.en_plural}", f"{word[1]} {unit.fr_plural}"
    if unit.en in ("weekend", "fortnight", "season"):
        p = d.of(("last", "dernier"), ("next", "prochain"))
        when = "past" if p[0] == "last" else "fut"
        subj = d.person()
        verb, obj = action(d, active)
        en, fr = say(d, subj, verb, obj, when)
        article = "la" if unit.fem else "le"
        return (f"{en} {p[0]} {unit.en}.",
                f"{fr} {article} {unit.fr} {p[1]}{'e' if unit.fem else ''}.")
    if d.chance(0.3):
        if unit.en in ("century", "decade", "second", "year"):
            return None
        event = definite(d, d.noun("event", test=lambda n: n.counts), plural=0)
        form = d.of(("lasts", "dure"), ("lasted", "a duré"), ("will last", "durera"))
        return f"{event.en} {form[0]} {long_en}.", f"{event.fr} {form[1]} {long_fr}."
    subj = d.person()
    verb, obj = action(d, active, objects=0.4)
    kind = d.of(("past", "", "il y a", " ago"), ("fut", "in", "dans", ""),
                ("past", "for", "pendant", ""), ("fut", "for", "pendant", ""))
    if unit.en in ("century", "decade", "second", "year") and kind[1] == "for":
        return None
    en, fr = say(d, subj, verb, obj, kind[0])
    return (f"{en} {(kind[1] + ' ' + long_en).strip()}{kind[3]}.", f"{fr} {kind[2]} {long_fr}.")


@frame()
def still_since(d):
    """I have been waiting for two hours: j'attends depuis deux heures."""
    subj = d.person()
    verb, obj = action(d, active, objects=0.5)
    have = "has" if subj.index == 2 else "have"
    ing = owner(clauses.placed(verb.ing, verb, obj), subj)
    span = d.of(("for two hours", "depuis deux heures"), ("since Monday", "depuis lundi"),
                ("for a long time", "depuis longtemps"), ("since this morning", "depuis ce matin"),
                ("for ten years", "depuis dix ans"), ("for weeks", "depuis des semaines"),
                ("since yesterday", "depuis hier"), ("for a month", "depuis un mois"))
    fr = french(subj, verb, obj, "pres")
    if "des " in fr.split("depuis")[0] and d.chance(0.5):
        return None
    return f"{subj.en} {have} been {ing} {span[0]}.", f"{fr} {span[1]}."


@frame()
def no_more(d):
    subj = d.person()
    verb, obj = action(d)
    if d.chance(0.5):
        do = "does" if subj.index == 2 else "do"
        base = owner(clauses.placed(verb.base, verb, obj).replace(" some ", " any "), subj)
        if base.startswith("be "):
            return None
        return f"{subj.en} {do}n't {base} anymore.", french(subj, verb, obj, "pres", "more") + "."
    if verb.stative:
        return None
    en, fr = (say(d, subj, verb, obj, "perf", "not")[0], french(subj, verb, obj, "perf", "yet"))
    return en + " yet.", fr + "."


@frame()
def nobody(d):
    who_ = d.of(("nobody", "personne ne"), ("everyone", "tout le monde"), ("someone", "quelque un"),
                ("no one", "personne ne"))
    verb, obj = action(d)
    if obj is not None and "ONE'S" in obj.en or verb.tail and " sa" in " " + verb.tail:
        return None
    he = Phrase(who_[0], "il", False, False, False, 2)
    when = d.of("past", "past", "pres", "fut", "prog") if not verb.stative else d.of("pres", "past")
    en = english(he, verb, obj, when)
    fr = french(subject(2), verb, obj, when)
    if who_[1].endswith(" ne") and obj is not None and obj.fr.startswith(("un ", "une ", "des ")):
        return None
    return en + ".", f"{who_[1].replace('quelque un', 'quelqu' + chr(39) + 'un')}{fr[2:]}."


@frame()
def only(d):
    """She only eats fruit: elle ne mange que des fruits."""
    subj = d.person()
    verb, obj = d.verb_and_noun(lambda v: v.direct and not v.tail and not v.reflexive)
    np = d.thing(obj, verb)
    if "ONE'S" in np.en:
        return None
    when = d.of("pres", "past") if not verb.stative else "pres"
    en = english(subj, verb, np, when, "", False, False, "only")
    form, part = clauses.finite(subj, verb, when)
    fr = " ".join(x for x in (subj.fr, "ne", form, part, "que", np.fr) if x)
    return en + ".", fr + "."


@frame()
def either(d):
    subj = d.person(0.8)
    verb, noun = d.verb_and_noun(lambda v: v.direct and not v.split and not v.base.endswith(" back"))
    other = d.pick([n for n in verb.nouns if n.en != noun.en and n.kind == noun.kind])
    if noun.kind == "body":
        return None
    one, two = definite_or_generic(d, noun), definite_or_generic(d, other)
    kind = d.r.randrange(4)
    when = "pres" if verb.stative else d.of("past", "fut")
    if kind == 0:
        en, fr = ask(d, subj, verb, one, when)
        return f"{en} or {two.en}?", f"{fr} ou {two.fr} ?"
    if kind == 1:
        en, fr = say(d, subj, verb, one, when)
        return (en.replace(one.en, f"both {one.en} and {two.en}") + ".",
                fr.replace(one.fr, f"à la fois {one.fr} et {two.fr}") + ".")
    if kind == 2:
        en, fr = say(d, subj, verb, one, when)
        no = french(subj, verb, one, when, "not").replace(" pas ", " ", 1)
        return (en.replace(one.en, f"neither {one.en} nor {two.en}") + ".",
                no.replace(one.fr, f"ni {one.fr} ni {two.fr}") + ".")
    en, fr = say(d, subj, verb, one, when)
    return f"{en}, not {two.en}.", f"{fr}, pas {two.fr}."


def definite_or_generic(d, noun):
    if noun.kind in ("sport", "hob", "subj", "lang", "qual") or noun.kind == "ill" and noun.mass:
        return noun_phrase(noun, "generic")
    return noun_phrase(noun, "je" if noun.kind == "kin" else "the",
                       noun.counts and d.chance(0.2))


@frame()
def tag_question(d):
    subj = d.person(1.0)
    if subj.person == 0:
        return None
    verb, obj = action(d, active)
    when = d.of("past", "prog", "fut")
    aux = english(subj, verb, None, when, "not", True, True).split()[0]
    en, fr = english(subj, verb, obj, when), french(subj, verb, obj, when)
    return f"{owner(en, subj)}, {aux} {subj.en}?", f"{fr}, n'est-ce pas ?"


@frame(2)
def go_to_do(d):
    """We went to the library to study."""
    subj = d.person()
    where = d.noun("bld", test=lambda n: n.counts)
    verb, obj = action(d, active, lambda n: n.kind not in PLACES, objects=0.6)
    go = clauses.Verb("go to", "went to", "gone to", "going to", "aller à", "e", "h", "bld")
    np = noun_phrase(where, d.of("the", "the", "the", "this"))
    en, fr = say(d, subj, go, np, d.of("past", "past", "fut", "pres", "must", "perf"))
    a, b = infinitive(verb, obj, subj)
    return f"{en} to {a}.", f"{fr} pour {b}."


KINDS = {"ani": ("a_ animal", "un animal"), "plt": ("a plant", "une plante"),
         "clo": ("a garment", "un vêtement"), "veh": ("a vehicle", "un véhicule"),
         "inst": ("a musical instrument", "un instrument de musique"),
         "lang": ("a language", "une langue"), "subj": ("a school subject", "une matière"),
         "sport": ("a game", "un jeu"), "bld": ("a building", "un bâtiment"),
         "ill": ("a_ illness", "une maladie"), "body": ("a part of the body",
                                                       "une partie du corps")}


@frame()
def is_a_kind(d):
    noun = d.noun(*KINDS, test=lambda n: not n.en_always and not n.fr_always and (
        n.kind != "plt" or n.en in ("rose", "tulip", "daisy", "sunflower", "lily", "orchid", "oak",
                                    "fern", "cactus", "pine", "birch", "willow", "vine")) and
        n.en not in ("pocket", "sleeve", "collar", "shoelace", "square", "platform", "bus stop",
                     "park", "harbour", "playground", "port", "garden", "zoo", "market", "injury",
                     "wound", "bruise", "scar", "burn", "cemetery", "campsite", "car park", "pet",
                     "bug"))
    kind = KINDS[noun.kind]
    np = noun_phrase(noun, "a" if not noun.mass else "generic")
    if noun.kind == "ani" and d.chance(0.2) or d.chance(0.2):
        return (f"is {np.en} {kind[0]}?", f"est-ce que {np.fr} est {kind[1]} ?")
    return f"{np.en} is {kind[0]}.", f"{np.fr} est {kind[1]}."


@frame(2)
def likes_kind(d):
    """Children like ice cream; dogs are afraid of thunder."""
    noun = d.noun("ani", "food", "foodm", "drink", "sport", "hob", "plt", "clo", "veh", "text",
                  "art", "subj", "qual", "event", "inst", "lang", "mat",
                  test=lambda n: n.counts or n.mass)
    np = noun_phrase(noun, "generic", noun.counts)
    subj = d.person()
    verb = d.of(("like", "liked", "aimer"), ("love", "loved", "adorer"),
                ("hate", "hated", "détester"), ("prefer", "preferred", "préférer"))
    v = clauses.Verb(verb[0], verb[1], verb[1], "", verb[2], "a", "h", "any", "s")
    neg = d.of("", "", "not") if verb[0] == "like" else ""
    if noun.kind == "inst":
        np = noun_phrase(noun, "the")
    end = d.of(("", ""), ("", ""), (" very much", " beaucoup")) if verb[0] == "like" and not neg \
        else ("", "")
    if d.chance(0.3):
        en, fr = ask(d, subj, v, np, "pres")
        return en + "?", fr + " ?"
    if end[0]:
        fr = french(subj, v, np, "pres", "", "", "beaucoup")
        return f"{english(subj, v, np, 'pres')} very much.", fr + "."
    en, fr = say(d, subj, v, np, d.of("pres", "pres", "past"), neg)
    return en + ".", fr + "."


@frame()
def two_sentences(d):
    """I bought a hat. It ... is avoided: the noun is named again."""
    subj = d.person(0.8)
    verb, obj = action(d, active)
    one = say(d, subj, verb, obj, "past")
    two_verb, two_obj = action(d, active, objects=0.5)
    two = say(d, subj, two_verb, two_obj, d.of("past", "fut"), d.of("", "not"))
    link = d.of(("", ""), ("Then ", "Puis "), ("But ", "Mais "))
    a = link[0] + (two[0] if link[0] else two[0][0].upper() + two[0][1:])
    b = link[1] + two[1]
    return f"{one[0]}. {a}.", f"{one[1]}. {b}."


@frame()
def used_to(d):
    subj = d.person()
    verb, obj = action(d)
    if verb.base.startswith("be ") and subj.index == 1:
        return None
    en, fr = say(d, subj, verb, obj, "used")
    p = d.of(("", ""), (" every day", " tous les jours"), (" as a child", " quand il était petit"))
    if p[0] == " as a child":
        p = " when it was hot", " quand il faisait chaud"
    return en + p[0] + ".", fr + p[1] + "."


@frame()
def give_up_ing(d):
    head = d.of(("stop", "stopped", "arrêter de"), ("finish", "finished", "finir de"),
                ("avoid", "avoided", "éviter de"), ("keep", "kept", "continuer à"),
                ("start", "started", "commencer à"), ("suggest", "suggested", "proposer de"))
    subj = d.person()
    verb, obj = action(d, active)
    ing = owner(clauses.placed(verb.ing, verb, obj), subj)
    v = chained_to(head, verb)
    when = d.of("past", "fut", "perf")
    first = clauses.Verb(head[0], head[1], head[1], "", head[2], "a", "h", "any")
    en = english(subj, first, None, when, "", d.chance(0.5))
    return f"{en} {ing}.", french(subj, v, obj, when) + "."


@frame()
def must_be_done(d):
    """The file must be saved; the letters have to be translated."""
    verb, noun = d.verb_and_noun(
        lambda v: v.direct and not v.tail and not v.reflexive and not v.stative and
        v.base.split()[0] not in ("get", "take", "leave", "have"),
        lambda n: n.kind not in ("body", "qual", "sport", "hob", "subj", "lang", "inst", "ill"))
    np = definite(d, noun)
    aux = d.of(("must be", "doit", "doivent"), ("can be", "peut", "peuvent"),
               ("should be", "devrait", "devraient"), ("cannot be", "ne peut pas", "ne peuvent pas"),
               ("could not be", "n'a pas pu", "n'ont pas pu"))
    return (f"{np.en} {aux[0]} {verb.part}.",
            f"{np.fr} {aux[1 + np.plural]} être {np.agree(verb.fr.participle)}.")


@frame()
def every_all(d):
    subj = d.person(0.9)
    verb, noun = d.verb_and_noun(lambda v: v.direct and not v.reflexive and not v.stative,
                                 lambda n: n.counts and n.kind not in ("kin", "body"))
    det, many = d.of(("every", False), ("all", True), ("another", False), ("same", False),
                     ("first", False), ("last", False), ("same", True))
    np = noun_phrase(noun, det, many)
    if verb.split or det == "another" and many:
        return None
    en, fr = say(d, subj, verb, np, d.of("past", "fut", "perf", "must", "can"))
    return en + ".", fr + "."
