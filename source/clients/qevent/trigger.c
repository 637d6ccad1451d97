/* Scripts that run when something has ended, a bounded number at a time. */
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "clients/qevent/qevent.h"
#include "libs/sgeobj/event.h"
#include "libs/sgeobj/job_state.h"

extern char **environ;

static void wait_for_one(struct triggers *t)
{
    if (waitpid(-1, NULL, 0) > 0 || errno == ECHILD)
        t->running--;
}

static void reap_ended(struct triggers *t)
{
    while (t->running > 0 && waitpid(-1, NULL, WNOHANG) > 0)
        t->running--;
}

static void run_script(struct triggers *t, const char *script, const char *event, uint32_t job,
                       uint64_t task)
{
    char job_text[16], task_text[24];
    snprintf(job_text, sizeof job_text, "%u", job);
    snprintf(task_text, sizeof task_text, "%llu", (unsigned long long)task);
    const char *const args[] = { script, event, job_text, task_text, NULL };
    pid_t pid;
    reap_ended(t);
    while (t->running >= TRIGGERS_AT_ONCE)
        wait_for_one(t);
    int rc = posix_spawn(&pid, script, NULL, NULL, (char **)args, environ);
    if (rc == 0)
        t->running++;
    else
        fprintf(stderr, "qevent: cannot run %s: %s\n", script, strerror(rc));
}

/* ordinals are ids for an array whose range is not known: 1, 2, ... */
static uint64_t id_of(const struct JB_Type *job, uint64_t ordinal)
{
    if (job == NULL || job->JB_ja_step == 0)
        return ordinal + 1;
    return job->JB_ja_first + ordinal * job->JB_ja_step;
}

static void run_for_tasks(struct triggers *t, const struct EV_Type *event,
                          const struct JB_Type *job)
{
    struct range run;
    for (uint64_t at = 0; at <= UINT32_MAX && range_set_next_run(&event->EV_ids, at, &run);
         at = (uint64_t)run.last + 1)
        for (uint64_t ordinal = run.first; ordinal <= run.last; ordinal++)
            run_script(t, t->scripts[TRIGGER_TASK], "JB_TASK_END", event->EV_job_number,
                       id_of(job, ordinal));
}

void trigger_event(struct triggers *t, const struct EV_Type *event, const struct mir *known)
{
    if (event->EV_kind == EV_TASKS_DONE && t->scripts[TRIGGER_TASK] != NULL)
        run_for_tasks(t, event, mir_job(known, event->EV_job_number));
    if (event->EV_kind == EV_JOB_DEL && t->scripts[TRIGGER_JOB] != NULL)
        run_script(t, t->scripts[TRIGGER_JOB], "JB_END", event->EV_job_number, 0);
}

void trigger_wait(struct triggers *t)
{
    while (t->running > 0)
        wait_for_one(t);
}
