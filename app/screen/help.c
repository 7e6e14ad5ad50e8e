#include <math.h>
#include <stdio.h>
#include <string.h>

#include "screen/control.h"
#include "screen/shell.h"

static const char *const about[] = {
    "Everything on screen is computed here and now by a trained model, on your own words. Nothing "
    "leaves this machine.",
    "Weights are not explanations: they say where a head looked, not why the model said what it "
    "said.",
    "The query is the word that looks, the key the word that is looked at: rows and columns, "
    "everywhere.",
    "The models are small and know little English: simple sentences about everyday things. Outside "
    "of that they translate badly, and their attention means less.",
    NULL
};

static const char *const keys[] = { "Ctrl+1 … 9\0screens",
                                    "Ctrl+K\0all screens, as a list",
                                    "Ctrl+E, F6\0flip between two sentences",
                                    "Alt+N\0next example sentence",
                                    "Tab\0next control; arrow keys inside a group; Enter presses",
                                    "click\0pin a word or a cell",
                                    "Esc\0clear pins, back to the text",
                                    "Ctrl+M\0choose the model",
                                    "Ctrl+T\0light or dark",
                                    "Ctrl + − 0\0larger, smaller, as it was",
                                    "F11\0full screen",
                                    "Ctrl+S\0save the picture as PNG",
                                    "Ctrl+Shift+S\0save it as SVG",
                                    "Ctrl+J\0save the numbers as JSON",
                                    "Ctrl+Z, Ctrl+Y\0undo, redo",
                                    "F1\0this page",
                                    "Ctrl+Q\0quit",
                                    NULL };

static void
paragraphs(const struct screen_ctx *c, hl_rect *r, float size, const char *const *list, bool draw)
{
    float gap = size < c->theme->body ? 6 : 10;
    for (int i = 0; list != NULL && list[i] != NULL; i++)
        rect_cut_top(r,
                     gap + ui_paragraph(c->ui, *r, DL_FONT_UI, size, c->theme->ink, list[i], draw));
}

/* What attention is, and what this screen shows; in small letters where there is no room
 * for others. */
static void
explanation(const struct screen_ctx *c, hl_rect r, const struct hl_screen *sc)
{
    const struct hl_theme *t = c->theme;
    hl_rect all = r;
    paragraphs(c, &all, t->body, about, false);
    paragraphs(c, &all, t->body, sc->help, false);
    float size = all.y + 24 > r.y + r.h ? t->small : t->body;
    paragraphs(c, &r, size, about, true);
    ui_label(c->ui, rect_cut_top(&r, 24), DL_FONT_UI_BOLD, t->label, DL_LEFT, t->ink, sc->title);
    paragraphs(c, &r, size, sc->help, true);
}

static void
key_line(const struct screen_ctx *c, hl_rect *r, const char *name, const char *what)
{
    const struct hl_theme *t = c->theme;
    hl_rect key = rect_make(r->x, r->y, 88, 18);
    hl_rect text = rect_make(r->x + 96, r->y, r->w - 96, 18);
    ui_label(c->ui, key, DL_FONT_UI_MEDIUM, t->small, DL_LEFT, t->accent, name);
    float h = ui_paragraph(c->ui, text, DL_FONT_UI, t->small, t->ink, what, true);
    rect_cut_top(r, fmaxf(h, 17) + 3);
}

/* The list, then the keys of the screen's controls (sc may be NULL). */
static void
key_list(const struct screen_ctx *c, hl_rect r, const char *title, const char *const *list,
         const struct hl_screen *sc)
{
    const struct hl_theme *t = c->theme;
    ui_label(c->ui, rect_cut_top(&r, 24), DL_FONT_UI_BOLD, t->label, DL_LEFT, t->ink, title);
    rect_cut_top(&r, 4);
    for (int i = 0; list != NULL && list[i] != NULL; i++)
        key_line(c, &r, list[i], list[i] + strlen(list[i]) + 1);
    const struct control_table *const *table = sc != NULL ? sc->controls : NULL;
    for (; table != NULL && *table != NULL; table++) {
        for (int i = 0; i < (*table)->n; i++) {
            const struct hl_control *row = &(*table)->rows[i];
            char name[8];
            if (row->key == 0)
                continue;
            snprintf(name, sizeof name, "Alt+%c", row->key - 'a' + 'A');
            key_line(c, &r, name, row->does != NULL ? row->does : row->o.tip);
        }
    }
}

void
help_build(const struct screen_ctx *c)
{
    const struct hl_screen *sc = shell_screen(c->state);
    const struct hl_theme *t = c->theme;
    float w = fminf(c->dl->width - 32, 1080),
          h = fminf(c->dl->height - 32, c->dl->width >= 1100 ? 544 : 640);
    hl_rect r = rect_make(roundf((c->dl->width - w) / 2), roundf((c->dl->height - h) / 2), w, h);
    dl_fill(c->dl, rect_make(0, 0, c->dl->width, c->dl->height), 0, 0x00000066u);
    dl_hit(c->dl, rect_make(0, 0, c->dl->width, c->dl->height), DL_CURSOR_ARROW, "~help");
    dl_fill(c->dl, r, UI_PANEL_RADIUS, t->panel);
    dl_stroke(c->dl, r, UI_PANEL_RADIUS, 1, t->line);
    dl_clip(c->dl, rect_inset(r, 1, 1));
    hl_rect in = rect_inset(r, 24, 20);
    hl_rect top = rect_cut_top(&in, 28);
    ui_label(c->ui, top, DL_FONT_UI_BOLD, t->large, DL_LEFT, t->ink, "Headlight");
    ui_label(c->ui, top, DL_FONT_UI, t->small, DL_RIGHT, t->quiet,
             "version " HL_VERSION " · any key or click closes this page");
    rect_cut_top(&in, 12);
    hl_rect left = rect_cut_left(&in, floorf(in.w * 0.36f));
    rect_cut_left(&in, 32);
    float half = floorf((in.w - 24) / 2);
    explanation(c, left, sc);
    key_list(c, rect_cut_left(&in, half), "Everywhere", keys, NULL);
    rect_cut_left(&in, 24);
    key_list(c, in, sc->title, sc->keys, sc);
    dl_unclip(c->dl);
}
