/* Measures what a key press costs, from the event to the finished picture, and the
 * engine against this machine's own limits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "base/span.h"
#include "cli.h"
#include "clock.h"
#include "num/gemm.h"
#include "offline.h"
#include "sdl/font.h"
#include "sdl/render.h"

/* At least 18 words each; edits fall on the start, the middle and the end. */
static const char *const sentences[] = {
    "The animal didn't cross the street because it was too tired and it wanted to sleep in the "
    "quiet garden",
    "My sister bought a red car yesterday because the old one was too small for all of her "
    "children and friends",
    "I think that you should read this book again before you talk to your teacher about the "
    "last question there",
    "The little boy opened the door of the old house and saw that nobody was waiting for him "
    "in the room",
};
enum { N_SENTENCES = sizeof sentences / sizeof sentences[0] };

static int
by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double
percentile(const double *sorted, int n, double p)
{
    int i = (int)(p * (n - 1) + 0.5);
    return sorted[i];
}

/* One line: "<label>key to picture: median 6.1 ms, p95 ..., (400 edits, 1 thread)". */
static void
report(const char *label, double *ms, int n)
{
    char a[32], b[32], c[32], d[32];
    qsort(ms, (size_t)n, sizeof *ms, by_value);
    printf("%s: key to picture: median %s ms, p95 %s ms, p99 %s ms, worst %s ms (%d edits, "
           "1 thread)\n",
           label, hl_fmt_fixed(a, sizeof a, percentile(ms, n, 0.5), 1),
           hl_fmt_fixed(b, sizeof b, percentile(ms, n, 0.95), 1),
           hl_fmt_fixed(c, sizeof c, percentile(ms, n, 0.99), 1),
           hl_fmt_fixed(d, sizeof d, ms[n - 1], 1), n);
    fflush(stdout);
}

struct bench {
    struct offline o;
    struct hl_render *render;
    struct hl_pixels px;
    const struct hl_args *args;
};

static void
press(struct bench *b, int key, int mods)
{
    struct hl_event ev = { .kind = EV_KEY, .key = key, .mods = mods, .down = true };
    offline_event(&b->o, &ev);
}

/* Caret to the start (0), the middle (1) or the end (2) of the text. */
static void
place_caret(struct bench *b, int where)
{
    press(b, where == 2 ? KEY_END : KEY_HOME, 0);
    for (int i = 0; where == 1 && i < 9; i++)
        press(b, KEY_RIGHT, MOD_CTRL);
}

static bool
paint(struct bench *b)
{
    const struct dl *d = offline_build(&b->o);
    struct hl_area areas[64];
    return d && render_update(b->render, d, b->px, false, areas, 64) >= 0;
}

/* Types a letter or takes it back; gives the time until the picture of it stands. */
static double
edit(struct bench *b, int i)
{
    struct hl_event text = { .kind = EV_TEXT, .text = i % 4 == 0 ? "s" : "e" };
    double t = now_ms();
    if (i % 2 == 0)
        offline_event(&b->o, &text);
    else
        press(b, KEY_BACKSPACE, 0);
    offline_step(&b->o); /* the screen's own record; what else is asked for comes after */
    paint(b);
    return now_ms() - t;
}

static bool
measure(struct bench *b, const char *screen, const char *label, int n)
{
    struct hl_error err = { 0 };
    double *ms = hl_alloc((size_t)n, sizeof *ms);
    if (!ms || app_set(&b->o.state, "screen", screen, &err) != HL_OK)
        return false;
    for (int i = 0; i < n; i++) {
        if (i % 2 == 0) {
            app_set(&b->o.state, "text", sentences[i / 6 % N_SENTENCES], &err);
            offline_request(&b->o);
            offline_finish(&b->o);
            place_caret(b, i / 2 % 3);
            offline_finish(&b->o);
            paint(b);
        }
        ms[i] = edit(b, i);
        offline_finish(&b->o);
    }
    report(label, ms, n);
    hl_free(ms);
    return true;
}

/* Images: the next seed, gamma on and off, another place, in turn; the record comes with
 * the first two. Nothing where the model is not there. */
static bool
measure_images(struct bench *b, const char *label, int n)
{
    static const int keys[] = { KEY_PAGE_DOWN, 'g', KEY_RIGHT, 'g', KEY_DOWN };
    struct hl_error err = { 0 };
    double *ms = hl_alloc((size_t)n, sizeof *ms);
    bool ok = ms && app_set(&b->o.state, "screen", "images", &err) == HL_OK &&
              app_set(&b->o.state, "text", "dress and boots", &err) == HL_OK;
    if (ok) {
        offline_request(&b->o);
        offline_finish(&b->o);
        paint(b);
    }
    for (int i = 0; ok && app_record(&b->o.state) && i < n; i++) {
        double t = now_ms();
        press(b, keys[i % 5], MOD_ALT);
        offline_step(&b->o);
        paint(b);
        ms[i] = now_ms() - t;
    }
    if (ok && app_record(&b->o.state))
        report(label, ms, n);
    hl_free(ms);
    return ok;
}

/* A text far over the model's limit: how long each of the window's steps takes, all
 * of which stop its event loop. */
static void
measure_long_text(struct bench *b)
{
    enum { N = 10000 };
    char *text = hl_alloc(N + 1, 1), a[32], c[32], d[32];
    if (!text)
        return;
    for (int i = 0; i < N; i++)
        text[i] = "a b. "[i % 5];
    struct hl_event paste = { .kind = EV_PASTE, .text = text };
    press(b, 'a', MOD_CTRL);
    double t0 = now_ms();
    offline_event(&b->o, &paste);
    double t1 = now_ms();
    paint(b);
    double t2 = now_ms();
    double result = offline_step_timed(&b->o, now_ms);
    double t3 = now_ms();
    paint(b);
    double t4 = now_ms();
    printf("10,000 characters pasted: event %s ms, its picture %s ms; record's arrival %s ms, ",
           hl_fmt_fixed(a, sizeof a, t1 - t0, 1), hl_fmt_fixed(c, sizeof c, t2 - t1, 1),
           hl_fmt_fixed(d, sizeof d, result, 1));
    printf("its picture %s ms (%s ms on the worker)\n", hl_fmt_fixed(a, sizeof a, t4 - t3, 1),
           hl_fmt_fixed(c, sizeof c, t3 - t2 - result, 1));
    hl_free(text);
}

static enum hl_status
bench_size(struct hl_library *lib, const struct hl_args *a, struct hl_fonts *fonts, int w, int h,
           float scale, struct hl_error *err)
{
    static struct bench b;
    memset(&b, 0, sizeof b);
    b.args = a;
    b.px = (struct hl_pixels) { .w = w, .h = h, .stride = w };
    b.px.p = hl_alloc((size_t)w, (size_t)h * sizeof *b.px.p);
    if (!b.px.p)
        return hl_error_set(err, HL_E_NOMEM, NULL, "for the picture");
    enum hl_status st = render_create(fonts, &b.render, err);
    if (st == HL_OK)
        st = offline_init(&b.o, lib, a->model, fonts_metrics(fonts), (float)w / scale,
                          (float)h / scale, scale, err);
    static const struct {
        const char *screen, *name, *engine;
    } runs[] = { { "transformer", "Transformer", NULL },
                 { "translate", "Translate, GRU", "gru" },
                 { "translate", "Translate, Transformer", "transformer" },
                 { "positions", "Positions", NULL },
                 { "memory", "Memory, the same sentences letter by letter", NULL } };
    for (size_t i = 0; st == HL_OK && i < sizeof runs / sizeof runs[0]; i++) {
        char label[64];
        snprintf(label, sizeof label, "%s, %dx%d", runs[i].name, w, h);
        st = app_set(&b.o.state, "screen", runs[i].screen, err);
        if (st == HL_OK && runs[i].engine)
            st = app_set(&b.o.state, "engine", runs[i].engine, err);
        if (st == HL_OK && !measure(&b, runs[i].screen, label, a->edits))
            st = hl_error_set(err, HL_E_NOMEM, NULL, "for the measurement");
    }
    char label[64];
    snprintf(label, sizeof label, "Images, %dx%d", w, h);
    if (st == HL_OK && !measure_images(&b, label, a->edits))
        st = hl_error_set(err, HL_E_NOMEM, NULL, "for the measurement");
    if (st == HL_OK && app_set(&b.o.state, "screen", "transformer", err) == HL_OK)
        measure_long_text(&b);
    offline_deinit(&b.o);
    render_destroy(b.render);
    hl_free(b.px.p);
    return st;
}

/* Products per second of a square matrix product (in 1e9), and bytes per second of
 * reading much memory (in 1e9): the limits that an engine runs against. */
static void
measure_machine(double *gflops, double *gbytes)
{
    enum { N = 384, N_MATRICES = 3 * N * N, WORDS = 16 << 20 };
    *gflops = *gbytes = 0;
    float *m = hl_alloc(N_MATRICES, sizeof *m);
    uint64_t *big = hl_alloc(WORDS, sizeof *big);
    if (m && big) {
        struct hl_rng rng;
        hl_rng_init(&rng, 1);
        for (int i = 0; i < 2 * N * N; i++)
            m[i] = (float)hl_rng_uniform(&rng);
        hl_mat a = { m, N, N, N }, b = { m + N * N, N, N, N }, c = { m + 2 * N * N, N, N, N };
        double best = 1e9;
        for (int i = 0; i < 12; i++) {
            double t = now_ms();
            hl_gemm(a, false, b, false, 1, 0, c);
            t = now_ms() - t;
            best = t < best ? t : best;
        }
        *gflops = 2.0 * N * N * N / best / 1e6;
        memset(big, 1, (size_t)WORDS * sizeof *big);
        volatile uint64_t sink = 0;
        best = 1e9;
        for (int i = 0; i < 5; i++) {
            double t = now_ms();
            uint64_t sum = 0;
            for (int k = 0; k < WORDS; k++)
                sum += big[k];
            sink = sink + sum;
            t = now_ms() - t;
            best = t < best ? t : best;
        }
        *gbytes = (double)WORDS * sizeof *big / best / 1e6;
    }
    hl_free(m);
    hl_free(big);
}

static double
time_run(const struct hl_model *m, const struct hl_request *req, int *tokens)
{
    double best = 1e9;
    for (int i = 0; i < 9; i++) {
        struct hl_record *r = NULL;
        struct hl_error err;
        double t = now_ms();
        if (hl_model_run(m, req, &r, &err) != HL_OK)
            return 0;
        t = now_ms() - t;
        best = t < best ? t : best;
        const struct hl_axis *target = hl_record_find_axis(r, "target");
        *tokens = target ? target->n : 0;
        hl_record_destroy(r);
    }
    return best;
}

static void
bench_engine(struct hl_library *lib)
{
    double gflops, gbytes;
    char a[32], b[32], c[32];
    measure_machine(&gflops, &gbytes);
    printf("this machine, 1 thread: matrix product %s GFLOP/s, memory %s GB/s\n",
           hl_fmt_fixed(a, sizeof a, gflops, 1), hl_fmt_fixed(b, sizeof b, gbytes, 1));
    static const char *const names[] = { "en-fr-transformer", "en-fr-gru" };
    for (int i = 0; i < 2; i++) {
        const struct hl_model *m;
        struct hl_error err;
        if (library_get(lib, names[i], &m, &err) != HL_OK)
            continue;
        struct hl_request req = { .text = sentences[0] };
        int n = 0, forced_n = 0;
        double ms = time_run(m, &req, &n);
        struct hl_request one = { .text = sentences[0] };
        hl_request_set(&one, "max", 1);
        double enc = time_run(m, &one, &forced_n);
        double step = n > 1 ? (ms - enc) / (n - 1) : 0;
        double weights = (double)hl_model_info(m)->weights_sz;
        printf("engine, %s: %s ms for %d words, greedy, no draft; a decoder step %s ms", names[i],
               hl_fmt_fixed(a, sizeof a, ms, 2), 20, hl_fmt_fixed(b, sizeof b, step, 3));
        printf(" (reading all weights once would take %s ms)\n",
               hl_fmt_fixed(c, sizeof c, gbytes > 0 ? weights / gbytes / 1e6 : 0, 3));
    }
}

int
cli_bench(struct hl_library *lib, const struct hl_args *a)
{
    struct hl_error err = { 0 };
    struct hl_fonts *fonts = NULL;
    const struct hl_model *m;
    enum hl_status st = library_get(lib, a->model ? a->model : "en-fr-transformer", &m, &err);
    if (st == HL_OK)
        st = fonts_create(&fonts, &err);
    if (st == HL_OK)
        st = bench_size(lib, a, fonts, 1280, 800, 1, &err);
    if (st == HL_OK)
        st = bench_size(lib, a, fonts, 3840, 2160, 2.5f, &err);
    if (st == HL_OK)
        bench_engine(lib);
    fonts_destroy(fonts);
    return st == HL_OK ? 0 : cli_fail(&err);
}
