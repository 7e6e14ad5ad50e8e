#include "unit/model/tiny_sagan.h"

#include "harness/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "unit/model/tiny_file.h"

static const int g_width[] = { 24, 16, 8 }, d_width[] = { 8, 16, 12 };

enum { N_STEPS = 2, N_CLASSES = 3 };

static const char config[] =
    "{\"model_type\":\"headlight-sagan\",\"title\":\"Tiny\",\"side\":16,\"channels\":1,"
    "\"latent_size\":6,\"generator_widths\":[24,16,8],\"discriminator_widths\":[8,16,12],"
    "\"attention_side\":8,\"step\":90,\"classes\":["
    "{\"name\":\"T-shirt\",\"words\":[\"tee\",\"t-shirts\"]},"
    "{\"name\":\"dress\",\"words\":[\"dresses\",\"evening  gown\",\"shirt\"]},"
    "{\"name\":\"boot\",\"words\":[\"boots\",\"ankle-boot\"]}],"
    "\"snapshots\":[{\"step\":0,\"file_prefix\":\"a.\"},{\"step\":30,\"file_prefix\":\"b.\"}]}";

/* Appends a tensor unless it is the one to be left out. */
static void
add(struct tiny_file *f, const struct tiny_sagan *how, const char *prefix, const char *name, int n,
    const int *sides, double spread)
{
    char full[96];
    snprintf(full, sizeof full, "%s%s", prefix, name);
    if (how->left_out && strcmp(full, how->left_out) == 0)
        return;
    float *p = tiny_sides(f, full, n, sides, spread);
    size_t total = 1;
    for (int i = 0; i < n; i++)
        total *= (size_t)sides[i];
    for (size_t i = 0; i < total && strstr(name, "variance"); i++)
        p[i] = fabsf(p[i]) + 0.5f;
    if (how->negative && strcmp(full, how->negative) == 0)
        p[0] = -1.0f;
}

#define ADD(name, spread, ...)                                                                     \
    add(f, how, prefix, name, (int)(sizeof((int[]) { __VA_ARGS__ }) / sizeof(int)),                \
        (int[]) { __VA_ARGS__ }, spread)

static void
attention(struct tiny_file *f, const struct tiny_sagan *how, const char *prefix, const char *of,
          int width)
{
    static const char *const names[] = { "f", "g", "h", "v" };
    const int shapes[4][2] = {
        { width / 8, width }, { width / 8, width }, { width / 2, width }, { width, width / 2 }
    };
    char name[64];
    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "%s.attention.%s.weight", of, names[i]);
        ADD(name, 0.5, shapes[i][0], shapes[i][1]);
    }
    snprintf(name, sizeof name, "%s.attention.gamma", of);
    ADD(name, 1.0, 1);
}

static void
generator(struct tiny_file *f, const struct tiny_sagan *how, const char *prefix)
{
    static const char *const norms[] = { "mean", "variance", "gain", "bias" };
    char name[64];
    ADD("generator.start.weight", 0.4, 16 * g_width[0], TINY_SAGAN_LATENT);
    ADD("generator.start.bias", 0.2, 16 * g_width[0]);
    for (int k = 0; k <= N_STEPS; k++) {
        for (int i = 0; i < 4; i++) {
            snprintf(name, sizeof name, "generator.norm.%d.%s", k, norms[i]);
            if (i < 2)
                ADD(name, 0.5, g_width[k]);
            else
                ADD(name, 1.0, N_CLASSES, g_width[k]);
        }
    }
    for (int k = 0; k < N_STEPS; k++) {
        snprintf(name, sizeof name, "generator.up.%d.weight", k);
        ADD(name, 0.1, g_width[k], g_width[k + 1], 4, 4);
    }
    attention(f, how, prefix, "generator", g_width[1]);
    ADD("generator.paint.weight", 0.1, 1, g_width[N_STEPS], 3, 3);
    ADD("generator.paint.bias", 0.1, 1);
}

static void
discriminator(struct tiny_file *f, const struct tiny_sagan *how)
{
    const char *prefix = "";
    char name[64];
    ADD("discriminator.look.weight", 0.4, d_width[0], 1, 3, 3);
    ADD("discriminator.look.bias", 0.1, d_width[0]);
    for (int k = 0; k < N_STEPS; k++) {
        snprintf(name, sizeof name, "discriminator.down.%d.weight", k);
        ADD(name, 0.1, d_width[k + 1], d_width[k], 4, 4);
        snprintf(name, sizeof name, "discriminator.down.%d.bias", k);
        ADD(name, 0.1, d_width[k + 1]);
    }
    attention(f, how, prefix, "discriminator", d_width[1]);
    ADD("discriminator.judge.weight", 0.3, 1, d_width[N_STEPS]);
    ADD("discriminator.judge.bias", 0.3, 1);
    ADD("discriminator.embed.weight", 0.3, N_CLASSES, d_width[N_STEPS]);
}

static void
write_config(const struct tiny_sagan *how, const char *path)
{
    struct hl_sb sb = { 0 };
    const char *at = how->find ? strstr(config, how->find) : NULL;
    size_t before = at ? (size_t)(at - config) : sizeof config - 1;
    assert_true(!how->find || at);
    hl_sb_put(&sb, config, before);
    if (at) {
        hl_sb_puts(&sb, how->put);
        hl_sb_puts(&sb, at + strlen(how->find));
    }
    assert_int_equal(hl_map_write(path, sb.p, sb.n, NULL), HL_OK);
    hl_sb_deinit(&sb);
}

void
tiny_sagan_write(const struct tiny_sagan *how, uint64_t seed, const char *dir)
{
    struct tiny_file f;
    char path[600];
    double times = how->times > 0 ? how->times : 1;

    snprintf(path, sizeof path, "%s/config.json", dir);
    write_config(how, path);
    tiny_file_init(&f, seed, times);
    generator(&f, how, "");
    discriminator(&f, how);
    snprintf(path, sizeof path, "%s/model.safetensors", dir);
    tiny_file_write(&f, path);
    if (how->no_snapshots)
        return;
    tiny_file_init(&f, seed + 1, times);
    generator(&f, how, "a.");
    generator(&f, how, "b.");
    snprintf(path, sizeof path, "%s/snapshots.safetensors", dir);
    tiny_file_write(&f, path);
}

void
tiny_sagan_remove(const char *dir)
{
    char path[600];
    snprintf(path, sizeof path, "%s/snapshots.safetensors", dir);
    remove(path);
    tiny_dir_remove(dir);
}

enum hl_status
tiny_sagan_open(const struct tiny_sagan *how, uint64_t seed, struct hl_model **out,
                struct hl_error *err)
{
    char dir[512];
    tiny_dir(dir, sizeof dir, "tiny-sagan");
    tiny_sagan_write(how, seed, dir);
    enum hl_status st = hl_model_open(dir, out, err);
    tiny_sagan_remove(dir);
    return st;
}

struct hl_model *
tiny_sagan(uint64_t seed)
{
    const struct tiny_sagan how = { .times = 1 };
    struct hl_model *m = NULL;
    struct hl_error err = { 0 };
    if (tiny_sagan_open(&how, seed, &m, &err) != HL_OK)
        fail_msg("%s: %s", err.where, err.detail);
    return m;
}
