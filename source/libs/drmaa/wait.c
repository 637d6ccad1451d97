/* drmaa_wait and drmaa_synchronize, and what drmaa_wif... read in the status that a wait gives.
 * Source: drmaa_wait(3) */
#include "libs/drmaa/wait.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libs/drmaa/drmaa.h"
#include "libs/drmaa/library.h"
#include "libs/drmaa/msg_drmaa.h"
#include "libs/drmaa/texts.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

enum {
    ID_BYTES = 32,  /* two numbers and a point */
    DECIMALS = 4,   /* of a figure of the usage */
    SIGNALLED = 128 /* the exit status of a task that signal N ended is this plus N */
};

/* ---- the usage as texts ----
 *
 * "name=value" each. The names are those that users of Grid Engines know; a figure that its host
 * did not report is 0. */

static double reported_value(const struct japi_ended *e, const char *name)
{
    for (uint32_t i = 0; i < e->usage.n; i++)
        if (e->usage.v[i].UA_name != NULL && strcmp(e->usage.v[i].UA_name, name) == 0)
            return e->usage.v[i].UA_value;
    return 0;
}

static void add_figure(struct texts *to, const char *name, double value)
{
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, "%s=", name);
    dstr_add_decimal(&text, value, DECIMALS);
    texts_add(to, dstr_get(&text));
    dstr_free(&text);
}

/* what is reported, and what accounting keeps under the names with acct_ */
static void add_reported(struct texts *to, const struct japi_ended *e)
{
    static const char *const names[] = { "ru_wallclock", "ru_utime",  "ru_stime",  "ru_maxrss",
                                         "ru_ixrss",     "ru_ismrss", "ru_idrss",  "ru_isrss",
                                         "ru_minflt",    "ru_majflt", "ru_nswap",  "ru_inblock",
                                         "ru_oublock",   "ru_msgsnd", "ru_msgrcv", "ru_nsignals",
                                         "ru_nvcsw",     "ru_nivcsw", "cpu",       "mem",
                                         "io",           "iow",       "vmem",      "maxvmem" };
    static const char *const kept[][2] = { { "acct_cpu", "cpu" },
                                           { "acct_mem", "mem" },
                                           { "acct_io", "io" },
                                           { "acct_iow", "iow" },
                                           { "acct_maxvmem", "maxvmem" } };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        add_figure(to, names[i], reported_value(e, names[i]));
    for (size_t i = 0; i < ARRAY_LEN(kept); i++)
        add_figure(to, kept[i][0], reported_value(e, kept[i][1]));
}

static void add_usage(struct texts *to, const struct japi_ended *e)
{
    add_figure(to, "submission_time", (double)e->submitted_s);
    add_figure(to, "start_time", (double)e->started_s);
    add_figure(to, "end_time", (double)e->ended_s);
    add_figure(to, "exit_status", e->exit_status);
    add_figure(to, "signal",
               e->is_signalled && e->exit_status > SIGNALLED ? e->exit_status - SIGNALLED : 0);
    add_figure(to, "priority", 0);
    add_reported(to, e);
}

/* ---- wait ---- */

struct wait_args {
    const char *id;
    char *id_out;
    size_t id_out_len;
    int *stat;
    long timeout;
    drmaa_attr_values_t **rusage;
};

static int check_timeout(long timeout, struct answer *ans)
{
    if (timeout >= DRMAA_TIMEOUT_WAIT_FOREVER)
        return DRMAA_ERRNO_SUCCESS;
    ans_fail(ans, STATUS_ESEMANTIC, MSG_DRMAA_TIMEOUT_L, timeout);
    return DRMAA_ERRNO_INVALID_ARGUMENT;
}

static void copy_id(const struct japi_id *id, char *out, size_t len)
{
    char text[ID_BYTES];
    if (id->task == 0)
        (void)snprintf(text, sizeof text, "%u", id->job);
    else
        (void)snprintf(text, sizeof text, "%u.%u", id->job, id->task);
    text_copy(out, len, text);
}

/* the list that the usage goes into, which is there before any end is taken */
struct usage_list {
    struct texts *texts;
    void *handle;
};

static int make_usage(struct usage_list *u, struct answer *ans)
{
    u->texts = texts_new();
    u->handle = library_give(HANDLE_VALUES, u->texts, ans);
    if (u->handle != NULL)
        return DRMAA_ERRNO_SUCCESS;
    texts_free(u->texts);
    return DRMAA_ERRNO_NO_MEMORY;
}

static void fill_usage(void *ctx, const struct japi_ended *e)
{
    const struct usage_list *u = ctx;
    if (u->texts != NULL)
        add_usage(u->texts, e);
}

static int read_wait_id(const char *text, struct japi_id *out, bool *is_any, struct answer *ans)
{
    if (text == NULL)
        return library_refuse_null("job_id", ans);
    *is_any = strcmp(text, DRMAA_JOB_IDS_SESSION_ANY) == 0;
    if (*is_any || japi_id_parse(text, out))
        return DRMAA_ERRNO_SUCCESS;
    ans_fail(ans, STATUS_EUNKNOWN, MSG_DRMAA_NO_ID_S, text);
    return DRMAA_ERRNO_INVALID_JOB;
}

/* ID NULL: any */
static int take_end(struct japi *session, const struct wait_args *a, const struct japi_id *id,
                    struct answer *ans)
{
    struct japi_ended ended = { .has_run = false };
    struct usage_list usage = { NULL, NULL };
    if (a->rusage != NULL && make_usage(&usage, ans) != DRMAA_ERRNO_SUCCESS)
        return DRMAA_ERRNO_NO_MEMORY;
    enum japi_end end = japi_wait(session, id, a->timeout, fill_usage, &usage, &ended, ans);
    if (end == JAPI_DONE || end == JAPI_NO_USAGE)
        copy_id(&ended.id, a->id_out, a->id_out_len);
    if (end == JAPI_DONE && a->stat != NULL)
        *a->stat = status_of(&ended);
    if (end == JAPI_DONE && a->rusage != NULL)
        *a->rusage = usage.handle;
    else if (usage.handle != NULL)
        texts_free(library_take(HANDLE_VALUES, usage.handle));
    japi_ended_clear(&ended);
    return number_of(end);
}

static int wait_for_one(struct japi *session, void *args, struct answer *ans)
{
    const struct wait_args *a = args;
    struct japi_id id;
    bool is_any = false;
    int number = read_wait_id(a->id, &id, &is_any, ans);
    if (number == DRMAA_ERRNO_SUCCESS)
        number = check_timeout(a->timeout, ans);
    return number == DRMAA_ERRNO_SUCCESS ? take_end(session, a, is_any ? NULL : &id, ans) : number;
}

int drmaa_wait(const char *job_id, char *job_id_out, size_t job_id_out_len, int *stat,
               signed long timeout, drmaa_attr_values_t **rusage, char *diag, size_t diag_len)
{
    struct wait_args a = { job_id, job_id_out, job_id_out_len, stat, timeout, rusage };
    return library_run_in_session(wait_for_one, &a, diag, diag_len);
}

/* ---- synchronize ---- */

struct sync_args {
    const char **ids;
    long timeout;
    int dispose;
};

/* The ids that TEXTS name into *OUT, N of them; new: free(). *IS_ALL: all of the session. TEXTS end
 * with NULL or with the name of all: programs give that one without a NULL behind it. */
static int read_ids(const char **texts, struct japi_id **out, uint32_t *n, bool *is_all,
                    struct answer *ans)
{
    uint32_t cap = 0;
    for (; texts[*n] != NULL; (*n)++) {
        *is_all = strcmp(texts[*n], DRMAA_JOB_IDS_SESSION_ALL) == 0;
        if (*is_all)
            break;
        *out = uti_vec_grow(*out, &cap, *n + 1, sizeof **out);
        if (!japi_id_parse(texts[*n], &(*out)[*n])) {
            ans_fail(ans, STATUS_EUNKNOWN, MSG_DRMAA_NO_ID_S, texts[*n]);
            return DRMAA_ERRNO_INVALID_JOB;
        }
    }
    return DRMAA_ERRNO_SUCCESS;
}

static int wait_for_all(struct japi *session, void *args, struct answer *ans)
{
    const struct sync_args *a = args;
    struct japi_id *ids = NULL;
    uint32_t n = 0;
    bool is_all = false;
    if (a->ids == NULL)
        return library_refuse_null("job_ids", ans);
    int number = check_timeout(a->timeout, ans);
    if (number == DRMAA_ERRNO_SUCCESS)
        number = read_ids(a->ids, &ids, &n, &is_all, ans);
    if (number == DRMAA_ERRNO_SUCCESS && (is_all || n > 0))
        number = number_of(
            japi_synchronize(session, is_all ? NULL : ids, n, a->timeout, a->dispose != 0));
    free(ids);
    return number;
}

int drmaa_synchronize(const char *job_ids[], signed long timeout, int dispose, char *diag,
                      size_t diag_len)
{
    struct sync_args a = { job_ids, timeout, dispose };
    return library_run_in_session(wait_for_all, &a, diag, diag_len);
}

/* ---- how a job ended, in an int ----
 *
 * From the lowest bit: a tag by which the library knows such a number (8 bits), flags (8), the exit
 * status or the signal (8). */

enum {
    STATUS_TAG = 0x5e,
    STATUS_TAG_MASK = 0xff,
    STATUS_EXITED = 0x100,
    STATUS_SIGNALED = 0x200,
    STATUS_ABORTED = 0x400,
    STATUS_FLAGS = 0x700,
    STATUS_VALUE_SHIFT = 16,
    STATUS_VALUE_MASK = 0xff
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
