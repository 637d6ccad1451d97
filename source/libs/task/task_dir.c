/* The words that execd and shepherd share about a task's directory. Pure, no state. */
#include "libs/task/task_dir.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "libs/uti/dstr.h"

/* sorted */
static const char *const system_variables[] = {
    "ARC",
    "ENVIRONMENT",
    "HOME",
    "HOSTNAME",
    "JOB_ID",
    "JOB_NAME",
    "JOB_SCRIPT",
    "LOGNAME",
    "NHOSTS",
    "NQUEUES",
    "NSLOTS",
    "PE",
    "PE_HOSTFILE",
    "QUEUE",
    "REQNAME",
    "REQUEST",
    "RESTARTED",
    "SGE_ACCOUNT",
    "SGE_ARCH",
    "SGE_BINARY_PATH",
    "SGE_CELL",
    "SGE_CKPT_ENV",
    "SGE_CLUSTER_NAME",
    "SGE_CWD_PATH",
    "SGE_EXECD_PORT",
    "SGE_JOB_SPOOL_DIR",
    "SGE_QMASTER_PORT",
    "SGE_ROOT",
    "SGE_RSH_COMMAND",
    "SGE_STARTER_SHELL_PATH",
    "SGE_STARTER_SHELL_START_MODE",
    "SGE_STARTER_USE_LOGIN_SHELL",
    "SGE_STDERR_PATH",
    "SGE_STDIN_PATH",
    "SGE_STDOUT_PATH",
    "SGE_TASK_FIRST",
    "SGE_TASK_ID",
    "SGE_TASK_LAST",
    "SGE_TASK_STEPSIZE",
    "SHELL",
    "TMP",
    "TMPDIR",
    "USER",
};

static int compare_name(const void *name, const void *element)
{
    return strcmp(name, *(const char *const *)element);
}

bool task_is_system_variable(const char *name)
{
    return strncmp(name, TASK_DEVICES_PREFIX, strlen(TASK_DEVICES_PREFIX)) == 0 ||
           bsearch(name, system_variables, ARRAY_LEN(system_variables), sizeof *system_variables,
                   compare_name) != NULL;
}

bool task_failure_is_start(unsigned failure)
{
    return failure != TASK_FAILED_NOT && failure < TASK_FAILED_AFTER_JOB &&
           failure != TASK_FAILED_LIMIT && failure != TASK_FAILED_MIGRATING &&
           failure != TASK_FAILED_RESCHEDULE && failure != TASK_FAILED_APPERROR &&
           failure != TASK_FAILED_IN_EPILOG && failure != TASK_FAILED_IN_PE_STOP &&
           failure != TASK_FAILED_NO_EXIT_STATUS;
}

static const struct {
    unsigned failure;
    enum task_fate fate;
    enum task_blame blame;
} fates[] = {
    { TASK_FAILED_BEFORE_JOB, TASK_FATE_ERROR, TASK_BLAME_EITHER },
    { TASK_FAILED_PREPARING, TASK_FATE_QUEUE_ERROR, TASK_BLAME_HOST },
    { TASK_FAILED_READING_CONFIG, TASK_FATE_QUEUE_ERROR, TASK_BLAME_HOST },
    { TASK_FAILED_NO_OWNER, TASK_FATE_QUEUE_ERROR, TASK_BLAME_EITHER },
    { TASK_FAILED_IN_PROLOG, TASK_FATE_QUEUE_ERROR, TASK_BLAME_HOST },
    { TASK_FAILED_IN_PE_START, TASK_FATE_QUEUE_ERROR, TASK_BLAME_HOST },
    { TASK_FAILED_SETTING_UP, TASK_FATE_QUEUE_ERROR, TASK_BLAME_HOST },
    { TASK_FAILED_IN_PE_STOP, TASK_FATE_ENDS_QUEUE_ERROR, TASK_BLAME_NONE },
    { TASK_FAILED_IN_EPILOG, TASK_FATE_ENDS_QUEUE_ERROR, TASK_BLAME_NONE },
    { TASK_FAILED_NO_EXIT_STATUS, TASK_FATE_ENDS, TASK_BLAME_HOST },
    { TASK_FAILED_MIGRATING, TASK_FATE_STARTS_AGAIN, TASK_BLAME_NONE },
    { TASK_FAILED_RESCHEDULE, TASK_FATE_STARTS_AGAIN, TASK_BLAME_NONE },
    { TASK_FAILED_OPEN_OUTPUT, TASK_FATE_ERROR, TASK_BLAME_EITHER },
    { TASK_FAILED_NO_SHELL, TASK_FATE_ERROR, TASK_BLAME_EITHER },
    { TASK_FAILED_NO_CWD, TASK_FATE_ERROR, TASK_BLAME_EITHER },
    { TASK_FAILED_APPERROR, TASK_FATE_ERROR, TASK_BLAME_NONE },
    { TASK_FAILED_ADD_GROUP, TASK_FATE_QUEUE_ERROR, TASK_BLAME_HOST },
};

enum task_fate task_failure_fate(unsigned failure)
{
    for (size_t i = 0; i < ARRAY_LEN(fates); i++)
        if (fates[i].failure == failure)
            return fates[i].fate;
    return TASK_FATE_ENDS;
}

enum task_blame task_failure_blame(unsigned failure)
{
    for (size_t i = 0; i < ARRAY_LEN(fates); i++)
        if (fates[i].failure == failure)
            return fates[i].blame;
    return TASK_BLAME_NONE;
}

int task_signal_for(int sig)
{
    switch (sig) {
    case SIGKILL:
        return SIGTERM;
    case SIGSTOP:
        return SIGTTOU;
    case SIGCONT:
    case SIGUSR1:
    case SIGUSR2:
        return sig;
    default:
        return SIGTTIN;
    }
}

static void add_escaped(struct dstr *out, const char *s)
{
    for (;;) {
        size_t plain = strcspn(s, "\\\n");
        dstr_addn(out, s, plain);
        s += plain;
        if (*s == '\0')
            return;
        dstr_add(out, *s == '\n' ? "\\n" : "\\\\");
        s++;
    }
}

void task_text_add(struct dstr *out, const char *key, const char *value)
{
    add_escaped(out, key);
    dstr_addc(out, '=');
    add_escaped(out, value);
    dstr_addc(out, '\n');
}

void task_text_unescape(char *s)
{
    char *to = strchr(s, '\\');
    if (to == NULL)
        return;
    for (const char *from = to; *from != '\0'; from++) {
        if (from[0] == '\\' && from[1] != '\0') {
            from++;
            *to++ = *from == 'n' ? '\n' : *from;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
}
