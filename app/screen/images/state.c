#include "screen/images/images_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"

bool
images_init(struct images_state *m)
{
    *m = (struct images_state) { .n_pins = 1, .reach = true };
    m->pins[0] = 7 * 16 + 7; /* inside the garment, whatever it is */
    m->judged.discriminator = true;
    return field_set(&m->seed_text, "0", 1);
}

void
images_deinit(struct images_state *m)
{
    field_deinit(&m->seed_text);
    field_deinit(&m->path_text);
    hl_free(m->open.preview);
    *m = (struct images_state) { 0 };
}

/* ---- the model and its options ---- */

const struct hl_sagan_info *
images_info(const struct app_state *s)
{
    const struct app_model *m = state_model(s, s->chosen[HL_CAN_PICTURES]);
    return m != NULL && m->status == APP_MODEL_READY ? hl_sagan_info(&m->info) : NULL;
}

int
images_grid(const struct app_state *s)
{
    const struct hl_sagan_info *info = images_info(s);
    return info != NULL ? info->attention_side : 16;
}

struct hl_sagan_options *
images_options(struct images_state *m)
{
    return m->own ? &m->judged : &m->drawn;
}

float
images_trained_gamma(const struct app_state *s)
{
    const struct hl_sagan_info *info = images_info(s);
    int snapshot = images_of(s)->drawn.snapshot;
    if (info == NULL)
        return 0;
    if (images_of(s)->own)
        return info->discriminator_gamma;
    return snapshot >= 1 && snapshot <= info->n_snapshots ? info->snapshots[snapshot - 1].gamma
                                                          : info->gamma;
}

float
images_gamma_range(const struct app_state *s)
{
    const struct hl_sagan_info *info = images_info(s);
    float end = info == NULL ? 0 : images_of(s)->own ? info->discriminator_gamma : info->gamma;
    return end != 0 ? 2 * end : 1;
}

float
images_gamma(const struct app_state *s)
{
    const struct hl_sagan_options *o =
        images_of(s)->own ? &images_of(s)->judged : &images_of(s)->drawn;
    return o->has_gamma ? o->gamma : images_trained_gamma(s);
}

/* ---- seed and latents ---- */

void
images_set_seed(struct images_state *m, uint64_t seed)
{
    char text[24];
    int n = snprintf(text, sizeof text, "%llu", (unsigned long long)seed);
    m->drawn.seed = seed;
    m->drawn.n_latents = 0;
    memset(m->moved, 0, sizeof m->moved);
    field_set(&m->seed_text, text, (size_t)n);
}

static void
drawn_latent(const struct app_state *s, int picture, float *out)
{
    const struct hl_sagan_options *o = &images_of(s)->drawn;
    if (picture < o->n_latents)
        memcpy(out, o->latents[picture], sizeof o->latents[picture]);
    else /* a shorter latent is the beginning of a longer one */
        hl_sagan_latent(o->seed, picture, HL_SAGAN_MAX_LATENT, out);
}

void
images_latent(const struct app_state *s, float *out)
{
    drawn_latent(s, images_of(s)->picture, out);
}

void
images_set_latent(struct app_state *s, int index, float value)
{
    struct images_state *m = images_of(s);
    if (index < 0 || index >= HL_SAGAN_MAX_LATENT)
        return;
    for (int i = m->drawn.n_latents; i <= m->picture; i++)
        drawn_latent(s, i, m->drawn.latents[i]);
    if (m->drawn.n_latents <= m->picture)
        m->drawn.n_latents = m->picture + 1;
    m->drawn.latents[m->picture][index] =
        fminf(fmaxf(value, -IMAGES_LATENT_MAX), IMAGES_LATENT_MAX);
    m->moved[m->picture] = true;
}

void
images_reset_latent(struct app_state *s)
{
    struct images_state *m = images_of(s);
    if (m->picture >= m->drawn.n_latents)
        return;
    hl_sagan_latent(m->drawn.seed, m->picture, HL_SAGAN_MAX_LATENT, m->drawn.latents[m->picture]);
    m->moved[m->picture] = false;
    /* Those at the end that are the seed's again need not be told. */
    while (m->drawn.n_latents > 0 && !m->moved[m->drawn.n_latents - 1])
        m->drawn.n_latents--;
}

void
images_pin(struct images_state *m, int cell)
{
    int at = 0;
    while (at < m->n_pins && m->pins[at] != cell)
        at++;
    bool last = at == m->n_pins - 1;
    if (at == m->n_pins && m->n_pins == IMAGES_PINS)
        at = 0;
    if (at < m->n_pins) {
        m->n_pins--;
        memmove(&m->pins[at], &m->pins[at + 1], (size_t)(m->n_pins - at) * sizeof *m->pins);
    }
    if (!last)
        m->pins[m->n_pins++] = cell;
}

/* ---- the record ---- */

/* Vectors [pictures, n, width] of that name, or NULL. */
static const struct hl_vectors *
vectors(const struct hl_record *r, const char *name, int pictures, int n, int width)
{
    const struct hl_vectors *v = hl_record_find_vectors(r, name);
    return v != NULL && v->n_layers == pictures && v->n == n && v->width == width ? v : NULL;
}

static void
find_asked(struct images_pic *p)
{
    const struct hl_axis *named = hl_record_find_axis(p->r, "source");
    for (int i = 0; i < HL_SAGAN_MAX_PICTURES; i++) {
        bool there = named != NULL && i < named->n && p->classes != NULL &&
                     named->tokens[i].id >= 0 && named->tokens[i].id < p->classes->n;
        p->asked[i] = there ? named->tokens[i].id : -1;
    }
}

bool
images_pic(const struct app_state *s, struct images_pic *out)
{
    const struct images_state *m = images_of(s);
    const struct hl_record *r = s->slots[state_slot(s, "images", IMAGES_RUN)].record;
    struct images_pic p = { .r = r };
    if (r == NULL)
        return false;
    const struct hl_axis *cells = hl_record_find_axis(r, "cell");
    p.map = hl_record_find_map(r, "self", HL_STAGE_WEIGHTS);
    p.image = hl_record_find_vectors(r, "image");
    if (cells == NULL || p.map == NULL || p.image == NULL || p.map->n_q != cells->n ||
        p.map->n_k != cells->n || cells->grid_h != cells->grid_w || p.map->n_layers < 1 ||
        p.map->n_heads != 1 || p.map->n_layers > HL_SAGAN_MAX_PICTURES)
        return false;
    p.pictures = p.map->n_layers;
    p.grid = cells->grid_h;
    p.places = cells->n;
    while (p.side * p.side < p.image->n)
        p.side++;
    p.image = vectors(r, "image", p.pictures, p.side * p.side, 1);
    p.plain = vectors(r, "image.convolution", p.pictures, p.side * p.side, 1);
    p.reach = vectors(r, "reach", 1, p.places, 4);
    p.classes = hl_record_find_axis(r, "class");
    p.score = p.classes != NULL ? vectors(r, "score", p.pictures, p.classes->n, 1) : NULL;
    if (p.image == NULL || (p.plain == NULL) != m->own)
        return false; /* of the other network: the awaited one is on its way */
    p.picture = m->own || m->picture >= p.pictures ? 0 : m->picture;
    find_asked(&p);
    *out = p;
    return true;
}

/* The place of a region of grid x grid under the pointer. */
static int
pointed(const struct app_state *s, const char *id, int grid)
{
    hl_rect r;
    if (strcmp(s->hover, id) != 0 || s->last == NULL || !dl_hit_find(s->last, id, &r) ||
        !rect_has(r, s->mouse_x, s->mouse_y))
        return -1;
    int row = (int)((s->mouse_y - r.y) / r.h * (float)grid);
    int col = (int)((s->mouse_x - r.x) / r.w * (float)grid);
    row = row < grid ? row : grid - 1;
    col = col < grid ? col : grid - 1;
    return row * grid + col;
}

int
images_place(const struct app_state *s, const struct images_pic *p, bool *hot)
{
    const struct images_state *m = images_of(s);
    int at = pointed(s, "place:map", p->grid);
    at = at < 0 ? pointed(s, "place:sheet", p->grid) : at;
    *hot = at >= 0;
    if (at < 0 && m->n_pins > 0 && m->pins[m->n_pins - 1] < p->places)
        at = m->pins[m->n_pins - 1];
    return at;
}

void
images_weights(const struct images_state *m, const struct images_pic *p, int place, float *out)
{
    for (int i = 0; i < p->places; i++)
        out[i] = m->looked_at ? hl_map_row(p->map, p->picture, 0, i)[place]
                              : hl_map_row(p->map, p->picture, 0, place)[i];
}

void
images_measure(const float *w, int grid, int place, struct images_far *out)
{
    int row = place / grid, col = place % grid;
    *out = (struct images_far) { 0 };
    for (int i = 0; i < grid * grid; i++)
        out->sum += (double)w[i];
    for (int i = 0; i < grid * grid && out->sum > 0; i++) {
        double v = (double)w[i] / out->sum;
        int dy = i / grid - row, dx = i % grid - col;
        out->entropy -= v > 0 ? v * log2(v) : 0;
        out->distance += v * sqrt((double)(dy * dy + dx * dx));
        if (dy < -1 || dy > 1 || dx < -1 || dx > 1)
            out->outside += v;
    }
}

/* ---- words ---- */

/* Words that join or go before the name of a thing. */
static bool
small_word(const char *s, size_t n)
{
    static const char *const words[] = { "a",    "an",  "and", "the", "with", "or",
                                         "some", "one", "two", "of",  "my",   "plus" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t k = 0;
        while (k < n && words[i][k] != 0 && (s[k] | 32) == words[i][k])
            k++;
        if (k == n && words[i][k] == 0)
            return true;
    }
    return false;
}

static bool
is_named(const struct hl_axis *named, int32_t from, int32_t to)
{
    for (int i = 0; i < named->n; i++) {
        if (from < named->tokens[i].end && to > named->tokens[i].start)
            return true;
    }
    return false;
}

bool
images_unknown(const char *text, const struct hl_record *r, char *buf, size_t buf_sz)
{
    const struct hl_axis *named = hl_record_find_axis(r, "source");
    size_t n = strlen(text), used = 0, at = 0;
    if (named == NULL || named->text == NULL || strcmp(named->text, text) != 0)
        return false;
    if (r->dropped_at >= 0 && (size_t)r->dropped_at < n)
        n = (size_t)r->dropped_at;
    while (at < n) {
        uint32_t cp;
        size_t k = hl_utf8_next(text + at, n - at, &cp), end = at;
        if (!hl_utf8_is_word(cp)) {
            at += k;
            continue;
        }
        while (end < n && (k = hl_utf8_next(text + end, n - end, &cp), hl_utf8_is_word(cp)))
            end += k;
        size_t len = end - at;
        if (!small_word(text + at, len) && !is_named(named, (int32_t)at, (int32_t)end) &&
            used + len + 12 < buf_sz)
            used += (size_t)snprintf(buf + used, buf_sz - used, "%s“%.*s”", used > 0 ? ", " : "",
                                     (int)len, text + at);
        at = end;
    }
    return used > 0;
}
