/* The descriptors of the message records and the table of everything that travels. */
#include "libs/gdi/message.h"
#include "libs/gdi/msg_gdi.h"
#include "libs/sgeobj/task_key.h"
#include "libs/uti/answer.h"

#define CULL_EXPAND "libs/cull/define.h"
#include "libs/gdi/sge_messagesL.h"
#undef CULL_EXPAND

#define TYPE(t) &cull_##t,
static const struct cull_type *const gdi_types[] = { SGEOBJ_TYPES(TYPE) TYPE(WT_Type) TYPE(
    GR_Type) TYPE(GA_Type) TYPE(XM_Type) TYPE(EP_Type) TYPE(TN_Type) TYPE(TU_Type) };

const struct cull_schema *gdi_schema(void)
{
    static const struct cull_schema schema = { gdi_types, ARRAY_LEN(gdi_types) };
    return &schema;
}

/* ---- keys of tasks in messages between qmaster and execd ---- */
static int check_key(const struct task_key *key, struct answer *ans)
{
    return task_key_is_valid(key) ? 0
                                  : ans_fail(ans, STATUS_EPROTO, MSG_EXEC_PETASK_UUU,
                                             key->job_number, key->task_number, TASK_PETASK_MOST);
}

int exec_message_check(const struct XM_Type *m, struct answer *ans)
{
    int rc = 0;
    for (uint32_t i = 0; rc == 0 && i < m->XM_reports.n; i++) {
        struct task_key key = task_key_of_report(&m->XM_reports.v[i]);
        rc = check_key(&key, ans);
    }
    for (uint32_t i = 0; rc == 0 && i < m->XM_tasks.n; i++) {
        struct task_key key = task_key_of_record(&m->XM_tasks.v[i]);
        rc = check_key(&key, ans);
    }
    return rc;
}

/* ---- parts of an answer, put together ---- */
static const unsigned gathered[] = { GA_jobs,  GA_priors, GA_tasks, GA_cqueues, GA_queues, GA_hosts,
                                     GA_names, GA_confs,  GA_texts, GA_waits,   GA_reasons };

static size_t copy_list(struct GA_Type *all, const struct GA_Type *part, unsigned field)
{
    const struct cull_field *row = &cull_GA_Type.fields[field];
    const struct cull_list *from = cull_member(&cull_GA_Type, part, field);
    size_t bytes = 0;
    for (uint32_t i = 0; i < from->n; i++) {
        const void *one = cull_list_at(row->element, from, i);
        void *copy = cull_append_element(all, row->offset, field, row->element->bytes);
        cull_copy(row->element, copy, one);
        bytes += row->element->bytes + cull_heap_bytes(row->element, one);
    }
    return bytes;
}

size_t gather_part(struct GA_Type *all, const struct GA_Type *part)
{
    size_t bytes = 0;
    for (size_t i = 0; i < ARRAY_LEN(gathered); i++)
        bytes += copy_list(all, part, gathered[i]);
    if (cull_has(part, GA_job_number))
        cull_set(all, GA_job_number, part->GA_job_number);
    if (cull_has(part, GA_has_started))
        cull_set(all, GA_has_started, part->GA_has_started);
    if (cull_has(part, GA_reasons)) /* also without elements: that says something */
        cull_mark(all, GA_reasons);
    return bytes;
}
