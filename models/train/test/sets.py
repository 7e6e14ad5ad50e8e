"""The test sets that are made of lists: names, figures and strings in frames.

Each maker returns [(group, english, judge)] where judge(french) says whether the
translation is right. Draws have fixed seeds.
"""

import os
import random
import re

import french

HERE = os.path.dirname(os.path.abspath(__file__))

FIRST_NAMES = ["{} lives next door to my uncle.", "Yesterday I met {} at the swimming pool.",
               "The teacher asked {} to read the poem.", "Is {} coming with us?"]
LAST_NAMES = ["Mr. {} sold his car.", "We had dinner with Mrs. {}.",
              "Do you know the {} family?", "Doctor {} is on holiday."]
STRINGS = ['The file is called "{}".', 'Type "{}" and press the button.',
           'She wrote "{}" on the wall.', 'The stranger shouted "{}" twice.']
FRAMES = {
    "number": ["There are {} seats in the theatre.", "I counted {} birds on the lake.",
               "Page {} is missing.", "The village has {} inhabitants.",
               "She sold {} tickets in one week."],
    "time": ["The meeting begins at {}.", "My plane lands at {}.", "Call me at {}.",
             "We had lunch at {}.", "The shop closes at {} on Fridays."],
    "year": ["The castle was built in {}.", "My grandmother was born in {}.",
             "In {}, the king died.", "They moved to Canada in {}.",
             "The school has been closed since {}."],
    "price": ["This hat costs {}.", "I paid {} for the bag.", "The tickets are {} each.",
              "He found {} in the street.", "Can you lend me {}?"],
}
ENGLISH = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
           "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
           "eighteen", "nineteen"]
ENGLISH_TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty",
                "ninety"]


def lines(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file]


def whole(text):
    """Judge: the text stands in the French as it is, not as part of a word."""
    pattern = re.compile(rf"(?<!\w){re.escape(text)}(?!\w)")
    return lambda answer: pattern.search(answer) is not None


def names():
    rows = []
    for kind, name in lines("names.txt"):
        for frame in FIRST_NAMES if kind == "first" else LAST_NAMES:
            rows.append((f"{kind} names", frame.format(name), whole(name)))
    return rows


def strings(count=75, seed=11):
    """Random letters: mostly small, some capitals, some with one capital in front."""
    r, rows = random.Random(seed), []
    for i in range(count):
        text = "".join(r.choices("abcdefghijklmnopqrstuvwxyz", k=r.randint(3, 10)))
        text = text.upper() if i % 4 == 1 else text.capitalize() if i % 4 == 3 else text
        rows += [("strings", frame.format(text), whole(text)) for frame in STRINGS]
    return rows


def english_words(n):
    """2 to 99 in words."""
    if n < 20:
        return ENGLISH[n]
    return ENGLISH_TENS[n // 10] + ("-" + ENGLISH[n % 10] if n % 10 else "")


def only(value, read):
    """Judge: the French mentions this value and no other."""
    return lambda answer: read(answer) == [value]


def clock(hour, minute):
    """Judge: this time, in twelve or twenty-four hours."""
    def judge(answer):
        found = french.times(answer)
        return len(found) == 1 and found[0][1] == minute and (found[0][0] - hour) % 12 == 0
    return judge


def number_forms(r):
    """[(english, judge)]: sixty in digits, over all sizes, and twenty in words."""
    sizes = [(2, 99)] * 24 + [(100, 999)] * 18 + [(1000, 10000)] * 18
    for i, (low, high) in enumerate(sizes):
        n = r.randint(low, high)
        yield f"{n:,}" if n > 999 and i % 2 else str(n), only(float(n), french.numbers)
    for n in r.sample(range(2, 100), 20):
        yield english_words(n), only(float(n), french.numbers)


def time_forms(r):
    for i in range(30):
        hour = r.randint(1, 23 if i % 5 == 0 else 12)
        minute = r.choice([0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, r.randint(1, 59)])
        text = f"{hour}:{minute:02d}"
        if i % 5 == 1:
            text += r.choice([" a.m.", " p.m."])
        elif i % 10 == 2:
            minute, text = 0, f"{ENGLISH[hour]} o'clock"
        elif i % 10 == 7:
            minute, text = 30, f"half past {ENGLISH[hour]}"
        yield text, clock(hour, minute)


def year_forms(r):
    for _ in range(30):
        year = r.randint(1066, 2049)
        yield str(year), only(year, french.years)


def price_forms(r):
    for i in range(30):
        unit, word = r.choice([("€", "euros"), ("€", "euros"), ("$", "dollars"),
                               ("£", "pounds")])
        whole_part, cents = r.randint(2, 250), r.choice([0, 0, 50, r.randint(10, 99)])
        amount = f"{whole_part}.{cents:02d}" if cents else str(whole_part)
        text = f"{unit}{amount}" if i % 2 else f"{amount} {word}"
        if i % 6 == 0:
            whole_part, cents = r.randint(2, 99), 0
            text = f"{english_words(whole_part)} {word}"
        yield text, only((100 * whole_part + cents, unit), french.prices)


def figures(seed=12):
    rows = []
    makers = {"number": number_forms, "time": time_forms, "year": year_forms,
              "price": price_forms}
    for kind, maker in makers.items():
        for text, judge in maker(random.Random(f"{seed} {kind}")):
            rows += [(f"{kind}s", frame.format(text), judge) for frame in FRAMES[kind]]
    return rows


def capital(rows):
    """A frame that begins with a slot begins with a capital; one full stop is enough."""
    return [(g, e[0].upper() + e[1:].replace("..", "."), j) for g, e, j in rows]


def all_sets():
    return names() + capital(figures()) + strings()


if __name__ == "__main__":
    for group, english, _ in all_sets():
        print(group, english, sep="\t")
