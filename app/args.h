/* The command line, read once into plain data. */
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "base/span.h"

enum args_command {
    ARGS_WINDOW,
    ARGS_DUMP,
    ARGS_RENDER,
    ARGS_TRANSLATE,
    ARGS_TOKENIZE,
    ARGS_MODELS,
    ARGS_BENCH,
    ARGS_HELP,
    ARGS_VERSION
};

enum { ARGS_SET_MAX = 32 };

struct hl_args {
    enum args_command command;
    const char *model; /* NULL: the command's default */
    const char *screen;
    const char *text; /* NULL: lines from standard input */
    const char *text_pair;
    const char *target;
    const char *decoder_ids;
    const char *image;
    const char *output; /* -o */
    int width, height;  /* --size, logical pixels; 0 default */
    double scale;       /* --scale: device pixels per logical pixel */
    int beam;
    bool all_stages;
    int edits; /* bench: 400 */
    int n_set;
    struct {
        char key[32];
        const char *value;
    } set[ARGS_SET_MAX];
};

/* Reads argv. Strings are borrowed from it. Fails: ARGUMENT (the caller exits
 * with 2). */
enum hl_status args_parse(int argc, char **argv, struct hl_args *out, struct hl_error *err);

/* The text of --help, with the options of all networks. Fails: sets out->failed. */
void args_print_help(struct hl_sb *out);
