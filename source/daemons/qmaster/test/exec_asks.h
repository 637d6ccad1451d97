#ifndef QMASTER_TEST_EXEC_ASKS_H
#define QMASTER_TEST_EXEC_ASKS_H

#include "daemons/qmaster/change/connections.h"
#include "daemons/qmaster/test/fixture.h"

/* An execd that a test plays. What it knows of a start is written as text: "12.3/1 running", job,
 * task, attempt and state. */

/* connect_as - a connection of its own, of root or of an ordinary user */
struct connection *connect_as(struct fixture *f, const char *user);
/* say_hello - register as HOST, knowing what the reports A and B say (NULL: nothing)
 * say_report - a report
 * hear_message - anything; M is emptied */
void say_hello(struct fixture *f, struct connection *s, const char *host, const char *a,
               const char *b);
void say_report(struct fixture *f, struct connection *s, const char *report);
/* say_load - the execd of node1 reports a load value; VALUE NULL: that NAME is no more */
void say_load(struct fixture *f, const char *name, const char *value);
void hear_message(struct fixture *f, struct connection *s, struct XM_Type *m);
/* text_told - what has left for connection S since the last look
 * told_after_sync - the same, when all that was changed is on disk */
const char *text_told(struct fixture *f, const struct connection *s);
const char *told_after_sync(struct fixture *f, const struct connection *s);

#endif
