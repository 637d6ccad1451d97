#ifndef QMASTER_CHANGE_WORK_H
#define QMASTER_CHANGE_WORK_H

#include "daemons/qmaster/tables/qmaster.h"
#include "libs/comm/frame.h"

/* Who gets the core's time next. All work of the core for clients is done in slices: a
 * frame is handled, or a piece of work that takes longer (a long answer, a delete of many jobs)
 * makes a step. A connection has a lane; what waits in a lane is done in order, one piece at a
 * time. The users take turns, and within a user the lanes do; new requests and pieces under way
 * alternate, so that a short request waits for a few slices, whatever else is asked for. */
struct lane;
struct connection;
struct work;

/* The users of the core's time: uids, and numbers that no uid can be. */
enum { WORK_BYTES_UNREAD = 4 << 20, WORK_SLICE_US = 1000, WORK_LONG_BYTES = 16 * 1024 };
/* this host's execd and the scheduler: requests do not delay them */
#define WORK_OF_DAEMONS UINT64_C(0x100000000)
/* work_of_host - the turns of the execd of another host, by its connection: requests do not delay
 * it, and it holds up no other daemon
 * work_of_relayed - those of a part of the users whom that host relays */
uint64_t work_of_host(uint64_t conn);
uint64_t work_of_relayed(uint64_t conn, uint32_t part);

/* what longer work embeds as its first member */
struct piece;
struct piece_kind {
    /* for the log: "a part of an answer" */
    const char *what;
    /* one slice; true: it is complete */
    bool (*step)(struct qmaster *q, struct piece *p);
    /* after its last step, or when its connection has gone */
    void (*free)(struct piece *p);
};
struct piece {
    const struct piece_kind *kind;
    struct lane *lane;
    bool is_waiting; /* for something other than its turn; piece_wake ends it */
    TAILQ_ENTRY(piece) in_lane;
};

/* work_new - ON_FRAME handles a frame; its body stays the caller's, unless ON_FRAME leaves NULL */
typedef void work_frame_fn(struct qmaster *q, struct connection *s, struct frame *f);
struct work *work_new(work_frame_fn *on_frame);
/* work_free - after the lanes of connections; the remaining pieces of work_put_piece are freed,
 * too */
void work_free(struct work *w);
/* work_put_piece - P, taken, has turns of USER until it is complete, even without connections: what
 * follows from what USER has done */
void work_put_piece(struct work *w, uint64_t user, struct piece *p);

/* lane_new - a lane of USER for the connection of S. New: lane_free, which drops what waits in
 * it */
struct lane *lane_new(struct work *w, uint64_t user, struct connection *s);
void lane_free(struct lane *lane);
/* lane_set_user - what waits in LANE has turns of USER from now on */
void lane_set_user(struct lane *lane, uint64_t user);
/* lane_put_frame - F waits for its turn; its body is taken */
void lane_put_frame(struct lane *lane, const struct frame *f);
/* lane_put_piece - P, taken, goes on when its turn comes and it does not wait */
void lane_put_piece(struct lane *lane, struct piece *p);
/* lane_last_words - the connection of LANE has gone: FN for the frames that still wait, in order,
 * up to MOST bytes of them */
void lane_last_words(struct qmaster *q, struct lane *lane, size_t most, work_frame_fn *fn);
/* lane_drained - its client has read what was sent: answers go on */
void lane_drained(struct lane *lane);
/* piece_wake - P waits no longer for something other than its turn */
void piece_wake(struct piece *p);

/* work_step - one slice of the next user; false if there is nothing to do now */
bool work_step(struct qmaster *q);
/* work_on_commit - a batch may have been handed over: long messages that waited for that go on */
void work_on_commit(struct qmaster *q);
/* work_is_due - would work_step do anything? */
bool work_is_due(const struct qmaster *q);

#endif
