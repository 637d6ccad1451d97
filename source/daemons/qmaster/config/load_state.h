#ifndef QMASTER_CONFIG_LOAD_STATE_H
#define QMASTER_CONFIG_LOAD_STATE_H

#include "daemons/qmaster/tables/qmaster.h"

/* What load does to queue instances (`load_state` of struct qinstance) and to the order in which
 * they are taken: the only place that decides whether one is in alarm. Another load_formula counts
 * for a host when it reports next. Source: load_thresholds and suspend_thresholds in queue_conf(5),
 * sched_conf(5) */
struct dstr;

/* load_state_settle - QI is new, or its thresholds or its host's execd may be others: its state
 * follows. Sends no events; true if it is another one. O(thresholds) */
bool load_state_settle(struct qmaster *q, struct qinstance *qi);

/* load_state_renew - the execd of H has come or gone: its load as a whole and the states of its
 * queue instances follow. Sends no events */
void load_state_renew(struct qmaster *q, struct host *h);

/* load_state_say - send new reports of H to the scheduler */
void load_state_say(struct qmaster *q, struct host *h);

/* load_state_heard - the load of H is new: the states of its queue instances follow, and event
 * clients receive those that differ; the scheduler also receives the values, and what load_formula
 * makes of them
 *
 * A host whose load was looked at in this very second waits for load_state_step: what it says a
 * thousand times a second moves the scheduler twice. O(its instances x thresholds). */
void load_state_heard(struct qmaster *q, struct host *h);
/* load_state_step - those that wait; to be called once a second */
void load_state_step(struct qmaster *q);

/* load_state_explain, load_state_explain_suspend - append a line for each load or suspend threshold
 * that QI exceeds
 * load_state_why - append the first of them, as `scheduling info:` has it */
void load_state_explain(struct qmaster *q, const struct qinstance *qi, struct dstr *out);
void load_state_explain_suspend(struct qmaster *q, const struct qinstance *qi, struct dstr *out);
void load_state_why(struct qmaster *q, const struct qinstance *qi, struct dstr *out);

#endif
