/* One job as XML and JSON: its fields, each as its kind is, in the order of their rows, which is
 * the one that clients know, and a table of what differs. Sets of tasks, which are ordinals in
 * memory, are shown as ranges of task ids. Lists of dependencies have the form of seed 000, each
 * once. */
#include "libs/show/job_detail.h"

#include "libs/doc/doc.h"
#include "libs/sgeobj/job_state.h"
#include "libs/show/msg_show.h"
#include "libs/uti/dstr.h"

typedef void (*special_fn)(struct doc *d, const struct job_detail *job);

static void put_value(struct doc *d, const char *name, struct doc_value value)
{
    const struct doc_field field = { .name = name, .xml = { .digits = 6 } };
    doc_field(d, &field, value);
}

static struct doc_value scalar_value(enum cull_kind kind, const void *at)
{
    switch (kind) {
    case CULL_ULONG:
        return doc_number(*(const uint32_t *)at);
    case CULL_ULONG64:
        return doc_number(*(const uint64_t *)at);
    case CULL_DOUBLE:
        return doc_real(*(const double *)at);
    case CULL_BOOL:
        return doc_bool(*(const bool *)at);
    case CULL_STRING:
        return doc_string(*(const char *const *)at);
    case CULL_LIST:
    case CULL_RANGES:
        break;
    }
    return doc_none(NULL);
}

static void put_range(struct doc *d, const char *child, uint32_t first, uint32_t last,
                      uint32_t step)
{
    const struct doc_kind kind = { .name = child };
    doc_begin(d, &kind);
    put_value(d, "RN_min", doc_number(first));
    put_value(d, "RN_max", doc_number(last));
    put_value(d, "RN_step", doc_number(step));
    doc_end(d);
}

static void put_ranges(struct doc *d, const char *name, const char *child,
                       const struct range_set *set)
{
    const struct doc_kind kind = { .name = name };
    struct range r;
    doc_list(d, &kind);
    for (uint64_t at = 0; at <= UINT32_MAX && range_set_next_run(set, at, &r);
         at = (uint64_t)r.last + 1)
        put_range(d, child, r.first, r.last, 1);
    doc_end(d);
}

static void put_task_set(struct doc *d, const char *name, const struct JB_Type *job,
                         const struct range_set *set)
{
    const struct doc_kind kind = { .name = name };
    struct range r;
    if (range_set_is_empty(set))
        return;
    doc_list(d, &kind);
    uint32_t n = job_task_count(job), step = job->JB_ja_step > 0 ? job->JB_ja_step : 1;
    for (uint64_t at = 0; at < n && range_set_next_run(set, at, &r) && r.first < n;
         at = (uint64_t)r.last + 1) {
        uint32_t last = r.last < n ? r.last : n - 1;
        put_range(d, "task_id_range", job_task_id(job, r.first), job_task_id(job, last), step);
    }
    doc_end(d);
}

/* A record of scalars, in row order, without the qmaster's own; text that is not there is left out
 * unless IS_FULL. */
static void put_record(struct doc *d, const char *name, const struct cull_type *type,
                       const void *record, bool is_full)
{
    const struct doc_kind kind = { .name = name };
    doc_begin(d, &kind);
    for (unsigned i = 0; i < type->n_fields; i++) {
        const void *at = cull_member(type, record, i);
        bool is_missing = type->fields[i].kind == CULL_STRING && *(const char *const *)at == NULL;
        bool is_own = (type->fields[i].flags & CULL_OWN) != 0;
        if (!is_own && (!is_missing || is_full))
            put_value(d, type->fields[i].name, scalar_value(type->fields[i].kind, at));
    }
    doc_end(d);
}

/* what a list calls its elements, where it is not "element" */
static const struct {
    unsigned field;
    const char *name;
} element_names[] = {
    { JB_stdin_path_list, "path_list" },
    { JB_stdout_path_list, "path_list" },
    { JB_stderr_path_list, "path_list" },
    { JB_shell_list, "path_list" },
    { JB_hard_queue_list, "destin_ident_list" },
    { JB_soft_queue_list, "destin_ident_list" },
    { JB_master_hard_queue_list, "destin_ident_list" },
    { JB_env_list, "job_sublist" },
    { JB_context, "context_list" },
};

const char *job_detail_element_name(unsigned f)
{
    if (cull_JB_Type.fields[f].kind == CULL_RANGES)
        return "task_id_range";
    for (size_t i = 0; i < ARRAY_LEN(element_names); i++)
        if (element_names[i].field == f)
            return element_names[i].name;
    return "element";
}

static void put_list(struct doc *d, unsigned f, const struct cull_list *list)
{
    const struct cull_field *field = &cull_JB_Type.fields[f];
    const struct doc_kind kind = { .name = field->name };
    if (list->n == 0)
        return;
    doc_list(d, &kind);
    for (uint32_t i = 0; i < list->n; i++)
        put_record(d, job_detail_element_name(f), field->element,
                   cull_list_at(field->element, list, i), field->element == &cull_PN_Type);
    doc_end(d);
}

/* FIELD as its kind is; one without a value is left out, unless its row wants it always */
static void put_field(struct doc *d, unsigned f, const struct JB_Type *job)
{
    const struct cull_field *field = &cull_JB_Type.fields[f];
    const void *at = cull_member(&cull_JB_Type, job, f);
    bool is_always = (field->flags & JOB_ALWAYS_SHOWN) != 0;
    if (field->kind == CULL_LIST)
        put_list(d, f, at);
    else if (field->kind == CULL_RANGES)
        put_task_set(d, field->name, job, at);
    else if (field->kind == CULL_STRING && *(const char *const *)at == NULL)
        return;
    else if (is_always || cull_is_present(job, f))
        put_value(d, field->name, scalar_value(field->kind, at));
}

static void put_exec_file(struct doc *d, const struct job_detail *of)
{
    struct dstr path = DSTR_INIT;
    dstr_addf(&path, "job_scripts/%u", of->job->JB_job_number);
    const char *file = of->job->JB_exec_file;
    put_value(d, "JB_exec_file", doc_string(file != NULL ? file : dstr_get(&path)));
    dstr_free(&path);
}

static void put_account(struct doc *d, const struct job_detail *of)
{
    put_value(d, "JB_account",
              doc_string(of->job->JB_account != NULL ? of->job->JB_account : "sge"));
}

static void put_request(struct doc *d, const struct CE_Type *ce)
{
    static const struct doc_kind kind = { .name = "qstat_l_requests" };
    doc_begin(d, &kind);
    put_value(d, "CE_name", doc_string(ce->CE_name));
    put_value(d, "CE_valtype", doc_number(ce->CE_valtype));
    put_value(d, "CE_stringval", doc_string(ce->CE_stringval));
    put_value(d, "CE_doubleval", doc_real(ce->CE_doubleval));
    put_value(d, "CE_relop", doc_number(ce->CE_relop));
    put_value(d, "CE_consumable", doc_number(ce->CE_consumable));
    put_value(d, "CE_dominant", doc_number(0));
    put_value(d, "CE_pj_doubleval", doc_real(0));
    put_value(d, "CE_pj_dominant", doc_number(0));
    put_value(d, "CE_requestable", doc_number(ce->CE_requestable));
    put_value(d, "CE_tagged", doc_number(0));
    doc_end(d);
}

static void put_requests(struct doc *d, const char *name, const struct CE_Type_list *list)
{
    const struct doc_kind kind = { .name = name };
    if (list->n == 0)
        return;
    doc_list(d, &kind);
    for (uint32_t i = 0; i < list->n; i++)
        put_request(d, &list->v[i]);
    doc_end(d);
}

static void put_hard_requests(struct doc *d, const struct job_detail *of)
{
    put_requests(d, "JB_hard_resource_list", &of->job->JB_hard_resource_list);
}

static void put_soft_requests(struct doc *d, const struct job_detail *of)
{
    put_requests(d, "JB_soft_resource_list", &of->job->JB_soft_resource_list);
}

/* The numbers that clients know for the states of a task. */
static uint32_t status_number(const struct JAT_Type *task)
{
    return task->JAT_status == TASK_RUNNING ? 128 : task->JAT_status == TASK_TRANSFERRING ? 64 : 0;
}

static const struct doc_kind sublist_kind = { .name = "ulong_sublist" };

static void put_usage(struct doc *d, const struct UA_Type_list *list)
{
    static const struct doc_kind kind = { .name = "JAT_scaled_usage_list" };
    if (list->n == 0)
        return;
    doc_list(d, &kind);
    for (uint32_t i = 0; i < list->n; i++)
        put_record(d, "scaled", &cull_UA_Type, &list->v[i], true);
    doc_end(d);
}

static void put_error(struct doc *d, const char *reason)
{
    static const struct doc_kind kind = { .name = "JAT_message_list" };
    doc_list(d, &kind);
    doc_begin(d, &sublist_kind);
    put_value(d, "QIM_type", doc_number(1));
    put_value(d, "QIM_message", doc_string(reason));
    doc_end(d);
    doc_end(d);
}

/* ---- devices ---- */
static void put_names(struct doc *d, const struct ST_Type_list *names)
{
    static const struct doc_kind kind = { .name = "GRU_devices" };
    doc_list(d, &kind);
    for (uint32_t i = 0; i < names->n; i++)
        put_value(d, "device", doc_string(names->v[i].ST_name));
    doc_end(d);
}

static void put_granted(struct doc *d, const struct JG_Type *entry)
{
    static const struct doc_kind kind = { .name = "granted_resource" };
    for (uint32_t i = 0; i < entry->JG_taken.n; i++) {
        const struct TK_Type *taken = &entry->JG_taken.v[i];
        if (taken->TK_devices.n == 0)
            continue;
        doc_begin(d, &kind);
        put_value(d, "GRU_name", doc_string(taken->TK_name));
        put_value(d, "GRU_host", doc_string(entry->JG_qhostname));
        put_names(d, &taken->TK_devices);
        doc_end(d);
    }
}

static bool has_devices(const struct JG_Type_list *granted)
{
    for (uint32_t i = 0; i < granted->n; i++)
        for (uint32_t k = 0; k < granted->v[i].JG_taken.n; k++)
            if (granted->v[i].JG_taken.v[k].TK_devices.n > 0)
                return true;
    return false;
}

static void put_devices(struct doc *d, const struct JG_Type_list *granted)
{
    static const struct doc_kind kind = { .name = "JAT_granted_resources_list" };
    if (!has_devices(granted))
        return;
    doc_list(d, &kind);
    for (uint32_t i = 0; i < granted->n; i++)
        put_granted(d, &granted->v[i]);
    doc_end(d);
}

static void put_task(struct doc *d, const struct JAT_Type *task)
{
    doc_begin(d, &sublist_kind);
    put_value(d, "JAT_status", doc_number(status_number(task)));
    put_value(d, "JAT_task_number", doc_number(task->JAT_task_number));
    put_usage(d, &task->JAT_scaled_usage_list);
    put_devices(d, &task->JAT_granted_destin_identifier_list);
    if (task->JAT_error_reason != NULL)
        put_error(d, task->JAT_error_reason);
    put_value(d, "JAT_start_time", doc_moment(task->JAT_start_time));
    put_value(d, "JAT_ntix", doc_real(task->JAT_ntix));
    doc_end(d);
}

static void put_tasks(struct doc *d, const struct job_detail *of)
{
    static const struct doc_kind kind = { .name = "JB_ja_tasks" };
    if (of->n_tasks == 0)
        return;
    doc_list(d, &kind);
    for (uint32_t i = 0; i < of->n_tasks; i++)
        put_task(d, of->tasks[i]);
    doc_end(d);
}

static void put_structure(struct doc *d, const struct job_detail *of)
{
    static const struct doc_kind kind = { .name = "JB_ja_structure" };
    bool is_array = job_is_array(of->job);
    doc_list(d, &kind);
    put_range(d, "task_id_range", is_array ? of->job->JB_ja_first : 1,
              is_array ? of->job->JB_ja_last : 1, is_array ? of->job->JB_ja_step : 1);
    doc_end(d);
}

static void put_not_held(struct doc *d, const struct job_detail *of)
{
    struct range_set ready = { 0 };
    job_ready_ids(of->job, &ready);
    put_task_set(d, "JB_ja_n_h_ids", of->job, &ready);
    range_set_free(&ready);
}

/* A whole job waits for -hold_jid, so its pending tasks are what this kind of hold lies on. */
static void put_job_held(struct doc *d, const struct job_detail *of)
{
    if (of->job->JB_jid_predecessor_list.n > 0)
        put_task_set(d, "JB_ja_j_h_ids", of->job, &of->job->JB_ja_pending_ids);
}

static void put_no_binding(struct doc *d)
{
    static const struct doc_kind kind = { .name = "element" };
    doc_begin(d, &kind);
    put_value(d, "BN_strategy", doc_string("no_job_binding"));
    put_value(d, "BN_type", doc_number(0));
    put_value(d, "BN_parameter_n", doc_number(0));
    put_value(d, "BN_parameter_socket_offset", doc_number(0));
    put_value(d, "BN_parameter_core_offset", doc_number(0));
    put_value(d, "BN_parameter_striding_step_size", doc_number(0));
    put_value(d, "BN_parameter_explicit", doc_string("no_explicit_binding"));
    doc_end(d);
}

static void put_binding(struct doc *d, const struct job_detail *of)
{
    static const struct doc_kind kind = { .name = "JB_binding" };
    const struct BN_Type_list *list = &of->job->JB_binding;
    doc_list(d, &kind);
    if (list->n == 0)
        put_no_binding(d);
    for (uint32_t i = 0; i < list->n; i++)
        put_record(d, "element", &cull_BN_Type, &list->v[i], true);
    doc_end(d);
}

static void put_pe_range(struct doc *d, const struct job_detail *of)
{
    if (cull_has(of->job, JB_pe_range))
        put_ranges(d, "JB_pe_range", "ranges", &of->job->JB_pe_range);
}

static void put_nothing(struct doc *d, const struct job_detail *of)
{
    (void)d;
    (void)of;
}

/* ---- constants that clients expect ---- */
static void put_zero(struct doc *d, const char *name, const char *shown)
{
    put_value(d, name, doc_shown(doc_number(0), shown));
}

static void put_verify(struct doc *d, const struct job_detail *of)
{
    (void)of;
    put_zero(d, "JB_verify", "0");
}

static void put_wallclock(struct doc *d, const struct job_detail *of)
{
    (void)of;
    put_zero(d, "JB_soft_wallclock_gmt", "0");
    put_zero(d, "JB_hard_wallclock_gmt", "0");
}

static void put_urgency(struct doc *d, const struct job_detail *of)
{
    (void)of;
    put_zero(d, "JB_nurg", "0.000000");
}

static const struct special {
    unsigned field;
    enum { BEFORE, INSTEAD, AFTER } place; /* where PUT comes */
    special_fn put;
} specials[] = {
    { JB_exec_file, INSTEAD, put_exec_file },
    { JB_account, INSTEAD, put_account },
    { JB_hard_resource_list, INSTEAD, put_hard_requests },
    { JB_soft_resource_list, INSTEAD, put_soft_requests },
    { JB_script_file, AFTER, put_tasks },
    { JB_restart, AFTER, put_verify },
    { JB_script_ptr, INSTEAD, put_nothing },
    { JB_pe_range, INSTEAD, put_pe_range },
    { JB_verify_suitable_queues, AFTER, put_wallclock },
    { JB_ja_first, INSTEAD, put_structure },
    { JB_ja_last, INSTEAD, put_nothing },
    { JB_ja_step, INSTEAD, put_nothing },
    { JB_ja_pending_ids, INSTEAD, put_not_held },
    { JB_ja_a_h_ids, BEFORE, put_job_held },
    { JB_binding, INSTEAD, put_binding },
    { JB_ja_task_concurrency, AFTER, put_urgency },
};

static const struct special *special_of(unsigned field)
{
    for (size_t i = 0; i < ARRAY_LEN(specials); i++)
        if (specials[i].field == field)
            return &specials[i];
    return NULL;
}

static void put_element(struct doc *d, unsigned f, const struct job_detail *of)
{
    const struct special *special = special_of(f);
    if (special != NULL && special->place != AFTER)
        special->put(d, of);
    if (special == NULL || special->place != INSTEAD)
        put_field(d, f, of->job);
    if (special != NULL && special->place == AFTER)
        special->put(d, of);
}

static const struct doc_kind element_kind = { .name = "element" };

void job_detail_data(struct doc *d, const struct job_detail *of)
{
    doc_begin(d, &element_kind);
    for (unsigned f = 0; f < JB_Type_FIELDS; f++)
        if ((cull_JB_Type.fields[f].flags & CULL_OWN) == 0)
            put_element(d, f, of);
    doc_end(d);
}

static void put_message(struct doc *d, uint32_t number, const char *text)
{
    doc_begin(d, &element_kind);
    put_value(d, "MES_message_number", doc_number(number));
    put_value(d, "MES_message", doc_string(text));
    doc_end(d);
}

/* 83 is the number clients know for "not collected"; reasons of our scheduler have no number of
 * their own. */
void scheduling_info_data(struct doc *d, const struct ST_Type_list *reasons)
{
    static const struct doc_kind messages = { .name = "messages" };
    static const struct doc_kind global = { .name = "SME_global_message_list" };
    doc_list(d, &messages);
    doc_begin(d, &element_kind);
    doc_list(d, &global);
    if (reasons == NULL)
        put_message(d, 83, MSG_SCHEDD_INFO_OFF);
    for (uint32_t i = 0; reasons != NULL && i < reasons->n; i++)
        put_message(d, 0, reasons->v[i].ST_name);
    doc_end(d);
    doc_end(d);
    doc_end(d);
}
