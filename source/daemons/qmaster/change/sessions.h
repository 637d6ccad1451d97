#ifndef QMASTER_CHANGE_SESSIONS_H
#define QMASTER_CHANGE_SESSIONS_H

#include "daemons/qmaster/tables/session.h"

/* All connections, and what may be said over each. */
struct sessions;

/* sessions_new - no connections; new: sessions_free. sessions_free - NULL is fine */
struct sessions *sessions_new(void);
void sessions_free(struct sessions *s);
/* sessions_open - the connection of a NOTE_OPENED, whose `who` is moved out; owned by the table
 * sessions_close - it has gone, with its lane; an unknown one is fine */
struct session *sessions_open(struct qmaster *q, struct note *n);
void sessions_close(struct qmaster *q, uint64_t conn);
/* sessions_find - NULL if it has gone. O(1). sessions_count - how many there are */
struct session *sessions_find(struct qmaster *q, uint64_t conn);
uint32_t sessions_count(const struct qmaster *q);
/* session_take - a frame has come; its body is taken. Returns 0, or -1 with ans: end the connection
 * session_next - the next frame to work on; its body is the caller's. false: none now */
int session_take(struct qmaster *q, struct session *s, struct frame *f, struct answer *ans);
bool session_next(struct session *s, struct frame *out);
/* sessions_check - end those that owe their tables for too long; once a second */
void sessions_check(struct qmaster *q);
/* session_unpack - one record from the body of a frame of S
 * That is one slice of the core, so a client's record has bounds: the elements of its lists in all,
 * the bytes of one text and of all but a script, and the script's (JOB_SCRIPT_MOST). All texts may
 * have more than a job may without its script (JOB_RECORD_MOST): exceeding that a little is an
 * error of the job, not of the message. A script that is most of its frame keeps the body,
 * which is NULL then. */
enum { REQUEST_ELEMENTS_MOST = 1 << 15, REQUEST_TEXT_MOST = 1 << 20, REQUEST_TEXTS_MOST = 5 << 20 };
int session_unpack(struct qmaster *q, struct session *s, struct frame *f, const struct cull_type *t,
                   void *o, struct answer *ans);
/* session_may_send - is a frame of KIND for the role of S (right_to_send)? If not, that is logged,
 * and its connection is not worth keeping. */
bool session_may_send(struct qmaster *q, const struct session *s, uint8_t kind);

#endif
