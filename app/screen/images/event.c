/* Events of the Images screen and what it asks the model for. */
#include "screen/images/images_priv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/rng.h"
#include "base/span.h"

static bool
starts(const char *s, const char *with)
{
    return strncmp(s, with, strlen(with)) == 0;
}

/* The class words, whatever screen is shown. */
static const char *
class_text(const struct app_state *s)
{
    return field_text(&s->texts[APP_TEXT_CLASSES][s->active[APP_TEXT_CLASSES]]);
}

static uint64_t
text_digest(const struct app_state *s)
{
    const char *text = class_text(s);
    return hl_fnv1a(0, text, strlen(text));
}

/* ---- asking ---- */

void
images_request(struct app_state *s, struct hl_effects *fx)
{
    struct images_state *m = images_of(s);
    /* Who types class words wants to see them drawn. */
    if (m->own && m->own_text != text_digest(s))
        m->own = false;
    const struct hl_sagan_info *info = images_info(s);
    if (m->open.there && info != NULL && info->side != m->open.side)
        images_want(s, m->open.path); /* for a model with pictures of another size */
    images_ask(s, fx);
    if (m->own ? !m->open.there : class_text(s)[0] == 0)
        return;
    struct hl_effect *e =
        state_run(s, fx, state_slot(s, "images", IMAGES_RUN), s->chosen[HL_CAN_PICTURES]);
    if (e == NULL)
        return;
    e->req = (struct hl_request) { .text = class_text(s) };
    hl_sagan_request(images_options(m), &e->req);
}

void
images_show_own(struct app_state *s, bool own)
{
    images_of(s)->own = own;
    images_of(s)->own_text = text_digest(s);
}

static void
changed(struct app_state *s, struct hl_effects *fx)
{
    s->dirty = true;
    images_request(s, fx);
}

/* ---- classes ---- */

/* The class's name alone, or behind what is typed. */
static void
choose_class(struct app_state *s, int i, bool more, struct hl_effects *fx)
{
    const struct hl_sagan_info *info = images_info(s);
    struct ui_field *f = state_field(s);
    struct images_pic p;
    char text[512];
    if (info == NULL || i < 0 || i >= info->n_classes)
        return;
    bool full = images_pic(s, &p) && p.pictures >= HL_SAGAN_MAX_PICTURES;
    size_t n = strlen(field_text(f));
    if (more && full) {
        state_notice(s, true, "Four pictures are drawn at most.");
        return;
    }
    more = more && n > 0 && n < 256;
    snprintf(text, sizeof text, "%s%s%s", more ? field_text(f) : "", more ? " and " : "",
             info->class_names[i]);
    for (char *c = text + (more ? n : 0); *c != 0; c++)
        *c = *c >= 'A' && *c <= 'Z' && c[1] != '-' ? (char)(*c + 32) : *c; /* not T-shirt's T */
    field_select_all(f);
    field_insert(f, text, strlen(text));
    images_of(s)->own = false;
    changed(s, fx);
}

/* ---- sliders ---- */

static void
slide(struct app_state *s, const char *id, float y, struct hl_effects *fx)
{
    hl_rect r;
    if (images_info(s) == NULL || s->last == NULL || !dl_hit_find(s->last, id, &r))
        return;
    if (starts(id, "latent:") && r.h > 4) {
        float t = 1 - 2 * (y - r.y - 2) / (r.h - 4);
        images_set_latent(s, atoi(id + 7), t * IMAGES_LATENT_MAX);
        changed(s, fx);
    }
}

/* By steps: arrow keys and the wheel. */
static bool
slide_by(struct app_state *s, const char *id, float steps, struct hl_effects *fx)
{
    float z[HL_SAGAN_MAX_LATENT];
    if (images_info(s) == NULL)
        return false;
    if (starts(id, "latent:")) {
        images_latent(s, z);
        images_set_latent(s, atoi(id + 7), z[atoi(id + 7) % HL_SAGAN_MAX_LATENT] + steps * 0.1f);
        changed(s, fx);
    } else if (strcmp(id, "field:seed") == 0) {
        uint64_t seed = images_of(s)->drawn.seed;
        images_set_seed(images_of(s), steps > 0 ? seed + 1 : seed > 0 ? seed - 1 : 0);
        changed(s, fx);
    } else {
        return false;
    }
    return true;
}

/* ---- places ---- */

static int
place_at(const struct app_state *s, const char *id, float x, float y)
{
    struct images_pic p;
    hl_rect r;
    if (!images_pic(s, &p) || s->last == NULL || !dl_hit_find(s->last, id, &r) || r.w <= 0)
        return -1;
    int row = (int)((y - r.y) / r.h * (float)p.grid), col = (int)((x - r.x) / r.w * (float)p.grid);
    row = row < 0 ? 0 : row >= p.grid ? p.grid - 1 : row;
    col = col < 0 ? 0 : col >= p.grid ? p.grid - 1 : col;
    return row * p.grid + col;
}

/* The last pin one place on; without one, the middle is pinned. */
static void
move_pin(struct app_state *s, int key)
{
    struct images_state *m = images_of(s);
    struct images_pic p;
    if (!images_pic(s, &p))
        return;
    if (m->n_pins == 0) {
        images_pin(m, p.grid / 2 * p.grid + p.grid / 2);
        return;
    }
    int *at = &m->pins[m->n_pins - 1], row = *at / p.grid, col = *at % p.grid;
    row += key == KEY_DOWN ? 1 : key == KEY_UP ? -1 : 0;
    col += key == KEY_RIGHT ? 1 : key == KEY_LEFT ? -1 : 0;
    row = row < 0 ? 0 : row >= p.grid ? p.grid - 1 : row;
    col = col < 0 ? 0 : col >= p.grid ? p.grid - 1 : col;
    *at = row * p.grid + col;
    s->dirty = true;
}

/* ---- clicks ---- */

static void
new_seed(struct app_state *s, const char *how, struct hl_effects *fx)
{
    uint64_t seed = images_of(s)->drawn.seed;
    struct hl_rng rng;
    if (strcmp(how, "prev") == 0) {
        seed = seed > 0 ? seed - 1 : 0;
    } else if (strcmp(how, "next") == 0) {
        seed++;
    } else { /* from the seed itself: a state gives one next state */
        hl_rng_init(&rng, seed + 1);
        seed = hl_rng_next(&rng) % 1000000;
    }
    images_set_seed(images_of(s), seed);
    changed(s, fx);
}

/* Places, pins, bars. */
static bool
click_place(struct app_state *s, const struct hl_event *ev, const char *hit)
{
    struct images_state *m = images_of(s);
    int i, place = -1;
    if (starts(hit, "place:")) {
        place = place_at(s, hit, ev->x, ev->y);
    } else if (sscanf(hit, "top:%d", &i) == 1) {
        place = i;
    } else if (sscanf(hit, "pin:%d", &i) == 1 && i >= 0 && i < m->n_pins) {
        if (i == m->n_pins - 1) /* it is shown already */
            return true;
        place = m->pins[i];
    } else {
        return false;
    }
    if (place >= 0)
        images_pin(m, place);
    s->dirty = true;
    return true;
}

static bool
press(struct app_state *s, const struct hl_event *ev, const char *hit, struct hl_effects *fx)
{
    struct images_state *m = images_of(s);
    if (click_place(s, ev, hit))
        return true;
    if (starts(hit, "class:")) {
        choose_class(s, atoi(hit + 6), ev->mods & MOD_SHIFT, fx);
    } else if (starts(hit, "seed:")) {
        new_seed(s, hit + 5, fx);
    } else if (strcmp(hit, "act:reset") == 0) {
        images_reset_latent(s);
        changed(s, fx);
    } else if (strcmp(hit, "act:open") == 0) {
        images_want(s, field_text(&m->path_text));
        changed(s, fx);
    } else if (starts(hit, "pic:")) {
        m->picture = atoi(hit + 4);
        s->dirty = true;
    } else if (starts(hit, "latent:")) {
        slide(s, hit, ev->y, fx);
    } else {
        return false;
    }
    return true;
}

/* ---- fields ---- */

static struct ui_field *
path_field(const struct app_state *s)
{
    return &images_of(s)->path_text;
}

static struct ui_field *
seed_field(const struct app_state *s)
{
    return &images_of(s)->seed_text;
}

/* A path counts when Enter says so. */
static void
path_changed(struct app_state *s, struct hl_effects *fx)
{
    (void)s;
    (void)fx;
}

static bool
path_key(struct app_state *s, const struct hl_event *ev, struct hl_effects *fx)
{
    if (ev->key != KEY_ENTER || ev->mods != 0)
        return false;
    images_want(s, field_text(&images_of(s)->path_text));
    changed(s, fx);
    return true;
}

static void
seed_changed(struct app_state *s, struct hl_effects *fx)
{
    struct images_state *m = images_of(s);
    long seed;
    if (!hl_parse_long(field_text(&m->seed_text), &seed) || seed < 0)
        return;
    m->drawn.seed = (uint64_t)seed;
    m->drawn.n_latents = 0;
    memset(m->moved, 0, sizeof m->moved);
    changed(s, fx);
}

static bool
seed_key(struct app_state *s, const struct hl_event *ev, struct hl_effects *fx)
{
    struct images_state *m = images_of(s);
    if (ev->mods != 0)
        return false;
    if (ev->key == KEY_UP || ev->key == KEY_DOWN)
        return slide_by(s, "field:seed", ev->key == KEY_UP ? 1 : -1, fx);
    if (ev->key != KEY_ENTER)
        return false;
    images_set_seed(m, m->drawn.seed); /* what could not be read goes */
    changed(s, fx);
    return true;
}

const struct screen_field images_fields[] = {
    { "field:image", 12.5f, path_field, path_changed, path_key },
    { "field:seed", 12.5f, seed_field, seed_changed, seed_key },
    { .id = NULL },
};

/* ---- keys ---- */

static bool
is_arrow(int key)
{
    return key == KEY_LEFT || key == KEY_RIGHT || key == KEY_UP || key == KEY_DOWN;
}

static bool
alt_key(struct app_state *s, int key, struct hl_effects *fx)
{
    struct images_state *m = images_of(s);
    struct images_pic p;
    switch (key) {
    case 'p':
        m->picture = images_pic(s, &p) ? (p.picture + 1) % p.pictures : 0;
        s->dirty = true;
        return true;
    case 'r':
    case KEY_PAGE_UP:
    case KEY_PAGE_DOWN:
        new_seed(s, key == 'r' ? "random" : key == KEY_PAGE_UP ? "prev" : "next", fx);
        return true;
    case '0':
        images_reset_latent(s);
        changed(s, fx);
        return true;
    case ',':
    case '.':
        if (images_info(s) != NULL)
            control_step(s, &images_rows[IMAGES_ROW_SNAPSHOT], key == '.' ? 1 : -1, fx);
        return true;
    default:
        if (!is_arrow(key))
            return false;
        move_pin(s, key);
        return true;
    }
}

static bool
key_event(struct app_state *s, const struct hl_event *ev, const char *id, struct hl_effects *fx)
{
    struct images_state *m = images_of(s);
    if (ev->mods == MOD_ALT)
        return alt_key(s, ev->key, fx);
    if (ev->mods == 0 && starts(id, "place:") && is_arrow(ev->key)) {
        move_pin(s, ev->key);
        return true;
    }
    if (ev->mods == 0 && starts(id, "latent:") && (ev->key == KEY_UP || ev->key == KEY_DOWN))
        return slide_by(s, id, ev->key == KEY_UP ? 1 : -1, fx);
    if (ev->key == KEY_ESCAPE && m->n_pins > 0) {
        m->n_pins = 0;
        s->dirty = true;
        return true;
    }
    return false;
}

bool
images_event(struct app_state *s, const struct hl_event *ev, const char *hit, struct hl_effects *fx)
{
    if (ev->kind == EV_MOUSE_DOWN && ev->button <= 1)
        return press(s, ev, hit, fx);
    if (ev->kind == EV_MOUSE_MOVE && s->pressed[0] != 0 && starts(hit, "latent:")) {
        slide(s, hit, ev->y, fx);
        return true;
    }
    if (ev->kind == EV_WHEEL && ev->y != 0)
        return slide_by(s, hit, ev->y, fx);
    return ev->kind == EV_KEY && key_event(s, ev, hit, fx);
}
