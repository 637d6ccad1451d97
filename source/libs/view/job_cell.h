#ifndef VIEW_JOB_CELL_H
#define VIEW_JOB_CELL_H

#include "libs/view/board.h"

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
const char *job_column_title(enum job_column column);
bool job_column_is_number(enum job_column column);
void job_cell(const struct board_job *job, enum job_column column, struct dstr *out);
/* job_progress - append how many tasks are in which state: "40 done, 1 failed, 4 running" */
void job_progress(const struct board_job *job, struct dstr *out);
/* job_cell_compare - which of two jobs comes first by COLUMN: < 0, 0, > 0 as strcmp says; O(1) to
 * O(log) */
int job_cell_compare(const struct board_job *a, const struct board_job *b, enum job_column column);

#endif
