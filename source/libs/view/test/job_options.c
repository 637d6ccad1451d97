/* What a job has becomes options that qalter reads as the same, and only changes are sent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "libs/cli/job_command.h"
#include "libs/cli/submitter.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/dstr.h"
#include "libs/view/submit_form.h"

static const struct submitter by = { .cwd = (char *)"/home/alice",
                                     .home = (char *)"/home/alice",
                                     .user = (char *)"alice",
                                     .host = (char *)"node1",
                                     .now_s = 1700000000 };

/* the job that a qalter with these words would leave */
static struct job_command *command_of(char *const *argv)
{
    struct job_command *c = uti_calloc(1, sizeof *c);
    int argc = 0;
    while (argv[argc] != NULL)
        argc++;
    job_command_init(c, QALTER, &by);
    assert_int_equal(job_command_read(c, argc, argv, NULL), 0);
    return c;
}

static void free_command(struct job_command *c)
{
    job_command_free(c);
    free(c);
}

static void assert_line(const struct submit_form *f, const char *want)
{
    struct dstr line = DSTR_INIT;
    submit_form_line(f, &line);
    assert_string_equal(dstr_get(&line), want);
    dstr_free(&line);
}

static void what_is_written_is_read_as_the_same(void **state SGE_UNUSED)
{
    static const char *const pairs[][2] = {
        { "-a", "202711231845.10" },
        { "-A", "film" },
        { "-c", "sx" },
        { "-e", "node1:/tmp/e" },
        { "-hold_jid", "12,ribs" },
        { "-hold_jid_ad", "7" },
        { "-j", "y" },
        { "-l", "h_rt=60,mem=2G" },
        { "-M", "alice@studio,bob" },
        { "-m", "be" },
        { "-N", "render" },
        { "-o", "/tmp/o,node1:/x" },
        { "-P", "film" },
        { "-p", "-7" },
        { "-q", "all.q,fast.q@node1" },
        { "-R", "y" },
        { "-r", "n" },
        { "-S", "/bin/sh" },
        { "-tc", "5" },
        { "-wd", "/scratch" },
    };
    for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
        char *const argv[] = { (char *)"qalter", (char *)pairs[i][0], (char *)pairs[i][1],
                               (char *)"1", NULL };
        struct job_command *c = command_of(argv);
        struct dstr value = DSTR_INIT;
        assert_true(job_option_value(&c->job, pairs[i][0], false, &value));
        assert_string_equal(dstr_get(&value), pairs[i][1]);
        dstr_free(&value);
        free_command(c);
    }
}

static void what_a_job_does_not_have_is_not_said(void **state SGE_UNUSED)
{
    struct JB_Type *job = cull_new(&cull_JB_Type);
    struct submit_form *f = submit_form_new_change(&by);
    struct range_set jobs = { 0 };
    cull_set(job, JB_priority, (uint32_t)JOB_PRIORITY_BASE);
    job_options_fill(f, job);
    range_set_add(&jobs, 4, 5);
    submit_form_jobs(f, &jobs);
    for (uint32_t i = 0; i < submit_form_count(f); i++)
        assert_null(submit_form_at(f, i)->value);
    assert_line(f, "qalter 4 5");
    range_set_free(&jobs);
    submit_form_free(f);
    cull_delete(&cull_JB_Type, job);
}

static struct submit_form *form_of(char *const *argv)
{
    struct job_command *c = command_of(argv);
    struct submit_form *f = submit_form_new_change(&by);
    struct range_set jobs = { 0 };
    cull_set(&c->job, JB_priority, (uint32_t)JOB_PRIORITY_BASE);
    job_options_fill(f, &c->job);
    range_set_add(&jobs, 4, 4);
    submit_form_jobs(f, &jobs);
    range_set_free(&jobs);
    free_command(c);
    return f;
}

static void only_what_changes_is_sent(void **state SGE_UNUSED)
{
    char *const argv[] = {
        (char *)"qalter", (char *)"-N", (char *)"render", (char *)"-hold_jid", (char *)"12",
        (char *)"-soft",  (char *)"-l", (char *)"mem=2G", (char *)"4",         NULL
    };
    struct submit_form *f = form_of(argv);
    const struct form_field *soft = submit_form_find(f, "-l", true);
    assert_string_equal(soft->value, "mem=2G");
    assert_line(f, "qalter 4");
    assert_true(submit_form_set(f, submit_form_find(f, "-N", false), "comp"));
    assert_true(submit_form_set(f, submit_form_find(f, "-hold_jid", false), ""));
    assert_true(submit_form_set(f, soft, "mem=3G"));
    assert_line(f, "qalter -hold_jid '' -N comp -soft -l mem=3G 4");
    assert_true(submit_form_set(f, submit_form_find(f, "-N", false), "render"));
    assert_true(submit_form_set(f, soft, "mem=2G"));
    assert_line(f, "qalter -hold_jid '' 4");
    submit_form_free(f);
}

static void what_cannot_be_taken_back_is_said(void **state SGE_UNUSED)
{
    char *const argv[] = { (char *)"qalter", (char *)"-notify", (char *)"4", NULL };
    struct submit_form *f = form_of(argv);
    const struct form_field *notify = submit_form_find(f, "-notify", false);
    assert_non_null(notify->value);
    assert_false(submit_form_set(f, notify, NULL));
    assert_ptr_equal(submit_form_wrong(f), notify);
    assert_true(submit_form_set(f, notify, ""));
    assert_null(submit_form_wrong(f));
    submit_form_free(f);
}

static void a_refusal_stands_at_its_field(void **state SGE_UNUSED)
{
    char *const argv[] = { (char *)"qalter", (char *)"4", NULL };
    struct submit_form *f = form_of(argv);
    const struct form_field *project = submit_form_find(f, "-P", false);
    (void)submit_form_set(f, project, "film");
    assert_ptr_equal(submit_form_blamed(f, "denied"), project);
    (void)submit_form_set(f, submit_form_find(f, "-tc", false), "5");
    assert_null(submit_form_blamed(f, "denied"));
    assert_ptr_equal(submit_form_blamed(f, "there is no project \"film\""), project);
    assert_string_equal(submit_form_blamed(f, "qalter: option -tc: no")->row->name, "-tc");
    assert_null(submit_form_blamed(f, "denied: -tcx"));
    submit_form_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_as_the_same),
        cmocka_unit_test(what_a_job_does_not_have_is_not_said),
        cmocka_unit_test(only_what_changes_is_sent),
        cmocka_unit_test(what_cannot_be_taken_back_is_said),
        cmocka_unit_test(a_refusal_stands_at_its_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
