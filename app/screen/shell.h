/* What surrounds every screen: navigation, text field, chips, notices, provenance,
 * help. Private to app/screen. */
#pragma once

#include "screen/app.h"
#include "screen/attention.h"

enum { SHELL_NAV_H = 48, SHELL_FOOT_H = 32, SHELL_MARGIN = 20 };
#define SHELL_TEXT_SIZE 21.0f

const struct hl_screen *shell_screen(const struct app_state *s);
/* Where the text field is; the same for every screen that has one. */
hl_rect shell_field_rect(const struct app_state *s);
/* The slot that the shown screen's record lies in, -1 if none. */
int shell_slot(const struct app_state *s);
/* Name of the model that the shown screen runs, "" if none. */
const char *shell_model(const struct app_state *s);
/* A model of the list has been picked for the shown screen. */
bool shell_model_suits(const struct app_state *s, const struct app_model *m);

/* An open model becomes the one shown for all that it can, on every screen. */
void shell_choose(struct app_state *s, const struct app_model *m);

/* The text of the shown screen becomes the one that is typed into. */
void shell_take_text(struct app_state *s);

/* The F1 page above everything. */
void help_build(const struct screen_ctx *c);
