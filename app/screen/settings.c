/* Settings: KEY=VALUE from the command line, and what survives between runs. */
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "screen/attention.h"
#include "screen/control.h"
#include "screen/shell.h"
#include "screen/transformer.h"
#include "screen/translate.h"
#include "state/settings.h"

static enum hl_status
set_model(struct app_state *s, const char *name, struct hl_error *err)
{
    const struct app_model *m = state_model(s, name);
    if (m == NULL)
        return hl_error_set(err, HL_E_ARGUMENT, "model", "'%.100s' has not been opened", name);
    if (m->status == APP_MODEL_READY)
        shell_choose(s, m);
    else
        snprintf(s->wanted_model, APP_NAME_SZ, "%s", m->name);
    return HL_OK;
}

static enum hl_status
set_screen(struct app_state *s, const char *value, struct hl_error *err)
{
    int n;
    const struct hl_screen *const *all = screen_all(&n);
    struct hl_sb sb = { 0 };
    for (int i = 0; i < n; i++) {
        if (strcmp(all[i]->id, value) == 0) {
            s->screen = i;
            shell_take_text(s);
            snprintf(s->focus, sizeof s->focus, "%s", all[i]->has_text ? "field:text" : "");
            hl_sb_deinit(&sb);
            return HL_OK;
        }
        hl_sb_printf(&sb, "%s%s", i > 0 ? ", " : "", all[i]->id);
    }
    hl_error_set(err, HL_E_ARGUMENT, "screen", "'%.60s' is none of %s", value,
                 sb.n > 0 ? sb.p : "");
    hl_sb_deinit(&sb);
    return HL_E_ARGUMENT;
}

/* A pin that sleeps from the start is a word mistyped. */
static enum hl_status
set_pin(struct app_state *s, const char *key, const char *value, struct hl_error *err)
{
    struct app_pin pins[APP_PINS], link = s->link;
    int n = s->n_pins;
    bool has_link = s->has_link;
    memcpy(pins, s->pins, sizeof pins);
    if (!shell_screen(s)->set(s, key, value, err))
        return err->code;
    if (attention_pins_stand(s, key, NULL, err) == HL_OK)
        return HL_OK;
    memcpy(s->pins, pins, sizeof pins);
    s->n_pins = n;
    s->link = link;
    s->has_link = has_link;
    return err->code;
}

enum hl_status
app_set(struct app_state *s, const char *key, const char *value, struct hl_error *err)
{
    static const char *const themes[] = { "light", "dark" };
    struct hl_error local = { 0 };
    double zoom;
    int i;
    err = err != NULL ? err : &local;
    if (strcmp(key, "screen") == 0)
        return set_screen(s, value, err);
    if (strcmp(key, "model") == 0)
        return set_model(s, value, err);
    if (strcmp(key, "theme") == 0) {
        i = attention_choice(key, value, themes, 2, err);
        s->dark = i >= 0 ? i == 1 : s->dark;
        return i >= 0 ? HL_OK : HL_E_ARGUMENT;
    }
    if (strcmp(key, "help") == 0) {
        i = attention_on_off(key, value, err);
        s->help = i >= 0 ? i == 1 : s->help;
        return i >= 0 ? HL_OK : HL_E_ARGUMENT;
    }
    if (strcmp(key, "text") == 0)
        return field_set(state_field(s), value, strlen(value))
                   ? HL_OK
                   : hl_error_set(err, HL_E_NOMEM, key, "the text could not be stored");
    if (strcmp(key, "zoom") == 0) {
        if (!hl_parse_double(value, &zoom) || !(zoom >= 0.5) || !(zoom <= 4))
            return hl_error_set(err, HL_E_ARGUMENT, key, "'%.60s' is no number from 0.5 to 4",
                                value);
        s->ui_scale = (float)zoom;
        return HL_OK;
    }
    const struct hl_screen *sc = shell_screen(s);
    bool known;
    err->code = HL_OK;
    if (control_set(s, sc, key, value, &known, err) != HL_OK || known)
        return err->code;
    bool pin = strcmp(key, "pin") == 0 || strcmp(key, "link") == 0;
    if (pin && (sc == &screen_translate || sc == &screen_transformer))
        return set_pin(s, key, value, err);
    if (sc->set != NULL && sc->set(s, key, value, err))
        return HL_OK;
    if (err->code == HL_OK)
        hl_error_set(err, HL_E_UNSUPPORTED, key, "the %s screen has no such setting", sc->title);
    return err->code;
}

/* ---- keeping ---- */

static const char *const text_keys[APP_TEXT_COUNT] = { "texts", "tape", "classes" };
static const char *const model_keys[HL_CAN_COUNT] = { "gru", "transformer", "memory", "images",
                                                      "translator" };

struct writer {
    struct hl_sb *sb;
    bool first;
};

static void
put_pair(void *user, const char *key, const char *value)
{
    struct writer *w = user;
    hl_sb_puts(w->sb, w->first ? "\n      " : ",\n      ");
    hl_sb_json(w->sb, key, strlen(key));
    hl_sb_puts(w->sb, ": ");
    hl_sb_json(w->sb, value, strlen(value));
    w->first = false;
}

enum hl_status
app_save(const struct app_state *s, struct hl_sb *out, struct hl_error *err)
{
    int n;
    const struct hl_screen *const *all = screen_all(&n);
    hl_sb_printf(out, "{\n  \"headlight\": 1,\n  \"screen\": \"%s\",\n  \"theme\": \"%s\",\n",
                 all[s->screen]->id, s->dark ? "dark" : "light");
    hl_sb_puts(out, "  \"zoom\": ");
    hl_sb_num(out, (double)s->ui_scale, 4);
    for (int k = 0; k < APP_TEXT_COUNT; k++) {
        hl_sb_printf(out, ",\n  \"%s\": [", text_keys[k]);
        for (int i = 0; i < 2; i++) {
            /* the shown one first */
            const struct ui_field *f = &s->texts[k][i ^ s->active[k]];
            hl_sb_puts(out, i > 0 ? ", " : "");
            hl_sb_json(out, field_text(f), f->text.n);
        }
        hl_sb_puts(out, "]");
    }
    for (int k = 0; k < HL_CAN_COUNT; k++) {
        hl_sb_printf(out, ",\n  \"%s\": ", model_keys[k]);
        hl_sb_json(out, s->chosen[k], strlen(s->chosen[k]));
    }
    hl_sb_puts(out, ",\n  \"settings\": {");
    bool first = true;
    for (int i = 0; i < n; i++) {
        if (all[i]->save == NULL && all[i]->controls == NULL)
            continue;
        struct writer w = { out, true };
        hl_sb_printf(out, "%s\n    \"%s\": {", first ? "" : ",", all[i]->id);
        control_save(s, all[i], put_pair, &w);
        if (all[i]->save != NULL)
            all[i]->save(s, put_pair, &w);
        hl_sb_puts(out, "\n    }");
        first = false;
    }
    hl_sb_puts(out, "\n  }\n}\n");
    if (out->failed)
        return hl_error_set(err, HL_E_NOMEM, "settings", "they could not be written down");
    return HL_OK;
}

/* A model that this run does not know is left aside: nothing would ever be shown. */
static void
load_name(const struct app_state *s, char *out, const char *name)
{
    if (state_model(s, name) != NULL)
        snprintf(out, APP_NAME_SZ, "%s", name);
}

static void
load_top(struct app_state *s, const char *key, const char *value)
{
    struct hl_error ignored;
    for (int k = 0; k < HL_CAN_COUNT; k++) {
        if (strcmp(key, model_keys[k]) == 0)
            load_name(s, s->chosen[k], value);
    }
    if (strcmp(key, "screen") == 0 || strcmp(key, "theme") == 0 || strcmp(key, "zoom") == 0)
        app_set(s, key, value, &ignored);
}

/* A typed text of the list `section`; false when that is no list of texts. */
static bool
load_text(struct app_state *s, const char *section, const char *key, const char *value)
{
    for (int k = 0; k < APP_TEXT_COUNT; k++) {
        if (strcmp(section, text_keys[k]) != 0)
            continue;
        if ((key[0] == '0' || key[0] == '1') && key[1] == 0)
            field_set(&s->texts[k][key[0] - '0'], value, strlen(value));
        return true;
    }
    return false;
}

/* A setting of another version is left aside. */
static void
load_setting(struct app_state *s, const struct hl_screen *sc, const char *key, const char *value)
{
    struct hl_error ignored = { 0 };
    bool known;
    control_set(s, sc, key, value, &known, &ignored);
    if (!known && sc->set != NULL)
        sc->set(s, key, value, &ignored);
}

static void
load_pair(void *user, const char *section, const char *key, const char *value)
{
    struct app_state *s = user;
    const struct hl_screen *sc = screen_find(section);
    if (section[0] == 0)
        load_top(s, key, value);
    else if (!load_text(s, section, key, value) && sc != NULL)
        load_setting(s, sc, key, value);
}

enum hl_status
app_load(struct app_state *s, const char *json, size_t n, struct hl_error *err)
{
    return settings_read(json, n, load_pair, s, err);
}
