#ifndef VIEW_PIPELINE_H
#define VIEW_PIPELINE_H

#include "libs/mir/board.h"

/* Which jobs belong together because they wait for each other. Pure. */
enum { PIPELINE_MOST = 500 }; /* jobs: more are not followed */

struct pipeline {
    struct board_job **stages; /* owned; borrowed jobs, those that others wait for first */
    uint32_t n, cap;
};
/* pipeline_find - the jobs of START, those before and behind them, over any number of steps
 *   out  replaced; end with pipeline_free
 * O(jobs of the board), times the depth of dependencies upon jobs with higher numbers. */
void pipeline_find(const struct board *b, const struct range_set *start, struct pipeline *out);
void pipeline_free(struct pipeline *p);
/* What a filter asks for: the jobs that NUMBER waits for, those that wait for it, over any number
 * of steps, both with itself. */
struct pipeline_wish {
    uint32_t number;
    bool wants_before, wants_after;
};
/* pipeline_wish_read - "before:12", "after:12", "with:12"; false: WORD is something else
 * pipeline_numbers - the numbers of the jobs that WISH means replace OUT: at most PIPELINE_MOST,
 * none if the job is not known; cost as pipeline_find */
bool pipeline_wish_read(const char *word, struct pipeline_wish *out);
void pipeline_numbers(const struct board *b, const struct pipeline_wish *wish,
                      struct range_set *out);
/* job_has_predecessors - does it wait, or has it waited, for others?
 * job_array_waits - does it wait, task by task, for the job of that number?; O(predecessors) */
bool job_has_predecessors(const struct board_job *job);
bool job_array_waits(const struct board_job *job, uint32_t number);

#endif
