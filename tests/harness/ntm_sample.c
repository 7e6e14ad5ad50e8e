#include "harness/ntm_sample.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/network.h"
#include "model/ntm_text.h"

enum { N = 16, M = 10, S = 3, BITS = 8, STAGES = 5, WRITE = 1 };

const struct hl_ntm_info ntm_sample_info = { .task = HL_NTM_COPY,
                                             .controller = HL_NTM_FEEDFORWARD,
                                             .n_slots = N,
                                             .slot_width = M,
                                             .n_read = 1,
                                             .n_write = 1,
                                             .n_shifts = S,
                                             .controller_size = 1,
                                             .n_inputs = BITS + 1,
                                             .n_outputs = BITS,
                                             .trained_length = 12 };

/* Everything that the record gets, kind by kind (0 read, 1 write). */
struct trace {
    float *stage[2][STAGES], *key[2], *strength[2], *gate[2], *shift[2], *gamma[2];
    float *erase, *add, *read, *input, *output, *target, *memory;
};

static const char *const kinds[2] = { "read", "write" };

static float *
series(struct hl_record *r, const char *kind, const char *what, int steps, int n_comp)
{
    char name[32];
    snprintf(name, sizeof name, "%s%s", kind, what);
    struct hl_series *s = hl_record_series(r, name);
    float *data = hl_arena_floats(&r->arena, (size_t)steps * (size_t)n_comp);
    if (s == NULL || data == NULL)
        return NULL;
    s->axis = HL_NTM_AXIS_TIME;
    s->n = steps;
    s->n_comp = n_comp;
    s->data = data;
    return data;
}

static bool
prepare(struct hl_record *r, struct trace *t, int steps)
{
    static const char *const stages[STAGES] = { HL_STAGE_COSINE, HL_STAGE_CONTENT, HL_STAGE_GATED,
                                                HL_STAGE_SHIFTED, HL_STAGE_WEIGHTS };
    const int map_shape[4] = { 1, 1, steps, N }, memory_shape[3] = { steps + 1, N, M };
    bool ok = true;
    for (int k = 0; k < 2; k++) {
        for (int s = 0; s < STAGES; s++) {
            float *data = t->stage[k][s] = hl_arena_floats(&r->arena, (size_t)(steps * N));
            struct hl_map *m = hl_run_add_map(r, kinds[k], stages[s], map_shape, data);
            ok = ok && data != NULL && m != NULL;
            if (m == NULL)
                continue;
            m->q_axis = HL_NTM_AXIS_TIME;
            m->k_axis = HL_NTM_AXIS_ADDRESS;
            m->row_sum_one = s > 0;
        }
        ok = (t->key[k] = series(r, kinds[k], ".key", steps, M)) != NULL && ok;
        ok = (t->strength[k] = series(r, kinds[k], ".strength", steps, 1)) != NULL && ok;
        ok = (t->gate[k] = series(r, kinds[k], ".gate", steps, 1)) != NULL && ok;
        ok = (t->shift[k] = series(r, kinds[k], ".shift", steps, S)) != NULL && ok;
        ok = (t->gamma[k] = series(r, kinds[k], ".gamma", steps, 1)) != NULL && ok;
    }
    ok = (t->erase = series(r, "write", ".erase", steps, M)) != NULL && ok;
    ok = (t->add = series(r, "write", ".add", steps, M)) != NULL && ok;
    ok = (t->read = series(r, "read", ".vector", steps, M)) != NULL && ok;
    ok = (t->input = series(r, "input", "", steps, BITS + 1)) != NULL && ok;
    ok = (t->output = series(r, "output", "", steps, BITS)) != NULL && ok;
    ok = (t->target = series(r, "target", "", steps, BITS)) != NULL && ok;
    t->memory = hl_arena_floats(&r->arena, (size_t)((steps + 1) * N * M));
    return ok && t->memory != NULL &&
           hl_run_add_vectors(r, "memory", HL_NTM_AXIS_ADDRESS, memory_shape, t->memory) != NULL;
}

/* A letter's row: its bits as ±0.9, then two numbers that tell steps apart. */
static void
row_of(const struct trace *t, int step, float out[M])
{
    for (int j = 0; j < BITS; j++)
        out[j] = t->input[step * (BITS + 1) + j] > 0.5f ? 0.9f : -0.9f;
    for (int j = BITS; j < M; j++)
        out[j] = (float)(0.3 * sin(step + j));
}

/* The rules: write on the next slot, then look for the first letter and go on from it. */
static struct hl_ntm_head
decide(const struct trace *t, int step, int n, int write)
{
    struct hl_ntm_head h = { .strength = 1, .gate = 0.02f, .gamma = 20, .shift = { 0, 1, 0 } };
    const struct hl_ntm_head next = { .shift = { 0.02f, 0.03f, 0.95f } };
    for (int j = 0; j < M; j++)
        h.key[j] = (float)(0.5 * sin(0.7 * step + j));
    bool moves = write ? step > 0 && step < n : step > n + 1;
    if (moves)
        memcpy(h.shift, next.shift, sizeof h.shift);
    if (write && step < n) {
        row_of(t, step, h.add);
        for (int j = 0; j < M; j++)
            h.erase[j] = 0.98f;
    }
    if (!write && step == n + 1) {
        row_of(t, 0, h.key);
        h.strength = 30;
        h.gate = 0.97f;
    }
    return h;
}

static void
take_in_hand(struct hl_ntm_head *h, const struct hl_ntm_options *o, int step, int write)
{
    for (int i = 0; o != NULL && i < o->n_hands; i++) {
        const struct hl_ntm_hand *k = &o->hands[i];
        if (k->step != step || k->write != (write == WRITE) || k->head != 0)
            continue;
        h->strength = k->fields & HL_NTM_STRENGTH ? k->value.strength : h->strength;
        h->gate = k->fields & HL_NTM_GATE ? k->value.gate : h->gate;
        h->gamma = k->fields & HL_NTM_GAMMA ? k->value.gamma : h->gamma;
        if (k->fields & HL_NTM_SHIFT)
            memcpy(h->shift, k->value.shift, sizeof h->shift);
        if (k->fields & HL_NTM_KEY)
            memcpy(h->key, k->value.key, sizeof h->key);
        if (k->fields & HL_NTM_ERASE)
            memcpy(h->erase, k->value.erase, sizeof h->erase);
        if (k->fields & HL_NTM_ADD)
            memcpy(h->add, k->value.add, sizeof h->add);
    }
}

static void
address(struct trace *t, int step, int k, const struct hl_ntm_head *h)
{
    double content[N], gated[N], shifted[N], total = 0, top = -2;
    for (int i = 0; i < N; i++) {
        const float *row = t->memory + (step * N + i) * M;
        double dot = 0, a = 0, b = 0;
        for (int j = 0; j < M; j++) {
            dot += (double)h->key[j] * (double)row[j];
            a += (double)h->key[j] * (double)h->key[j];
            b += (double)row[j] * (double)row[j];
        }
        content[i] = dot / (sqrt(a) * sqrt(b) + 1e-8);
        t->stage[k][0][step * N + i] = (float)content[i];
        top = content[i] > top ? content[i] : top;
    }
    for (int i = 0; i < N; i++)
        total += content[i] = exp((double)h->strength * (content[i] - top));
    for (int i = 0; i < N; i++) {
        double before = step > 0 ? (double)t->stage[k][4][(step - 1) * N + i] : i == 0;
        content[i] /= total;
        gated[i] = (double)h->gate * content[i] + (1 - (double)h->gate) * before;
        t->stage[k][1][step * N + i] = (float)content[i];
        t->stage[k][2][step * N + i] = (float)gated[i];
    }
    total = 0;
    for (int i = 0; i < N; i++) {
        shifted[i] = 0;
        for (int s = 0; s < S; s++)
            shifted[i] += gated[(i - (s - 1) + N) % N] * (double)h->shift[s];
        t->stage[k][3][step * N + i] = (float)shifted[i];
        total += pow(shifted[i], (double)h->gamma);
    }
    for (int i = 0; i < N; i++)
        t->stage[k][4][step * N + i] = (float)(pow(shifted[i], (double)h->gamma) / total);
}

static void
keep(struct trace *t, int step, int k, const struct hl_ntm_head *h)
{
    t->strength[k][step] = h->strength;
    t->gate[k][step] = h->gate;
    t->gamma[k][step] = h->gamma;
    memcpy(t->shift[k] + step * S, h->shift, S * sizeof(float));
    memcpy(t->key[k] + step * M, h->key, M * sizeof(float));
    if (k != WRITE)
        return;
    memcpy(t->erase + step * M, h->erase, M * sizeof(float));
    memcpy(t->add + step * M, h->add, M * sizeof(float));
}

static void
move(struct trace *t, int step, const struct hl_ntm_head *h)
{
    const float *now = t->memory + step * N * M, *r = t->stage[0][4] + step * N;
    const float *w = t->stage[WRITE][4] + step * N;
    float *next = t->memory + (step + 1) * N * M;
    for (int j = 0; j < M; j++) {
        double sum = 0;
        for (int i = 0; i < N; i++) {
            float m = now[i * M + j];
            sum += (double)r[i] * (double)m;
            next[i * M + j] = m * (1 - w[i] * h->erase[j]) + w[i] * h->add[j];
        }
        t->read[step * M + j] = (float)sum;
        if (j < BITS)
            t->output[step * BITS + j] = (float)(1 / (1 + exp(-6 * sum)));
    }
}

static void
run(struct trace *t, const struct hl_ntm_plan *p, const struct hl_ntm_options *o, uint8_t *bytes)
{
    for (int i = 0; i < N * M; i++)
        t->memory[i] = 1e-6f;
    for (int step = 0; step < p->n_steps; step++) {
        struct hl_ntm_head h[2];
        hl_ntm_plan_input(&ntm_sample_info, p, step, t->input + step * (BITS + 1));
        for (int k = 0; k < 2; k++) {
            h[k] = decide(t, step, p->n_answer, k);
            take_in_hand(&h[k], o, step, k);
            keep(t, step, k, &h[k]);
            address(t, step, k, &h[k]);
        }
        move(t, step, &h[WRITE]);
        int i = step - (p->n_steps - p->n_answer);
        for (int b = 0; b < BITS; b++) {
            t->target[step * BITS + b] = i < 0 ? -1 : (float)(p->answer[i] >> (7 - b) & 1);
            if (i >= 0)
                bytes[i] = (uint8_t)(bytes[i] << 1 | (t->output[step * BITS + b] > 0.5f));
        }
    }
}

struct hl_record *
ntm_sample_run(const char *text, const struct hl_ntm_options *options)
{
    struct hl_record *r = hl_record_create();
    struct hl_ntm_plan p;
    struct trace t = { 0 };
    struct hl_error err;
    if (r == NULL || hl_ntm_plan_text(&ntm_sample_info, text, &r->arena, &p, &err) != HL_OK ||
        !prepare(r, &t, p.n_steps)) {
        hl_record_destroy(r);
        return NULL;
    }
    uint8_t *bytes = hl_arena_new(&r->arena, p.n_answer + 1, uint8_t);
    if (bytes != NULL)
        run(&t, &p, options, bytes);
    r->model = "ntm-copy";
    r->family = "headlight-ntm";
    hl_record_set(r, "task", "copy");
    if (bytes == NULL || hl_ntm_plan_record(&ntm_sample_info, &p, bytes, r, &err) != HL_OK ||
        hl_record_seal(r, &err) != HL_OK) {
        hl_record_destroy(r);
        return NULL;
    }
    return r;
}
