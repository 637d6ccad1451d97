/* Answers of the qmaster about why jobs wait, one request after the other. Invariant: `at` is the
 * group that the open request is about. */
#include "clients/qmon/forms/why_read.h"

#include <stdio.h>

#include "clients/common/source.h"
#include "libs/feed/calls.h"
#include "libs/gdi/message.h"
#include "libs/show/job_row.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"

static void ask_group(struct why_read *r);

void why_read_stop(struct why_read *r)
{
    calls_forget(r->q->calls, r);
    why_groups_free(&r->groups);
    r->is_open = false;
}

static void finish_list(struct why_read *r)
{
    why_groups_free(&r->groups);
    r->is_open = false;
    r->done(r->ctx);
}

static void add_errors(struct why_read *r, const struct answer *texts)
{
    struct dstr line = DSTR_INIT;
    for (uint32_t i = 0; i < texts->n; i++) {
        bool is_error = texts->v[i].quality <= ANSWER_QUALITY_ERROR;
        dstr_clear(&line);
        dstr_addf(&line, "%s: %s", is_error ? "error" : "warning", texts->v[i].text);
        why_list_add(r->list, dstr_get(&line));
    }
    dstr_free(&line);
}

static void send_request(struct why_read *r, struct GR_Type *request, calls_get_fn got)
{
    struct answer ans = ANSWER_INIT;
    if (calls_get(r->q->calls, request, got, r, &ans) != 0) {
        add_errors(r, &ans);
        finish_list(r);
    }
    cull_clear(&cull_GR_Type, request);
    ans_free(&ans);
}

/* ---- one group ---- */

static void add_group(struct why_read *r, const struct why_group *g, const struct GA_Type *all)
{
    struct dstr heading = DSTR_INIT;
    if (r->has_headings) {
        why_group_heading(g, &heading);
        why_list_add_heading(r->list, (struct why_place){ g->job, g->task }, dstr_get(&heading));
    }
    for (uint32_t i = 0; i < all->GA_waits.n; i++)
        why_list_add_wait(r->list, &all->GA_waits.v[i]);
    for (uint32_t i = 0; i < all->GA_reasons.n; i++)
        if (all->GA_reasons.v[i].ST_name != NULL)
            why_list_add(r->list, all->GA_reasons.v[i].ST_name);
    dstr_free(&heading);
}

static void on_why(void *ctx, const struct GA_Type *all, const struct answer *texts)
{
    struct why_read *r = ctx;
    if (r->at > 0 && all != NULL)
        why_list_add(r->list, "");
    if (all != NULL)
        add_group(r, &r->groups.v[r->at], all);
    add_errors(r, texts);
    r->at++;
    ask_group(r);
}

static void ask_group(struct why_read *r)
{
    struct GR_Type request = { 0 };
    if (r->at >= r->groups.n) {
        finish_list(r);
        return;
    }
    const struct why_group *g = &r->groups.v[r->at];
    cull_set(&request, GR_verb, (uint32_t)GDI_WHY);
    cull_set(&request, GR_target, (uint32_t)GDI_JOB);
    cull_set(&request, GR_job_number, g->job);
    if (g->task != 0)
        cull_set(&request, GR_task_number, g->task);
    send_request(r, &request, on_why);
}

/* ---- the tasks of a job ---- */

static int take_job(void *ctx, const struct JB_Type *job, const struct JAT_Type *const *tasks,
                    uint32_t n_tasks, struct answer *ans SGE_UNUSED)
{
    struct why_read *r = ctx;
    why_groups_add_job(&r->groups, job, tasks, n_tasks, uti_now_s());
    return 0;
}

static void on_job(void *ctx, const struct GA_Type *all, const struct answer *texts)
{
    struct why_read *r = ctx;
    struct job_stream stream = { .each = take_job, .ctx = r };
    add_errors(r, texts);
    if (all != NULL) {
        (void)job_stream_part(&stream, all, NULL);
        (void)job_stream_end(&stream, NULL);
    }
    r->has_headings = r->groups.n > 1 || (r->groups.n == 1 && r->groups.v[0].n_tasks > 0);
    ask_group(r);
}

static void ask_job(struct why_read *r, uint32_t job)
{
    struct GR_Type request = { 0 };
    char number[16];
    cull_set(&request, GR_verb, (uint32_t)GDI_GET);
    cull_set(&request, GR_target, (uint32_t)GDI_JOB);
    cull_set(&request, GR_options, (uint32_t)GDI_WITH_TASKS);
    request_user(&request, "*");
    (void)snprintf(number, sizeof number, "%u", job);
    cull_set(cull_append(&request, GR_select), ID_str, number);
    send_request(r, &request, on_job);
}

void why_read_begin(struct why_read *r)
{
    struct why_place place = why_list_place(r->list);
    why_read_stop(r);
    r->is_open = true;
    r->at = 0;
    r->has_headings = false;
    if (place.task == 0) {
        ask_job(r, place.job);
        return;
    }
    why_groups_add_task(&r->groups, place.job, place.task);
    ask_group(r);
}
