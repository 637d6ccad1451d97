/* The checkpoints of a task in its files: which commands run for which interface, how often. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "daemons/execd/files/task_checkpoint.h"
#include "daemons/execd/test/text_input.h"
#include "libs/sgeobj/checkpoint.h"
#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/dstr.h"

static int set_up(void **state)
{
    struct input *i = input_new();
    cull_set(&i->env, CK_name, "own");
    cull_set(&i->env, CK_ckpt_command, "/c");
    cull_set(&i->env, CK_migr_command, "/m $job_pid");
    cull_set(&i->env, CK_rest_command, "root@/r");
    cull_set(&i->env, CK_clean_command, "none");
    cull_set(&i->env, CK_ckpt_dir, "/images");
    cull_set(&i->env, CK_signal, "USR2");
    cull_set(&i->env, CK_when, "sx");
    i->place.sge_root = "/sge";
    i->place.sge_cell = "c1";
    *state = i;
    return 0;
}

static const char *config_of(struct input *i, const char *interface)
{
    cull_set(&i->env, CK_interface, interface);
    checkpoint_keep(&i->task, &i->job, &i->env);
    dstr_clear(&i->text);
    task_checkpoint_config(&i->in, &i->text);
    return dstr_get(&i->text);
}

static void a_task_without_has_no_line(void **state)
{
    struct input *i = *state;
    task_checkpoint_config(&i->in, &i->text);
    task_checkpoint_environment(&i->in, &i->text);
    assert_string_equal(dstr_get(&i->text), "");
    assert_null(task_checkpoint_command(&i->in, "ckpt_command"));
}

static void commands_are_those_of_the_interface(void **state)
{
    struct input *i = *state;
    assert_string_equal(config_of(i, "userdefined"),
                        "ckpt_job=1\nckpt_restarted=0\nckpt_interface=USERDEFINED\n"
                        "ckpt_command=NONE\nckpt_migr_command=NONE\nckpt_rest_command=NONE\n"
                        "ckpt_clean_command=NONE\nckpt_dir=/images\nckpt_signal=USR2\n"
                        "ckpt_interval=0\nckpt_patience=0\nckpt_at_shutdown=1\n"
                        "sge_root=/sge\nsge_cell=c1\n");
    assert_string_equal(config_of(i, "application-level"),
                        "ckpt_job=1\nckpt_restarted=0\nckpt_interface=APPLICATION-LEVEL\n"
                        "ckpt_command=/c\nckpt_migr_command=/m $job_pid\nckpt_rest_command=NONE\n"
                        "ckpt_clean_command=NONE\nckpt_dir=/images\nckpt_signal=USR2\n"
                        "ckpt_interval=0\nckpt_patience=0\nckpt_at_shutdown=1\n"
                        "sge_root=/sge\nsge_cell=c1\n");
    (void)config_of(i, "hibernator");
    assert_string_equal(task_checkpoint_command(&i->in, "restart_command"), "root@/r");
}

/* the line KEY of a periodic job whose queue has LEAST */
static void expect_line(struct input *i, const char *least, uint32_t asked_s, const char *line)
{
    cull_set(&i->env, CK_when, "m");
    cull_set(&i->job, JB_checkpoint_interval, asked_s);
    cull_clear_field(&cull_QU_Type, &i->queue, QU_settings);
    set_queue(i, "min_cpu_interval", least);
    set_queue(i, "notify", "00:00:30");
    assert_non_null(strstr(config_of(i, "cpr"), line));
    assert_non_null(strstr(dstr_get(&i->text), "\nckpt_patience=30\nckpt_at_shutdown=0\n"));
}

static void no_job_is_saved_more_often_than_its_queue_says(void **state)
{
    expect_line(*state, "00:05:00", 0, "\nckpt_interval=300\n");
    expect_line(*state, "00:05:00", 10, "\nckpt_interval=300\n");
    expect_line(*state, "00:05:00", 900, "\nckpt_interval=900\n");
    expect_line(*state, "INFINITY", 0, "\nckpt_interval=0\n");
    expect_line(*state, "INFINITY", 20, "\nckpt_interval=20\n");
}

static void a_task_that_was_deleted_elsewhere_is_cleaned_up_after_alone(void **state)
{
    struct input *i = *state;
    assert_null(strstr(config_of(i, "cpr"), "ckpt_clean_only"));
    cull_set(&i->task, JAT_state, (uint32_t)(TASK_IS_DELETED | TASK_IS_CLEANING));
    assert_non_null(strstr(config_of(i, "cpr"), "\nckpt_clean_only=1\n"));
}

static void a_submitter_may_choose_the_directory_of_his_job(void **state)
{
    struct input *i = *state;
    (void)config_of(i, "transparent");
    dstr_clear(&i->text);
    task_checkpoint_environment(&i->in, &i->text);
    assert_string_equal(dstr_get(&i->text), "SGE_CKPT_ENV=own\nSGE_CKPT_DIR=/images\n");
    struct VA_Type *va = cull_append(&i->job, JB_env_list);
    cull_set(va, VA_variable, "SGE_CKPT_DIR");
    cull_set(va, VA_value, "/own");
    dstr_clear(&i->text);
    task_checkpoint_environment(&i->in, &i->text);
    assert_string_equal(dstr_get(&i->text), "SGE_CKPT_ENV=own\n");
}

static void what_commands_have_saved_is_gone_on_from(void **state)
{
    struct input *i = *state;
    cull_set(&i->task, JAT_job_restarted, 1);
    assert_non_null(strstr(config_of(i, "cpr"), "\nckpt_restarted=0\n"));
    cull_set(&i->task, JAT_is_checkpointed, true);
    assert_non_null(strstr(config_of(i, "cpr"), "\nckpt_restarted=1\n"));
}

#define INPUT_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, input_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        INPUT_TEST(a_task_without_has_no_line),
        INPUT_TEST(commands_are_those_of_the_interface),
        INPUT_TEST(no_job_is_saved_more_often_than_its_queue_says),
        INPUT_TEST(a_task_that_was_deleted_elsewhere_is_cleaned_up_after_alone),
        INPUT_TEST(a_submitter_may_choose_the_directory_of_his_job),
        INPUT_TEST(what_commands_have_saved_is_gone_on_from),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
