#ifndef EVC_TEST_PEER_H
#define EVC_TEST_PEER_H

/* A qmaster for tests of event clients: has one end of a socketpair and does, blocking, what the
 * test says. No call waits longer than PATIENCE_MS. Used from the test's thread; the client runs
 * elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libs/comm/frame.h"
#include "libs/gdi/hello.h"
#include "libs/gdi/message.h"
#include "libs/sgeobj/event.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"

enum { PATIENCE_MS = 10000 };

struct peer {
    int fd;        /* < 0: hung up */
    int client_fd; /* for the client, which takes it */
    struct gdi_peer *greeting;
    uint64_t package;
};

static inline void peer_start(struct peer *p)
{
    int ends[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    *p = (struct peer){ .fd = ends[0], .client_fd = ends[1], .greeting = gdi_peer_new(true) };
    assert_int_equal(fcntl(p->client_fd, F_SETFL, O_NONBLOCK), 0);
}

/* end the connection */
static inline void peer_hang_up(struct peer *p)
{
    if (p->fd >= 0)
        close(p->fd);
    p->fd = -1;
    gdi_peer_free(p->greeting);
    p->greeting = NULL;
}

static inline void peer_await(int fd)
{
    struct pollfd at = { .fd = fd, .events = POLLIN };

    assert_int_equal(poll(&at, 1, PATIENCE_MS), 1);
}

static inline void peer_write(void *ctx, uint8_t kind, uint32_t serial, uint8_t *body, size_t len)
{
    struct peer *p = ctx;
    struct frame_header h = { .len = (uint32_t)len, .serial = serial, .kind = kind };
    uint8_t header[COMM_HEADER_BYTES];

    frame_header_pack(&h, header);
    assert_int_equal(file_write_all(p->fd, header, sizeof header), 0);
    assert_int_equal(file_write_all(p->fd, body, len), 0);
    free(body);
}

/* false at the end of the connection */
static inline bool peer_read(struct peer *p, void *into, size_t len)
{
    for (size_t got = 0; got < len;) {
        peer_await(p->fd);
        ssize_t n = read(p->fd, (char *)into + got, len - got);
        if (n <= 0)
            return false;
        got += (size_t)n;
    }
    return true;
}

/* the next frame after the greeting; false if the client hung up. Body: free() */
static inline bool peer_next(struct peer *p, struct frame *f)
{
    while (!gdi_peer_next(p->greeting, f)) {
        uint8_t header[COMM_HEADER_BYTES];
        struct frame_header h;
        if (!peer_read(p, header, sizeof header))
            return false;
        assert_int_equal(frame_header_unpack(header, &h), 0);
        *f = (struct frame){
            .kind = h.kind, .serial = h.serial, .len = h.len, .body = uti_alloc(h.len + 1)
        };
        bool is_whole = peer_read(p, f->body, h.len);
        assert_true(is_whole);
        assert_int_equal(gdi_peer_take(p->greeting, f, peer_write, p, NULL), 0);
    }
    return true;
}

/* the next frame is of KIND; PACKAGE gets its body: cull_clear it */
static inline void peer_expect(struct peer *p, uint8_t kind, struct EP_Type *package)
{
    struct frame f;

    assert_true(peer_next(p, &f));
    assert_int_equal(f.kind, kind);
    struct unpacker u = unpacker_over(f.body, f.len);
    assert_int_equal(cull_unpack(&u, &cull_EP_Type, gdi_peer_map(p->greeting), NULL, package, NULL),
                     0);
    assert_int_equal(unpack_left(&u), 0);
    free(f.body);
}

static inline void peer_expect_number(struct peer *p, uint8_t kind, uint64_t number)
{
    struct EP_Type package = { 0 };

    peer_expect(p, kind, &package);
    assert_int_equal(package.EP_number, number);
    cull_clear(&cull_EP_Type, &package);
}

/* what comes before the client hangs up is of no interest */
static inline void peer_expect_end(struct peer *p)
{
    struct frame f;

    while (peer_next(p, &f))
        free(f.body);
    peer_hang_up(p);
}

static inline void peer_send(struct peer *p, uint8_t kind, const struct EP_Type *package)
{
    struct packer out = { 0 };

    cull_pack(&out, &cull_EP_Type, package, NULL);
    peer_write(p, kind, 0, out.data, out.len);
}

/* send PACKAGE's events under the next number; it is empty afterwards */
static inline void peer_send_events(struct peer *p, struct EP_Type *package)
{
    cull_set(package, EP_number, ++p->package);
    peer_send(p, GDI_FRAME_EVENTS, package);
    cull_clear(&cull_EP_Type, package);
}

static inline void peer_take_registration(struct peer *p)
{
    peer_expect_number(p, GDI_FRAME_EVENT_REGISTER, 0);
}

#endif
