/* From the tensors of a file to the fields of a model, by a table.
 *
 * A family states each of its weights once: name pattern, shape, and where in its
 * structs it belongs. Loading reports every missing, unexpected, mis-shaped or
 * unusable tensor in one sentence instead of stopping at the first. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "io/safetensors.h"
#include "num/weight.h"

enum hl_weight_kind {
    HL_WEIGHT_MATRIX, /* the field is a struct hl_weight: borrowed from the file if it
                         can be (F32, F16, BF16, aligned), else a copy in the arena */
    HL_WEIGHT_VECTOR, /* the field is a const float *: widened into the arena */
    HL_WEIGHT_TENSOR, /* the field is a const float *: widened into the arena, its sides in
                         the order that the row asks for */
    HL_WEIGHT_KIND_COUNT
};

enum { HL_WEIGHT_RANK_MAX = 4 };

/* One row of a family's table, used for each item of its group. */
struct hl_weight_spec {
    /* '*' stands for the item's name or number; '|' parts alternatives, the first one
     * found is taken: "model.shared.weight|model.encoder.embed_tokens.weight". */
    const char *names;
    int group; /* index into the plan's groups */
    enum hl_weight_kind kind;
    size_t offset; /* of the field in the group's struct */
    int rows;      /* index into the plan's dims: rows, or a vector's length */
    int cols;      /* the same for columns; not looked at for vectors */
    bool optional; /* absent: the field stays zero */
    /* Tensors: the sides after rows and cols, and which of the file's sides is the field's
     * first, second ... */
    int n_more, more[2];
    int order[HL_WEIGHT_RANK_MAX];
};

/* Structs that are filled alike: layers, directions, scores, or the model itself. */
struct hl_weight_group {
    void *base;
    size_t stride;
    int n;
    const char *const *names; /* n of them, or NULL for "0", "1" ... */
    const int *dims;          /* items of different sizes: n rows of n_dims; else NULL */
    int n_dims;
};

struct hl_weight_plan {
    const struct hl_weight_spec *specs;
    int n_specs;
    const struct hl_weight_group *groups;
    int n_groups;
    const int *dims;
    const char
        *prefix; /* e.g. "model.": each name may stand in the file with it or without; or NULL */
    const char *const *ignored; /* tensors that may be there; '*' is any run of characters */
    int n_ignored;
    const char *before; /* stands before each name in the file, which may hold others; or NULL */
};

/* Fills the fields of the groups' structs, which must be zeroed. A vector's tensor may
 * have leading sides of 1. Ownership: what is borrowed lives as long as `st`, the
 * rest as long as `arena`. Thread-safety: reentrant. Fails: WEIGHTS (also for NaN or
 * infinite numbers and for quantised types), NOMEM; then the fields are not to be used. */
enum hl_status hl_weights_load(const struct hl_st *st, const struct hl_weight_plan *plan,
                               struct hl_arena *arena, struct hl_error *err);

/* The largest magnitude among the numbers of all tensors of usable types: a pass over the
 * file. Reentrant. */
float hl_weights_largest(const struct hl_st *st);
/* Numbers in all tensors of the file. Reentrant. */
int64_t hl_weights_n_params(const struct hl_st *st);
