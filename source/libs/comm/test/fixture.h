#ifndef COMM_TEST_FIXTURE_H
#define COMM_TEST_FIXTURE_H

/* A server that does to each frame what its kind says, on a socket in a temporary directory, and
 * what the tests of the server ask of it. */
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libs/comm/client.h"
#include "libs/comm/test/served.h"

/* KIND_FLOOD is answered by FLOOD_FRAMES frames of FLOOD_BYTES each, KIND_CLOSE by one of them and
 * the end of the connection; KIND_BOTH by one to `other`, a byte here, and the end of both */
enum {
    KIND_ECHO = 1,
    KIND_HOLD,
    KIND_CLOSE,
    KIND_FLOOD,
    KIND_KEEP,
    KIND_SHORT,
    KIND_REFUSAL,
    KIND_BOTH
};
enum { SHORT_MOST = 100 };
enum { FLOOD_FRAMES = 64, FLOOD_BYTES = 64 * 1024 };

struct fixture {
    char *dir, *path;
    struct served served;
    sem_t opened, closed, held, drained;
    _Atomic int n_frames, n_idles, n_opened;
    _Atomic uint64_t last_conn, other, first_closed;
    _Atomic(char *) why; /* of the last refusal; owned */
    _Atomic int n_refused;
    struct comm_peer peer;
    uint8_t last_body;
    _Atomic bool is_slow;       /* frames are not done until the test says so */
    _Atomic bool is_privileged; /* whoever comes */
};

/* the server's calls into the fixture, for a second server */
extern const struct comm_server_ops fixture_ops;

int start(void **state);
int start_limited(void **state, const struct comm_limits *limits);

/* the socket is BELOW the temporary directory; limits: NULL = the usual ones */
int start_at(void **state, const char *below, const struct comm_limits *limits);
int stop(void **state);

/* fails the test if nobody posts it */
void wait_sem(sem_t *s);

/* new: LEN times BYTE */
uint8_t *body_of(size_t len, int byte);

struct comm_client *open_client(struct fixture *t);
struct frame expect_frame(struct comm_client *c);

/* one frame goes and comes back */
void expect_echo(struct comm_client *c);

/* 500 frames of several lengths do, in their order */
void expect_echoes(struct fixture *t);

/* the server hangs up on who sends these bytes */
void expect_hangup_after(struct fixture *t, const uint8_t *bytes, size_t len);

#endif
