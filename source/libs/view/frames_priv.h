#ifndef VIEW_FRAMES_PRIV_H
#define VIEW_FRAMES_PRIV_H

#include "libs/view/frames.h"
#include "libs/view/pipeline.h"

/* Between the files of the frame matrix: frames.c has the stages and what is seen of them,
 * frames_runs.c what is drawn, frames_words.c what is said. */
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
    uint64_t began_s, now_s; /* 0: not yet */
    uint64_t *done_before;   /* tasks of each stage, when it began; owned */
};

/* frames_task_of - the task of JOB that works at FRAME; false: there is none
 * frames_all_in - are all of TASKS in SET? */
bool frames_task_of(const struct board_job *job, uint32_t frame, uint32_t *ordinal);
bool frames_all_in(const struct range_set *set, struct ja_window tasks);

#endif
