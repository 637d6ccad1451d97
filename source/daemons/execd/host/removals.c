/* Removing directories beside the loop. A removal has a process while it goes on; its end is seen
 * through a pidfd, and whether the directory is gone by looking. Nothing here reads a directory. */
#include "daemons/execd/host/removals.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "daemons/execd/host/msg_host.h"
#include "daemons/execd/host/privilege.h"
#include "libs/comm/loop.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/log.h"
#include "libs/uti/os.h"

struct removal {
    struct removals *of;
    char *path; /* owned */
    pid_t pid;
    int pidfd;
    struct loop_watch *watch;
    TAILQ_ENTRY(removal) next;
};

static void start_some(struct removals *r);

static void removal_free(struct removal *m)
{
    loop_watch_free(m->watch);
    if (m->pidfd >= 0)
        close(m->pidfd);
    free(m->path);
    free(m);
}

static void on_process_gone(void *ctx)
{
    struct removal *m = ctx;
    struct removals *r = m->of;
    if (faccessat(AT_FDCWD, m->path, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
        log_msg(LOG_LEVEL_WARNING, MSG_NOT_REMOVED_S, m->path);
    TAILQ_REMOVE(&r->going, m, next);
    r->n_going--;
    removal_free(m);
    start_some(r);
}

static bool start_removal(struct removals *r, struct removal *m)
{
    struct answer ans = ANSWER_INIT;
    m->pid = privilege_spawn_removal(r->program, m->path, &ans);
    if (m->pid > 0)
        m->pidfd = os_pidfd_open(m->pid);
    if (m->pidfd >= 0)
        m->watch = loop_watch_read(r->loop, m->pidfd, on_process_gone, m);
    if (m->watch == NULL)
        log_msg(LOG_LEVEL_WARNING, MSG_NOT_REMOVED_S, m->path);
    ans_free(&ans);
    return m->watch != NULL;
}

static void start_some(struct removals *r)
{
    struct removal *m;
    while (r->n_going < REMOVALS_GOING_MOST && (m = TAILQ_FIRST(&r->waiting)) != NULL) {
        TAILQ_REMOVE(&r->waiting, m, next);
        r->n_waiting--;
        if (start_removal(r, m)) {
            TAILQ_INSERT_TAIL(&r->going, m, next);
            r->n_going++;
        } else {
            removal_free(m);
        }
    }
}

void removals_init(struct removals *r, struct loop *loop, const char *program)
{
    *r = (struct removals){ .loop = loop, .program = program };
    TAILQ_INIT(&r->going);
    TAILQ_INIT(&r->waiting);
}

void removals_add(struct removals *r, const char *path)
{
    if (r->n_waiting >= REMOVALS_WAITING_MOST) {
        log_msg(LOG_LEVEL_WARNING, MSG_NOT_REMOVED_S, path);
        return;
    }
    struct removal *m = uti_calloc(1, sizeof *m);
    *m = (struct removal){ .of = r, .path = uti_strdup(path), .pidfd = -1 };
    TAILQ_INSERT_TAIL(&r->waiting, m, next);
    r->n_waiting++;
    start_some(r);
}

bool removals_has(const struct removals *r, pid_t pid)
{
    const struct removal *m;
    TAILQ_FOREACH(m, &r->going, next)
        if (m->pid == pid)
            return true;
    return false;
}

void removals_free(struct removals *r)
{
    struct removal *m;
    if (r->loop == NULL)
        return;
    while ((m = TAILQ_FIRST(&r->waiting)) != NULL) {
        TAILQ_REMOVE(&r->waiting, m, next);
        removal_free(m);
    }
    while ((m = TAILQ_FIRST(&r->going)) != NULL) {
        TAILQ_REMOVE(&r->going, m, next);
        (void)os_pidfd_signal(m->pidfd, SIGKILL);
        removal_free(m);
    }
    *r = (struct removals){ 0 };
}
