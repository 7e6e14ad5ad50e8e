/* What a person reads for a model: the languages that its folder's name tells, and
 * the kind of network. */
#include "model/network.h"

#include <string.h>

static const struct {
    const char *code, *name;
} languages[] = {
    { "ar", "Arabic" },  { "cs", "Czech" },      { "da", "Danish" },    { "de", "German" },
    { "el", "Greek" },   { "en", "English" },    { "es", "Spanish" },   { "fi", "Finnish" },
    { "fr", "French" },  { "he", "Hebrew" },     { "hi", "Hindi" },     { "hu", "Hungarian" },
    { "it", "Italian" }, { "ja", "Japanese" },   { "ko", "Korean" },    { "nl", "Dutch" },
    { "pl", "Polish" },  { "pt", "Portuguese" }, { "ro", "Romanian" },  { "ru", "Russian" },
    { "sv", "Swedish" }, { "tr", "Turkish" },    { "uk", "Ukrainian" }, { "zh", "Chinese" },
};

/* The language whose code is s[0..n), NULL if none. */
static const char *
language(const char *s, size_t n)
{
    for (size_t i = 0; n == 2 && i < sizeof languages / sizeof languages[0]; i++) {
        if (memcmp(languages[i].code, s, 2) == 0)
            return languages[i].name;
    }
    return NULL;
}

char *
hl_model_make_title(struct hl_arena *a, const char *name, const char *kind)
{
    const char *before = NULL;
    for (const char *at = name; *at;) {
        size_t n = strcspn(at, "-_");
        const char *here = language(at, n);
        if (before && here)
            return hl_arena_printf(a, "%s → %s · %s", before, here, kind);
        before = here;
        at += n + (at[n] != '\0');
    }
    return hl_arena_printf(a, "%s · %s", name, kind);
}
