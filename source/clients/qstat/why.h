#ifndef CLIENTS_QSTAT_WHY_H
#define CLIENTS_QSTAT_WHY_H

#include "clients/qstat/qstat.h"

/* The tasks that -why is about. Source: qstat(1). */
struct why_group {
    uint32_t job;
    uint32_t task;    /* the one that is asked about; 0: the job is no array, as far as is known */
    uint64_t n_tasks; /* that it stands for; 0: the command line names it, or it is no array's */
    char *tasks;      /* their ids, "1-4:1,9"; NULL if n_tasks is 0 */
    char state[8];    /* "hqw"; "" when it is not requested */
};
struct why_groups {
    struct why_group *v;
    uint32_t n, cap;
};

/* why_groups_of - append the groups that an identifier of -j means: "12", "12.3", a name, a
 * pattern, "name.3"
 * Returns 0, or -1 with ans: STATUS_EUNKNOWN if it means no job, else the qmaster could not be
 * asked. */
int why_groups_of(const struct qstat_world *w, const char *identifier, struct why_groups *out,
                  struct answer *ans);
void why_groups_free(struct why_groups *groups);

#endif
