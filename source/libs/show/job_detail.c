/* The block of `qstat -j`: the lines of the job, then those of its tasks. Spelling is
 * captured behaviour. */
#include "libs/show/job_detail.h"

#include <stdio.h>

#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/job_state.h"
#include "libs/sgeobj/pe_match.h"
#include "libs/sgeobj/rows.h"
#include "libs/show/job_requests.h"
#include "libs/show/job_table.h"
#include "libs/show/msg_show.h"
#include "libs/uti/assert.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"

/* ---- values as qstat -j has them ---- */
/* The lines of `qstat -j` that speak of the job: part 3 of sge_optionL.h has them in the order that
 * users know, each with a function here, which finds the value. Invariant: no value, no line.
 * Labels and spelling are captured behaviour, those of the lists of dependencies are seed 000's. */

struct line {
    const char *label;
    unsigned field;
    /* Appends the value; false when the job has none and the line is not printed. */
    bool (*show)(const struct line *l, const struct JB_Type *j, struct dstr *o);
    const char *variable; /* of the submitter's, without its prefix */
};

/* a function that a row names; many need nothing but the job */
#define SHOWN(how)                                                                                 \
    static bool shown_##how(const struct line *l SGE_UNUSED, const struct JB_Type *j,              \
                            struct dstr *o)

static bool add_text(const char *text, struct dstr *out)
{
    if (text == NULL)
        return false;
    dstr_add(out, text);
    return true;
}

/* the field of the row, which must be of the KIND that the row's function shows */
static const void *member_of(const struct line *l, const struct JB_Type *j, enum cull_kind kind)
{
    ASSERT(cull_JB_Type.fields[l->field].kind == kind);
    return cull_member(&cull_JB_Type, j, l->field);
}

/* the same of a list of ELEMENT */
static const void *list_of(const struct line *l, const struct JB_Type *j,
                           const struct cull_type *element)
{
    ASSERT(cull_JB_Type.fields[l->field].element == element);
    return member_of(l, j, CULL_LIST);
}

/* ---- the plain ones: of any field of their kind ---- */

SHOWN(text)
{
    return add_text(*(const char *const *)member_of(l, j, CULL_STRING), o);
}

SHOWN(any_text)
{
    const char *text = *(const char *const *)member_of(l, j, CULL_STRING);
    return add_text(text != NULL ? text : "", o);
}

SHOWN(any_number)
{
    dstr_addf(o, "%u", *(const uint32_t *)member_of(l, j, CULL_ULONG));
    return true;
}

SHOWN(number)
{
    return *(const uint32_t *)member_of(l, j, CULL_ULONG) > 0 && shown_any_number(l, j, o);
}

SHOWN(time)
{
    uint64_t at_s = *(const uint64_t *)member_of(l, j, CULL_ULONG64);
    if (at_s != 0)
        uti_time_ctime(at_s, o);
    return at_s != 0;
}

SHOWN(yes)
{
    return *(const bool *)member_of(l, j, CULL_BOOL) && add_text("y", o);
}

SHOWN(truth)
{
    return add_text(*(const bool *)member_of(l, j, CULL_BOOL) ? "TRUE" : "FALSE", o);
}

/* ---- lists ---- */

static void add_comma(uint32_t i, struct dstr *out)
{
    if (i > 0)
        dstr_addc(out, ',');
}

static bool add_paths(const struct PN_Type_list *list, bool has_file_host, struct dstr *o)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const struct PN_Type *p = &list->v[i];
        add_comma(i, o);
        dstr_addf(o, "%s:", p->PN_host != NULL && p->PN_host[0] != '\0' ? p->PN_host : "NONE");
        if (has_file_host)
            dstr_addf(o, "%s:",
                      p->PN_file_host != NULL && p->PN_file_host[0] != '\0' ? p->PN_file_host
                                                                            : "NONE");
        dstr_add(o, p->PN_path != NULL ? p->PN_path : "NONE");
    }
    return list->n > 0;
}

SHOWN(paths)
{
    return add_paths(list_of(l, j, &cull_PN_Type), true, o);
}

SHOWN(shells)
{
    return add_paths(list_of(l, j, &cull_PN_Type), false, o);
}

SHOWN(resources)
{
    const struct CE_Type_list *list = list_of(l, j, &cull_CE_Type);
    for (uint32_t i = 0; i < list->n; i++) {
        add_comma(i, o);
        dstr_addf(o, "%s=%s", list->v[i].CE_name != NULL ? list->v[i].CE_name : "",
                  list->v[i].CE_stringval != NULL ? list->v[i].CE_stringval : "");
    }
    return list->n > 0;
}

SHOWN(queues)
{
    const struct QR_Type_list *list = list_of(l, j, &cull_QR_Type);
    for (uint32_t i = 0; i < list->n; i++) {
        add_comma(i, o);
        dstr_add(o, list->v[i].QR_name != NULL ? list->v[i].QR_name : "");
    }
    return list->n > 0;
}

SHOWN(words)
{
    const struct ST_Type_list *list = list_of(l, j, &cull_ST_Type);
    for (uint32_t i = 0; i < list->n; i++) {
        add_comma(i, o);
        dstr_add(o, list->v[i].ST_name != NULL ? list->v[i].ST_name : "");
    }
    return list->n > 0;
}

SHOWN(addresses)
{
    const struct MR_Type_list *list = list_of(l, j, &cull_MR_Type);
    for (uint32_t i = 0; i < list->n; i++) {
        const struct MR_Type *m = &list->v[i];
        add_comma(i, o);
        dstr_add(o, m->MR_user != NULL ? m->MR_user : "");
        if (m->MR_host != NULL)
            dstr_addf(o, "@%s", m->MR_host);
    }
    return list->n > 0;
}

SHOWN(requested_jobs)
{
    const struct JRE_Type_list *list = list_of(l, j, &cull_JRE_Type);
    job_request_list_text(list, o);
    return list->n > 0;
}

SHOWN(jobs)
{
    const struct JRE_Type_list *list = list_of(l, j, &cull_JRE_Type);
    job_ids_list_text(list, o);
    return list->n > 0;
}

/* ---- variables ---- */

SHOWN(submitter)
{
    size_t prefix = strlen(ENV_SUBMIT_PREFIX);
    for (uint32_t i = 0; i < j->JB_env_list.n; i++) {
        const struct VA_Type *var = &j->JB_env_list.v[i];
        if (var->VA_variable != NULL && strncmp(var->VA_variable, ENV_SUBMIT_PREFIX, prefix) == 0 &&
            strcmp(var->VA_variable + prefix, l->variable) == 0)
            return add_text(var->VA_value, o);
    }
    return false;
}

static bool add_variables(const struct VA_Type_list *list, const char *without, struct dstr *o)
{
    size_t prefix = strlen(ENV_SUBMIT_PREFIX);
    bool is_first = true;
    for (uint32_t i = 0; i < list->n; i++) {
        const struct VA_Type *var = &list->v[i];
        if (var->VA_variable == NULL || strncmp(var->VA_variable, ENV_SUBMIT_PREFIX, prefix) == 0)
            continue;
        add_comma(is_first ? 0 : 1, o);
        dstr_add(o, var->VA_variable);
        if (var->VA_value != NULL)
            dstr_addf(o, "=%s", var->VA_value);
        else
            dstr_add(o, without);
        is_first = false;
    }
    return !is_first;
}

SHOWN(environment)
{
    return add_variables(list_of(l, j, &cull_VA_Type), j->JB_job_number == 0 ? "" : "=NONE", o);
}

SHOWN(context)
{
    return add_variables(list_of(l, j, &cull_VA_Type), "=NONE", o);
}

/* ---- values with a form of their own ---- */

static bool add_letters(uint32_t bits, const struct job_letter *table, struct dstr *o)
{
    job_letters_text(bits, table, o);
    return bits != 0;
}

SHOWN(job_number)
{
    if (j->JB_job_number == 0)
        return add_text("unassigned", o);
    dstr_addf(o, "%u", j->JB_job_number);
    return true;
}

SHOWN(exec_file)
{
    if (j->JB_job_number == 0)
        return false;
    if (j->JB_exec_file != NULL)
        return add_text(j->JB_exec_file, o);
    dstr_addf(o, "job_scripts/%u", j->JB_job_number);
    return true;
}

SHOWN(account)
{
    return add_text(j->JB_account != NULL || j->JB_job_number == 0 ? j->JB_account : "sge", o);
}

SHOWN(checkpoint_when)
{
    if (!add_letters(j->JB_checkpoint_attr, job_checkpoint_letters, o))
        return false;
    dstr_add(o, "    ");
    return true;
}

SHOWN(checkpoint_interval)
{
    if (j->JB_checkpoint_interval == 0)
        return false;
    dstr_addf(o, "%u seconds", j->JB_checkpoint_interval);
    return true;
}

SHOWN(mail_when)
{
    return add_letters(j->JB_mail_options, job_mail_letters, o);
}

SHOWN(priority)
{
    int base = JOB_PRIORITY_BASE;
    if (!cull_has(j, JB_priority) || (int)j->JB_priority == base)
        return false;
    dstr_addf(o, "%d", (int)j->JB_priority - base);
    return true;
}

SHOWN(restart)
{
    return j->JB_restart != RESTART_AS_QUEUE &&
           add_text(j->JB_restart == RESTART_YES ? "y" : "n", o);
}

SHOWN(verify)
{
    return j->JB_job_number == 0 && add_text("-verify", o);
}

SHOWN(script_size)
{
    if (j->JB_job_number != 0 || j->JB_script_size == 0)
        return false;
    dstr_addf(o, "%u", j->JB_script_size);
    return true;
}

SHOWN(pe)
{
    if (j->JB_pe == NULL)
        return false;
    dstr_addf(o, "%s range: ", j->JB_pe);
    pe_slots_text(j, o);
    return true;
}

SHOWN(array)
{
    if (!job_is_array(j))
        return false;
    uint32_t last = j->JB_ja_last;
    dstr_addf(o, "%u-%u:%u", j->JB_ja_first, last, j->JB_ja_step);
    return true;
}

SHOWN(binding)
{
    if (j->JB_job_number == 0)
        return false;
    job_binding_text(j, o);
    return true;
}

SHOWN(type)
{
    bool is_binary = (j->JB_type & JOB_TYPE_BINARY) != 0,
         has_no_shell = (j->JB_type & JOB_TYPE_NO_SHELL) != 0;
    dstr_add(o, is_binary ? "binary" : has_no_shell ? "" : "NONE");
    if (has_no_shell)
        dstr_add(o, is_binary ? ",noshell" : "noshell");
    return true;
}

SHOWN(script)
{
    return j->JB_job_number == 0 && add_text(j->JB_script_ptr, o);
}

#define LINE(label, field, how)            { label, field, shown_##how, NULL },
#define LINE_OF_SUBMITTER(label, variable) { label, JB_env_list, shown_submitter, variable },
static const struct line lines[] = {
#include "libs/sgeobj/sge_optionL.h"
};

/* the lines of `qstat -j` and `qsub -verify` that say what a job is, without those of its tasks.
 * Source: qstat(1) */
static void job_lines_put(FILE *out, const struct JB_Type *job)
{
    struct dstr value = DSTR_INIT;
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        const char *label = lines[i].label;
        bool is_whole = strpbrk(label + strlen(label) - 1, " \n") != NULL;
        dstr_clear(&value);
        if (lines[i].show(&lines[i], job, &value))
            fprintf(out, is_whole ? "%s%s\n" : "%-27s %s\n", label, dstr_get(&value));
    }
    dstr_free(&value);
}

static void add_bytes(struct dstr *out, double bytes)
{
    static const char units[] = "KMGTPE";
    if (bytes <= 0) {
        dstr_add(out, "N/A");
        return;
    }
    size_t unit = 0;
    bytes /= 1024;
    while (bytes >= 1024 && unit + 1 < strlen(units)) {
        bytes /= 1024;
        unit++;
    }
    dstr_addf(out, "%.3f%c", bytes, units[unit]);
}

static void put_usage(FILE *out, const struct JAT_Type *task)
{
    double cpu = task_usage(task, "cpu"), mem = task_usage(task, "mem"),
           io = task_usage(task, "io");
    unsigned long s = cpu > 0 ? (unsigned long)cpu : 0;
    struct dstr line = DSTR_INIT;
    dstr_addf(&line, "usage%10u:            cpu=", task->JAT_task_number);
    if (s >= 86400)
        dstr_addf(&line, "%lu:", s / 86400);
    dstr_addf(&line, "%02lu:%02lu:%02lu, mem=%.5f GB s, io=%.5f GB, vmem=", s / 3600 % 24,
              s / 60 % 60, s % 60, mem > 0 ? mem : 0, io > 0 ? io : 0);
    add_bytes(&line, task_usage(task, "vmem"));
    dstr_add(&line, ", maxvmem=");
    add_bytes(&line, task_usage(task, "maxvmem"));
    dstr_addc(&line, '\n');
    fputs(dstr_get(&line), out);
    dstr_free(&line);
}

static void put_devices(FILE *out, const struct JAT_Type *task)
{
    struct dstr map = DSTR_INIT;
    allocation_devices_text(&task->JAT_granted_destin_identifier_list, &map);
    if (map.len > 0)
        fprintf(out, "resource map%3u:            %s\n", task->JAT_task_number, dstr_get(&map));
    dstr_free(&map);
}

static bool task_occupies_slot(const struct JAT_Type *task)
{
    return task->JAT_status == TASK_RUNNING || task->JAT_status == TASK_TRANSFERRING;
}

/* tasks that a limit has ended: "TASK words" */
static void put_limits(FILE *out, const struct ST_Type_list *limits)
{
    for (uint32_t i = 0; i < limits->n; i++) {
        const char *text = limits->v[i].ST_name != NULL ? limits->v[i].ST_name : "";
        size_t len = strcspn(text, " ");
        fprintf(out, "limit%*s%.*s:            %s\n", len < 10 ? (int)(10 - len) : 0, "", (int)len,
                text, text[len] != '\0' ? text + len + 1 : "");
    }
}

void job_detail_text(FILE *out, const struct job_detail *d)
{
    job_table_bar(out, '=', 62);
    job_lines_put(out, d->job);
    for (uint32_t i = 0; i < d->n_tasks; i++) {
        if (task_occupies_slot(d->tasks[i]))
            put_usage(out, d->tasks[i]);
    }
    for (uint32_t i = 0; i < d->n_tasks; i++) {
        if (task_occupies_slot(d->tasks[i]))
            fprintf(out, "binding%8u:            %s\n", d->tasks[i]->JAT_task_number,
                    d->tasks[i]->JAT_binding != NULL ? d->tasks[i]->JAT_binding : "NONE");
    }
    for (uint32_t i = 0; i < d->n_tasks; i++) {
        if (task_occupies_slot(d->tasks[i]))
            put_devices(out, d->tasks[i]);
    }
    for (uint32_t i = 0; i < d->n_tasks; i++) {
        if (d->tasks[i]->JAT_error_reason != NULL)
            fprintf(out, "error reason%11u:      %s\n", d->tasks[i]->JAT_task_number,
                    d->tasks[i]->JAT_error_reason);
    }
    put_limits(out, &d->job->JB_limit_list);
}

void job_verify_text(FILE *out, const struct JB_Type *job)
{
    job_lines_put(out, job);
}

void scheduling_info_text(FILE *out, const struct ST_Type_list *reasons)
{
    if (reasons == NULL || reasons->n == 0)
        fprintf(out, "%-27s %s\n",
                "scheduling info:", reasons == NULL ? MSG_SCHEDD_INFO_OFF : MSG_SCHEDD_INFO_NONE);
    for (uint32_t i = 0; reasons != NULL && i < reasons->n; i++)
        fprintf(out, "%-27s %s\n", i == 0 ? "scheduling info:" : "",
                reasons->v[i].ST_name ? reasons->v[i].ST_name : "");
}
