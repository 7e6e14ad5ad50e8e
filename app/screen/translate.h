/* The Translate screen (translate.c). */
#pragma once

#include "screen/attention.h"

enum { APP_SCORES = 8 };

/* Slots. */
enum { TRANSLATE_RUN, TRANSLATE_SCORES /* one score function after the other */, TRANSLATE_SLOTS };

struct translate_state {
    bool transformer;         /* engine: cross attention instead of the GRU */
    int score;                /* row of app_scores */
    int beam;                 /* 1 greedy */
    struct ui_field target;   /* not empty: this target is forced */
    struct attention_head at; /* cross attention; automatic: the head that aligns most sharply */
    /* Small multiples: the same pair under each score function. */
    struct hl_record *scores[APP_SCORES]; /* owned */
    int score_next;                       /* the one asked for, APP_SCORES when none is */
    uint64_t score_ticket;                /* of that one */
    int32_t *score_ids;                   /* decoder input that is forced on them; owned */
    int n_score_ids;
};

/* Names of the score functions as the engine knows them, and as shown. */
extern const char *const app_scores[APP_SCORES + 1]; /* NULL-terminated */
extern const char *const app_score_titles[APP_SCORES + 1];

extern const struct hl_screen screen_translate;

static inline struct translate_state *
translate_of(const struct app_state *s)
{
    return state_part(s, "translate");
}
