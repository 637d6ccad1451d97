/* A client's side of GDI. One call is in progress at a time. Invariants: conn and peer exist
 * together; a new connection begins with HELLO, which leaves in one write with the request; a
 * request keeps its id through all attempts, so that the qmaster carries it out once. */
#include "libs/gdi/client.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "libs/comm/client.h"
#include "libs/gdi/cell.h"
#include "libs/gdi/hello.h"
#include "libs/gdi/message.h"
#include "libs/gdi/msg_gdi.h"
#include "libs/gdi/reach.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/host_name.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

enum { CONNECT_MS = 30000, PAUSE_FIRST_MS = 20, PAUSE_MOST_MS = 500 };

struct gdi {
    const struct cell *cell;
    const char *program;
    char host[HOST_NAME_BYTES];
    struct comm_client *conn; /* NULL while not connected */
    struct gdi_peer *peer;
    uint32_t serial;
    uint32_t retry_ms;
    int stop_fd;   /* -1: none */
    char *refusal; /* why there was no room for the last connection; owned, NULL: there was */
    void (*on_wait)(void *ctx);
    void *on_wait_ctx;
};

/* one gdi_call on its way */
struct call {
    struct gdi *g;
    struct packer request;
    bool may_repeat; /* parts may come again: GDI_WATCH */
    bool has_parts;
    bool was_heard; /* perhaps: a connection was lost that had been let in */
    gdi_part_fn fn;
    void *ctx;
    struct answer *ans;
};
/* how an attempt ended; LOST may be tried again */
enum outcome { CALL_DONE = 0, CALL_STOPPED = 1, CALL_FAILED = -1, CALL_LOST = -2 };

/* ---- the connection ---- */

static void gdi_disconnect(struct gdi *g)
{
    comm_client_close(g->conn);
    gdi_peer_free(g->peer);
    g->conn = NULL;
    g->peer = NULL;
}

static int gdi_connect(struct gdi *g, struct answer *ans)
{
    struct answer why = ANSWER_INIT;
    g->conn = reach_qmaster(g->cell, g->host, CONNECT_MS, &why);
    if (g->conn == NULL) {
        ans_fail(ans, STATUS_ENOCONN, MSG_GDI_COMMLIB_S, ans_first_error(&why));
        ans_free(&why);
        return reach_failed(g->cell, g->host, ans);
    }
    comm_client_stop_on(g->conn, g->stop_fd);
    g->peer = gdi_peer_new(false);
    struct packer hello = { 0 };
    gdi_hello_pack(&hello, g->program, g->host);
    comm_client_send(g->conn, GDI_FRAME_HELLO, 0, hello.data, hello.len);
    packer_free(&hello);
    return 0;
}

struct gdi *gdi_open(const struct cell *cell, const char *program, struct answer *ans)
{
    struct gdi *g = uti_calloc(1, sizeof *g);
    g->cell = cell;
    g->program = program;
    g->retry_ms = GDI_RETRY_S * 1000;
    g->stop_fd = -1;
    if (os_hostname(g->host, sizeof g->host) != 0)
        ans_sys(ans, errno, MSG_GDI_NO_HOSTNAME);
    else if (gdi_connect(g, ans) == 0)
        return g;
    free(g);
    return NULL;
}

void gdi_close(struct gdi *g)
{
    if (g == NULL)
        return;
    gdi_disconnect(g);
    free(g->refusal);
    free(g);
}

void gdi_on_wait(struct gdi *g, void (*fn)(void *ctx), void *ctx)
{
    g->on_wait = fn;
    g->on_wait_ctx = ctx;
}

void gdi_stop_on(struct gdi *g, int fd)
{
    g->stop_fd = fd;
    if (g->conn != NULL)
        comm_client_stop_on(g->conn, fd);
}

void gdi_set_retry(struct gdi *g, uint32_t retry_ms)
{
    g->retry_ms = retry_ms;
}

/* ---- answers on the wire ---- */

void gdi_answers(const struct AN_Type_list *from, struct answer *ans)
{
    for (uint32_t i = 0; i < from->n; i++) {
        const struct AN_Type *a = &from->v[i];
        enum answer_quality quality =
            a->AN_quality <= ANSWER_QUALITY_INFO ? a->AN_quality : ANSWER_QUALITY_ERROR;
        enum answer_status status =
            a->AN_status <= STATUS_ENOTSUP ? a->AN_status : STATUS_ESEMANTIC;
        ans_add(ans, status, quality, "%s", a->AN_text != NULL ? a->AN_text : "");
    }
}

void gdi_answers_put(struct GA_Type *to, const struct answer *ans)
{
    for (uint32_t i = 0; ans != NULL && i < ans->n; i++) {
        struct AN_Type *a = cull_append(to, GA_answers);
        cull_set(a, AN_status, (uint32_t)ans->v[i].status);
        cull_set(a, AN_quality, (uint32_t)ans->v[i].quality);
        cull_set(a, AN_text, ans->v[i].text);
    }
}

/* ---- one call ---- */

static void send_frame(void *ctx, uint8_t kind, uint32_t serial, uint8_t *body, size_t len)
{
    comm_client_send(ctx, kind, serial, body, len);
    free(body);
}

/* DONE here means: go on reading; *is_last says whether that is needed */
static enum outcome take_answer(struct call *c, const struct frame *f, bool *is_last)
{
    struct gdi *g = c->g;
    if (f->kind != GDI_FRAME_ANSWER) {
        ans_fail(c->ans, STATUS_EPROTO, MSG_HELLO_UNEXPECTED_U, (unsigned)f->kind);
        return CALL_FAILED;
    }
    if (f->serial != g->serial)
        return CALL_DONE; /* of a call that was stopped */
    struct GA_Type part = { 0 };
    struct unpacker u = unpacker_over_own(f->body, f->len);
    if (cull_unpack(&u, &cull_GA_Type, gdi_peer_map(g->peer), NULL, &part, c->ans) != 0)
        return CALL_FAILED;
    c->has_parts = true;
    *is_last = part.GA_is_last;
    gdi_answers(&part.GA_answers, c->ans);
    int stop = c->fn != NULL ? c->fn(c->ctx, &part) : 0;
    cull_clear(&cull_GA_Type, &part);
    return stop != 0 ? CALL_STOPPED : CALL_DONE;
}

static enum outcome take_refusal(struct gdi *g, struct frame *f)
{
    struct dstr why = DSTR_INIT;
    dstr_addn(&why, (const char *)f->body, f->len);
    g->refusal = dstr_take(&why);
    free(f->body);
    return CALL_LOST;
}

/* read until the last part */
static enum outcome read_answer(struct call *c, struct answer *why)
{
    struct gdi *g = c->g;
    bool is_last = false;
    enum outcome rc = CALL_DONE;
    while (rc == CALL_DONE && !is_last) {
        struct frame f;
        int got = comm_client_recv(g->conn, -1, &f, why);
        if (got < 0)
            return why->v[why->n - 1].status == STATUS_ENOCONN ? CALL_LOST : CALL_FAILED;
        if (got == 0)
            return CALL_STOPPED;
        if (f.kind == GDI_FRAME_REFUSED)
            return take_refusal(g, &f);
        if (gdi_peer_take(g->peer, &f, send_frame, g->conn, c->ans) != 0)
            return CALL_FAILED;
        while (rc == CALL_DONE && !is_last && gdi_peer_next(g->peer, &f)) {
            rc = take_answer(c, &f, &is_last);
            free(f.body);
        }
    }
    return rc;
}

static enum outcome attempt_call(struct call *c)
{
    struct gdi *g = c->g;
    struct answer why = ANSWER_INIT;
    free(g->refusal);
    g->refusal = NULL;
    if (g->conn == NULL && gdi_connect(g, &why) != 0) {
        ans_free(&why);
        return CALL_LOST;
    }
    comm_client_send(g->conn, GDI_FRAME_REQUEST, ++g->serial, c->request.data, c->request.len);
    enum outcome rc = read_answer(c, &why);
    if (rc != CALL_DONE)
        gdi_disconnect(g);
    if (rc == CALL_LOST) {
        c->was_heard = c->was_heard || g->refusal == NULL;
        ans_free(&why);
    }
    ans_move(c->ans, &why);
    return rc;
}

/* true when told to stop; a signal only makes the next try come early */
static bool pause_ms(const struct gdi *g, uint32_t ms)
{
    struct pollfd stop = { .fd = g->stop_fd, .events = POLLIN };
    return poll(&stop, 1, (int)ms) > 0;
}

/* the connection went while we waited: try again as long as that is safe and worth while */
static enum outcome attempt_again(struct call *c)
{
    struct gdi *g = c->g;
    uint64_t until_us = uti_mono_us() + (uint64_t)g->retry_ms * 1000;
    uint32_t next_ms = PAUSE_FIRST_MS;
    enum outcome rc = CALL_LOST;
    if (g->on_wait != NULL)
        g->on_wait(g->on_wait_ctx);
    while (rc == CALL_LOST && (!c->has_parts || c->may_repeat) && uti_mono_us() < until_us) {
        if (pause_ms(g, next_ms))
            return CALL_STOPPED;
        next_ms = next_ms * 2 < PAUSE_MOST_MS ? next_ms * 2 : PAUSE_MOST_MS;
        rc = attempt_call(c);
    }
    if (rc != CALL_LOST)
        return rc;
    if (c->has_parts && !c->may_repeat)
        ans_fail(c->ans, STATUS_ENOCONN, MSG_GDI_LOST_MIDWAY);
    else if (c->was_heard || g->refusal == NULL)
        ans_fail(c->ans, STATUS_ENOCONN, MSG_GDI_LOST_U, g->retry_ms / 1000);
    if (g->refusal != NULL)
        ans_fail(c->ans, STATUS_DENIED, MSG_GDI_REFUSED_US, g->retry_ms / 1000, g->refusal);
    return CALL_FAILED;
}

void gdi_tell(struct gdi *g, const struct GR_Type *request)
{
    struct packer p = { 0 };
    if (g->conn == NULL)
        return;
    cull_pack(&p, &cull_GR_Type, request, NULL);
    comm_client_send(g->conn, GDI_FRAME_REQUEST, ++g->serial, p.data, p.len);
    packer_free(&p);
    if (comm_client_flush(g->conn, NULL) != 0)
        gdi_disconnect(g);
}

int gdi_request_id(struct GR_Type *request, struct answer *ans)
{
    enum { ID_BYTES = 16 };
    struct dstr id = DSTR_INIT;
    if (cull_has(request, GR_request_id))
        return 0;
    int rc = random_text(&id, ID_BYTES, ans);
    if (rc == 0)
        cull_set(request, GR_request_id, id.s);
    dstr_free(&id);
    return rc;
}

int gdi_call(struct gdi *g, struct GR_Type *request, gdi_part_fn fn, void *ctx, struct answer *ans)
{
    if (gdi_request_id(request, ans) != 0)
        return -1;
    struct call c = { .g = g, .fn = fn, .ctx = ctx, .ans = ans };
    c.may_repeat = request->GR_verb == GDI_WATCH;
    cull_pack(&c.request, &cull_GR_Type, request, NULL);
    enum outcome rc = attempt_call(&c);
    if (rc == CALL_LOST)
        rc = attempt_again(&c);
    packer_free(&c.request);
    return (int)rc;
}
