#ifndef CLIENTS_QMON_FORMS_WHY_READ_H
#define CLIENTS_QMON_FORMS_WHY_READ_H

#include "clients/common/why_groups.h"
#include "clients/qmon/widgets/qmon.h"
#include "libs/view/why_list.h"

/* Why the place of a list waits, as qstat -why finds it out: of a whole job, one request for its
 * tasks, and one for each group of them. */
struct why_read {
    struct qmon *q;
    struct why_list *list;   /* filled while answers come */
    void (*done)(void *ctx); /* the list is complete */
    void *ctx;
    bool is_open;
    /* private */
    struct why_groups groups;
    uint32_t at;
    bool has_headings;
};

/* why_read_begin - ask about the place of the list; what was asked before is forgotten. `done` is
 * called in any case.
 * why_read_stop - `done` is not called any more; what R holds is free */
void why_read_begin(struct why_read *r);
void why_read_stop(struct why_read *r);

#endif
