/* Tokens into words: which tokens a shown row or column stands for, and the weights
 * between such groups. Pure functions over a sealed record; results live in the
 * caller's arena. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "record/record.h"

enum hl_specials {
    HL_SPECIALS_SHOW,
    HL_SPECIALS_DIM,
    HL_SPECIALS_HIDE,
    HL_SPECIALS_COUNT
};

/* One shown row or column: tokens first .. first + n - 1 of its axis. */
struct hl_group_item {
    const char *label;
    int first, n;
    int start, end; /* bytes in the axis' text, -1 for special tokens */
    bool special;
    bool dim;   /* special, and dimming was asked for */
    bool punct; /* nothing but punctuation */
};

struct hl_group {
    const struct hl_axis *axis;
    int n;
    struct hl_group_item *items;
    int *of_token; /* item of each token, -1 for hidden ones */
    int n_hidden;  /* tokens left out */
};

/* Groups the tokens of an axis. `words` merges the pieces of a word; punctuation at
 * the ends of a word stays a group of its own ("tired." gives "tired" and "."),
 * inside it belongs to it ("didn't"). Without `words` each token is a group.
 * Thread-safety: reentrant, one thread per arena. Fails: false (no memory). */
bool
hl_group_axis(const struct hl_axis *axis, bool words, enum hl_specials specials,
              struct hl_arena *a, struct hl_group *out);

/* Weights between groups: [rows->n, cols->n] into out, summed over the keys of a
 * column, averaged over the queries of a row. head -1: mean over the layer's heads;
 * layer -1: mean over all layers (with head -1). `renormalise` divides each row by
 * its sum over the shown columns (a row of zeros stays so); without it a row lacks
 * what hidden keys received. Thread-safety: reentrant. Fails: never. */
void
hl_group_weights(const struct hl_map *m, int layer, int head, const struct hl_group *rows,
                 const struct hl_group *cols, bool renormalise, float *out);

/* Place of column `col` in a row of grouped weights among the words: 0 when no other
 * column weighs more. Special tokens, punctuation and the column `self` (-1: none)
 * do not count. Thread-safety: reentrant. Fails: never. */
int
hl_group_place(const struct hl_group *cols, const float *row, int col, int self);

/* Group that covers byte `at` of the axis' text, -1 if none.
 * Thread-safety: reentrant. Fails: never. */
int
hl_group_at(const struct hl_group *g, int at);
