#ifndef GDI_CLIENT_H
#define GDI_CLIENT_H

#include "common/basis.h"

/* A client's side of GDI: one request, one answer in one or more parts. libc alone; not thread
 * safe. */
struct answer;
struct cell;
struct gdi;
struct GA_Type;
struct GR_Type;

/* gdi_open - connect to the qmaster of CELL
 *
 *   cell     borrowed, must outlive the result
 *   program  "qsub": borrowed likewise
 *   ans      optional; STATUS_ENOCONN in two entries: the detail, which every command prints as
 *            `error: ...` on stderr, and last the message that each prints in its own manner
 *
 * Returns new: gdi_close; NULL with ans. Writes nothing yet. */
struct gdi *gdi_open(const struct cell *cell, const char *program, struct answer *ans);
/* gdi_close - NULL is fine */
void gdi_close(struct gdi *g);

/* called for each part of an answer as it comes; PART is borrowed. Returns 0, or -1 to stop (then
 * the connection is closed; the next call opens it again). */
typedef int (*gdi_part_fn)(void *ctx, const struct GA_Type *part);

/* gdi_call - send a request and wait for the whole answer
 *
 *   request  borrowed; gets a GR_request_id unless it has one
 *   fn       called with CTX for each part, the last included; NULL: they are not needed
 *   ans      gets the entries of GA_answers, or what went wrong on the way
 *
 * A connection lost before the answer began is made again for up to GDI_RETRY_S seconds and the
 * same request sent again: its id shows the qmaster that it is the same. GDI_WATCH is sent again
 * whenever that happens, and parts may then repeat.
 *
 * Returns 0 when the last part has come (whether the qmaster agreed is in ans), 1 if FN or
 * gdi_stop_on stopped it, -1 if the answer did not come: ans says why, and that it is not known
 * what became of the request, unless no connection was let in (STATUS_DENIED alone). */
int gdi_call(struct gdi *g, struct GR_Type *request, gdi_part_fn fn, void *ctx, struct answer *ans);
enum { GDI_RETRY_S = 60 };

/* gdi_tell - send a request and do not wait for its answer: it does not matter whether it got
 * there. Nothing happens unless the last call has left a connection. */
void gdi_tell(struct gdi *g, const struct GR_Type *request);

/* gdi_on_wait - FN is called once, with CTX, when a call begins to wait for a lost qmaster: a
 * person at a terminal may want to know */
void gdi_on_wait(struct gdi *g, void (*fn)(void *ctx), void *ctx);
/* gdi_stop_on - a call that waits ends when FD is readable; -1: no more */
void gdi_stop_on(struct gdi *g, int fd);
/* gdi_set_retry - wait RETRY_MS instead of GDI_RETRY_S */
void gdi_set_retry(struct gdi *g, uint32_t retry_ms);

/* gdi_request_id - give REQUEST an id unless it has one: 128 random bits, which are unique.
 * Returns 0, or -1 with ans. */
int gdi_request_id(struct GR_Type *request, struct answer *ans);

struct AN_Type_list;
/* gdi_answers - append the entries of a list that came over the wire to ANS, with status and
 * quality in range */
void gdi_answers(const struct AN_Type_list *from, struct answer *ans);
/* gdi_answers_put - the other way: append the entries of ANS to GA_answers */
void gdi_answers_put(struct GA_Type *to, const struct answer *ans);

#endif
