/* The columns of a list of jobs: what stands in their cells, and which of them are shown.
 * Invariant: a column is a row of `columns`, which has
 * either a text or a number; numbers stand at the right, and sort as numbers. */
#include "libs/view/job_columns.h"

#include <stdlib.h>
#include <string.h>

#include "libs/sgeobj/job_state.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"
#include "libs/view/job_holds.h"

enum { TASKS_BYTES = 24 };

static int64_t job_number(const struct board_job *job)
{
    return job->rec.JB_job_number;
}

static int64_t job_priority(const struct board_job *job)
{
    return (int64_t)job->rec.JB_priority - JOB_PRIORITY_BASE;
}

static int64_t submitted_at(const struct board_job *job)
{
    return (int64_t)job->rec.JB_submission_time;
}

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

/* a name from elsewhere, without what would move the cursor of who reads it */
static void add_clean(const char *text, struct dstr *out)
{
    for (const char *c = text != NULL ? text : ""; *c != '\0'; c++)
        dstr_addc(out, (unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c);
}

static void add_name(const struct board_job *job, struct dstr *out)
{
    add_clean(job->rec.JB_job_name, out);
}

static void add_owner(const struct board_job *job, struct dstr *out)
{
    add_clean(job->rec.JB_owner, out);
}

static void add_project(const struct board_job *job, struct dstr *out)
{
    add_clean(job->rec.JB_project, out);
}

static void add_state(const struct board_job *job, struct dstr *out)
{
    dstr_add(out, look_letters(board_job_look(job)));
}

static void add_tasks(const struct board_job *job, struct dstr *out)
{
    struct range_set all = { 0 };
    if (!job_is_array(&job->rec))
        return;
    range_set_add(&all, 0, job_task_count(&job->rec) - 1);
    (void)job_ids_text_cut(&job->rec, &all, TASKS_BYTES, out);
    range_set_free(&all);
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

static void add_submitted(const struct board_job *job, struct dstr *out)
{
    uti_time_iso(job->rec.JB_submission_time, out);
}

static const struct {
    const char *title;
    int64_t (*number)(const struct board_job *job); /* what it sorts by; NULL: its text */
    void (*text)(const struct board_job *job, struct dstr *out); /* NULL: the number */
} columns[JOB_COLUMNS] = {
    [COLUMN_JOB] = { "job", job_number, NULL },
    [COLUMN_NAME] = { "name", NULL, add_name },
    [COLUMN_OWNER] = { "owner", NULL, add_owner },
    [COLUMN_STATE] = { "state", look_rank, add_state },
    [COLUMN_TASKS] = { "tasks", task_count, add_tasks },
    [COLUMN_PROGRESS] = { "progress", ended_part, job_progress },
    [COLUMN_HELD] = { "held", count_held, NULL },
    [COLUMN_HOLDS] = { "holds", hold_kinds, add_holds },
    [COLUMN_PENDING] = { "pending", count_ready, NULL },
    [COLUMN_RUNNING] = { "running", count_running, NULL },
    [COLUMN_ERROR] = { "error", count_error, NULL },
    [COLUMN_FAILED] = { "failed", count_failed, NULL },
    [COLUMN_DONE] = { "done", count_done, NULL },
    [COLUMN_PRIORITY] = { "priority", job_priority, NULL },
    [COLUMN_PROJECT] = { "project", NULL, add_project },
    [COLUMN_SUBMITTED] = { "submitted", submitted_at, add_submitted },
};

const char *job_column_title(unsigned column)
{
    return columns[column].title;
}

bool job_column_is_number(unsigned column)
{
    return columns[column].text == NULL;
}

void job_cell(const struct board_job *job, enum job_column column, struct dstr *out)
{
    if (columns[column].text != NULL)
        columns[column].text(job, out);
    else
        dstr_addf(out, "%lld", (long long)columns[column].number(job));
}

static const char *text_of(const struct board_job *job, enum job_column column)
{
    const char *text = column == COLUMN_NAME    ? job->rec.JB_job_name
                       : column == COLUMN_OWNER ? job->rec.JB_owner
                                                : job->rec.JB_project;
    return text != NULL ? text : "";
}

int job_cell_compare(const struct board_job *a, const struct board_job *b, enum job_column column)
{
    if (columns[column].number == NULL)
        return strcmp(text_of(a, column), text_of(b, column));
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
