/* The commands without a window. Each returns the exit status: 0, or 1 with one
 * line on standard error, or 2 for wrong usage. */
#pragma once

#include "args.h"
#include "library.h"

int
cli_dump(struct hl_library *lib, const struct hl_args *a);
int
cli_translate(struct hl_library *lib, const struct hl_args *a);
int
cli_tokenize(struct hl_library *lib, const struct hl_args *a);
int
cli_models(struct hl_library *lib);
int
cli_render(struct hl_library *lib, const struct hl_args *a);
int
cli_bench(struct hl_library *lib, const struct hl_args *a);

/* Prints "headlight: <error>" to standard error and returns the exit status. */
int
cli_fail(const struct hl_error *err);
