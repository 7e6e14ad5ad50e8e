/* UTF-8 reading, repair and the few Unicode facts the program needs (categories
 * and grapheme breaks come from utf8proc). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* Decodes the character at s[0..n), n > 0: returns its length in bytes (1..4) and
 * its code point; an invalid byte gives 1 and U+FFFD. Reentrant. */
size_t hl_utf8_next(const char *s, size_t n, uint32_t *cp);
/* Length in bytes of the character that ends at s[at), at > 0. Reentrant. */
size_t hl_utf8_prev(const char *s, size_t at);
/* Writes cp to buf (4 bytes) and returns the length. Surrogates and values over
 * U+10FFFF are written as U+FFFD. Reentrant. */
size_t hl_utf8_put(char *buf, uint32_t cp);
bool hl_utf8_valid(const char *s, size_t n);
/* A valid, NUL-terminated copy: each maximal invalid part and each NUL becomes
 * U+FFFD. *out_n is its length. Fails: NULL (no memory). */
char *hl_utf8_repair(struct hl_arena *a, const char *s, size_t n, size_t *out_n);
/* Writes spaces over control characters (C0, DEL, C1) and those that turn the direction
 * of a line, which must not reach a terminal; s[0..n) may be cut or invalid. Reentrant. */
void hl_utf8_blank_controls(char *s, size_t n);
/* Canonical composition (NFC) of valid text. Fails: NULL (no memory). */
char *hl_utf8_nfc(struct hl_arena *a, const char *s, size_t n, size_t *out_n);
/* Byte offset of the next / previous extended grapheme border after / before `at`. */
size_t hl_utf8_grapheme_next(const char *s, size_t n, size_t at);
size_t hl_utf8_grapheme_prev(const char *s, size_t n, size_t at);
/* Offsets of word borders, for Ctrl+arrows and double clicks: skips separators
 * then letters and digits (or one run of other symbols). */
size_t hl_utf8_word_next(const char *s, size_t n, size_t at);
size_t hl_utf8_word_prev(const char *s, size_t n, size_t at);
bool hl_utf8_is_space(uint32_t cp);
bool hl_utf8_is_punct(uint32_t cp);
bool hl_utf8_is_word(uint32_t cp); /* letter, mark or number */
