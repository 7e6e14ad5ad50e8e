"""Practice in numbers, times, prices, dates, names and codes (see slots.py)."""

import slots
from frames import DAYS, MONTHS
from grammar import NOUNS
from lexicon import french

PLACES = [("in the room", "dans la pièce"), ("in the garden", "dans le jardin"),
          ("on the table", "sur la table"), ("at home", "à la maison"), ("here", "ici"),
          ("in the box", "dans la boîte"), ("in the city", "dans la ville"), ("", ""),
          ("in the class", "dans la classe"), ("in the file", "dans le fichier")]
WHO = [("I have", "je ai"), ("we have", "nous avons"), ("she has", "elle a"), ("he has", "il a"),
       ("they have", "ils ont"), ("you have", "vous avez"), ("there are", "il y a"),
       ("I see", "je vois"), ("we need", "il nous faut"), ("he bought", "il a acheté"),
       ("she sold", "elle a vendu"), ("I counted", "je ai compté"), ("she wants", "elle veut"),
       ("they found", "ils ont trouvé"), ("we saw", "nous avons vu"), ("I ate", "je ai mangé"),
       ("you can see", "on peut voir"), ("they own", "ils possèdent"),
       ("he read about", "il a lu des choses sur"), ("she counted", "elle a compté")]
ORDINALS = {2: ("second", "deuxième"), 3: ("third", "troisième"), 4: ("fourth", "quatrième"),
            5: ("fifth", "cinquième"), 6: ("sixth", "sixième"), 7: ("seventh", "septième"),
            8: ("eighth", "huitième"), 9: ("ninth", "neuvième"), 10: ("tenth", "dixième"),
            11: ("eleventh", "onzième"), 12: ("twelfth", "douzième"),
            20: ("twentieth", "vingtième"), 21: ("twenty-first", "vingt et unième")}
PLAIN = """My phone number is {phone}.	Mon numéro de téléphone est le {phone}.
Call me at {phone}.	Appelez-moi au {phone}.
The code is {code}.	Le code est {code}.
Your password is {code}.	Votre mot de passe est {code}.
Flight {code} leaves at {time}.	Le vol {code} part à {time}.
Platform {number} is on the left.	Le quai {number} est à gauche.
Read page {number}.	Lisez la page {number}.
Open your books at page {number}.	Ouvrez vos livres à la page {number}.
Look at line {number} again.	Regarde encore la ligne {number}.
He is {age} years old.	Il a {age} ans.
She will be {age} years old tomorrow.	Elle aura {age} ans demain.
I am {age} years old.	J'ai {age} ans.
{name} is {age} years old.	{name} a {age} ans.
My grandmother is {age}.	Ma grand-mère a {age} ans.
This ticket costs {price}.	Ce billet coûte {price}.
It costs {price}.	Ça coûte {price}.
I paid {price} for this book.	J'ai payé {price} pour ce livre.
The bread costs {price} and the milk {price2}.	Le pain coûte {price} et le lait {price2}.
She gave me {price}.	Elle m'a donné {price}.
He earns {price} a month.	Il gagne {price} par mois.
The total is {price}.	Le total est de {price}.
They owe us {price}.	Ils nous doivent {price}.
We start at {time}.	Nous commençons à {time}.
The train leaves at {time}.	Le train part à {time}.
The lesson ends at {time}.	Le cours finit à {time}.
It is {time}.	Il est {time}.
Wake me up at {time}.	Réveillez-moi à {time}.
We met at {time}.	Nous nous sommes rencontrés à {time}.
The shop opens at {time} and closes at {time2}.	Le magasin ouvre à {time} et ferme à {time2}.
He was born in {year}.	Il est né en {year}.
She was born in {year}.	Elle est née en {year}.
This house was built in {year}.	Cette maison a été construite en {year}.
The war began in {year} and ended in {year2}.	La guerre a commencé en {year} et s'est terminée en {year2}.
In {year}, they moved to {place}.	En {year}, ils ont déménagé à {place}.
I have lived here since {year}.	J'habite ici depuis {year}.
The answer is {number}.	La réponse est {number}.
The value is {number}.	La valeur est {number}.
Press {number} to continue.	Appuyez sur {number} pour continuer.
The temperature is {age} degrees.	La température est de {age} degrés.
The town is {number} kilometers away.	La ville est à {number} kilomètres.
He ran {age} kilometres.	Il a couru {age} kilomètres.
This mountain is {number} metres high.	Cette montagne fait {number} mètres de haut.
It takes {age} minutes.	Cela prend {age} minutes.
Wait {age} seconds.	Attends {age} secondes.
I will be back in {age} days.	Je serai de retour dans {age} jours.
We waited for {age} hours.	Nous avons attendu {age} heures.
About {percent} of the students came.	Environ {percent2} des élèves sont venus.
{sum}.	{sum}.
My name is {name}.	Je m'appelle {name}.
My name is {name} {surname}.	Je m'appelle {name} {surname}.
This is {name}.	Voici {name}.
{name} and {name2} are friends.	{name} et {name2} sont amis.
{name} lives in {place}.	{name} habite à {place}.
I met {name} in {place}.	J'ai rencontré {name} à {place}.
Do you know {name}?	Connais-tu {name} ?
Where is {name}?	Où est {name} ?
{name} didn't see {name2}.	{name} n'a pas vu {name2}.
I saw {name}'s car.	J'ai vu la voiture de {name}.
{name}'s brother is a doctor.	Le frère de {name} est médecin.
Mr {surname} is our teacher.	M. {surname} est notre professeur.
Mrs {surname} called you yesterday.	Mme {surname} vous a appelé hier.
I think that {name} is right.	Je pense que {name} a raison.
{name} said "{string}".	{name} a dit "{string}".
What does "{string}" mean?	Que signifie "{string}" ?
The word "{string}" is short.	Le mot "{string}" est court.
Type "{string}" and press Enter.	Tapez "{string}" et appuyez sur Entrée.
I don't know the word "{string}".	Je ne connais pas le mot "{string}".
She wrote "{string}" on the board.	Elle a écrit "{string}" au tableau.
"{string}" is not a word.	"{string}" n'est pas un mot.
How do you spell "{string}"?	Comment écrit-on "{string}" ?
How do you say "{string}" in French?	Comment dit-on "{string}" en français ?
The file is called "{string}".	Le fichier s'appelle "{string}".
Is "{string}" a verb?	Est-ce que "{string}" est un verbe ?
{place} is a beautiful city.	{place} est une belle ville.
We are going to {place} in {year}.	Nous irons à {place} en {year}.
The road to {place} is closed.	La route de {place} est fermée.
He comes from {place}.	Il vient de {place}.
The bus to {place} leaves at {time}.	Le bus pour {place} part à {time}.
{name} was late, so {name2} waited.	{name} était en retard, alors {name2} a attendu.
Give this to {name}, please.	Donne ceci à {name}, s'il te plaît.
I told {name} that {name2} was here.	J'ai dit à {name} que {name2} était là.
Good morning, {name}!	Bonjour, {name} !
Thank you, {name}.	Merci, {name}.
Hello {name}, how are you?	Bonjour {name}, comment vas-tu ?"""
PLAIN = [tuple(line.split("\t")) for line in PLAIN.split("\n")]


def phone(r):
    kind = r.random()
    if kind < 0.4:
        text = " ".join(f"{r.randrange(100):02}" for _ in range(5))
    elif kind < 0.7:
        text = f"{r.randrange(1000):03}-{r.randrange(10000):04}"
    else:
        text = "".join(r.choice("0123456789") for _ in range(r.randint(5, 10)))
    return text, text


def code(r):
    letters = "ABCDEFGHJKLMNPQRSTUVWXYZ"
    text = r.choice((
        "".join(r.choice(letters) for _ in range(2)) + str(r.randrange(10, 10000)),
        "".join(r.choice(letters + "0123456789") for _ in range(r.randint(3, 7))),
        str(r.randrange(100000)), r.choice(letters) + str(r.randrange(100)),
        f"{r.choice(letters)}{r.choice(letters)}-{r.randrange(1000)}"))
    return text, text


def age(r):
    n = r.randint(2, 100)
    if r.random() < 0.35 and n % 10 != 1:
        return slots.english_number(n), slots.french_number(n)
    return str(n), str(n)


def total(r):
    a, b = r.randint(2, 99), r.randint(2, 99)
    sign, word, fr, c = r.choice((("+", "plus", "plus", a + b), ("-", "minus", "moins", a),
                                  ("x", "times", "fois", a * b)))
    if word == "minus":
        a, b, c = a + b, b, a
    if r.random() < 0.4:
        return f"{a} {sign} {b} = {c}", f"{a} {sign} {b} = {c}"
    be = r.choice((("is", "font"), ("equals", "égale")))
    if r.random() < 0.4:
        en, say = slots.english_number, slots.french_number
        return f"{en(a)} {word} {en(b)} {be[0]} {en(c)}", f"{say(a)} {fr} {say(b)} {be[1]} {say(c)}"
    return f"{a} {word} {b} {be[0]} {c}", f"{a} {fr} {b} {be[1]} {c}"


def plain(r):
    en, fr = r.choice(PLAIN)
    if "{sum}" in en:
        a, b = total(r)
        return a[0].upper() + a[1:] + ".", b[0].upper() + b[1:] + "."
    made = {"phone": phone, "code": code, "age": age}
    for key, draw in made.items():
        if "{" + key + "}" in en:
            pair = draw(r)
            en, fr = en.replace("{" + key + "}", pair[0]), fr.replace("{" + key + "}", pair[1])
    if "{percent}" in en:
        n = r.randint(2, 99)
        mark = r.choice((("%", " %"), (" percent", " pour cent")))
        en = en.replace("{percent}", f"{n}{mark[0]}")
        fr = fr.replace("{percent2}", f"{n}{mark[1]}")
    return slots.fill(en, fr, r)


def feminine(words):
    """One in words agrees: vingt et une, not vingt et un."""
    return words + "e" if words.endswith("un") else words


def counted(r):
    """ "She has twenty-one books." """
    noun = r.choice(NOUNS[r.choice(("animal", "object", "object", "food", "thing", "person"))])
    (we, wf), (pe, pf) = r.choice(WHO), r.choice(PLACES)
    if r.random() < 0.55:
        _, en, fr = slots.spelled(r)
        fr = feminine(fr) if noun.fem else fr
    else:
        en, fr = slots.a_number(r, 0.0)
        if "." in en:
            en = fr = str(r.randint(2, 99))
    text = " ".join(f"{we} {en} {noun.en_plural} {pe}".split()) + "."
    return (text[0].upper() + text[1:],
            french(" ".join(f"{wf} {fr} {noun.fr_plural} {pf}".split()) + "."))


def dates(r):
    month, day, year = r.choice(MONTHS), r.randint(2, 31), r.randint(1100, 2035)
    week, n = r.choice(DAYS), r.choice(list(ORDINALS))
    suffix = {1: "st", 2: "nd", 3: "rd"}.get(day % 10 if day // 10 != 1 else 0, "th")
    return r.choice([
        (f"The meeting is on {month[0]} {day}.", f"La réunion est le {day} {month[1]}."),
        (f"It happened on {month[0]} {day}, {year}.", f"C'est arrivé le {day} {month[1]} {year}."),
        (f"We arrived on {day} {month[0]} {year}.", f"Nous sommes arrivés le {day} {month[1]} {year}."),
        (f"Today is {week[0]}, {month[0]} {day}.", f"Aujourd'hui, c'est {week[1]} {day} {month[1]}."),
        (f"My birthday is on {month[0]} {day}{suffix}.", f"Mon anniversaire est le {day} {month[1]}."),
        (f"The exam is on {week[0]} at {r.randint(2, 12)}:30.", None),
        (f"She lives on the {ORDINALS[n][0]} floor.", f"Elle habite au {ORDINALS[n][1]} étage."),
        (f"This is the {ORDINALS[n][0]} time.", f"C'est la {ORDINALS[n][1]} fois."),
        (f"I waited until {month[0]} {year}.", f"J'ai attendu jusqu'en {month[1]} {year}.")])


def generate(r, count, allowed):
    while count:
        draw = r.random()
        en, fr = plain(r) if draw < 0.6 else counted(r) if draw < 0.9 else dates(r)
        if fr is None:
            fr = en.replace("The exam is on", "L'examen est").replace(":", " h ")
            for day, jour in DAYS:
                fr = fr.replace(day + " at", jour + " à")
        if allowed(en, fr):
            count -= 1
            yield en, fr, ""


if __name__ == "__main__":
    import random
    for row in generate(random.Random(1), 60, lambda *_: True):
        print(*row[:2], sep=" | ")
