/* The byte alphabet of GPT-2: each of the 256 bytes is written as one visible character,
 * so that pieces of characters can stand in a vocabulary. Bytes 21-7E, A1-AC and AE-FF
 * stand for themselves, the others, in order, for U+0100 and on (a space is U+0120). */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "tok/ntext.h"

/* The sign for a space at the beginning of a word. */
#define HL_BYTELEVEL_MARK "\xC4\xA0"

/* Appends bytes [from, to) of t in the alphabet; each keeps the span of its character.
 * Thread-safety: one thread per buffer. Fails: sets out->failed. */
void hl_bytelevel_write(const struct hl_ntext *t, size_t from, size_t to, struct hl_nbuf *out);

/* The bytes of a piece written in the alphabet, into out (at most strlen(piece) of them);
 * their number, or -1 where a character is not of the alphabet. Thread-safety: reentrant.
 * Fails: never. */
int hl_bytelevel_read(const char *piece, char *out);

/* A piece for reading: its text without the space before it, bytes that make no
 * character as <0xNN>, the piece itself where nothing but white space is left.
 * Thread-safety: one thread per arena. Fails: NULL (no memory). */
const char *hl_bytelevel_label(struct hl_arena *a, const char *piece);
