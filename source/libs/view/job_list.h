#ifndef VIEW_JOB_LIST_H
#define VIEW_JOB_LIST_H

#include "libs/mir/board.h"

/* The jobs of a window: what stands in the columns, the rows, and why tasks are held. */
struct dstr;

/* ---- what stands in the columns (job_columns.c) ---- */

enum job_column {
    COLUMN_JOB,
    COLUMN_NAME,
    COLUMN_OWNER,
    COLUMN_STATE,
    COLUMN_TASKS,
    COLUMN_PROGRESS,
    COLUMN_HELD,
    COLUMN_HOLDS,
    COLUMN_PENDING,
    COLUMN_RUNNING,
    COLUMN_ERROR,
    COLUMN_FAILED,
    COLUMN_DONE,
    COLUMN_PRIORITY,
    COLUMN_PROJECT,
    COLUMN_SUBMITTED,
    JOB_COLUMNS
};

/* job_column_title - "owner"
 * job_column_is_number - shown at the right of its column?
 * job_cell - append what stands in COLUMN of JOB, without control characters */
const char *job_column_title(unsigned column);
bool job_column_is_number(unsigned column);
void job_cell(const struct board_job *job, enum job_column column, struct dstr *out);
/* job_progress - append how many tasks are in which state: "40 done, 1 failed, 4 running" */
void job_progress(const struct board_job *job, struct dstr *out);
/* job_cell_compare - which of two jobs comes first by COLUMN: < 0, 0, > 0 as strcmp says; O(1) to
 * O(log) */
int job_cell_compare(const struct board_job *a, const struct board_job *b, enum job_column column);

/* ---- which columns are shown ----
 *
 * And in which order. Columns are known by number, and in files by title. Pure; a value without
 * anything to free. */
enum { COLUMNS_MOST = 32 };

struct columns {
    unsigned n;                    /* that there are, at most COLUMNS_MOST */
    unsigned char v[COLUMNS_MOST]; /* all of them, in their order */
    bool is_hidden[COLUMNS_MOST];  /* by number of the column, not by place */
};
typedef const char *(*column_title_fn)(unsigned column);

/* columns_init - N columns, all of them shown, in their usual order */
void columns_init(struct columns *c, unsigned n);

/* columns_shown - the columns that are shown, into OUT, which has room for COLUMNS_MOST; returns
 * how many */
unsigned columns_shown(const struct columns *c, unsigned *out);

/* columns_toggle - show or hide the column at PLACE (0 ...); false: it is the only one, and stays
 * columns_move - it goes BY places up (< 0) or down; returns the place where it is then */
bool columns_toggle(struct columns *c, unsigned place);
unsigned columns_move(struct columns *c, unsigned place, int by);

/* columns_text - append the titles of those that are shown, with blanks between
 * columns_read - show those that TEXT names, in its order; the others are hidden
 * Words that are no title, or come again, are appended to WRONG (optional) and count for nothing;
 * if none is left, all columns are shown. */
void columns_text(const struct columns *c, column_title_fn title, struct dstr *out);
void columns_read(struct columns *c, const char *text, column_title_fn title, struct dstr *wrong);

/* ---- the rows (job_list.c) ----
 *
 * Those of a board that a filter lets through, sorted by a column. Pure; one thread. Rows are
 * numbered from 0. */
struct job_list;

/* which jobs are wanted, by where they stand */
enum job_stage {
    STAGE_ALL,
    STAGE_PENDING,
    STAGE_RUNNING,
    STAGE_FINISHED,
    STAGE_ERROR,
    STAGE_FAILED,
    JOB_STAGES
};

/* job_list_new - all jobs of BOARD, borrowed for life, the newest first; new: job_list_free
 * Jobs that are over stand below the others, however rows are sorted. */
struct job_list *job_list_new(struct board *board);
void job_list_free(struct job_list *l);

/* job_list_words - show jobs with WORDS alone: each is a pattern (sge_types(1)) of a name, or the
 * owner, project or number of a job, or before:12, after:12, with:12: jobs that job 12 waits for,
 * that wait for it, both and itself, over any number of steps; "" or NULL: all
 * job_list_stage - show jobs of that stage alone
 * job_list_sort - by COLUMN; again by the same one: the other way round */
void job_list_words(struct job_list *l, const char *words);
void job_list_stage(struct job_list *l, enum job_stage stage);
void job_list_sort(struct job_list *l, enum job_column column);
enum job_column job_list_sorted_by(const struct job_list *l);
bool job_list_is_descending(const struct job_list *l);

/* job_list_refresh - take over what has changed since the last call
 * True if rows may look different now. O(rows log rows), if jobs came, went or changed, else O(1):
 * call it as often as a picture is drawn, not for each event. The other functions see the rows as
 * of that moment. */
bool job_list_refresh(struct job_list *l);
/* job_list_count - how many rows there are
 * job_list_at - the job of ROW, borrowed until the next event; NULL: there is no such row
 * job_list_row - the row of a job, -1 if it is not shown; O(rows) */
uint32_t job_list_count(const struct job_list *l);
struct board_job *job_list_at(const struct job_list *l, uint32_t row);
int64_t job_list_row(const struct job_list *l, uint32_t number);

/* job_list_text - append all rows with their titles, the columns that are shown divided by tabs:
 * for files */
void job_list_text(const struct job_list *l, const struct columns *columns, struct dstr *out);

/* ---- kinds of hold (job_holds.c) ----
 *
 * Events say which tasks are held, not why: a record of the qmaster with the fields of
 * job_holds_fields does. Pure. */

/* job_holds_fields - the fields of a job that the functions below need, ended by NULL */
extern const char *const job_holds_fields[];
/* job_holds_letters - append KINDS (MINUS_H_TGT_..., HOLD_JID) as qstat(1) -s has them behind its
 * h: "uj"
 * job_holds_text - append which tasks have which, a line for each kind; a line, too, if none has
 * any. Lists of tasks are cut after a readable length. O(ranges that are shown) */
void job_holds_letters(unsigned kinds, struct dstr *out);
void job_holds_text(const struct JB_Type *rec, struct dstr *out);

/* job_holds_take - the board shows what REC, borrowed, says of its job
 * job_holds_ask - up to MOST jobs with held tasks that have not been queried since they changed
 * replace OUT, and count as asked about. O(jobs) */
void job_holds_take(struct board *b, const struct JB_Type *rec);
void job_holds_ask(struct board *b, uint32_t most, struct range_set *out);

#endif
