/* qstat -why: the tasks that one task still waits for, and what each is doing; then whatever else
 * keeps it from starting. The qmaster words it. If there are several such tasks, or one that stands
 * for others, each answer has a heading. */
#include <stdlib.h>

#include "clients/common/msg_clients.h"
#include "clients/common/why_groups.h"
#include "clients/qstat/qstat.h"
#include "libs/doc/doc.h"
#include "libs/show/job_row.h"
#include "libs/show/job_table.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

/* ---- the tasks that -why is about ---- */
/* JOB.TASK is one; a job without a task, or a name, stands for the jobs that it means and all of
 * their tasks. */

struct gathering {
    struct why_groups *out;
    uint32_t task;   /* only this one, by its id; 0: all */
    uint32_t n_jobs; /* that the identifier means */
    uint64_t now_s;
};

static int take_job(void *ctx, const struct JB_Type *job, const struct JAT_Type *const *tasks,
                    uint32_t n_tasks, struct answer *ans)
{
    struct gathering *g = ctx;
    (void)ans;
    g->n_jobs++;
    if (g->task != 0)
        why_groups_add_task(g->out, job->JB_job_number, g->task);
    else
        why_groups_add_job(g->out, job, tasks, n_tasks, g->now_s);
    return 0;
}

/* The jobs that IDENTIFIER means, if any; -1 with ans if the qmaster did not answer */
static int gather_jobs(const struct qstat_world *w, const char *identifier, struct gathering *g,
                       struct answer *ans)
{
    struct GR_Type request = { 0 };
    struct answer told = ANSWER_INIT;
    struct job_stream stream = { .each = take_job, .ctx = g };
    cull_set(&request, GR_verb, (uint32_t)GDI_GET);
    cull_set(&request, GR_target, (uint32_t)GDI_JOB);
    cull_set(&request, GR_options, (uint32_t)GDI_WITH_TASKS);
    request_user(&request, "*");
    request_row_fields(&request);
    struct ID_Type *id = cull_append(&request, GR_select);
    cull_set(id, ID_str, identifier);
    int result = job_stream_get(&stream, &w->from, &request, &told);
    cull_clear(&cull_GR_Type, &request);
    if (result < 0 && told.n > 0 && told.v[0].status == STATUS_EUNKNOWN)
        result = 0;
    if (result < 0)
        ans_move(ans, &told);
    ans_free(&told);
    return result;
}

/* "name.3" means task 3 of the jobs called name, unless there is a job that is called so */
static int gather_task(const struct qstat_world *w, const char *identifier, struct gathering *g,
                       struct answer *ans)
{
    const char *dot = strrchr(identifier, '.');
    if (dot == NULL || !parse_u32(dot + 1, &g->task) || g->task == 0)
        return 0;
    char *name = uti_strndup(identifier, (size_t)(dot - identifier));
    int result = gather_jobs(w, name, g, ans);
    free(name);
    return result;
}

/* append the groups that an identifier of -j means: "12", "12.3", a name, a pattern, "name.3"
 * Returns 0, or -1 with ans: STATUS_EUNKNOWN if it means no job, else the qmaster could not be
 * asked. */
static int why_groups_of(const struct qstat_world *w, const char *identifier,
                         struct why_groups *out, struct answer *ans)
{
    struct gathering g = { .out = out, .now_s = w->now_s };
    uint32_t job, task;
    if (job_identifier_split(identifier, &job, &task) && task != 0) {
        why_groups_add_task(out, job, task);
        return 0;
    }
    if (gather_jobs(w, identifier, &g, ans) < 0)
        return -1;
    if (g.n_jobs == 0 && gather_task(w, identifier, &g, ans) < 0)
        return -1;
    if (g.n_jobs == 0)
        return ans_fail(ans, STATUS_EUNKNOWN, MSG_NO_JOB_S, identifier);
    return 0;
}

/* ---- reasons ---- */
static const struct doc_kind waits_kind = { .json = "waits" };
static const struct doc_kind wait_kind = { .name = "element", .end = "\n" };
static const struct doc_field wait_task_text = { .only = DOC_TEXT,
                                                 .text = { .width = -20, .after = " " } };
static const struct doc_field wait_job = { .name = "WT_job_number", .only = XML_AND_JSON };
static const struct doc_field wait_name = { .name = "WT_job_name",
                                            .text = { .width = -20, .after = " " } };
static const struct doc_field wait_task = { .name = "WT_task_number", .only = XML_AND_JSON };
static const struct doc_field wait_state_text = { .only = DOC_TEXT,
                                                  .text = { .width = -6, .after = " " } };
static const struct doc_field wait_why = { .name = "WT_kind" };
static const struct doc_field wait_state = { .name = "WT_state", .only = XML_AND_JSON };

static void show_wait(struct doc *d, const struct WT_Type *wait)
{
    char task[32];
    (void)snprintf(task, sizeof task, wait->WT_task_number > 0 ? "%u.%u" : "%u",
                   wait->WT_job_number, wait->WT_task_number);
    doc_begin(d, &wait_kind);
    doc_field(d, &wait_task_text, doc_string(task));
    doc_field(d, &wait_job, doc_number(wait->WT_job_number));
    doc_field(d, &wait_name, doc_string(wait->WT_job_name));
    doc_field(d, &wait_task, doc_number(wait->WT_task_number));
    doc_field(d, &wait_state_text, doc_string(wait->WT_state));
    doc_field(d, &wait_why, doc_string(wait->WT_kind));
    doc_field(d, &wait_state, doc_string(wait->WT_state));
    doc_end(d);
}

static void show_waits(struct doc *d, const struct WT_Type_list *waits)
{
    FILE *page = waits->n > 0 ? doc_page(d) : NULL;
    doc_list(d, &waits_kind);
    if (page != NULL) {
        (void)fprintf(page, "%-20s %-20s %-6s %s\n", "waits for", "name", "state", "because of");
        job_table_bar(page, '-', 65);
    }
    for (uint32_t i = 0; i < waits->n; i++)
        show_wait(d, &waits->v[i]);
    doc_end(d);
}

/* ---- one answer: an element of its own if there are several ---- */
static const struct doc_kind root_kind = { .name = "job_waits" };
static const struct doc_kind answers_kind = { .json = "answers" };
static const struct doc_kind group_kind = { .name = "group" };
static const struct doc_kind answer_kind = { .json = "answer" };
static const struct doc_field group_tasks = { .name = "tasks", .only = XML_AND_JSON };
static const struct doc_field group_state = { .name = "state", .only = XML_AND_JSON };
static const struct doc_field asked_job = { .name = "JB_job_number", .only = XML_AND_JSON };
static const struct doc_field asked_task = { .name = "JAT_task_number", .only = XML_AND_JSON };
static const struct doc_kind messages_kind = { .json = "messages" };
static const struct doc_field message = { .name = "message", .text = { .after = "\n" } };

static void show_reasons(struct doc *d, const struct ST_Type_list *reasons)
{
    doc_list(d, &messages_kind);
    for (uint32_t i = 0; i < reasons->n; i++)
        if (reasons->v[i].ST_name != NULL)
            doc_field(d, &message, doc_string(reasons->v[i].ST_name));
    doc_end(d);
}

static void show_answer(struct doc *d, bool has_heading, const struct why_group *g,
                        const struct GA_Type *told)
{
    struct dstr heading = DSTR_INIT;
    doc_begin(d, has_heading ? &group_kind : &answer_kind);
    if (has_heading && doc_page(d) != NULL) {
        why_group_heading(g, &heading);
        (void)fprintf(doc_page(d), "%s\n", dstr_get(&heading));
    }
    dstr_free(&heading);
    if (g->tasks != NULL)
        doc_field(d, &group_tasks, doc_string(g->tasks));
    if (g->state[0] != '\0' && has_heading)
        doc_field(d, &group_state, doc_string(g->state));
    doc_field(d, &asked_job, doc_number(g->job));
    doc_field(d, &asked_task, doc_number(g->task > 0 ? g->task : 1));
    show_waits(d, &told->GA_waits);
    show_reasons(d, &told->GA_reasons);
    doc_end(d);
}

static void put_warnings(FILE *err, const struct answer *ans)
{
    for (uint32_t i = 0; i < ans->n; i++)
        if (ans->v[i].quality == ANSWER_QUALITY_WARNING)
            fprintf(err, "warning: %s\n", ans->v[i].text);
}

static struct GA_Type *ask_why(const struct qstat_world *w, const struct why_group *of,
                               struct answer *ans)
{
    struct GR_Type request = { 0 };
    cull_set(&request, GR_verb, (uint32_t)GDI_WHY);
    cull_set(&request, GR_target, (uint32_t)GDI_JOB);
    cull_set(&request, GR_job_number, of->job);
    if (of->task != 0)
        cull_set(&request, GR_task_number, of->task);
    struct GA_Type *told = source_get_all(&w->from, &request, ans);
    cull_clear(&cull_GR_Type, &request);
    return told;
}

/* ---- all of them ---- */
struct page {
    const struct qstat_world *w;
    struct doc *d;
    bool has_headings;
    bool is_over; /* the qmaster is not there */
    int status;
};

/* a missing job does not end the list */
static void show_failure(struct page *p, const struct answer *ans)
{
    answer_print_errors(p->w->err, ans, "error: ");
    p->status = 1;
    p->is_over = ans->n > 0 && ans->v[0].status == STATUS_ENOCONN;
}

static void show_group(struct page *p, const struct why_group *g, bool is_first)
{
    struct answer ans = ANSWER_INIT;
    struct GA_Type *told = ask_why(p->w, g, &ans);
    if (told == NULL) {
        show_failure(p, &ans);
    } else {
        if (!is_first && doc_page(p->d) != NULL)
            (void)fputc('\n', doc_page(p->d));
        show_answer(p->d, p->has_headings, g, told);
    }
    put_warnings(p->w->err, &ans);
    cull_delete(&cull_GA_Type, told);
    ans_free(&ans);
}

static void gather_groups(struct page *p, const struct name_list *jobs, struct why_groups *groups)
{
    for (uint32_t i = 0; i < jobs->n && !p->is_over; i++) {
        struct answer ans = ANSWER_INIT;
        if (why_groups_of(p->w, jobs->v[i], groups, &ans) < 0)
            show_failure(p, &ans);
        ans_free(&ans);
    }
}

static void show_all(struct page *p, const struct why_groups *groups)
{
    p->has_headings = groups->n > 1 || groups->v[0].n_tasks > 0;
    for (uint32_t i = 0; i < groups->n && !p->is_over; i++)
        show_group(p, &groups->v[i], i == 0);
}

int qstat_why(const struct qstat_world *w, const struct qstat_options *o, struct answer *ans)
{
    struct page p = { .w = w };
    struct why_groups groups = { 0 };
    p.d = doc_open(o->form, w->out, "  ", ans);
    if (p.d == NULL)
        return 1;
    doc_begin(p.d, &root_kind);
    doc_list(p.d, &answers_kind);
    gather_groups(&p, &o->jobs, &groups);
    if (groups.n > 0)
        show_all(&p, &groups);
    why_groups_free(&groups);
    return doc_close(p.d, ans) < 0 ? 1 : p.status;
}
