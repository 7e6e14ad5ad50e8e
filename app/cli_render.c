#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/utf8.h"
#include "cli.h"
#include "export/svg.h"
#include "offline.h"
#include "screen/attention.h"
#include "sdl/font.h"
#include "sdl/render.h"
#include "screen/images/images.h"

/* As a display of this size would be set: whole and half steps from 1 up. */
static float
usual_scale(int w, int h)
{
    float a = (float)w / 1280, b = (float)h / 800;
    float s = a < b ? a : b;
    return s < 1.5f ? 1 : (float)(int)(s * 2) / 2;
}

/* A picture that was asked for has to be there. */
static enum hl_status
check_image(const struct app_state *s, struct hl_error *err)
{
    if (images_of(s)->open.error.code == HL_OK)
        return HL_OK;
    *err = images_of(s)->open.error;
    return err->code;
}

static enum hl_status
apply_settings(struct offline *o, const struct hl_args *a, struct hl_error *err)
{
    struct app_state *s = &o->state;
    enum hl_status st = HL_OK;
    if (a->screen)
        st = app_set(s, "screen", a->screen, err);
    if (st == HL_OK && a->model)
        st = app_set(s, "model", a->model, err);
    if (st == HL_OK && a->text) {
        struct hl_arena tmp;
        size_t n;
        hl_arena_init(&tmp, 4096, 0);
        char *clean = hl_utf8_repair(&tmp, a->text, strlen(a->text), &n);
        st = clean ? app_set(s, "text", clean, err)
                   : hl_error_set(err, HL_E_NOMEM, "--text", "it did not fit");
        hl_arena_deinit(&tmp);
    }
    if (st == HL_OK && a->target)
        st = app_set(s, "target", a->target, err);
    if (st == HL_OK && a->image)
        st = app_set(s, "screen", "images", err);
    if (st == HL_OK && a->image)
        st = app_set(s, "image", a->image, err);
    /* What depends on words waits until the words are there. */
    offline_request(o);
    offline_finish(o);
    if (st == HL_OK)
        st = check_image(s, err);
    for (int i = 0; st == HL_OK && i < a->n_set; i++)
        st = app_set(s, a->set[i].key, a->set[i].value, err);
    offline_request(o);
    offline_finish(o);
    if (st == HL_OK)
        st = check_image(s, err);
    for (int i = 0; st == HL_OK && i < a->n_set; i++) {
        const char *key = a->set[i].key;
        if (strcmp(key, "pin") == 0 || strcmp(key, "link") == 0)
            st = attention_pins_stand(s, key, app_record(s), err);
    }
    return st;
}

/* A screen of a model's attention needs a record, and of what was asked for last. */
static enum hl_status
check_record(struct offline *o, const struct hl_args *a, struct hl_error *err)
{
    const struct hl_screen *screen = screen_all(&(int) { 0 })[o->state.screen];
    int shown = state_slot(&o->state, screen->id, 0);
    bool needs = screen->shows && strcmp(screen->id, "positions") != 0;
    const struct hl_model *m;
    if (a->model && library_get(o->lib, a->model, &m, err) != HL_OK)
        return err->code;
    if (a->model && screen->wants && !hl_model_can(hl_model_info(m), screen->wants))
        return hl_error_set(err, HL_E_ARGUMENT, "--model", "the %s screen cannot show %s",
                            screen->title, hl_model_info(m)->name);
    if (!needs)
        return HL_OK;
    if (o->failed[shown].code != HL_OK) { /* what is shown is an older one's */
        *err = o->failed[shown];
        return err->code;
    }
    if (app_record(&o->state))
        return HL_OK;
    if (library_get(o->lib, screen->model(&o->state), &m, err) != HL_OK)
        return err->code;
    return hl_error_set(err, HL_E_ARGUMENT, "--text", "there is nothing to draw in it");
}

static enum hl_status
write_picture(struct offline *o, struct hl_fonts *fonts, const struct hl_args *a,
              struct hl_error *err)
{
    const struct dl *d = offline_build(o);
    if (!d)
        return hl_error_set(err, HL_E_NOMEM, NULL, "for the picture");
    const char *dot = strrchr(a->output, '.');
    if (dot && strcmp(dot, ".svg") == 0) {
        struct hl_sb sb = { 0 };
        svg_write(d, o->metrics, &sb);
        enum hl_status st = sb.failed ? hl_error_set(err, HL_E_NOMEM, NULL, "for the picture")
                                      : hl_map_write(a->output, sb.p, sb.n, err);
        hl_sb_deinit(&sb);
        return st;
    }
    struct hl_render *r;
    enum hl_status st = render_create(fonts, &r, err);
    if (st != HL_OK)
        return st;
    st = render_png(r, d, a->output, err);
    render_destroy(r);
    return st;
}

int
cli_render(struct hl_library *lib, const struct hl_args *a)
{
    static struct offline o;
    struct hl_error err = { 0 };
    struct hl_fonts *fonts = NULL;
    const char *dot = strrchr(a->output, '.');
    if (!dot || (strcmp(dot, ".png") != 0 && strcmp(dot, ".svg") != 0)) {
        hl_error_set(&err, HL_E_ARGUMENT, a->output, "the name must end in .png or .svg");
        return cli_fail(&err);
    }
    int w = a->width ? a->width : 1280, h = a->height ? a->height : 800;
    float scale = a->scale > 0 ? (float)a->scale : usual_scale(w, h);
    if ((float)w / scale < 899.5f || (float)h / scale < 599.5f) {
        hl_error_set(&err, HL_E_ARGUMENT, "--scale",
                     "at this scale less than 900x600 is left for the layout");
        return cli_fail(&err);
    }
    if (fonts_create(&fonts, &err) != HL_OK)
        return cli_fail(&err);
    enum hl_status st = offline_init(&o, lib, a->model, fonts_metrics(fonts), (float)w / scale,
                                     (float)h / scale, scale, &err);
    if (st == HL_OK)
        st = apply_settings(&o, a, &err);
    if (st == HL_OK)
        st = check_record(&o, a, &err);
    if (st == HL_OK)
        st = write_picture(&o, fonts, a, &err);
    offline_deinit(&o);
    fonts_destroy(fonts);
    return st == HL_OK ? 0 : cli_fail(&err);
}
