/* Petasks: what a task has started below itself has a key, a directory and an end of its own. */
#include "daemons/execd/test/fake_qmaster.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "daemons/execd/files/task_files.h"
#include "daemons/execd/files/task_text.h"
#include "daemons/execd/host/task_groups.h"
#include "libs/sgeobj/binding.h"
#include "libs/uti/dstr.h"

#define PETASK "1.testhost"
/* writes its pid and waits, both in files that have the name of its directory's last part */
#define COMMAND                                                                                    \
    "me=${SGE_JOB_SPOOL_DIR##*/}; echo $$ > pid$me; read x < gate$me; "                            \
    "case $me in " PETASK ") exit 3;; *) exit 0;; esac"

static void make_gate(struct fake *f, const char *name)
{
    char *path = fake_path(f, name);
    assert_int_equal(mkfifo(path, 0666), 0);
    free(path);
}

static void open_gate(struct fake *f, const char *name)
{
    char *path = fake_path(f, name);
    fake_open_gate(path);
    free(path);
}

static bool is_there(struct fake *f, const char *name)
{
    char *path = fake_path(f, name);
    struct stat st;
    bool is = stat(path, &st) == 0;
    free(path);
    return is;
}

static void start_petask(struct fake *f, uint32_t number)
{
    f->petask = PETASK;
    fake_order(f, NULL, number, 1, 1);
    (void)fake_pid(f, "pid" PETASK);
}

/* the petask goes on from its gate: its end has its name, and its directory goes when that is
 * acknowledged */
static void end_petask(struct fake *f, uint32_t number)
{
    struct JR_Type r;
    f->petask = PETASK;
    open_gate(f, "gate" PETASK);
    fake_wait_report(f, number, 1, REPORT_ENDED, &r);
    assert_string_equal(r.JR_pe_task_id, PETASK);
    assert_int_equal(r.JR_exit_status, 3);
    cull_clear(&cull_JR_Type, &r);
    fake_about(f, EXEC_END_ACK, 0, number, 1, 1);
}

static void end_task(struct fake *f, uint32_t number, const char *gate)
{
    struct JR_Type r;
    f->petask = NULL;
    open_gate(f, gate);
    fake_wait_report(f, number, 1, REPORT_ENDED, &r);
    assert_null(r.JR_pe_task_id);
    assert_int_equal(r.JR_exit_status, 0);
    cull_clear(&cull_JR_Type, &r);
    fake_about(f, EXEC_END_ACK, 0, number, 1, 1);
}

static void start_both(struct fake *f, uint32_t number, const char *gate, const char *pid)
{
    make_gate(f, gate);
    make_gate(f, "gate" PETASK);
    fake_run(f, number, COMMAND);
    (void)fake_pid(f, pid);
    start_petask(f, number);
}

static void a_petask_has_a_directory_and_an_end_of_its_own(void **state)
{
    struct fake *f = *state;
    start_both(f, 31, "gate31.1", "pid31.1");
    assert_true(is_there(f, "spool/active_jobs/31.1/" PETASK "/config"));
    end_petask(f, 31);
    fake_wait_gone(f, "spool/active_jobs/31.1/" PETASK);
    assert_true(is_there(f, "spool/active_jobs/31.1/config"));
    end_task(f, 31, "gate31.1");
    fake_wait_gone(f, "spool/active_jobs/31.1");
}

/* what is said of the one does not touch the other */
static void a_signal_means_the_petask_alone(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    start_both(f, 32, "gate32.1", "pid32.1");
    f->petask = PETASK;
    fake_about(f, EXEC_SIGNAL, SIGKILL, 32, 1, 1);
    fake_wait_report(f, 32, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_exit_status, 128 + SIGKILL);
    cull_clear(&cull_JR_Type, &r);
    fake_about(f, EXEC_END_ACK, 0, 32, 1, 1);
    end_task(f, 32, "gate32.1");
}

static void a_restart_finds_a_task_and_its_petask(void **state)
{
    struct fake *f = *state;
    struct XM_Type m;
    start_both(f, 33, "gate33.1", "pid33.1");
    fake_kill_execd(f, SIGKILL);
    fake_start_execd(f);
    fake_accept(f, &m);
    assert_int_equal(m.XM_reports.n, 2);
    assert_null(m.XM_reports.v[0].JR_pe_task_id);
    assert_string_equal(m.XM_reports.v[1].JR_pe_task_id, PETASK);
    cull_clear(&cull_XM_Type, &m);
    end_petask(f, 33);
    end_task(f, 33, "gate33.1");
    fake_wait_gone(f, "spool/active_jobs/33.1");
}

/* the task itself runs on another host; its directory is there for the petask */
static void a_restart_finds_a_petask_whose_task_runs_elsewhere(void **state)
{
    struct fake *f = *state;
    struct XM_Type m;
    make_gate(f, "gate" PETASK);
    f->petask = PETASK;
    fake_run(f, 34, COMMAND);
    (void)fake_pid(f, "pid" PETASK);
    fake_kill_execd(f, SIGKILL);
    fake_start_execd(f);
    fake_accept(f, &m);
    assert_int_equal(m.XM_reports.n, 1);
    cull_clear(&cull_XM_Type, &m);
    end_petask(f, 34);
    fake_wait_gone(f, "spool/active_jobs/34.1");
}

/* ... and no directory is made of it */
static void an_order_of_a_malformed_petask_ends_the_connection(void **state)
{
    struct fake *f = *state;
    struct XM_Type m;
    fake_run(f, 35, "true");
    f->petask = "../../35";
    fake_order(f, NULL, 35, 1, 1);
    fake_wait_lost(f);
    fake_accept(f, &m);
    assert_int_equal(m.XM_reports.n, 1);
    assert_null(m.XM_reports.v[0].JR_pe_task_id);
    cull_clear(&cull_XM_Type, &m);
    assert_false(is_there(f, "spool/35"));
}

/* what ends with a petask must not hold anything of its task's */
static void a_petask_has_a_cgroup_and_a_tmpdir_beside_its_tasks(void **state)
{
    char place[] = "/cgroup/sge-1";
    struct cgroups c = { .place = place, .is_on = true };
    struct QU_Type queue = { 0 };
    struct JAT_Type task = { .JAT_job_number = 12, .JAT_task_number = 3 };
    struct task_text_input in = { .queue = &queue, .task = &task };
    struct dstr tmpdir = DSTR_INIT;
    (void)state;
    char *path = cgroups_of_task(&c, "12.3/1.node7");
    assert_string_equal(path, "/cgroup/sge-1/12.3.1.node7");
    cull_set(&queue, QU_qname, "all.q");
    cull_set(&task, JAT_pe_task_id, "1.node7");
    task_tmpdir(&in, &tmpdir);
    assert_string_equal(dstr_get(&tmpdir), "/tmp/12.3.all.q.1.node7");
    cull_clear(&cull_QU_Type, &queue);
    cull_clear(&cull_JAT_Type, &task);
    dstr_free(&tmpdir);
    free(path);
}

static char *binding_in(struct fake *f, const char *file)
{
    char *config = fake_text(f, file), *value = task_files_value(config, "binding");
    free(config);
    assert_non_null(value);
    return value;
}

/* submit(1) -binding: also after a restart; a task behind it does not get them */
static void a_petask_runs_on_the_cores_of_its_task(void **state)
{
    struct fake *f = *state;
    struct JB_Type job;
    struct XM_Type m;
    make_gate(f, "gate37.1");
    make_gate(f, "gate" PETASK);
    fake_job(f, &job, 37, COMMAND);
    assert_null(binding_read(cull_append(&job, JB_binding), "explicit:0,0"));
    fake_order(f, &job, 37, 1, 1);
    cull_clear(&cull_JB_Type, &job);
    (void)fake_pid(f, "pid37.1");
    start_petask(f, 37);
    char *task = binding_in(f, "spool/active_jobs/37.1/config");
    char *petask = binding_in(f, "spool/active_jobs/37.1/" PETASK "/config");
    assert_int_equal(strncmp(task, "explicit:0,0:", strlen("explicit:0,0:")), 0);
    assert_string_equal(petask, task);
    fake_kill_execd(f, SIGKILL);
    fake_start_execd(f);
    fake_accept(f, &m);
    for (uint32_t i = 0; i < m.XM_reports.n; i++)
        assert_non_null(strstr(task, m.XM_reports.v[i].JR_binding));
    cull_clear(&cull_XM_Type, &m);
    end_petask(f, 37);
    end_task(f, 37, "gate37.1");
    free(task);
    free(petask);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        FAKE_TEST(a_petask_has_a_directory_and_an_end_of_its_own),
        FAKE_TEST(a_signal_means_the_petask_alone),
        FAKE_TEST(a_restart_finds_a_task_and_its_petask),
        FAKE_TEST(a_restart_finds_a_petask_whose_task_runs_elsewhere),
        FAKE_TEST(an_order_of_a_malformed_petask_ends_the_connection),
        cmocka_unit_test(a_petask_has_a_cgroup_and_a_tmpdir_beside_its_tasks),
        FAKE_TEST(a_petask_runs_on_the_cores_of_its_task),
    };
    return fake_main(argc, argv, tests, ARRAY_LEN(tests));
}
