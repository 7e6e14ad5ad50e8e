#include "tok/regex.h"

#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/alloc.h"

/* Steps and bytes after which a search is given up: a hostile expression may take
 * time exponential in the text. */
enum { MATCH_LIMIT = 1000000, HEAP_LIMIT_KIB = 16 * 1024 };

struct hl_regex {
    pcre2_code *code;
    char *pattern;
};

static void *
take(size_t n, void *user)
{
    (void)user;
    return hl_alloc(n, 1);
}

static void
give(void *p, void *user)
{
    (void)user;
    hl_free(p);
}

static enum hl_status
no_memory(const char *where, struct hl_error *err)
{
    return hl_error_set(err, HL_E_NOMEM, where, "%s", "");
}

static enum hl_status
compile(struct hl_regex *r, const char *where, pcre2_compile_context *context, struct hl_error *err)
{
    int code;
    PCRE2_SIZE at;
    r->code = pcre2_compile((PCRE2_SPTR)r->pattern, PCRE2_ZERO_TERMINATED,
                            PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C, &code, &at, context);
    if (!r->code && code == PCRE2_ERROR_HEAP_FAILED)
        return no_memory(where, err);
    if (!r->code) {
        PCRE2_UCHAR text[120];
        pcre2_get_error_message(code, text, sizeof(text));
        return hl_error_set(err, HL_E_TOKENIZER, where,
                            "the expression '%.100s' cannot be used: %s at %d", r->pattern,
                            (const char *)text, (int)at);
    }
    uint32_t empty = 0;
    pcre2_pattern_info(r->code, PCRE2_INFO_MATCHEMPTY, &empty);
    if (empty)
        return hl_error_set(err, HL_E_TOKENIZER, where,
                            "the expression '%.100s' matches even nothing", r->pattern);
    return HL_OK;
}

enum hl_status
hl_regex_create(const char *pattern, const char *where, struct hl_regex **out, struct hl_error *err)
{
    struct hl_regex *r = hl_alloc(1, sizeof(*r));
    pcre2_general_context *general = pcre2_general_context_create(take, give, NULL);
    pcre2_compile_context *context = general ? pcre2_compile_context_create(general) : NULL;
    enum hl_status status = HL_OK;
    size_t n = strlen(pattern);
    if (r)
        r->pattern = hl_alloc(n + 1, 1);
    if (!r || !context || !r->pattern)
        status = no_memory(where, err);
    else {
        memcpy(r->pattern, pattern, n);
        status = compile(r, where, context, err);
    }
    pcre2_compile_context_free(context);
    pcre2_general_context_free(general);
    if (status == HL_OK)
        *out = r;
    else
        hl_regex_destroy(r);
    return status;
}

void
hl_regex_destroy(struct hl_regex *r)
{
    if (!r)
        return;
    pcre2_code_free(r->code);
    hl_free(r->pattern);
    hl_free(r);
}

static enum hl_status
search(const struct hl_regex *r, const char *s, size_t n, pcre2_match_data *data,
       pcre2_match_context *context, void (*match)(void *user, size_t from, size_t to), void *user,
       struct hl_error *err)
{
    for (size_t at = 0; at < n;) {
        int rc = pcre2_match(r->code, (PCRE2_SPTR)s, n, at, PCRE2_NO_UTF_CHECK | PCRE2_NOTEMPTY,
                             data, context);
        if (rc == PCRE2_ERROR_NOMATCH)
            break;
        if (rc == PCRE2_ERROR_NOMEMORY)
            return no_memory(NULL, err);
        const PCRE2_SIZE *span = pcre2_get_ovector_pointer(data);
        /* \K may put the start of a match anywhere. */
        if (rc < 0 || span[0] < at || span[1] <= span[0])
            return hl_error_set(err, HL_E_TOKENIZER, NULL,
                                "the expression '%.100s' gets lost in this text", r->pattern);
        match(user, span[0], span[1]);
        at = span[1];
    }
    return HL_OK;
}

enum hl_status
hl_regex_each(const struct hl_regex *r, const char *s, size_t n,
              void (*match)(void *user, size_t from, size_t to), void *user, struct hl_error *err)
{
    pcre2_general_context *general = pcre2_general_context_create(take, give, NULL);
    pcre2_match_context *context = general ? pcre2_match_context_create(general) : NULL;
    pcre2_match_data *data =
        general ? pcre2_match_data_create_from_pattern(r->code, general) : NULL;
    enum hl_status status;
    if (!context || !data)
        status = no_memory(NULL, err);
    else {
        pcre2_set_match_limit(context, MATCH_LIMIT);
        pcre2_set_heap_limit(context, HEAP_LIMIT_KIB);
        status = search(r, s, n, data, context, match, user, err);
    }
    pcre2_match_data_free(data);
    pcre2_match_context_free(context);
    pcre2_general_context_free(general);
    return status;
}
