/* Tasks in cgroups of their own, where this machine has them to give, and the setting that forbids
 * it. */
#include "daemons/execd/test/fake_qmaster.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemons/execd/files/task_files.h"
#include "libs/task/task_dir.h"
#include "libs/uti/cgroup.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

static void need_cgroup(void)
{
    struct dstr path = DSTR_INIT;
    bool works = cgroup_find(&path) == 0;
    dstr_addf(&path, "/sge-test-%d", (int)getpid());
    works = works && cgroup_try(path.s) == 0;
    dstr_free(&path);
    if (works)
        return;
    print_message("impossible here: no cgroup of version 2 can be made\n");
    skip();
}

/* PARAMS are the execd_params; NULL: none are set */
static void set_params(struct fake *f, const char *params)
{
    struct XM_Type m = { 0 };
    cull_set(&m, XM_kind, (uint32_t)EXEC_CONFIG);
    if (params != NULL)
        fake_add_conf(&m, "global", "execd_params", params);
    fake_send(f, &m);
    fake_wait_heard(f);
}

/* where the cgroup of task NUMBER.1 is, once its job runs; "" if it has none */
static char *group_of(struct fake *f, uint32_t number)
{
    struct dstr name = DSTR_INIT;
    char *running = fake_config_value(f, number, "tmpdir"); /* waits for the job */
    dstr_addf(&name, "spool/active_jobs/%u.1/config", number);
    char *text = fake_text(f, dstr_get(&name)), *value = task_files_value(text, "cgroup");
    free(running);
    free(text);
    dstr_free(&name);
    return value != NULL ? value : strdup("");
}

static void wait_removed(const char *path)
{
    for (int i = 0; i < 4000 && access(path, F_OK) == 0; i++)
        (void)poll(NULL, 0, 5);
    assert_int_not_equal(access(path, F_OK), 0);
}

static void a_task_has_a_cgroup_until_it_has_ended(void **state)
{
    struct fake *f = *state;
    need_cgroup();
    set_params(f, NULL);
    fake_run(f, 60, "echo $$ > pid60; exec sleep 1000");
    char *group = group_of(f, 60);
    assert_int_equal(access(group, F_OK), 0);
    fake_end_task(f, 60);
    assert_int_not_equal(access(group, F_OK), 0);
    *strrchr(group, '/') = '\0';
    assert_int_equal(access(group, F_OK), 0); /* where they are */
    fake_kill_execd(f, SIGTERM);
    assert_int_not_equal(access(group, F_OK), 0);
    free(group);
}

static void use_cgroups_false_means_none(void **state)
{
    struct fake *f = *state;
    static const char *const params[] = { "USE_CGROUPS=false", "KEEP_ACTIVE=false,use_cgroups=0" };
    for (size_t i = 0; i < ARRAY_LEN(params); i++) {
        uint32_t number = 61 + (uint32_t)i;
        struct dstr command = DSTR_INIT;
        dstr_addf(&command, "echo $$ > pid%u; exec sleep 1000", number);
        set_params(f, NULL);
        set_params(f, params[i]);
        fake_run(f, number, dstr_get(&command));
        char *group = group_of(f, number);
        assert_string_equal(group, "");
        fake_end_task(f, number);
        free(group);
        dstr_free(&command);
    }
}

/* what was started in a cgroup is in it until its end, whatever is wanted of others meanwhile */
static void a_task_keeps_its_cgroup_when_others_get_none(void **state)
{
    struct fake *f = *state;
    need_cgroup();
    set_params(f, NULL);
    fake_run(f, 63, "echo $$ > pid63; exec sleep 1000");
    char *group = group_of(f, 63);
    set_params(f, "USE_CGROUPS=false");
    assert_int_equal(access(group, F_OK), 0);
    fake_end_task(f, 63);
    assert_int_not_equal(access(group, F_OK), 0);
    free(group);
}

/* no shepherd, no session, no environment, no place below its parent: the cgroup is what tells */
static void what_a_dead_shepherd_leaves_ends_with_its_cgroup(void **state)
{
    struct fake *f = *state;
    struct JR_Type r;
    struct XM_Type m;
    need_cgroup();
    set_params(f, NULL);
    fake_run(f, 64,
             "setsid env -i sh -c '(setsid sh -c \"echo \\$\\$ > hidden; exec sleep 1000\" &) ; "
             "exit 0'; "
             "echo $$ > pid64; exec sleep 1000");
    char *group = group_of(f, 64);
    pid_t hidden = fake_pid(f, "hidden");
    fake_kill_execd(f, SIGKILL); /* so that nothing falls to it */
    assert_int_equal(kill(fake_pid(f, "spool/active_jobs/64.1/pid"), SIGKILL), 0);
    fake_start_execd(f);
    fake_accept(f, &m);
    if (m.XM_reports.v[0].JR_state != (uint32_t)REPORT_ENDED) {
        fake_wait_report(f, 64, 1, REPORT_ENDED, &r);
        assert_int_equal(r.JR_failed, TASK_FAILED_NO_EXIT_STATUS);
        cull_clear(&cull_JR_Type, &r);
    }
    cull_clear(&cull_XM_Type, &m);
    wait_removed(group);
    while (waitpid(-1, NULL, WNOHANG) > 0) /* it fell to this test */
        ;
    assert_int_not_equal(kill(hidden, 0), 0);
    free(group);
}

static void an_execd_takes_away_what_an_earlier_one_left_empty(void **state)
{
    struct fake *f = *state;
    need_cgroup();
    set_params(f, NULL);
    fake_run(f, 65, "echo $$ > pid65; exec sleep 1000");
    char *group = group_of(f, 65);
    struct dstr stale = DSTR_INIT;
    dstr_addf(&stale, "%.*s/7.7", (int)(strrchr(group, '/') - group), group);
    assert_int_equal(mkdir(stale.s, 0755), 0);
    fake_kill_execd(f, SIGKILL);
    fake_bring_up(f);
    set_params(f, NULL);
    assert_int_not_equal(access(stale.s, F_OK), 0);
    assert_int_equal(access(group, F_OK), 0);
    fake_end_task(f, 65);
    dstr_free(&stale);
    free(group);
}

/* a cgroup beside the execd's own place, with a place and in it a task's cgroup, as of an execd
 * that was started in another session; new: free() */
static char *place_elsewhere(const char *place, const char *where)
{
    struct dstr path = DSTR_INIT;
    const char *name = strrchr(place, '/');
    dstr_addf(&path, "%.*s/%s-%d", (int)(name - place), place, where, (int)getpid());
    assert_int_equal(mkdir(path.s, 0755), 0);
    dstr_add(&path, name);
    assert_int_equal(mkdir(path.s, 0755), 0);
    return dstr_take(&path);
}

static void remove_elsewhere(char *place)
{
    (void)cgroup_remove(place);
    *strrchr(place, '/') = '\0';
    assert_int_equal(cgroup_remove(place), 0);
    free(place);
}

static pid_t sleep_in(const char *group)
{
    int fd = cgroup_open(group);
    pid_t pid = cgroup_fork(fd);
    if (pid == 0)
        for (;;)
            (void)pause();
    close(fd);
    assert_true(pid > 0);
    return pid;
}

static void an_execd_takes_away_empty_places_elsewhere(void **state)
{
    struct fake *f = *state;
    need_cgroup();
    set_params(f, NULL);
    fake_run(f, 66, "echo $$ > pid66; exec sleep 1000");
    char *group = group_of(f, 66), *listed = fake_text(f, "spool/cgroups");
    *strrchr(group, '/') = '\0';
    assert_memory_equal(listed, group, strlen(group));
    fake_end_task(f, 66);
    fake_kill_execd(f, SIGKILL);
    char *empty = place_elsewhere(group, "empty"), *busy = place_elsewhere(group, "busy");
    struct dstr task = DSTR_INIT, list = DSTR_INIT;
    dstr_addf(&task, "%s/7.7", busy);
    dstr_addf(&list, "%s\n%s\n%s\n", empty, busy, group);
    assert_int_equal(mkdir(task.s, 0755), 0);
    pid_t sleeper = sleep_in(task.s);
    char *path = fake_path(f, "spool/cgroups");
    assert_int_equal(file_write(path, list.s, list.len, 0644, NULL), 0);
    fake_bring_up(f);
    assert_int_not_equal(access(empty, F_OK), 0);
    assert_int_equal(access(task.s, F_OK), 0); /* somebody lives there */
    assert_int_equal(kill(sleeper, SIGKILL), 0);
    assert_int_equal(waitpid(sleeper, NULL, 0), sleeper);
    fake_kill_execd(f, SIGTERM);
    fake_bring_up(f);
    assert_int_not_equal(access(busy, F_OK), 0);
    fake_kill_execd(f, SIGTERM);
    assert_int_not_equal(access(path, F_OK), 0); /* nothing is left to be listed */
    remove_elsewhere(empty);
    remove_elsewhere(busy);
    dstr_free(&task);
    dstr_free(&list);
    free(path);
    free(listed);
    free(group);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        FAKE_TEST(a_task_has_a_cgroup_until_it_has_ended),
        FAKE_TEST(use_cgroups_false_means_none),
        FAKE_TEST(a_task_keeps_its_cgroup_when_others_get_none),
        FAKE_TEST(what_a_dead_shepherd_leaves_ends_with_its_cgroup),
        FAKE_TEST(an_execd_takes_away_what_an_earlier_one_left_empty),
        FAKE_TEST(an_execd_takes_away_empty_places_elsewhere),
    };
    return fake_main(argc, argv, tests, ARRAY_LEN(tests));
}
