/* The block of `qstat -j`: a table of labels, each with the function that finds its value; no value, no line. Order, labels
 * and spelling are captured behaviour and, for the lists of dependencies, those of seed 000. */
#include "clients/common/job_detail.h"

#include "clients/common/job_requests.h"
#include "clients/common/job_table.h"
#include "clients/common/msg_clients.h"
#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"

/* Appends the value; false when the job has none and the line is not printed. */
typedef bool (*value_fn)(const struct JB_Type *job, struct dstr *out);

static bool add_text(const char *text, struct dstr *out)
{
    if (text == NULL)
        return false;
    dstr_add(out, text);
    return true;
}

static bool add_number(uint64_t number, bool is_shown, struct dstr *out)
{
    if (is_shown)
        dstr_addf(out, "%llu", (unsigned long long)number);
    return is_shown;
}

static bool add_time(uint64_t at_s, struct dstr *out)
{
    if (at_s != 0)
        uti_time_ctime(at_s, out);
    return at_s != 0;
}

static void add_comma(uint32_t i, struct dstr *out)
{
    if (i > 0)
        dstr_addc(out, ',');
}

static bool v_number(const struct JB_Type *j, struct dstr *o)
{
    if (j->JB_job_number == 0)
        return add_text("unassigned", o);
    return add_number(j->JB_job_number, true, o);
}

static bool v_exec_file(const struct JB_Type *j, struct dstr *o)
{
    if (j->JB_job_number == 0)
        return false;
    if (j->JB_exec_file != NULL)
        return add_text(j->JB_exec_file, o);
    dstr_addf(o, "job_scripts/%u", j->JB_job_number);
    return true;
}

static bool v_submission_time(const struct JB_Type *j, struct dstr *o)
{
    return add_time(j->JB_submission_time, o);
}
static bool v_deadline(const struct JB_Type *j, struct dstr *o)
{
    return add_time(j->JB_deadline, o);
}
static bool v_owner(const struct JB_Type *j, struct dstr *o)
{
    return add_text(j->JB_owner != NULL ? j->JB_owner : "", o);
}
static bool v_uid(const struct JB_Type *j, struct dstr *o)
{
    return add_number(j->JB_uid, true, o);
}
static bool v_group(const struct JB_Type *j, struct dstr *o)
{
    return add_text(j->JB_group != NULL ? j->JB_group : "", o);
}
static bool v_gid(const struct JB_Type *j, struct dstr *o)
{
    return add_number(j->JB_gid, true, o);
}

static bool add_submit_env(const struct JB_Type *j, const char *name, struct dstr *o)
{
    size_t prefix = strlen(ENV_SUBMIT_PREFIX);
    for (uint32_t i = 0; i < j->JB_env_list.n; i++) {
        const struct VA_Type *var = &j->JB_env_list.v[i];
        if (var->VA_variable != NULL && strncmp(var->VA_variable, ENV_SUBMIT_PREFIX, prefix) == 0 &&
            strcmp(var->VA_variable + prefix, name) == 0)
            return add_text(var->VA_value, o);
    }
    return false;
}

static bool v_o_home(const struct JB_Type *j, struct dstr *o)
{
    return add_submit_env(j, "O_HOME", o);
}
static bool v_o_logname(const struct JB_Type *j, struct dstr *o)
{
    return add_submit_env(j, "O_LOGNAME", o);
}
static bool v_o_path(const struct JB_Type *j, struct dstr *o)
{
    return add_submit_env(j, "O_PATH", o);
}
static bool v_o_shell(const struct JB_Type *j, struct dstr *o)
{
    return add_submit_env(j, "O_SHELL", o);
}
static bool v_o_tz(const struct JB_Type *j, struct dstr *o)
{
    return add_submit_env(j, "O_TZ", o);
}
static bool v_o_workdir(const struct JB_Type *j, struct dstr *o)
{
    return add_submit_env(j, "O_WORKDIR", o);
}
static bool v_o_host(const struct JB_Type *j, struct dstr *o)
{
    return add_submit_env(j, "O_HOST", o);
}
static bool v_execution_time(const struct JB_Type *j, struct dstr *o)
{
    return add_time(j->JB_execution_time, o);
}
static bool v_account(const struct JB_Type *j, struct dstr *o)
{
    return add_text(j->JB_account != NULL || j->JB_job_number == 0 ? j->JB_account : "sge", o);
}
static bool v_checkpoint(const struct JB_Type *j, struct dstr *o)
{
    return add_text(j->JB_checkpoint_name, o);
}

static bool add_letters(uint32_t bits, const char *letters, const uint32_t *values, struct dstr *o)
{
    for (size_t i = 0; letters[i] != '\0'; i++) {
        if ((bits & values[i]) != 0)
            dstr_addc(o, letters[i]);
    }
    return bits != 0;
}

static bool v_checkpoint_attr(const struct JB_Type *j, struct dstr *o)
{
    static const uint32_t values[] = { CHECKPOINT_NEVER, CHECKPOINT_AT_SHUTDOWN,
                                       CHECKPOINT_AT_MINIMUM_INTERVAL, CHECKPOINT_SUSPEND,
                                       CHECKPOINT_RESCHEDULE };
    size_t start = o->len;
    if (!add_letters(j->JB_checkpoint_attr, "nsmxr", values, o))
        return false;
    while (o->len < start + 6)
        dstr_addc(o, ' ');
    return true;
}

static bool v_cwd(const struct JB_Type *j, struct dstr *o)
{
    return add_text(j->JB_cwd, o);
}

static bool v_prefix(const struct JB_Type *j, struct dstr *o)
{
    return add_text(j->JB_directive_prefix, o);
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

static bool v_stderr(const struct JB_Type *j, struct dstr *o)
{
    return add_paths(&j->JB_stderr_path_list, true, o);
}
static bool v_stdout(const struct JB_Type *j, struct dstr *o)
{
    return add_paths(&j->JB_stdout_path_list, true, o);
}
static bool v_stdin(const struct JB_Type *j, struct dstr *o)
{
    return add_paths(&j->JB_stdin_path_list, true, o);
}
static bool v_shells(const struct JB_Type *j, struct dstr *o)
{
    return add_paths(&j->JB_shell_list, false, o);
}
static bool v_reserve(const struct JB_Type *j, struct dstr *o)
{
    return j->JB_reserve && add_text("y", o);
}
static bool v_merge(const struct JB_Type *j, struct dstr *o)
{
    return j->JB_merge_stderr && add_text("y", o);
}

static bool add_resources(const struct CE_Type_list *list, struct dstr *o)
{
    for (uint32_t i = 0; i < list->n; i++) {
        add_comma(i, o);
        dstr_addf(o, "%s=%s", list->v[i].CE_name != NULL ? list->v[i].CE_name : "",
                  list->v[i].CE_stringval != NULL ? list->v[i].CE_stringval : "");
    }
    return list->n > 0;
}

static bool v_hard(const struct JB_Type *j, struct dstr *o)
{
    return add_resources(&j->JB_hard_resource_list, o);
}
static bool v_soft(const struct JB_Type *j, struct dstr *o)
{
    return add_resources(&j->JB_soft_resource_list, o);
}

static bool v_mail_options(const struct JB_Type *j, struct dstr *o)
{
    static const uint32_t values[] = { MAIL_AT_ABORT, MAIL_AT_BEGIN, MAIL_AT_EXIT,
                                       MAIL_AT_SUSPENSION };
    return add_letters(j->JB_mail_options, "abes", values, o);
}

static bool v_mail_list(const struct JB_Type *j, struct dstr *o)
{
    for (uint32_t i = 0; i < j->JB_mail_list.n; i++) {
        const struct MR_Type *m = &j->JB_mail_list.v[i];
        add_comma(i, o);
        dstr_add(o, m->MR_user != NULL ? m->MR_user : "");
        if (m->MR_host != NULL)
            dstr_addf(o, "@%s", m->MR_host);
    }
    return j->JB_mail_list.n > 0;
}

static bool v_notify(const struct JB_Type *j, struct dstr *o)
{
    return add_text(j->JB_notify ? "TRUE" : "FALSE", o);
}
static bool v_name(const struct JB_Type *j, struct dstr *o)
{
    return add_text(j->JB_job_name, o);
}

static bool v_priority(const struct JB_Type *j, struct dstr *o)
{
    int base = JOB_PRIORITY_BASE;
    if (!cull_has(j, JB_priority) || (int)j->JB_priority == base)
        return false;
    dstr_addf(o, "%d", (int)j->JB_priority - base);
    return true;
}

static bool v_jobshare(const struct JB_Type *j, struct dstr *o)
{
    return add_number(j->JB_jobshare, true, o);
}

static bool add_queues(const struct QR_Type_list *list, struct dstr *o)
{
    for (uint32_t i = 0; i < list->n; i++) {
        add_comma(i, o);
        dstr_add(o, list->v[i].QR_name != NULL ? list->v[i].QR_name : "");
    }
    return list->n > 0;
}

static bool v_hard_queues(const struct JB_Type *j, struct dstr *o)
{
    return add_queues(&j->JB_hard_queue_list, o);
}
static bool v_soft_queues(const struct JB_Type *j, struct dstr *o)
{
    return add_queues(&j->JB_soft_queue_list, o);
}
static bool v_master_queues(const struct JB_Type *j, struct dstr *o)
{
    return add_queues(&j->JB_master_hard_queue_list, o);
}

static bool v_restart(const struct JB_Type *j, struct dstr *o)
{
    return j->JB_restart != RESTART_AS_QUEUE &&
           add_text(j->JB_restart == RESTART_YES ? "y" : "n", o);
}

static bool v_verify(const struct JB_Type *j, struct dstr *o)
{
    return j->JB_job_number == 0 && add_text("-verify", o);
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

static bool v_env(const struct JB_Type *j, struct dstr *o)
{
    return add_variables(&j->JB_env_list, j->JB_job_number == 0 ? "" : "=NONE", o);
}

static bool v_context(const struct JB_Type *j, struct dstr *o)
{
    return add_variables(&j->JB_context, "=NONE", o);
}

static bool v_args(const struct JB_Type *j, struct dstr *o)
{
    for (uint32_t i = 0; i < j->JB_job_args.n; i++) {
        add_comma(i, o);
        dstr_add(o, j->JB_job_args.v[i].ST_name != NULL ? j->JB_job_args.v[i].ST_name : "");
    }
    return j->JB_job_args.n > 0;
}

static bool v_script_size(const struct JB_Type *j, struct dstr *o)
{
    return add_number(j->JB_script_size, j->JB_job_number == 0 && j->JB_script_size > 0, o);
}

static bool v_script_file(const struct JB_Type *j, struct dstr *o)
{
    return add_text(j->JB_script_file, o);
}

static bool v_pe(const struct JB_Type *j, struct dstr *o)
{
    if (j->JB_pe == NULL)
        return false;
    dstr_addf(o, "%s range: ", j->JB_pe);
    job_pe_range_text(j, o);
    return true;
}

static bool v_jid_req(const struct JB_Type *j, struct dstr *o)
{
    job_request_list_text(&j->JB_jid_request_list, o);
    return j->JB_jid_request_list.n > 0;
}

static bool add_ids(const struct JRE_Type_list *list, struct dstr *o)
{
    job_ids_list_text(list, o);
    return list->n > 0;
}

static bool v_jid(const struct JB_Type *j, struct dstr *o)
{
    return add_ids(&j->JB_jid_predecessor_list, o);
}
static bool v_jid_suc(const struct JB_Type *j, struct dstr *o)
{
    return add_ids(&j->JB_jid_sucessor_list, o);
}

static bool v_ad_req(const struct JB_Type *j, struct dstr *o)
{
    job_request_list_text(&j->JB_ja_ad_request_list, o);
    return j->JB_ja_ad_request_list.n > 0;
}

static bool v_ad(const struct JB_Type *j, struct dstr *o)
{
    return add_ids(&j->JB_ja_ad_predecessor_list, o);
}
static bool v_ad_suc(const struct JB_Type *j, struct dstr *o)
{
    return add_ids(&j->JB_ja_ad_sucessor_list, o);
}

static bool v_suitable(const struct JB_Type *j, struct dstr *o)
{
    return add_number(j->JB_verify_suitable_queues, j->JB_verify_suitable_queues != 0, o);
}

static bool v_version(const struct JB_Type *j, struct dstr *o)
{
    return add_number(j->JB_version, j->JB_version > 0, o);
}
static bool v_project(const struct JB_Type *j, struct dstr *o)
{
    return add_text(j->JB_project, o);
}

static bool v_array(const struct JB_Type *j, struct dstr *o)
{
    if (!job_is_array(j))
        return false;
    uint32_t last = j->JB_ja_last;
    dstr_addf(o, "%u-%u:%u", j->JB_ja_first, last, j->JB_ja_step);
    return true;
}

static bool v_concurrency(const struct JB_Type *j, struct dstr *o)
{
    return add_number(j->JB_ja_task_concurrency, j->JB_ja_task_concurrency > 0, o);
}

static bool v_binding(const struct JB_Type *j, struct dstr *o)
{
    if (j->JB_job_number == 0)
        return false;
    job_binding_text(j, o);
    return true;
}

static bool v_type(const struct JB_Type *j, struct dstr *o)
{
    bool is_binary = (j->JB_type & JOB_TYPE_BINARY) != 0,
         has_no_shell = (j->JB_type & JOB_TYPE_NO_SHELL) != 0;
    dstr_add(o, is_binary ? "binary" : has_no_shell ? "" : "NONE");
    if (has_no_shell)
        dstr_add(o, is_binary ? ",noshell" : "noshell");
    return true;
}

static const struct detail_line {
    const char *label;
    value_fn value;
} lines[] = {
    { "job_number:", v_number },
    { "exec_file:", v_exec_file },
    { "submission_time:", v_submission_time },
    { "deadline:", v_deadline },
    { "owner:", v_owner },
    { "uid:", v_uid },
    { "group:", v_group },
    { "gid:", v_gid },
    { "sge_o_home:", v_o_home },
    { "sge_o_log_name:", v_o_logname },
    { "sge_o_path:", v_o_path },
    { "sge_o_shell:", v_o_shell },
    { "sge_o_tz:", v_o_tz },
    { "sge_o_workdir:", v_o_workdir },
    { "sge_o_host:", v_o_host },
    { "execution_time:", v_execution_time },
    { "account:", v_account },
    { "checkpoint_object:", v_checkpoint },
    { "checkpoint_attr:", v_checkpoint_attr },
    { "cwd:", v_cwd },
    { "directive_prefix:", v_prefix },
    { "stderr_path_list:", v_stderr },
    { "reserve:", v_reserve },
    { "merge:", v_merge },
    { "hard resource_list:", v_hard },
    { "soft resource_list:", v_soft },
    { "mail_options:", v_mail_options },
    { "mail_list:", v_mail_list },
    { "notify:", v_notify },
    { "job_name:", v_name },
    { "stdout_path_list:", v_stdout },
    { "stdin_path_list:", v_stdin },
    { "priority:", v_priority },
    { "jobshare:", v_jobshare },
    { "hard_queue_list:", v_hard_queues },
    { "soft_queue_list:", v_soft_queues },
    { "master_hard_queue_list:", v_master_queues },
    { "restart:", v_restart },
    { "shell_list:", v_shells },
    { "verify:", v_verify },
    { "env_list:", v_env },
    { "job_args:", v_args },
    { "script_size:", v_script_size },
    { "script_file:", v_script_file },
};

static const struct detail_line lines_after_script[] = {
    { "jid_predecessor_list (req):", v_jid_req },
    { "jid_predecessor_list:", v_jid },
    { "jid_sucessor_list:", v_jid_suc },
    { "ja_ad_predecessor_list (req):", v_ad_req },
    { "ja_ad_predecessor_list:", v_ad },
    { "ja_ad_sucessor_list:", v_ad_suc },
    { "verify_suitable_queues:", v_suitable },
    { "version:", v_version },
    { "project:", v_project },
    { "job-array tasks:", v_array },
    { "maximum concurrency:", v_concurrency },
    { "context:", v_context },
    { "binding:", v_binding },
    { "job_type:", v_type },
};

static void put_lines(FILE *out, const struct detail_line *rows, size_t n,
                      const struct JB_Type *job)
{
    struct dstr value = DSTR_INIT;
    for (size_t i = 0; i < n; i++) {
        dstr_clear(&value);
        if (rows[i].value(job, &value))
            fprintf(out, "%-27s %s\n", rows[i].label, dstr_get(&value));
    }
    dstr_free(&value);
}

static void put_job(FILE *out, const struct JB_Type *job)
{
    put_lines(out, lines, ARRAY_LEN(lines), job);
    if (job->JB_job_number == 0 && job->JB_script_ptr != NULL)
        fprintf(out, "script_ptr:            \n%s\n", job->JB_script_ptr);
    struct dstr pe = DSTR_INIT;
    if (v_pe(job, &pe))
        fprintf(out, "parallel environment:  %s\n", dstr_get(&pe));
    dstr_free(&pe);
    put_lines(out, lines_after_script, ARRAY_LEN(lines_after_script), job);
}

static void put_bytes(FILE *out, double bytes)
{
    static const char units[] = "KMGTPE";
    if (bytes <= 0) {
        fputs("N/A", out);
        return;
    }
    size_t unit = 0;
    bytes /= 1024;
    while (bytes >= 1024 && unit + 1 < strlen(units)) {
        bytes /= 1024;
        unit++;
    }
    fprintf(out, "%.3f%c", bytes, units[unit]);
}

static void put_usage(FILE *out, const struct JAT_Type *task)
{
    double cpu = task_usage(task, "cpu"), mem = task_usage(task, "mem"),
           io = task_usage(task, "io");
    unsigned long s = cpu > 0 ? (unsigned long)cpu : 0;
    fprintf(out, "usage%10u:            cpu=", task->JAT_task_number);
    if (s >= 86400)
        fprintf(out, "%lu:", s / 86400);
    fprintf(out, "%02lu:%02lu:%02lu, mem=%.5f GB s, io=%.5f GB, vmem=", s / 3600 % 24, s / 60 % 60,
            s % 60, mem > 0 ? mem : 0, io > 0 ? io : 0);
    put_bytes(out, task_usage(task, "vmem"));
    fputs(", maxvmem=", out);
    put_bytes(out, task_usage(task, "maxvmem"));
    fputc('\n', out);
}

static bool task_occupies_slot(const struct JAT_Type *task)
{
    return task->JAT_status == TASK_RUNNING || task->JAT_status == TASK_TRANSFERRING;
}

void job_detail_text(FILE *out, const struct job_detail *d)
{
    job_table_bar(out, '=', 62);
    put_job(out, d->job);
    struct dstr binding = DSTR_INIT;
    job_binding_text(d->job, &binding);
    for (uint32_t i = 0; i < d->n_tasks; i++) {
        if (task_occupies_slot(d->tasks[i]))
            put_usage(out, d->tasks[i]);
    }
    for (uint32_t i = 0; i < d->n_tasks; i++) {
        if (task_occupies_slot(d->tasks[i]))
            fprintf(out, "binding%8u:            %s\n", d->tasks[i]->JAT_task_number,
                    dstr_get(&binding));
    }
    for (uint32_t i = 0; i < d->n_tasks; i++) {
        if (d->tasks[i]->JAT_status == TASK_ERROR && d->tasks[i]->JAT_error_reason != NULL)
            fprintf(out, "error reason%11u:      %s\n", d->tasks[i]->JAT_task_number,
                    d->tasks[i]->JAT_error_reason);
    }
    dstr_free(&binding);
}

void job_verify_text(FILE *out, const struct JB_Type *job)
{
    put_job(out, job);
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
