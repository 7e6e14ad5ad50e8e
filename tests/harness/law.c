#include "harness/law.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DEFAULT_SEED = 20150901, DEFAULT_CASES = 120 };

int
law_dim(struct law_case *c, const char *name, int lo, int hi)
{
    int i = c->n_dims++;
    if (i >= LAW_MAX_DIMS)
        abort();
    /* Drawn even when forced, so that later sizes stay what they were. */
    int draw = hl_rng_below(&c->sizes, hi - lo + 5) + lo - 2;
    int value = draw < lo ? lo : draw > hi ? hi : draw;
    if (i < c->n_forced)
        value = c->forced[i];
    c->dims[i].name = name;
    c->dims[i].lo = lo;
    c->dims[i].value = value;
    return value;
}

float *
law_zeros(struct law_case *c, int n)
{
    float *p = hl_arena_floats(&c->arena, n > 0 ? n : 1);
    if (!p)
        abort();
    return p;
}

float *
law_floats(struct law_case *c, int n, double spread)
{
    float *p = law_zeros(c, n);
    for (int i = 0; i < n; i++)
        p[i] = (float)(spread * hl_rng_normal(&c->values));
    return p;
}

double *
law_doubles(struct law_case *c, const float *from, int n)
{
    double *p = hl_arena_new(&c->arena, n > 0 ? n : 1, double);
    if (!p)
        abort();
    for (int i = 0; from && i < n; i++)
        p[i] = (double)from[i];
    return p;
}

int *
law_permutation(struct law_case *c, int n)
{
    int *p = hl_arena_new(&c->arena, n > 0 ? n : 1, int);
    if (!p)
        abort();
    for (int i = 0; i < n; i++) {
        int j = hl_rng_below(&c->values, i + 1);
        p[i] = p[j];
        p[j] = i;
    }
    return p;
}

bool
law_no(struct law_case *c, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(c->why, sizeof(c->why), fmt, ap);
    va_end(ap);
    return false;
}

static bool
near_by(double a, double b, double bound)
{
    return a == b || fabs(a - b) <= bound * (1.0 + fabs(b)); /* false for NaN */
}

bool
law_close_d(struct law_case *c, const char *what, const float *a, const double *b, int n,
            double bound)
{
    for (int i = 0; i < n; i++) {
        if (!near_by((double)a[i], b[i], bound))
            return law_no(c, "%s: place %d is %.9g, not %.9g", what, i, (double)a[i], b[i]);
    }
    return true;
}

bool
law_close(struct law_case *c, const char *what, const float *a, const float *b, int n, double bound)
{
    for (int i = 0; i < n; i++) {
        if (!near_by((double)a[i], (double)b[i], bound))
            return law_no(c, "%s: place %d is %.9g, not %.9g", what, i, (double)a[i], (double)b[i]);
    }
    return true;
}

bool
law_same(struct law_case *c, const char *what, const float *a, const float *b, int n)
{
    for (int i = 0; i < n; i++) {
        if (memcmp(&a[i], &b[i], sizeof(a[i])) != 0)
            return law_no(c, "%s: place %d is %.9g, not bitwise %.9g", what, i, (double)a[i],
                          (double)b[i]);
    }
    return true;
}

static bool
try_case(const struct law *law, uint64_t seed, int n_forced, const int *forced, struct law_case *c)
{
    *c = (struct law_case) { .subject = law->subject, .seed = seed, .n_forced = n_forced };
    if (n_forced)
        memcpy(c->forced, forced, (size_t)n_forced * sizeof(forced[0]));
    hl_rng_init(&c->sizes, seed);
    hl_rng_init(&c->values, seed ^ UINT64_C(0x5bd1e995));
    hl_arena_init(&c->arena, 1 << 16, 0);
    bool holds = law->holds(c);
    hl_arena_deinit(&c->arena);
    return holds;
}

/* Makes one size smaller if the law still fails then: first as small as may be,
 * then half way, then by one. */
static bool
shrink_dim(const struct law *law, struct law_case *worst, int dim)
{
    int lo = worst->dims[dim].lo, now = worst->dims[dim].value;
    const int tries[] = { lo, lo + (now - lo) / 2, now - 1 };
    for (int i = 0; i < 3; i++) {
        int forced[LAW_MAX_DIMS];
        struct law_case c;
        if (tries[i] < lo || tries[i] >= now)
            continue;
        for (int d = 0; d < worst->n_dims; d++)
            forced[d] = worst->dims[d].value;
        forced[dim] = tries[i];
        if (!try_case(law, worst->seed, worst->n_dims, forced, &c)) {
            *worst = c;
            return true;
        }
    }
    return false;
}

static void
describe(const struct law_case *c, char *buf, size_t buf_sz)
{
    size_t n = (size_t)snprintf(buf, buf_sz, "seed %llu,", (unsigned long long)c->seed);
    for (int d = 0; d < c->n_dims && n < buf_sz; d++)
        n += (size_t)snprintf(buf + n, buf_sz - n, " %s=%d", c->dims[d].name, c->dims[d].value);
    if (n < buf_sz)
        snprintf(buf + n, buf_sz - n, ": %s", c->why[0] ? c->why : "it does not hold");
}

struct law_report
law_check(const struct law *law, uint64_t seed, int n)
{
    struct law_report r = { .holds = true };
    for (int i = 0; i < n && r.holds; i++) {
        struct law_case c;
        if (try_case(law, seed + (uint64_t)i, 0, NULL, &c))
            continue;
        for (bool smaller = true; smaller;) {
            smaller = false;
            for (int d = 0; d < c.n_dims; d++)
                smaller = shrink_dim(law, &c, d) || smaller;
        }
        r.holds = false;
        r.seed = c.seed;
        describe(&c, r.text, sizeof(r.text));
    }
    return r;
}

struct plan {
    const struct law *law;
    uint64_t seed;
    int cases;
};

static void
run_plan(void **state)
{
    const struct plan *p = *state;
    struct law_report r = law_check(p->law, p->seed, p->cases);
    if (!r.holds)
        fail_msg("%s\n    %s", p->law->name, r.text);
}

int
law_main(const struct law *laws, int n_laws, int argc, char **argv)
{
    uint64_t seed = DEFAULT_SEED;
    int cases = DEFAULT_CASES;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--cases") == 0)
            cases = atoi(argv[i + 1]);
    }
    printf("seed %llu, %d cases for each law\n", (unsigned long long)seed, cases);
    struct plan plans[32];
    struct CMUnitTest tests[32];
    if (n_laws > 32)
        abort();
    for (int i = 0; i < n_laws; i++) {
        plans[i] = (struct plan) { &laws[i], seed, cases };
        tests[i] = (struct CMUnitTest) { .name = laws[i].name,
                                         .test_func = run_plan,
                                         .initial_state = &plans[i] };
    }
    return _cmocka_run_group_tests("laws", tests, (size_t)n_laws, NULL, NULL);
}
