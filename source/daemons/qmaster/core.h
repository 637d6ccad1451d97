#ifndef QMASTER_CORE_H
#define QMASTER_CORE_H

#include "daemons/qmaster/tables/qmaster.h"

/* core_run - the core thread: takes notes, changes state, gives batches; until NOTE_STOP or a
 * shutdown request. Everything that was applied is durable and answered when it returns. */
void core_run(struct qmaster *q);
/* core_on_note - what the core does with one note, which stays the caller's; tests play the threads
 * that send notes */
struct note;
void core_on_note(struct qmaster *q, struct note *n);
/* core_hand_over - the end of a turn: changes go to the committer if it is free, with the next
 * pieces of long scripts */
void core_hand_over(struct qmaster *q);
/* core_on_frame - what the core does with a frame whose turn has come */
struct frame;
struct connection;
void core_on_frame(struct qmaster *q, struct connection *s, struct frame *f);

/* core_commit - the end of a turn: what was collected for the scheduler and for hosts leaves, what
 * has changed goes to the committer (change_commit) */
void core_commit(struct qmaster *q);

#endif
