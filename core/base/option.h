/* A typed option: what a person may choose, declared once. Networks, mechanisms and
 * screens list theirs in tables of these; from a row follow the control that is drawn,
 * the key of --set, what is saved, the tip and the line of the help page.
 *
 * A value is a double: 0 or 1 of a switch, the number, or the place of a choice. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum hl_option_kind {
    HL_OPTION_SWITCH, /* 0 or 1 */
    HL_OPTION_WHOLE,  /* whole number in min..max */
    HL_OPTION_REAL,   /* number in min..max */
    HL_OPTION_CHOICE, /* one of `names`, by its place */
    HL_OPTION_COUNT
};

struct hl_option {
    const char *key;   /* "scale" */
    const char *label; /* "divide by √d_k" */
    enum hl_option_kind kind;
    double min, max, initial;  /* initial NAN: the owner's own value, a choice of its own */
    const char *const *names;  /* CHOICE: in files and --set; NULL-terminated */
    const char *const *titles; /* CHOICE: for people; NULL: the names */
    const char *tip;           /* what it changes, one sentence; may be NULL */
};

/* Values of a choice; 2 of a switch; 0 of numbers. Thread-safety: reentrant. */
int hl_option_n(const struct hl_option *o);

/* Whether v is a value of the option. Thread-safety: reentrant. */
bool hl_option_allows(const struct hl_option *o, double v);

/* Reads "on", "off", a number or a name. Thread-safety: reentrant. Fails: ARGUMENT, with
 * a sentence that says what is allowed; *out is unchanged. */
enum hl_status hl_option_parse(const struct hl_option *o, const char *text, double *out,
                               struct hl_error *err);

/* Writes what hl_option_parse reads back exactly (one of `names`, at most 17 digits) into
 * buf; returns buf. Thread-safety: reentrant. */
const char *hl_option_print(const struct hl_option *o, double v, char *buf, size_t buf_sz);

/* The row of a key among n; NULL if there is none. Thread-safety: reentrant. */
const struct hl_option *hl_option_find(const struct hl_option *rows, int n, const char *key);
