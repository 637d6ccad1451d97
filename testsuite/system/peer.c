/* Owns the descriptor of a connection and nothing else. Invariant: a function that returns -1 has
 * left the connection useless. */
#include "peer.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libs/comm/unix_socket.h"
#include "libs/gdi/cell.h"
#include "libs/gdi/hello.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/os.h"

enum { CONNECT_MS = 5000, HOST_BYTES = 256 };

static int connect_relay(const struct cell *cell)
{
    char host[HOST_BYTES];
    if (os_hostname(host, sizeof host) != 0)
        return -1;
    char *path = cell_relay_socket(cell, host);
    int fd = unix_connect(path, CONNECT_MS);
    free(path);
    return fd;
}

int peer_open(struct peer *p)
{
    struct cell *cell = cell_open(NULL);
    p->serial = 0;
    p->fd = cell != NULL ? unix_connect(cell->socket, CONNECT_MS) : -1;
    if (p->fd < 0 && cell != NULL && cell_bootstrap_read(cell, NULL) == 0)
        p->fd = connect_relay(cell);
    cell_free(cell);
    return p->fd >= 0 ? 0 : -1;
}

int peer_greet(struct peer *p)
{
    struct packer hello = { 0 };
    char host[HOST_BYTES] = "localhost";
    os_hostname(host, sizeof host);
    gdi_hello_pack(&hello, "peer", host);
    int rc = peer_frame(p, GDI_FRAME_HELLO, hello.data, hello.len);
    packer_free(&hello);
    return rc;
}

void peer_close(struct peer *p)
{
    if (p->fd >= 0)
        close(p->fd);
    p->fd = -1;
}

/* ---- out ---- */
int peer_write(struct peer *p, const void *data, size_t len)
{
    const char *at = data;
    while (len > 0) {
        ssize_t n = send(p->fd, at, len, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR)
            return -1;
        at += n > 0 ? n : 0;
        len -= n > 0 ? (size_t)n : 0;
    }
    return 0;
}

int peer_header(struct peer *p, uint8_t kind, size_t len)
{
    uint8_t bytes[COMM_HEADER_BYTES];
    struct frame_header header = { .len = (uint32_t)len, .serial = p->serial, .kind = kind };
    frame_header_pack(&header, bytes);
    return peer_write(p, bytes, sizeof bytes);
}

int peer_frame(struct peer *p, uint8_t kind, const void *body, size_t len)
{
    return peer_header(p, kind, len) != 0 ? -1 : peer_write(p, body, len);
}

int peer_request(struct peer *p, const struct GR_Type *request)
{
    struct packer body = { 0 };
    cull_pack(&body, &cull_GR_Type, request, NULL);
    p->serial++;
    int rc = peer_frame(p, GDI_FRAME_REQUEST, body.data, body.len);
    packer_free(&body);
    return rc;
}

/* ---- in ---- */
static int read_all(struct peer *p, int timeout_ms, void *to, size_t len)
{
    char *at = to;
    while (len > 0) {
        struct pollfd readable = { p->fd, POLLIN, 0 };
        if (poll(&readable, 1, timeout_ms) != 1)
            return -1;
        ssize_t n = recv(p->fd, at, len, 0);
        if (n <= 0)
            return -1;
        at += n;
        len -= (size_t)n;
    }
    return 0;
}

int peer_recv(struct peer *p, int timeout_ms, struct frame *out)
{
    uint8_t bytes[COMM_HEADER_BYTES];
    struct frame_header header;
    if (read_all(p, timeout_ms, bytes, sizeof bytes) != 0 ||
        frame_header_unpack(bytes, &header) != 0)
        return -1;
    *out = (struct frame){ header.kind, header.serial, uti_alloc(header.len + 1), header.len };
    if (read_all(p, timeout_ms, out->body, out->len) == 0)
        return 0;
    free(out->body);
    return -1;
}

static bool is_refused(const struct GA_Type *ga)
{
    for (uint32_t i = 0; i < ga->GA_answers.n; i++)
        if (ga->GA_answers.v[i].AN_quality <= ANSWER_QUALITY_ERROR)
            return true;
    return false;
}

/* one part into GA; -1 if there was none */
static int take_part(struct peer *p, int timeout_ms, struct GA_Type *ga)
{
    struct frame f;
    if (peer_recv(p, timeout_ms, &f) != 0)
        return -1;
    struct unpacker u = unpacker_over_own(f.body, f.len);
    int rc = f.kind == GDI_FRAME_ANSWER && cull_unpack(&u, &cull_GA_Type, NULL, NULL, ga, NULL) == 0
                 ? 0
                 : -1;
    free(f.body);
    return rc;
}

int peer_answer(struct peer *p, int timeout_ms, struct GA_Type *last)
{
    bool refused = false, is_last = false;
    while (!is_last) {
        struct GA_Type ga = { 0 };
        if (take_part(p, timeout_ms, &ga) != 0)
            return -1;
        refused |= is_refused(&ga);
        is_last = ga.GA_is_last;
        if (is_last && last != NULL)
            *last = ga;
        else
            cull_clear(&cull_GA_Type, &ga);
    }
    return refused ? 1 : 0;
}

int peer_ask(const struct GR_Type *request, int timeout_ms, struct GA_Type *last)
{
    struct peer p;
    int rc = -1;
    if (peer_open(&p) == 0 && peer_greet(&p) == 0 && peer_request(&p, request) == 0)
        rc = peer_answer(&p, timeout_ms, last);
    peer_close(&p);
    return rc;
}

/* ---- what is asked ---- */
static void put_path(struct PN_Type *path)
{
    cull_set(path, PN_path, "/dev/null");
}

struct JB_Type *peer_job(struct GR_Type *request, const char *name)
{
    cull_set(request, GR_verb, (uint32_t)GDI_ADD);
    cull_set(request, GR_target, (uint32_t)GDI_JOB);
    struct JB_Type *job = cull_append(request, GR_jobs);
    cull_set(job, JB_job_name, name);
    cull_set(job, JB_script_file, "/bin/true");
    cull_set(job, JB_type, (uint32_t)(JOB_TYPE_BINARY | JOB_TYPE_NO_SHELL));
    cull_set(job, JB_cwd, "/tmp");
    put_path(cull_append(job, JB_stdout_path_list));
    put_path(cull_append(job, JB_stderr_path_list));
    return job;
}

struct JB_Type *peer_held_job(struct GR_Type *request, const char *name)
{
    struct JB_Type *job = peer_job(request, name);
    range_set_add(cull_ranges(job, JB_ja_u_h_ids), 0, 0);
    return job;
}
