/* The table of all that a shepherd runs. Failures are numbers of the accounting file. A hook runs
 * as the job's owner, who can signal it: what a signal did to one is the job's failure, and its
 * queue goes on. What commands of a checkpointing interface and methods exit with means nothing.
 * Source: queue_conf(5), sge_pe(5), checkpoint(5); "The shepherd", process flow. */
#include "daemons/shepherd/plan.h"

#include <signal.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>

#include "libs/task/task_dir.h"
#include "libs/uti/signals.h"

enum { EXIT_PUT_BACK = 99, EXIT_PARK = 100, SIGNAL_EXIT_BASE = 128 };

#define HOOK_BEFORE(failure)                                                                       \
    {                                                                                              \
        TASK_FAILED_RESCHEDULE, TASK_FAILED_APPERROR, TASK_FAILED_BEFORE_JOB,                      \
            TASK_FAILED_BEFORE_JOB, failure                                                        \
    }
#define HOOK_AFTER(failure)                                                                        \
    {                                                                                              \
        TASK_FAILED_RESCHEDULE, TASK_FAILED_APPERROR, TASK_FAILED_AFTER_JOB,                       \
            TASK_FAILED_AFTER_JOB, failure                                                         \
    }
#define JOB_RULES                                                                                  \
    {                                                                                              \
        TASK_FAILED_RESCHEDULE, TASK_FAILED_APPERROR, TASK_FAILED_AFTER_JOB, TASK_FAILED_NOT,      \
            TASK_FAILED_NOT                                                                        \
    }

static const struct plan_row rows[PLAN_STEPS] = {
    [PLAN_TOKEN] = { .key = "set_token_cmd",
                     .when = PLAN_WHEN_WANTED,
                     .rules = HOOK_BEFORE(TASK_FAILED_SETTING_UP) },
    [PLAN_PROLOG] = { .key = "prolog",
                      .when = PLAN_WHEN_WELL,
                      .rules = HOOK_BEFORE(TASK_FAILED_IN_PROLOG) },
    [PLAN_PE_START] = { .key = "pe_start",
                        .when = PLAN_WHEN_WELL,
                        .is_of_pe = true,
                        .rules = HOOK_BEFORE(TASK_FAILED_IN_PE_START) },
    [PLAN_RESTART] = { .key = "restart_command",
                       .when = PLAN_WHEN_RESTARTED,
                       .is_job = true,
                       .is_of_checkpoint = true,
                       .rules = JOB_RULES },
    [PLAN_JOB] = { .key = "job", .when = PLAN_WHEN_NEW, .is_job = true, .rules = JOB_RULES },
    [PLAN_CLEAN] = { .key = "clean_command", .when = PLAN_WHEN_OVER, .is_of_checkpoint = true },
    [PLAN_PE_STOP] = { .key = "pe_stop",
                       .when = PLAN_WHEN_BEGUN,
                       .is_of_pe = true,
                       .rules = HOOK_AFTER(TASK_FAILED_IN_PE_STOP) },
    [PLAN_EPILOG] = { .key = "epilog",
                      .when = PLAN_WHEN_BEGUN,
                      .rules = HOOK_AFTER(TASK_FAILED_IN_EPILOG) },
    [PLAN_CHECKPOINT] = { .key = "ckpt_command",
                          .when = PLAN_WHEN_ASKED,
                          .is_of_checkpoint = true },
    [PLAN_MIGRATE] = { .key = "migr_command", .when = PLAN_WHEN_ASKED, .is_of_checkpoint = true },
    [PLAN_SUSPEND] = { .key = "suspend_method", .when = PLAN_WHEN_ASKED },
    [PLAN_RESUME] = { .key = "resume_method", .when = PLAN_WHEN_ASKED },
    [PLAN_TERMINATE] = { .key = "terminate_method", .when = PLAN_WHEN_ASKED },
};

bool plan_is_command(const char *text)
{
    return text != NULL && *text != '\0' && strcasecmp(text, "none") != 0;
}

/* the attributes of checkpoint(5) have other names in the configuration */
const char *plan_key(enum plan_step step)
{
    return step == PLAN_RESTART   ? "ckpt_rest_command"
           : step == PLAN_CLEAN   ? "ckpt_clean_command"
           : step == PLAN_MIGRATE ? "ckpt_migr_command"
                                  : rows[step].key;
}

const char *plan_program(const char *text)
{
    size_t len = strcspn(text, "@ \t/");
    return text[len] == '@' ? text + len + 1 : text;
}

static void fill_row(struct plan_row *row, enum plan_step step, const struct plan_source *source)
{
    const char *command = source->commands[step];
    row->timeout_s = row->is_job ? UINT64_MAX : source->timeout_s;
    if (row->is_job && source->forbids_put_back)
        row->rules.put_back = TASK_FAILED_NOT;
    if (row->is_job && source->forbids_park)
        row->rules.park = TASK_FAILED_NOT;
    if (!plan_is_command(command))
        return;
    row->command = command;
    row->program = plan_program(command);
    bool is_method = step == PLAN_SUSPEND || step == PLAN_RESUME || step == PLAN_TERMINATE;
    row->sig = is_method ? (uint8_t)signal_of_text(command) : 0;
    row->user = row->program != command ? PLAN_AS_OTHER : PLAN_AS_OWNER;
}

void plan_make(struct plan *p, const struct plan_source *source)
{
    memcpy(p->rows, rows, sizeof rows);
    for (enum plan_step step = 0; step < PLAN_STEPS; step++)
        fill_row(&p->rows[step], step, source);
    p->is_clean_only = source->is_clean_only;
    p->is_restart = source->is_restarted && p->rows[PLAN_RESTART].command != NULL;
}

bool plan_applies(const struct plan *p, enum plan_step step, const struct plan_progress *progress)
{
    bool is_well = progress->failed == TASK_FAILED_NOT;
    bool is_final = is_well || progress->failed == TASK_FAILED_LIMIT ||
                    progress->failed == TASK_FAILED_AFTER_JOB; /* it will not run again */
    if (p->is_clean_only)
        return is_well && (step == PLAN_TOKEN || step == PLAN_CLEAN) &&
               p->rows[step].command != NULL;
    switch ((enum plan_when)p->rows[step].when) {
    case PLAN_WHEN_WELL:
        return is_well;
    case PLAN_WHEN_WANTED:
        return is_well && p->rows[step].command != NULL;
    case PLAN_WHEN_RESTARTED:
        return is_well && p->is_restart;
    case PLAN_WHEN_NEW:
        return is_well && !p->is_restart;
    case PLAN_WHEN_OVER:
        return p->rows[step].command != NULL && progress->has_run && is_final;
    case PLAN_WHEN_BEGUN:
        return progress->is_begun;
    case PLAN_WHEN_ASKED:
        break;
    }
    return false;
}

unsigned plan_judge(const struct plan_row *row, int wait_status)
{
    if (WIFSIGNALED(wait_status))
        return row->rules.signalled;
    int status = WEXITSTATUS(wait_status);
    bool is_of_signal = status > SIGNAL_EXIT_BASE && status <= SIGNAL_EXIT_BASE + SIGRTMAX;
    return status == 0               ? TASK_FAILED_NOT
           : status == EXIT_PUT_BACK ? row->rules.put_back
           : status == EXIT_PARK     ? row->rules.park
           : is_of_signal            ? row->rules.shell_signal
                                     : row->rules.other;
}
