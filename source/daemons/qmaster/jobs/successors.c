/* Entries come into lists of jobs and leave them; what waits for a job is as current as the batch
 * that is being collected. */
#include "daemons/qmaster/jobs/successors.h"

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/sched/events.h"

void successor_add(struct qmaster *q, const struct JRE_Type *predecessor,
                   const struct JRE_Type *job, bool is_ad)
{
    struct job *pred = links_job(q, predecessor);
    if (pred == NULL)
        return;
    cull_mark(&pred->rec, is_ad ? JB_ja_ad_sucessor_list : JB_jid_sucessor_list);
    if (is_ad)
        links_add(&pred->rec.JB_ja_ad_sucessor_list, &job_rare(pred)->gone.ad_successors, job);
    else
        links_add(&pred->rec.JB_jid_sucessor_list, &job_rare(pred)->gone.jid_successors, job);
    pred->changed = change_number(q);
}

void successor_remove(struct qmaster *q, const struct JRE_Type *predecessor,
                      const struct JRE_Type *job, bool is_ad)
{
    struct job *pred = links_job(q, predecessor);
    if (pred == NULL)
        return;
    if (is_ad)
        links_remove(&pred->rec.JB_ja_ad_sucessor_list, &job_rare(pred)->gone.ad_successors, job);
    else
        links_remove(&pred->rec.JB_jid_sucessor_list, &job_rare(pred)->gone.jid_successors, job);
    pred->changed = change_number(q);
}

void predecessor_forget(struct qmaster *q, struct job *job, const struct JRE_Type *predecessor,
                        bool is_ad)
{
    struct JB_Type *rec = &job->rec;
    job->changed = change_number(q);
    if (is_ad)
        links_remove(&rec->JB_ja_ad_predecessor_list, &job_rare(job)->gone.ad_predecessors,
                     predecessor);
    else if (links_remove(&rec->JB_jid_predecessor_list, &job_rare(job)->gone.jid_predecessors,
                          predecessor) &&
             rec->JB_jid_predecessor_list.n == 0)
        events_tasks_startable(q, job, &job->unfinished);
}
