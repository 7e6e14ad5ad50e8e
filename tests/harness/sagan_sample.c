#include "harness/sagan_sample.h"

#include <math.h>
#include <string.h>

enum { SIDE = 32, GRID = 16, P = GRID * GRID, PIXELS = SIDE * SIDE, CLASSES = 10 };

static const char *const names[CLASSES] = { "T-shirt", "trouser", "pullover", "dress", "coat",
                                            "sandal",  "shirt",   "sneaker",  "bag",   "boot" };
static const struct hl_sagan_snapshot snapshots[3] = { { 0, 0 }, { 100, 0.05f }, { 400, -0.125f } };

const struct hl_sagan_info sagan_sample_info = { .side = SIDE,
                                                 .latent_size = 24,
                                                 .attention_side = GRID,
                                                 .n_classes = CLASSES,
                                                 .class_names = names,
                                                 .step = 1000,
                                                 .gamma = -0.25f,
                                                 .discriminator_gamma = 0.5f,
                                                 .n_snapshots = 3,
                                                 .snapshots = snapshots };

/* Falls with the distance from the place across the middle. */
static double
closeness(int query, int key)
{
    int dy = GRID - 1 - query / GRID - key / GRID, dx = GRID - 1 - query % GRID - key % GRID;
    return 1.0 / (1 + dy * dy + dx * dx);
}

double
sagan_sample_weight(int query, int key)
{
    double sum = 0;
    for (int i = 0; i < P; i++)
        sum += closeness(query, i);
    return closeness(query, key) / sum;
}

/* ---- the text ---- */

static char
small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool
same(const char *s, size_t n, const char *word)
{
    size_t k = 0;
    while (k < n && word[k] != 0 && small(s[k]) == small(word[k]))
        k++;
    return k == n && word[k] == 0;
}

static int
class_of(const char *s, size_t n)
{
    for (int i = 0; i < CLASSES; i++) {
        if (same(s, n, names[i]))
            return i;
    }
    return same(s, n, "boots") ? 9 : same(s, n, "dresses") ? 3 : -1;
}

/* Axis "source"; gives how many classes are named. */
static int
read_text(struct hl_record *r, const char *text)
{
    struct hl_token *t = hl_arena_new(&r->arena, HL_SAGAN_MAX_PICTURES, struct hl_token);
    struct hl_axis *axis = hl_record_axis(r, "source", HL_AXIS_TOKENS, 0, NULL);
    int n = 0;
    if (t == NULL || axis == NULL)
        return 0;
    for (const char *s = text; *s != 0;) {
        size_t len = strcspn(s, " ,.;");
        int id = class_of(s, len);
        if (id >= 0 && n < HL_SAGAN_MAX_PICTURES) {
            t[n] = (struct hl_token) { .id = id,
                                       .text = names[id],
                                       .label = hl_arena_strndup(&r->arena, s, len),
                                       .start = (int32_t)(s - text),
                                       .end = (int32_t)(s - text) + (int32_t)len,
                                       .word = n };
            n++;
        }
        s += len + (s[len] != 0);
    }
    axis->tokens = t;
    axis->n = n;
    axis->text = hl_arena_strdup(&r->arena, text);
    r->dropped_at = -1;
    return n;
}

/* ---- pictures ---- */

static float *
vectors(struct hl_record *r, const char *name, int axis, int layers, int n, int width)
{
    struct hl_vectors *v = hl_record_vectors(r, name);
    float *data = hl_arena_floats(&r->arena, (size_t)(layers * n * width));
    if (v == NULL || data == NULL)
        return NULL;
    v->axis = axis;
    v->n_layers = layers;
    v->n = n;
    v->width = width;
    v->data = data;
    return data;
}

/* A disc whose size tells the class and whose grey tells the first latent and gamma. */
static void
disc(float *px, int class_id, float latent, float gamma)
{
    for (int i = 0; i < PIXELS; i++) {
        float y = (float)(i / SIDE) - 15.5f, x = (float)(i % SIDE) - 15.5f;
        float in = sqrtf(x * x + y * y) < 4 + (float)class_id ? 1 : 0;
        px[i] = in > 0 ? tanhf(0.5f + latent * 0.25f + gamma) : -1;
    }
}

static bool
put_map(struct hl_record *r, int layers, int axis)
{
    struct hl_map *m = hl_record_map(r, "self", HL_STAGE_WEIGHTS);
    float *data = hl_arena_floats(&r->arena, (size_t)(layers * P * P));
    if (m == NULL || data == NULL)
        return false;
    *m = (struct hl_map) { .name = m->name,
                           .stage = HL_STAGE_WEIGHTS,
                           .n_layers = layers,
                           .n_heads = 1,
                           .n_q = P,
                           .n_k = P,
                           .q_axis = axis,
                           .k_axis = axis,
                           .out_axis = -1,
                           .row_sum_one = true,
                           .scale = 1,
                           .data = data };
    for (int q = 0; q < P; q++) {
        double sum = 0;
        for (int k = 0; k < P; k++)
            sum += closeness(q, k);
        for (int k = 0; k < P; k++)
            data[q * P + k] = (float)(closeness(q, k) / sum);
    }
    for (int l = 1; l < layers; l++)
        memcpy(data + l * P * P, data, P * P * sizeof *data);
    return true;
}

static bool
put_reach(struct hl_record *r, int axis)
{
    float *e = vectors(r, "reach", axis, 1, P, 4);
    for (int i = 0; i < P && e != NULL; i++, e += 4) {
        int top = 2 * (i / GRID) - 2, left = 2 * (i % GRID) - 2;
        e[0] = (float)(top < 0 ? 0 : top);
        e[1] = (float)(left < 0 ? 0 : left);
        e[2] = (float)(top + 6 > SIDE ? SIDE : top + 6);
        e[3] = (float)(left + 6 > SIDE ? SIDE : left + 6);
    }
    return e != NULL;
}

static bool
put_scores(struct hl_record *r, int layers)
{
    int axis;
    struct hl_axis *a = hl_record_axis(r, "class", HL_AXIS_TOKENS, CLASSES, &axis);
    struct hl_token *t = hl_arena_new(&r->arena, CLASSES, struct hl_token);
    const struct hl_axis *named = hl_record_find_axis(r, "source");
    if (a == NULL || t == NULL)
        return false;
    for (int i = 0; i < CLASSES; i++)
        t[i] = (struct hl_token) {
            .id = i, .text = names[i], .label = names[i], .start = -1, .end = -1, .word = -1
        };
    a->tokens = t;
    float *v = vectors(r, "score", axis, layers, CLASSES, 1);
    for (int l = 0; l < layers && v != NULL; l++) {
        for (int i = 0; i < CLASSES; i++)
            v[l * CLASSES + i] =
                l < named->n && i == named->tokens[l].id ? 1.5f : -0.25f * (float)i;
    }
    return v != NULL;
}

static bool
put_pictures(struct hl_record *r, const struct hl_sagan_options *o, int layers, int axis)
{
    const struct hl_axis *named = hl_record_find_axis(r, "source");
    float z[24], trained = sagan_sample_info.gamma;
    float *image = vectors(r, "image", axis, layers, PIXELS, 1);
    if (image == NULL)
        return false;
    if (o->discriminator) {
        memcpy(image, o->picture, PIXELS * sizeof *image);
        return true;
    }
    float *plain = vectors(r, "image.convolution", axis, layers, PIXELS, 1);
    if (o->snapshot > 0)
        trained = snapshots[o->snapshot - 1].gamma;
    for (int l = 0; l < layers && plain != NULL; l++) {
        int id = named->tokens[l].id;
        hl_sagan_latent(o->seed, l, 24, z);
        if (l < o->n_latents)
            memcpy(z, o->latents[l], sizeof z);
        disc(image + l * PIXELS, id, z[0], o->has_gamma ? o->gamma : trained);
        disc(plain + l * PIXELS, id, z[0], 0);
    }
    return plain != NULL;
}

struct hl_record *
sagan_sample_run(const char *text, const struct hl_sagan_options *o, struct hl_error *err)
{
    struct hl_record *r = hl_record_create();
    int cell, pixel, n = r != NULL ? read_text(r, text) : 0, layers = o->discriminator ? 1 : n;
    if (r != NULL && layers == 0) {
        hl_error_set(err, HL_E_ARGUMENT, "text", "it names nothing that can be drawn");
        hl_record_destroy(r);
        return NULL;
    }
    if (r == NULL || hl_record_axis(r, "cell", HL_AXIS_GRID, P, &cell) == NULL ||
        hl_record_axis(r, "pixel", HL_AXIS_GRID, PIXELS, &pixel) == NULL) {
        hl_record_destroy(r);
        return NULL;
    }
    r->axes[cell].grid_h = r->axes[cell].grid_w = GRID;
    r->axes[pixel].grid_h = r->axes[pixel].grid_w = SIDE;
    r->model = "sagan-fashion";
    r->family = "headlight-sagan";
    hl_record_set(r, "network", o->discriminator ? "discriminator" : "generator");
    if (!put_map(r, layers, cell) || !put_reach(r, cell) || !put_scores(r, layers) ||
        !put_pictures(r, o, layers, pixel) || hl_record_seal(r, err) != HL_OK) {
        hl_record_destroy(r);
        return NULL;
    }
    return r;
}
