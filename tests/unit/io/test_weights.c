/* A family's table fills its structs, and one sentence tells all that is wrong. */
#include "harness/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/fail_alloc.h"
#include "io/weights.h"

enum { FILE_MAX = 8192, N_LAYERS = 2 };
enum { DIM_D, DIM_F };

struct layer {
    struct hl_weight up;
    const float *bias;
};

struct model {
    struct hl_weight embed;
    const float *norm, *extra;
    struct layer layers[N_LAYERS];
};

static const struct hl_weight_spec specs[] = {
    { "model.shared.weight|model.encoder.embed.weight", 0, HL_WEIGHT_MATRIX,
      offsetof(struct model, embed), DIM_F, DIM_D, false },
    { "model.norm.weight", 0, HL_WEIGHT_VECTOR, offsetof(struct model, norm), DIM_D, 0, false },
    { "model.extra", 0, HL_WEIGHT_VECTOR, offsetof(struct model, extra), DIM_D, 0, true },
    { "model.layers.*.up.weight", 1, HL_WEIGHT_MATRIX, offsetof(struct layer, up), DIM_F, DIM_D,
      false },
    { "model.layers.*.up.bias", 1, HL_WEIGHT_VECTOR, offsetof(struct layer, bias), DIM_F, 0,
      false },
};
static const int dims[] = { [DIM_D] = 2, [DIM_F] = 3 };
static const char *const ignored[] = { "*.position_ids", "lm_head.*" };

struct file {
    uint8_t p[FILE_MAX];
    char header[FILE_MAX / 2];
    size_t header_n, data_n;
    uint8_t data[FILE_MAX / 2];
};

/* Appends a tensor of `sz` bytes. */
static void
add(struct file *f, const char *name, const char *dtype, const char *shape, const void *data,
    size_t sz)
{
    f->header_n +=
        (size_t)snprintf(f->header + f->header_n, sizeof(f->header) - f->header_n,
                         "%s\"%s\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":"
                         "[%zu,%zu]}",
                         f->header_n ? "," : "{", name, dtype, shape, f->data_n, f->data_n + sz);
    memcpy(f->data + f->data_n, data, sz);
    f->data_n += sz;
}

/* The file's bytes; `pad` spaces after the header move the data. */
static size_t
seal(struct file *f, int pad)
{
    size_t n = f->header_n;
    f->header[n++] = '}';
    for (int i = 0; i < pad; i++)
        f->header[n++] = ' ';
    memset(f->p, 0, 8);
    f->p[0] = (uint8_t)n;
    f->p[1] = (uint8_t)(n >> 8);
    memcpy(f->p + 8, f->header, n);
    memcpy(f->p + 8 + n, f->data, f->data_n);
    return 8 + n + f->data_n;
}

static const float six[] = { 1, 2, 3, 4, 5, 6 };
static const uint16_t six_half[] = { 0x3C00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600 };
static const uint16_t six_brain[] = { 0x3F80, 0x4000, 0x4040, 0x4080, 0x40A0, 0x40C0 };
static const double six_double[] = { 1, 2, 3, 4, 5, 6 };

static void
add_layer(struct file *f, const char *prefix, int i)
{
    char name[64];
    snprintf(name, sizeof(name), "%slayers.%d.up.weight", prefix, i);
    add(f, name, i ? "F64" : "F16", "[3,2]", i ? (const void *)six_double : six_half,
        i ? sizeof(six_double) : sizeof(six_half));
    snprintf(name, sizeof(name), "%slayers.%d.up.bias", prefix, i);
    add(f, name, "BF16", i ? "[1,3]" : "[3]", six_brain, 6);
}

static enum hl_status
load(struct file *f, int pad, struct model *m, struct hl_arena *arena, struct hl_st **st,
     struct hl_error *err)
{
    const struct hl_weight_group groups[] = { { m, sizeof(*m), 1, NULL },
                                              { m->layers, sizeof(m->layers[0]), N_LAYERS, NULL } };
    const struct hl_weight_plan plan = { specs, N_OF(specs), groups,  2,
                                         dims,  "model.",    ignored, N_OF(ignored) };
    size_t n = seal(f, pad);
    memset(m, 0, sizeof(*m));
    enum hl_status status = hl_st_parse(f->p, n, "weights", st, err);
    return status == HL_OK ? hl_weights_load(*st, &plan, arena, err) : status;
}

static void
check_numbers(const struct model *m)
{
    float row[2];
    hl_weight_row(&m->embed, 2, row);
    assert_true(row[0] == 5 && row[1] == 6);
    assert_true(m->norm[1] == 2);
    assert_null(m->extra);
    for (int i = 0; i < N_LAYERS; i++) {
        hl_weight_row(&m->layers[i].up, 1, row);
        assert_true(row[0] == 3 && row[1] == 4);
        assert_true(m->layers[i].bias[2] == 3);
        assert_int_equal(m->layers[i].up.rows, 3);
        assert_int_equal(m->layers[i].up.cols, 2);
    }
    assert_int_equal(m->layers[0].up.type, HL_DTYPE_F16);
    assert_int_equal(m->layers[1].up.type, HL_DTYPE_F32);
}

/* Both aliases of the table are there; whatever the data's place, numbers are right. */
static void
test_loads(void **state)
{
    (void)state;
    for (int pad = 0; pad < 8; pad++) {
        struct file f = { .header_n = 0 };
        struct model m;
        struct hl_arena arena;
        struct hl_st *st = NULL;
        struct hl_error err = { 0 };
        hl_arena_init(&arena, 0, 0);
        add(&f, "model.encoder.embed.weight", "F32", "[3,2]", six, sizeof(six));
        add(&f, "model.norm.weight", "F32", "[2]", six, 8);
        add_layer(&f, "model.", 0);
        add_layer(&f, "model.", 1);
        add(&f, "model.encoder.position_ids", "I64", "[1]", six, 8);
        add(&f, "lm_head.weight", "F32", "[3,2]", six, sizeof(six));
        if (load(&f, pad, &m, &arena, &st, &err) != HL_OK)
            fail_msg("%s", err.detail);
        check_numbers(&m);
        assert_true(hl_weights_n_params(st) == 6 + 2 + 2 * (6 + 3) + 1 + 6);
        hl_st_close(st);
        hl_arena_deinit(&arena);
    }
}

static void
test_prefix_may_be_absent(void **state)
{
    struct file f = { .header_n = 0 };
    struct model m;
    struct hl_arena arena;
    struct hl_st *st = NULL;
    struct hl_error err = { 0 };
    (void)state;
    hl_arena_init(&arena, 0, 0);
    add(&f, "shared.weight", "F32", "[3,2]", six, sizeof(six));
    add(&f, "norm.weight", "F32", "[2]", six, 8);
    add_layer(&f, "", 0);
    add_layer(&f, "", 1);
    assert_int_equal(load(&f, 0, &m, &arena, &st, &err), HL_OK);
    check_numbers(&m);
    hl_st_close(st);
    hl_arena_deinit(&arena);
}

static void
test_tells_all_at_once(void **state)
{
    static const float nan[] = { 1, NAN };
    static const uint16_t inf[] = { 0x7C00, 0, 0, 0, 0, 0 };
    struct file f = { .header_n = 0 };
    struct model m;
    struct hl_arena arena;
    struct hl_st *st = NULL;
    struct hl_error err = { 0 };
    (void)state;
    hl_arena_init(&arena, 0, 0);
    add(&f, "model.shared.weight", "F32", "[2,3]", six, sizeof(six));
    add(&f, "model.norm.weight", "F32", "[2]", nan, 8);
    add(&f, "model.layers.0.up.weight", "I8", "[3,2]", six, 6);
    add(&f, "model.layers.1.up.weight", "F16", "[3,2]", inf, 12);
    add(&f, "surprise", "F32", "[2]", six, 8);
    assert_int_equal(load(&f, 0, &m, &arena, &st, &err), HL_E_WEIGHTS);
    static const char *const says[] = {
        "missing model.layers.0.up.bias, model.layers.1.up.bias",
        "wrong shape: model.shared.weight is [2,3] and should be [3,2]",
        "unexpected surprise",
        "not supported: model.layers.0.up.weight (I8)",
        "NaN or infinite numbers: model.norm.weight, model.layers.1.up.weight",
    };
    for (int i = 0; i < N_OF(says); i++) {
        if (!strstr(err.detail, says[i]))
            fail_msg("\"%s\" is not in \"%s\"", says[i], err.detail);
    }
    assert_string_equal(err.where, "weights");
    hl_st_close(st);
    hl_arena_deinit(&arena);
}

static void
test_long_lists_are_counted(void **state)
{
    struct file f = { .header_n = 0 };
    struct model m;
    struct hl_arena arena;
    struct hl_st *st = NULL;
    struct hl_error err = { 0 };
    (void)state;
    hl_arena_init(&arena, 0, 0);
    for (int i = 0; i < 30; i++) {
        char name[32];
        snprintf(name, sizeof(name), "unknown.tensor.%d", i);
        add(&f, name, "F32", "[1]", six, 4);
    }
    assert_int_equal(load(&f, 0, &m, &arena, &st, &err), HL_E_WEIGHTS);
    assert_non_null(strstr(err.detail, "unexpected unknown.tensor.0, "));
    assert_non_null(strstr(err.detail, "more"));
    hl_st_close(st);
    hl_arena_deinit(&arena);
}

/* Tensors of four sides, items of different sizes, and one network of several. */
struct kernel {
    const float *w;
};

static enum hl_status
load_kernels(struct file *f, const char *before, struct kernel k[2], struct hl_arena *arena,
             struct hl_error *err)
{
    static const struct hl_weight_spec spec = {
        "conv.*.weight", 0, HL_WEIGHT_TENSOR, offsetof(struct kernel, w), 0, 1, false, 2, { 2, 2 },
        { 0, 2, 3, 1 }
    };
    static const int sizes[2][3] = { { 1, 2, 2 }, { 2, 1, 1 } }; /* out, in, kernel */
    const struct hl_weight_group group = { k, sizeof(k[0]), 2, NULL, sizes[0], 3 };
    const struct hl_weight_plan plan = {
        .specs = &spec, .n_specs = 1, .groups = &group, .n_groups = 1, .before = before
    };
    struct hl_st *st = NULL;
    size_t n = seal(f, 1);
    enum hl_status status = hl_st_parse(f->p, n, "weights", &st, err);
    if (status == HL_OK)
        status = hl_weights_load(st, &plan, arena, err);
    hl_st_close(st);
    return status;
}

static void
test_tensors(void **state)
{
    static const float eight[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    static const float in_order[] = { 1, 5, 2, 6, 3, 7, 4, 8 };
    struct file f = { .header_n = 0 };
    struct kernel k[2] = { { NULL }, { NULL } };
    struct hl_arena arena;
    struct hl_error err = { 0 };
    (void)state;
    hl_arena_init(&arena, 0, 0);
    add(&f, "late.conv.0.weight", "F32", "[1,2,2,2]", eight, sizeof(eight));
    add(&f, "late.conv.1.weight", "F16", "[2,1,1,1]", six_half, 4);
    add(&f, "early.conv.0.weight", "F32", "[1,2,2,2]", six_double, 32);
    struct file other = f, flat = { .header_n = 0 };
    if (load_kernels(&f, "late.", k, &arena, &err) != HL_OK)
        fail_msg("%s", err.detail);
    assert_memory_equal(k[0].w, in_order, sizeof(in_order));
    assert_true(k[1].w[0] == 1 && k[1].w[1] == 2);
    assert_int_equal(load_kernels(&other, "early.", k, &arena, &err), HL_E_WEIGHTS);
    assert_string_equal(err.detail, "missing early.conv.1.weight");
    add(&flat, "conv.0.weight", "F32", "[1,2,4]", eight, sizeof(eight));
    add(&flat, "conv.1.weight", "F32", "[2,1,1,1]", six, 8);
    assert_int_equal(load_kernels(&flat, NULL, k, &arena, &err), HL_E_WEIGHTS);
    assert_string_equal(err.detail,
                        "wrong shape: conv.0.weight is [1,2,4] and should be [1,2,2,2]");
    hl_arena_deinit(&arena);
}

/* Sides that fill no whole tiles. */
static void
test_turned_matrices(void **state)
{
    enum { R = 19, C = 37 };
    static const struct hl_weight_spec spec = {
        .names = "turned", .kind = HL_WEIGHT_TENSOR, .rows = 0, .cols = 1, .order = { 1, 0 }
    };
    static const int sizes[] = { R, C };
    float numbers[R * C];
    struct file f = { .header_n = 0 };
    struct kernel k = { NULL };
    struct hl_arena arena;
    struct hl_st *st = NULL;
    const struct hl_weight_group group = { .base = &k, .stride = sizeof k, .n = 1 };
    const struct hl_weight_plan plan = {
        .specs = &spec, .n_specs = 1, .groups = &group, .n_groups = 1, .dims = sizes
    };
    (void)state;
    hl_arena_init(&arena, 0, 0);
    for (int i = 0; i < R * C; i++)
        numbers[i] = (float)i;
    add(&f, "turned", "F32", "[19,37]", numbers, sizeof numbers);
    size_t n = seal(&f, 1);
    assert_int_equal(hl_st_parse(f.p, n, "weights", &st, NULL), HL_OK);
    assert_int_equal(hl_weights_load(st, &plan, &arena, NULL), HL_OK);
    hl_st_close(st);
    for (int r = 0; r < R; r++) {
        for (int c = 0; c < C; c++)
            assert_true(k.w[c * R + r] == numbers[r * C + c]);
    }
    hl_arena_deinit(&arena);
}

static bool
load_once(void *user)
{
    struct file *f = user;
    struct model m;
    struct hl_arena arena;
    struct hl_st *st = NULL;
    hl_arena_init(&arena, 256, 0);
    bool ok = load(f, 1, &m, &arena, &st, NULL) == HL_OK;
    hl_st_close(st);
    hl_arena_deinit(&arena);
    return ok;
}

static void
test_without_memory(void **state)
{
    struct file f = { .header_n = 0 };
    (void)state;
    add(&f, "shared.weight", "F32", "[3,2]", six, sizeof(six));
    add(&f, "norm.weight", "F32", "[2]", six, 8);
    add_layer(&f, "", 0);
    add_layer(&f, "", 1);
    assert_true(fail_alloc_each(load_once, &f, 200) > 3);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loads),
        cmocka_unit_test(test_prefix_may_be_absent),
        cmocka_unit_test(test_tells_all_at_once),
        cmocka_unit_test(test_long_lists_are_counted),
        cmocka_unit_test(test_tensors),
        cmocka_unit_test(test_turned_matrices),
        cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
