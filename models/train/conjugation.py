"""French conjugation: the tenses that the frames of words.py need.

A verb is conjugated after the longest ending of MODELS that its infinitive
has; verbs in -er and in -ir like finir follow rules. Persons are 0 to 5: je,
tu, il, nous, vous, ils.
"""

import re

# ending: six present endings | future stem | participle (| subjunctive stems)
MODELS = """
être: suis es est sommes êtes sont | ser | été | soi soy
avoir: ai as a avons avez ont | aur | eu | ai ay
aller: vais vas va allons allez vont | ir | allé | aill all
faire: fais fais fait faisons faites font | fer | fait | fass fass
pouvoir: peux peux peut pouvons pouvez peuvent | pourr | pu | puiss puiss
vouloir: veux veux veut voulons voulez veulent | voudr | voulu | veuill voul
savoir: sais sais sait savons savez savent | saur | su | sach sach
devoir: dois dois doit devons devez doivent | devr | dû
voir: vois vois voit voyons voyez voient | verr | vu
prévoir: prévois prévois prévoit prévoyons prévoyez prévoient | prévoir | prévu
cevoir: çois çois çoit cevons cevez çoivent | cevr | çu
valoir: vaux vaux vaut valons valez valent | vaudr | valu | vaill val
émouvoir: émeus émeus émeut émouvons émouvez émeuvent | émouvr | ému
promouvoir: promeus promeus promeut promouvons promouvez promeuvent | promouvr | promu
asseoir: assieds assieds assied asseyons asseyez asseyent | assiér | assis
venir: viens viens vient venons venez viennent | viendr | venu
tenir: tiens tiens tient tenons tenez tiennent | tiendr | tenu
partir: pars pars part partons partez partent | partir | parti
répartir: répartis répartis répartit répartissons répartissez répartissent | répartir | réparti
sortir: sors sors sort sortons sortez sortent | sortir | sorti
sentir: sens sens sent sentons sentez sentent | sentir | senti
mentir: mens mens ment mentons mentez mentent | mentir | menti
dormir: dors dors dort dormons dormez dorment | dormir | dormi
servir: sers sers sert servons servez servent | servir | servi
ouvrir: ouvre ouvres ouvre ouvrons ouvrez ouvrent | ouvrir | ouvert
offrir: offre offres offre offrons offrez offrent | offrir | offert
souffrir: souffre souffres souffre souffrons souffrez souffrent | souffrir | souffert
courir: cours cours court courons courez courent | courr | couru
mourir: meurs meurs meurt mourons mourez meurent | mourr | mort
cueillir: cueille cueilles cueille cueillons cueillez cueillent | cueiller | cueilli
quérir: quiers quiers quiert quérons quérez quièrent | querr | quis
bouillir: bous bous bout bouillons bouillez bouillent | bouillir | bouilli
traire: trais trais trait trayons trayez traient | trair | trait
suffire: suffis suffis suffit suffisons suffisez suffisent | suffir | suffi
fuir: fuis fuis fuit fuyons fuyez fuient | fuir | fui
prendre: prends prends prend prenons prenez prennent | prendr | pris
mettre: mets mets met mettons mettez mettent | mettr | mis
battre: bats bats bat battons battez battent | battr | battu
indre: ins ins int ignons ignez ignent | indr | int
uire: uis uis uit uisons uisez uisent | uir | uit
nuire: nuis nuis nuit nuisons nuisez nuisent | nuir | nui
dire: dis dis dit disons dites disent | dir | dit
interdire: interdis interdis interdit interdisons interdisez interdisent | interdir | interdit
prédire: prédis prédis prédit prédisons prédisez prédisent | prédir | prédit
lire: lis lis lit lisons lisez lisent | lir | lu
crire: cris cris crit crivons crivez crivent | crir | crit
suivre: suis suis suit suivons suivez suivent | suivr | suivi
vivre: vis vis vit vivons vivez vivent | vivr | vécu
boire: bois bois boit buvons buvez boivent | boir | bu
croire: crois crois croit croyons croyez croient | croir | cru
aître: ais ais aît aissons aissez aissent | aîtr | u
onnaître: onnais onnais onnaît onnaissons onnaissez onnaissent | onnaîtr | onnu
naître: nais nais naît naissons naissez naissent | naîtr | né
plaire: plais plais plaît plaisons plaisez plaisent | plair | plu
taire: tais tais tait taisons taisez taisent | tair | tu
rire: ris ris rit rions riez rient | rir | ri
résoudre: résous résous résout résolvons résolvez résolvent | résoudr | résolu
coudre: couds couds coud cousons cousez cousent | coudr | cousu
vaincre: vaincs vaincs vainc vainquons vainquez vainquent | vaincr | vaincu
rompre: romps romps rompt rompons rompez rompent | rompr | rompu
clure: clus clus clut cluons cluez cluent | clur | clu
inclure: inclus inclus inclut incluons incluez incluent | inclur | inclus
dre: ds ds d dons dez dent | dr | du
ir: is is it issons issez issent | ir | i
"""
DOUBLING = ("appeler", "jeter", "épeler", "feuilleter", "renouveler", "chanceler")
FUTURE = ("ai", "as", "a", "ons", "ez", "ont")
IMPERFECT = ("ais", "ais", "ait", "ions", "iez", "aient")
SUBJUNCTIVE = ("e", "es", "e", "ions", "iez", "ent")
ORDERS = {"être": ("sois", "soyons", "soyez"), "avoir": ("aie", "ayons", "ayez"),
          "savoir": ("sache", "sachons", "sachez"), "aller": ("va", "allons", "allez")}


def read_models():
    models = {}
    for line in MODELS.strip().splitlines():
        ending, _, rest = line.partition(": ")
        models[ending] = [part.split() for part in rest.split(" | ")]
    return models


MODELS = read_models()


def soft(stem, ending):
    """Stem and ending, with manger's e and commencer's ç where they are needed."""
    hard = ending[0] in "aoâ"
    if stem.endswith("g") and hard:
        return stem + "e" + ending
    if stem.endswith("c") and hard:
        return stem[:-1] + "ç" + ending
    return stem + ending


class Conjugated:
    """All forms of an infinitive: present, future_stem, participle …"""

    def __init__(self, infinitive):
        self.infinitive = infinitive
        self.er = infinitive.endswith("er") and infinitive != "aller"
        if self.er:
            self.first_group()
        else:
            self.by_model()

    def first_group(self):
        inf, stem = self.infinitive, self.infinitive[:-2]
        weak, future = stem, inf
        if inf.endswith(DOUBLING):
            weak = stem + stem[-1]
            future = weak + "er"
        elif re.search("[oua]yer$", inf):
            weak = stem[:-1] + "i"
            future = "enverr" if inf == "envoyer" else (
                "renverr" if inf == "renvoyer" else weak + "er")
        elif re.search("e[bcdfgjklmnpqrstvz]er$", inf):
            weak = stem[:-2] + "è" + stem[-1]
            future = weak + "er"
        elif re.search("é([bcdfgjklmnpqrstvz]|[bcgt]r|gn|ch|gu|qu)er$", inf):
            at = stem.rindex("é")
            weak = stem[:at] + "è" + stem[at + 1:]
        self.present = [weak + "e", weak + "es", weak + "e", soft(stem, "ons"), stem + "ez",
                        weak + "ent"]
        self.stem, self.future_stem, self.participle = stem, future, stem + "é"
        self.subjunctive_stems = weak, stem

    def by_model(self):
        inf = self.infinitive
        ending = max((e for e in MODELS if inf.endswith(e)), key=len)
        head, model = inf[:-len(ending)], MODELS[ending]
        self.present = [head + form for form in model[0]]
        self.future_stem, self.participle = head + model[1][0], head + model[2][0]
        self.stem = "ét" if inf == "être" else self.present[3][:-3]
        if len(model) > 3:
            self.subjunctive_stems = head + model[3][0], head + model[3][1]
        else:
            self.subjunctive_stems = self.present[5][:-3], self.stem

    def imperfect(self, person):
        return soft(self.stem, IMPERFECT[person])

    def future(self, person):
        return self.future_stem + FUTURE[person]

    def conditional(self, person):
        return self.future_stem + IMPERFECT[person]

    def subjunctive(self, person):
        if self.infinitive == "être":
            return ("sois", "sois", "soit", "soyons", "soyez", "soient")[person]
        if self.infinitive == "avoir":
            return ("aie", "aies", "ait", "ayons", "ayez", "aient")[person]
        regular = self.subjunctive_stems[person in (3, 4)]
        if self.infinitive in ("faire", "pouvoir", "savoir") or person not in (3, 4):
            return regular + SUBJUNCTIVE[person]
        return self.subjunctive_stems[1] + SUBJUNCTIVE[person]

    def order(self, person):
        """The imperative of tu, nous or vous."""
        if self.infinitive in ORDERS:
            return ORDERS[self.infinitive][{1: 0, 3: 1, 4: 2}[person]]
        form = self.present[person]
        return form[:-1] if person == 1 and form.endswith("es") else form

    @property
    def gerund(self):
        if self.infinitive in ("être", "avoir", "savoir"):
            return {"être": "étant", "avoir": "ayant", "savoir": "sachant"}[self.infinitive]
        return soft(self.stem, "ant") if self.er else self.stem + "ant"


CACHE = {}


def conjugate(infinitive):
    if infinitive not in CACHE:
        CACHE[infinitive] = Conjugated(infinitive)
    return CACHE[infinitive]
