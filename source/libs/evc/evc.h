#ifndef EVC_EVC_H
#define EVC_EVC_H

#include "libs/gdi/message.h"

/* An event client: registers with the qmaster, passes on the events that it receives, and
 * acknowledges them.
 *
 * After the registration the state comes as events, then EV_SYNCED, then changes. Once the
 * connection is lost, all that came over it is void. The scheduler inherits its connection from the
 * qmaster, which thereby knows who is at the other end and starts another when it has gone; only
 * the scheduler sends orders. Everybody else connects, and again whenever the connection was lost:
 * then the state comes anew, as it does after EV_ANEW. Kinds of events that are not known here are
 * passed over. Runs on the caller's loop; no call blocks. */
struct answer;
struct evc;
struct link_dial;
struct loop;
struct turn_counts;

/* struct evc_wish - the subscription of a client; all zero: everything about the caller's own jobs
 *
 *   kinds      names of kinds (event_kind_name), ended by NULL; NULL: all
 *   objects    names of kinds of objects ("project"), ended by NULL; NULL: all
 *   fields     of jobs, "JB_owner", ended by NULL; NULL: those that identify the job
 *   wants_all  jobs of all users: the right of operators
 *   interval_ms  packages come no more often than that, unless they are full */
struct evc_wish {
    const char *const *kinds;
    const char *const *objects;
    const char *const *fields;
    bool wants_all;
    uint32_t interval_ms;
};

struct evc_ops {
    /* one event, borrowed. Returns 0, or -1 with ans if it makes no sense: then the connection
     * ends. */
    int (*event)(void *ctx, const struct EV_Type *event, struct answer *ans);
    void (*synced)(void *ctx);      /* the state is whole; what follows are changes */
    void (*package_end)(void *ctx); /* a package has been handed over whole */
    /* the qmaster has carried out the orders with this number but for those REFUSED (borrowed),
     * each with its OR_reason */
    void (*orders_ack)(void *ctx, uint64_t number, const struct OR_Type_list *refused);
    /* the connection has gone, or the qmaster has refused the client: nothing more comes, unless it
     * connects again by itself */
    void (*lost)(void *ctx, const char *why);
};

/* evc_new - register with the qmaster
 *
 *   fd       taken: the connection, inherited from the qmaster
 *   program  our name, for messages of the qmaster
 *   ops      borrowed for life; orders_ack may be NULL if no orders are sent
 *
 * Returns new: evc_free. */
struct evc *evc_new(struct loop *l, int fd, const char *program, const struct evc_ops *ops,
                    void *ctx);
/* evc_connect - register with the qmaster, and again after each loss
 *
 *   dial  how to connect: copied, its ctx is borrowed for life
 *   wish  borrowed for life, with all that it points at
 *   ops   as for evc_new
 *
 * Returns new: evc_free. */
struct evc *evc_connect(struct loop *l, const struct link_dial *dial, const char *program,
                        const struct evc_wish *wish, const struct evc_ops *ops, void *ctx);
/* evc_is_refused - within ops->lost: did the qmaster say that it does not want this client? Then
 * the client ends, rather than connect again. */
bool evc_is_refused(const struct evc *e);
/* evc_free - end the connection; no op is called any more. NULL is fine */
void evc_free(struct evc *e);

/* evc_subscribe_anew - as the scheduler: what it needs besides is now what WISH says (borrowed for
 * life: kinds and objects alone). EV_ANEW comes, then the whole state; what comes before it is
 * void */
void evc_subscribe_anew(struct evc *e, const struct evc_wish *wish);

/* evc_send_orders - send ORDERS (emptied) without waiting
 * Returns their number, from 1, or 0 while there is no connection (then they are void). */
uint64_t evc_send_orders(struct evc *e, struct OR_Type_list *orders);

/* evc_report_turns - as the scheduler: acknowledgements say once a second what TURNS (borrowed for
 * life) have cost */
void evc_report_turns(struct evc *e, const struct turn_counts *turns);

/* evc_drop - what came is not to be trusted: end the connection (ops->lost is called later) */
void evc_drop(struct evc *e, const char *why);

#endif
