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

void
tiny_tensor(struct tiny_file *f, const char *name, int rows, int cols, double spread)
{
    int n = rows * (cols > 0 ? cols : 1);
    hl_sb_printf(&f->header, "%s\"%s\":{\"dtype\":\"F32\",\"shape\":[%d",
                 f->header.n > 1 ? "," : "", name, rows);
    if (cols > 0)
        hl_sb_printf(&f->header, ",%d", cols);
    hl_sb_printf(&f->header, "],\"data_offsets\":[%zu,%zu]}", f->data.n,
                 f->data.n + (size_t)n * sizeof(float));
    for (int i = 0; i < n; i++) {
        float v = (float)(hl_rng_normal(&f->rng) * spread * f->times);
        hl_sb_put(&f->data, (const char *)&v, sizeof v);
    }
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
