/* Any words as the command line, one a line: understood, or refused with a sentence. */
#include "../fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"

enum { WORDS_MAX = 60 };

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hl_args args;
    struct hl_error err = { 0 };
    char name[] = "headlight", *argv[WORDS_MAX + 2] = { name }, *text = malloc(size + 1);
    int argc = 1;
    HOLDS(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    for (char *word = text; word != NULL && argc <= WORDS_MAX;) {
        char *next = strchr(word, '\n');
        if (next != NULL)
            *next++ = '\0';
        argv[argc++] = word;
        word = next;
    }
    enum hl_status st = args_parse(argc, argv, &args, &err);
    HOLDS(st == HL_OK || (st == HL_E_ARGUMENT && err.detail[0]));
    if (st == HL_OK) {
        HOLDS(args.n_set >= 0 && args.n_set <= ARGS_SET_MAX);
        for (int i = 0; i < args.n_set; i++)
            HOLDS(memchr(args.set[i].key, '\0', sizeof args.set[i].key) && args.set[i].value);
        HOLDS(args.width >= 0 && args.height >= 0 && isfinite(args.scale) && args.scale >= 0);
        HOLDS(!args.target || !args.decoder_ids);
    }
    free(text);
    return 0;
}
