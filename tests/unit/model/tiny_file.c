#include "unit/model/tiny_file.h"

#include "harness/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/map.h"

void
tiny_file_init(struct tiny_file *f, uint64_t seed, double times)
{
    *f = (struct tiny_file) { .times = times };
    hl_rng_init(&f->rng, seed);
    hl_sb_putc(&f->header, '{');
}

float *
tiny_sides(struct tiny_file *f, const char *name, int n_sides, const int *sides, double spread)
{
    size_t n = 1, at = f->data.n;
    hl_sb_printf(&f->header, "%s\"%s\":{\"dtype\":\"F32\",\"shape\":[", f->header.n > 1 ? "," : "",
                 name);
    for (int i = 0; i < n_sides; i++) {
        hl_sb_printf(&f->header, "%s%d", i > 0 ? "," : "", sides[i]);
        n *= (size_t)sides[i];
    }
    hl_sb_printf(&f->header, "],\"data_offsets\":[%zu,%zu]}", at, at + n * sizeof(float));
    for (size_t i = 0; i < n; i++) {
        float v = (float)(hl_rng_normal(&f->rng) * spread * f->times);
        hl_sb_put(&f->data, (const char *)&v, sizeof v);
    }
    assert_false(f->data.failed);
    return (float *)(void *)(f->data.p + at);
}

void
tiny_tensor(struct tiny_file *f, const char *name, int rows, int cols, double spread)
{
    const int sides[] = { rows, cols };
    tiny_sides(f, name, cols > 0 ? 2 : 1, sides, spread);
}

void
tiny_file_write(struct tiny_file *f, const char *path)
{
    struct hl_sb all = { 0 };

    hl_sb_putc(&f->header, '}');
    while (f->header.n % 8 != 0)
        hl_sb_putc(&f->header, ' ');
    uint64_t n = f->header.n;
    for (int i = 0; i < 8; i++)
        hl_sb_putc(&all, (char)(n >> (8 * i) & 0xff));
    hl_sb_put(&all, f->header.p, f->header.n);
    hl_sb_put(&all, f->data.p, f->data.n);
    assert_int_equal(hl_map_write(path, all.p, all.n, NULL), HL_OK);
    hl_sb_deinit(&all);
    hl_sb_deinit(&f->header);
    hl_sb_deinit(&f->data);
}

void
tiny_dir(char *dir, size_t dir_sz, const char *name)
{
    const char *build = getenv("HL_BUILD_ROOT");
    snprintf(dir, dir_sz, "%s/%s-XXXXXX", build ? build : "/tmp", name);
    assert_non_null(mkdtemp(dir));
}

void
tiny_dir_remove(const char *dir)
{
    static const char *const names[] = { "config.json", "model.safetensors" };
    char path[600];
    for (int i = 0; i < N_OF(names); i++) {
        snprintf(path, sizeof path, "%s/%s", dir, names[i]);
        remove(path);
    }
    remove(dir);
}
