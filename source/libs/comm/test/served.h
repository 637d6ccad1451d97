#ifndef COMM_TEST_SERVED_H
#define COMM_TEST_SERVED_H

/* A server whose loop runs in a thread of its own, for the tests of rooms that talk to one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>

#include "libs/comm/loop.h"
#include "libs/comm/server.h"

struct served {
    struct loop *loop; /* NULL: not started */
    struct comm_server *server;
    pthread_t thread;
};

static inline void *served_run(void *loop)
{
    loop_run(loop);
    return NULL;
}

/* limits: NULL = the usual ones */
static inline void served_start(struct served *s, const char *path,
                                const struct comm_server_ops *ops, void *ctx,
                                const struct comm_limits *limits)
{
    s->loop = loop_new(NULL);
    assert_non_null(s->loop);
    s->server = comm_server_new(s->loop, ops, ctx);
    if (limits != NULL)
        comm_server_set_limits(s->server, limits);
    assert_int_equal(comm_server_listen(s->server, path, 0600, NULL), 0);
    assert_int_equal(pthread_create(&s->thread, NULL, served_run, s->loop), 0);
}

static inline void served_stop(struct served *s)
{
    if (s->loop == NULL)
        return;
    loop_stop(s->loop);
    pthread_join(s->thread, NULL);
    comm_server_free(s->server);
    loop_free(s->loop);
}

#endif
