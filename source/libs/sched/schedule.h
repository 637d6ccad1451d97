#ifndef SCHED_SCHEDULE_H
#define SCHED_SCHEDULE_H

#include "libs/sgeobj/rows.h"
#include "libs/uti/dstr.h"

/* What the scheduler has decided, as lines of the file "schedule". Pure. Source: sched_conf(5)
 * params MONITOR; captured lines */
struct sched;

enum { SCHEDULE_LINES_MOST = 5000 }; /* of an interval */

struct schedule {
    struct dstr starting; /* of the orders since the last interval */
    uint32_t n;           /* lines of this interval */
    bool is_cut;          /* it had more than SCHEDULE_LINES_MOST */
};                        /* all zero: empty */

/* schedule_add_orders - note what ORDERS of a run, which has just ended, start
 * schedule_add_interval - append an interval to TEXT: a line that separates it, what runs, what is
 * suspended, what was noted, which is forgotten, and what is reserved. Returns whether lines were
 * left out. O(lines)
 * schedule_free - S is empty afterwards */
void schedule_add_orders(struct schedule *s, const struct sched *sched,
                         const struct OR_Type_list *orders);
bool schedule_add_interval(struct schedule *s, const struct sched *sched, struct dstr *text);
void schedule_free(struct schedule *s);

#endif
