#ifndef QMASTER_CONFIG_LOAD_H
#define QMASTER_CONFIG_LOAD_H

#include "daemons/qmaster/tables/hosts.h"
#include "daemons/qmaster/tables/qmaster.h"

/* The load values of the cell: what sensors of its hosts say of the host "global". Those of the
 * qmaster's own host and of admin hosts are accepted, and no others: an attacker who has taken over
 * another host says nothing about the cell. If several report the same name, the last
 * report counts. What a host may cost the qmaster that way is limited: */
enum {
    CELL_VALUES_MOST = 256,
    CELL_BYTES_MOST = 64 * 1024,          /* of the names and values of a host */
    CELL_SAID_MOST = 2 * CELL_VALUES_MOST /* in one message: all of them gone, and others come */
};
struct identity;
struct qmaster;

/* cell_load_update - the execd of H, which is WHO, says that values are new, changed or, without a
 * value, no more, or says nothing of the cell (NULL)
 *
 * Those of a host that may not speak wait until it may, with a line in the log; what is beyond the
 * limits is left out, with another. O(reported values x values of the host and the cell), however
 * many hosts there are; of NULL O(1) */
void cell_load_update(struct qmaster *q, const struct identity *who, struct host *h,
                      const struct EH_Type *said);
/* cell_load_end - the execd of H has gone, or is new, or H is about to go: its values count no
 * more */
void cell_load_end(struct qmaster *q, struct host *h);

/* The load values of a host, as its execd reports them. What a host may cost the qmaster that way
 * is limited: */
enum {
    LOAD_VALUES_MOST = 1000,
    LOAD_NAME_MOST = 512,
    LOAD_VALUE_MOST = 4096,
    LOAD_BYTES_MOST = 256 * 1024,         /* of all names and values of a host */
    LOAD_SAID_MOST = 2 * LOAD_VALUES_MOST /* in one message: all of them gone, and others come */
};
struct qmaster;

/* host_load_update - the execd of H says that values are new, changed or, without a value, no more;
 * what is beyond the limits is left out, with a line in the log for each connection. O(values) if
 * they come in the order in which they came first */
void host_load_update(struct qmaster *q, struct host *h, const struct EH_Type *said);
/* host_load_anew - the execd of H is new, and says all values: those known are forgotten */
void host_load_anew(struct host *h);

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

/* load_state_send - send new reports of H to the scheduler */
void load_state_send(struct qmaster *q, struct host *h);

/* load_state_update - the load of H is new: the states of its queue instances follow, and event
 * clients receive those that differ; the scheduler also receives the values, and what load_formula
 * makes of them
 *
 * A host whose load was looked at in this very second waits for load_state_step: what it says a
 * thousand times a second moves the scheduler twice. O(its instances x thresholds). */
void load_state_update(struct qmaster *q, struct host *h);
/* load_state_step - those that wait; to be called once a second */
void load_state_step(struct qmaster *q);

/* load_note_start - SLOTS were taken on H at AT_S: as long as load_adjustment_decay_time says they
 * count for its load thresholds, less each second. Its queue instances are looked at by the next
 * subordinates_step, and then once a second. O(1)
 * load_state_leave - QI is about to go
 * load_left_update - slots or resources of H are others: the states of its queue instances follow.
 * O(its instances x thresholds)
 * load_cell_step - after a change of the load of the cell, or of what is left in it: the states of
 * all queue instances follow, in slices (qmaster.h); true while there is more
 * load_cell_is_due - would it do anything? O(1) */
void load_state_leave(struct qmaster *q, struct qinstance *qi);
void load_left_update(struct qmaster *q, struct host *h);
bool load_cell_step(struct qmaster *q);
bool load_cell_is_due(const struct qmaster *q);
void load_note_start(struct qmaster *q, struct host *h, uint64_t at_s, uint64_t slots);

/* load_state_explain, load_state_explain_suspend - append a line for each load or suspend threshold
 * that QI exceeds
 * load_state_why - append the first of them, as `scheduling info:` has it */
void load_state_explain(struct qmaster *q, const struct qinstance *qi, struct dstr *out);
void load_state_explain_suspend(struct qmaster *q, const struct qinstance *qi, struct dstr *out);
void load_state_why(struct qmaster *q, const struct qinstance *qi, struct dstr *out);

#endif
