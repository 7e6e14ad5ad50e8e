#include "story.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/span.h"
#include "base/utf8.h"
#include "draw/dl_text.h"
#include "harness/ntm_sample.h"
#include "harness/sagan_sample.h"
#include "sample.h"
#include "screen/app.h"
#include "session.h"
#include "state/picture.h"
#include "screen/images/images.h"
#include "screen/memory/memory.h"

enum { MAX_HELD = 64, ARG_SZ = 32768 };

struct story {
    const char *root, *name;
    int line, failed;
    bool update, hold;
    struct app_state state;
    struct hl_arena frame;
    struct dl list;
    struct hl_effects last; /* of the last step */
    char copied[ARG_SZ];
    struct hl_result held[MAX_HELD];
    int n_held;
};

static void
fail(struct story *t, const char *what, const char *detail)
{
    printf("%s.events:%d: %s: %.300s\n", t->name, t->line, what, detail);
    t->failed++;
}

static void
draw(struct story *t)
{
    hl_arena_reset(&t->frame);
    app_build(&t->state, &hl_metrics_fixed, &t->frame, &t->list);
    uint64_t once = dl_digest(&t->list);
    hl_arena_reset(&t->frame);
    app_build(&t->state, &hl_metrics_fixed, &t->frame, &t->list);
    if (once != dl_digest(&t->list))
        fail(t, "two builds of one state differ", "");
    app_shown(&t->state, &t->list);
}

static void take(struct story *t, struct hl_effects *fx);

static void
give(struct story *t, struct hl_result r)
{
    struct hl_event ev = { .kind = EV_RESULT, .result = &r };
    struct hl_effects fx = { 0 };
    app_update(&t->state, &ev, &fx);
    take(t, &fx);
}

static struct hl_record *
sample(const struct story *t, const struct hl_effect *e, struct hl_error *err)
{
    bool gru = strcmp(e->model, "en-fr-gru") == 0;
    if (strcmp(e->model, "ntm-copy") == 0)
        return ntm_sample_run(e->req.text,
                              e->req.n_overrides > 0 ? &memory_of(&t->state)->options : NULL);
    const struct images_state *m = images_of(&t->state);
    if (strcmp(e->model, "sagan-fashion") == 0)
        return sagan_sample_run(e->req.text, m->own ? &m->judged : &m->drawn, err);
    return sample_record(gru ? SAMPLE_GRU : SAMPLE_TRANSFORMER, e->req.text, e->req.target);
}

/* Answers runs; keeps what is copied. */
static void
take(struct story *t, struct hl_effects *fx)
{
    for (int i = 0; i < fx->n; i++) {
        const struct hl_effect *e = &fx->v[i];
        if (e->kind == FX_COPY)
            snprintf(t->copied, sizeof t->copied, "%s", e->text);
        if (e->kind != FX_RUN)
            continue;
        struct hl_result r = { .slot = e->slot, .ticket = e->ticket, .status = HL_OK };
        r.record = sample(t, e, &r.error);
        r.status = r.error.code;
        if (r.record == NULL && r.status == HL_OK)
            fail(t, "no sample record", e->req.text);
        else if (t->hold && t->n_held < MAX_HELD)
            t->held[t->n_held++] = r;
        else
            give(t, r);
    }
}

static void
step(struct story *t, const struct hl_event *ev)
{
    struct hl_effects fx = { 0 };
    app_update(&t->state, ev, &fx);
    t->last = fx;
    take(t, &fx);
    draw(t);
}

/* ---- the words of a script ---- */

static const struct {
    const char *name;
    int key;
} key_names[] = {
    { "tab", KEY_TAB },
    { "enter", KEY_ENTER },
    { "escape", KEY_ESCAPE },
    { "space", KEY_SPACE },
    { "backspace", KEY_BACKSPACE },
    { "delete", KEY_DELETE },
    { "left", KEY_LEFT },
    { "right", KEY_RIGHT },
    { "up", KEY_UP },
    { "down", KEY_DOWN },
    { "home", KEY_HOME },
    { "end", KEY_END },
    { "f1", KEY_F1 },
    { "f6", KEY_F6 },
    { "f11", KEY_F11 },
    { "plus", KEY_PLUS },
    { "minus", KEY_MINUS },
};

static void
play_key(struct story *t, const char *arg)
{
    struct hl_event ev = { .kind = EV_KEY, .down = true };
    for (;;) {
        if (strncmp(arg, "ctrl+", 5) == 0) {
            ev.mods |= MOD_CTRL;
            arg += 5;
        } else if (strncmp(arg, "shift+", 6) == 0) {
            ev.mods |= MOD_SHIFT;
            arg += 6;
        } else if (strncmp(arg, "alt+", 4) == 0) {
            ev.mods |= MOD_ALT;
            arg += 4;
        } else {
            break;
        }
    }
    ev.key = arg[0] != 0 && arg[1] == 0 ? arg[0] : KEY_NONE;
    for (size_t i = 0; i < sizeof key_names / sizeof *key_names; i++) {
        if (strcmp(arg, key_names[i].name) == 0)
            ev.key = key_names[i].key;
    }
    if (ev.key == KEY_NONE)
        fail(t, "no such key", arg);
    step(t, &ev);
}

static void
mouse(struct story *t, enum ev_kind kind, float x, float y, int clicks)
{
    struct hl_event ev = {
        .kind = kind, .button = 1, .clicks = clicks, .x = x, .y = y, .down = kind == EV_MOUSE_DOWN
    };
    step(t, &ev);
}

static void
play_mouse(struct story *t, const char *verb, const char *arg)
{
    float x = 0, y = 0;
    int clicks = 1;
    char id[128];
    hl_rect r;
    if (strcmp(verb, "point") == 0 || strcmp(verb, "press") == 0 || strcmp(verb, "drag") == 0) {
        if (sscanf(arg, "%f %f %d", &x, &y, &clicks) < 2)
            fail(t, "two numbers wanted", arg);
        mouse(t, verb[1] == 'r' && verb[0] == 'p' ? EV_MOUSE_DOWN : EV_MOUSE_MOVE, x, y, clicks);
        if (verb[0] == 'd')
            mouse(t, EV_MOUSE_UP, x, y, clicks);
        return;
    }
    if (sscanf(arg, "%127s %d", id, &clicks) < 1 || !dl_hit_find(&t->list, id, &r)) {
        fail(t, "nothing of that name", arg);
        return;
    }
    x = r.x + r.w / 2;
    y = r.y + r.h / 2;
    if (strcmp(verb, "hover") == 0) {
        mouse(t, EV_MOUSE_MOVE, x, y, 0);
        return;
    }
    mouse(t, EV_MOUSE_DOWN, x, y, clicks);
    mouse(t, EV_MOUSE_UP, x, y, clicks);
}

/* \n, \xNN (a raw byte), \uNNNN, and \*N repeats the character before N times. */
static void
unescape(const char *s, struct hl_sb *out)
{
    size_t last = 0;
    while (*s != 0) {
        unsigned v = 0;
        int used = 0;
        char buf[4];
        if (s[0] != '\\') {
            uint32_t cp;
            last = hl_utf8_next(s, strlen(s), &cp);
            hl_sb_put(out, s, last);
            s += last;
        } else if (s[1] == 'n') {
            hl_sb_putc(out, '\n');
            last = 1;
            s += 2;
        } else if (sscanf(s, "\\x%2x%n", &v, &used) == 1 && used > 0) {
            hl_sb_putc(out, (char)v);
            last = 1;
            s += used;
        } else if (sscanf(s, "\\u%4x%n", &v, &used) == 1 && used > 0) {
            last = hl_utf8_put(buf, v);
            hl_sb_put(out, buf, last);
            s += used;
        } else if (sscanf(s, "\\*%u%n", &v, &used) == 1 && used > 0 && out->n >= last) {
            for (unsigned i = 1; i < v; i++) {
                char c[4];
                memcpy(c, out->p + out->n - last, last);
                hl_sb_put(out, c, last);
            }
            s += used;
        } else {
            hl_sb_putc(out, *s++);
            last = 1;
        }
    }
}

static void
play_text(struct story *t, enum ev_kind kind, const char *arg)
{
    struct hl_sb sb = { 0 };
    unescape(arg, &sb);
    if (kind == EV_PASTE) {
        struct hl_event ev = { .kind = kind, .text = sb.n > 0 ? sb.p : "" };
        step(t, &ev);
    }
    /* Typed: one character, one event. */
    for (size_t at = 0; kind == EV_TEXT && at < sb.n;) {
        char one[5] = "";
        uint32_t cp;
        size_t k = hl_utf8_next(sb.p + at, sb.n - at, &cp);
        memcpy(one, sb.p + at, k);
        struct hl_event ev = { .kind = kind, .text = one };
        step(t, &ev);
        at += k;
    }
    hl_sb_deinit(&sb);
}

static void
play_set(struct story *t, const char *arg)
{
    char key[64];
    int used = 0;
    struct hl_error err;
    if (sscanf(arg, "%63s %n", key, &used) < 1)
        return;
    if (app_set(&t->state, key, arg + used, &err) != HL_OK)
        fail(t, "setting refused", err.detail);
    t->last.n = 0;
    app_request(&t->state, &t->last);
    struct hl_effects fx = t->last;
    take(t, &fx);
    draw(t);
}

/* ---- what is expected ---- */

static void
expect_golden(struct story *t, const char *name)
{
    char path[1024];
    struct hl_sb sb = { 0 };
    struct hl_map_file f;
    struct hl_error err;
    struct dl again = { 0 };
    dl_write_text(&t->list, &sb);
    snprintf(path, sizeof path, "%s/tests/golden/dl/%s-%s.txt", t->root, t->name, name);
    if (t->update) {
        if (hl_map_write(path, sb.p, sb.n, &err) != HL_OK)
            fail(t, "cannot write", path);
    } else if (hl_map_open(path, &f, &err) != HL_OK) {
        fail(t, "no golden (run with 'update')", path);
    } else {
        if (f.n != sb.n || memcmp(f.p, sb.p, f.n) != 0) {
            size_t at = 0, line = 1;
            while (at < f.n && at < sb.n && f.p[at] == (uint8_t)sb.p[at])
                line += f.p[at++] == '\n';
            char where[1400];
            snprintf(where, sizeof where, "%s line %zu: %.120s", path, line,
                     at < sb.n ? sb.p + at : "(ends)");
            fail(t, "differs from the golden", where);
        }
        hl_map_close(&f);
    }
    /* Every list is read back and written alike. */
    struct hl_sb two = { 0 };
    if (dl_read_text(&again, sb.p, &err) == HL_OK)
        dl_write_text(&again, &two);
    if (two.n != sb.n || memcmp(two.p, sb.p, sb.n) != 0)
        fail(t, "is not read back alike", name);
    dl_deinit(&again);
    hl_sb_deinit(&two);
    hl_sb_deinit(&sb);
}

static bool
some_text(const struct story *t, const char *part)
{
    for (const struct dl_cmd *c = dl_first(&t->list); c != NULL; c = dl_next(&t->list, c)) {
        if (c->kind == DL_TEXT && strstr(dl_tail(c), part) != NULL)
            return true;
    }
    return false;
}

static bool
some_effect(const struct story *t, const char *name)
{
    static const char *const names[FX_KIND_COUNT] = { "run",   "copy", "paste",      "png",
                                                      "svg",   "json", "fullscreen", "scale",
                                                      "caret", "save", "animate",    "quit",
                                                      "open" };
    for (int i = 0; i < t->last.n; i++) {
        if (strcmp(names[t->last.v[i].kind], name) == 0)
            return true;
    }
    return false;
}

static void
same_string(struct story *t, const char *what, const char *wanted, const char *is)
{
    struct hl_sb sb = { 0 };
    unescape(wanted, &sb);
    if (strcmp(sb.n > 0 ? sb.p : "", is) != 0)
        fail(t, what, is);
    hl_sb_deinit(&sb);
}

static bool
check(struct story *t, const char *verb, const char *arg)
{
    hl_rect r;
    if (strcmp(verb, "expect") == 0)
        expect_golden(t, arg);
    else if (strcmp(verb, "text") == 0)
        same_string(t, "the text is", arg, state_text(&t->state));
    else if (strcmp(verb, "copied") == 0)
        same_string(t, "copied is", arg, t->copied);
    else if (strcmp(verb, "shows") == 0 || strcmp(verb, "hides") == 0) {
        if (some_text(t, arg) != (verb[0] == 's'))
            fail(t, verb[0] == 's' ? "is not shown" : "is shown", arg);
    } else if (strcmp(verb, "names") == 0 || strcmp(verb, "lacks") == 0) {
        if (dl_hit_find(&t->list, arg, &r) != (verb[0] == 'n'))
            fail(t, verb[0] == 'n' ? "no such region" : "region is there", arg);
    } else if (strcmp(verb, "effect") == 0) {
        if (!some_effect(t, arg))
            fail(t, "was not asked for", arg);
    } else if (strcmp(verb, "focus") == 0)
        same_string(t, "the focus is on", arg, t->state.focus);
    else
        return false;
    return true;
}

/* ---- the player ---- */

static void
play_result(struct story *t, const char *arg)
{
    t->hold = strcmp(arg, "hold") == 0;
    /* In the reverse order: an old result must not replace a newer one. */
    while (!t->hold && t->n_held > 0) {
        t->n_held--;
        give(t, t->held[t->n_held]);
    }
    draw(t);
}

/* What the dropped file turned out to be: "W H" of grey pixels, or a sentence. */
static void
play_picture(struct story *t, const char *arg)
{
    static uint8_t rgba[64 * 64 * 4];
    struct hl_picture p = { .rgba = rgba };
    struct hl_error err = { .code = HL_E_IMAGE };
    struct hl_event ev = { .kind = EV_PICTURE, .ticket = images_of(&t->state)->open.ticket };
    if (sscanf(arg, "%d %d", &p.w, &p.h) == 2 && p.w > 0 && p.h > 0 && p.w <= 64 && p.h <= 64) {
        memset(rgba, 200, sizeof rgba);
        p.width = (uint32_t)p.w;
        p.height = (uint32_t)p.h;
        ev.picture = &p;
    } else {
        snprintf(err.detail, sizeof err.detail, "%.500s", arg);
        ev.error = &err;
    }
    step(t, &ev);
}

static void
play_line(struct story *t, char *line)
{
    char *arg = line + strcspn(line, " ");
    if (*arg != 0)
        *arg++ = 0;
    if (line[0] == 0 || line[0] == '#' || check(t, line, arg))
        return;
    if (strcmp(line, "size") == 0) {
        struct hl_event ev = { .kind = EV_RESIZE };
        sscanf(arg, "%f %f %f", &ev.x, &ev.y, &ev.scale);
        step(t, &ev);
    } else if (strcmp(line, "key") == 0)
        play_key(t, arg);
    else if (strcmp(line, "type") == 0)
        play_text(t, EV_TEXT, arg);
    else if (strcmp(line, "paste") == 0)
        play_text(t, EV_PASTE, arg);
    else if (strcmp(line, "set") == 0)
        play_set(t, arg);
    else if (strcmp(line, "result") == 0)
        play_result(t, arg);
    else if (strcmp(line, "drop") == 0)
        step(t, &(struct hl_event) { .kind = EV_DROP, .text = arg });
    else if (strcmp(line, "picture") == 0)
        play_picture(t, arg);
    else
        play_mouse(t, line, arg);
}

static void
begin(struct story *t)
{
    const struct hl_model_info gru = { .name = "en-fr-gru",
                                       .title = "English → French · GRU",
                                       .network = hl_network_find("headlight-gru") };
    static const struct hl_fact layers = { "layers", "4 + 4" };
    const struct hl_network *marian = hl_network_find("marian");
    const struct hl_model_info tf = { .name = "en-fr-transformer",
                                      .title = "English → French · Transformer",
                                      .network = marian,
                                      .n_options = marian->n_options,
                                      .options = marian->options,
                                      .n_facts = 1,
                                      .facts = &layers };
    const struct hl_model_info memory = { .name = "ntm-copy",
                                          .title = "Copy · Neural Turing Machine",
                                          .network = &hl_network_ntm,
                                          .details = &ntm_sample_info };
    const struct hl_model_info images = { .name = "sagan-fashion",
                                          .title = "Fashion · self-attention GAN",
                                          .network = &hl_network_sagan,
                                          .details = &sagan_sample_info };
    hl_arena_init(&t->frame, 1 << 18, 0);
    if (!app_init(&t->state, &hl_metrics_fixed))
        fail(t, "no state", "");
    struct hl_effects fx = { 0 };
    app_model_ready(&t->state, gru.name, &gru, &fx);
    take(t, &fx);
    fx.n = 0;
    app_model_ready(&t->state, tf.name, &tf, &fx);
    take(t, &fx);
    fx.n = 0;
    app_model_ready(&t->state, images.name, &images, &fx);
    take(t, &fx);
    fx.n = 0;
    app_model_ready(&t->state, memory.name, &memory, &fx);
    take(t, &fx);
    draw(t);
}

int
story_play(const char *root, const char *name, bool update)
{
    static struct story t;
    char path[1024];
    struct hl_map_file f;
    struct hl_error err;
    memset(&t, 0, sizeof t);
    t.root = root;
    t.name = name;
    t.update = update;
    snprintf(path, sizeof path, "%s/tests/story/%s.events", root, name);
    if (hl_map_open(path, &f, &err) != HL_OK) {
        printf("%s: cannot be read\n", path);
        return 1;
    }
    begin(&t);
    for (size_t at = 0; at < f.n;) {
        static char line[ARG_SZ];
        size_t n = 0;
        while (at < f.n && f.p[at] != '\n' && n < sizeof line - 1)
            line[n++] = (char)f.p[at++];
        line[n] = 0;
        at += at < f.n && f.p[at] == '\n';
        t.line++;
        play_line(&t, line);
    }
    hl_map_close(&f);
    for (int i = 0; i < t.n_held; i++)
        hl_record_destroy(t.held[i].record);
    app_deinit(&t.state);
    dl_deinit(&t.list);
    hl_arena_deinit(&t.frame);
    return t.failed;
}
