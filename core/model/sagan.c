/* Pictures by a self-attention GAN (Headlight's own format "headlight-sagan").
 *
 * Idea: convolution sees a few pixels around a place; in one layer of each network every
 * place of the map may look at every other, so that what belongs together is drawn, or
 * judged, together. The text names classes, and each named class becomes a picture.
 *
 * Formula: s_ji = g_j . f_i; w_j = softmax_i(s_ji); y_j = gamma W_v sum_i w_ji h_i + x_j.
 * Shapes: x, y [P,C], P = 16 x 16; f, g [P,C/8]; h [P,C/2]; w [P,P].
 * Paper: Zhang et al. 2018; spectral normalisation (Miyato et al. 2018) is folded into the
 *   weights, norms by class (Dumoulin et al. 2017), the discriminator's class by a product
 *   (Miyato and Koyama 2018).
 * Picture: "self" [L,1,P,P]; a place on a shoe looks along the shoe, not around itself.
 * Classic mistakes: the softmax over the places that look instead of those looked at; a
 *   scale of 1 / sqrt(d), which this attention has not; statistics of the norms that belong
 *   to other weights than the averaged ones. */
#include "model/sagan.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/size.h"
#include "base/span.h"
#include "model/network.h"
#include "model/sagan.h"
#include "model/sagan_net.h"
#include "model/sagan_words.h"

enum {
    MAX_WIDTH = 512,
    MAX_ATTENTION_SIDE = 32,
    MAX_CLASSES = 64,
    MAX_SNAPSHOTS = 32,
    MAX_STEP = 100000000,
};

/* See hl_sagan_request. */
static const struct hl_option options[] = {
    { .key = "seed",
      .label = "seed",
      .kind = HL_OPTION_WHOLE,
      .max = 9007199254740992,
      .tip = "Which random numbers the picture is drawn from: the same seed, the same picture." },
    { .key = "gamma",
      .label = "γ",
      .kind = HL_OPTION_REAL,
      .min = -100,
      .max = 100,
      .initial = NAN,
      .tip = "How much of what attention gathered is added: 0 nothing, as trained if not set." },
    { .key = "snapshot",
      .label = "snapshot",
      .kind = HL_OPTION_WHOLE,
      .max = MAX_SNAPSHOTS,
      .tip = "The generator as it was during training, oldest first; 0: at the end." },
};

enum { N_OPTIONS = sizeof options / sizeof options[0] };

struct net {
    struct hl_sagan_shape shape;
    struct hl_sagan_words words;
    const char **names; /* of the classes */
    struct hl_sagan_generator generator;
    struct hl_sagan_discriminator discriminator;
    struct hl_sagan_generator *early; /* one for each snapshot */
    struct hl_sagan_snapshot *snapshots;
    const char **prefixes; /* of the snapshots' tensors */
    struct hl_sagan_info info;
};

void
hl_sagan_latent(uint64_t seed, int index, int n, float *out)
{
    struct hl_rng rng;
    hl_rng_init(&rng, seed ^ ((uint64_t)index * UINT64_C(0xd1342543de82ef95)));
    for (int i = 0; i < n; i++)
        out[i] = (float)hl_rng_normal(&rng);
}

/* ---- opening ---- */

static enum hl_status
wrong(struct hl_error *err, const char *what)
{
    return hl_error_set(err, HL_E_CONFIG, "config.json", "%s", what);
}

static enum hl_status
need_int(const struct hl_json *j, const char *key, int min, int max, int *out, struct hl_error *err)
{
    int64_t v = 0;
    enum hl_status st = hl_json_need_int(j, key, min, max, HL_E_CONFIG, "config.json", &v, err);
    if (st == HL_OK)
        *out = (int)v;
    return st;
}

/* Widths of the maps, from 2 to HL_SAGAN_MAX_STEPS + 1 of them; *n counts them. */
static enum hl_status
read_widths(const struct hl_json *j, const char *key, int *out, int *n, struct hl_error *err)
{
    *n = 0;
    for (const struct hl_json *v = hl_json_first(hl_json_get(j, key)); v; v = hl_json_next(v)) {
        int64_t width;
        if (*n > HL_SAGAN_MAX_STEPS || !hl_json_int(v, 1, MAX_WIDTH, &width)) {
            *n = 0;
            break;
        }
        out[(*n)++] = (int)width;
    }
    if (*n < 2) {
        return hl_error_set(err, HL_E_CONFIG, "config.json",
                            "%s should be 2 to %d whole numbers from 1 to %d", key,
                            HL_SAGAN_MAX_STEPS + 1, MAX_WIDTH);
    }
    return HL_OK;
}

static enum hl_status
read_shape(const struct hl_json *j, struct hl_sagan_shape *s, struct hl_error *err)
{
    int channels, n_g, n_d;
    enum hl_status st = need_int(j, "side", 1, HL_SAGAN_MAX_SIDE, &s->side, err);
    if (st == HL_OK)
        st = need_int(j, "channels", 1, 1, &channels, err);
    if (st == HL_OK)
        st = need_int(j, "latent_size", 1, HL_SAGAN_MAX_LATENT, &s->latent, err);
    if (st == HL_OK)
        st = need_int(j, "attention_side", 1, MAX_ATTENTION_SIDE, &s->attention_side, err);
    if (st == HL_OK)
        st = read_widths(j, "generator_widths", s->g_width, &n_g, err);
    if (st == HL_OK)
        st = read_widths(j, "discriminator_widths", s->d_width, &n_d, err);
    if (st != HL_OK)
        return st;
    s->n_steps = n_g - 1;
    if (n_d != n_g)
        return wrong(err, "generator_widths and discriminator_widths differ in number");
    if (s->side != HL_SAGAN_START_SIDE << s->n_steps)
        return wrong(err, "side is not 4, doubled once for each width but the first");
    bool met = false;
    for (int k = 1; k < s->n_steps; k++)
        met = met || s->attention_side == HL_SAGAN_START_SIDE << k;
    if (!met)
        return wrong(err, "attention_side is not a side between the first map's and the picture's");
    if (hl_sagan_width(s, false) % 8 != 0 || hl_sagan_width(s, true) % 8 != 0)
        return wrong(err, "the width at attention_side is not a multiple of 8");
    return HL_OK;
}

static enum hl_status
no_memory(struct hl_error *err)
{
    return hl_error_set(err, HL_E_NOMEM, NULL, "while opening a model of pictures");
}

static enum hl_status
add_word(struct net *net, const char *word, int class_id, struct hl_arena *a, struct hl_error *err)
{
    bool empty = true;
    if (word && !hl_sagan_words_add(&net->words, word, class_id, a, &empty))
        return no_memory(err);
    return empty ? wrong(err, "a class has a name or word that is empty or no text") : HL_OK;
}

static enum hl_status
read_classes(const struct hl_json *list, struct net *net, struct hl_arena *a, struct hl_error *err)
{
    int n = hl_json_n(list), n_words = n, i = 0;

    if (hl_json_kind(list) != HL_JSON_ARRAY || n < 1 || n > MAX_CLASSES) {
        return hl_error_set(err, HL_E_CONFIG, "config.json", "classes should be a list of 1 to %d",
                            MAX_CLASSES);
    }
    for (const struct hl_json *c = hl_json_first(list); c; c = hl_json_next(c))
        n_words += hl_json_n(hl_json_get(c, "words"));
    net->names = hl_arena_new(a, n, const char *);
    if (!net->names || !hl_sagan_words_init(&net->words, n_words, a))
        return no_memory(err);
    net->shape.n_classes = n;
    for (const struct hl_json *c = hl_json_first(list); c; c = hl_json_next(c), i++) {
        const char *name = hl_json_string(hl_json_get(c, "name"));
        const struct hl_json *word = hl_json_first(hl_json_get(c, "words"));
        enum hl_status st = add_word(net, name, i, a, err);
        for (; word && st == HL_OK; word = hl_json_next(word))
            st = add_word(net, hl_json_string(word), i, a, err);
        if (st != HL_OK)
            return st;
        net->names[i] = hl_arena_strdup(a, name);
        if (!net->names[i])
            return no_memory(err);
    }
    return HL_OK;
}

static enum hl_status
bad_snapshots(struct hl_error *err)
{
    return hl_error_set(err, HL_E_CONFIG, "config.json",
                        "snapshots should be a list of at most %d, each with a step and a "
                        "file_prefix, steps growing",
                        MAX_SNAPSHOTS);
}

static enum hl_status
read_snapshots(const struct hl_json *list, struct net *net, struct hl_arena *a,
               struct hl_error *err)
{
    int n = hl_json_n(list), i = 0, last = -1;

    if ((list && hl_json_kind(list) != HL_JSON_ARRAY) || n > MAX_SNAPSHOTS)
        return bad_snapshots(err);
    net->early = hl_arena_new(a, n, struct hl_sagan_generator);
    net->snapshots = hl_arena_new(a, n, struct hl_sagan_snapshot);
    net->prefixes = hl_arena_new(a, n, const char *);
    if (!net->early || !net->snapshots || !net->prefixes)
        return no_memory(err);
    net->info.n_snapshots = n;
    for (const struct hl_json *v = hl_json_first(list); v; v = hl_json_next(v), i++) {
        int64_t step;
        const char *prefix = hl_json_string(hl_json_get(v, "file_prefix"));
        if (!hl_json_int(hl_json_get(v, "step"), last + 1, MAX_STEP, &step) || !prefix)
            return bad_snapshots(err);
        last = net->snapshots[i].step = (int)step;
        net->prefixes[i] = hl_arena_strdup(a, prefix);
        if (!net->prefixes[i])
            return no_memory(err);
    }
    return HL_OK;
}

static enum hl_status
load_snapshots(struct hl_model *m, struct net *net, struct hl_error *err)
{
    struct hl_st *file = NULL;
    if (net->info.n_snapshots == 0)
        return HL_OK;
    const char *path = hl_arena_printf(&m->arena, "%s/snapshots.safetensors", m->info.dir);
    enum hl_status st = path ? hl_st_open(path, &file, err) : no_memory(err);
    for (int i = 0; i < net->info.n_snapshots && st == HL_OK; i++) {
        st = hl_sagan_load(file, net->prefixes[i], &net->shape, &net->early[i], NULL, &m->arena,
                           err);
        if (st == HL_OK)
            net->snapshots[i].gamma = net->early[i].attention.gamma[0];
    }
    hl_st_close(file);
    return st;
}

/* The network's options, with as many snapshots as this model has. */
static const struct hl_option *
own_options(struct hl_model *m, const struct net *net)
{
    struct hl_option *own = hl_arena_new(&m->arena, N_OPTIONS, struct hl_option);
    for (int i = 0; own && i < N_OPTIONS; i++) {
        own[i] = options[i];
        if (strcmp(own[i].key, "snapshot") == 0)
            own[i].max = net->info.n_snapshots;
    }
    return own;
}

static enum hl_status
tell(struct hl_model *m, struct net *net, struct hl_error *err)
{
    const struct hl_sagan_shape *s = &net->shape;
    struct hl_sagan_info *i = &net->info;

    i->side = s->side;
    i->latent_size = s->latent;
    i->attention_side = s->attention_side;
    i->n_classes = s->n_classes;
    i->class_names = net->names;
    i->gamma = net->generator.attention.gamma[0];
    i->discriminator_gamma = net->discriminator.attention.gamma[0];
    i->snapshots = net->snapshots;
    m->info.details = i;
    m->info.picture_side = s->side;
    m->info.options = own_options(m, net);
    if (!m->info.options)
        return no_memory(err);
    m->info.n_heads = m->info.n_enc_layers = 1;
    m->info.d_model = hl_sagan_width(s, false);
    m->net = net;
    enum hl_status st = hl_model_fact(m, err, "pictures", "%d x %d", s->side, s->side);
    return st == HL_OK ? hl_model_fact(m, err, "classes", "%d", s->n_classes) : st;
}

static enum hl_status
sagan_open(struct hl_model *m, const struct hl_json *config, const struct hl_json *generation,
           struct hl_error *err)
{
    struct net *net = hl_arena_new(&m->arena, 1, struct net);
    (void)generation;
    if (!net)
        return no_memory(err);
    enum hl_status st = read_shape(config, &net->shape, err);
    if (st == HL_OK)
        st = hl_config_int(config, "step", 0, MAX_STEP, &net->info.step, err);
    if (st == HL_OK)
        st = read_classes(hl_json_get(config, "classes"), net, &m->arena, err);
    if (st == HL_OK)
        st = read_snapshots(hl_json_get(config, "snapshots"), net, &m->arena, err);
    if (st == HL_OK)
        st = hl_sagan_load(m->weights, NULL, &net->shape, &net->generator, &net->discriminator,
                           &m->arena, err);
    if (st == HL_OK)
        st = load_snapshots(m, net, err);
    return st == HL_OK ? tell(m, net, err) : st;
}

/* ---- running ---- */

/* One run: what it draws or judges, and where the results of all pictures lie. */
struct job {
    const struct net *net;
    const struct hl_sagan_options *o;
    const struct hl_sagan_generator *generator;
    float gamma; /* of the network that is shown */
    int n;       /* pictures */
    struct hl_sagan_found found[HL_SAGAN_MAX_PICTURES];
    struct hl_sagan_work work;
    float *scores, *weights;            /* [n,P,P] */
    float *input, *attended, *output;   /* [n,P,C] */
    float *image, *convolution, *score; /* [n,side*side] twice, [n,classes] */
    float *other;                       /* [P,P + 3 C] of the judge of drawn pictures */
};

static bool
all_finite(const float *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(p[i]))
            return false;
    }
    return true;
}

static enum hl_status
check_options(const struct net *net, const struct hl_sagan_options *o, struct hl_error *err)
{
    size_t pixels = (size_t)net->shape.side * (size_t)net->shape.side;
    for (int i = 0; i < o->n_latents; i++) {
        if (!all_finite(o->latents[i], (size_t)net->shape.latent))
            return hl_error_set(err, HL_E_ARGUMENT, "latents", "one is no finite number");
    }
    if (o->discriminator && !all_finite(o->picture, pixels))
        return hl_error_set(err, HL_E_ARGUMENT, "picture", "a pixel is no finite number");
    return HL_OK;
}

/* The sentence that says what may be named. */
static enum hl_status
nothing_named(const struct net *net, struct hl_error *err)
{
    struct hl_sb sb = { 0 };
    for (int i = 0; i < net->shape.n_classes; i++)
        hl_sb_printf(&sb, "%s%s", i > 0 ? ", " : "", net->names[i]);
    enum hl_status st = sb.failed ? no_memory(err)
                                  : hl_error_set(err, HL_E_ARGUMENT, "text",
                                                 "it names nothing that can be drawn: %s", sb.p);
    hl_sb_deinit(&sb);
    return st;
}

/* Axis "source": the words of the text that name a class. */
static enum hl_status
read_text(struct hl_run *run, struct job *j, struct hl_error *err)
{
    struct hl_record *r = run->record;
    const char *text = run->req->text ? run->req->text : "";
    int32_t more_at;
    int n = hl_sagan_words_find(&j->net->words, text, HL_SAGAN_MAX_PICTURES, j->found, &more_at);
    int kept = n < HL_SAGAN_MAX_PICTURES ? n : HL_SAGAN_MAX_PICTURES;

    if (n == 0 && !j->o->discriminator)
        return nothing_named(j->net, err);
    struct hl_axis *axis = hl_record_axis(r, "source", HL_AXIS_TOKENS, kept, NULL);
    struct hl_token *tokens = hl_arena_new(&r->arena, kept, struct hl_token);
    char *copy = hl_arena_strdup(&r->arena, text);
    bool ok = axis && tokens && copy;
    for (int i = 0; i < kept && ok; i++) {
        const struct hl_sagan_found *f = &j->found[i];
        tokens[i] = (struct hl_token) {
            .id = f->class_id,
            .text = hl_arena_strdup(&r->arena, j->net->names[f->class_id]),
            .label = hl_arena_strndup(&r->arena, text + f->start, (size_t)(f->end - f->start)),
            .start = f->start,
            .end = f->end,
            .word = i,
        };
        ok = tokens[i].text && tokens[i].label;
    }
    if (!ok)
        return hl_error_set(err, HL_E_NOMEM, NULL, "for the words of the text");
    axis->tokens = tokens;
    axis->text = copy;
    r->n_dropped_tokens = n - kept;
    r->dropped_at = more_at;
    j->n = j->o->discriminator ? 1 : kept;
    return HL_OK;
}

/* n times `each` floats on the arena. */
static float *
room(struct hl_arena *a, bool *ok, int n, size_t each)
{
    size_t total;
    float *p = hl_size_mul((size_t)n, each, &total) ? hl_arena_floats(a, total) : NULL;
    *ok = *ok && p;
    return p;
}

static bool
make_room(struct hl_run *run, struct job *j)
{
    const struct hl_sagan_shape *s = &j->net->shape;
    struct hl_arena *kept = &run->record->arena;
    struct hl_arena *vectors = run->req->keep_vectors ? kept : run->scratch;
    size_t cells = (size_t)s->attention_side * (size_t)s->attention_side;
    size_t pixels = (size_t)s->side * (size_t)s->side;
    size_t judge = cells * (cells + 3 * (size_t)hl_sagan_width(s, true));
    size_t map = cells * (size_t)hl_sagan_width(s, j->o->discriminator);
    bool ok = hl_sagan_make_room(s, run->scratch, &j->work);

    j->scores = room(kept, &ok, j->n, cells * cells);
    j->weights = room(kept, &ok, j->n, cells * cells);
    j->image = room(kept, &ok, j->n, pixels);
    j->score = room(kept, &ok, j->n, (size_t)s->n_classes);
    j->input = room(vectors, &ok, j->n, map);
    j->attended = room(vectors, &ok, j->n, map);
    j->output = room(vectors, &ok, j->n, map);
    if (!j->o->discriminator) {
        j->convolution = room(kept, &ok, j->n, pixels);
        j->other = room(run->scratch, &ok, 1, judge);
    }
    return ok;
}

/* Attention of the network that is shown, on picture i: input to scores, weights,
 * attended and output. */
static void
attend(const struct job *j, const struct hl_sagan_attention *a, int i)
{
    const struct hl_sagan_shape *s = &j->net->shape;
    int width = hl_sagan_width(s, j->o->discriminator);
    size_t cells = (size_t)s->attention_side * (size_t)s->attention_side;
    size_t map = cells * (size_t)width, at = (size_t)i * map, row = (size_t)i * cells * cells;
    const struct hl_grid_attn layer = hl_sagan_layer(a, width, j->gamma);
    const struct hl_grid_out out = { j->scores + row, j->weights + row, j->attended + at,
                                     j->output + at };
    hl_grid_attend(&layer, (int)cells, j->input + at, out, j->work.scratch);
}

/* Scores of a drawn picture, by the discriminator as trained. */
static void
judge_drawn(const struct job *j, const float *image, float *score)
{
    const struct net *net = j->net;
    const struct hl_sagan_shape *s = &net->shape;
    int width = hl_sagan_width(s, true);
    size_t cells = (size_t)s->attention_side * (size_t)s->attention_side;
    float *x = j->other, *attended = x + cells * (size_t)width;
    float *y = attended + cells * (size_t)width, *weights = y + cells * (size_t)width;
    const struct hl_grid_attn layer =
        hl_sagan_layer(&net->discriminator.attention, width, net->info.discriminator_gamma);
    const struct hl_grid_out out = { NULL, weights, attended, y };

    hl_sagan_look(s, &net->discriminator, image, x, &j->work);
    hl_grid_attend(&layer, (int)cells, x, out, j->work.scratch);
    hl_sagan_judge(s, &net->discriminator, y, score, &j->work);
}

static enum hl_status
draw(struct hl_run *run, const struct job *j, int i, struct hl_error *err)
{
    const struct hl_sagan_shape *s = &j->net->shape;
    size_t pixels = (size_t)s->side * (size_t)s->side;
    size_t map =
        (size_t)s->attention_side * (size_t)s->attention_side * (size_t)hl_sagan_width(s, false);
    int label = j->found[i].class_id;
    float z[HL_SAGAN_MAX_LATENT], *image = j->image + (size_t)i * pixels;

    if (i < j->o->n_latents)
        memcpy(z, j->o->latents[i], (size_t)s->latent * sizeof *z);
    else
        hl_sagan_latent(j->o->seed, i, s->latent, z);
    hl_sagan_begin(s, j->generator, label, z, j->input + (size_t)i * map, &j->work);
    attend(j, &j->generator->attention, i);
    enum hl_status st = hl_run_poll(run, err);
    if (st != HL_OK)
        return st;
    hl_sagan_finish(s, j->generator, label, j->output + (size_t)i * map, image, &j->work);
    hl_sagan_finish(s, j->generator, label, j->input + (size_t)i * map,
                    j->convolution + (size_t)i * pixels, &j->work);
    st = hl_run_poll(run, err);
    if (st == HL_OK)
        judge_drawn(j, image, j->score + (size_t)i * (size_t)s->n_classes);
    return st;
}

static void
judge(const struct job *j)
{
    const struct net *net = j->net;
    const struct hl_sagan_shape *s = &net->shape;
    memcpy(j->image, j->o->picture, (size_t)s->side * (size_t)s->side * sizeof *j->image);
    hl_sagan_look(s, &net->discriminator, j->image, j->input, &j->work);
    attend(j, &net->discriminator.attention, 0);
    hl_sagan_judge(s, &net->discriminator, j->output, j->score, &j->work);
}

static bool
results_finite(const struct job *j)
{
    const struct hl_sagan_shape *s = &j->net->shape;
    size_t cells = (size_t)s->attention_side * (size_t)s->attention_side, n = (size_t)j->n;
    size_t pixels = (size_t)s->side * (size_t)s->side;
    size_t map = cells * (size_t)hl_sagan_width(s, j->o->discriminator);
    return all_finite(j->scores, n * cells * cells) && all_finite(j->weights, n * cells * cells) &&
           all_finite(j->input, n * map) && all_finite(j->attended, n * map) &&
           all_finite(j->output, n * map) && all_finite(j->image, n * pixels) &&
           (!j->convolution || all_finite(j->convolution, n * pixels)) &&
           all_finite(j->score, n * (size_t)s->n_classes);
}

/* ---- recording ---- */

static bool
add_axes(struct hl_record *r, const struct net *net, int *cell, int *pixel, int *classes)
{
    const struct hl_sagan_shape *s = &net->shape;
    int side = s->attention_side, n = s->n_classes;
    struct hl_token *tokens = hl_arena_new(&r->arena, n, struct hl_token);

    if (!tokens || !hl_record_axis(r, "cell", HL_AXIS_GRID, side * side, cell) ||
        !hl_record_axis(r, "pixel", HL_AXIS_GRID, s->side * s->side, pixel) ||
        !hl_record_axis(r, "class", HL_AXIS_TOKENS, n, classes))
        return false;
    r->axes[*cell].grid_h = r->axes[*cell].grid_w = side;
    r->axes[*cell].title = "place";
    r->axes[*pixel].grid_h = r->axes[*pixel].grid_w = s->side;
    r->axes[*classes].tokens = tokens;
    for (int i = 0; i < n; i++) {
        const char *name = hl_arena_strdup(&r->arena, net->names[i]);
        if (!name)
            return false;
        tokens[i] = (struct hl_token) { i, name, name, -1, -1, -1, false };
    }
    return true;
}

static bool
add_map(struct hl_record *r, const struct job *j, const char *stage, int cell, const float *data)
{
    int n = j->net->shape.attention_side * j->net->shape.attention_side;
    const int shape[] = { j->n, 1, n, n };
    struct hl_map *m = hl_run_add_map(r, "self", stage, shape, data);
    if (m) {
        m->q_axis = m->k_axis = cell;
        m->row_sum_one = hl_map_is(m, HL_STAGE_WEIGHTS);
        m->scale = 1.0f;
        m->parts.score = "dot";
    }
    return m != NULL;
}

static bool
add_vectors(struct hl_record *r, const char *name, int axis, int layers, int width,
            const float *data)
{
    const int shape[] = { layers, r->axes[axis].n, width };
    return hl_run_add_vectors(r, name, axis, shape, data) != NULL;
}

/* network=generator step=4500 gamma=0.25 */
static bool
add_settings(struct hl_record *r, const struct job *j)
{
    const struct net *net = j->net;
    bool early = !j->o->discriminator && j->o->snapshot > 0;
    int step = early ? net->snapshots[j->o->snapshot - 1].step : net->info.step;
    struct hl_sb gamma = { 0 };
    hl_sb_num(&gamma, (double)j->gamma, 6);
    bool ok =
        !gamma.failed &&
        hl_record_set(r, "network", "%s", j->o->discriminator ? "discriminator" : "generator") &&
        hl_record_set(r, "step", "%d", step) &&
        hl_record_set(r, "gamma", "%.*s", (int)gamma.n, gamma.p);
    hl_sb_deinit(&gamma);
    return ok;
}

static bool
fill(struct hl_run *run, const struct job *j)
{
    struct hl_record *r = run->record;
    const struct hl_sagan_shape *s = &j->net->shape;
    int cell, pixel, classes, width = hl_sagan_width(s, j->o->discriminator);
    float *reach = hl_arena_floats(&r->arena, s->attention_side * s->attention_side * 4);
    bool ok = reach && add_axes(r, j->net, &cell, &pixel, &classes);

    if (!ok)
        return false;
    hl_sagan_reach(s, reach);
    ok = add_map(r, j, HL_STAGE_SCORES, cell, j->scores) &&
         add_map(r, j, HL_STAGE_WEIGHTS, cell, j->weights) &&
         add_vectors(r, "image", pixel, j->n, 1, j->image) &&
         add_vectors(r, "reach", cell, 1, 4, reach) &&
         add_vectors(r, "score", classes, j->n, 1, j->score);
    if (ok && j->convolution)
        ok = add_vectors(r, "image.convolution", pixel, j->n, 1, j->convolution);
    if (ok && run->req->keep_vectors) {
        ok = add_vectors(r, "self.input", cell, j->n, width, j->input) &&
             add_vectors(r, "self.attended", cell, j->n, width, j->attended) &&
             add_vectors(r, "self.output", cell, j->n, width, j->output);
    }
    return ok && add_settings(r, j);
}

const struct hl_sagan_info *
hl_sagan_info(const struct hl_model_info *info)
{
    return info->network == &hl_network_sagan ? info->details : NULL;
}

void
hl_sagan_request(const struct hl_sagan_options *o, struct hl_request *q)
{
    hl_request_set(q, "seed", (double)o->seed);
    hl_request_set(q, "snapshot", o->snapshot);
    if (o->has_gamma)
        hl_request_set(q, "gamma", (double)o->gamma);
    q->numbers = o->n_latents > 0 ? o->latents[0] : NULL;
    q->n_numbers = o->n_latents * HL_SAGAN_MAX_LATENT;
    q->picture = o->discriminator ? o->picture : NULL;
    q->n_picture = HL_SAGAN_MAX_SIDE * HL_SAGAN_MAX_SIDE;
}

static enum hl_status
read_options(const struct hl_run *run, struct hl_sagan_options *o, struct hl_error *err)
{
    const struct net *net = run->model->net;
    const struct hl_request *q = run->req;
    double gamma = hl_run_option(run, "gamma");
    size_t pixels = (size_t)net->shape.side * (size_t)net->shape.side;

    o->discriminator = q->picture != NULL;
    o->seed = (uint64_t)hl_run_option(run, "seed");
    o->snapshot = hl_run_choice(run, "snapshot");
    o->has_gamma = !isnan(gamma);
    o->gamma = o->has_gamma ? (float)gamma : 0;
    o->n_latents = q->numbers ? q->n_numbers / HL_SAGAN_MAX_LATENT : 0;
    if (o->n_latents > HL_SAGAN_MAX_PICTURES) {
        return hl_error_set(err, HL_E_ARGUMENT, "latents", "%d pictures' are not in 0..%d",
                            o->n_latents, HL_SAGAN_MAX_PICTURES);
    }
    if (o->n_latents > 0)
        memcpy(o->latents, q->numbers, (size_t)o->n_latents * sizeof o->latents[0]);
    if (o->discriminator && q->n_picture < (int)pixels)
        return hl_error_set(err, HL_E_ARGUMENT, "picture", "it must be %d x %d", net->shape.side,
                            net->shape.side);
    if (o->discriminator)
        memcpy(o->picture, q->picture, pixels * sizeof *o->picture);
    return check_options(net, o, err);
}

static enum hl_status
sagan_run(struct hl_run *run, struct hl_error *err)
{
    const struct net *net = run->model->net;
    struct hl_sagan_options *o = hl_arena_new(run->scratch, 1, struct hl_sagan_options);
    struct job j = { .net = net, .o = o };

    if (!o)
        return no_memory(err);
    enum hl_status st = read_options(run, o, err);
    if (st == HL_OK)
        st = read_text(run, &j, err);
    if (st == HL_OK)
        st = hl_run_poll(run, err);
    if (st != HL_OK)
        return st;
    j.generator = j.o->snapshot > 0 ? &net->early[j.o->snapshot - 1] : &net->generator;
    j.gamma = j.o->has_gamma       ? j.o->gamma
              : j.o->discriminator ? net->info.discriminator_gamma
                                   : j.generator->attention.gamma[0];
    if (!make_room(run, &j))
        return hl_error_set(err, HL_E_NOMEM, NULL, "for %d pictures", j.n);
    if (j.o->discriminator)
        judge(&j);
    for (int i = 0; !j.o->discriminator && i < j.n && st == HL_OK; i++)
        st = draw(run, &j, i, err);
    if (st != HL_OK)
        return st;
    if (!results_finite(&j))
        return hl_run_overflow(run, err);
    if (!fill(run, &j))
        return hl_error_set(err, HL_E_NOMEM, NULL, "for the record");
    return hl_run_poll(run, err);
}

const struct hl_network hl_network_sagan = {
    .key = "headlight-sagan",
    .kind = "self-attention GAN",
    .can = HL_CAN(PICTURES),
    .inputs = HL_INPUT_TEXT | HL_INPUT_PICTURE | HL_INPUT_NUMBERS,
    .n_options = N_OPTIONS,
    .options = options,
    .open = sagan_open,
    .run = sagan_run,
};
