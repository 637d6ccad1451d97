#ifndef EVC_EVC_H
#define EVC_EVC_H

#include "libs/gdi/message.h"

/* An event client: registers with the qmaster, passes on the events that it receives, acknowledges,
 * and sends orders (the scheduler).
 *
 * After the registration the state comes as events, then EV_SYNCED, then changes. The connection is
 * inherited from the qmaster, which thereby knows who is at the other end; once it is lost, all
 * that came over it is void, and the qmaster starts another client. Runs on the caller's loop; no
 * call blocks. */
struct answer;
struct evc;
struct loop;

struct evc_ops {
    /* one event, borrowed. Returns 0, or -1 with ans if it makes no sense: then the connection
     * ends. */
    int (*event)(void *ctx, const struct EV_Type *event, struct answer *ans);
    void (*synced)(void *ctx);      /* the state is whole; what follows are changes */
    void (*package_end)(void *ctx); /* a package has been handed over and acknowledged */
    /* the qmaster has carried out the orders with this number but for those REFUSED (borrowed),
     * each with its OR_reason */
    void (*orders_ack)(void *ctx, uint64_t number, const struct OR_Type_list *refused);
    void (*lost)(void *ctx, const char *why); /* nothing more comes */
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
/* evc_free - end the connection; no op is called any more. NULL is fine */
void evc_free(struct evc *e);

/* evc_send_orders - send ORDERS (emptied) without waiting
 * Returns their number, from 1, or 0 while there is no connection (then they are void). */
uint64_t evc_send_orders(struct evc *e, struct OR_Type_list *orders);

/* evc_drop - what came is not to be trusted: end the connection (ops->lost is called later) */
void evc_drop(struct evc *e, const char *why);

#endif
