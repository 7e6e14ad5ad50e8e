#include "nn/block.h"

#include <string.h>

/* Scratch of one call: arrays of n rows and a row of scores. */
struct work {
    float *in;     /* [n,D] input of a sublayer, then its output */
    float *q;      /* [n,Q] */
    float *k, *v;  /* [n,K] */
    float *mixed;  /* [n,Q] heads side by side */
    float *hidden; /* [n,F] */
    float *gate;   /* [n,F], if there is one */
    float *row;    /* [n_k] */
};

/* Columns of a head, of the queries, of keys and values. */
static int
head_width(const struct hl_block *b)
{
    return b->d_head > 0 ? b->d_head : b->d / b->n_heads;
}

static int
q_width(const struct hl_block *b)
{
    return b->n_heads * head_width(b);
}

static int
kv_width(const struct hl_block *b)
{
    return (b->n_kv_heads > 0 ? b->n_kv_heads : b->n_heads) * head_width(b);
}

static int
hidden_width(const struct hl_block *b)
{
    return b->ffn.fc1.w.rows + b->ffn.gate.w.rows;
}

size_t
hl_block_scratch(const struct hl_block *b, int n, int n_k)
{
    size_t row =
        (size_t)b->d + 2 * (size_t)q_width(b) + 2 * (size_t)kv_width(b) + (size_t)hidden_width(b);
    return (size_t)n * row + (size_t)n_k;
}

static struct work
work_of(const struct hl_block *b, int n, float *scratch)
{
    ptrdiff_t nq = (ptrdiff_t)n * q_width(b), nk = (ptrdiff_t)n * kv_width(b);
    struct work w = { .in = scratch };
    w.q = w.in + (ptrdiff_t)n * b->d;
    w.k = w.q + nq;
    w.v = w.k + nk;
    w.mixed = w.v + nk;
    w.hidden = w.mixed + nq;
    w.gate = w.hidden + (ptrdiff_t)n * b->ffn.fc1.w.rows;
    w.row = w.hidden + (ptrdiff_t)n * hidden_width(b);
    return w;
}

/* What a sublayer reads: x itself, or its normalised copy in w->in. */
static const float *
enter(const struct hl_block *b, const struct hl_norm *norm, int n, const float *x, struct work *w)
{
    if (!b->pre_norm)
        return x;
    hl_norm_apply(norm, n, x, b->d, w->in, b->d);
    return w->in;
}

/* Adds the sublayer's output w->in to x. */
static void
leave(const struct hl_block *b, const struct hl_norm *norm, int n, float *x, const struct work *w)
{
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n * b->d; i++)
        x[i] += w->in[i];
    if (!b->pre_norm)
        hl_norm_apply(norm, n, x, b->d, x, b->d);
}

static void
feed_forward(const struct hl_block *b, int n, float *x, struct work *w)
{
    int f = b->ffn.fc1.w.rows;
    const float *in = enter(b, &b->ffn.norm, n, x, w);
    hl_linear_apply(&b->ffn.fc1, n, in, b->d, w->hidden, f);
    hl_act_apply(b->act, n * f, w->hidden, w->hidden);
    if (b->ffn.gate.w.p) {
        hl_linear_apply(&b->ffn.gate, n, in, b->d, w->gate, f);
        for (ptrdiff_t i = 0; i < (ptrdiff_t)n * f; i++)
            w->hidden[i] *= w->gate[i];
    }
    hl_linear_apply(&b->ffn.fc2, n, w->hidden, f, w->in, b->d);
    leave(b, &b->ffn.norm, n, x, w);
}

/* The place wanted for a captured vector, else the scratch. */
static float *
chosen(float *captured, float *own)
{
    return captured ? captured : own;
}

static struct hl_mha
heads(const struct hl_block *b, const struct hl_block_capture *c, const struct work *w)
{
    return (struct hl_mha) {
        .n_heads = b->n_heads,
        .d_head = head_width(b),
        .n_kv_heads = b->n_kv_heads,
        .scale = b->scale,
        .q_stride = q_width(b),
        .k_stride = kv_width(b),
        .v_stride = kv_width(b),
        .out = w->mixed,
        .out_stride = q_width(b),
        .weights = c->weights,
        .scores = c->scores,
        .n_cols = c->n_cols,
        .scratch = w->row,
    };
}

static const struct hl_block_capture nothing = { 0 };

/* Turns a row of queries or keys, `width` columns, as its position asks. */
static void
turn(const struct hl_block *b, int position, int width, float *row)
{
    if (b->rope)
        hl_rope_turn(b->rope, position, width / head_width(b), row);
}

void
hl_block_encode(const struct hl_block *b, int n, float *x, const uint8_t *mask,
                const struct hl_block_capture *capture, float *scratch)
{
    const struct hl_block_capture *c = capture ? capture : &nothing;
    struct work w = work_of(b, n, scratch);
    float *q = chosen(c->q, w.q), *k = chosen(c->k, w.k), *v = chosen(c->v, w.v);
    const float *in = enter(b, &b->self.norm, n, x, &w);
    int dq = q_width(b), dk = kv_width(b);
    hl_linear_apply(&b->self.q, n, in, b->d, q, dq);
    hl_linear_apply(&b->self.k, n, in, b->d, k, dk);
    hl_linear_apply(&b->self.v, n, in, b->d, v, dk);
    for (int i = 0; i < n; i++) {
        turn(b, i, dq, q + (ptrdiff_t)i * dq);
        turn(b, i, dk, k + (ptrdiff_t)i * dk);
    }
    struct hl_mha a = heads(b, c, &w);
    a.n_q = a.n_k = n;
    a.q = q;
    a.k = k;
    a.v = v;
    a.mask = mask;
    hl_mha_run(&a);
    hl_linear_apply(&b->self.o, n, w.mixed, dq, w.in, b->d);
    leave(b, &b->self.norm, n, x, &w);
    feed_forward(b, n, x, &w);
}

void
hl_block_cross_kv(const struct hl_block *b, int n, const float *src, struct hl_block_kv out)
{
    hl_linear_apply(&b->cross.k, n, src, b->d, out.k, kv_width(b));
    hl_linear_apply(&b->cross.v, n, src, b->d, out.v, kv_width(b));
}

static void
self_attend(const struct hl_block *b, int n, const struct hl_block_row *rows, float *x,
            const struct hl_block_capture *c, struct work *w)
{
    float *q = chosen(c->q, w->q);
    const float *in = enter(b, &b->self.norm, n, x, w);
    int dq = q_width(b), dk = kv_width(b);
    hl_linear_apply(&b->self.q, n, in, b->d, q, dq);
    hl_linear_apply(&b->self.k, n, in, b->d, w->k, dk);
    hl_linear_apply(&b->self.v, n, in, b->d, w->v, dk);
    size_t row_sz = (size_t)dk * sizeof(float);
    for (int i = 0; i < n; i++) {
        ptrdiff_t from = (ptrdiff_t)i * dk, to = (ptrdiff_t)rows[i].t * dk;
        turn(b, rows[i].t, dq, q + (ptrdiff_t)i * dq);
        turn(b, rows[i].t, dk, w->k + from);
        memcpy(rows[i].kv.k + to, w->k + from, row_sz);
        memcpy(rows[i].kv.v + to, w->v + from, row_sz);
    }
    struct hl_mha a = heads(b, c, w);
    a.n_q = 1;
    for (int i = 0; i < n; i++) {
        a.q = q + (ptrdiff_t)i * dq;
        a.out = w->mixed + (ptrdiff_t)i * dq;
        a.k = rows[i].kv.k;
        a.v = rows[i].kv.v;
        a.n_k = rows[i].t + 1;
        hl_mha_run(&a);
        a.weights.p = a.weights.p ? a.weights.p + a.weights.row_stride : NULL;
        a.scores.p = a.scores.p ? a.scores.p + a.scores.row_stride : NULL;
    }
    hl_linear_apply(&b->self.o, n, w->mixed, dq, w->in, b->d);
    leave(b, &b->self.norm, n, x, w);
}

static void
cross_attend(const struct hl_block *b, int n, float *x, struct hl_block_kv kv, int n_src,
             const struct hl_block_capture *c, struct work *w)
{
    float *q = chosen(c->q, w->q);
    const float *in = enter(b, &b->cross.norm, n, x, w);
    hl_linear_apply(&b->cross.q, n, in, b->d, q, q_width(b));
    struct hl_mha a = heads(b, c, w);
    a.n_q = n;
    a.n_k = n_src;
    a.q = q;
    a.k = kv.k;
    a.v = kv.v;
    hl_mha_run(&a);
    hl_linear_apply(&b->cross.o, n, w->mixed, q_width(b), w->in, b->d);
    leave(b, &b->cross.norm, n, x, w);
}

void
hl_block_decode(const struct hl_block *b, int n, const struct hl_block_row *rows, float *x,
                struct hl_block_kv cross, int n_src, const struct hl_block_capture *self,
                const struct hl_block_capture *cross_capture, float *scratch)
{
    struct work w = work_of(b, n, scratch);
    self_attend(b, n, rows, x, self ? self : &nothing, &w);
    if (b->cross.q.w.p)
        cross_attend(b, n, x, cross, n_src, cross_capture ? cross_capture : &nothing, &w);
    feed_forward(b, n, x, &w);
}
