/* Many requests over one connection. Invariants: under the lock a request is in `all`, from
 * channel_send to its end; `serial` is 0 while it waits to be sent, else the serial under which
 * answers to it come over this connection. conn and peer belong to the thread, and exist together.
 *
 * The thread works in turns under a guard. What fails for want of memory costs the connection, as
 * if the qmaster had gone: all that came over it is asked for again. */
#include "libs/gdi/channel.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "libs/comm/client.h"
#include "libs/gdi/cell.h"
#include "libs/gdi/client.h"
#include "libs/gdi/hello.h"
#include "libs/gdi/message.h"
#include "libs/gdi/msg_gdi.h"
#include "libs/gdi/reach.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/guard.h"
#include "libs/uti/host_name.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"
#include "libs/uti/tree.h"

enum {
    CONNECT_MS = 1000,
    PAUSE_FIRST_MS = 20,
    PAUSE_MOST_MS = 500,
    SEND_BYTES = 1 << 20 /* written before it is looked what came */
};

struct channel_request {
    struct packer body;
    uint32_t serial;   /* 0: not sent over this connection */
    uint64_t since_us; /* when it began to wait for a connection */
    bool is_patient, has_parts;
    const struct channel_ops *ops;
    void *ctx;
    TAILQ_ENTRY(channel_request) in_all;
    TAILQ_ENTRY(channel_request) in_queue; /* unsent, or sent if it has a serial */
};
TAILQ_HEAD(request_list, channel_request);

struct channel {
    const struct cell *cell;
    const char *program;
    char host[HOST_NAME_BYTES];
    uid_t uid; /* whose connections it makes */
    pthread_mutex_t *lock;
    pthread_t thread;
    /* under the lock */
    struct request_list all, unsent, sent; /* in the order of their serials */
    uint32_t last_serial;
    bool is_closing, is_broken;
    int wake_fd; /* an eventfd, written when there is something to do */
    /* the thread's */
    struct comm_client *conn; /* NULL while not connected */
    struct gdi_peer *peer;
    uint32_t pause_ms;    /* before the next try */
    char *refusal;        /* why there was no room for the last one; owned */
    _Atomic(int) conn_fd; /* -1: none; for channel_leave */
};

/* ---- requests; under the lock ---- */

static void unlink_request(struct channel *c, struct channel_request *r)
{
    TAILQ_REMOVE(&c->all, r, in_all);
    if (r->serial == 0)
        TAILQ_REMOVE(&c->unsent, r, in_queue);
    else
        TAILQ_REMOVE(&c->sent, r, in_queue);
}

static void end_request(struct channel *c, struct channel_request *r, enum channel_end end,
                        const char *why)
{
    unlink_request(c, r);
    r->ops->end(r->ctx, end, why);
    packer_free(&r->body);
    free(r);
}

static void end_all(struct channel *c, enum channel_end end, const char *why)
{
    struct channel_request *r;
    while ((r = TAILQ_FIRST(&c->all)) != NULL)
        end_request(c, r, end, why);
}

static void wake_thread(const struct channel *c)
{
    uint64_t one = 1;
    ssize_t ignored = write(c->wake_fd, &one, sizeof one);
    (void)ignored; /* full: it is awake */
}

int channel_send(struct channel *c, struct GR_Type *request, bool is_patient,
                 const struct channel_ops *ops, void *ctx, struct answer *ans)
{
    if (gdi_request_id(request, ans) != 0)
        return -1;
    struct channel_request *r = uti_calloc(1, sizeof *r);
    *r = (struct channel_request){
        .is_patient = is_patient, .ops = ops, .ctx = ctx, .since_us = uti_mono_us()
    };
    cull_pack(&r->body, &cull_GR_Type, request, NULL);
    TAILQ_INSERT_TAIL(&c->all, r, in_all);
    TAILQ_INSERT_TAIL(&c->unsent, r, in_queue);
    if (c->is_closing || c->is_broken)
        end_request(c, r, c->is_broken ? CHANNEL_BROKEN : CHANNEL_CLOSED, NULL);
    else
        wake_thread(c);
    return 0;
}

/* ---- the connection; the thread's ---- */

static void drop_connection(struct channel *c)
{
    c->conn_fd = -1;
    comm_client_close(c->conn);
    gdi_peer_free(c->peer);
    c->conn = NULL;
    c->peer = NULL;
}

/* The kernel tells the qmaster which effective user connects. While the host program acts as
 * another one, nothing is sent in that user's name. */
static int make_connection(struct channel *c, int timeout_ms, struct answer *ans)
{
    struct packer hello = { 0 };
    if (geteuid() != c->uid)
        return -1;
    struct comm_client *conn = reach_qmaster(c->cell, c->host, timeout_ms, ans);
    if (conn == NULL)
        return -1;
    c->conn = conn;
    c->conn_fd = comm_client_fd(conn);
    comm_client_stop_on(conn, c->wake_fd);
    c->peer = gdi_peer_new(false);
    gdi_hello_pack(&hello, c->program, c->host);
    comm_client_send(conn, GDI_FRAME_HELLO, 0, hello.data, hello.len);
    packer_free(&hello);
    return 0;
}

/* What was sent and not answered is sent again; what was answered in part ends, unless it is
 * patient. */
static void requeue_sent(struct channel *c)
{
    struct channel_request *r, *next;
    TAILQ_FOREACH_SAFE(r, &c->all, in_all, next)
    {
        if (r->serial == 0)
            continue;
        if (r->has_parts && !r->is_patient) {
            end_request(c, r, CHANNEL_CUT, NULL);
            continue;
        }
        TAILQ_REMOVE(&c->sent, r, in_queue);
        r->serial = 0;
        r->since_us = uti_mono_us();
        r->has_parts = false;
        TAILQ_INSERT_TAIL(&c->unsent, r, in_queue);
    }
}

static void lose_connection(struct channel *c)
{
    drop_connection(c);
    guard_lock(c->lock);
    requeue_sent(c);
    guard_unlock(c->lock);
}

/* the impatient have waited long enough */
static void end_impatient(struct channel *c)
{
    struct channel_request *r, *next;
    uint64_t now_us = uti_mono_us();
    guard_lock(c->lock);
    TAILQ_FOREACH_SAFE(r, &c->all, in_all, next)
    {
        if (!r->is_patient && now_us - r->since_us >= (uint64_t)GDI_RETRY_S * 1000000)
            end_request(c, r, c->refusal != NULL ? CHANNEL_NO_ROOM : CHANNEL_LOST, c->refusal);
    }
    guard_unlock(c->lock);
}

static void drain_wake(const struct channel *c)
{
    uint64_t n;
    ssize_t ignored = read(c->wake_fd, &n, sizeof n);
    (void)ignored; /* nothing there: then there is nothing to drain */
}

/* not connected: try again, or rest before the next try */
static void connect_again(struct channel *c)
{
    struct pollfd wake = { .fd = c->wake_fd, .events = POLLIN };
    end_impatient(c);
    (void)poll(&wake, 1, (int)c->pause_ms);
    drain_wake(c);
    c->pause_ms = c->pause_ms * 2 < PAUSE_MOST_MS ? c->pause_ms * 2 : PAUSE_MOST_MS;
    (void)make_connection(c, CONNECT_MS, NULL);
}

/* ---- sending and receiving ---- */

static void send_unsent(struct channel *c)
{
    size_t bytes = 0;
    struct channel_request *r;
    guard_lock(c->lock);
    while (bytes < SEND_BYTES && (r = TAILQ_FIRST(&c->unsent)) != NULL) {
        comm_client_send(c->conn, GDI_FRAME_REQUEST, ++c->last_serial, r->body.data, r->body.len);
        bytes += r->body.len;
        TAILQ_REMOVE(&c->unsent, r, in_queue);
        r->serial = c->last_serial;
        TAILQ_INSERT_TAIL(&c->sent, r, in_queue);
    }
    if (!TAILQ_EMPTY(&c->unsent))
        wake_thread(c);
    guard_unlock(c->lock);
}

static void send_frame(void *ctx, uint8_t kind, uint32_t serial, uint8_t *body, size_t len)
{
    comm_client_send(ctx, kind, serial, body, len);
    free(body);
}

/* Answers come about in the order of their requests, so it is one of the first. */
static struct channel_request *find_sent(const struct channel *c, uint32_t serial)
{
    struct channel_request *r;
    TAILQ_FOREACH(r, &c->sent, in_queue) {
        if (r->serial == serial)
            break;
    }
    return r;
}

/* A part that finds no memory has not come: its request is sent again, and the qmaster, which has
 * carried it out, says the same. */
static void pass_part(struct channel *c, uint32_t serial, const struct GA_Type *part)
{
    guard_lock(c->lock);
    struct channel_request *r = find_sent(c, serial);
    if (r != NULL) {
        r->ops->part(r->ctx, part);
        r->has_parts = true;
        if (part->GA_is_last)
            end_request(c, r, CHANNEL_DONE, NULL);
    }
    guard_unlock(c->lock);
}

static int take_answer(struct channel *c, const struct frame *f)
{
    struct GA_Type part = { 0 };
    struct unpacker u = unpacker_over_own(f->body, f->len);
    if (f->kind != GDI_FRAME_ANSWER ||
        cull_unpack(&u, &cull_GA_Type, gdi_peer_map(c->peer), NULL, &part, NULL) != 0)
        return -1;
    c->pause_ms = PAUSE_FIRST_MS; /* it has let us in */
    pass_part(c, f->serial, &part);
    cull_clear(&cull_GA_Type, &part);
    return 0;
}

static int take_refusal(struct channel *c, struct frame *f)
{
    struct dstr why = DSTR_INIT;
    dstr_addn(&why, (const char *)f->body, f->len);
    free(c->refusal);
    c->refusal = dstr_take(&why);
    free(f->body);
    return -1;
}

/* 0, or -1: the connection is of no use any more */
static int take_frame(struct channel *c, struct frame *f)
{
    int rc = 0;
    if (f->kind == GDI_FRAME_REFUSED)
        return take_refusal(c, f);
    if (gdi_peer_take(c->peer, f, send_frame, c->conn, NULL) != 0)
        return -1;
    while (rc == 0 && gdi_peer_next(c->peer, f)) {
        rc = take_answer(c, f);
        free(f->body);
    }
    return rc;
}

static void work_connected(struct channel *c)
{
    struct frame f;
    send_unsent(c);
    int got = comm_client_recv(c->conn, -1, &f, NULL);
    if (got == 0)
        drain_wake(c);
    else if (got < 0 || take_frame(c, &f) != 0)
        lose_connection(c);
}

/* ---- the thread ---- */

static bool must_end(struct channel *c)
{
    guard_lock(c->lock);
    bool is_over = c->is_closing || c->is_broken;
    guard_unlock(c->lock);
    return is_over;
}

static void work_turns(void *ctx)
{
    struct channel *c = ctx;
    while (!must_end(c)) {
        if (c->conn != NULL)
            work_connected(c);
        else
            connect_again(c);
    }
}

static void end_broken(void *ctx)
{
    struct channel *c = ctx;
    guard_lock(c->lock);
    c->is_broken = true;
    end_all(c, CHANNEL_BROKEN, NULL);
    guard_unlock(c->lock);
}

static void lose_for_memory(void *ctx)
{
    lose_connection(ctx);
}

static void *run_thread(void *ctx)
{
    struct channel *c = ctx;
    enum guard_end end;
    os_thread_name(c->program);
    while ((end = guard_call(work_turns, c, NULL)) != GUARD_DONE)
        if (guard_call(end == GUARD_BROKEN ? end_broken : lose_for_memory, c, NULL) != GUARD_DONE)
            uti_sleep_ms(PAUSE_MOST_MS);
    return NULL;
}

static int start_thread(struct channel *c)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* handlers are for the host's own threads */
    int err = pthread_create(&c->thread, NULL, run_thread, c);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return err;
}

static void free_channel(struct channel *c)
{
    drop_connection(c);
    if (c->wake_fd >= 0)
        close(c->wake_fd);
    free(c->refusal);
    free(c);
}

static int begin_channel(struct channel *c, struct answer *ans)
{
    int err;
    if (os_hostname(c->host, sizeof c->host) != 0)
        return ans_sys(ans, errno, MSG_GDI_NO_HOSTNAME);
    if ((c->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) < 0)
        return ans_sys(ans, errno, MSG_GDI_NO_CHANNEL);
    if (make_connection(c, CONNECT_MS, ans) != 0)
        return reach_failed(c->cell, c->host, ans);
    if ((err = start_thread(c)) != 0)
        return ans_sys(ans, err, MSG_GDI_NO_CHANNEL);
    return 0;
}

struct opening {
    struct channel *c;
    struct answer *ans;
    int rc;
};

static void begin_guarded(void *ctx)
{
    struct opening *o = ctx;
    o->rc = begin_channel(o->c, o->ans);
}

struct channel *channel_open(const struct cell *cell, const char *program, pthread_mutex_t *lock,
                             struct answer *ans)
{
    struct channel *c = uti_calloc(1, sizeof *c);
    c->cell = cell;
    c->program = program;
    c->uid = geteuid();
    c->lock = lock;
    c->wake_fd = -1;
    c->conn_fd = -1;
    c->pause_ms = PAUSE_FIRST_MS;
    TAILQ_INIT(&c->all);
    TAILQ_INIT(&c->unsent);
    TAILQ_INIT(&c->sent);
    struct opening opening = { c, ans, -1 };
    enum guard_end end = guard_call(begin_guarded, &opening, NULL);
    if (end == GUARD_DONE && opening.rc == 0)
        return c;
    free_channel(c);
    if (end == GUARD_NO_MEMORY)
        guard_refuse_memory();
    return NULL;
}

void channel_close(struct channel *c)
{
    if (c == NULL)
        return;
    guard_lock(c->lock);
    c->is_closing = true;
    wake_thread(c);
    guard_unlock(c->lock);
    pthread_join(c->thread, NULL);
    guard_lock(c->lock);
    end_all(c, CHANNEL_CLOSED, NULL);
    guard_unlock(c->lock);
    free_channel(c);
}

void channel_leave(struct channel *c)
{
    int fd = c->conn_fd;
    if (fd >= 0)
        close(fd);
    if (c->wake_fd >= 0)
        close(c->wake_fd);
}
