/* The work directory of a host: sge_conf(5) execd_spool_dir takes effect at a start without
 * tasks. */
#include "daemons/execd/host/host_dir.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

struct home {
    char dir[32];
    char *host, *other, *work; /* work: of this host below `other` */
    struct host_dir d;
};

static void make_below(const struct home *h, const char *name)
{
    char *path = path_join(h->dir, name);
    assert_int_equal(file_mkdirs(path, 0755, NULL), 0);
    free(path);
}

static int set_up(void **state)
{
    static struct home h;
    h = (struct home){ .dir = "/tmp/host-dir-XXXXXX" };
    assert_non_null(mkdtemp(h.dir));
    h.host = path_join(h.dir, "spool/node1");
    h.other = path_join(h.dir, "other");
    h.work = path_join(h.other, "node1");
    make_below(&h, "other");
    *state = &h;
    return 0;
}

static int tear_down(void **state)
{
    struct home *h = *state;
    free(h->host);
    free(h->other);
    free(h->work);
    return file_rmtree(h->dir, NULL);
}

static void open_home(struct home *h)
{
    assert_int_equal(host_dir_open(&h->d, h->host, NULL), 0);
}

/* a start, what is configured meanwhile, and the end */
static void run_with(struct home *h, const char *spool_dir)
{
    open_home(h);
    assert_int_equal(host_dir_want(&h->d, spool_dir, NULL), 1);
    assert_int_equal(host_dir_want(&h->d, spool_dir, NULL), 0);
    host_dir_close(&h->d);
}

static void expect_work(struct home *h, const char *work, const char *trouble)
{
    open_home(h);
    assert_string_equal(h->d.work, work);
    assert_int_equal(strncmp(h->d.active_path, work, strlen(work)), 0);
    assert_int_equal(h->d.trouble != NULL, trouble != NULL);
    if (trouble != NULL)
        assert_non_null(strstr(h->d.trouble, trouble));
    host_dir_close(&h->d);
}

static void write_task(const char *work, const char *task, const char *file)
{
    struct dstr path = DSTR_INIT;
    dstr_addf(&path, "%s/active_jobs/%s", work, task);
    assert_int_equal(file_mkdirs(dstr_get(&path), 0755, NULL), 0);
    dstr_addf(&path, "/%s", file);
    assert_int_equal(file_write(dstr_get(&path), "", 0, 0644, NULL), 0);
    dstr_free(&path);
}

static void remove_task(const char *work, const char *task)
{
    struct dstr path = DSTR_INIT;
    dstr_addf(&path, "%s/active_jobs/%s", work, task);
    assert_int_equal(file_rmtree(dstr_get(&path), NULL), 0);
    dstr_free(&path);
}

static void without_one_it_is_in_the_cells_spool(void **state)
{
    struct home *h = *state;
    expect_work(h, h->host, NULL);
    open_home(h);
    assert_int_equal(host_dir_want(&h->d, NULL, NULL), 0);
    host_dir_close(&h->d);
}

static void the_next_start_uses_another_and_the_one_after_goes_back(void **state)
{
    struct home *h = *state;
    run_with(h, h->other);
    expect_work(h, h->work, NULL);
    expect_work(h, h->work, NULL);
    run_with(h, NULL);
    expect_work(h, h->host, NULL);
}

/* also where another directory is used already */
static void tasks_keep_it_where_it_is(void **state)
{
    struct home *h = *state;
    const char *why = "there are tasks in it";
    run_with(h, h->other);
    write_task(h->host, "12.1", "config");
    expect_work(h, h->host, why);
    remove_task(h->host, "12.1");
    write_task(h->host, "12.1/1.node1", "config"); /* a petask alone */
    expect_work(h, h->host, why);
    remove_task(h->host, "12.1");
    write_task(h->host, "spare.0", "config");
    expect_work(h, h->work, NULL);
    run_with(h, NULL);
    write_task(h->work, "13.1", "config");
    expect_work(h, h->work, why);
    remove_task(h->work, "13.1");
    expect_work(h, h->host, NULL);
}

/* KEEP_ACTIVE leaves them for people */
static void tasks_that_were_reported_do_not(void **state)
{
    struct home *h = *state;
    run_with(h, h->other);
    write_task(h->host, "12.1", "config");
    write_task(h->host, "12.1", "reported");
    write_task(h->host, "13.1/1.node1", "config");
    write_task(h->host, "13.1/1.node1", "reported");
    expect_work(h, h->work, NULL);
}

static void one_that_cannot_be_used_is_not_and_says_why(void **state)
{
    struct home *h = *state;
    char *missing = path_join(h->dir, "missing"), *file = path_join(h->dir, "file");
    assert_int_equal(file_write(file, "", 0, 0644, NULL), 0);
    run_with(h, missing);
    expect_work(h, h->host, "missing\": No such file or directory");
    run_with(h, file);
    expect_work(h, h->host, "must be a directory of root or of the user of sge_execd");
    run_with(h, h->other);
    assert_int_equal(chmod(h->other, 0777), 0);
    expect_work(h, h->host, "which no other user can change");
    assert_int_equal(chmod(h->other, 0755), 0);
    expect_work(h, h->work, NULL);
    free(missing);
    free(file);
}

static void two_at_once_exclude_each_other_wherever_their_work_is(void **state)
{
    struct home *h = *state;
    struct host_dir second;
    struct answer ans = ANSWER_INIT;
    open_home(h);
    assert_int_equal(host_dir_want(&h->d, h->other, NULL), 1);
    assert_int_equal(host_dir_open(&second, h->host, &ans), -1);
    assert_int_equal(access(h->work, F_OK), -1);
    host_dir_close(&h->d);
    ans_free(&ans);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(without_one_it_is_in_the_cells_spool),
        T(the_next_start_uses_another_and_the_one_after_goes_back),
        T(tasks_keep_it_where_it_is),
        T(tasks_that_were_reported_do_not),
        T(one_that_cannot_be_used_is_not_and_says_why),
        T(two_at_once_exclude_each_other_wherever_their_work_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
