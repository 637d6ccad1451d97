/* One record of qacct -j: a row for each field of accounting(5), in the order of the page. The page
 * has the units that scripts take apart; JSON has the numbers as the file has them. */
#include <string.h>

#include "clients/acct/acct_priv.h"
#include "libs/show/job_table.h"
#include "libs/uti/dstr.h"

enum { LABEL_WIDTH = 13 };

static const struct doc_kind record_kind = { .name = "record", .label = LABEL_WIDTH };

/* The value of a member; TEXT, which is empty, may hold what people see of it. */
typedef struct doc_value value_fn(const void *member, struct dstr *text);

static struct doc_value string_value(const void *at, struct dstr *text)
{
    (void)text;
    return doc_string(*(const char *const *)at);
}

static struct doc_value category_value(const void *at, struct dstr *text)
{
    const char *category = *(const char *const *)at;
    (void)text;
    return category != NULL ? doc_string(category) : doc_none("NONE");
}

static struct doc_value count_value(const void *at, struct dstr *text)
{
    (void)text;
    return doc_number(*(const uint32_t *)at);
}

static struct doc_value optional_value(const void *at, struct dstr *text)
{
    uint32_t count = *(const uint32_t *)at;
    dstr_addf(text, "%-20u", count); /* the word is not padded */
    return count > 0 ? doc_shown(doc_number(count), dstr_get(text)) : doc_none("undefined");
}

static struct doc_value priority_value(const void *at, struct dstr *text)
{
    (void)text;
    return doc_signed(*(const int32_t *)at);
}

static struct doc_value time_or(uint64_t at_s, const char *never)
{
    return at_s > 0 ? doc_moment(at_s) : doc_none(never);
}

static struct doc_value time_value(const void *at, struct dstr *text)
{
    (void)text;
    return time_or(*(const uint64_t *)at, "-/-");
}

static struct doc_value optional_time_value(const void *at, struct dstr *text)
{
    (void)text;
    return time_or(*(const uint64_t *)at, "undefined");
}

static struct doc_value failed_value(const void *at, struct dstr *text)
{
    uint32_t failed = *(const uint32_t *)at;
    dstr_addf(text, "%-3u %s %s", failed, failed != 0 ? ":" : "", accounting_failed_words(failed));
    return doc_shown(doc_number(failed), dstr_get(text));
}

static struct doc_value exit_status_value(const void *at, struct dstr *text)
{
    uint32_t status = *(const uint32_t *)at;
    bool is_signal = status > 128 && status < 128 + 65;
    const char *name = is_signal ? strsignal((int)status - 128) : NULL;
    dstr_addf(text, "%-20u", status);
    if (is_signal)
        dstr_addf(text, " (%s)", name != NULL ? name : "");
    return doc_shown(doc_number(status), dstr_get(text));
}

static struct doc_value number_value(const void *at, struct dstr *text)
{
    (void)text;
    return doc_real(*(const double *)at);
}

static struct doc_value with_seconds(double s, int digits, struct dstr *text)
{
    dstr_add_decimal(text, s, digits);
    dstr_addc(text, 's');
    return doc_shown(doc_real(s), dstr_get(text));
}

static struct doc_value whole_seconds_value(const void *at, struct dstr *text)
{
    return with_seconds(*(const double *)at, 0, text);
}

static struct doc_value seconds_value(const void *at, struct dstr *text)
{
    return with_seconds(*(const double *)at, 3, text);
}

/* X, a multiple of UNIT bytes, with the largest unit that leaves the number above one; SUFFIX
 * follows the unit. */
static struct doc_value with_size(double x, double unit, const char *suffix, struct dstr *text)
{
    static const char *const units[] = { "", "K", "M", "G", "T", "P", "E" };
    size_t power = 0;
    double bytes = x * unit;
    while (bytes >= 1024 && power + 1 < ARRAY_LEN(units)) {
        bytes /= 1024;
        power++;
    }
    dstr_add_decimal(text, bytes, 3);
    dstr_addf(text, "%s%s", units[power], suffix);
    return doc_shown(doc_real(x), dstr_get(text));
}

static struct doc_value bytes_value(const void *at, struct dstr *text)
{
    return with_size(*(const double *)at, 1, "B", text);
}

/* as the system reports the sizes of memory */
static struct doc_value kilobytes_value(const void *at, struct dstr *text)
{
    return with_size(*(const double *)at, 1024.0, "B", text);
}

static const double gigabyte = 1024.0 * 1024.0 * 1024.0;

static struct doc_value gigabytes_value(const void *at, struct dstr *text)
{
    return with_size(*(const double *)at, gigabyte, "B", text);
}

static struct doc_value gigabyte_seconds_value(const void *at, struct dstr *text)
{
    return with_size(*(const double *)at, gigabyte, "Bs", text);
}

#define ROW(name_, member, value_, width_)                                                         \
    {                                                                                              \
        { .name = name_, .text = { .width = width_, .time = DOC_CTIME, .after = "\n" } },          \
            offsetof(struct accounting, member), value_                                            \
    }
#define PADDED(name, member, value) ROW(name, member, value, -20)
#define BARE(name, member, value)   ROW(name, member, value, 0)
static const struct row {
    struct doc_field field;
    size_t at; /* of the member */
    value_fn *value;
} rows[] = {
    PADDED("qname", qname, string_value),
    PADDED("hostname", hostname, string_value),
    PADDED("group", group, string_value),
    PADDED("owner", owner, string_value),
    PADDED("project", project, string_value),
    PADDED("department", department, string_value),
    PADDED("jobname", job_name, string_value),
    PADDED("jobnumber", job_number, count_value),
    BARE("taskid", task_number, optional_value),
    PADDED("account", account, string_value),
    PADDED("priority", priority, priority_value),
    BARE("qsub_time", submission_time, time_value),
    BARE("start_time", start_time, time_value),
    BARE("end_time", end_time, time_value),
    PADDED("granted_pe", granted_pe, string_value),
    PADDED("slots", slots, count_value),
    BARE("failed", failed, failed_value),
    BARE("exit_status", exit_status, exit_status_value),
    BARE("ru_wallclock", ru_wallclock, whole_seconds_value),
    BARE("ru_utime", ru_utime, seconds_value),
    BARE("ru_stime", ru_stime, seconds_value),
    BARE("ru_maxrss", ru_maxrss, kilobytes_value),
    BARE("ru_ixrss", ru_ixrss, kilobytes_value),
    BARE("ru_ismrss", ru_ismrss, kilobytes_value),
    BARE("ru_idrss", ru_idrss, kilobytes_value),
    BARE("ru_isrss", ru_isrss, kilobytes_value),
    PADDED("ru_minflt", ru_minflt, number_value),
    PADDED("ru_majflt", ru_majflt, number_value),
    PADDED("ru_nswap", ru_nswap, number_value),
    PADDED("ru_inblock", ru_inblock, number_value),
    PADDED("ru_oublock", ru_oublock, number_value),
    PADDED("ru_msgsnd", ru_msgsnd, number_value),
    PADDED("ru_msgrcv", ru_msgrcv, number_value),
    PADDED("ru_nsignals", ru_nsignals, number_value),
    PADDED("ru_nvcsw", ru_nvcsw, number_value),
    PADDED("ru_nivcsw", ru_nivcsw, number_value),
    BARE("cpu", cpu, seconds_value),
    BARE("mem", mem, gigabyte_seconds_value),
    BARE("io", io, gigabytes_value),
    BARE("iow", iow, seconds_value),
    BARE("maxvmem", maxvmem, bytes_value),
    BARE("arid", arid, optional_value),
    BARE("ar_sub_time", ar_submission_time, optional_time_value),
    BARE("category", category, category_value),
};
static const struct row devices = BARE("devices", devices, string_value);
_Static_assert(ARRAY_LEN(rows) == ACCT_FIELDS - 2,
               "qacct -j shows all but pe_taskid, and devices where there were any");

void record_show(struct doc *d, const struct accounting *a)
{
    struct dstr text = DSTR_INIT;
    if (doc_page(d) != NULL)
        job_table_bar(doc_page(d), '=', 62);
    doc_begin(d, &record_kind);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        dstr_clear(&text);
        doc_field(d, &rows[i].field, rows[i].value((const char *)a + rows[i].at, &text));
    }
    if (a->devices != NULL && a->devices[0] != '\0')
        doc_field(d, &devices.field, devices.value(&a->devices, &text));
    doc_end(d);
    dstr_free(&text);
}
