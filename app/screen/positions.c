/* The Positions screen: what a Transformer adds to its words so that it knows their
 * order (Vaswani et al. 2017, section 3.5), in every layout in use, and what it
 * cannot do without. */
#include "screen/positions_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "view/plot_curves.h"
#include "view/plot_formula.h"

/* ---- shared drawing ---- */

bool
positions_cell_at(const struct app_state *s, const char *id, hl_rect r, int rows, int cols,
                  int *row, int *col)
{
    if (strcmp(s->hover, id) != 0 || !rect_has(r, s->mouse_x, s->mouse_y))
        return false;
    *row = (int)((s->mouse_y - r.y) / r.h * (float)rows);
    *col = (int)((s->mouse_x - r.x) / r.w * (float)cols);
    *row = *row < rows ? *row : rows - 1;
    *col = *col < cols ? *col : cols - 1;
    return true;
}

char *
positions_number(char *buf, size_t buf_sz, double v, int decimals)
{
    char digits[32];
    if (fabs(v) < 1e-12 || fabs(fabs(v) - 1) < 1e-12)
        decimals = 0;
    hl_fmt_fixed(digits, sizeof digits, fabs(v), decimals);
    bool zero = strspn(digits, "0.") == strlen(digits);
    snprintf(buf, buf_sz, "%s%s", v < 0 && !zero ? "−" : "", digits);
    return buf;
}

void
positions_legend(struct ui *u, hl_rect r, double top)
{
    const struct hl_theme *t = u->theme;
    char n[24];
    int decimals = top >= 10 || fabs(top - 1) < 1e-9 ? 0 : 1;
    hl_rect bar = rect_make(r.x, r.y + 2, r.w, 8);
    uint8_t *cells = dl_heat(u->dl, bar, 1, 64, 0, 0, DL_MAP_SIGNED, t->dark, NULL);
    for (int i = 0; i < 64 && cells != NULL; i++)
        cells[i] = theme_step(i / 63.0);
    hl_rect text = rect_make(r.x, r.y + 12, r.w, 16);
    ui_label(u, text, DL_FONT_MONO, t->small, DL_LEFT, t->quiet,
             positions_number(n, sizeof n, -top, decimals));
    ui_label(u, text, DL_FONT_MONO, t->small, DL_CENTER, t->quiet, "0");
    ui_label(u, text, DL_FONT_MONO, t->small, DL_RIGHT, t->quiet,
             positions_number(n, sizeof n, top, decimals));
}

void
positions_row_labels(struct ui *u, hl_rect grid, int rows, int marked)
{
    const struct hl_theme *t = u->theme;
    float h = grid.h / (float)rows;
    int step = (int)plot_step(rows, grid.h, 18, 1);
    for (int i = 0; i < rows; i++) {
        bool here = i == marked;
        if (!here && (i % step != 0 || (marked >= 0 && fabsf((float)(i - marked)) * h < 14)))
            continue;
        char n[16];
        snprintf(n, sizeof n, "%d", i);
        ui_label(u, rect_make(grid.x - 44, grid.y + h * ((float)i + 0.5f) - 8, 36, 16),
                 DL_FONT_MONO, t->small, DL_RIGHT, here ? t->pinned_ink : t->quiet, n);
    }
}

void
positions_col_labels(struct ui *u, hl_rect grid, int cols, int marked)
{
    const struct hl_theme *t = u->theme;
    float w = grid.w / (float)cols;
    int step = (int)plot_step(cols, grid.w, 40, 1);
    for (int i = 0; i < cols; i++) {
        bool here = i == marked;
        if (!here && (i % step != 0 || (marked >= 0 && fabsf((float)(i - marked)) * w < 32)))
            continue;
        char n[16];
        snprintf(n, sizeof n, "%d", i);
        ui_label(u, rect_make(grid.x + w * ((float)i + 0.5f) - 24, grid.y + grid.h + 2, 48, 16),
                 DL_FONT_MONO, t->small, DL_CENTER, here ? t->pinned_ink : t->quiet, n);
    }
}

void
positions_fact(struct ui *u, hl_rect *r, const char *name, const char *value)
{
    hl_rect line = rect_cut_top(r, 20);
    ui_label(u, line, DL_FONT_UI, u->theme->body, DL_LEFT, u->theme->quiet, name);
    ui_label(u, line, DL_FONT_MONO, u->theme->body, DL_RIGHT, u->theme->ink, value);
}

/* ---- controls ---- */

static void
caption(const struct screen_ctx *c, hl_rect *r, const char *s)
{
    ui_label(c->ui, rect_cut_top(r, 18), DL_FONT_UI, c->theme->small, DL_LEFT, c->theme->quiet, s);
}

static void
preset_buttons(const struct screen_ctx *c, hl_rect *r)
{
    int now = positions_preset_now(positions_of(c->state));
    caption(c, r, "known pictures, width × positions");
    for (int i = 0; i < POSITIONS_PRESETS; i += 2) {
        hl_rect line = rect_cut_top(r, UI_BUTTON_H);
        float w = (line.w - 6) / 2;
        for (int k = i; k < i + 2 && k < POSITIONS_PRESETS; k++) {
            char id[UI_ID_SZ];
            snprintf(id, sizeof id, "preset:%s", positions_presets[k].key);
            ui_button(c->ui, rect_make(line.x + (w + 6) * (float)(k - i), line.y, w, line.h),
                      k == now ? UI_BUTTON_OUTLINE : UI_BUTTON_PLAIN, true, id,
                      positions_presets[k].label, positions_presets[k].tip);
        }
        rect_cut_top(r, 6);
    }
}

static void
formula(const struct screen_ctx *c, hl_rect r)
{
    const struct positions_state *p = positions_of(c->state);
    const struct hl_theme *t = c->theme;
    const char *f = p->tensor2tensor ? "f_i = 10000^(−i / (d/2 − 1))" : "f_i = 10000^(−2i / d)";
    const char *a = p->halves ? "PE[p, i] = sin(p f_i)" : "PE[p, 2i] = sin(p f_i)";
    const char *b = p->halves ? "PE[p, d/2 + i] = cos(p f_i)" : "PE[p, 2i + 1] = cos(p f_i)";
    const char *lines[3] = { a, b, f };
    if (r.h < 80)
        return;
    ui_rule(c->ui, r.x, r.y, r.w);
    for (int i = 0; i < 3; i++)
        plot_formula(c->ui, r.x, r.y + 24 + 20 * (float)i, DL_FONT_MONO, t->body, t->ink, lines[i],
                     true);
}

static void
option_panel(const struct screen_ctx *c, hl_rect r)
{
    const struct app_state *s = c->state;
    const struct positions_state *p = positions_of(s);
    hl_rect in = ui_panel(c->ui, r);
    float gap = in.h > 380 ? 12 : 6;
    caption(c, &in, "order of sines and cosines");
    control_draw(c->ui, rect_cut_top(&in, UI_BUTTON_H), s, &positions_rows[POSITIONS_ROW_ORDER]);
    rect_cut_top(&in, gap);
    caption(c, &in, "exponent of 10000");
    control_draw(c->ui, rect_cut_top(&in, UI_BUTTON_H), s, &positions_rows[POSITIONS_ROW_FREQ]);
    rect_cut_top(&in, 4);
    ui_label(c->ui, rect_cut_top(&in, 18), DL_FONT_UI, c->theme->small, DL_LEFT,
             c->theme->pinned_ink, positions_layout_note(p));
    rect_cut_top(&in, gap);
    control_draw(c->ui, rect_cut_top(&in, 36), s, &positions_rows[POSITIONS_ROW_WIDTH]);
    rect_cut_top(&in, gap);
    control_draw(c->ui, rect_cut_top(&in, 36), s, &positions_rows[POSITIONS_ROW_LENGTH]);
    rect_cut_top(&in, gap);
    preset_buttons(c, &in);
    rect_cut_top(&in, gap);
    formula(c, in);
}

/* ---- the whole ---- */

static const char *
model_name(const struct app_state *s)
{
    return s->chosen[HL_CAN_HEADS];
}

static void
build(const struct screen_ctx *c, hl_rect area)
{
    const struct positions_state *p = positions_of(c->state);
    float left_w = area.w < 1000 ? 216 : 248, side_w = area.w < 1000 ? 200 : 272;
    control_draw(c->ui, rect_cut_top(&area, UI_BUTTON_H), c->state,
                 &positions_rows[POSITIONS_ROW_VIEW]);
    rect_cut_top(&area, 10);
    if (p->view == POSITIONS_SENTENCE) {
        positions_sentence(c, area);
        return;
    }
    if (p->view == POSITIONS_ORDER) {
        positions_words(c, area);
        return;
    }
    hl_rect left = rect_cut_left(&area, left_w), side = rect_cut_right(&area, side_w);
    rect_cut_left(&area, UI_PAD);
    rect_cut_right(&area, UI_PAD);
    option_panel(c, left);
    if (p->table == NULL || p->products == NULL)
        ui_label(c->ui, ui_panel(c->ui, area), DL_FONT_UI, c->theme->body, DL_CENTER,
                 c->theme->error, "Out of memory for so large a table: choose a smaller one.");
    else if (p->view == POSITIONS_ENCODING)
        positions_encoding(c, area, side);
    else
        positions_products(c, area, side);
}

static void
provenance(const struct screen_ctx *c, char *buf, int buf_sz)
{
    const struct app_state *s = c->state;
    const struct positions_state *p = positions_of(s);
    if (p->view == POSITIONS_SENTENCE)
        snprintf(buf, (size_t)buf_sz, "%s · first encoder layer's input · halves, 2i/d",
                 state_model_label(s, s->chosen[HL_CAN_HEADS]));
    else if (p->view == POSITIONS_ORDER)
        snprintf(buf, (size_t)buf_sz, "%s · greedy · positions left out of %s",
                 state_model_label(s, s->chosen[HL_CAN_HEADS]),
                 p->encoder_off && p->decoder_off ? "encoder and decoder"
                 : p->encoder_off                 ? "the encoder"
                 : p->decoder_off                 ? "the decoder"
                                                  : "nothing");
    else
        snprintf(buf, (size_t)buf_sz, "sinusoids · d %d · %d positions · %s · %s · %s", p->d,
                 p->length, p->halves ? "halves" : "interleaved",
                 p->tensor2tensor ? "k/(d/2−1)" : "2i/d", positions_layout_note(p));
}

static const char *const examples[] = { "The dog bites the man.",
                                        "The teacher thanked the student because she had helped.",
                                        "My sister bought a red car yesterday.", NULL };

static const char *const keys[] = { "Alt+P\0the next known picture",
                                    "Alt+←→↑↓\0move the kept cell",
                                    "Alt+C\0draw the kept cell's dimension as a curve, or not",
                                    "Alt+R\0shuffle the words again",
                                    "Esc\0let the kept cell go",
                                    NULL };

static const char *const help[] = {
    "A Transformer compares every word with every other and knows nothing of their order. So a "
    "pattern of waves is added to each word: fast waves tell neighbours apart, slow ones beginning "
    "from end.",
    "Implementations differ in where sines and cosines stand and in how the frequencies fall. The "
    "shipped Transformer has Marian's: halves, 2i/d.",
    "In “Word order” the shipped model translates with its positions taken away. Then a shuffled "
    "sentence gives the same words. It was never trained so, hence the poor French.",
    NULL
};

static bool
init(struct app_state *s)
{
    return positions_init(positions_of(s));
}

static void
deinit(struct app_state *s)
{
    positions_deinit(positions_of(s));
}

const struct hl_screen screen_positions = {
    .id = "positions",
    .size = sizeof(struct positions_state),
    .n_slots = POSITIONS_SLOTS,
    .shows = true,
    .init = init,
    .deinit = deinit,
    .title = "Positions",
    .has_text = true,
    .text = APP_TEXT_SENTENCE,
    .model = model_name,
    .wants = HL_CAN(HEADS),
    .controls = positions_controls,
    .examples = examples,
    .build = build,
    .provenance = provenance,
    .event = positions_event,
    .set = positions_set,
    .request = positions_request,
    .save = positions_save,
    .keys = keys,
    .help = help,
};
