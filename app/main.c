#include <errno.h>
#include <locale.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "base/map.h"
#include "cli.h"
#include "library.h"
#include "run_window.h"

static int
say(const char *text)
{
    struct hl_error err;
    if (fputs(text, stdout) != EOF && fflush(stdout) == 0)
        return 0;
    hl_error_set(&err, HL_E_WRITE, "standard output", "%s", strerror(errno));
    return cli_fail(&err);
}

static int
say_help(void)
{
    struct hl_sb sb = { 0 };
    args_print_help(&sb);
    int status = sb.failed ? 1 : say(sb.p);
    hl_sb_deinit(&sb);
    return status;
}

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
        status = say_help();
        break;
    case ARGS_VERSION:
        status = say("headlight " HL_VERSION "\n");
        break;
    }
    library_deinit(&lib);
    return status;
}

/* A record of a megabyte or two comes and goes at each key, while the last one is still
 * shown. Given back to the system every time, its pages cost more to fault in again
 * than the model takes: keep them. */
static void
keep_freed_memory(void)
{
#ifdef __GLIBC__
    enum { MOST = 256 * 1024 * 1024, STEP = 8 * 1024 * 1024 };
    mallopt(M_MMAP_THRESHOLD, MOST);
    mallopt(M_TRIM_THRESHOLD, MOST);
    mallopt(M_TOP_PAD, STEP);
#endif
}

/* A large file of weights is read as it is needed. If its end is gone by then, the read
 * goes on with zeros and the run ends in a sentence (hl_map_changed). */
static void
on_bus_error(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (!hl_map_mend(info->si_addr))
        signal(number, SIG_DFL); /* the same again ends the program */
}

static void
catch_bus_errors(void)
{
    struct sigaction act = { .sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO };
    sigemptyset(&act.sa_mask);
    sigaction(SIGBUS, &act, NULL);
}

int
main(int argc, char **argv)
{
    keep_freed_memory();
    catch_bus_errors();
    /* For the input method; numbers are read and written without the locale. */
    setlocale(LC_ALL, "");
    struct hl_args args;
    struct hl_error err = { 0 };
    if (args_parse(argc, argv, &args, &err) != HL_OK)
        return cli_fail(&err);
    return dispatch(&args);
}
