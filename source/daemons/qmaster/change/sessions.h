#ifndef QMASTER_CHANGE_SESSIONS_H
#define QMASTER_CHANGE_SESSIONS_H

#include "daemons/qmaster/tables/session.h"

/* All connections, and what may be said over each. */
struct sessions;

struct sessions *sessions_new(void);
void sessions_free(struct sessions *s);
struct session *sessions_open(struct qmaster *q, struct note *n);
uint32_t sessions_count(const struct qmaster *q);
struct session *sessions_find(struct qmaster *q, uint64_t conn);
void sessions_close(struct qmaster *q, uint64_t conn);
/* session_take - a frame has come (its body is taken); session_next - the next one to work on. False/-1: the connection is of no use */
int session_take(struct qmaster *q, struct session *s, struct frame *f, struct answer *ans);
bool session_next(struct session *s, struct frame *out);
/* sessions_check - end those that owe their tables for too long; once a second */
void sessions_check(struct qmaster *q);
/* session_unpack - one record from the body of a frame of S
 * That is one slice of the core, so a client's record has bounds: the elements of its lists in all,
 * the bytes of one text and of all but a script, and the script's (JOB_SCRIPT_MOST). All texts may
 * have more than a job may without its script (JOB_RECORD_MOST): who exceeds that a little hears of
 * the job, not of the message. */
enum { REQUEST_ELEMENTS_MOST = 1 << 15, REQUEST_TEXT_MOST = 1 << 20, REQUEST_TEXTS_MOST = 5 << 20 };
int session_unpack(struct qmaster *q, struct session *s, const struct frame *f,
                   const struct cull_type *t, void *o, struct answer *ans);
/* session_may_send - is a frame of KIND for the role of S (right_to_send)? If not, that is logged, and its connection is not worth keeping. */
bool session_may_send(struct qmaster *q, const struct session *s, uint8_t kind);

#endif
