/* What tests do with tasks of an execd. See fake_qmaster.h. */
#include "daemons/execd/test/fake_qmaster.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemons/execd/files/task_files.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

enum { TRIES = 4000, POLL_MS = 5 };

static const char *bin_dir; /* set once by fake_main */

int fake_setup(void **state)
{
    struct fake *f = malloc(sizeof *f);
    fake_open(f, bin_dir);
    fake_bring_up(f);
    *state = f;
    return 0;
}

int fake_teardown(void **state)
{
    fake_close(*state);
    free(*state);
    return 0;
}

void fake_run(struct fake *f, uint32_t number, const char *command)
{
    struct JB_Type job;
    fake_job(f, &job, number, command);
    fake_order(f, &job, number, 1, 1);
    cull_clear(&cull_JB_Type, &job);
}

void fake_open_gate(const char *path)
{
    int fd = open(path, O_WRONLY);
    assert_int_equal(write(fd, "x\n", 2), 2);
    close(fd);
}

void fake_accept_end(struct fake *f, uint32_t exit_status)
{
    struct XM_Type m;
    fake_accept(f, &m);
    assert_int_equal(m.XM_reports.n, 1);
    assert_int_equal(m.XM_reports.v[0].JR_state, REPORT_ENDED);
    assert_int_equal(m.XM_reports.v[0].JR_exit_status, exit_status);
    cull_clear(&cull_XM_Type, &m);
}

double fake_usage(const struct JR_Type *r, const char *name)
{
    for (uint32_t i = 0; i < r->JR_usage.n; i++)
        if (strcmp(r->JR_usage.v[i].UA_name, name) == 0)
            return r->JR_usage.v[i].UA_value;
    return -1;
}

void fake_wait_gone(const struct fake *f, const char *name)
{
    char *path = fake_path(f, name);
    for (int i = 0; i < TRIES && access(path, F_OK) == 0; i++)
        (void)poll(NULL, 0, POLL_MS);
    assert_int_not_equal(access(path, F_OK), 0);
    free(path);
}

/* the pid in a file whose line is whole; a file that is used again has that of BEFORE until the
 * next process has written its own */
pid_t fake_next_pid(const struct fake *f, const char *name, pid_t before)
{
    int32_t pid = before;
    for (int i = 0; i < TRIES && pid == before; i++) {
        char *text = fake_text(f, name);
        bool is_whole = strchr(text, '\n') != NULL;
        text[strcspn(text, " \n")] = '\0';
        if (!is_whole || !parse_i32(text, &pid))
            pid = before;
        free(text);
        if (pid == before)
            (void)poll(NULL, 0, POLL_MS);
    }
    assert_int_not_equal(pid, before);
    return pid;
}

pid_t fake_pid(const struct fake *f, const char *name)
{
    return fake_next_pid(f, name, 0);
}

void fake_add_conf(struct XM_Type *m, const char *whose, const char *name, const char *value)
{
    struct CONF_Type *conf = cull_append(m, XM_confs);
    cull_set(conf, CONF_name, whose);
    struct VA_Type *va = cull_append(conf, CONF_entries);
    cull_set(va, VA_variable, name);
    cull_set(va, VA_value, value);
}

/* GROUPS is gid_range for all hosts, EPILOG the setting of this host alone (NULL: it has none) */
void fake_config(struct fake *f, const char *groups, const char *epilog)
{
    struct XM_Type m = { 0 };
    cull_set(&m, XM_kind, (uint32_t)EXEC_CONFIG);
    fake_add_conf(&m, "global", "gid_range", groups);
    if (epilog != NULL)
        fake_add_conf(&m, "testhost", "epilog", epilog);
    fake_send(f, &m);
}

/* the value of KEY in the config file of task NUMBER.1, which is written before the task runs */
char *fake_config_value(struct fake *f, uint32_t number, const char *key)
{
    char name[60];
    (void)snprintf(name, sizeof name, "pid%u", number);
    (void)fake_pid(f, name);
    (void)snprintf(name, sizeof name, "spool/active_jobs/%u.1/config", number);
    char *text = fake_text(f, name), *value = task_files_value(text, key);
    free(text);
    assert_non_null(value);
    return value;
}

void fake_end_task(struct fake *f, uint32_t number)
{
    struct JR_Type r;
    fake_about(f, EXEC_SIGNAL, SIGKILL, number, 1, 1);
    fake_wait_report(f, number, 1, REPORT_ENDED, &r);
    cull_clear(&cull_JR_Type, &r);
}

/* the execd has taken what was sent before: its answer to something it does not know comes after
 * that */
void fake_wait_heard(struct fake *f)
{
    struct JR_Type r;
    fake_about(f, EXEC_SIGNAL, SIGKILL, 4711, 1, 1);
    fake_wait_report(f, 4711, 1, REPORT_UNKNOWN, &r);
    cull_clear(&cull_JR_Type, &r);
}

/* the file of task directory NAME that says who its shepherd is, opened to write */
int fake_pid_file(const struct fake *f, const char *name)
{
    struct dstr file = DSTR_INIT;
    dstr_addf(&file, "spool/active_jobs/%s/pid", name);
    char *path = fake_path(f, dstr_get(&file));
    for (int i = 0; i < TRIES && access(path, F_OK) != 0; i++)
        (void)poll(NULL, 0, POLL_MS);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    free(path);
    dstr_free(&file);
    return fd;
}

int fake_main(int argc, char **argv, const struct CMUnitTest *tests, size_t n)
{
    if (argc < 2)
        return 2;
    bin_dir = argv[1];
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    return _cmocka_run_group_tests("execd", tests, n, NULL, NULL);
}
