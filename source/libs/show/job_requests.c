/* What a job asks for. Each list of queues is a line of the page, and an element for each queue in
 * XML. Labels and blanks are captured behaviour. */
#include "libs/show/job_requests.h"

#include "libs/doc/doc.h"
#include "libs/sgeobj/binding.h"
#include "libs/sgeobj/pe_match.h"
#include "libs/uti/dstr.h"

const char *const job_request_fields[] = {
    "JB_hard_resource_list",
    "JB_soft_resource_list",
    "JB_soft_queue_list",
    "JB_master_hard_queue_list",
    "JB_hard_queue_list",
    "JB_jid_request_list",
    "JB_ja_ad_request_list",
    "JB_ja_ad_predecessor_list",
    "JB_binding",
    NULL,
};

void job_ids_list_text(const struct JRE_Type_list *list, struct dstr *out)
{
    for (uint32_t i = 0; i < list->n; i++)
        dstr_addf(out, "%s%u", i > 0 ? "," : "", list->v[i].JRE_job_number);
}

void job_request_list_text(const struct JRE_Type_list *list, struct dstr *out)
{
    for (uint32_t i = 0; i < list->n; i++) {
        if (i > 0)
            dstr_addc(out, ',');
        if (list->v[i].JRE_job_name != NULL)
            dstr_add(out, list->v[i].JRE_job_name);
        else
            dstr_addf(out, "%u", list->v[i].JRE_job_number);
    }
}

void job_binding_text(const struct JB_Type *job, struct dstr *out)
{
    const struct BN_Type *b = job->JB_binding.n > 0 ? &job->JB_binding.v[0] : NULL;
    if (b == NULL || b->BN_strategy == NULL || strcmp(b->BN_strategy, "no_job_binding") == 0) {
        dstr_add(out, "NONE");
        return;
    }
    binding_text(b, out);
}

/* ---- -pe ---- */
#define PE_NAME(label)                                                                             \
    {                                                                                              \
        .name = "name", .text = { .before = label, .after = " " }, .xml = {                        \
            .place = DOC_ATTRIBUTE                                                                 \
        }                                                                                          \
    }
static const struct doc_kind requested_pe = { .name = "requested_pe" };
static const struct doc_kind granted_pe = { .name = "granted_pe" };
static const struct doc_field requested_pe_name = PE_NAME("       Requested PE:     ");
static const struct doc_field granted_pe_name = PE_NAME("       Granted PE:       ");
static const struct doc_field pe_range = { .name = "range",
                                           .text = { .after = "\n" },
                                           .xml = { .place = DOC_CONTENT } };
static const struct doc_field pe_slots = { .name = "slots",
                                           .text = { .after = "\n" },
                                           .xml = { .place = DOC_CONTENT } };

static void show_pe(struct doc *d, const struct job_row *row)
{
    struct dstr range = DSTR_INIT;
    if (row->job->JB_pe == NULL)
        return;
    pe_slots_text(row->job, &range);
    doc_begin(d, &requested_pe);
    doc_field(d, &requested_pe_name, doc_string(row->job->JB_pe));
    doc_field(d, &pe_range, doc_string(dstr_get(&range)));
    doc_end(d);
    dstr_free(&range);
    if (row->kind != ROW_RUNNING)
        return;
    doc_begin(d, &granted_pe);
    doc_field(d, &granted_pe_name, doc_string(row->job->JB_pe));
    doc_field(d, &pe_slots, doc_number(row->slots));
    doc_end(d);
}

/* ---- -l ---- */
struct resource_form {
    const char *label;
    struct doc_kind list, record;
    struct doc_field value;
    bool has_contribution;
};
static const struct resource_form hard_form = {
    .label = "       Hard Resources:   ",
    .list = { .json = "hard_requests" },
    .record = { .name = "hard_request" },
    .value = { .name = "value",
               .text = { .after = " (0.000000)\n" },
               .xml = { .place = DOC_CONTENT } },
    .has_contribution = true,
};
static const struct resource_form soft_form = {
    .label = "       Soft Resources:   ",
    .list = { .json = "soft_requests" },
    .record = { .name = "soft_request" },
    .value = { .name = "value", .text = { .after = "\n" }, .xml = { .place = DOC_CONTENT } },
};
static const struct doc_field resource_name = { .name = "name",
                                                .text = { .after = "=" },
                                                .xml = { .place = DOC_ATTRIBUTE } };
static const struct doc_field resource_contribution = {
    .name = "resource_contribution", .only = DOC_XML, .xml = { .place = DOC_ATTRIBUTE, .digits = 6 }
};

static void show_resources(struct doc *d, const struct resource_form *form,
                           const struct CE_Type_list *list)
{
    doc_list(d, &form->list);
    FILE *page = doc_page(d);
    if (page != NULL)
        (void)fprintf(page, "%s%s", form->label, list->n == 0 ? "\n" : "");
    for (uint32_t i = 0; i < list->n; i++) {
        if (page != NULL && i > 0)
            (void)fprintf(page, "%25s", "");
        doc_begin(d, &form->record);
        doc_field(d, &resource_name, doc_string(list->v[i].CE_name));
        if (form->has_contribution)
            doc_field(d, &resource_contribution, doc_real(0));
        doc_field(d, &form->value, doc_string(list->v[i].CE_stringval));
        doc_end(d);
    }
    doc_end(d);
}

/* ---- -q ---- */
struct queues_form {
    const char *label;
    struct doc_kind list;
    struct doc_field queue;
};
static const struct queues_form hard_queues = {
    "       Hard requested queues: ",
    { .json = "hard_req_queues" },
    { .name = "hard_req_queue", .only = XML_AND_JSON },
};
static const struct queues_form soft_queues = {
    "       Soft requested queues: ",
    { .json = "soft_req_queues" },
    { .name = "soft_req_queue", .only = XML_AND_JSON },
};
static const struct queues_form master_queues = {
    "       Master task hard requested queues: ",
    { .json = "master_hard_req_queues" },
    { .name = "master_hard_req_queue", .only = XML_AND_JSON },
};

static void put_queues(FILE *page, const char *label, const struct QR_Type_list *list)
{
    if (page == NULL || list->n == 0)
        return;
    (void)fputs(label, page);
    for (uint32_t i = 0; i < list->n; i++)
        (void)fprintf(page, "%s%s", i > 0 ? ", " : "",
                      list->v[i].QR_name ? list->v[i].QR_name : "");
    (void)fputc('\n', page);
}

static void show_queues(struct doc *d, const struct queues_form *form,
                        const struct QR_Type_list *list)
{
    doc_list(d, &form->list);
    put_queues(doc_page(d), form->label, list);
    for (uint32_t i = 0; i < list->n; i++)
        doc_field(d, &form->queue, doc_string(list->v[i].QR_name));
    doc_end(d);
}

/* ---- -hold_jid, -hold_jid_ad, -binding ---- */
#define LINE(name_, label)                                                                         \
    {                                                                                              \
        .name = name_, .text = {.before = "       " label " ", .after = "\n" }                     \
    }
static const struct doc_field whole_name = LINE("full_job_name", "Full jobname:    ");
static const struct doc_field master_queue = {
    .only = DOC_TEXT, .text = { .before = "       Master Queue:     ", .after = "\n" }
};
static const struct doc_field jobs_asked =
    LINE("predecessor_jobs_req", "Predecessor Jobs (request):");
static const struct doc_field jobs_found = LINE("predecessor_jobs", "Predecessor Jobs:");
static const struct doc_field arrays_asked =
    LINE("ad_predecessor_jobs_req", "Predecessor Array Jobs (request):");
static const struct doc_field arrays_found = LINE("ad_predecessor_jobs", "Predecessor Array Jobs:");
static const struct doc_field binding = LINE("binding", "Binding:         ");

static void show_jobs(struct doc *d, const struct doc_field *field,
                      const struct JRE_Type_list *list,
                      void (*text)(const struct JRE_Type_list *, struct dstr *))
{
    struct dstr ids = DSTR_INIT;
    if (list->n == 0)
        return;
    text(list, &ids);
    doc_field(d, field, doc_string(dstr_get(&ids)));
    dstr_free(&ids);
}

static void show_binding(struct doc *d, const struct JB_Type *job)
{
    struct dstr text = DSTR_INIT;
    job_binding_text(job, &text);
    doc_field(d, &binding, doc_string(dstr_get(&text)));
    dstr_free(&text);
}

static const struct doc_kind requests_kind = { .json = "requests" };

void job_requests_show(struct doc *d, const struct job_row *row, bool is_binding_shown)
{
    const struct JB_Type *job = row->job;
    doc_begin(d, &requests_kind);
    doc_field(d, &whole_name, doc_string(row->name));
    if (row->queue != NULL)
        doc_field(d, &master_queue, doc_string(row->queue));
    show_pe(d, row);
    show_resources(d, &hard_form, &job->JB_hard_resource_list);
    show_resources(d, &soft_form, &job->JB_soft_resource_list);
    show_queues(d, &hard_queues, &job->JB_hard_queue_list);
    show_queues(d, &soft_queues, &job->JB_soft_queue_list);
    show_queues(d, &master_queues, &job->JB_master_hard_queue_list);
    show_jobs(d, &jobs_asked, &job->JB_jid_request_list, job_request_list_text);
    show_jobs(d, &jobs_found, &job->JB_jid_predecessor_list, job_ids_list_text);
    show_jobs(d, &arrays_asked, &job->JB_ja_ad_request_list, job_request_list_text);
    show_jobs(d, &arrays_found, &job->JB_ja_ad_predecessor_list, job_ids_list_text);
    if (is_binding_shown)
        show_binding(d, job);
    doc_end(d);
}
