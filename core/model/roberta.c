/* RoBERTa: BERT trained longer, without sentence pairs, on byte-level pieces; XLM-R and
 * CamemBERT are the same network with other words.
 *
 * Idea, formula and shapes: as BERT (bert.c), but the position of a token is the
 *   padding's id plus how many tokens up to it are no padding.
 * Paper: Liu et al. 2019; Conneau et al. 2020; Martin et al. 2020.
 * Picture: "encoder.self".
 * Classic mistakes: positions from 0; 514 rows of positions taken for 514 tokens. */
#include "model/bert.h"

static enum hl_status
roberta_open(struct hl_model *m, const struct hl_json *config, const struct hl_json *generation,
             struct hl_error *err)
{
    static const struct hl_bert_kind kind = { .prefix = "roberta.", .roberta = true, .pad = 1 };
    (void)generation;
    return hl_bert_open(m, config, &kind, "<mask>", err);
}

static const char *const also[] = { "xlm-roberta", "camembert", NULL };

const struct hl_network hl_network_roberta = {
    .key = "roberta",
    .also = also,
    .kind = "RoBERTa",
    .can = HL_CAN(HEADS),
    .inputs = HL_INPUT_TEXT | HL_INPUT_IDS,
    .tokeniser = true,
    .n_options = HL_ENCODER_OPTIONS,
    .options = hl_encoder_options,
    .open = roberta_open,
    .run = hl_encoder_run,
    .embedding = hl_encoder_embedding,
};
