/* Laws of sinusoidal positions, in every layout. */
#include "harness/law.h"

#include <math.h>

#include "attn/posenc.h"

struct layout {
    enum hl_posenc_order order;
    enum hl_posenc_freq freq;
    int d, first, n;
    float *rows;
};

static struct layout
draw(struct law_case *c)
{
    struct layout t = { 0 };
    t.order = (enum hl_posenc_order)law_dim(c, "order", 0, HL_POSENC_ORDER_COUNT - 1);
    t.freq = (enum hl_posenc_freq)law_dim(c, "freq", 0, HL_POSENC_FREQ_COUNT - 1);
    t.d = law_dim(c, "D", 1, 40);
    t.first = law_dim(c, "first", 0, 300);
    t.n = law_dim(c, "T", 1, 10);
    t.rows = law_zeros(c, t.n * t.d);
    hl_posenc_rows(t.order, t.freq, t.first, t.n, t.d, t.rows, t.d);
    return t;
}

/* Column of the sine or cosine of a pair, -1 if there is none. */
static int
column_of(const struct layout *t, int pair, int cosine)
{
    for (int i = 0; i < t->d; i++) {
        struct hl_posenc_column col = hl_posenc_column(t->order, t->freq, t->d, i);
        if (col.pair == pair && col.cosine == cosine)
            return i;
    }
    return -1;
}

static bool
values_are_bounded(struct law_case *c)
{
    struct layout t = draw(c);
    for (int i = 0; i < t.n * t.d; i++) {
        if (!(fabsf(t.rows[i]) <= 1.0f))
            return law_no(c, "place %d is %g", i, (double)t.rows[i]);
    }
    return true;
}

static bool
steps_are_rotations(struct law_case *c)
{
    struct layout t = draw(c);
    for (int pair = 0; pair < t.d / 2; pair++) {
        int s = column_of(&t, pair, 0), k = column_of(&t, pair, 1);
        if (s < 0 || k < 0)
            return law_no(c, "pair %d is not whole", pair);
        for (int i = 0; i + 1 < t.n; i++) {
            const float *now = t.rows + i * t.d, *next = now + t.d;
            double f = hl_posenc_column(t.order, t.freq, t.d, s).frequency;
            double sine = cos(f) * (double)now[s] + sin(f) * (double)now[k];
            double cosine = cos(f) * (double)now[k] - sin(f) * (double)now[s];
            if (fabs((double)next[s] - sine) > 3e-7 || fabs((double)next[k] - cosine) > 3e-7)
                return law_no(c, "pair %d from row %d", pair, i);
        }
    }
    return true;
}

static bool
rows_do_not_depend_on_the_range(struct law_case *c)
{
    struct layout t = draw(c);
    float *one = law_zeros(c, t.d);
    for (int i = 0; i < t.n; i++) {
        hl_posenc_rows(t.order, t.freq, t.first + i, 1, t.d, one, t.d);
        if (!law_same(c, "row", one, t.rows + i * t.d, t.d))
            return false;
    }
    return true;
}

static bool
orders_hold_the_same_numbers(struct law_case *c)
{
    struct layout t = draw(c), u = t;
    u.order = t.order == HL_POSENC_HALVES ? HL_POSENC_INTERLEAVED : HL_POSENC_HALVES;
    float *rows = law_zeros(c, t.n * t.d);
    hl_posenc_rows(u.order, u.freq, u.first, u.n, u.d, rows, u.d);
    for (int i = 0; i < t.d; i++) {
        struct hl_posenc_column col = hl_posenc_column(t.order, t.freq, t.d, i);
        int j = column_of(&u, col.pair, col.cosine);
        for (int r = 0; r < t.n; r++) {
            if (j < 0 || rows[r * t.d + j] != t.rows[r * t.d + i])
                return law_no(c, "column %d", i);
        }
    }
    return true;
}

int
main(int argc, char **argv)
{
    static const struct law laws[] = {
        { "values lie in [-1, 1]", values_are_bounded },
        { "row p + 1 is a fixed rotation of row p", steps_are_rotations },
        { "a row does not depend on the range it is asked in", rows_do_not_depend_on_the_range },
        { "both orders hold the same numbers", orders_hold_the_same_numbers },
    };
    return law_main(laws, (int)(sizeof(laws) / sizeof(laws[0])), argc, argv);
}
