#ifndef VIEW_FRAMES_PRIV_H
#define VIEW_FRAMES_PRIV_H

#include "libs/view/frames.h"
#include "libs/view/pipeline.h"

/* Between the files of the frame matrix: frames.c has the stages and what is seen of them,
 * frames_runs.c what is drawn, frames_words.c the texts, frames_mark.c what is marked,
 * frames_where.c where the task runs that is pointed at. */
struct frames {
    struct board *board;
    struct board_watcher watcher;
    struct range_set start;
    struct pipeline pipeline;
    struct frame_span all, seen;
    bool is_behind, is_stale;
    bool is_pointing;
    uint32_t pointed; /* number of a job */
    uint32_t ordinal;
    struct frame_task known; /* where that task runs; job 0: none */
    char *queue;             /* owned; NULL: that is not known */
    uint64_t start_s;
    struct frame_task ended;  /* how that task ended is known; job 0: none */
    char *end;                /* owned */
    uint64_t began_s, now_s;  /* 0: not yet */
    uint64_t *done_before;    /* tasks of each stage, when it began; owned */
    struct frame_mark *marks; /* owned */
    uint32_t n_marks, cap_marks;
};

/* frames_task_of - the task of JOB that works at FRAME; false: there is none
 * frames_tasks_in - its tasks that work at a frame of SPAN; false: there is none
 * frames_unmark_job - no task of the job NUMBER is marked
 * frames_forget_where - if the task does not run any more
 * frames_where - append where the task pointed at runs, if it is known
 * frames_all_in - are all of TASKS in SET? */
bool frames_task_of(const struct board_job *job, uint32_t frame, uint32_t *ordinal);
bool frames_tasks_in(const struct board_job *job, struct frame_span span, struct ja_window *out);
void frames_unmark_job(struct frames *f, uint32_t number);
void frames_forget_where(struct frames *f);
void frames_where(const struct frames *f, struct dstr *out);
bool frames_all_in(const struct range_set *set, struct ja_window tasks);

#endif
