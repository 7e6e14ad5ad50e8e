/* Reads tokenizer.json. */
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/size.h"
#include "tok/bytelevel.h"
#include "tok/tok_priv.h"
#include "tok/wordpiece.h"

enum { DEPTH_MAX = 32 };

static enum hl_status
no_memory(const char *where, struct hl_error *err)
{
    return hl_error_set(err, HL_E_NOMEM, where, "%s", "");
}

/* ---- the vocabulary ---- */

enum hl_status
hl_vocab_init(struct hl_tok *t, int64_t n, const char *where, struct hl_error *err)
{
    struct hl_vocab *v = &t->vocab;
    v->n = (int)n;
    v->pieces = hl_arena_new(&t->arena, n, const char *);
    if (!v->pieces || !hl_hash_init(&v->by_piece, &t->arena, (uint32_t)n))
        return no_memory(where, err);
    return HL_OK;
}

enum hl_status
hl_vocab_put(struct hl_tok *t, int64_t id, const char *piece, const char *where,
             struct hl_error *err)
{
    struct hl_vocab *v = &t->vocab;
    if (id < 0 || id >= v->n || v->pieces[id])
        return hl_error_set(err, HL_E_TOKENIZER, where,
                            "the id %lld of '%.60s' is out of range or taken", (long long)id,
                            piece);
    v->pieces[id] = hl_arena_strdup(&t->arena, piece);
    if (!v->pieces[id])
        return no_memory(where, err);
    if (hl_hash_put(&v->by_piece, v->pieces[id], strlen(piece), (int32_t)id))
        return HL_OK;
    if (v->by_piece.cap == 0)
        return no_memory(where, err);
    return hl_error_set(err, HL_E_TOKENIZER, where, "the piece '%.60s' occurs twice", piece);
}

void
hl_vocab_find_bytes(struct hl_vocab *v, bool byte_fallback)
{
    static const char digits[] = "0123456789ABCDEF";
    v->byte_fallback = byte_fallback;
    for (int i = 0; i < 256; i++) {
        const char name[] = { '<', '0', 'x', digits[i / 16], digits[i % 16], '>' };
        v->bytes[i] = hl_hash_get(&v->by_piece, name, sizeof(name));
        if (v->bytes[i] < 0)
            v->byte_fallback = false;
    }
}

/* Room for added tokens whose ids follow the vocabulary's; holes become "". */
static enum hl_status
grow_vocab(struct hl_tok *t, const struct hl_json *added, const char *where, struct hl_error *err)
{
    struct hl_vocab *v = &t->vocab;
    int64_t n = v->n, id;
    for (const struct hl_json *m = hl_json_first(added); m; m = hl_json_next(m)) {
        const char *content = hl_json_string(hl_json_get(m, "content"));
        bool is_new = content && hl_hash_get(&v->by_piece, content, strlen(content)) < 0;
        if (is_new && hl_json_int(hl_json_get(m, "id"), 0, INT32_MAX - 1, &id) && id >= n)
            n = id + 1;
    }
    if (n - v->n > 2 * (int64_t)hl_json_n(added) + 1000)
        return hl_error_set(err, HL_E_TOKENIZER, where,
                            "the ids of the added tokens leave large holes");
    const char **pieces = hl_arena_new(&t->arena, n, const char *);
    t->special = hl_arena_new(&t->arena, n, bool);
    if (!pieces || !t->special)
        return no_memory(where, err);
    memcpy(pieces, v->pieces, (size_t)v->n * sizeof(*pieces));
    v->pieces = pieces;
    v->n = (int)n;
    return HL_OK;
}

static void
fill_holes(struct hl_vocab *v)
{
    for (int i = 0; i < v->n; i++) {
        if (!v->pieces[i])
            v->pieces[i] = "";
    }
}

static bool
make_labels(struct hl_tok *t)
{
    t->labels = hl_arena_new(&t->arena, t->vocab.n, const char *);
    for (int i = 0; t->labels && i < t->vocab.n; i++) {
        const char *piece = t->vocab.pieces[i];
        t->labels[i] = t->special[i] ? piece : hl_bytelevel_label(&t->arena, piece);
        if (!t->labels[i])
            return false;
    }
    return t->labels != NULL;
}

/* ---- the model ---- */

/* Old files leave the type out: then the fields tell it. */
static enum hl_status
load_model(struct hl_tok *t, const struct hl_json *model, const char *where, struct hl_error *err)
{
    const char *type = hl_json_string(hl_json_get(model, "type"));
    if (hl_json_kind(model) != HL_JSON_OBJECT)
        return hl_error_set(err, HL_E_TOKENIZER, where, "'model' is missing");
    if (!type && hl_json_get(model, "merges"))
        type = "BPE";
    else if (!type && hl_json_kind(hl_json_get(model, "vocab")) == HL_JSON_ARRAY)
        type = "Unigram";
    else if (!type && hl_json_get(model, "continuing_subword_prefix"))
        type = "WordPiece";
    if (type && strcmp(type, "Unigram") == 0)
        return hl_unigram_load(t, model, where, err);
    if (type && strcmp(type, "BPE") == 0)
        return hl_bpe_load(t, model, where, err);
    if (type && strcmp(type, "WordPiece") == 0)
        return hl_wordpiece_load(t, model, where, err);
    return hl_error_set(err, HL_E_TOKENIZER, where, "the model type '%.60s' is not supported",
                        type ? type : "none");
}

/* ---- the post-processor: what is put around the text ---- */

/* Of two that put tokens around the text only one could be followed. */
static enum hl_status
check_first(const struct hl_tok *t, const char *where, struct hl_error *err)
{
    if (!t->head && !t->tail)
        return HL_OK;
    return hl_error_set(err, HL_E_TOKENIZER, where,
                        "two of its post_processors put tokens around the text");
}

static enum hl_status
bad_template(const char *where, struct hl_error *err)
{
    return hl_error_set(err, HL_E_TOKENIZER, where,
                        "its TemplateProcessing is not a list of special tokens around $A");
}

/* Ids of one special token of the template. */
static enum hl_status
put_special(struct hl_tok *t, const struct hl_json *post, const char *name, int32_t *list, int *n,
            int most, const char *where, struct hl_error *err)
{
    const struct hl_json *ids =
        hl_json_get(hl_json_get(hl_json_get(post, "special_tokens"), name), "ids");
    if (hl_json_kind(ids) != HL_JSON_ARRAY)
        return bad_template(where, err);
    for (ids = hl_json_first(ids); ids; ids = hl_json_next(ids)) {
        int64_t id;
        if (*n == most || !hl_json_int(ids, 0, t->vocab.n - 1, &id))
            return bad_template(where, err);
        list[(*n)++] = (int32_t)id;
    }
    return HL_OK;
}

static enum hl_status
load_template(struct hl_tok *t, const struct hl_json *post, const char *where, struct hl_error *err)
{
    enum { MOST = 64 };
    const struct hl_json *item = hl_json_first(hl_json_get(post, "single"));
    bool after = false;
    if (hl_json_n(hl_json_get(post, "single")) > MOST)
        return hl_error_set(err, HL_E_TOKENIZER, where, "its TemplateProcessing has over %d parts",
                            (int)MOST);
    enum hl_status first = check_first(t, where, err);
    if (first != HL_OK)
        return first;
    t->head = hl_arena_new(&t->arena, MOST, int32_t);
    t->tail = hl_arena_new(&t->arena, MOST, int32_t);
    if (!t->head || !t->tail)
        return no_memory(where, err);
    for (; item; item = hl_json_next(item)) {
        const char *name = hl_json_string(hl_json_get(hl_json_get(item, "SpecialToken"), "id"));
        const char *seq = hl_json_string(hl_json_get(hl_json_get(item, "Sequence"), "id"));
        enum hl_status status = HL_OK;
        if (seq && strcmp(seq, "A") == 0 && !after)
            after = true;
        else if (!name)
            status = bad_template(where, err);
        else
            status = put_special(t, post, name, after ? t->tail : t->head,
                                 after ? &t->n_tail : &t->n_head, MOST, where, err);
        if (status != HL_OK)
            return status;
    }
    return after ? HL_OK : bad_template(where, err);
}

/* ["</s>", 2] */
static enum hl_status
load_pair(struct hl_tok *t, const struct hl_json *post, const char *key, int32_t **list, int *n,
          const char *where, struct hl_error *err)
{
    const struct hl_json *piece = hl_json_first(hl_json_get(post, key));
    int64_t id;
    if (!hl_json_string(piece) || !hl_json_int(hl_json_next(piece), 0, t->vocab.n - 1, &id))
        return hl_error_set(err, HL_E_TOKENIZER, where,
                            "'%s' of its post_processor is no token of the vocabulary", key);
    *list = hl_arena_new(&t->arena, 1, int32_t);
    if (!*list)
        return no_memory(where, err);
    **list = (int32_t)id;
    *n = 1;
    return HL_OK;
}

/* BertProcessing and RobertaProcessing: one token before and one after the text. */
static enum hl_status
load_around(struct hl_tok *t, const struct hl_json *post, bool trims, const char *where,
            struct hl_error *err)
{
    enum hl_status status = check_first(t, where, err);
    if (status == HL_OK)
        status = load_pair(t, post, "cls", &t->head, &t->n_head, where, err);
    if (status == HL_OK)
        status = load_pair(t, post, "sep", &t->tail, &t->n_tail, where, err);
    t->trim = t->trim || trims;
    return status == HL_OK && trims
               ? hl_json_opt_bool(post, "trim_offsets", HL_E_TOKENIZER, where, &t->trim, err)
               : status;
}

/* Recursion is bounded by the depth that the JSON reader allows. */
static enum hl_status
load_post(struct hl_tok *t, const struct hl_json *post, const char *where, struct hl_error *err)
{
    const char *type = hl_json_string(hl_json_get(post, "type"));
    if (hl_json_kind(post) == HL_JSON_NULL)
        return HL_OK;
    if (type && strcmp(type, "Sequence") == 0) {
        enum hl_status status = HL_OK;
        post = hl_json_first(hl_json_get(post, "processors"));
        for (; post && status == HL_OK; post = hl_json_next(post))
            status = load_post(t, post, where, err);
        return status;
    }
    if (type && strcmp(type, "ByteLevel") == 0) {
        t->trim = true;
        return hl_json_opt_bool(post, "trim_offsets", HL_E_TOKENIZER, where, &t->trim, err);
    }
    if (type && strcmp(type, "BertProcessing") == 0)
        return load_around(t, post, false, where, err);
    if (type && strcmp(type, "RobertaProcessing") == 0)
        return load_around(t, post, true, where, err);
    if (!type || strcmp(type, "TemplateProcessing") != 0)
        return hl_error_set(err, HL_E_TOKENIZER, where,
                            "the post_processor '%.60s' is not supported", type ? type : "none");
    return load_template(t, post, where, err);
}

/* ---- the file ---- */

static enum hl_status
load_all(struct hl_tok *t, const struct hl_json *root, const char *where, struct hl_error *err)
{
    const struct hl_json *added = hl_json_get(root, "added_tokens");
    const char *version = NULL;
    enum hl_status status =
        hl_json_opt_string(root, "version", HL_E_TOKENIZER, where, &version, err);
    if (status == HL_OK && version && strcmp(version, "1.0") != 0)
        return hl_error_set(err, HL_E_TOKENIZER, where, "its version is '%.20s' and not 1.0",
                            version);
    if (status == HL_OK)
        status =
            hl_normalize_load(hl_json_get(root, "normalizer"), where, &t->arena, &t->norm, err);
    if (status == HL_OK)
        status =
            hl_pretok_load(hl_json_get(root, "pre_tokenizer"), where, &t->arena, &t->pretok, err);
    if (status == HL_OK)
        status = hl_decode_load(t, hl_json_get(root, "decoder"), where, err);
    if (status == HL_OK)
        status = load_model(t, hl_json_get(root, "model"), where, err);
    if (status == HL_OK)
        status = grow_vocab(t, added, where, err);
    if (status == HL_OK)
        status = hl_added_load(t, added, where, err);
    if (status != HL_OK)
        return status;
    fill_holes(&t->vocab);
    if (t->pretok.bytes && !make_labels(t))
        return no_memory(where, err);
    return load_post(t, hl_json_get(root, "post_processor"), where, err);
}

enum hl_status
hl_tok_parse(const char *json, size_t n, const char *where, struct hl_tok **out,
             struct hl_error *err)
{
    struct hl_json_doc *doc = NULL;
    enum hl_status status = hl_json_parse(json, n, where, DEPTH_MAX, &doc, err);
    if (status != HL_OK)
        return status;
    struct hl_tok *t = hl_alloc(1, sizeof(*t));
    if (t) {
        hl_arena_init(&t->arena, 256 * 1024, 0);
        status = load_all(t, hl_json_root(doc), where, err);
    } else {
        status = no_memory(where, err);
    }
    hl_json_close(doc);
    if (status == HL_OK)
        *out = t;
    else
        hl_tok_close(t);
    return status;
}

enum hl_status
hl_tok_open(const char *dir, struct hl_tok **out, struct hl_error *err)
{
    struct hl_map_file file = { 0 };
    struct hl_sb path = { 0 };
    hl_sb_puts(&path, dir);
    hl_sb_puts(&path, "/tokenizer.json");
    enum hl_status status = path.failed ? no_memory(dir, err) : hl_map_open(path.p, &file, err);
    if (status == HL_OK)
        status = hl_tok_parse((const char *)file.p, file.n, path.p, out, err);
    hl_map_close(&file);
    hl_sb_deinit(&path);
    return status;
}

void
hl_tok_close(struct hl_tok *t)
{
    if (!t)
        return;
    hl_normalize_deinit(&t->norm);
    hl_pretok_deinit(&t->pretok);
    hl_arena_deinit(&t->arena);
    hl_free(t);
}
