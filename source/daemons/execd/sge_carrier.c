/* sge_carrier - carries sessions of interactive jobs to and from other hosts, beside its execd,
 * which has the other end of its standard input. When that is closed it closes the port of this
 * host, and ends with the last session that it has. See sge_carrier(8). */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemons/execd/host/carrier_line.h"
#include "daemons/execd/host/session_relay.h"
#include "daemons/execd/msg_execd.h"
#include "daemons/execd/session_hosts.h"
#include "libs/comm/loop.h"
#include "libs/comm/passed_fds.h"
#include "libs/comm/stream.h"
#include "libs/tls/ledger.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/log.h"
#include "libs/uti/parse.h"
#include "libs/uti/time.h"
#include "libs/uti/usage.h"

enum {
    HOST = 1,
    MESSAGES,
    DIRECTORY,
    PORT,
    PAPERS,
    LEDGER,
    WRITES,
    WORDS,
    CARRIERS_MOST = 8, /* of one host at a time, the earlier ones with it */
    LISTEN_MS = 10000, /* an earlier one may have the port for a moment */
    AGAIN_MS = 50,
    DRAIN_US = 250000
};

struct carrying {
    struct loop *loop;
    struct session_hosts *hosts;
    struct carrier_line *line; /* NULL: the execd has gone */
    struct fd_closer *closer;
    struct loop_timer *drain;
};

/* ---- what comes from the execd, and goes there ---- */

static void carry_out(struct carrying *c, const struct carrier_packet *p, int fd)
{
    struct stream near = stream_of_user(fd, c->closer);
    struct session_first first = { .uid = p->uid, .bytes = p->bytes, .n = p->n };
    session_hosts_carry(c->hosts, &near, &first, p->host);
}

static void take_ledger(struct carrying *c, int fd)
{
    struct dstr text = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    if (lseek(fd, 0, SEEK_SET) == 0 &&
        file_read_fd(fd, LEDGER_FILE, LEDGER_BYTES, &text, &ans) == 0)
        session_hosts_revoke(c->hosts, dstr_get(&text), text.len);
    log_answer(&ans);
    ans_free(&ans);
    dstr_free(&text);
}

static void on_packet(void *ctx, const struct carrier_packet *p, int fd)
{
    struct carrying *c = ctx;
    if (p->kind == CARRIER_SESSION && fd >= 0) {
        carry_out(c, p, fd);
        return;
    }
    if (p->kind == CARRIER_SILENCE)
        session_hosts_set_silence(c->hosts, p->seconds);
    else if (p->kind == CARRIER_LEDGER && fd >= 0)
        take_ledger(c, fd);
    if (fd >= 0)
        close(fd);
}

static void on_drain(void *ctx)
{
    struct carrying *c = ctx;
    if (session_hosts_is_empty(c->hosts))
        loop_stop(c->loop);
    else
        loop_timer_set(c->drain, DRAIN_US);
}

static void on_execd_gone(void *ctx)
{
    struct carrying *c = ctx;
    carrier_line_free(c->line);
    c->line = NULL;
    session_hosts_close(c->hosts);
    on_drain(c);
}

static const struct carrier_line_ops line_ops = { .came = on_packet, .ended = on_execd_gone };

static void on_came(void *ctx, int fd, const struct session_first *first)
{
    struct carrying *c = ctx;
    struct carrier_packet p = { .kind = CARRIER_SESSION,
                                .uid = (uint32_t)first->uid,
                                .n = (uint32_t)first->n };
    memcpy(p.bytes, first->bytes, first->n);
    if (first->from != NULL)
        memcpy(p.host, first->from, strnlen(first->from, sizeof p.host - 1));
    if (c->line == NULL || !carrier_line_send(c->line, &p, fd))
        close(fd);
}

/* ---- life ---- */

/* Each holds one of so many files locked until it ends, so that a host whose execd is started over
 * and over does not have any number of them. */
static int take_place(const char *dir, struct answer *ans)
{
    int fd = -1;
    for (unsigned i = 0; i < CARRIERS_MOST && fd < 0; i++) {
        struct dstr path = DSTR_INIT;
        ans_free(ans);
        dstr_addf(&path, "%s/carrier.%u", dir, i);
        fd = file_lock(dstr_get(&path), ans);
        dstr_free(&path);
        if (fd < 0 && ans->v[0].status != STATUS_EEXIST)
            return -1;
    }
    if (fd >= 0)
        return 0; /* the descriptor stays open until this process ends */
    ans_free(ans);
    return ans_fail(ans, STATUS_DENIED, MSG_CARRIERS_MOST_U, (unsigned)CARRIERS_MOST);
}

static bool has_execd(void)
{
    struct pollfd p = { .fd = STDIN_FILENO, .events = POLLRDHUP };
    return poll(&p, 1, AGAIN_MS) == 0;
}

/* the port, which an earlier one may have for a moment: that closes it when its execd ends */
static struct session_hosts *open_port(struct carrying *c, const struct session_port *place,
                                       struct answer *ans)
{
    uint64_t until_us = uti_mono_us() + (uint64_t)LISTEN_MS * 1000;
    for (;;) {
        struct session_hosts *h = session_hosts_new(c->loop, place, on_came, c, ans);
        if (h != NULL || uti_mono_us() > until_us || !has_execd())
            return h;
        ans_free(ans);
    }
}

static void tell_execd(struct carrying *c)
{
    struct carrier_packet p = { .kind = CARRIER_LISTENS };
    (void)carrier_line_send(c->line, &p, -1);
}

static int carry_sessions(char **argv, uint32_t port, struct answer *ans)
{
    struct carrying c = { .loop = loop_new(ans) };
    struct session_port place = { (uint16_t)port, argv[PAPERS], argv[LEDGER],
                                  strcmp(argv[WRITES], "write") == 0 };
    int rc = -1;
    if (c.loop != NULL && take_place(argv[DIRECTORY], ans) == 0)
        c.hosts = open_port(&c, &place, ans);
    if (c.hosts != NULL && log_start(ans) == 0) {
        loop_measure(c.loop, "the carrier");
        c.closer = fd_closer_new();
        c.drain = loop_timer_new(c.loop, on_drain, &c);
        c.line = carrier_line_new(c.loop, STDIN_FILENO, &line_ops, &c);
        tell_execd(&c);
        rc = loop_run(c.loop);
        log_stop();
    }
    session_hosts_free(c.hosts);
    carrier_line_free(c.line);
    loop_timer_free(c.drain);
    fd_closer_free(c.closer);
    if (c.loop != NULL)
        loop_free(c.loop);
    return rc;
}

/* its execd blocks all, as it does for shepherds; the end of that is all that it needs to see */
static void settle_signals(void)
{
    static const int ignored[] = { SIGPIPE, SIGHUP };
    struct sigaction sa = { .sa_handler = SIG_IGN };
    sigset_t none;
    for (size_t i = 0; i < ARRAY_LEN(ignored); i++)
        (void)sigaction(ignored[i], &sa, NULL);
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

int main(int argc, char **argv)
{
    struct answer ans = ANSWER_INIT;
    struct stat st;
    uint32_t port;
    if (argc != WORDS || fstat(STDIN_FILENO, &st) != 0 || !S_ISSOCK(st.st_mode) ||
        !parse_u32(argv[PORT], &port) || port > UINT16_MAX)
        return usage_of_daemon("sge_carrier", "", argc > 1 ? argv[1] : "");
    settle_signals();
    umask(022);
    log_thread("carrier");
    int rc = log_open(argv[MESSAGES], argv[HOST], LOG_LEVEL_INFO, &ans);
    if (rc == 0)
        rc = carry_sessions(argv, port, &ans);
    log_answer(&ans);
    ans_free(&ans);
    return rc == 0 ? 0 : 1;
}
