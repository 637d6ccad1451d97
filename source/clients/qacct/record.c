/* One record as `qacct -j` shows it: the labels, the padding and the units that scripts take apart. */
#include <string.h>

#include "clients/common/job_table.h"
#include "clients/qacct/qacct.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"

static void put_padded(FILE *out, const char *label, const char *value)
{
    fprintf(out, "%-12s %-20s\n", label, value != NULL ? value : "");
}

static void put_number(FILE *out, const char *label, double value)
{
    fprintf(out, "%-12s %-20.0f\n", label, value);
}

static void put_time(FILE *out, const char *label, uint64_t at_s)
{
    struct dstr text = DSTR_INIT;
    if (at_s == 0)
        dstr_add(&text, "-/-");
    else
        uti_time_ctime(at_s, &text);
    fprintf(out, "%-12s %s\n", label, dstr_get(&text));
    dstr_free(&text);
}

/* BYTES with the largest unit that leaves the number above one; SUFFIX follows the unit. */
static void put_size(FILE *out, const char *label, double bytes, const char *suffix)
{
    static const char *const units[] = { "", "K", "M", "G", "T", "P", "E" };
    size_t unit = 0;
    while (bytes >= 1024 && unit + 1 < ARRAY_LEN(units)) {
        bytes /= 1024;
        unit++;
    }
    fprintf(out, "%-12s %.3f%s%s\n", label, bytes, units[unit], suffix);
}

static void put_seconds(FILE *out, const char *label, double s)
{
    fprintf(out, "%-12s %.3fs\n", label, s);
}

static void put_head(FILE *out, const struct accounting *a)
{
    put_padded(out, "qname", a->qname);
    put_padded(out, "hostname", a->hostname);
    put_padded(out, "group", a->group);
    put_padded(out, "owner", a->owner);
    put_padded(out, "project", a->project);
    put_padded(out, "department", a->department);
    put_padded(out, "jobname", a->job_name);
    put_number(out, "jobnumber", a->job_number);
    if (a->task_number > 0)
        put_number(out, "taskid", a->task_number);
    else
        fprintf(out, "%-12s undefined\n", "taskid");
    put_padded(out, "account", a->account);
    put_number(out, "priority", a->priority);
    put_time(out, "qsub_time", a->submission_time);
    put_time(out, "start_time", a->start_time);
    put_time(out, "end_time", a->end_time);
    put_padded(out, "granted_pe", a->granted_pe);
    put_number(out, "slots", a->slots);
}

static void put_end(FILE *out, const struct accounting *a)
{
    const char *words = accounting_failed_words(a->failed);
    fprintf(out, "%-12s %-3u %s %s\n", "failed", a->failed, a->failed != 0 ? ":" : "", words);
    if (a->exit_status > 128 && a->exit_status < 128 + 65) {
        const char *name = strsignal((int)a->exit_status - 128);
        fprintf(out, "%-12s %-20u (%s)\n", "exit_status", a->exit_status, name != NULL ? name : "");
    } else {
        put_number(out, "exit_status", a->exit_status);
    }
}

/* the system reports these sizes of memory in KB */
static void put_kilobytes(FILE *out, const char *label, double kilobytes)
{
    put_size(out, label, kilobytes * 1024, "B");
}

static void put_resource_usage(FILE *out, const struct accounting *a)
{
    fprintf(out, "%-12s %.0fs\n", "ru_wallclock", a->ru_wallclock);
    put_seconds(out, "ru_utime", a->ru_utime);
    put_seconds(out, "ru_stime", a->ru_stime);
    put_kilobytes(out, "ru_maxrss", a->ru_maxrss);
    put_kilobytes(out, "ru_ixrss", a->ru_ixrss);
    put_kilobytes(out, "ru_ismrss", a->ru_ismrss);
    put_kilobytes(out, "ru_idrss", a->ru_idrss);
    put_kilobytes(out, "ru_isrss", a->ru_isrss);
    put_number(out, "ru_minflt", a->ru_minflt);
    put_number(out, "ru_majflt", a->ru_majflt);
    put_number(out, "ru_nswap", a->ru_nswap);
    put_number(out, "ru_inblock", a->ru_inblock);
    put_number(out, "ru_oublock", a->ru_oublock);
    put_number(out, "ru_msgsnd", a->ru_msgsnd);
    put_number(out, "ru_msgrcv", a->ru_msgrcv);
    put_number(out, "ru_nsignals", a->ru_nsignals);
    put_number(out, "ru_nvcsw", a->ru_nvcsw);
    put_number(out, "ru_nivcsw", a->ru_nivcsw);
}

void record_text(FILE *out, const struct accounting *a)
{
    const double gigabyte = 1024.0 * 1024.0 * 1024.0;
    job_table_bar(out, '=', 62);
    put_head(out, a);
    put_end(out, a);
    put_resource_usage(out, a);
    put_seconds(out, "cpu", a->cpu);
    put_size(out, "mem", a->mem * gigabyte, "Bs");
    put_size(out, "io", a->io * gigabyte, "B");
    put_seconds(out, "iow", a->iow);
    put_size(out, "maxvmem", a->maxvmem, "B");
    if (a->arid > 0)
        put_number(out, "arid", a->arid);
    else
        fprintf(out, "%-12s undefined\n", "arid");
    if (a->ar_submission_time > 0)
        put_time(out, "ar_sub_time", a->ar_submission_time);
    else
        fprintf(out, "%-12s undefined\n", "ar_sub_time");
    fprintf(out, "%-12s %s\n", "category", a->category != NULL ? a->category : "NONE");
}
