/* What handlers share about a request: its end, the texts of its answer, the jobs that it means. */
#include "daemons/qmaster/change/request.h"

#include <stdlib.h>

#include "daemons/qmaster/change/msg_change.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/dstr.h"

enum { MOST_IDS_BYTES = 1000 };
enum { BYTES_OF_WORK = 4096 }; /* of a job's records: they go through the log as well */

void request_texts(struct answer *ans, struct GA_Type *ga)
{
    for (uint32_t i = 0; i < ans->n; i++) {
        struct AN_Type *a = cull_append(ga, GA_answers);
        cull_set(a, AN_status, (uint32_t)ans->v[i].status);
        cull_set(a, AN_quality, (uint32_t)ans->v[i].quality);
        cull_set(a, AN_text, ans->v[i].text);
    }
    ans_free(ans);
}

void request_add_tasks(const struct JB_Type *job, const struct range_set *ordinals,
                       struct dstr *out)
{
    if (job_ids_text_cut(job, ordinals, MOST_IDS_BYTES, out))
        dstr_addf(out, MSG_TASKS_IN_ALL_U, range_set_count(ordinals));
    dstr_addf(out, MSG_OF_JOB_U, job->JB_job_number);
}

const struct identity *request_who(const struct request *r)
{
    return r->owner.user != NULL ? &r->owner : &r->from->who;
}

const char *request_selected(const struct request *r, uint32_t i)
{
    const char *text = r->gr.GR_select.v[i].ID_str;
    return text != NULL ? text : "";
}

void request_end_step(struct request *r)
{
    if (r->state != NULL)
        r->state->free(r->state);
    r->state = NULL;
}

void request_clear(struct request *r)
{
    cull_clear(&cull_GA_Type, &r->ga);
    cull_clear(&cull_GR_Type, &r->gr);
    ans_free(&r->ans);
    identity_clear(&r->owner);
    request_end_step(r);
    selection_free(&r->chosen);
}

/* ---- the jobs that it means ---- */
const char *picked_word(const struct request *r, const struct picked *p)
{
    if (r->gr.GR_select.n > 0)
        return request_selected(r, p->entry);
    const char *user = r->gr.GR_users.v[p->entry].ST_name;
    return user != NULL ? user : "";
}

uint32_t picked_work(struct qmaster *q, const struct picked *p)
{
    const struct job *job = jobs_find(&q->jobs, p->job);
    if (job == NULL)
        return 1;
    size_t bytes = job_record_bytes(job);
    return 1 + job->rare->n_records + (uint32_t)(bytes / BYTES_OF_WORK);
}

void selection_free(struct selection *s)
{
    for (uint32_t i = 0; i < s->n; i++) {
        range_set_free(&s->v[i].ordinals);
        range_set_free(&s->v[i].done);
    }
    if (s->scan != NULL)
        s->scan_free(s->scan);
    free(s->is_matched);
    free(s->v);
    *s = (struct selection){ 0 };
}
