/* What a head does, in words that people know, each with a score from 0 to 1.
 *
 * Rows of special tokens never count. Weights are means over the rows (or links) that
 * have the thing asked for; a kind without any has score 0.
 *
 *   previous, same, next   weight on that token (self-attention)
 *   first                  weight on the first key, from all later rows: a resting place
 *   end                    weight on the last key if it is a special token
 *   punctuation            weight on punctuation, from words
 *   noun                   weight from a determiner to its noun
 *   verb                   weight from a verb to its subject and object together
 *   pronoun                weight from it, he, she, they ... to the nouns of the text
 *   alignment              cross attention: sqrt(peak * spread). Peak: each row's largest
 *                          weight on one word of the source; spread: how many source
 *                          words are the largest of some row, of as many as could be
 *   local                  weight on the two tokens to each side and itself, as far as
 *                          it exceeds an even row's: (w - even) / (1 - even)
 *   broad                  entropy over the largest that the row allows
 *
 * Nouns, verbs and pronouns are found in English text only, by the heuristics of
 * english.h, and only in self-attention.
 *
 * A head's kind is the first of these steps that has a score at its threshold (the
 * larger one within a step): pronoun; previous, same, next; noun, verb; first, end,
 * punctuation; alignment; local, broad. So a head that rests on the end token and goes
 * from pronouns to nouns is a pronoun head. Links that a simpler kind explains do not
 * count when a head is named: of a head that looks at the next token those to the next
 * word, and so for the previous and the first. All thresholds are 0.5, broad's is 0.85.
 * Without any, a head is "mixed". */
#pragma once

#include "analysis/english.h"
#include "base/arena.h"
#include "record/record.h"

enum hl_head_kind {
    HL_HEAD_MIXED, /* none of the others */
    HL_HEAD_PREVIOUS,
    HL_HEAD_SAME,
    HL_HEAD_NEXT,
    HL_HEAD_FIRST,
    HL_HEAD_END,
    HL_HEAD_PUNCT,
    HL_HEAD_NOUN,
    HL_HEAD_VERB,
    HL_HEAD_PRONOUN,
    HL_HEAD_ALIGN,
    HL_HEAD_LOCAL,
    HL_HEAD_BROAD,
    HL_HEAD_COUNT
};

/* What a map's tokens are, found once for all its heads. Borrows record and map. */
struct hl_kinds {
    const struct hl_record *record;
    const struct hl_map *map;
    struct hl_group rows, cols; /* words of the queries and of the keys */
    struct hl_links links;      /* of self-attention over English text */
};

struct hl_head_profile {
    enum hl_head_kind kind;
    double score[HL_HEAD_COUNT]; /* by kind; that of mixed is 0 */
    double entropy;              /* bits, mean over all rows */
};

/* Prepares a map whose axes are tokens (of others only broad and first are known). The
 * result lies in the arena. Thread-safety: reentrant, one thread per arena. Fails:
 * false (no memory). */
bool hl_kinds_prepare(const struct hl_record *r, const struct hl_map *m, struct hl_arena *a,
                      struct hl_kinds *out);

/* Profile of one head of the map. Thread-safety: reentrant. Fails: never. */
struct hl_head_profile hl_kinds_profile(const struct hl_kinds *k, int layer, int head);

/* "previous token", in English. Thread-safety: reentrant. Fails: never. */
const char *hl_head_kind_name(enum hl_head_kind kind);

/* The score from which on a head may get this name. Thread-safety: reentrant. Fails:
 * never. */
double hl_head_kind_threshold(enum hl_head_kind kind);
