/* The program's window as three functions: change the state by an event, draw the
 * state, and read and write what must survive.
 *
 * Host's loop: app_update, perform the effects, app_build, present, app_shown.
 * Thread-safety: one thread. */
#pragma once

#include "screen/screen.h"
#include "state/state.h"

/* The state of a first start. `metrics` is borrowed for the life of the state.
 * Ownership: app_deinit. Fails: false (no memory). */
bool app_init(struct app_state *s, const struct hl_metrics *metrics);
void app_deinit(struct app_state *s);

/* A model is being opened / is open / cannot be used. `name` is what the host knows it
 * by, a name or a folder; its first call adds it to the list. Ready: what waits for it
 * is asked for, with that name in the effects. */
void app_model_loading(struct app_state *s, const char *name);
void app_model_ready(struct app_state *s, const char *name, const struct hl_model_info *info,
                     struct hl_effects *fx);
void app_model_failed(struct app_state *s, const char *name, const struct hl_error *err);

/* Asks for all that the screen shown needs (at start, after app_set). */
void app_request(struct app_state *s, struct hl_effects *fx);

/* One event. Effects are to be performed in order, right after the call: their
 * strings live in the state. EV_RESULT hands over the record. */
void app_update(struct app_state *s, const struct hl_event *ev, struct hl_effects *fx);

/* Draws the state: pure. Starts the list itself (size and scale from the state). */
void app_build(const struct app_state *s, const struct hl_metrics *metrics, struct hl_arena *frame,
               struct dl *dl);
/* The list is on the screen now: hit tests use it until the next call (borrowed). */
void app_shown(struct app_state *s, const struct dl *dl);

/* --set KEY=VALUE, for the window's screen and the keys that all share: screen,
 * text, model, theme, zoom. Fails: UNSUPPORTED (no such key), ARGUMENT (not
 * allowed; the error says what is). */
enum hl_status app_set(struct app_state *s, const char *key, const char *value,
                       struct hl_error *err);

/* Settings and typed texts as JSON; load takes what it understands. Fails: NOMEM;
 * JSON (state unchanged). */
enum hl_status app_save(const struct app_state *s, struct hl_sb *out, struct hl_error *err);
enum hl_status app_load(struct app_state *s, const char *json, size_t n, struct hl_error *err);

/* The record that the shown screen pictures; NULL if none. */
const struct hl_record *app_record(const struct app_state *s);
