/* The time in which the job runs: signals are taken as they come, and what happens at a time is
 * an alarm. */
#include "daemons/shepherd/job_wait.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemons/shepherd/checkpoint.h"
#include "daemons/shepherd/children.h"
#include "daemons/shepherd/hooks.h"
#include "daemons/shepherd/msg_shepherd.h"
#include "daemons/shepherd/notice.h"
#include "daemons/shepherd/shepherd.h"
#include "libs/task/task_dir.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/parse.h"
#include "libs/uti/time.h"

/* ---- signals for the job ---- */
/* the signal or request that the execd left in a file, as a shepherd cannot be sent every signal; 0
 * if there is none */
static int read_signal_file(void)
{
    struct dstr text = DSTR_INIT;
    uint32_t sig = 0;
    if (file_read(TASK_FILE_SIGNAL, 16, &text, NULL) == 0 && text.s != NULL) {
        text.s[strcspn(text.s, "\n")] = '\0';
        bool is_known = parse_u32(text.s, &sig) &&
                        (sig < (uint32_t)SIGRTMAX || sig == TASK_REQUEST_CHECKPOINT ||
                         sig == TASK_REQUEST_MIGRATE);
        if (!is_known)
            sig = 0;
        (void)unlink(TASK_FILE_SIGNAL);
    }
    dstr_free(&text);
    return (int)sig;
}

/* what SIG asks for, done to the job */
static void job_signal(struct shepherd *s, int sig)
{
    if (sig == SIGSTOP) {
        notice_stop(s);
    } else if (sig == SIGCONT) {
        notice_continue(s);
    } else if (sig == SIGKILL) {
        notice_end(s);
    } else if (sig > 0) {
        trace_add(&s->trace, MSG_TRACE_SEND_SIGNAL_I, sig);
        tree_signal(&s->supervisor, sig);
    }
}

/* what the execd left in a file */
static void obey_file(struct shepherd *s)
{
    int request = read_signal_file();
    if (request == TASK_REQUEST_CHECKPOINT)
        checkpoint_make(s);
    else if (request == TASK_REQUEST_MIGRATE)
        checkpoint_migrate(s);
    else if (request != 0)
        job_signal(s, request);
}

/* do what a signal to us asks for */
static void obey_signal(struct shepherd *s, int sig)
{
    trace_add(&s->trace, MSG_TRACE_GOT_SIGNAL_I, sig);
    switch (sig) {
    case SIGTTOU:
    case SIGTSTP:
        job_signal(s, SIGSTOP);
        break;
    case SIGCONT:
        job_signal(s, SIGCONT);
        obey_file(s); /* the kernel drops a pending SIGTTIN */
        break;
    case SIGTTIN:
        obey_file(s);
        break;
    case SIGUSR1:
    case SIGUSR2:
        job_signal(s, sig);
        break;
    default:
        checkpoint_give_up(s);
        job_signal(s, SIGKILL);
    }
}

/* do what a signal to the shepherd asks for; SIGCHLD asks for nothing */
static void job_take_signal(struct shepherd *s, int sig)
{
    if (sig == SIGCHLD)
        return;
    obey_signal(s, sig);
    while (s->is_terminated) { /* asked while a method ran */
        s->is_terminated = false;
        checkpoint_give_up(s);
        job_signal(s, SIGKILL);
    }
}

/* an interactive job does not outlive its client */
static void end_without_client(struct shepherd *s)
{
    if (!s->supervisor.aside.is_done || s->is_client_lost)
        return;
    s->is_client_lost = true;
    shepherd_say(s, geteuid(), getpid(), MSG_NO_CLIENT);
    job_signal(s, SIGKILL);
}

/* ---- the wait for the job's end ---- */
/* a job that is gone by then needs no files "job_pid" and "osjobid", nor a shepherd that outlives a
 * shortage of memory. To create and remove the one, and to walk through all processes of the host
 * for the other, costs a tenth of what a shepherd does for a short task. */
enum { LONG_JOB_US = 1000 * 1000 };

static void write_number(const char *name, unsigned long long number)
{
    char text[24];
    struct answer ans = ANSWER_INIT;
    int len = snprintf(text, sizeof text, "%llu\n", number);
    if (file_overwrite_at(AT_FDCWD, name, text, (size_t)len, 0644, &ans) != 0)
        task_error(geteuid(), getpid(), ans_first_error(&ans));
    ans_free(&ans);
}

/* how the system knows the job: by its process, and by its cgroup, whose number is that of its
 * directory (cgroups(7)) */
static void write_ids(const struct shepherd *s)
{
    struct stat st;
    write_number(TASK_FILE_JOB_PID, (unsigned long long)s->supervisor.child[SUPERVISE_JOB].pid);
    if (s->cgroup.fd == 0 || fstat(s->cgroup.fd, &st) != 0)
        return;
    write_number(TASK_FILE_OSJOBID, (unsigned long long)st.st_ino);
    if (s->cgroup.has_processors)
        write_number(TASK_FILE_PROCESSOR_SET, (unsigned long long)st.st_ino);
}

static uint64_t after_s(uint64_t start_us, uint64_t limit_s)
{
    return limit_s > (UINT64_MAX - start_us) / 1000000 ? UINT64_MAX : start_us + limit_s * 1000000;
}

/* ---- alarms ---- */

static uint64_t ring_job_pid(void *shepherd)
{
    write_ids(shepherd);
    return UINT64_MAX;
}

static uint64_t ring_protect(void *shepherd)
{
    struct shepherd *s = shepherd;
    if (apart_is_inside(&s->page->apart)) /* what it executes is slow to come */
        return uti_mono_us() + LONG_JOB_US;
    shepherd_protect(s);
    return UINT64_MAX;
}

static uint64_t ring_s_rt(void *shepherd)
{
    struct shepherd *s = shepherd;
    char words[120];
    if (!s->is_soft_time_over) {
        s->is_soft_time_over = true;
        trace_add(&s->trace, MSG_TRACE_LIMIT_S, "s_rt");
        return notice_soft_time(s);
    }
    (void)snprintf(words, sizeof words, MSG_SOFT_TIME_UU, (unsigned long long)s->conf.limits.s_rt_s,
                   (unsigned long long)s->conf.notify_s);
    shepherd_say(s, geteuid(), getpid(), words);
    notice_limit(s, LIMIT_OF_SOFT_TIME);
    return UINT64_MAX;
}

static uint64_t ring_h_rt(void *shepherd)
{
    struct shepherd *s = shepherd;
    char words[80];
    (void)snprintf(words, sizeof words, MSG_HARD_TIME_U, (unsigned long long)s->conf.limits.h_rt_s);
    shepherd_say(s, geteuid(), getpid(), words);
    notice_limit(s, LIMIT_OF_TIME);
    return UINT64_MAX;
}

/* is it one of memory that is exceeded? */
static bool is_of_memory(const struct shepherd *s, const struct sums_used *used)
{
    return used->v[SUM_CPU] <= s->conf.sums.hard[SUM_CPU];
}

static uint64_t ring_sums(void *shepherd)
{
    struct shepherd *s = shepherd;
    struct sums_used used;
    struct dstr words = DSTR_INIT;
    bool soft_hit;
    const struct timeval *user = &s->usage.sum.ru_utime, *system = &s->usage.sum.ru_stime;
    uint64_t ended_ms = (uint64_t)(user->tv_sec + system->tv_sec) * 1000 +
                        (uint64_t)(user->tv_usec + system->tv_usec) / 1000;
    uint64_t before_us = uti_mono_us();
    sums_measure(&s->conf.sums, &s->cgroup, ended_ms, &used);
    usage_look(&s->usage, used.v[SUM_VMEM], used.v[SUM_RSS], before_us);
    bool is_over = sums_judge(&s->conf.sums, &used, &soft_hit, &words);
    if (is_over) {
        shepherd_say(s, geteuid(), getpid(), dstr_get(&words));
        notice_limit(s, is_of_memory(s, &used) ? LIMIT_OF_MEMORY : LIMIT_OF_TIME);
    } else if (soft_hit) {
        job_signal(s, SIGXCPU);
    }
    dstr_free(&words);
    uint64_t now_us = uti_mono_us();
    return is_over ? UINT64_MAX : now_us + sums_pause_us(&s->conf.sums, &used, now_us - before_us);
}

static uint64_t first_look_us(const struct shepherd *s)
{
    struct sums_used nothing = { 0 };
    return sums_are_any(&s->conf.sums)
               ? s->usage.start_us + sums_pause_us(&s->conf.sums, &nothing, 0)
               : UINT64_MAX;
}

/* half an hour before what was set is over, or at half of a shorter time */
static uint64_t token_pause_us(const struct shepherd *s)
{
    enum { EARLY_S = 1800 };
    uint64_t time_s = s->conf.token_extend_s;
    if (time_s == 0 || s->conf.plan.rows[PLAN_TOKEN].command == NULL)
        return UINT64_MAX;
    uint64_t pause_s = time_s > 2 * EARLY_S ? time_s - EARLY_S : (time_s + 1) / 2;
    return pause_s > UINT64_MAX / 2000000 ? UINT64_MAX : pause_s * 1000000;
}

static uint64_t ring_token(void *shepherd)
{
    struct shepherd *s = shepherd;
    const struct supervised *hook = &s->supervisor.child[SUPERVISE_HOOK];
    if (hook->pid != 0 && !hook->is_done)
        return uti_mono_us() + LONG_JOB_US; /* a method runs */
    (void)hook_method(s, PLAN_TOKEN);
    return uti_mono_us() + token_pause_us(s);
}

static uint64_t first_token_us(const struct shepherd *s)
{
    uint64_t pause_us = token_pause_us(s);
    return pause_us == UINT64_MAX ? UINT64_MAX : s->usage.start_us + pause_us;
}

void job_wait(struct shepherd *s)
{
    struct supervisor *v = &s->supervisor;
    uint64_t start_us = s->usage.start_us;
    const struct alarm alarms[SUPERVISE_ALARMS] = {
        { s->trace.is_on ? 0 : start_us + LONG_JOB_US, ring_job_pid },
        { s->conf.who.is_switch ? start_us + LONG_JOB_US : UINT64_MAX, ring_protect },
        { after_s(start_us, s->conf.limits.s_rt_s), ring_s_rt },
        { after_s(start_us, s->conf.limits.h_rt_s), ring_h_rt },
        { first_look_us(s), ring_sums },
        { UINT64_MAX, notice_ring_end },
        { UINT64_MAX, notice_ring_stop },
        [ALARM_CHECKPOINT] = { checkpoint_first_us(s, start_us), checkpoint_ring },
        [ALARM_CHECKPOINT_OVER] = { UINT64_MAX, checkpoint_ring_over },
        [ALARM_TOKEN] = { first_token_us(s), ring_token },
    };
    memcpy(v->alarms, alarms, sizeof alarms);
    v->n_alarms = SUPERVISE_ALARMS;
    v->alarm_ctx = s;
    for ((void)supervise_reap(v); !v->child[SUPERVISE_JOB].is_done; (void)supervise_reap(v)) {
        end_without_client(s);
        if (!checkpoint_look(s))
            job_take_signal(s, supervise_sleep(v, UINT64_MAX, SUPERVISE_ANY));
    }
    v->n_alarms = 0;
}
