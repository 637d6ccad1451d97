/* What a job is to wait for: the words of a request become a plan of jobs that exist, checked against all rules. Nothing is changed here. */
#include "daemons/qmaster/depend_plan.h"

#include "daemons/qmaster/links.h"
#include "daemons/qmaster/msg_qmaster.h"
#include "libs/sgeobj/ja_dependency.h"
#include "libs/sgeobj/jobnet.h"
#include "libs/uti/parse.h"

/* ---- resolving ---- */
struct resolving {
    struct job *self;
    struct range_set *found; /* numbers: what many words mean costs the same as what one means */
};

static void on_match(void *ctx, struct job *job)
{
    struct resolving *r = ctx;
    if (job != r->self)
        range_set_add(r->found, job->rec.JB_job_number, job->rec.JB_job_number);
}

static int resolve_id(struct qmaster *q, struct job *self, uint32_t id, struct range_set *found,
                      struct dstr *exited, struct answer *ans)
{
    if (self != NULL && id == self->rec.JB_job_number)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_JOB_OWN_PREDECESSOR_U, id);
    if (jobs_find(&q->jobs, id) != NULL)
        range_set_add(found, id, id);
    else
        dstr_addf(exited, "%s%u", exited->len > 0 ? "," : "", id);
    return 0;
}

static bool is_task_of_job(const char *name)
{
    size_t digits = strspn(name, "0123456789");
    return digits > 0 && name[digits] == '.' &&
           name[digits + 1 + strspn(name + digits + 1, "0123456789-:")] == '\0';
}

static int resolve_words(struct qmaster *q, struct job *self, const struct JRE_Type_list *wanted,
                         const char *owner, struct range_set *found, struct dstr *exited,
                         struct answer *ans)
{
    struct resolving r = { self, found };
    for (uint32_t i = 0; i < wanted->n; i++) {
        const char *name = wanted->v[i].JRE_job_name;
        uint32_t id = wanted->v[i].JRE_job_number;
        if (id == 0 && name != NULL && !parse_u32(name, &id))
            id = 0;
        if (id != 0) {
            if (resolve_id(q, self, id, found, exited, ans) != 0)
                return -1;
        } else if (name != NULL && is_task_of_job(name)) {
            return ans_fail(ans, STATUS_EUNKNOWN, MSG_JOB_NOT_FOUND_S, name);
        } else if (name != NULL) {
            jobs_match_name(&q->jobs, owner, name, on_match, &r);
        }
    }
    return 0;
}

static int resolve(struct qmaster *q, struct job *self, const struct JRE_Type_list *wanted,
                   const char *owner, struct JRE_Type_list *found, struct dstr *exited,
                   struct answer *ans)
{
    struct range_set numbers = { 0 };
    struct range run;
    uint32_t n_gone = 0;
    int rc = resolve_words(q, self, wanted, owner, &numbers, exited, ans);
    for (uint64_t at = 0; rc == 0 && range_set_next_run(&numbers, at, &run);
         at = (uint64_t)run.last + 1)
        for (uint32_t number = run.first; number <= run.last; number++)
            links_add(found, &n_gone, &jobs_find(&q->jobs, number)->rec);
    range_set_free(&numbers);
    return rc;
}

/* ---- checking ---- */
static int check_arrays(struct qmaster *q, const struct JRE_Type_list *ad,
                        const struct JB_Type *shape, struct answer *ans)
{
    if (!job_is_array(shape))
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_AD_NEEDS_ARRAY);
    struct ja_shape b = ja_shape_of(shape);
    for (uint32_t i = 0; i < ad->n; i++) {
        const struct JB_Type *pred = &jobs_find(&q->jobs, ad->v[i].JRE_job_number)->rec;
        struct ja_shape a = ja_shape_of(pred);
        if (!job_is_array(pred))
            return ans_fail(ans, STATUS_ESEMANTIC, MSG_AD_NEEDS_ARRAY);
        if (!ja_same_range(&a, &b))
            return ans_fail(ans, STATUS_ESEMANTIC, MSG_AD_SAME_RANGE);
    }
    return 0;
}

static void add_numbers(struct qmaster *q, const struct JRE_Type_list *l,
                        struct jobnet_numbers *out)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (links_job(q, &l->v[i]) != NULL)
            jobnet_numbers_add(out, l->v[i].JRE_job_number);
}

/* the predecessors of both kinds of a job, as the search for cycles asks for them */
static uint32_t predecessors_of(void *ctx, uint32_t number, struct jobnet_numbers *out)
{
    struct qmaster *q = ctx;
    struct job *job = jobs_find(&q->jobs, number);
    if (job == NULL)
        return 0;
    add_numbers(q, &job->rec.JB_jid_predecessor_list, out);
    add_numbers(q, &job->rec.JB_ja_ad_predecessor_list, out);
    return out->n;
}

/* a new job cannot close a cycle: nobody can name it yet */
static int check_cycle(struct qmaster *q, struct job *self, const struct depend_plan *plan,
                       struct answer *ans)
{
    if (self == NULL)
        return 0;
    struct jobnet_numbers wanted = { 0 };
    uint32_t with = 0;
    for (uint32_t i = 0; i < plan->jid.n; i++)
        jobnet_numbers_add(&wanted, plan->jid.v[i].JRE_job_number);
    for (uint32_t i = 0; i < plan->ad.n; i++)
        jobnet_numbers_add(&wanted, plan->ad.v[i].JRE_job_number);
    bool is_cycle =
        jobnet_closes_cycle(self->rec.JB_job_number, &wanted, predecessors_of, q, &with);
    jobnet_numbers_free(&wanted);
    if (is_cycle)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_JOB_CYCLE_UU, self->rec.JB_job_number, with);
    return 0;
}

int depend_make(struct qmaster *q, struct job *self, const struct JB_Type *want,
                const struct JB_Type *shape, const char *owner, struct depend_plan *plan,
                struct answer *ans)
{
    *plan = (struct depend_plan){ 0 };
    plan->sets_jid = cull_has(want, JB_jid_request_list);
    plan->sets_ad = cull_has(want, JB_ja_ad_request_list);
    if (plan->sets_jid && resolve(q, self, &want->JB_jid_request_list, owner, &plan->jid,
                                  &plan->jid_exited, ans) != 0)
        return -1;
    if (plan->sets_ad) {
        if (resolve(q, self, &want->JB_ja_ad_request_list, owner, &plan->ad, &plan->ad_exited,
                    ans) != 0)
            return -1;
        if (want->JB_ja_ad_request_list.n > 0 && check_arrays(q, &plan->ad, shape, ans) != 0)
            return -1;
    }
    return check_cycle(q, self, plan, ans);
}

uint64_t depend_plan_bytes(const struct depend_plan *plan, const struct JB_Type *now)
{
    uint64_t links = (uint64_t)plan->jid.n + plan->ad.n, before = 0;
    before += plan->sets_jid ? now->JB_jid_predecessor_list.n : 0;
    before += plan->sets_ad ? now->JB_ja_ad_predecessor_list.n : 0;
    return links > before ? 2 * sizeof(struct JRE_Type) * (links - before) : 0;
}

void depend_plan_free(struct depend_plan *plan)
{
    links_clear(&plan->jid);
    links_clear(&plan->ad);
    dstr_free(&plan->jid_exited);
    dstr_free(&plan->ad_exited);
}
