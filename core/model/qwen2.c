/* Qwen2: Llama with biases on queries, keys and values.
 *
 * Idea, formula and shapes: as Llama (llama.c).
 * Paper: Yang et al. 2024.
 * Picture: "decoder.self".
 * Classic mistakes: the biases left out; a window used because the file names one, though
 *   use_sliding_window is off. */
#include "model/llama.h"

static enum hl_status
qwen2_open(struct hl_model *m, const struct hl_json *config, const struct hl_json *generation,
           struct hl_error *err)
{
    static const struct hl_llama_kind kind = { .vocab = 151936,
                                               .positions = 32768,
                                               .d = 4096,
                                               .ffn = 22016,
                                               .qkv_bias = true,
                                               .window = true };
    return hl_llama_open(m, config, generation, &kind, err);
}

const struct hl_network hl_network_qwen2 = {
    .key = "qwen2",
    .kind = "Qwen2",
    .can = HL_CAN(HEADS),
    .inputs = HL_INPUT_TEXT | HL_INPUT_IDS,
    .tokeniser = true,
    .n_options = HL_CAUSAL_OPTIONS,
    .options = hl_causal_options,
    .open = qwen2_open,
    .run = hl_causal_run,
    .embedding = hl_causal_embedding,
};
