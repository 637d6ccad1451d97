/* The spools of earlier releases (testsuite/releases/X/spool.tar.gz), as a crash left them: today's
 * qmaster goes on where they stopped. `test_qmaster_release make FILE` writes that of this
 * release. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_state.h"
#include "libs/spool/records.h"
#include "libs/task/task_dir.h"
#include "libs/uti/alloc.h"

/* numbers of the jobs in the order in which they were submitted */
enum { SINGLE = 1, RENDER, COMPOSE, MOVIE, LARGE, GONE, SCRIPT, NEXT };

/* ---- what is in it ---- */
static void hold_tasks(struct fixture *f, const char *user, const char *tasks, unsigned kind)
{
    assert_true(fixture_hold(f, user, tasks, kind, GDI_HOLD_ADD));
}

static void make_render_and_those_who_wait(struct fixture *f)
{
    submit(f, .name = "render", .tasks = "1-10");
    submit(f, .name = "compose", .tasks = "1-10:4", .ad = "render");
    submit(f, .name = "movie", .jid = "compose");
    fixture_run(f, RENDER, 1, TASK_FAILED_NOT);
    fixture_run(f, RENDER, 2, TASK_FAILED_NOT);
    fixture_start(f, RENDER, 3);
    fixture_report(f, RENDER, 3, REPORT_STARTED, TASK_FAILED_NOT);
    fixture_run(f, RENDER, 4, TASK_FAILED_RESCHEDULE);
    fixture_run(f, RENDER, 5, TASK_FAILED_BEFORE_JOB);
    fixture_start(f, RENDER, 6);
    hold_tasks(f, "alice", "2.8-10", MINUS_H_TGT_USER);
    hold_tasks(f, "boss", "2.9-10", MINUS_H_TGT_OPERATOR);
    hold_tasks(f, "boss", "2.10", MINUS_H_TGT_SYSTEM);
}

static void make_world(struct fixture *f)
{
    submit(f, .name = "single", .id = "r-1");
    make_render_and_those_who_wait(f);
    submit(f, .name = "large", .tasks = "1-40000:2");
    fixture_delete(f, "alice", "5.1-18001:2");
    submit(f, .name = "gone", .owner = "bob");
    submit(f, .name = "script", .owner = "bob", .script = "#!/bin/sh\nexit 0\n");
    fixture_run(f, GONE, 1, TASK_FAILED_NOT);
    assert_true(fixture_set_queue(f, "priority", "7"));
    fixture_set_group(f, "@farm", "node1");
    fixture_commit(f);
}

/* ---- files ---- */
static void run_tar(const char *how, const char *archive, const char *dir)
{
    int status;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        execlp("tar", "tar", how, archive, "-C", dir, "--owner=0", "--group=0", "--sort=name",
               "--mtime=@0", "--exclude=ballast", "--exclude=lock", "accounting", "spooldb",
               (char *)NULL);
        _exit(127);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static void make_release(void **state)
{
    struct fixture *f;
    assert_int_equal(fixture_setup((void **)&f), 0);
    make_world(f);
    run_tar("-czf", *state, f->dir);
    fixture_teardown((void **)&f);
}

/* *STATE is the archive before, and the qmaster on what is in it afterwards */
static int unpack_and_begin(void **state)
{
    struct fixture *f = fixture_place();
    run_tar("-xzf", *state, f->dir);
    fixture_begin(f);
    *state = f;
    return 0;
}

/* ---- what is promised ---- */
static void nothing_is_unknown_or_left_out(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(f->q.jobs.n, 6);
    assert_int_equal(spool_records_kept(f->q.records), 0);
    assert_null(spool_records_newer(f->q.records));
}

static void the_jobs_are_there_with_what_they_asked_for(void **state)
{
    static const struct {
        uint32_t number;
        const char *name, *owner;
        uint32_t first, last, step;
    } jobs[] = {
        { SINGLE, "single", "alice", 1, 1, 1 },    { RENDER, "render", "alice", 1, 10, 1 },
        { COMPOSE, "compose", "alice", 1, 10, 4 }, { MOVIE, "movie", "alice", 1, 1, 1 },
        { LARGE, "large", "alice", 1, 40000, 2 },  { SCRIPT, "script", "bob", 1, 1, 1 },
    };
    struct fixture *f = *state;
    for (size_t i = 0; i < ARRAY_LEN(jobs); i++) {
        const struct JB_Type *rec = &fixture_job(f, jobs[i].number)->rec;
        assert_string_equal(rec->JB_job_name, jobs[i].name);
        assert_string_equal(rec->JB_owner, jobs[i].owner);
        assert_int_equal(rec->JB_ja_first, jobs[i].first);
        assert_int_equal(rec->JB_ja_last, jobs[i].last);
        assert_int_equal(rec->JB_ja_step, jobs[i].step);
    }
    assert_int_equal(submit(f), NEXT);
}

static void ended_tasks_stay_ended(void **state)
{
    struct fixture *f = *state;
    struct job *large = fixture_job(f, LARGE), *render = fixture_job(f, RENDER);
    assert_int_equal(range_set_count(&large->unfinished), 10999);
    assert_false(range_set_has(&large->unfinished, 9000));
    assert_true(range_set_has(&large->unfinished, 9001));
    assert_int_equal(range_set_count(&render->unfinished), 8);
    assert_false(range_set_has(&render->unfinished, 1));
}

static void tasks_are_in_the_state_they_were_in(void **state)
{
    struct fixture *f = *state;
    static const struct {
        uint32_t id, status;
    } tasks[] = {
        { 3, TASK_RUNNING }, { 4, TASK_WAITING }, { 5, TASK_ERROR }, { 6, TASK_TRANSFERRING }
    };
    for (size_t i = 0; i < ARRAY_LEN(tasks); i++) {
        const struct JAT_Type *rec = &fixture_task(f, RENDER, tasks[i].id)->rec;
        assert_int_equal(rec->JAT_status, tasks[i].status);
        assert_int_equal(rec->JAT_attempt, 1);
    }
    assert_int_equal(fixture_queue(f)->rec.QU_slots_used, 2);
}

static void holds_are_kept(void **state)
{
    struct fixture *f = *state;
    const struct JB_Type *rec = &fixture_job(f, RENDER)->rec;
    assert_int_equal(range_set_count(&rec->JB_ja_u_h_ids), 3);
    assert_int_equal(range_set_count(&rec->JB_ja_o_h_ids), 2);
    assert_int_equal(range_set_count(&rec->JB_ja_s_h_ids), 1);
    assert_string_equal(fixture_held(f, COMPOSE), "1-9:4");
    assert_string_equal(fixture_ready(f, MOVIE), "");
}

/* render.3 ends and 4 runs again: that is all that compose.1 waited for */
static void a_pipeline_goes_on(void **state)
{
    struct fixture *f = *state;
    fixture_report(f, RENDER, 3, REPORT_ENDED, TASK_FAILED_NOT);
    fixture_run(f, RENDER, 4, TASK_FAILED_NOT);
    fixture_commit(f);
    assert_string_equal(fixture_held(f, COMPOSE), "5,9");
    assert_string_equal(fixture_ready(f, COMPOSE), "1");
    fixture_restart(f);
    assert_string_equal(fixture_held(f, COMPOSE), "5,9");
}

static void each_end_has_one_accounting_line(void **state)
{
    struct fixture *f = *state;
    char *text = fixture_accounting(f);
    unsigned lines = 0;
    for (const char *at = text; (at = strstr(at, ":render:2:")) != NULL; at++)
        lines++;
    assert_int_equal(lines, 4); /* of 1 and 2, and the starts of 4 and 5 that failed */
    assert_non_null(strstr(text, ":bob:gone:6:"));
    free(text);
}

static void a_submit_that_is_tried_again_finds_its_job(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(submit(f, .name = "single", .id = "r-1"), SINGLE);
}

static void files_of_jobs_can_be_read(void **state)
{
    struct fixture *f = *state;
    fixture_start(f, SCRIPT, 1);
    fixture_commit(f);
    const struct job *job = fixture_job(f, SCRIPT);
    assert_non_null(job->files);
    assert_string_equal(job->files->data + job->files->env_len, "#!/bin/sh\nexit 0\n");
}

static const char *text_of(const struct AT_Type_list *values)
{
    assert_int_equal(values->n, 1);
    return values->v[0].AT_value;
}

static void queues_and_groups_are_as_they_were_set(void **state)
{
    struct fixture *f = *state;
    struct cqueue *cq = f->q.queues.cqueues;
    assert_string_equal(cq->rec.CQ_name, "all.q");
    assert_string_equal(text_of(&cq->rec.CQ_priority), "7");
    assert_string_equal(text_of(&cq->rec.CQ_slots), "100");
    assert_true(settings_has_name(&f->q.settings, NAMES_MANAGER, "boss"));
    assert_true(fixture_set_queue(f, "hostlist", "@farm"));
}

static int make_archive(char *path)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test_prestate(make_release, path) };
    return cmocka_run_group_tests_name("make", tests, NULL, NULL);
}

int main(int argc, char **argv)
{
    int failed = 0;
    glob_t found;
    if (argc == 3 && strcmp(argv[1], "make") == 0)
        return make_archive(argv[2]);
    if (glob(RELEASES "/*/spool.tar.gz", 0, NULL, &found) != 0)
        return 1;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const struct CMUnitTest tests[] = {
#define TEST(fn)                                                                                   \
    cmocka_unit_test_prestate_setup_teardown(fn, unpack_and_begin, fixture_teardown,               \
                                             found.gl_pathv[i])
            TEST(nothing_is_unknown_or_left_out),
            TEST(the_jobs_are_there_with_what_they_asked_for),
            TEST(ended_tasks_stay_ended),
            TEST(tasks_are_in_the_state_they_were_in),
            TEST(holds_are_kept),
            TEST(a_pipeline_goes_on),
            TEST(each_end_has_one_accounting_line),
            TEST(a_submit_that_is_tried_again_finds_its_job),
            TEST(files_of_jobs_can_be_read),
            TEST(queues_and_groups_are_as_they_were_set),
        };
        failed += cmocka_run_group_tests_name(found.gl_pathv[i], tests, NULL, NULL);
    }
    globfree(&found);
    return failed;
}
