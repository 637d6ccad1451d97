#ifndef SCHED_POLICY_TICKETS_H
#define SCHED_POLICY_TICKETS_H

#include "common/basis.h"

/* Tickets of jobs by the three ticket policies (sched_conf(5)), as a pure function.
 *
 * Jobs that differ in order alone are a class. Tasks that run share what is given out by what runs
 * alone. Pending ones get their tickets one by one, the one with the most first: as many as if it,
 * what runs and those before it were all there is. So each further task of a user gets less, and
 * one user's tasks take nothing from the first ones of another.
 *   override     -ot, and oticket of the user, project and department, each divided among their
 *                tasks if share_override_tickets
 *   functional   weight_tickets_functional times the sum over user, project, department and job of
 *                weight_x / all four * fshare / fshares of those that have tasks, divided among
 *                their tasks; or, if not share_functional_shares, / fshares of all tasks
 *   share tree   weight_tickets_share times the short-term share of each node on the path among its
 *                siblings with tasks, divided among the tasks of the leaf; of pending ones the
 *                share of the first node below the root, divided by the task's position in it
 * The short-term share of a node follows from its long-term share t and its usage u:
 * t * t / max(u, t), in relation to its siblings; at most compensation_factor * t, and what is cut
 * so is divided among the others.
 * Reproduces policies/functional, override-deadline-urgency and sharetree/running of the captures.
 */
#define TICKETS_NOBODY UINT32_MAX
enum ticket_kind { TICKETS_OF_USER, TICKETS_OF_PROJECT, TICKETS_OF_DEPARTMENT, TICKET_KINDS };
enum ticket_policy { TICKETS_OVERRIDE, TICKETS_FUNCTIONAL, TICKETS_SHARE, TICKET_POLICIES };
struct ticket_conf {
    double weights[TICKET_KINDS], weight_job; /* weight_user, ... */
    double functional, share;                 /* weight_tickets_functional, _share */
    double compensation;                      /* compensation_factor; below 1: no bound */
    bool shares_override, shares_functional;
    uint32_t functional_most;            /* max_functional_jobs_to_schedule */
    char hierarchy[TICKET_POLICIES + 1]; /* policy_hierarchy: letters of O, F and S; "" = NONE */
};
/* a user, a project or a department */
struct ticket_holder {
    double fshare, oticket;
    uint64_t tasks; /* for tickets_compute */
};
/* of a share tree; the first is the root, and parents come before their children */
struct ticket_node {
    uint32_t parent; /* TICKETS_NOBODY: the root */
    double shares, usage;
    double running_share, pending_share; /* made by tickets_compute: short-term, among siblings */
    uint64_t running, taken;
    bool is_active;
    uint32_t first, n; /* of its heap */
};
struct tickets {
    double of[TICKET_POLICIES];
};
struct ticket_class {
    uint32_t holders[TICKET_KINDS]; /* TICKETS_NOBODY: none */
    uint32_t leaf;                  /* TICKETS_NOBODY: not in the tree */
    double job_share, override;
    uint32_t running;
    uint32_t n_pending;
    const uint32_t *jobs;        /* of each pending task, the most important first */
    struct tickets each_running; /* made by tickets_compute: of a task that runs */
    struct tickets *pending;     /* room for n_pending */
    uint32_t next;
};
struct ticket_cell {
    struct ticket_holder *holders;
    struct ticket_node *nodes;
    struct ticket_class *classes;
    uint32_t n_holders, n_nodes, n_classes;
};

/* tickets_compute - all of them, into the classes. O((tasks + classes) log classes + nodes) */
void tickets_compute(const struct ticket_conf *conf, struct ticket_cell *cell);
/* tickets_sum */
double tickets_sum(const struct tickets *t);

#endif
