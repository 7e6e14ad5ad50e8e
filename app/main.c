#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "cli.h"
#include "library.h"
#include "run_window.h"

static int
dispatch(const struct hl_args *a)
{
    static struct hl_library lib;
    library_init(&lib);
    int status = 0;
    switch (a->command) {
    case ARGS_WINDOW:
        status = run_window(&lib, a);
        break;
    case ARGS_DUMP:
        status = cli_dump(&lib, a);
        break;
    case ARGS_RENDER:
        status = cli_render(&lib, a);
        break;
    case ARGS_TRANSLATE:
        status = cli_translate(&lib, a);
        break;
    case ARGS_TOKENIZE:
        status = cli_tokenize(&lib, a);
        break;
    case ARGS_MODELS:
        status = cli_models(&lib);
        break;
    case ARGS_BENCH:
        status = cli_bench(&lib, a);
        break;
    case ARGS_HELP:
        fputs(args_help, stdout);
        break;
    case ARGS_VERSION:
        puts("headlight " HL_VERSION);
        break;
    }
    library_deinit(&lib);
    return status;
}

int
main(int argc, char **argv)
{
    /* For the input method; numbers are read and written without the locale. */
    setlocale(LC_ALL, "");
    struct hl_args args;
    struct hl_error err = { 0 };
    if (args_parse(argc, argv, &args, &err) != HL_OK)
        return cli_fail(&err);
    return dispatch(&args);
}
