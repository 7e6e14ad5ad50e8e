/* SDL2_ttf sets glyphs on whole pixels and rounds every advance. So a word is drawn
 * four times as wide as it will be and averaged down: then it stands at quarters of
 * a pixel and keeps its true width. Turned text is drawn three times as large in
 * both directions and sampled along the turned axes. */
#include "sdl/text.h"

#include <SDL.h>
#include <SDL_ttf.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

enum {
    ACROSS = 4,      /* horizontal oversampling of level text */
    TURNED = 3,      /* oversampling of turned text */
    OPEN_FONTS = 24, /* SDL_ttf fonts kept open */
    KEEP_BYTES = 24 << 20,
    KEEP_FRAMES = 30,
    MAX_SIZE = 512, /* device pixels to the em */
    SUBPIXELS = 4
};

/* One SDL_ttf font: a face at a size, in 72nds of a pixel per direction. */
struct open_font {
    TTF_Font *ttf;
    int face, across, down;
    uint64_t used;
};

struct word_key {
    int32_t face, size, angle; /* size in 72nds of a pixel, angle in 10ths of a degree */
    uint8_t px, py, rtl, pad;  /* parts of a pixel */
    uint32_t script;
};

struct word {
    uint64_t hash, used;
    struct word_key key;
    uint32_t n;
    size_t bytes_sz;
    struct mask mask; /* its pixels and the text lie behind */
    const char *s;
};

struct text_cache {
    struct hl_fonts *fonts;
    struct open_font open[OPEN_FONTS];
    struct word **words;
    uint32_t n_words, cap_words;
    size_t bytes_sz;
    uint64_t frame, clock;
    char *copy; /* NUL-terminated copy of the word for SDL_ttf */
    size_t copy_cap;
};

struct text_cache *
text_create(struct hl_fonts *fonts)
{
    if (TTF_Init() != 0)
        return NULL;
    struct text_cache *t = hl_alloc(1, sizeof *t);
    if (!t) {
        TTF_Quit();
        return NULL;
    }
    t->fonts = fonts;
    return t;
}

void
text_destroy(struct text_cache *t)
{
    if (!t)
        return;
    for (int i = 0; i < OPEN_FONTS; i++)
        if (t->open[i].ttf)
            TTF_CloseFont(t->open[i].ttf);
    for (uint32_t i = 0; i < t->cap_words; i++)
        hl_free(t->words[i]);
    hl_free(t->words);
    hl_free(t->copy);
    hl_free(t);
    TTF_Quit();
}

/* ---- SDL_ttf ---- */

static TTF_Font *
font_open(struct text_cache *t, int face, int across, int down)
{
    struct open_font *slot = &t->open[0];
    t->clock++;
    for (int i = 0; i < OPEN_FONTS; i++) {
        struct open_font *o = &t->open[i];
        if (o->ttf && o->face == face && o->across == across && o->down == down) {
            o->used = t->clock;
            return o->ttf;
        }
        if (o->used < slot->used)
            slot = o;
    }
    if (slot->ttf)
        TTF_CloseFont(slot->ttf);
    const struct face *a = &t->fonts->face[face];
    slot->ttf = TTF_OpenFontIndexDPI(a->path, 1, a->index, (unsigned)across, (unsigned)down);
    slot->face = face;
    slot->across = across;
    slot->down = down;
    slot->used = t->clock;
    if (slot->ttf)
        TTF_SetFontHinting(slot->ttf, TTF_HINTING_LIGHT);
    return slot->ttf;
}

/* The word as SDL_ttf draws it; *left and *base are the pen's place in it. */
static SDL_Surface *
draw_word(struct text_cache *t, const struct shape *sh, const struct shape_piece *p, int across,
          int down, int *left, int *base)
{
    TTF_Font *ttf = font_open(t, p->face, across, down);
    if (!ttf)
        return NULL;
    if (p->n + 1 > t->copy_cap) {
        char *grown = hl_realloc(t->copy, p->n + 64, 1);
        if (!grown)
            return NULL;
        t->copy = grown;
        t->copy_cap = p->n + 64;
    }
    memcpy(t->copy, sh->s + p->at, p->n);
    t->copy[p->n] = '\0';
    char script[5] = { (char)(p->script >> 24), (char)(p->script >> 16), (char)(p->script >> 8),
                       (char)p->script, 0 };
    TTF_SetFontDirection(ttf, p->rtl ? TTF_DIRECTION_RTL : TTF_DIRECTION_LTR);
    TTF_SetFontScriptName(ttf, script);
    SDL_Surface *drawn =
        TTF_RenderUTF8_Blended(ttf, t->copy, (SDL_Color){ 255, 255, 255, SDL_ALPHA_OPAQUE });
    if (!drawn)
        return NULL;
    /* It makes room where ink stands left of the pen or above the ascent. */
    float ink_left = floorf(p->left * (float)across / 72);
    float above = ceilf(p->top * (float)down / 72) - (float)TTF_FontAscent(ttf);
    *left = ink_left < 0 ? (int)-ink_left : 0;
    *base = TTF_FontAscent(ttf) + (above > 0 ? (int)above : 0);
    if (drawn->format->BytesPerPixel != 4) {
        SDL_Surface *argb = SDL_ConvertSurfaceFormat(drawn, SDL_PIXELFORMAT_ARGB8888, 0);
        SDL_FreeSurface(drawn);
        drawn = argb;
    }
    return drawn;
}

static uint32_t
pixel(const SDL_Surface *s, int x, int y)
{
    return ((const uint32_t *)(const void *)((const char *)s->pixels + (ptrdiff_t)y * s->pitch))[x];
}

/* ---- from drawn words to masks ---- */

/* A word without ink (a lone control character) is kept as well, empty, so that it
 * is not asked for at each frame. */
static struct word *
word_new(const struct shape *sh, const struct shape_piece *p, const struct word_key *key,
         uint64_t hash, struct mask m, bool color)
{
    size_t pixels = (size_t)m.w * (size_t)m.h * (color ? sizeof(uint32_t) : 1);
    size_t size = sizeof(struct word) + pixels + p->n;
    struct word *w = hl_alloc(size, 1);
    if (!w)
        return NULL;
    unsigned char *behind = (unsigned char *)(w + 1);
    w->hash = hash;
    w->key = *key;
    w->n = p->n;
    w->bytes_sz = size;
    w->mask = m;
    if (color)
        w->mask.argb = (const uint32_t *)(const void *)behind;
    else
        w->mask.a = behind;
    memcpy(behind + pixels, sh->s + p->at, p->n);
    w->s = (const char *)behind + pixels;
    return w;
}

static int
floor_div(int a, int b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/* Averages ACROSS columns into one, the pen standing `part` columns into a pixel. */
static void
shrink(const SDL_Surface *s, int shift, struct mask m, uint8_t *out)
{
    for (int y = 0; y < m.h; y++) {
        const uint32_t *row =
            (const uint32_t *)(const void *)((const char *)s->pixels + (ptrdiff_t)y * s->pitch);
        for (int x = 0; x < m.w; x++) {
            uint32_t sum = 0;
            for (int k = 0; k < ACROSS; k++) {
                int at = x * ACROSS + k - shift;
                sum += at >= 0 && at < s->w ? row[at] >> 24 : 0;
            }
            out[(size_t)y * (size_t)m.w + (size_t)x] = (uint8_t)((sum + ACROSS / 2) / ACROSS);
        }
    }
}

static struct word *
make_level(struct text_cache *t, const struct shape *sh, const struct shape_piece *p,
           const struct word_key *key, uint64_t hash)
{
    int left, base;
    SDL_Surface *s = draw_word(t, sh, p, key->size * ACROSS, key->size, &left, &base);
    if (!s)
        return word_new(sh, p, key, hash, (struct mask){ 0 }, false);
    /* Column 0 of the drawn word lies at (part - left) / ACROSS from the pixel. */
    int first = key->px * ACROSS / SUBPIXELS - left, start = floor_div(first, ACROSS);
    struct mask m = { .left = start, .top = -base, .h = s->h };
    m.w = floor_div(first + s->w + ACROSS - 1, ACROSS) - start;
    struct word *w = word_new(sh, p, key, hash, m, false);
    if (w)
        shrink(s, first - start * ACROSS, m, (uint8_t *)(w + 1));
    SDL_FreeSurface(s);
    return w;
}

/* Coverage of the drawn word at (x, y), between pixels. */
static float
sample(const SDL_Surface *s, float x, float y)
{
    float fx = floorf(x), fy = floorf(y);
    int ix = (int)fx, iy = (int)fy;
    if (ix < -1 || iy < -1 || ix >= s->w || iy >= s->h)
        return 0;
    float a[2][2];
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++) {
            bool in = ix + i >= 0 && ix + i < s->w && iy + j >= 0 && iy + j < s->h;
            a[j][i] = in ? (float)(pixel(s, ix + i, iy + j) >> 24) : 0;
        }
    float u = x - fx, v = y - fy;
    return (1 - v) * ((1 - u) * a[0][0] + u * a[0][1]) + v * ((1 - u) * a[1][0] + u * a[1][1]);
}

/* Where the drawn word's corners come to lie, as whole pixels around the pen. */
static struct mask
turned_bounds(const SDL_Surface *s, int left, int base, float co, float si, float px, float py)
{
    float x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY;
    for (int i = 0; i < 4; i++) {
        float u = (float)((i & 1 ? s->w : 0) - left) / TURNED;
        float v = (float)((i & 2 ? s->h : 0) - base) / TURNED;
        float x = u * co + v * si + px, y = -u * si + v * co + py;
        x0 = fminf(x0, x);
        x1 = fmaxf(x1, x);
        y0 = fminf(y0, y);
        y1 = fmaxf(y1, y);
    }
    struct mask m = { .left = (int)floorf(x0) - 1, .top = (int)floorf(y0) - 1 };
    m.w = (int)ceilf(x1) + 1 - m.left;
    m.h = (int)ceilf(y1) + 1 - m.top;
    return m;
}

static struct word *
make_turned(struct text_cache *t, const struct shape *sh, const struct shape_piece *p,
            const struct word_key *key, uint64_t hash)
{
    int left, base;
    SDL_Surface *s = draw_word(t, sh, p, key->size * TURNED, key->size * TURNED, &left, &base);
    if (!s)
        return word_new(sh, p, key, hash, (struct mask){ 0 }, false);
    float turn = (float)key->angle / 10 * 3.14159265f / 180, co = cosf(turn), si = sinf(turn);
    float px = (float)key->px / SUBPIXELS, py = (float)key->py / SUBPIXELS;
    struct mask m = turned_bounds(s, left, base, co, si, px, py);
    struct word *w = word_new(sh, p, key, hash, m, false);
    uint8_t *out = w ? (uint8_t *)(w + 1) : NULL;
    for (int y = 0; w && y < m.h; y++) {
        for (int x = 0; x < m.w; x++) {
            float sum = 0;
            for (int k = 0; k < TURNED * TURNED; k++) {
                float dx = (float)(m.left + x) - px + ((float)(k % TURNED) + 0.5f) / TURNED;
                float dy = (float)(m.top + y) - py + ((float)(k / TURNED) + 0.5f) / TURNED;
                float u = dx * co - dy * si, v = dx * si + dy * co;
                sum += sample(s, u * TURNED + (float)left - 0.5f, v * TURNED + (float)base - 0.5f);
            }
            *out++ = (uint8_t)(sum / (TURNED * TURNED) + 0.5f);
        }
    }
    SDL_FreeSurface(s);
    return w;
}

/* Emoji come as pictures of one size: averaged down to the word's width. */
static struct word *
make_picture(struct text_cache *t, const struct shape *sh, const struct shape_piece *p,
             const struct word_key *key, uint64_t hash)
{
    int left, base;
    SDL_Surface *s = draw_word(t, sh, p, key->size, key->size, &left, &base);
    if (!s)
        return word_new(sh, p, key, hash, (struct mask){ 0 }, false);
    float size = (float)key->size / 72, scale = p->width * size / (float)(s->w > 0 ? s->w : 1);
    struct mask m = { .w = (int)ceilf(p->width * size), .h = (int)ceilf((float)s->h * scale) };
    m.w = m.w > 0 ? m.w : 1;
    m.h = m.h > 0 ? m.h : 1;
    m.top = -(int)lroundf((float)m.h / 2 + size * 0.36f); /* about the capitals' middle */
    struct word *w = word_new(sh, p, key, hash, m, true);
    uint32_t *out = w ? (uint32_t *)(void *)(w + 1) : NULL;
    for (int i = 0; w && i < m.w * m.h; i++) {
        int x0 = i % m.w * s->w / m.w, x1 = (i % m.w + 1) * s->w / m.w;
        int y0 = i / m.w * s->h / m.h, y1 = (i / m.w + 1) * s->h / m.h;
        uint32_t sum[4] = { 0 }, n = 0;
        for (int y = y0; y < y1 || y == y0; y++)
            for (int x = x0; x < x1 || x == x0; x++, n++) {
                uint32_t c = y < s->h && x < s->w ? pixel(s, x, y) : 0, a = c >> 24;
                sum[0] += a;
                for (int k = 1; k < 4; k++)
                    sum[k] += (c >> (24 - 8 * k) & 255) * a;
            }
        uint32_t a = sum[0] > 0 ? sum[0] : 1;
        out[i] = sum[0] / n << 24 | sum[1] / a << 16 | sum[2] / a << 8 | sum[3] / a;
    }
    SDL_FreeSurface(s);
    return w;
}

/* ---- keeping ---- */

static void
insert(struct word **table, uint32_t cap, struct word *w)
{
    uint32_t i = (uint32_t)w->hash & (cap - 1);
    while (table[i])
        i = (i + 1) & (cap - 1);
    table[i] = w;
}

static bool
rehash(struct text_cache *t, uint32_t cap, uint64_t since)
{
    struct word **table = hl_alloc(cap, sizeof *table);
    if (!table)
        return false;
    t->n_words = 0;
    for (uint32_t i = 0; i < t->cap_words; i++) {
        struct word *w = t->words[i];
        if (w && w->used >= since) {
            insert(table, cap, w);
            t->n_words++;
        } else if (w) {
            t->bytes_sz -= w->bytes_sz;
            hl_free(w);
        }
    }
    hl_free(t->words);
    t->words = table;
    t->cap_words = cap;
    return true;
}

void
text_frame(struct text_cache *t)
{
    t->frame++;
    if (t->bytes_sz > KEEP_BYTES && t->frame > KEEP_FRAMES)
        rehash(t, t->cap_words, t->frame - KEEP_FRAMES);
}

static const struct word *
word_get(struct text_cache *t, const struct shape *sh, const struct shape_piece *p,
         const struct word_key *key)
{
    uint64_t hash = hl_fnv1a(hl_fnv1a(0, key, sizeof *key), sh->s + p->at, p->n);
    hash ^= hash >> 31;
    if (t->cap_words) {
        for (uint32_t i = (uint32_t)hash & (t->cap_words - 1); t->words[i];
             i = (i + 1) & (t->cap_words - 1)) {
            struct word *w = t->words[i];
            if (w->hash == hash && w->n == p->n && memcmp(&w->key, key, sizeof *key) == 0 &&
                memcmp(w->s, sh->s + p->at, p->n) == 0) {
                w->used = t->frame;
                return w;
            }
        }
    }
    if (t->n_words * 2 >= t->cap_words && !rehash(t, t->cap_words ? t->cap_words * 2 : 2048, 0))
        return NULL;
    struct word *w = t->fonts->face[p->face].color ? make_picture(t, sh, p, key, hash)
                     : key->angle                  ? make_turned(t, sh, p, key, hash)
                                                   : make_level(t, sh, p, key, hash);
    if (!w)
        return NULL;
    w->used = t->frame;
    insert(t->words, t->cap_words, w);
    t->n_words++;
    t->bytes_sz += w->bytes_sz;
    return w;
}

/* ---- drawing ---- */

/* Splits a place into whole pixels and SUBPIXELS parts. */
static int
split(float v, uint8_t *part)
{
    float q = floorf(v * SUBPIXELS + 0.5f), whole = floorf(q / SUBPIXELS);
    *part = (uint8_t)(q - whole * SUBPIXELS);
    return (int)whole;
}

void
text_draw(struct text_cache *t, struct canvas *c, const struct shape *sh, float x, float y,
          float size, float angle, hl_color color)
{
    if (!(size > 0) || size > MAX_SIZE || (color & 255) == 0)
        return;
    struct word_key key = { .size = (int32_t)lroundf(size * 72),
                            .angle = (int32_t)lroundf(angle * 10) % 3600 };
    float turn = (float)key.angle / 10 * 3.14159265f / 180, co = cosf(turn), si = sinf(turn);
    float reach = size * 2; /* ink beyond the pens of a word */
    if (!key.angle)
        y = floorf(y + 0.5f);
    for (int i = 0; i < sh->n_pieces; i++) {
        const struct shape_piece *p = &sh->piece[i];
        float at = p->x * size, end = (p->x + p->width) * size;
        if (!key.angle &&
            (x + end + reach < (float)c->clip.x0 || x + at - reach > (float)c->clip.x1))
            continue;
        key.face = p->face;
        key.rtl = p->rtl;
        key.script = p->script;
        int px = split(x + at * co, &key.px), py = split(y - at * si, &key.py);
        const struct word *w = word_get(t, sh, p, &key);
        if (w)
            canvas_mask(c, &w->mask, px, py, color);
    }
}
