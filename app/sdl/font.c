#include "sdl/font.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "sdl/face.h"

static char *
copy_string(const char *s)
{
    size_t n = strlen(s) + 1;
    char *out = hl_alloc(n, 1);
    if (out)
        memcpy(out, s, n);
    return out;
}

/* ---- finding faces ---- */

static const struct {
    const char *family, *fallback, *generic;
    int weight;
} style_of[] = {
    [DL_FONT_UI] = { "Inter", "DejaVu Sans", "sans-serif", FC_WEIGHT_REGULAR },
    [DL_FONT_UI_MEDIUM] = { "Inter", "DejaVu Sans", "sans-serif", FC_WEIGHT_MEDIUM },
    [DL_FONT_UI_BOLD] = { "Inter", "DejaVu Sans", "sans-serif", FC_WEIGHT_DEMIBOLD },
    [DL_FONT_MONO] = { "JetBrains Mono", "DejaVu Sans Mono", "monospace", FC_WEIGHT_REGULAR },
};
_Static_assert(sizeof style_of / sizeof *style_of == DL_FONT_COUNT, "a style for each font");

/* Families that are known to be good where Inter ends. */
static const struct {
    hb_script_t script;
    const char *family;
} script_family[] = {
    { HB_SCRIPT_ARABIC, "Noto Sans Arabic" },     { HB_SCRIPT_HEBREW, "Noto Sans Hebrew" },
    { HB_SCRIPT_HAN, "Noto Sans CJK SC" },        { HB_SCRIPT_HIRAGANA, "Noto Sans CJK JP" },
    { HB_SCRIPT_KATAKANA, "Noto Sans CJK JP" },   { HB_SCRIPT_HANGUL, "Noto Sans CJK KR" },
    { HB_SCRIPT_BOPOMOFO, "Noto Sans CJK TC" },   { HB_SCRIPT_DEVANAGARI, "Noto Sans Devanagari" },
    { HB_SCRIPT_THAI, "Noto Sans Thai" },         { HB_SCRIPT_BENGALI, "Noto Sans Bengali" },
    { HB_SCRIPT_TAMIL, "Noto Sans Tamil" },       { HB_SCRIPT_GEORGIAN, "Noto Sans Georgian" },
    { HB_SCRIPT_ARMENIAN, "Noto Sans Armenian" },
};

/* Marks characters that were looked for as coloured pictures in the list of those
 * missing. */
#define EMOJI_BIT 0x80000000u

static bool
is_emoji(uint32_t cp)
{
    return (cp >= 0x1F300 && cp <= 0x1FAFF) || (cp >= 0x1F1E6 && cp <= 0x1F1FF);
}

/* Opens the file of a pattern that fontconfig matched. -1: not usable. */
static int
face_open(struct hl_fonts *f, FcPattern *found, int style)
{
    FcChar8 *path, *family, *format;
    FcCharSet *cover;
    FcBool color = FcFalse;
    int index = 0;
    if (f->n_faces == FACES_MAX ||
        FcPatternGetString(found, FC_FILE, 0, &path) != FcResultMatch ||
        FcPatternGetString(found, FC_FAMILY, 0, &family) != FcResultMatch ||
        FcPatternGetString(found, FC_FONTFORMAT, 0, &format) != FcResultMatch ||
        FcPatternGetCharSet(found, FC_CHARSET, 0, &cover) != FcResultMatch ||
        (strcmp((char *)format, "TrueType") != 0 && strcmp((char *)format, "CFF") != 0))
        return -1;
    FcPatternGetInteger(found, FC_INDEX, 0, &index);
    FcPatternGetBool(found, FC_COLOR, 0, &color);
    for (int i = 0; i < f->n_faces; i++)
        if (f->face[i].style == style && f->face[i].index == index &&
            strcmp(f->face[i].path, (char *)path) == 0)
            return i;

    struct face *a = &f->face[f->n_faces];
    memset(a, 0, sizeof *a);
    a->path = copy_string((char *)path);
    a->family = copy_string((char *)family);
    hb_blob_t *blob = hb_blob_create_from_file((char *)path);
    hb_face_t *face = hb_face_create(blob, (unsigned)index & 0xFFFF);
    a->hb = hb_font_create(face);
    a->upem = (float)hb_face_get_upem(face);
    hb_face_destroy(face);
    bool readable = hb_blob_get_length(blob) > 0;
    hb_blob_destroy(blob);
    a->index = index;
    a->style = style;
    a->color = color == FcTrue;
    a->cover = FcCharSetCopy(cover);
    hb_font_extents_t ext = { 0 };
    hb_font_get_h_extents(a->hb, &ext);
    a->ascent = (float)ext.ascender / a->upem;
    a->descent = -(float)ext.descender / a->upem;
    f->n_faces++; /* a half-made face is freed with the others */
    return readable && a->path && a->family && a->cover ? f->n_faces - 1 : -1;
}

static void
add_family(FcPattern *p, const char *family)
{
    if (family)
        FcPatternAddString(p, FC_FAMILY, (const FcChar8 *)family);
}

/* fontconfig's best match; NULL when there is none. */
static FcPattern *
match(struct hl_fonts *f, FcPattern *p)
{
    FcResult result;
    FcPatternAddBool(p, FC_SCALABLE, FcTrue);
    FcPatternAddBool(p, FC_VARIABLE, FcFalse);
    FcConfigSubstitute(f->fc, p, FcMatchPattern);
    FcDefaultSubstitute(p);
    FcPattern *found = FcFontMatch(f->fc, p, &result);
    FcPatternDestroy(p);
    return found;
}

static int
find_primary(struct hl_fonts *f, const char *family, int style)
{
    FcPattern *p = FcPatternCreate();
    if (!p)
        return -1;
    if (!family)
        add_family(p, style_of[style].family);
    else if (style != DL_FONT_MONO)
        add_family(p, family);
    add_family(p, style_of[style].fallback);
    add_family(p, style_of[style].generic);
    FcPatternAddInteger(p, FC_WEIGHT, style_of[style].weight);
    FcPattern *found = match(f, p);
    int id = found ? face_open(f, found, style) : -1;
    if (found)
        FcPatternDestroy(found);
    return id;
}

/* Asks fontconfig for a face that has cp, the script's own family first. */
static int
find_fallback(struct hl_fonts *f, enum dl_font font, uint32_t cp, hb_script_t script, bool emoji)
{
    FcPattern *p = FcPatternCreate();
    FcCharSet *want = FcCharSetCreate();
    int id = -1;
    if (p && want && FcCharSetAddChar(want, cp)) {
        if (emoji)
            add_family(p, "Noto Color Emoji");
        for (size_t i = 0; i < sizeof script_family / sizeof *script_family; i++)
            if (script_family[i].script == script)
                add_family(p, script_family[i].family);
        add_family(p, style_of[font].fallback);
        add_family(p, style_of[font].generic);
        FcPatternAddCharSet(p, FC_CHARSET, want);
        FcPatternAddInteger(p, FC_WEIGHT, style_of[font].weight);
        FcPattern *found = match(f, p);
        p = NULL;
        FcCharSet *has;
        if (found && FcPatternGetCharSet(found, FC_CHARSET, 0, &has) == FcResultMatch &&
            FcCharSetHasChar(has, cp))
            id = face_open(f, found, (int)font);
        if (found)
            FcPatternDestroy(found);
    }
    if (p)
        FcPatternDestroy(p);
    if (want)
        FcCharSetDestroy(want);
    return id;
}

/* Any face already open that has cp, coloured or not; the primary one without. */
static int
face_for_plain(const struct hl_fonts *f, enum dl_font font, uint32_t cp)
{
    for (int i = 0; i < f->n_faces; i++)
        if (f->face[i].style == (int)font && f->face[i].cover &&
            FcCharSetHasChar(f->face[i].cover, cp))
            return i;
    return f->primary[font];
}

int
face_for(struct hl_fonts *f, enum dl_font font, uint32_t cp, hb_script_t script, bool as_emoji)
{
    int primary = f->primary[font];
    bool emoji = as_emoji || is_emoji(cp);
    uint32_t wanted = emoji ? cp | EMOJI_BIT : cp;
    if (!emoji && FcCharSetHasChar(f->face[primary].cover, cp))
        return primary;
    for (int i = 0; i < f->n_faces; i++)
        if (f->face[i].style == (int)font && f->face[i].cover && i != primary &&
            f->face[i].color == emoji && FcCharSetHasChar(f->face[i].cover, cp))
            return i;
    for (int i = 0; i < f->n_missing; i++)
        if (f->missing[i] == wanted)
            return emoji ? face_for_plain(f, font, cp) : primary;
    int id = find_fallback(f, font, cp, script, emoji);
    if (id >= 0 && f->face[id].color == emoji)
        return id;
    if (f->n_missing < MISSING_MAX)
        f->missing[f->n_missing++] = wanted;
    return id >= 0 ? id : primary;
}

/* ---- measuring ---- */

static float
real_width(void *user, enum dl_font font, float size, const char *s, size_t n)
{
    const struct shape *sh = shape_get(user, font, s, n);
    return sh ? sh->width * size : hl_metrics_fixed.width(NULL, font, size, s, n);
}

static float
real_ascent(void *user, enum dl_font font, float size)
{
    struct hl_fonts *f = user;
    return f->face[f->primary[font]].ascent * size;
}

static float
real_descent(void *user, enum dl_font font, float size)
{
    struct hl_fonts *f = user;
    return f->face[f->primary[font]].descent * size;
}

static float
real_caret_x(void *user, enum dl_font font, float size, const char *s, size_t n, size_t at)
{
    const struct shape *sh = shape_get(user, font, s, n);
    if (!sh)
        return hl_metrics_fixed.caret_x(NULL, font, size, s, n, at);
    at = at < n ? at : n;
    while (at > 0 && isnan(sh->caret[at]))
        at--;
    return sh->caret[at] * size;
}

static size_t
real_caret_at(void *user, enum dl_font font, float size, const char *s, size_t n, float x)
{
    const struct shape *sh = shape_get(user, font, s, n);
    if (!sh)
        return hl_metrics_fixed.caret_at(NULL, font, size, s, n, x);
    size_t best = 0;
    float best_far = INFINITY;
    for (size_t i = 0; i <= n; i++) {
        float far = fabsf(sh->caret[i] * size - x);
        if (far < best_far) {
            best_far = far;
            best = i;
        }
    }
    return best;
}

/* ---- life ---- */

enum hl_status
fonts_create(struct hl_fonts **out, struct hl_error *err)
{
    return fonts_create_family(NULL, out, err);
}

enum hl_status
fonts_create_family(const char *family, struct hl_fonts **out, struct hl_error *err)
{
    *out = NULL;
    struct hl_fonts *f = hl_alloc(1, sizeof *f);
    if (!f)
        return hl_error_set(err, HL_E_NOMEM, "fonts", "the list of faces");
    f->fc = FcInitLoadConfigAndFonts();
    if (!f->fc) {
        fonts_destroy(f);
        return hl_error_set(err, HL_E_FONT, "fontconfig", "its configuration cannot be read");
    }
    for (int i = 0; i < DL_FONT_COUNT; i++) {
        f->primary[i] = find_primary(f, family, i);
        if (f->primary[i] < 0) {
            const char *name = family ? family : style_of[i].family;
            fonts_destroy(f);
            return hl_error_set(err, HL_E_FONT, name, "neither it nor a substitute is installed");
        }
    }
    f->metrics = (struct hl_metrics){ f,            real_width,   real_ascent,
                                      real_descent, real_caret_x, real_caret_at };
    *out = f;
    return HL_OK;
}

void
fonts_destroy(struct hl_fonts *f)
{
    if (!f)
        return;
    shape_deinit(f);
    for (int i = 0; i < f->n_faces; i++) {
        struct face *a = &f->face[i];
        hl_free(a->path);
        hl_free(a->family);
        hb_font_destroy(a->hb);
        if (a->cover)
            FcCharSetDestroy(a->cover);
    }
    if (f->fc)
        FcConfigDestroy(f->fc);
    hl_free(f);
}

const struct hl_metrics *
fonts_metrics(struct hl_fonts *f)
{
    return &f->metrics;
}

const char *
fonts_family(const struct hl_fonts *f, enum dl_font font)
{
    return f->face[f->primary[font]].family;
}
