#ifndef VIEW_FRAMES_PRIV_H
#define VIEW_FRAMES_PRIV_H

#include "libs/view/frames.h"
#include "libs/view/pipeline.h"

/* The frame matrix from within: frames.c keeps the stages, what is seen of them and what is marked;
 * frames_words.c has the texts. */
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

/* frames_where - append where the task pointed at runs, if it is known
 * frames_all_in - are all of TASKS in SET? */
void frames_where(const struct frames *f, struct dstr *out);
bool frames_all_in(const struct range_set *set, struct ja_window tasks);

#endif
