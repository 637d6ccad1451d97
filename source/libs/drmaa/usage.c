/* The usage of a task as texts. The names are those that users of Grid Engines know; a figure that
 * its host did not report is 0. */
#include "libs/drmaa/usage.h"

#include <string.h>

#include "libs/drmaa/texts.h"
#include "libs/japi/japi.h"
#include "libs/uti/dstr.h"

enum { DECIMALS = 4, SIGNALLED = 128 };

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

void usage_add(const struct japi_ended *e, struct texts *to)
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
