/* Private to this folder. */
#pragma once

#include "screen/control.h"
#include "screen/memory/memory.h"
#include "screen/screen.h"
#include "state/state.h"

enum memory_stage {
    MEMORY_COSINE,
    MEMORY_CONTENT,
    MEMORY_GATED,
    MEMORY_SHIFTED,
    MEMORY_WEIGHTS,
    MEMORY_STAGES
};

/* What a run's record holds, by the names of model/ntm.h. [2]: read heads, write
 * heads. Everything is borrowed from the record. */
struct memory_run {
    const struct hl_record *record;
    int n_steps, n_slots, width, n_inputs, n_shifts;
    int n_heads[2];
    bool recall;                          /* two marks, not one */
    const float *input, *output, *target; /* [T, I], [T, 8], [T, 8] (-1: not asked for) */
    const float *memory;                  /* [T + 1, N, M] */
    const struct hl_map *stage[2][MEMORY_STAGES];
    const float *key[2], *strength[2], *gate[2], *shift[2], *gamma[2];
    const float *erase, *add, *read; /* of write heads; what read heads read */
    int first_question;              /* the mark after which nothing new is written */
    int first_answer, n_answers;     /* the steps that read back, at the end */
    int n_letters;                   /* steps that carry a byte */
    int wrong_bits, n_bits;          /* of those that a right answer is known for */
};

/* A head at a step. */
struct memory_at {
    bool write;
    int head, step;
};

/* False when the record lacks a part. */
bool memory_run_make(const struct hl_record *r, struct memory_run *out);
/* The shown run; false while there is none, or no text. */
bool memory_run_now(const struct app_state *s, struct memory_run *out);
/* The untouched machine on the same text, while something is in hand; false while
 * there is none, or it is of another text. */
bool memory_run_trained(const struct app_state *s, const struct memory_run *now,
                        struct memory_run *out);
/* The shown step and head. */
struct memory_at memory_now(const struct app_state *s, const struct memory_run *r);

/* Weights [N] of a stage; what a head's weights were before the step (one-hot on slot 0
 * before the first; into buf [N] then). */
const float *memory_row(const struct memory_run *r, struct memory_at at, enum memory_stage stage);
void memory_previous(const struct memory_run *r, struct memory_at at, float *buf);
/* The head's parameters of the record: those that took effect. */
void memory_head(const struct memory_run *r, struct memory_at at, struct hl_ntm_head *out);
int memory_strongest(const float *w, int n);

/* Bytes: of the input, of the answer and the right one (-1: none at this step); the
 * mark that is set at a step (0, 1), -1 none; wrong bits of an answer. */
int memory_byte_in(const struct memory_run *r, int step);
int memory_byte_out(const struct memory_run *r, int step);
int memory_byte_wanted(const struct memory_run *r, int step);
int memory_mark(const struct memory_run *r, int step);
int memory_wrong(const struct memory_run *r, int step);
/* For each step the earlier one whose letter this step's letter is written over (the
 * write head comes back to an address where it has been); -1: none. Lives in `a`;
 * NULL: no memory. *count is how many there are. */
int *memory_overwritten(const struct memory_run *r, int head, struct hl_arena *a, int *count);

/* A character on the tape: the steps that its bytes take. */
struct memory_char {
    int first, n;
    char text[16]; /* as shown */
    bool wrong;    /* answers: not what was asked for */
    bool mark;     /* a mark of the recall task */
    bool query;    /* recall: the question's item */
    bool right;    /* recall: the item that is the right answer */
    int item;      /* recall: number of the item */
};
/* Of the input and of the answer. Arrays live in `a`; returns their number, 0 when the
 * memory ran out. */
int memory_chars_in(const struct memory_run *r, struct hl_arena *a, struct memory_char **out);
int memory_chars_out(const struct memory_run *r, struct hl_arena *a, struct memory_char **out);

/* The addresses that are shown: n from `first` on, round the end. */
struct memory_window {
    int first, n, n_slots;
};
struct memory_window memory_window(const struct memory_state *m, const struct memory_run *r);
static inline int
memory_address(const struct memory_window *w, int row)
{
    return (w->first + row) % w->n_slots;
}
/* Is the number of `row` to be drawn: of a pinned or hot row (*mark says which), or of
 * every so many that keep their distance of `need` from those. `pitch` is a row's. */
bool memory_numbered(const struct memory_state *m, const struct memory_window *w, int hot, int row,
                     float pitch, float need, int every, uint8_t *mark);
/* Row of an address; -1 when it is not shown. */
int memory_window_row(const struct memory_window *w, int address);

/* ---- an address by hand, from the record's numbers, in double ---- */

struct memory_sum {
    double dot, key_norm, row_norm, cosine;
    double largest, e, total; /* exp(β (cosine - largest)), and the sum over all */
    double content, previous, gated;
    int n_shifts;
    int from[HL_NTM_MAX_SHIFTS]; /* address that the term comes from */
    double gated_from[HL_NTM_MAX_SHIFTS], shift[HL_NTM_MAX_SHIFTS];
    double shifted, power, power_total, weight;
};
void memory_sum_make(const struct memory_run *r, struct memory_at at, int address,
                     struct memory_sum *out);

/* ---- in hand ---- */

/* What the user set for this step and head; NULL if nothing. */
const struct hl_ntm_hand *memory_hand_find(const struct memory_state *m, struct memory_at at);
/* The same, to be set; taken up with no fields when it was not. NULL: all are in use. */
struct hl_ntm_hand *memory_hand_take(struct memory_state *m, struct memory_at at);
/* Gives one back; false when it was not in hand. */
bool memory_hand_give_back(struct memory_state *m, struct memory_at at);
/* Sets one number of a field: `index` is the shift or the cell. The other numbers of a
 * field that was not in hand are those of `now`. False: too many steps in hand. */
bool memory_hand_set(struct memory_state *m, struct memory_at at, const struct memory_run *r,
                     enum hl_ntm_field field, int index, float value);
/* A number of a field. */
float memory_hand_number(const struct hl_ntm_head *v, enum hl_ntm_field field, int index);
/* "β g key": names of the fields in hand. */
void memory_hand_names(unsigned taken, char *buf, size_t buf_sz);
/* "5@write,g:0.9;6@read:2,β:14" and back; parse fails with a sentence. */
bool memory_hand_parse(struct memory_state *m, const struct app_state *s, const char *value,
                       struct hl_error *err);
bool memory_hand_write(const struct memory_state *m, struct hl_sb *out);

/* Sliders' places: strength and gamma run by the square of t. */
float memory_slide_at(enum hl_ntm_field field, float t);
float memory_slide_place(enum hl_ntm_field field, float v);

/* ---- what is pointed at ---- */

struct memory_hot {
    int step, address, bit; /* -1: none */
    int stage;              /* of the chain */
};
struct memory_hot memory_hot(const struct app_state *s, const struct memory_run *r,
                             const struct memory_window *w);
/* The cell under the pointer of the hovered region `id` of rows x cols; false when it is
 * not that one. */
bool memory_hovered(const struct app_state *s, const char *id, int rows, int cols, int *row,
                    int *col);

/* ---- drawing ---- */

struct memory_paint {
    const struct screen_ctx *c;
    struct ui *u;
    const struct app_state *s;
    const struct memory_state *m;
    struct memory_run run, trained;
    bool has_trained;
    struct memory_at at;
    struct memory_window window;
    struct memory_hot hot;
    struct memory_char *in, *out;
    int n_in, n_out;
    double top; /* weight at the dark end of the colours */
};

float memory_chips(const struct memory_paint *p, hl_rect r);
void memory_tape(const struct memory_paint *p, hl_rect r);
void memory_transport(const struct memory_paint *p, hl_rect r);
void memory_matrix(const struct memory_paint *p, hl_rect r);
void memory_chain(const struct memory_paint *p, hl_rect r);
void memory_sums(const struct memory_paint *p, hl_rect r);
/* A slider's track with its knob, named `id`; `taken`: in the user's hand. */
void memory_track(struct ui *u, hl_rect r, const char *id, float t, bool taken, const char *tip);
/* The bar of a colour map over its numbers; signed maps run from -top. Height 24. */
void memory_legend(struct ui *u, hl_rect r, enum dl_map map, double top, bool log_scale);
/* A colour step for weights by the shared scale. */
uint8_t memory_step(const struct app_state *s, double w, double top);
/* "0.9380", "−0.25", "3.1e−9": a number for reading. */
char *memory_number(char *buf, size_t buf_sz, double v, int decimals);
/* The same to so many significant digits: "0.063379", "2.6134e−6"; whole numbers are
 * whole ("1"). */
char *memory_digits(char *buf, size_t buf_sz, double v, int significant);
/* "Write head", "Read head 2". */
void memory_head_name(const struct memory_run *r, struct memory_at at, char *buf, size_t buf_sz);
/* "letter 3 of 11, ‘l’", "the mark", "read back, letter 2": what a step is for. */
void memory_step_text(const struct memory_paint *p, int step, char *buf, size_t buf_sz);

/* The controls; the first three lie side by side under the tape. */
enum memory_row {
    MEMORY_ROW_SCALE,
    MEMORY_ROW_LOCK,
    MEMORY_ROW_ADDRESSES,
    MEMORY_ROW_MEMORY,
    MEMORY_ROW_CHAIN,
    MEMORY_ROW_PLAY,
    MEMORY_ROWS
};
extern const struct hl_control memory_rows[MEMORY_ROWS];
extern const struct control_table *const memory_controls[];

bool memory_event(struct app_state *s, const struct hl_event *ev, const char *hit,
                  struct hl_effects *fx);
bool memory_set(struct app_state *s, const char *key, const char *value, struct hl_error *err);
void memory_save(const struct app_state *s,
                 void (*put)(void *user, const char *key, const char *value), void *user);
void memory_request(struct app_state *s, struct hl_effects *fx);
