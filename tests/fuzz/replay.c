/* Runs a target on every file of a folder: as it is, cut at many places, and changed
 * in many ways from a fixed seed. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "fuzz.h"

enum { SIZE_MAX_READ = 1 << 20, N_CUTS = 60, N_CHANGES = 300, EDITS_MAX = 6 };

static void
change(uint8_t *p, size_t *n, size_t cap, struct hl_rng *rng)
{
    static const char *const words[] = { "{",       "}",    "[",        "]",
                                         ":",       "\"",   ",",        "0",
                                         "-1",      "9",    "1e308",    "null",
                                         "\\u0000", "\xFF", "\xCC\x81", "  ",
                                         "▁",       "</s>", "<0x41>",   "18446744073709551615" };
    size_t at = *n ? (size_t)hl_rng_below(rng, (int)*n) : 0;
    switch (hl_rng_below(rng, 4)) {
    case 0:
        if (*n)
            p[at] = (uint8_t)hl_rng_next(rng);
        break;
    case 1:
        if (*n)
            memmove(p + at, p + at + 1, --*n - at);
        break;
    case 2:
        if (*n)
            p[at] ^= (uint8_t)(1 << hl_rng_below(rng, 8));
        break;
    default: {
        const char *w = words[hl_rng_below(rng, (int)(sizeof(words) / sizeof(words[0])))];
        size_t len = strlen(w);
        if (*n + len > cap)
            break;
        memmove(p + at + len, p + at, *n - at);
        memcpy(p + at, w, len);
        *n += len;
        break;
    }
    }
}

/* In a block of its very size, so that a sanitizer sees one byte too many. */
static void
run_on(const uint8_t *p, size_t n)
{
    uint8_t *exact = malloc(n ? n : 1);
    HOLDS(exact != NULL);
    memcpy(exact, p, n);
    LLVMFuzzerTestOneInput(exact, n);
    free(exact);
}

static void
replay(const char *path)
{
    static uint8_t seed[SIZE_MAX_READ], copy[SIZE_MAX_READ];
    struct hl_rng rng;
    FILE *f = fopen(path, "rb");
    HOLDS(f != NULL);
    size_t n = fread(seed, 1, sizeof(seed), f);
    fclose(f);
    run_on(seed, n);
    for (size_t i = 0; i < N_CUTS; i++)
        run_on(seed, n * i / N_CUTS);
    hl_rng_init(&rng, 1 + n);
    for (int i = 0; i < N_CHANGES; i++) {
        size_t m = n;
        memcpy(copy, seed, n);
        for (int k = hl_rng_below(&rng, EDITS_MAX); k >= 0; k--)
            change(copy, &m, sizeof(copy), &rng);
        run_on(copy, m);
    }
}

int
main(int argc, char **argv)
{
    int n = 0;
    for (int i = 1; i < argc; i++) {
        DIR *dir = opendir(argv[i]);
        HOLDS(dir != NULL);
        for (struct dirent *d = readdir(dir); d; d = readdir(dir)) {
            char path[4096];
            if (d->d_name[0] == '.')
                continue;
            snprintf(path, sizeof(path), "%s/%s", argv[i], d->d_name);
            replay(path);
            n++;
        }
        closedir(dir);
    }
    printf("%d seeds replayed\n", n);
    return n > 0 ? 0 : 1;
}
