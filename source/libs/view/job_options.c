/* A job as options. Invariant: what a row writes, the parser of its option reads as the same.
 * Source: submit(1). */
#include "libs/view/submit_form.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/job_state.h"
#include "libs/sgeobj/pe_match.h"
#include "libs/uti/dstr.h"

/* false: the job does not have it */
typedef bool (*value_fn)(const struct JB_Type *job, bool is_soft, struct dstr *out);

static bool add_text(const char *text, struct dstr *out)
{
    if (text != NULL)
        dstr_add(out, text);
    return text != NULL && text[0] != '\0';
}

static bool add_number(uint64_t number, struct dstr *out)
{
    dstr_addf(out, "%llu", (unsigned long long)number);
    return number > 0;
}

static bool add_time(uint64_t at_s, struct dstr *out)
{
    char text[32];
    time_t at = (time_t)at_s;
    struct tm local;
    if (at_s == 0 || localtime_r(&at, &local) == NULL ||
        strftime(text, sizeof text, "%Y%m%d%H%M.%S", &local) == 0)
        return false;
    dstr_add(out, text);
    return true;
}

static bool add_yes(bool is_so, struct dstr *out)
{
    dstr_add(out, "y");
    return is_so;
}

static void add_comma(uint32_t i, struct dstr *out)
{
    dstr_add(out, i > 0 ? "," : "");
}

static bool add_paths(const struct PN_Type_list *list, struct dstr *out)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const struct PN_Type *p = &list->v[i];
        add_comma(i, out);
        if (add_text(p->PN_host, out))
            dstr_addc(out, ':');
        (void)add_text(p->PN_path, out);
    }
    return list->n > 0;
}

static bool add_queues(const struct QR_Type_list *list, struct dstr *out)
{
    for (uint32_t i = 0; i < list->n; i++) {
        add_comma(i, out);
        (void)add_text(list->v[i].QR_name, out);
    }
    return list->n > 0;
}

static bool add_jobs(const struct JRE_Type_list *list, struct dstr *out)
{
    for (uint32_t i = 0; i < list->n; i++) {
        add_comma(i, out);
        if (!add_text(list->v[i].JRE_job_name, out))
            dstr_addf(out, "%u", list->v[i].JRE_job_number);
    }
    return list->n > 0;
}

/* ---- options ---- */

#define VALUE(name)                                                                                \
    static bool name(const struct JB_Type *job, bool is_soft SGE_UNUSED, struct dstr *out)

VALUE(value_start)
{
    return add_time(job->JB_execution_time, out);
}
VALUE(value_deadline)
{
    return add_time(job->JB_deadline, out);
}
VALUE(value_account)
{
    return add_text(job->JB_account, out);
}
VALUE(value_ckpt)
{
    return add_text(job->JB_checkpoint_name, out);
}
VALUE(value_name)
{
    return add_text(job->JB_job_name, out);
}
VALUE(value_project)
{
    return add_text(job->JB_project, out);
}
VALUE(value_directory)
{
    return add_text(job->JB_cwd, out);
}
VALUE(value_stdout)
{
    return add_paths(&job->JB_stdout_path_list, out);
}
VALUE(value_stderr)
{
    return add_paths(&job->JB_stderr_path_list, out);
}
VALUE(value_stdin)
{
    return add_paths(&job->JB_stdin_path_list, out);
}
VALUE(value_shell)
{
    return add_paths(&job->JB_shell_list, out);
}
VALUE(value_merge)
{
    return add_yes(job->JB_merge_stderr, out);
}
VALUE(value_reserve)
{
    return add_yes(job->JB_reserve, out);
}
VALUE(value_error)
{
    return add_yes(job->JB_hard_error_handling, out);
}
VALUE(value_notify)
{
    return job->JB_notify && out != NULL;
}
VALUE(value_tickets)
{
    return add_number(job->JB_override_tickets, out);
}
VALUE(value_share)
{
    return add_number(job->JB_jobshare, out);
}
VALUE(value_concurrency)
{
    return add_number(job->JB_ja_task_concurrency, out);
}
VALUE(value_hold_jid)
{
    return add_jobs(&job->JB_jid_request_list, out);
}
VALUE(value_hold_jid_ad)
{
    return add_jobs(&job->JB_ja_ad_request_list, out);
}
VALUE(value_masterq)
{
    return add_queues(&job->JB_master_hard_queue_list, out);
}

VALUE(value_queues)
{
    return add_queues(is_soft ? &job->JB_soft_queue_list : &job->JB_hard_queue_list, out);
}

VALUE(value_resources)
{
    const struct CE_Type_list *list =
        is_soft ? &job->JB_soft_resource_list : &job->JB_hard_resource_list;
    for (uint32_t i = 0; i < list->n; i++) {
        add_comma(i, out);
        (void)add_text(list->v[i].CE_name, out);
        if (list->v[i].CE_stringval != NULL)
            dstr_addf(out, "=%s", list->v[i].CE_stringval);
    }
    return list->n > 0;
}

VALUE(value_priority)
{
    dstr_addf(out, "%d", (int)job->JB_priority - JOB_PRIORITY_BASE);
    return job->JB_priority != JOB_PRIORITY_BASE;
}

VALUE(value_restart)
{
    dstr_add(out, job->JB_restart == RESTART_YES ? "y" : "n");
    return job->JB_restart != RESTART_AS_QUEUE;
}

VALUE(value_pe)
{
    if (!add_text(job->JB_pe, out))
        return false;
    dstr_addc(out, ' ');
    pe_slots_text(job, out);
    return true;
}

VALUE(value_mail_list)
{
    for (uint32_t i = 0; i < job->JB_mail_list.n; i++) {
        const struct MR_Type *to = &job->JB_mail_list.v[i];
        add_comma(i, out);
        (void)add_text(to->MR_user, out);
        if (to->MR_host != NULL && to->MR_host[0] != '\0')
            dstr_addf(out, "@%s", to->MR_host);
    }
    return job->JB_mail_list.n > 0;
}

VALUE(value_mail)
{
    job_letters_text(job->JB_mail_options, job_mail_letters, out);
    return job->JB_mail_options != 0;
}

VALUE(value_checkpoint)
{
    if (job->JB_checkpoint_interval > 0)
        return add_number(job->JB_checkpoint_interval, out);
    job_letters_text(job->JB_checkpoint_attr, job_checkpoint_letters, out);
    return job->JB_checkpoint_attr != 0;
}

static const struct {
    const char *option;
    value_fn value;
} values[] = {
    { "-a", value_start },      { "-A", value_account },
    { "-c", value_checkpoint }, { "-ckpt", value_ckpt },
    { "-dl", value_deadline },  { "-e", value_stderr },
    { "-he", value_error },     { "-hold_jid", value_hold_jid },
    { "-i", value_stdin },      { "-hold_jid_ad", value_hold_jid_ad },
    { "-j", value_merge },      { "-js", value_share },
    { "-l", value_resources },  { "-M", value_mail_list },
    { "-m", value_mail },       { "-masterq", value_masterq },
    { "-N", value_name },       { "-notify", value_notify },
    { "-o", value_stdout },     { "-ot", value_tickets },
    { "-P", value_project },    { "-p", value_priority },
    { "-pe", value_pe },        { "-q", value_queues },
    { "-R", value_reserve },    { "-r", value_restart },
    { "-S", value_shell },      { "-tc", value_concurrency },
    { "-wd", value_directory },
};

bool job_option_value(const struct JB_Type *job, const char *option, bool is_soft, struct dstr *out)
{
    struct dstr value = DSTR_INIT;
    bool has_it = false;
    for (size_t i = 0; i < ARRAY_LEN(values); i++)
        if (strcmp(values[i].option, option) == 0)
            has_it = values[i].value(job, is_soft, &value);
    if (has_it)
        dstr_add(out, dstr_get(&value));
    dstr_free(&value);
    return has_it;
}

void job_options_fill(struct submit_form *form, const struct JB_Type *job)
{
    for (uint32_t i = 0; i < submit_form_count(form); i++) {
        const struct form_field *field = submit_form_at(form, i);
        struct dstr value = DSTR_INIT;
        bool has_it = job_option_value(job, field->row->name, field->is_soft, &value);
        submit_form_was(form, field, has_it ? dstr_get(&value) : NULL);
        dstr_free(&value);
    }
}
