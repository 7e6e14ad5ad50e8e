#include "args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/network.h"

static const char args_help[] =
    "Headlight: see what a model attends to, as you type\n"
    "\n"
    "  headlight [--model NAME|DIR] [--screen S] [--image FILE] [TEXT]      the window\n"
    "  headlight dump      --model M [--text T] [--target T | --decoder-ids \"0 12 7\"]\n"
    "                      [--set KEY=VALUE]... [--stages weights|all]\n"
    "                      attention as JSON; without --text one object per line of input,\n"
    "                      where a tab may separate a translator's text from a forced\n"
    "                      target; --stages all adds scores or the stages of addressing,\n"
    "                      and vectors: states, or a machine's memory at each step\n"
    "  headlight dump      --model M --image FILE     the same of a PNG or JPEG picture\n"
    "  headlight render    --screen S [--model M] [--text T] [--image FILE] [--size WxH]\n"
    "                      [--scale F] [--set KEY=VALUE]... -o FILE.{png,svg}\n"
    "  headlight translate --model M [--beam N] [--set KEY=VALUE]... [--text T]\n"
    "                      without --text one line out per line of input\n"
    "  headlight tokenize  --model M [--text T]   ids, pieces and byte spans as JSON\n"
    "  headlight models                           what is shipped, installed and found\n"
    "  headlight bench     [--model M] [--edits N]  key press to picture, and engine figures\n"
    "\n"
    "Screens: translate, transformer, positions, memory, images, arithmetic.\n"
    "Keys for a screen (view, map, layer, head, pin, scale, ...): the README lists them.\n"
    "Layers and heads count from 1 here and on screen, from 0 in JSON.\n"
    "Exit status: 0, 2 for wrong usage, 3 where no window can be opened, 1 for anything else.\n";

/* "  beam=1..16  How many ..." */
static void
print_option(struct hl_sb *out, const struct hl_option *o)
{
    hl_sb_printf(out, "  %s=", o->key);
    if (o->kind == HL_OPTION_SWITCH)
        hl_sb_puts(out, "on|off");
    for (int i = 0; o->kind == HL_OPTION_CHOICE && o->names[i]; i++)
        hl_sb_printf(out, "%s%s", i > 0 ? "|" : "", o->names[i]);
    if (o->kind == HL_OPTION_WHOLE || o->kind == HL_OPTION_REAL) {
        hl_sb_num(out, o->min, 17);
        hl_sb_puts(out, "..");
        hl_sb_num(out, o->max, 17);
    }
    hl_sb_printf(out, "\n      %s\n", o->tip);
}

void
args_print_help(struct hl_sb *out)
{
    int n;
    const struct hl_network *const *all = hl_network_all(&n);
    hl_sb_puts(out, args_help);
    hl_sb_puts(out, "\nKeys of --set for the run of a model, by its kind:\n");
    for (int i = 0; i < n; i++) {
        if (all[i]->n_options == 0 && !(all[i]->inputs & HL_INPUT_TARGET))
            continue;
        hl_sb_printf(out, "\n%s (%s)\n", all[i]->kind, all[i]->key);
        for (int k = 0; k < all[i]->n_options; k++)
            print_option(out, &all[i]->options[k]);
        if (all[i]->inputs & HL_INPUT_TARGET)
            hl_sb_puts(out, "  target=TEXT\n      The target is given, and the alignment of the "
                            "pair is shown.\n");
        if (all[i]->inputs & HL_INPUT_PICTURE)
            hl_sb_puts(out, "  invert=on|off|auto\n      Exchanges light and dark of a picture; "
                            "auto goes by its edges.\n");
    }
}

/* Below this the layout has no room for its parts. */
enum { SIZE_MIN_W = 900, SIZE_MIN_H = 600, SIZE_LIMIT = 16384 };

static const struct {
    const char *name;
    enum args_command command;
} commands[] = {
    { "dump", ARGS_DUMP },         { "render", ARGS_RENDER }, { "translate", ARGS_TRANSLATE },
    { "tokenize", ARGS_TOKENIZE }, { "models", ARGS_MODELS }, { "bench", ARGS_BENCH },
    { "help", ARGS_HELP },         { "--help", ARGS_HELP },   { "-h", ARGS_HELP },
    { "--version", ARGS_VERSION },
};

/* Which commands know an option, as bits of 1 << command. */
#define BIT(c) (1u << (c))
#define RUNS (BIT(ARGS_DUMP) | BIT(ARGS_RENDER) | BIT(ARGS_TRANSLATE))

enum option {
    OPT_MODEL,
    OPT_SCREEN,
    OPT_TEXT,
    OPT_TEXT_PAIR,
    OPT_TARGET,
    OPT_DECODER_IDS,
    OPT_IMAGE,
    OPT_OUTPUT,
    OPT_SIZE,
    OPT_SCALE,
    OPT_BEAM,
    OPT_STAGES,
    OPT_EDITS,
    OPT_SET
};

static const struct {
    const char *name;
    enum option option;
    unsigned who;
} options[] = {
    { "--model", OPT_MODEL, RUNS | BIT(ARGS_WINDOW) | BIT(ARGS_TOKENIZE) | BIT(ARGS_BENCH) },
    { "--screen", OPT_SCREEN, BIT(ARGS_WINDOW) | BIT(ARGS_RENDER) },
    { "--text", OPT_TEXT, RUNS | BIT(ARGS_TOKENIZE) },
    { "--text-pair", OPT_TEXT_PAIR, BIT(ARGS_DUMP) },
    { "--target", OPT_TARGET, BIT(ARGS_DUMP) | BIT(ARGS_RENDER) },
    { "--decoder-ids", OPT_DECODER_IDS, BIT(ARGS_DUMP) },
    { "--image", OPT_IMAGE, BIT(ARGS_DUMP) | BIT(ARGS_RENDER) | BIT(ARGS_WINDOW) },
    { "-o", OPT_OUTPUT, BIT(ARGS_RENDER) },
    { "--output", OPT_OUTPUT, BIT(ARGS_RENDER) },
    { "--size", OPT_SIZE, BIT(ARGS_RENDER) },
    { "--scale", OPT_SCALE, BIT(ARGS_RENDER) | BIT(ARGS_WINDOW) },
    { "--beam", OPT_BEAM, BIT(ARGS_TRANSLATE) | BIT(ARGS_DUMP) },
    { "--stages", OPT_STAGES, BIT(ARGS_DUMP) },
    { "--edits", OPT_EDITS, BIT(ARGS_BENCH) },
    { "--set", OPT_SET, RUNS | BIT(ARGS_WINDOW) },
};

/* One to five digits at *s; moves *s behind them. */
static bool
read_digits(const char **s, int *out)
{
    const char *p = *s;
    int v = 0;
    while (*p >= '0' && *p <= '9' && p - *s < 5)
        v = v * 10 + (*p++ - '0');
    bool any = p != *s;
    *s = p;
    *out = v;
    return any;
}

static enum hl_status
parse_size(const char *value, struct hl_args *out, struct hl_error *err)
{
    const char *s = value;
    int w, h;
    if (!read_digits(&s, &w) || *s++ != 'x' || !read_digits(&s, &h) || *s != '\0' ||
        w < SIZE_MIN_W || h < SIZE_MIN_H || w > SIZE_LIMIT || h > SIZE_LIMIT)
        return hl_error_set(err, HL_E_ARGUMENT, "--size",
                            "'%s' is not WIDTHxHEIGHT between %dx%d and %dx%d", value, SIZE_MIN_W,
                            SIZE_MIN_H, SIZE_LIMIT, SIZE_LIMIT);
    out->width = w;
    out->height = h;
    return HL_OK;
}

static enum hl_status
parse_int(const char *name, const char *value, int lo, int hi, int *out, struct hl_error *err)
{
    long v;
    if (!hl_parse_long(value, &v) || v < lo || v > hi)
        return hl_error_set(err, HL_E_ARGUMENT, name, "'%s' is not a whole number from %d to %d",
                            value, lo, hi);
    *out = (int)v;
    return HL_OK;
}

static enum hl_status
parse_set(const char *value, struct hl_args *out, struct hl_error *err)
{
    const char *eq = strchr(value, '=');
    size_t n = eq ? (size_t)(eq - value) : 0;
    if (n == 0 || n >= sizeof out->set[0].key)
        return hl_error_set(err, HL_E_ARGUMENT, "--set", "'%s' is not KEY=VALUE", value);
    if (out->n_set == ARGS_SET_MAX)
        return hl_error_set(err, HL_E_ARGUMENT, "--set", "more than %d settings", ARGS_SET_MAX);
    memcpy(out->set[out->n_set].key, value, n);
    out->set[out->n_set].key[n] = '\0';
    out->set[out->n_set++].value = eq + 1;
    return HL_OK;
}

static enum hl_status
parse_option(enum option o, const char *name, const char *value, struct hl_args *out,
             struct hl_error *err)
{
    switch (o) {
    case OPT_MODEL:
        out->model = value;
        return HL_OK;
    case OPT_SCREEN:
        out->screen = value;
        return HL_OK;
    case OPT_TEXT:
        out->text = value;
        return HL_OK;
    case OPT_TEXT_PAIR:
        out->text_pair = value;
        return HL_OK;
    case OPT_TARGET:
        out->target = value;
        return HL_OK;
    case OPT_DECODER_IDS:
        out->decoder_ids = value;
        return HL_OK;
    case OPT_IMAGE:
        out->image = value;
        return HL_OK;
    case OPT_OUTPUT:
        out->output = value;
        return HL_OK;
    case OPT_SIZE:
        return parse_size(value, out, err);
    case OPT_SCALE:
        if (!hl_parse_double(value, &out->scale) || out->scale < 0.5 || out->scale > 8)
            return hl_error_set(err, HL_E_ARGUMENT, name, "'%s' is not a number from 0.5 to 8",
                                value);
        return HL_OK;
    case OPT_BEAM:
        return parse_int(name, value, 1, 16, &out->beam, err);
    case OPT_STAGES:
        out->all_stages = strcmp(value, "all") == 0;
        if (!out->all_stages && strcmp(value, "weights") != 0)
            return hl_error_set(err, HL_E_ARGUMENT, name, "'%s' is neither weights nor all", value);
        return HL_OK;
    case OPT_EDITS:
        return parse_int(name, value, 10, 100000, &out->edits, err);
    case OPT_SET:
        return parse_set(value, out, err);
    }
    return HL_OK;
}

static int
find_option(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (strlen(options[i].name) == n && strncmp(options[i].name, name, n) == 0)
            return (int)i;
    return -1;
}

/* One option at argv[*i], as "--name value" or "--name=value". */
static enum hl_status
parse_one(int argc, char **argv, int *i, struct hl_args *out, struct hl_error *err)
{
    const char *a = argv[*i];
    const char *eq = a[1] == '-' ? strchr(a, '=') : NULL;
    int k = find_option(a, eq ? (size_t)(eq - a) : strlen(a));
    if (k < 0)
        return hl_error_set(err, HL_E_ARGUMENT, a, "there is no such option");
    if (!(options[k].who & BIT(out->command)))
        return hl_error_set(err, HL_E_ARGUMENT, options[k].name, "this command does not take it");
    const char *value = eq ? eq + 1 : NULL;
    if (!value) {
        if (*i + 1 >= argc)
            return hl_error_set(err, HL_E_ARGUMENT, a, "its value is missing");
        value = argv[++*i];
    }
    return parse_option(options[k].option, options[k].name, value, out, err);
}

enum hl_status
args_parse(int argc, char **argv, struct hl_args *out, struct hl_error *err)
{
    memset(out, 0, sizeof *out);
    out->edits = 400;
    int i = 1;
    for (size_t k = 0; i < argc && k < sizeof commands / sizeof commands[0]; k++) {
        if (strcmp(argv[i], commands[k].name) == 0) {
            out->command = commands[k].command;
            i++;
            break;
        }
    }
    bool only_text = false;
    for (; i < argc; i++) {
        const char *a = argv[i];
        if (!only_text && strcmp(a, "--") == 0) {
            only_text = true;
        } else if (!only_text && (strcmp(a, "--help") == 0 || strcmp(a, "-h") == 0)) {
            out->command = ARGS_HELP;
        } else if (!only_text && a[0] == '-' && a[1] != '\0') {
            enum hl_status st = parse_one(argc, argv, &i, out, err);
            if (st != HL_OK)
                return st;
        } else if (out->command == ARGS_WINDOW && !out->text) {
            out->text = a;
        } else if (out->command != ARGS_HELP && out->command != ARGS_VERSION) {
            return hl_error_set(err, HL_E_ARGUMENT, a,
                                out->command == ARGS_WINDOW
                                    ? "one text is enough; put it in quotes"
                                    : "not understood; a text goes behind --text");
        }
    }
    if (out->command == ARGS_RENDER && !out->output)
        return hl_error_set(err, HL_E_ARGUMENT, "render",
                            "say where to write: -o FILE.png or .svg");
    if (out->target && out->decoder_ids)
        return hl_error_set(err, HL_E_ARGUMENT, "--target", "give it or --decoder-ids, not both");
    return HL_OK;
}
