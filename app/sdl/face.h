/* Faces as fontconfig finds them, and the shapes of strings (private to app/sdl). */
#pragma once

#include <fontconfig/fontconfig.h>
#include <hb.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "draw/dl.h"
#include "sdl/font.h"

enum { FACES_MAX = 48, MISSING_MAX = 1024 };

/* One font file, opened for shaping; lengths in em. */
struct face {
    char *path, *family;
    int index;
    int style; /* enum dl_font that it was found for */
    hb_font_t *hb;
    FcCharSet *cover;
    float upem, ascent, descent;
    bool color; /* bitmaps of one size: emoji */
};

/* A word within one face, in visual order; lengths in em from the word's pen. */
struct shape_piece {
    float x, width;         /* of its pen, from the line's start */
    float left, top;        /* ink: leftmost x, highest y above the baseline */
    uint32_t at, n;         /* bytes of the string */
    uint32_t script;        /* hb_script_t */
    uint16_t face;
    bool rtl;
};

/* A string set in one font at size 1. caret[i] is the place of the caret before
 * byte i, for i at grapheme borders (0 and n among them), else NAN. */
struct shape {
    uint64_t hash;
    uint64_t used; /* frame */
    enum dl_font font;
    const char *s; /* lies behind */
    size_t n;
    float width;
    float ink_left, ink_right, ink_top, ink_bottom; /* y upwards */
    const float *caret;
    const struct shape_piece *piece;
    int n_pieces;
};

struct shaper; /* scratch of shape.c */

struct hl_fonts {
    FcConfig *fc;
    struct face face[FACES_MAX];
    int n_faces;
    int primary[DL_FONT_COUNT];
    uint32_t missing[MISSING_MAX]; /* characters no face has */
    int n_missing;
    struct hl_metrics metrics;

    struct shape **shapes; /* open addressing by hash */
    uint32_t n_shapes, cap_shapes;
    uint64_t frame;
    struct shaper *shaper;
};

/* Face for a character of `font`: the primary one where it has it; a coloured one
 * for emoji, and for what is asked for `as_emoji`. */
int
face_for(struct hl_fonts *f, enum dl_font font, uint32_t cp, hb_script_t script, bool as_emoji);

/* The shape of s[0..n): found or made. Borrowed until the next fonts_frame. Fails:
 * NULL (no memory). */
const struct shape *
shape_get(struct hl_fonts *f, enum dl_font font, const char *s, size_t n);

/* A new frame begins: shapes that were not used lately may go. */
void
fonts_frame(struct hl_fonts *f);

/* Frees what shape.c holds. */
void
shape_deinit(struct hl_fonts *f);
