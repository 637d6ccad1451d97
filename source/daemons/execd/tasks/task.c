/* The life of a task: the actions of the table in libs/sgeobj/exec_task_state.h, and the events.
 * Times of day go into reports, the monotonic clock measures. */
#include "daemons/execd/tasks/tasks.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemons/execd/files/task_files.h"
#include "daemons/execd/host/sessions.h"
#include "daemons/execd/report/report.h"
#include "daemons/execd/tables/task_table.h"
#include "daemons/execd/tasks/msg_tasks.h"
#include "libs/comm/loop.h"
#include "libs/config/conf.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_state.h"
#include "libs/task/task_dir.h"
#include "libs/uti/log.h"
#include "libs/uti/os.h"
#include "libs/uti/process.h"
#include "libs/uti/time.h"

enum {
    /* for a shepherd that has not said yet who it is; longer each time, up to the most */
    LOOK_AGAIN_US = 2000,
    LOOK_AGAIN_MOST_US = 1000000,
    CLEAN_AGAIN_US = 50 * 1000,
    CLEAN_SLOWLY_US = 1000 * 1000,
    CLEANINGS_MAX = 200,
    SIGNAL_EXIT_BASE = 128
};

static void apply_event(struct exec_task *t, enum exec_task_event event, int sig);
static void fill_slave(struct exec_task *t);

/* ---- the end ---- */

static void report_end(struct exec_task *t)
{
    if (t->next != NULL)
        start_queue_next(t);
    else
        report_soon(t);
}

/* T is to get no petask any more */
static void end_petasks(const struct exec_task *t)
{
    for (struct exec_task *p = petask_first(t); p != NULL; p = petask_next(p))
        apply_event(p, EXEC_TASK_MASTER_ENDED, 0);
}

/* the last petask of T has ended: what waited for that goes on */
static void go_on_without_petasks(struct exec_task *t)
{
    if (petasks_count(t, false) > 0)
        return;
    if (t->kind == EXEC_TASK_SLAVE && t->state == EXEC_TASK_RUNNING && t->is_killed)
        apply_event(t, EXEC_TASK_EMPTIED, 0);
    else if (t->state == EXEC_TASK_ENDED)
        report_end(t);
}

/* may the client of the task's session still come? That of a petask has been here first */
static bool may_client_come(const struct exec_task *t)
{
    const struct cached_job *job = job_cache_job(&t->x->cache, t->key.job_number);
    return t->key.petask == NULL && job != NULL && job_has_session(&job->record);
}

/* a task's end is reported behind those of its petasks */
static void do_end(struct exec_task *t)
{
    if (t->report.JR_end_time == 0) /* it ended before its shepherd had a job to speak of */
        cull_set(&t->report, JR_end_time, uti_now_s());
    cull_set(&t->report, JR_state, (uint32_t)REPORT_ENDED);
    sessions_task_ended(t->x->sessions, t->name, may_client_come(t));
    task_return_cores(t);
    struct exec_task *task = task_of_petask(t);
    end_petasks(t);
    if (t->kind == EXEC_TASK_SLAVE)
        fill_slave(t);
    if (petasks_count(t, false) == 0)
        report_end(t);
    if (task != NULL)
        go_on_without_petasks(task);
}

/* it never ran: FAILED (enum task_failure) and WHY */
static void fill_unstarted(struct exec_task *t, uint32_t failed, const char *why)
{
    log_msg(LOG_LEVEL_ERROR, MSG_TASK_START_FAILED_SS, t->name, why);
    task_fill_key(t, &t->report);
    cull_set(&t->report, JR_failed, failed);
    cull_set(&t->report, JR_exit_status, 0);
    cull_set(&t->report, JR_err_str, why);
}

void task_end_unstarted(struct exec_task *t, uint32_t failed, const char *why)
{
    fill_unstarted(t, failed, why);
    apply_event(t, EXEC_TASK_UNSTARTED, 0);
}

static void do_withdraw(struct exec_task *t)
{
    fill_unstarted(t, TASK_FAILED_AFTER_JOB, MSG_NEVER_STARTED);
    do_end(t);
}

static void on_timer(void *ctx);

static void call_again(struct exec_task *t, uint64_t in_us)
{
    if (t->timer == NULL)
        t->timer = loop_timer_new(t->x->loop, on_timer, t);
    loop_timer_set(t->timer, in_us);
}

/* soon at first: a look for what is left takes a few ms as a rule */
static uint64_t clean_again_us(const struct exec_task *t)
{
    uint64_t soon_us = (uint64_t)t->cleanings * LOOK_AGAIN_US;
    if (t->cleanings >= CLEANINGS_MAX)
        return CLEAN_SLOWLY_US;
    return soon_us < CLEAN_AGAIN_US ? soon_us : CLEAN_AGAIN_US;
}

/* end what is left of the job; it must be gone before its end is reported, since the task may be
 * started again then */
static void do_clean(struct exec_task *t)
{
    uint32_t left = orphans_kill(t, t->cleanings < CLEANINGS_MAX);
    if (left > 0) {
        if (++t->cleanings == CLEANINGS_MAX)
            log_msg(LOG_LEVEL_ERROR, MSG_SURVIVORS_US, left, t->name);
        apply_event(t, EXEC_TASK_LEFT_OVER, 0);
        return;
    }
    orphans_forget(t);
    orphans_remove_cgroup(t);
    if (t->tmpdir != NULL)
        tmpdirs_discard(&t->x->tmpdirs, t->tmpdir);
    cull_set(&t->report, JR_exit_status, SIGNAL_EXIT_BASE + SIGKILL);
    apply_event(t, EXEC_TASK_CLEANED, 0);
}

/* has its shepherd, which is gone, never taken it? Then nothing of it has run */
static bool is_untaken(int dir_fd)
{
    struct process_id shepherd;
    return dir_fd >= 0 && task_files_life(dir_fd, &shepherd) == TASK_LIFE_NONE;
}

static void do_start_again(struct exec_task *t)
{
    if (t->tmpdir != NULL)
        tmpdirs_recycle(&t->x->tmpdirs, t->tmpdir);
    task_return_place(t);
    cull_clear(&cull_JR_Type, &t->report);
    start_queue_add(t);
}

static void fill_death(struct exec_task *t, bool is_untaken)
{
    uint32_t failed = is_untaken ? TASK_FAILED_PREPARING : TASK_FAILED_NO_EXIT_STATUS;
    log_msg(LOG_LEVEL_ERROR, MSG_SHEPHERD_DIED_S, t->name);
    cull_set(&t->report, JR_failed, failed);
    if (is_untaken)
        cull_set(&t->report, JR_err_str, MSG_SHEPHERD_BROKEN);
    cull_set(&t->report, JR_start_time, t->start_s);
    cull_set(&t->report, JR_end_time, uti_now_s());
}

static void leave_shepherd(struct exec_task *t, bool is_whole)
{
    bool has_ended = t->shepherd == NULL || !shepherd_is_free(t->shepherd);
    if (is_whole)
        shepherd_release(t->shepherd);
    else
        shepherd_forget(t->shepherd);
    t->shepherd = NULL;
    if (has_ended)
        orphans_reap();
}

/* it was ended for what it has used together with other parts of its task */
static void fill_limit(struct exec_task *t)
{
    struct dstr why = DSTR_INIT;
    if (t->report.JR_failed != TASK_FAILED_AFTER_JOB)
        return; /* it had just ended by itself */
    dstr_addf(&why, MSG_PETASK_LIMIT_S, t->limits.reached);
    cull_set(&t->report, JR_failed, (uint32_t)TASK_FAILED_LIMIT);
    cull_set(&t->report, JR_err_str, dstr_get(&why));
    dstr_free(&why);
}

/* what its files say, and what has been seen of it */
static void fill_end(struct exec_task *t)
{
    task_fill_key(t, &t->report);
    task_fill_sample(t, &t->report);
    if (t->report.JR_usage.n > 0)
        task_fill_least(&t->report);
    checkpoint_fill_end(t);
    if (t->limits.reached != NULL)
        fill_limit(t);
    if (t->key.petask != NULL)
        task_limits_ended(t);
}

/* the end of a task without a process of its own, with its last petask */
static void fill_slave(struct exec_task *t)
{
    task_fill_key(t, &t->report);
    if (t->start_s == 0)
        return; /* it could not be set up */
    cull_set(&t->report, JR_start_time, t->start_s);
    if (t->tmpdir != NULL)
        tmpdirs_discard(&t->x->tmpdirs, t->tmpdir);
}

void task_over(void *task)
{
    struct exec_task *t = task;
    int fd = openat(t->x->dir.active_fd, t->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool is_whole = fd >= 0 && task_files_report(fd, &t->report);
    bool is_never_taken = !is_whole && is_untaken(fd);
    /* a spare may have gone before it took it */
    bool is_startable = is_never_taken && t->shepherd != NULL && shepherd_is_old(t->shepherd);
    if (fd >= 0)
        close(fd);
    leave_shepherd(t, is_whole);
    if (is_startable) {
        apply_event(t, EXEC_TASK_UNTAKEN, 0);
        return;
    }
    fill_end(t);
    if (!is_whole) {
        fill_death(t, is_never_taken);
        apply_event(t, EXEC_TASK_DIED, 0);
        return;
    }
    if (t->tmpdir != NULL && petasks_count(t, false) == 0)
        tmpdirs_recycle(&t->x->tmpdirs, t->tmpdir);
    else if (t->tmpdir != NULL) /* they may still write there */
        tmpdirs_discard(&t->x->tmpdirs, t->tmpdir);
    apply_event(t, EXEC_TASK_FINISHED, 0);
}

/* ---- its shepherd ---- */

static bool is_watched(const struct exec_task *t)
{
    return t->shepherd != NULL && shepherd_is_watched(t->shepherd);
}

/* those of T get it, too */
static void signal_petasks(const struct exec_task *t, int sig)
{
    if (sig >= (int)TASK_REQUEST_CHECKPOINT)
        return; /* of the task itself */
    for (struct exec_task *p = petask_first(t); p != NULL; p = petask_next(p))
        apply_event(p, sig == SIGKILL ? EXEC_TASK_KILLED : EXEC_TASK_SIGNALLED, sig);
}

static void send_signal(struct exec_task *t, int sig)
{
    int to_shepherd = task_signal_for(sig);
    t->is_killed = t->is_killed || sig == SIGKILL;
    if (sig == SIGKILL && t->kill_us == 0)
        t->kill_us = uti_mono_us();
    if (sig == SIGSTOP || sig == SIGCONT)
        t->is_stopped = sig == SIGSTOP;
    signal_petasks(t, sig);
    if (t->kind == EXEC_TASK_SLAVE) {
        go_on_without_petasks(t);
        return;
    }
    if (!is_watched(t)) {
        t->signal_later = t->signal_later == SIGKILL ? SIGKILL : sig;
        return;
    }
    if (to_shepherd == SIGTTIN) {
        struct dstr text = DSTR_INIT;
        int fd = openat(t->x->dir.active_fd, t->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        dstr_addf(&text, "%d\n", sig);
        if (fd >= 0) {
            (void)task_files_write(fd, TASK_FILE_SIGNAL, &text, 0600, NULL);
            close(fd);
        }
        dstr_free(&text);
    }
    if (shepherd_signal(t->shepherd, to_shepherd) != 0 && errno != ESRCH)
        log_msg(LOG_LEVEL_ERROR, MSG_SIGNAL_FAILED_ISS, sig, t->name, strerror(errno));
}

static void look_again(struct exec_task *t)
{
    uint64_t in_us = (uint64_t)LOOK_AGAIN_US << (t->searches < 20 ? t->searches++ : 20);
    call_again(t, in_us < LOOK_AGAIN_MOST_US ? in_us : LOOK_AGAIN_MOST_US);
}

static void do_watch(struct exec_task *t)
{
    if (!is_watched(t)) {
        look_again(t);
        return;
    }
    if (t->signal_later != 0)
        send_signal(t, t->signal_later);
    t->signal_later = 0;
}

void task_watch(struct exec_task *t, struct shepherd *s)
{
    if (t->shepherd != s)
        shepherd_forget(t->shepherd);
    t->shepherd = s;
    apply_event(t, EXEC_TASK_WATCHED, 0);
}

void task_follow(struct exec_task *t)
{
    struct process_id shepherd = { 0 };
    struct shepherd *found = NULL;
    int pidfd = -1, fd = openat(t->x->dir.active_fd, t->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    enum task_life life = errno == ENOENT ? TASK_LIFE_NONE : TASK_LIFE_RUNNING;
    if (fd >= 0) {
        life = task_files_life(fd, &shepherd);
        close(fd);
    }
    if (life == TASK_LIFE_RUNNING && shepherd.pid != 0)
        pidfd = os_process_open(&shepherd, "sge_shepherd");
    apply_event(t, EXEC_TASK_SOUGHT, 0);
    if (pidfd >= 0)
        found = shepherds_find(&t->x->shepherds, shepherd.pid, pidfd, t);
    if (found != NULL) {
        log_msg(LOG_LEVEL_INFO, MSG_TASK_FOUND_SI, t->name, (int)shepherd.pid);
        task_watch(t, found);
    } else if (life == TASK_LIFE_RUNNING) {
        look_again(t);
    } else {
        task_over(t);
    }
}

static void on_timer(void *ctx)
{
    struct exec_task *t = ctx;
    if (t->state == EXEC_TASK_CLEANING)
        do_clean(t);
    else if (t->state == EXEC_TASK_RUNNING && !is_watched(t))
        task_follow(t);
}

/* ---- what the qmaster asks ---- */

/* the attempt that waits is deleted. Should this message be lost, the qmaster misses the attempt
 * when we register again */
static void end_next(struct exec_task *t)
{
    struct JR_Type report = { 0 };
    task_fill_waiting(t, &report);
    cull_set(&report, JR_state, (uint32_t)REPORT_ENDED);
    cull_set(&report, JR_failed, (uint32_t)TASK_FAILED_AFTER_JOB);
    cull_set(&report, JR_err_str, MSG_NEVER_STARTED);
    cull_set(&report, JR_end_time, uti_now_s());
    report_one(t->x, &report);
    task_drop_next(t);
    if (t->state == EXEC_TASK_ENDED)
        report_soon(t);
}

bool task_signal(struct execd *x, const struct task_key *key, uint32_t attempt, int sig)
{
    struct exec_task *t = task_find(x, key);
    if (t != NULL && t->next != NULL && t->next->JAT_attempt == attempt) {
        if (sig == SIGKILL || sig == (int)TASK_REQUEST_END_AGAIN)
            end_next(t);
        return true;
    }
    if (t == NULL || t->attempt != attempt)
        return false;
    sig = checkpoint_take_request(t, sig);
    apply_event(t, sig == SIGKILL ? EXEC_TASK_KILLED : EXEC_TASK_SIGNALLED, sig);
    return true;
}

void task_signal_parts(struct exec_task *t, int sig)
{
    if (t->kind == EXEC_TASK_SLAVE)
        signal_petasks(t, sig);
    else
        (void)task_signal(t->x, &t->key, t->attempt, sig);
}

static void do_remove(struct exec_task *t)
{
    struct execd *x = t->x;
    if (conf_get_switch(&x->global_conf, &x->host_conf, "execd_params",
                        "KEEP_ACTIVE")) { /* for people to look at; the file says that it is over */
        struct dstr nothing = DSTR_INIT;
        int fd = openat(x->dir.active_fd, t->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd >= 0) {
            (void)task_files_write(fd, TASK_FILE_REPORTED, &nothing, 0644, NULL);
            close(fd);
        }
    } else {
        task_files_recycle(&x->dirs, t->name);
    }
    uint32_t job_number = t->key.job_number;
    struct exec_task *task = task_of_petask(t);
    task_delete(t);
    start_queue_retry(x);
    stale_jobs_task_gone(x, job_number);
    if (task != NULL && task->is_acknowledged)
        task_acknowledge(task);
}

/* its directory has those of its petasks, whose ends may still have to be acknowledged */
void task_acknowledge(struct exec_task *t)
{
    bool is_ended = t->state == EXEC_TASK_ENDED;
    t->is_acknowledged = is_ended && petasks_count(t, true) > 0;
    if (!t->is_acknowledged)
        apply_event(t, EXEC_TASK_ACKNOWLEDGED, 0);
}

void task_drop(struct exec_task *t)
{
    struct exec_task *p;
    while ((p = petask_first(t)) != NULL)
        task_acknowledge(p);
    task_acknowledge(t);
}

void task_announced(struct exec_task *t)
{
    apply_event(t, EXEC_TASK_ANNOUNCED, 0);
}

/* ---- transitions ---- */

static void carry_out(struct exec_task *t, enum exec_task_action action, int sig)
{
    switch (action) {
    case EXEC_TASK_DO_WATCH:
        do_watch(t);
        break;
    case EXEC_TASK_DO_SIGNAL:
        send_signal(t, sig);
        break;
    case EXEC_TASK_DO_KILL:
        send_signal(t, SIGKILL);
        break;
    case EXEC_TASK_DO_WITHDRAW:
        do_withdraw(t);
        break;
    case EXEC_TASK_DO_START_AGAIN:
        do_start_again(t);
        break;
    case EXEC_TASK_DO_CLEAN:
        do_clean(t);
        break;
    case EXEC_TASK_DO_CLEAN_LATER:
        call_again(t, clean_again_us(t));
        break;
    case EXEC_TASK_DO_END:
        do_end(t);
        break;
    case EXEC_TASK_DO_REPORT:
        report_soon(t);
        break;
    case EXEC_TASK_DO_REMOVE:
        do_remove(t);
        break;
    case EXEC_TASK_DO_NOTHING:
    case EXEC_TASK_ACTIONS:
        break;
    }
}

/* The one place where the state of a task changes; SIG: of KILLED and SIGNALLED. T may be gone
 * afterwards. */
static void apply_event(struct exec_task *t, enum exec_task_event event, int sig)
{
    const struct exec_task_cell *cell = exec_task_cell(t->kind, t->state, event);
    if (cell == NULL) {
        log_msg(LOG_LEVEL_ERROR, MSG_EVENT_REFUSED_SSS, t->name, exec_task_state_name(t->state),
                exec_task_event_name(event));
        return;
    }
    t->state = cell->next;
    carry_out(t, cell->action, sig);
}
