/* --set KEY=VALUE of the Images screen, and what is kept. */
#include "screen/images/images_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"

/* ---- controls ---- */

enum { SNAPSHOTS_UNKNOWN = 99, GAMMA_MOST = 100 };

static const char *const network_names[] = { "generator", "discriminator", NULL };
static const char *const network_titles[] = { "drawn", "your picture", NULL };
static const char *const direction_names[] = { "looks-at", "looked-at-by", NULL };
static const char *const direction_titles[] = { "looks at", "is looked at by", NULL };
static const char *const scale_names[] = { "linear", "log", NULL };
static const char *const view_names[] = { "picture", "sheet", NULL };
static const char *const view_titles[] = { "picture", "places", NULL };

/* Below `least` it is the owner's own. */
static double
own_or(int value, int least)
{
    return value < least ? (double)NAN : value;
}

static void
exchange(struct images_state *m, double v)
{
    m->open.exchange = -1; /* by the edges */
    if (!isnan(v))
        images_invert(m, v != 0);
}

CONTROL_PART(direction, images_of, looked_at, bool)
CONTROL_PART(scale, images_of, log_scale, bool)
CONTROL_PART(lock, images_of, lock, bool)
CONTROL_PART(reach, images_of, reach, bool)
CONTROL_PART(view, images_of, sheet, bool)

CONTROL_BY(network, images_of(s)->own, images_show_own(s, v != 0))
CONTROL_BY(picture, images_of(s)->picture + 1, images_of(s)->picture = (int)v - 1)
CONTROL_BY(invert, own_or(images_of(s)->open.exchange, 0), exchange(images_of(s), v))
CONTROL_BY(snapshot, own_or(images_of(s)->drawn.snapshot, 1),
           images_of(s)->drawn.snapshot = isnan(v) ? 0 : (int)v)

static double
invert_found(const struct app_state *s)
{
    return images_of(s)->open.invert;
}

/* As trained: NAN. */
static double
get_gamma(const struct app_state *s)
{
    const struct hl_sagan_options *o = images_options(images_of(s));
    return o->has_gamma ? (double)o->gamma : (double)NAN;
}

static void
put_gamma(struct app_state *s, double v)
{
    struct hl_sagan_options *o = images_options(images_of(s));
    o->has_gamma = !isnan(v);
    o->gamma = o->has_gamma ? (float)v : 0;
}

static double
gamma_trained(const struct app_state *s)
{
    return (double)images_trained_gamma(s);
}

static void
gamma_range(const struct app_state *s, double *from, double *to)
{
    *from = 0;
    *to = (double)images_gamma_range(s);
}

/* 0, or as trained. */
static double
next_gamma(double v)
{
    return isnan(v) ? 0 : (double)NAN;
}

static const char *
gamma_text(const struct app_state *s, char *buf, size_t buf_sz)
{
    char now[24], trained[24];
    images_number(now, sizeof now, (double)images_gamma(s), 3);
    images_number(trained, sizeof trained, gamma_trained(s), 3);
    if (isnan(get_gamma(s)))
        snprintf(buf, buf_sz, "%s as trained", now);
    else
        snprintf(buf, buf_sz, "%s, trained %s", now, trained);
    return buf;
}

/* The snapshots; the finished model comes behind the last. */
static void
snapshot_range(const struct app_state *s, double *from, double *to)
{
    const struct hl_sagan_info *info = images_info(s);
    *from = 1;
    *to = info != NULL ? info->n_snapshots : SNAPSHOTS_UNKNOWN;
}

static double
snapshot_finished(const struct app_state *s)
{
    double from, to;
    snapshot_range(s, &from, &to);
    return to + 1;
}

static const char *
snapshot_text(const struct app_state *s, char *buf, size_t buf_sz)
{
    const struct hl_sagan_info *info = images_info(s);
    int at = images_of(s)->drawn.snapshot;
    bool finished = at < 1 || at > info->n_snapshots;
    snprintf(buf, buf_sz, "step %d of %d", finished ? info->step : info->snapshots[at - 1].step,
             info->step);
    return buf;
}

const struct hl_control images_rows[IMAGES_ROWS] = {
    [IMAGES_ROW_NETWORK] = { CONTROL_TITLED("network", "network", network_names, network_titles,
                                            "What the generator draws, or what the discriminator "
                                            "sees in a picture of yours"),
                             CONTROL_SHOWN(network, CONTROL_SEGMENTS, 'o'),
                             .does = "drawn pictures, or your own", .reruns = true,
                             .forgets = true },
    [IMAGES_ROW_PICTURE] = { CONTROL_NUMBER("picture", "picture", HL_OPTION_WHOLE, 1,
                                            HL_SAGAN_MAX_PICTURES,
                                            "Which of several drawn pictures is looked into"),
                             CONTROL_AT(picture) },
    [IMAGES_ROW_GAMMA] = { CONTROL_NUMBER(
                               "gamma", "γ", HL_OPTION_REAL, -GAMMA_MOST, GAMMA_MOST,
                               "How much attention adds: y = γ·o + x. Double-click: as trained"),
                           CONTROL_SHOWN(gamma, CONTROL_SLIDER, 'g'),
                           .does = "γ at 0, or as trained", .reruns = true, .forgets = true,
                           .own = "trained", .home = gamma_trained, .range = gamma_range,
                           .next = next_gamma, .value = gamma_text },
    [IMAGES_ROW_SNAPSHOT] = { CONTROL_NUMBER(
                                  "snapshot", "training", HL_OPTION_WHOLE, 1, SNAPSHOTS_UNKNOWN,
                                  "The generator as it was during training (Alt+, and Alt+.)"),
                              CONTROL_SHOWN(snapshot, CONTROL_SLIDER, 0), .reruns = true,
                              .own = "last", .home = snapshot_finished, .range = snapshot_range,
                              .value = snapshot_text },
    [IMAGES_ROW_VIEW] = { CONTROL_TITLED("view", "view", view_names, view_titles,
                                         "One place large, or all places at once"),
                          CONTROL_SHOWN(view, CONTROL_SEGMENTS, 'v'),
                          .does = "in small windows: one place, or all" },
    [IMAGES_ROW_DIRECTION] = { CONTROL_TITLED("direction", "direction", direction_names,
                                              direction_titles,
                                              "Where the place looks, or who looks at it"),
                               CONTROL_SHOWN(direction, CONTROL_SEGMENTS, 'd'),
                               .does = "looks at / is looked at by" },
    [IMAGES_ROW_SCALE] = { CONTROL_CHOICE("scale", "scale", scale_names,
                                          "Colours by the weight, or by its logarithm"),
                           CONTROL_SHOWN(scale, CONTROL_SEGMENTS, 's'),
                           .does = "linear or log scale" },
    [IMAGES_ROW_LOCK] = { CONTROL_ON_OFF("lock", "0 to 1",
                                         "Colours over 0 to 1, or up to the largest weight"),
                          CONTROL_SHOWN(lock, CONTROL_SWITCH, 'l'), .does = "colours over 0 to 1" },
    [IMAGES_ROW_REACH] = { CONTROL_ON_OFF("reach", "convolution's reach",
                                          "The pixels that convolution alone connects with the "
                                          "place"),
                           CONTROL_SHOWN(reach, CONTROL_SWITCH, 'c'),
                           .does = "convolution's reach" },
    [IMAGES_ROW_INVERT] = { CONTROL_ON_OFF("invert", "light and dark swapped",
                                           "The network knows things light on black; a dark thing "
                                           "on white is exchanged"),
                            CONTROL_SHOWN(invert, CONTROL_SWITCH, 'i'),
                            .does = "light and dark swapped", .reruns = true, .forgets = true,
                            .own = "auto", .home = invert_found },
};

static const struct control_table table = { IMAGES_ROWS, images_rows };
const struct control_table *const images_table[] = { &table, NULL };

/* ---- beyond the controls ---- */

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
set_seed(struct images_state *m, const char *key, const char *value, struct hl_error *err)
{
    double v;
    if (!hl_parse_double(value, &v) || v != floor(v))
        return bad(err, key, "a whole number is meant");
    if (v < 0 || v > 9e15)
        return bad(err, key, "a whole number from 0 is meant");
    images_set_seed(m, (uint64_t)v);
    return true;
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
    if (strcmp(k, "cell") == 0)
        return set_cells(s, k, value, err);
    if (strcmp(k, "latent") == 0)
        return set_latents(s, k, value, err);
    if (strcmp(k, "seed") == 0)
        return set_seed(images_of(s), k, value, err);
    hl_error_set(err, HL_E_UNSUPPORTED, k, "the Images screen has no such setting");
    return false;
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
    for (int i = 0; i < m->n_pins; i++)
        hl_sb_printf(&cells, "%s%d,%d", i > 0 ? ";" : "", m->pins[i] / side + 1,
                     m->pins[i] % side + 1);
    put(user, "cell", cells.n > 0 ? cells.p : "none");
    hl_sb_deinit(&cells);
    if (m->drawn.has_gamma)
        put_number(put, user, "gamma", (double)m->drawn.gamma);
    save_latents(m, put, user);
    if (m->open.path[0] != 0 && m->open.there) {
        put(user, "image", m->open.path);
        put(user, "invert", m->open.invert ? "on" : "off");
    }
    put(user, "network", network_names[m->own]); /* last: what stands above may turn it */
}
