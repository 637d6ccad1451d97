#ifndef CLIENTS_COMMON_WHY_GROUPS_H
#define CLIENTS_COMMON_WHY_GROUPS_H

#include "libs/sgeobj/rows.h"

/* Which tasks are asked about when a user asks why a job does not start: those with the same state
 * and holds are one group, and its first task is asked about as an example, so that the number of
 * requests follows the kinds of states, not the tasks. Pure. Source: qstat(1) -why. */
struct dstr;

struct why_group {
    uint32_t job;
    uint32_t task;    /* the selected one; 0: the job is not known to be an array */
    uint64_t n_tasks; /* that it represents; 0: named by the command line, or not of an array */
    char *tasks;      /* their ids, "1-4:1,9"; NULL if n_tasks is 0 */
    char state[8];    /* "hqw"; "" when it is not requested */
};
struct why_groups {
    struct why_group *v;
    uint32_t n, cap;
};

/* why_groups_add_task - one task; TASK 0: of no array
 * why_groups_add_job - the groups of JOB, with its started TASKS
 * why_groups_free - G is empty afterwards */
void why_groups_add_task(struct why_groups *g, uint32_t job, uint32_t task);
void why_groups_add_job(struct why_groups *g, const struct JB_Type *job,
                        const struct JAT_Type *const *tasks, uint32_t n_tasks, uint64_t now_s);
void why_groups_free(struct why_groups *g);
/* why_group_heading - append the line above the answer, where there are several */
void why_group_heading(const struct why_group *g, struct dstr *out);

#endif
