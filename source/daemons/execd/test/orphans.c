/* Processes that hide, and processes without their shepherd. */
#include "daemons/execd/test/fake_qmaster.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libs/task/task_dir.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/os.h"
#include "libs/uti/process.h"

/* a job whose process leaves session, group and parent behind */
#define HIDDEN                                                                                     \
    "setsid sh -c '(setsid sh -c \"echo \\$\\$ > hidden; exec sleep 1000\" &) ; exit 0' & "

static void check_hidden_is_gone(const struct fake *f)
{
    pid_t hidden = fake_pid(f, "hidden");
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
    assert_int_equal(kill(hidden, 0), -1);
}

static void test_shepherd_killed(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    fake_run(f, 14, HIDDEN "sleep 1000");
    (void)fake_pid(f, "hidden");
    assert_int_equal(kill(fake_pid(f, "spool/active_jobs/14.1/pid"), SIGKILL), 0);
    fake_wait_report(f, 14, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, TASK_FAILED_NO_EXIT_STATUS);
    check_hidden_is_gone(f);
    cull_clear(&cull_JR_Type, &r);
    fake_wait_gone(f, "14.1.all.q");
}

static void test_shepherd_killed_while_down(void **state)
{
    struct fake *f = *state;
    struct XM_Type m;
    struct JR_Type r;
    fake_run(f, 15, HIDDEN "sleep 1000");
    (void)fake_pid(f, "hidden");
    fake_kill_execd(f, SIGKILL);
    assert_int_equal(kill(fake_pid(f, "spool/active_jobs/15.1/pid"), SIGKILL), 0);
    fake_start_execd(f);
    fake_accept(f, &m);
    if (m.XM_reports.v[0].JR_state != (uint32_t)REPORT_ENDED) {
        fake_wait_report(f, 15, 1, REPORT_ENDED, &r);
        cull_clear(&cull_JR_Type, &r);
    }
    cull_clear(&cull_XM_Type, &m);
    check_hidden_is_gone(f);
}

static void test_hidden_ends_with_job(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    fake_run(f, 16, HIDDEN "while [ ! -s hidden ]; do :; done; exit 0");
    fake_wait_report(f, 16, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, 0);
    check_hidden_is_gone(f);
    cull_clear(&cull_JR_Type, &r);
}

/* whoever has the lock and the pid of a shepherd that ended is not that shepherd */
static void a_process_that_has_the_pid_of_a_shepherd_is_left_alone(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    struct XM_Type m;
    fake_run(f, 42, "echo $$ > pid42; exec sleep 1000");
    (void)fake_pid(f, "pid42");
    fake_kill_execd(f, SIGKILL);
    int status, fd = fake_pid_file(f, "42.1");
    assert_int_equal(kill(fake_pid(f, "spool/active_jobs/42.1/pid"), SIGKILL), 0);
    for (int i = 0; i < 4000 && os_lock_take(fd) != 0; i++)
        (void)poll(NULL, 0, 5);
    pid_t innocent = fork();
    if (innocent == 0) {
        (void)os_die_with_parent(SIGKILL);
        for (;;)
            (void)pause();
    }
    struct process_id id;
    struct dstr text = DSTR_INIT;
    assert_int_equal(process_id_self(&id), 0);
    id.pid = innocent;
    process_id_text(&id, &text);
    assert_int_equal(pwrite(fd, dstr_get(&text), text.len, 0), text.len);
    assert_int_equal(ftruncate(fd, (off_t)text.len), 0);
    dstr_free(&text);
    fake_start_execd(f);
    fake_accept(f, &m);
    assert_int_equal(m.XM_reports.n, 1);
    cull_clear(&cull_XM_Type, &m);
    fake_about(f, EXEC_SIGNAL, SIGKILL, 42, 1, 1);
    fake_wait_heard(f);
    struct flock none = { .l_type = F_UNLCK, .l_whence = SEEK_SET };
    assert_int_equal(fcntl(fd, F_OFD_SETLK, &none),
                     0); /* the execd, forked, has the file open, too */
    close(fd);
    fake_wait_report(f, 42, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, TASK_FAILED_NO_EXIT_STATUS);
    cull_clear(&cull_JR_Type, &r);
    assert_int_equal(waitpid(innocent, &status, WNOHANG), 0);
    assert_int_equal(kill(innocent, SIGKILL), 0);
    assert_int_equal(waitpid(innocent, &status, 0), innocent);
}

/* ---- processes that cannot be ended: frozen ones, in a cgroup of version 1 ---- */

#define FREEZER "/sys/fs/cgroup/freezer"

static char *make_freezer(void)
{
    struct dstr path = DSTR_INIT;
    dstr_addf(&path, FREEZER "/sge-test-%d", (int)getpid());
    if (mkdir(path.s, 0755) == 0)
        return dstr_take(&path);
    print_message("impossible here: no process can be frozen below " FREEZER "\n");
    dstr_free(&path);
    skip();
    return NULL;
}

static void write_freezer(const char *freezer, const char *name, const char *text)
{
    char *path = path_join(freezer, name);
    assert_int_equal(file_write(path, text, strlen(text), 0644, NULL), 0);
    free(path);
}

static void freeze_process(const char *freezer, pid_t pid)
{
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, "%d\n", (int)pid);
    write_freezer(freezer, "cgroup.procs", text.s);
    write_freezer(freezer, "freezer.state", "FROZEN");
    dstr_free(&text);
}

static void wait_message(const struct fake *f, const char *wanted)
{
    bool is_there = false;
    for (int i = 0; i < 4000 && !is_there; i++) {
        char *text = fake_text(f, "spool/messages");
        is_there = strstr(text, wanted) != NULL;
        free(text);
        (void)poll(NULL, 0, 5);
    }
    assert_true(is_there);
}

static bool is_reported_ended(struct fake *f, uint32_t job)
{
    bool found = false;
    fake_wait_heard(f);
    for (uint32_t i = 0; i < f->pending.XM_reports.n; i++) {
        const struct JR_Type *r = &f->pending.XM_reports.v[i];
        found = found || (r->JR_job_number == job && r->JR_state == (uint32_t)REPORT_ENDED);
    }
    return found;
}

/* it may be started again elsewhere when its end is reported: not beside what is left of it */
static void a_task_whose_processes_cannot_be_ended_has_not_ended(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    char *freezer = make_freezer();
    fake_run(f, 43, HIDDEN "while [ ! -s hidden ]; do :; done; echo $$ > pid43; exec sleep 1000");
    (void)fake_pid(f, "pid43");
    freeze_process(freezer, fake_pid(f, "hidden"));
    assert_int_equal(kill(fake_pid(f, "spool/active_jobs/43.1/pid"), SIGKILL), 0);
    wait_message(f, "cannot be killed: the task stays until they are gone");
    for (int i = 0; i < 50; i++) { /* it looks once a second from now on */
        assert_false(is_reported_ended(f, 43));
        (void)poll(NULL, 0, 50);
    }
    write_freezer(freezer, "freezer.state", "THAWED");
    fake_wait_report(f, 43, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, TASK_FAILED_NO_EXIT_STATUS);
    check_hidden_is_gone(f);
    cull_clear(&cull_JR_Type, &r);
    assert_int_equal(rmdir(freezer), 0);
    free(freezer);
}

/* a process whose memory cannot be read, while there is a file "hang" in the task's directory */
void __real_os_processes_of(gid_t group, const char *variable, struct process_list *out);
void __wrap_os_processes_of(gid_t group, const char *variable, struct process_list *out);
void __wrap_os_processes_of(gid_t group, const char *variable, struct process_list *out)
{
    if (variable != NULL) {
        struct dstr path = DSTR_INIT;
        dstr_addf(&path, "%s/hang", strchr(variable, '=') + 1);
        bool hangs = access(dstr_get(&path), F_OK) == 0;
        dstr_free(&path);
        while (hangs)
            (void)pause();
    }
    __real_os_processes_of(group, variable, out);
}

static void memory_that_cannot_be_read_holds_up_its_own_task_alone(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    fake_run(f, 44, "echo $$ > pid44; exec sleep 1000");
    pid_t job = fake_pid(f, "pid44"), shepherd = fake_pid(f, "spool/active_jobs/44.1/pid");
    char *hang = path_join(f->root, "spool/active_jobs/44.1/hang");
    assert_int_equal(file_write(hang, "", 0, 0600, NULL), 0);
    assert_int_equal(kill(shepherd, SIGKILL), 0);
    fake_run(f, 45, "exit 0");
    fake_wait_report(f, 45, 1, REPORT_ENDED, &r);
    cull_clear(&cull_JR_Type, &r);
    fake_wait_report(f, 44, 1, REPORT_ENDED, &r);
    assert_int_equal(r.JR_failed, TASK_FAILED_NO_EXIT_STATUS);
    cull_clear(&cull_JR_Type, &r);
    wait_message(f, "the memory of a process cannot be read in time");
    assert_int_equal(kill(job, 0), -1);
    free(hang);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        FAKE_TEST(test_shepherd_killed),
        FAKE_TEST(test_shepherd_killed_while_down),
        FAKE_TEST(test_hidden_ends_with_job),
        FAKE_TEST(a_process_that_has_the_pid_of_a_shepherd_is_left_alone),
        FAKE_TEST(memory_that_cannot_be_read_holds_up_its_own_task_alone),
        FAKE_TEST(a_task_whose_processes_cannot_be_ended_has_not_ended),
    };
    return fake_main(argc, argv, tests, ARRAY_LEN(tests));
}
