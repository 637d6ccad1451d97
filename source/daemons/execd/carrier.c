/* The carrier as its execd has it. Invariants: `line` stands as long as the process may; what was
 * sent to it last, but for sessions, is kept for the next one. Source: sge_carrier(8). */
#include "daemons/execd/carrier.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemons/execd/host/carrier_line.h"
#include "daemons/execd/host/privilege.h"
#include "daemons/execd/host/session_relay.h"
#include "daemons/execd/msg_execd.h"
#include "libs/comm/loop.h"
#include "libs/comm/stream.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"
#include "libs/uti/log.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

enum { WORDS = 9, SECOND_US = 1000000 };

struct carrier {
    struct loop *loop; /* borrowed */
    char *program, *words[WORDS];
    pid_t *process;
    void (*came)(void *ctx, int fd, const struct session_first *first);
    void *ctx;
    struct carrier_line *line; /* NULL: there is no process */
    struct loop_timer *again;
    uint32_t rest_s; /* before the next start */
    uint64_t started_us;
    uint32_t silent_s; /* 0: not told yet */
    int ledger;        /* memory; -1: not told yet */
};

static void on_packet(void *ctx, const struct carrier_packet *p, int fd)
{
    const struct carrier *c = ctx;
    if (p->kind != CARRIER_SESSION || fd < 0) {
        if (fd >= 0)
            close(fd);
        return;
    }
    struct session_first first = { .uid = p->uid,
                                   .from = *p->host != '\0' ? p->host : NULL,
                                   .is_relayed = true,
                                   .bytes = p->bytes,
                                   .n = p->n };
    c->came(c->ctx, fd, &first);
}

static void start_later(struct carrier *c)
{
    bool was_short = uti_mono_us() - c->started_us < (uint64_t)CARRIER_REST_MOST_S * SECOND_US;
    c->rest_s = was_short && c->rest_s > 0 ? c->rest_s * 2 : 1;
    if (c->rest_s > CARRIER_REST_MOST_S)
        c->rest_s = CARRIER_REST_MOST_S;
    loop_timer_set(c->again, (uint64_t)c->rest_s * SECOND_US);
}

static void on_ended(void *ctx)
{
    struct carrier *c = ctx;
    (void)waitpid(*c->process, NULL, WNOHANG); /* or the wait for all children gets it */
    *c->process = 0;
    carrier_line_free(c->line);
    c->line = NULL;
    start_later(c);
    log_msg(LOG_LEVEL_ERROR, MSG_CARRIER_GONE_U, c->rest_s);
}

static const struct carrier_line_ops line_ops = { .came = on_packet, .ended = on_ended };

static void tell_silence(struct carrier *c)
{
    struct carrier_packet p = { .kind = CARRIER_SILENCE, .seconds = c->silent_s };
    if (c->line != NULL && c->silent_s != 0)
        (void)carrier_line_send(c->line, &p, -1);
}

static void tell_ledger(struct carrier *c)
{
    struct carrier_packet p = { .kind = CARRIER_LEDGER };
    int fd = c->line != NULL && c->ledger >= 0 ? fcntl(c->ledger, F_DUPFD_CLOEXEC, 0) : -1;
    if (fd >= 0 && !carrier_line_send(c->line, &p, fd))
        close(fd);
}

/* its end of LINE is the standard input of the process */
static void spawn_carrier(struct carrier *c, int own, int other)
{
    struct answer ans = ANSWER_INIT;
    pid_t pid = privilege_spawn_carrier(c->program, (const char *const *)c->words, other, &ans);
    close(other);
    if (pid > 0) {
        *c->process = pid;
        c->line = carrier_line_new(c->loop, own, &line_ops, c);
        tell_silence(c);
        tell_ledger(c);
    } else {
        close(own);
        log_answer(&ans);
        start_later(c);
    }
    ans_free(&ans);
}

static void start_carrier(struct carrier *c)
{
    int ends[2];
    c->started_us = uti_mono_us();
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0) {
        spawn_carrier(c, ends[0], ends[1]);
        return;
    }
    log_msg(LOG_LEVEL_ERROR, MSG_CARRIER_S, strerror(errno));
    start_later(c);
}

static void on_again(void *ctx)
{
    struct carrier *c = ctx;
    loop_doing(c->loop, "starting sge_carrier");
    start_carrier(c);
}

static void set_words(struct carrier *c, const struct carrier_place *place)
{
    char port[8];
    (void)snprintf(port, sizeof port, "%u", (unsigned)place->port);
    const char *const words[WORDS - 1] = {
        "sge_carrier", place->host,       place->messages,   place->dir,
        port,          place->papers_dir, place->ledger_dir, place->writes_ledger ? "write" : "read"
    };
    for (int i = 0; i < WORDS - 1; i++)
        c->words[i] = uti_strdup(words[i]);
}

struct carrier *carrier_new(struct loop *l, const struct carrier_place *place,
                            void (*came)(void *ctx, int fd, const struct session_first *first),
                            void *ctx)
{
    struct carrier *c = uti_calloc(1, sizeof *c);
    c->loop = l;
    c->program = uti_strdup(place->program);
    c->process = place->process;
    c->came = came;
    c->ctx = ctx;
    c->ledger = -1;
    c->again = loop_timer_new(l, on_again, c);
    set_words(c, place);
    start_carrier(c);
    if (c->line != NULL)
        carrier_line_wait(c->line, CARRIER_START_MS);
    return c;
}

void carrier_free(struct carrier *c)
{
    if (c == NULL)
        return;
    carrier_line_free(c->line);
    loop_timer_free(c->again);
    for (int i = 0; i < WORDS; i++)
        free(c->words[i]);
    if (c->ledger >= 0)
        close(c->ledger);
    free(c->program);
    free(c);
}

bool carrier_send(struct carrier *c, struct stream *near, const struct session_first *first,
                  const char *host, unsigned *most)
{
    struct carrier_packet p = { .kind = CARRIER_SESSION,
                                .uid = (uint32_t)first->uid,
                                .n = (uint32_t)first->n };
    *most = 0;
    if (c->line == NULL || first->n > sizeof p.bytes || strlen(host) >= sizeof p.host)
        return false;
    memcpy(p.bytes, first->bytes, first->n);
    memcpy(p.host, host, strlen(host));
    if (carrier_line_send(c->line, &p, near->fd)) {
        *near = (struct stream)STREAM_CLOSED;
        return true;
    }
    *most = CARRIER_QUEUE_MOST;
    return false;
}

void carrier_set_silence(struct carrier *c, uint32_t silent_s)
{
    if (c == NULL || c->silent_s == silent_s)
        return;
    c->silent_s = silent_s;
    tell_silence(c);
}

void carrier_revoke(struct carrier *c, const char *text, size_t len)
{
    if (c == NULL)
        return;
    int fd = os_shared_memory(0, STDERR_FILENO);
    if (fd < 0 || file_write_all(fd, text, len) != 0) {
        log_msg(LOG_LEVEL_ERROR, MSG_CARRIER_S, strerror(errno));
        if (fd >= 0)
            close(fd);
        return;
    }
    if (c->ledger >= 0)
        close(c->ledger);
    c->ledger = fd;
    tell_ledger(c);
}
