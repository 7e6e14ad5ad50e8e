/* What a fuzz target is, and how it states its properties. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "tok/tok.h"

/* libFuzzer's entry point: each target defines it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Stops the program, as a crash would, when a property does not hold. */
#define HOLDS(condition) fuzz_holds((condition), #condition, __FILE__, __LINE__)

void fuzz_holds(int ok, const char *what, const char *file, int line);

/* The properties of an encoding: ordered spans inside the text, special ids without
 * word; and that it decodes, each id's span lying inside the result. */
void fuzz_check_encoding(const struct hl_tok *t, const struct hl_encoding *e, size_t n,
                         struct hl_arena *a);
