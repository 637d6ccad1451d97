/* Looking at running tasks: their processes and their cgroups are added up; maxima and sums
 * never fall. Each look is kept in the task's directory and reported. */
#include "daemons/execd/tasks/tasks.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "daemons/execd/files/task_files.h"
#include "daemons/execd/report/report.h"
#include "daemons/execd/tables/task_table.h"
#include "daemons/execd/tasks/msg_tasks.h"
#include "libs/task/task_dir.h"
#include "libs/uti/cgroup.h"
#include "libs/uti/log.h"
#include "libs/uti/os.h"
#include "libs/uti/parse.h"
#include "libs/uti/process.h"
#include "libs/uti/time.h"

enum { SAMPLE_FIRST_US = 1000000, SURVIVES_US = 60 * 1000000 };

/* for an execd after us, which could not know it */
static void keep_sample(const struct exec_task *t)
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

void task_take_sample(struct exec_task *t, int dir_fd)
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
static double grouped_cpu_s(const struct exec_task *t)
{
    uint64_t cpu_us = 0;
    int fd = t->cgroup != NULL ? cgroup_open(t->cgroup) : -1;
    if (fd >= 0) {
        (void)cgroup_cpu_us(fd, &cpu_us);
        close(fd);
    }
    return (double)cpu_us / 1e6;
}

static void sample_task(struct exec_task *t)
{
    struct process_list below = { 0 };
    struct process_usage sum = { 0 };
    uint64_t now_us = uti_mono_us(), from_us = t->sample.at_us != 0 ? t->sample.at_us : t->start_us;
    process_descendants(shepherd_pid(t->shepherd), &below);
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

/* who was told to end and goes on is worth a line: a process that hangs in the kernel, or a
 * method that does not end it */
static void tell_survivor(struct exec_task *t, uint64_t now_us)
{
    if (t->kill_us == 0 || now_us - t->kill_us < SURVIVES_US)
        return;
    log_msg(LOG_LEVEL_WARNING, MSG_SURVIVES_SU, t->name, SURVIVES_US / 1000000);
    t->kill_us = 0;
}

static void check_limits(struct exec_task *t)
{
    int sig = task_limits_check(t);
    if (sig != 0)
        task_signal_parts(t, sig);
}

void tasks_sample(struct execd *x, uint64_t most_s)
{
    uint64_t now_us = uti_mono_us(), most_us = most_s * 1000000;
    for (struct exec_task *t = task_first(x); t != NULL; t = task_next(t)) {
        if (t->limits.is_set)
            check_limits(t);
        if (t->state != EXEC_TASK_RUNNING || t->shepherd == NULL)
            continue;
        tell_survivor(t, now_us);
        if (checkpoint_look(t) && x->is_ending)
            (void)task_signal(x, &t->key, t->attempt, SIGKILL);
        uint64_t age_us = now_us - t->start_us;
        if (age_us < SAMPLE_FIRST_US || now_us < t->sample.next_us)
            continue;
        sample_task(t);
        t->sample.next_us = now_us + (age_us < most_us ? age_us : most_us);
        report_soon(t);
    }
}
