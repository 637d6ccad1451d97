/* qstat -why: the tasks that one task still waits for, and what each is doing; then whatever else keeps it from starting. The qmaster words
 * it. If there are several such tasks, or one that stands for others, each answer has a heading. */
#include "clients/qstat/why.h"

#include "clients/common/job_table.h"
#include "clients/common/msg_clients.h"
#include "clients/common/xml.h"
#include "clients/qstat/msg_qstat.h"
#include "libs/uti/answer.h"

static void put_text(FILE *out, const struct WT_Type_list *waits)
{
    fprintf(out, "%-20s %-20s %-6s %s\n", "waits for", "name", "state", "because of");
    job_table_bar(out, '-', 65);
    for (uint32_t i = 0; i < waits->n; i++) {
        const struct WT_Type *wait = &waits->v[i];
        char task[32] = "";
        snprintf(task, sizeof task, wait->WT_task_number > 0 ? "%u.%u" : "%u", wait->WT_job_number,
                 wait->WT_task_number);
        fprintf(out, "%-20s %-20s ", task, wait->WT_job_name != NULL ? wait->WT_job_name : "");
        fprintf(out, "%-6s %s\n", wait->WT_state != NULL ? wait->WT_state : "",
                wait->WT_kind != NULL ? wait->WT_kind : "");
    }
}

static void put_reasons(FILE *out, const struct ST_Type_list *reasons)
{
    for (uint32_t i = 0; i < reasons->n; i++)
        if (reasons->v[i].ST_name != NULL)
            fprintf(out, "%s\n", reasons->v[i].ST_name);
}

/* ---- headings, when there is more than one answer ---- */
static void put_heading(FILE *out, const struct why_group *g)
{
    if (g->state[0] == '\0')
        fprintf(out, "task %u.%u:\n", g->job, g->task);
    else if (g->task == 0)
        fprintf(out, "job %u (%s):\n", g->job, g->state);
    else if (g->n_tasks == 1)
        fprintf(out, "task %u.%u (%s):\n", g->job, g->task, g->state);
    else
        fprintf(out, "tasks %s of job %u (%s), such as %u.%u:\n", g->tasks, g->job, g->state,
                g->job, g->task);
}

static void put_heading_xml(struct xml *x, const struct why_group *g)
{
    xml_start(x, "group");
    if (g->tasks != NULL)
        xml_element(x, "tasks", g->tasks);
    if (g->state[0] != '\0')
        xml_element(x, "state", g->state);
}

/* ---- one answer ---- */
static void put_answer_xml(struct xml *x, const struct why_group *of, const struct GA_Type *told)
{
    xml_elementf(x, "JB_job_number", "%u", of->job);
    xml_elementf(x, "JAT_task_number", "%u", of->task > 0 ? of->task : 1);
    for (uint32_t i = 0; i < told->GA_waits.n; i++) {
        const struct WT_Type *wait = &told->GA_waits.v[i];
        xml_start(x, "element");
        xml_elementf(x, "WT_job_number", "%u", wait->WT_job_number);
        xml_element(x, "WT_job_name", wait->WT_job_name);
        xml_elementf(x, "WT_task_number", "%u", wait->WT_task_number);
        xml_element(x, "WT_kind", wait->WT_kind);
        xml_element(x, "WT_state", wait->WT_state);
        xml_end(x);
    }
    for (uint32_t i = 0; i < told->GA_reasons.n; i++)
        xml_element(x, "message", told->GA_reasons.v[i].ST_name);
}

static void put_answer(FILE *out, const struct GA_Type *told)
{
    if (told->GA_waits.n > 0)
        put_text(out, &told->GA_waits);
    put_reasons(out, &told->GA_reasons);
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
    struct xml *x; /* NULL: text */
    bool has_headings;
    bool is_over; /* the qmaster is not there */
    int status;
};

/* what is not there keeps nobody from the others */
static void complain(struct page *p, const struct answer *ans)
{
    answer_print_errors(p->w->err, ans, "error: ");
    p->status = 1;
    p->is_over = ans->n > 0 && ans->v[0].status == STATUS_ENOCONN;
}

static void put_xml(struct page *p, const struct why_group *g, const struct GA_Type *told)
{
    if (p->has_headings)
        put_heading_xml(p->x, g);
    put_answer_xml(p->x, g, told);
    if (p->has_headings)
        xml_end(p->x);
}

static void show(struct page *p, const struct why_group *g, bool is_first)
{
    struct answer ans = ANSWER_INIT;
    struct GA_Type *told = ask_why(p->w, g, &ans);
    if (told == NULL) {
        complain(p, &ans);
    } else if (p->x != NULL) {
        put_xml(p, g, told);
    } else {
        fputs(is_first ? "" : "\n", p->w->out);
        if (p->has_headings)
            put_heading(p->w->out, g);
        put_answer(p->w->out, told);
    }
    put_warnings(p->w->err, &ans);
    cull_delete(&cull_GA_Type, told);
    ans_free(&ans);
}

static void gather(struct page *p, const struct name_list *jobs, struct why_groups *groups)
{
    for (uint32_t i = 0; i < jobs->n && !p->is_over; i++) {
        struct answer ans = ANSWER_INIT;
        if (why_groups_of(p->w, jobs->v[i], groups, &ans) < 0)
            complain(p, &ans);
        ans_free(&ans);
    }
}

static void show_all(struct page *p, const struct why_groups *groups)
{
    p->has_headings = groups->n > 1 || groups->v[0].n_tasks > 0;
    for (uint32_t i = 0; i < groups->n && !p->is_over; i++)
        show(p, &groups->v[i], i == 0);
}

int qstat_why(const struct qstat_world *w, const struct qstat_options *o, struct answer *ans)
{
    struct page p = { .w = w };
    struct why_groups groups = { 0 };
    if (o->wants_xml) {
        p.x = xml_open(w->out, "  ", ans);
        if (p.x == NULL)
            return 1;
        xml_start(p.x, "job_waits");
    }
    gather(&p, &o->jobs, &groups);
    if (groups.n > 0)
        show_all(&p, &groups);
    why_groups_free(&groups);
    if (p.x != NULL && xml_close(p.x, ans) < 0)
        return 1;
    return p.status;
}
