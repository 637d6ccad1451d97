/* What handlers share about a request: its end, the texts of its answer. */
#include "daemons/qmaster/change/request.h"

#include "daemons/qmaster/change/msg_change.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/dstr.h"

enum { MOST_IDS_BYTES = 1000 };

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

void request_forget(struct request *r)
{
    if (r->kept != NULL)
        r->kept->free(r->kept);
    r->kept = NULL;
}

void request_clear(struct request *r)
{
    cull_clear(&cull_GA_Type, &r->ga);
    cull_clear(&cull_GR_Type, &r->gr);
    ans_free(&r->ans);
    identity_clear(&r->owner);
    request_forget(r);
}
