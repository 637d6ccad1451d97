/* Load sensors as processes: what keeps running, what is started again, what ends. Every wait is
 * for an event of the loop; a guard ends a test that waits in vain. */
#include "daemons/execd/host/load_sensors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/comm/loop.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"

enum { GUARD_US = 60 * 1000000, POLL_US = 2000 };

struct fixture {
    struct loop *loop;
    struct loop_timer *guard, *poll;
    struct load_sensors all;
    char dir[64], path[96];
    const char *name, *value; /* waited for: the value of that name; NULL: that there is none */
    pid_t gone;               /* waited for: its end; 0: not */
    pid_t before;             /* waited for: the value "pid" is not this one; 0: not */
};

/* an honest one: how often it was asked, and who it is */
#define ANSWERS                                                                                    \
    "n=0\nwhile read line; do\n[ \"$line\" = quit ] && exit 0\nn=$((n+1))\n"                       \
    "echo begin\necho h:asked:$n\necho h:pid:$$\necho \"h:cell:$SGE_CELL\"\necho end\ndone\n"

static const char *value_of(const struct fixture *f, const char *name)
{
    const struct sensor_value *v;
    for (uint32_t i = 0; (v = load_sensors_value(&f->all, i)) != NULL; i++)
        if (strcmp(v->name, name) == 0)
            return v->value;
    return NULL;
}

static bool is_so(const struct fixture *f)
{
    const char *value = value_of(f, f->name);
    if (f->before != 0)
        return value != NULL && (pid_t)strtol(value, NULL, 10) != f->before;
    if (f->gone != 0)
        return kill(f->gone, 0) != 0 && errno == ESRCH;
    return value == NULL || f->value == NULL ? value == f->value : strcmp(value, f->value) == 0;
}

static void on_changed(void *ctx)
{
    struct fixture *f = ctx;
    if (f->name != NULL && is_so(f))
        loop_stop(f->loop);
}

/* nobody says when a process that left has gone */
static void on_poll(void *ctx)
{
    struct fixture *f = ctx;
    if (is_so(f))
        loop_stop(f->loop);
    else
        loop_timer_set(f->poll, POLL_US);
}

static void on_guard(void *ctx)
{
    (void)ctx;
    fail_msg("nothing has happened for a minute");
}

static void run_until_so(struct fixture *f)
{
    loop_timer_set(f->guard, GUARD_US);
    if (!is_so(f))
        assert_int_equal(loop_run(f->loop), 0);
    loop_timer_clear(f->guard);
    loop_timer_clear(f->poll);
    f->name = f->value = NULL;
    f->gone = f->before = 0;
}

static void wait_value(struct fixture *f, const char *name, const char *value)
{
    f->name = name;
    f->value = value;
    run_until_so(f);
}

/* PID has ended, and the sensors know */
static void wait_gone(struct fixture *f, pid_t pid)
{
    f->name = "";
    f->gone = pid;
    loop_timer_set(f->poll, 0);
    run_until_so(f);
}

static pid_t pid_of(const struct fixture *f)
{
    const char *pid = value_of(f, "pid");
    assert_non_null(pid);
    return (pid_t)strtol(pid, NULL, 10);
}

/* another process than PID reports */
static void wait_other(struct fixture *f, pid_t pid)
{
    f->name = "pid";
    f->before = pid;
    run_until_so(f);
}

static void write_sensor(const struct fixture *f, const char *text)
{
    char fresh[128];
    (void)snprintf(fresh, sizeof fresh, "%s.new", f->path);
    assert_int_equal(file_write(fresh, text, strlen(text), 0755, NULL), 0);
    assert_int_equal(rename(fresh, f->path), 0); /* nobody executes a file that is being written */
}

static int setup_sensors(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    struct sigaction ignore = { .sa_handler = SIG_IGN };
    (void)sigaction(SIGPIPE, &ignore, NULL); /* as the execd */
    (void)snprintf(f->dir, sizeof f->dir, "/tmp/sensors.XXXXXX");
    assert_non_null(mkdtemp(f->dir));
    (void)snprintf(f->path, sizeof f->path, "%s/sensor", f->dir);
    f->loop = loop_new(NULL);
    f->guard = loop_timer_new(f->loop, on_guard, f);
    f->poll = loop_timer_new(f->loop, on_poll, f);
    struct sensor_place place = { .loop = f->loop,
                                  .host = "h",
                                  .sge_root = "/r",
                                  .sge_cell = "c",
                                  .changed = on_changed,
                                  .ctx = f };
    load_sensors_init(&f->all, &place);
    *state = f;
    return 0;
}

static int teardown_sensors(void **state)
{
    struct fixture *f = *state;
    load_sensors_free(&f->all);
    loop_timer_free(f->guard);
    loop_timer_free(f->poll);
    loop_free(f->loop);
    assert_int_equal(file_rmtree(f->dir, NULL), 0);
    free(f);
    return 0;
}

static void start_sensor(struct fixture *f, const char *text)
{
    write_sensor(f, text);
    load_sensors_use(&f->all, f->path);
    load_sensors_ask(&f->all);
}

static void a_sensor_reports_each_time_it_is_asked(void **state)
{
    struct fixture *f = *state;
    start_sensor(f, "#!/bin/sh\n" ANSWERS);
    wait_value(f, "asked", "1");
    assert_string_equal(value_of(f, "cell"), "c");
    assert_true(load_sensors_has(&f->all, pid_of(f)));
    load_sensors_ask(&f->all);
    wait_value(f, "asked", "2");
}

static void a_script_without_an_interpreter_is_the_shells(void **state)
{
    struct fixture *f = *state;
    start_sensor(f, ANSWERS);
    wait_value(f, "asked", "1");
}

static void a_sensor_that_was_killed_is_started_again_when_it_is_asked_next(void **state)
{
    struct fixture *f = *state;
    start_sensor(f, ANSWERS);
    wait_value(f, "asked", "1");
    pid_t first = pid_of(f);
    assert_int_equal(kill(first, SIGKILL), 0);
    wait_gone(f, first);
    assert_string_equal(value_of(f, "asked"), "1"); /* good until the next report */
    load_sensors_ask(&f->all);
    wait_other(f, first);
}

static void values_of_a_sensor_that_says_nothing_go_and_it_is_started_again(void **state)
{
    struct fixture *f = *state;
    start_sensor(f, "read line\necho begin\necho h:pid:$$\necho end\nexec sleep 1000\n");
    wait_other(f, -1);
    pid_t first = pid_of(f);
    for (int i = 0; i < SENSOR_PATIENCE; i++)
        load_sensors_ask(&f->all);
    assert_int_equal(pid_of(f), first);
    load_sensors_ask(&f->all);
    assert_null(value_of(f, "pid"));
    wait_gone(f, first);
}

static void a_sensor_with_another_file_is_started_again(void **state)
{
    struct fixture *f = *state;
    start_sensor(f, ANSWERS);
    wait_value(f, "asked", "1");
    pid_t first = pid_of(f);
    write_sensor(f, "# better\n" ANSWERS);
    load_sensors_ask(&f->all);
    assert_int_equal(pid_of(f), first); /* what it said last is good until the new one reports */
    wait_other(f, first);
    wait_gone(f, first);
}

static void a_sensor_that_is_wanted_no_more_ends_and_its_values_go(void **state)
{
    struct fixture *f = *state;
    start_sensor(f, ANSWERS);
    wait_value(f, "asked", "1");
    pid_t pid = pid_of(f);
    load_sensors_use(&f->all, "none");
    assert_null(value_of(f, "asked"));
    assert_true(load_sensors_has(&f->all, pid)); /* it may end as it likes */
    wait_gone(f, pid);
    load_sensors_ask(&f->all);
    assert_null(value_of(f, "asked"));
}

static void sensors_that_stay_in_the_configuration_go_on(void **state)
{
    struct fixture *f = *state;
    char both[256];
    start_sensor(f, ANSWERS);
    wait_value(f, "asked", "1");
    pid_t pid = pid_of(f);
    (void)snprintf(both, sizeof both, "/no/such/sensor, %s", f->path);
    load_sensors_use(&f->all, both);
    load_sensors_ask(&f->all);
    wait_value(f, "asked", "2");
    assert_int_equal(pid_of(f), pid);
}

static void a_sensor_that_reads_nothing_keeps_nobody_waiting(void **state)
{
    struct fixture *f = *state;
    start_sensor(f, "exec sleep 1000\n");
    for (int i = 0; i < 10; i++)
        load_sensors_ask(&f->all);
    assert_null(value_of(f, "asked"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup_sensors, teardown_sensors)
        TEST(a_sensor_reports_each_time_it_is_asked),
        TEST(a_script_without_an_interpreter_is_the_shells),
        TEST(a_sensor_that_was_killed_is_started_again_when_it_is_asked_next),
        TEST(values_of_a_sensor_that_says_nothing_go_and_it_is_started_again),
        TEST(a_sensor_with_another_file_is_started_again),
        TEST(a_sensor_that_is_wanted_no_more_ends_and_its_values_go),
        TEST(sensors_that_stay_in_the_configuration_go_on),
        TEST(a_sensor_that_reads_nothing_keeps_nobody_waiting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
