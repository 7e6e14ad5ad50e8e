/* --set KEY=VALUE of the Images screen, and what is kept. */
#include "screen/images_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "screen/attention.h"

static bool
bad(struct hl_error *err, const char *key, const char *why)
{
    hl_error_set(err, HL_E_ARGUMENT, key, "%s", why);
    return false;
}

/* A number at *s that ends at `end` or with the text; moves *s behind it. */
static bool
number(const char **s, char end, double *out)
{
    char word[48];
    const char *stop = strchr(*s, end);
    size_t n = stop != NULL ? (size_t)(stop - *s) : strlen(*s);
    if (n == 0 || n >= sizeof word)
        return false;
    memcpy(word, *s, n);
    word[n] = 0;
    *s += n + (stop != NULL);
    return hl_parse_double(word, out);
}

/* "7,9;2,3": pinned places, row and column from 1; "none". */
static bool
set_cells(struct app_state *s, const char *key, const char *value, struct hl_error *err)
{
    struct images_state *m = images_of(s);
    int pins[IMAGES_PINS], n = 0, side = images_grid(s);
    if (strcmp(value, "none") == 0) {
        m->n_pins = 0;
        return true;
    }
    while (*value != 0) {
        char one[48];
        const char *p = one, *stop = strchr(value, ';');
        size_t len = stop != NULL ? (size_t)(stop - value) : strlen(value);
        double row, col;
        if (len >= sizeof one || n == IMAGES_PINS)
            return bad(err, key, "ROW,COLUMN from 1 is meant, several with ; between, or none");
        memcpy(one, value, len);
        one[len] = 0;
        if (!number(&p, ',', &row) || !number(&p, ',', &col) || *p != 0 || row != floor(row) ||
            col != floor(col) || row < 1 || row > side || col < 1 || col > side) {
            hl_error_set(err, HL_E_ARGUMENT, key,
                         "ROW,COLUMN from 1 to %d is meant, several with ; between, or none", side);
            return false;
        }
        pins[n++] = ((int)row - 1) * side + (int)col - 1;
        value += len + (stop != NULL);
    }
    memcpy(m->pins, pins, (size_t)n * sizeof *pins);
    m->n_pins = n;
    return true;
}

/* "3:0.5,7:-1" for the shown picture, "2/3:0.5" for the second one; "seed": none. */
static bool
set_latents(struct app_state *s, const char *key, const char *value, struct hl_error *err)
{
    struct images_state *m = images_of(s);
    const struct hl_sagan_info *info = images_info(s);
    int shown = m->picture, most = info != NULL ? info->latent_size : HL_SAGAN_MAX_LATENT;
    if (strcmp(value, "seed") == 0) {
        images_set_seed(m, m->drawn.seed);
        return true;
    }
    while (*value != 0) {
        double picture = shown + 1, i, v;
        const char *colon = strchr(value, ':'), *slash = strchr(value, '/');
        bool ok = slash == NULL || colon == NULL || slash > colon || number(&value, '/', &picture);
        ok = ok && number(&value, ':', &i) && number(&value, ',', &v);
        if (!ok || picture != floor(picture) || picture < 1 || picture > HL_SAGAN_MAX_PICTURES ||
            i != floor(i) || i < 1 || i > most || !(fabs(v) <= IMAGES_LATENT_MAX)) {
            m->picture = shown;
            hl_error_set(err, HL_E_ARGUMENT, key,
                         "INDEX:VALUE is meant, INDEX from 1 to %d, VALUE from -%d to %d, several "
                         "with commas between; PICTURE/ may stand before",
                         most, IMAGES_LATENT_MAX, IMAGES_LATENT_MAX);
            return false;
        }
        m->picture = (int)picture - 1;
        images_set_latent(s, (int)i - 1, (float)v);
    }
    m->picture = shown;
    return true;
}

static bool
set_number(struct app_state *s, const char *key, const char *value, struct hl_error *err)
{
    struct images_state *m = images_of(s);
    const struct hl_sagan_info *info = images_info(s);
    int most = info != NULL ? info->n_snapshots : 99;
    double v;
    if (strcmp(key, "gamma") == 0) {
        struct hl_sagan_options *o = images_options(m);
        o->has_gamma = strcmp(value, "trained") != 0;
        if (o->has_gamma && (!hl_parse_double(value, &v) || !(fabs(v) <= 100))) {
            o->has_gamma = false;
            return bad(err, key, "a number from -100 to 100, or trained, is meant");
        }
        o->gamma = o->has_gamma ? (float)v : 0;
        return true;
    }
    if (strcmp(key, "snapshot") == 0 && strcmp(value, "last") == 0) {
        m->drawn.snapshot = 0;
        return true;
    }
    if (!hl_parse_double(value, &v) || v != floor(v))
        return bad(err, key, "a whole number is meant");
    if (strcmp(key, "seed") == 0) {
        if (v < 0 || v > 9e15)
            return bad(err, key, "a whole number from 0 is meant");
        images_set_seed(m, (uint64_t)v);
    } else if (strcmp(key, "picture") == 0) {
        if (v < 1 || v > HL_SAGAN_MAX_PICTURES)
            return bad(err, key, "a number from 1 to 4 is meant");
        m->picture = (int)v - 1;
    } else {
        if (v < 0 || v > most) {
            hl_error_set(err, HL_E_ARGUMENT, key, "0 or last (as trained), or 1 to %d, is meant",
                         most);
            return false;
        }
        m->drawn.snapshot = (int)v;
    }
    return true;
}

static const char *const network_keys[] = { "generator", "discriminator" };
static const char *const direction_keys[] = { "looks-at", "looked-at-by" };
static const char *const scale_keys[] = { "linear", "log" };
static const char *const view_keys[] = { "picture", "sheet" };

static bool
set_choice(struct app_state *s, const char *key, const char *value, struct hl_error *err)
{
    static const char *const on_off[] = { "off", "on" };
    struct images_state *m = images_of(s);
    bool own;
    const struct {
        const char *key;
        const char *const *names;
        bool *to;
    } choices[] = {
        { "network", network_keys, &own },      { "direction", direction_keys, &m->looked_at },
        { "scale", scale_keys, &m->log_scale }, { "view", view_keys, &m->sheet },
        { "lock", on_off, &m->lock },           { "reach", on_off, &m->reach },
    };
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        if (strcmp(key, choices[i].key) != 0)
            continue;
        int k = attention_choice(key, value, choices[i].names, 2, err);
        if (k < 0)
            return false;
        *choices[i].to = k == 1;
        if (i == 0)
            images_show_own(s, own);
        return true;
    }
    hl_error_set(err, HL_E_UNSUPPORTED, key, "the Images screen has no such setting");
    return false;
}

bool
images_set(struct app_state *s, const char *k, const char *value, struct hl_error *err)
{
    if (strcmp(k, "class") == 0) {
        struct ui_field *f = &s->texts[APP_TEXT_CLASSES][s->active[APP_TEXT_CLASSES]];
        images_of(s)->own = false;
        return field_set(f, value, strlen(value)) || bad(err, k, "the words could not be stored");
    }
    if (strcmp(k, "image") == 0) {
        images_want(s, value);
        return true;
    }
    if (strcmp(k, "invert") == 0) {
        static const char *const names[] = { "off", "on", "auto" };
        int i = attention_choice(k, value, names, 3, err);
        if (i == 0 || i == 1)
            images_invert(images_of(s), i == 1);
        else if (i == 2)
            images_of(s)->open.exchange = -1;
        return i >= 0;
    }
    if (strcmp(k, "cell") == 0)
        return set_cells(s, k, value, err);
    if (strcmp(k, "latent") == 0)
        return set_latents(s, k, value, err);
    if (strcmp(k, "gamma") == 0 || strcmp(k, "snapshot") == 0 || strcmp(k, "seed") == 0 ||
        strcmp(k, "picture") == 0)
        return set_number(s, k, value, err);
    return set_choice(s, k, value, err);
}

/* ---- keeping ---- */

static void
put_number(void (*put)(void *user, const char *key, const char *value), void *user, const char *key,
           double v)
{
    struct hl_sb sb = { 0 };
    hl_sb_num(&sb, v, 9);
    put(user, key, sb.n > 0 ? sb.p : "0");
    hl_sb_deinit(&sb);
}

static void
save_latents(const struct images_state *m,
             void (*put)(void *user, const char *key, const char *value), void *user)
{
    struct hl_sb sb = { 0 };
    for (int p = 0; p < m->drawn.n_latents; p++) {
        for (int i = 0; i < HL_SAGAN_MAX_LATENT && m->moved[p]; i++) {
            hl_sb_printf(&sb, "%s%d/%d:", sb.n > 0 ? "," : "", p + 1, i + 1);
            hl_sb_num(&sb, (double)m->drawn.latents[p][i], 6);
        }
    }
    if (sb.n > 0)
        put(user, "latent", sb.p);
    hl_sb_deinit(&sb);
}

void
images_save(const struct app_state *s, void (*put)(void *user, const char *key, const char *value),
            void *user)
{
    const struct images_state *m = images_of(s);
    int side = images_grid(s);
    struct hl_sb cells = { 0 };
    put_number(put, user, "seed", (double)m->drawn.seed);
    put_number(put, user, "picture", m->picture + 1);
    put_number(put, user, "snapshot", m->drawn.snapshot);
    for (int i = 0; i < m->n_pins; i++)
        hl_sb_printf(&cells, "%s%d,%d", i > 0 ? ";" : "", m->pins[i] / side + 1,
                     m->pins[i] % side + 1);
    put(user, "cell", cells.n > 0 ? cells.p : "none");
    hl_sb_deinit(&cells);
    if (m->drawn.has_gamma)
        put_number(put, user, "gamma", (double)m->drawn.gamma);
    save_latents(m, put, user);
    put(user, "direction", direction_keys[m->looked_at]);
    put(user, "scale", scale_keys[m->log_scale]);
    put(user, "view", view_keys[m->sheet]);
    put(user, "lock", m->lock ? "on" : "off");
    put(user, "reach", m->reach ? "on" : "off");
    if (m->open.path[0] != 0 && m->open.there) {
        put(user, "image", m->open.path);
        put(user, "invert", m->open.invert ? "on" : "off");
    }
    put(user, "network", network_keys[m->own]);
}
