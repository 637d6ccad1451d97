/* Requests in a line each. Most call the handler itself, so that what it says is there at once;
 * fixture_hear goes the way of the network. */
#include "daemons/qmaster/test/fixture_asks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/requests/objects/object_requests.h"
#include "daemons/qmaster/requests/requests.h"
#include "daemons/qmaster/requests/steps/select.h"
#include "daemons/qmaster/requests/steps/steps.h"
#include "libs/config/cqueue.h"
#include "libs/config/object.h"
#include "libs/sgeobj/job_select.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"

const char *said(const struct fixture *f)
{
    return dstr_get(&f->said);
}

void fixture_hear(struct fixture *f, struct connection *from, uint32_t serial, struct GR_Type *gr)
{
    struct packer p = { 0 };
    cull_pack(&p, &cull_GR_Type, gr, NULL);
    cull_clear(&cull_GR_Type, gr);
    struct frame frame = {
        .kind = GDI_FRAME_REQUEST, .serial = serial, .body = p.data, .len = p.len
    };
    requests_handle(&f->q, from, &frame);
    free(frame.body); /* NULL when the request has kept it */
}

static void ask_handler(struct fixture *f, const char *user, fixture_handler_fn handler,
                        struct request *r)
{
    r->from = fixture_connection(f, user);
    r->after = change_number(&f->q);
    handler(&f->q, r);
    dstr_clear(&f->said);
    for (uint32_t i = 0; i < r->ans.n; i++)
        dstr_addf(&f->said, "%s%s", i > 0 ? "\n" : "", r->ans.v[i].text);
    f->number = r->ga.GA_job_number;
    cull_clear(&cull_GR_Type, &r->gr);
    cull_clear(&cull_GA_Type, &r->ga);
    request_end_step(r);
    selection_free(&r->chosen);
}

static void set_range(struct JB_Type *job, const char *tasks)
{
    unsigned first = 1, last = 1, step = 1;
    int n = sscanf(tasks, "%u-%u:%u", &first, &last, &step);
    cull_set(job, JB_ja_first, first);
    cull_set(job, JB_ja_last, n > 1 ? last : first);
    cull_set(job, JB_ja_step, step);
    cull_set(job, JB_type, (uint32_t)(JOB_TYPE_BINARY | JOB_TYPE_ARRAY));
}

static void set_dependencies(struct JB_Type *job, const char *ad, const char *jid)
{
    if (ad != NULL)
        assert_int_equal(job_select_dependencies(ad, job, true, NULL), 0);
    if (jid != NULL)
        assert_int_equal(job_select_dependencies(jid, job, false, NULL), 0);
}

uint32_t fixture_submit(struct fixture *f, struct wish w)
{
    struct request r = { 0 };
    struct JB_Type *job = cull_append(&r.gr, GR_jobs);
    cull_set(job, JB_job_name, w.name != NULL ? w.name : "J");
    cull_set(job, JB_type, (uint32_t)JOB_TYPE_BINARY);
    cull_set(job, JB_script_file, "/bin/true");
    if (w.tasks != NULL)
        set_range(job, w.tasks);
    if (w.script != NULL) {
        cull_set(job, JB_script_ptr, w.script);
        cull_set(job, JB_type, job->JB_type & ~(uint32_t)JOB_TYPE_BINARY);
    }
    set_dependencies(job, w.ad, w.jid);
    if (w.project != NULL)
        cull_set(job, JB_project, w.project);
    if (w.id != NULL)
        cull_set(&r.gr, GR_request_id, w.id);
    uint32_t next = f->q.jobs.next_number;
    ask_handler(f, w.owner != NULL ? w.owner : "alice", submit_request, &r);
    ans_free(&r.ans);
    if (r.is_answered_later &&
        !w.is_left) { /* a long script comes first, or it is to wait for many */
        fixture_commit(f);
        f->number = jobs_find(&f->q.jobs, next) != NULL ? next : 0;
    }
    return f->number;
}

void fixture_name(struct GR_Type *gr, const char *what)
{
    struct ID_Type *id = cull_append(gr, GR_select);
    size_t digits = strspn(what, "0123456789");
    if (digits == 0 || what[digits] != '.') {
        cull_set(id, ID_str, what);
        return;
    }
    char *number = uti_strndup(what, digits);
    unsigned min = 0, max = 0, step = 1;
    int n = sscanf(what + digits + 1, "%u-%u:%u", &min, &max, &step);
    cull_set(id, ID_str, number);
    struct TR_Type *tr = cull_append(id, ID_tasks);
    cull_set(tr, TR_min, min);
    cull_set(tr, TR_max, n > 1 ? max : min);
    cull_set(tr, TR_step, step);
    free(number);
}

bool fixture_ask(struct fixture *f, const char *user, fixture_handler_fn handler,
                 struct GR_Type *gr)
{
    struct request r = { .gr = *gr };
    *gr = (struct GR_Type){ 0 };
    ask_handler(f, user, handler, &r);
    bool is_done = !ans_has_error(&r.ans);
    ans_free(&r.ans);
    return is_done;
}

bool fixture_alter(struct fixture *f, uint32_t job, const char *ad, const char *jid)
{
    struct request r = { 0 };
    char number[16];
    snprintf(number, sizeof number, "%u", job);
    fixture_name(&r.gr, number);
    set_dependencies(cull_append(&r.gr, GR_jobs), ad, jid);
    ask_handler(f, "alice", alter_request, &r);
    bool is_done = !ans_has_error(&r.ans);
    ans_free(&r.ans);
    return is_done;
}

bool fixture_hold(struct fixture *f, const char *user, const char *what, unsigned kinds,
                  uint32_t op)
{
    struct GR_Type gr = { 0 };
    fixture_name(&gr, what);
    cull_set(&gr, GR_hold_op, op);
    cull_set(&gr, GR_hold_kinds, (uint32_t)kinds);
    return fixture_ask(f, user, alter_request, &gr);
}

static void delete_with(struct fixture *f, const char *user, const char *what, uint32_t options)
{
    struct request r = { 0 };
    fixture_name(&r.gr, what);
    cull_set(&r.gr, GR_options, options);
    ask_handler(f, user, delete_request, &r);
    ans_free(&r.ans);
}

void fixture_delete(struct fixture *f, const char *user, const char *what)
{
    delete_with(f, user, what, 0);
}

void fixture_delete_forced(struct fixture *f, const char *user, const char *what)
{
    delete_with(f, user, what, GDI_FORCE);
}

bool fixture_set_queue(struct fixture *f, const char *attr, const char *value)
{
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_target, (uint32_t)GDI_CQUEUE);
    struct CQ_Type *cq = cull_append(&gr, GR_cqueues);
    cull_copy(&cull_CQ_Type, cq, &queues_cqueue(&f->q.queues, "all.q")->rec);
    assert_int_equal(cqueue_set(cq, attr, value, NULL), 0);
    return fixture_ask(f, "boss", mod_config_request, &gr);
}

bool fixture_put_group(struct fixture *f, const char *name, const char *hosts)
{
    bool is_there = settings_text(&f->q.settings, GDI_HOSTGROUP, name) != NULL;
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_target, (uint32_t)GDI_HOSTGROUP);
    const struct object_rules *rules = object_rules_of(OBJECT_HOSTGROUP);
    struct TX_Type *tx = cull_append(&gr, GR_texts);
    object_template(rules, name, tx);
    assert_int_equal(object_set(rules, tx, "hostlist", hosts, NULL), 0);
    return fixture_ask(f, "boss", is_there ? mod_config_request : add_config_request, &gr);
}

void fixture_set_group(struct fixture *f, const char *name, const char *hosts)
{
    assert_true(fixture_put_group(f, name, hosts));
}

static void on_unmatched(struct request *r, const char *what)
{
    ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, "no %s", what);
}

static enum step_result begin_selection(struct qmaster *q, struct request *r)
{
    return select_begin(q, r, r->from->who.user, on_unmatched);
}

void fixture_select(struct fixture *f, const char *user, const char *what, struct selection *out)
{
    static step_fn *const steps[] = { begin_selection, select_jobs, NULL };
    struct request r = { .from = fixture_connection(f, user) };
    fixture_name(&r.gr, what);
    request_run(&f->q, &r, steps);
    *out = r.chosen;
    for (uint32_t i = 0; i < out->n; i++)
        out->v[i].asked = (struct TR_Type_list){ 0 }; /* borrowed from the request */
    dstr_clear(&f->said);
    dstr_add(&f->said, ans_first_error(&r.ans));
    ans_free(&r.ans);
    cull_clear(&cull_GR_Type, &r.gr);
}

void fixture_put_quota(struct fixture *f, const char *rule)
{
    struct TX_Type tx = { 0 };
    const struct object_rules *rules = object_rules_of(OBJECT_RQS);
    object_template(rules, "r1", &tx);
    assert_int_equal(object_set(rules, &tx, "enabled", "TRUE", NULL), 0);
    assert_int_equal(object_set(rules, &tx, "limit", rule, NULL), 0);
    config_stage_text(&f->q, &settings_put_text(&f->q.settings, &tx)->rec);
}
