/* The event client. Owns the link and what is known of the other side (peer: there while the link
 * is up).
 *
 * Packages are numbered without a gap; anything out of order, malformed or refused by the caller
 * ends the connection. After a decision to end it (why is set) no more is handed on from that
 * connection.
 *
 * An acknowledgement costs the qmaster two wakes. The scheduler, who may be many packages behind,
 * therefore sends one for several, with its orders or after ACK_LATE_US at the latest. */
#include "libs/evc/evc.h"

#include <stdlib.h>

#include "libs/comm/link.h"
#include "libs/comm/loop.h"
#include "libs/evc/msg_evc.h"
#include "libs/gdi/client.h"
#include "libs/gdi/hello.h"
#include "libs/gdi/turn_report.h"
#include "libs/sgeobj/event.h"
#include "libs/uti/answer.h"
#include "libs/uti/host_name.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

enum {
    SCHEDULER_ACKS = 16, /* packages: a quarter of those that it may be behind */
    ACK_LATE_US = 100000,
    TURNS_EVERY_US = 1000000
};

struct evc {
    struct link *link;
    struct gdi_peer *peer;
    const struct evc_ops *ops;
    void *ctx;
    char *program;
    const struct evc_wish *wish;     /* borrowed */
    uint64_t package;                /* number of the last one handed on */
    uint64_t finished;               /* of the last one handed on whole */
    uint64_t acknowledged;           /* <= finished */
    uint32_t ack_every;              /* as many packages have one acknowledgement */
    struct loop_timer *ack_late;     /* armed while less than that are finished */
    const struct turn_counts *turns; /* borrowed; NULL: none are reported */
    uint64_t turns_sent_us;
    uint64_t last_orders; /* number of the last orders sent */
    bool is_refused;      /* by the qmaster, which said why */
    char *why;            /* owned; set: this connection is being dropped */
};

static void send_frame(void *ctx, uint8_t kind, uint32_t serial, uint8_t *body, size_t len)
{
    struct evc *e = ctx;

    link_send(e->link, kind, serial, body, len);
}

static void send_package(struct evc *e, uint8_t kind, const struct EP_Type *package)
{
    struct packer p = { 0 };

    cull_pack(&p, &cull_EP_Type, package, NULL);
    link_send(e->link, kind, (uint32_t)package->EP_number, p.data, p.len);
}

static void put_turns(struct evc *e, struct EP_Type *ack)
{
    uint64_t now_us = uti_mono_us();

    if (e->turns == NULL || (e->turns_sent_us != 0 && now_us - e->turns_sent_us < TURNS_EVERY_US))
        return;
    e->turns_sent_us = now_us;
    turn_report_fill(e->turns, "schedd", cull_append(ack, EP_turns));
}

static void send_ack(struct evc *e)
{
    struct EP_Type ack = { 0 };

    loop_timer_clear(e->ack_late);
    if (e->acknowledged == e->finished)
        return;
    e->acknowledged = e->finished;
    cull_set(&ack, EP_number, e->acknowledged);
    put_turns(e, &ack);
    send_package(e, GDI_FRAME_EVENT_ACK, &ack);
    cull_clear(&cull_EP_Type, &ack);
}

static void on_ack_late(void *ctx)
{
    send_ack(ctx);
}

static void finish_package(struct evc *e)
{
    e->finished = e->package;
    if (e->finished - e->acknowledged >= e->ack_every)
        send_ack(e);
    else if (e->finished - e->acknowledged == 1)
        loop_timer_set(e->ack_late, ACK_LATE_US);
}

void evc_drop(struct evc *e, const char *why)
{
    if (e->why != NULL)
        return;
    e->why = uti_strdup(why);
    link_drop(e->link);
}

/* ---- what comes in ---- */
static int package_unpack(struct evc *e, const struct frame *f, struct EP_Type *package,
                          struct answer *ans)
{
    struct unpacker u = unpacker_over_own(f->body, f->len);

    if (cull_unpack(&u, &cull_EP_Type, gdi_peer_map(e->peer), NULL, package, ans) < 0)
        return -1;
    if (unpack_left(&u) > 0)
        return ans_fail(ans, STATUS_EPROTO, MSG_EVC_TRAILING_U, unpack_left(&u), f->kind);
    return 0;
}

static int hand_on_events(struct evc *e, const struct EP_Type *package, struct answer *ans)
{
    if (package->EP_number != e->package + 1)
        return ans_fail(ans, STATUS_EPROTO, MSG_EVC_PACKAGE_UU,
                        (unsigned long long)package->EP_number, (unsigned long long)e->package + 1);
    e->package = package->EP_number;
    for (uint32_t i = 0; i < package->EP_events.n && e->why == NULL; i++) {
        const struct EV_Type *event = &package->EP_events.v[i];
        if (event_kind_name(event->EV_kind) == NULL) /* of a newer qmaster */
            continue;
        if (e->ops->event(e->ctx, event, ans) < 0)
            return -1;
        if (event->EV_kind == EV_SYNCED)
            e->ops->synced(e->ctx);
    }
    finish_package(e);
    e->ops->package_end(e->ctx);
    return 0;
}

/* the one answer that comes: why the client is not wanted */
static int take_refusal(struct evc *e, const struct frame *f, struct answer *ans)
{
    struct unpacker u = unpacker_over_own(f->body, f->len);
    struct GA_Type ga = { 0 };

    e->is_refused = true;
    if (cull_unpack(&u, &cull_GA_Type, gdi_peer_map(e->peer), NULL, &ga, ans) == 0)
        gdi_answers(&ga.GA_answers, ans);
    cull_clear(&cull_GA_Type, &ga);
    return -1;
}

static int hand_on(struct evc *e, const struct frame *f, struct answer *ans)
{
    struct EP_Type package = { 0 };
    int rc;

    if (f->kind == GDI_FRAME_ANSWER)
        return take_refusal(e, f, ans);
    if (f->kind != GDI_FRAME_EVENTS && f->kind != GDI_FRAME_ORDERS_ACK)
        return ans_fail(ans, STATUS_EPROTO, MSG_EVC_FRAME_U, f->kind);
    rc = package_unpack(e, f, &package, ans);
    if (rc == 0 && f->kind == GDI_FRAME_EVENTS)
        rc = hand_on_events(e, &package, ans);
    else if (rc == 0 && e->ops->orders_ack != NULL)
        e->ops->orders_ack(e->ctx, package.EP_number, &package.EP_orders);
    cull_clear(&cull_EP_Type, &package);
    return rc;
}

/* ---- the link ---- */
static void put_names(struct EP_Type *wish, unsigned field, const char *const *names)
{
    for (; names != NULL && *names != NULL; names++)
        cull_set(field == EP_kinds     ? cull_append(wish, EP_kinds)
                 : field == EP_objects ? cull_append(wish, EP_objects)
                                       : cull_append(wish, EP_fields),
                 ST_name, *names);
}

static void send_registration(struct evc *e)
{
    struct EP_Type wish = { 0 };

    put_names(&wish, EP_kinds, e->wish->kinds);
    put_names(&wish, EP_objects, e->wish->objects);
    put_names(&wish, EP_fields, e->wish->fields);
    if (e->wish->wants_all)
        cull_set(&wish, EP_wants_all, true);
    if (e->wish->interval_ms != 0)
        cull_set(&wish, EP_interval_ms, e->wish->interval_ms);
    send_package(e, GDI_FRAME_EVENT_REGISTER, &wish);
    cull_clear(&cull_EP_Type, &wish);
}

static void on_up(void *ctx)
{
    struct evc *e = ctx;
    struct packer hello = { 0 };
    char host[HOST_NAME_BYTES];

    e->peer = gdi_peer_new(false);
    e->package = e->finished = e->acknowledged = e->last_orders = 0;
    gdi_hello_pack(&hello, e->program, os_hostname(host, sizeof host) == 0 ? host : "");
    link_send(e->link, GDI_FRAME_HELLO, 0, hello.data, hello.len);
    send_registration(e);
}

static void on_frame(void *ctx, struct frame *f)
{
    struct evc *e = ctx;
    struct answer ans = ANSWER_INIT;
    struct frame next;
    int rc = gdi_peer_take(e->peer, f, send_frame, e, &ans);

    while (rc == 0 && e->why == NULL && gdi_peer_next(e->peer, &next)) {
        rc = hand_on(e, &next, &ans);
        free(next.body);
    }
    if (rc < 0)
        evc_drop(e, ans_first_error(&ans));
    ans_free(&ans);
}

static void on_down(void *ctx, const char *why)
{
    struct evc *e = ctx;
    char *own_why = e->why;

    loop_timer_clear(e->ack_late);
    gdi_peer_free(e->peer);
    e->peer = NULL;
    e->why = NULL;
    e->ops->lost(e->ctx, own_why != NULL ? own_why : why);
    e->is_refused = false;
    free(own_why);
}

static const struct link_ops link_calls = { .up = on_up, .frame = on_frame, .down = on_down };

static const struct evc_wish everything;

static struct evc *evc_make(struct loop *l, const char *program, const struct evc_wish *wish,
                            const struct evc_ops *ops, void *ctx)
{
    struct evc *e = uti_calloc(1, sizeof *e);

    e->ops = ops;
    e->ctx = ctx;
    e->program = uti_strdup(program);
    e->wish = wish;
    e->ack_every = 1;
    e->ack_late = loop_timer_new(l, on_ack_late, e);
    return e;
}

struct evc *evc_connect(struct loop *l, const struct link_dial *dial, const char *program,
                        const struct evc_wish *wish, const struct evc_ops *ops, void *ctx)
{
    struct evc *e = evc_make(l, program, wish, ops, ctx);

    e->link = link_dialled(l, dial, &link_calls, e);
    return e;
}

struct evc *evc_new(struct loop *l, int fd, const char *program, const struct evc_ops *ops,
                    void *ctx)
{
    struct evc *e = evc_make(l, program, &everything, ops, ctx);

    e->ack_every = SCHEDULER_ACKS;
    e->link = link_adopt(l, fd, &link_calls, e);
    return e;
}

bool evc_is_refused(const struct evc *e)
{
    return e->is_refused;
}

void evc_free(struct evc *e)
{
    if (e == NULL)
        return;
    link_free(e->link);
    loop_timer_free(e->ack_late);
    gdi_peer_free(e->peer);
    free(e->program);
    free(e->why);
    free(e);
}

uint64_t evc_send_orders(struct evc *e, struct OR_Type_list *orders)
{
    struct EP_Type package = { 0 };
    bool is_up = link_is_up(e->link) && e->why == NULL;

    package.EP_orders = *orders;
    cull_mark(&package, EP_orders);
    *orders = (struct OR_Type_list){ 0 };
    if (is_up) {
        send_ack(e); /* in the same write */
        cull_set(&package, EP_number, ++e->last_orders);
        send_package(e, GDI_FRAME_ORDERS, &package);
    }
    cull_clear(&cull_EP_Type, &package);
    return is_up ? e->last_orders : 0;
}

void evc_subscribe_anew(struct evc *e, const struct evc_wish *wish)
{
    e->wish = wish;
    if (link_is_up(e->link) && e->why == NULL)
        send_registration(e);
}

void evc_report_turns(struct evc *e, const struct turn_counts *turns)
{
    e->turns = turns;
}
