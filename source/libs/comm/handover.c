/* What the network thread shares with all others, under s->lock, which is held for a few pointer
 * moves only, never over a system call. Any thread may send, ask and close: a sender puts frames
 * into the connection's `pending` list and touches it, the waker makes the network thread fetch and
 * write them. And what each user has of the server, so that no user can take all: connections, and
 * bytes in three places: frames that are coming, frames in the owner's hands, answers to be
 * written.
 * Invariant: `taken` and `queued` of a share are the sums over its connections; a share without
 * connections does not exist. */
#include <event2/event.h>
#include <stdarg.h>
#include <stdlib.h>

#include "libs/comm/loop.h"
#include "libs/comm/server_priv.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"
#include "libs/uti/dstr.h"

enum { BROUGHT_MOST = 256 }; /* connections that wait to be admitted */
/* a user is behind with a quarter of its bytes in answers, and no longer with half of that */
enum { BEHIND_PART = 4, DRAINED_PART = 8 };

/* ---- signs for the network thread, and its limits ---- */

void server_wake(struct comm_server *s)
{
    loop_wake(s->waker);
}

void server_touch(struct conn *c)
{
    if (c->touched_in != NULL)
        return;
    c->touched_in = c->queued > SHORT_BYTES ? &c->s->touched_long : &c->s->touched;
    TAILQ_INSERT_TAIL(c->touched_in, c, touched);
}

void server_untouch(struct conn *c)
{
    if (c->touched_in != NULL)
        TAILQ_REMOVE(c->touched_in, c, touched);
    c->touched_in = NULL;
}

void server_idle_later(struct comm_server *s)
{
    if (s->is_idle_due)
        return;
    s->is_idle_due = true;
    event_active(s->idle_ev, EV_TIMEOUT, 0); /* runs after the events that are ready now */
}

struct comm_limits server_limits(struct comm_server *s)
{
    pthread_mutex_lock(&s->lock);
    struct comm_limits l = s->limits;
    pthread_mutex_unlock(&s->lock);
    return l;
}

void comm_server_set_limits(struct comm_server *s, const struct comm_limits *limits)
{
    pthread_mutex_lock(&s->lock);
    s->limits = *limits;
    pthread_mutex_unlock(&s->lock);
}

bool server_favours(const struct comm_server *s, const struct comm_peer *peer)
{
    return s->ops->is_privileged != NULL && s->ops->is_privileged(s->ctx, peer);
}

void server_refuse(struct comm_server *s, const struct comm_peer *peer, const char *why, ...)
{
    struct dstr text = DSTR_INIT;
    va_list args;
    if (s->ops->refused == NULL)
        return;
    va_start(args, why);
    dstr_addv(&text, why, args);
    va_end(args);
    s->ops->refused(s->ctx, peer, dstr_get(&text));
    dstr_free(&text);
}

bool server_has_descriptor(const struct comm_server *s, const struct comm_limits *limits)
{
    uint32_t n = s->n_conns + s->n_brought;
    return n < limits->most || n - limits->most < limits->reserve;
}

bool server_may_bring(const struct comm_server *s)
{
    return s->n_brought < BROUGHT_MOST;
}

bool conn_is_host(const struct conn *c)
{
    return c->peer.host != NULL && c->peer.relay == 0;
}

/* ---- shares of users ---- */

static struct share_key key_of(const struct comm_peer *peer)
{
    if (peer->relay != 0)
        return (struct share_key){ peer->relay, peer->uid % COMM_SHARES_OF_HOST };
    return (struct share_key){ 0, peer->uid };
}

static struct user_share *share_find(const struct comm_server *s, const struct share_key *key)
{
    struct user_share *u;
    HASH_FIND(hh, s->users, key, sizeof *key, u);
    return u;
}

static struct user_share *share_get(struct comm_server *s, const struct share_key *key)
{
    struct user_share *u = share_find(s, key);
    if (u != NULL)
        return u;
    u = uti_calloc(1, sizeof *u);
    u->key = *key;
    TAILQ_INIT(&u->conns);
    HASH_ADD(hh, s->users, key, sizeof u->key, u);
    return u;
}

uint32_t share_count(const struct comm_server *s, const struct comm_peer *peer)
{
    struct share_key key = key_of(peer);
    const struct user_share *u = share_find(s, &key);
    return u != NULL ? u->n : 0;
}

/* what costs the server a descriptor */
static uint32_t descriptors_of(const struct conn *c)
{
    return c->peer.relay == 0 ? 1 : 0;
}

void share_join(struct conn *c)
{
    struct share_key key = key_of(&c->peer);
    c->user = share_get(c->s, &key);
    pthread_mutex_lock(&c->s->lock);
    TAILQ_INSERT_TAIL(&c->user->conns, c, of_user);
    pthread_mutex_unlock(&c->s->lock);
    c->user->n++;
    c->s->n_conns += descriptors_of(c);
}

/* ---- what a user has not been answered yet ---- */

/* A host is no user: its one connection has a limit of its own, so that one that was taken over
 * does not fill the memory. It holds for what it says; what is said to it is the owner's affair. */
static bool has_room(const struct conn *c)
{
    if (conn_is_host(c))
        return c->begun + c->given_bytes <= c->s->limits.bytes_of_host;
    return c->is_privileged || c->user->taken + c->user->queued <= c->s->limits.bytes_of_user;
}

bool share_may_read(const struct conn *c)
{
    return c->queued <= COMM_HIGH_WATER && c->given < c->s->limits.frames_of_conn && has_room(c);
}

/* those that were stopped look again whether they may go on (under the lock); is there any? */
static bool touch_paused(struct user_share *u)
{
    struct conn *c;
    bool is_any = false;
    TAILQ_FOREACH(c, &u->conns, of_user) {
        if (!c->is_paused || !share_may_read(c))
            continue;
        server_touch(c);
        is_any = true;
    }
    return is_any;
}

void share_begun(struct conn *c, size_t bytes)
{
    if (bytes == c->begun) /* the network thread alone changes it */
        return;
    pthread_mutex_lock(&c->s->lock);
    c->user->taken += bytes - c->begun;
    c->begun = bytes;
    pthread_mutex_unlock(&c->s->lock);
}

void share_give(struct conn *c, size_t len)
{
    pthread_mutex_lock(&c->s->lock);
    c->given++;
    c->given_bytes += FRAME_COST_BYTES + len;
    c->user->taken += FRAME_COST_BYTES + len;
    pthread_mutex_unlock(&c->s->lock);
}

bool share_done(struct conn *c, size_t len)
{
    ASSERT(c->given > 0 && c->given_bytes >= FRAME_COST_BYTES + len);
    bool was_full = !has_room(c);
    c->given--;
    c->given_bytes -= FRAME_COST_BYTES + len;
    c->user->taken -= FRAME_COST_BYTES + len;
    if (was_full && has_room(c) && !conn_is_host(c))
        return touch_paused(c->user);
    if (!c->is_paused || !share_may_read(c))
        return false;
    server_touch(c);
    return true;
}

/* ---- what a user has not read yet ---- */

static bool has_queued_more_than(const struct conn *c, size_t part)
{
    return !c->is_privileged && c->user->queued > c->s->limits.bytes_of_user / part;
}

bool share_is_behind(const struct conn *c)
{
    return has_queued_more_than(c, BEHIND_PART);
}

void share_queue(struct conn *c, size_t bytes)
{
    c->queued += bytes;
    c->user->queued += bytes;
}

static bool take_behind(struct conn *c)
{
    pthread_mutex_lock(&c->s->lock);
    bool was_behind = c->is_behind;
    c->is_behind = false;
    pthread_mutex_unlock(&c->s->lock);
    return was_behind;
}

/* the user of C has read: what waited for that goes on. No callback ends a connection, so that the
 * list stays as it is. */
static void report_drained(struct conn *of, const struct conn *but)
{
    struct comm_server *s = of->s;
    struct conn *c;
    TAILQ_FOREACH(c, &of->user->conns, of_user) {
        if (!take_behind(c) || c == but)
            continue;
        s->ops->drained(s->ctx, c->id);
        server_idle_later(s);
    }
}

/* BYTES less (under the lock); was C's user behind, and is no longer? */
static bool share_unqueue(struct conn *c, size_t bytes)
{
    bool was_behind = has_queued_more_than(c, DRAINED_PART), had_room = has_room(c);
    c->queued -= bytes;
    c->user->queued -= bytes;
    if (!had_room && has_room(c) && touch_paused(c->user))
        server_wake(c->s);
    return was_behind && !has_queued_more_than(c, DRAINED_PART);
}

bool share_wrote(struct conn *c, size_t bytes)
{
    pthread_mutex_lock(&c->s->lock);
    bool was_high = c->queued >= COMM_LOW_WATER;
    bool has_caught_up = share_unqueue(c, bytes);
    bool is_high = c->queued >= COMM_LOW_WATER;
    pthread_mutex_unlock(&c->s->lock);
    if (has_caught_up)
        report_drained(c, was_high && !is_high ? c : NULL);
    return was_high && !is_high;
}

void share_leave(struct conn *c)
{
    struct user_share *u = c->user;
    pthread_mutex_lock(&c->s->lock);
    bool had_room = has_room(c);
    bool has_caught_up = share_unqueue(c, c->queued);
    u->taken -= c->begun + c->given_bytes;
    TAILQ_REMOVE(&u->conns, c, of_user);
    if (!had_room && has_room(c) && touch_paused(u))
        server_wake(c->s);
    pthread_mutex_unlock(&c->s->lock);
    if (has_caught_up)
        report_drained(c, c);
    c->s->n_conns -= descriptors_of(c);
    if (--u->n > 0)
        return;
    HASH_DEL(c->s->users, u);
    free(u);
}

void shares_free(struct comm_server *s)
{
    struct user_share *u, *next;
    HASH_ITER(hh, s->users, u, next) {
        HASH_DEL(s->users, u);
        free(u);
    }
}

/* ---- any thread ---- */

static struct conn *find_locked(struct comm_server *s, uint64_t id)
{
    struct conn *c;
    HASH_FIND_U64(s->conns, &id, c);
    return c;
}

void comm_server_adopt(struct comm_server *s, int fd, const struct comm_peer *peer)
{
    struct stream stream = stream_unix(fd);
    struct comm_peer child = *peer;
    child.is_local = child.is_child = true;
    server_adopt(s, &stream, &child);
}

static void give_adoption(struct comm_server *s, struct stream *stream,
                          const struct comm_peer *peer, bool is_counted)
{
    struct adoption *a = uti_calloc(1, sizeof *a);
    *a = (struct adoption){ .stream = *stream, .peer = *peer, .is_counted = is_counted };
    pthread_mutex_lock(&s->lock);
    STAILQ_INSERT_TAIL(&s->adoptions, a, next);
    s->n_brought += is_counted;
    pthread_mutex_unlock(&s->lock);
    loop_wake(s->waker);
}

void server_adopt(struct comm_server *s, struct stream *stream, const struct comm_peer *peer)
{
    give_adoption(s, stream, peer, false);
}

void server_bring(struct comm_server *s, struct stream *stream, const struct comm_peer *peer)
{
    give_adoption(s, stream, peer, true);
}

void comm_server_send(struct comm_server *s, uint64_t conn, uint8_t kind, uint32_t serial,
                      uint8_t *body, size_t len)
{
    ASSERT(len <= COMM_BODY_MAX);
    struct out_frame *f = out_frame_new(kind, serial, body, len);
    pthread_mutex_lock(&s->lock);
    struct conn *c = find_locked(s, conn);
    bool is_taken = c != NULL && !c->is_close_wanted;
    if (is_taken) {
        STAILQ_INSERT_TAIL(&c->pending, f, next);
        share_queue(c, out_frame_bytes(f));
        server_touch(c);
    }
    pthread_mutex_unlock(&s->lock);
    if (!is_taken)
        out_frame_free(f);
}

void comm_server_flush(struct comm_server *s)
{
    pthread_mutex_lock(&s->lock);
    bool is_needed = !TAILQ_EMPTY(&s->touched) || !TAILQ_EMPTY(&s->touched_long);
    pthread_mutex_unlock(&s->lock);
    /* callers flush after every turn; waking for nothing costs two switches of thread */
    if (is_needed)
        loop_wake(s->waker);
}

void comm_server_close(struct comm_server *s, uint64_t conn)
{
    pthread_mutex_lock(&s->lock);
    struct conn *c = find_locked(s, conn);
    if (c != NULL) {
        c->is_close_wanted = true;
        server_touch(c);
    }
    pthread_mutex_unlock(&s->lock);
    comm_server_flush(s);
}

size_t comm_server_queued(struct comm_server *s, uint64_t conn)
{
    pthread_mutex_lock(&s->lock);
    struct conn *c = find_locked(s, conn);
    size_t n = c != NULL ? c->queued : 0;
    if (c != NULL && share_is_behind(c)) {
        c->is_behind = true;
        n = c->user->queued > COMM_HIGH_WATER ? c->user->queued : COMM_HIGH_WATER + 1;
    }
    pthread_mutex_unlock(&s->lock);
    return n;
}

void comm_server_done(struct comm_server *s, uint64_t conn, size_t len)
{
    pthread_mutex_lock(&s->lock);
    struct conn *c = find_locked(s, conn);
    bool is_waited_for = c != NULL && share_done(c, len);
    pthread_mutex_unlock(&s->lock);
    if (is_waited_for)
        server_wake(s);
}

void comm_server_keep(struct comm_server *s, uint64_t conn)
{
    pthread_mutex_lock(&s->lock);
    struct conn *c = find_locked(s, conn);
    if (c != NULL)
        c->is_kept = true;
    pthread_mutex_unlock(&s->lock);
}
