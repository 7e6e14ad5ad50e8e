/* State of the Images screen: self-attention over pictures (this folder). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "draw/dl.h"
#include "model/sagan.h"
#include "ui/field.h"
#include "state/state.h"

struct app_state;
struct hl_effects;
struct hl_event;
struct hl_screen;

enum { IMAGES_RUN, IMAGES_SLOTS };

enum {
    IMAGES_PINS = 8,
    IMAGES_PATH_SZ = 4096,
    IMAGES_PREVIEW = 320, /* longest side of the shown picture of the user's, pixels */
    IMAGES_LATENT_MAX = 3 /* the latent's sliders run from minus this to this */
};

/* The user's picture. */
struct images_open {
    char path[IMAGES_PATH_SZ]; /* shown or asked for, "" none */
    uint64_t ticket;           /* of the newest asking; it and no other is taken */
    bool wanted;               /* to be asked for with the next request */
    bool waiting;              /* asked for */
    bool dropped;              /* asked for by dropping a file on the window */
    bool there;                /* `judged.picture` is this picture */
    int exchange;              /* light and dark: 1 exchanged, 0 not, -1 by the edges */
    bool invert;               /* of `ways`, the exchanged one is used */
    struct hl_error error;     /* why it is not there; code HL_OK if it is or is awaited */
    uint32_t width, height;    /* as the file has it */
    int w, h;                  /* of the preview */
    hl_rect crop;              /* the square that is used, in pixels of the preview */
    int side;                  /* of `ways` */
    float ways[2][HL_SAGAN_MAX_SIDE * HL_SAGAN_MAX_SIDE]; /* as it is, and inverted */
    hl_color *preview;                                    /* [h, w]; owned, NULL if there is none */
};

struct images_state {
    struct hl_sagan_options drawn;        /* the generator's: seed, latents, gamma, snapshot */
    bool moved[HL_SAGAN_MAX_PICTURES];    /* latents of this picture are in the user's hand */
    struct hl_sagan_options judged;       /* the discriminator's: picture, gamma */
    bool own;                             /* the user's picture is shown */
    int picture;                          /* which of several drawn pictures is looked into */
    int pins[IMAGES_PINS], n_pins;        /* places from 0; the last is what is shown */
    bool looked_at;                       /* who looks at the place, else where it looks */
    bool log_scale, lock;                 /* of the map's colours; lock: 0 to 1 */
    bool reach;                           /* convolution's reach is drawn */
    bool sheet;                           /* where there is room for one: all places */
    struct ui_field seed_text, path_text; /* as typed */
    struct images_open open;
    uint64_t own_text; /* digest of the text when `own` was chosen */
};

extern const struct hl_screen screen_images;

/* The state of a first start. Ownership: images_deinit. Fails: false (no memory). */
bool images_init(struct images_state *m);
void images_deinit(struct images_state *m);

/* A file was dropped on the window, on whatever screen: opens it as a picture. */
void images_drop(struct app_state *s, const char *path, struct hl_effects *fx);
/* EV_PICTURE: what FX_OPEN_PICTURE brought. True: the Images screen is to be shown. */
bool images_opened(struct app_state *s, const struct hl_event *ev, struct hl_effects *fx);

static inline struct images_state *
images_of(const struct app_state *s)
{
    return state_part(s, "images");
}
