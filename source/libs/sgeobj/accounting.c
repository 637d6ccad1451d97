/* The accounting line: written from what is known of one start of a task, and read back.
 *
 * One table, of the rows of sge_accountingL.h, has the fields in their order; writer and reader
 * both walk it. Whatever stands in
 * a name, a line stays one line with its fields: `:` and newlines in texts are escaped, and `%`
 * where it would look like such an escape. */
#include "libs/sgeobj/accounting.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/version.h"
#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/job_state.h"
#include "libs/sgeobj/msg_sgeobj.h"
#include "libs/sgeobj/pe_match.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

enum { FIELDS_LEAST = 43 }; /* older writers end after maxvmem */

enum kind {
    ACCT_TEXT,
    ACCT_U32,
    ACCT_I32,
    ACCT_U64,
    ACCT_WHOLE,  /* a double without fraction */
    ACCT_DECIMAL /* a double with six digits */
};
struct field {
    const char *name;
    enum kind kind;
    size_t offset;
};
#define ACCT(member, kind) { #member, ACCT_##kind, offsetof(struct accounting, member) },
static const struct field fields[] = {
#include "libs/sgeobj/sge_accountingL.h"
};
#undef ACCT
_Static_assert(ACCT_FIELDS == 46 && ACCT_devices == 45,
               "accounting(5) has 45 fields, and one more of tasks that had devices");

/* ---- figures ---- */

/* seconds that a task of a million processors uses in 11 days; else more bytes than there are */
static const double seconds_most = 1e12, others_most = 9.3e18;
#define TIME_MOST_S UINT64_C(253402300799) /* the end of the year 9999 */

double accounting_figure(const char *name, double value)
{
    static const char *const times[] = { "ru_wallclock", "ru_utime", "ru_stime", "cpu", "iow" };
    double most = others_most;
    for (size_t i = 0; i < ARRAY_LEN(times); i++)
        if (strcmp(name, times[i]) == 0)
            most = seconds_most;
    return value >= 0 && value <= most ? value : 0; /* what is not a number compares with none */
}

static uint64_t possible_time(uint64_t at_s)
{
    return at_s <= TIME_MOST_S ? at_s : 0;
}

void accounting_usage(struct UA_Type *to, const struct UA_Type *from)
{
    const char *name = from->UA_name != NULL ? from->UA_name : "";
    cull_copy(&cull_UA_Type, to, from);
    cull_set(to, UA_value, accounting_figure(name, from->UA_value));
}

static struct UA_Type *usage_of(const struct UA_Type_list *usage, const char *name)
{
    for (uint32_t i = 0; i < usage->n; i++)
        if (usage->v[i].UA_name != NULL && strcmp(usage->v[i].UA_name, name) == 0)
            return &usage->v[i];
    return NULL;
}

void accounting_add_usage(struct UA_Type_list *sum, const struct UA_Type_list *usage)
{
    for (size_t f = ACCT_ru_wallclock + 1; f < ARRAY_LEN(fields); f++) {
        const char *name = fields[f].name;
        const struct UA_Type *more = fields[f].kind >= ACCT_WHOLE ? usage_of(usage, name) : NULL;
        if (more == NULL)
            continue;
        struct UA_Type *all = usage_of(sum, name);
        if (all == NULL) {
            all = cull_push(sum);
            cull_set(all, UA_name, name);
            cull_set(all, UA_value, 0.0);
        }
        double value = all->UA_value + accounting_figure(name, more->UA_value);
        if (accounting_figure(name, value) == value) /* else it would be more than there can be */
            cull_set(all, UA_value, value);
    }
}

void accounting_header(struct dstr *out)
{
    dstr_add(out, "# Version: " SGE_VERSION "\n# \n# DO NOT MODIFY THIS FILE MANUALLY!\n# \n");
}

/* ---- what is known of a start ---- */

static const char *text_or(const char *text, const char *otherwise)
{
    return text != NULL && text[0] != '\0' ? text : otherwise;
}

static void category_resources(const struct CE_Type_list *l, struct dstr *out)
{
    for (uint32_t i = 0; i < l->n; i++)
        dstr_addf(out, "%s%s=%s", i > 0 ? "," : " -l ", text_or(l->v[i].CE_name, ""),
                  text_or(l->v[i].CE_stringval, ""));
}

/* the requests that decide where a job may run, as options */
static void category_text(const struct JB_Type *job, struct dstr *out)
{
    for (uint32_t i = 0; i < job->JB_hard_queue_list.n; i++)
        dstr_addf(out, "%s%s", i > 0 ? "," : " -q ",
                  text_or(job->JB_hard_queue_list.v[i].QR_name, ""));
    category_resources(&job->JB_hard_resource_list, out);
    if (job->JB_pe != NULL) {
        dstr_addf(out, " -pe %s ", job->JB_pe);
        pe_slots_text(job, out);
    }
    if (job->JB_ar != 0)
        dstr_addf(out, " -ar %" PRIu32, job->JB_ar);
}

/* qname, category and devices have to be made: all go into SCRATCH */
static void fill_made_texts(struct accounting *a, const struct JB_Type *job,
                            const struct JG_Type_list *granted, struct dstr *scratch)
{
    const char *queue = text_or(allocation_queue(granted), "UNKNOWN");
    dstr_clear(scratch);
    dstr_addn(scratch, queue, strcspn(queue, "@"));
    dstr_addc(scratch, '\0');
    size_t category_at = scratch->len;
    category_text(job, scratch);
    dstr_addc(scratch, '\0');
    size_t devices_at = scratch->len;
    allocation_devices_text(granted, scratch);
    a->qname = scratch->s;
    a->category = scratch->s[category_at] != '\0' ? scratch->s + category_at + 1
                                                  : "NONE"; /* without its first blank */
    a->devices = scratch->len > devices_at ? scratch->s + devices_at : NULL;
}

static void fill_job(struct accounting *a, const struct JB_Type *job)
{
    a->group = text_or(job->JB_group, "NONE");
    a->owner = text_or(job->JB_owner, "NONE");
    a->job_name = text_or(job->JB_job_name, "NONE");
    a->job_number = job->JB_job_number;
    a->account = text_or(job->JB_account, "sge");
    a->priority = (int32_t)job->JB_priority - JOB_PRIORITY_BASE;
    a->submission_time = job->JB_submission_time;
    a->project = text_or(job->JB_project, "NONE");
    a->department = text_or(job->JB_department, "defaultdepartment");
    a->arid = job->JB_ar;
}

static void fill_usage(struct accounting *a, const struct UA_Type_list *usage)
{
    for (uint32_t i = 0; i < usage->n; i++) {
        for (size_t f = 0; usage->v[i].UA_name != NULL && f < ARRAY_LEN(fields); f++) {
            if (fields[f].kind >= ACCT_WHOLE && strcmp(fields[f].name, usage->v[i].UA_name) == 0)
                *(double *)((char *)a + fields[f].offset) =
                    accounting_figure(fields[f].name, usage->v[i].UA_value);
        }
    }
}

static void fill_report(struct accounting *a, const struct JR_Type *report)
{
    a->pe_taskid = report->JR_pe_task_id;
    a->failed = report->JR_failed;
    a->exit_status = report->JR_exit_status;
    a->end_time = possible_time(report->JR_end_time);
    if (possible_time(report->JR_start_time) != 0)
        a->start_time = report->JR_start_time;
    if (a->end_time < a->start_time)
        a->end_time = a->start_time;
    if (a->start_time != 0)
        a->ru_wallclock = (double)(a->end_time - a->start_time);
    fill_usage(a, &report->JR_usage);
}

void accounting_fill(struct accounting *a, const struct JB_Type *job, const struct JAT_Type *jat,
                     const struct JR_Type *report, struct dstr *scratch)
{
    static const struct JG_Type_list nowhere = { 0 };
    const struct JG_Type_list *granted =
        jat != NULL ? &jat->JAT_granted_destin_identifier_list : &nowhere;
    uint32_t slots = allocation_slots(granted);
    memset(a, 0, sizeof *a);
    fill_job(a, job);
    a->hostname = text_or(allocation_host(granted), "UNKNOWN");
    a->granted_pe = text_or(allocation_pe(granted), "NONE");
    a->slots = slots != 0 ? slots : 1;
    if (jat != NULL) {
        a->task_number = job_is_array(job) ? jat->JAT_task_number : 0;
        a->pe_taskid = jat->JAT_pe_task_id;
        a->start_time = jat->JAT_start_time;
        a->end_time = jat->JAT_end_time;
    }
    if (report != NULL)
        fill_report(a, report);
    a->pe_taskid = text_or(a->pe_taskid, "NONE");
    fill_made_texts(a, job, granted, scratch);
}

/* ---- writing ---- */

static const struct {
    char plain;
    const char *escape;
} escapes[] = { { ':', "%3A" }, { '\n', "%0A" }, { '\r', "%0D" }, { '%', "%25" } };

/* the character that the escape at TEXT stands for; 0 if there is none */
static char unescape_one(const char *text)
{
    for (size_t i = 0; i < ARRAY_LEN(escapes); i++) {
        if (strncmp(text, escapes[i].escape, 3) == 0)
            return escapes[i].plain;
    }
    return 0;
}

static void text_add(struct dstr *out, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        const char *escape = NULL;
        for (size_t i = 0; i < ARRAY_LEN(escapes); i++) {
            if (*c == escapes[i].plain && (*c != '%' || unescape_one(c) != 0))
                escape = escapes[i].escape;
        }
        if (escape != NULL)
            dstr_add(out, escape);
        else
            dstr_addc(out, *c);
    }
}

static void field_add(struct dstr *out, const struct field *f, const struct accounting *a)
{
    const void *at = (const char *)a + f->offset;
    switch (f->kind) {
    case ACCT_TEXT:
        text_add(out, text_or(*(const char *const *)at, "NONE"));
        break;
    case ACCT_U32:
        dstr_addf(out, "%" PRIu32, *(const uint32_t *)at);
        break;
    case ACCT_I32:
        dstr_addf(out, "%" PRId32, *(const int32_t *)at);
        break;
    case ACCT_U64:
        dstr_addf(out, "%" PRIu64, *(const uint64_t *)at);
        break;
    case ACCT_WHOLE:
        dstr_add_decimal(out, *(const double *)at, 0);
        break;
    case ACCT_DECIMAL:
        dstr_add_decimal(out, *(const double *)at, 6);
        break;
    }
}

void accounting_line(const struct accounting *a, struct dstr *out)
{
    bool has_devices = a->devices != NULL && a->devices[0] != '\0';
    for (size_t i = 0; i < (has_devices ? ARRAY_LEN(fields) : ACCT_devices); i++) {
        if (i > 0)
            dstr_addc(out, ':');
        field_add(out, &fields[i], a);
    }
    dstr_addc(out, '\n');
}

/* ---- reading ---- */

/* take the escapes back, in place: the text only gets shorter */
static void text_unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; to++) {
        char plain = unescape_one(from);
        *to = plain != 0 ? plain : *from;
        from += plain != 0 ? 3 : 1;
    }
    *to = '\0';
}

static bool field_read(const struct field *f, char *text, struct accounting *a)
{
    void *at = (char *)a + f->offset;
    switch (f->kind) {
    case ACCT_TEXT:
        text_unescape(text);
        *(const char **)at = text;
        return true;
    case ACCT_U32:
        return parse_u32(text, at);
    case ACCT_I32:
        return parse_i32(text, at);
    case ACCT_U64:
        if (!parse_u64(text, at))
            return false;
        *(uint64_t *)at = possible_time(*(uint64_t *)at);
        return true;
    case ACCT_WHOLE:
    case ACCT_DECIMAL:
        if (!parse_double(text, at))
            return false;
        *(double *)at = accounting_figure(f->name, *(double *)at);
        return true;
    }
    return false;
}

int accounting_parse(char *line, struct accounting *a, struct answer *ans)
{
    memset(a, 0, sizeof *a);
    if (line[0] == '\0' || line[0] == '#')
        return 0;
    char *at = line;
    size_t n = 0;
    for (; at != NULL && n < ARRAY_LEN(fields); n++) {
        char *colon = strchr(at, ':');
        if (colon != NULL)
            *colon = '\0';
        if (!field_read(&fields[n], at, a))
            return ans_fail(ans, STATUS_ESYNTAX, MSG_ACCOUNTING_FIELD_SS, fields[n].name, at);
        at = colon != NULL ? colon + 1 : NULL;
    }
    if (n < FIELDS_LEAST)
        return ans_fail(ans, STATUS_ESYNTAX, MSG_ACCOUNTING_SHORT_UU, (unsigned)n,
                        (unsigned)ACCT_devices);
    return 1;
}

/* ---- the codes of "failed" ---- */

static const struct {
    uint32_t code;
    const char *words;
} failures[] = {
    { 1, "assumedly before job" },
    { 3, "before writing config" },
    { 4, "before writing PID" },
    { 5, "on reading config file" },
    { 6, "setting processor set" },
    { 7, "before prolog" },
    { 8, "in prolog" },
    { 9, "before pestart" },
    { 10, "in pestart" },
    { 11, "before job" },
    { 12, "before pestop" },
    { 13, "in pestop" },
    { 14, "before epilog" },
    { 15, "in epilog" },
    { 16, "releasing processor set" },
    { 17, "through signal" },
    { 18, "shepherd returned error" },
    { 19, "before writing exit_status" },
    { 20, "found unexpected error file" },
    { 21, "in recognizing job" },
    { 24, "migrating (checkpointing jobs)" },
    { 25, "rescheduling" },
    { 26, "opening input/output file" },
    { 27, "searching requested shell" },
    { 28, "changing into working directory" },
    { 29, "AFS setup" },
    { 30, "application error returned" },
    { 36, "checking configured daemons" },
    { 37, "qmaster enforced h_rt, h_cpu, or h_vmem limit" },
    { 38, "adding supplementary group" },
    { 100, "assumedly after job" },
};

const char *accounting_failed_words(uint32_t failed)
{
    for (size_t i = 0; i < ARRAY_LEN(failures); i++) {
        if (failures[i].code == failed)
            return failures[i].words;
    }
    return failed == 0 ? "" : "unknown";
}

void accounting_failed_text(uint32_t failed, struct dstr *out)
{
    dstr_addf(out, "%-3" PRIu32 " %s %s", failed, failed != 0 ? ":" : "",
              accounting_failed_words(failed));
}
