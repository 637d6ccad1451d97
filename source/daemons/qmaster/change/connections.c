/* The table of connections. */
#include "daemons/qmaster/change/connections.h"

#include <stdlib.h>
#include <unistd.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/msg_change.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/io/net.h"
#include "daemons/qmaster/tables/rights.h"
#include "libs/comm/server.h"
#include "libs/gdi/hello.h"
#include "libs/uti/alloc.h"
#include "libs/uti/log.h"

enum { SCHEMA_S = 30 }; /* a peer with other tables sends them by then */

struct connections {
    struct connection *all;
    uint32_t n_owing;     /* of those whose tables are to come */
    uint32_t n_impostors; /* frames that their sender may not send */
    uint64_t told_impostor_s;
};

struct connections *connections_new(void)
{
    return uti_calloc(1, sizeof(struct connections));
}

static void connection_free(struct connection *s)
{
    lane_free(s->lane);
    identity_clear(&s->who);
    gdi_peer_free(s->greeting);
    free(s);
}

void connections_free(struct connections *all)
{
    struct connection *s, *next;
    if (all == NULL)
        return;
    HASH_ITER(hh, all->all, s, next) {
        HASH_DEL(all->all, s);
        connection_free(s);
    }
    free(all);
}

/* A host has turns of its own, and COMM_SHARES_OF_HOST for all the users whom it names. */
static uint64_t turns_of(const struct identity *who)
{
    if (who->role == ROLE_HOST)
        return work_of_host(who->host_conn);
    if (who->proof == PROOF_RELAYED)
        return work_of_relayed(who->host_conn, who->uid % COMM_SHARES_OF_HOST);
    return who->uid;
}

struct connection *connections_open(struct qmaster *q, struct note *n)
{
    struct connection *s = uti_calloc(1, sizeof *s);
    s->conn = n->conn;
    s->who = identity_take(&n->who);
    s->greeting = gdi_peer_new(true);
    s->lane = lane_new(q->work, turns_of(&s->who), s);
    HASH_ADD_U64(q->connections->all, conn, s);
    return s;
}

uint32_t connections_count(const struct qmaster *q)
{
    return HASH_COUNT(q->connections->all);
}

struct connection *connections_find(struct qmaster *q, uint64_t conn)
{
    struct connection *s;
    HASH_FIND_U64(q->connections->all, &conn, s);
    return s;
}

void connections_close(struct qmaster *q, uint64_t conn)
{
    struct connection *s = connections_find(q, conn);
    if (s == NULL)
        return;
    HASH_DEL(q->connections->all, s);
    q->connections->n_owing -= s->owes_since_s != 0;
    connection_free(s);
}

struct reply { /* where the greeting's own frames go */
    struct qmaster *q;
    uint64_t conn;
};

static void send_greeting(void *ctx, uint8_t kind, uint32_t serial, uint8_t *body, size_t len)
{
    struct reply *r = ctx;
    change_send(r->q, 0, r->conn, kind, serial, body, len);
}

int connection_take(struct qmaster *q, struct connection *s, struct frame *f, struct answer *ans)
{
    struct reply r = { q, s->conn };
    int rc = gdi_peer_take(s->greeting, f, send_greeting, &r, ans);
    bool is_owing = gdi_peer_owes_schema(s->greeting), was_owing = s->owes_since_s != 0;
    if (is_owing != was_owing) {
        s->owes_since_s = is_owing ? q->now_s : 0;
        q->connections->n_owing += is_owing ? 1 : UINT32_MAX;
    }
    return rc;
}

void connections_check(struct qmaster *q)
{
    struct connection *s, *next;
    if (q->connections->n_owing == 0)
        return;
    HASH_ITER(hh, q->connections->all, s, next) {
        if (s->owes_since_s == 0 || s->owes_since_s + SCHEMA_S > q->now_s)
            continue;
        log_msg(LOG_LEVEL_WARNING, MSG_PEER_NO_SCHEMA_SU, s->who.user, (unsigned)SCHEMA_S);
        comm_server_close(net_server(q->net), s->conn);
    }
}

bool connection_next(struct connection *s, struct frame *out)
{
    return gdi_peer_next(s->greeting, out);
}

int connection_unpack(struct qmaster *q, struct connection *s, struct frame *f,
                      const struct cull_type *t, void *o, struct answer *ans)
{
    struct unpacker u = unpacker_over(f->body, f->len);
    struct cull_pool *pool = q->jobs.pool;
    u.memory = f->body;
    if (s->who.role == ROLE_CLIENT) {
        u.elements_left = REQUEST_ELEMENTS_MOST;
        u.text_most = REQUEST_TEXT_MOST;
        u.texts_left = REQUEST_TEXTS_MOST;
        u.long_text_most = JOB_SCRIPT_MOST;
        pool = NULL; /* what is kept of it is shared then: see jobs_add */
    }
    int rc = cull_unpack(&u, t, gdi_peer_map(s->greeting), pool, o, ans);
    f->body = u.memory;
    return rc;
}

bool connection_may_send(struct qmaster *q, const struct connection *s, uint8_t kind)
{
    struct connections *all = q->connections;
    if (right_to_send(s->who.role, kind))
        return true;
    all->n_impostors++;
    if (all->told_impostor_s != q->now_s) /* each costs a connection; a line a second is enough */
        log_msg(LOG_LEVEL_WARNING, MSG_PEER_IMPOSTOR_SIIU, s->who.user, (int)s->who.pid, (int)kind,
                all->n_impostors);
    all->told_impostor_s = q->now_s;
    return false;
}
