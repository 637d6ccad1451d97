/* Altering, holding, deleting: what is said, who may, and that a refused change has changed nothing. The texts are those that users of
 * Grid Engines know. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemons/qmaster/change/job_files.h"
#include "daemons/qmaster/change/sessions.h"
#include "daemons/qmaster/requests/handlers.h"
#include "daemons/qmaster/requests/parked.h"
#include "daemons/qmaster/requests/requests.h"
#include "daemons/qmaster/requests/select.h"
#include "daemons/qmaster/test/fixture.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_request.h"

static const char *said(struct fixture *f)
{
    return dstr_get(&f->said);
}

static bool hold(struct fixture *f, const char *user, const char *what, unsigned kinds, uint32_t op)
{
    struct GR_Type gr = { 0 };
    fixture_name(&gr, what);
    cull_set(&gr, GR_hold_op, op);
    cull_set(&gr, GR_hold_kinds, (uint32_t)kinds);
    return fixture_ask(f, user, alter_request, &gr);
}

/* an operator olga beside the manager boss */
static int setup(void **state)
{
    int rc = fixture_setup(state);
    struct fixture *f = *state;
    settings_put_name(&f->q.settings, NAMES_OPERATOR, "olga");
    return rc;
}

static void holds_say_a_line_for_each_task_they_changed(void **state)
{
    struct fixture *f = *state;
    submit(f, .tasks = "1-6:2");
    assert_true(hold(f, "alice", "1.3-5:2", MINUS_H_TGT_USER, GDI_HOLD_ADD));
    assert_string_equal(said(f),
                        "modified hold of job-array task 1.3\nmodified hold of job-array task 1.5");
    assert_true(hold(f, "alice", "1", MINUS_H_TGT_USER, GDI_HOLD_ADD));
    assert_string_equal(said(f), "modified hold of job-array task 1.1");
    assert_true(hold(f, "alice", "1", MINUS_H_TGT_USER, GDI_HOLD_ADD));
    assert_string_equal(said(f), "");
    submit(f);
    assert_true(hold(f, "alice", "2", MINUS_H_TGT_USER, GDI_HOLD_ADD));
    assert_string_equal(said(f), "modified hold of job 2");
}

static void a_million_tasks_are_one_line(void **state)
{
    struct fixture *f = *state;
    submit(f, .tasks = "1-1000000");
    assert_true(hold(f, "alice", "1", MINUS_H_TGT_USER, GDI_HOLD_ADD));
    assert_string_equal(said(f), "modified hold of job-array tasks 1-1000000:1 of job 1");
}

static void kinds_of_hold_need_their_rights(void **state)
{
    struct fixture *f = *state;
    submit(f, .tasks = "1-3");
    char *before = fixture_picture(f);
    assert_false(hold(f, "alice", "1", MINUS_H_TGT_OPERATOR, GDI_HOLD_ADD));
    assert_string_equal(said(f), "denied: \"alice\" must be operator to set operator hold");
    assert_false(hold(f, "olga", "1", MINUS_H_TGT_SYSTEM, GDI_HOLD_ADD));
    assert_string_equal(said(f), "denied: \"olga\" must be manager to set manager hold");
    assert_false(hold(f, "alice", "1", MINUS_H_TGT_USER | MINUS_H_TGT_OPERATOR, GDI_HOLD_ADD));
    fixture_assert_picture(f, before); /* the user's part neither */
    assert_true(hold(f, "olga", "1", MINUS_H_TGT_OPERATOR, GDI_HOLD_ADD));
    assert_true(hold(f, "boss", "1", MINUS_H_TGT_SYSTEM, GDI_HOLD_ADD));
    assert_false(
        hold(f, "bob", "1", MINUS_H_TGT_USER, GDI_HOLD_ADD)); /* not hers, nor an operator */
}

/* existing Grid Engines change some tasks all the same */
static void lifting_all_holds_is_all_or_nothing(void **state)
{
    struct fixture *f = *state;
    submit(f, .tasks = "1-3");
    hold(f, "alice", "1", MINUS_H_TGT_USER, GDI_HOLD_ADD);
    assert_true(hold(f, "alice", "1", 0, GDI_HOLD_CLEAR));
    assert_string_equal(fixture_ready(f, 1), "1-3:1");
    hold(f, "alice", "1", MINUS_H_TGT_USER, GDI_HOLD_ADD);
    hold(f, "olga", "1.2", MINUS_H_TGT_OPERATOR, GDI_HOLD_ADD);
    char *before = fixture_picture(f);
    assert_false(hold(f, "alice", "1", 0, GDI_HOLD_CLEAR));
    assert_string_equal(said(f), "denied: \"alice\" must be operator to remove operator hold");
    fixture_assert_picture(f, before);
    assert_true(hold(f, "olga", "1", 0, GDI_HOLD_CLEAR));
    assert_string_equal(fixture_ready(f, 1), "1-3:1");
}

/* qalter -h uO: all of it or nothing, one line for each task */
static void some_kinds_are_put_while_others_are_lifted(void **state)
{
    struct fixture *f = *state;
    submit(f, .tasks = "1-3");
    hold(f, "olga", "1.2", MINUS_H_TGT_OPERATOR, GDI_HOLD_ADD);
    for (int i = 0; i < 2; i++) {
        struct GR_Type gr = { 0 };
        fixture_name(&gr, "1.1-2");
        cull_set(&gr, GR_hold_op, (uint32_t)GDI_HOLD_ADD);
        cull_set(&gr, GR_hold_kinds, (uint32_t)MINUS_H_TGT_USER);
        cull_set(&gr, GR_hold_lift, (uint32_t)MINUS_H_TGT_OPERATOR);
        assert_int_equal(fixture_ask(f, i == 0 ? "alice" : "olga", alter_request, &gr), i == 1);
        if (i == 0) {
            assert_string_equal(said(f),
                                "denied: \"alice\" must be operator to remove operator hold");
            assert_string_equal(fixture_ready(f, 1), "1,3"); /* no user hold either */
        }
    }
    assert_string_equal(said(f),
                        "modified hold of job-array task 1.1\nmodified hold of job-array task 1.2");
    assert_string_equal(fixture_ready(f, 1), "3");
    assert_true(hold(f, "alice", "1", MINUS_H_TGT_USER, GDI_HOLD_REMOVE));
    assert_string_equal(fixture_ready(f, 1), "1-3:1");
}

/* qalter -w MODE -q QUEUE (NULL: as it is) -p -7 */
static bool verify(struct fixture *f, uint32_t mode, const char *queue)
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
    assert_true(verify(f, VERIFY_ONLY, "all.q"));
    assert_string_equal(said(f), "verification: found suitable queue(s)");
    cull_set(queue, QU_state, (uint32_t)QI_DISABLED);
    assert_true(verify(f, VERIFY_ONLY, NULL)); /* as if nothing were in its way */
    assert_false(verify(f, VERIFY_POKE, NULL));
    assert_string_equal(
        said(f),
        "Job 1 queue instance \"all.q@node1\" dropped because it is temporarily not available\n"
        "verification: no suitable queues");
    cull_set(queue, QU_state, 0u);
    cull_set(queue, QU_slots_used, all);
    assert_false(verify(f, VERIFY_POKE, NULL));
    assert_string_equal(said(f), "Job 1 queue instance \"all.q@node1\" dropped because it is "
                                 "full\nverification: no suitable queues");
    assert_true(verify(f, VERIFY_ERROR, NULL)); /* it may wait */
    cull_set(queue, QU_slots_used, 0u);
    assert_true(verify(f, VERIFY_POKE, NULL));
    assert_int_equal(fixture_job(f, 1)->rec.JB_priority, JOB_PRIORITY_BASE - 7); /* of -w e alone */
    cull_set(queue, QU_qtype, (uint32_t)QTYPE_INTERACTIVE);
    assert_false(verify(f, VERIFY_ERROR, NULL));
    assert_string_equal(said(f), "error: no suitable queues");
    assert_true(verify(f, VERIFY_WARN, NULL));
    assert_string_equal(
        said(f),
        "warning: no suitable queues\nalice@node1 sets scheduling priority of job 1 to -7");
    assert_true(verify(f, VERIFY_NOT, NULL));
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

/* right after a restart the files of no job are in memory: who needs them waits, and hears nothing of it */
static void a_change_of_the_environment_waits_for_the_old_one(void **state)
{
    struct fixture *f = *state;
    submit(f, .script = "echo one\n");
    submit(f, .script = "echo two\n");
    submit(f, .script = "echo three\n", .name = "other");
    fixture_commit(f);
    fixture_restart(f);
    uint64_t conn = fixture_session(f, "alice")->conn;
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
    assert_int_equal(fixture_count_sent(f, fixture_session(f, "alice")->conn, GDI_FRAME_ANSWER), 1);
}

static void what_waits_for_files_may_end_otherwise(void **state)
{
    struct fixture *f = *state;
    submit(f, .script = "echo one\n");
    submit(f, .script = "echo two\n");
    fixture_commit(f);
    fixture_restart(f);
    uint64_t conn = fixture_session(f, "alice")->conn;
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

static void no_hand_lifts_a_dependency(void **state)
{
    struct fixture *f = *state;
    submit(f, .name = "A", .tasks = "1-3");
    submit(f, .name = "B", .tasks = "1-3", .ad = "A");
    assert_true(hold(f, "boss", "2", 0, GDI_HOLD_CLEAR));
    assert_true(hold(f, "boss", "2", MINUS_H_TGT_JA_AD, GDI_HOLD_REMOVE));
    assert_string_equal(said(f), "");
    assert_string_equal(fixture_held(f, 2), "1-3:1");
}

/* qalter -N NAME -p PRIORITY */
static bool alter(struct fixture *f, const char *user, const char *what, const char *name,
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
        alter(f, "alice", "1", "new", 10)); /* the name is good, the priority is not hers */
    assert_string_equal(said(f), "denied: \"alice\" must be operator to increase job priority");
    assert_string_equal(fixture_job(f, 1)->rec.JB_job_name, "old");
    assert_false(alter(f, "alice", "1", "9new", -10));
    assert_int_equal(fixture_job(f, 1)->rec.JB_priority, JOB_PRIORITY_BASE);
    assert_true(alter(f, "alice", "1", "new", -10));
    assert_non_null(strstr(said(f), "alice@node1 sets scheduling priority of job 1 to -10"));
    assert_non_null(strstr(said(f), "modified job name of job 1"));
    assert_true(alter(f, "olga", "1", NULL, 10));
}

/* qalter OPTION JOB.TASK */
static void options_of_whole_jobs_are_refused_for_tasks(void **state)
{
    struct fixture *f = *state;
    submit(f, .name = "A", .tasks = "1-3");
    submit(f, .name = "J", .tasks = "1-3");
    char *before = fixture_picture(f);
    assert_false(alter(f, "alice", "2.1", "Z", 0));
    assert_string_equal(said(f), "The specified option works only on jobs");
    assert_false(alter(f, "alice", "2.1-3", NULL, -5));
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
    alter(f, "alice", "1", "new", 0);
    submit(f, .tasks = "1-2", .ad = "new");
    assert_string_equal(fixture_held(f, 2), "1,2");
    submit(f, .tasks = "1-2", .ad = "old");
    assert_string_equal(fixture_held(f, 3), "");
    fixture_commit(f);
    fixture_restart(f);
    assert_string_equal(fixture_job(f, 1)->rec.JB_job_name, "new");
    assert_int_equal(fixture_job(f, 1)->rec.JB_version, 1);
}

/* environment and script are read one after the other; between the two nothing may be written back */
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
    assert_false(alter(f, "bob", "1", "mine", 0));
    assert_string_equal(said(f),
                        "denied: \"bob\" must be at least owner of job 1 to change job attributes");
    assert_false(alter(f, "alice", "4711", "x", 0));
    assert_string_equal(said(f), "denied: job \"4711\" does not exist");
    assert_string_equal(fixture_job(f, 1)->rec.JB_job_name, "J");
}

static void a_pattern_means_jobs_of_others_which_are_denied(void **state)
{
    struct fixture *f = *state;
    submit(f, .name = "h1");
    submit(f, .name = "h2", .owner = "bob");
    submit(f, .name = "other", .owner = "carol");
    assert_false(hold(f, "bob", "h*", MINUS_H_TGT_USER, GDI_HOLD_ADD));
    assert_string_equal(said(f), "denied: \"bob\" must be at least owner of job 1 to change job "
                                 "attributes\nmodified hold of job 2");
    assert_false(hold(f, "bob", "h1", MINUS_H_TGT_USER, GDI_HOLD_ADD)); /* a name, too */
    assert_string_equal(said(f),
                        "denied: \"bob\" must be at least owner of job 1 to change job attributes");
    assert_false(hold(f, "bob", "x*", MINUS_H_TGT_USER, GDI_HOLD_ADD));
    assert_string_equal(said(f), "denied: job \"x*\" does not exist");
    assert_true(hold(f, "olga", "h*", MINUS_H_TGT_USER, GDI_HOLD_ADD));
}

static void denials_of_one_request_are_bounded(void **state)
{
    struct fixture *f = *state;
    for (uint32_t i = 0; i < SELECT_OTHERS_MOST; i++)
        submit(f, .name = "h");
    submit(f, .name = "h", .owner = "bob");
    assert_false(hold(f, "bob", "h*", MINUS_H_TGT_USER, GDI_HOLD_ADD));
    assert_null(strstr(said(f), "more than"));
    submit(f, .name = "h");
    assert_false(hold(f, "bob", "h*", MINUS_H_TGT_USER, GDI_HOLD_REMOVE));
    uint32_t n = 0;
    for (const char *at = said(f); (at = strstr(at, "at least owner")) != NULL; at++)
        n++;
    assert_int_equal(n, SELECT_OTHERS_MOST);
    assert_non_null(strstr(said(f), "modified hold of job 257")); /* bob's own */
    const char *rest = strrchr(said(f), '\n') + 1;
    assert_string_equal(rest, "denied: more than 256 of the jobs belong to other users; only these "
                              "are listed");
}

static void tasks_that_are_not_there_are_named_and_change_nothing(void **state)
{
    struct fixture *f = *state;
    submit(f, .name = "J", .tasks = "1-10");
    fixture_run(f, 1, 3, 0);
    char *before = fixture_picture(f);
    assert_false(alter(f, "alice", "1.20", "x", 0));
    assert_string_equal(said(f), "job \"1\" task \"20\" does not exist");
    assert_false(hold(f, "alice", "1.11-20", MINUS_H_TGT_USER, GDI_HOLD_ADD));
    assert_string_equal(said(f), "job \"1\" task \"11\" does not exist");
    assert_false(hold(f, "alice", "1.3", MINUS_H_TGT_USER, GDI_HOLD_ADD)); /* it has ended */
    assert_string_equal(said(f), "job \"1\" task \"3\" does not exist");
    fixture_assert_picture(f, before);
    assert_true(hold(f, "alice", "1.10-20", MINUS_H_TGT_USER, GDI_HOLD_ADD)); /* those that are */
    assert_string_equal(said(f), "modified hold of job-array task 1.10");
}

static void users_without_jobs_are_named_as_users(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    struct ST_Type *user = cull_append(&gr, GR_users);
    cull_set(user, ST_name, "nosuch");
    cull_set(&gr, GR_hold_op, (uint32_t)GDI_HOLD_ADD);
    cull_set(&gr, GR_hold_kinds, (uint32_t)MINUS_H_TGT_USER);
    assert_false(fixture_ask(f, "alice", alter_request, &gr));
    assert_string_equal(said(f), "There is no job registered for the following users: nosuch");
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

static void deletes_say_what_they_deleted(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *user, *what, *text;
    } said_of[] = {
        { "alice", "1.2", "alice has deleted job-array task 1.2" },
        { "alice", "1.3-4", "alice has deleted job-array tasks 3,4 of job 1" },
        { "alice", "1.5-9:2", "alice has deleted job-array tasks 5-9:2 of job 1" },
        { "alice", "1.2", "job \"1\" task \"2\" does not exist" },
        { "alice", "1.20", "job \"1\" task \"20\" does not exist" },
        { "bob", "1", "bob - you do not have the necessary privileges to delete the job \"1\"" },
        { "bob", "arr", "The job arr of user(s) bob does not exist" },
        { "alice", "4711", "denied: job \"4711\" does not exist" },
        { "alice", "n*", "alice has deleted job 2\nalice has deleted job 3" },
        { "olga", "1", "olga has deleted job 1" },
    };
    submit(f, .name = "arr", .tasks = "1-9");
    submit(f, .name = "n1");
    submit(f, .name = "n2");
    for (size_t i = 0; i < ARRAY_LEN(said_of); i++) {
        fixture_delete(f, said_of[i].user, said_of[i].what);
        assert_string_equal(said(f), said_of[i].text);
    }
    assert_int_equal(f->q.jobs.n, 0);
}

/* that is no failure beside one who has jobs; nor are tasks that one of the jobs of a pattern does not have */
static void users_and_jobs_of_patterns_without_what_is_deleted_are_excused(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    submit(f, .name = "e1", .tasks = "1-2");
    submit(f, .name = "e2", .tasks = "1");
    fixture_name(&gr, "e?");
    struct TR_Type *tasks = cull_append(&gr.GR_select.v[0], ID_tasks);
    cull_set(tasks, TR_min, 2u);
    cull_set(tasks, TR_max, 2u);
    assert_true(fixture_ask(f, "alice", delete_request, &gr));
    assert_string_equal(
        said(f), "alice has deleted job-array task 1.2\njob \"2\" task \"2\" does not exist");
    static const char *const users[] = { "alice", "nosuch" };
    for (size_t i = 0; i < ARRAY_LEN(users); i++) {
        struct ST_Type *user = cull_append(&gr, GR_users);
        cull_set(user, ST_name, users[i]);
    }
    assert_true(fixture_ask(f, "alice", delete_request, &gr));
    assert_string_equal(said(f), "alice has deleted job 1\nalice has deleted job 2\n"
                                 "There is no job registered for the following users: nosuch");
}

static void names_without_jobs_are_said_where_they_stand(void **state)
{
    static const char *const names[] = { "4711", "1", "nosuch", "2", "n*" };
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    submit(f);
    submit(f);
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct ID_Type *id = cull_append(&gr, GR_select);
        cull_set(id, ID_str, names[i]);
    }
    assert_false(fixture_ask(f, "alice", delete_request, &gr));
    assert_string_equal(said(f), "denied: job \"4711\" does not exist\n"
                                 "alice has deleted job 1\n"
                                 "The job nosuch of user(s) alice does not exist\n"
                                 "alice has deleted job 2\n"
                                 "The job n* of user(s) alice does not exist");
}

static void running_tasks_are_registered_for_deletion_once(void **state)
{
    struct fixture *f = *state;
    submit(f, .tasks = "1-3");
    fixture_start(f, 1, 1);
    fixture_delete(f, "alice", "1");
    assert_string_equal(said(f), "alice has registered the job-array task 1.1 for deletion\n"
                                 "alice has deleted job 1");
    fixture_delete(f, "alice", "1");
    assert_string_equal(said(f), "job 1 is already in deletion");
    fixture_delete_forced(f, "bob", "1"); /* answers, and changes nothing */
    assert_string_equal(said(f),
                        "bob - you do not have the necessary privileges to delete the job \"1\"");
    fixture_delete_forced(f, "alice", "1");
    assert_string_equal(said(f), "alice has forced the deletion of job-array task 1.1");
    assert_int_equal(f->q.jobs.n, 0);
}

/* qmod ACTION WHAT */
static bool act(struct fixture *f, const char *user, enum gdi_action action, uint32_t options,
                const char *what)
{
    struct GR_Type gr = { 0 };
    fixture_name(&gr, what);
    cull_set(&gr, GR_target, (uint32_t)GDI_JOB);
    cull_set(&gr, GR_action, (uint32_t)action);
    cull_set(&gr, GR_options, options);
    return fixture_ask(f, user, act_request, &gr);
}

static void qmod_says_what_became_of_each_task(void **state)
{
    struct fixture *f = *state;
    submit(f, .tasks = "1-3");
    for (uint32_t id = 1; id <= 2; id++) {
        fixture_start(f, 1, id);
        fixture_report(f, 1, id, REPORT_STARTED, 0);
    }
    assert_true(act(f, "alice", GDI_ACT_SUSPEND, 0, "1.2"));
    assert_string_equal(said(f), "alice - suspended job-array task 1.2");
    assert_true(act(f, "alice", GDI_ACT_SUSPEND, 0, "1"));
    assert_string_equal(
        said(f),
        "alice - suspended job-array task 1.1\nalice - job-array task 1.2 is already suspended");
    assert_true(act(f, "alice", GDI_ACT_UNSUSPEND, 0, "J"));
    assert_string_equal(
        said(f), "alice - unsuspended job-array task 1.1\nalice - unsuspended job-array task 1.2");
    assert_false(act(f, "bob", GDI_ACT_SUSPEND, 0, "1"));
    assert_string_equal(said(f), "bob - you have no permission to modify job \"1\"");
    assert_false(act(f, "alice", GDI_ACT_SUSPEND, 0, "4711"));
    assert_string_equal(said(f), "invalid queue or job \"4711\"");
    assert_false(act(f, "alice", GDI_ACT_CLEAR_ERROR, 0, "1"));
    assert_string_equal(said(f), "Job 1 is not in error state");
}

static void qmod_names_the_tasks_that_do_not_fit(void **state)
{
    struct fixture *f = *state;
    submit(f, .tasks = "1-10");
    fixture_start(f, 1, 1);
    assert_true(act(f, "alice", GDI_ACT_SUSPEND, 0, "1.9")); /* it waits: said, and no failure */
    assert_string_equal(said(f), "Job-array task 1.9: not running");
    assert_true(act(f, "alice", GDI_ACT_RESCHEDULE, 0, "1.7-9"));
    assert_string_equal(said(f), "Job-array tasks 7-9:1 of job 1: not running");
    assert_true(act(f, "alice", GDI_ACT_CLEAR_ERROR, 0, "1.9"));
    assert_string_equal(said(f), "Job-array task 1.9: not in error state");
    assert_false(act(f, "alice", GDI_ACT_CLEAR_ERROR, 0, "1.1")); /* it runs */
    assert_false(act(f, "alice", GDI_ACT_SUSPEND, 0, "1.20"));
    assert_string_equal(said(f), "job \"1\" task \"20\" does not exist");
}

static void only_what_may_run_again_is_rescheduled(void **state)
{
    struct fixture *f = *state;
    submit(f, .tasks = "1-2");
    fixture_start(f, 1, 1);
    act(f, "alice", GDI_ACT_RESCHEDULE, 0, "1");
    assert_string_equal(
        said(f),
        "The job-array task 1.1 is running in queue all.q@node1 where jobs are not rerunable.");
    assert_false(fixture_task(f, 1, 1)->rec.JAT_state & TASK_IS_RESCHEDULED);
    cull_set(&fixture_job(f, 1)->rec, JB_restart, (uint32_t)RESTART_YES);
    assert_true(act(f, "alice", GDI_ACT_RESCHEDULE, 0, "1.1"));
    assert_string_equal(said(f), "Pushed rescheduling of job-array task 1.1 on host node1");
    assert_true(fixture_task(f, 1, 1)->rec.JAT_state & TASK_IS_RESCHEDULED);
}

static void queues_are_for_operators(void **state)
{
    struct fixture *f = *state;
    submit(f);
    fixture_start(f, 1, 1);
    fixture_report(f, 1, 1, REPORT_STARTED, 0);
    assert_false(act(f, "alice", GDI_ACT_DISABLE, 0, "all.q"));
    assert_string_equal(said(f), "alice - you have no permission to modify queue \"all.q@node1\"");
    assert_true(act(f, "olga", GDI_ACT_DISABLE, 0, "*@node1"));
    assert_string_equal(said(f), "olga@node1 changed state of \"all.q@node1\" (disabled)");
    act(f, "olga", GDI_ACT_DISABLE, 0, "all.q");
    assert_string_equal(
        said(f), "Queue instance \"all.q@node1\" is already in the specified state: disabled");
    assert_false(qinstance_may_start(fixture_queue(f)));
    fixture_commit(f);
    fixture_restart(f);
    assert_false(qinstance_may_start(fixture_queue(f)));
    act(f, "boss", GDI_ACT_ENABLE, 0, "*");
    assert_string_equal(said(f), "boss@node1 changed state of \"all.q@node1\" (enabled)");
    assert_true(qinstance_may_start(fixture_queue(f)));
    act(f, "boss", GDI_ACT_SUSPEND, GDI_QUEUES_ONLY, "all.q");
    assert_true(fixture_task(f, 1, 1)->rec.JAT_state &
                TASK_IS_QUEUE_SUSPENDED); /* with its queue */
    assert_false(act(f, "boss", GDI_ACT_ENABLE, 0, "nope*"));
    assert_string_equal(said(f), "invalid queue \"nope*\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, fixture_teardown)
        TEST(holds_say_a_line_for_each_task_they_changed),
        TEST(a_million_tasks_are_one_line),
        TEST(kinds_of_hold_need_their_rights),
        TEST(lifting_all_holds_is_all_or_nothing),
        TEST(some_kinds_are_put_while_others_are_lifted),
        TEST(verification_looks_at_the_queues),
        TEST(a_change_of_the_environment_waits_for_the_old_one),
        TEST(a_copy_waits_for_the_script),
        TEST(what_waits_for_files_may_end_otherwise),
        TEST(no_hand_lifts_a_dependency),
        TEST(a_change_is_whole_or_not_at_all),
        TEST(options_of_whole_jobs_are_refused_for_tasks),
        TEST(the_concurrency_of_an_array_can_be_altered),
        TEST(the_answer_repeats_priority_and_share),
        TEST(a_new_name_counts_at_once_and_after_a_restart),
        TEST(a_new_environment_leaves_the_script_alone),
        TEST(strangers_and_what_is_not_there_are_refused),
        TEST(a_pattern_means_jobs_of_others_which_are_denied),
        TEST(denials_of_one_request_are_bounded),
        TEST(tasks_that_are_not_there_are_named_and_change_nothing),
        TEST(users_without_jobs_are_named_as_users),
        TEST(qalter_says_what_is_waited_for),
        TEST(deletes_say_what_they_deleted),
        TEST(users_and_jobs_of_patterns_without_what_is_deleted_are_excused),
        TEST(names_without_jobs_are_said_where_they_stand),
        TEST(running_tasks_are_registered_for_deletion_once),
        TEST(qmod_says_what_became_of_each_task),
        TEST(qmod_names_the_tasks_that_do_not_fit),
        TEST(only_what_may_run_again_is_rescheduled),
        TEST(queues_are_for_operators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
