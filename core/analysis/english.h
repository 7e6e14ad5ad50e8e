/* What can be told of English words without a parser: closed lists of words, endings
 * and places. Heuristics: a noun is the last open word after a determiner (before a
 * verb, a closed word or a sign) or a capitalised word inside the sentence; verbs are
 * some two hundred common forms, and words in -ed that do not follow a determiner.
 * Text of another language has none of these words and so gives no links. */
#pragma once

#include <stdbool.h>

#include "analysis/group.h"
#include "base/arena.h"

enum hl_link_kind {
    HL_LINK_NOUN,    /* a determiner and its noun */
    HL_LINK_VERB,    /* a verb and its subject and object, as far as found */
    HL_LINK_PRONOUN, /* it, he, she, they ... and every noun it might stand for */
};

/* From one word to others, by their places in the group. */
struct hl_link {
    enum hl_link_kind kind;
    int from, n;
    const int *to; /* n of them, at least one */
};

struct hl_links {
    int n;
    struct hl_link *links;
};

/* Links between the words of an axis (grouped with `words`), in the order of `from`,
 * in the arena. Thread-safety: reentrant, one thread per arena. Fails: false (no
 * memory). */
bool hl_english_links(const struct hl_group *words, struct hl_arena *a, struct hl_links *out);
