#include "analysis/english.h"

#include <stdio.h>
#include <string.h>

enum class {
    OPEN, /* anything not listed */
    DETERMINER,
    PRONOUN, /* third person: what stands for a noun */
    PERSON,  /* other pronouns */
    PREPOSITION,
    CONJUNCTION,
    ADVERB,
    VERB,
    SIGN, /* punctuation and special tokens */
};

/* Each list begins and ends with a blank. */
static const struct {
    enum class is;
    const char *words;
} lists[] = {
    { DETERMINER, " the a an this these those my your his her its our their every each some any no "
                  "another which whose " },
    { PRONOUN, " it he she they him them itself himself herself themselves " },
    { PERSON, " i you we me us myself yourself ourselves someone somebody something anyone anybody "
              "anything everyone everybody everything nobody nothing who whom mine yours hers ours "
              "theirs there here " },
    { PREPOSITION, " of in on at by for with from to into onto over under near behind between "
                   "among through during without within against across along around about above "
                   "below beside beyond inside outside towards toward upon off up down out " },
    { CONJUNCTION, " and or but because if when while although since as than that so before after "
                   "until unless whether though where why how what nor then " },
    { ADVERB, " not n't very too never always often also just only still again already almost "
              "even ever soon now today yesterday tomorrow quite rather really sometimes " },
    { VERB,
      " be am is are was were been being have has had do does did can could will would shall "
      "should may might must isn't aren't wasn't weren't haven't hasn't hadn't don't doesn't "
      "didn't can't cannot couldn't won't wouldn't shouldn't mustn't it's i'm you're we're "
      "they're he's she's go goes went gone come comes came see sees saw seen say says said tell "
      "tells told give gives gave given take takes took taken make makes made get gets got know "
      "knows knew known think thinks thought find finds found want wants like likes love loves "
      "need needs look looks put puts read reads write writes wrote written eat eats ate eaten "
      "drink drinks drank run runs ran sit sits sat stand stands stood sleep sleeps slept feel "
      "feels felt leave leaves left lose loses lost bring brings brought buy buys bought sell "
      "sells sold teach teaches taught catch catches caught hear hears heard hold holds held "
      "keep keeps kept speak speaks spoke fall falls fell break breaks broke broken choose "
      "chooses chose begin begins began meet meets met sing sings sang win wins won wear wears "
      "wore drive drives drove fly flies flew grow grows grew throw throws threw draw draws drew "
      "cut cuts hit hits let lets send sends sent spend spent build builds built learn learns "
      "forget forgets forgot understand understands understood become becomes became show shows "
      "open opens close closes play plays work works live lives call calls ask asks help helps "
      "cross crosses stop stops follow follows turn turns walk walks talk talks move moves start "
      "starts watch watches carry carries study studies try tries use uses bit bite bites chase "
      "chases jump jumps hide hides hid shake shook bury buries " },
};

/* After a determiner these are nouns or adjectives. */
static const char *const could_be_nouns = " open close cross work play call help look turn walk "
                                          "talk move start watch use love need like cut hit bite "
                                          "jump drink sleep run sing show stop study left ";

struct scan {
    const struct hl_group *g;
    enum class *is;
    bool *noun;
    int *np; /* where the noun's phrase begins */
    struct hl_arena *a;
    struct hl_links out;
};

static bool
listed(const char *list, const char *lower)
{
    char key[40];
    int n = snprintf(key, sizeof key, " %s ", lower);
    return n > 2 && n < (int)sizeof key && strstr(list, key) != NULL;
}

static bool
ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), k = strlen(end);
    return n > k + 1 && strcmp(s + n - k, end) == 0;
}

static void
lower_case(const char *label, char *out, size_t size)
{
    size_t i = 0;
    for (; label[i] && i + 1 < size; i++)
        out[i] = label[i] >= 'A' && label[i] <= 'Z' ? (char)(label[i] + 32) : label[i];
    out[i] = '\0';
}

static enum class class_of(const struct hl_group_item *item, bool after_determiner) {
    char lower[40]; if (item->special || item->punct) return SIGN;
    lower_case(item->label, lower, sizeof lower);
    for (size_t i = 0; i < sizeof lists / sizeof *lists;
         i++) { if (listed(lists[i].words, lower)) return lists[i].is == VERB && after_determiner &&
                        listed(could_be_nouns, lower)
                    ? OPEN
                    : lists[i].is; }
if (ends_with(lower, "ly")) return ADVERB;
return ends_with(lower, "ed") && !after_determiner ? VERB : OPEN;
}

static void
classify(struct scan *s)
{
    bool phrase = false; /* after a determiner, with adverbs and adjectives between */
    for (int i = 0; i < s->g->n; i++) {
        s->is[i] = class_of(&s->g->items[i], phrase);
        phrase = s->is[i] == DETERMINER || (phrase && s->is[i] == ADVERB);
    }
}

static bool
is_capital(const char *label)
{
    return label[0] >= 'A' && label[0] <= 'Z';
}

static void
find_nouns(struct scan *s)
{
    const int n = s->g->n;
    for (int i = 0; i < n; i++)
        s->np[i] = i;
    for (int i = 0; i < n; i++) {
        if (s->is[i] == DETERMINER) {
            int last = -1, j = i + 1;
            for (; j < n && (s->is[j] == OPEN || s->is[j] == ADVERB); j++)
                last = s->is[j] == OPEN ? j : last;
            if (last > 0) {
                s->noun[last] = true;
                s->np[last] = i;
            }
        } else if (i > 0 && s->is[i] == OPEN && is_capital(s->g->items[i].label) &&
                   s->is[i - 1] != DETERMINER) {
            s->noun[i] = true;
        }
    }
}

/* Room for `n` targets; their number may still shrink. */
static int *
add(struct scan *s, enum hl_link_kind kind, int from, int n)
{
    int *to = hl_arena_new(s->a, n > 0 ? n : 1, int);
    if (to)
        s->out.links[s->out.n++] = (struct hl_link) { kind, from, 0, to };
    return to;
}

static bool
link_determiner(struct scan *s, int i)
{
    for (int j = i + 1; j < s->g->n; j++) {
        if (s->noun[j] && s->np[j] == i) {
            int *to = add(s, HL_LINK_NOUN, i, 1);
            if (!to)
                return false;
            to[0] = j;
            s->out.links[s->out.n - 1].n = 1;
        }
    }
    return true;
}

static bool
link_pronoun(struct scan *s, int i)
{
    int n = 0, *to = add(s, HL_LINK_PRONOUN, i, s->g->n);
    for (int j = 0; to && j < s->g->n; j++) {
        if (s->noun[j])
            to[n++] = j;
    }
    if (to && n == 0)
        s->out.n--;
    else if (to)
        s->out.links[s->out.n - 1].n = n;
    return to != NULL;
}

static bool
stands(const struct scan *s, int i)
{
    return s->noun[i] || s->is[i] == PRONOUN || s->is[i] == PERSON;
}

/* To the left, over helping verbs and phrases that a preposition begins; -1: none. */
static int
subject(const struct scan *s, int verb)
{
    for (int i = verb - 1; i >= 0 && s->is[i] != SIGN && s->is[i] != CONJUNCTION; i--) {
        if (!stands(s, i))
            continue;
        int begin = s->np[i];
        if (begin == 0 || s->is[begin - 1] != PREPOSITION)
            return i;
        i = begin - 1;
    }
    return -1;
}

static int
object(const struct scan *s, int verb)
{
    for (int i = verb + 1; i < s->g->n; i++) {
        if (stands(s, i))
            return i;
        if (s->is[i] != DETERMINER && s->is[i] != OPEN && s->is[i] != ADVERB)
            break;
    }
    return -1;
}

static bool
link_verb(struct scan *s, int i)
{
    int next = i + 1;
    while (next < s->g->n && s->is[next] == ADVERB)
        next++;
    if (next < s->g->n && s->is[next] == VERB)
        return true; /* a helping verb */
    int before = subject(s, i), after = object(s, i), n = 0;
    if (before < 0 && after < 0)
        return true;
    int *to = add(s, HL_LINK_VERB, i, 2);
    if (!to)
        return false;
    if (before >= 0)
        to[n++] = before;
    if (after >= 0)
        to[n++] = after;
    s->out.links[s->out.n - 1].n = n;
    return true;
}

bool
hl_english_links(const struct hl_group *words, struct hl_arena *a, struct hl_links *out)
{
    struct scan s = { .g = words, .a = a };
    s.is = hl_arena_new(a, words->n, enum class);
    s.noun = hl_arena_new(a, words->n, bool);
    s.np = hl_arena_new(a, words->n, int);
    s.out.links = hl_arena_new(a, words->n, struct hl_link);
    bool ok = s.is && s.noun && s.np && s.out.links;
    if (ok) {
        classify(&s);
        find_nouns(&s);
    }
    for (int i = 0; ok && i < words->n; i++) {
        if (s.is[i] == DETERMINER)
            ok = link_determiner(&s, i);
        else if (s.is[i] == PRONOUN)
            ok = link_pronoun(&s, i);
        else if (s.is[i] == VERB)
            ok = link_verb(&s, i);
    }
    if (ok)
        *out = s.out;
    return ok;
}
