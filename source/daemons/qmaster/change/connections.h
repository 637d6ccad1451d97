#ifndef QMASTER_CHANGE_CONNECTIONS_H
#define QMASTER_CHANGE_CONNECTIONS_H

#include "daemons/qmaster/tables/connection.h"

/* All connections, and what may be said over each. */
struct connections;

/* connections_new - no connections; new: connections_free. connections_free - NULL is fine */
struct connections *connections_new(void);
void connections_free(struct connections *s);
/* connections_open - the connection of a NOTE_OPENED, whose `who` is moved out; owned by the table
 * connections_close - it has gone, with its lane; an unknown one is fine */
struct connection *connections_open(struct qmaster *q, struct note *n);
void connections_close(struct qmaster *q, uint64_t conn);
/* connections_find - NULL if it has gone. O(1). connections_count - how many there are */
struct connection *connections_find(struct qmaster *q, uint64_t conn);
uint32_t connections_count(const struct qmaster *q);
/* connection_take - a frame has come; its body is taken. Returns 0, or -1 with ans: end the
 * connection
 * connection_next - the next frame to work on; its body is the caller's. false: none now */
int connection_take(struct qmaster *q, struct connection *s, struct frame *f, struct answer *ans);
bool connection_next(struct connection *s, struct frame *out);
/* connections_check - end those that owe their tables for too long; once a second */
void connections_check(struct qmaster *q);
/* connection_unpack - one record from the body of a frame of S
 * That is one slice of the core, so a client's record has bounds: the elements of its lists in all,
 * the bytes of one text and of all but a script, and the script's (JOB_SCRIPT_MOST). All texts may
 * have more than a job may without its script (JOB_RECORD_MOST): exceeding that a little is an
 * error of the job, not of the message. A script that is most of its frame keeps the body,
 * which is NULL then. */
enum { REQUEST_ELEMENTS_MOST = 1 << 15, REQUEST_TEXT_MOST = 1 << 20, REQUEST_TEXTS_MOST = 5 << 20 };
int connection_unpack(struct qmaster *q, struct connection *s, struct frame *f,
                      const struct cull_type *t, void *o, struct answer *ans);
/* connection_may_send - is a frame of KIND for the role of S (right_to_send)? If not, that is
 * logged, and its connection is not worth keeping. */
bool connection_may_send(struct qmaster *q, const struct connection *s, uint8_t kind);

#endif
