/* When to renew. Invariants: the certificate on disk says when, so that a restart, an administrator
 * and a renewal that was killed need no care; one that fails is tried again, ever more slowly, and
 * the certificate counts until it ends. */
#include "daemons/execd/renewing.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemons/execd/host/privilege.h"
#include "daemons/execd/msg_execd.h"
#include "libs/comm/loop.h"
#include "libs/tls/tls.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/log.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

enum { LOOK_S = 3600, FIRST_RETRY_S = 15, SECOND_US = 1000000 };

struct renewing {
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
static void note_outcome(struct renewing *r)
{
    uint64_t at_s, until_s;
    if (tls_renewal_at(r->papers_dir, &at_s, &until_s, NULL) != 0)
        return;
    if (until_s > r->until_s)
        log_until(LOG_LEVEL_INFO, MSG_RENEWED, until_s);
    else
        log_until(LOG_LEVEL_WARNING, MSG_NOT_RENEWED, until_s);
}

static void forget_process(struct renewing *r)
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
    struct renewing *r = ctx;
    (void)waitpid(*r->pid, NULL, WNOHANG); /* unless somebody who waits for all was quicker */
    forget_process(r);
    note_outcome(r);
}

static void start_renewal(struct renewing *r)
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
static uint64_t look_at_papers(struct renewing *r)
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
    struct renewing *r = ctx;
    loop_timer_set(r->timer, look_at_papers(r) * SECOND_US);
}

struct renewing *renewing_new(struct loop *loop, const struct renewal_place *place)
{
    struct renewing *r = uti_calloc(1, sizeof *r);
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

void renewing_free(struct renewing *r)
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
