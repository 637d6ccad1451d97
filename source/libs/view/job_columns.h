#ifndef VIEW_JOB_COLUMNS_H
#define VIEW_JOB_COLUMNS_H

#include "common/basis.h"
#include "libs/mir/board.h"

/* What stands in the columns of a list of jobs. Pure. */
struct dstr;

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

/* Which columns of a table are shown, and in which order. Columns are known by number, and in files
 * by title. Pure; a value without anything to free. */
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

#endif
