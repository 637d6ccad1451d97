#ifndef CLIENTS_QMON_JOBS_WINDOW_PRIV_H
#define CLIENTS_QMON_JOBS_WINDOW_PRIV_H

#include "clients/qmon/table.h"
#include "clients/qmon/window.h"
#include "libs/view/job_list.h"

/* Job Control: jobs_window.c shows, jobs_acts.c does what its buttons say. */
struct jobs_window {
    struct qmon *q;
    Widget shell, said;
    struct job_list *list;
    struct table *table;
    struct range_set asked; /* the jobs of the question that is open */
};

/* jobs_acts - the rows of its buttons
 *   n  out: how many */
const struct window_button *jobs_acts(size_t *n);

#endif
