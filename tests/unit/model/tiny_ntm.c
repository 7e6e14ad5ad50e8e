#include "unit/model/tiny_ntm.h"

#include "harness/test.h"

#include <stdio.h>

#include "base/map.h"
#include "unit/model/tiny_file.h"

enum { N = TINY_NTM_SLOTS, M = TINY_NTM_WIDTH, C = TINY_NTM_SIZE };

static void
write_config(const struct tiny_ntm *how, const char *path)
{
    struct hl_sb sb = { 0 };
    hl_sb_printf(&sb,
                 "{\"model_type\":\"headlight-ntm\",\"task\":\"%s\",\"controller\":\"%s\","
                 "\"controller_size\":%d,\"n_slots\":%d,\"slot_width\":%d,\"n_read_heads\":%d,"
                 "\"n_write_heads\":%d,\"shift_range\":%d,\"n_bits\":8,\"n_inputs\":%d,",
                 how->recall ? "recall" : "copy", how->feedforward ? "feedforward" : "lstm", C, N,
                 M, how->n_read, how->n_write, how->reach, how->recall ? 10 : 9);
    if (how->recall)
        hl_sb_printf(&sb, "\"item_length\":%d,\"min_items\":2,\"max_items\":6,", TINY_NTM_ITEM);
    else
        hl_sb_puts(&sb, "\"trained_length\":20,");
    hl_sb_puts(&sb, "\"memory_init\":1e-6}");
    assert_int_equal(hl_map_write(path, sb.p, sb.n, NULL), HL_OK);
    hl_sb_deinit(&sb);
}

static void
heads(struct tiny_file *f, const char *kind, int n, int rows)
{
    char name[64];
    for (int k = 0; k < n; k++) {
        snprintf(name, sizeof name, "%s.%d.weight", kind, k);
        tiny_tensor(f, name, rows, C, 1.0);
        snprintf(name, sizeof name, "%s.%d.bias", kind, k);
        tiny_tensor(f, name, rows, 0, 0.5);
    }
}

void
tiny_ntm_write(const struct tiny_ntm *how, uint64_t seed, const char *dir)
{
    struct tiny_file f;
    char path[600];
    int in = (how->recall ? 10 : 9) + how->n_read * M, gates = how->feedforward ? C : 4 * C;
    int rows = M + 3 + 2 * how->reach + 1;

    snprintf(path, sizeof path, "%s/config.json", dir);
    write_config(how, path);
    tiny_file_init(&f, seed, how->times > 0 ? how->times : 1);
    tiny_tensor(&f, "controller.weight_ih", gates, in, 0.6);
    tiny_tensor(&f, "controller.bias", gates, 0, 0.3);
    if (!how->feedforward) {
        tiny_tensor(&f, "controller.weight_hh", gates, C, 0.6);
        tiny_tensor(&f, "initial.hidden", C, 0, 0.5);
        tiny_tensor(&f, "initial.cell", C, 0, 0.5);
    }
    tiny_tensor(&f, "initial.read", how->n_read, M, 0.5);
    heads(&f, "read", how->n_read, rows);
    heads(&f, "write", how->n_write, rows + 2 * M);
    tiny_tensor(&f, "output.weight", 8, C + how->n_read * M, 1.0);
    tiny_tensor(&f, "output.bias", 8, 0, 0.3);
    snprintf(path, sizeof path, "%s/model.safetensors", dir);
    tiny_file_write(&f, path);
}

struct hl_model *
tiny_ntm(const struct tiny_ntm *how, uint64_t seed)
{
    char dir[512];
    struct hl_model *m = NULL;
    struct hl_error err = { 0 };

    tiny_dir(dir, sizeof dir, "tiny-ntm");
    tiny_ntm_write(how, seed, dir);
    if (hl_model_open(dir, &m, &err) != HL_OK)
        fail_msg("%s: %s", err.where, err.detail);
    tiny_dir_remove(dir); /* the weights stay mapped */
    return m;
}
