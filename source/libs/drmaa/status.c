/* How a job ended, in an int: from the lowest bit, a tag by which the library knows such a number
 * (8 bits), flags (8), the exit status or the signal (8). */
#include "libs/drmaa/status.h"

#include <stdio.h>
#include <string.h>

#include "libs/drmaa/drmaa.h"
#include "libs/drmaa/library.h"
#include "libs/drmaa/msg_drmaa.h"
#include "libs/japi/japi.h"

enum {
    STATUS_TAG = 0x5e,
    STATUS_TAG_MASK = 0xff,
    STATUS_EXITED = 0x100,
    STATUS_SIGNALED = 0x200,
    STATUS_ABORTED = 0x400,
    STATUS_FLAGS = 0x700,
    STATUS_VALUE_SHIFT = 16,
    STATUS_VALUE_MASK = 0xff,
    SIGNALLED = 128 /* what the exit status of a job begins at that a signal ended */
};

int status_of(const struct japi_ended *e)
{
    uint32_t value = e->exit_status & STATUS_VALUE_MASK;
    if (!e->has_run)
        return STATUS_TAG | STATUS_ABORTED;
    if (e->is_signalled && value > SIGNALLED)
        return STATUS_TAG | STATUS_SIGNALED | (int)((value - SIGNALLED) << STATUS_VALUE_SHIFT);
    return STATUS_TAG | STATUS_EXITED | (int)(value << STATUS_VALUE_SHIFT);
}

static bool has_flag(int stat, int flag)
{
    return (stat & flag) != 0;
}

static int value_of(int stat)
{
    return stat >> STATUS_VALUE_SHIFT & STATUS_VALUE_MASK;
}

int status_signal(int stat)
{
    return has_flag(stat, STATUS_SIGNALED) ? value_of(stat) : 0;
}

struct status_args {
    int stat;
    int flag; /* what *number says: has it that? 0: its exit status */
    int *number;
    char *text; /* the name of its signal */
    size_t text_len;
};

static int name_signal(const struct status_args *a, struct answer *ans)
{
    const char *name = sigabbrev_np(status_signal(a->stat));
    char text[DRMAA_SIGNAL_BUFFER];
    if (!has_flag(a->stat, STATUS_SIGNALED)) {
        ans_fail(ans, STATUS_ESEMANTIC, MSG_DRMAA_NO_SIGNAL);
        return DRMAA_ERRNO_INVALID_ARGUMENT;
    }
    if (name != NULL)
        (void)snprintf(text, sizeof text, "SIG%s", name);
    else
        (void)snprintf(text, sizeof text, "%d", status_signal(a->stat));
    text_copy(a->text, a->text_len, text);
    return DRMAA_ERRNO_SUCCESS;
}

static int read_status(void *args, struct answer *ans)
{
    const struct status_args *a = args;
    if (a->number == NULL && a->text == NULL)
        return library_refuse_null("the result", ans);
    if ((a->stat & STATUS_TAG_MASK) != STATUS_TAG || (a->stat & STATUS_FLAGS) == 0) {
        ans_fail(ans, STATUS_ESEMANTIC, MSG_DRMAA_STAT_I, a->stat);
        return DRMAA_ERRNO_INVALID_ARGUMENT;
    }
    if (a->text != NULL)
        return name_signal(a, ans);
    /* 0 where drmaa_wifexited says no, as in Grid Engines before */
    if (a->flag == 0)
        *a->number = has_flag(a->stat, STATUS_EXITED) ? value_of(a->stat) : 0;
    else
        *a->number = has_flag(a->stat, a->flag);
    return DRMAA_ERRNO_SUCCESS;
}

static int ask_status(int *number, int stat, int flag, char *diag, size_t diag_len)
{
    struct status_args a = { stat, flag, number, NULL, 0 };
    return library_run(read_status, &a, diag, diag_len);
}

int drmaa_wifexited(int *exited, int stat, char *diag, size_t diag_len)
{
    return ask_status(exited, stat, STATUS_EXITED, diag, diag_len);
}

int drmaa_wexitstatus(int *exit_status, int stat, char *diag, size_t diag_len)
{
    return ask_status(exit_status, stat, 0, diag, diag_len);
}

int drmaa_wifsignaled(int *signaled, int stat, char *diag, size_t diag_len)
{
    return ask_status(signaled, stat, STATUS_SIGNALED, diag, diag_len);
}

int drmaa_wtermsig(char *signal, size_t signal_len, int stat, char *diag, size_t diag_len)
{
    struct status_args a = { stat, 0, NULL, signal, signal_len };
    return library_run(read_status, &a, diag, diag_len);
}

/* shepherds do not report whether a core file came of it */
int drmaa_wcoredump(int *core_dumped, int stat, char *diag, size_t diag_len)
{
    int number = ask_status(core_dumped, stat, STATUS_SIGNALED, diag, diag_len);
    if (number == DRMAA_ERRNO_SUCCESS)
        *core_dumped = 0;
    return number;
}

int drmaa_wifaborted(int *aborted, int stat, char *diag, size_t diag_len)
{
    return ask_status(aborted, stat, STATUS_ABORTED, diag, diag_len);
}
