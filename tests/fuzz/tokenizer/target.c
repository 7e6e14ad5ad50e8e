/* tokenizer.json from anywhere: refused, or it encodes within the rules. */
#include "../fuzz.h"

#include <string.h>

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char text[] = " The  cat</s>'s été e\xCC\x81 日本 😀<unk> \tx ";
    struct hl_tok *t = NULL;
    struct hl_error err = { 0 };
    if (hl_tok_parse((const char *)data, size, "input", &t, &err) != HL_OK) {
        HOLDS(!t && (err.code == HL_E_JSON || err.code == HL_E_TOKENIZER));
        HOLDS(err.detail[0]);
        return 0;
    }
    struct hl_arena a;
    struct hl_encoding e;
    hl_arena_init(&a, 0, 0);
    enum hl_status status = hl_tok_encode(t, text, strlen(text), true, &a, &e, &err);
    HOLDS(status == HL_OK || status == HL_E_TOKENIZER);
    if (status == HL_OK)
        fuzz_check_encoding(t, &e, strlen(text), &a);
    hl_arena_deinit(&a);
    hl_tok_close(t);
    return 0;
}
