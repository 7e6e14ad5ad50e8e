#include "nn/memhead.h"

#include <math.h>
#include <stddef.h>

#include "attn/align.h"
#include "num/act.h"
#include "num/kernels/kernels.h"
#include "num/softmax.h"

/* Keeps an empty slot or key from dividing by 0. */
static const float TINY = 1e-8f;

int
hl_memhead_rows(int width, int n_shifts, bool write)
{
    return (write ? 3 : 1) * width + n_shifts + 3;
}

/* ln(1 + e^x), exact on both sides of 0. */
static float
softplus(float x)
{
    return (x > 0.0f ? x : 0.0f) + log1pf(expf(-fabsf(x)));
}

void
hl_memhead_squash(const float *rows, int width, int n_shifts, struct hl_memhead *h)
{
    const float *at = rows + width;

    hl_act_apply(HL_ACT_TANH, width, rows, h->key);
    h->strength = softplus(*at++);
    hl_act_apply(HL_ACT_SIGMOID, 1, at++, &h->gate);
    hl_softmax(at, NULL, n_shifts, 1.0f, h->shift);
    at += n_shifts;
    h->gamma = 1.0f + softplus(*at++);
    if (h->erase) {
        hl_act_apply(HL_ACT_SIGMOID, width, at, h->erase);
        hl_act_apply(HL_ACT_TANH, width, at + width, h->add);
    }
}

void
hl_memhead_norms(const float *memory, int n, int width, float *out)
{
    const struct hl_kernels *k = hl_kernels_get();
    for (int i = 0; i < n; i++) {
        const float *slot = memory + (ptrdiff_t)i * width;
        k->dots(slot, slot, width, 1, width, 1.0f, &out[i]);
        out[i] = sqrtf(out[i]);
    }
}

void
hl_memhead_cosine(const float *key, const float *memory, const float *norms, int n, int width,
                  float *out)
{
    float length;
    hl_memhead_norms(key, 1, width, &length);
    hl_kernels_get()->dots(key, memory, width, n, width, 1.0f, out);
    for (int i = 0; i < n; i++)
        out[i] /= length * norms[i] + TINY;
}

void
hl_memhead_content(const float *cosine, float strength, int n, float *out)
{
    for (int i = 0; i < n; i++)
        out[i] = strength * cosine[i];
    hl_softmax(out, NULL, n, 1.0f, out);
}

void
hl_memhead_gate(const float *content, const float *previous, float gate, int n, float *out)
{
    for (int i = 0; i < n; i++)
        out[i] = gate * content[i] + (1.0f - gate) * previous[i];
}

void
hl_memhead_shift(const float *gated, int n, const float *shift, int n_shifts, float *out)
{
    int reach = n_shifts / 2;

    for (int i = 0; i < n; i++)
        out[i] = 0.0f;
    for (int k = 0; k < n_shifts; k++) {
        int by = ((k - reach) % n + n) % n;
        /* two runs, so that no index needs a remainder */
        for (int i = 0; i < n - by; i++)
            out[by + i] += shift[k] * gated[i];
        for (int i = n - by; i < n; i++)
            out[by + i - n] += shift[k] * gated[i];
    }
}

void
hl_memhead_sharpen(const float *shifted, float gamma, int n, float *out)
{
    float top = 0.0f;
    for (int i = 0; i < n; i++)
        top = shifted[i] > top ? shifted[i] : top;
    for (int i = 0; i < n; i++)
        out[i] = top > 0.0f ? gamma * logf(shifted[i] / top) : -INFINITY;
    hl_softmax(out, NULL, n, 1.0f, out);
}

void
hl_memhead_read(const float *w, const float *memory, int n, int width, float *out)
{
    hl_align_soft(w, memory, width, n, width, out);
}

void
hl_memhead_write(const float *w, const float *erase, const float *add, const float *memory, int n,
                 int width, float *out)
{
    for (int i = 0; i < n; i++) {
        const float *slot = memory + (ptrdiff_t)i * width;
        float *to = out + (ptrdiff_t)i * width;
        for (int c = 0; c < width; c++)
            to[c] = slot[c] * (1.0f - w[i] * erase[c]) + w[i] * add[c];
    }
}
