/* The sums of one address on the Memory screen: whoever does them again with the digits
 * shown gets what is shown. */
#include "unit/screens2/stage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/ntm_sample.h"
#include "screen/memory/memory_priv.h"
#include "session.h"

static void
open_sums(struct stage *g, float w, float h)
{
    const struct hl_model_info info = { .name = "ntm-copy",
                                        .title = "Copy · Neural Turing Machine",
                                        .network = &hl_network_ntm,
                                        .details = &ntm_sample_info };
    stage_open(g, "memory", w, h);
    stage_set(g, "text", "hello, tape");
    g->fx.n = 0;
    app_model_ready(&g->s, info.name, &info, &g->fx);
    struct hl_effects fx = g->fx;
    for (int i = 0; i < fx.n; i++) {
        const struct hl_effect *e = &fx.v[i];
        if (e->kind != FX_RUN)
            continue;
        struct hl_result r = { .slot = e->slot, .ticket = e->ticket };
        r.record =
            ntm_sample_run(e->req.text, e->req.n_overrides > 0 ? &memory_of(&g->s)->options : NULL);
        assert_non_null(r.record);
        struct hl_event ev = { .kind = EV_RESULT, .result = &r };
        app_update(&g->s, &ev, &g->fx);
    }
    stage_set(g, "chain", "sums");
}

/* The first text on show that has `part`, after `skip` such ones, with ASCII minuses. */
static void
line_with(const struct stage *g, const char *part, int skip, char *buf, size_t buf_sz)
{
    buf[0] = 0;
    for (const struct dl_cmd *c = dl_first(&g->dl); c != NULL; c = dl_next(&g->dl, c)) {
        if (c->kind != DL_TEXT || strstr(dl_tail(c), part) == NULL || skip-- > 0)
            continue;
        size_t n = 0;
        for (const char *p = dl_tail(c); *p != 0 && n + 1 < buf_sz; p++) {
            bool minus = strncmp(p, "−", 3) == 0;
            buf[n++] = minus ? '-' : *p;
            p += minus ? 2 : 0;
        }
        buf[n] = 0;
        return;
    }
    fail_msg("nothing on show has %s", part);
}

/* The numbers on show give `is`, whose heading is on show to four digits. */
static void
expect_sum(const struct stage *g, const char *what, double made, double is)
{
    char n[32];
    if (fabs(made - is) > 5e-4 * fabs(is) + 1e-30)
        fail_msg("%s: %.9g from what is shown, not %.9g", what, made, is);
    if (!stage_shows(g, memory_digits(n, sizeof n, is, 4)))
        fail_msg("%s: %s is not shown", what, n);
}

static double
shown_cosine(const struct stage *g)
{
    char line[160];
    double a, b, c, d = 0;
    line_with(g, " / (", 0, line, sizeof line);
    assert_true(sscanf(line, "%lf / (%lf × %lf + %lf", &a, &b, &c, &d) >= 3);
    return a / (b * c + d);
}

/* e from its line, against the e that the line ends with. */
static void
check_exponential(const struct stage *g)
{
    char line[160];
    double beta, a, b = 0, e;
    line_with(g, "exp(", 0, line, sizeof line);
    if (sscanf(line, "exp(%lf × (%lf - %lf)) = %lf", &beta, &a, &b, &e) != 4) {
        b = 0;
        assert_int_equal(sscanf(line, "exp(%lf × %lf) = %lf", &beta, &a, &e), 3);
    }
    assert_true(fabs(exp(beta * (a - b)) - e) <= 1e-3 * e);
}

static void
check_shown(const struct stage *g, int address)
{
    struct memory_run r;
    assert_true(memory_run_now(&g->s, &r));
    struct memory_at at = memory_now(&g->s, &r);
    double is[MEMORY_STAGES], a, b, c, d, sum = 0;
    char line[160];
    for (int i = 0; i < MEMORY_STAGES; i++)
        is[i] = (double)memory_row(&r, at, (enum memory_stage)i)[address];
    expect_sum(g, "cosine", shown_cosine(g), is[MEMORY_COSINE]);
    check_exponential(g);
    line_with(g, " / Σ ", 0, line, sizeof line);
    assert_int_equal(sscanf(line, "%lf / Σ %lf", &a, &b), 2);
    expect_sum(g, "content", a / b, is[MEMORY_CONTENT]);
    for (int i = 0, n = 0; n != 4; i++) { /* the only one of four numbers */
        line_with(g, " × ", i, line, sizeof line);
        n = sscanf(line, "%lf × %lf + %lf × %lf", &a, &b, &c, &d);
    }
    expect_sum(g, "gated", a * b + c * d, is[MEMORY_GATED]);
    for (int i = 0; i < r.n_shifts; i++) {
        line_with(g, " from ", i, line, sizeof line);
        assert_int_equal(sscanf(line + 1, "%lf × %lf from", &a, &b), 2);
        sum += a * b;
    }
    expect_sum(g, "shifted", sum, is[MEMORY_SHIFTED]);
    line_with(g, " ^ ", 0, line, sizeof line);
    assert_int_equal(sscanf(line, "%lf ^ %lf = %lf", &a, &b, &c), 3);
    assert_true(fabs(pow(a, b) - c) <= 1e-3 * c);
    line_with(g, " / Σ ", 1, line, sizeof line);
    assert_int_equal(sscanf(line, "%lf / Σ %lf", &a, &b), 2);
    expect_sum(g, "weight", b > 0 ? a / b : 0, is[MEMORY_WEIGHTS]);
}

/* What the sums show can be done again, at any address, in a large and a small window. */
static void
test_shown_sums(void **state)
{
    static const float sizes[][2] = { { 900, 600 }, { 1280, 800 } };
    struct stage g;
    (void)state;
    for (int i = 0; i < N_OF(sizes); i++) {
        open_sums(&g, sizes[i][0], sizes[i][1]);
        for (int step = 1; step <= 23; step += 2) {
            for (int address = 0; address < 16; address += 3) {
                char n[8];
                snprintf(n, sizeof n, "%d", step);
                stage_set(&g, "step", n);
                snprintf(n, sizeof n, "%d", address);
                stage_set(&g, "slot", n);
                stage_draw(&g);
                check_shown(&g, address);
            }
        }
        stage_close(&g);
    }
}

static void
test_digits(void **state)
{
    static const struct {
        double v;
        int n;
        const char *text;
    } cases[] = { { 0, 5, "0" },
                  { 1, 5, "1" },
                  { -3, 4, "−3" },
                  { 0.0634, 5, "0.063400" },
                  { 2.61337e-6, 5, "2.6134e−6" },
                  { -0.25, 4, "−0.2500" },
                  { 0.0099996, 4, "0.01000" },
                  { 9.99996e-5, 4, "1.000e−4" },
                  { 99.99999, 5, "100.00" },
                  { 1234567.5, 5, "1.2346e6" } };
    char n[32];
    (void)state;
    for (int i = 0; i < N_OF(cases); i++)
        assert_string_equal(memory_digits(n, sizeof n, cases[i].v, cases[i].n), cases[i].text);
}

int
main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shown_sums),
        cmocka_unit_test(test_digits),
    };
    stage_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
