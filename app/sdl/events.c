/* SDL's events as ours. */
#include <string.h>

#include "sdl/window_priv.h"

static int
mods_of(SDL_Keymod m)
{
    return (m & KMOD_SHIFT ? MOD_SHIFT : 0) | (m & KMOD_CTRL ? MOD_CTRL : 0) |
           (m & KMOD_LALT ? MOD_ALT : 0);
}

/* Keys with a name of their own; KEY_NONE for those that are text. */
static int
named_key(SDL_Keycode k)
{
    static const struct {
        SDL_Keycode sdl;
        int key;
    } names[] = {
        { SDLK_TAB, KEY_TAB },
        { SDLK_RETURN, KEY_ENTER },
        { SDLK_KP_ENTER, KEY_ENTER },
        { SDLK_ESCAPE, KEY_ESCAPE },
        { SDLK_BACKSPACE, KEY_BACKSPACE },
        { SDLK_DELETE, KEY_DELETE },
        { SDLK_LEFT, KEY_LEFT },
        { SDLK_RIGHT, KEY_RIGHT },
        { SDLK_UP, KEY_UP },
        { SDLK_DOWN, KEY_DOWN },
        { SDLK_HOME, KEY_HOME },
        { SDLK_END, KEY_END },
        { SDLK_PAGEUP, KEY_PAGE_UP },
        { SDLK_PAGEDOWN, KEY_PAGE_DOWN },
    };
    if (k >= SDLK_F1 && k <= SDLK_F12)
        return KEY_F1 + (int)(k - SDLK_F1);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].sdl == k)
            return names[i].key;
    return KEY_NONE;
}

/* The ASCII of a key that bears text, on any layout: Ctrl+C is found on a Cyrillic
 * keyboard by the key's place. */
static int
letter_key(const SDL_Keysym *k)
{
    switch (k->sym) {
    case SDLK_KP_PLUS:
    case SDLK_PLUS:
    case SDLK_EQUALS:
        return KEY_PLUS;
    case SDLK_KP_MINUS:
    case SDLK_MINUS:
        return KEY_MINUS;
    case SDLK_KP_0:
        return '0';
    default:
        break;
    }
    if (k->sym >= SDLK_SPACE && k->sym < SDLK_DELETE)
        return (int)k->sym;
    if (k->scancode >= SDL_SCANCODE_A && k->scancode <= SDL_SCANCODE_Z)
        return 'a' + (int)(k->scancode - SDL_SCANCODE_A);
    return KEY_NONE;
}

static void
key_down(struct window *w, const SDL_KeyboardEvent *e)
{
    struct hl_event ev = { .kind = EV_KEY,
                           .mods = mods_of((SDL_Keymod)e->keysym.mod),
                           .down = true };
    ev.key = named_key(e->keysym.sym);
    if (e->keysym.sym == SDLK_INSERT && (ev.mods == MOD_SHIFT || ev.mods == MOD_CTRL)) {
        /* The older names of Ctrl+V and Ctrl+C; Shift+Delete is the field's own. */
        ev.key = ev.mods == MOD_SHIFT ? 'v' : 'c';
        ev.mods = MOD_CTRL;
    }
    /* Plain letters come as text; where no text is taken they are keys. */
    if (ev.key == KEY_NONE && ((ev.mods & (MOD_CTRL | MOD_ALT)) || !w->text_on))
        ev.key = letter_key(&e->keysym);
    if (ev.key != KEY_NONE)
        window_dispatch(w, &ev);
}

static void
text_typed(struct window *w, const char *text)
{
    /* Alt+letter is a command; X11 sends its text all the same. AltGr is not Alt. */
    SDL_Keymod mods = SDL_GetModState();
    if ((mods & (KMOD_CTRL | KMOD_LALT)) && !(mods & (KMOD_RALT | KMOD_MODE)))
        return;
    struct hl_event ev = { .kind = EV_TEXT, .text = text };
    window_dispatch(w, &ev);
}

static void
composing(struct window *w, const char *text, int cursor, int length)
{
    struct hl_event ev = { .kind = EV_PREEDIT, .text = text, .cursor = cursor, .length = length };
    window_dispatch(w, &ev);
}

static void
mouse_at(struct window *w, float x, float y)
{
    float k = w->pixels_per_point / window_scale(w);
    w->mouse_x = x * k;
    w->mouse_y = y * k;
}

static void
mouse(struct window *w, enum ev_kind kind, int button, int clicks)
{
    struct hl_event ev = { .kind = kind,
                           .mods = mods_of(SDL_GetModState()),
                           .button = button,
                           .clicks = clicks,
                           .down = w->button_down,
                           .x = w->mouse_x,
                           .y = w->mouse_y };
    window_dispatch(w, &ev);
}

static void
button(struct window *w, const SDL_MouseButtonEvent *e)
{
    static const int number[] = {
        [SDL_BUTTON_LEFT] = 1, [SDL_BUTTON_MIDDLE] = 2, [SDL_BUTTON_RIGHT] = 3
    };
    if (e->button >= sizeof number / sizeof *number || e->button == 0)
        return;
    bool down = e->type == SDL_MOUSEBUTTONDOWN;
    w->button_down = down;
    mouse_at(w, (float)e->x, (float)e->y);
    mouse(w, down ? EV_MOUSE_DOWN : EV_MOUSE_UP, number[e->button], e->clicks);
}

static void
wheel(struct window *w, const SDL_MouseWheelEvent *e)
{
    float turn = e->direction == SDL_MOUSEWHEEL_FLIPPED ? -1 : 1;
    struct hl_event ev = { .kind = EV_WHEEL,
                           .mods = mods_of(SDL_GetModState()),
                           .x = turn * e->preciseX,
                           .y = turn * e->preciseY };
    window_dispatch(w, &ev);
}

static void
drop(struct window *w, const SDL_DropEvent *e)
{
    struct hl_event ev = { .kind = e->type == SDL_DROPTEXT ? EV_PASTE : EV_DROP, .text = e->file };
    if (e->file)
        window_dispatch(w, &ev);
    SDL_free(e->file);
}

static void
window_changed(struct window *w, const SDL_WindowEvent *e)
{
    struct hl_event ev = { .kind = EV_FOCUS };
    switch (e->event) {
    case SDL_WINDOWEVENT_SIZE_CHANGED:
    case SDL_WINDOWEVENT_DISPLAY_CHANGED:
        window_tell_size(w);
        break;
    case SDL_WINDOWEVENT_EXPOSED:
        w->exposed = true;
        break;
    case SDL_WINDOWEVENT_FOCUS_GAINED:
    case SDL_WINDOWEVENT_FOCUS_LOST:
        ev.down = e->event == SDL_WINDOWEVENT_FOCUS_GAINED;
        window_dispatch(w, &ev);
        break;
    case SDL_WINDOWEVENT_LEAVE:
        if (w->button_down)
            break; /* a drag goes on outside */
        w->mouse_x = w->mouse_y = -1;
        mouse(w, EV_MOUSE_MOVE, 0, 0);
        break;
    default:
        break;
    }
}

void
window_event(struct window *w, const SDL_Event *e)
{
    struct hl_event quit = { .kind = EV_QUIT };
    switch (e->type) {
    case SDL_QUIT:
        window_dispatch(w, &quit);
        break;
    case SDL_KEYDOWN:
        key_down(w, &e->key);
        break;
    case SDL_TEXTINPUT:
        text_typed(w, e->text.text);
        break;
    case SDL_TEXTEDITING:
        composing(w, e->edit.text, e->edit.start, e->edit.length);
        break;
    case SDL_TEXTEDITING_EXT:
        composing(w, e->editExt.text ? e->editExt.text : "", e->editExt.start, e->editExt.length);
        SDL_free(e->editExt.text);
        break;
    case SDL_MOUSEMOTION:
        mouse_at(w, (float)e->motion.x, (float)e->motion.y);
        mouse(w, EV_MOUSE_MOVE, 0, 0);
        break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        button(w, &e->button);
        break;
    case SDL_MOUSEWHEEL:
        wheel(w, &e->wheel);
        break;
    case SDL_DROPFILE:
    case SDL_DROPTEXT:
        drop(w, &e->drop);
        break;
    case SDL_WINDOWEVENT:
        window_changed(w, &e->window);
        break;
    default:
        break;
    }
}
