/* Figures of jobs, evaluated when they are wanted. Owns no data. */
#include "daemons/qmaster/sched/priors.h"

#include "libs/sgeobj/job_state.h"

uint64_t priors_wanted(const struct ST_Type_list *names)
{
    uint64_t fields = 0;
    _Static_assert(PF_Type_FIELDS <= 64, "one word");
    for (uint32_t i = 0; i < names->n; i++) {
        const char *name = names->v[i].ST_name;
        int f = name != NULL ? cull_field_index(&cull_PF_Type, name) : -1;
        if (f >= 0 && f != PF_jobs)
            fields |= UINT64_C(1) << f;
    }
    return fields;
}

bool job_is_active(const struct job *job, uint64_t now_s)
{
    return job->rare->n_running > 0 || job->rare->n_records > 0 ||
           (job->rec.JB_execution_time <= now_s && job_has_ready(&job->rec));
}

static struct prior_job prior_job(const struct prior_book *b, const struct job *job)
{
    return (struct prior_job){ .number = job->rec.JB_job_number,
                               .priority = job->rec.JB_priority,
                               .submitted_s = job->rec.JB_submission_time,
                               .deadline_s = job->rec.JB_deadline,
                               .rrcontr =
                                   b->urgencies != NULL ? urgency_of(b->urgencies, &job->rec) : 0,
                               .owner = job->rec.JB_owner,
                               .project = job->rec.JB_project,
                               .runs = !job_has_ready(&job->rec) };
}

double job_prior(const struct prior_book *b, const struct PT_Type *t, const struct job *job)
{
    struct prior_job of = prior_job(b, job);
    return prior_of(b, t, &of);
}

/* its urgency is that of a slot and its age */
static bool is_plain(const struct JB_Type *rec)
{
    return rec->JB_deadline == 0 && rec->JB_pe == NULL && rec->JB_hard_resource_list.n == 0;
}

bool job_figures_equal(const struct prior_book *b, const struct job *one, const struct job *other)
{
    return b->n == 0 && one->rec.JB_submission_time == other->rec.JB_submission_time &&
           one->rec.JB_priority == other->rec.JB_priority && is_plain(&one->rec) &&
           is_plain(&other->rec);
}

struct PF_Type job_figures(const struct prior_book *b, const struct PT_Type *t,
                           const struct job *job, uint64_t now_s, uint64_t fields)
{
    struct PF_Type f = { 0 };
    if (!job_is_active(job, now_s))
        return f;
    struct prior_job of = prior_job(b, job);
    if (fields == UINT64_C(1) << PF_prior) /* what all listings show: saves the rest */
        cull_set(&f, PF_prior, prior_of(b, t, &of));
    else
        prior_figures(b, t, &of, now_s, &f);
    f.present[0] &= fields;
    return f;
}
