/* Which lines of an accounting file tell of ends of a job since it was submitted. */
#include "clients/qsub/missed.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "libs/sgeobj/accounting.h"
#include "libs/task/task_dir.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

struct place {
    char dir[40];
    char *path;
    struct missed missed;
    struct dstr seen; /* "2:3/0 " for task 2, exit status 3, failed 0 */
    struct answer ans;
};

static int set_up(void **state)
{
    struct place *p = calloc(1, sizeof *p);
    if (p == NULL)
        return -1;
    snprintf(p->dir, sizeof p->dir, "/tmp/missed-XXXXXX");
    if (mkdtemp(p->dir) == NULL)
        return -1;
    p->path = path_join(p->dir, "accounting");
    missed_begin(&p->missed, path_join(p->dir, "accounting"));
    *state = p;
    return 0;
}

static int tear_down(void **state)
{
    struct place *p = *state;
    file_rmtree(p->dir, NULL);
    free(p->path);
    missed_free(&p->missed);
    dstr_free(&p->seen);
    ans_free(&p->ans);
    free(p);
    return 0;
}

static void append_text(struct place *p, const char *text, size_t len)
{
    FILE *file = fopen(p->path, "ae");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

static void append_record(struct place *p, uint32_t job, uint32_t task, uint32_t exit_status,
                          uint32_t failed)
{
    struct dstr line = DSTR_INIT;
    struct accounting a = { .qname = "all.q", .hostname = "h", .owner = "alice", .job_name = "7" };
    a.job_number = job;
    a.task_number = task;
    a.exit_status = exit_status;
    a.failed = failed;
    accounting_line(&a, &line);
    append_text(p, line.s, line.len);
    dstr_free(&line);
}

static void see_end(void *ctx, const struct JR_Type *end)
{
    dstr_addf(&((struct place *)ctx)->seen, "%u:%u/%u ", end->JR_task_number, end->JR_exit_status,
              end->JR_failed);
}

static const char *read_job(struct place *p, uint32_t job)
{
    dstr_clear(&p->seen);
    return missed_read(&p->missed, job, see_end, p, &p->ans) == 0 ? dstr_get(&p->seen)
                                                                  : ans_first_error(&p->ans);
}

static void begin_case(struct place *p)
{
    missed_free(&p->missed);
    missed_begin(&p->missed, path_join(p->dir, "accounting"));
}

static void ends_of_the_job_are_told_in_their_order(void **state)
{
    struct place *p = *state;
    append_record(p, 7, 2, 3, TASK_FAILED_NOT);
    append_record(p, 17, 1, 0, TASK_FAILED_NOT); /* its name is 7 */
    append_record(p, 7, 1, 137, TASK_FAILED_AFTER_JOB);
    append_record(p, 8, 0, 1, TASK_FAILED_NOT);
    assert_string_equal(read_job(p, 7), "2:3/0 1:137/100 ");
    assert_string_equal(read_job(p, 8), "1:1/0 "); /* no array: its one task */
    assert_string_equal(read_job(p, 9), "");
}

static void what_came_before_is_not_read(void **state)
{
    struct place *p = *state;
    append_record(p, 7, 1, 1, TASK_FAILED_NOT);
    begin_case(p);
    assert_string_equal(read_job(p, 7), "");
    append_record(p, 7, 2, 2, TASK_FAILED_NOT);
    assert_string_equal(read_job(p, 7), "2:2/0 ");
}

static void starts_that_did_not_end_the_task_are_no_ends(void **state)
{
    static const enum task_failure none[] = { TASK_FAILED_RESCHEDULE, TASK_FAILED_APPERROR,
                                              TASK_FAILED_NO_CWD, TASK_FAILED_IN_PROLOG };
    struct place *p = *state;
    for (size_t i = 0; i < ARRAY_LEN(none); i++)
        append_record(p, 7, 1, 0, none[i]);
    assert_string_equal(read_job(p, 7), "");
    append_record(p, 7, 1, 4, TASK_FAILED_NOT);
    assert_string_equal(read_job(p, 7), "1:4/0 ");
}

static void a_new_file_is_read_from_its_beginning(void **state)
{
    struct place *p = *state;
    struct dstr old = DSTR_INIT;
    append_record(p, 6, 1, 0, TASK_FAILED_NOT);
    begin_case(p);
    dstr_addf(&old, "%s.1", p->path);
    assert_int_equal(rename(p->path, old.s), 0);
    append_record(p, 7, 1, 5, TASK_FAILED_NOT);
    assert_string_equal(read_job(p, 7), "1:5/0 ");
    assert_int_equal(truncate(p->path, 0), 0); /* or the same, begun anew */
    append_record(p, 7, 2, 6, TASK_FAILED_NOT);
    assert_string_equal(read_job(p, 7), "2:6/0 ");
    dstr_free(&old);
}

static void what_is_no_record_is_passed_over(void **state)
{
    static const char torn[] = "# :7:\nall.q:h:alice:7:7:\n\0:7:\n";
    struct place *p = *state;
    append_text(p, torn, sizeof torn - 1);
    append_record(p, 7, 1, 0, TASK_FAILED_NOT);
    append_text(p, "all.q:h:alice:users:n:7:sge:0", 29); /* being written */
    assert_string_equal(read_job(p, 7), "1:0/0 ");
}

static void a_file_that_cannot_be_read_is_told(void **state)
{
    struct place *p = *state;
    struct dstr expected = DSTR_INIT;
    dstr_addf(&expected,
              "how tasks of job 7 ended while the qmaster was away is not known: cannot read %s: "
              "No such file or directory",
              p->path);
    assert_string_equal(read_job(p, 7), expected.s);
    dstr_free(&expected);
}

int main(void)
{
#define TEST(t) cmocka_unit_test_setup_teardown(t, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(ends_of_the_job_are_told_in_their_order),
        TEST(what_came_before_is_not_read),
        TEST(starts_that_did_not_end_the_task_are_no_ends),
        TEST(a_new_file_is_read_from_its_beginning),
        TEST(what_is_no_record_is_passed_over),
        TEST(a_file_that_cannot_be_read_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
