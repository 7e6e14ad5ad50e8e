#include "unit/model/tiny.h"

#include "harness/test.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/rng.h"
#include "base/span.h"
#include "unit/model/tiny_file.h"

enum { V = 40, E = 12, DE = 6, DS = 20, A = 10, SMAX = 16 };

static void
cell(struct tiny_file *f, const char *name, int in, int d)
{
    char full[64];
    snprintf(full, sizeof full, "%s.weight_ih", name);
    tiny_tensor(f, full, 3 * d, in, 0.6);
    snprintf(full, sizeof full, "%s.weight_hh", name);
    tiny_tensor(f, full, 3 * d, d, 0.6);
    snprintf(full, sizeof full, "%s.bias_ih", name);
    tiny_tensor(f, full, 3 * d, 0, 0.2);
    snprintf(full, sizeof full, "%s.bias_hh", name);
    tiny_tensor(f, full, 3 * d, 0, 0.2);
}

static void
alignments(struct tiny_file *f)
{
    static const char *const names[] = { "additive", "dot",     "general", "scaled",
                                         "cosine",   "local_m", "local_p" };
    char full[64];
    for (int i = 0; i < N_OF(names); i++) {
        snprintf(full, sizeof full, "attn.%s.query.weight", names[i]);
        tiny_tensor(f, full, A, DS, 0.7);
        snprintf(full, sizeof full, "attn.%s.key.weight", names[i]);
        tiny_tensor(f, full, A, 2 * DE, 0.7);
    }
    tiny_tensor(f, "attn.additive.v", A, 0, 1);
    tiny_tensor(f, "attn.general.weight", A, A, 0.5);
    tiny_tensor(f, "attn.local_m.weight", A, A, 0.5);
    tiny_tensor(f, "attn.local_p.weight", A, A, 0.5);
    tiny_tensor(f, "attn.cosine.strength", 1, 0, 1);
    tiny_tensor(f, "attn.location.weight", SMAX, DS, 1);
    tiny_tensor(f, "attn.location.bias", SMAX, 0, 0.3);
    tiny_tensor(f, "attn.local_p.position.weight", A, DS, 0.7);
    tiny_tensor(f, "attn.local_p.position.v", A, 0, 1);
}

static void
write_weights(const char *path, uint64_t seed, double times)
{
    struct tiny_file f;
    tiny_file_init(&f, seed, times);
    tiny_tensor(&f, "embed.weight", V, E, 1);
    cell(&f, "encoder.forward", E, DE);
    cell(&f, "encoder.backward", E, DE);
    tiny_tensor(&f, "bridge.weight", DS, DE, 0.6);
    tiny_tensor(&f, "bridge.bias", DS, 0, 0.2);
    cell(&f, "decoder", E + 2 * DE, DS);
    alignments(&f);
    tiny_tensor(&f, "readout.weight", E, DS + E + 2 * DE, 0.6);
    tiny_tensor(&f, "readout.bias", E, 0, 0.2);
    tiny_tensor(&f, "output.bias", V, 0, 0.3);
    tiny_file_write(&f, path);
}

static struct hl_model *
open_ids(const char *dir)
{
    struct hl_model *m = NULL;
    struct hl_error err = { 0 };
    if (hl_model_open_ids(dir, &m, &err) != HL_OK)
        fail_msg("%s: %s", err.where, err.detail);
    return m;
}

struct hl_model *
tiny_gru(uint64_t seed)
{
    return tiny_gru_scaled(seed, 1);
}

struct hl_model *
tiny_gru_scaled(uint64_t seed, double times)
{
    char dir[512], path[600];
    struct hl_sb sb = { 0 };

    tiny_dir(dir, sizeof dir, "tiny-gru");
    hl_sb_printf(&sb,
                 "{\"model_type\":\"headlight-gru\",\"vocab_size\":%d,\"d_embed\":%d,"
                 "\"d_encoder\":%d,\"d_decoder\":%d,\"d_attention\":%d,\"window\":3,"
                 "\"max_source_positions\":%d,\"pad_token_id\":2,\"eos_token_id\":0,"
                 "\"unk_token_id\":1,\"decoder_start_token_id\":2}",
                 V, E, DE, DS, A, SMAX);
    snprintf(path, sizeof path, "%s/config.json", dir);
    assert_int_equal(hl_map_write(path, sb.p, sb.n, NULL), HL_OK);
    hl_sb_deinit(&sb);
    snprintf(path, sizeof path, "%s/model.safetensors", dir);
    write_weights(path, seed, times);
    struct hl_model *m = open_ids(dir);

    /* the weights stay mapped; the names can go */
    tiny_dir_remove(dir);
    return m;
}

static const char *
marian_dir(char *dir, size_t dir_sz)
{
    const char *root = getenv("HL_SOURCE_ROOT");
    snprintf(dir, dir_sz, "%s/tests/data/hf-marian", root ? root : ".");
    return dir;
}

struct hl_model *
tiny_marian(void)
{
    char dir[512];
    return open_ids(marian_dir(dir, sizeof dir));
}

/* Copies a file of the fixture; the weights, all F32, are replaced behind the header. */
static void
copy_overflowing(const char *to, const char *name, bool weights)
{
    char dir[512], path[600];
    struct hl_map_file f;
    struct hl_sb sb = { 0 };
    snprintf(path, sizeof path, "%s/%s", marian_dir(dir, sizeof dir), name);
    assert_int_equal(hl_map_open(path, &f, NULL), HL_OK);
    hl_sb_put(&sb, (const char *)f.p, f.n);
    assert_false(sb.failed);
    size_t at = f.n;
    if (weights) {
        at = 8;
        for (int i = 0; i < 8; i++)
            at += (size_t)f.p[i] << (8 * i);
    }
    for (size_t i = 0; at + sizeof(float) <= sb.n; i++, at += sizeof(float)) {
        float v = i % 2 ? FLT_MAX : -FLT_MAX;
        memcpy(sb.p + at, &v, sizeof v);
    }
    snprintf(path, sizeof path, "%s/%s", to, name);
    assert_int_equal(hl_map_write(path, sb.p, sb.n, NULL), HL_OK);
    hl_sb_deinit(&sb);
    hl_map_close(&f);
}

struct hl_model *
tiny_marian_overflowing(void)
{
    static const char *const names[] = { "config.json", "model.safetensors" };
    char dir[512];

    tiny_dir(dir, sizeof dir, "tiny-marian");
    for (int i = 0; i < N_OF(names); i++)
        copy_overflowing(dir, names[i], i == 1);
    struct hl_model *m = open_ids(dir);
    tiny_dir_remove(dir);
    return m;
}

int
tiny_source(const struct hl_model *m, int n, uint64_t seed, int32_t *ids)
{
    struct hl_rng rng;
    int most = hl_model_option(hl_model_info(m), "score") ? V : 529;
    hl_rng_init(&rng, seed);
    for (int i = 0; i < n; i++)
        ids[i] = 3 + hl_rng_below(&rng, most - 3);
    ids[n] = hl_model_info(m)->eos_id;
    return n + 1;
}

struct hl_record *
tiny_run(const struct hl_model *m, const struct hl_request *req)
{
    struct hl_record *r = NULL;
    struct hl_error err = { 0 };
    if (hl_model_run(m, req, &r, &err) != HL_OK)
        fail_msg("%s: %s", err.where, err.detail);
    assert_true(r->sealed);
    return r;
}

static bool
same(const float *a, const float *b, size_t n)
{
    return memcmp(a, b, n * sizeof *a) == 0;
}

static const char *
other_axes(const struct hl_record *a, const struct hl_record *b)
{
    if (a->n_axes != b->n_axes)
        return "number of axes";
    for (int i = 0; i < a->n_axes; i++) {
        if (a->axes[i].n != b->axes[i].n)
            return a->axes[i].name;
        for (int k = 0; k < a->axes[i].n && a->axes[i].tokens; k++) {
            if (a->axes[i].tokens[k].id != b->axes[i].tokens[k].id)
                return a->axes[i].name;
        }
    }
    return NULL;
}

static const char *
other_maps(const struct hl_record *a, const struct hl_record *b)
{
    if (a->n_maps != b->n_maps || a->n_vectors != b->n_vectors || a->n_series != b->n_series)
        return "number of maps, vectors or series";
    for (int i = 0; i < a->n_maps; i++) {
        const struct hl_map *m = &a->maps[i];
        size_t n = (size_t)m->n_layers * (size_t)m->n_heads * (size_t)m->n_q * (size_t)m->n_k;
        if (!same(m->data, b->maps[i].data, n))
            return m->name;
    }
    for (int i = 0; i < a->n_vectors; i++) {
        const struct hl_vectors *v = &a->vectors[i];
        if (!same(v->data, b->vectors[i].data,
                  (size_t)v->n_layers * (size_t)v->n * (size_t)v->width))
            return v->name;
    }
    for (int i = 0; i < a->n_series; i++) {
        const struct hl_series *s = &a->series[i];
        if (!same(s->data, b->series[i].data, (size_t)s->n * (size_t)s->n_comp))
            return s->name;
    }
    return NULL;
}

const char *
tiny_difference(const struct hl_record *a, const struct hl_record *b)
{
    const char *axes = other_axes(a, b);
    const char *maps = axes ? axes : other_maps(a, b);
    if (maps)
        return maps;
    if (a->n_candidates != b->n_candidates || a->candidates_k != b->candidates_k)
        return "number of candidates";
    for (int i = 0; i < a->n_candidates * a->candidates_k; i++) {
        if (a->candidates[i].id != b->candidates[i].id ||
            !same(&a->candidates[i].logprob, &b->candidates[i].logprob, 1))
            return "candidates";
    }
    if (a->n_logits != b->n_logits ||
        (a->n_logits > 0 && !same(a->logits, b->logits, (size_t)a->n_logits)))
        return "logits";
    return a->output_logprob == b->output_logprob ? NULL : "output log-probability";
}

const char *
tiny_settings(const struct hl_record *r)
{
    static char text[512];
    size_t at = 0;
    text[0] = '\0';
    for (int i = 0; i < r->n_settings && at < sizeof text; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%s=%s", i > 0 ? " " : "",
                               r->settings[i].key, r->settings[i].value);
    return text;
}
