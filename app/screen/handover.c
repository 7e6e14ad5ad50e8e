/* Queries and keys of a head, sent from a picture of attention to Arithmetic. */
#include "screen/handover.h"

#include <stdio.h>
#include <string.h>

#include "screen/arithmetic.h"
#include "screen/shell.h"

void
handover_send(struct app_state *s, const struct attention_pic *p, const char *model,
              const struct hl_request *like, struct hl_effects *fx)
{
    if (p->v.focus < 0) {
        state_notice(s, true, "Pin a word first: its query is what Arithmetic gets.");
        return;
    }
    if (p->head < 0) {
        state_notice(s, true, "A mean over heads has no query of its own: choose one head.");
        return;
    }
    struct hl_effect *e = state_run(s, fx, state_slot(s, "arithmetic", ARITHMETIC_VECTORS), model);
    if (e == NULL)
        return;
    e->req = *like;
    e->req.keep_vectors = true;
    e->req.keep_scores = true;
    int row = p->v.looked_at ? (p->link >= 0 ? p->link : 0) : p->v.focus;
    arithmetic_of(s)->await.on = true;
    snprintf(arithmetic_of(s)->await.map, sizeof arithmetic_of(s)->await.map, "%s", p->map->name);
    arithmetic_of(s)->await.layer = p->layer;
    arithmetic_of(s)->await.head = p->head;
    arithmetic_of(s)->await.q = p->v.rows.items[row].first;
}

/* Columns of one head in captured vectors, and how far apart its rows lie. */
static const float *
head_vectors(const struct hl_record *r, const char *map, const char *what, int layer, int head,
             int n_heads, int *n, int *width, int *stride)
{
    char name[96];
    snprintf(name, sizeof name, "%s.%s", map, what);
    const struct hl_vectors *v = hl_record_find_vectors(r, name);
    if (v == NULL || layer >= v->n_layers || v->width % n_heads != 0)
        return NULL;
    *n = v->n;
    *width = v->width / n_heads;
    *stride = v->width;
    return v->data + (size_t)layer * (size_t)v->n * (size_t)v->width +
           (size_t)head * (size_t)*width;
}

static bool
hand_over(struct app_state *s, const struct hl_record *r, struct hl_arena *a, struct hl_error *err)
{
    const struct hl_map *m = hl_record_find_map(r, arithmetic_of(s)->await.map, HL_STAGE_WEIGHTS);
    int nq = 0, nk = 0, width = 0, kw = 0, stride = 0, q = arithmetic_of(s)->await.q;
    if (m == NULL || q >= m->n_q)
        return false;
    const float *query =
        head_vectors(r, m->name, "query", arithmetic_of(s)->await.layer,
                     arithmetic_of(s)->await.head, m->n_heads, &nq, &width, &stride);
    const float *keys = head_vectors(r, m->name, "key", arithmetic_of(s)->await.layer,
                                     arithmetic_of(s)->await.head, m->n_heads, &nk, &kw, &stride);
    if (query == NULL || keys == NULL || kw != width || q >= nq) {
        hl_error_set(err, HL_E_UNSUPPORTED, m->name,
                     "this attention does not multiply queries with keys");
        return false;
    }
    struct arithmetic_head h = {
        .width = width, .stride = stride, .keys = keys, .scale = m->scale
    };
    int vn = 0, vw = 0, vs = 0;
    h.values = head_vectors(r, m->name, "value", arithmetic_of(s)->await.layer,
                            arithmetic_of(s)->await.head, m->n_heads, &vn, &vw, &vs);
    if (h.values != NULL && (vw != width || vs != stride || vn != nk))
        h.values = NULL;
    h.n_k = m->causal ? q + 1 : nk;
    h.query = query + (size_t)q * (size_t)stride;
    const struct hl_axis *qa =
        &r->axes[m->out_axis >= 0 && m->q_axis != m->k_axis ? m->out_axis : m->q_axis];
    const char **labels = hl_arena_new(a, h.n_k, const char *);
    for (int k = 0; labels != NULL && k < h.n_k; k++)
        labels[k] = r->axes[m->k_axis].tokens[k].label;
    h.query_label = qa->tokens[q].label;
    h.key_labels = labels;
    h.weights = hl_map_row(m, arithmetic_of(s)->await.layer, arithmetic_of(s)->await.head, q);
    h.origin = hl_arena_printf(a, "%s · %s · layer %d · head %d", r->model, m->name,
                               arithmetic_of(s)->await.layer + 1, arithmetic_of(s)->await.head + 1);
    return labels != NULL && h.origin != NULL &&
           arithmetic_receive(arithmetic_of(s), &h, err) == HL_OK;
}

void
handover_received(struct app_state *s)
{
    const struct app_slot_state *slot = &s->slots[state_slot(s, "arithmetic", ARITHMETIC_VECTORS)];
    struct hl_error err = { 0 };
    struct hl_arena a;
    int n;
    if (!arithmetic_of(s)->await.on || slot->shown != slot->wanted)
        return;
    arithmetic_of(s)->await.on = false;
    if (slot->error[0] != 0 || slot->record == NULL) {
        state_notice(s, true, "%s", slot->error);
        return;
    }
    hl_arena_init(&a, 8192, 0);
    if (hand_over(s, slot->record, &a, &err)) {
        const struct hl_screen *const *all = screen_all(&n);
        for (int i = 0; i < n; i++)
            s->screen = strcmp(all[i]->id, "arithmetic") == 0 ? i : s->screen;
        snprintf(s->focus, sizeof s->focus, "nav:arithmetic");
    } else {
        char text[APP_TEXT_SZ];
        hl_error_text(&err, text, sizeof text);
        state_notice(s, true, "%s", text);
    }
    hl_arena_deinit(&a);
}
