/* The processes of the task: waiting for them, signals to them, and the job's cgroup.
 *
 * All signals to the shepherd stay blocked and are taken one at a time with sigtimedwait, so that
 * there are no handlers and no races with them. A snapshot of the job's processes may miss one that
 * is just being forked; stopping all of them, again and again until a look finds no new one, leaves
 * none that could fork. Processes that this shepherd may not signal (set-user-id programs in a cell
 * of an ordinary user) are passed over. The cgroup lives from just before the job's start to just
 * after the end of its last process, so that what it counts is the job's alone. Source:
 * cgroups(7). */
#include "daemons/shepherd/children.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "daemons/shepherd/msg_shepherd.h"
#include "daemons/shepherd/privilege.h"
#include "daemons/shepherd/records.h"
#include "libs/uti/cgroup.h"
#include "libs/uti/process.h"
#include "libs/uti/time.h"

/* ---- children and signals ---- */

void supervise_block(void)
{
    sigset_t all;
    sigfillset(&all);
    (void)sigprocmask(SIG_BLOCK, &all, NULL);
}

static bool is_aside(const struct supervisor *s)
{
    return s->aside.pid != 0 && !s->aside.is_done;
}

/* is there a child beside PID? */
static bool has_others(pid_t pid)
{
    struct process_list children = { 0 };
    bool is_known = os_children(getpid(), &children) == 0;
    bool is_alone = is_known && children.n == 1 && children.v[0] == pid;
    process_list_free(&children);
    return !is_alone;
}

bool supervise_reap(struct supervisor *s)
{
    struct rusage used;
    int status;
    pid_t pid;
    while ((pid = wait4(-1, &status, WNOHANG, &used)) > 0) {
        if (pid == s->aside.pid && !s->aside.is_done) {
            s->aside.is_done = true;
            s->aside.wait_status = status;
            continue;
        }
        usage_add(s->usage, &used);
        for (int i = 0; i < SUPERVISE_CHILDREN; i++)
            if (s->child[i].pid == pid && !s->child[i].is_done) {
                s->child[i].is_done = true;
                s->child[i].wait_status = status;
            }
    }
    return pid == 0 && (!is_aside(s) || has_others(s->aside.pid));
}

static void add_signals(sigset_t *set, const int *signals, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sigaddset(set, signals[i]);
}

/* what a shepherd answers to; the rest stays pending for ever */
static void signals_of_interest(sigset_t *set, enum supervise_for what)
{
    static const int ending[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT };
    static const int for_job[] = { SIGTTIN, SIGTTOU, SIGTSTP, SIGCONT, SIGUSR1, SIGUSR2 };
    sigemptyset(set);
    sigaddset(set, SIGCHLD);
    if (what >= SUPERVISE_ENDING)
        add_signals(set, ending, ARRAY_LEN(ending));
    if (what >= SUPERVISE_ANY)
        add_signals(set, for_job, ARRAY_LEN(for_job));
}

static bool has_alarms(const struct supervisor *s)
{
    return s->n_alarms > 0 && !s->child[SUPERVISE_JOB].is_done;
}

static uint64_t next_alarm(const struct supervisor *s)
{
    uint64_t at_us = UINT64_MAX;
    for (uint32_t i = 0; has_alarms(s) && i < s->n_alarms; i++)
        at_us = s->alarms[i].at_us < at_us ? s->alarms[i].at_us : at_us;
    return at_us;
}

/* what it does may sleep, and must not ring it again */
static void ring_alarm(struct supervisor *s, struct alarm *alarm)
{
    alarm->at_us = UINT64_MAX;
    uint64_t next_us = alarm->ring(s->alarm_ctx);
    if (next_us < alarm->at_us)
        alarm->at_us = next_us;
}

int supervise_sleep(struct supervisor *s, uint64_t until_us, enum supervise_for what)
{
    sigset_t set;
    signals_of_interest(&set, what);
    for (;;) {
        uint64_t alarm_us = next_alarm(s), now_us = uti_mono_us();
        uint64_t next_us = alarm_us < until_us ? alarm_us : until_us;
        uint64_t left_us = next_us > now_us ? next_us - now_us : 0;
        struct timespec left = { (time_t)(left_us / 1000000), (long)(left_us % 1000000) * 1000 };
        int sig = next_us == UINT64_MAX ? sigwaitinfo(&set, NULL) : sigtimedwait(&set, NULL, &left);
        if (sig > 0)
            return sig;
        if (errno != EAGAIN)
            continue;
        if (next_us == until_us)
            return 0;
        now_us = uti_mono_us();
        for (uint32_t i = 0; has_alarms(s) && i < s->n_alarms; i++)
            if (s->alarms[i].at_us <= now_us)
                ring_alarm(s, &s->alarms[i]);
        return SIGCHLD; /* what rang may have waited itself, and taken that of the job */
    }
}

/* ---- cgroup ---- */

void job_cgroup_make(struct job_cgroup *g, const char *path, struct trace *trace)
{
    *g = (struct job_cgroup){ .path = path };
    if (g->path == NULL)
        return;
    int fd = privilege_make_cgroup(g->path);
    if (fd < 0)
        trace_add(trace, MSG_TRACE_NO_CGROUP_SS, g->path, strerror(errno));
    g->fd = fd > 0 ? fd : 0;
}

void job_cgroup_confine(struct job_cgroup *g, const char *list)
{
    g->has_processors = list != NULL && g->fd != 0 && privilege_confine_cgroup(g->fd, list) == 0;
}

void job_cgroup_remove(struct job_cgroup *g)
{
    if (g->fd == 0)
        return;
    close(g->fd);
    (void)privilege_remove_cgroup(
        g->path); /* what stays is without processes: execd takes it away */
    *g = (struct job_cgroup){ 0 };
}

void job_cgroup_kill(const struct job_cgroup *g)
{
    if (g->fd != 0)
        (void)privilege_kill_cgroup(g->fd);
}

bool job_cgroup_cpu_us(const struct job_cgroup *g, uint64_t *out)
{
    return g->fd != 0 && cgroup_cpu_us(g->fd, out) == 0;
}

bool job_cgroup_rss_bytes(const struct job_cgroup *g, uint64_t *out)
{
    return g->fd != 0 && cgroup_rss_bytes(g->fd, out) == 0;
}

/* ---- process tree ---- */

enum { STOP_ROUNDS_MAX = 50 };

/* stop everybody; returns how many the last look found */
static uint32_t stop_all(pid_t aside)
{
    uint32_t before = 0;
    for (int round = 0; round < STOP_ROUNDS_MAX; round++) {
        uint32_t found = privilege_signal_below(aside, SIGSTOP);
        if (round > 0 && found <= before)
            return found;
        before = found;
    }
    return before;
}

/* a pid that is free again could be that of a process of the job */
static pid_t aside_of(const struct supervisor *s)
{
    return is_aside(s) ? s->aside.pid : 0;
}

void tree_signal(const struct supervisor *s, int sig)
{
    if (sig == SIGSTOP)
        (void)stop_all(aside_of(s));
    else
        (void)privilege_signal_below(aside_of(s), sig);
}

uint32_t tree_kill(const struct supervisor *s, const struct job_cgroup *cgroup)
{
    job_cgroup_kill(cgroup);
    (void)stop_all(aside_of(s));
    return privilege_signal_below(aside_of(s), SIGKILL);
}
