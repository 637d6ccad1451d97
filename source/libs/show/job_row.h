#ifndef SHOW_JOB_ROW_H
#define SHOW_JOB_ROW_H

#include "libs/sgeobj/rows.h"

/* The lines of a job listing: jobs and tasks as they came from the qmaster, grouped into what
 * `qstat` shows as one line each. Pure: no I/O, no clock. Source: qstat(1). */

/* which tasks are wanted: -s */
enum {
    SHOW_PENDING = 1,
    SHOW_RUNNING = 2,
    SHOW_SUSPENDED = 4,
    SHOW_FINISHED = 8,       /* z */
    SHOW_HOLD_USER = 16,     /* hu */
    SHOW_HOLD_OPERATOR = 32, /* ho */
    SHOW_HOLD_SYSTEM = 64,   /* hs */
    SHOW_HOLD_ARRAY = 128,   /* hd: -hold_jid_ad */
    SHOW_HOLD_JOB = 256,     /* hj: -hold_jid */
    SHOW_START_LATER = 512,  /* ha: -a */
    SHOW_ANY_HOLD = SHOW_HOLD_USER | SHOW_HOLD_OPERATOR | SHOW_HOLD_SYSTEM | SHOW_HOLD_ARRAY |
                    SHOW_HOLD_JOB | SHOW_START_LATER,
    SHOW_DEFAULT = SHOW_PENDING | SHOW_RUNNING | SHOW_SUSPENDED
};

/* show_parse - the letters of -s: p r s z hu ho hs hd hj ha h a, joined
 * Returns true and adds to *show, or false (LETTERS is not of them; *show unchanged). */
bool show_parse(const char *letters, unsigned *show) SGE_MUST_USE;

enum row_kind { ROW_RUNNING, ROW_PENDING, ROW_FINISHED };

struct row_place {     /* where a running task has slots */
    const char *queue; /* counted string, held */
    uint32_t slots;
};
struct job_row {
    enum row_kind kind;
    uint32_t job_number;
    double prior;
    const char *name, *owner, *queue; /* counted strings, held; queue NULL when not running */
    char state[8];
    uint64_t at_s;     /* start when running, else submission */
    uint64_t submit_s; /* submission */
    bool is_active;    /* runs, or could run now: what has no figures is not */
    uint32_t slots;
    struct row_place *places; /* owned: of a task in several queue instances, its master's first */
    uint32_t n_places;        /* 0 in all other rows */
    bool is_slave;            /* of a row in one place (job_row_at): not the master's */
    bool is_beside;           /* the task itself is one more than its slots (job_is_first_task) */
    bool is_array;
    uint32_t ja_first, ja_step;
    struct range_set ids;      /* ordinals of the tasks on this line */
    const struct JB_Type *job; /* owned copy when asked for, else NULL */
    struct JAT_Type *task;     /* owned copy of a running task when asked for, else NULL */
    struct PF_Type *figures;   /* the same of what priority follows from; of an active row */
};
struct job_rows {
    struct job_row *v;
    uint32_t n, cap;
};

struct row_wish {
    unsigned show;  /* SHOW_... bits */
    uint64_t now_s; /* for ha */
    /* rows own a copy of the job, of its figures and of the running task: -r, -ext, -urg, -pri */
    bool keep_job;
};

/* job_row_fields - names of the fields of a job that lines are made of, ended by NULL; columns
 * may need more (job_table_needs) */
extern const char *const job_row_fields[];
/* job_rows_add - append the lines of one job
 *
 *   job      borrowed: number, name, owner, times, array, sets of tasks
 *   figures  borrowed: what the qmaster says of its priority; NULL or empty: nothing
 *   tasks    borrowed: its started tasks, any order
 *
 * One line for each running task, one for all pending tasks with the same state and holds. O(tasks
 * started + ranges). */
void job_rows_add(struct job_rows *rows, const struct row_wish *wish, const struct JB_Type *job,
                  const struct PF_Type *figures, const struct JAT_Type *const *tasks,
                  uint32_t n_tasks);
/* job_rows_sort - running by job and task; then pending by prior (highest first) and job, those
 * that are not active last; finished by job. O(lines) if they are in order */
void job_rows_sort(struct job_rows *rows);
/* job_rows_drop - the first N lines go; job_rows_free - all of them */
void job_rows_drop(struct job_rows *rows, uint32_t n);
void job_rows_free(struct job_rows *rows);

/* job_row_each_task - call EACH with a row of its own for every task of the array's ROW; else with
 * ROW */
void job_row_each_task(const struct job_row *row,
                       void (*each)(void *ctx, const struct job_row *one), void *ctx);
/* job_row_places - in how many queue instances ROW has slots; 1 without any
 * job_row_at - ROW as it is in the I-th of them: that queue and its slots; borrows from ROW */
uint32_t job_row_places(const struct job_row *row);
struct job_row job_row_at(const struct job_row *row, uint32_t i);
/* row_tasks_text - the task column: "1-9:2", "3", "" for a plain job; "1,4,9,..." once
 * more than MOST_BYTES are written. Appends. */
struct dstr;
void row_tasks_text(const struct job_row *row, size_t most_bytes, struct dstr *out);
/* job_slots_wanted - slots of a job that has not started: the least of -pe, else 1 */
uint32_t job_slots_wanted(const struct JB_Type *job);

#endif
