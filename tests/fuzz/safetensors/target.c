/* The reader of safetensors: what it accepts lies inside the file, side by side, and is
 * found by name. */
#include "../fuzz.h"

#include "io/safetensors.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hl_st *st = NULL;
    struct hl_error err = { 0 };
    enum hl_status status = hl_st_parse(data, size, "input", &st, &err);
    if (status != HL_OK) {
        HOLDS(status == HL_E_SAFETENSORS && !st && err.detail[0]);
        return 0;
    }
    const uint8_t *at = NULL;
    for (int i = 0; i < hl_st_n(st); i++) {
        const struct hl_st_tensor *t = hl_st_at(st, i);
        HOLDS(t->data >= data && t->data_sz <= size && t->data <= data + size - t->data_sz);
        HOLDS(!at || t->data == at);
        HOLDS(hl_st_find(st, t->name) == t);
        HOLDS(t->n >= 0 && t->rank <= HL_ST_RANK_MAX);
        at = t->data + t->data_sz;
    }
    HOLDS(!at || at == data + size);
    hl_st_close(st);
    return 0;
}
