"""More frames for "it" and "they": weather and time, passives, objects,
pronouns ahead of their nouns, two sentences. Written as in frames.py; a
pronoun that stands for nothing has the mark `<z:it>`.
"""

import grammar
import lexicon
from frames import CLOTHES, HAVE, HOLDERS, ITEMS, SURFACES, quality, some
from grammar import ADJECTIVES, NOUNS, VERBS, joined, phrase, prep, up
from lexicon import Adjective, agree

PAST = [("was raining", "pleuvait"), ("was snowing", "neigeait"), ("was cold", "faisait froid"),
        ("was too cold", "faisait trop froid"), ("was very cold", "faisait très froid"),
        ("was hot", "faisait chaud"), ("was too hot", "faisait trop chaud"),
        ("was very hot", "faisait très chaud"), ("was warm", "faisait bon"),
        ("was dark", "faisait noir"), ("was too dark", "faisait trop sombre"),
        ("was getting dark", "commençait à faire nuit"), ("was late", "était tard"),
        ("was too late", "était trop tard"), ("was very late", "était très tard"),
        ("was getting late", "se faisait tard"), ("was early", "était tôt"),
        ("was too early", "était trop tôt"), ("was windy", "y avait du vent"),
        ("was foggy", "y avait du brouillard"), ("was sunny", "y avait du soleil"),
        ("was freezing", "gelait"), ("was raining hard", "pleuvait fort"),
        ("was raining heavily", "pleuvait beaucoup"), ("rained", "pleuvait"),
        ("snowed", "neigeait"), ("was nice outside", "faisait beau dehors"),
        ("was still dark", "faisait encore nuit"), ("was midnight", "était minuit"),
        ("was noon", "était midi"), ("was time to eat", "était temps de manger"),
        ("was time to leave", "était temps de partir"),
        ("was ten o'clock", "était dix heures"), ("was seven o'clock", "était sept heures"),
        ("was impossible to see anything", "était impossible de voir quoi que ce soit"),
        ("was dangerous to stay", "était dangereux de rester"),
        ("was difficult to sleep", "était difficile de dormir"),
        ("was forbidden to enter", "était interdit de entrer"),
        ("was better to wait", "valait mieux attendre"),
        ("was necessary to hurry", "fallait se dépêcher"),
        ("had rained", "avait plu"), ("had snowed", "avait neigé"),
        ("was not possible to wait", "ne était pas possible de attendre")]
PRESENT = [("is raining", "pleut"), ("is snowing", "neige"), ("is cold", "fait froid"),
           ("is too cold", "fait trop froid"), ("is hot", "fait chaud"),
           ("is too hot", "fait trop chaud"), ("is dark", "fait noir"),
           ("is too dark", "fait trop sombre"), ("is late", "est tard"),
           ("is too late", "est trop tard"), ("is early", "est tôt"),
           ("is getting late", "se fait tard"), ("is windy", "y a du vent"),
           ("is sunny", "y a du soleil"), ("is foggy", "y a du brouillard"),
           ("rains", "pleut"), ("snows", "neige"), ("is nice outside", "fait beau dehors"),
           ("is midnight", "est minuit"), ("is noon", "est midi"),
           ("is nine o'clock", "est neuf heures"), ("is time to go", "est temps de partir"),
           ("is dangerous to stay", "est dangereux de rester"),
           ("is impossible to work", "est impossible de travailler"),
           ("is important to rest", "est important de se reposer")]
FESTIVE = [("was Sunday", "ce était dimanche"), ("was Monday", "ce était lundi"),
           ("was summer", "ce était le été"), ("was winter", "ce était le hiver"),
           ("was my birthday", "ce était mon anniversaire"), ("was Christmas", "ce était Noël"),
           ("was a holiday", "ce était un jour férié"), ("was spring", "ce était le printemps"),
           ("was too dangerous", "ce était trop dangereux"), ("was too much", "ce était trop"),
           ("was Saturday", "ce était samedi"), ("was autumn", "ce était le automne"),
           ("was not safe", "ce ne était pas sûr"), ("was late autumn", "ce était la fin de l'automne")]
STATES = [("stayed at home", "e", "resté à la maison"), ("went home", "e", "rentré à la maison"),
          ("stayed inside", "e", "resté à le intérieur"), ("left early", "e", "parti tôt"),
          ("ran away", "r", "enfui"), ("turned back", "a", "fait demi-tour"),
          ("fell asleep", "r", "endormi"), ("stopped", "r", "arrêté"), ("hurried", "r", "dépêché"),
          ("arrived late", "e", "arrivé en retard"), ("closed the window", "a", "fermé la fenêtre"),
          ("opened the window", "a", "ouvert la fenêtre"), ("lit a fire", "a", "allumé un feu"),
          ("went out", "e", "sorti"), ("came back", "e", "revenu"), ("slept badly", "a", "mal dormi"),
          ("took an umbrella", "a", "pris un parapluie"), ("put on a coat", "a", "mis un manteau"),
          ("waited", "a", "attendu"), ("stayed in bed", "e", "resté à_le lit"),
          ("went to bed", "r", "couché"), ("got up", "r", "levé"), ("got lost", "r", "perdu")]
OWN = [("I", "je", 0), ("we", "nous", 0), ("they", "ils", 0), ("he", "il", 0), ("she", "elle", 1),
       ("Tom", "Tom", 0), ("Mary", "Mary", 1), ("everyone", "tout le monde", 0)]
TO_HAVE = {"je": "ai", "nous": "avons", "ils": "ont"}
TO_BE = {"je": "suis", "nous": "sommes", "ils": "sont"}
SELF = {"je": "me", "nous": "nous"}
WORTH = [Adjective("", *w) for w in (
    ("too expensive", "trop cher", "trop chère"), ("very cheap", "très bon marché", "très bon marché"),
    ("beautiful", "beau", "belle"), ("useful", "utile", "utile"), ("new", "neuf", "neuve"),
    ("too big", "trop grand", "trop grande"), ("too small", "trop petit", "trop petite"),
    ("broken", "cassé", "cassée"), ("too heavy", "trop lourd", "trop lourde"),
    ("dirty", "sale", "sale"), ("old", "vieux", "vieille"), ("ugly", "laid", "laide"),
    ("empty", "vide", "vide"), ("light", "léger", "légère"), ("interesting", "intéressant", "intéressante"),
    ("perfect", "parfait", "parfaite"), ("too long", "trop long", "trop longue"),
    ("strange", "étrange", "étrange"), ("wet", "mouillé", "mouillée"), ("green", "vert", "verte"))]
PEOPLE = [Adjective("", *w) for w in (
    ("too poor", "trop pauvre", "trop pauvre"), ("rich", "riche", "riche"),
    ("tired", "fatigué", "fatiguée"), ("sad", "triste", "triste"), ("happy", "heureux", "heureuse"),
    ("angry", "en colère", "en colère"), ("curious", "curieux", "curieuse"),
    ("ill", "malade", "malade"), ("alone", "seul", "seule"), ("nervous", "nerveux", "nerveuse"),
    ("bored", "ennuyé", "ennuyée"), ("careful", "prudent", "prudente"))]


def human(r):
    return r.choice(NOUNS["person"] + NOUNS["kin"][:10])


def weather(r, present):
    if not present and r.random() < 0.2:
        en, fr = r.choice(FESTIVE)
        return f"<z:it> {en}", fr
    en, fr = r.choice(PRESENT if present else PAST)
    return f"<z:it> {en}", f"il {fr}"


def does(r):
    """Somebody or an animal does something; past."""
    past, kind, part = r.choice(STATES)
    if r.random() < 0.4:
        en, fr, fem = r.choice(OWN)
        many = fr in ("nous", "ils")
    else:
        noun = human(r) if r.random() < 0.5 else r.choice(NOUNS["animal"])
        if noun.kind == "animal":
            past, kind, part = r.choice([s for s in STATES if s[0] in (
                "stayed inside", "ran away", "fell asleep", "stopped", "came back", "waited",
                "went out", "got lost", "slept badly", "turned back")])
        (en, fr), fem, many = phrase(r, noun, "a"), noun.fem, False
    if kind != "a":
        head, _, tail = part.partition(" ")
        part = " ".join(x for x in (head + "e" * fem + "s" * (many and head[-1] != "s"), tail) if x)
    have = {"a": TO_HAVE.get(fr, "a"), "e": TO_BE.get(fr, "est"),
            "r": SELF.get(fr, "se") + " " + TO_BE.get(fr, "est")}[kind]
    return f"{en} {past}", f"{fr} {have} {part}"


def expletive(r):
    """ "The cow stayed inside because it was raining." """
    present, kind = r.random() < 0.2, r.random()
    if present:
        a, b = r.choice(NOUNS["animal"]), r.choice(NOUNS["thing"])
        if r.random() < 0.5:
            a = human(r)
        clause = grammar.acts(r, r.choice(VERBS["place"]), phrase(r, a, "a"),
                              phrase(r, b, "b"), True)
    elif kind < 0.45:
        clause = does(r)
    elif kind < 0.75:
        a, b = r.choice(NOUNS["animal"] + NOUNS["person"]), r.choice(NOUNS["thing"])
        clause = grammar.acts(r, r.choice(VERBS["place"]), phrase(r, a, "a"),
                              phrase(r, b, "b"), False)
    else:
        a, b = r.choice(NOUNS["animal"] + NOUNS["person"]), r.choice(NOUNS["thing"])
        clause = grammar.moves(r, a, phrase(r, a, "a"), phrase(r, b, "b"))
    reason = weather(r, present)
    if r.random() < 0.25:
        en, fr = r.choice([("when", "quand"), ("because", "parce que"), ("since", "comme"),
                           ("although", "même si"), ("if", "si"), ("as", "comme")])
        return f"{en} {reason[0]}, {clause[0]}.", f"{fr} {reason[1]}, {clause[1]}."
    return joined(r, clause, reason, present)


def expletive_passive(r):
    """ "The road was closed because it was snowing / because it was narrow." """
    b = r.choice(NOUNS["thing"])
    en, part = r.choice([("closed", "fermé"), ("opened", "ouvert"), ("abandoned", "abandonné"),
                         ("cleaned", "nettoyé"), ("repaired", "réparé"), ("sold", "vendu"),
                         ("painted", "peint"), ("visited", "visité"), ("avoided", "évité"),
                         ("destroyed", "détruit"), ("built", "construit"), ("bought", "acheté")])
    s = phrase(r, b, "b")
    tail = r.choice([("", "")] * 3 + [(" by the workers", " par les ouvriers"),
                                      (" by the owner", " par le propriétaire"),
                                      (" by my father", " par mon père")])
    no = r.random() < 0.3
    form = part + "e" * b.fem
    clause = (f"{s[0]} was {'not ' * no}{en}{tail[0]}",
              f"{s[1]} {'ne a pas été' if no else 'a été'} {form}{tail[1]}")
    if r.random() < 0.35:
        return joined(r, clause, weather(r, False))
    return joined(r, clause, grammar.is_so(r, b, "b", r.choice(ADJECTIVES["place"]), False))


def passive_food(r):
    """ "The cake was eaten by the dog because it was hungry / delicious." """
    a, b = r.choice(NOUNS["animal"]), r.choice(NOUNS["food"])
    to_b = r.randrange(2)
    noun, key = ((a, "a"), (b, "b"))[to_b]
    adjective = quality(r, b) if to_b else r.choice(ADJECTIVES["being"][:5])
    if to_b:
        adjective = r.choice([Adjective("", *w) for w in (
            ("delicious", "délicieux", "délicieuse"), ("fresh", "frais", "fraîche"),
            ("ripe", "mûr", "mûre"), ("sweet", "sucré", "sucrée"), ("soft", "mou", "molle"))])
    (ae, af), (be, bf) = phrase(r, a, "a"), phrase(r, b, "b")
    en, part = r.choice([("eaten", "mangé"), ("taken", "pris"), ("found", "trouvé"),
                         ("stolen", "volé"), ("tasted", "goûté"), ("devoured", "dévoré")])
    clause = (f"{be} was {en} by {ae}", f"{bf} a été {agree(part, b)} par {af}")
    return joined(r, clause, grammar.is_so(r, noun, key, adjective, False))


def passive_object(r):
    """ "The coat was bought by the girl because it was cheap / she was rich." """
    p, o = human(r), r.choice(NOUNS["object"])
    (pe, pf), (oe, of) = phrase(r, p, "a"), phrase(r, o, "b")
    v = r.choice(VERBS["thing"])
    to_o = r.random() < 0.65
    noun, key, a = (o, "b", r.choice(WORTH)) if to_o else (p, "a", r.choice(PEOPLE))
    clause = r.choice([
        (f"{oe} was {v.part} by {pe}", f"{of} a été {v.agreed(o)} par {pf}"),
        (f"{oe} was not {v.part} by {pe}", f"{of} ne a pas été {v.agreed(o)} par {pf}"),
        (f"{pe} {v.past} {oe}", f"{pf} a {v.pp} {of}"),
        (f"{pe} didn't {v.base} {oe}", f"{pf} ne a pas {v.pp} {of}")])
    return joined(r, clause, (f"<{key}:{noun.it}> was {a.en}", f"{noun.il} était {a.of(noun)}"))


def needed(r):
    """Object "it" in the reason: "She kept the coat because she liked it." """
    o = r.choice(NOUNS["object"])
    s, v = phrase(r, o, "b"), r.choice(VERBS["thing"])
    le = "la" if o.fem else "le"
    if r.random() < 0.5:
        p = human(r)
        (pe, pf), pen, pfr = phrase(r, p, "a"), p.it, p.il
        have, aimait = "a", "ait"
        pen = f"<a:{pen}>"
    else:
        pe, pf, pen, pfr, have, aimait = r.choice([
            ("I", "je", "I", "je", "ai", "ais"), ("we", "nous", "we", "nous", "avons", "ions"),
            ("they", "ils", "they", "ils", "ont", "aient")])
    en, fr = r.choice([
        ("liked <b:it>", f"{le} aim{aimait}"), ("wanted <b:it>", f"{le} voul{aimait}"),
        ("hated <b:it>", f"{le} détest{aimait}"),
        ("wanted to sell <b:it>", f"voul{aimait} {le} vendre"),
        ("wanted to keep <b:it>", f"voul{aimait} {le} garder"),
        ("couldn't find <b:it>", f"ne pouv{aimait} pas {le} trouver"),
        ("didn't use <b:it>", f"ne {le} utilis{aimait} pas"),
        ("couldn't carry <b:it>", f"ne pouv{aimait} pas {le} porter"),
        ("didn't see <b:it>", f"ne {le} voy{aimait} pas"),
        ("had to repair <b:it>", f"dev{aimait} {le} réparer"),
        ("loved <b:it>", f"{le} ador{aimait}"),
        ("wanted to show <b:it> to me", f"voul{aimait} me {le} montrer")])
    join = r.choice([("because", "parce que")] * 4 + [("although", "même si"), ("but", "mais"),
                                                      ("and", "et"), ("since", "puisque")])
    no = r.random() < 0.25
    clause = ((f"{pe} didn't {v.base} {s[0]}", f"{pf} ne {have} pas {v.pp} {s[1]}") if no else
              (f"{pe} {v.past} {s[0]}", f"{pf} {have} {v.pp} {s[1]}"))
    return f"{clause[0]} {join[0]} {pen} {en}.", f"{clause[1]} {join[1]} {pfr} {fr}."


def handled(r):
    """Orders, conditions and chains with an object "it"."""
    o, h, s = r.choice(ITEMS), r.choice(HOLDERS), r.choice(SURFACES)
    le, fr_le = ("la", "La") if o.fem else ("le", "Le")
    mon = "ma " if o.fem else "mon "
    v = r.choice(VERBS["thing"])
    c = r.choice(CLOTHES)
    lc = "la" if c.fem else "le"
    en, fr = r.choice([
        (f"if you find the [b:{o.en}], give <b:it> to me.",
         f"si vous trouvez {o.le}, donnez-{le}-moi."),
        (f"if you see my [b:{o.en}], bring <b:it> to me.", f"si tu vois {mon}{o.fr}, apporte-{le}-moi."),
        (f"take the [b:{o.en}] and put <b:it> in the {h.en}.",
         f"prends {o.le} et mets-{le} dans {h.le}."),
        (f"take this [b:{o.en}] and put <b:it> on the {s.en}.",
         f"prenez {'cette' if o.fem else 'ce'} {o.fr} et mettez-{le} sur {s.le}."),
        (f"I opened the [b:{h.en}] and closed <b:it> again.",
         f"je ai ouvert {h.le} et je {'la' if h.fem else 'le'} ai {agree('refermé', h)}."),
        (f"she picked up the [b:{o.en}] and threw <b:it> into the {h.en}.",
         f"elle a ramassé {o.le} et le a {agree('jeté', o)} dans {h.le}."),
        (f"where did you put the [b:{o.en}]? I put <b:it> in the {h.en}.",
         f"où as-tu mis {o.le} ? Je le ai {'mise' if o.fem else 'mis'} dans {h.le}."),
        (f"this [b:{o.en}] is mine. Don't touch <b:it>!",
         f"{'cette' if o.fem else 'ce'} {o.fr} est à moi. Ne {le} touche pas !"),
        (f"he lost his [b:{o.en}] and never found <b:it> again.",
         f"il a perdu {'sa' if o.fem else 'son'} {o.fr} et ne le a jamais {agree('retrouvé', o)}."),
        (f"the [b:{c.en}] is too small. I can't wear <b:it>.",
         f"{c.le} est trop {'petite' if c.fem else 'petit'}. Je ne peux pas {lc} porter."),
        (f"I want to {v.base} the [b:{o.en}], but I can't find <b:it>.",
         f"je veux {v.inf} {o.le}, mais je ne {le} trouve pas."),
        (f"she {v.past} the [b:{o.en}] before he saw <b:it>.",
         f"elle a {v.pp} {o.le} avant que il ne {le} voie."),
        (f"who {v.past} the [b:{o.en}]? Tom {v.past} <b:it>.",
         f"qui a {v.pp} {o.le} ? Tom le a {v.agreed(o)}."),
        (f"I have a new [b:{o.en}]. I bought <b:it> yesterday.",
         f"je ai {'une nouvelle' if o.fem else 'un nouveau'} {o.fr}. Je le ai {agree('acheté', o)} hier."
         if o.fem or o.fr[0] not in lexicon.VOWELS and o.fr[0] != 'h' else
         f"je ai un nouvel {o.fr}. Je le ai acheté hier."),
        (f"the [b:{o.en}] was in the {h.en}, but nobody saw <b:it>.",
         f"{o.le} était dans {h.le}, mais personne ne le a {agree('vu', o)}.")])
    return en, fr


def ahead(r):
    """The pronoun before its noun: "When it was hungry, the dog barked." """
    kind = r.randrange(4)
    if kind == 0:
        a = r.choice(NOUNS["animal"])
        q = r.choice(ADJECTIVES["being"])
        join = r.choice([("when", "quand"), ("because", "comme"), ("since", "puisque"),
                         ("although", "même si"), ("as", "comme"), ("if", "si")])
        deg = r.choice(grammar.DEGREES)
        present = join[0] == "if" or r.random() < 0.3
        be = ("is", "est") if present else ("was", "était")
        if present:
            main = r.choice([("sleeps", "dort"), ("eats", "mange"), ("stays here", "reste ici"),
                             ("doesn't move", "ne bouge pas"), ("hides", "se cache"),
                             ("makes noise", "fait du bruit"), ("drinks water", "boit de le eau")])
        else:
            main = r.choice([("slept", "a dormi"), ("ate", "a mangé"), ("stayed here", "est resté{} ici"),
                             ("didn't move", "ne a pas bougé"), ("hid", "se est caché{}"),
                             ("made noise", "a fait du bruit"), ("ran away", "se est enfui{}")])
        ae, af = phrase(r, a, "a")
        return (f"{join[0]} <a:it> {be[0]} {deg[0]}{q.en}, {ae} {main[0]}.",
                f"{join[1]} {a.il} {be[1]} {deg[1]}{q.of(a)}, {af} "
                f"{main[1].format('e' * a.fem)}.")
    if kind == 1:
        o = r.choice(NOUNS["object"])
        w, p = r.choice(WORTH), human(r)
        v = r.choice(VERBS["thing"])
        join = r.choice([("because", "comme"), ("since", "puisque"), ("although", "même si"),
                         ("as", "comme"), ("even though", "même si")])
        (oe, of), (pe, pf) = phrase(r, o, "b"), phrase(r, p, "a")
        clause = r.choice([(f"{pe} {v.past} {oe}", f"{pf} a {v.pp} {of}"),
                           (f"{pe} didn't {v.base} {oe}", f"{pf} ne a pas {v.pp} {of}"),
                           (f"{oe} was {v.part} by {pe}", f"{of} a été {v.agreed(o)} par {pf}"),
                           (f"nobody {v.past} {oe}", f"personne ne a {v.pp} {of}")])
        return (f"{join[0]} <b:it> was {w.en}, {clause[0]}.",
                f"{join[1]} {o.il} était {w.of(o)}, {clause[1]}.")
    b = r.choice(NOUNS["thing"])
    q = r.choice(ADJECTIVES["place"])
    be, bf = phrase(r, b, "b")
    if kind == 2:
        en, part = r.choice([("closed", "fermé"), ("sold", "vendu"), ("abandoned", "abandonné"),
                             ("repaired", "réparé"), ("avoided", "évité"), ("cleaned", "nettoyé")])
        join = r.choice([("because", "comme"), ("since", "puisque"), ("although", "même si"),
                         ("when", "quand"), ("as", "comme")])
        deg = r.choice(grammar.DEGREES)
        return (f"{join[0]} <b:it> was {deg[0]}{q.en}, {be} was {en}.",
                f"{join[1]} {b.il} était {deg[1]}{q.of(b)}, {bf} a été {agree(part, b)}.")
    en, part = r.choice([("sold", "vendu"), ("closed", "fermé"), ("destroyed", "détruit"),
                         ("painted", "peint"), ("rebuilt", "reconstruit")])
    form = part + "e" * b.fem
    join, tense = r.choice([(("before", "avant que"), "ne soit"), (("after", "après que"), "a été")])
    return (f"{join[0]} <b:it> was {en}, {be} was {q.en}.",
            f"{join[1]} {b.il} {tense} {form}, {bf} était {q.of(b)}.")


def ahead_two(r):
    """Reason first with two nouns: the pronoun stands for subject or object."""
    a, b = r.choice(NOUNS["animal"]), r.choice(NOUNS["thing"])
    to_b = r.randrange(2)
    clause = grammar.acts(r, r.choice(VERBS["place"]), phrase(r, a, "a"), phrase(r, b, "b"), False)
    reason = grammar.reason_for(r, a, b, to_b, False, False)
    en, fr = r.choice([("because", "comme"), ("since", "puisque"), ("as", "comme"),
                       ("although", "même si"), ("when", "quand"), ("even though", "même si")])
    return f"{en} {reason[0]}, {clause[0]}.", f"{fr} {reason[1]}, {clause[1]}."


def two_sentences(r):
    """ "There is a well near the barn. It is deep." """
    n, b = some(r), r.choice(NOUNS["thing"])
    o, h = r.choice(ITEMS), r.choice(HOLDERS)
    q, p, w = quality(r, n), human(r), r.choice(WORTH)
    a, being = r.choice(NOUNS["animal"]), r.choice(ADJECTIVES["being"])
    d, place = r.choice(grammar.DEGREES), r.choice(ADJECTIVES["place"])
    un = lambda x: x.un
    own = r.choice([("I have", "je ai"), ("she has", "elle a"), ("we have", "nous avons"),
                    ("he has", "il a"), ("my uncle has", "mon oncle a"), ("they have", "ils ont")])
    return r.choice([
        (f"there is a_ [a:{n.en}] near the {b.en}. <a:It> is {d[0]}{q.en}.",
         f"il y a {un(n)} {prep('près de', b.le)}. {n.il.capitalize()} est {d[1]}{q.of(n)}."),
        (f"there was a_ [b:{o.en}] in the {h.en}. <b:It> was {w.en}.",
         f"il y avait {o.un} dans {h.le}. {o.il.capitalize()} était {w.of(o)}."),
        (f"{own[0]} a_ [a:{a.en}]. <a:It> is {d[0]}{being.en}.",
         f"{own[1]} {a.un}. {a.il.capitalize()} est {d[1]}{being.of(a)}."),
        (f"the {p.en} bought a_ [b:{o.en}]. <b:It> is {w.en}.",
         f"{p.le} a acheté {o.un}. {o.il.capitalize()} est {w.of(o)}."),
        (f"the [a:{p.en}] looked at the [b:{b.en}]. <b:It> was {d[0]}{place.en}.",
         f"{p.le} a regardé {b.le}. {b.il.capitalize()} était {d[1]}{place.of(b)}."),
        (f"the {a.en} is in the [b:{b.en}]. <b:It> is {place.en}.",
         f"{a.le} est dans {b.le}. {b.il.capitalize()} est {place.of(b)}."),
        (f"the [a:{a.en}] is in the {b.en}. <a:It> is {d[0]}{being.en}.",
         f"{a.le} est dans {b.le}. {a.il.capitalize()} est {d[1]}{being.of(a)}."),
        (f"this is my [b:{o.en}]. <b:It> was in the {h.en}.",
         f"{'voici'} {'ma' if o.fem else 'mon'} {o.fr}. {o.il.capitalize()} était dans {h.le}."),
        (f"do you like the [a:{n.en}]? Yes, but <a:it> is {d[0]}{q.en}.",
         f"aimez-vous {n.le} ? Oui, mais {n.il} est {d[1]}{q.of(n)}."),
        (f"I can't open the [b:{h.en}]. <b:It> is too old.",
         f"je ne peux pas ouvrir {h.le}. {h.il.capitalize()} est trop "
         f"{'vieille' if h.fem else 'vieux'}."),
        (f"the [a:{p.en}] is {being.en}. <a:{up(p.it)}> wants to sleep.",
         f"{p.le} est {being.of(p)}. {p.il.capitalize()} veut dormir."),
        (f"what color is your [b:{o.en}]? <b:It> is green.",
         f"de quelle couleur est {'ta' if o.fem else 'ton'} {o.fr} ? {o.il.capitalize()} est "
         f"{'verte' if o.fem else 'vert'}."),
        (f"the [a:{a.en}] saw the [b:{b.en}]. Then <a:it> stopped.",
         f"{a.le} a vu {b.le}. Puis {a.il} se est {agree('arrêté', a)}."),
        (f"open the window. <z:It> is too hot here.", "ouvre la fenêtre. Il fait trop chaud ici."),
        (f"the {a.en} came home. <z:It> was late.",
         f"{a.le} est {agree('rentré', a)} à la maison. Il était tard."),
        (f"we saw the {b.en}. <z:It> was {r.choice(['raining', 'snowing'])}.",
         f"nous avons vu {b.le}. Il pleuvait.")]) if r.random() < 0.97 else (
        "put on your coat. <z:It> is cold outside.", "mets ton manteau. Il fait froid dehors.")


def snow_fix(pair):
    """ "it was snowing" drawn inside a frame that says "pleuvait". """
    en, fr = pair
    return en, fr.replace("Il pleuvait", "Il neigeait") if "snowing" in en else fr


def two(r):
    return snow_fix(two_sentences(r))


def many_things(r):
    """ "They" and "them" for things, animals and people."""
    n, b, o = some(r), r.choice(NOUNS["thing"]), r.choice(ITEMS)
    q, w, h = quality(r, n), r.choice(WORTH), r.choice(HOLDERS)
    ils, v = n.il + "s", r.choice(VERBS["thing"])
    oils, d = o.il + "s", r.choice(grammar.DEGREES)
    return r.choice([
        (f"the [a:{n.en_plural}] are near the {b.en}. <a:They> are {d[0]}{q.en}.",
         f"les {n.fr_plural} sont {prep('près de', b.le)}. {ils.capitalize()} sont {d[1]}{q.of(n, True)}."),
        (f"I like these [a:{n.en_plural}] because <a:they> are {d[0]}{q.en}.",
         f"je aime ces {n.fr_plural} parce que {ils} sont {d[1]}{q.of(n, True)}."),
        (f"she bought the [b:{o.en_plural}] because <b:they> were {d[0]}cheap.",
         f"elle a acheté les {o.fr_plural} parce que {oils} étaient {d[1]}bon marché."),
        (f"when <a:they> are {q.en}, the [a:{n.en_plural}] are {d[0]}beautiful.",
         f"quand {ils} sont {q.of(n, True)}, les {n.fr_plural} sont {d[1]}"
         f"{'belles' if n.fem else 'beaux'}."),
        (f"where are the [b:{o.en_plural}]? <b:They> are in the {h.en}.",
         f"où sont les {o.fr_plural} ? {oils.capitalize()} sont dans {h.le}."),
        (f"he took the [b:{o.en_plural}] and put <b:them> in the {h.en}.",
         f"il a pris les {o.fr_plural} et les a {'mises' if o.fem else 'mis'} dans {h.le}."),
        (f"I need the [b:{o.en_plural}]. Have you seen <b:them>?",
         f"je ai besoin des {o.fr_plural}. Les avez-vous {agree('vu', o, True)} ?"),
        (f"the [b:{o.en_plural}] were {v.part} because <b:they> were too old.",
         f"les {o.fr_plural} ont été {v.agreed(o, True)} parce que {oils} étaient trop "
         f"{'vieilles' if o.fem else 'vieux'}."),
        (f"we didn't {v.base} the [b:{o.en_plural}] because <b:they> were {d[0]}dirty.",
         f"nous ne avons pas {v.pp} les {o.fr_plural} parce que {oils} étaient {d[1]}sales."),
        (f"the [b:{o.en_plural}] don't fit in the {h.en} because <b:they> are too big.",
         f"les {o.fr_plural} ne rentrent pas dans {h.le} parce que {oils} sont trop "
         f"{'grandes' if o.fem else 'grands'}.")])


def nothing(r):
    """ "It" that stands for no noun of the sentence, at its start."""
    n, o = some(r), r.choice(NOUNS["object"])
    q = r.choice([("easy", "facile"), ("difficult", "difficile"), ("important", "important"),
                  ("impossible", "impossible"), ("possible", "possible"),
                  ("dangerous", "dangereux"), ("forbidden", "interdit"),
                  ("necessary", "nécessaire"), ("useful", "utile"), ("strange", "étrange")])
    v, p = r.choice(VERBS["thing"]), human(r)
    w = weather(r, r.random() < 0.5)
    when = r.choice([(" in the morning", " le matin"), (" tonight", " ce soir"), ("", ""),
                     (" here", " ici"), (" today", " aujourd'hui")])
    return r.choice([
        (f"<z:it> is {q[0]} to {v.base} the {o.en}.", f"il est {q[1]} de {v.inf} {o.le}."),
        (f"<z:it> was {q[0]} to {v.base} this {o.en}.",
         f"il était {q[1]} de {v.inf} {'cette' if o.fem else 'ce'} {o.fr}."),
        (f"is <z:it> {q[0]} to {v.base} the {o.en}?", f"est-il {q[1]} de {v.inf} {o.le} ?"),
        (f"<z:it> seems that the {p.en} {v.past} the {o.en}.",
         f"il semble que {p.le} ait {v.pp} {o.le}."),
        (f"<z:it> takes an hour to {v.base} the {o.en}.",
         f"il faut une heure pour {v.inf} {o.le}."),
        (f"<z:it> is the {p.en}'s {o.en}.", f"ce est {o.le} {prep('de', p.le)}."),
        (f"{w[0]}{when[0]}.", f"{w[1]}{when[1]}.")])


FRAMES = [(expletive, 10), (expletive_passive, 5), (passive_food, 4), (passive_object, 6),
          (needed, 6), (handled, 6), (ahead, 8), (ahead_two, 4), (two, 8), (many_things, 5),
          (nothing, 3)]


def generate(r, count, allowed):
    """(English, French, links) of the frames above, in their shares."""
    frames, shares = zip(*FRAMES)
    while count:
        pair = grammar.draw(r, r.choices(frames, shares)[0])
        if allowed(pair[0], pair[1]):
            count -= 1
            yield pair


if __name__ == "__main__":
    import random
    import sys
    for row in generate(random.Random(int(sys.argv[1])), int(sys.argv[2]), lambda *_: True):
        print(*row, sep="\t")
