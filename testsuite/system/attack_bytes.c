/* Frames that no client would send. Invariant: what the qmaster does about them is never an error
 * of ours. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "attack.h"
#include "libs/uti/alloc.h"
#include "libs/uti/time.h"

enum {
    MIB = 1 << 20,
    REQUEST_MIB = 40, /* the longest that a client may send */
    PATIENCE_MS = 60000,
    SEND_MS = 10000,
    UNREAD_MS = 300 /* a qmaster that reads nothing for so long does not want more */
};

/* the first bytes of a GR_Type in which the field GR_jobs alone is present, with a count */
static void pack_jobs_head(struct packer *p, uint64_t count)
{
    uint8_t bits[GR_Type_FIELDS / 8 + 1] = { 0 };
    bits[GR_jobs / 8] = (uint8_t)(1u << (GR_jobs % 8));
    pack_varint(p, GR_jobs / 8 + 1);
    pack_bytes(p, bits, GR_jobs / 8 + 1);
    pack_varint(p, count);
}

static void print_fate(struct peer *p)
{
    struct GA_Type ga = { 0 };
    int rc = peer_answer(p, PATIENCE_MS, &ga);
    printf(rc < 0    ? "lost\n"
           : rc == 0 ? "agreed\n"
                     : "refused: %s\n",
           rc > 0 ? ga.GA_answers.v[0].AN_text : "");
    cull_clear(&cull_GA_Type, &ga);
}

static int send_body(const struct packer *body)
{
    struct peer p;
    if (peer_open(&p) != 0)
        return 1;
    if (peer_greet(&p) == 0 && peer_frame(&p, GDI_FRAME_REQUEST, body->data, body->len) == 0)
        print_fate(&p);
    else
        printf("lost\n");
    peer_close(&p);
    return 0;
}

int attack_count(char *const *argv)
{
    struct packer body = { 0 };
    size_t len = (size_t)attack_number(argv[0]) * MIB;
    char *zeros = uti_calloc(1, len);
    pack_jobs_head(&body, len / 4 * 3);
    pack_bytes(&body, zeros, len - body.len);
    free(zeros);
    int rc = send_body(&body);
    packer_free(&body);
    return rc;
}

int attack_fill(char *const *argv)
{
    /* one byte of presence bits, the bit of the key, the number 5 */
    static const uint8_t job[] = { 1, 1, 5 };
    struct packer body = { 0 };
    size_t len = (size_t)attack_number(argv[0]) * MIB, count = len / sizeof job;
    pack_jobs_head(&body, count);
    for (size_t i = 0; i < count; i++)
        pack_bytes(&body, job, sizeof job);
    int rc = send_body(&body);
    packer_free(&body);
    return rc;
}

/* sends to P fail when nothing is read for UNREAD_MS */
static void send_impatiently(struct peer *p)
{
    struct timeval limit = { .tv_usec = UNREAD_MS * 1000 };
    setsockopt(p->fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

int attack_half(char *const *argv)
{
    uint32_t connections = attack_number(argv[0]), mib = attack_number(argv[1]);
    char *body = uti_calloc(1, MIB);
    for (uint32_t i = 0; i < connections; i++) {
        struct peer p;
        if (peer_open(&p) != 0 || peer_greet(&p) != 0 ||
            peer_header(&p, GDI_FRAME_REQUEST, REQUEST_MIB * MIB) != 0)
            continue;
        send_impatiently(&p);
        for (uint32_t k = 0; k < mib && peer_write(&p, body, MIB) == 0; k++)
            continue;
    }
    free(body);
    attack_hold();
    return 0;
}

static void pack_strange_hello(struct packer *p)
{
    pack_u32be(p, GDI_PROTOCOL);
    pack_u32be(p, 1);
    pack_u32be(p, 2);
    pack_string(p, "attack");
    pack_string(p, "localhost");
}

int attack_unsorted(char *const *argv)
{
    uint32_t frames = attack_number(argv[0]);
    size_t len = (size_t)attack_number(argv[1]) * MIB;
    char *body = uti_calloc(1, len);
    struct packer hello = { 0 };
    struct peer p;
    pack_strange_hello(&hello);
    if (peer_open(&p) != 0)
        return 1;
    send_impatiently(&p);
    int rc = peer_frame(&p, GDI_FRAME_HELLO, hello.data, hello.len);
    for (uint32_t i = 0; i < frames && rc == 0; i++)
        rc = peer_frame(&p, GDI_FRAME_REQUEST, body, len);
    packer_free(&hello);
    free(body);
    attack_hold();
    peer_close(&p);
    return 0;
}

/* one frame of KIND; prints what came back: its kind, or nothing before the connection ended */
static void one_kind(unsigned kind, bool greets)
{
    struct peer p;
    struct frame f;
    if (peer_open(&p) != 0)
        return;
    if ((!greets || peer_greet(&p) == 0) && peer_frame(&p, (uint8_t)kind, "\0", 1) == 0) {
        shutdown(p.fd, SHUT_WR);
        while (peer_recv(&p, PATIENCE_MS, &f) == 0) {
            printf("%u %s: %u\n", kind, greets ? "greeted" : "alone", f.kind);
            free(f.body);
        }
    }
    peer_close(&p);
}

int attack_kinds(char *const *argv)
{
    (void)argv;
    for (unsigned kind = 0; kind <= UINT8_MAX; kind++)
        for (int greets = 0; greets <= 1; greets++)
            one_kind(kind, greets);
    return 0;
}

int attack_garbage(char *const *argv)
{
    uint32_t connections = attack_number(argv[0]);
    for (uint32_t i = 0; i < connections; i++) {
        struct peer p;
        struct frame f;
        if (peer_open(&p) != 0)
            return 1;
        if (peer_greet(&p) == 0 && peer_greet(&p) == 0 && peer_recv(&p, PATIENCE_MS, &f) == 0)
            free(f.body);
        peer_close(&p);
    }
    printf("%u connections\n", connections);
    return 0;
}

/* how many of V the qmaster still has open */
static uint32_t count_open(const struct peer *v, uint32_t n)
{
    uint32_t open = 0;
    for (uint32_t i = 0; i < n; i++) {
        char c;
        ssize_t got = v[i].fd >= 0 ? recv(v[i].fd, &c, 1, MSG_DONTWAIT | MSG_PEEK) : 0;
        open += got > 0 || (got < 0 && errno == EAGAIN);
    }
    return open;
}

int attack_idle(char *const *argv)
{
    uint32_t n = attack_number(argv[0]), connected = 0;
    struct peer *v = uti_calloc(n, sizeof *v);
    for (uint32_t i = 0; i < n; i++)
        connected += peer_open(&v[i]) == 0 && peer_greet(&v[i]) == 0;
    attack_hold();
    printf("%u connected, %u still open\n", connected, count_open(v, n));
    for (uint32_t i = 0; i < n; i++)
        peer_close(&v[i]);
    free(v);
    return 0;
}

/* ---- reads whose answers nobody reads ---- */
static void pack_reads(struct packer *out, uint32_t n)
{
    struct GR_Type gr = { 0 };
    struct packer body = { 0 };
    cull_set(&gr, GR_verb, (uint32_t)GDI_GET);
    cull_set(&gr, GR_target, (uint32_t)GDI_JOB);
    cull_set(&gr, GR_options, (uint32_t)GDI_WITH_TASKS);
    cull_pack(&body, &cull_GR_Type, &gr, NULL);
    for (uint32_t i = 0; i < n; i++) {
        uint8_t head[COMM_HEADER_BYTES];
        struct frame_header header = { (uint32_t)body.len, i, GDI_FRAME_REQUEST };
        frame_header_pack(&header, head);
        pack_bytes(out, head, sizeof head);
        pack_bytes(out, body.data, body.len);
    }
    packer_free(&body);
    cull_clear(&cull_GR_Type, &gr);
}

/* as much of ALL as the qmaster takes before it has taken nothing for a second, or until SEND_MS
 * are over */
static size_t send_while_taken(struct peer *p, const struct packer *all)
{
    uint64_t end_us = uti_mono_us() + (uint64_t)SEND_MS * 1000;
    struct pollfd writable = { p->fd, POLLOUT, 0 };
    size_t sent = 0;
    fcntl(p->fd, F_SETFL, O_NONBLOCK);
    while (sent < all->len && uti_mono_us() < end_us && poll(&writable, 1, UNREAD_MS) == 1) {
        ssize_t n = send(p->fd, all->data + sent, all->len - sent, MSG_NOSIGNAL);
        if (n < 0 && errno != EAGAIN)
            break;
        sent += n > 0 ? (size_t)n : 0;
    }
    return sent;
}

int attack_pipe(char *const *argv)
{
    uint32_t connections = attack_number(argv[0]);
    struct packer all = { 0 };
    size_t sent = 0;
    pack_reads(&all, attack_number(argv[1]));
    for (uint32_t i = 0; i < connections; i++) {
        struct peer p; /* left open until we end */
        if (peer_open(&p) == 0 && peer_greet(&p) == 0)
            sent += send_while_taken(&p, &all);
    }
    printf("%zu of %zu bytes taken\n", sent, connections * all.len);
    packer_free(&all);
    attack_hold();
    return 0;
}
