/*
 * The parts of training that PyTorch does slowly on a processor: everything
 * that is not a matrix product. Activations (`act`) are bfloat16, or float32
 * with HEADLIGHT_FLOAT where products of bfloat16 are slow; sums are float32.
 * Built by kernels.py with the C compiler at hand; one thread, no state.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef HEADLIGHT_FLOAT
typedef float act;

static inline float
widen(act x)
{
    return x;
}

static inline act
narrow(float x)
{
    return x;
}
#else
typedef uint16_t act;

static inline float
widen(act x)
{
    union { uint32_t u; float f; } a = { .u = (uint32_t)x << 16 };
    return a.f;
}

static inline act
narrow(float x)
{
    union { uint32_t u; float f; } a = { .f = x };
    return (act)((a.u + 0x7fffu + ((a.u >> 16) & 1u)) >> 16);
}
#endif

/* A counter-based random word: dropout masks are computed, never stored. */
static inline uint32_t
mix(uint32_t seed, uint32_t index)
{
    uint32_t x = index * 0x9e3779b1u + seed;
    x ^= x >> 16;
    x *= 0x85ebca6bu;
    x ^= x >> 13;
    x *= 0xc2b2ae35u;
    return x ^ (x >> 16);
}

/* 0 where dropped, else 1 / keep. limit = drop probability * 2^32. */
static inline float
kept(uint32_t seed, uint32_t index, uint32_t limit, float scale)
{
    return mix(seed, index) >= limit ? scale : 0.0f;
}

static uint32_t
drop_limit(float drop)
{
    return (uint32_t)(drop * 4294967295.0);
}

void
dropout(long n, float drop, uint32_t seed, const act *x, act *y)
{
    uint32_t limit = drop_limit(drop);
    float scale = 1.0f / (1.0f - drop);
    for (long i = 0; i < n; i++)
        y[i] = narrow(widen(x[i]) * kept(seed, (uint32_t)i, limit, scale));
}

/* out[i] = dropout(scale * table[ids[i]] + positions[i % length]) */
void
embed(long n, long d, long length, float scale, float drop, uint32_t seed, const int64_t *ids,
      const float *table, const float *positions, act *out)
{
    uint32_t limit = drop_limit(drop);
    float keep = 1.0f / (1.0f - drop);
    for (long i = 0; i < n; i++) {
        const float *row = table + ids[i] * d;
        const float *place = positions ? positions + (i % length) * d : NULL;
        for (long j = 0; j < d; j++) {
            float x = scale * row[j] + (place ? place[j] : 0.0f);
            out[i * d + j] = narrow(x * kept(seed, (uint32_t)(i * d + j), limit, keep));
        }
    }
}

void
embed_backward(long n, long d, float scale, float drop, uint32_t seed, const int64_t *ids,
               const act *dout, float *dtable)
{
    uint32_t limit = drop_limit(drop);
    float keep = scale / (1.0f - drop);
    for (long i = 0; i < n; i++) {
        float *row = dtable + ids[i] * d;
        for (long j = 0; j < d; j++)
            row[j] += widen(dout[i * d + j]) * kept(seed, (uint32_t)(i * d + j), limit, keep);
    }
}

/* out = layernorm(x + dropout(y)); keeps the normalised rows and 1/sigma. */
void
add_norm(long n, long d, float drop, uint32_t seed, const act *x, const act *y,
         const float *gain, const float *bias, act *out, act *hat, float *inverse)
{
    uint32_t limit = drop_limit(drop);
    float keep = 1.0f / (1.0f - drop);
    float row[2048];
    for (long i = 0; i < n; i++) {
        const act *xi = x + i * d, *yi = y + i * d;
        float sum = 0.0f, square = 0.0f;
        for (long j = 0; j < d; j++) {
            row[j] = widen(xi[j])
                     + widen(yi[j]) * kept(seed, (uint32_t)(i * d + j), limit, keep);
            sum += row[j];
        }
        float mean = sum / (float)d;
        for (long j = 0; j < d; j++) {
            row[j] -= mean;
            square += row[j] * row[j];
        }
        float r = 1.0f / sqrtf(square / (float)d + 1e-5f);
        inverse[i] = r;
        for (long j = 0; j < d; j++) {
            float h = row[j] * r;
            hat[i * d + j] = narrow(h);
            out[i * d + j] = narrow(h * gain[j] + bias[j]);
        }
    }
}

void
add_norm_backward(long n, long d, float drop, uint32_t seed, const act *dout, const act *hat,
                  const float *inverse, const float *gain, act *dx, act *dy, float *dgain,
                  float *dbias)
{
    uint32_t limit = drop_limit(drop);
    float keep = 1.0f / (1.0f - drop);
    float g[2048], h[2048];
    for (long i = 0; i < n; i++) {
        float a = 0.0f, b = 0.0f;
        for (long j = 0; j < d; j++) {
            float o = widen(dout[i * d + j]);
            h[j] = widen(hat[i * d + j]);
            dgain[j] += o * h[j];
            dbias[j] += o;
            g[j] = o * gain[j];
            a += g[j];
            b += g[j] * h[j];
        }
        a /= (float)d;
        b /= (float)d;
        for (long j = 0; j < d; j++) {
            float t = inverse[i] * (g[j] - a - h[j] * b);
            dx[i * d + j] = narrow(t);
            dy[i * d + j] =
                narrow(t * kept(seed, (uint32_t)(i * d + j), limit, keep));
        }
    }
}

/*
 * Multi-head attention of width 32 a head for a batch without source padding.
 * Rows of q, k, v lie `qs`, `ks` apart; weights are [batch, head, query, key].
 */
enum { WIDTH = 32, LONGEST = 160 };

static void
load(long rows, long stride, const act *from, float *to)
{
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < WIDTH; j++)
            to[i * WIDTH + j] = widen(from[i * stride + j]);
}

void
attend(long batch, long heads, long nq, long nk, long qs, long ks, int causal, const act *q,
       const act *k, const act *v, act *out, float *weights)
{
    float kf[LONGEST * WIDTH], vf[LONGEST * WIDTH], qf[WIDTH], kt[WIDTH * LONGEST];
    const float scale = 1.0f / sqrtf((float)WIDTH);
    for (long b = 0; b < batch; b++)
        for (long h = 0; h < heads; h++) {
            load(nk, ks, k + b * nk * ks + h * WIDTH, kf);
            load(nk, ks, v + b * nk * ks + h * WIDTH, vf);
            for (long j = 0; j < nk; j++)
                for (long c = 0; c < WIDTH; c++)
                    kt[c * nk + j] = kf[j * WIDTH + c];
            for (long i = 0; i < nq; i++) {
                float *w = weights + ((b * heads + h) * nq + i) * nk;
                long seen = causal ? i + 1 : nk;
                load(1, 0, q + (b * nq + i) * qs + h * WIDTH, qf);
                for (long j = 0; j < nk; j++)
                    w[j] = 0.0f;
                for (long c = 0; c < WIDTH; c++)
                    for (long j = 0; j < seen; j++)
                        w[j] += qf[c] * kt[c * nk + j];
                float top = w[0];
                for (long j = 1; j < seen; j++)
                    top = w[j] > top ? w[j] : top;
                float sum = 0.0f;
                for (long j = 0; j < seen; j++) {
                    w[j] = expf((w[j] - top) * scale);
                    sum += w[j];
                }
                float acc[WIDTH] = { 0 };
                sum = 1.0f / sum;
                for (long j = 0; j < seen; j++) {
                    w[j] *= sum;
                    for (long c = 0; c < WIDTH; c++)
                        acc[c] += w[j] * vf[j * WIDTH + c];
                }
                act *o = out + ((b * nq + i) * heads + h) * WIDTH;
                for (long c = 0; c < WIDTH; c++)
                    o[c] = narrow(acc[c]);
            }
        }
}

/* `extra`, if given, is a further gradient of the weights. */
void
attend_backward(long batch, long heads, long nq, long nk, long qs, long ks, int causal,
                const act *q, const act *k, const act *v, const float *weights,
                const act *dout, const float *extra, act *dq, act *dk, act *dv)
{
    float kf[LONGEST * WIDTH], vf[LONGEST * WIDTH], vt[WIDTH * LONGEST];
    float dkf[LONGEST * WIDTH], dvf[LONGEST * WIDTH];
    float qf[WIDTH], of[WIDTH], dw[LONGEST];
    const float scale = 1.0f / sqrtf((float)WIDTH);
    for (long b = 0; b < batch; b++)
        for (long h = 0; h < heads; h++) {
            load(nk, ks, k + b * nk * ks + h * WIDTH, kf);
            load(nk, ks, v + b * nk * ks + h * WIDTH, vf);
            for (long j = 0; j < nk; j++)
                for (long c = 0; c < WIDTH; c++)
                    vt[c * nk + j] = vf[j * WIDTH + c];
            memset(dkf, 0, sizeof(float) * (size_t)(nk * WIDTH));
            memset(dvf, 0, sizeof(float) * (size_t)(nk * WIDTH));
            for (long i = 0; i < nq; i++) {
                const float *w = weights + ((b * heads + h) * nq + i) * nk;
                long seen = causal ? i + 1 : nk;
                load(1, 0, q + (b * nq + i) * qs + h * WIDTH, qf);
                load(1, 0, dout + ((b * nq + i) * heads + h) * WIDTH, of);
                for (long j = 0; j < seen; j++)
                    dw[j] = extra ? extra[((b * heads + h) * nq + i) * nk + j] : 0.0f;
                for (long c = 0; c < WIDTH; c++)
                    for (long j = 0; j < seen; j++)
                        dw[j] += of[c] * vt[c * nk + j];
                float dot = 0.0f;
                for (long j = 0; j < seen; j++)
                    dot += dw[j] * w[j];
                float acc[WIDTH] = { 0 };
                for (long j = 0; j < seen; j++) {
                    float de = w[j] * (dw[j] - dot) * scale;
                    for (long c = 0; c < WIDTH; c++) {
                        dvf[j * WIDTH + c] += w[j] * of[c];
                        dkf[j * WIDTH + c] += de * qf[c];
                        acc[c] += de * kf[j * WIDTH + c];
                    }
                }
                act *o = dq + (b * nq + i) * qs + h * WIDTH;
                for (long c = 0; c < WIDTH; c++)
                    o[c] = narrow(acc[c]);
            }
            for (long j = 0; j < nk; j++)
                for (long c = 0; c < WIDTH; c++) {
                    dk[(b * nk + j) * ks + h * WIDTH + c] = narrow(dkf[j * WIDTH + c]);
                    dv[(b * nk + j) * ks + h * WIDTH + c] = narrow(dvf[j * WIDTH + c]);
                }
        }
}

/* y = max(0, x + bias) in place, and its gradient. */
void
bias_relu(long n, long d, const float *bias, act *x)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < d; j++) {
            float y = widen(x[i * d + j]) + bias[j];
            x[i * d + j] = narrow(y > 0.0f ? y : 0.0f);
        }
}

void
bias_relu_backward(long n, long d, const act *y, act *dy, float *dbias)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < d; j++) {
            float g = y[i * d + j] ? widen(dy[i * d + j]) : 0.0f;
            dy[i * d + j] = narrow(g);
            dbias[j] += g;
        }
}

void
add_bias(long n, long d, const float *bias, act *x)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < d; j++)
            x[i * d + j] = narrow(widen(x[i * d + j]) + bias[j]);
}

void
sum_rows(long n, long d, const act *x, float *sum)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < d; j++)
            sum[j] += widen(x[i * d + j]);
}

void
accumulate(long n, const act *x, float *sum)
{
    for (long i = 0; i < n; i++)
        sum[i] += widen(x[i]);
}

/*
 * Cross-entropy with label smoothing. Overwrites the logits by the gradient of
 * weight * loss; returns the summed loss, in *plain the one without smoothing.
 */
double
cross_entropy(long n, long v, float smoothing, float weight, const int64_t *target,
              const float *bias, act *logits, float *dbias, double *plain, long *right)
{
    double total = 0.0;
    float *row = malloc(sizeof(float) * (size_t)v);
    *plain = 0.0;
    *right = 0;
    for (long i = 0; i < n; i++) {
        act *x = logits + i * v;
        float top = -INFINITY, mean = 0.0f, sum = 0.0f;
        for (long j = 0; j < v; j++) {
            row[j] = widen(x[j]) + (bias ? bias[j] : 0.0f);
            top = row[j] > top ? row[j] : top;
            mean += row[j];
        }
        float gold = row[target[i]];
        *right += gold >= top;
        for (long j = 0; j < v; j++) {
            row[j] = expf(row[j] - top);
            sum += row[j];
        }
        float log_sum = top + logf(sum);
        mean /= (float)v;
        *plain += log_sum - gold;
        total += log_sum - (1.0f - smoothing) * gold - smoothing * mean;
        float a = weight / sum, b = weight * smoothing / (float)v;
        row[target[i]] -= (1.0f - smoothing) * sum;
        for (long j = 0; j < v; j++) {
            float g = row[j] * a - b;
            x[j] = narrow(g);
            if (dbias)
                dbias[j] += g;
        }
    }
    free(row);
    return total;
}

/* One step of Adam; keeps the running mean and the bfloat16 copy (or NULL) up
 * to date. */
void
adam(long n, float rate, float beta1, float beta2, float correct1, float correct2, float clip,
     float average, float *w, float *m, float *s, const float *g, float *mean, act *copy)
{
    for (long i = 0; i < n; i++) {
        float x = g[i] * clip;
        m[i] = beta1 * m[i] + (1.0f - beta1) * x;
        s[i] = beta2 * s[i] + (1.0f - beta2) * x * x;
        w[i] -= rate * (m[i] * correct1) / (sqrtf(s[i] * correct2) + 1e-9f);
        mean[i] += average * (w[i] - mean[i]);
    }
    for (long i = 0; copy && i < n; i++)
        copy[i] = narrow(w[i]);
}

double
square_norm(long n, const float *g)
{
    double total = 0.0;
    for (long i = 0; i < n; i += 4096) {
        float part = 0.0f;
        long end = i + 4096 < n ? i + 4096 : n;
        for (long j = i; j < end; j++)
            part += g[j] * g[j];
        total += part;
    }
    return total;
}

/* Sigmoid and hyperbolic tangent by way of one exponential that vectorises. */
static inline float
squash(float x)
{
    float y = x < -30.0f ? -30.0f : (x > 30.0f ? 30.0f : x);
    return 1.0f / (1.0f + expf(-y));
}

static inline float
tangent(float x)
{
    return 2.0f * squash(2.0f * x) - 1.0f;
}

/*
 * One GRU step, rows r, z, n. a (+ b) is the input's share, gh the state's.
 * Keeps r, z, n and the state's share of n, each [batch, d].
 */
void
gru_cell(long batch, long d, const act *a, const act *b, const act *gh, const float *bias_ih,
         const float *bias_hh, const float *h, float *out, act *out16, act *kept4)
{
    for (long i = 0; i < batch; i++) {
        const act *x = a + i * 3 * d, *y = b ? b + i * 3 * d : NULL, *g = gh + i * 3 * d;
        act *save = kept4 + i * 4 * d;
        float in[2048], hid[2048];
        for (long j = 0; j < 3 * d; j++) {
            in[j] = widen(x[j]) + bias_ih[j];
            hid[j] = widen(g[j]) + bias_hh[j];
        }
        if (y)
            for (long j = 0; j < 3 * d; j++)
                in[j] += widen(y[j]);
        for (long j = 0; j < d; j++) {
            float r = squash(in[j] + hid[j]);
            float z = squash(in[d + j] + hid[d + j]);
            float n = tangent(in[2 * d + j] + r * hid[2 * d + j]);
            float s = (1.0f - z) * n + z * h[i * d + j];
            out[i * d + j] = s;
            out16[i * d + j] = narrow(s);
            save[j] = narrow(r);
            save[d + j] = narrow(z);
            save[2 * d + j] = narrow(n);
            save[3 * d + j] = narrow(hid[2 * d + j]);
        }
    }
}

/* From dh the gradients of both shares; dh becomes its part that passes by. */
void
gru_cell_backward(long batch, long d, float *dh, const act *kept4, const float *h, act *dgi,
                  act *dgh, float *dbias_ih, float *dbias_hh)
{
    for (long i = 0; i < batch; i++) {
        const act *save = kept4 + i * 4 * d;
        act *x = dgi + i * 3 * d, *g = dgh + i * 3 * d;
        for (long j = 0; j < d; j++) {
            float r = widen(save[j]), z = widen(save[d + j]);
            float n = widen(save[2 * d + j]), hn = widen(save[3 * d + j]);
            float o = dh[i * d + j];
            float dn = o * (1.0f - z) * (1.0f - n * n);
            float dz = o * (h[i * d + j] - n) * z * (1.0f - z);
            float dr = dn * hn * r * (1.0f - r);
            x[j] = narrow(dr);
            x[d + j] = narrow(dz);
            x[2 * d + j] = narrow(dn);
            g[j] = narrow(dr);
            g[d + j] = narrow(dz);
            g[2 * d + j] = narrow(dn * r);
            dbias_ih[j] += dr;
            dbias_ih[d + j] += dz;
            dbias_ih[2 * d + j] += dn;
            dbias_hh[j] += dr;
            dbias_hh[d + j] += dz;
            dbias_hh[2 * d + j] += dn * r;
            dh[i * d + j] = o * z;
        }
    }
}

/*
 * Alignment of one decoder step (gru.py tells the formulas).
 * kind 0: v . tanh(q + k_j); 1: q . k_j; 2: unit(q) . k_j; 3: scores given.
 * window 0: none; 1: around step t; 2: around a predicted centre, Gaussian.
 */
struct score {
    long batch, length, width, wide; /* B, S, A, Dh */
    long kind, window, half, step;
    float factor;
};

static void
bounds(const struct score *s, float centre, long *from, long *to)
{
    *from = 0;
    *to = s->length - 1;
    if (s->window == 0)
        return;
    long low = (long)ceilf(centre - (float)s->half);
    long high = (long)floorf(centre + (float)s->half);
    long near = (long)floorf(centre + 0.5f);
    near = near < 0 ? 0 : (near > *to ? *to : near);
    *from = low < 0 ? 0 : (low > near ? near : low);
    *to = high > *to ? *to : (high < near ? near : high);
}

/* place [B, A] and place_v [A] give the centre of window 2; soft [B, S] keeps
 * the softmax before the Gaussian, alpha the weights, centre [B] the centre. */
void
score_forward(const struct score *s, const act *q, const act *keys, const float *v,
              const act *given, long stride, const float *given_bias, const act *place,
              const float *place_v, const act *annotations, float *soft, float *alpha,
              float *centre, act *context)
{
    long A = s->width, S = s->length, W = s->wide;
    float sigma = (float)s->half / 2.0f;
    for (long b = 0; b < s->batch; b++) {
        float qf[1024], e[LONGEST], acc[2048];
        float norm = 0.0f, p = 0.0f;
        long from, to;
        if (s->kind != 3) {
            for (long c = 0; c < A; c++) {
                qf[c] = widen(q[b * A + c]);
                norm += qf[c] * qf[c];
            }
            if (s->kind == 2) {
                float r = 1.0f / sqrtf(norm + 1e-12f);
                for (long c = 0; c < A; c++)
                    qf[c] *= r;
            }
        }
        if (s->window == 1)
            p = s->step < S ? (float)s->step : (float)(S - 1);
        if (s->window == 2) {
            float u = 0.0f;
            for (long c = 0; c < A; c++)
                u += place_v[c] * tangent(widen(place[b * A + c]));
            p = (float)S * squash(u);
        }
        centre[b] = p;
        bounds(s, p, &from, &to);
        float top = -INFINITY, sum = 0.0f;
        for (long j = from; j <= to; j++) {
            const act *k = keys ? keys + (b * S + j) * A : NULL;
            float t = 0.0f;
            if (s->kind == 3)
                t = widen(given[b * stride + j]) + given_bias[j];
            else if (s->kind == 0)
                for (long c = 0; c < A; c++)
                    t += v[c] * tangent(qf[c] + widen(k[c]));
            else
                for (long c = 0; c < A; c++)
                    t += qf[c] * widen(k[c]);
            e[j] = t * s->factor;
            top = e[j] > top ? e[j] : top;
        }
        for (long j = from; j <= to; j++) {
            e[j] = expf(e[j] - top);
            sum += e[j];
        }
        for (long c = 0; c < W; c++)
            acc[c] = 0.0f;
        for (long j = 0; j < S; j++) {
            float a = j < from || j > to ? 0.0f : e[j] / sum;
            soft[b * S + j] = a;
            if (s->window == 2)
                a *= expf(-((float)j - p) * ((float)j - p) / (2.0f * sigma * sigma));
            alpha[b * S + j] = a;
            for (long c = 0; c < W; c++)
                acc[c] += a * widen(annotations[(b * S + j) * W + c]);
        }
        for (long c = 0; c < W; c++)
            context[b * W + c] = narrow(acc[c]);
    }
}

void
score_backward(const struct score *s, const act *q, const act *keys, const float *v,
               long stride, const act *place, const float *place_v, const act *annotations,
               const float *soft, const float *alpha, const float *centre, const float *dcontext,
               act *dq, float *dkeys, float *dv, act *dgiven, float *dgiven_bias, act *dplace,
               float *dplace_v, float *dannotations)
{
    long A = s->width, S = s->length, W = s->wide;
    float sigma = (float)s->half / 2.0f;
    for (long b = 0; b < s->batch; b++) {
        float de[LONGEST], qf[1024], acc[1024];
        float p = centre[b], dp = 0.0f, dot = 0.0f, norm = 0.0f;
        long from, to;
        bounds(s, p, &from, &to);
        for (long j = from; j <= to; j++) {
            float a = alpha[b * S + j], t = 0.0f;
            for (long c = 0; c < W; c++) {
                float o = dcontext[b * W + c];
                t += o * widen(annotations[(b * S + j) * W + c]);
                dannotations[(b * S + j) * W + c] += a * o;
            }
            if (s->window == 2) {
                dp += t * a * ((float)j - p) / (sigma * sigma);
                t *= expf(-((float)j - p) * ((float)j - p) / (2.0f * sigma * sigma));
            }
            de[j] = t;
            dot += t * soft[b * S + j];
        }
        for (long j = from; j <= to; j++)
            de[j] = soft[b * S + j] * (de[j] - dot) * s->factor;
        if (s->window == 2) {
            float share = p / (float)S;
            float du = dp * (float)S * share * (1.0f - share);
            for (long c = 0; c < A; c++) {
                float t = tangent(widen(place[b * A + c]));
                dplace_v[c] += du * t;
                dplace[b * A + c] = narrow(du * place_v[c] * (1.0f - t * t));
            }
        }
        if (s->kind == 3) {
            for (long j = 0; j < stride; j++)
                dgiven[b * stride + j] = narrow(j < S ? de[j] : 0.0f);
            for (long j = 0; j < S; j++)
                dgiven_bias[j] += de[j];
            continue;
        }
        for (long c = 0; c < A; c++) {
            qf[c] = widen(q[b * A + c]);
            norm += qf[c] * qf[c];
            acc[c] = 0.0f;
        }
        float r = s->kind == 2 ? 1.0f / sqrtf(norm + 1e-12f) : 1.0f;
        for (long c = 0; c < A; c++)
            qf[c] *= r;
        for (long j = from; j <= to; j++) {
            const act *k = keys + (b * S + j) * A;
            float *dk = dkeys + (b * S + j) * A;
            if (s->kind == 0)
                for (long c = 0; c < A; c++) {
                    float t = tangent(qf[c] + widen(k[c]));
                    float g = de[j] * v[c] * (1.0f - t * t);
                    dv[c] += de[j] * t;
                    dk[c] += g;
                    acc[c] += g;
                }
            else
                for (long c = 0; c < A; c++) {
                    dk[c] += de[j] * qf[c];
                    acc[c] += de[j] * widen(k[c]);
                }
        }
        if (s->kind == 2) {
            float along = 0.0f;
            for (long c = 0; c < A; c++)
                along += acc[c] * qf[c];
            for (long c = 0; c < A; c++)
                acc[c] = (acc[c] - along * qf[c]) * r;
        }
        for (long c = 0; c < A; c++)
            dq[b * A + c] = narrow(acc[c]);
    }
}
