/* Effects performed. */
#include <string.h>

#include "base/map.h"
#include "base/span.h"
#include "export/svg.h"
#include "sdl/window_priv.h"

enum { NOTE_SZ = 1100, EXPORT_PATH_SZ = 1024 };

static void
done(struct window *w, bool ok, const char *note)
{
    struct hl_event ev = { .kind = EV_DONE, .down = !ok, .text = note };
    if (note[0])
        window_dispatch(w, &ev);
}

static void
copy(struct window *w, const char *text)
{
    if (text && SDL_SetClipboardText(text) != 0)
        done(w, false, "The clipboard did not take the text: copy it again.");
}

static void
paste(struct window *w, bool selection)
{
    char *text = selection ? SDL_GetPrimarySelectionText() : SDL_GetClipboardText();
    struct hl_event ev = { .kind = EV_PASTE, .text = text };
    if (text && text[0])
        window_dispatch(w, &ev);
    SDL_free(text);
}

static enum hl_status
export_svg(const struct dl *d, const struct hl_metrics *m, const char *path, struct hl_error *err)
{
    struct hl_sb sb = { 0 };
    svg_write(d, m, &sb);
    enum hl_status st = sb.failed ? hl_error_set(err, HL_E_NOMEM, path, "the picture's text")
                                  : hl_map_write(path, sb.p, sb.n, err);
    hl_sb_deinit(&sb);
    return st;
}

/* Pictures are at least twice as fine as the layout: they go onto slides. */
static enum hl_status
export_png(struct window *w, const char *path, struct hl_error *err)
{
    struct dl *d = &w->list[w->shown];
    float scale = d->scale;
    d->scale = scale > 2 ? scale : 2;
    enum hl_status st = render_png(w->render, d, path, err);
    d->scale = scale;
    w->stale = true;
    return st;
}

static void
export_file(struct window *w, const struct hl_effect *e)
{
    const char *extension = e->kind == FX_EXPORT_PNG   ? "png"
                            : e->kind == FX_EXPORT_SVG ? "svg"
                                                       : "json";
    char path[EXPORT_PATH_SZ], note[NOTE_SZ] = "";
    struct hl_error err = { 0 };
    enum hl_status st = HL_OK;
    if (e->text) {
        SDL_strlcpy(path, e->text, sizeof path);
    } else if (!w->host->export_path(w->host->user, extension, path, sizeof path)) {
        done(w, false, "No free file name was found for the export: clear the pictures folder.");
        return;
    }
    if (e->kind == FX_EXPORT_JSON) {
        bool ok = w->host->perform(w->host->user, e, path, note, sizeof note);
        done(w, ok, note);
        return;
    }
    if (e->kind == FX_EXPORT_PNG)
        st = export_png(w, path, &err);
    else
        st = export_svg(&w->list[w->shown], fonts_metrics(w->fonts), path, &err);
    if (st == HL_OK)
        SDL_snprintf(note, sizeof note, "Saved %s", path);
    else
        hl_error_text(&err, note, sizeof note);
    done(w, st == HL_OK, note);
}

static void
text_input(struct window *w, const struct hl_effect *e)
{
    float k = window_scale(w) / w->pixels_per_point;
    SDL_Rect r = { (int)(e->x * k), (int)(e->y * k), (int)(e->w * k) + 1, (int)(e->h * k) + 1 };
    if (e->on) {
        SDL_SetTextInputRect(&r);
        if (!w->text_on)
            SDL_StartTextInput();
    } else if (w->text_on) {
        SDL_StopTextInput();
    }
    w->text_on = e->on;
}

static void
perform(struct window *w, const struct hl_effect *e)
{
    char note[NOTE_SZ] = "";
    bool ok;
    switch (e->kind) {
    case FX_COPY:
        copy(w, e->text);
        break;
    case FX_PASTE:
        paste(w, e->on);
        break;
    case FX_EXPORT_PNG:
    case FX_EXPORT_SVG:
    case FX_EXPORT_JSON:
        export_file(w, e);
        break;
    case FX_FULLSCREEN:
        w->fullscreen = !w->fullscreen;
        SDL_SetWindowFullscreen(w->sdl, w->fullscreen ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
        break;
    case FX_SCALE:
        w->zoom = e->number > 0 ? e->number : 1;
        window_tell_size(w);
        break;
    case FX_TEXT_INPUT:
        text_input(w, e);
        break;
    case FX_ANIMATE:
        w->animate_until = SDL_GetTicks64() + (uint64_t)(e->number > 0 ? e->number : 0);
        break;
    case FX_QUIT:
        w->quit = true;
        break;
    case FX_RUN:
    case FX_SAVE:
    case FX_OPEN_PICTURE:
        ok = w->host->perform(w->host->user, e, NULL, note, sizeof note);
        done(w, ok, note);
        break;
    case FX_KIND_COUNT:
        break;
    }
}

void
window_perform(struct window *w, const struct hl_effects *fx)
{
    for (int i = 0; i < fx->n; i++)
        perform(w, &fx->v[i]);
}
