/* Reads of jobs as clients ask for them, and their answers put together. */
#include "daemons/qmaster/test/read_asks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/requests/reads/reads.h"
#include "daemons/qmaster/requests/requests.h"
#include "daemons/qmaster/test/fixture_asks.h"

void ask_as(struct fixture *f, const char *user, uint32_t options, const char *job,
            const char *field)
{
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_verb, (uint32_t)GDI_GET);
    cull_set(&gr, GR_target, (uint32_t)GDI_JOB);
    cull_set(&gr, GR_options, options);
    if (job != NULL) {
        struct ID_Type *id = cull_append(&gr, GR_select);
        cull_set(id, ID_str, job);
    }
    if (field != NULL) {
        struct ST_Type *st = cull_append(&gr, GR_fields);
        cull_set(st, ST_name, field);
    }
    fixture_hear(f, fixture_connection(f, user), SERIAL, &gr);
}

void ask_for_job(struct fixture *f, uint32_t options, const char *job, const char *field)
{
    ask_as(f, "alice", options, job, field);
}

void hear_answers(struct fixture *f, struct heard *h)
{
    for (uint32_t i = 0; i < f->n_sent; i++) {
        struct GA_Type part = { 0 };
        struct unpacker u = unpacker_over(f->sent[i].body, f->sent[i].len);
        if (f->sent[i].kind != GDI_FRAME_ANSWER || f->sent[i].serial != SERIAL)
            continue;
        assert_false(h->is_complete);
        assert_int_equal(cull_unpack(&u, &cull_GA_Type, NULL, NULL, &part, NULL), 0);
        for (uint32_t k = 0; k < part.GA_jobs.n; k++)
            cull_copy(&cull_JB_Type, cull_append(&h->all, GA_jobs), &part.GA_jobs.v[k]);
        for (uint32_t k = 0; k < part.GA_tasks.n; k++)
            cull_copy(&cull_JAT_Type, cull_append(&h->all, GA_tasks), &part.GA_tasks.v[k]);
        if (cull_has(&part, GA_reasons))
            cull_mark(&h->all, GA_reasons);
        h->parts++;
        h->is_complete = part.GA_is_last;
        cull_clear(&cull_GA_Type, &part);
    }
    fixture_forget_sent(f);
}

void hear_all(struct fixture *f, struct heard *h)
{
    while (work_step(&f->q))
        ;
    fixture_commit(f);
    while (work_step(&f->q))
        ;
    hear_answers(f, h);
}

void forget_heard(struct heard *h)
{
    cull_clear(&cull_GA_Type, &h->all);
    *h = (struct heard){ 0 };
}

void ask_states(struct fixture *f, uint32_t options, const char *user, const char *states)
{
    struct request r = { .from = fixture_connection(f, "alice"), .serial = SERIAL };
    cull_set(&r.gr, GR_options, options);
    if (user != NULL)
        cull_set(cull_append(&r.gr, GR_users), ST_name, user);
    if (states != NULL)
        cull_set(&r.gr, GR_states, states);
    get_jobs_request(&f->q, &r);
    assert_true(r.is_answered_later);
    request_clear(&r);
}

void expect_jobs(struct fixture *f, const uint32_t *numbers, uint32_t n)
{
    struct heard h = { 0 };
    hear_all(f, &h);
    assert_true(h.is_complete);
    assert_int_equal(h.all.GA_jobs.n, n);
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(h.all.GA_jobs.v[i].JB_job_number, numbers[i]);
    forget_heard(&h);
}
