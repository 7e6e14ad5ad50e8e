/* An engine for laws: a statement that must hold for any shape and any values.
 *
 * A law draws its sizes with law_dim and its values with law_floats and says
 * whether it holds. The engine tries it on many seeds; a case that fails is shrunk
 * to the smallest sizes that still fail, and printed with its seed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/rng.h"

enum { LAW_MAX_DIMS = 12 };

struct law_case {
    const void *subject; /* the law's */
    uint64_t seed;
    struct hl_rng sizes, values;
    struct hl_arena arena; /* emptied after each case */
    int n_dims;
    struct {
        const char *name;
        int lo, value;
    } dims[LAW_MAX_DIMS];
    int n_forced; /* shrinking: the first sizes are given */
    int forced[LAW_MAX_DIMS];
    char why[256];
};

struct law {
    const char *name; /* the law as a sentence */
    bool (*holds)(struct law_case *c);
    const void *subject; /* what the law is about, for laws of many things; or NULL */
};

struct law_report {
    bool holds;
    uint64_t seed;  /* of the failing case */
    char text[512]; /* sizes and reason */
};

/* A size in lo .. hi; the ends come up more often than the rest. */
int law_dim(struct law_case *c, const char *name, int lo, int hi);

/* n values of a normal distribution with the given deviation, on the case's arena. */
float *law_floats(struct law_case *c, int n, double spread);
double *law_doubles(struct law_case *c, const float *from, int n);
/* n floats set to 0. */
float *law_zeros(struct law_case *c, int n);
/* A random order of 0 .. n - 1. */
int *law_permutation(struct law_case *c, int n);

/* False, with a reason. */
bool law_no(struct law_case *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Whether |a - b| <= bound (1 + |b|) everywhere, with a reason if not. */
bool law_close(struct law_case *c, const char *what, const float *a, const float *b, int n,
               double bound);
bool law_close_d(struct law_case *c, const char *what, const float *a, const double *b, int n,
                 double bound);
/* Whether the bytes agree. */
bool law_same(struct law_case *c, const char *what, const float *a, const float *b, int n);

/* Tries `n` cases from `seed` on. */
struct law_report law_check(const struct law *law, uint64_t seed, int n);

/* The main function of a program of laws; --seed N and --cases N change the tries. */
int law_main(const struct law *laws, int n_laws, int argc, char **argv);
