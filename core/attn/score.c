#include "attn/score.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "num/kernels/kernels.h"
#include "num/reduce.h"

static const float *
key(const struct hl_score_input *in, int j)
{
    return in->k + j * in->k_stride;
}

static double
dot_ref(const float *a, const float *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += (double)a[i] * (double)b[i];
    return sum;
}

static void
additive(const struct hl_score_params *p, const struct hl_score_input *in, float *scratch,
         float *out)
{
    const struct hl_kernels *kernels = hl_kernels_get();
    for (int j = 0; j < in->n; j++) {
        const float *k = key(in, j);
        for (int c = 0; c < p->d; c++)
            scratch[c] = in->q[c] + k[c];
        kernels->tanh(scratch, p->d, scratch);
        out[j] = hl_reduce_dot(p->v, scratch, p->d);
    }
}

static void
additive_ref(const struct hl_score_params *p, const struct hl_score_input *in, double *out)
{
    for (int j = 0; j < in->n; j++) {
        out[j] = 0.0;
        for (int c = 0; c < p->d; c++)
            out[j] += (double)p->v[c] * tanh((double)in->q[c] + (double)key(in, j)[c]);
    }
}

static void
dot(const struct hl_score_params *p, const struct hl_score_input *in, float *scratch, float *out)
{
    (void)scratch;
    hl_kernels_get()->dots(in->q, in->k, in->k_stride, in->n, p->d, 1.0f, out);
}

static void
dots_ref(const struct hl_score_params *p, const struct hl_score_input *in, double *out)
{
    for (int j = 0; j < in->n; j++)
        out[j] = dot_ref(in->q, key(in, j), p->d);
}

/* q^T W is the same for all keys, so it is taken first. */
static void
general(const struct hl_score_params *p, const struct hl_score_input *in, float *scratch,
        float *out)
{
    hl_kernels_get()->mix(in->q, p->w, p->d, p->d, p->d, scratch);
    hl_kernels_get()->dots(scratch, in->k, in->k_stride, in->n, p->d, 1.0f, out);
}

static void
general_ref(const struct hl_score_params *p, const struct hl_score_input *in, double *out)
{
    for (int j = 0; j < in->n; j++) {
        out[j] = 0.0;
        for (int c = 0; c < p->d; c++)
            out[j] += (double)in->q[c] * dot_ref(p->w + (ptrdiff_t)c * p->d, key(in, j), p->d);
    }
}

static void
scaled(const struct hl_score_params *p, const struct hl_score_input *in, float *scratch, float *out)
{
    (void)scratch;
    float scale = (float)(1.0 / sqrt((double)p->d));
    hl_kernels_get()->dots(in->q, in->k, in->k_stride, in->n, p->d, scale, out);
}

static void
scaled_ref(const struct hl_score_params *p, const struct hl_score_input *in, double *out)
{
    for (int j = 0; j < in->n; j++)
        out[j] = dot_ref(in->q, key(in, j), p->d) / sqrt((double)p->d);
}

static void
cosine(const struct hl_score_params *p, const struct hl_score_input *in, float *scratch, float *out)
{
    (void)scratch;
    float q_len = sqrtf(hl_reduce_dot(in->q, in->q, p->d));
    hl_kernels_get()->dots(in->q, in->k, in->k_stride, in->n, p->d, 1.0f, out);
    for (int j = 0; j < in->n; j++) {
        float k_len = sqrtf(hl_reduce_dot(key(in, j), key(in, j), p->d));
        out[j] = p->strength * (out[j] / fmaxf(q_len * k_len, 1e-8f));
    }
}

static void
cosine_ref(const struct hl_score_params *p, const struct hl_score_input *in, double *out)
{
    double q_len = sqrt(dot_ref(in->q, in->q, p->d));
    for (int j = 0; j < in->n; j++) {
        double k_len = sqrt(dot_ref(key(in, j), key(in, j), p->d));
        out[j] = (double)p->strength * dot_ref(in->q, key(in, j), p->d) / fmax(q_len * k_len, 1e-8);
    }
}

/* Keys without a row of their own are minus infinity: nothing can look there. */
static void
location(const struct hl_score_params *p, const struct hl_score_input *in, float *scratch,
         float *out)
{
    (void)scratch;
    int n = in->n < p->max_keys ? in->n : p->max_keys;
    struct hl_weight w = { p->location_w, HL_DTYPE_F32, n, p->d_state };
    hl_weight_apply(&w, p->location_b, 1, in->state, p->d_state, out, n);
    for (int j = n; j < in->n; j++)
        out[j] = -INFINITY;
}

static void
location_ref(const struct hl_score_params *p, const struct hl_score_input *in, double *out)
{
    for (int j = 0; j < in->n; j++) {
        out[j] = -(double)INFINITY;
        if (j < p->max_keys)
            out[j] = dot_ref(p->location_w + (ptrdiff_t)j * p->d_state, in->state, p->d_state) +
                     (double)p->location_b[j];
    }
}

const struct hl_score_row hl_score_table[] = {
    [HL_SCORE_ADDITIVE] = { "additive", "additive (Bahdanau 2015)", "e_j = vᵀ tanh(q + k_j)",
                            "Bahdanau, Cho and Bengio, Neural Machine Translation by Jointly "
                            "Learning to Align and Translate, 2015",
                            additive, additive_ref },
    [HL_SCORE_DOT] = { "dot", "dot (Luong 2015)", "e_j = q · k_j",
                       "Luong, Pham and Manning, Effective Approaches to Attention-based Neural "
                       "Machine Translation, 2015",
                       dot, dots_ref },
    [HL_SCORE_GENERAL] = { "general", "general (Luong 2015)", "e_j = qᵀ W k_j",
                           "Luong, Pham and Manning, Effective Approaches to Attention-based "
                           "Neural Machine Translation, 2015",
                           general, general_ref },
    [HL_SCORE_SCALED] = { "scaled", "scaled dot (Vaswani 2017)", "e_j = q · k_j / √A",
                          "Vaswani et al., Attention Is All You Need, 2017", scaled, scaled_ref },
    [HL_SCORE_COSINE] = { "cosine", "cosine (Graves 2014)", "e_j = β q · k_j / (|q| |k_j|)",
                          "Graves, Wayne and Danihelka, Neural Turing Machines, 2014", cosine,
                          cosine_ref },
    [HL_SCORE_LOCATION] = { "location", "location (Luong 2015)", "e_j = (W s + b)_j",
                            "Luong, Pham and Manning, Effective Approaches to Attention-based "
                            "Neural Machine Translation, 2015, equation 8",
                            location, location_ref },
};
static_assert(sizeof(hl_score_table) / sizeof(hl_score_table[0]) == HL_SCORE_COUNT,
              "one row for each score");

int
hl_score_find(const char *name)
{
    for (int i = 0; i < HL_SCORE_COUNT; i++) {
        if (strcmp(hl_score_table[i].name, name) == 0)
            return i;
    }
    return -1;
}
