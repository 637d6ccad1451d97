/* The connection to a qmaster on another host: TLS over TCP with the certificate of this host, the
 * renewal of that certificate, and the users of this host, whose connections are relayed over it.
 * Source: sge_ca(8), sge_execd(8). */
#include "daemons/execd/remote.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemons/execd/host/privilege.h"
#include "daemons/execd/msg_execd.h"
#include "libs/comm/link.h"
#include "libs/comm/loop.h"
#include "libs/comm/names.h"
#include "libs/comm/relay.h"
#include "libs/comm/tcp.h"
#include "libs/gdi/message.h"
#include "libs/tls/tls.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/log.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

/* ---- connection ---- */
/* The way to the qmaster. Invariant: a context lives as long as the stream that was made with it:
 * the link asks for a new one only after the last is closed. */

enum { GREETING_MS = 10000 };

struct remote {
    struct tcp_place *place;
    char *papers_dir;
    struct tls_context *tls;
    uint32_t silent_s;
    struct answer why;
};

struct remote *remote_new(const char *qmaster_host, uint16_t port, const char *papers_dir)
{
    struct remote *w = uti_calloc(1, sizeof *w);
    w->place = tcp_place_new(qmaster_host, port);
    w->papers_dir = uti_strdup(papers_dir);
    w->silent_s = TCP_SILENT_S;
    return w;
}

void remote_free(struct remote *w)
{
    if (w == NULL)
        return;
    tls_context_free(w->tls);
    tcp_place_free(w->place);
    ans_free(&w->why);
    free(w->papers_dir);
    free(w);
}

static struct stream open_stream(void *ctx, const char **why)
{
    struct remote *w = ctx;
    struct stream none = STREAM_CLOSED;
    int fd = tcp_place_connect(w->place, why);
    if (fd < 0)
        return none;
    tcp_set_silence(fd, w->silent_s);
    tls_context_free(w->tls);
    ans_free(&w->why);
    w->tls = tls_context_new(w->papers_dir, TLS_HOST, &w->why);
    if (w->tls != NULL)
        return tls_stream(w->tls, fd);
    close(fd);
    *why = ans_first_error(&w->why);
    return none;
}

void remote_set_silence(struct remote *w, const struct link *k, uint32_t silent_s)
{
    w->silent_s = silent_s;
    if (link_is_up(k))
        tcp_set_silence(link_fd(k), silent_s);
}

struct link_dial remote_dial(struct remote *w)
{
    return (struct link_dial){ .open = open_stream, .ctx = w, .greeting_ms = GREETING_MS };
}

/* ---- renewal of the certificate ---- */
/* When to renew. Invariants: the certificate on disk says when, so that a restart, an administrator
 * and a renewal that was killed need no care; one that fails is tried again, ever more slowly, and
 * the certificate counts until it ends. */

enum { LOOK_S = 3600, FIRST_RETRY_S = 15, SECOND_US = 1000000 };

struct cert_renewal {
    struct loop *loop; /* borrowed */
    struct loop_timer *timer;
    char *papers_dir, *program, *qmaster; /* host:port */
    uint64_t until_s;                     /* of the certificate when it was last looked at */
    uint32_t retry_s;                     /* if the next renewal fails */
    pid_t *pid;                           /* of the renewal that goes on; 0: none does */
    int pidfd;                            /* -1: none does */
    struct loop_watch *watch;             /* NULL likewise */
};

static void log_until(enum log_level level, const char *text, uint64_t until_s)
{
    struct dstr until = DSTR_INIT;
    uti_time_iso(until_s, &until);
    log_msg(level, "%s%s", text, dstr_get(&until));
    dstr_free(&until);
}

/* what has become of the renewal that has just ended */
static void note_outcome(struct cert_renewal *r)
{
    uint64_t at_s, until_s;
    if (tls_renewal_at(r->papers_dir, &at_s, &until_s, NULL) != 0)
        return;
    if (until_s > r->until_s)
        log_until(LOG_LEVEL_INFO, MSG_RENEWED, until_s);
    else
        log_until(LOG_LEVEL_WARNING, MSG_NOT_RENEWED, until_s);
}

static void forget_process(struct cert_renewal *r)
{
    loop_watch_free(r->watch);
    r->watch = NULL;
    if (r->pidfd >= 0)
        close(r->pidfd);
    r->pidfd = -1;
    *r->pid = 0;
}

static void on_process_gone(void *ctx)
{
    struct cert_renewal *r = ctx;
    (void)waitpid(*r->pid, NULL, WNOHANG); /* unless a wait for all children was quicker */
    forget_process(r);
    note_outcome(r);
}

static void start_renewal(struct cert_renewal *r)
{
    struct answer ans = ANSWER_INIT;
    if (r->watch != NULL)
        return; /* it goes on, and ends by itself in time */
    pid_t pid = privilege_spawn_renewal(r->program, r->papers_dir, r->qmaster, &ans);
    if (pid > 0)
        r->pidfd = os_pidfd_open(pid);
    if (r->pidfd >= 0)
        r->watch = loop_watch_read(r->loop, r->pidfd, on_process_gone, r);
    if (r->watch == NULL)
        forget_process(r);
    else
        *r->pid = pid;
    log_answer(&ans);
    ans_free(&ans);
}

/* when to look again, in seconds: a renewal that is due is started */
static uint64_t look_at_papers(struct cert_renewal *r)
{
    uint64_t at_s, now_s = uti_now_s();
    if (tls_renewal_at(r->papers_dir, &at_s, &r->until_s, NULL) != 0)
        return LOOK_S;
    if (at_s > now_s) {
        r->retry_s = FIRST_RETRY_S;
        return at_s - now_s < LOOK_S ? at_s - now_s : LOOK_S;
    }
    uint64_t rest_s = r->retry_s;
    start_renewal(r);
    r->retry_s = r->retry_s < LOOK_S / 2 ? 2 * r->retry_s : LOOK_S;
    return rest_s;
}

static void on_look(void *ctx)
{
    struct cert_renewal *r = ctx;
    loop_timer_set(r->timer, look_at_papers(r) * SECOND_US);
}

struct cert_renewal *cert_renewal_new(struct loop *loop, const struct renewal_place *place)
{
    struct cert_renewal *r = uti_calloc(1, sizeof *r);
    struct dstr qmaster = DSTR_INIT;
    r->loop = loop;
    r->pid = place->process;
    r->pidfd = -1;
    r->retry_s = FIRST_RETRY_S;
    dstr_addf(&qmaster, "%s:%u", place->qmaster_host, place->port);
    r->qmaster = dstr_take(&qmaster);
    r->papers_dir = uti_strdup(place->papers_dir);
    r->program = path_join(place->bin_dir, "sge_ca");
    r->timer = loop_timer_new(loop, on_look, r);
    loop_timer_set(r->timer, 0);
    return r;
}

void cert_renewal_free(struct cert_renewal *r)
{
    if (r == NULL)
        return;
    forget_process(r);
    loop_timer_free(r->timer);
    free(r->papers_dir);
    free(r->program);
    free(r->qmaster);
    free(r);
}

/* ---- relay of users ---- */
/* Users of this host on their way to the qmaster. They are those whom the kernel names at the other
 * end of the socket; what the qmaster makes of them is its own affair. */

struct user_relay {
    struct relay *relay;
    struct names *names;
    char *user; /* the last that was asked for */
};

static bool look_up(void *ctx, uid_t uid, gid_t gid, const char **user, const char **group)
{
    struct user_relay *r = ctx;
    uint64_t now_s = uti_now_s();
    const char *name = names_user(r->names, uid, now_s);
    free(r->user); /* asking for the group may forget the user */
    r->user = name != NULL ? uti_strdup(name) : NULL;
    *user = r->user;
    *group = names_group(r->names, gid, now_s);
    return *user != NULL && *group != NULL;
}

static void on_names(void *ctx)
{
    struct user_relay *r = ctx;
    relay_named(r->relay);
}

static const struct relay_ops ops = { .names = look_up, .refusal_kind = GDI_FRAME_REFUSED };

struct user_relay *user_relay_new(struct loop *l, const char *socket, struct answer *ans)
{
    struct user_relay *r = uti_calloc(1, sizeof *r);
    r->names = names_new(l, on_names, r, ans);
    if (r->names == NULL) {
        free(r);
        return NULL;
    }
    r->relay = relay_new(l, socket, &ops, r);
    return r;
}

void user_relay_free(struct user_relay *r)
{
    if (r == NULL)
        return;
    relay_free(r->relay);
    names_free(r->names);
    free(r->user);
    free(r);
}

void user_relay_up(struct user_relay *r, struct link *k)
{
    struct answer ans = ANSWER_INIT;
    if (r != NULL && relay_up(r->relay, k, &ans) != 0)
        log_answer(&ans);
    ans_free(&ans);
}

void user_relay_down(struct user_relay *r)
{
    if (r != NULL)
        relay_down(r->relay);
}

const struct turn_counts *user_relay_turns(const struct user_relay *r)
{
    return relay_turns(r->relay);
}

const struct turn_counts *user_relay_names_turns(const struct user_relay *r)
{
    return names_turns(r->names);
}

bool user_relay_take(struct user_relay *r, struct link *k, struct frame *f)
{
    int rc = r != NULL ? relay_take(r->relay, f) : 0;
    if (rc < 0) {
        log_msg(LOG_LEVEL_ERROR, MSG_BAD_LINE);
        link_drop(k);
    }
    return rc != 0;
}
