#include "ui/field.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/utf8.h"

/* Texts up to this size are measured whole; longer ones in a window of chunks
 * around the caret. */
enum { CHUNK = 512, MAX_TEXT = 1 << 20 };

enum { GROUP_NONE, GROUP_TYPE, GROUP_DELETE };

/* Between the border and the text: a small field has no room to give away. */
static float
padding(hl_rect r)
{
    return r.h < 40 ? 8 : 16;
}

static void
undo_clear(struct field_undo *v, int *n)
{
    for (int i = 0; i < *n; i++)
        hl_free(v[i].text);
    *n = 0;
}

void
field_deinit(struct ui_field *f)
{
    undo_clear(f->undo, &f->n_undo);
    undo_clear(f->redo, &f->n_redo);
    hl_free(f->preedit);
    hl_sb_deinit(&f->text);
    memset(f, 0, sizeof *f);
}

const char *
field_text(const struct ui_field *f)
{
    return f->text.n > 0 ? f->text.p : "";
}

static size_t
sel_start(const struct ui_field *f)
{
    return f->caret < f->anchor ? f->caret : f->anchor;
}

static size_t
sel_end(const struct ui_field *f)
{
    return f->caret < f->anchor ? f->anchor : f->caret;
}

struct hl_span
field_selection(const struct ui_field *f)
{
    struct hl_span s = { field_text(f) + sel_start(f), sel_end(f) - sel_start(f) };
    return s;
}

void
field_select_all(struct ui_field *f)
{
    f->anchor = 0;
    f->caret = f->text.n;
    f->group = GROUP_NONE;
}

/* ---- changes and their undoing ---- */

static bool
snapshot(const struct ui_field *f, struct field_undo *out)
{
    char *copy = hl_alloc(f->text.n + 1, 1);
    if (copy == NULL)
        return false;
    memcpy(copy, field_text(f), f->text.n);
    *out = (struct field_undo) { copy, f->text.n, f->caret, f->anchor };
    return true;
}

static void
push(struct field_undo *v, int *n, struct field_undo u)
{
    if (*n == FIELD_UNDO) {
        hl_free(v[0].text);
        memmove(v, v + 1, (FIELD_UNDO - 1) * sizeof *v);
        (*n)--;
    }
    v[(*n)++] = u;
}

/* Before a change of kind `group`: a run of the same kind is one step. */
static void
remember(struct ui_field *f, int group)
{
    undo_clear(f->redo, &f->n_redo);
    if (group != GROUP_NONE && group == f->group)
        return;
    struct field_undo u;
    if (snapshot(f, &u))
        push(f->undo, &f->n_undo, u);
    f->group = group;
}

static bool
replace_text(struct ui_field *f, size_t from, size_t to, const char *s, size_t n)
{
    struct hl_sb sb = { 0 };
    hl_sb_put(&sb, field_text(f), from);
    hl_sb_put(&sb, s, n);
    hl_sb_put(&sb, field_text(f) + to, f->text.n - to);
    if (sb.failed) {
        hl_sb_deinit(&sb);
        return false;
    }
    hl_sb_deinit(&f->text);
    f->text = sb;
    f->caret = f->anchor = from + n;
    f->dragging = false; /* what the drag began on is no longer there */
    return true;
}

/* Repairs, turns tabs into spaces and CR LF into LF, and bounds the size. */
static char *
clean(struct hl_arena *a, const char *s, size_t n, size_t room, size_t *out_n)
{
    n = n > room ? room : n;
    char *fixed = hl_utf8_repair(a, s, n, out_n);
    if (fixed == NULL)
        return NULL;
    size_t k = 0;
    for (size_t i = 0; i < *out_n; i++) {
        if (fixed[i] == '\r' && i + 1 < *out_n && fixed[i + 1] == '\n')
            continue;
        fixed[k++] = fixed[i] == '\t' ? ' ' : fixed[i] == '\r' ? '\n' : fixed[i];
    }
    fixed[k] = 0;
    *out_n = k;
    return fixed;
}

static bool
put_clean(struct ui_field *f, size_t from, size_t to, const char *s, size_t n)
{
    struct hl_arena a;
    hl_arena_init(&a, 4096, 0);
    size_t m = 0, kept = f->text.n - (to - from);
    char *c = clean(&a, s, n, kept < MAX_TEXT ? MAX_TEXT - kept : 0, &m);
    bool ok = c != NULL && replace_text(f, from, to, c, m);
    hl_arena_deinit(&a);
    return ok;
}

bool
field_set(struct ui_field *f, const char *s, size_t n)
{
    if (!put_clean(f, 0, f->text.n, s, n))
        return false;
    undo_clear(f->undo, &f->n_undo);
    undo_clear(f->redo, &f->n_redo);
    f->group = GROUP_NONE;
    f->scroll = 0;
    f->window_start = 0;
    return true;
}

bool
field_insert(struct ui_field *f, const char *s, size_t n)
{
    size_t from = sel_start(f), to = sel_end(f);
    bool typed = from == to && n > 0 && n <= 8;
    bool border = typed && s[0] == ' ';
    remember(f, typed ? GROUP_TYPE : GROUP_NONE);
    bool ok = put_clean(f, from, to, s, n);
    if (border || !typed)
        f->group = GROUP_NONE; /* the next word is a step of its own */
    return ok;
}

static enum field_change
erase(struct ui_field *f, size_t from, size_t to)
{
    if (from >= to)
        return FIELD_USED;
    remember(f, f->caret != f->anchor ? GROUP_NONE : GROUP_DELETE);
    return replace_text(f, from, to, "", 0) ? FIELD_CHANGED : FIELD_USED;
}

static enum field_change
travel(struct ui_field *f, struct field_undo *from, int *n_from, struct field_undo *to, int *n_to)
{
    struct field_undo now;
    if (*n_from == 0 || !snapshot(f, &now))
        return FIELD_USED;
    struct field_undo u = from[--*n_from];
    if (!replace_text(f, 0, f->text.n, u.text, u.n)) {
        from[(*n_from)++] = u;
        hl_free(now.text);
        return FIELD_USED;
    }
    f->caret = u.caret;
    f->anchor = u.anchor;
    hl_free(u.text);
    push(to, n_to, now);
    f->group = GROUP_NONE;
    return FIELD_CHANGED;
}

/* ---- the window of text that is measured, and its shown form ---- */

/* Chunk borders are a function of the text alone: every CHUNK bytes, moved back to
 * just after a space when one is near, else to a character border. */
static size_t
chunk_end(const char *s, size_t n, size_t start)
{
    if (n - start <= CHUNK)
        return n;
    size_t at = start + CHUNK;
    for (size_t back = 0; back < 64; back++) {
        if (s[at - back - 1] == ' ')
            return at - back;
    }
    while (at > start && ((unsigned char)s[at] & 0xC0) == 0x80)
        at--;
    return at;
}

struct window {
    size_t from, to;   /* bytes of the text */
    const char *shown; /* with marks in place of line breaks and controls, and the preedit */
    size_t n;
    size_t pre_at, pre_n; /* where the preedit stands in `shown` */
    struct hl_arena arena;
};

static bool
is_control(char c)
{
    return (unsigned char)c < 0x20 || c == 0x7F;
}

/* Byte in the text to byte in the shown form. */
static size_t
to_shown(const struct ui_field *f, const struct window *w, size_t at)
{
    const char *s = field_text(f);
    size_t k = 0;
    at = at < w->from ? w->from : at > w->to ? w->to : at;
    for (size_t i = w->from; i < at; i++)
        k += is_control(s[i]) ? 3 : 1;
    if (w->pre_n > 0 && at > f->caret)
        k += w->pre_n;
    return k;
}

static size_t
from_shown(const struct ui_field *f, const struct window *w, size_t at)
{
    const char *s = field_text(f);
    size_t k = 0, i = w->from;
    for (; i < w->to; i++) {
        if (w->pre_n > 0 && i == f->caret)
            k += w->pre_n;
        size_t step = is_control(s[i]) ? 3 : 1;
        if (k + step > at)
            break;
        k += step;
    }
    return i;
}

static void
window_open(const struct ui_field *f, struct window *w)
{
    const char *s = field_text(f);
    size_t n = f->text.n, prev = 0, cur = 0, end = chunk_end(s, n, 0);
    while (end < n && f->caret >= end) {
        prev = cur;
        cur = end;
        end = chunk_end(s, n, cur);
    }
    w->from = prev;
    w->to = chunk_end(s, n, end < n ? end : cur);
    if (end >= n)
        w->to = n;
    hl_arena_init(&w->arena, 8192, 0);
    size_t pre = f->preedit != NULL ? strlen(f->preedit) : 0, k = 0;
    char *out = hl_arena_alloc(&w->arena, (w->to - w->from) * 3 + pre + 1, 1, 1);
    w->pre_at = w->pre_n = 0;
    w->shown = "";
    w->n = 0;
    if (out == NULL)
        return;
    for (size_t i = w->from; i <= w->to; i++) {
        if (pre > 0 && i == f->caret) {
            memcpy(out + k, f->preedit, pre);
            w->pre_at = k;
            w->pre_n = pre;
            k += pre;
        }
        if (i == w->to)
            break;
        if (s[i] == '\n')
            k += (memcpy(out + k, "\xE2\x8F\x8E", 3), 3); /* U+23CE */
        else if (is_control(s[i]))
            k += hl_utf8_put(out + k, s[i] == 0x7F ? 0x2421 : 0x2400 + (uint32_t)s[i]);
        else
            out[k++] = s[i];
    }
    out[k] = 0;
    w->shown = out;
    w->n = k;
}

static void
window_close(struct window *w)
{
    hl_arena_deinit(&w->arena);
}

static float
caret_x(const struct ui_field *f, const struct window *w, const struct hl_metrics *m, float size)
{
    size_t at = w->pre_n > 0 ? w->pre_at + f->preedit_caret : to_shown(f, w, f->caret);
    return m->caret_x(m->user, DL_FONT_UI_MEDIUM, size, w->shown, w->n, at);
}

/* Keeps the caret inside the field, and the text against its left edge when there
 * is room. */
void
field_reveal(struct ui_field *f, const struct hl_metrics *m, hl_rect r, float size)
{
    struct window w;
    window_open(f, &w);
    float room = r.w - 2 * padding(r) - 2, x = caret_x(f, &w, m, size);
    float full = metrics_width(m, DL_FONT_UI_MEDIUM, size, w.shown, w.n);
    if (w.from != f->window_start) {
        /* The window moved on: the caret stays about where it stood. */
        bool ahead = w.from > f->window_start;
        f->scroll = x - (ahead ? room : 0);
        f->window_start = w.from;
    }
    float margin = room > 120 ? 24 : 0;
    if (x - f->scroll > room - margin)
        f->scroll = x - (room - margin);
    if (x - f->scroll < margin)
        f->scroll = x - margin;
    if (w.to == f->text.n && f->scroll > full - room)
        f->scroll = full - room;
    if (f->scroll < 0)
        f->scroll = 0;
    window_close(&w);
}

/* ---- events ---- */

static void
move_to(struct ui_field *f, size_t at, bool extend)
{
    f->caret = at;
    if (!extend)
        f->anchor = at;
    f->group = GROUP_NONE;
}

static size_t
step(const struct ui_field *f, bool right, bool word)
{
    const char *s = field_text(f);
    size_t n = f->text.n, at = f->caret;
    if (word)
        return right ? hl_utf8_word_next(s, n, at) : hl_utf8_word_prev(s, n, at);
    return right ? (at < n ? hl_utf8_grapheme_next(s, n, at) : n)
                 : (at > 0 ? hl_utf8_grapheme_prev(s, n, at) : 0);
}

static enum field_change
key_ctrl(struct ui_field *f, int key, bool shift)
{
    switch (key) {
    case 'a':
        field_select_all(f);
        return FIELD_USED;
    case 'c':
        return f->caret != f->anchor ? FIELD_COPY : FIELD_USED;
    case 'x':
        return f->caret != f->anchor ? FIELD_CUT : FIELD_USED;
    case 'v':
        return FIELD_PASTE;
    case 'z':
        return shift ? travel(f, f->redo, &f->n_redo, f->undo, &f->n_undo)
                     : travel(f, f->undo, &f->n_undo, f->redo, &f->n_redo);
    case 'y':
        return travel(f, f->redo, &f->n_redo, f->undo, &f->n_undo);
    default:
        return FIELD_UNUSED;
    }
}

static enum field_change
key_event(struct ui_field *f, const struct hl_event *ev)
{
    bool shift = ev->mods & MOD_SHIFT, ctrl = ev->mods & MOD_CTRL;
    bool chosen = f->caret != f->anchor;
    if (ev->mods & MOD_ALT)
        return FIELD_UNUSED;
    switch (ev->key) {
    case KEY_LEFT:
    case KEY_RIGHT:
        if (chosen && !shift && !ctrl)
            move_to(f, ev->key == KEY_LEFT ? sel_start(f) : sel_end(f), false);
        else
            move_to(f, step(f, ev->key == KEY_RIGHT, ctrl), shift);
        return FIELD_USED;
    case KEY_HOME:
    case KEY_UP:
        move_to(f, 0, shift);
        return FIELD_USED;
    case KEY_END:
    case KEY_DOWN:
        move_to(f, f->text.n, shift);
        return FIELD_USED;
    case KEY_BACKSPACE:
        return chosen ? erase(f, sel_start(f), sel_end(f))
                      : erase(f, step(f, false, ctrl), f->caret);
    case KEY_DELETE:
        if (shift && chosen)
            return FIELD_CUT;
        return chosen ? erase(f, sel_start(f), sel_end(f))
                      : erase(f, f->caret, step(f, true, ctrl));
    case KEY_ENTER:
        return FIELD_UNUSED;
    default:
        return ctrl ? key_ctrl(f, ev->key, shift) : FIELD_UNUSED;
    }
}

static size_t
at_mouse(const struct ui_field *f, const struct hl_metrics *m, hl_rect r, float size, float x)
{
    struct window w;
    window_open(f, &w);
    float in = x - r.x - padding(r) + f->scroll;
    size_t at = m->caret_at(m->user, DL_FONT_UI_MEDIUM, size, w.shown, w.n, in);
    at = from_shown(f, &w, at);
    window_close(&w);
    return at;
}

/* The word around `at`, or the run of spaces or symbols. */
static void
word_around(const struct ui_field *f, size_t at, size_t *from, size_t *to)
{
    const char *s = field_text(f);
    size_t n = f->text.n;
    *from = *to = at;
    uint32_t cp = 0;
    while (*to < n) {
        size_t k = hl_utf8_next(s + *to, n - *to, &cp);
        if (!hl_utf8_is_word(cp))
            break;
        *to += k;
    }
    while (*from > 0) {
        size_t k = hl_utf8_prev(s, *from);
        hl_utf8_next(s + *from - k, k, &cp);
        if (!hl_utf8_is_word(cp))
            break;
        *from -= k;
    }
    if (*from == *to && at < n)
        *to = hl_utf8_grapheme_next(s, n, at);
}

static enum field_change
mouse_down(struct ui_field *f, const struct hl_event *ev, const struct hl_metrics *m, hl_rect r,
           float size)
{
    size_t at = at_mouse(f, m, r, size, ev->x);
    f->dragging = true;
    f->drag_clicks = ev->clicks < 1 ? 1 : ev->clicks > 3 ? 3 : ev->clicks;
    f->group = GROUP_NONE;
    if (f->drag_clicks == 3) {
        field_select_all(f);
        return FIELD_USED;
    }
    if (f->drag_clicks == 2) {
        word_around(f, at, &f->drag_from, &f->drag_to);
        f->anchor = f->drag_from;
        f->caret = f->drag_to;
        return FIELD_USED;
    }
    move_to(f, at, ev->mods & MOD_SHIFT);
    return FIELD_USED;
}

static enum field_change
mouse_drag(struct ui_field *f, const struct hl_event *ev, const struct hl_metrics *m, hl_rect r,
           float size)
{
    size_t at = at_mouse(f, m, r, size, ev->x);
    if (f->drag_clicks == 1) {
        f->caret = at;
    } else if (f->drag_clicks == 2) {
        size_t from, to;
        word_around(f, at, &from, &to);
        f->anchor = at < f->drag_from ? f->drag_to : f->drag_from;
        f->caret = at < f->drag_from ? from : to > f->drag_to ? to : f->drag_to;
    }
    return FIELD_USED;
}

static enum field_change
preedit_event(struct ui_field *f, const struct hl_event *ev)
{
    hl_free(f->preedit);
    f->preedit = NULL;
    size_t n = ev->text != NULL ? strlen(ev->text) : 0;
    if (n == 0 || n > 4096)
        return FIELD_USED;
    struct hl_arena a;
    hl_arena_init(&a, 1024, 0);
    size_t m = 0;
    char *c = hl_utf8_repair(&a, ev->text, n, &m);
    f->preedit = c != NULL ? hl_alloc(m + 1, 1) : NULL;
    if (f->preedit != NULL) {
        memcpy(f->preedit, c, m);
        size_t at = 0;
        uint32_t cp;
        for (int i = 0; i < ev->cursor && at < m; i++)
            at += hl_utf8_next(c + at, m - at, &cp);
        f->preedit_caret = at;
    }
    hl_arena_deinit(&a);
    return FIELD_USED;
}

enum field_change
field_event(struct ui_field *f, const struct hl_event *ev, const struct hl_metrics *m, hl_rect r,
            float size)
{
    enum field_change change = FIELD_UNUSED;
    size_t n = ev->text != NULL ? strlen(ev->text) : 0;
    if (ev->kind == EV_KEY)
        change = key_event(f, ev);
    else if (ev->kind == EV_TEXT || ev->kind == EV_PASTE)
        change = n > 0 && field_insert(f, ev->text, n) ? FIELD_CHANGED : FIELD_USED;
    else if (ev->kind == EV_PREEDIT)
        change = preedit_event(f, ev);
    else if (ev->kind == EV_MOUSE_DOWN && ev->button <= 1)
        change = mouse_down(f, ev, m, r, size);
    else if (ev->kind == EV_MOUSE_DOWN && ev->button == 2) {
        move_to(f, at_mouse(f, m, r, size, ev->x), false);
        change = FIELD_PASTE_SELECTION;
    } else if (ev->kind == EV_MOUSE_MOVE && f->dragging)
        change = mouse_drag(f, ev, m, r, size);
    else if (ev->kind == EV_MOUSE_UP && f->dragging) {
        f->dragging = false;
        change = FIELD_USED;
    }
    if (change != FIELD_UNUSED && change != FIELD_COPY && change != FIELD_PASTE &&
        change != FIELD_PASTE_SELECTION)
        field_reveal(f, m, r, size);
    return change;
}

/* ---- drawing ---- */

static bool
right_to_left(uint32_t cp)
{
    return (cp >= 0x590 && cp <= 0x8FF) || (cp >= 0xFB1D && cp <= 0xFDFF) ||
           (cp >= 0xFE70 && cp <= 0xFEFF) || (cp >= 0x10800 && cp <= 0x10FFF) ||
           (cp >= 0x1E800 && cp <= 0x1EFFF);
}

/* End of the run of one direction that starts at a; signs and spaces go with what
 * stands before them. */
static size_t
run_end(const struct window *w, size_t a, size_t b, bool *rtl)
{
    uint32_t cp;
    size_t at = a + hl_utf8_next(w->shown + a, w->n - a, &cp);
    *rtl = right_to_left(cp);
    while (at < b) {
        size_t k = hl_utf8_next(w->shown + at, w->n - at, &cp);
        if (right_to_left(cp) != *rtl && (*rtl ? hl_utf8_is_word(cp) : true))
            break;
        at += k;
    }
    return at;
}

/* The selection as one box for each run of direction: from the leading edge of its
 * first character to the far edge of its last. */
static void
draw_selection(struct ui *u, const struct ui_field *f, const struct window *w, float x0, float top,
               float h, float size, hl_rect clip)
{
    const struct hl_metrics *m = u->metrics;
    const enum dl_font font = DL_FONT_UI_MEDIUM;
    size_t b = to_shown(f, w, sel_end(f));
    for (size_t a = to_shown(f, w, sel_start(f)), end; a < b; a = end) {
        bool rtl;
        end = run_end(w, a, b, &rtl);
        size_t last = hl_utf8_grapheme_prev(w->shown, w->n, end);
        last = last < a ? a : last;
        float p = m->caret_x(m->user, font, size, w->shown, w->n, a);
        float q = m->caret_x(m->user, font, size, w->shown, w->n, last);
        float one = metrics_width(m, font, size, w->shown + last, end - last);
        hl_rect box = rtl ? rect_make(x0 + q - one, top, p - q + one, h)
                          : rect_make(x0 + p, top, q + one - p, h);
        dl_fill(u->dl, rect_intersect(box, clip), 0, u->theme->accent_soft);
    }
}

/* The part of the shown form that the field can show, as bytes: whole chunks of
 * words around the visible pixels, so that right-to-left runs are not cut where it
 * would be seen. Short texts are drawn whole; with `elide` one that does not fit ends in
 * a mark, so that no part of a number passes for the number. */
static void
draw_text(struct ui *u, const struct window *w, float x0, float base, float size, hl_rect clip,
          hl_color ink, bool elide)
{
    const struct hl_metrics *m = u->metrics;
    float full = metrics_width(m, DL_FONT_UI_MEDIUM, size, w->shown, w->n);
    if (full <= 2 * clip.w + 400) {
        float room = clip.x + clip.w - x0, most = elide && full > room ? room : 0;
        dl_text_ex(u->dl, x0, base, DL_FONT_UI_MEDIUM, size, DL_LEFT, ink, 0, most, w->shown, w->n);
        return;
    }
    size_t a = m->caret_at(m->user, DL_FONT_UI_MEDIUM, size, w->shown, w->n, clip.x - x0 - 80);
    size_t b =
        m->caret_at(m->user, DL_FONT_UI_MEDIUM, size, w->shown, w->n, clip.x + clip.w - x0 + 80);
    if (a > b) {
        size_t t = a;
        a = b;
        b = t;
    }
    float xa = m->caret_x(m->user, DL_FONT_UI_MEDIUM, size, w->shown, w->n, a);
    float xb = m->caret_x(m->user, DL_FONT_UI_MEDIUM, size, w->shown, w->n, b);
    float left = xa < xb ? xa : xb;
    dl_text_ex(u->dl, x0 + left, base, DL_FONT_UI_MEDIUM, size, DL_LEFT, ink, 0, 0, w->shown + a,
               b - a);
}

void
field_build(struct ui *u, const struct ui_field *f, hl_rect r, float size, const char *id,
            const char *hint)
{
    const struct hl_theme *t = u->theme;
    bool focused = ui_focused(u, id);
    float pad = padding(r);
    dl_fill(u->dl, r, UI_PANEL_RADIUS, t->panel);
    dl_stroke(u->dl, r, UI_PANEL_RADIUS, focused ? 1.5f : 1, focused ? t->accent : t->line);
    dl_hit(u->dl, r, DL_CURSOR_TEXT, "%s", id);
    hl_rect clip = rect_make(r.x + pad - 4, r.y + 2, r.w - 2 * pad + 8, r.h - 4);
    float base = ui_baseline(u, DL_FONT_UI_MEDIUM, size, r.y, r.h);
    float up = u->metrics->ascent(u->metrics->user, DL_FONT_UI_MEDIUM, size);
    float down = u->metrics->descent(u->metrics->user, DL_FONT_UI_MEDIUM, size);
    float top = roundf(base - up), h = ceilf(up + down);
    struct window w;
    window_open(f, &w);
    float x0 = roundf(r.x + pad - f->scroll);
    dl_clip(u->dl, clip);
    if (w.n == 0) {
        ui_label(u, rect_make(r.x + pad + 4, r.y, r.w - 2 * pad, r.h), DL_FONT_UI, size, DL_LEFT,
                 t->quiet, hint);
    } else {
        if (focused && f->caret != f->anchor && w.pre_n == 0)
            draw_selection(u, f, &w, x0, top, h, size, clip);
        draw_text(u, &w, x0, base, size, clip, t->ink, !focused && f->scroll < 1);
    }
    if (w.pre_n > 0) {
        const struct hl_metrics *m = u->metrics;
        float a = m->caret_x(m->user, DL_FONT_UI_MEDIUM, size, w.shown, w.n, w.pre_at);
        float b = m->caret_x(m->user, DL_FONT_UI_MEDIUM, size, w.shown, w.n, w.pre_at + w.pre_n);
        dl_fill(u->dl, rect_make(x0 + (a < b ? a : b), base + 3, fabsf(b - a), 1), 0, t->accent);
    }
    if (focused)
        dl_fill(u->dl, rect_make(roundf(x0 + caret_x(f, &w, u->metrics, size)), top, 2, h), 0,
                t->accent);
    dl_unclip(u->dl);
    window_close(&w);
}

hl_rect
field_caret_rect(const struct ui_field *f, const struct hl_metrics *m, hl_rect r, float size)
{
    struct window w;
    window_open(f, &w);
    float x = r.x + padding(r) - f->scroll + caret_x(f, &w, m, size);
    window_close(&w);
    x = x < r.x ? r.x : x > r.x + r.w ? r.x + r.w : x;
    return rect_make(roundf(x), r.y + 8, 2, r.h - 16);
}
