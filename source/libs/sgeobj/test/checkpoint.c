/* What a job and its checkpointing environment ask for, and what a task keeps of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/sgeobj/checkpoint.h"
#include "libs/sgeobj/job_request.h"

static void interfaces_have_names(void **state SGE_UNUSED)
{
    for (unsigned i = 0; i < CHECKPOINT_INTERFACES; i++)
        assert_int_equal(checkpoint_interface_read(checkpoint_interface_name(i)), i);
    assert_int_equal(checkpoint_interface_read("application-level"), CHECKPOINT_APPLICATION);
    assert_int_equal(checkpoint_interface_read("nosuch"), CHECKPOINT_USERDEFINED);
    assert_int_equal(checkpoint_interface_read(NULL), CHECKPOINT_USERDEFINED);
    assert_false(checkpoint_has_commands(CHECKPOINT_TRANSPARENT));
    assert_true(checkpoint_has_commands(CHECKPOINT_APPLICATION));
}

static void c_goes_before_the_environment(void **state SGE_UNUSED)
{
    struct JB_Type job = { 0 };
    struct CK_Type env = { 0 };
    assert_int_equal(checkpoint_when(&job, &env), 0);
    cull_set(&env, CK_when, "sx");
    assert_int_equal(checkpoint_when(&job, &env), CHECKPOINT_AT_SHUTDOWN | CHECKPOINT_SUSPEND);
    cull_set(&job, JB_checkpoint_interval, 4);
    assert_int_equal(checkpoint_when(&job, &env),
                     CHECKPOINT_AT_SHUTDOWN | CHECKPOINT_SUSPEND | CHECKPOINT_AT_MINIMUM_INTERVAL);
    cull_set(&job, JB_checkpoint_attr, (uint32_t)CHECKPOINT_RESCHEDULE);
    cull_set(&job, JB_checkpoint_interval, 0);
    assert_int_equal(checkpoint_when(&job, &env), CHECKPOINT_RESCHEDULE);
    cull_clear(&cull_JB_Type, &job);
    cull_clear(&cull_CK_Type, &env);
}

static void a_task_keeps_the_environment_of_its_start(void **state SGE_UNUSED)
{
    struct JB_Type job = { 0 };
    struct JAT_Type task = { 0 };
    struct CK_Type env = { 0 };
    cull_set(&env, CK_name, "criu");
    cull_set(&env, CK_interface, "cpr");
    cull_set(&env, CK_migr_command, "/bin/migr $job_pid");
    cull_set(&env, CK_rest_command, "none");
    cull_set(&env, CK_when, "x");
    checkpoint_keep(&task, &job, &env);
    checkpoint_keep(&task, &job, &env); /* the next start has its own */
    assert_int_equal(task.JAT_checkpoint.n, 1);
    const struct TC_Type *tc = checkpoint_of(&task);
    assert_string_equal(tc->TC_name, "criu");
    assert_string_equal(tc->TC_migr_command, "/bin/migr $job_pid");
    assert_null(tc->TC_rest_command);
    assert_int_equal(tc->TC_interface, CHECKPOINT_CPR);
    assert_true(checkpoint_is_at(&task, CHECKPOINT_SUSPEND));
    assert_false(checkpoint_is_at(&task, CHECKPOINT_AT_SHUTDOWN));
    checkpoint_keep(&task, &job, NULL);
    assert_null(checkpoint_of(&task));
    assert_false(checkpoint_is_at(&task, CHECKPOINT_SUSPEND));
    cull_clear(&cull_JAT_Type, &task);
    cull_clear(&cull_CK_Type, &env);
}

static void restarted_says_whether_commands_made_a_checkpoint(void **state SGE_UNUSED)
{
    struct JB_Type job = { 0 };
    struct JAT_Type task = { 0 };
    struct CK_Type env = { 0 };
    cull_set(&env, CK_interface, "application-level");
    checkpoint_keep(&task, &job, &env);
    assert_int_equal(checkpoint_restarted(&task), 0);
    cull_set(&task, JAT_job_restarted, 3);
    assert_int_equal(checkpoint_restarted(&task), 1);
    cull_set(&task, JAT_is_checkpointed, true);
    assert_int_equal(checkpoint_restarted(&task), 2);
    cull_set(&env, CK_interface, "transparent");
    checkpoint_keep(&task, &job, &env);
    assert_int_equal(checkpoint_restarted(&task), 1);
    cull_clear(&cull_JAT_Type, &task);
    cull_clear(&cull_CK_Type, &env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interfaces_have_names),
        cmocka_unit_test(c_goes_before_the_environment),
        cmocka_unit_test(a_task_keeps_the_environment_of_its_start),
        cmocka_unit_test(restarted_says_whether_commands_made_a_checkpoint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
