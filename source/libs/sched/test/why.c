/* Tests of libs/sched/why.c: the texts that stand under `scheduling info:` (reference/qstat
 * schedd-job-info). */
#include "libs/sched/why.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>

#include "libs/config/qinstance.h"
#include "libs/uti/dstr.h"

enum { SLOTS = 4 };

/* of all.q@HOST with these properties; "" if it takes a job that asks for the queue WANTED (NULL:
 * any) */
static void expect_reason(uint32_t state, uint32_t qtype, uint32_t used, const char *wanted,
                          const char *text)
{
    struct QU_Type qu = { 0 };
    struct JB_Type request = { 0 };
    struct dstr why = DSTR_INIT;

    cull_set(&qu, QU_full_name, "all.q@HOST");
    cull_set(&qu, QU_state, state);
    cull_set(&qu, QU_qtype, qtype);
    cull_set(&qu, QU_job_slots, (uint32_t)SLOTS);
    cull_set(&qu, QU_slots_used, used);
    if (wanted != NULL) {
        struct QR_Type *qr = cull_append(&request, JB_hard_queue_list);
        cull_set(qr, QR_name, wanted);
    }
    assert_int_equal(queue_why_not(&qu, &request, &why), *text != '\0');
    assert_string_equal(dstr_get(&why), text);
    dstr_free(&why);
    cull_clear(&cull_QU_Type, &qu);
    cull_clear(&cull_JB_Type, &request);
}

static void every_obstacle_has_its_text(void **state SGE_UNUSED)
{
    static const struct {
        uint32_t state;
        const char *text;
    } states[] = {
        { QI_DISABLED, "queue instance \"all.q@HOST\" dropped because it is disabled" },
        { QI_DISABLED | QI_SUSPENDED,
          "queue instance \"all.q@HOST\" dropped because it is disabled" },
        { QI_SUSPENDED, "queue instance \"all.q@HOST\" dropped because it is suspended" },
        { QI_SUBORDINATED, "queue instance \"all.q@HOST\" dropped because it is suspended" },
        { QI_CAL_SUSPENDED, "queue instance \"all.q@HOST\" dropped because it is suspended" },
        { QI_ERROR, "queue instance \"all.q@HOST\" dropped because it is in error state" },
        { QI_UNKNOWN,
          "queue instance \"all.q@HOST\" dropped because it is temporarily not available" },
        { QI_ORPHANED,
          "queue instance \"all.q@HOST\" dropped because it is temporarily not available" },
    };

    for (size_t i = 0; i < ARRAY_LEN(states); i++)
        expect_reason(states[i].state, QTYPE_BATCH, 0, NULL, states[i].text);
    expect_reason(0, QTYPE_INTERACTIVE, 0, NULL,
                  "queue instance \"all.q@HOST\" dropped because it is not a batch queue");
    expect_reason(0, QTYPE_BATCH, SLOTS, NULL,
                  "queue instance \"all.q@HOST\" dropped because it is full");
    expect_reason(
        QI_DISABLED, QTYPE_BATCH, 0, "b.q",
        "cannot run in queue instance \"all.q@HOST\" because it is not contained in its hard "
        "queue list (-q)");
}

static void who_may_not_use_a_queue_reads_so(void **state SGE_UNUSED)
{
    struct QU_Type qu = { 0 };
    struct JB_Type request = { 0 };
    struct dstr why = DSTR_INIT;
    cull_set(&qu, QU_full_name, "all.q@HOST");
    cull_set(&qu, QU_qtype, (uint32_t)QTYPE_BATCH);
    cull_set(&qu, QU_job_slots, (uint32_t)SLOTS);
    struct AC_Type *door = cull_append(&qu, QU_access);
    cull_set(door, AC_user_lists, "crew");
    door = cull_append(&qu, QU_access);
    cull_set(door, AC_projects, "film");
    assert_false(queue_why_not(&qu, &request, &why)); /* about the queue, whoever asks */
    cull_set(&request, JB_owner, "alice");
    assert_true(queue_why_not(&qu, &request, &why));
    dstr_addc(&why, '\n');
    cull_set(&request, JB_user_sets, "crew");
    assert_true(queue_why_not(&qu, &request, &why));
    dstr_addc(&why, '\n');
    cull_set(&request, JB_project, "game");
    assert_true(queue_why_not(&qu, &request, &why));
    assert_string_equal(
        dstr_get(&why),
        "has no permission for queue \"all.q@HOST\" (user_lists, xuser_lists)\n"
        "queue \"all.q@HOST\" accepts only jobs of certain projects, and the job has none (-P)\n"
        "project \"game\" has no permission for queue \"all.q@HOST\" (projects, "
        "xprojects)");
    dstr_clear(&why);
    cull_set(&request, JB_project, "film");
    assert_false(queue_why_not(&qu, &request, &why));
    dstr_free(&why);
    cull_clear(&cull_QU_Type, &qu);
    cull_clear(&cull_JB_Type, &request);
}

static void a_queue_without_the_checkpointing_environment_reads_so(void **state SGE_UNUSED)
{
    struct QU_Type qu = { 0 };
    struct JB_Type request = { 0 };
    struct dstr why = DSTR_INIT;
    cull_set(&qu, QU_full_name, "all.q@HOST");
    cull_set(&qu, QU_qtype, (uint32_t)QTYPE_BATCH);
    cull_set(&qu, QU_job_slots, (uint32_t)SLOTS);
    cull_set(&request, JB_checkpoint_name, "criu");
    assert_true(queue_why_not(&qu, &request, &why));
    assert_string_equal(
        dstr_get(&why),
        "cannot run in queue instance \"all.q@HOST\" because it is not of type checkpointing");
    dstr_clear(&why);
    cull_set(&qu, QU_ckpt_list, "other criu");
    assert_false(queue_why_not(&qu, &request, &why));
    dstr_free(&why);
    cull_clear(&cull_QU_Type, &qu);
    cull_clear(&cull_JB_Type, &request);
}

static void a_queue_that_takes_the_job_has_no_text(void **state SGE_UNUSED)
{
    expect_reason(0, QTYPE_BATCH, SLOTS - 1, NULL, "");
    expect_reason(0, QTYPE_BATCH | QTYPE_INTERACTIVE, 0, "all.q", "");
    expect_reason(0, QTYPE_BATCH, 0, "*@HOST", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_obstacle_has_its_text),
        cmocka_unit_test(who_may_not_use_a_queue_reads_so),
        cmocka_unit_test(a_queue_without_the_checkpointing_environment_reads_so),
        cmocka_unit_test(a_queue_that_takes_the_job_has_no_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
