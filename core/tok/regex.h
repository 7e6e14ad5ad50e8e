/* The regular expressions found in tokenizer files (PCRE2 with Unicode properties). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct hl_regex;

/* Compiles `pattern`, which may not match the empty string. Ownership:
 * hl_regex_destroy. Thread-safety: a compiled expression is immutable and may be
 * shared. Fails: TOKENIZER, NOMEM. */
enum hl_status hl_regex_create(const char *pattern, const char *where, struct hl_regex **out,
                               struct hl_error *err);
void hl_regex_destroy(struct hl_regex *r); /* NULL-safe */

/* Calls `match(user, from, to)` for each match in s[0..n), left to right. Fails:
 * TOKENIZER (the search takes too long), NOMEM. Reentrant. */
enum hl_status hl_regex_each(const struct hl_regex *r, const char *s, size_t n,
                             void (*match)(void *user, size_t from, size_t to), void *user,
                             struct hl_error *err);
