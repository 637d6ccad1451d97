#ifndef EVC_EVC_H
#define EVC_EVC_H

#include "libs/gdi/message.h"

/* An event client: registers with the qmaster, hands on what it is told, acknowledges, and sends orders (the scheduler).
 *
 * After each registration the state comes as events, then EV_SYNCED, then changes. A connection that is lost is made anew and
 * registered again; then everything that was told before is void. Runs on the caller's loop; no call blocks. */
struct answer;
struct cell;
struct evc;
struct loop;

struct evc_ops {
    /* one event, borrowed. Returns 0, or -1 with ans if it makes no sense: then the client starts anew. */
    int (*event)(void *ctx, const struct EV_Type *event, struct answer *ans);
    void (*synced)(void *ctx);      /* the state is whole; what follows are changes */
    void (*package_end)(void *ctx); /* a package has been handed over and acknowledged */
    /* the qmaster has carried out the orders with this number but for those REFUSED (borrowed), each with its OR_reason */
    void (*orders_ack)(void *ctx, uint64_t number, const struct OR_Type_list *refused);
    void (*lost)(void *ctx,
                 const char *why); /* forget everything; a new registration follows by itself */
};

/* evc_new - connect to the qmaster of CELL and register, again and again until it stands
 *
 *   cell     borrowed during the call
 *   program  what we say that we are
 *   ops      borrowed for life; orders_ack may be NULL if no orders are sent
 *
 * Returns new: evc_free. */
struct evc *evc_new(struct loop *l, const struct cell *cell, const char *program,
                    const struct evc_ops *ops, void *ctx);
void evc_free(struct evc *e); /* NULL is fine; nothing is called any more */

/* evc_send_orders - send ORDERS (emptied) without waiting
 * Returns their number, from 1 on each connection, or 0 if there is none (then they are void). */
uint64_t evc_send_orders(struct evc *e, struct OR_Type_list *orders);

/* evc_restart - what was told is not to be trusted: drop the connection (ops->lost is called later) and begin again */
void evc_restart(struct evc *e, const char *why);

#endif
