/* Jobs and tasks of the fixture's qmaster: started and ended without a scheduler and a host, and as
 * text, so that two states can be compared. */
#include "daemons/qmaster/test/fixture_jobs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "daemons/qmaster/change/links.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "libs/sgeobj/job_report.h"

struct job *fixture_job(struct fixture *f, uint32_t number)
{
    struct job *job = jobs_find(&f->q.jobs, number);
    assert_non_null(job);
    return job;
}

static uint32_t ordinal_of(struct fixture *f, uint32_t number, uint32_t task_id)
{
    uint32_t ordinal = 0;
    assert_true(job_task_ordinal(&fixture_job(f, number)->rec, task_id, &ordinal));
    return ordinal;
}

struct task *fixture_task(struct fixture *f, uint32_t job, uint32_t task_id)
{
    struct task *t = job_task(fixture_job(f, job), ordinal_of(f, job, task_id));
    assert_non_null(t);
    return t;
}

struct qinstance *fixture_queue(struct fixture *f)
{
    struct qinstance *qi = queues_instance(&f->q.queues, "all.q@node1");
    assert_non_null(qi);
    return qi;
}

void fixture_use_slots(struct fixture *f, const char *name, uint32_t slots)
{
    static const struct demand_part slot = { RESOURCE_SLOTS, 1 };
    struct qinstance *qi = queues_instance(&f->q.queues, name);
    struct supply *members[] = { &qi->supply };
    const struct demand d = { .n = 1, .parts = &slot };
    path_book((struct path){ members, 1 }, &d, slots - qi->rec.QU_slots_used);
    cull_set(&qi->rec, QU_slots_used, slots);
}

void fixture_start(struct fixture *f, uint32_t number, uint32_t task_id)
{
    struct job *job = fixture_job(f, number);
    uint32_t ordinal = ordinal_of(f, number, task_id);
    assert_true(job_is_startable(job, ordinal));
    struct place one = { .qi = fixture_queue(f), .slots = 1 };
    task_start(&f->q, job, ordinal, &(struct places){ .v = &one, .n = 1 }, 0);
}

void fixture_report(struct fixture *f, uint32_t job, uint32_t task_id, uint32_t state,
                    uint32_t failed)
{
    struct task *t = fixture_task(f, job, task_id);
    struct JR_Type report = { 0 };
    cull_set(&report, JR_job_number, job);
    cull_set(&report, JR_task_number, task_id);
    cull_set(&report, JR_attempt, t->rec.JAT_attempt);
    cull_set(&report, JR_state, state);
    cull_set(&report, JR_failed, failed);
    cull_set(&report, JR_start_time, f->q.now_s);
    cull_set(&report, JR_end_time, f->q.now_s + 1);
    task_report(&f->q, t, &report);
    cull_clear(&cull_JR_Type, &report);
}

void fixture_run(struct fixture *f, uint32_t job, uint32_t task_id, uint32_t failed)
{
    fixture_start(f, job, task_id);
    fixture_report(f, job, task_id, REPORT_STARTED, 0);
    fixture_report(f, job, task_id, REPORT_ENDED, failed);
}

static const char *ids_text(struct fixture *f, const struct job *job, const struct range_set *ids)
{
    dstr_clear(&f->said);
    job_ids_text(&job->rec, ids, &f->said);
    return dstr_get(&f->said);
}

const char *fixture_held(struct fixture *f, uint32_t number)
{
    struct job *job = fixture_job(f, number);
    return ids_text(f, job, &job->rec.JB_ja_a_h_ids);
}

const char *fixture_ready(struct fixture *f, uint32_t number)
{
    struct job *job = fixture_job(f, number);
    struct range_set ready = { 0 };
    job_startable(job, &job->unfinished, &ready);
    const char *text = ids_text(f, job, &ready);
    range_set_free(&ready);
    return text;
}

static void add_set(struct dstr *out, const char *name, const struct range_set *set)
{
    struct range run;
    if (range_set_is_empty(set))
        return;
    dstr_addf(out, "  %s", name);
    for (uint64_t at = 0; range_set_next_run(set, at, &run); at = (uint64_t)run.last + 1)
        dstr_addf(out, " %u-%u", run.first, run.last);
    dstr_add(out, "\n");
}

static void add_list(struct dstr *out, const char *name, const struct JRE_Type_list *l)
{
    if (l->n == 0)
        return;
    dstr_addf(out, "  %s", name);
    for (uint32_t i = 0; i < l->n; i++)
        dstr_addf(out, " %u/%s", l->v[i].JRE_job_number,
                  l->v[i].JRE_job_name != NULL ? l->v[i].JRE_job_name : "");
    dstr_add(out, "\n");
}

static void add_job(struct dstr *out, struct job *job)
{
    const struct JB_Type *rec = &job->rec;
    links_tidy(job);
    dstr_addf(out, "%u %s %s %u-%u:%u running %u\n", rec->JB_job_number, rec->JB_owner,
              rec->JB_job_name, rec->JB_ja_first, rec->JB_ja_last, rec->JB_ja_step,
              job->rare->n_running);
    add_set(out, "unfinished", &job->unfinished);
    add_set(out, "pending", &rec->JB_ja_pending_ids);
    add_set(out, "waiting", &job->rare->waiting);
    add_set(out, "user hold", &rec->JB_ja_u_h_ids);
    add_set(out, "operator hold", &rec->JB_ja_o_h_ids);
    add_set(out, "system hold", &rec->JB_ja_s_h_ids);
    add_set(out, "array hold", &rec->JB_ja_a_h_ids);
    add_list(out, "jid request", &rec->JB_jid_request_list);
    add_list(out, "jid predecessors", &rec->JB_jid_predecessor_list);
    add_list(out, "jid sucessors", &rec->JB_jid_sucessor_list);
    add_list(out, "ad request", &rec->JB_ja_ad_request_list);
    add_list(out, "ad predecessors", &rec->JB_ja_ad_predecessor_list);
    add_list(out, "ad sucessors", &rec->JB_ja_ad_sucessor_list);
    for (struct task *t = job_task_first(job, 0); t != NULL; t = job_task_next(t))
        dstr_addf(out, "  task %u status %u state %u attempt %u\n", t->rec.JAT_task_number,
                  t->rec.JAT_status, t->rec.JAT_state, t->rec.JAT_attempt);
}

char *fixture_picture(struct fixture *f)
{
    struct dstr out = DSTR_INIT;
    dstr_addf(&out, "next %u slots used %u\n", f->q.jobs.next_number,
              fixture_queue(f)->rec.QU_slots_used);
    for (struct job *job = jobs_at_or_after(&f->q.jobs, 0); job != NULL;
         job = jobs_next(&f->q.jobs, job))
        add_job(&out, job);
    return dstr_take(&out);
}

void fixture_assert_picture(struct fixture *f, char *before)
{
    char *after = fixture_picture(f);
    assert_string_equal(after, before);
    free(after);
    free(before);
}
