/* The network thread: comm does the work; this file turns its callbacks into notes for the core, a burst at a time. */
#include "daemons/qmaster/net.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemons/qmaster/inbox.h"
#include "daemons/qmaster/msg_qmaster.h"
#include "daemons/qmaster/names.h"
#include "libs/comm/loop.h"
#include "libs/comm/server.h"
#include "libs/uti/alloc.h"
#include "libs/uti/log.h"
#include "libs/uti/time.h"

struct refusal {
    uint32_t uid;
    char *why; /* owned */
    uint64_t at_s;
};

struct net {
    struct loop *loop;
    struct comm_server *server;
    struct inbox *core;
    struct note_list burst; /* not yet handed over */
    struct names *names;
    struct refusal last_refusal;
};

static void on_opened(void *ctx, uint64_t conn, const struct comm_peer *peer)
{
    struct net *net = ctx;
    struct note *n = note_new(NOTE_OPENED, conn);
    n->peer.uid = peer->uid;
    n->peer.gid = peer->gid;
    n->peer.pid = peer->pid;
    n->peer.is_child = peer->is_child;
    n->peer.user = uti_strdup(names_user(net->names, peer->uid, uti_now_s()));
    n->peer.group = uti_strdup(names_group(net->names, peer->gid, uti_now_s()));
    STAILQ_INSERT_TAIL(&net->burst, n, next);
}

static void on_frame(void *ctx, uint64_t conn, struct frame *f)
{
    struct net *net = ctx;
    struct note *n = note_new(NOTE_FRAME, conn);
    n->frame = *f;
    f->body = NULL;
    STAILQ_INSERT_TAIL(&net->burst, n, next);
}

static void put_simple(struct net *net, enum note_kind kind, uint64_t conn)
{
    struct note *n = note_new(kind, conn);
    STAILQ_INSERT_TAIL(&net->burst, n, next);
}

static void on_idle(void *ctx)
{
    struct net *net = ctx;
    inbox_put_all(net->core, &net->burst);
}

static void on_closed(void *ctx, uint64_t conn)
{
    struct net *net = ctx;
    put_simple(net, NOTE_CLOSED, conn);
    inbox_put_all(net->core, &net->burst);
}

static void on_drained(void *ctx, uint64_t conn)
{
    struct net *net = ctx;
    put_simple(net, NOTE_DRAINED, conn);
    inbox_put_all(net->core, &net->burst);
}

/* the same thing of the same user is worth one line a second */
static void on_refused(void *ctx, const struct comm_peer *peer, const char *why)
{
    struct net *net = ctx;
    struct refusal *last = &net->last_refusal;
    uint64_t now_s = uti_now_s();
    if (last->uid == peer->uid && last->at_s == now_s && strcmp(last->why, why) == 0)
        return;
    free(last->why);
    *last = (struct refusal){ .uid = peer->uid, .why = uti_strdup(why), .at_s = now_s };
    log_msg(LOG_LEVEL_WARNING, MSG_PEER_REFUSED_SIS, names_user(net->names, peer->uid, now_s),
            (int)peer->pid, why);
}

static const struct comm_server_ops ops = {
    .opened = on_opened,
    .frame = on_frame,
    .idle = on_idle,
    .closed = on_closed,
    .drained = on_drained,
    .refused = on_refused,
};

struct net *net_new(const char *socket_path, struct inbox *core, struct answer *ans)
{
    struct net *net = uti_calloc(1, sizeof *net);
    net->core = core;
    net->names = names_new();
    STAILQ_INIT(&net->burst);
    net->loop = loop_new(ans);
    if (net->loop == NULL)
        goto fail;
    net->server = comm_server_new(net->loop, &ops, net);
    if (comm_server_listen(net->server, socket_path, 0666, ans) == 0)
        return net;
fail:
    net_free(net);
    return NULL;
}

void net_free(struct net *net)
{
    if (net == NULL)
        return;
    comm_server_free(net->server);
    loop_free(net->loop);
    names_free(net->names);
    free(net->last_refusal.why);
    struct note *n;
    while ((n = STAILQ_FIRST(&net->burst)) != NULL) {
        STAILQ_REMOVE_HEAD(&net->burst, next);
        note_free(n);
    }
    free(net);
}

void net_run(struct net *net)
{
    log_thread("network");
    loop_run(net->loop);
}

void net_stop(struct net *net)
{
    loop_stop(net->loop);
}

struct comm_server *net_server(struct net *net)
{
    return net->server;
}
