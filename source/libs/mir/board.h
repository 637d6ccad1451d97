#ifndef MIR_BOARD_H
#define MIR_BOARD_H

#include "libs/sgeobj/rows.h"
#include "libs/uti/hash.h"
#include "libs/uti/tree.h"

/* The jobs of a cell and the states of their tasks, as events describe them, for windows to look
 * at. Pure: no clock, no network, one thread. Jobs that ended stay for a while (BOARD_KEPT). */
struct answer;
struct board;
struct dstr;
enum { BOARD_KEPT = 1000 };

/* What a task can be. A job is shown as the first of these that one of its tasks is. */
enum task_look {
    LOOK_ERROR,
    LOOK_SUSPENDED,
    LOOK_RUNNING,
    LOOK_READY,   /* pending; no holds */
    LOOK_HELD,    /* pending; a hold or a job before it keeps it */
    LOOK_FAILED,  /* ended, but not with exit status 0; or deleted before it started */
    LOOK_UNKNOWN, /* ended with an unknown result */
    LOOK_DONE,
    LOOKS
};

struct board_job {
    struct JB_Type rec; /* the fields of board_fields, as far as they are there */
    /* ordinals; a task that is in none of them is held */
    struct range_set ready, running, suspended, parked, done;
    struct range_set failed, unknown; /* of those that are done; no task is in both */
    bool is_over;                     /* it has left the cell */
    /* the kinds of hold on its tasks (MINUS_H_TGT_..., HOLD_JID), as the qmaster said last, and
     * whether it was asked since the job changed */
    unsigned holds;
    bool are_holds_asked;
    /* the board's own */
    bool is_stale;   /* known from before the state came anew */
    bool is_changed; /* since the last board_settle */
    TAILQ_ENTRY(board_job) in_changed, in_over;
    UT_hash_handle hh;
};

/* board_fields - names of the fields of jobs that an event client must ask for, ended by NULL */
extern const char *const board_fields[];

/* board_new - no jobs; new: board_free. NULL is fine for board_free */
struct board *board_new(void);
void board_free(struct board *b);

/* board_apply - EVENT, borrowed, has come
 *   ans  optional; STATUS_EPROTO names the field that its kind needs and it lacks
 * EV_ANEW makes all jobs stale: those that do not come again until EV_SYNCED have ended meanwhile.
 * Events of kinds and jobs that are not known here change nothing. Returns 0, or -1 with ans and
 * nothing changed. O(fields), for tasks O(log) of what the sets have. */
int board_apply(struct board *b, const struct EV_Type *event, struct answer *ans);

/* board_set_holds - the qmaster says that these kinds of hold lie on tasks of JOB */
void board_set_holds(struct board *b, struct board_job *job, unsigned holds);

/* board_job - the job of that number, borrowed; NULL: not known. O(1)
 * board_first, board_next - all jobs, in no certain order
 * board_count - how many there are */
struct board_job *board_job(const struct board *b, uint32_t number);
struct board_job *board_first(const struct board *b);
struct board_job *board_next(const struct board_job *job);
uint32_t board_count(const struct board *b);

/* board_look - how many tasks of JOB have that look; O(1) to O(log)
 * board_job_look - that of the job
 * board_task_look - that of the task with this ordinal */
uint64_t board_look(const struct board_job *job, enum task_look look);
enum task_look board_job_look(const struct board_job *job);
enum task_look board_task_look(const struct board_job *job, uint32_t ordinal);
/* board_add_counts - append ", 3 running, 2 held": the tasks of JOB that are not done
 * board_ended - how many tasks of JOB have ended, in whatever way
 * look_is_ended - is it that of a task that has ended? */
void board_add_counts(const struct board_job *job, struct dstr *out);
uint64_t board_ended(const struct board_job *job);
bool look_is_ended(enum task_look look);
/* look_name - "running"; look_letters - "r", as qstat(1) has it */
const char *look_name(enum task_look look);
const char *look_letters(enum task_look look);

/* Subscribers to changes: `changed` comes with board_settle, once for each job however often
 * it changed; `leaves` at once, before the job is freed. The struct is the caller's, and stays
 * until board_free or board_unwatch. */
struct board_watcher {
    void (*changed)(void *ctx, struct board_job *job);
    void (*leaves)(void *ctx, struct board_job *job);
    void *ctx;
    LIST_ENTRY(board_watcher) in_board;
};
void board_watch(struct board *b, struct board_watcher *w);
void board_unwatch(struct board_watcher *w);
/* board_settle - notify all watchers of what has changed since the last call. O(changed jobs) */
void board_settle(struct board *b);

#endif
