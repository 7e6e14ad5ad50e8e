/* The typed texts: screens that share a kind of text share what is typed. */
#pragma once

enum app_text {
    APP_TEXT_SENTENCE, /* Translate, Transformer, Positions */
    APP_TEXT_TAPE,     /* Memory */
    APP_TEXT_CLASSES,  /* Images */
    APP_TEXT_COUNT
};
