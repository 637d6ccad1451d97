#ifndef VIEW_JOB_LIST_H
#define VIEW_JOB_LIST_H

#include "libs/view/job_columns.h"

/* The rows of a list of jobs: those of a board that a filter lets through, sorted by a column.
 * Pure; one thread. Rows are numbered from 0. */
struct dstr;
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

#endif
