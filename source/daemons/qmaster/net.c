/* The network thread: comm does the work; this file turns its callbacks into notes for the core, a burst at a time. */
#include "daemons/qmaster/net.h"

#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemons/qmaster/inbox.h"
#include "daemons/qmaster/msg_qmaster.h"
#include "libs/comm/loop.h"
#include "libs/comm/server.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"
#include "libs/uti/log.h"
#include "libs/uti/time.h"

enum { NAME_LIFETIME_S = 300, NAME_BYTES = 16384 };

struct known_id { /* a uid or gid and its name */
    uint32_t id;
    char *name;
    uint64_t until_s;
    UT_hash_handle hh;
};

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
    struct known_id *users, *groups;
    struct refusal last_refusal;
};

typedef char *(*look_up_fn)(uint32_t id);

static char *number_as_name(uint32_t id)
{
    struct dstr d = DSTR_INIT;
    dstr_addf(&d, "%u", id);
    return dstr_take(&d);
}

static char *look_up_user(uint32_t uid)
{
    char buf[NAME_BYTES];
    struct passwd pw, *found = NULL;
    if (getpwuid_r((uid_t)uid, &pw, buf, sizeof buf, &found) == 0 && found != NULL)
        return uti_strdup(pw.pw_name);
    return number_as_name(uid);
}

static char *look_up_group(uint32_t gid)
{
    char buf[NAME_BYTES];
    struct group gr, *found = NULL;
    if (getgrgid_r((gid_t)gid, &gr, buf, sizeof buf, &found) == 0 && found != NULL)
        return uti_strdup(gr.gr_name);
    return number_as_name(gid);
}

static const char *name_of(struct known_id **table, uint32_t id, look_up_fn look_up)
{
    struct known_id *k;
    uint64_t now_s = uti_now_s();
    HASH_FIND_U32(*table, &id, k);
    if (k != NULL && now_s < k->until_s)
        return k->name;
    if (k == NULL) {
        k = uti_calloc(1, sizeof *k);
        k->id = id;
        HASH_ADD_U32(*table, id, k);
    }
    free(k->name);
    k->name = look_up(id);
    k->until_s = now_s + NAME_LIFETIME_S;
    return k->name;
}

static void forget_names(struct known_id **table)
{
    struct known_id *k, *next;
    HASH_ITER(hh, *table, k, next) {
        HASH_DEL(*table, k);
        free(k->name);
        free(k);
    }
}

static void on_opened(void *ctx, uint64_t conn, const struct comm_peer *peer)
{
    struct net *net = ctx;
    struct note *n = note_new(NOTE_OPENED, conn);
    n->peer.uid = peer->uid;
    n->peer.gid = peer->gid;
    n->peer.pid = peer->pid;
    n->peer.user = uti_strdup(name_of(&net->users, peer->uid, look_up_user));
    n->peer.group = uti_strdup(name_of(&net->groups, peer->gid, look_up_group));
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
    log_msg(LOG_LEVEL_WARNING, MSG_PEER_REFUSED_SIS, name_of(&net->users, peer->uid, look_up_user),
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
    forget_names(&net->users);
    forget_names(&net->groups);
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
