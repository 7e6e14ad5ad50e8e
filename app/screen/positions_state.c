/* What can be done to the state of the Positions screen. */
#include "screen/positions_priv.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"

const struct positions_preset positions_presets[POSITIONS_PRESETS] = {
    { "d4", "4 × 3", "Small enough to read: (0, 1, 0, 1), (0.8415, 0.5403, 0.0100, 1.0000) …", 4, 3,
      false, false },
    { "d512-20", "512 × 20", "As tutorials draw it, 20 positions", 512, 20, false, false },
    { "d512-200", "512 × 200", "As tutorials draw it, 200 positions", 512, 200, false, false },
    { "shipped", "shipped", "d 256, halves, 2i/d: what the shipped Transformer adds", 256, 100,
      true, false },
};

enum hl_posenc_order
positions_order(const struct positions_state *p)
{
    return p->halves ? HL_POSENC_HALVES : HL_POSENC_INTERLEAVED;
}

enum hl_posenc_freq
positions_freq(const struct positions_state *p)
{
    return p->tensor2tensor ? HL_POSENC_TENSOR2TENSOR : HL_POSENC_PAPER;
}

struct hl_posenc_column
positions_column(const struct positions_state *p, int dim)
{
    return hl_posenc_column(positions_order(p), positions_freq(p), p->d, dim);
}

const char *
positions_layout_note(const struct positions_state *p)
{
    if (!p->halves && !p->tensor2tensor)
        return "as the paper does";
    if (p->halves && !p->tensor2tensor)
        return "as the shipped model does";
    return p->halves ? "as tensor2tensor does" : "a mixture; no known model uses it";
}

/* Everything that follows from d, length and layout. */
static void
refresh(struct positions_state *p)
{
    size_t n = (size_t)p->length * (size_t)p->d;
    hl_free(p->table);
    hl_free(p->products);
    p->table = hl_alloc(n, sizeof *p->table);
    p->products = hl_alloc((size_t)p->length, sizeof *p->products);
    if (p->row >= p->length || p->col >= p->d)
        p->row = p->col = -1;
    if (p->table == NULL || p->products == NULL)
        return;
    hl_posenc_rows(positions_order(p), positions_freq(p), 0, p->length, p->d, p->table, p->d);
    for (int k = 0; k < p->length; k++) {
        double sum = 0;
        for (int j = 0; j < p->d; j++)
            sum += (double)p->table[j] * (double)p->table[(size_t)k * (size_t)p->d + (size_t)j];
        p->products[k] = (float)sum;
    }
}

/* The dimension that holds the sine or cosine of a pair; -1 if there is none. */
static int
find_dim(const struct positions_state *p, int pair, int cosine)
{
    for (int j = 0; j < p->d; j++) {
        struct hl_posenc_column c = positions_column(p, j);
        if (c.pair == pair && c.cosine == cosine)
            return j;
    }
    return -1;
}

/* First pair whose wave is at least this long; the last pair if none is. */
static int
pair_of_wavelength(const struct positions_state *p, double length)
{
    int last = 0;
    for (int i = 0; i < p->d / 2; i++) {
        int dim = find_dim(p, i, 0);
        if (dim < 0)
            break;
        last = i;
        if (6.283185307179586 >= length * positions_column(p, dim).frequency)
            break;
    }
    return last;
}

/* A wave that repeats and one that hardly does, each as sine and cosine. */
static void
default_curves(struct positions_state *p)
{
    int fast = pair_of_wavelength(p, p->length / 4.0), slow = pair_of_wavelength(p, p->length);
    int pairs[2] = { fast, slow > fast ? slow : fast + 1 };
    p->n_curves = 0;
    for (int i = 0; i < 4; i++) {
        int dim = find_dim(p, pairs[i / 2], i % 2);
        if (dim >= 0)
            p->curve[p->n_curves++] = dim;
    }
}

bool
positions_init(struct positions_state *p)
{
    memset(p, 0, sizeof *p);
    p->row = p->col = p->token = -1;
    p->encoder_off = p->decoder_off = true;
    p->seed = 1;
    positions_load(p, &positions_presets[POSITIONS_PRESETS - 1]);
    return p->table != NULL && p->products != NULL;
}

void
positions_deinit(struct positions_state *p)
{
    hl_free(p->table);
    hl_free(p->products);
    hl_free(p->shuffled);
    memset(p, 0, sizeof *p);
}

void
positions_load(struct positions_state *p, const struct positions_preset *preset)
{
    p->d = preset->d;
    p->length = preset->length;
    p->halves = preset->halves;
    p->tensor2tensor = preset->tensor2tensor;
    refresh(p);
    default_curves(p);
}

int
positions_preset_now(const struct positions_state *p)
{
    for (int i = 0; i < POSITIONS_PRESETS; i++) {
        const struct positions_preset *q = &positions_presets[i];
        if (p->d == q->d && p->length == q->length && p->halves == q->halves &&
            p->tensor2tensor == q->tensor2tensor)
            return i;
    }
    return -1;
}

void
positions_set_layout(struct positions_state *p, bool halves, bool tensor2tensor)
{
    struct hl_posenc_column was[POSITIONS_CURVES], pinned = { 0 };
    int n = 0;
    for (int i = 0; i < p->n_curves; i++)
        was[i] = positions_column(p, p->curve[i]);
    if (p->col >= 0)
        pinned = positions_column(p, p->col);
    p->halves = halves;
    p->tensor2tensor = tensor2tensor;
    for (int i = 0; i < p->n_curves; i++) {
        int dim = find_dim(p, was[i].pair, was[i].cosine);
        if (dim >= 0)
            p->curve[n++] = dim;
    }
    p->n_curves = n;
    if (p->col >= 0)
        p->col = find_dim(p, pinned.pair, pinned.cosine);
    if (p->col < 0)
        p->row = -1;
    refresh(p);
}

void
positions_set_size(struct positions_state *p, int d, int length)
{
    int n = 0;
    d -= d % 2;
    p->d = d < POSITIONS_MIN_D ? POSITIONS_MIN_D : d > POSITIONS_MAX_D ? POSITIONS_MAX_D : d;
    p->length = length < 1 ? 1 : length > POSITIONS_MAX_LENGTH ? POSITIONS_MAX_LENGTH : length;
    for (int i = 0; i < p->n_curves; i++) {
        if (p->curve[i] < p->d)
            p->curve[n++] = p->curve[i];
    }
    p->n_curves = n;
    if (n == 0)
        default_curves(p);
    refresh(p);
}

void
positions_toggle_curve(struct positions_state *p, int col)
{
    for (int i = 0; i < p->n_curves; i++) {
        if (p->curve[i] != col)
            continue;
        memmove(&p->curve[i], &p->curve[i + 1], (size_t)(p->n_curves - i - 1) * sizeof p->curve[0]);
        p->n_curves--;
        return;
    }
    if (p->n_curves == POSITIONS_CURVES) {
        memmove(&p->curve[0], &p->curve[1], (POSITIONS_CURVES - 1) * sizeof p->curve[0]);
        p->n_curves--;
    }
    p->curve[p->n_curves++] = col;
}

void
positions_pin(struct positions_state *p, int row, int col)
{
    bool again = p->row == row && p->col == col, drawn = false;
    for (int i = 0; i < p->n_curves; i++)
        drawn = drawn || p->curve[i] == col;
    p->row = row;
    p->col = col;
    if (again || !drawn)
        positions_toggle_curve(p, col);
}

double
positions_d_place(double d)
{
    return log(d / POSITIONS_MIN_D) / log((double)POSITIONS_MAX_D / POSITIONS_MIN_D);
}

double
positions_d_at(double t)
{
    return 2 * round(POSITIONS_MIN_D * pow((double)POSITIONS_MAX_D / POSITIONS_MIN_D, t) / 2);
}

double
positions_length_place(double length)
{
    return log(length) / log((double)POSITIONS_MAX_LENGTH);
}

double
positions_length_at(double t)
{
    return round(pow((double)POSITIONS_MAX_LENGTH, t));
}

/* ---- another order of the same words ---- */

struct words {
    const char *start[256];
    size_t len[256];
    int n;
};

static void
split(const char *text, struct words *w)
{
    w->n = 0;
    while (*text != 0 && w->n < 256) {
        text += strspn(text, " \t\n\r");
        size_t len = strcspn(text, " \t\n\r");
        if (len == 0)
            break;
        w->start[w->n] = text;
        w->len[w->n++] = len;
        text += len;
    }
    /* what is beyond stays with the last word */
    if (*text != 0 && w->n == 256)
        w->len[255] += strlen(text);
}

static bool
same_word(const struct words *w, int a, int b)
{
    return w->len[a] == w->len[b] && memcmp(w->start[a], w->start[b], w->len[a]) == 0;
}

/* A permutation that changes the text if one can. */
static void
permute(const struct words *w, uint64_t seed, int order[256])
{
    struct hl_rng rng;
    hl_rng_init(&rng, seed);
    for (int try = 0; try < 16; try++) {
        bool changed = false;
        for (int i = 0; i < w->n; i++)
            order[i] = i;
        for (int i = w->n - 1; i > 0; i--) {
            int j = hl_rng_below(&rng, i + 1), keep = order[i];
            order[i] = order[j];
            order[j] = keep;
        }
        for (int i = 0; i < w->n; i++)
            changed = changed || !same_word(w, order[i], i);
        if (changed)
            return;
    }
    for (int i = 0; i < w->n; i++)
        order[i] = w->n - 1 - i;
}

bool
positions_shuffle(struct positions_state *p, const char *text)
{
    struct words w;
    int order[256];
    size_t n = 0;
    char *out = hl_alloc(strlen(text) + 1, 1);
    if (out == NULL)
        return false;
    split(text, &w);
    permute(&w, p->seed, order);
    for (int i = 0; i < w.n; i++) {
        if (i > 0)
            out[n++] = ' ';
        memcpy(out + n, w.start[order[i]], w.len[order[i]]);
        n += w.len[order[i]];
    }
    out[n] = 0;
    hl_free(p->shuffled);
    p->shuffled = out;
    return true;
}
