/* The columns of a list of jobs: their cells, and which of them are shown. What the listings of
 * commands have, too, is a row of libs/show/sge_job_fieldL.h; counts of tasks are rows here.
 * Invariant: numbers are at the right, and sort as numbers. */
#include "libs/view/job_list.h"

#include <stdio.h>
#include <string.h>

#include "libs/sgeobj/job_state.h"
#include "libs/show/job_table.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"

enum { TASKS_BYTES = 24 };

static int64_t task_count(const struct board_job *job)
{
    return job_task_count(&job->rec);
}

static int64_t look_rank(const struct board_job *job)
{
    return board_job_look(job);
}

#define COUNT_OF(name, look)                                                                       \
    static int64_t name(const struct board_job *job)                                               \
    {                                                                                              \
        return (int64_t)board_look(job, look);                                                     \
    }
COUNT_OF(count_held, LOOK_HELD)
COUNT_OF(count_ready, LOOK_READY)
COUNT_OF(count_error, LOOK_ERROR)
COUNT_OF(count_failed, LOOK_FAILED)
COUNT_OF(count_done, LOOK_DONE)

static int64_t count_running(const struct board_job *job)
{
    return (int64_t)(board_look(job, LOOK_RUNNING) + board_look(job, LOOK_SUSPENDED));
}

static int64_t ended_part(const struct board_job *job)
{
    enum { WHOLE = 1000000 };
    return (int64_t)(board_ended(job) * WHOLE / job_task_count(&job->rec));
}

/* kinds that were heard of before the last held task was released mean nothing any more */
static void add_holds(const struct board_job *job, struct dstr *out)
{
    if (board_look(job, LOOK_HELD) > 0)
        job_holds_letters(job->holds, out);
}

static int64_t hold_kinds(const struct board_job *job)
{
    return board_look(job, LOOK_HELD) > 0 ? (int64_t)job->holds : 0;
}

void job_progress(const struct board_job *job, struct dstr *out)
{
    struct dstr rest = DSTR_INIT;
    uint64_t done = board_look(job, LOOK_DONE);
    board_add_counts(job, &rest);
    if (done > 0)
        dstr_addf(out, "%llu done", (unsigned long long)done);
    dstr_add(out, dstr_get(&rest) + (done > 0 || rest.len == 0 ? 0 : strlen(", ")));
    dstr_free(&rest);
}

/* FIELD: its title and its value are those of the listings; KIND, which windows do not have: they
 * are its own */
static const struct {
    enum job_field field;
    const char *title;
    int64_t (*number)(const struct board_job *job); /* what it sorts by; NULL: its value */
    void (*text)(const struct board_job *job, struct dstr *out); /* NULL: its value */
} columns[JOB_COLUMNS] = {
    [COLUMN_JOB] = { .field = JOB_FIELD_NUMBER },
    [COLUMN_NAME] = { .field = JOB_FIELD_NAME },
    [COLUMN_OWNER] = { .field = JOB_FIELD_OWNER },
    [COLUMN_STATE] = { .field = JOB_FIELD_STATE, .number = look_rank },
    [COLUMN_TASKS] = { .field = JOB_FIELD_TASKS, .number = task_count },
    [COLUMN_PROGRESS] = { .title = "progress", .number = ended_part, .text = job_progress },
    [COLUMN_HELD] = { .title = "held", .number = count_held },
    [COLUMN_HOLDS] = { .title = "holds", .number = hold_kinds, .text = add_holds },
    [COLUMN_PENDING] = { .title = "pending", .number = count_ready },
    [COLUMN_RUNNING] = { .title = "running", .number = count_running },
    [COLUMN_ERROR] = { .title = "error", .number = count_error },
    [COLUMN_FAILED] = { .title = "failed", .number = count_failed },
    [COLUMN_DONE] = { .title = "done", .number = count_done },
    [COLUMN_PRIORITY] = { .field = JOB_FIELD_PRIORITY },
    [COLUMN_PROJECT] = { .field = JOB_FIELD_PROJECT },
    [COLUMN_SUBMITTED] = { .field = JOB_FIELD_SUBMITTED },
};

/* ---- values ---- */

/* a job as a line of a listing, and what that has in a column; the value borrows from the rest */
struct shown_cell {
    struct job_row row;
    struct dstr text;
    struct doc_value value;
};

static void shown_cell_make(struct shown_cell *c, const struct board_job *job,
                            enum job_column column)
{
    *c = (struct shown_cell){ .row = { .job_number = job->rec.JB_job_number,
                                       .name = job->rec.JB_job_name,
                                       .owner = job->rec.JB_owner,
                                       .submit_s = job->rec.JB_submission_time,
                                       .is_array = job_is_array(&job->rec),
                                       .ja_first = job->rec.JB_ja_first,
                                       .ja_step = job->rec.JB_ja_step,
                                       .job = &job->rec },
                              .text = DSTR_INIT };
    if (column == COLUMN_STATE)
        (void)snprintf(c->row.state, sizeof c->row.state, "%s", look_letters(board_job_look(job)));
    if (column == COLUMN_TASKS && c->row.is_array)
        range_set_add(&c->row.ids, 0, job_task_count(&job->rec) - 1);
    c->value = job_field_value(columns[column].field, &c->row, TASKS_BYTES, &c->text);
}

static void shown_cell_free(struct shown_cell *c)
{
    range_set_free(&c->row.ids);
    dstr_free(&c->text);
}

/* VALUE as a cell has it, without what would move the cursor of a terminal */
static void add_value(const struct doc_value *value, struct dstr *out)
{
    if (value->type == DOC_NUMBER)
        dstr_addf(out, "%llu", (unsigned long long)value->as.number);
    else if (value->type == DOC_SIGNED)
        dstr_addf(out, "%lld", (long long)value->as.signed_number);
    else if (value->type == DOC_MOMENT)
        uti_time_iso(value->as.number, out);
    for (const char *c = value->type == DOC_STRING ? value->as.string : ""; *c != '\0'; c++)
        dstr_addc(out, (unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c);
}

static bool is_number(const struct doc_value *value)
{
    return value->type == DOC_NUMBER || value->type == DOC_SIGNED;
}

const char *job_column_title(unsigned column)
{
    const char *own = columns[column].title;
    return own != NULL ? own : job_field_title(columns[column].field);
}

bool job_column_is_number(unsigned column)
{
    if (columns[column].title != NULL)
        return columns[column].text == NULL;
    const struct job_row nothing = { 0 };
    struct dstr text = DSTR_INIT;
    struct doc_value value = job_field_value(columns[column].field, &nothing, TASKS_BYTES, &text);
    dstr_free(&text);
    return is_number(&value);
}

void job_cell(const struct board_job *job, enum job_column column, struct dstr *out)
{
    if (columns[column].text != NULL) {
        columns[column].text(job, out);
    } else if (columns[column].title != NULL) {
        dstr_addf(out, "%lld", (long long)columns[column].number(job));
    } else {
        struct shown_cell c;
        shown_cell_make(&c, job, column);
        add_value(&c.value, out);
        shown_cell_free(&c);
    }
}

static const char *text_of(const struct doc_value *value)
{
    return value->type == DOC_STRING ? value->as.string : "";
}

static int compare_values(const struct doc_value *x, const struct doc_value *y)
{
    if (x->type == DOC_SIGNED)
        return (x->as.signed_number > y->as.signed_number) -
               (x->as.signed_number < y->as.signed_number);
    if (x->type == DOC_NUMBER || x->type == DOC_MOMENT)
        return (x->as.number > y->as.number) - (x->as.number < y->as.number);
    return strcmp(text_of(x), text_of(y));
}

static int compare_fields(const struct board_job *a, const struct board_job *b,
                          enum job_column column)
{
    struct shown_cell x, y;
    shown_cell_make(&x, a, column);
    shown_cell_make(&y, b, column);
    int order = compare_values(&x.value, &y.value);
    shown_cell_free(&x);
    shown_cell_free(&y);
    return order;
}

int job_cell_compare(const struct board_job *a, const struct board_job *b, enum job_column column)
{
    if (columns[column].number == NULL)
        return compare_fields(a, b, column);
    int64_t x = columns[column].number(a), y = columns[column].number(b);
    return (x > y) - (x < y);
}

/* ---- the choice of columns ---- */
/* Invariant: `v` has each number from 0 to n - 1 once, and at least one of
 * them is shown. */

void columns_init(struct columns *c, unsigned n)
{
    *c = (struct columns){ .n = n < COLUMNS_MOST ? n : COLUMNS_MOST };
    for (unsigned i = 0; i < c->n; i++)
        c->v[i] = (unsigned char)i;
}

unsigned columns_shown(const struct columns *c, unsigned *out)
{
    unsigned n = 0;
    for (unsigned i = 0; i < c->n; i++)
        if (!c->is_hidden[c->v[i]])
            out[n++] = c->v[i];
    return n;
}

bool columns_toggle(struct columns *c, unsigned place)
{
    unsigned shown[COLUMNS_MOST];
    if (place >= c->n || (!c->is_hidden[c->v[place]] && columns_shown(c, shown) == 1))
        return false;
    c->is_hidden[c->v[place]] = !c->is_hidden[c->v[place]];
    return true;
}

unsigned columns_move(struct columns *c, unsigned place, int by)
{
    while (by != 0 && place < c->n) {
        unsigned other = by < 0 ? place - 1 : place + 1; /* above 0 it is huge */
        if (other >= c->n)
            break;
        unsigned char moved = c->v[place];
        c->v[place] = c->v[other];
        c->v[other] = moved;
        place = other;
        by += by < 0 ? 1 : -1;
    }
    return place;
}

/* ---- the choice as text ---- */

void columns_text(const struct columns *c, column_title_fn title, struct dstr *out)
{
    unsigned shown[COLUMNS_MOST], n = columns_shown(c, shown);
    for (unsigned i = 0; i < n; i++)
        dstr_addf(out, "%s%s", i > 0 ? " " : "", title(shown[i]));
}

/* the place of the column called so, from PLACE on; n: there is none */
static unsigned find_title(const struct columns *c, unsigned place, column_title_fn title,
                           const char *word, size_t length)
{
    while (place < c->n &&
           (strlen(title(c->v[place])) != length || strncmp(title(c->v[place]), word, length) != 0))
        place++;
    return place;
}

void columns_read(struct columns *c, const char *text, column_title_fn title, struct dstr *wrong)
{
    unsigned n_shown = 0;
    columns_init(c, c->n);
    memset(c->is_hidden, true, c->n);
    for (size_t length; *(text += strspn(text, " \t")) != '\0'; text += length) {
        length = strcspn(text, " \t");
        unsigned place = find_title(c, n_shown, title, text, length);
        if (place < c->n) {
            c->is_hidden[c->v[place]] = false;
            (void)columns_move(c, place, (int)n_shown - (int)place);
            n_shown++;
        } else if (wrong != NULL) {
            dstr_add(wrong, wrong->len > 0 ? " " : "");
            dstr_addn(wrong, text, length);
        }
    }
    if (n_shown == 0)
        columns_init(c, c->n);
}
