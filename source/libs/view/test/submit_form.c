/* Tests of libs/view/submit_form.c and submit_text.c: a job that is to be, as a form */
#include "libs/view/submit_form.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "libs/cli/submitter.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static char *const environment[] = { (char *)"HOME=/home/alice", NULL };
static const struct submitter alice = { environment,     (char *)"/home/sub", (char *)"/home/alice",
                                        (char *)"alice", (char *)"vm",        1795163648 };

static int set_up(void **state)
{
    *state = submit_form_new(&alice);
    return 0;
}

static int tear_down(void **state)
{
    submit_form_free(*state);
    return 0;
}

static bool say_value(struct submit_form *f, const char *option, const char *value)
{
    const struct form_field *field =
        option == NULL ? submit_form_at(f, 0) : submit_form_find(f, option, false);
    assert_non_null(field);
    return submit_form_set(f, field, value);
}

static void expect_line(const struct submit_form *f, const char *expected)
{
    struct dstr line = DSTR_INIT;
    submit_form_line(f, &line);
    assert_string_equal(dstr_get(&line), expected);
    dstr_free(&line);
}

static const char *value_of(const struct submit_form *f, const char *option, bool is_soft)
{
    const char *value = submit_form_find(f, option, is_soft)->value;
    return value != NULL ? value : "(not said)";
}

/* a new file with TEXT; free() its name after unlink() */
static char *file_with(const char *text)
{
    char *path = strdup("/tmp/submit_form.XXXXXX");
    int fd = mkstemp(path);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    return path;
}

static void drop_file(char *path)
{
    unlink(path);
    free(path);
}

static void every_option_of_a_job_has_a_field(void **state)
{
    struct submit_form *f = *state;
    static const char *const of_qsub[] = { "-help", "-@",     "-clear",  "-hard",
                                           "-soft", "-terse", "-verify", "-sync" };
    for (unsigned i = 0; i < option_rows_n; i++) {
        const struct option_row *row = &option_rows[i];
        bool is_wanted =
            (row->where & QSUB) != 0 && row->effect != OPTION_WAITS && row->help != NULL;
        for (size_t k = 0; k < ARRAY_LEN(of_qsub); k++)
            is_wanted &= strcmp(row->name, of_qsub[k]) != 0;
        if (is_wanted)
            assert_non_null(submit_form_find(f, row->name, false));
    }
    assert_non_null(submit_form_find(f, "-hold_jid_ad", false));
    assert_non_null(submit_form_find(f, "-l", true));
    assert_null(submit_form_find(f, "-sync", false));
}

static void each_field_has_a_place_with_a_label(void **state)
{
    struct submit_form *both[] = { *state, submit_form_new_change(&alice) };
    for (size_t k = 0; k < ARRAY_LEN(both); k++)
        for (uint32_t i = 0; i < submit_form_count(both[k]); i++) {
            const struct form_field *field = submit_form_at(both[k], i);
            const struct submit_place *place = submit_place_of(field, submit_form_program(both[k]));
            if (place == NULL)
                fail_msg("%s has no place", field->row->name);
            assert_ptr_equal(submit_place_field(both[k], place), field);
            assert_in_range(strlen(place->label), 2, 22);
            assert_in_range(strlen(place->hint), 2, 40);
            assert_true(place->input != INPUT_FLAG || field->kind == FIELD_FLAG ||
                        strcmp(place->option, "-h") == 0);
        }
    submit_form_free(both[1]);
}

static void what_most_jobs_need_comes_first(void **state)
{
    static const char *const first[] = { "",          "-b",           "-N", "-t",  "-tc",
                                         "-hold_jid", "-hold_jid_ad", "-l", "-pe", "-o" };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(first); i++)
        assert_string_equal(submit_places[i].option, first[i]);
    for (unsigned i = 1; i < submit_places_n; i++)
        assert_true(submit_places[i].group >= submit_places[i - 1].group);
}

static void choices_are_values_of_their_options(void **state)
{
    struct submit_form *f = *state;
    for (unsigned i = 0; i < submit_places_n; i++) {
        const struct submit_place *place = &submit_places[i];
        const struct form_field *field = submit_place_field(f, place);
        for (int n = 0; place->choices != NULL && place->choices[n].value != NULL; n++) {
            assert_true(submit_form_set(f, field, place->choices[n].value));
            assert_true(submit_form_set(f, field, place->choices[n].word));
            assert_int_equal(submit_choice_number(place->choices, place->choices[n].word), n);
            assert_int_equal(submit_choice_number(place->choices, field->value), n);
            assert_int_equal(submit_choice_number(place->choices, "maybe"), -1);
            assert_int_equal(submit_choice_number(place->choices, NULL), -1);
        }
    }
}

static void expect_blame(const struct submit_form *f, const char *said, const char *option)
{
    const struct form_field *blamed = submit_form_blamed(f, said);
    struct dstr name = DSTR_INIT;
    assert_string_equal(blamed != NULL ? field_name(blamed, &name) : "(none)", option);
    dstr_free(&name);
}

static void a_refusal_is_about_one_field(void **state)
{
    struct submit_form *f = *state;
    static const char *const values[][2] = {
        { "-N", "comp" },         { "-l", "licence=1,h_rt=60" },
        { "-pe", "smp 4" },       { "-P", "show_a" },
        { "-q", "all.q,smp" },    { "-masterq", "big.q" },
        { "-ckpt", "criu" },      { "-hold_jid", "17" },
        { "-hold_jid_ad", "18" }, { "-tc", "5" },
        { "-p", "-5" },           { "-o", "/tmp/out" },
    };
    say_value(f, NULL, "render.sh comp");
    for (size_t i = 0; i < ARRAY_LEN(values); i++)
        assert_true(say_value(f, values[i][0], values[i][1]));
    expect_blame(f, "Unable to run job: unknown resource \"licence\"\nExiting.", "-l");
    expect_blame(f, "job rejected: the requested parallel environment \"smp\" does not exist",
                 "-pe");
    expect_blame(f, "job rejected: the requested project \"show_a\" does not exist", "-P");
    expect_blame(f, "Job was rejected because job requests unknown queue \"all.q\"", "-q");
    expect_blame(f, "Job was rejected because job requests unknown queue \"smp\"", "-q");
    expect_blame(f, "specification of master queue is not allowed for non-parallel jobs",
                 "-masterq");
    expect_blame(f, "the requested checkpointing environment \"criu\" does not exist", "-ckpt");
    expect_blame(f, "denied: job \"17\" not found", "-hold_jid");
    expect_blame(f, "denied: job \"18\" not found", "-hold_jid_ad");
    expect_blame(f, "Can only specify \"-tc\" option with an array job (using \"-t\" option)",
                 "-tc");
    expect_blame(f,
                 "This array job must have the same range of sub-tasks as the dependent array job "
                 "specified with -hold_jid_ad",
                 "-hold_jid_ad");
    expect_blame(f, "job rejected: no script in your request", "command");
    expect_blame(f, "job rejected: only 5 jobs are allowed per cluster", "(none)");
    expect_blame(f, "the file system is full", "(none)");
}

static void what_is_said_becomes_a_command_line(void **state)
{
    struct submit_form *f = *state;
    assert_true(say_value(f, NULL,
                          "render.sh 'frame 1' it's"
                          "'"));
    assert_true(say_value(f, "-N", "my job"));
    assert_true(say_value(f, "-t", "1-100"));
    assert_true(say_value(f, "-hold_jid_ad", "17"));
    assert_true(say_value(f, "-pe", "smp 4"));
    assert_true(say_value(f, "-cwd", ""));
    assert_true(submit_form_set(f, submit_form_find(f, "-l", true), "arch=lx-amd64"));
    expect_line(f, "qsub -cwd -hold_jid_ad 17 -N 'my job' -pe smp 4 -t 1-100 -soft -l "
                   "arch=lx-amd64 render.sh 'frame 1' its");
    submit_form_clear(f);
    expect_line(f, "qsub");
}

static void a_value_that_cannot_be_says_why(void **state)
{
    struct submit_form *f = *state;
    assert_false(say_value(f, "-p", "high"));
    const struct form_field *wrong = submit_form_wrong(f);
    struct dstr name = DSTR_INIT;
    assert_string_equal(field_name(wrong, &name), "-p");
    assert_non_null(strstr(wrong->wrong, "high"));
    assert_false(say_value(f, "-pe", "smp"));
    assert_false(say_value(f, "-pe", "smp 4 5"));
    assert_string_equal(submit_form_find(f, "-pe", false)->wrong, "\"5\" is one argument too many");
    assert_false(say_value(f, NULL, "sleep 'x"));
    assert_false(say_value(f, "-t", "x"));
    assert_true(say_value(f, "-p", "10"));
    assert_true(say_value(f, "-pe", ""));
    assert_true(say_value(f, NULL, NULL));
    assert_true(say_value(f, "-t", "1-5"));
    assert_null(submit_form_wrong(f));
    dstr_free(&name);
}

static void the_array_is_what_its_tasks_say(void **state)
{
    struct submit_form *f = *state;
    struct ja_shape array;
    assert_false(submit_form_array(f, &array));
    say_value(f, "-t", "2-10:4");
    assert_true(submit_form_array(f, &array));
    assert_int_equal(array.first, 2);
    assert_int_equal(array.step, 4);
    say_value(f, "-t", "nonsense");
    assert_false(submit_form_array(f, &array));
}

static void a_script_fills_the_form(void **state)
{
    struct submit_form *f = *state;
    char *path = file_with("#!/bin/sh\n#$ -N comp -t 1-10:2\n#$ -l h_rt=60 -l mem_free=1G\n"
                           "#$ -v 'A=1 2' -soft -l arch=x -hard\necho\n");
    struct answer ans = ANSWER_INIT;
    assert_true(say_value(f, "-p", "-5"));
    assert_int_equal(submit_form_take_script(f, path, &ans), 0);
    assert_string_equal(submit_form_at(f, 0)->value, path);
    assert_string_equal(value_of(f, "-N", false), "comp");
    assert_string_equal(value_of(f, "-t", false), "1-10:2");
    assert_string_equal(value_of(f, "-l", false), "h_rt=60,mem_free=1G");
    assert_string_equal(value_of(f, "-l", true), "arch=x");
    assert_string_equal(value_of(f, "-v", false), "A=1 2");
    assert_string_equal(value_of(f, "-p", false), "-5");
    drop_file(path);
    assert_int_equal(submit_form_take_script(f, "/nowhere/script", &ans), -1);
    assert_string_equal(value_of(f, "-N", false), "comp");
    ans_free(&ans);
}

static void a_script_is_read_again(void **state)
{
    struct submit_form *f = *state;
    struct answer ans = ANSWER_INIT;
    struct dstr path_and_words = DSTR_INIT, path = DSTR_INIT;
    char *script = file_with("#!/bin/sh\n#$ -N shadow\n");
    assert_false(submit_form_script(f, &path));
    assert_int_equal(submit_form_reload(f, &ans), -1);
    dstr_addf(&path_and_words, "%s -x 'a b'", script);
    say_value(f, NULL, dstr_get(&path_and_words));
    say_value(f, "-N", "mine");
    assert_true(submit_form_script(f, &path));
    assert_string_equal(dstr_get(&path), script);
    assert_int_equal(submit_form_reload(f, NULL), 0);
    assert_string_equal(value_of(f, "-N", false), "shadow");
    assert_string_equal(submit_form_at(f, 0)->value, dstr_get(&path_and_words));
    say_value(f, "-b", "y");
    assert_false(submit_form_script(f, &path));
    dstr_free(&path_and_words);
    dstr_free(&path);
    ans_free(&ans);
    drop_file(script);
}

static void what_is_saved_is_loaded_again(void **state)
{
    struct submit_form *f = *state, *again = submit_form_new(&alice);
    struct answer ans = ANSWER_INIT;
    struct dstr text = DSTR_INIT, line = DSTR_INIT;
    say_value(f, "-N", "my \"own\" job's");
    say_value(f, "-pe", "smp 2-8");
    say_value(f, "-cwd", "");
    say_value(f, "-v", "A=x y");
    submit_form_set(f, submit_form_find(f, "-q", true), "all.q");
    submit_form_text(f, &text);
    char *path = file_with(dstr_get(&text));
    assert_int_equal(submit_form_load(again, path, &ans), 0);
    submit_form_line(f, &line);
    expect_line(again, dstr_get(&line));
    drop_file(path);
    dstr_free(&text);
    dstr_free(&line);
    submit_form_free(again);
}

static void a_file_that_is_wrong_changes_nothing(void **state)
{
    struct submit_form *f = *state;
    struct answer ans = ANSWER_INIT;
    char *path = file_with("-N other\n-nonsense 1\n");
    say_value(f, "-N", "mine");
    assert_int_equal(submit_form_load(f, path, &ans), -1);
    assert_non_null(strstr(ans_first_error(&ans), "-nonsense"));
    assert_string_equal(value_of(f, "-N", false), "mine");
    ans_free(&ans);
    drop_file(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_option_of_a_job_has_a_field, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_field_has_a_place_with_a_label, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_most_jobs_need_comes_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(choices_are_values_of_their_options, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_refusal_is_about_one_field, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_said_becomes_a_command_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_value_that_cannot_be_says_why, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_array_is_what_its_tasks_say, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_script_fills_the_form, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_script_is_read_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_saved_is_loaded_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_that_is_wrong_changes_nothing, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
