#include "model/sagan_words.h"

#include <assert.h>
#include <string.h>

#include "base/utf8.h"

/* Length of the space or hyphen at s[0..n), n > 0; 0 for anything else. */
static size_t
gap(const char *s, size_t n)
{
    uint32_t cp;
    size_t len = hl_utf8_next(s, n, &cp);
    bool hyphen = cp == '-' || cp == '_' || cp == 0x2010 || cp == 0x2011;
    return hyphen || hl_utf8_is_space(cp) ? len : 0;
}

static size_t
skip_gaps(const char *s, size_t n, size_t at)
{
    size_t len;
    while (at < n && (len = gap(s + at, n - at)) > 0)
        at += len;
    return at;
}

static char
small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool
hl_sagan_words_init(struct hl_sagan_words *w, int cap, struct hl_arena *a)
{
    *w =
        (struct hl_sagan_words) { .cap = cap, .words = hl_arena_new(a, cap, struct hl_sagan_word) };
    return w->words != NULL;
}

bool
hl_sagan_words_add(struct hl_sagan_words *w, const char *word, int class_id, struct hl_arena *a,
                   bool *empty)
{
    size_t n = strlen(word), to = 0;
    char *text = hl_arena_strndup(a, word, n);

    assert(w->n < w->cap);
    if (!text)
        return false;
    for (size_t at = skip_gaps(word, n, 0); at < n;) {
        size_t next = skip_gaps(word, n, at);
        if (next > at && next < n)
            text[to++] = ' ';
        else if (next == at)
            text[to++] = small(word[next++]);
        at = next;
    }
    text[to] = '\0';
    *empty = to == 0;
    if (to > 0)
        w->words[w->n++] = (struct hl_sagan_word) { text, class_id };
    return true;
}

/* How many bytes of s[0..n) the word takes up, 0 if it is not there. */
static size_t
match(const char *word, const char *s, size_t n)
{
    size_t at = 0;
    for (; *word; word++) {
        /* only here: a run of spaces is not gone through again from each of them */
        size_t next = *word == ' ' ? skip_gaps(s, n, at) : at + 1;
        if (*word == ' ' ? next == at : at >= n || small(s[at]) != *word)
            return 0;
        at = next;
    }
    uint32_t cp = ' ';
    if (at < n)
        hl_utf8_next(s + at, n - at, &cp);
    return hl_utf8_is_word(cp) ? 0 : at;
}

int
hl_sagan_words_find(const struct hl_sagan_words *w, const char *text, int max,
                    struct hl_sagan_found *out, int32_t *more_at)
{
    size_t n = strlen(text), at = 0;
    bool inside = false; /* a word: nothing can begin here */
    int found = 0;

    *more_at = -1;
    while (at < n) {
        size_t best = 0, len;
        int class_id = 0;
        for (int i = 0; i < w->n && !inside; i++) {
            len = match(w->words[i].text, text + at, n - at);
            class_id = len > best ? w->words[i].class_id : class_id;
            best = len > best ? len : best;
        }
        if (best > 0 && found < max)
            out[found] = (struct hl_sagan_found) { class_id, (int32_t)at, (int32_t)(at + best) };
        else if (best > 0 && found == max)
            *more_at = (int32_t)at;
        found += best > 0;
        uint32_t cp;
        len = hl_utf8_next(text + at, n - at, &cp);
        inside = best > 0 || hl_utf8_is_word(cp);
        at += best > 0 ? best : len;
    }
    return found;
}
