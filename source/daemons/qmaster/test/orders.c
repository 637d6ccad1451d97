/* Orders of the scheduler, which is never trusted: each is carried out or refused with a reason,
 * and the booking undone by an event. */
#include "daemons/qmaster/reports/reports.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/jobs/holds.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/requests/explain/reasons.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/config/qinstance.h"
#include "libs/sched/msg_sched.h"
#include "libs/sgeobj/event.h"
#include "libs/sgeobj/job_report.h"
#include "libs/task/task_dir.h"

static void register_scheduler(struct fixture *f)
{
    fixture_register_scheduler(f);
    while (events_step(&f->q))
        ;
    events_flush(&f->q);
    fixture_forget_sent(f);
}

static int set_up(void **state)
{
    int rc = fixture_setup(state);
    if (rc == 0)
        register_scheduler(*state);
    return rc;
}

struct order {
    uint32_t kind, job, first, last, slots;
    const char *queue; /* NULL: nowhere */
    const char *also;  /* a second entry, with as many slots; NULL: there is none */
    const char *pe;    /* NULL: none */
    const char *owner; /* ORDER_LAST; NULL: nobody */
    /* ORDER_RESERVE: so many tasks of the job are to start, each in so many places */
    uint32_t reserved, places;
    bool begins; /* ORDER_PRIOR */
};
static struct order order_of(uint32_t job, uint32_t first, uint32_t last)
{
    return (struct order){ ORDER_START, job,  first, last, 1, "all.q@node1",
                           NULL,        NULL, NULL,  0,    0, false };
}

static void add_reservations(struct OR_Type *order, const struct order *o)
{
    for (uint32_t i = o->reserved; i > 0; i--) {
        struct RV_Type *r = cull_append(order, OR_reserved);
        cull_set(r, RV_job_number, o->job);
        cull_set(r, RV_ordinal, i - 1);
        cull_set(r, RV_start_time, UINT64_C(1000) + i);
        cull_set(r, RV_places, o->places);
        for (uint32_t at = 0; at < o->places; at++) {
            struct JG_Type *place = cull_append(r, RV_granted);
            cull_set(place, JG_qname, "all.q@node1");
            cull_set(place, JG_slots, o->slots);
        }
    }
}

static void add_places(struct OR_Type *order, const struct order *o)
{
    const char *const queues[] = { o->queue, o->also };
    for (size_t i = 0; i < ARRAY_LEN(queues); i++) {
        if (queues[i] == NULL)
            continue;
        struct JG_Type *entry = cull_append(order, OR_granted);
        cull_set(entry, JG_qname, queues[i]);
        cull_set(entry, JG_slots, o->slots);
    }
    if (o->pe != NULL)
        cull_set(&order->OR_granted.v[0], JG_pe, o->pe);
}

/* sends the order and gives the reason of the first refusal, "" when all was carried out; in
 * f->said */
static const char *give_order(struct fixture *f, struct order o, const char *user,
                              uint32_t *refused)
{
    struct EP_Type package = { 0 }, ack = { 0 };
    struct packer p = { 0 };
    cull_set(&package, EP_number, UINT64_C(1));
    struct OR_Type *order = cull_append(&package, EP_orders);
    cull_set(order, OR_kind, o.kind);
    cull_set(order, OR_job_number, o.job);
    cull_set(order, OR_owner, o.owner);
    cull_set(order, OR_begins, o.begins);
    add_places(order, &o);
    add_reservations(order, &o);
    range_set_add(cull_ranges(order, OR_ids), o.first, o.last);
    cull_pack(&p, &cull_EP_Type, &package, NULL);
    cull_clear(&cull_EP_Type, &package);
    fixture_forget_sent(f);
    struct frame frame = { .kind = GDI_FRAME_ORDERS, .serial = 9, .body = p.data, .len = p.len };
    orders_handle(&f->q, fixture_connection(f, user), &frame);
    packer_free(&p);
    dstr_clear(&f->said);
    for (uint32_t i = 0; i < f->n_sent; i++)
        if (f->sent[i].kind == GDI_FRAME_ORDERS_ACK) {
            struct unpacker u = unpacker_over(f->sent[i].body, f->sent[i].len);
            assert_int_equal(cull_unpack(&u, &cull_EP_Type, NULL, NULL, &ack, NULL), 0);
        }
    if (ack.EP_orders.n > 0)
        dstr_add(&f->said, ack.EP_orders.v[0].OR_reason);
    for (uint32_t i = 0; refused != NULL && i < ack.EP_orders.n; i++)
        *refused = (uint32_t)range_set_count(&ack.EP_orders.v[i].OR_ids) + (i > 0 ? *refused : 0);
    cull_clear(&cull_EP_Type, &ack);
    return dstr_get(&f->said);
}

/* what the events collected since then tell the scheduler: "ready 5:1-2, started ..." */
static const char *text_told(struct fixture *f)
{
    static const char *const names[EV_KINDS] = {
        [EV_TASKS_READY] = "ready", [EV_TASKS_UNREADY] = "unready", [EV_TASKS_STARTED] = "started",
        [EV_TASKS_ENDED] = "ended", [EV_JOB_ADD] = "add",           [EV_JOB_DEL] = "del",
    };
    fixture_forget_sent(f);
    events_flush(&f->q);
    dstr_clear(&f->said);
    for (uint32_t i = 0; i < f->n_sent; i++) {
        struct EP_Type package = { 0 };
        struct unpacker u = unpacker_over(f->sent[i].body, f->sent[i].len);
        assert_int_equal(f->sent[i].kind, GDI_FRAME_EVENTS);
        assert_int_equal(cull_unpack(&u, &cull_EP_Type, NULL, NULL, &package, NULL), 0);
        for (uint32_t k = 0; k < package.EP_events.n; k++) {
            const struct EV_Type *ev = &package.EP_events.v[k];
            struct range run;
            if (ev->EV_kind == EV_OBJECT) /* the user, made by the first submit */
                continue;
            dstr_addf(&f->said, "%s%s", f->said.len > 0 ? ", " : "",
                      ev->EV_kind < EV_KINDS && names[ev->EV_kind] ? names[ev->EV_kind] : "?");
            if (range_set_next_run(&ev->EV_ids, 0, &run))
                dstr_addf(&f->said, " %u-%u", run.first, run.last);
        }
        cull_clear(&cull_EP_Type, &package);
    }
    return dstr_get(&f->said);
}

static void a_good_order_starts_its_tasks(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-10");
    assert_string_equal(text_told(f), "add 0-9");
    assert_string_equal(give_order(f, order_of(a, 0, 3), "root", NULL), "");
    assert_int_equal(fixture_job(f, a)->rare->n_running, 4);
    assert_int_equal(fixture_queue(f)->rec.QU_slots_used, 4);
    assert_string_equal(text_told(f), "started 0-3");
}

static void a_bad_order_is_refused_with_its_reason(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-10");
    struct order o = order_of(a, 0, 0);
    o.kind = 7;
    assert_string_equal(give_order(f, o, "root", NULL), "unknown kind of order");
    assert_string_equal(give_order(f, order_of(4711, 0, 0), "root", NULL), "the job is gone");
    o = order_of(a, 0, 0);
    o.queue = "all.q@elsewhere";
    assert_string_equal(give_order(f, o, "root", NULL), "the queue instance is gone");
    o.queue = NULL;
    assert_string_equal(give_order(f, o, "root", NULL), "the queue instance is gone");
    o = order_of(a, 0, 0);
    o.slots = 0;
    assert_string_equal(give_order(f, o, "root", NULL), "an order for no slots");
    assert_string_equal(give_order(f, order_of(a, 10, 10), "root", NULL),
                        "the task is not pending or is held");
    assert_int_equal(fixture_job(f, a)->rare->n_running, 0);
}

static void closed_queues_take_nothing(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f);
    for (uint32_t bit = 1; bit <= QI_ORPHANED; bit <<= 1) {
        cull_set(&fixture_queue(f)->rec, QU_state, bit);
        assert_string_equal(give_order(f, order_of(a, 0, 0), "root", NULL),
                            "the queue instance does not accept tasks now");
    }
    cull_set(&fixture_queue(f)->rec, QU_state, 0u);
    uint64_t conn = fixture_queue(f)->host->conn;
    fixture_queue(f)->host->conn = 0; /* its execd has gone */
    assert_string_equal(give_order(f, order_of(a, 0, 0), "root", NULL),
                        "the queue instance does not accept tasks now");
    fixture_queue(f)->host->conn = conn;
    assert_string_equal(give_order(f, order_of(a, 0, 0), "root", NULL), "");
}

static void held_tasks_never_start(void **state)
{
    struct fixture *f = *state;
    submit(f, .name = "A", .tasks = "1-4");
    uint32_t b = submit(f, .name = "B", .tasks = "1-4", .ad = "A"),
             c = submit(f, .tasks = "1-4", .jid = "A"), refused = 0;
    assert_string_equal(give_order(f, order_of(b, 0, 3), "root", &refused),
                        "the task is not pending or is held");
    assert_int_equal(refused, 4);
    assert_string_equal(give_order(f, order_of(c, 0, 0), "root", NULL),
                        "the task is not pending or is held");
    uint32_t d = submit(f, .tasks = "1-4");
    struct range_set one = { 0 };
    range_set_add(&one, 1, 1);
    job_set_hold(&f->q, fixture_job(f, d), MINUS_H_TGT_USER, true, &one, NULL);
    give_order(f, order_of(d, 0, 3), "root", &refused);
    assert_int_equal(refused, 1);
    assert_int_equal(fixture_job(f, d)->rare->n_running, 3);
    range_set_free(&one);
}

static void a_task_starts_once(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-2");
    assert_string_equal(give_order(f, order_of(a, 0, 0), "root", NULL), "");
    assert_string_equal(give_order(f, order_of(a, 0, 0), "root", NULL),
                        "the task is not pending or is held");
    assert_int_equal(fixture_task(f, a, 1)->rec.JAT_attempt, 1);
    assert_int_equal(fixture_queue(f)->rec.QU_slots_used, 1);
}

static void slots_and_concurrency_are_limits(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-200"), refused = 0;
    cull_set(&fixture_job(f, a)->rec, JB_ja_task_concurrency, 3u);
    assert_string_equal(give_order(f, order_of(a, 0, 9), "root", &refused),
                        "the limit of concurrent tasks (-tc) is reached");
    assert_int_equal(refused, 7);
    cull_set(&fixture_job(f, a)->rec, JB_ja_task_concurrency, 0u);
    assert_string_equal(give_order(f, order_of(a, 3, 199), "root", &refused),
                        "the queue instance has no free slot");
    assert_int_equal(refused, 100);
    assert_int_equal(fixture_queue(f)->rec.QU_slots_used, 100);
}

static void maxujobs_limits_the_tasks_of_all_jobs_of_an_owner(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-4"), b = submit(f, .tasks = "1-4"), refused = 0;
    f->q.settings.max_user_tasks = 5;
    assert_string_equal(give_order(f, order_of(a, 0, 3), "root", NULL), "");
    assert_string_equal(give_order(f, order_of(b, 0, 3), "root", &refused),
                        "the owner has as many tasks as he may have (maxujobs)");
    assert_int_equal(refused, 3);
    uint32_t c = submit(f, .owner = "bob");
    assert_string_equal(give_order(f, order_of(c, 0, 0), "root", NULL), "");
}

static void a_start_time_and_a_queue_request_are_kept(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f);
    cull_set(&fixture_job(f, a)->rec, JB_execution_time, f->q.now_s + 1);
    assert_string_equal(give_order(f, order_of(a, 0, 0), "root", NULL),
                        "the job's start time has not come");
    f->q.now_s++;
    struct QR_Type *wanted = cull_append(&fixture_job(f, a)->rec, JB_hard_queue_list);
    cull_set(wanted, QR_name, "other.q");
    assert_string_equal(give_order(f, order_of(a, 0, 0), "root", NULL),
                        "the job does not request this queue");
    wanted = cull_append(&fixture_job(f, a)->rec, JB_hard_queue_list);
    cull_set(wanted, QR_name, "*@node1");
    assert_string_equal(give_order(f, order_of(a, 0, 0), "root", NULL), "");
}

static void quotas_are_limits_and_are_counted_again_after_a_restart(void **state)
{
    static const char used_up[] = "a resource quota is used up, or is being counted";
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-20"), refused = 0;
    fixture_put_quota(f, "users {*} to slots=3");
    assert_string_equal(give_order(f, order_of(a, 0, 9), "root", &refused), used_up);
    assert_int_equal(refused, 7);
    fixture_report(f, a, 1, REPORT_ENDED, TASK_FAILED_NOT);
    assert_string_equal(give_order(f, order_of(a, 3, 4), "root", &refused), used_up);
    assert_int_equal(refused, 1);
    fixture_commit(f);
    fixture_restart(f);
    register_scheduler(f);
    assert_string_equal(give_order(f, order_of(a, 4, 4), "root", NULL), used_up);
    fixture_report(f, a, 2, REPORT_ENDED, TASK_FAILED_NOT);
    assert_string_equal(give_order(f, order_of(a, 4, 4), "root", NULL), "");
    fixture_put_quota(f, "users {*} to slots=1");
    fixture_report(f, a, 3, REPORT_ENDED, TASK_FAILED_NOT);
    fixture_report(f, a, 4, REPORT_ENDED, TASK_FAILED_NOT);
    assert_string_equal(give_order(f, order_of(a, 5, 5), "root", NULL), used_up);
    fixture_put_quota(f, "users {*} to slots=9");
    f->q.slice_until_us = 1; /* each step counts the tasks of one host */
    assert_string_equal(give_order(f, order_of(a, 5, 5), "root", NULL), used_up);
    assert_string_equal(give_order(f, order_of(a, 5, 5), "root", NULL), "");
    f->q.slice_until_us = 0;
    settings_drop_text(&f->q.settings, settings_text(&f->q.settings, GDI_RQS, "r1"));
    assert_string_equal(give_order(f, order_of(a, 6, 15), "root", NULL), "");
}

/* a loop of them must not keep the orders for other users waiting */
static void another_project_counts_the_tasks_of_its_job_alone(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    uint32_t a = submit(f, .tasks = "1-4"), b = submit(f, .tasks = "1-4");
    struct TX_Type film = { 0 };
    object_template(object_rules_of(OBJECT_PROJECT), "film", &film);
    settings_put_text(&f->q.settings, &film);
    fixture_put_quota(f, "projects film to slots=2");
    assert_string_equal(give_order(f, order_of(a, 0, 1), "root", NULL), "");
    uint64_t round = f->q.settings.quota_round;
    cull_set(cull_append(&gr, GR_jobs), JB_project, "film");
    fixture_name(&gr, "1");
    assert_true(fixture_ask(f, "alice", alter_request, &gr));
    assert_string_equal(fixture_job(f, a)->rec.JB_project, "film");
    assert_int_equal(f->q.settings.quota_round, round);
    f->q.slice_until_us = 1; /* a count of all tasks would not be over in it */
    assert_string_equal(give_order(f, order_of(b, 0, 0), "root", NULL), "");
    assert_string_equal(give_order(f, order_of(a, 2, 2), "root", NULL),
                        "a resource quota is used up, or is being counted");
    f->q.slice_until_us = 0;
    fixture_report(f, a, 1, REPORT_ENDED, TASK_FAILED_NOT);
    assert_string_equal(give_order(f, order_of(a, 2, 2), "root", NULL), "");
}

static void set_pe(struct fixture *f, uint32_t number, const char *pe)
{
    struct JB_Type *rec = &fixture_job(f, number)->rec;
    job_names_remove(&f->q.jobs.names, rec);
    cull_set(rec, JB_pe, pe);
    job_names_add(&f->q.jobs.names, rec);
}

static struct text_object *put_pe(struct fixture *f, const char *slots, const char *rule)
{
    struct TX_Type tx = { 0 };
    const struct object_rules *rules = object_rules_of(OBJECT_PE);
    object_template(rules, "mpi", &tx);
    assert_int_equal(object_set(rules, &tx, "slots", slots, NULL), 0);
    assert_int_equal(object_set(rules, &tx, "allocation_rule", rule, NULL), 0);
    return settings_put_text(&f->q.settings, &tx);
}

/* all.q on a second host, with an execd; NUMBER is a parallel job */
static void spread_tasks(struct fixture *f, uint32_t number)
{
    put_pe(f, "999999", "$fill_up");
    struct host *h = hosts_add(&f->q.hosts, "node2");
    h->conn = fixture_queue(f)->host->conn;
    assert_true(fixture_set_queue(f, "hostlist", "node1 node2"));
    assert_true(fixture_set_queue(f, "pe_list", "make mpi"));
    range_set_add(cull_ranges(&fixture_job(f, number)->rec, JB_pe_range), 1, 64);
    set_pe(f, number, "mpi");
}

static struct order order_on_both(uint32_t job, uint32_t first, uint32_t last)
{
    return (struct order){ ORDER_START,   job,   first, last, 2, "all.q@node1",
                           "all.q@node2", "mpi", NULL,  0,    0, false };
}

static struct qinstance *second_instance(struct fixture *f)
{
    return queues_instance(&f->q.queues, "all.q@node2");
}

static struct QU_Type *second_queue(struct fixture *f)
{
    return &second_instance(f)->rec;
}

static void set_slots(struct qinstance *qi, uint32_t slots)
{
    cull_set(&qi->rec, QU_job_slots, slots);
    qi->offers_round = 0;
}

/* the user set CREW has ENTRIES, whatever the jobs in the table say of it */
static void put_crew(struct fixture *f, const char *entries)
{
    struct TX_Type set = { 0 };
    cull_set(&set, TX_kind, (uint32_t)GDI_USERSET);
    cull_set(&set, TX_name, "crew");
    struct VA_Type *value = cull_append(&set, TX_entries);
    cull_set(value, VA_variable, "entries");
    cull_set(value, VA_value, entries);
    settings_put_text(&f->q.settings, &set);
}

static void nobody_starts_where_access_lists_keep_him_out(void **state)
{
    struct fixture *f = *state;
    put_crew(f, "bob");
    uint32_t job = submit(f, .tasks = "1-3");
    assert_true(fixture_set_queue(f, "user_lists", "crew"));
    assert_string_equal(give_order(f, order_of(job, 0, 0), "root", NULL),
                        "the job's owner or project may not use this queue");
    put_crew(f, "bob,alice"); /* the set counts, not what the job or the scheduler says of it */
    assert_string_equal(give_order(f, order_of(job, 0, 0), "root", NULL), "");
    assert_true(fixture_set_queue(f, "xuser_lists", "crew"));
    assert_string_equal(give_order(f, order_of(job, 1, 1), "root", NULL),
                        "the job's owner or project may not use this queue");
    assert_int_equal(fixture_job(f, job)->rare->n_running, 1); /* what runs, runs on */
}

static void an_order_with_two_entries_takes_slots_in_both(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-10");
    spread_tasks(f, a);
    text_told(f);
    assert_string_equal(give_order(f, order_on_both(a, 0, 3), "root", NULL), "");
    assert_int_equal(fixture_queue(f)->rec.QU_slots_used, 8);
    assert_int_equal(second_queue(f)->QU_slots_used, 8);
    assert_string_equal(text_told(f), "started 0-3");
    assert_int_equal(fixture_task(f, a, 1)->rec.JAT_granted_destin_identifier_list.n, 2);
}

static void each_entry_is_checked(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-10");
    spread_tasks(f, a);
    struct order o = order_on_both(a, 0, 0);
    o.also = "all.q@elsewhere";
    assert_string_equal(give_order(f, o, "root", NULL), "the queue instance is gone");
    o.also = o.queue;
    assert_string_equal(give_order(f, o, "root", NULL),
                        "an order that names a queue instance twice");
    o = order_on_both(a, 0, 0);
    uint32_t all = second_queue(f)->QU_job_slots;
    set_slots(second_instance(f), 1);
    assert_string_equal(give_order(f, o, "root", NULL), "the queue instance has no free slot");
    set_slots(second_instance(f), all);
    cull_set(second_queue(f), QU_state, (uint32_t)QI_DISABLED);
    assert_string_equal(give_order(f, o, "root", NULL),
                        "the queue instance does not accept tasks now");
    cull_set(second_queue(f), QU_state, 0u);
    set_pe(f, a, NULL);
    assert_string_equal(give_order(f, o, "root", NULL), "a task of this job takes one slot");
    o.pe = NULL;
    o.slots = 1;
    assert_string_equal(give_order(f, o, "root", NULL), "a task of this job takes one slot");
    assert_int_equal(fixture_job(f, a)->rare->n_running, 0);
    assert_int_equal(fixture_queue(f)->rec.QU_slots_used, 0);
}

static void an_order_keeps_to_the_parallel_environment(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-10");
    spread_tasks(f, a);
    struct order o = order_on_both(a, 0, 0);
    o.pe = NULL;
    assert_string_equal(give_order(f, o, "root", NULL),
                        "a task of this job runs in a parallel environment");
    o.pe = "other";
    assert_string_equal(give_order(f, o, "root", NULL), "the parallel environment is gone");
    o.pe = "mpi";
    set_pe(f, a, "smp*");
    assert_string_equal(give_order(f, o, "root", NULL),
                        "the job does not request this parallel environment");
    set_pe(f, a, "m*i");
    o.slots = 40;
    assert_string_equal(give_order(f, o, "root", NULL),
                        "the job does not request this number of slots");
    o.slots = 2;
    put_pe(f, "100", "$pe_slots");
    assert_string_equal(give_order(f, o, "root", NULL),
                        "the allocation rule of the parallel environment forbids it");
    put_pe(f, "100", "3");
    assert_string_equal(give_order(f, o, "root", NULL),
                        "the allocation rule of the parallel environment forbids it");
    put_pe(f, "100", "2");
    cull_set(cull_append(&fixture_job(f, a)->rec, JB_master_hard_queue_list), QR_name, "*@node2");
    assert_string_equal(give_order(f, o, "root", NULL),
                        "the job does not request this queue for its master");
    cull_clear_field(&cull_JB_Type, &fixture_job(f, a)->rec, JB_master_hard_queue_list);
    assert_true(fixture_set_queue(f, "pe_list", "make"));
    assert_string_equal(give_order(f, o, "root", NULL),
                        "the queue instance does not offer the parallel environment");
    assert_true(fixture_set_queue(f, "pe_list", "mpi"));
    assert_string_equal(give_order(f, o, "root", NULL), "");
}

static void the_slots_of_a_parallel_environment_are_no_more_than_it_has(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-10");
    spread_tasks(f, a);
    const struct text_object *pe = put_pe(f, "9", "$fill_up");
    assert_string_equal(give_order(f, order_on_both(a, 0, 3), "root", NULL),
                        "the parallel environment does not have as many free slots");
    assert_int_equal(fixture_job(f, a)->rare->n_running, 2);
    assert_int_equal(supply_booked(pe->slots, RESOURCE_SLOTS), 8);
    fixture_report(f, a, 1, REPORT_ENDED, 0);
    assert_int_equal(supply_booked(pe->slots, RESOURCE_SLOTS), 4);
    assert_string_equal(give_order(f, order_on_both(a, 2, 2), "root", NULL), "");
    assert_int_equal(supply_booked(pe->slots, RESOURCE_SLOTS), 8);
}

static void a_task_counts_once_for_each_entry_of_an_order(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-60000");
    spread_tasks(f, a);
    assert_string_equal(give_order(f, order_on_both(a, 0, 50000), "root", NULL),
                        "an order for more than 100000 tasks");
    assert_string_equal(give_order(f, order_on_both(a, 0, 49999), "root", NULL),
                        "the queue instance has no free slot");
    assert_int_equal(fixture_job(f, a)->rare->n_running, 50);
}

static void a_refused_booking_is_undone_in_all_queues(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-2");
    spread_tasks(f, a);
    fixture_delete(f, "alice", "J");
    text_told(f);
    give_order(f, order_on_both(a, 0, 0), "root", NULL);
    fixture_forget_sent(f);
    events_flush(&f->q);
    struct EP_Type package = { 0 };
    struct unpacker u = unpacker_over(f->sent[0].body, f->sent[0].len);
    assert_int_equal(cull_unpack(&u, &cull_EP_Type, NULL, NULL, &package, NULL), 0);
    const struct EV_Type *ended = &package.EP_events.v[0];
    assert_int_equal(ended->EV_kind, EV_TASKS_ENDED);
    assert_int_equal(ended->EV_granted.n, 2);
    assert_string_equal(ended->EV_granted.v[1].JG_qname, "all.q@node2");
    cull_clear(&cull_EP_Type, &package);
}

/* event.h: READY takes the booking back and makes the task ready again, ENDED takes it back for
 * good */
static void a_refused_booking_is_undone(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-2"), b = submit(f, .tasks = "1-2");
    text_told(f);
    cull_set(&fixture_job(f, a)->rec, JB_ja_task_concurrency, 1u);
    give_order(f, order_of(a, 0, 1), "root", NULL);
    assert_string_equal(text_told(f), "started 0-0, ready 1-1");
    fixture_delete(f, "alice", "J"); /* both jobs; the running task stays */
    text_told(f);
    give_order(f, order_of(b, 0, 0), "root", NULL);
    assert_string_equal(text_told(f), "ended 0-0");
}

/* what a scheduler gone wrong could say */
/* ---- immediate jobs (-now y) ---- */
static uint32_t submit_at_once(struct fixture *f, const char *tasks)
{
    uint32_t number = submit(f, .tasks = tasks);
    cull_set(&jobs_find(&f->q.jobs, number)->rec, JB_is_immediate, true);
    return number;
}

static void order_removal(struct fixture *f, uint32_t job)
{
    struct order o = { .kind = ORDER_REMOVE, .job = job };
    assert_string_equal(give_order(f, o, "root", NULL), "");
}

static void reasons_are(struct fixture *f, uint32_t job, const char *expected)
{
    struct place_search search = { 0 };
    struct ST_Type_list reasons = { 0 };
    assert_true(reasons_of_job(&f->q, fixture_job(f, job), &search, &reasons));
    assert_string_equal(reasons.n > 0 ? reasons.v[0].ST_name : "", expected);
    cull_list_clear(&cull_ST_Type, &reasons);
}

static void jobs_say_that_they_come_last_for_what_they_cost(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f);
    const char *owner = fixture_job(f, a)->rec.JB_owner;
    struct order last = { .kind = ORDER_LAST, .owner = owner }, nobody = { .kind = ORDER_LAST };
    reasons_are(f, a, "");
    assert_string_equal(give_order(f, last, "root", NULL), "");
    assert_string_equal(give_order(f, nobody, "root", NULL), "");
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, MSG_WHY_COSTLY_S, owner);
    reasons_are(f, a, dstr_get(&text));
    dstr_free(&text);
    f->q.now_s += 60;
    reasons_are(f, a, "");
}

static void expect_reservation(struct fixture *f, uint32_t job, const char *task, uint64_t at_s,
                               uint32_t nth)
{
    struct place_search search = { 0 };
    struct ST_Type_list reasons = { 0 };
    struct dstr text = DSTR_INIT, at = DSTR_INIT;
    uti_time_us_date(at_s, &at);
    dstr_addf(&text, MSG_WHY_RESERVED_SSS, task, dstr_get(&at), "2 at all.q@node1");
    assert_true(reasons_of_job(&f->q, fixture_job(f, job), &search, &reasons));
    assert_true(reasons.n > nth);
    assert_string_equal(reasons.v[nth].ST_name, dstr_get(&text));
    cull_list_clear(&cull_ST_Type, &reasons);
    dstr_free(&text);
    dstr_free(&at);
}

static void jobs_say_when_they_are_expected_to_start(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-4"), b = submit(f);
    struct order reserve = {
        .kind = ORDER_RESERVE, .job = a, .reserved = 2, .places = 1, .slots = 2
    };
    struct order beyond = { .kind = ORDER_RESERVE,
                            .job = a,
                            .reserved = RESERVATIONS_MOST + 5,
                            .places = 1 },
                 wide = { .kind = ORDER_RESERVE,
                          .job = a,
                          .reserved = 1,
                          .places = RESERVED_PLACES_MOST + 1 },
                 begins = { .kind = ORDER_PRIOR, .begins = true };
    struct dstr held_back = DSTR_INIT, task = DSTR_INIT;
    dstr_addf(&held_back, MSG_WHY_HELD_BACK_U, 2u);
    dstr_addf(&task, "%u.1", a);
    assert_string_equal(give_order(f, reserve, "root", NULL), "");
    reasons_are(f, b, dstr_get(&held_back)); /* it would fit */
    expect_reservation(f, a, dstr_get(&task), 1001, 1);
    assert_string_equal(give_order(f, order_of(a, 0, 0), "root", NULL), ""); /* it starts */
    dstr_clear(&task);
    dstr_addf(&task, "%u.2", a);
    expect_reservation(f, a, dstr_get(&task), 1002, 1);
    assert_string_equal(give_order(f, wide, "root", NULL), "");
    assert_int_equal(events_reserved(&f->q)->n, 0);
    assert_string_equal(give_order(f, beyond, "root", NULL), "");
    assert_int_equal(events_reserved(&f->q)->n, RESERVATIONS_MOST);
    assert_int_equal(events_reserved(&f->q)->v[0].RV_ordinal, 5);
    assert_string_equal(give_order(f, begins, "root", NULL), "");
    reasons_are(f, b, "");
    dstr_free(&held_back);
    dstr_free(&task);
}

static void only_an_immediate_job_is_removed(void **state)
{
    struct fixture *f = *state;
    uint32_t ordinary = submit(f, .tasks = "1-2"), immediate = submit_at_once(f, "1-2");
    order_removal(f, 4711);
    order_removal(f, ordinary);
    order_removal(f, immediate);
    assert_non_null(jobs_find(&f->q.jobs, ordinary));
    assert_null(jobs_find(&f->q.jobs, immediate));
}

static void an_immediate_job_that_has_started_is_one_like_others(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit_at_once(f, "1-3");
    assert_string_equal(give_order(f, order_of(a, 0, 1), "root", NULL), "");
    assert_true(jobs_find(&f->q.jobs, a)->rec.JB_is_immediate);
    order_removal(f, a); /* too late: what is left waits for its turn */
    assert_false(jobs_find(&f->q.jobs, a)->rec.JB_is_immediate);
    assert_non_null(strstr(text_told(f), "ready 2"));
    uint32_t b = submit_at_once(f, "1-2");
    assert_string_equal(give_order(f, order_of(b, 0, 1), "root", NULL), "");
    assert_false(jobs_find(&f->q.jobs, b)->rec.JB_is_immediate);
    order_removal(f, b);
    assert_non_null(jobs_find(&f->q.jobs, b));
}

static void absurd_orders_cost_nothing(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-1000000"), refused = 0;
    struct order o = order_of(a, 0, 0);
    o.slots = UINT32_MAX; /* added to what is used it is less than there is */
    fixture_start(f, a, 1);
    assert_string_equal(give_order(f, o, "root", NULL), "a task of this job takes one slot");
    o = order_of(a, 0, UINT32_MAX - 2);
    text_told(f);
    assert_string_equal(give_order(f, o, "root", &refused), "an order for more than 100000 tasks");
    assert_true(refused == UINT32_MAX - 1);
    assert_string_equal(text_told(f), "started 0-0, ready 1-999999, ended 1000000-4294967293");
    o.job = 4711;
    assert_string_equal(give_order(f, o, "root", NULL), "the job is gone");
    assert_string_equal(text_told(f), "ended 0-4294967293");
    assert_int_equal(fixture_job(f, a)->rare->n_running, 1);
}

static void orders_of_others_are_ignored(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f);
    assert_string_equal(give_order(f, order_of(a, 0, 0), "alice", NULL), "");
    assert_int_equal(
        fixture_count_sent(f, fixture_connection(f, "alice")->conn, GDI_FRAME_ORDERS_ACK), 0);
    assert_int_equal(fixture_job(f, a)->rare->n_running, 0);
}

static void releases_are_one_small_event(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A", .tasks = "1-1000000:1000");
    submit(f, .tasks = "1-1000000", .ad = "A");
    assert_string_equal(text_told(f), "add 0-999, add");
    fixture_run(f, a, 2001, 0);
    assert_string_equal(text_told(f), "started 2-2, ended 2-2, ready 2000-2999");
}

static void acknowledge_orders(struct fixture *f, uint64_t number)
{
    struct EP_Type ack = { 0 };
    struct packer p = { 0 };
    cull_set(&ack, EP_number, number);
    cull_pack(&p, &cull_EP_Type, &ack, NULL);
    cull_clear(&cull_EP_Type, &ack);
    struct frame frame = { .kind = GDI_FRAME_EVENT_ACK, .body = p.data, .len = p.len };
    events_on_ack(&f->q, fixture_connection(f, "root"), &frame);
    packer_free(&p);
}

static void pass_seconds(struct fixture *f, uint64_t s)
{
    f->q.now_us += s * 1000000;
    events_check(&f->q);
}

static void a_scheduler_that_hangs_is_replaced(void **state)
{
    struct fixture *f = *state;
    uint64_t conn = fixture_connection(f, "root")->conn;
    acknowledge_orders(f, 1);
    pass_seconds(f, 3600); /* nothing to acknowledge: it may be silent */
    submit(f);
    events_flush(&f->q);
    pass_seconds(f, 59);
    acknowledge_orders(f, 2);
    submit(f);
    events_flush(&f->q);
    pass_seconds(f, 59);
    assert_true(events_is_scheduler(&f->q, conn));
    submit(f);
    events_flush(&f->q);
    pass_seconds(f, 2); /* the first of two is late */
    assert_false(events_is_scheduler(&f->q, conn));
    assert_int_equal(f->last_closed, conn);
    register_scheduler(f); /* the next one begins anew */
    pass_seconds(f, 59);
    assert_true(events_is_scheduler(&f->q, conn));
}

static uint32_t count_events(struct fixture *f)
{
    fixture_forget_sent(f);
    events_flush(&f->q);
    return f->n_sent;
}

/* large jobs are told in several packages; one that never acknowledges them is not waited for with
 * all of them in memory */
static void a_scheduler_that_is_too_far_behind_starts_anew(void **state)
{
    struct fixture *f = *state;
    uint64_t conn = fixture_connection(f, "root")->conn;
    for (int i = 0; i < 3; i++)
        fixture_job(f, submit(f))->bytes = 6 << 20; /* as if */
    fixture_register_scheduler(f);
    assert_true(events_step(&f->q));
    assert_int_equal(count_events(f), 1);
    assert_false(events_step(&f->q));
    assert_int_equal(count_events(f), 1);
    uint32_t a = submit(f);
    for (int i = 0; i < 100; i++) {
        fixture_job(f, a)->bytes = 1 << 20;
        events_job_mod(&f->q, fixture_job(f, a));
        if (i < 62)
            assert_int_equal(count_events(f), 1);
    }
    assert_true(events_is_scheduler(&f->q, conn));
    for (int i = 0; i < 27; i++)
        events_job_mod(&f->q, fixture_job(f, a));
    events_flush(&f->q);
    assert_false(events_is_scheduler(&f->q, conn));
    assert_int_equal(f->last_closed, conn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, fixture_teardown)
        TEST(a_good_order_starts_its_tasks),
        TEST(a_bad_order_is_refused_with_its_reason),
        TEST(closed_queues_take_nothing),
        TEST(held_tasks_never_start),
        TEST(a_task_starts_once),
        TEST(slots_and_concurrency_are_limits),
        TEST(maxujobs_limits_the_tasks_of_all_jobs_of_an_owner),
        TEST(quotas_are_limits_and_are_counted_again_after_a_restart),
        TEST(another_project_counts_the_tasks_of_its_job_alone),
        TEST(a_start_time_and_a_queue_request_are_kept),
        TEST(nobody_starts_where_access_lists_keep_him_out),
        TEST(an_order_with_two_entries_takes_slots_in_both),
        TEST(each_entry_is_checked),
        TEST(an_order_keeps_to_the_parallel_environment),
        TEST(the_slots_of_a_parallel_environment_are_no_more_than_it_has),
        TEST(a_task_counts_once_for_each_entry_of_an_order),
        TEST(a_refused_booking_is_undone_in_all_queues),
        TEST(a_refused_booking_is_undone),
        TEST(only_an_immediate_job_is_removed),
        TEST(jobs_say_that_they_come_last_for_what_they_cost),
        TEST(jobs_say_when_they_are_expected_to_start),
        TEST(an_immediate_job_that_has_started_is_one_like_others),
        TEST(absurd_orders_cost_nothing),
        TEST(orders_of_others_are_ignored),
        TEST(releases_are_one_small_event),
        TEST(a_scheduler_that_hangs_is_replaced),
        TEST(a_scheduler_that_is_too_far_behind_starts_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
