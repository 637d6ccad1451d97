/* The network and the user that are not there. The `struct net *` and `struct comm_server *` that
 * the qmaster's functions hold point to the fixture, and the wrapped functions below are the only
 * ones that follow them. */
#include "daemons/qmaster/test/fixture.h"

#include "daemons/qmaster/change/connections.h"
#include "daemons/qmaster/io/inbox.h"
#include "libs/comm/server.h"
#include "libs/uti/alloc.h"
#include "libs/uti/turns.h"

struct net;
struct comm_server *__wrap_net_server(struct net *net);
void __wrap_comm_server_send(struct comm_server *s, uint64_t conn, uint8_t kind, uint32_t serial,
                             uint8_t *body, size_t len);
void __wrap_comm_server_flush(struct comm_server *s);
void __wrap_comm_server_close(struct comm_server *s, uint64_t conn);
size_t __wrap_comm_server_queued(struct comm_server *s, uint64_t conn);
void __wrap_comm_server_done(struct comm_server *s, uint64_t conn, size_t len);
void __wrap_comm_server_keep(struct comm_server *s, uint64_t conn);
void __wrap_net_ask_owner(struct net *net, uid_t uid);
void __wrap_net_ask_groups(struct net *net, uid_t uid);
uid_t __wrap_geteuid(void);

const struct turn_counts *__wrap_net_turns(const struct net *net);
const struct turn_counts *__wrap_net_names_turns(const struct net *net);

const struct turn_counts *__wrap_net_turns(const struct net *net)
{
    static const struct turn_counts network = { .n = 5, .bucket = { [3] = 5 } };
    (void)net;
    return &network;
}

const struct turn_counts *__wrap_net_names_turns(const struct net *net)
{
    static const struct turn_counts names;
    (void)net;
    return &names;
}

struct comm_server *__wrap_net_server(struct net *net)
{
    return (struct comm_server *)net;
}

void __wrap_comm_server_send(struct comm_server *s, uint64_t conn, uint8_t kind, uint32_t serial,
                             uint8_t *body, size_t len)
{
    struct fixture *f = (struct fixture *)s;
    f->sent = uti_vec_grow(f->sent, &f->cap_sent, f->n_sent + 1, sizeof *f->sent);
    f->sent[f->n_sent++] = (struct sent){ conn, kind, serial, body, len };
}

void __wrap_comm_server_flush(struct comm_server *s)
{
    (void)s;
}

void __wrap_comm_server_close(struct comm_server *s, uint64_t conn)
{
    ((struct fixture *)s)->last_closed = conn;
}

void __wrap_comm_server_done(struct comm_server *s, uint64_t conn, size_t len)
{
    (void)s;
    (void)conn;
    (void)len;
}

void __wrap_comm_server_keep(struct comm_server *s, uint64_t conn)
{
    (void)s;
    (void)conn;
}

/* whoever runs the tests: a user of theirs could have the same id */
uid_t __wrap_geteuid(void)
{
    return FIXTURE_UID;
}

/* the name service knows those who have a connection, and has trouble with FIXTURE_UNSURE_UID */
void __wrap_net_ask_owner(struct net *net, uid_t uid)
{
    struct fixture *f = (struct fixture *)net;
    struct note *n = note_new(NOTE_OWNER, 0);
    n->number = uid;
    n->is_unsure = uid == FIXTURE_UNSURE_UID;
    for (size_t i = 0; i < ARRAY_LEN(f->users) && f->users[i].name != NULL; i++) {
        if (f->users[i].session->who.uid != uid)
            continue;
        n->who = identity_owner(uid, uid, f->q.host);
        identity_set_names(&n->who, f->users[i].name, f->users[i].name);
    }
    inbox_put(f->q.inbox, n);
}

void __wrap_net_ask_groups(struct net *net, uid_t uid)
{
    struct fixture *f = (struct fixture *)net;
    struct note *n = note_new(NOTE_GROUPS, 0);
    struct dstr text = DSTR_INIT;
    n->number = uid;
    n->is_unsure = f->groups == NULL;
    f->n_groups_asked++;
    for (size_t i = 0; i < ARRAY_LEN(f->users) && f->users[i].name != NULL; i++)
        if (f->users[i].session->who.uid == uid && !n->is_unsure)
            dstr_addf(&text, "%s:%s:%s", f->users[i].name, f->users[i].name, f->groups);
    n->data = text.len > 0 ? dstr_take(&text) : NULL;
    dstr_free(&text);
    inbox_put(f->q.inbox, n);
}

size_t __wrap_comm_server_queued(struct comm_server *s, uint64_t conn)
{
    (void)conn;
    return ((struct fixture *)s)->queued;
}
