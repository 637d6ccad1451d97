#ifndef MIR_TEST_BOARD_LINES_H
#define MIR_TEST_BOARD_LINES_H

/* A board that is told lines of event_lines.h, and arrays with all that they have. */
#include "libs/mir/board.h"
#include "libs/sgeobj/test/event_lines.h"
#include "libs/uti/answer.h"

/* an array 1-N, of which tasks with the ordinals FIRST..LAST are ready */
static inline struct EV_Type *array_event(uint32_t number, uint32_t n, uint32_t first,
                                          uint32_t last)
{
    struct EV_Type *event = cull_new(&cull_EV_Type);
    cull_set(event, EV_kind, (uint32_t)EV_JOB_ADD);
    struct JB_Type *job = cull_append(event, EV_jobs);
    cull_set(job, JB_job_number, number);
    cull_set(job, JB_type, (uint32_t)JOB_TYPE_ARRAY);
    cull_set(job, JB_ja_first, 1u);
    cull_set(job, JB_ja_last, n);
    cull_set(job, JB_ja_step, 1u);
    range_set_add(cull_ranges(job, JB_ja_pending_ids), 0, n - 1);
    range_set_add(cull_ranges(event, EV_ids), first, last);
    return event;
}

/* EVENT is taken */
static inline void tell_event(struct board *b, struct EV_Type *event)
{
    struct answer ans = ANSWER_INIT;
    assert_int_equal(board_apply(b, event, &ans), 0);
    cull_delete(&cull_EV_Type, event);
    ans_free(&ans);
}

static inline void tell_line(struct board *b, const char *line)
{
    tell_event(b, feed_event(line));
}

static inline void tell_mark(struct board *b, uint32_t kind)
{
    struct EV_Type *event = cull_new(&cull_EV_Type);
    cull_set(event, EV_kind, kind);
    tell_event(b, event);
}

static inline void tell_named(struct board *b, uint32_t number, const char *name, const char *owner)
{
    struct EV_Type *event = array_event(number, 1, 0, 0);
    cull_set(event->EV_jobs.v, JB_job_name, name);
    cull_set(event->EV_jobs.v, JB_owner, owner);
    tell_event(b, event);
}

/* what an event says of an array beside its tasks: JOB waits for BEFORE, task by task or as a
 * whole */
static inline void tell_array(struct board *b, uint32_t number, const char *name, uint32_t n,
                              uint32_t step, uint32_t before)
{
    struct EV_Type *event = array_event(number, n, 0, 0);
    struct JB_Type *job = event->EV_jobs.v;
    cull_set(job, JB_job_name, name);
    cull_set(job, JB_ja_step, step);
    range_set_free(cull_ranges(job, JB_ja_pending_ids));
    range_set_add(cull_ranges(job, JB_ja_pending_ids), 0, (n - 1) / step);
    range_set_free(cull_ranges(event, EV_ids));
    if (before != 0)
        cull_set(cull_append(job, JB_ja_ad_predecessor_list), JRE_job_number, before);
    else
        range_set_add(cull_ranges(event, EV_ids), 0, (n - 1) / step);
    tell_event(b, event);
}

#endif
