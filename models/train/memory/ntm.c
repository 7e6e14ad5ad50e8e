/*
 * A Neural Turing Machine (Graves et al. 2014), forward and backward, for
 * training on a processor. Built by compiled.py, which gives the sizes: LSTM
 * (1 or 0: feed-forward), INPUTS, OUTPUTS, SIZE of the controller, SLOTS and
 * WIDTH of the memory, READERS, WRITERS, REACH of the shift, START (the value
 * memory starts with) and REAL. One sequence at a time; one thread, no state.
 *
 * The equations are those of ntm.py. Memory lies transposed, [WIDTH][SLOTS],
 * so that every inner loop runs over the slots.
 */
#include <string.h>
#include <tgmath.h>

typedef REAL real;

enum {
    GATES = LSTM ? 4 * SIZE : SIZE,
    READS = READERS * WIDTH,
    IN = INPUTS + READS,
    SHIFTS = 2 * REACH + 1,
    HEADS = READERS + WRITERS,
    JOINED = SIZE + READS,
    /* Places in a head's parameters. */
    KEY = 0, BETA = WIDTH, GATE, SHIFT, GAMMA = SHIFT + SHIFTS, COMMON, ERASE = COMMON,
    ADD = ERASE + WIDTH, WHOLE = ADD + WIDTH,
};

typedef real memory[WIDTH][SLOTS];

/* The parameters, flat, in the order of ntm.py's shapes(). */
struct parameters {
    real weight_ih[GATES * IN], weight_hh[LSTM * GATES * SIZE], bias[GATES];
    real hidden[LSTM * SIZE], cell[LSTM * SIZE], read[READS];
    struct { real weight[COMMON * SIZE], bias[COMMON]; } reader[READERS];
    struct { real weight[WHOLE * SIZE], bias[WHOLE]; } writer[WRITERS];
    real out_weight[OUTPUTS * JOINED], out_bias[OUTPUTS];
};

struct head {
    real p[WHOLE], dp[WHOLE], key_norm;
    real cosine[SLOTS], content[SLOTS], gated[SLOTS], shifted[SLOTS], weights[SLOTS];
};

/* What a step leaves for the way back. before[0] is the memory the step found
   and reads; write k turns before[k] into before[k + 1]. */
struct step {
    real in[IN], before_h[SIZE], before_c[SIZE];
    real gates[GATES], dgates[GATES], c[SIZE], tanh_c[SIZE];
    real joined[JOINED], y[OUTPUTS], dy[OUTPUTS];
    real norm[SLOTS];
    struct head head[HEADS];
    memory before[WRITERS + 1];
};

struct flow {
    memory m;
    real weights[HEADS][SLOTS], joined[JOINED], h[SIZE], c[SIZE];
};

long
parameter_count(void)
{
    return (long)(sizeof(struct parameters) / sizeof(real));
}

long
step_bytes(void)
{
    return (long)sizeof(struct step);
}

static inline real
sigmoid(real x)
{
    return 1 / (1 + exp(-x));
}

static inline real
softplus(real x)
{
    return x > 20 ? x : log(1 + exp(x));
}

static inline real
dot(long n, const real *a, const real *b)
{
    real sum = 0;
    for (long i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* y += W x */
static void
multiply(long rows, long columns, const real *w, const real *x, real *y)
{
    for (long r = 0; r < rows; r++)
        y[r] += dot(columns, w + r * columns, x);
}

/* dx += W^T dy */
static void
multiply_back(long rows, long columns, const real *w, const real *dy, real *dx)
{
    for (long r = 0; r < rows; r++)
        for (long c = 0; c < columns; c++)
            dx[c] += w[r * columns + c] * dy[r];
}

static void
softmax(long n, const real *x, real factor, real *y)
{
    real top = factor * x[0], sum = 0;
    for (long i = 1; i < n; i++)
        top = factor * x[i] > top ? factor * x[i] : top;
    for (long i = 0; i < n; i++) {
        y[i] = exp(factor * x[i] - top);
        sum += y[i];
    }
    for (long i = 0; i < n; i++)
        y[i] /= sum;
}

static void
slot_norms(memory m, real *norm)
{
    for (long i = 0; i < SLOTS; i++)
        norm[i] = 0;
    for (long j = 0; j < WIDTH; j++)
        for (long i = 0; i < SLOTS; i++)
            norm[i] += m[j][i] * m[j][i];
    for (long i = 0; i < SLOTS; i++)
        norm[i] = sqrt(norm[i] + (real)1e-30);
}

static void
activate(struct head *h, int writes)
{
    real *p = h->p, shift[SHIFTS];
    for (long j = 0; j < WIDTH; j++)
        p[KEY + j] = tanh(p[KEY + j]);
    p[BETA] = softplus(p[BETA]);
    p[GATE] = sigmoid(p[GATE]);
    memcpy(shift, p + SHIFT, sizeof shift);
    softmax(SHIFTS, shift, 1, p + SHIFT);
    p[GAMMA] = 1 + softplus(p[GAMMA]);
    for (long j = 0; writes && j < WIDTH; j++) {
        p[ERASE + j] = sigmoid(p[ERASE + j]);
        p[ADD + j] = tanh(p[ADD + j]);
    }
}

/* x with its ends repeated on the other side, for a circular shift. */
static void
wrap(const real *x, real *wide)
{
    memcpy(wide + REACH, x, SLOTS * sizeof(real));
    for (long i = 0; i < REACH; i++) {
        wide[i] = x[SLOTS - REACH + i];
        wide[SLOTS + REACH + i] = x[i];
    }
}

static void
address(struct head *h, const real *previous, memory m, const real *norm)
{
    const real *p = h->p;
    real wide[SLOTS + 2 * REACH], logs[SLOTS];
    h->key_norm = sqrt(dot(WIDTH, p + KEY, p + KEY) + (real)1e-30);
    for (long i = 0; i < SLOTS; i++)
        h->cosine[i] = 0;
    for (long j = 0; j < WIDTH; j++)
        for (long i = 0; i < SLOTS; i++)
            h->cosine[i] += p[KEY + j] * m[j][i];
    for (long i = 0; i < SLOTS; i++)
        h->cosine[i] /= h->key_norm * norm[i] + (real)1e-8;
    softmax(SLOTS, h->cosine, p[BETA], h->content);
    for (long i = 0; i < SLOTS; i++)
        h->gated[i] = p[GATE] * h->content[i] + (1 - p[GATE]) * previous[i];
    wrap(h->gated, wide);
    for (long i = 0; i < SLOTS; i++)
        h->shifted[i] = 0;
    for (long s = 0; s < SHIFTS; s++)
        for (long i = 0; i < SLOTS; i++)
            h->shifted[i] += p[SHIFT + s] * wide[i + 2 * REACH - s];
    for (long i = 0; i < SLOTS; i++)
        logs[i] = log(h->shifted[i] > (real)1e-30 ? h->shifted[i] : (real)1e-30);
    softmax(SLOTS, logs, p[GAMMA], h->weights);
}

static void
control(const struct parameters *w, struct step *s)
{
    memcpy(s->gates, w->bias, sizeof s->gates);
    multiply(GATES, IN, w->weight_ih, s->in, s->gates);
    if (!LSTM) {
        for (long j = 0; j < SIZE; j++)
            s->joined[j] = s->gates[j] = tanh(s->gates[j]);
        return;
    }
    multiply(GATES, SIZE, w->weight_hh, s->before_h, s->gates);
    for (long j = 0; j < 2 * SIZE; j++)
        s->gates[j] = sigmoid(s->gates[j]);
    for (long j = 2 * SIZE; j < 3 * SIZE; j++)
        s->gates[j] = tanh(s->gates[j]);
    for (long j = 3 * SIZE; j < GATES; j++)
        s->gates[j] = sigmoid(s->gates[j]);
    for (long j = 0; j < SIZE; j++) {
        s->c[j] = s->gates[SIZE + j] * s->before_c[j] + s->gates[j] * s->gates[2 * SIZE + j];
        s->tanh_c[j] = tanh(s->c[j]);
        s->joined[j] = s->gates[3 * SIZE + j] * s->tanh_c[j];
    }
}

static void
use_heads(const struct parameters *w, const struct step *last, struct step *s)
{
    static const real first[SLOTS] = { 1 };
    slot_norms(s->before[0], s->norm);
    for (long k = 0; k < HEADS; k++) {
        struct head *h = &s->head[k];
        long rows = k < READERS ? COMMON : WHOLE;
        memcpy(h->p, k < READERS ? w->reader[k].bias : w->writer[k - READERS].bias,
               (size_t)rows * sizeof(real));
        multiply(rows, SIZE, k < READERS ? w->reader[k].weight : w->writer[k - READERS].weight,
                 s->joined, h->p);
        activate(h, k >= READERS);
        address(h, last ? last->head[k].weights : first, s->before[0], s->norm);
    }
    for (long k = 0; k < READERS; k++)
        for (long j = 0; j < WIDTH; j++)
            s->joined[SIZE + k * WIDTH + j] = dot(SLOTS, s->head[k].weights, s->before[0][j]);
    for (long k = 0; k < WRITERS; k++) {
        const struct head *h = &s->head[READERS + k];
        for (long j = 0; j < WIDTH; j++)
            for (long i = 0; i < SLOTS; i++)
                s->before[k + 1][j][i] =
                    s->before[k][j][i] * (1 - h->weights[i] * h->p[ERASE + j])
                    + h->weights[i] * h->p[ADD + j];
    }
}

static void
begin(const struct parameters *w, const struct step *last, const real *x, struct step *s)
{
    memcpy(s->in, x, INPUTS * sizeof(real));
    if (last) {
        memcpy(s->in + INPUTS, last->joined + SIZE, READS * sizeof(real));
        memcpy(s->before_h, last->joined, sizeof s->before_h);
        memcpy(s->before_c, last->c, sizeof s->before_c);
        memcpy(s->before[0], last->before[WRITERS], sizeof(memory));
        return;
    }
    memcpy(s->in + INPUTS, w->read, READS * sizeof(real));
    memcpy(s->before_h, w->hidden, sizeof w->hidden);
    memcpy(s->before_c, w->cell, sizeof w->cell);
    for (long j = 0; j < WIDTH; j++)
        for (long i = 0; i < SLOTS; i++)
            s->before[0][j][i] = (real)START;
}

/* All steps of a sequence; y [length, OUTPUTS] are probabilities. */
void
forward(const struct parameters *w, long length, const real *x, struct step *steps, real *y)
{
    for (long t = 0; t < length; t++) {
        struct step *s = &steps[t], *last = t ? &steps[t - 1] : NULL;
        begin(w, last, x + t * INPUTS, s);
        control(w, s);
        use_heads(w, last, s);
        memcpy(s->y, w->out_bias, sizeof s->y);
        multiply(OUTPUTS, JOINED, w->out_weight, s->joined, s->y);
        for (long j = 0; j < OUTPUTS; j++)
            y[t * OUTPUTS + j] = s->y[j] = sigmoid(s->y[j]);
    }
}

static void
writes_back(struct step *s, struct flow *d)
{
    for (long k = WRITERS - 1; k >= 0; k--) {
        struct head *h = &s->head[READERS + k];
        real *dw = d->weights[READERS + k];
        for (long j = 0; j < WIDTH; j++) {
            const real *m = s->before[k][j];
            real *dm = d->m[j], e = h->p[ERASE + j], a = h->p[ADD + j], de = 0, da = 0;
            for (long i = 0; i < SLOTS; i++) {
                real g = dm[i] * h->weights[i];
                da += g;
                de -= g * m[i];
                dw[i] += dm[i] * (a - m[i] * e);
                dm[i] -= g * e;
            }
            h->dp[ERASE + j] = de * e * (1 - e);
            h->dp[ADD + j] = da * (1 - a * a);
        }
    }
}

static void
reads_back(struct step *s, struct flow *d)
{
    for (long k = 0; k < READERS; k++)
        for (long j = 0; j < WIDTH; j++) {
            real g = d->joined[SIZE + k * WIDTH + j];
            for (long i = 0; i < SLOTS; i++) {
                d->weights[k][i] += g * s->before[0][j][i];
                d->m[j][i] += g * s->head[k].weights[i];
            }
        }
}

/* dx = factor * gradient of the softmax's inputs; returns their sum over x. */
static real
softmax_back(long n, const real *y, const real *dy, const real *x, real factor, real *dx)
{
    real mean = dot(n, y, dy), along = 0;
    for (long i = 0; i < n; i++) {
        real g = y[i] * (dy[i] - mean);
        along += g * x[i];
        dx[i] = factor * g;
    }
    return along;
}

/* From cosines to key and memory. */
static void
cosine_back(struct head *h, const real *dcosine, memory m, const real *norm, struct flow *d)
{
    real to_dot[SLOTS], to_slot[SLOTS], to_key = 0;
    for (long i = 0; i < SLOTS; i++) {
        to_dot[i] = dcosine[i] / (h->key_norm * norm[i] + (real)1e-8);
        to_slot[i] = -to_dot[i] * h->cosine[i];
        to_key += to_slot[i] * norm[i];
        to_slot[i] *= h->key_norm / norm[i];
    }
    for (long j = 0; j < WIDTH; j++) {
        real key = h->p[KEY + j], dk = to_key * key / h->key_norm;
        for (long i = 0; i < SLOTS; i++) {
            dk += to_dot[i] * m[j][i];
            d->m[j][i] += to_dot[i] * key + to_slot[i] * m[j][i];
        }
        h->dp[KEY + j] = dk * (1 - key * key);
    }
}

/* d->weights[k] comes in for this step's weights, leaves for the last step's. */
static void
address_back(struct head *h, const real *previous, memory m, const real *norm, real *dw,
             struct flow *d)
{
    const real *p = h->p;
    real logs[SLOTS], g[SLOTS], wide[SLOTS + 2 * REACH], dgate = 0, dshift[SHIFTS];
    for (long i = 0; i < SLOTS; i++)
        logs[i] = log(h->shifted[i] > (real)1e-30 ? h->shifted[i] : (real)1e-30);
    real dgamma = softmax_back(SLOTS, h->weights, dw, logs, p[GAMMA], g);
    h->dp[GAMMA] = dgamma * (1 - exp(1 - p[GAMMA]));
    for (long i = 0; i < SLOTS; i++)
        g[i] = h->shifted[i] > (real)1e-30 ? g[i] / h->shifted[i] : 0;
    wrap(h->gated, wide);
    for (long s = 0; s < SHIFTS; s++)
        dshift[s] = dot(SLOTS, g, wide + 2 * REACH - s);
    softmax_back(SHIFTS, p + SHIFT, dshift, dshift, 1, h->dp + SHIFT);
    wrap(g, wide);
    for (long i = 0; i < SLOTS; i++)
        g[i] = 0;
    for (long s = 0; s < SHIFTS; s++)
        for (long i = 0; i < SLOTS; i++)
            g[i] += p[SHIFT + s] * wide[i + s];
    for (long i = 0; i < SLOTS; i++) {
        dgate += g[i] * (h->content[i] - previous[i]);
        dw[i] = (1 - p[GATE]) * g[i];
        g[i] *= p[GATE];
    }
    h->dp[GATE] = dgate * p[GATE] * (1 - p[GATE]);
    real dbeta = softmax_back(SLOTS, h->content, g, h->cosine, p[BETA], g);
    h->dp[BETA] = dbeta * (1 - exp(-p[BETA]));
    cosine_back(h, g, m, norm, d);
}

static void
control_back(const struct parameters *w, struct step *s, struct flow *d)
{
    real *g = s->dgates, din[IN] = { 0 };
    for (long j = 0; j < SIZE && !LSTM; j++)
        g[j] = d->joined[j] * (1 - s->gates[j] * s->gates[j]);
    for (long j = 0; j < SIZE && LSTM; j++) {
        real i = s->gates[j], f = s->gates[SIZE + j], u = s->gates[2 * SIZE + j];
        real o = s->gates[3 * SIZE + j], dh = d->joined[j] + d->h[j];
        real dc = d->c[j] + dh * o * (1 - s->tanh_c[j] * s->tanh_c[j]);
        g[j] = dc * u * i * (1 - i);
        g[SIZE + j] = dc * s->before_c[j] * f * (1 - f);
        g[2 * SIZE + j] = dc * i * (1 - u * u);
        g[3 * SIZE + j] = dh * s->tanh_c[j] * o * (1 - o);
        d->c[j] = dc * f;
        d->h[j] = 0;
    }
    multiply_back(GATES, IN, w->weight_ih, g, din);
    if (LSTM)
        multiply_back(GATES, SIZE, w->weight_hh, g, d->h);
    memset(d->joined, 0, sizeof d->joined);
    memcpy(d->joined + SIZE, din + INPUTS, READS * sizeof(real));
}

static void
step_back(const struct parameters *w, const struct step *last, struct step *s, struct flow *d)
{
    static const real first[SLOTS] = { 1 };
    multiply_back(OUTPUTS, JOINED, w->out_weight, s->dy, d->joined);
    writes_back(s, d);
    reads_back(s, d);
    for (long k = 0; k < HEADS; k++) {
        struct head *h = &s->head[k];
        address_back(h, last ? last->head[k].weights : first, s->before[0], s->norm,
                     d->weights[k], d);
        if (k < READERS)
            multiply_back(COMMON, SIZE, w->reader[k].weight, h->dp, d->joined);
        else
            multiply_back(WHOLE, SIZE, w->writer[k - READERS].weight, h->dp, d->joined);
    }
    control_back(w, s, d);
}

/* dW += sum over steps of dy x^T, db += sum of dy; rows of steps `stride` apart. */
static void
collect(long length, long rows, long columns, const real *dy, const real *x, real *dw, real *db)
{
    const long stride = (long)(sizeof(struct step) / sizeof(real));
    for (long r = 0; r < rows; r++)
        for (long t = 0; t < length; t++) {
            real g = dy[t * stride + r];
            for (long c = 0; c < columns; c++)
                dw[r * columns + c] += g * x[t * stride + c];
            if (db)
                db[r] += g;
        }
}

/*
 * Adds the gradient of the loss to g and returns the loss: the cross-entropy
 * of each output bit with target [length, OUTPUTS], times weight [length].
 */
double
gradient(const struct parameters *w, long length, const real *x, const real *target,
         const real *weight, struct step *steps, real *y, struct parameters *g)
{
    static const struct flow nothing;
    struct flow d = nothing;
    double loss = 0;
    forward(w, length, x, steps, y);
    for (long t = length - 1; t >= 0; t--) {
        struct step *s = &steps[t];
        for (long j = 0; j < OUTPUTS; j++) {
            real bit = target[t * OUTPUTS + j], right = bit > (real)0.5 ? s->y[j] : 1 - s->y[j];
            s->dy[j] = weight[t] * (s->y[j] - bit);
            loss -= (double)(weight[t] * log(right > (real)1e-30 ? right : (real)1e-30));
        }
        step_back(w, t ? &steps[t - 1] : NULL, s, &d);
    }
    for (long j = 0; j < SIZE && LSTM; j++) {
        g->hidden[j] += d.h[j];
        g->cell[j] += d.c[j];
    }
    for (long j = 0; j < READS; j++)
        g->read[j] += d.joined[SIZE + j];
    collect(length, GATES, IN, steps->dgates, steps->in, g->weight_ih, g->bias);
    if (LSTM)
        collect(length, GATES, SIZE, steps->dgates, steps->before_h, g->weight_hh, NULL);
    for (long k = 0; k < READERS; k++)
        collect(length, COMMON, SIZE, steps->head[k].dp, steps->joined, g->reader[k].weight,
                g->reader[k].bias);
    for (long k = 0; k < WRITERS; k++)
        collect(length, WHOLE, SIZE, steps->head[READERS + k].dp, steps->joined,
                g->writer[k].weight, g->writer[k].bias);
    collect(length, OUTPUTS, JOINED, steps->dy, steps->joined, g->out_weight, g->out_bias);
    return loss;
}

/* Adds g, its norm clipped, to sum; g becomes 0. Returns the norm before. */
double
absorb(double clip, real *g, real *sum)
{
    const long n = parameter_count();
    double norm = sqrt((double)dot(n, g, g));
    real scale = (real)(norm > clip ? clip / norm : 1.0);
    for (long i = 0; i < n; i++) {
        sum[i] += scale * g[i];
        g[i] = 0;
    }
    return norm;
}

/* One step of Adam (0.9, 0.999) on sum / batch; sum becomes 0. The mean of the
   weights moves to them by `share`. */
void
adam(long step, double batch, double rate, double share, real *w, real *sum, real *m, real *v,
     real *mean)
{
    const long n = parameter_count();
    real correct = (real)(1.0 / sqrt(1.0 - pow(0.999, (double)step)));
    rate /= 1.0 - pow(0.9, (double)step);
    for (long i = 0; i < n; i++) {
        real x = sum[i] / (real)batch;
        m[i] += (real)0.1 * (x - m[i]);
        v[i] += (real)0.001 * (x * x - v[i]);
        w[i] -= (real)rate * m[i] / (sqrt(v[i]) * correct + (real)1e-8);
        mean[i] += (real)share * (w[i] - mean[i]);
        sum[i] = 0;
    }
}
