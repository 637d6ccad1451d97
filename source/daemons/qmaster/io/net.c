/* The network thread: comm does the work; this file turns its callbacks into notes for the core, a
 * burst at a time. A connection whose user has no name yet is unknown to the core: its notes wait
 * here, and nobody else's do. Invariant: the notes of a connection reach the core in the order in
 * which they were made. */
#include "daemons/qmaster/io/net.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemons/qmaster/io/inbox.h"
#include "daemons/qmaster/io/msg_io.h"
#include "daemons/qmaster/io/owners.h"
#include "libs/comm/loop.h"
#include "libs/comm/names.h"
#include "libs/comm/server.h"
#include "libs/gdi/message.h"
#include "libs/tls/tls.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"
#include "libs/uti/log.h"
#include "libs/uti/time.h"

/* a connection that waits for the name of its user, or was refused for it */
struct unnamed {
    uint64_t conn;
    struct note_list notes; /* the first says that it was opened, and needs the names */
    bool is_refused;        /* it is being ended, and its notes go nowhere */
    UT_hash_handle hh;
};

/* the connection of a host, which gets to know what is revoked */
struct told_host {
    uint64_t conn;
    size_t n_known; /* certificates, as it knows */
    UT_hash_handle hh;
};

struct net {
    struct loop *loop;
    struct tls_context *tls; /* NULL: no TCP port */
    struct told_host *hosts;
    struct loop_timer *timer; /* to look for more; NULL likewise */
    struct comm_server *server;
    struct inbox *core;
    const char *host;       /* borrowed: this one */
    struct note_list burst; /* not yet handed over */
    struct names *names;
    struct owners *owners;
    struct unnamed *unnamed;
    pthread_mutex_t lock; /* of the managers */
    char **managers;
    uint32_t n_managers;
};

enum { KIB = 1024, MIB = 1024 * KIB, REVOKED_LOOK_US = 1000000 };

/* How long a body may be. What only daemons of the cell may send is short from others, who are
 * refused by the core. A submit of the largest script that is accepted (JOB_BYTES_MOST) fits. Of
 * other hosts' execds less is believed than of our own: what 100,000 tasks have to report fits. */
static const struct {
    uint32_t of_anybody, of_hosts, of_daemons;
} body_most[GDI_FRAME_KINDS] = {
    [GDI_FRAME_HELLO] = { KIB, KIB, KIB },
    [GDI_FRAME_SCHEMA] = { 64 * KIB, 64 * KIB, 64 * KIB },
    [GDI_FRAME_REQUEST] = { 40 * MIB, KIB, 40 * MIB },
    [GDI_FRAME_EVENT_REGISTER] = { 16 * KIB, KIB, 16 * KIB },
    [GDI_FRAME_EVENT_ACK] = { KIB, KIB, 4 * KIB },
    [GDI_FRAME_ORDERS] = { KIB, KIB, COMM_BODY_MAX },
    [GDI_FRAME_EXEC] = { KIB, 64 * MIB, COMM_BODY_MAX },
};

static uint32_t on_frame_most(void *ctx, const struct comm_peer *peer, uint8_t kind)
{
    (void)ctx;
    if (kind >= GDI_FRAME_KINDS)
        return 0;
    if (identity_role(peer) == ROLE_CLIENT)
        return body_most[kind].of_anybody;
    return identity_role(peer) == ROLE_HOST ? body_most[kind].of_hosts : body_most[kind].of_daemons;
}

/* A name that is not known yet is asked for, so that a manager who was away gets in with the next
 * attempt. */
static bool is_manager(struct net *net, uid_t uid)
{
    const char *name = names_user(net->names, uid, uti_now_s());
    pthread_mutex_lock(&net->lock);
    bool is_one = false;
    for (uint32_t i = 0; name != NULL && i < net->n_managers && !is_one; i++)
        is_one = strcmp(net->managers[i], name) == 0;
    pthread_mutex_unlock(&net->lock);
    return is_one;
}

static bool on_is_privileged(void *ctx, const struct comm_peer *peer)
{
    if (peer->relay != 0 || peer->user != NULL)
        return false;
    return identity_role(peer) != ROLE_CLIENT || is_manager(ctx, peer->uid);
}

/* ---- notes, and the names that they wait for ---- */

static struct unnamed *find_unnamed(struct net *net, uint64_t conn)
{
    struct unnamed *u;
    HASH_FIND_U64(net->unnamed, &conn, u);
    return u;
}

static void notes_drop(struct note_list *notes)
{
    struct note *n;
    while ((n = STAILQ_FIRST(notes)) != NULL) {
        STAILQ_REMOVE_HEAD(notes, next);
        note_free(n);
    }
}

/* CONN waits, of which OPENED tells */
static struct unnamed *unnamed_new(struct net *net, uint64_t conn, struct note *opened)
{
    struct unnamed *u = uti_calloc(1, sizeof *u);
    u->conn = conn;
    STAILQ_INIT(&u->notes);
    STAILQ_INSERT_TAIL(&u->notes, opened, next);
    HASH_ADD_U64(net->unnamed, conn, u);
    return u;
}

static void unnamed_free(struct net *net, struct unnamed *u)
{
    HASH_DEL(net->unnamed, u);
    notes_drop(&u->notes);
    free(u);
}

/* the names of WHO, if they are known; else they are being asked for */
enum naming { NAMING_WAITS, NAMING_DONE, NAMING_FALSE };
static enum naming name_peer(struct net *net, struct identity *who, struct dstr *why)
{
    uint64_t now_s = uti_now_s();
    const char *user = names_user(net->names, who->uid, now_s);
    char *own = user != NULL ? uti_strdup(user) : NULL;
    const char *group = names_group(net->names, who->gid, now_s);
    enum naming rc = NAMING_WAITS;
    if (own != NULL && who->user != NULL && strcmp(own, who->user) != 0) {
        dstr_addf(why, MSG_USER_ELSE_SUS, who->user, (unsigned)who->uid, own);
        rc = NAMING_FALSE;
    } else if (own != NULL && group != NULL) {
        identity_set_names(who, own, group);
        rc = NAMING_DONE;
    }
    free(own);
    return rc;
}

/* who has the id that a certificate speaks of is somebody else now: CONN hears WHY, and ends */
static void refuse_conn(struct net *net, struct unnamed *u, const struct dstr *why)
{
    const struct identity *who = &STAILQ_FIRST(&u->notes)->who;
    uint8_t *body = (uint8_t *)uti_strndup(dstr_get(why), why->len);
    log_msg_of(who->uid, LOG_LEVEL_WARNING, MSG_USER_REFUSED_SSS, who->user, who->host,
               dstr_get(why));
    u->is_refused = true;
    comm_server_send(net->server, u->conn, GDI_FRAME_REFUSED, 0, body, why->len);
    comm_server_close(net->server, u->conn);
}

/* once U has its names, its notes go to the core */
static void look_at_unnamed(struct net *net, struct unnamed *u)
{
    struct dstr why = DSTR_INIT;
    enum naming rc =
        u->is_refused ? NAMING_WAITS : name_peer(net, &STAILQ_FIRST(&u->notes)->who, &why);
    if (rc == NAMING_FALSE)
        refuse_conn(net, u, &why);
    if (rc == NAMING_DONE) {
        STAILQ_CONCAT(&net->burst, &u->notes);
        unnamed_free(net, u);
    }
    dstr_free(&why);
}

static void put_note(struct net *net, struct note *n)
{
    struct unnamed *u = find_unnamed(net, n->conn);
    STAILQ_INSERT_TAIL(u != NULL ? &u->notes : &net->burst, n, next);
}

/* ---- what hosts must not accept any more ----
 * They are reached over sessions of interactive jobs by other hosts, and by users with a
 * certificate. The ledger is read by the context of TLS, which looks at it for its streams. */

static void add_host(struct net *net, uint64_t conn)
{
    struct told_host *h = uti_calloc(1, sizeof *h);
    h->conn = conn;
    HASH_ADD_U64(net->hosts, conn, h);
}

static void drop_host(struct net *net, uint64_t conn)
{
    struct told_host *h;
    HASH_FIND_U64(net->hosts, &conn, h);
    if (h == NULL)
        return;
    HASH_DEL(net->hosts, h);
    free(h);
}

static void tell_revoked(const struct net *net, struct told_host *h)
{
    struct dstr lines = DSTR_INIT;
    if (tls_revoked(net->tls, h->n_known, &h->n_known, &lines) && lines.len > 0) {
        size_t len = lines.len;
        comm_server_send(net->server, h->conn, GDI_FRAME_REVOKED, 0, (uint8_t *)dstr_take(&lines),
                         len);
    }
    dstr_free(&lines);
}

static void on_revoked_timer(void *ctx)
{
    struct net *net = ctx;
    loop_doing(net->loop, "looking for revoked certificates");
    for (struct told_host *h = net->hosts; h != NULL; h = h->hh.next)
        tell_revoked(net, h);
    loop_timer_set(net->timer, REVOKED_LOOK_US);
}

static void on_opened(void *ctx, uint64_t conn, const struct comm_peer *peer)
{
    struct net *net = ctx;
    if (peer->host != NULL && peer->relay == 0)
        add_host(net, conn);
    struct note *n = note_new(NOTE_OPENED, conn);
    n->who = identity_new(peer, net->host);
    identity_of_conn(&n->who, conn);
    struct dstr why = DSTR_INIT;
    enum naming rc = identity_is_named(&n->who) ? NAMING_DONE : name_peer(net, &n->who, &why);
    if (rc == NAMING_DONE) {
        put_note(net, n);
        return;
    }
    struct unnamed *u = unnamed_new(net, conn, n);
    if (rc == NAMING_FALSE)
        refuse_conn(net, u, &why);
    dstr_free(&why);
}

/* names have come: those who waited for them go on */
static void on_names(void *ctx)
{
    struct net *net = ctx;
    struct unnamed *u, *next;
    HASH_ITER(hh, net->unnamed, u, next)
        look_at_unnamed(net, u);
    inbox_put_all(net->core, &net->burst);
    owners_look(net->owners);
}

static void on_frame(void *ctx, uint64_t conn, struct frame *f)
{
    struct note *n = note_new(NOTE_FRAME, conn);
    n->frame = *f;
    f->body = NULL;
    put_note(ctx, n);
}

static void on_idle(void *ctx)
{
    struct net *net = ctx;
    inbox_put_all(net->core, &net->burst);
}

static void on_closed(void *ctx, uint64_t conn)
{
    struct net *net = ctx;
    struct unnamed *u = find_unnamed(net, conn);
    drop_host(net, conn);
    if (u != NULL) { /* the core has never heard of it */
        unnamed_free(net, u);
        return;
    }
    put_note(net, note_new(NOTE_CLOSED, conn));
    inbox_put_all(net->core, &net->burst);
}

static void on_drained(void *ctx, uint64_t conn)
{
    struct net *net = ctx;
    put_note(net, note_new(NOTE_DRAINED, conn));
    inbox_put_all(net->core, &net->burst);
}

static void log_host_refusal(const struct comm_peer *peer, const char *why)
{
    if (peer->host != NULL)
        log_msg_of(peer->uid, LOG_LEVEL_WARNING, MSG_HOST_REFUSED_SSS, peer->host, peer->from, why);
    else
        log_msg_of(peer->uid, LOG_LEVEL_WARNING, MSG_HOST_UNKNOWN_SS, peer->from, why);
}

static void log_refusal(struct net *net, const struct comm_peer *peer, const char *why)
{
    const char *user = names_known_user(net->names, peer->uid);
    struct dstr number = DSTR_INIT;
    if (user == NULL)
        dstr_addf(&number, "%u", (unsigned)peer->uid);
    log_msg_of(peer->uid, LOG_LEVEL_WARNING, MSG_PEER_REFUSED_SIS,
               user != NULL ? user : dstr_get(&number), (int)peer->pid, why);
    dstr_free(&number);
}

/* of a peer without a name on the thread of arrivals */
static void on_refused(void *ctx, const struct comm_peer *peer, const char *why)
{
    if (peer->relay != 0)
        log_msg_of(COMM_NO_UID, LOG_LEVEL_WARNING, MSG_RELAYED_REFUSED_SISS, peer->user,
                   (int)peer->pid, peer->host, why);
    else if (peer->user != NULL)
        log_msg_of(peer->uid, LOG_LEVEL_WARNING, MSG_USER_REFUSED_SSS, peer->user, peer->from, why);
    else if (peer->uid == COMM_NO_UID)
        log_host_refusal(peer, why);
    else
        log_refusal(ctx, peer, why);
}

static const struct comm_server_ops ops = {
    .opened = on_opened,
    .frame = on_frame,
    .idle = on_idle,
    .closed = on_closed,
    .drained = on_drained,
    .refused = on_refused,
    .is_privileged = on_is_privileged,
    .frame_most = on_frame_most,
    .refusal_kind = GDI_FRAME_REFUSED,
    .takes_lines = true,
};

struct net *net_new(const char *socket_path, const char *host, struct inbox *core,
                    struct answer *ans)
{
    struct net *net = uti_calloc(1, sizeof *net);
    net->core = core;
    net->host = host;
    pthread_mutex_init(&net->lock, NULL);
    STAILQ_INIT(&net->burst);
    net->loop = loop_new(ans);
    if (net->loop == NULL)
        goto fail;
    loop_measure(net->loop, "the network thread");
    net->names = names_new(net->loop, on_names, net, ans);
    if (net->names == NULL)
        goto fail;
    net->owners = owners_new(net->loop, net->names, net->host, core, ans);
    if (net->owners == NULL)
        goto fail;
    net->server = comm_server_new(net->loop, &ops, net);
    if (comm_server_listen(net->server, socket_path, 0666, ans) == 0)
        return net;
fail:
    net_free(net);
    return NULL;
}

static struct stream wrap_socket(void *ctx, int fd)
{
    return tls_stream(((struct net *)ctx)->tls, fd);
}

int net_listen_to_hosts(struct net *net, uint16_t port, const struct net_papers *papers,
                        struct answer *ans)
{
    net->tls = tls_context_new(papers->own, TLS_QMASTER, ans);
    if (net->tls == NULL || tls_heed_ledger(net->tls, papers->authority, ans) != 0)
        return -1;
    tls_let_join(net->tls, papers->authority);
    if (comm_server_listen_tcp(net->server, port, wrap_socket, net, ans) != 0)
        return -1;
    log_msg(LOG_LEVEL_INFO, MSG_PORT_U, comm_server_port(net->server));
    net->timer = loop_timer_new(net->loop, on_revoked_timer, net);
    loop_timer_set(net->timer, REVOKED_LOOK_US);
    return 0;
}

void net_free(struct net *net)
{
    if (net == NULL)
        return;
    comm_server_free(net->server);
    loop_timer_free(net->timer);
    while (net->hosts != NULL)
        drop_host(net, net->hosts->conn);
    tls_context_free(net->tls);
    owners_free(net->owners);
    names_free(net->names);
    loop_free(net->loop);
    net_set_managers(net, NULL, 0);
    pthread_mutex_destroy(&net->lock);
    struct unnamed *u, *next;
    HASH_ITER(hh, net->unnamed, u, next)
        unnamed_free(net, u);
    notes_drop(&net->burst);
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

const struct turn_counts *net_turns(const struct net *net)
{
    return loop_turns(net->loop);
}

const struct turn_counts *net_names_turns(const struct net *net)
{
    return names_turns(net->names);
}

struct comm_server *net_server(struct net *net)
{
    return net->server;
}

void net_ask_owner(struct net *net, uid_t uid)
{
    owners_ask(net->owners, uid);
}

void net_ask_groups(struct net *net, uid_t uid)
{
    owners_ask_groups(net->owners, uid);
}

void net_set_names_time(struct net *net, uint32_t keep_s)
{
    names_set_time(net->names, keep_s);
}

void net_set_limits(struct net *net, uint32_t conns_of_user, size_t bytes_of_user,
                    uint32_t host_silence_s)
{
    struct comm_limits l = comm_limits_usual();
    l.silent_s = host_silence_s;
    if (conns_of_user > 0)
        l.most_of_user = conns_of_user;
    if (bytes_of_user > 0)
        l.bytes_of_user = bytes_of_user;
    comm_server_set_limits(net->server, &l);
}

void net_set_managers(struct net *net, const char *const *names, uint32_t n)
{
    char **copy = n > 0 ? uti_calloc(n, sizeof *copy) : NULL;
    for (uint32_t i = 0; i < n; i++)
        copy[i] = uti_strdup(names[i]);
    pthread_mutex_lock(&net->lock);
    char **old = net->managers;
    uint32_t n_old = net->n_managers;
    net->managers = copy;
    net->n_managers = n;
    pthread_mutex_unlock(&net->lock);
    for (uint32_t i = 0; i < n_old; i++)
        free(old[i]);
    free(old);
}
