/* The Images screen: self-attention over pictures (Zhang et al. 2018). A generator draws
 * what the typed words name, a discriminator judges pictures; each lets every place of a
 * 16 x 16 map look at every other. */
#include "screen/images/images_priv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"

static const char *
model_name(const struct app_state *s)
{
    return s->chosen[HL_CAN_PICTURES];
}

/* Why there is no picture. */
static void
nothing(const struct screen_ctx *c, hl_rect area)
{
    const struct app_state *s = c->state;
    const struct images_open *o = &images_of(s)->open;
    const struct app_slot_state *slot = &s->slots[state_slot(s, "images", IMAGES_RUN)];
    bool open = images_info(s) != NULL, empty = state_text(s)[0] == 0 && !images_of(s)->own;
    bool failed = slot->error[0] != 0 && slot->shown == slot->wanted;
    const struct hl_theme *t = c->theme;
    if (!open || (!images_of(s)->own && !empty)) {
        screen_waiting(c, area, model_name(s));
        return;
    }
    const char *title = empty       ? "Nothing typed yet"
                        : !o->there ? "No picture yet"
                        : failed    ? "This picture could not be judged"
                                    : "Working …";
    const char *text = empty ? "Type what is to be drawn, “dress and boots” for one, or press one "
                               "of the names above."
                       : !o->there ? "Drop a PNG or JPEG picture on the window, or give its path "
                                     "on the left."
                       : failed    ? slot->error
                                   : "";
    hl_rect in = ui_panel(c->ui, area);
    hl_rect box = rect_make(in.x + fmaxf(0, (in.w - 420) / 2), in.y + fmaxf(8, in.h * 0.3f),
                            fminf(in.w, 420), in.h);
    ui_label(c->ui, rect_cut_top(&box, 32), DL_FONT_UI_BOLD, 17, DL_LEFT,
             failed && o->there ? t->error : t->ink, title);
    ui_paragraph(c->ui, box, DL_FONT_UI, t->label, t->quiet, text, true);
}

static void
build_images(const struct screen_ctx *c, hl_rect area)
{
    struct images_pic p;
    bool there = images_pic(c->state, &p);
    bool wide = area.w >= 1000;
    bool empty =
        images_of(c->state)->own ? !images_of(c->state)->open.there : state_text(c->state)[0] == 0;
    rect_cut_top(&area, images_classes(c, area));
    if (images_info(c->state) == NULL) {
        nothing(c, area);
        return;
    }
    float gap = wide ? UI_PAD : 10;
    hl_rect left = rect_cut_left(&area, wide ? 232 : 212);
    rect_cut_left(&area, gap);
    images_controls(c, left);
    if (!there || empty) {
        nothing(c, area);
        return;
    }
    hl_rect right = rect_cut_right(&area, wide ? 264 : 212);
    rect_cut_right(&area, gap);
    images_centre(c, area, &p);
    images_inspect(c, right, &p);
}

static void
provenance(const struct screen_ctx *c, char *buf, int buf_sz)
{
    const struct app_state *s = c->state;
    const struct images_state *m = images_of(s);
    struct images_pic p;
    char gamma[32];
    const char *scale = m->log_scale ? "log" : "linear",
               *lock = m->lock ? " 0 to 1" : " to the largest";
    images_number(gamma, sizeof gamma, (double)images_gamma(s), 3);
    if (!images_pic(s, &p))
        snprintf(buf, (size_t)buf_sz, "%s", state_model_label(s, model_name(s)));
    else if (m->own)
        snprintf(buf, (size_t)buf_sz,
                 "%s · discriminator · γ %s · weights before γ, after softmax · rows look · %s%s",
                 p.r->model, gamma, scale, lock);
    else
        snprintf(buf, (size_t)buf_sz,
                 "%s · generator · seed %llu%s · γ %s · weights before γ, after softmax · rows "
                 "look · %s%s",
                 p.r->model, (unsigned long long)m->drawn.seed,
                 m->moved[p.picture] ? ", latent moved" : "", gamma, scale, lock);
}

static const char *const examples[] = { "sneaker", "dress and boots", "bag", "coat and trouser",
                                        NULL };

static const char *const keys[] = { "Alt+←→↑↓\0move the pinned place",
                                    "Alt+R\0a random seed; Alt+PageUp, PageDown: before, next",
                                    "Alt+0\0the latent that the seed gives",
                                    "Alt+, Alt+.\0back and forth through training",
                                    "Alt+P\0the next picture, where several are drawn",
                                    "Esc\0let the pinned places go",
                                    NULL };

/* Words that name no class are no failure: the picture before them stands. */
static bool
say_failed(const struct app_state *s, char *buf, int buf_sz)
{
    if (images_of(s)->own || s->slots[state_slot(s, "images", IMAGES_RUN)].status != HL_E_ARGUMENT)
        return false;
    snprintf(buf, (size_t)buf_sz,
             "None of these words names a class; what is drawn is from before. The buttons below "
             "are all there are.");
    return true;
}

static bool
say_dropped(const struct hl_record *r, const char *where, char *buf, int buf_sz)
{
    snprintf(buf, (size_t)buf_sz, "%d pictures are drawn at most: the text names %d more%s.",
             HL_SAGAN_MAX_PICTURES, r->n_dropped_tokens, where);
    return true;
}

static const char *const help[] = {
    "Convolution knows a few pixels around each place. Here every place of a 16 × 16 map looks at "
    "all others, in one layer of each network; rows are the places that look. γ says how much of "
    "what is gathered is added: at γ = 0 the maps are there, but add nothing.",
    "The discriminator says real or drawn. It met each class with pictures of that class only, so "
    "its scores of other classes say nothing about what is in the picture.",
    NULL
};

static bool
outside(struct app_state *s, const struct hl_event *ev, struct hl_effects *fx)
{
    if (ev->kind == EV_PICTURE)
        return images_opened(s, ev, fx);
    if (ev->text != NULL)
        images_drop(s, ev->text, fx);
    return false;
}

static bool
init(struct app_state *s)
{
    return images_init(images_of(s));
}

static void
deinit(struct app_state *s)
{
    images_deinit(images_of(s));
}

const struct hl_screen screen_images = {
    .id = "images",
    .size = sizeof(struct images_state),
    .n_slots = IMAGES_SLOTS,
    .fields = images_fields,
    .shows = true,
    .init = init,
    .deinit = deinit,
    .outside = outside,
    .title = "Images",
    .has_text = true,
    .own_chips = true,
    .text = APP_TEXT_CLASSES,
    .hint = "Type what is to be drawn: sneaker, dress and boots …",
    .model = model_name,
    .wants = HL_CAN(PICTURES),
    .examples = examples,
    .build = build_images,
    .provenance = provenance,
    .controls = images_table,
    .event = images_event,
    .set = images_set,
    .request = images_request,
    .save = images_save,
    .say_failed = say_failed,
    .say_dropped = say_dropped,
    .keys = keys,
    .help = help,
};
