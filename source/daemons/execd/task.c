/* The table of tasks and their ends. A task is in the table exactly as long as the qmaster may ask for it; everything that
 * leads out of a phase stands here and in task_start.c. Times of day go into reports, the monotonic clock measures. */
#include "daemons/execd/task.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemons/execd/msg_execd.h"
#include "daemons/execd/orphans.h"
#include "daemons/execd/privilege.h"
#include "daemons/execd/report.h"
#include "daemons/execd/stale_jobs.h"
#include "daemons/execd/task_files.h"
#include "libs/comm/loop.h"
#include "libs/sgeobj/conf.h"
#include "libs/sgeobj/job_report.h"
#include "libs/uti/answer.h"
#include "libs/uti/cgroup.h"
#include "libs/uti/log.h"
#include "libs/uti/os.h"
#include "libs/uti/parse.h"
#include "libs/uti/process.h"
#include "libs/uti/task_dir.h"
#include "libs/uti/time.h"

enum {
    SAMPLE_FIRST_US = 1000000,
    LOOK_AGAIN_US =
        2000, /* for a shepherd that has not said yet who it is; longer each time, up to */
    LOOK_AGAIN_MOST_US = 1000000,
    CLEAN_AGAIN_US = 50 * 1000,
    CLEAN_SLOWLY_US = 1000 * 1000,
    CLEANINGS_MAX = 200,
    SURVIVES_US = 60 * 1000000,
    SIGNAL_EXIT_BASE = 128
};

struct task *task_find(struct execd *x, uint32_t job_number, uint32_t task_number)
{
    struct task_key key = { job_number, task_number };
    struct task *t;
    HASH_FIND(hh, x->tasks, &key, sizeof key, t);
    return t;
}

struct task *task_new(struct execd *x, uint32_t job_number, uint32_t task_number, uint32_t attempt)
{
    struct task *t = uti_calloc(1, sizeof *t);
    struct dstr name = DSTR_INIT;
    t->key = (struct task_key){ job_number, task_number };
    t->phase = TASK_PREPARING;
    t->attempt = attempt;
    t->x = x;
    t->pidfd = -1;
    dstr_addf(&name, "%u.%u", job_number, task_number);
    t->name = dstr_take(&name);
    HASH_ADD(hh, x->tasks, key, sizeof t->key, t);
    return t;
}

static void stop_watching(struct task *t)
{
    loop_watch_free(t->watch);
    t->watch = NULL;
    if (t->pidfd >= 0)
        close(t->pidfd);
    t->pidfd = -1;
}

void task_drop_next(struct task *t)
{
    if (t->next == NULL)
        return;
    cull_clear(&cull_JAT_Type, t->next);
    free(t->next);
    t->next = NULL;
}

void task_delete(struct task *t)
{
    if (t->is_due)
        TAILQ_REMOVE(&t->x->due, t, next_due);
    if (t->is_starting)
        TAILQ_REMOVE(&t->x->starting, t, next_starting);
    HASH_DEL(t->x->tasks, t);
    stop_watching(t);
    loop_timer_free(t->timer);
    gid_pool_return(&t->x->gids, t->additional_gid);
    task_drop_next(t);
    cull_clear(&cull_JAT_Type, &t->record);
    cull_clear(&cull_JR_Type, &t->report);
    tasks_start_again(t->x);
    free(t->tmpdir);
    free(t->cgroup);
    free(t->name);
    free(t);
}

void tasks_free(struct execd *x)
{
    struct task *t, *next;
    HASH_ITER(hh, x->tasks, t, next)
        task_delete(t);
}

void tasks_mark_gids(struct execd *x)
{
    for (const struct task *t = x->tasks; t != NULL; t = t->hh.next)
        gid_pool_mark(&x->gids, t->additional_gid);
}

void task_set_due(struct task *t)
{
    if (!t->is_due) {
        TAILQ_INSERT_TAIL(&t->x->due, t, next_due);
        t->is_due = true;
    }
    report_flush_soon(t->x);
}

/* ---- reports ---- */

static void fill_key(const struct task *t, struct JR_Type *report)
{
    cull_set(report, JR_job_number, t->key.job_number);
    cull_set(report, JR_task_number, t->key.task_number);
    cull_set(report, JR_attempt, t->attempt);
    cull_set(report, JR_queue, t->record.JAT_queue);
}

static void set_usage(struct JR_Type *report, const char *name, double value)
{
    for (uint32_t i = 0; i < report->JR_usage.n; i++)
        if (strcmp(report->JR_usage.v[i].UA_name, name) == 0) {
            if (report->JR_usage.v[i].UA_value < value)
                cull_set(&report->JR_usage.v[i], UA_value, value);
            return;
        }
    struct UA_Type *ua = cull_append(report, JR_usage);
    cull_set(ua, UA_name, name);
    cull_set(ua, UA_value, value);
}

static void fill_sample(const struct task *t, struct JR_Type *report)
{
    const struct task_sample *s = &t->sample;
    if (s->at_us == 0)
        return;
    set_usage(report, "cpu", s->cpu_s);
    set_usage(report, "mem", s->mem_gb_s);
    set_usage(report, "io", (double)s->io_bytes / (1024.0 * 1024 * 1024));
    set_usage(report, "vmem", (double)s->vmem_bytes);
    set_usage(report, "maxvmem", (double)s->vmem_max_bytes);
}

/* who forced a newer attempt has heard the last of this one */
static void fill_waiting(const struct task *t, struct JR_Type *report)
{
    fill_key(t, report);
    cull_set(report, JR_state, (uint32_t)REPORT_PREPARING);
    if (t->next != NULL) {
        cull_set(report, JR_attempt, t->next->JAT_attempt);
        cull_set(report, JR_queue, t->next->JAT_queue);
    }
}

void task_fill_report(const struct task *t, struct JR_Type *report)
{
    if (t->next != NULL || t->phase == TASK_PREPARING) {
        fill_waiting(t, report);
        return;
    }
    if (t->phase == TASK_ENDED) {
        cull_copy(&cull_JR_Type, report, &t->report);
        return;
    }
    fill_key(t, report);
    cull_set(report, JR_state,
             t->sample.at_us != 0 ? (uint32_t)REPORT_RUNNING : (uint32_t)REPORT_STARTED);
    if (t->start_s != 0)
        cull_set(report, JR_start_time, t->start_s);
    fill_sample(t, report);
}

/* for an execd after us, which could not know it */
static void keep_sample(const struct task *t)
{
    const struct task_sample *s = &t->sample;
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, "cpu=%.3f\nmem=%.6f\nio=%llu\nmaxvmem=%llu\n", s->cpu_s, s->mem_gb_s,
              (unsigned long long)s->io_bytes, (unsigned long long)s->vmem_max_bytes);
    int fd = openat(t->x->dir.active_fd, t->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)task_files_write(fd, TASK_FILE_SAMPLE, &text, 0600, NULL);
        close(fd);
    }
    dstr_free(&text);
}

static double sample_value(const char *text, const char *key)
{
    char *value = task_files_value(text, key);
    double number = 0;
    if (value == NULL || !parse_double(value, &number) || number < 0)
        number = 0;
    free(value);
    return number;
}

void task_take_sample(struct task *t, int dir_fd)
{
    struct dstr text = DSTR_INIT;
    if (task_files_read(dir_fd, TASK_FILE_SAMPLE, &text)) {
        t->sample = (struct task_sample){
            .cpu_s = sample_value(dstr_get(&text), "cpu"),
            .mem_gb_s = sample_value(dstr_get(&text), "mem"),
            .io_bytes = task_files_number(dstr_get(&text), "io", 0),
            .vmem_max_bytes = task_files_number(dstr_get(&text), "maxvmem", 0),
            .at_us = uti_mono_us(),
        };
    }
    dstr_free(&text);
}

/* as its cgroup counts it; 0 if it has none */
static double grouped_cpu_s(const struct task *t)
{
    uint64_t cpu_us = 0;
    int fd = t->cgroup != NULL ? cgroup_open(t->cgroup) : -1;
    if (fd >= 0) {
        (void)cgroup_cpu_us(fd, &cpu_us);
        close(fd);
    }
    return (double)cpu_us / 1e6;
}

static void sample(struct task *t)
{
    struct process_list below = { 0 };
    struct process_usage sum = { 0 };
    uint64_t now_us = uti_mono_us(), from_us = t->sample.at_us != 0 ? t->sample.at_us : t->start_us;
    process_descendants(t->shepherd, &below);
    for (uint32_t i = 0; i < below.n; i++)
        (void)os_process_usage(below.v[i], &sum);
    process_list_free(&below);
    struct task_sample *s = &t->sample;
    double grouped_s = grouped_cpu_s(t), cpu_s = grouped_s > sum.cpu_s ? grouped_s : sum.cpu_s;
    s->cpu_s = cpu_s > s->cpu_s ? cpu_s : s->cpu_s;
    s->io_bytes = sum.io_bytes > s->io_bytes ? sum.io_bytes : s->io_bytes;
    s->vmem_bytes = sum.vmem_bytes;
    s->vmem_max_bytes = sum.vmem_bytes > s->vmem_max_bytes ? sum.vmem_bytes : s->vmem_max_bytes;
    s->mem_gb_s +=
        (double)sum.rss_bytes / (1024.0 * 1024 * 1024) * (double)(now_us - from_us) / 1e6;
    s->at_us = now_us;
    keep_sample(t);
}

/* who was told to end and goes on is worth a line: a process that hangs in the kernel, or a method that does not end it */
static void tell_survivor(struct task *t, uint64_t now_us)
{
    if (t->kill_us == 0 || now_us - t->kill_us < SURVIVES_US)
        return;
    log_msg(LOG_LEVEL_WARNING, MSG_SURVIVES_UUU, t->key.job_number, t->key.task_number,
            SURVIVES_US / 1000000);
    t->kill_us = 0;
}

void tasks_sample(struct execd *x, uint64_t most_s)
{
    struct task *t, *next;
    uint64_t now_us = uti_mono_us(), most_us = most_s * 1000000;
    HASH_ITER(hh, x->tasks, t, next) {
        if (t->phase != TASK_IS_RUNNING)
            continue;
        tell_survivor(t, now_us);
        uint64_t age_us = now_us - t->start_us;
        if (age_us < SAMPLE_FIRST_US || now_us < t->sample.next_us)
            continue;
        sample(t);
        t->sample.next_us = now_us + (age_us < most_us ? age_us : most_us);
        task_set_due(t);
    }
}

/* ---- the end ---- */

static void end(struct task *t)
{
    cull_set(&t->report, JR_state, (uint32_t)REPORT_ENDED);
    stop_watching(t);
    t->phase = TASK_ENDED;
    if (t->next != NULL)
        task_begin_next_soon(t);
    else
        task_set_due(t);
}

void task_end_unstarted(struct task *t, uint32_t failed, const char *why)
{
    log_msg(LOG_LEVEL_ERROR, MSG_TASK_START_FAILED_UUS, t->key.job_number, t->key.task_number, why);
    fill_key(t, &t->report);
    cull_set(&t->report, JR_failed, failed);
    cull_set(&t->report, JR_exit_status, 0);
    cull_set(&t->report, JR_err_str, why);
    end(t);
}

static void on_timer(void *ctx);

static void call_again(struct task *t, uint64_t in_us)
{
    if (t->timer == NULL)
        t->timer = loop_timer_new(t->x->loop, on_timer, t);
    loop_timer_set(t->timer, in_us);
}

/* end what is left of the job; it must be gone before its end is reported, since the task may be started again then */
static void clean(struct task *t)
{
    uint32_t left = orphans_kill(t, t->cleanings < CLEANINGS_MAX);
    if (left > 0) {
        if (++t->cleanings == CLEANINGS_MAX)
            log_msg(LOG_LEVEL_ERROR, MSG_SURVIVORS_UUU, left, t->key.job_number,
                    t->key.task_number);
        call_again(t, t->cleanings < CLEANINGS_MAX ? CLEAN_AGAIN_US : CLEAN_SLOWLY_US);
        return;
    }
    orphans_remove_cgroup(t);
    if (t->tmpdir != NULL)
        tmpdirs_discard(&t->x->tmpdirs, t->tmpdir);
    cull_set(&t->report, JR_exit_status, SIGNAL_EXIT_BASE + SIGKILL);
    end(t);
}

void task_shepherd_gone(struct task *t)
{
    int fd = openat(t->x->dir.active_fd, t->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool is_whole = fd >= 0 && task_files_report(fd, &t->report);
    if (fd >= 0)
        close(fd);
    stop_watching(t);
    while (waitpid(-1, NULL, WNOHANG) >
           0) /* its files tell; the status of a process says nothing more */
        ;
    fill_key(t, &t->report);
    fill_sample(t, &t->report);
    if (is_whole) {
        if (t->tmpdir != NULL)
            tmpdirs_recycle(&t->x->tmpdirs, t->tmpdir);
        end(t);
        return;
    }
    log_msg(LOG_LEVEL_ERROR, MSG_SHEPHERD_DIED_UU, t->key.job_number, t->key.task_number);
    cull_set(&t->report, JR_failed, (uint32_t)TASK_FAILED_NO_EXIT_STATUS);
    cull_set(&t->report, JR_start_time, t->start_s);
    cull_set(&t->report, JR_end_time, uti_now_s());
    t->phase = TASK_CLEANING;
    clean(t);
}

static void on_shepherd_gone(void *ctx)
{
    task_shepherd_gone(ctx);
}

/* ---- its shepherd ---- */

static void send_signal(struct task *t, int sig)
{
    int to_shepherd = task_signal_for(sig);
    if (sig == SIGKILL && t->kill_us == 0)
        t->kill_us = uti_mono_us();
    if (t->pidfd < 0) {
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
    if (os_pidfd_signal(t->pidfd, to_shepherd) != 0 && errno != ESRCH)
        log_msg(LOG_LEVEL_ERROR, MSG_SIGNAL_FAILED_IUUS, sig, t->key.job_number, t->key.task_number,
                strerror(errno));
}

static void look_again(struct task *t)
{
    uint64_t in_us = (uint64_t)LOOK_AGAIN_US << (t->looks < 20 ? t->looks++ : 20);
    call_again(t, in_us < LOOK_AGAIN_MOST_US ? in_us : LOOK_AGAIN_MOST_US);
}

void task_watch(struct task *t, pid_t pid, int pidfd)
{
    t->shepherd = pid;
    t->phase = TASK_IS_RUNNING;
    t->pidfd = pidfd;
    if (pidfd >= 0)
        t->watch = loop_watch_read(t->x->loop, pidfd, on_shepherd_gone, t);
    if (t->watch == NULL) {
        stop_watching(t);
        look_again(t);
        return;
    }
    if (t->signal_later != 0)
        send_signal(t, t->signal_later);
    t->signal_later = 0;
}

void task_follow(struct task *t)
{
    struct process_id shepherd = { 0 };
    int pidfd = -1, fd = openat(t->x->dir.active_fd, t->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    enum task_life life = errno == ENOENT ? TASK_LIFE_NONE : TASK_LIFE_RUNNING;
    if (fd >= 0) {
        life = task_files_life(fd, &shepherd);
        close(fd);
    }
    if (life == TASK_LIFE_RUNNING && shepherd.pid != 0)
        pidfd = os_process_open(&shepherd, "sge_shepherd");
    t->phase = TASK_IS_RUNNING;
    if (pidfd >= 0) {
        log_msg(LOG_LEVEL_INFO, MSG_TASK_FOUND_UUI, t->key.job_number, t->key.task_number,
                (int)shepherd.pid);
        task_watch(t, shepherd.pid, pidfd);
    } else if (life == TASK_LIFE_RUNNING) {
        look_again(t);
    } else {
        task_shepherd_gone(t);
    }
}

static void on_timer(void *ctx)
{
    struct task *t = ctx;
    if (t->phase == TASK_CLEANING)
        clean(t);
    else if (t->phase == TASK_IS_RUNNING && t->watch == NULL)
        task_follow(t);
}

/* ---- what the qmaster asks ---- */

/* the attempt that waits is deleted. Should this message be lost, the qmaster misses the attempt when we register again */
static void end_next(struct task *t)
{
    struct JR_Type report = { 0 };
    fill_waiting(t, &report);
    cull_set(&report, JR_state, (uint32_t)REPORT_ENDED);
    cull_set(&report, JR_failed, (uint32_t)TASK_FAILED_AFTER_JOB);
    cull_set(&report, JR_err_str, MSG_NEVER_STARTED);
    report_one(t->x, &report);
    task_drop_next(t);
    if (t->phase == TASK_ENDED)
        task_set_due(t);
}

bool task_signal(struct execd *x, uint32_t job_number, uint32_t task_number, uint32_t attempt,
                 int sig)
{
    struct task *t = task_find(x, job_number, task_number);
    if (t != NULL && t->next != NULL && t->next->JAT_attempt == attempt) {
        if (sig == SIGKILL)
            end_next(t);
        return true;
    }
    if (t == NULL || t->attempt != attempt)
        return false;
    switch (t->phase) {
    case TASK_PREPARING:
        if (sig == SIGKILL)
            task_end_unstarted(t, TASK_FAILED_AFTER_JOB, MSG_NEVER_STARTED);
        break;
    case TASK_IS_RUNNING:
        send_signal(t, sig);
        break;
    case TASK_CLEANING:
        break;
    case TASK_ENDED:
        task_set_due(t); /* the answer is that it has ended */
    }
    return true;
}

static bool is_kept(const struct execd *x)
{
    char *value = conf_get_word(&x->global_conf, &x->host_conf, "execd_params", "KEEP_ACTIVE");
    bool is_on = value != NULL && (strcasecmp(value, "true") == 0 || strcmp(value, "1") == 0);
    free(value);
    return is_on;
}

void task_acknowledge(struct task *t)
{
    struct execd *x = t->x;
    if (t->phase != TASK_ENDED)
        return;
    if (is_kept(x)) { /* for people to look at; the file says that it is over */
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
    task_delete(t);
    stale_jobs_task_gone(x, job_number);
}
