/* Strings to places: order by FriBidi, glyphs by HarfBuzz, in units of the em.
 *
 * A line is cut into runs of one direction, script and face; runs are put into
 * visual order (rule L2 of the Unicode bidirectional algorithm), shaped, and cut
 * into words, which text.c draws at exactly these places. */
#include <fribidi.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "sdl/face.h"

enum { KEEP_SHAPES = 12288, KEEP_FRAMES = 8, PIECE_CLUSTERS = 48 };

/* One character of the string being shaped. */
struct ch {
    uint32_t cp;
    uint32_t at; /* byte */
    hb_script_t script;
    FriBidiLevel level;
    uint8_t face;
};

struct run {
    int from, to; /* characters */
    FriBidiLevel level;
};

/* Scratch that grows with the longest string. */
struct shaper {
    hb_buffer_t *buf;
    struct ch *ch;
    FriBidiChar *cps;
    FriBidiCharType *types;
    FriBidiBracketType *brackets;
    FriBidiLevel *levels;
    struct run *run;
    float *caret; /* by byte */
    struct shape_piece *piece;
    int cap, n_runs, n_pieces;
    /* of the line being made */
    float pen, left, right, top, bottom;
};

static bool
grow(void *slot, int n, size_t size)
{
    void **p = slot;
    void *grown = hl_realloc(*p, (size_t)n, size);
    if (grown)
        *p = grown;
    return grown != NULL;
}

static bool
reserve(struct hl_fonts *f, size_t n)
{
    struct shaper *z = f->shaper;
    if (!z) {
        z = f->shaper = hl_alloc(1, sizeof *z);
        if (!z)
            return false;
        z->buf = hb_buffer_create();
    }
    if (n + 1 <= (size_t)z->cap)
        return true;
    if (n > 1 << 24)
        return false;
    int cap = (int)n + 1 + (int)n / 2 + 64;
    if (!grow(&z->ch, cap, sizeof *z->ch) || !grow(&z->cps, cap, sizeof *z->cps) ||
        !grow(&z->types, cap, sizeof *z->types) ||
        !grow(&z->brackets, cap, sizeof *z->brackets) ||
        !grow(&z->levels, cap, sizeof *z->levels) || !grow(&z->run, cap, sizeof *z->run) ||
        !grow(&z->caret, cap, sizeof *z->caret) || !grow(&z->piece, cap, sizeof *z->piece))
        return false;
    z->cap = cap;
    return true;
}

/* ---- runs ---- */

static bool
is_blank(uint32_t cp)
{
    return cp == ' ' || cp == '\t' || cp == 0xA0 || cp == 0x3000;
}

/* Joiners and selectors follow the character before them. */
static bool
is_follower(uint32_t cp)
{
    return (cp >= 0x200B && cp <= 0x200F) || (cp >= 0xFE00 && cp <= 0xFE0F) ||
           (cp >= 0x1F3FB && cp <= 0x1F3FF) || (cp >= 0xE0020 && cp <= 0xE007F);
}

/* Marks stay with their letter and blanks with their word where its face has them
 * (the blank of an emoji face is as wide as its pictures). */
static bool
follows_face(const struct face *a, uint32_t cp, hb_script_t script)
{
    bool mark = script == HB_SCRIPT_INHERITED, blank = is_blank(cp) && !a->color;
    return (mark || blank) && FcCharSetHasChar(a->cover, cp);
}

static int
decode(struct hl_fonts *f, enum dl_font font, const char *s, size_t n, bool *mixed)
{
    struct shaper *z = f->shaper;
    hb_unicode_funcs_t *uni = hb_unicode_funcs_get_default();
    hb_script_t before = HB_SCRIPT_LATIN;
    int n_ch = 0;
    *mixed = false;
    for (size_t i = 0; i < n; n_ch++) {
        struct ch *c = &z->ch[n_ch];
        c->at = (uint32_t)i;
        i += hl_utf8_next(s + i, n - i, &c->cp);
        z->cps[n_ch] = c->cp;
        c->level = 0;
        hb_script_t script = c->cp < 0x80 ? HB_SCRIPT_COMMON : hb_unicode_script(uni, c->cp);
        bool weak = script == HB_SCRIPT_COMMON || script == HB_SCRIPT_INHERITED ||
                    script == HB_SCRIPT_UNKNOWN;
        c->script = weak ? before : script;
        before = c->script;
        if (c->cp >= 0x590)
            *mixed |= FRIBIDI_IS_RTL(fribidi_get_bidi_type(c->cp)) ||
                      (c->cp >= 0x200E && c->cp <= 0x202E) || (c->cp >= 0x2066 && c->cp <= 0x2069);
        struct ch *prev = n_ch ? c - 1 : NULL;
        if (prev && c->cp == 0xFE0F) /* asks for the picture of what it follows */
            prev->face = (uint8_t)face_for(f, font, prev->cp, prev->script, true);
        if (prev && (is_follower(c->cp) || follows_face(&f->face[prev->face], c->cp, script)))
            c->face = prev->face;
        else
            c->face = (uint8_t)face_for(f, font, c->cp, c->script, false);
    }
    return n_ch;
}

static void
set_levels(struct shaper *z, int n_ch)
{
    FriBidiParType base = FRIBIDI_PAR_ON;
    fribidi_get_bidi_types(z->cps, n_ch, z->types);
    fribidi_get_bracket_types(z->cps, n_ch, z->types, z->brackets);
    if (fribidi_get_par_embedding_levels_ex(z->types, z->brackets, n_ch, &base, z->levels))
        for (int i = 0; i < n_ch; i++)
            z->ch[i].level = z->levels[i];
}

static void
cut_runs(struct shaper *z, int n_ch)
{
    z->n_runs = 0;
    for (int i = 0; i < n_ch; i++) {
        const struct ch *c = &z->ch[i], *b = i ? c - 1 : NULL;
        if (!b || c->level != b->level || c->script != b->script || c->face != b->face)
            z->run[z->n_runs++] = (struct run){ i, i, c->level };
        z->run[z->n_runs - 1].to = i + 1;
    }
}

/* L2: reverse every stretch of runs at each level from the highest to the lowest
 * odd one. */
static void
order_runs(struct shaper *z)
{
    int high = 0;
    for (int i = 0; i < z->n_runs; i++)
        high = z->run[i].level > high ? z->run[i].level : high;
    for (int level = high; level > 0; level--) {
        for (int i = 0; i < z->n_runs;) {
            int end = i;
            while (end < z->n_runs && z->run[end].level >= level)
                end++;
            for (int a = i, b = end - 1; a < b; a++, b--) {
                struct run t = z->run[a];
                z->run[a] = z->run[b];
                z->run[b] = t;
            }
            i = end > i ? end : i + 1;
        }
    }
}

/* ---- glyphs ---- */

/* Carets of the graphemes of one cluster, s[from..to), that lies in x0..x1. */
static void
set_carets(struct shaper *z, const char *s, size_t n, size_t from, size_t to, float x0, float x1,
           bool rtl)
{
    int parts = 0, k = 0;
    for (size_t i = from; i < to; i = hl_utf8_grapheme_next(s, n, i))
        parts++;
    for (size_t i = from; i < to; i = hl_utf8_grapheme_next(s, n, i), k++) {
        float t = (float)k / (float)parts;
        z->caret[i] = rtl ? x1 - t * (x1 - x0) : x0 + t * (x1 - x0);
    }
    if (to == n)
        z->caret[n] = rtl ? x0 : x1;
}

static void
close_piece(struct shaper *z, struct shape_piece *p, int *clusters)
{
    if (*clusters > 0) {
        p->width = z->pen - p->x;
        z->piece[z->n_pieces++] = *p;
    }
    *clusters = 0;
}

/* Ink of a glyph whose pen is at x, y (em): into the line's box and the piece's. */
static void
add_ink(struct shaper *z, struct shape_piece *p, const struct face *a, hb_codepoint_t glyph,
        float x, float y)
{
    hb_glyph_extents_t e;
    if (!hb_font_get_glyph_extents(a->hb, glyph, &e) || e.width == 0 || e.height == 0)
        return;
    float left = x + (float)e.x_bearing / a->upem, top = y + (float)e.y_bearing / a->upem;
    float right = left + (float)e.width / a->upem, bottom = top + (float)e.height / a->upem;
    z->left = fminf(z->left, left);
    z->right = fmaxf(z->right, right);
    z->top = fmaxf(z->top, top);
    z->bottom = fminf(z->bottom, bottom);
    p->left = fminf(p->left, left - p->x);
    p->top = fmaxf(p->top, top);
}

/* Bytes where the cluster at glyph i ends: the start of the cluster that follows it
 * in the string, or the run's end. */
static size_t
cluster_end(const hb_glyph_info_t *g, int n_glyphs, int i, bool rtl, size_t run_end)
{
    uint32_t own = g[i].cluster;
    for (int k = i; rtl ? k >= 0 : k < n_glyphs; k += rtl ? -1 : 1)
        if (g[k].cluster != own)
            return g[k].cluster;
    return run_end;
}

static void
place_run(struct hl_fonts *f, const struct run *run, const char *s, size_t n, size_t run_end)
{
    struct shaper *z = f->shaper;
    const struct ch *first = &z->ch[run->from];
    const struct face *a = &f->face[first->face];
    bool rtl = run->level & 1;
    unsigned count;
    const hb_glyph_info_t *g = hb_buffer_get_glyph_infos(z->buf, &count);
    const hb_glyph_position_t *pos = hb_buffer_get_glyph_positions(z->buf, NULL);
    struct shape_piece p = { 0 };
    int clusters = 0, n_glyphs = (int)count;
    for (int i = 0; i < n_glyphs;) {
        int next = i;
        float advance = 0;
        while (next < n_glyphs && g[next].cluster == g[i].cluster)
            advance += (float)pos[next++].x_advance / a->upem;
        size_t from = g[i].cluster, to = cluster_end(g, n_glyphs, rtl ? i : next - 1, rtl, run_end);
        uint32_t cp;
        hl_utf8_next(s + from, n - from, &cp);
        set_carets(z, s, n, from, to, z->pen, z->pen + advance, rtl);
        if (is_blank(cp) || clusters == PIECE_CLUSTERS)
            close_piece(z, &p, &clusters);
        if (!is_blank(cp)) {
            if (clusters == 0)
                p = (struct shape_piece){ .x = z->pen,
                                          .at = (uint32_t)from,
                                          .script = first->script,
                                          .face = first->face,
                                          .rtl = rtl };
            uint32_t lo = (uint32_t)from < p.at ? (uint32_t)from : p.at;
            uint32_t hi = p.at + p.n > (uint32_t)to ? p.at + p.n : (uint32_t)to;
            p.at = lo;
            p.n = hi - lo;
            clusters++;
            float x = z->pen;
            for (int k = i; k < next; k++) {
                add_ink(z, &p, a, g[k].codepoint, x + (float)pos[k].x_offset / a->upem,
                        (float)pos[k].y_offset / a->upem);
                x += (float)pos[k].x_advance / a->upem;
            }
        }
        z->pen += advance;
        i = next;
    }
    close_piece(z, &p, &clusters);
}

static void
shape_line(struct hl_fonts *f, enum dl_font font, const char *s, size_t n)
{
    struct shaper *z = f->shaper;
    bool mixed;
    int n_ch = decode(f, font, s, n, &mixed);
    if (mixed)
        set_levels(z, n_ch);
    cut_runs(z, n_ch);
    if (mixed)
        order_runs(z);
    z->pen = z->left = z->right = z->top = z->bottom = 0;
    z->n_pieces = 0;
    for (size_t i = 0; i <= n; i++)
        z->caret[i] = NAN;
    z->caret[0] = 0;
    for (int r = 0; r < z->n_runs; r++) {
        const struct run *run = &z->run[r];
        const struct ch *c = &z->ch[run->from];
        size_t end = run->to < n_ch ? z->ch[run->to].at : n;
        hb_buffer_clear_contents(z->buf);
        hb_buffer_set_flags(z->buf, HB_BUFFER_FLAG_DEFAULT);
        hb_buffer_add_utf8(z->buf, s, (int)n, c->at, (int)(end - c->at));
        hb_buffer_set_direction(z->buf, run->level & 1 ? HB_DIRECTION_RTL : HB_DIRECTION_LTR);
        hb_buffer_set_script(z->buf, c->script);
        hb_buffer_set_language(z->buf, hb_language_get_default());
        hb_shape(f->face[c->face].hb, z->buf, NULL, 0);
        place_run(f, run, s, n, end);
    }
    if (n == 0)
        z->caret[0] = 0;
}

/* ---- keeping ---- */

static struct shape *
make(struct hl_fonts *f, enum dl_font font, const char *s, size_t n, uint64_t hash)
{
    if (!reserve(f, n))
        return NULL;
    struct shaper *z = f->shaper;
    shape_line(f, font, s, n);
    size_t pieces_sz = (size_t)z->n_pieces * sizeof *z->piece;
    size_t carets_sz = (n + 1) * sizeof *z->caret;
    unsigned char *block = hl_alloc(1, sizeof(struct shape) + pieces_sz + carets_sz + n + 1);
    if (!block)
        return NULL;
    struct shape *sh = (struct shape *)(void *)block;
    unsigned char *pieces = block + sizeof *sh, *carets = pieces + pieces_sz;
    memcpy(pieces, z->piece, pieces_sz);
    memcpy(carets, z->caret, carets_sz);
    memcpy(carets + carets_sz, s, n);
    sh->hash = hash;
    sh->font = font;
    sh->s = (const char *)(carets + carets_sz);
    sh->n = n;
    sh->width = z->pen;
    sh->ink_left = z->left;
    sh->ink_right = z->right;
    sh->ink_top = z->top;
    sh->ink_bottom = z->bottom;
    sh->caret = (const float *)(const void *)carets;
    sh->piece = (const struct shape_piece *)(const void *)pieces;
    sh->n_pieces = z->n_pieces;
    return sh;
}

static void
insert(struct shape **table, uint32_t cap, struct shape *sh)
{
    uint32_t i = (uint32_t)sh->hash & (cap - 1);
    while (table[i])
        i = (i + 1) & (cap - 1);
    table[i] = sh;
}

/* Moves the shapes last used at `since` or later to a table of `cap`; the others go. */
static bool
rehash(struct hl_fonts *f, uint32_t cap, uint64_t since)
{
    struct shape **table = hl_alloc(cap, sizeof *table);
    if (!table)
        return false;
    f->n_shapes = 0;
    for (uint32_t i = 0; i < f->cap_shapes; i++) {
        struct shape *sh = f->shapes[i];
        if (sh && sh->used >= since) {
            insert(table, cap, sh);
            f->n_shapes++;
        } else {
            hl_free(sh);
        }
    }
    hl_free(f->shapes);
    f->shapes = table;
    f->cap_shapes = cap;
    return true;
}

const struct shape *
shape_get(struct hl_fonts *f, enum dl_font font, const char *s, size_t n)
{
    uint64_t hash = hl_fnv1a(0, s, n) * 0x9E3779B97F4A7C15u + (uint64_t)font;
    hash ^= hash >> 29;
    if (f->cap_shapes) {
        for (uint32_t i = (uint32_t)hash & (f->cap_shapes - 1); f->shapes[i];
             i = (i + 1) & (f->cap_shapes - 1)) {
            struct shape *sh = f->shapes[i];
            if (sh->hash == hash && sh->font == font && sh->n == n && memcmp(sh->s, s, n) == 0) {
                sh->used = f->frame;
                return sh;
            }
        }
    }
    if (f->n_shapes * 2 >= f->cap_shapes && !rehash(f, f->cap_shapes ? f->cap_shapes * 2 : 2048, 0))
        return NULL;
    struct shape *sh = make(f, font, s, n, hash);
    if (!sh)
        return NULL;
    sh->used = f->frame;
    insert(f->shapes, f->cap_shapes, sh);
    f->n_shapes++;
    return sh;
}

void
fonts_frame(struct hl_fonts *f)
{
    f->frame++;
    if (f->n_shapes > KEEP_SHAPES && f->frame > KEEP_FRAMES)
        rehash(f, f->cap_shapes, f->frame - KEEP_FRAMES);
}

void
shape_deinit(struct hl_fonts *f)
{
    struct shaper *z = f->shaper;
    for (uint32_t i = 0; i < f->cap_shapes; i++)
        hl_free(f->shapes[i]);
    hl_free(f->shapes);
    f->shapes = NULL;
    f->cap_shapes = f->n_shapes = 0;
    if (!z)
        return;
    hb_buffer_destroy(z->buf);
    hl_free(z->ch);
    hl_free(z->cps);
    hl_free(z->types);
    hl_free(z->brackets);
    hl_free(z->levels);
    hl_free(z->run);
    hl_free(z->caret);
    hl_free(z->piece);
    hl_free(z);
    f->shaper = NULL;
}
