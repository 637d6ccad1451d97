#ifndef EXECD_REPORT_REPORT_H
#define EXECD_REPORT_REPORT_H

#include "libs/sgeobj/rows.h"

/* What goes to the qmaster. Reports are gathered during a turn of the loop and go out in one
 * message at its end. */
struct execd;
struct exec_task;
struct task_key;

/* report_register - who we are and every task we know: the first message of a connection */
void report_register(struct execd *x);
/* report_soon - the task's state goes out at the end of this turn of the loop */
void report_soon(struct exec_task *t);
void report_flush(struct execd *x); /* what flush_timer does: send what is due */
/* report_unknown - at once: this start of a task is not known here */
void report_unknown(struct execd *x, const struct task_key *key, uint32_t attempt);
/* report_load_news - load values that changed, if any
 * report_load - the same, and if none did a sign of life */
void report_load_news(struct execd *x);
void report_load(struct execd *x);

/* report_one - one report, at once; REPORT is taken, and empty afterwards */
void report_one(struct execd *x, struct JR_Type *report);

#endif
