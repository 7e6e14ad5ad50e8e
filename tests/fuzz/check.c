#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
fuzz_holds(int ok, const char *what, const char *file, int line)
{
    if (ok)
        return;
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}

void
fuzz_check_encoding(const struct hl_tok *t, const struct hl_encoding *e, size_t n,
                    struct hl_arena *a)
{
    int32_t start = 0, end = 0, word = 0;
    for (int i = 0; i < e->n; i++) {
        HOLDS(e->ids[i] >= 0 && e->ids[i] < hl_tok_n(t));
        HOLDS((e->start[i] == -1) == (e->end[i] == -1));
        HOLDS(!e->special[i] || e->word[i] == -1);
        if (e->start[i] == -1)
            continue;
        HOLDS(e->start[i] >= start && e->end[i] >= end && e->end[i] >= e->start[i]);
        HOLDS((size_t)e->end[i] <= n);
        start = e->start[i];
        end = e->end[i];
        HOLDS(e->special[i] || e->word[i] >= word);
        word = e->special[i] ? word : e->word[i];
    }
    int32_t *from = hl_arena_new(a, e->n, int32_t), *to = hl_arena_new(a, e->n, int32_t);
    HOLDS(from && to);
    char *text = hl_tok_decode(t, e->ids, e->n, a, from, to);
    HOLDS(text != NULL);
    int32_t len = (int32_t)strlen(text);
    for (int i = 0; i < e->n; i++)
        HOLDS(from[i] >= -1 && from[i] <= to[i] && to[i] <= len);
}
