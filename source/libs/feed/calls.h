#ifndef FEED_CALLS_H
#define FEED_CALLS_H

#include "libs/gdi/message.h"

/* Requests to the qmaster, for a program whose main thread has a loop of its own: they are sent at
 * once, and their results are announced by a descriptor. A qmaster that is lost meanwhile is
 * asked again when it is back; it carries each request out once. */
struct answer;
struct calls;
struct cell;
enum { CALLS_TEXTS_MOST = 1000 }; /* of an answer: more are counted, not kept */

/* calls_new - no connection yet; CELL and PROGRAM are borrowed for life
 * Returns new: calls_free; NULL with ans: no descriptor. */
struct calls *calls_new(const struct cell *cell, const char *program, struct answer *ans);
/* calls_free - what is on its way is given up; NULL is fine */
void calls_free(struct calls *c);

/* calls_done_fn - what became of a request: the texts of its answer, borrowed; N_TEXTS of them, of
 * which TEXTS has the first. If the answer did not come whole, the last of them says why. */
typedef void (*calls_done_fn)(void *ctx, const struct answer *texts, uint32_t n_texts);
/* calls_send - send REQUEST, borrowed; DONE is called with CTX within calls_take
 * The first one connects, which takes a moment at most (a socket of this host). Returns 0, or -1
 * with ans: there is no qmaster; DONE is not called then. */
int calls_send(struct calls *c, struct GR_Type *request, calls_done_fn done, void *ctx,
               struct answer *ans);
/* calls_get_fn - the same with the objects of the answer, borrowed; NULL if it is refused, or did
 * not come whole
 * calls_get - send a request whose answer has objects likewise; what comes to more than
 * CALLS_BYTES_MOST is refused */
typedef void (*calls_get_fn)(void *ctx, const struct GA_Type *all, const struct answer *texts);
int calls_get(struct calls *c, struct GR_Type *request, calls_get_fn got, void *ctx,
              struct answer *ans);
enum { CALLS_BYTES_MOST = 256 << 20 };
/* calls_forget - nothing is called any more for requests with CTX that are on their way; they are
 * carried out nevertheless */
void calls_forget(struct calls *c, const void *ctx);
/* calls_fd - readable when calls_take has something to say */
int calls_fd(const struct calls *c);
void calls_take(struct calls *c);

#endif
