#ifndef CLIENTS_QEVENT_QEVENT_H
#define CLIENTS_QEVENT_QEVENT_H

#include <stdio.h>

#include "clients/common/doc.h"
#include "clients/common/option_table.h"
#include "libs/mir/mir.h"

/* qevent: what happens in the cell, as it happens. Small on purpose: a starting point for new event
 * clients. */

/* which script runs when something has ended */
enum { TRIGGER_TASK, TRIGGER_JOB, TRIGGERS };
struct qevent_options {
    bool wants_help, shows_events, wants_all;
    enum doc_form form; /* 0: text */
    struct name_list kinds;
    const char *scripts[TRIGGERS]; /* borrowed from the command line; NULL: none */
    int awaits_script; /* of -trigger, while its second word is to come: its index + 1 */
};

/* qevent_parse - read the N words ARGS, borrowed. Returns 0, or -1 with ans. End with
 * qevent_options_free. */
int qevent_parse(int n, char *const *args, struct qevent_options *o, bool *shows_usage,
                 struct answer *ans);
void qevent_options_free(struct qevent_options *o);
/* qevent_usage - append the help text */
struct dstr;
void qevent_usage(struct dstr *out);

/* show_event - EVENT as one line on OUT
 *
 *   known  what was known before EVENT: names and task ids come from it
 *
 * Returns 0, or -1 with ans. */
int show_event(const struct EV_Type *event, const struct mir *known, enum doc_form form, FILE *out,
               struct answer *ans);

/* trigger_event - run the scripts that wait for EVENT, with what ended as arguments: name of the
 * event, job, task. No more than
 * TRIGGERS_AT_ONCE run at a time: the next one waits until one has ended. A script that cannot be
 * run is named on stderr.
 * trigger_wait - until all of them have ended */
enum { TRIGGERS_AT_ONCE = 16 };
struct triggers {
    const char *const *scripts; /* of the options, borrowed */
    unsigned running;           /* children that have not been waited for */
};
void trigger_event(struct triggers *t, const struct EV_Type *event, const struct mir *known);
void trigger_wait(struct triggers *t);

#endif
