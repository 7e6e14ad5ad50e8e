#include "ui/ui.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool
ui_hovered(const struct ui *u, const char *id)
{
    return strcmp(u->hover, id) == 0;
}

bool
ui_focused(const struct ui *u, const char *id)
{
    return strcmp(u->focus, id) == 0;
}

float
ui_text_width(const struct ui *u, enum dl_font font, float size, const char *s)
{
    return metrics_width(u->metrics, font, size, s, strlen(s));
}

float
ui_baseline(const struct ui *u, enum dl_font font, float size, float y, float h)
{
    float up = u->metrics->ascent(u->metrics->user, font, size);
    float down = u->metrics->descent(u->metrics->user, font, size);
    return roundf(y + (h + up - down) / 2);
}

float
ui_label(struct ui *u, hl_rect r, enum dl_font font, float size, enum dl_align align,
         hl_color color, const char *s)
{
    float x = align == DL_LEFT ? r.x : align == DL_RIGHT ? r.x + r.w : r.x + r.w / 2;
    float w = ui_text_width(u, font, size, s);
    float base = ui_baseline(u, font, size, r.y, r.h);
    if (r.w < 4 || s[0] == 0)
        return 0;
    dl_text_ex(u->dl, x, base, font, size, align, color, 0, w > r.w ? r.w : 0, s, strlen(s));
    return w > r.w ? r.w : w;
}

/* Bytes of s[0..n) that fit in w, cut at a space (at least one word). */
static size_t
line_fit(const struct ui *u, enum dl_font font, float size, const char *s, size_t n, float w)
{
    size_t fit = 0, at = 0;
    while (at < n) {
        size_t end = at;
        while (end < n && s[end] == ' ')
            end++;
        while (end < n && s[end] != ' ')
            end++;
        if (fit > 0 && metrics_width(u->metrics, font, size, s, end) > w)
            break;
        fit = at = end;
    }
    return fit;
}

float
ui_paragraph(struct ui *u, hl_rect r, enum dl_font font, float size, hl_color color, const char *s,
             bool draw)
{
    float step = roundf(size * 1.5f), y = r.y;
    size_t n = strlen(s);
    while (n > 0) {
        size_t fit = line_fit(u, font, size, s, n, r.w);
        if (draw)
            dl_text_ex(u->dl, r.x, ui_baseline(u, font, size, y, step), font, size, DL_LEFT, color,
                       0, r.w, s, fit);
        y += step;
        s += fit;
        n -= fit;
        while (n > 0 && *s == ' ') {
            s++;
            n--;
        }
    }
    return y - r.y;
}

hl_rect
ui_panel(struct ui *u, hl_rect r)
{
    dl_fill(u->dl, r, UI_PANEL_RADIUS, u->theme->panel);
    dl_stroke(u->dl, r, UI_PANEL_RADIUS, 1, u->theme->line);
    return rect_inset(r, UI_PAD, 12);
}

void
ui_rule(struct ui *u, float x, float y, float w)
{
    dl_fill(u->dl, rect_make(x, y, w, 1), 0, u->theme->line);
}

void
ui_hit(struct ui *u, hl_rect r, float radius, enum dl_cursor cursor, const char *id,
       const char *tip)
{
    dl_hit(u->dl, r, cursor, "%s", id);
    if (u->focus_visible && ui_focused(u, id))
        dl_stroke(u->dl, rect_inset(r, -2, -2), radius + 2, 2, u->theme->focus);
    bool hushed = u->hushed != NULL && strcmp(u->hushed, id) == 0;
    if (tip != NULL &&
        ((ui_hovered(u, id) && !hushed) || (u->focus_visible && ui_focused(u, id)))) {
        u->tip_at = r;
        snprintf(u->tip, sizeof u->tip, "%s", tip);
    }
}

float
ui_button_width(const struct ui *u, const char *label)
{
    return ceilf(ui_text_width(u, DL_FONT_UI_MEDIUM, u->theme->body, label)) + 24;
}

void
ui_button(struct ui *u, hl_rect r, enum ui_button_style style, bool enabled, const char *id,
          const char *label, const char *tip)
{
    const struct hl_theme *t = u->theme;
    bool hot = enabled && ui_hovered(u, id);
    hl_color ink = !enabled ? t->quiet : style == UI_BUTTON_PLAIN ? t->chip_ink : t->accent;
    if (style == UI_BUTTON_PLAIN)
        dl_fill(u->dl, r, UI_RADIUS, hot ? theme_mix(t->accent_soft, t->chip, 0.5f) : t->chip);
    else if (hot)
        dl_fill(u->dl, r, UI_RADIUS, t->accent_soft);
    if (style == UI_BUTTON_OUTLINE)
        dl_stroke(u->dl, r, UI_RADIUS, 1, enabled ? t->accent : t->line);
    ui_label(u, rect_inset(r, 8, 0), DL_FONT_UI_MEDIUM, t->body, DL_CENTER, ink, label);
    if (enabled)
        ui_hit(u, r, UI_RADIUS, DL_CURSOR_HAND, id, tip);
}

enum { SEGMENTS_MAX = 16, SEGMENTS_EDGE = 4, SEGMENT_ROOM = 20, SWITCH_TRACK = 36 };

static float
segment_width(const struct ui *u, const char *label)
{
    return ceilf(ui_text_width(u, DL_FONT_UI_MEDIUM, u->theme->body, label)) + SEGMENT_ROOM;
}

float
ui_segments_width(const struct ui *u, const char *const *labels, int n)
{
    float w = SEGMENTS_EDGE;
    for (int i = 0; i < n && i < SEGMENTS_MAX; i++)
        w += segment_width(u, labels[i]);
    return w;
}

float
ui_segments(struct ui *u, hl_rect r, const char *group, const char *const *keys,
            const char *const *labels, int n, int chosen, const char *tip)
{
    const struct hl_theme *t = u->theme;
    n = n > SEGMENTS_MAX ? SEGMENTS_MAX : n;
    float total = ui_segments_width(u, labels, n);
    hl_rect box = rect_make(r.x, r.y, total, r.h);
    dl_fill(u->dl, box, UI_RADIUS, t->chip);
    float x = r.x + 2;
    for (int i = 0; i < n; i++) {
        hl_rect seg = rect_make(x, r.y + 2, segment_width(u, labels[i]), r.h - 4);
        char id[UI_ID_SZ];
        snprintf(id, sizeof id, "%s:%s", group, keys[i]);
        bool hot = ui_hovered(u, id);
        if (i == chosen)
            dl_fill(u->dl, seg, UI_RADIUS - 2, t->panel);
        ui_label(u, seg, DL_FONT_UI_MEDIUM, t->body, DL_CENTER,
                 i == chosen ? t->ink
                 : hot       ? t->accent
                             : t->quiet,
                 labels[i]);
        ui_hit(u, seg, UI_RADIUS - 2, DL_CURSOR_HAND, id, tip);
        x += seg.w;
    }
    return total;
}

float
ui_tabs(struct ui *u, hl_rect r, const char *group, const char *const *keys,
        const char *const *labels, int n, int chosen, const char *tip)
{
    const struct hl_theme *t = u->theme;
    float x = r.x;
    for (int i = 0; i < n; i++) {
        float w = ceilf(ui_text_width(u, DL_FONT_UI_MEDIUM, t->body, labels[i])) + 24;
        hl_rect tab = rect_make(x, r.y, w, r.h);
        char id[UI_ID_SZ];
        snprintf(id, sizeof id, "%s:%s", group, keys[i]);
        bool hot = ui_hovered(u, id);
        if (i == chosen)
            dl_fill(u->dl, tab, UI_RADIUS, t->chip);
        ui_label(u, tab, i == chosen ? DL_FONT_UI_BOLD : DL_FONT_UI_MEDIUM, t->body, DL_CENTER,
                 i == chosen ? t->ink
                 : hot       ? t->accent
                             : t->quiet,
                 labels[i]);
        ui_hit(u, tab, UI_RADIUS, DL_CURSOR_HAND, id, tip);
        x += w + 4;
    }
    return x - r.x;
}

float
ui_pill(struct ui *u, float x, float y, bool lit, const char *id, const char *label,
        const char *tip)
{
    const struct hl_theme *t = u->theme;
    float w = ceilf(ui_text_width(u, DL_FONT_UI_MEDIUM, t->small, label)) + 16;
    hl_rect r = rect_make(x, y, w, 22);
    bool hot = ui_hovered(u, id);
    dl_fill(u->dl, r, 11, lit ? t->accent_soft : t->panel);
    dl_stroke(u->dl, r, 11, 1, hot ? t->accent : lit ? t->accent_soft : t->line);
    ui_label(u, r, DL_FONT_UI_MEDIUM, t->small, DL_CENTER, lit || hot ? t->accent : t->quiet,
             label);
    ui_hit(u, r, 11, DL_CURSOR_HAND, id, tip);
    return w + 6;
}

float
ui_switch_width(const struct ui *u, const char *label)
{
    return SWITCH_TRACK + ceilf(ui_text_width(u, DL_FONT_UI, u->theme->body, label));
}

float
ui_switch(struct ui *u, hl_rect r, bool on, const char *id, const char *label, const char *tip)
{
    const struct hl_theme *t = u->theme;
    float w = ui_switch_width(u, label);
    hl_rect track = rect_make(r.x, roundf(r.y + (r.h - 16) / 2), 28, 16);
    hl_rect knob = rect_make(track.x + (on ? 14 : 2), track.y + 2, 12, 12);
    hl_rect all = rect_make(r.x, r.y, w, r.h);
    dl_fill(u->dl, track, 8, on ? t->accent : t->chip);
    if (!on)
        dl_stroke(u->dl, track, 8, 1, t->quiet);
    dl_fill(u->dl, knob, 6, on ? t->panel : t->quiet);
    ui_label(u, rect_make(r.x + SWITCH_TRACK, r.y, w - SWITCH_TRACK + 1, r.h), DL_FONT_UI, t->body,
             DL_LEFT, ui_hovered(u, id) ? t->accent : t->ink, label);
    ui_hit(u, all, UI_RADIUS, DL_CURSOR_HAND, id, tip);
    return all.w;
}

void
ui_slider(struct ui *u, hl_rect r, const char *id, const char *label, const char *value, float t,
          const char *tip)
{
    const struct hl_theme *th = u->theme;
    hl_rect top = rect_make(r.x, r.y, r.w, r.h - 12);
    float y = r.y + r.h - 8, x = r.x + 6 + t * (r.w - 12);
    ui_label(u, top, DL_FONT_UI, th->body, DL_LEFT, th->quiet, label);
    ui_label(u, top, DL_FONT_MONO, th->body, DL_RIGHT, th->ink, value);
    dl_fill(u->dl, rect_make(r.x, y - 2, r.w, 4), 2, th->chip);
    dl_fill(u->dl, rect_make(r.x, y - 2, x - r.x, 4), 2, th->accent);
    dl_fill(u->dl, rect_make(x - 6, y - 6, 12, 12), 6, th->accent);
    dl_fill(u->dl, rect_make(x - 4, y - 4, 8, 8), 4, th->panel);
    ui_hit(u, r, UI_RADIUS, DL_CURSOR_HAND, id, tip);
}

void
ui_slider_mark(struct ui *u, hl_rect r, float t)
{
    float x = r.x + 6 + t * (r.w - 12), y = r.y + r.h - 8;
    dl_fill(u->dl, rect_make(roundf(x) - 1, y - 7, 2, 14), 1, u->theme->pinned);
}

float
ui_slider_value(hl_rect r, float x)
{
    float t = r.w > 12 ? (x - r.x - 6) / (r.w - 12) : 0;
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

void
ui_dropdown(struct ui *u, hl_rect r, const char *id, const char *label, bool open, const char *tip)
{
    const struct hl_theme *t = u->theme;
    bool hot = open || ui_hovered(u, id);
    dl_fill(u->dl, r, UI_RADIUS, hot ? theme_mix(t->accent_soft, t->chip, 0.5f) : t->chip);
    ui_label(u, rect_make(r.x + 10, r.y, r.w - 30, r.h), DL_FONT_UI_MEDIUM, t->body, DL_LEFT,
             t->chip_ink, label);
    float cx = r.x + r.w - 14, cy = roundf(r.y + r.h / 2);
    float tri[6] = { cx - 4, cy - 2, cx + 4, cy - 2, cx, cy + 3 };
    dl_poly(u->dl, tri, 3, t->quiet);
    ui_hit(u, r, UI_RADIUS, DL_CURSOR_HAND, id, open ? NULL : tip);
}

void
ui_menu(struct ui *u, hl_rect at, hl_rect bounds, const char *group, const char *const *labels,
        int n, int chosen)
{
    const struct hl_theme *t = u->theme;
    float w = at.w;
    for (int i = 0; i < n; i++) {
        float need = ui_text_width(u, DL_FONT_UI_MEDIUM, t->body, labels[i]) + 32;
        w = need > w ? ceilf(need) : w;
    }
    hl_rect r = rect_make(at.x + at.w - w, at.y + at.h + 4, w, 28.0f * (float)n + 8);
    if (r.x < bounds.x)
        r.x = at.x;
    if (r.y + r.h > bounds.y + bounds.h)
        r.y = at.y - 4 - r.h;
    dl_fill(u->dl, rect_make(r.x, r.y + 2, r.w, r.h), UI_PANEL_RADIUS, t->line);
    dl_fill(u->dl, r, UI_PANEL_RADIUS, t->panel);
    dl_stroke(u->dl, r, UI_PANEL_RADIUS, 1, t->quiet);
    dl_hit(u->dl, r, DL_CURSOR_ARROW, "~menu");
    for (int i = 0; i < n; i++) {
        hl_rect row = rect_make(r.x + 4, r.y + 4 + 28.0f * (float)i, r.w - 8, 28);
        bool off = labels[i][0] == '-';
        char id[UI_ID_SZ];
        snprintf(id, sizeof id, "%s:%d", group, i);
        if (!off && (i == chosen || ui_hovered(u, id)))
            dl_fill(u->dl, row, UI_RADIUS, i == chosen ? t->chip : t->accent_soft);
        ui_label(u, rect_inset(row, 10, 0), i == chosen ? DL_FONT_UI_BOLD : DL_FONT_UI_MEDIUM,
                 t->body, DL_LEFT, off ? t->quiet : t->ink, labels[i] + (off ? 1 : 0));
        if (!off)
            ui_hit(u, row, UI_RADIUS, DL_CURSOR_HAND, id, NULL);
    }
}

void
ui_bar(struct ui *u, hl_rect r, float t, hl_color color)
{
    float w = r.w * (t < 0 ? 0 : t > 1 ? 1 : t);
    dl_fill(u->dl, r, 3, u->theme->chip);
    if (w > 0)
        dl_fill(u->dl, rect_make(r.x, r.y, w < 2 ? 2 : w, r.h), w < 6 ? w / 2 : 3, color);
}

void
ui_end(struct ui *u)
{
    const struct hl_theme *t = u->theme;
    if (u->tip[0] == 0)
        return;
    float w = ceilf(ui_text_width(u, DL_FONT_UI, t->small, u->tip)) + 16;
    hl_rect at = u->tip_at;
    hl_rect r = rect_make(roundf(at.x + at.w / 2 - w / 2), at.y + at.h + 6, w, 24);
    if (r.y + r.h > u->dl->height - 4)
        r.y = at.y - 6 - r.h;
    if (r.x + r.w > u->dl->width - 8)
        r.x = u->dl->width - 8 - r.w;
    if (r.x < 8)
        r.x = 8;
    dl_fill(u->dl, r, UI_RADIUS, t->ink);
    ui_label(u, rect_inset(r, 8, 0), DL_FONT_UI, t->small, DL_LEFT, t->panel, u->tip);
}

bool
ui_can_focus(const char *id)
{
    return id[0] != 0 && id[0] != '~';
}

/* Length of "group" in "group:item"; the whole of a name without a colon. Each text field
 * ("field:name") is a group of its own: they stand far apart, and arrows move in them. */
static size_t
group_len(const char *id)
{
    const char *colon = strncmp(id, "field:", 6) == 0 ? NULL : strchr(id, ':');
    return colon != NULL ? (size_t)(colon - id) : strlen(id);
}

static bool
same_group(const char *a, const char *b)
{
    size_t n = group_len(a);
    return n == group_len(b) && memcmp(a, b, n) == 0;
}

/* Name of a hit region, NULL for other commands. */
static const char *
hit_id(const struct dl_cmd *c)
{
    return c->kind == DL_HIT ? dl_tail(c) : NULL;
}

bool
ui_focus_step(const struct dl *last, const char *from, bool back, bool inside, char *out,
              size_t out_sz)
{
    const char *before = NULL, *after = NULL, *first = NULL, *final = NULL, *seen_group = NULL;
    bool passed = false;
    for (const struct dl_cmd *c = dl_first(last); c != NULL; c = dl_next(last, c)) {
        const char *id = hit_id(c);
        if (id == NULL || !ui_can_focus(id))
            continue;
        bool mine = from[0] != 0 && same_group(id, from);
        if (inside && !mine)
            continue;
        if (inside) {
            if (strcmp(id, from) == 0)
                passed = true;
            else if (!passed)
                before = id;
            else if (after == NULL)
                after = id;
            continue;
        }
        bool start = seen_group == NULL || !same_group(seen_group, id);
        seen_group = id;
        if (mine)
            passed = true;
        if (!start || mine)
            continue;
        first = first == NULL ? id : first;
        final = id;
        if (!passed)
            before = id;
        else if (after == NULL)
            after = id;
    }
    const char *to = back ? before : after;
    if (to == NULL && !inside)
        to = back ? final : first;
    if (to == NULL)
        return false;
    snprintf(out, out_sz, "%s", to);
    return true;
}
