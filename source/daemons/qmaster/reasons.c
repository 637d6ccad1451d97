/* Reads the state, changes nothing. The texts are the scheduler's (libs/sched/msg_sched.h), and so are the questions. */
#include "daemons/qmaster/reasons.h"

#include "libs/sched/msg_sched.h"
#include "libs/sched/why.h"
#include "libs/uti/dstr.h"

static void add(struct ST_Type_list *out, struct dstr *text)
{
    out->v = uti_vec_grow(out->v, &out->cap, out->n + 1, sizeof *out->v);
    struct ST_Type *reason = &out->v[out->n++];
    *reason = (struct ST_Type){ 0 };
    cull_set(reason, ST_name, dstr_get(text));
    dstr_clear(text);
}

static void add_queues(const struct qmaster *q, const struct JB_Type *request,
                       struct ST_Type_list *out)
{
    struct dstr text = DSTR_INIT;
    uint32_t known = 0, dropped = 0;
    for (const struct qinstance *qi = q->queues.instances; qi != NULL; qi = qi->hh.next, known++) {
        if (!queue_why_not(&qi->rec, request, &text))
            continue;
        if (dropped++ < QUEUES_TOLD)
            add(out, &text);
        dstr_clear(&text);
    }
    if (dropped > QUEUES_TOLD) {
        dstr_addf(&text, MSG_WHY_QUEUES_MORE_U, dropped - QUEUES_TOLD);
        add(out, &text);
    }
    if (dropped == known) {
        dstr_add(&text, MSG_WHY_ALL_QUEUES);
        add(out, &text);
    }
    dstr_free(&text);
}

static bool has_startable(struct job *job)
{
    struct range_set startable = { 0 };
    job_startable(job, &job->unfinished, &startable);
    bool has = !range_set_is_empty(&startable);
    range_set_free(&startable);
    return has;
}

void reasons_of_job(const struct qmaster *q, struct job *job, struct ST_Type_list *out)
{
    struct dstr text = DSTR_INIT;
    uint32_t most = settings_concurrency(&q->settings, &job->rec);
    bool is_startable = has_startable(job);
    if (!is_startable && !range_set_is_empty(&job->rec.JB_ja_pending_ids)) {
        dstr_add(&text, MSG_WHY_HELD);
        add(out, &text);
    }
    if (is_startable && job->rec.JB_execution_time > q->now_s) {
        dstr_add(&text, MSG_WHY_START_TIME);
        add(out, &text);
    }
    if (is_startable && most != 0 && job->n_running >= most) {
        dstr_addf(&text, MSG_WHY_TC_U, most);
        add(out, &text);
    }
    if (is_startable)
        add_queues(q, &job->rec, out);
    dstr_free(&text);
}

void reasons_of_queues(const struct qmaster *q, struct ST_Type_list *out)
{
    static const struct JB_Type any;
    add_queues(q, &any, out);
}
