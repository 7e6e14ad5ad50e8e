/* Ids back to text, by the steps of the "decoder" member. */
#include <string.h>

#include "base/utf8.h"
#include "tok/bytelevel.h"
#include "tok/tok_priv.h"

/* ---- loading ---- */

struct loading {
    struct hl_tok *t;
    const char *where;
    struct hl_error *err;
};

static enum hl_status
take_string(const struct loading *ld, const struct hl_json *node, const char *key, const char **out)
{
    const char *s = NULL;
    enum hl_status status = hl_json_need_string(node, key, HL_E_TOKENIZER, ld->where, &s, ld->err);
    if (status != HL_OK)
        return status;
    *out = hl_arena_strdup(&ld->t->arena, s);
    return *out ? HL_OK : hl_error_set(ld->err, HL_E_NOMEM, ld->where, "%s", "");
}

static enum hl_status
take_character(const struct loading *ld, const struct hl_json *node, const char *key,
               const char **out)
{
    uint32_t cp;
    enum hl_status status = take_string(ld, node, key, out);
    if (status == HL_OK && (!**out || hl_utf8_next(*out, strlen(*out), &cp) != strlen(*out)))
        return hl_error_set(ld->err, HL_E_TOKENIZER, ld->where,
                            "'%s' of a decoder should be one character", key);
    return status;
}

static enum hl_status
load_strip(const struct loading *ld, const struct hl_json *node, struct hl_decode_step *step)
{
    int64_t start = 0, stop = 0;
    enum hl_status status = take_character(ld, node, "content", &step->from);
    if (status == HL_OK)
        status = hl_json_opt_int(node, "start", 0, INT32_MAX, HL_E_TOKENIZER, ld->where, &start,
                                 ld->err);
    if (status == HL_OK)
        status =
            hl_json_opt_int(node, "stop", 0, INT32_MAX, HL_E_TOKENIZER, ld->where, &stop, ld->err);
    step->start = (int)start;
    step->stop = (int)stop;
    return status;
}

static enum hl_status
load_metaspace(const struct loading *ld, const struct hl_json *node, struct hl_decode_step *step)
{
    const char *scheme = NULL;
    step->prepended = true;
    step->to = " ";
    enum hl_status status = take_character(ld, node, "replacement", &step->from);
    if (status == HL_OK)
        status = hl_json_opt_bool(node, "add_prefix_space", HL_E_TOKENIZER, ld->where,
                                  &step->prepended, ld->err);
    if (status == HL_OK)
        status =
            hl_json_opt_string(node, "prepend_scheme", HL_E_TOKENIZER, ld->where, &scheme, ld->err);
    if (scheme)
        step->prepended = strcmp(scheme, "never") != 0;
    return status;
}

static enum hl_status
load_replace(const struct loading *ld, const struct hl_json *node, struct hl_decode_step *step)
{
    enum hl_status status = take_string(ld, hl_json_get(node, "pattern"), "String", &step->from);
    if (status == HL_OK && !*step->from)
        return hl_error_set(ld->err, HL_E_TOKENIZER, ld->where,
                            "a Replace decoder replaces the empty string");
    return status == HL_OK ? take_string(ld, node, "content", &step->to) : status;
}

static enum hl_status
load_wordpiece(const struct loading *ld, const struct hl_json *node, struct hl_decode_step *step)
{
    const char *prefix = "##";
    step->cleanup = true;
    enum hl_status status =
        hl_json_opt_string(node, "prefix", HL_E_TOKENIZER, ld->where, &prefix, ld->err);
    if (status == HL_OK)
        status =
            hl_json_opt_bool(node, "cleanup", HL_E_TOKENIZER, ld->where, &step->cleanup, ld->err);
    if (status != HL_OK)
        return status;
    step->from = hl_arena_strdup(&ld->t->arena, prefix);
    return step->from ? HL_OK : hl_error_set(ld->err, HL_E_NOMEM, ld->where, "%s", "");
}

static enum hl_status
load_step(const struct loading *ld, const struct hl_json *node, struct hl_decode_step *step)
{
    switch (step->kind) {
    case HL_DEC_REPLACE:
        return load_replace(ld, node, step);
    case HL_DEC_STRIP:
        return load_strip(ld, node, step);
    case HL_DEC_METASPACE:
        return load_metaspace(ld, node, step);
    case HL_DEC_WORDPIECE:
        return load_wordpiece(ld, node, step);
    case HL_DEC_BYTES:
    case HL_DEC_FUSE:
    case HL_DEC_BYTELEVEL:
    case HL_DEC_COUNT:
        break;
    }
    return HL_OK;
}

/* Replacements that each make a text longer, one after the other, can fill any memory. */
static enum hl_status
check_growth(const struct loading *ld)
{
    double times = 1;
    for (int i = 0; i < ld->t->n_decoder; i++) {
        const struct hl_decode_step *step = &ld->t->decoder[i];
        bool replaces = step->kind == HL_DEC_REPLACE || step->kind == HL_DEC_METASPACE;
        double grows = replaces ? (double)strlen(step->to) / (double)strlen(step->from) : 1;
        times *= grows > 1 ? grows : 1;
    }
    if (times <= HL_DECODE_GROWTH_MAX)
        return HL_OK;
    return hl_error_set(ld->err, HL_E_TOKENIZER, ld->where,
                        "its decoders can make a text more than %d times longer",
                        (int)HL_DECODE_GROWTH_MAX);
}

/* Recursion is bounded by the depth that the JSON reader allows. */
static enum hl_status
load_node(const struct loading *ld, const struct hl_json *node)
{
    static const char *const names[] = {
        [HL_DEC_REPLACE] = "Replace",     [HL_DEC_BYTES] = "ByteFallback",
        [HL_DEC_FUSE] = "Fuse",           [HL_DEC_STRIP] = "Strip",
        [HL_DEC_METASPACE] = "Metaspace", [HL_DEC_BYTELEVEL] = "ByteLevel",
        [HL_DEC_WORDPIECE] = "WordPiece"
    };
    _Static_assert(sizeof(names) / sizeof(names[0]) == HL_DEC_COUNT, "a name for each kind");
    const char *type = hl_json_string(hl_json_get(node, "type"));
    int kind = 0;
    if (!type)
        return hl_error_set(ld->err, HL_E_TOKENIZER, ld->where, "a decoder has no type");
    if (strcmp(type, "Sequence") == 0) {
        enum hl_status status = HL_OK;
        node = hl_json_first(hl_json_get(node, "decoders"));
        for (; node && status == HL_OK; node = hl_json_next(node))
            status = load_node(ld, node);
        return status;
    }
    while (kind < HL_DEC_COUNT && strcmp(type, names[kind]) != 0)
        kind++;
    if (kind == HL_DEC_COUNT)
        return hl_error_set(ld->err, HL_E_TOKENIZER, ld->where,
                            "the decoder '%.60s' is not supported", type);
    if (ld->t->n_decoder == HL_DECODE_STEPS_MAX)
        return hl_error_set(ld->err, HL_E_TOKENIZER, ld->where, "it has over %d decoders",
                            (int)HL_DECODE_STEPS_MAX);
    struct hl_decode_step *step = &ld->t->decoder[ld->t->n_decoder++];
    step->kind = (enum hl_decode_kind)kind;
    enum hl_status status = load_step(ld, node, step);
    return status == HL_OK ? check_growth(ld) : status;
}

enum hl_status
hl_decode_load(struct hl_tok *t, const struct hl_json *node, const char *where,
               struct hl_error *err)
{
    const struct loading ld = { t, where, err };
    t->joined_by_spaces = hl_json_kind(node) == HL_JSON_NULL;
    return t->joined_by_spaces ? HL_OK : load_node(&ld, node);
}

/* ---- decoding ---- */

/* A stretch of the result and the ids that it comes from. */
struct chunk {
    const char *p;
    size_t n;
    int first, last;
};

struct decoding {
    struct hl_arena *a;
    struct chunk *chunks;
    int n;
    bool fused, failed;
};

/* The byte that "<0xNN>" stands for, or -1. */
static int
byte_of(const struct chunk *c)
{
    static const char digits[] = "0123456789ABCDEF";
    if (c->n != 6 || memcmp(c->p, "<0x", 3) != 0 || c->p[5] != '>')
        return -1;
    const char *high = strchr(digits, c->p[3]), *low = strchr(digits, c->p[4]);
    return high && low && *high && *low ? (int)(16 * (high - digits) + (low - digits)) : -1;
}

/* Characters of a run of byte pieces; what makes none becomes U+FFFD, as does NUL. */
static void
join_run(struct decoding *d, char *bytes, int n, int from, struct chunk *out, int *n_out)
{
    for (int i = 0; i < n;) {
        uint32_t cp;
        size_t len = hl_utf8_next(bytes + i, (size_t)(n - i), &cp);
        bool bad = bytes[i] == '\0' || (len == 1 && (unsigned char)bytes[i] >= 0x80);
        out[(*n_out)++] =
            (struct chunk) { bad ? "\xEF\xBF\xBD" : bytes + i, bad ? 3 : len,
                             d->chunks[from + i].first, d->chunks[from + i + (int)len - 1].last };
        i += (int)len;
    }
}

static void
join_bytes(struct decoding *d)
{
    struct chunk *out = hl_arena_new(d->a, d->n, struct chunk);
    char *bytes = hl_arena_new(d->a, d->n, char);
    int n_out = 0;
    d->failed = d->failed || !out || !bytes;
    if (d->failed)
        return;
    for (int i = 0; i < d->n;) {
        int run = i;
        for (int byte; run < d->n && (byte = byte_of(&d->chunks[run])) >= 0; run++)
            bytes[run] = (char)byte;
        join_run(d, bytes + i, run - i, i, out, &n_out);
        if (run < d->n)
            out[n_out++] = d->chunks[run++];
        i = run;
    }
    d->chunks = out;
    d->n = n_out;
}

/* Pieces in the byte alphabet: a chunk for each byte, then characters of all of them. */
static void
read_bytelevel(struct decoding *d)
{
    size_t total = 0;
    for (int i = 0; i < d->n; i++)
        total += d->chunks[i].n;
    struct chunk *each = hl_arena_new(d->a, total, struct chunk);
    struct chunk *out = hl_arena_new(d->a, total, struct chunk);
    char *bytes = hl_arena_new(d->a, total + 1, char);
    int n = 0, n_out = 0;
    d->failed = d->failed || !each || !out || !bytes;
    for (int i = 0; !d->failed && i < d->n; i++) {
        const struct chunk *c = &d->chunks[i];
        const char *piece = hl_arena_strndup(d->a, c->p, c->n);
        d->failed = !piece;
        int own = piece ? hl_bytelevel_read(piece, bytes + n) : 0;
        if (own < 0) { /* an added token, as it stands */
            memcpy(bytes + n, c->p, c->n);
            own = (int)c->n;
        }
        for (int k = 0; k < own; k++)
            each[n + k] = *c;
        n += own;
    }
    if (d->failed)
        return;
    d->chunks = each;
    join_run(d, bytes, n, 0, out, &n_out);
    d->chunks = out;
    d->n = n_out;
}

static void
replace_in(struct decoding *d, struct chunk *c, const char *from, const char *to)
{
    size_t n_from = strlen(from), n_to = strlen(to), hits = 0;
    for (size_t i = 0; i + n_from <= c->n; i++)
        hits += memcmp(c->p + i, from, n_from) == 0;
    if (hits == 0)
        return;
    char *out = hl_arena_new(d->a, c->n + hits * n_to, char);
    if (!out) {
        d->failed = true;
        return;
    }
    size_t at = 0;
    for (size_t i = 0; i < c->n;) {
        bool hit = i + n_from <= c->n && memcmp(c->p + i, from, n_from) == 0;
        if (hit)
            memcpy(out + at, to, n_to);
        else
            out[at] = c->p[i];
        at += hit ? n_to : 1;
        i += hit ? n_from : 1;
    }
    c->p = out;
    c->n = at;
}

/* Takes up to `most` times `what` off one end; gives how many are left to take, or 0
 * once something else stands there. */
static int
strip_end(struct chunk *c, const char *what, int most, bool left)
{
    size_t n = strlen(what);
    for (; most > 0 && c->n >= n; most--) {
        if (memcmp(left ? c->p : c->p + c->n - n, what, n) != 0)
            return 0;
        c->p += left ? n : 0;
        c->n -= n;
    }
    return c->n > 0 ? 0 : most;
}

static void
strip(struct decoding *d, const struct hl_decode_step *step)
{
    int left = step->start, right = step->stop;
    for (int i = 0; i < d->n; i++) {
        left = strip_end(&d->chunks[i], step->from, d->fused ? left : step->start, true);
        right = d->fused ? right : strip_end(&d->chunks[i], step->from, step->stop, false);
    }
    for (int i = d->n - 1; d->fused && i >= 0; i--)
        right = strip_end(&d->chunks[i], step->from, right, false);
}

/* A space before each word but the first, none before what goes on with one. */
static void
join_wordpieces(struct decoding *d, const struct hl_decode_step *step)
{
    static const char *const tidy[][2] = {
        { " .", "." },   { " ?", "?" },     { " !", "!" },    { " ,", "," },
        { " ' ", "'" },  { " n't", "n't" }, { " 'm", "'m" },  { " do not", " don't" },
        { " 's", "'s" }, { " 've", "'ve" }, { " 're", "'re" }
    };
    size_t n_prefix = strlen(step->from);
    for (int i = 0; i < d->n && !d->failed; i++) {
        struct chunk *c = &d->chunks[i];
        bool goes_on = c->n >= n_prefix && memcmp(c->p, step->from, n_prefix) == 0;
        if (i > 0 && goes_on) {
            c->p += n_prefix;
            c->n -= n_prefix;
        } else if (i > 0) {
            char *spaced = hl_arena_printf(d->a, " %.*s", (int)c->n, c->p);
            d->failed = !spaced;
            if (d->failed)
                return;
            c->p = spaced;
            c->n++;
        }
        for (size_t k = 0; step->cleanup && k < sizeof tidy / sizeof tidy[0] && !d->failed; k++)
            replace_in(d, c, tidy[k][0], tidy[k][1]);
    }
}

static void
apply_step(struct decoding *d, const struct hl_decode_step *step)
{
    switch (step->kind) {
    case HL_DEC_REPLACE:
    case HL_DEC_METASPACE:
        for (int i = 0; i < d->n && !d->failed; i++)
            replace_in(d, &d->chunks[i], step->from, i == 0 && step->prepended ? "" : step->to);
        break;
    case HL_DEC_BYTES:
        join_bytes(d);
        break;
    case HL_DEC_FUSE:
        d->fused = true;
        break;
    case HL_DEC_BYTELEVEL:
        read_bytelevel(d);
        break;
    case HL_DEC_WORDPIECE:
        join_wordpieces(d, step);
        break;
    case HL_DEC_STRIP:
        strip(d, step);
        break;
    case HL_DEC_COUNT:
        break;
    }
}

/* Joins the chunks and tells each id where its text lies. */
static char *
join(const struct decoding *d, bool spaces, struct hl_arena *a, int32_t *start, int32_t *end)
{
    size_t n = 1;
    int last = -1; /* id that has its start: chunks of one id follow one another */
    for (int i = 0; i < d->n; i++)
        n += d->chunks[i].n + 1;
    char *out = hl_arena_new(a, n, char);
    size_t at = 0;
    for (int i = 0; out && i < d->n; i++) {
        const struct chunk *c = &d->chunks[i];
        if (spaces && i > 0)
            out[at++] = ' ';
        memcpy(out + at, c->p, c->n);
        for (int k = c->first; k <= c->last; k++) {
            if (start && start[k] != -1 && k > last)
                start[k] = (int32_t)at;
            if (end && end[k] != -1)
                end[k] = (int32_t)(at + c->n);
        }
        last = c->last > last ? c->last : last;
        at += c->n;
    }
    return out;
}

char *
hl_tok_decode(const struct hl_tok *t, const int32_t *ids, int n, struct hl_arena *a, int32_t *start,
              int32_t *end)
{
    struct hl_arena scratch;
    struct decoding d = { .a = &scratch };
    hl_arena_init(&scratch, 4096, 0);
    d.chunks = hl_arena_new(&scratch, n, struct chunk);
    d.failed = !d.chunks;
    for (int i = 0; i < n && !d.failed; i++) {
        bool skip = ids[i] < 0 || ids[i] >= t->vocab.n || t->special[ids[i]];
        if (start)
            start[i] = skip ? -1 : 0;
        if (end)
            end[i] = skip ? -1 : 0;
        if (skip)
            continue;
        const char *piece = t->vocab.pieces[ids[i]];
        d.chunks[d.n++] = (struct chunk) { piece, strlen(piece), i, i };
    }
    for (int i = 0; i < t->n_decoder && !d.failed; i++)
        apply_step(&d, &t->decoder[i]);
    char *out = d.failed ? NULL : join(&d, t->joined_by_spaces, a, start, end);
    hl_arena_deinit(&scratch);
    return out;
}
