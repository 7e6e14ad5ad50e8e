/* Cost of a decoder pass with the sizes of the shipped Transformer (4 blocks, width
 * 256, 8 heads, feed-forward 1,024, 8,000 outputs, weights in F16), attention and
 * captures included: one row behind a cache, and batches as a draft or a forced
 * target gives them. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/arena.h"
#include "base/rng.h"
#include "nn/block.h"
#include "num/reduce.h"

enum { D = 256, H = 8, F = 1024, V = 8000, L = 4, S = 24, MAX_T = 48, TRIES = 31 };

struct model {
    struct hl_arena arena;
    struct hl_rng rng;
    struct hl_block blocks[L];
    struct hl_linear output;
    struct hl_block_kv cross[L], cache[L];
    struct hl_block_capture self[L], over[L];
    float *x, *start, *logits, *scratch;
};

static double
now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void *
checked(void *p)
{
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return p;
}

static float *
floats(struct model *m, int n, double spread)
{
    float *p = checked(hl_arena_floats(&m->arena, n));
    for (int i = 0; i < n; i++)
        p[i] = (float)(spread * (2.0 * hl_rng_uniform(&m->rng) - 1.0));
    return p;
}

static struct hl_linear
linear(struct model *m, int out, int in)
{
    uint16_t *w = checked(hl_arena_new(&m->arena, out * in, uint16_t));
    for (int i = 0; i < out * in; i++)
        w[i] = hl_dtype_f32_to_f16((float)(0.1 * (hl_rng_uniform(&m->rng) - 0.5)));
    return (struct hl_linear) { { w, HL_DTYPE_F16, out, in }, floats(m, out, 0.1) };
}

static struct hl_norm
norm(struct model *m)
{
    return (struct hl_norm) { floats(m, D, 1.0), floats(m, D, 0.1), D, 1e-5f };
}

static struct hl_block_attn
attention(struct model *m)
{
    return (struct hl_block_attn) { linear(m, D, D), linear(m, D, D), linear(m, D, D),
                                    linear(m, D, D), norm(m) };
}

static struct hl_block_capture
capture(struct model *m, int n_cols)
{
    struct hl_mha_out w = { floats(m, H * MAX_T * n_cols, 0.0), MAX_T * n_cols, n_cols };
    struct hl_mha_out s = { floats(m, H * MAX_T * n_cols, 0.0), MAX_T * n_cols, n_cols };
    return (struct hl_block_capture) { .weights = w, .scores = s, .n_cols = n_cols };
}

static void
build(struct model *m)
{
    hl_arena_init(&m->arena, 1 << 24, 0);
    hl_rng_init(&m->rng, 1);
    float *src = floats(m, S * D, 1.0);
    m->x = floats(m, MAX_T * D, 1.0);
    m->start = floats(m, MAX_T * D, 1.0);
    m->logits = floats(m, MAX_T * V, 0.0);
    for (int l = 0; l < L; l++) {
        struct hl_block *b = &m->blocks[l];
        *b = (struct hl_block) { .d = D, .n_heads = H, .act = HL_ACT_RELU };
        b->self = attention(m);
        b->cross = attention(m);
        b->ffn = (struct hl_block_ffn) { .fc1 = linear(m, F, D),
                                         .fc2 = linear(m, D, F),
                                         .norm = norm(m) };
        m->cross[l] = (struct hl_block_kv) { floats(m, S * D, 0.0), floats(m, S * D, 0.0) };
        m->cache[l] = (struct hl_block_kv) { floats(m, MAX_T * D, 1.0), floats(m, MAX_T * D, 1.0) };
        m->self[l] = capture(m, MAX_T);
        m->over[l] = capture(m, S);
        hl_block_cross_kv(b, S, src, m->cross[l]);
    }
    m->output = linear(m, V, D);
    m->scratch = floats(m, (int)hl_block_scratch(&m->blocks[0], MAX_T, MAX_T), 0.0);
}

/* Rows t0 .. t0 + n - 1; gives the best word of the last one. */
static int
pass(struct model *m, int t0, int n)
{
    for (int i = 0; i < n * D; i++)
        m->x[i] = m->start[i];
    for (int l = 0; l < L; l++) {
        struct hl_block_row rows[MAX_T];
        for (int i = 0; i < n; i++)
            rows[i] = (struct hl_block_row) { m->cache[l], t0 + i };
        hl_block_decode(&m->blocks[l], n, rows, m->x, m->cross[l], S, &m->self[l], &m->over[l],
                        m->scratch);
    }
    hl_linear_apply(&m->output, n, m->x, D, m->logits, V);
    int best = -1;
    for (int i = 0; i < n; i++)
        best = hl_reduce_argmax(m->logits + i * V, V);
    return best;
}

static int
by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int
main(void)
{
    static struct model m;
    static const int sizes[] = { 1, 4, 8, 16, 25 };
    build(&m);
    for (int s = 0; s < 5; s++) {
        double ms[TRIES];
        int n = sizes[s], t0 = n == 1 ? 20 : 0, word = 0;
        for (int i = -2; i < TRIES; i++) {
            double start = now_ms();
            word ^= pass(&m, t0, n);
            if (i >= 0)
                ms[i] = now_ms() - start;
        }
        qsort(ms, TRIES, sizeof(ms[0]), by_value);
        printf("decoder pass, %2d rows: median %.3f ms, best %.3f ms (word %d)\n", n, ms[TRIES / 2],
               ms[0], word);
    }
    hl_arena_deinit(&m.arena);
    return 0;
}
