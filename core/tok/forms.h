/* The four Unicode normalisation forms (UAX 15), with spans. */
#pragma once

#include <stdbool.h>

#include "tok/ntext.h"

/* Appends the form of `t` to `out`: composed (NFC, NFKC) or decomposed (NFD, NFKD),
 * `compat` for the K forms. Grapheme clusters that the form leaves alone keep the
 * spans of their characters; in one that it changes, each character stands for the
 * whole cluster. Linear in the text but for sorting marks, which is linear, too.
 * Thread-safety: one thread per buffer. Fails: sets out->failed. */
void hl_form_apply(const struct hl_ntext *t, bool compose, bool compat, struct hl_nbuf *out);
