/* One job as XML: a table of elements in the order that clients know, filled by walking the descriptors. Sets of tasks, which
 * are ordinals in memory, are shown as ranges of task ids. Lists of dependencies have the form of seed 000, each once. */
#include "clients/common/job_detail.h"

#include "clients/common/msg_clients.h"
#include "clients/common/xml.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/dstr.h"

enum how {
    FIELD,        /* as its kind is, when present */
    FIELD_ALWAYS, /* a number or truth value that is shown whether present or not */
    CONSTANT,     /* clients expect it; we have only this value */
    TASK_SET,     /* ordinals as ranges of task ids */
    SPECIAL
};
typedef void (*special_fn)(struct xml *x, const struct job_detail *d);
struct element {
    enum how how;
    const char *name;
    unsigned field;    /* JB_... */
    const char *child; /* name of a list's elements; value of a CONSTANT */
    special_fn special;
};

static void put_scalar(struct xml *x, const char *name, enum cull_kind kind, const void *at)
{
    switch (kind) {
    case CULL_ULONG:
        xml_elementf(x, name, "%u", *(const uint32_t *)at);
        break;
    case CULL_ULONG64:
        xml_elementf(x, name, "%llu", (unsigned long long)*(const uint64_t *)at);
        break;
    case CULL_DOUBLE:
        xml_elementf(x, name, "%f", *(const double *)at);
        break;
    case CULL_BOOL:
        xml_element(x, name, *(const bool *)at ? "true" : "false");
        break;
    case CULL_STRING:
        xml_element(x, name, *(const char *const *)at);
        break;
    case CULL_LIST:
    case CULL_RANGES:
        break;
    }
}

static void put_range(struct xml *x, const char *child, uint32_t first, uint32_t last,
                      uint32_t step)
{
    xml_start(x, child);
    xml_elementf(x, "RN_min", "%u", first);
    xml_elementf(x, "RN_max", "%u", last);
    xml_elementf(x, "RN_step", "%u", step);
    xml_end(x);
}

static void put_ranges(struct xml *x, const char *name, const char *child,
                       const struct range_set *set)
{
    struct range r;
    xml_start(x, name);
    for (uint64_t at = 0; at <= UINT32_MAX && range_set_next_run(set, at, &r);
         at = (uint64_t)r.last + 1)
        put_range(x, child, r.first, r.last, 1);
    xml_end(x);
}

static void put_task_set(struct xml *x, const char *name, const struct JB_Type *job,
                         const struct range_set *set)
{
    struct range r;
    if (range_set_is_empty(set))
        return;
    xml_start(x, name);
    uint32_t n = job_task_count(job), step = job->JB_ja_step > 0 ? job->JB_ja_step : 1;
    for (uint64_t at = 0; at < n && range_set_next_run(set, at, &r) && r.first < n;
         at = (uint64_t)r.last + 1) {
        uint32_t last = r.last < n ? r.last : n - 1;
        put_range(x, "task_id_range", job_task_id(job, r.first), job_task_id(job, last), step);
    }
    xml_end(x);
}

/* A record of scalars, in row order, without the qmaster's own; text that is not there is left out unless IS_FULL. */
static void put_record(struct xml *x, const char *name, const struct cull_type *type,
                       const void *record, bool is_full)
{
    xml_start(x, name);
    for (unsigned i = 0; i < type->n_fields; i++) {
        const void *at = cull_member(type, record, i);
        bool is_missing = type->fields[i].kind == CULL_STRING && *(const char *const *)at == NULL;
        bool is_own = (type->fields[i].flags & CULL_OWN) != 0;
        if (!is_own && (!is_missing || is_full))
            put_scalar(x, type->fields[i].name, type->fields[i].kind, at);
    }
    xml_end(x);
}

static void put_list(struct xml *x, const struct element *e, const struct JB_Type *job,
                     const struct cull_field *field)
{
    const struct cull_list *list = cull_member(&cull_JB_Type, job, e->field);
    if (list->n == 0)
        return;
    xml_start(x, e->name);
    for (uint32_t i = 0; i < list->n; i++)
        put_record(x, e->child, field->element, cull_list_at(field->element, list, i),
                   field->element == &cull_PN_Type);
    xml_end(x);
}

static void put_field(struct xml *x, const struct element *e, const struct JB_Type *job)
{
    const struct cull_field *field = &cull_JB_Type.fields[e->field];
    const void *at = cull_member(&cull_JB_Type, job, e->field);
    if (field->kind == CULL_LIST)
        put_list(x, e, job, field);
    else if (field->kind == CULL_RANGES)
        put_ranges(x, e->name, e->child, at);
    else if (field->kind != CULL_STRING || *(const char *const *)at != NULL)
        put_scalar(x, e->name, field->kind, at);
}

static void put_exec_file(struct xml *x, const struct job_detail *d)
{
    if (d->job->JB_exec_file != NULL)
        xml_element(x, "JB_exec_file", d->job->JB_exec_file);
    else
        xml_elementf(x, "JB_exec_file", "job_scripts/%u", d->job->JB_job_number);
}

static void put_account(struct xml *x, const struct job_detail *d)
{
    xml_element(x, "JB_account", d->job->JB_account != NULL ? d->job->JB_account : "sge");
}

static void put_requests(struct xml *x, const char *name, const struct CE_Type_list *list)
{
    if (list->n == 0)
        return;
    xml_start(x, name);
    for (uint32_t i = 0; i < list->n; i++) {
        const struct CE_Type *ce = &list->v[i];
        xml_start(x, "qstat_l_requests");
        xml_element(x, "CE_name", ce->CE_name);
        xml_elementf(x, "CE_valtype", "%u", ce->CE_valtype);
        xml_element(x, "CE_stringval", ce->CE_stringval);
        xml_elementf(x, "CE_doubleval", "%f", ce->CE_doubleval);
        xml_elementf(x, "CE_relop", "%u", ce->CE_relop);
        xml_elementf(x, "CE_consumable", "%u", ce->CE_consumable);
        xml_element(x, "CE_dominant", "0");
        xml_element(x, "CE_pj_doubleval", "0.000000");
        xml_element(x, "CE_pj_dominant", "0");
        xml_elementf(x, "CE_requestable", "%u", ce->CE_requestable);
        xml_element(x, "CE_tagged", "0");
        xml_end(x);
    }
    xml_end(x);
}

static void put_hard_requests(struct xml *x, const struct job_detail *d)
{
    put_requests(x, "JB_hard_resource_list", &d->job->JB_hard_resource_list);
}

static void put_soft_requests(struct xml *x, const struct job_detail *d)
{
    put_requests(x, "JB_soft_resource_list", &d->job->JB_soft_resource_list);
}

/* The numbers that clients know for the states of a task. */
static uint32_t status_number(const struct JAT_Type *task)
{
    return task->JAT_status == TASK_RUNNING ? 128 : task->JAT_status == TASK_TRANSFERRING ? 64 : 0;
}

static void put_task(struct xml *x, const struct JAT_Type *task)
{
    xml_start(x, "ulong_sublist");
    xml_elementf(x, "JAT_status", "%u", status_number(task));
    xml_elementf(x, "JAT_task_number", "%u", task->JAT_task_number);
    if (task->JAT_scaled_usage_list.n > 0) {
        xml_start(x, "JAT_scaled_usage_list");
        for (uint32_t i = 0; i < task->JAT_scaled_usage_list.n; i++)
            put_record(x, "scaled", &cull_UA_Type, &task->JAT_scaled_usage_list.v[i], true);
        xml_end(x);
    }
    if (task->JAT_status == TASK_ERROR && task->JAT_error_reason != NULL) {
        xml_start(x, "JAT_message_list");
        xml_start(x, "ulong_sublist");
        xml_element(x, "QIM_type", "1");
        xml_element(x, "QIM_message", task->JAT_error_reason);
        xml_end(x);
        xml_end(x);
    }
    xml_elementf(x, "JAT_start_time", "%llu", (unsigned long long)task->JAT_start_time);
    xml_elementf(x, "JAT_ntix", "%f", task->JAT_ntix);
    xml_end(x);
}

static void put_tasks(struct xml *x, const struct job_detail *d)
{
    if (d->n_tasks == 0)
        return;
    xml_start(x, "JB_ja_tasks");
    for (uint32_t i = 0; i < d->n_tasks; i++)
        put_task(x, d->tasks[i]);
    xml_end(x);
}

static void put_structure(struct xml *x, const struct job_detail *d)
{
    bool is_array = job_is_array(d->job);
    xml_start(x, "JB_ja_structure");
    put_range(x, "task_id_range", is_array ? d->job->JB_ja_first : 1,
              is_array ? d->job->JB_ja_last : 1, is_array ? d->job->JB_ja_step : 1);
    xml_end(x);
}

static void put_not_held(struct xml *x, const struct job_detail *d)
{
    struct range_set ready = { 0 };
    job_ready_ids(d->job, &ready);
    put_task_set(x, "JB_ja_n_h_ids", d->job, &ready);
    range_set_free(&ready);
}

/* A whole job waits for -hold_jid, so its pending tasks are what this kind of hold lies on. */
static void put_job_held(struct xml *x, const struct job_detail *d)
{
    if (d->job->JB_jid_predecessor_list.n > 0)
        put_task_set(x, "JB_ja_j_h_ids", d->job, &d->job->JB_ja_pending_ids);
}

static void put_no_binding(struct xml *x)
{
    xml_start(x, "element");
    xml_element(x, "BN_strategy", "no_job_binding");
    xml_element(x, "BN_type", "0");
    xml_element(x, "BN_parameter_n", "0");
    xml_element(x, "BN_parameter_socket_offset", "0");
    xml_element(x, "BN_parameter_core_offset", "0");
    xml_element(x, "BN_parameter_striding_step_size", "0");
    xml_element(x, "BN_parameter_explicit", "no_explicit_binding");
    xml_end(x);
}

static void put_binding(struct xml *x, const struct job_detail *d)
{
    const struct BN_Type_list *list = &d->job->JB_binding;
    xml_start(x, "JB_binding");
    if (list->n == 0)
        put_no_binding(x);
    for (uint32_t i = 0; i < list->n; i++)
        put_record(x, "element", &cull_BN_Type, &list->v[i], true);
    xml_end(x);
}

#define F(field)                                                                                   \
    {                                                                                              \
        FIELD, #field, field, NULL, NULL                                                           \
    }
#define A(field)                                                                                   \
    {                                                                                              \
        FIELD_ALWAYS, #field, field, NULL, NULL                                                    \
    }
#define L(field, child)                                                                            \
    {                                                                                              \
        FIELD, #field, field, child, NULL                                                          \
    }
#define T(field)                                                                                   \
    {                                                                                              \
        TASK_SET, #field, field, NULL, NULL                                                        \
    }
#define C(name, value)                                                                             \
    {                                                                                              \
        CONSTANT, name, 0, value, NULL                                                             \
    }
#define S(name, function)                                                                          \
    {                                                                                              \
        SPECIAL, name, 0, NULL, function                                                           \
    }
static const struct element elements[] = {
    A(JB_job_number),
    A(JB_ar),
    S("JB_exec_file", put_exec_file),
    A(JB_submission_time),
    F(JB_owner),
    A(JB_uid),
    F(JB_group),
    A(JB_gid),
    S("JB_account", put_account),
    F(JB_project),
    F(JB_department),
    F(JB_cwd),
    F(JB_directive_prefix),
    A(JB_merge_stderr),
    L(JB_mail_list, "element"),
    A(JB_notify),
    F(JB_job_name),
    L(JB_stdout_path_list, "path_list"),
    L(JB_stdin_path_list, "path_list"),
    A(JB_jobshare),
    S("JB_hard_resource_list", put_hard_requests),
    S("JB_soft_resource_list", put_soft_requests),
    L(JB_hard_queue_list, "destin_ident_list"),
    L(JB_soft_queue_list, "destin_ident_list"),
    L(JB_master_hard_queue_list, "destin_ident_list"),
    L(JB_shell_list, "path_list"),
    L(JB_env_list, "job_sublist"),
    L(JB_job_args, "element"),
    F(JB_script_file),
    S("JB_ja_tasks", put_tasks),
    L(JB_context, "context_list"),
    L(JB_stderr_path_list, "path_list"),
    L(JB_jid_request_list, "element"),
    L(JB_jid_predecessor_list, "element"),
    L(JB_jid_sucessor_list, "element"),
    L(JB_ja_ad_request_list, "element"),
    L(JB_ja_ad_predecessor_list, "element"),
    L(JB_ja_ad_sucessor_list, "element"),
    A(JB_deadline),
    A(JB_execution_time),
    F(JB_checkpoint_name),
    A(JB_checkpoint_attr),
    A(JB_checkpoint_interval),
    A(JB_reserve),
    A(JB_mail_options),
    A(JB_priority),
    A(JB_restart),
    C("JB_verify", "0"),
    A(JB_script_size),
    F(JB_pe),
    L(JB_pe_range, "ranges"),
    A(JB_verify_suitable_queues),
    C("JB_soft_wallclock_gmt", "0"),
    C("JB_hard_wallclock_gmt", "0"),
    A(JB_override_tickets),
    A(JB_version),
    S("JB_ja_structure", put_structure),
    S("JB_ja_n_h_ids", put_not_held),
    T(JB_ja_u_h_ids),
    T(JB_ja_o_h_ids),
    T(JB_ja_s_h_ids),
    S("JB_ja_j_h_ids", put_job_held),
    T(JB_ja_a_h_ids),
    A(JB_type),
    S("JB_binding", put_binding),
    A(JB_ja_task_concurrency),
    C("JB_nurg", "0.000000"),
};
#undef F
#undef A
#undef L
#undef T
#undef C
#undef S

static void put_element(struct xml *x, const struct element *e, const struct job_detail *d)
{
    switch (e->how) {
    case FIELD:
        if (cull_is_present(d->job, e->field))
            put_field(x, e, d->job);
        break;
    case FIELD_ALWAYS:
        put_field(x, e, d->job);
        break;
    case CONSTANT:
        xml_element(x, e->name, e->child);
        break;
    case TASK_SET:
        put_task_set(x, e->name, d->job, cull_member(&cull_JB_Type, d->job, e->field));
        break;
    case SPECIAL:
        e->special(x, d);
        break;
    }
}

void job_detail_xml(struct xml *x, const struct job_detail *d)
{
    xml_start(x, "element");
    for (size_t i = 0; i < ARRAY_LEN(elements); i++)
        put_element(x, &elements[i], d);
    xml_end(x);
}

static void put_message(struct xml *x, const char *number, const char *text)
{
    xml_start(x, "element");
    xml_element(x, "MES_message_number", number);
    xml_element(x, "MES_message", text);
    xml_end(x);
}

/* 83 is the number clients know for "not collected"; reasons of our scheduler have no number of their own. */
void scheduling_info_xml(struct xml *x, const struct ST_Type_list *reasons)
{
    xml_start(x, "messages");
    xml_start(x, "element");
    xml_start(x, "SME_global_message_list");
    if (reasons == NULL)
        put_message(x, "83", MSG_SCHEDD_INFO_OFF);
    for (uint32_t i = 0; reasons != NULL && i < reasons->n; i++)
        put_message(x, "0", reasons->v[i].ST_name);
    xml_end(x);
    xml_end(x);
    xml_end(x);
}
