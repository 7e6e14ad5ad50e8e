"""Noun phrases, subjects and clauses in English and unelided French.

What words.py builds its frames from. The French is written as lexicon.py
says ("que il", "de_le arbre"), the English with "a_" for a or an.
"""

import os
import re

import lexicon
from conjugation import conjugate

MASS = {"foodm", "drink", "mat", "qual", "subj", "lang", "sport", "hob", "wea"}
AN = re.compile(r"\b([aA])_ (?!(?:eu|one\b|once|us(?:e|u)|uni(?!n|m)|ut|ur[aei]|u\b|USB))"
                r"(?=[aeiouAEIOU]|hour|hon(?:est|our)|heir|MP|X-|F\b)")


def table(name):
    yield from lexicon.rows(os.path.join("lexicon", name))


class Noun(lexicon.Noun):
    def __init__(self, en, en_plural, fr, gender, fr_plural="", kind="", feminine=""):
        only = en_plural == "="
        super().__init__(kind, en, fr, gender, en if only else en_plural.strip("-"),
                         fr if fr_plural == "=" else fr_plural)
        self.en_always, self.fr_always = only, fr_plural == "="
        self.mass = en_plural == "-" or kind in MASS and not only and en_plural == ""
        self.feminine = feminine
        self.partitive = kind in MASS or self.fr_always

    def woman(self):
        """The same person as a woman."""
        twin = Noun(self.en, self.en_plural, self.feminine, "f", "", self.kind)
        twin.key = self.key
        return twin

    @property
    def counts(self):
        return not self.mass and not self.en_always and not self.fr_always


class Adjective(lexicon.Adjective):
    def __init__(self, en, masc, fem="", position="", describes="", compare=""):
        super().__init__(describes, en, masc, fem or feminine(masc))
        self.front = position == "before"
        self.describes = set(describes.split())
        self.comparative = comparative(en) if compare in ("", "more") else compare
        self.more = compare == "more" or self.comparative.startswith("more ")
        if compare == "more":
            self.comparative = "more " + en
        self.graded = compare != "-"

    def agreed(self, fem, plural):
        form = self.fem if fem else self.masc
        if not plural:
            return form
        return form + "s" if form in ("final", "fatal", "banal", "naval") else (
            lexicon.plural_fr(form))


class Verb:
    """Base, past, participle; an infinitive that may be "se …", "… à", "faire … de"."""

    def __init__(self, base, past, part, ing, infinitive, aux, subject, obj, marks=""):
        self.base, self.past, self.part = base, past, part
        self.ing = ing
        self.subject, self.object = subject.split(), obj.split()
        self.stative, self.split = "s" in marks, "p" in marks
        self.dative = "d" in marks
        self.punctual = "m" in marks
        self.aux = aux
        words = infinitive.split()
        self.reflexive = words[0] == "se"
        words = words[self.reflexive:]
        self.infinitive = words[0]
        self.prep = ""
        for size in (3, 2, 1):
            if " ".join(words[-size:]) in PREPOSITIONS and len(words) > size:
                self.prep, words = " ".join(words[-size:]), words[:-size]
                break
        self.tail = " ".join(words[1:])
        self.fr = conjugate(self.infinitive)
        self.chain = None

    @property
    def third(self):
        return third(self.base)

    @property
    def direct(self):
        return bool(self.object) and not self.prep


PREPOSITIONS = {"à", "de", "dans", "sur", "avec", "pour", "contre", "en", "par", "chez", "sous",
                "devant", "vers", "à travers", "autour de", "loin de", "près de", "hors de",
                "à côté de", "après", "le long de", "sans", "entre", "auprès de", "pendant"}


def third(base):
    head, _, tail = base.partition(" ")
    if head in ("have", "be"):
        head = {"have": "has", "be": "is"}[head]
    elif re.search("[^aeou]y$", head):
        head = head[:-1] + "ies"
    else:
        head += "es" if re.search("(s|x|z|ch|sh|o)$", head) else "s"
    return (head + " " + tail).strip()


# Verbs of two syllables that double their last letter.
DOUBLED = set("rebel refer prefer admit commit regret begin forget submit transfer travel cancel label "
              "permit format upset quarrel equip compel control occur omit program "
              "fulfil unplug reset".split())


def doubles(head):
    return head in DOUBLED or re.fullmatch("(qu|[^aeiou])*[aeiou][bdglmnprt]", head)


def ing(base):
    head, _, tail = base.partition(" ")
    if head.endswith("ie"):
        head = head[:-2] + "y"
    elif re.search("[^eoy]e$", head) and head != "be":
        head = head[:-1]
    elif doubles(head):
        head += head[-1]
    elif head == "panic":
        head += "k"
    return (head + "ing " + tail).strip()


def past(base):
    head, _, tail = base.partition(" ")
    if head.endswith("e"):
        head += "d"
    elif re.search("[^aeou]y$", head):
        head = head[:-1] + "ied"
    elif doubles(head):
        head += head[-1] + "ed"
    else:
        head += "ed"
    return (head + " " + tail).strip()


def feminine(masc):
    for end, fem in (("eux", "euse"), ("if", "ive"), ("ier", "ière"), ("er", "ère"),
                     ("el", "elle"), ("eil", "eille"), ("en", "enne"), ("on", "onne"),
                     ("eur", "euse"), ("et", "ette"), ("e", "e")):
        if masc.endswith(end):
            return masc[:-len(end)] + fem
    return masc + "e"


def comparative(en):
    if en in ("good", "bad", "far"):
        return {"good": "better", "bad": "worse", "far": "farther"}[en]
    if en in ("real", "wrong", "worn", "torn", "lost", "ill", "numb",
              "purple", "false", "drunk", "square", "brown", "pink", "sparse"):
        return "more " + en
    if re.fullmatch("[^aeiouy]*[aeiou]+[^aeiouy]*e?", en) and not en.endswith("ed"):
        if en.endswith("e"):
            return en + "r"
        return en + (en[-1] if re.search("[^aeiou][aeiou][bdgmnt]$", en) else "") + "er"
    if re.fullmatch("[^aeiou]*[aeiou]+[^aeiou]+y", en):
        return en[:-1] + "ier"
    return "more " + en


def superlative(adjective):
    special = {"better": "best", "worse": "worst", "farther": "farthest"}
    if adjective.more:
        return "most " + adjective.en
    return special.get(adjective.comparative, adjective.comparative[:-1] + "st")


# person: my, mon, ma, mes; English subject and object; French stressed, clitics
PERSONS = [
    ("I", "je", "me", "moi", "me", "me", "my", "mon", "ma", "mes", 0, False),
    ("you", "tu", "you", "toi", "te", "te", "your", "ton", "ta", "tes", 1, False),
    ("he", "il", "him", "lui", "le", "lui", "his", "son", "sa", "ses", 2, False),
    ("she", "elle", "her", "elle", "la", "lui", "her", "son", "sa", "ses", 2, True),
    ("we", "nous", "us", "nous", "nous", "nous", "our", "notre", "notre", "nos", 3, False),
    ("you", "vous", "you", "vous", "vous", "vous", "your", "votre", "votre", "vos", 4, False),
    ("they", "ils", "them", "eux", "les", "leur", "their", "leur", "leur", "leurs", 5, False),
]
CLITICS = ("me", "te", "se", "nous", "vous", "se")


class Phrase:
    """A noun phrase or pronoun in both languages, with what agrees with it."""

    def __init__(self, en, fr, fem=False, plural=False, en_plural=None, person=None, pronoun=None,
                 noun=None):
        self.en, self.fr, self.fem, self.plural = en, fr, fem, plural
        self.en_plural = plural if en_plural is None else en_plural
        self.person = (5 if plural else 2) if person is None else person
        self.pronoun, self.noun = pronoun, noun

    def agree(self, form):
        form += "e" if self.fem else ""
        return form + "s" if self.plural and form[-1] not in "sx" else form

    @property
    def index(self):
        """Which of am, is, are, have, do … : 0 I, 1 plural and you, 2 he."""
        if self.pronoun and self.pronoun[0] == "I":
            return 0
        return 1 if self.en_plural or self.person in (1, 3, 4, 5) and self.pronoun else 2


def subject(person):
    p = PERSONS[person]
    return Phrase(p[0], p[1], p[11], p[10] in (3, 5), p[10] != 2 and p[10] != 0, p[10], p)


def join(prep, french):
    """Preposition and noun phrase: de + des livres = de livres, à + le = à_le."""
    if not prep:
        return french
    if prep == "en":
        return "en " + re.sub("^(le|la|les) ", "", french)
    last = prep.split()[-1]
    if last == "de":
        found = re.match(r"(de_le |de_la |des )", french)
        if found:
            return prep + " " + french[found.end():]
    if last in ("de", "à") and re.match("(le|la|les) ", french):
        return prep + "_" + french
    return prep + " " + french


def negated(french):
    """un livre, des livres, du pain become de livre … after a negation."""
    found = re.match(r"(un |une |des |de_le |de_la )", french)
    return "de " + french[found.end():] if found else french


DETERMINERS = {  # English singular, plural; French masculine, feminine, plural
    "the": ("the", "the", "le", "la", "les"), "a": ("a_", "some", "un", "une", "des"),
    "bare": ("a_", "", "un", "une", "des"), "this": ("this", "these", "ce", "cette", "ces"),
    "that": ("that", "those", "ce", "cette", "ces"),
    "generic": ("", "", "le", "la", "les"), "every": ("every", "", "chaque", "chaque", ""),
    "another": ("another", "other", "un autre", "une autre", "de autres"),
    "same": ("the same", "the same", "le même", "la même", "les mêmes"),
    "no": ("no", "no", "aucun", "aucune", "aucuns"),
    "which": ("which", "which", "quel", "quelle", "quels"),
    "first": ("the first", "the first", "le premier", "la première", "les premiers"),
    "last": ("the last", "the last", "le dernier", "la dernière", "les derniers"),
    "all": ("all the", "all the", "tout le", "toute la", "tous les"),
    "many": ("", "many", "", "", "beaucoup de"), "several": ("", "several", "", "", "plusieurs"),
    "few": ("", "a few", "", "", "quelques"), "two": ("", "two", "", "", "deux"),
    "three": ("", "three", "", "", "trois"), "four": ("", "four", "", "", "quatre"),
    "five": ("", "five", "", "", "cinq"), "ten": ("", "ten", "", "", "dix"),
    "too many": ("", "too many", "", "", "trop de"),
    "enough": ("", "enough", "", "", "assez de"),
}
for _p in PERSONS:
    DETERMINERS[_p[1]] = (_p[6], _p[6], _p[7], _p[8], _p[9])


def noun_phrase(noun, determiner, plural=False, adjective=None):
    """A Phrase of a noun with a determiner and at most one adjective."""
    if noun.mass:
        plural = False
    en_plural = plural or noun.en_always
    fr_plural = plural or noun.fr_always
    word = noun.en_plural if plural else noun.en
    de = DETERMINERS[determiner]
    article = de[1] if en_plural else de[0]
    if noun.mass and determiner in ("a", "bare"):
        article = "some" if determiner == "a" else ""
    elif noun.en_always and determiner == "bare":
        article = ""
    en = " ".join(x for x in (article, adjective.en if adjective else "", word) if x)
    fr_article = de[4] if fr_plural else de[2 + noun.fem]
    if determiner in ("which", "first", "last", "all", "no") and fr_plural and noun.fem:
        fr_article = {"quels": "quelles", "les premiers": "les premières", "aucuns": "aucunes",
                      "les derniers": "les dernières", "tous les": "toutes les"}[fr_article]
    if noun.mass and determiner in ("a", "bare") and not fr_plural:
        fr_article = "de_la" if noun.fem else "de_le"
    core = noun.fr_plural if fr_plural else noun.fr
    if adjective:
        form = adjective.agreed(noun.fem, fr_plural)
        if adjective.front:
            form = form if fr_plural else adjective.before(noun)
            core = form + " " + core
            if fr_article == "des":
                fr_article = "de"
        else:
            core += " " + form
    return Phrase(en, fr_article + " " + core, noun.fem, fr_plural, en_plural, noun=noun)


BE = {"pres": ("am", "are", "is"), "past": ("was", "were", "was")}
HAVE = ("have", "have", "has")
DO = ("do", "do", "does")
SHORT = {"am": "'m", "are": "'re", "is": "'s", "have": "'ve", "has": "'s", "had": "'d",
         "will": "'ll", "would": "'d"}
NOT = {"will": "won't", "can": "can't", "am": None, "may": None, "might": None, "shall": None}
MODALS = {  # English auxiliary: French verb, tense
    "can": ("pouvoir", "pres"), "could": ("pouvoir", "cond"), "must": ("devoir", "pres"),
    "should": ("devoir", "cond"), "may": ("pouvoir", "pres"), "might": ("pouvoir", "cond")}


def english_parts(subj, verb, tense):
    """(auxiliary or "", what follows it, verb form with its marks) of a tense."""
    i = subj.index
    if verb.base.split(" ")[0] == "be" and tense in ("pres", "past"):
        return BE[tense][i], verb.base[3:]
    if tense == "pres":
        return "", verb.base if i != 2 else verb.third
    if tense == "past":
        return "", verb.past
    if tense in MODALS:
        return tense, verb.base
    return {
        "prog": (BE["pres"][i], verb.ing), "pastprog": (BE["past"][i], verb.ing),
        "going": (BE["pres"][i], "going to " + verb.base), "fut": ("will", verb.base),
        "perf": (HAVE[i], verb.part), "plup": ("had", verb.part), "cond": ("would", verb.base),
        "used": ("", "used to " + verb.base)}[tense]


def do_support(subj, verb, tense):
    return ("did" if tense in ("past", "used") else DO[subj.index]), (
        "use to " + verb.base if tense == "used" else verb.base)


def placed(words, verb, obj):
    """Verb form and object: "turn it off" where the particle is apart."""
    if not obj:
        return words
    if verb.split and obj.pronoun:
        head, _, particle = words.rpartition(" ")
        return f"{head} {object_en(obj)} {particle}"
    return words + " " + (object_en(obj) if obj.pronoun else obj.en)


def object_en(obj):
    return obj.pronoun[2]


def negative(aux, short):
    if aux == "can" and not short:
        return "cannot"
    contracted = NOT.get(aux, aux + "n't")
    return contracted if short and contracted else aux + " not"


# Verbs that are hardly ever said in the -ing tenses.
SIMPLE = set(
    "notice suspect recognise forget refuse accept find lose resemble discover doubt approve reject "
    "betray disappoint surprise find_out point_out arrive_at reach arrest abandon mention admit "
    "reveal deny marry obtain misplace drop approve_of trust obey offend spot adopt".split())


def english(subj, verb, obj, tense, neg="", short=False, ask=False, adverb=""):
    """An English clause; neg is "", "not" or "never"; ask puts it as a question."""
    if tense in ("prog", "pastprog") and verb.base.replace(" ", "_") in SIMPLE:
        tense = {"prog": "pres", "pastprog": "past"}[tense]
    aux, rest = english_parts(subj, verb, tense)
    if (ask or neg == "not") and not aux:
        aux, rest = do_support(subj, verb, tense)
    elif neg == "never" and tense == "used":
        aux, rest = "never", rest
    rest = placed(rest, verb, obj)
    if neg:
        rest = re.sub(r"(^| )some ", r"\1any ", rest)
    middle = "never" if neg == "never" and aux != "never" else adverb
    if ask:
        front = negative(aux, True) if neg == "not" else aux
        return " ".join(x for x in (front, subj.en, middle, rest) if x)
    if neg == "not":
        if short and aux == "am":
            return f"{subj.en}'m not {rest}".strip()
        return " ".join(x for x in (subj.en, negative(aux, short), middle, rest) if x)
    if short and subj.pronoun and aux in SHORT and rest:
        return " ".join(x for x in (subj.en + SHORT[aux], middle, rest) if x)
    return " ".join(x for x in (subj.en, aux, middle, rest) if x)


NEGATION = {"not": "pas", "never": "jamais", "yet": "pas encore", "more": "plus"}


def finite(subj, verb, tense):
    """(finite French form, participle or "") of a verb."""
    fr, p = verb.fr, subj.person
    if tense in ("pres", "prog"):
        return fr.present[p], ""
    if tense in ("pastprog", "used") or tense == "past" and verb.stative:
        return fr.imperfect(p), ""
    if tense == "fut":
        return fr.future(p), ""
    if tense == "cond":
        return fr.conditional(p), ""
    helper = conjugate("avoir" if verb.aux == "a" else "être")
    have = {"past": helper.present[p], "perf": helper.present[p],
            "plup": helper.imperfect(p)}[tense]
    agrees = verb.aux == "e" or verb.aux == "r" and verb.infinitive != "faire" and (
        verb.prep or not verb.object)
    return have, subj.agree(fr.participle) if agrees else fr.participle


def object_fr(verb, obj, subj, neg=False):
    """(clitic, what follows the verb) for the object of a verb."""
    clitic = CLITICS[subj.person] if verb.reflexive else ""
    if not obj:
        return clitic, ""
    if not obj.pronoun:
        return clitic, join(verb.prep, negated(obj.fr) if neg and not verb.prep else obj.fr)
    if verb.prep == "à" and verb.dative and not clitic:
        return obj.pronoun[5], ""
    if verb.prep:
        return clitic, verb.prep + " " + obj.pronoun[3]
    return obj.pronoun[4], ""


def denied(tail, neg):
    """faire de_le sport, negated: (ne pas) faire de sport; le and la stay."""
    return negated(tail) if neg and tail else tail


def own(tail, subj):
    """sa retraite, ses bras of a fixed phrase, as the subject has them."""
    p = PERSONS[subj.person + (subj.person > 2)]
    return re.sub(r"\b(son|sa|ses)\b", lambda m: p[("son", "sa", "ses").index(m[0]) + 7], tail)


def french(subj, verb, obj, tense, neg="", ask="", adverb="", mid=""):
    """A French clause; ask is "", "est-ce que" or "inversion" (pronouns only).

    `adverb` stands after the finite verb, `mid` after the participle.
    """
    clitic, after = object_fr(verb, obj, subj, bool(neg) and verb.base != "be")
    infinitive = ""
    if tense in MODALS or tense == "going" or verb.chain:
        infinitive = " ".join(x for x in (clitic, verb.infinitive, mid,
                                          denied(own(verb.tail, subj), neg), after) if x)
        clitic = after = mid = ""
        head, head_tense = verb, tense
        if verb.chain:
            head = verb.chain
            infinitive = (head.prep + " " if head.prep else "") + infinitive
            clitic = CLITICS[subj.person] if head.reflexive else ""
        if tense in MODALS:
            name, head_tense = MODALS[tense]
            head = helper_verb(name)
        elif tense == "going" and not verb.chain:
            head, head_tense = helper_verb("aller"), "pres"
        verb, tense = head, head_tense
        after = infinitive
    form, part = finite(subj, verb, tense)
    no = NEGATION.get(neg, "")
    tail = "" if infinitive else own(verb.tail, subj)
    tail = denied(tail, neg)
    subject_fr = subj.fr
    if ask == "inversion":
        link = "-t-" if form[-1] in "aec" and subj.person == 2 else "-"
        if subj.fr in ("il", "elle") and form[-1] in "dt":
            link = "-"
        form, subject_fr = form + link + subj.fr, ""
    words = (subject_fr, "ne" if no else "", clitic, form, no, adverb, part, mid, tail, after)
    text = " ".join(x for x in words if x)
    if ask == "est-ce que":
        text = "est-ce que " + text
    return text


HELPERS = {}


def helper_verb(name):
    if name not in HELPERS:
        HELPERS[name] = Verb("", "", "", "", name, "a", "", "", "s" if name != "aller" else "")
        if name == "aller":
            HELPERS[name].aux = "e"
    return HELPERS[name]


def chained(forms, french_head, verb, stative=True, aux="a"):
    """A verb like "want to close": English forms of the head, French head."""
    base, past_form, part, ing_form = forms
    out = Verb(f"{base} {verb.base}", f"{past_form} {verb.base}", f"{part} {verb.base}",
               f"{ing_form} {verb.base}", verb.infinitive, aux, "", "", "s" if stative else "")
    out.chain = Verb("", "", "", "", french_head, aux, "", "", "s" if stative else "")
    out.reflexive, out.infinitive, out.tail = verb.reflexive, verb.infinitive, verb.tail
    out.prep, out.dative, out.split = verb.prep, verb.dative, verb.split
    out.object, out.subject = verb.object, verb.subject
    return out


def spell(en, fr):
    """The finished pair: a or an, elision, contraction, one capital each."""
    en = re.sub(r"\ba_ ", "a ", AN.sub(r"\1n ", en))
    fr = re.sub(r"\bde de ", "de ", fr)
    fr = re.sub(r"(?<=\. )\w", lambda m: m[0].upper(), lexicon.french(fr))
    en = re.sub(r"(?<=\. )\w", lambda m: m[0].upper(), en)
    return en[0].upper() + en[1:], fr
