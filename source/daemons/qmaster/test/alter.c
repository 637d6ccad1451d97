/* Altering: what is said, who may, and that a refused change has changed nothing. The texts are
 * those that users of Grid Engines know. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "daemons/qmaster/change/connections.h"
#include "daemons/qmaster/change/job_files.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/requests/steps/steps.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_request.h"

/* qalter -w MODE -q QUEUE (NULL: as it is) -p -7 */
static bool verify_job(struct fixture *f, uint32_t mode, const char *queue)
{
    struct GR_Type gr = { 0 };
    fixture_name(&gr, "1");
    struct JB_Type *want = cull_append(&gr, GR_jobs);
    cull_set(want, JB_verify_suitable_queues, mode);
    cull_set(want, JB_priority, (uint32_t)(JOB_PRIORITY_BASE - 7));
    if (queue != NULL) {
        struct QR_Type *qr = cull_append(want, JB_hard_queue_list);
        cull_set(qr, QR_name, queue);
    }
    return fixture_ask(f, "alice", alter_request, &gr);
}

/* submit(1) -w: what is said is true of the queues there are */
static void verification_looks_at_the_queues(void **state)
{
    struct fixture *f = *state;
    struct QU_Type *queue = &fixture_queue(f)->rec;
    uint32_t all = queue->QU_job_slots;
    submit(f);
    assert_true(verify_job(f, VERIFY_ONLY, "all.q"));
    assert_string_equal(said(f), "verification: found suitable queue(s)");
    cull_set(queue, QU_state, (uint32_t)QI_DISABLED);
    assert_true(verify_job(f, VERIFY_ONLY, NULL)); /* as if nothing were in its way */
    assert_false(verify_job(f, VERIFY_POKE, NULL));
    assert_string_equal(
        said(f),
        "Job 1 queue instance \"all.q@node1\" dropped because it is temporarily not available\n"
        "verification: no suitable queues");
    cull_set(queue, QU_state, 0u);
    cull_set(queue, QU_slots_used, all);
    assert_false(verify_job(f, VERIFY_POKE, NULL));
    assert_string_equal(said(f), "Job 1 queue instance \"all.q@node1\" dropped because it is "
                                 "full\nverification: no suitable queues");
    assert_true(verify_job(f, VERIFY_ERROR, NULL)); /* it may wait */
    cull_set(queue, QU_slots_used, 0u);
    assert_true(verify_job(f, VERIFY_POKE, NULL));
    assert_int_equal(fixture_job(f, 1)->rec.JB_priority, JOB_PRIORITY_BASE - 7); /* of -w e alone */
    cull_set(queue, QU_qtype, (uint32_t)QTYPE_INTERACTIVE);
    assert_false(verify_job(f, VERIFY_ERROR, NULL));
    assert_string_equal(said(f), "error: no suitable queues");
    assert_true(verify_job(f, VERIFY_WARN, NULL));
    assert_string_equal(
        said(f),
        "warning: no suitable queues\nalice@node1 sets scheduling priority of job 1 to -7");
    assert_true(verify_job(f, VERIFY_NOT, NULL));
    cull_set(queue, QU_qtype, (uint32_t)QTYPE_BATCH);
}

/* qalter -v NAME=1 of WHAT */
static bool alter_variable(struct fixture *f, const char *what, const char *name)
{
    struct GR_Type gr = { 0 };
    fixture_name(&gr, what);
    struct JB_Type *change = cull_append(&gr, GR_jobs);
    struct VA_Type *va = cull_append(change, JB_env_list);
    cull_set(va, VA_variable, name);
    cull_set(va, VA_value, "1");
    return fixture_ask(f, "alice", alter_request, &gr);
}

static void assert_files(struct fixture *f, uint32_t number, const char *script, const char *value)
{
    struct JB_Type files = { 0 };
    assert_true(job_files_get(&f->q, fixture_job(f, number), &files));
    assert_string_equal(files.JB_script_ptr, script);
    assert_int_equal(files.JB_env_list.n, value != NULL);
    if (value != NULL)
        assert_string_equal(files.JB_env_list.v[0].VA_value, value);
    cull_clear(&cull_JB_Type, &files);
}

/* right after a restart the files of no job are in memory: who needs them waits, and hears nothing
 * of it */
static void a_change_of_the_environment_waits_for_the_old_one(void **state)
{
    struct fixture *f = *state;
    submit(f, .script = "echo one\n");
    submit(f, .script = "echo two\n");
    submit(f, .script = "echo three\n", .name = "other");
    fixture_commit(f);
    fixture_restart(f);
    uint64_t conn = fixture_connection(f, "alice")->conn;
    assert_true(alter_variable(f, "J", "A"));
    assert_string_equal(said(f), "");
    assert_int_equal(fixture_job(f, 1)->rec.JB_version, 0);
    assert_true(alter_variable(f, "3", "A"));
    fixture_commit(f);
    assert_int_equal(fixture_count_sent(f, conn, GDI_FRAME_ANSWER), 2);
    assert_files(f, 1, "echo one\n", "1");
    assert_files(f, 2, "echo two\n", "1");
    assert_files(f, 3, "echo three\n", "1");
}

static void a_copy_waits_for_the_script(void **state)
{
    struct fixture *f = *state;
    submit(f, .script = "echo one\n");
    fixture_commit(f);
    fixture_restart(f);
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_job_number, 1u);
    assert_true(fixture_ask(f, "alice", resubmit_request, &gr));
    fixture_commit(f);
    assert_files(f, 2, "echo one\n", NULL);
    assert_int_equal(fixture_count_sent(f, fixture_connection(f, "alice")->conn, GDI_FRAME_ANSWER),
                     1);
}

static void what_waits_for_files_may_end_otherwise(void **state)
{
    struct fixture *f = *state;
    submit(f, .script = "echo one\n");
    submit(f, .script = "echo two\n");
    fixture_commit(f);
    fixture_restart(f);
    uint64_t conn = fixture_connection(f, "alice")->conn;
    alter_variable(f, "1", "A");
    fixture_delete(f, "alice", "1"); /* the job goes: the answer comes all the same */
    fixture_commit(f);
    assert_int_equal(fixture_count_sent(f, conn, GDI_FRAME_ANSWER), 1);
    alter_variable(f, "2", "A");
    fixture_hang_up(f, "alice"); /* nobody is left to hear it: nothing is done */
    fixture_commit(f);
    assert_files(f, 2, "echo two\n", NULL);
    assert_int_equal(fixture_count_sent(f, conn, GDI_FRAME_ANSWER), 1);
}

/* qalter -N NAME -p PRIORITY */
static bool alter_as(struct fixture *f, const char *user, const char *what, const char *name,
                     int priority)
{
    struct GR_Type gr = { 0 };
    fixture_name(&gr, what);
    struct JB_Type *want = cull_append(&gr, GR_jobs);
    if (name != NULL)
        cull_set(want, JB_job_name, name);
    if (priority != 0)
        cull_set(want, JB_priority, (uint32_t)(JOB_PRIORITY_BASE + priority));
    return fixture_ask(f, user, alter_request, &gr);
}

static void a_change_is_whole_or_not_at_all(void **state)
{
    struct fixture *f = *state;
    submit(f, .name = "old");
    assert_false(
        alter_as(f, "alice", "1", "new", 10)); /* the name is good, the priority is not hers */
    assert_string_equal(said(f), "denied: \"alice\" must be operator to increase job priority");
    assert_string_equal(fixture_job(f, 1)->rec.JB_job_name, "old");
    assert_false(alter_as(f, "alice", "1", "9new", -10));
    assert_int_equal(fixture_job(f, 1)->rec.JB_priority, JOB_PRIORITY_BASE);
    assert_true(alter_as(f, "alice", "1", "new", -10));
    assert_non_null(strstr(said(f), "alice@node1 sets scheduling priority of job 1 to -10"));
    assert_non_null(strstr(said(f), "modified job name of job 1"));
    assert_true(alter_as(f, "olga", "1", NULL, 10));
}

/* qalter OPTION JOB.TASK */
static void options_of_whole_jobs_are_refused_for_tasks(void **state)
{
    struct fixture *f = *state;
    submit(f, .name = "A", .tasks = "1-3");
    submit(f, .name = "J", .tasks = "1-3");
    char *before = fixture_picture(f);
    assert_false(alter_as(f, "alice", "2.1", "Z", 0));
    assert_string_equal(said(f), "The specified option works only on jobs");
    assert_false(alter_as(f, "alice", "2.1-3", NULL, -5));
    struct GR_Type gr = { 0 };
    fixture_name(&gr, "2.2");
    struct JB_Type *want = cull_append(&gr, GR_jobs);
    struct JRE_Type *ad = cull_append(want, JB_ja_ad_request_list);
    cull_set(ad, JRE_job_name, "A");
    assert_false(fixture_ask(f, "alice", alter_request, &gr));
    assert_string_equal(said(f), "The specified option works only on jobs");
    fixture_assert_picture(f, before);
}

/* qalter -tc LIMIT of WHAT */
static bool alter_concurrency(struct fixture *f, const char *what, uint32_t limit)
{
    struct GR_Type gr = { 0 };
    fixture_name(&gr, what);
    struct JB_Type *want = cull_append(&gr, GR_jobs);
    cull_set(want, JB_ja_task_concurrency, limit);
    return fixture_ask(f, "alice", alter_request, &gr);
}

static void the_concurrency_of_an_array_can_be_altered(void **state)
{
    struct fixture *f = *state;
    submit(f, .tasks = "1-3");
    submit(f);
    assert_true(alter_concurrency(f, "1", 2));
    assert_string_equal(said(f), "modified task concurrency of job 1");
    assert_false(alter_concurrency(f, "2", 2));
    assert_string_equal(said(f), "invalid option argument \"task concurrency\"");
    fixture_commit(f);
    fixture_restart(f);
    assert_int_equal(fixture_job(f, 1)->rec.JB_ja_task_concurrency, 2);
    assert_true(alter_concurrency(f, "1", 0));
    assert_int_equal(fixture_job(f, 1)->rec.JB_ja_task_concurrency, 0);
}

static void the_answer_repeats_priority_and_share(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    submit(f);
    fixture_name(&gr, "1");
    struct JB_Type *want = cull_append(&gr, GR_jobs);
    cull_set(want, JB_priority, (uint32_t)JOB_PRIORITY_BASE - 5);
    cull_set(want, JB_jobshare, 3u);
    assert_true(fixture_ask(f, "alice", alter_request, &gr));
    assert_string_equal(said(f), "alice@node1 sets scheduling priority of job 1 to -5\n"
                                 "alice@node1 sets job share of job 1 to 3");
    fixture_commit(f);
    fixture_restart(f);
    assert_int_equal(fixture_job(f, 1)->rec.JB_jobshare, 3);
}

static void a_new_name_counts_at_once_and_after_a_restart(void **state)
{
    struct fixture *f = *state;
    submit(f, .name = "old", .tasks = "1-2");
    alter_as(f, "alice", "1", "new", 0);
    submit(f, .tasks = "1-2", .ad = "new");
    assert_string_equal(fixture_held(f, 2), "1,2");
    submit(f, .tasks = "1-2", .ad = "old");
    assert_string_equal(fixture_held(f, 3), "");
    fixture_commit(f);
    fixture_restart(f);
    assert_string_equal(fixture_job(f, 1)->rec.JB_job_name, "new");
    assert_int_equal(fixture_job(f, 1)->rec.JB_version, 1);
}

/* environment and script are read one after the other; between the two nothing may be written
 * back */
static void a_new_environment_leaves_the_script_alone(void **state)
{
    struct fixture *f = *state;
    submit(f, .script = "echo hello\n");
    fixture_commit(f);
    fixture_restart(f);
    assert_true(alter_variable(f, "1", "A"));
    for (int turn = 0; turn < 2; turn++) {
        assert_true(alter_variable(f, "1", "A"));
        assert_int_equal(fixture_job(f, 1)->rec.JB_version, 0);
        assert_true(fixture_turn(f));
    }
    assert_int_equal(fixture_job(f, 1)->rec.JB_version, 3);
    fixture_commit(f);
    fixture_restart(f);
    struct JB_Type unused = { 0 };
    assert_false(job_files_get(&f->q, fixture_job(f, 1), &unused));
    fixture_commit(f);
    assert_files(f, 1, "echo hello\n", "1");
}

static void strangers_and_what_is_not_there_are_refused(void **state)
{
    struct fixture *f = *state;
    submit(f, .name = "J");
    assert_false(alter_as(f, "bob", "1", "mine", 0));
    assert_string_equal(said(f),
                        "denied: \"bob\" must be at least owner of job 1 to change job attributes");
    assert_false(alter_as(f, "alice", "4711", "x", 0));
    assert_string_equal(said(f), "denied: job \"4711\" does not exist");
    assert_string_equal(fixture_job(f, 1)->rec.JB_job_name, "J");
}

static void tasks_that_are_not_there_are_named_and_change_nothing(void **state)
{
    struct fixture *f = *state;
    submit(f, .name = "J", .tasks = "1-10");
    fixture_run(f, 1, 3, 0);
    char *before = fixture_picture(f);
    assert_false(alter_as(f, "alice", "1.20", "x", 0));
    assert_string_equal(said(f), "job \"1\" task \"20\" does not exist");
    assert_false(fixture_hold(f, "alice", "1.11-20", MINUS_H_TGT_USER, GDI_HOLD_ADD));
    assert_string_equal(said(f), "job \"1\" task \"11\" does not exist");
    assert_false(
        fixture_hold(f, "alice", "1.3", MINUS_H_TGT_USER, GDI_HOLD_ADD)); /* it has ended */
    assert_string_equal(said(f), "job \"1\" task \"3\" does not exist");
    fixture_assert_picture(f, before);
    assert_true(
        fixture_hold(f, "alice", "1.10-20", MINUS_H_TGT_USER, GDI_HOLD_ADD)); /* those that are */
    assert_string_equal(said(f), "modified hold of job-array task 1.10");
}

static void qalter_says_what_is_waited_for(void **state)
{
    struct fixture *f = *state;
    submit(f, .name = "A", .tasks = "1-3");
    submit(f, .name = "B", .tasks = "1-3");
    assert_true(fixture_alter(f, 2, "A,4711", NULL));
    assert_string_equal(
        said(f),
        "modified job id hold array list of job 2\n   blocking jobs: 1\n   exited jobs:   4711");
    assert_true(fixture_alter(f, 2, NULL, ""));
    assert_string_equal(
        said(f),
        "modified job id hold list of job 2\n   blocking jobs: NONE\n   exited jobs:   NONE");
}

/* -c of qalter with an interval alone, of a job with an environment */
static void a_new_checkpoint_interval_is_kept(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    submit(f, .name = "J");
    fixture_name(&gr, "1");
    struct JB_Type *want = cull_append(&gr, GR_jobs);
    cull_set(want, JB_checkpoint_interval, 600u);
    assert_false(fixture_ask(f, "alice", alter_request, &gr));
    assert_string_equal(said(f), "checkpointing denied");
    struct TX_Type env = { 0 };
    cull_set(&env, TX_kind, (uint32_t)GDI_CKPT);
    cull_set(&env, TX_name, "env");
    settings_put_text(&f->q.settings, &env);
    fixture_name(&gr, "1");
    want = cull_append(&gr, GR_jobs);
    cull_set(want, JB_checkpoint_name, "env");
    assert_true(fixture_ask(f, "alice", alter_request, &gr));
    fixture_name(&gr, "1");
    want = cull_append(&gr, GR_jobs);
    cull_set(want, JB_checkpoint_interval, 600u);
    assert_true(fixture_ask(f, "alice", alter_request, &gr));
    assert_string_equal(said(f), "modified checkpoint interval of job 1");
    fixture_commit(f);
    fixture_restart(f);
    assert_int_equal(fixture_job(f, 1)->rec.JB_checkpoint_interval, 600);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup_operator, fixture_teardown)
        TEST(verification_looks_at_the_queues),
        TEST(a_change_of_the_environment_waits_for_the_old_one),
        TEST(a_copy_waits_for_the_script),
        TEST(what_waits_for_files_may_end_otherwise),
        TEST(a_change_is_whole_or_not_at_all),
        TEST(options_of_whole_jobs_are_refused_for_tasks),
        TEST(the_concurrency_of_an_array_can_be_altered),
        TEST(the_answer_repeats_priority_and_share),
        TEST(a_new_name_counts_at_once_and_after_a_restart),
        TEST(a_new_environment_leaves_the_script_alone),
        TEST(strangers_and_what_is_not_there_are_refused),
        TEST(tasks_that_are_not_there_are_named_and_change_nothing),
        TEST(qalter_says_what_is_waited_for),
        TEST(a_new_checkpoint_interval_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
