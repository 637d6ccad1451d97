/* Tasks whose hosts start petasks: what is sent to which host and when, what becomes of the task
 * when hosts, petasks or the qmaster end at any step, and what is accounted for. The task 1.1 runs
 * on node1 and has a slave on node2, with two slots on each. */
#include "daemons/qmaster/reports/reports.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/io/mailer.h"
#include "daemons/qmaster/jobs/petasks.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/test/exec_asks.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/task_key.h"
#include "libs/sgeobj/task_state.h"
#include "libs/task/task_dir.h"

enum { SECOND = 1000000 };

/* both have registered */
struct hosts_of_test {
    struct connection *one, *two;
};

static int set_up(void **state)
{
    int rc = fixture_setup(state);
    if (rc != 0)
        return rc;
    struct fixture *f = *state;
    hosts_add(&f->q.hosts, "node2");
    hosts_add(&f->q.hosts, "node3");
    hosts_add(&f->q.hosts, "node4");
    assert_true(fixture_set_queue(f, "hostlist", "node1 node2"));
    change_record(&f->q, SPOOL_HOST, "node2", &cull_EH_Type,
                  &hosts_find(&f->q.hosts, "node2")->rec);
    fixture_commit(f);
    return 0;
}

static struct text_object *put_pe(struct fixture *f, bool is_summed)
{
    struct TX_Type tx = { 0 };
    const struct object_rules *rules = object_rules_of(OBJECT_PE);
    object_template(rules, "tight", &tx);
    assert_int_equal(object_set(rules, &tx, "control_slaves", "TRUE", NULL), 0);
    assert_int_equal(
        object_set(rules, &tx, "accounting_summary", is_summed ? "TRUE" : "FALSE", NULL), 0);
    return settings_put_text(&f->q.settings, &tx);
}

static void order_task(struct fixture *f, bool is_summed)
{
    struct place both[] = { { .qi = queues_instance(&f->q.queues, "all.q@node1"), .slots = 2 },
                            { .qi = queues_instance(&f->q.queues, "all.q@node2"), .slots = 2 } };
    struct places places = { .v = both, .n = 2, .pe = put_pe(f, is_summed) };
    task_start(&f->q, fixture_job(f, 1), 0, &places, 0.5);
}

static struct hosts_of_test an_order(struct fixture *f, bool is_summed)
{
    struct hosts_of_test h = { connect_as(f, "root"), connect_as(f, "root") };
    presence_check(&f->q);
    submit(f, .name = "A", .script = "true");
    fixture_commit(f);
    say_hello(f, h.one, "node1", NULL, NULL);
    say_hello(f, h.two, "node2", NULL, NULL);
    fixture_commit(f);
    fixture_forget_sent(f);
    order_task(f, is_summed);
    fixture_commit(f);
    return h;
}

static struct hosts_of_test a_run(struct fixture *f, bool is_summed)
{
    struct hosts_of_test h = an_order(f, is_summed);
    say_report(f, h.two, "1.1/1 started");
    fixture_commit(f);
    say_report(f, h.one, "1.1/1 started");
    fixture_commit(f);
    fixture_forget_sent(f);
    return h;
}

/* a report with all that a host can say; PETASK NULL: of the task or slave */
struct word {
    const char *petask, *binding;
    uint32_t state, failed, exit_status;
    double cpu, maxvmem;
};

static void say_word(struct fixture *f, struct connection *s, struct word w)
{
    struct XM_Type m = { 0 };
    struct task_key key = { 1, 1, w.petask };
    cull_set(&m, XM_kind, (uint32_t)EXEC_REPORTS);
    struct JR_Type *r = cull_append(&m, XM_reports);
    task_key_report(&key, 1, r);
    cull_set(r, JR_state, w.state);
    if (w.binding != NULL)
        cull_set(r, JR_binding, w.binding);
    cull_set(r, JR_failed, w.failed);
    cull_set(r, JR_exit_status, w.exit_status);
    cull_set(r, JR_start_time, f->q.now_s);
    cull_set(r, JR_end_time, f->q.now_s + 5);
    const char *names[] = { "cpu", "maxvmem" };
    double values[] = { w.cpu, w.maxvmem };
    for (int i = 0; i < 2; i++) {
        struct UA_Type *figure = cull_append(r, JR_usage);
        cull_set(figure, UA_name, names[i]);
        cull_set(figure, UA_value, values[i]);
    }
    hear_message(f, s, &m);
}

static bool is_there(struct fixture *f)
{
    struct job *job = jobs_find(&f->q.jobs, 1);
    return job != NULL && job_task(job, 0) != NULL;
}

static uint32_t slots_used(struct fixture *f, const char *queue)
{
    return queues_instance(&f->q.queues, queue)->rec.QU_slots_used;
}

/* the accounting file as "host petask failed exit cpu maxvmem", a line each; in f->said */
static const char *records_text(struct fixture *f)
{
    fixture_commit(f);
    char *text = fixture_accounting(f), *rest = text, *line;
    dstr_clear(&f->said);
    while ((line = strsep(&rest, "\n")) != NULL && *line != '\0') {
        char *fields[46] = { 0 }, *at = line;
        for (int i = 0; i < 46 && at != NULL; i++)
            fields[i] = strsep(&at, ":");
        assert_string_equal(fields[0], "all.q");
        assert_string_equal(fields[33], "tight");
        assert_string_equal(fields[34], "4");
        dstr_addf(&f->said, "%s %s %s %s %.0f %.0f\n", fields[1], fields[41], fields[11],
                  fields[12], strtod(fields[36], NULL), strtod(fields[42], NULL));
    }
    free(text);
    return dstr_get(&f->said);
}

static double usage_now(struct fixture *f, const char *name)
{
    const struct UA_Type_list *usage = &fixture_task(f, 1, 1)->rec.JAT_scaled_usage_list;
    for (uint32_t i = 0; i < usage->n; i++)
        if (strcmp(usage->v[i].UA_name, name) == 0)
            return usage->v[i].UA_value;
    return -1;
}

/* the housekeeping of so many seconds */
static void let_pass(struct fixture *f, unsigned seconds)
{
    for (unsigned i = 0; i < seconds; i++) {
        f->q.now_us += SECOND;
        for (struct host *h = f->q.hosts.all; h != NULL; h = h->hh.next)
            if (h->conn != 0)
                host_note_seen(&f->q.hosts, h, true, f->q.now_us);
        presence_check(&f->q);
    }
}

/* ---- the start ---- */

static void a_task_is_sent_when_its_slaves_are_ready(void **state)
{
    struct fixture *f = *state;
    struct connection *one = connect_as(f, "root"), *two = connect_as(f, "root");
    submit(f, .name = "A");
    fixture_commit(f);
    say_hello(f, one, "node1", NULL, NULL);
    say_hello(f, two, "node2", NULL, NULL);
    (void)told_after_sync(f, one);
    order_task(f, false);
    fixture_commit(f);
    uint32_t to_one = fixture_count_sent(f, one->conn, GDI_FRAME_EXEC);
    assert_string_equal(text_told(f, two), "start job 1 1.1/1");
    assert_int_equal(to_one, 0);
    say_report(f, two, "1.1/1 started");
    assert_string_equal(told_after_sync(f, one), "start job 1 1.1/1");
    say_report(f, two, "1.1/1 running"); /* again: nothing more follows */
    assert_string_equal(told_after_sync(f, one), "");
}

/* TO hosts, node1 first; the task 1.1 is ordered, with slots on each, while a slice is one slave */
static void order_wide(struct fixture *f, struct connection *to[], uint32_t n)
{
    struct place places[8];
    fixture_set_queue(f, "hostlist", "node1 node2 node3 node4");
    submit(f, .name = "A");
    fixture_commit(f);
    for (uint32_t i = 0; i < n; i++) {
        char name[16], queue[24];
        (void)snprintf(name, sizeof name, "node%u", i + 1);
        (void)snprintf(queue, sizeof queue, "all.q@%s", name);
        to[i] = connect_as(f, "root");
        say_hello(f, to[i], name, NULL, NULL);
        places[i] = (struct place){ .qi = queues_instance(&f->q.queues, queue), .slots = 1 };
    }
    fixture_commit(f);
    fixture_forget_sent(f);
    struct places all = { .v = places, .n = n, .pe = put_pe(f, false) };
    f->q.slice_until_us = 1;
    task_start(&f->q, fixture_job(f, 1), 0, &all, 0.5);
}

/* to how many slaves the start is on its way */
static uint32_t count_announced(struct fixture *f)
{
    static const char *const slaves[] = { "node2", "node3", "node4" };
    uint32_t n = 0;
    for (size_t i = 0; i < ARRAY_LEN(slaves); i++)
        n += hosts_find(&f->q.hosts, slaves[i])->starts.XM_tasks.n;
    return n;
}

static void many_slaves_are_announced_in_slices(void **state)
{
    struct fixture *f = *state;
    struct connection *to[4];
    order_wide(f, to, 4);
    assert_int_equal(count_announced(f), 1);
    for (uint32_t n = 2; n <= 3; n++) {
        assert_true(work_step(&f->q));
        assert_int_equal(count_announced(f), n);
    }
    assert_false(work_step(&f->q));
    f->q.slice_until_us = 0;
    fixture_commit(f);
    for (uint32_t i = 1; i < 4; i++)
        say_report(f, to[i], "1.1/1 started");
    assert_string_equal(told_after_sync(f, to[0]), "start job 1 1.1/1");
}

static void a_task_that_goes_meanwhile_is_announced_no_further(void **state)
{
    struct fixture *f = *state;
    struct connection *to[4];
    order_wide(f, to, 4);
    say_report(f, to[1], "1.1/1 ended");
    while (work_step(&f->q))
        ;
    assert_int_equal(count_announced(f), 1);
    f->q.slice_until_us = 0;
}

/* what the host of the task is sent of the entry of its slave, in f->said; "": nothing */
static const char *binding_sent(struct fixture *f, const struct connection *to)
{
    dstr_clear(&f->said);
    for (uint32_t i = 0; i < f->n_sent; i++) {
        struct XM_Type m = { 0 };
        struct unpacker u = unpacker_over(f->sent[i].body, f->sent[i].len);
        if (f->sent[i].conn != to->conn)
            continue;
        assert_int_equal(cull_unpack(&u, &cull_XM_Type, NULL, NULL, &m, NULL), 0);
        if (m.XM_tasks.n > 0) {
            const struct JG_Type_list *granted =
                &m.XM_tasks.v[0].JAT_granted_destin_identifier_list;
            assert_null(granted->v[0].JG_binding);
            if (granted->v[1].JG_binding != NULL)
                dstr_add(&f->said, granted->v[1].JG_binding);
        }
        cull_clear(&cull_XM_Type, &m);
    }
    return dstr_get(&f->said);
}

static void the_cores_of_a_slave_are_sent_to_the_host_of_the_task(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = an_order(f, false);
    fixture_forget_sent(f);
    say_word(f, h.two, (struct word){ .state = REPORT_STARTED, .binding = "SCcSCC" });
    fixture_commit(f);
    assert_string_equal(binding_sent(f, h.one), "SCcSCC");
}

static void cores_that_cannot_be_are_not_sent_on(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = an_order(f, false);
    fixture_forget_sent(f);
    say_word(f, h.two, (struct word){ .state = REPORT_STARTED, .binding = "SC\nnode9" });
    fixture_commit(f);
    assert_string_equal(binding_sent(f, h.one), "");
    assert_string_equal(text_told(f, h.one), "start job 1 1.1/1");
}

static void a_slave_is_sent_the_job_without_its_script(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = an_order(f, false);
    bool is_seen = false;
    for (uint32_t i = 0; i < f->n_sent; i++) {
        struct XM_Type m = { 0 };
        struct unpacker u = unpacker_over(f->sent[i].body, f->sent[i].len);
        if (f->sent[i].conn != h.two->conn)
            continue;
        assert_int_equal(cull_unpack(&u, &cull_XM_Type, NULL, NULL, &m, NULL), 0);
        assert_true(m.XM_tasks.v[0].JAT_is_slave);
        assert_int_equal(m.XM_tasks.v[0].JAT_granted_destin_identifier_list.n, 2);
        assert_true(m.XM_tasks.v[0].JAT_granted_destin_identifier_list.v[0].JG_control_slaves);
        assert_null(m.XM_jobs.v[0].JB_script_ptr);
        assert_string_equal(m.XM_queues.v[0].QU_full_name, "all.q@node2");
        is_seen = true;
        cull_clear(&cull_XM_Type, &m);
    }
    assert_true(is_seen);
}

static void slaves_that_are_not_ready_in_time_put_the_task_back(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = an_order(f, false);
    let_pass(f, SLAVES_START_S - 1);
    assert_int_equal(slots_used(f, "all.q@node1"), 2);
    let_pass(f, 2);
    assert_int_equal(slots_used(f, "all.q@node1"), 0);
    assert_int_equal(slots_used(f, "all.q@node2"), 0);
    fixture_commit(f);
    fixture_forget_sent(f);
    say_report(f, h.two, "1.1/1 started"); /* at last: it ends */
    assert_string_equal(told_after_sync(f, h.two), "signal 9 1.1/1");
}

static void a_slave_that_cannot_be_set_up_puts_the_task_back(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = an_order(f, false);
    say_word(f, h.two, (struct word){ .state = REPORT_ENDED, .failed = TASK_FAILED_PREPARING });
    assert_string_equal(told_after_sync(f, h.two), "start job 1 1.1/1, ack 1.1/1");
    assert_int_equal(slots_used(f, "all.q@node1"), 0);
    assert_int_equal(fixture_task(f, 1, 1)->rec.JAT_status, TASK_WAITING);
}

static void a_host_that_comes_back_is_announced_the_slaves_it_lacks(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = an_order(f, false);
    exec_on_closed(&f->q, h.two);
    struct connection *next = connect_as(f, "root");
    say_hello(f, next, "node2", NULL, NULL);
    assert_string_equal(told_after_sync(f, next), "config, start job 1 1.1/1");
    say_report(f, next, "1.1/1 started");
    assert_string_equal(told_after_sync(f, h.one), "start job 1 1.1/1");
}

static void a_restart_of_the_qmaster_goes_on_where_it_was(void **state)
{
    struct fixture *f = *state;
    (void)an_order(f, false);
    fixture_restart(f);
    struct connection *one = connect_as(f, "root"), *two = connect_as(f, "root");
    say_hello(f, one, "node1", NULL, NULL);
    assert_string_equal(told_after_sync(f, one), "config");
    let_pass(f, SLAVES_START_S + 1); /* it may have been sent: it is not put back */
    assert_int_equal(slots_used(f, "all.q@node1"), 2);
    say_hello(f, two, "node2", "1.1/1 started", NULL);
    assert_string_equal(told_after_sync(f, one), "start job 1 1.1/1");
}

/* ---- the end ---- */

static void a_task_ends_when_its_slaves_have(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = a_run(f, false);
    say_word(f, h.one, (struct word){ .state = REPORT_ENDED, .exit_status = 4, .cpu = 1 });
    fixture_commit(f);
    assert_string_equal(text_told(f, h.one), "ack 1.1/1");
    assert_true(is_there(f));
    assert_int_equal(slots_used(f, "all.q@node1"), 2);
    say_word(f, h.one,
             (struct word){ .state = REPORT_ENDED, .exit_status = 4, .cpu = 1 }); /* again */
    say_report(f, h.two, "1.1/1 ended");
    assert_false(is_there(f));
    assert_int_equal(slots_used(f, "all.q@node1"), 0);
    assert_int_equal(slots_used(f, "all.q@node2"), 0);
    assert_string_equal(records_text(f), "node1 NONE 0 4 1 0\n");
}

static void slaves_are_sent_to_end_when_the_task_has(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = a_run(f, false);
    say_report(f, h.one, "1.1/1 ended");
    assert_string_equal(told_after_sync(f, h.two), "signal 9 1.1/1");
}

static void an_end_outlives_a_restart_at_each_step(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = a_run(f, false);
    say_word(f, h.one, (struct word){ .state = REPORT_ENDED, .exit_status = 4, .cpu = 1 });
    fixture_commit(f);
    fixture_restart(f);
    struct connection *one = connect_as(f, "root"), *two = connect_as(f, "root");
    say_hello(f, one, "node1", NULL, NULL); /* it was acknowledged: the host has forgotten it */
    assert_string_equal(told_after_sync(f, one), "config");
    assert_true(is_there(f));
    say_hello(f, two, "node2", "1.1/1 running", NULL);
    assert_string_equal(told_after_sync(f, two), "config, signal 9 1.1/1");
    say_report(f, two, "1.1/1 ended");
    assert_false(is_there(f));
    assert_string_equal(records_text(f), "node1 NONE 0 4 1 0\n");
}

/* that it runs need not be in the spool; nor do hosts order what they report when they register */
static void what_ended_without_a_qmaster_is_recorded(void **state)
{
    struct fixture *f = *state;
    (void)a_run(f, false);
    fixture_restart(f);
    cull_set(&fixture_task(f, 1, 1)->rec, JAT_status, (uint32_t)TASK_TRANSFERRING);
    struct connection *one = connect_as(f, "root"), *two = connect_as(f, "root");
    say_hello(f, one, "node1", "1.1/1 ended", "1.1/1 ended 1.node1");
    assert_true(is_there(f));
    say_hello(f, two, "node2", "1.1/1 running", "1.1/1 ended 1.node2");
    say_report(f, two, "1.1/1 ended");
    assert_false(is_there(f));
    assert_string_equal(records_text(f), "node1 1.node1 0 0 0 0\n"
                                         "node2 1.node2 0 0 0 0\n"
                                         "node1 NONE 0 0 0 0\n");
}

static void a_slave_whose_end_was_acknowledged_is_not_waited_for(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = a_run(f, false);
    say_report(f, h.one, "1.1/1 ended");
    fixture_commit(f);
    fixture_restart(f);
    struct connection *two = connect_as(f, "root");
    say_hello(f, two, "node2", NULL, NULL);
    assert_false(is_there(f));
}

static void a_host_that_is_away_for_long_is_not_waited_for(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = a_run(f, false);
    say_word(f, h.two, (struct word){ .petask = "1.node2", .state = REPORT_RUNNING, .cpu = 3 });
    exec_on_closed(&f->q, h.two);
    say_report(f, h.one, "1.1/1 ended");
    let_pass(f, SLAVES_AWAY_S - 1);
    assert_true(is_there(f));
    let_pass(f, 2);
    assert_false(is_there(f));
    assert_string_equal(records_text(f), "node2 1.node2 21 0 3 0\nnode1 NONE 0 0 0 0\n");
    struct connection *next = connect_as(f, "root");
    say_hello(f, next, "node2", "1.1/1 running", "1.1/1 running 1.node2");
    assert_string_equal(told_after_sync(f, next), "config, signal 9 1.1/1 (1.node2) 1.1/1");
}

static void a_task_that_ends_later_knows_that_its_host_is_lost(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = a_run(f, false);
    exec_on_closed(&f->q, h.two);
    let_pass(f, SLAVES_AWAY_S + 1);
    assert_true(is_there(f)); /* it runs on */
    say_report(f, h.one, "1.1/1 ended");
    assert_false(is_there(f));
}

static void slaves_that_do_not_end_are_not_waited_for_for_ever(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = a_run(f, false);
    say_report(f, h.one, "1.1/1 ended");
    let_pass(f, SLAVES_END_S - 1);
    assert_true(is_there(f));
    let_pass(f, 2);
    assert_false(is_there(f));
}

static void a_lost_task_starts_again_after_its_slaves_have_ended(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = a_run(f, false);
    cull_set(&fixture_job(f, 1)->rec, JB_restart, RESTART_YES);
    task_give_away(&f->q, fixture_task(f, 1, 1));
    assert_string_equal(told_after_sync(f, h.two), "signal 9 1.1/1");
    assert_int_equal(slots_used(f, "all.q@node1"), 2);
    say_report(f, h.one, "1.1/1 running"); /* it was away: that start is over */
    assert_string_equal(told_after_sync(f, h.one), "signal 9 1.1/1");
    say_report(f, h.two, "1.1/1 ended");
    assert_int_equal(slots_used(f, "all.q@node1"), 0);
    assert_string_equal(fixture_ready(f, 1), "1");
    say_report(f, h.one, "1.1/1 ended");
    assert_string_equal(fixture_ready(f, 1), "1");
    assert_string_equal(records_text(f), "node1 NONE 25 0 0 0\n");
}

static void a_slave_that_ends_unasked_ends_its_task(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = a_run(f, false);
    say_word(f, h.two, (struct word){ .state = REPORT_ENDED, .failed = TASK_FAILED_PREPARING });
    assert_string_equal(told_after_sync(f, h.one), "signal 9 1.1/1");
    say_word(f, h.one, (struct word){ .state = REPORT_ENDED, .failed = TASK_FAILED_AFTER_JOB });
    assert_false(is_there(f));
}

/* ---- signals ---- */

static void signals_reach_all_hosts(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = a_run(f, false);
    task_suspend(&f->q, fixture_task(f, 1, 1), TASK_IS_SUSPENDED, true);
    assert_string_equal(told_after_sync(f, h.two), "signal 19 1.1/1");
    task_suspend(&f->q, fixture_task(f, 1, 1), TASK_IS_SUSPENDED, false);
    assert_string_equal(told_after_sync(f, h.two), "signal 18 1.1/1");
    task_suspend(&f->q, fixture_task(f, 1, 1), TASK_IS_SUSPENDED, true);
    fixture_commit(f);
    exec_on_closed(&f->q, h.two);
    struct connection *next = connect_as(f, "root");
    say_hello(f, next, "node2", "1.1/1 running", NULL);
    assert_string_equal(told_after_sync(f, next), "config, signal 19 1.1/1");
    fixture_delete(f, "alice", "1");
    assert_string_equal(told_after_sync(f, next), "signal 9 1.1/1");
    say_report(f, next, "1.1/1 ended");
    assert_true(is_there(f));
    say_report(f, h.one, "1.1/1 ended");
    assert_false(is_there(f));
}

/* qmod -sq, -usq */
static void act_on_queue(struct fixture *f, enum gdi_action action, const char *queue)
{
    struct GR_Type gr = { 0 };
    fixture_name(&gr, queue);
    cull_set(&gr, GR_target, (uint32_t)GDI_JOB);
    cull_set(&gr, GR_action, (uint32_t)action);
    cull_set(&gr, GR_options, (uint32_t)GDI_QUEUES_ONLY);
    assert_true(fixture_ask(f, "boss", act_request, &gr));
}

/* each of them stops all of the task, which continues with the last of them */
static void a_queue_in_which_it_has_slots_suspends_all_of_it(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = a_run(f, false);
    act_on_queue(f, GDI_ACT_SUSPEND, "all.q@node2");
    assert_string_equal(told_after_sync(f, h.one), "signal 19 1.1/1"); /* where it runs */
    assert_true(fixture_task(f, 1, 1)->rec.JAT_state & TASK_IS_QUEUE_SUSPENDED);
    act_on_queue(f, GDI_ACT_SUSPEND, "all.q@node1");
    act_on_queue(f, GDI_ACT_UNSUSPEND, "all.q@node2");
    assert_string_equal(told_after_sync(f, h.two), "");
    act_on_queue(f, GDI_ACT_UNSUSPEND, "all.q@node1");
    assert_string_equal(told_after_sync(f, h.two), "signal 18 1.1/1");
    assert_false(fixture_task(f, 1, 1)->rec.JAT_state & TASK_IS_QUEUE_SUSPENDED);
}

static void what_is_suspended_before_its_start_is_stopped_after_it(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = an_order(f, false);
    fixture_forget_sent(f);
    task_suspend(&f->q, fixture_task(f, 1, 1), TASK_IS_SUSPENDED, true);
    assert_string_equal(told_after_sync(f, h.one), "");
    say_report(f, h.two, "1.1/1 started");
    assert_string_equal(told_after_sync(f, h.one), "start job 1 1.1/1, signal 19 1.1/1");
}

static void a_forced_delete_waits_for_nothing(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = a_run(f, false);
    say_word(f, h.one, (struct word){ .state = REPORT_ENDED, .exit_status = 3 });
    task_drop(&f->q, fixture_task(f, 1, 1));
    assert_false(is_there(f));
    assert_string_equal(records_text(f), "node1 NONE 0 3 0 0\n");
}

static void a_task_that_has_ended_is_not_put_back(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = a_run(f, false);
    say_report(f, h.one, "1.1/1 ended");
    task_reschedule(&f->q, fixture_task(f, 1, 1), false);
    task_lost(&f->q, fixture_task(f, 1, 1));
    say_report(f, h.two, "1.1/1 ended");
    assert_false(is_there(f));
}

/* ---- petasks ---- */

static void each_petask_has_a_record_before_that_of_the_task(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = a_run(f, false);
    say_word(f, h.one, (struct word){ .petask = "1.node1", .state = REPORT_STARTED });
    say_word(f, h.one,
             (struct word){ .petask = "1.node1",
                            .state = REPORT_ENDED,
                            .exit_status = 3,
                            .cpu = 2,
                            .maxvmem = 100 });
    say_word(f, h.two,
             (struct word){ .petask = "1.node2", .state = REPORT_ENDED, .cpu = 4, .maxvmem = 10 });
    assert_string_equal(told_after_sync(f, h.two), "ack 1.1/1 (1.node2)");
    say_word(f, h.one, (struct word){ .state = REPORT_ENDED, .cpu = 1, .maxvmem = 1 });
    say_report(f, h.two, "1.1/1 ended");
    assert_string_equal(records_text(f), "node1 1.node1 0 3 2 100\n"
                                         "node2 1.node2 0 0 4 10\n"
                                         "node1 NONE 0 0 1 1\n");
}

/* whatever the records are */
static void mail_has_the_usage_of_all_of_it(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = a_run(f, false);
    const struct mail *m = NULL, *last = NULL;
    struct MR_Type *to = cull_append(&fixture_job(f, 1)->rec, JB_mail_list);
    cull_set(to, MR_user, "alice");
    cull_set(to, MR_host, "node1");
    cull_set(&fixture_job(f, 1)->rec, JB_mail_options, (uint32_t)MAIL_AT_EXIT);
    say_word(f, h.two, (struct word){ .petask = "1.node2", .state = REPORT_ENDED, .cpu = 3661 });
    say_report(f, h.two, "1.1/1 ended");
    say_word(f, h.one, (struct word){ .state = REPORT_ENDED, .cpu = 1 });
    STAILQ_FOREACH(m, change_mails(&f->q), next) {
        last = m;
    }
    assert_non_null(last);
    assert_non_null(strstr(last->body, "01:01:02"));
}

static void a_summary_is_one_record(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = a_run(f, true);
    say_word(f, h.one,
             (struct word){ .petask = "1.node1", .state = REPORT_ENDED, .cpu = 2, .maxvmem = 100 });
    say_word(f, h.two,
             (struct word){ .petask = "1.node2", .state = REPORT_ENDED, .cpu = 4, .maxvmem = 10 });
    fixture_commit(f);
    fixture_restart(f); /* what has ended is in the spool */
    struct connection *one = connect_as(f, "root"), *two = connect_as(f, "root");
    say_hello(f, one, "node1", "1.1/1 running", NULL);
    say_hello(f, two, "node2", "1.1/1 running", "1.1/1 ended 1.node2"); /* the ack was lost */
    say_word(f, one,
             (struct word){ .state = REPORT_ENDED, .exit_status = 4, .cpu = 1, .maxvmem = 1 });
    say_report(f, two, "1.1/1 ended");
    assert_string_equal(records_text(f), "node1 NONE 0 4 7 111\n");
}

static void usage_is_shown_of_all_hosts(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = a_run(f, false);
    say_word(f, h.one, (struct word){ .state = REPORT_RUNNING, .cpu = 1, .maxvmem = 1 });
    say_word(
        f, h.one,
        (struct word){ .petask = "1.node1", .state = REPORT_RUNNING, .cpu = 2, .maxvmem = 20 });
    say_word(
        f, h.two,
        (struct word){ .petask = "1.node2", .state = REPORT_RUNNING, .cpu = 4, .maxvmem = 300 });
    assert_true(usage_now(f, "cpu") == 7 && usage_now(f, "maxvmem") == 321);
    say_word(
        f, h.two,
        (struct word){ .petask = "1.node2", .state = REPORT_RUNNING, .cpu = 5, .maxvmem = 300 });
    say_word(f, h.one,
             (struct word){ .petask = "1.node1", .state = REPORT_ENDED, .cpu = 3, .maxvmem = 20 });
    assert_true(usage_now(f, "cpu") == 9 && usage_now(f, "maxvmem") == 321);
    say_word(f, h.one, (struct word){ .state = REPORT_RUNNING, .cpu = 2, .maxvmem = 1 });
    assert_true(usage_now(f, "cpu") == 10);
}

static void what_runs_is_listed_by_host_and_number(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = a_run(f, false);
    struct PS_Type_list list = { 0 };
    say_word(f, h.one, (struct word){ .state = REPORT_RUNNING, .cpu = 1 });
    say_word(f, h.two, (struct word){ .petask = "10.node2", .state = REPORT_RUNNING, .cpu = 4 });
    say_word(f, h.two, (struct word){ .petask = "9.node2", .state = REPORT_RUNNING, .cpu = 3 });
    say_word(f, h.one, (struct word){ .petask = "1.node1", .state = REPORT_RUNNING, .cpu = 2 });
    petasks_list(fixture_task(f, 1, 1), &list);
    assert_int_equal(list.n, 4);
    static const char *const ids[] = { "", "1.node1", "9.node2", "10.node2" };
    for (uint32_t i = 0; i < 4; i++) {
        assert_string_equal(list.v[i].PS_id, ids[i]);
        assert_true(list.v[i].PS_usage.v[0].UA_value == i + 1);
    }
    cull_list_clear(&cull_PS_Type, &list);
}

static void a_petask_that_a_signal_ended_ends_its_task(void **state)
{
    static const struct {
        uint32_t failed, exit_status;
        bool ends;
    } cases[] = { { 0, 3, false },
                  { TASK_FAILED_RESCHEDULE, 99, false },
                  { TASK_FAILED_APPERROR, 100, false },
                  { TASK_FAILED_AFTER_JOB, 137, true } };
    struct fixture *f = *state;
    struct hosts_of_test h = a_run(f, false);
    for (uint32_t i = 0; i < ARRAY_LEN(cases); i++) {
        char name[16];
        snprintf(name, sizeof name, "%u.node2", i + 1);
        say_word(f, h.two,
                 (struct word){ .petask = name,
                                .state = REPORT_ENDED,
                                .failed = cases[i].failed,
                                .exit_status = cases[i].exit_status });
        assert_true((task_state_of(&fixture_task(f, 1, 1)->rec) == TASK_STATE_DELETING) ==
                    cases[i].ends);
    }
    assert_string_equal(told_after_sync(f, h.one), "signal 9 1.1/1");
}

static void an_end_that_comes_twice_counts_once(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = a_run(f, false);
    for (int i = 0; i < 3; i++)
        say_word(f, h.two, (struct word){ .petask = "2.node2", .state = REPORT_ENDED, .cpu = 4 });
    say_word(f, h.two,
             (struct word){ .petask = "2.node2",
                            .state = REPORT_RUNNING,
                            .cpu = 4 }); /* it cannot run again */
    assert_string_equal(told_after_sync(f, h.two),
                        "signal 9 1.1/1 (2.node2), "
                        "ack 1.1/1 (2.node2) 1.1/1 (2.node2) 1.1/1 (2.node2)");
    assert_string_equal(records_text(f), "node2 2.node2 0 0 4 0\n");
}

static void petasks_that_a_host_has_lost_are_accounted_for(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = a_run(f, false);
    say_word(f, h.two, (struct word){ .petask = "1.node2", .state = REPORT_RUNNING, .cpu = 4 });
    say_word(f, h.two, (struct word){ .petask = "2.node2", .state = REPORT_RUNNING, .cpu = 5 });
    exec_on_closed(&f->q, h.two);
    struct connection *next = connect_as(f, "root");
    say_hello(f, next, "node2", "1.1/1 running", "1.1/1 running 1.node2");
    assert_string_equal(records_text(f), "node2 2.node2 21 0 5 0\n");
    assert_int_equal(petasks_on(fixture_task(f, 1, 1)->tight, next->execd_of), 1);
}

/* ---- hostile hosts ---- */

static void a_host_reports_petasks_of_its_own_tasks_alone(void **state)
{
    static const char *const names[] = {
        "1.node1", "1.node3", "1", "1.", "0.node2", "01.node2", "1000001.node2", "4294967297.node2"
    };
    struct fixture *f = *state;
    struct hosts_of_test h = a_run(f, false);
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        say_word(f, h.two, (struct word){ .petask = names[i], .state = REPORT_STARTED });
        assert_non_null(strstr(told_after_sync(f, h.two), "signal 9 1.1/1 ("));
        say_word(f, h.two, (struct word){ .petask = names[i], .state = REPORT_ENDED, .cpu = 9 });
        assert_non_null(strstr(told_after_sync(f, h.two), "ack 1.1/1 ("));
    }
    hosts_add(&f->q.hosts, "node3");
    struct connection *three = connect_as(f, "root");
    say_hello(f, three, "node3", NULL, NULL);
    (void)told_after_sync(f, three);
    say_word(f, three, (struct word){ .petask = "1.node3", .state = REPORT_RUNNING });
    say_word(f, three, (struct word){ .petask = "2.node3", .state = REPORT_ENDED });
    say_word(f, three, (struct word){ .state = REPORT_ENDED, .failed = TASK_FAILED_AFTER_JOB });
    assert_string_equal(told_after_sync(f, three),
                        "signal 9 1.1/1 (1.node3), ack 1.1/1 (2.node3) 1.1/1");
    assert_int_equal(fixture_task(f, 1, 1)->rec.JAT_status, TASK_RUNNING);
    assert_string_equal(records_text(f), "");
}

static void a_million_petasks_take_bounded_memory(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = a_run(f, true);
    const uint32_t most = 2 * 2 + PETASKS_MORE;
    char name[32];
    for (uint32_t i = 1; i <= 2 * most; i++) {
        snprintf(name, sizeof name, "%u.node2", i);
        say_word(f, h.two, (struct word){ .petask = name, .state = REPORT_STARTED });
    }
    assert_int_equal(petasks_on(fixture_task(f, 1, 1)->tight, h.two->execd_of), most);
    fixture_forget_sent(f);
    for (uint32_t i = 1; i <= 8 * most; i += 2) { /* each second one is missing */
        snprintf(name, sizeof name, "%u.node1", i);
        say_word(f, h.one, (struct word){ .petask = name, .state = REPORT_ENDED, .cpu = 1 });
    }
    const struct PD_Type_list *done = &fixture_task(f, 1, 1)->rec.JAT_petasks_done;
    assert_int_equal(done->n, 1);
    assert_int_equal(range_set_count(&done->v[0].PD_numbers), most);
    assert_true(usage_now(f, "cpu") == most);
}

static void records_for_a_dead_job_are_acknowledged_and_dropped(void **state)
{
    struct fixture *f = *state;
    struct hosts_of_test h = a_run(f, false);
    say_report(f, h.two, "1.1/1 ended");
    say_report(f, h.one, "1.1/1 ended");
    (void)told_after_sync(f, h.two);
    say_word(f, h.two, (struct word){ .petask = "1.node2", .state = REPORT_RUNNING });
    say_word(f, h.two, (struct word){ .petask = "1.node2", .state = REPORT_ENDED });
    assert_string_equal(told_after_sync(f, h.two), "signal 9 1.1/1 (1.node2), ack 1.1/1 (1.node2)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, fixture_teardown)
        TEST(a_task_is_sent_when_its_slaves_are_ready),
        TEST(many_slaves_are_announced_in_slices),
        TEST(a_task_that_goes_meanwhile_is_announced_no_further),
        TEST(a_slave_is_sent_the_job_without_its_script),
        TEST(the_cores_of_a_slave_are_sent_to_the_host_of_the_task),
        TEST(cores_that_cannot_be_are_not_sent_on),
        TEST(slaves_that_are_not_ready_in_time_put_the_task_back),
        TEST(a_slave_that_cannot_be_set_up_puts_the_task_back),
        TEST(a_host_that_comes_back_is_announced_the_slaves_it_lacks),
        TEST(a_restart_of_the_qmaster_goes_on_where_it_was),
        TEST(a_task_ends_when_its_slaves_have),
        TEST(slaves_are_sent_to_end_when_the_task_has),
        TEST(an_end_outlives_a_restart_at_each_step),
        TEST(what_ended_without_a_qmaster_is_recorded),
        TEST(a_slave_whose_end_was_acknowledged_is_not_waited_for),
        TEST(a_host_that_is_away_for_long_is_not_waited_for),
        TEST(a_task_that_ends_later_knows_that_its_host_is_lost),
        TEST(slaves_that_do_not_end_are_not_waited_for_for_ever),
        TEST(a_lost_task_starts_again_after_its_slaves_have_ended),
        TEST(a_slave_that_ends_unasked_ends_its_task),
        TEST(signals_reach_all_hosts),
        TEST(a_queue_in_which_it_has_slots_suspends_all_of_it),
        TEST(what_is_suspended_before_its_start_is_stopped_after_it),
        TEST(a_forced_delete_waits_for_nothing),
        TEST(a_task_that_has_ended_is_not_put_back),
        TEST(each_petask_has_a_record_before_that_of_the_task),
        TEST(mail_has_the_usage_of_all_of_it),
        TEST(a_summary_is_one_record),
        TEST(usage_is_shown_of_all_hosts),
        TEST(what_runs_is_listed_by_host_and_number),
        TEST(a_petask_that_a_signal_ended_ends_its_task),
        TEST(an_end_that_comes_twice_counts_once),
        TEST(petasks_that_a_host_has_lost_are_accounted_for),
        TEST(a_host_reports_petasks_of_its_own_tasks_alone),
        TEST(a_million_petasks_take_bounded_memory),
        TEST(records_for_a_dead_job_are_acknowledged_and_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
