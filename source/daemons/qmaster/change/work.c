/* The lanes and whose turn it is. Invariants: a lane is in a queue of its user exactly when it has
 * something to do now (in `fresh` if that is a frame, in `under_way` if it is a piece); a user is
 * in the ring exactly when one of its lanes is in a queue or it owes packing; a user without lanes
 * that owes nothing does not exist. A frame waits until all pieces of its lane are complete. */
#include "daemons/qmaster/change/work.h"

#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/marks.h"
#include "daemons/qmaster/io/net.h"
#include "daemons/qmaster/tables/connection.h"
#include "libs/comm/server.h"
#include "libs/uti/alloc.h"
#include "libs/uti/hash.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

struct waiting_frame {
    struct frame f; /* body owned */
    STAILQ_ENTRY(waiting_frame) next;
};
TAILQ_HEAD(lane_queue, lane);
struct work_user {
    uint64_t id;
    uint32_t n_lanes;
    struct lane_queue fresh, under_way;
    bool is_fresh_next; /* the two alternate */
    bool is_in_ring;
    size_t owes; /* bytes that its slices have marked, to be packed before it gets more of them */
    TAILQ_ENTRY(work_user) in_ring;
    UT_hash_handle hh;
};
struct lane {
    struct work *work;
    struct work_user *user;
    struct connection *session; /* borrowed; NULL: made for one piece, with which it goes */
    bool is_unread;             /* its client has much to read: it waits until that has drained */
    bool is_held_up; /* its next frame is long, and the batch full: it waits for another */
    bool is_busy;    /* a frame of BUSY_BYTES is not done, since pieces came of it */
    size_t busy_bytes;
    struct lane_queue *in; /* one of its user's, or NULL */
    STAILQ_HEAD(, waiting_frame) frames;
    TAILQ_HEAD(, piece) pieces;
    TAILQ_ENTRY(lane) in_queue;
    TAILQ_ENTRY(lane) in_held_up;
    LIST_ENTRY(lane) of_piece; /* in `of_pieces`, unless it is of a session */
};
struct work {
    work_frame_fn *on_frame;
    struct work_user *users;
    TAILQ_HEAD(, work_user) ring; /* those with something to do; the first is next */
    struct lane_queue held_up;
    LIST_HEAD(, lane) of_pieces;
};

struct work *work_new(work_frame_fn *on_frame)
{
    struct work *w = uti_calloc(1, sizeof *w);
    w->on_frame = on_frame;
    TAILQ_INIT(&w->ring);
    TAILQ_INIT(&w->held_up);
    LIST_INIT(&w->of_pieces);
    return w;
}

enum { CONN_SHIFT = 33 }; /* above uids and the bit of daemons */

uint64_t work_of_host(uint64_t conn)
{
    return conn << CONN_SHIFT | WORK_OF_DAEMONS;
}

uint64_t work_of_relayed(uint64_t conn, uint32_t part)
{
    return conn << CONN_SHIFT | part;
}

/* ---- users ---- */
static struct work_user *user_get(struct work *w, uint64_t id)
{
    struct work_user *u;
    HASH_FIND_U64(w->users, &id, u);
    if (u == NULL) {
        u = uti_calloc(1, sizeof *u);
        u->id = id;
        TAILQ_INIT(&u->fresh);
        TAILQ_INIT(&u->under_way);
        HASH_ADD_U64(w->users, id, u);
    }
    u->n_lanes++;
    return u;
}

static void user_put(struct work *w, struct work_user *u)
{
    if (--u->n_lanes > 0 || u->owes > 0)
        return;
    HASH_DEL(w->users, u);
    free(u);
}

/* into the ring, or out of it */
static void user_settle(struct work *w, struct work_user *u)
{
    bool is_due = !TAILQ_EMPTY(&u->fresh) || !TAILQ_EMPTY(&u->under_way) || u->owes > 0;
    if (is_due == u->is_in_ring)
        return;
    if (is_due)
        TAILQ_INSERT_TAIL(&w->ring, u, in_ring);
    else
        TAILQ_REMOVE(&w->ring, u, in_ring);
    u->is_in_ring = is_due;
}

/* ---- lanes ---- */
static struct lane_queue *queue_for(struct lane *lane)
{
    const struct piece *first = TAILQ_FIRST(&lane->pieces);
    if (lane->is_unread || lane->is_held_up)
        return NULL;
    if (first != NULL)
        return first->is_waiting ? NULL : &lane->user->under_way;
    return STAILQ_EMPTY(&lane->frames) ? NULL : &lane->user->fresh;
}

/* into the queue where it belongs now; a lane that is in it already keeps its place */
static void lane_settle(struct lane *lane)
{
    struct lane_queue *next = queue_for(lane);
    if (next == lane->in)
        return;
    if (lane->in != NULL)
        TAILQ_REMOVE(lane->in, lane, in_queue);
    if (next != NULL)
        TAILQ_INSERT_TAIL(next, lane, in_queue);
    lane->in = next;
    user_settle(lane->work, lane->user);
}

static void lane_leave(struct lane *lane)
{
    if (lane->in == NULL)
        return;
    TAILQ_REMOVE(lane->in, lane, in_queue);
    lane->in = NULL;
    user_settle(lane->work, lane->user);
}

struct lane *lane_new(struct work *w, uint64_t user, struct connection *s)
{
    struct lane *lane = uti_calloc(1, sizeof *lane);
    lane->work = w;
    lane->user = user_get(w, user);
    lane->session = s;
    STAILQ_INIT(&lane->frames);
    TAILQ_INIT(&lane->pieces);
    return lane;
}

static void drop_piece(struct piece *p)
{
    TAILQ_REMOVE(&p->lane->pieces, p, in_lane);
    p->kind->free(p);
}

void lane_free(struct lane *lane)
{
    struct waiting_frame *w;
    struct piece *p;
    if (lane == NULL)
        return;
    lane_leave(lane);
    if (lane->is_held_up)
        TAILQ_REMOVE(&lane->work->held_up, lane, in_held_up);
    while ((p = TAILQ_FIRST(&lane->pieces)) != NULL)
        drop_piece(p);
    while ((w = STAILQ_FIRST(&lane->frames)) != NULL) {
        STAILQ_REMOVE_HEAD(&lane->frames, next);
        free(w->f.body);
        free(w);
    }
    user_put(lane->work, lane->user);
    if (lane->session == NULL)
        LIST_REMOVE(lane, of_piece);
    free(lane);
}

void work_free(struct work *w)
{
    struct work_user *u, *next;
    struct lane *lane;
    while ((lane = LIST_FIRST(&w->of_pieces)) != NULL)
        lane_free(lane);
    HASH_ITER(hh, w->users, u, next) { /* those that owe */
        HASH_DEL(w->users, u);
        free(u);
    }
    free(w);
}

void lane_set_user(struct lane *lane, uint64_t user)
{
    if (lane->user->id == user)
        return;
    lane_leave(lane);
    user_put(lane->work, lane->user);
    lane->user = user_get(lane->work, user);
    lane_settle(lane);
}

void lane_put_frame(struct lane *lane, const struct frame *f)
{
    struct waiting_frame *w = uti_alloc(sizeof *w);
    w->f = *f;
    STAILQ_INSERT_TAIL(&lane->frames, w, next);
    lane_settle(lane);
}

void lane_last_words(struct qmaster *q, struct lane *lane, size_t most, work_frame_fn *fn)
{
    struct waiting_frame *w;
    STAILQ_FOREACH(w, &lane->frames, next) {
        if (w->f.len > most)
            return;
        most -= w->f.len;
        fn(q, lane->session, &w->f);
    }
}

void lane_put_piece(struct lane *lane, struct piece *p)
{
    p->lane = lane;
    TAILQ_INSERT_TAIL(&lane->pieces, p, in_lane);
    lane_settle(lane);
}

void work_put_piece(struct work *w, uint64_t user, struct piece *p)
{
    struct lane *lane = lane_new(w, user, NULL);
    LIST_INSERT_HEAD(&w->of_pieces, lane, of_piece);
    lane_put_piece(lane, p);
}

void lane_drained(struct lane *lane)
{
    lane->is_unread = false;
    lane_settle(lane);
}

void piece_wake(struct piece *p)
{
    p->is_waiting = false;
    lane_settle(p->lane);
}

/* ---- slices ---- */

static bool is_of_daemon(const struct lane *lane)
{
    return (lane->user->id & WORK_OF_DAEMONS) != 0;
}

/* A client that asks and does not read gets no more, and costs no more, until it has read. Daemons
 * are not asked: they read. */
static bool is_unread(struct qmaster *q, const struct lane *lane)
{
    return lane->session != NULL && !is_of_daemon(lane) &&
           comm_server_queued(net_server(q->net), lane->session->conn) > WORK_BYTES_UNREAD;
}

/* What a long message brings goes into the batch that everybody waits for: no more of them when
 * that is full. */
static bool is_too_long(const struct qmaster *q, const struct lane *lane)
{
    const struct waiting_frame *w = STAILQ_FIRST(&lane->frames);
    return w->f.len > WORK_LONG_BYTES && !is_of_daemon(lane) && change_is_full(q);
}

void work_on_commit(struct qmaster *q)
{
    struct lane *lane;
    while (!change_is_full(q) && (lane = TAILQ_FIRST(&q->work->held_up)) != NULL) {
        TAILQ_REMOVE(&q->work->held_up, lane, in_held_up);
        lane->is_held_up = false;
        lane_settle(lane);
    }
}

/* ---- the body of a frame that has been handled ---- */
/* Pages that go to the system take milliseconds for a long message, and longer where other
 * processors have to be notified of each: its user's turns pay for that, a part in each. */
enum { GIVEN_BACK_AT_ONCE = 2 << 20 };
struct memory_release {
    struct piece piece;
    uint8_t *memory;
    size_t bytes; /* of it, which still have their pages */
};

static bool release_some(struct qmaster *q, struct piece *p)
{
    struct memory_release *g = (struct memory_release *)p;
    (void)q;
    if (g->bytes <= GIVEN_BACK_AT_ONCE)
        return true;
    g->bytes -= GIVEN_BACK_AT_ONCE;
    os_drop_pages(g->memory + g->bytes, GIVEN_BACK_AT_ONCE);
    return false;
}

static void release_rest(struct piece *p)
{
    free(((struct memory_release *)p)->memory);
    free(p);
}

static const struct piece_kind giving_back_kind = { "giving memory back", release_some,
                                                    release_rest };

/* F's body is taken; it may be NULL */
static void give_back(struct lane *lane, const struct frame *f)
{
    if (f->body == NULL || f->len <= GIVEN_BACK_AT_ONCE) {
        free(f->body);
        return;
    }
    struct memory_release *g = uti_calloc(1, sizeof *g);
    *g = (struct memory_release){ { .kind = &giving_back_kind }, f->body, f->len };
    work_put_piece(lane->work, lane->user->id, &g->piece);
}

static void do_frame(struct qmaster *q, struct lane *lane)
{
    struct waiting_frame *w = STAILQ_FIRST(&lane->frames);
    STAILQ_REMOVE_HEAD(&lane->frames, next);
    q->turns.doing = "a message";
    lane->work->on_frame(q, lane->session, &w->f);
    lane->is_busy = true;
    lane->busy_bytes = w->f.len;
    give_back(lane, &w->f);
    free(w);
}

/* what came of the last frame is complete: its bytes count for its user no longer */
static void settle_frame(struct qmaster *q, struct lane *lane)
{
    if (!lane->is_busy || !TAILQ_EMPTY(&lane->pieces))
        return;
    lane->is_busy = false;
    comm_server_done(net_server(q->net), lane->session->conn, lane->busy_bytes);
}

static void do_piece(struct qmaster *q, struct lane *lane)
{
    struct piece *p = TAILQ_FIRST(&lane->pieces);
    q->turns.doing = p->kind->what;
    if (p->kind->step(q, p))
        drop_piece(p);
}

static bool has_step(const struct lane *lane)
{
    const struct piece *p = TAILQ_FIRST(&lane->pieces);
    return p != NULL && !p->is_waiting;
}

/* the first step of a request belongs to its own slice, so that what is short is answered at
 * once */
static void do_slice(struct qmaster *q, struct lane *lane)
{
    if (is_unread(q, lane)) {
        lane->is_unread = true;
        return;
    }
    if (TAILQ_EMPTY(&lane->pieces) && is_too_long(q, lane)) {
        lane->is_held_up = true;
        TAILQ_INSERT_TAIL(&lane->work->held_up, lane, in_held_up);
        return;
    }
    q->turns.for_whom = lane->session != NULL ? lane->session->who.user : NULL;
    if (!has_step(lane))
        do_frame(q, lane);
    if (has_step(lane))
        do_piece(q, lane);
    settle_frame(q, lane);
}

static void work_for(struct qmaster *q, struct work_user *u)
{
    bool is_fresh = !TAILQ_EMPTY(&u->fresh) && (u->is_fresh_next || TAILQ_EMPTY(&u->under_way));
    u->is_fresh_next = !is_fresh;
    struct lane *lane = TAILQ_FIRST(is_fresh ? &u->fresh : &u->under_way);
    size_t before = change_unpacked(q);
    TAILQ_REMOVE(lane->in, lane, in_queue);
    lane->in = NULL;
    do_slice(q, lane);
    if (lane->session == NULL && TAILQ_EMPTY(&lane->pieces))
        lane_free(lane);
    else
        lane_settle(lane);
    size_t after = change_unpacked(q);
    if (after > before + MARKS_KEPT_BYTES)
        u->owes = after - before;
}

/* Who has changed more in one slice than can be packed in one packs it in the next ones: nobody
 * else waits for that. */
static void pack_for(struct qmaster *q, struct work_user *u)
{
    size_t before = change_unpacked(q);
    q->turns.doing = "packing what was changed";
    q->turns.for_whom = NULL;
    bool is_done = change_pack(q);
    size_t packed = before - change_unpacked(q);
    u->owes = is_done || packed >= u->owes ? 0 : u->owes - packed;
}

bool work_step(struct qmaster *q)
{
    struct work *w = q->work;
    struct work_user *u = TAILQ_FIRST(&w->ring);
    if (u == NULL)
        return false;
    TAILQ_REMOVE(&w->ring, u, in_ring);
    u->is_in_ring = false;
    u->n_lanes++; /* it stays, whatever becomes of its lanes */
    if (u->owes > 0)
        pack_for(q, u);
    else
        work_for(q, u);
    user_settle(w, u);
    user_put(w, u);
    return true;
}

bool work_is_due(const struct qmaster *q)
{
    return !TAILQ_EMPTY(&q->work->ring);
}
