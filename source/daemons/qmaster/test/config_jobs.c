/* What jobs name stays: of projects, parallel environments, checkpointing environments and
 * resources the qmaster knows how many jobs request them. qconf(1) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/requests/objects/object_requests.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/config/object.h"
#include "libs/sgeobj/job_report.h"

static void add_object(struct fixture *f, enum gdi_target target, const char *name,
                       const char *attr, const char *value)
{
    struct GR_Type gr = { 0 };
    struct TX_Type *tx = cull_append(&gr, GR_texts);
    const struct object_rules *rules = object_rules_of((enum object_kind)target);
    object_template(rules, name, tx);
    if (attr != NULL)
        assert_int_equal(object_set(rules, tx, attr, value, NULL), 0);
    cull_set(&gr, GR_target, (uint32_t)target);
    assert_true(fixture_ask(f, "boss", add_config_request, &gr));
}

static const char *delete_object(struct fixture *f, enum gdi_target target, const char *name)
{
    struct GR_Type gr = { 0 };
    fixture_name(&gr, name);
    cull_set(&gr, GR_target, (uint32_t)target);
    (void)fixture_ask(f, "boss", del_config_request, &gr);
    return said(f);
}

/* alice alters her job NUMBER by what WANT, which is emptied, has */
static void alter_job(struct fixture *f, uint32_t number, struct JB_Type *want)
{
    struct GR_Type gr = { 0 };
    struct dstr name = DSTR_INIT;
    dstr_addf(&name, "%u", number);
    fixture_name(&gr, dstr_get(&name));
    cull_copy(&cull_JB_Type, cull_append(&gr, GR_jobs), want);
    cull_clear(&cull_JB_Type, want);
    assert_true(fixture_ask(f, "alice", alter_request, &gr));
    dstr_free(&name);
}

static void set_project(struct fixture *f, uint32_t number, const char *project)
{
    struct JB_Type want = { 0 };
    cull_set(&want, JB_project, project);
    alter_job(f, number, &want);
}

static void a_project_that_jobs_have_stays_until_the_last_is_gone(void **state)
{
    struct fixture *f = *state;
    add_object(f, GDI_PROJECT, "film", NULL, NULL);
    uint32_t first = submit(f), second = submit(f);
    set_project(f, first, "film");
    assert_string_equal(delete_object(f, GDI_PROJECT, "film"),
                        "denied: Project \"film\" is still requested by 1 job");
    set_project(f, second, "film");
    set_project(f, second, "film"); /* which changes nothing */
    assert_string_equal(delete_object(f, GDI_PROJECT, "film"),
                        "denied: Project \"film\" is still requested by 2 jobs");
    fixture_commit(f);
    fixture_restart(f);
    fixture_delete(f, "alice", "1");
    assert_string_equal(delete_object(f, GDI_PROJECT, "film"),
                        "denied: Project \"film\" is still requested by 1 job");
    set_project(f, second, NULL);
    assert_string_equal(delete_object(f, GDI_PROJECT, "film"),
                        "boss@node1 removed \"film\" from project list");
}

static void request_pe(struct fixture *f, uint32_t job, const char *name)
{
    struct JB_Type want = { 0 };
    cull_set(&want, JB_pe, name);
    range_set_add(cull_ranges(&want, JB_pe_range), 2, 2);
    alter_job(f, job, &want);
}

static void a_parallel_environment_that_a_job_requests_stays(void **state)
{
    struct fixture *f = *state;
    add_object(f, GDI_PE, "omp", NULL, NULL);
    request_pe(f, submit(f), "omp");
    assert_string_equal(delete_object(f, GDI_PE, "omp"),
                        "denied: Parallel environment \"omp\" is still requested by 1 job");
    fixture_delete(f, "alice", "1");
    assert_string_equal(delete_object(f, GDI_PE, "omp"),
                        "boss@node1 removed \"omp\" from parallel environment list");
}

/* whatever its job asks for by now */
static void a_parallel_environment_stays_while_a_task_is_in_it(void **state)
{
    struct fixture *f = *state;
    add_object(f, GDI_PE, "omp", NULL, NULL);
    uint32_t job = submit(f);
    struct place place = { .qi = fixture_queue(f), .slots = 3 };
    struct places places = { .v = &place,
                             .n = 1,
                             .pe = settings_text(&f->q.settings, GDI_PE, "omp") };
    task_start(&f->q, fixture_job(f, job), 0, &places, 0.5);
    fixture_commit(f);
    fixture_restart(f);
    assert_string_equal(delete_object(f, GDI_PE, "omp"),
                        "denied: parallel environment \"omp\" has 3 slots in use by running tasks");
    fixture_report(f, job, 1, REPORT_ENDED, 0);
    assert_string_equal(delete_object(f, GDI_PE, "omp"),
                        "boss@node1 removed \"omp\" from parallel environment list");
}

static void the_last_parallel_environment_that_a_requested_pattern_matches_stays(void **state)
{
    struct fixture *f = *state;
    add_object(f, GDI_PE, "omp", NULL, NULL);
    add_object(f, GDI_PE, "ompi", NULL, NULL);
    add_object(f, GDI_PE, "pvm", NULL, NULL);
    request_pe(f, submit(f), "o*");
    request_pe(f, submit(f), "o*");
    request_pe(f, submit(f), "omp?");
    assert_string_equal(delete_object(f, GDI_PE, "pvm"),
                        "boss@node1 removed \"pvm\" from parallel environment list");
    assert_string_equal(delete_object(f, GDI_PE, "ompi"),
                        "denied: Parallel environment \"ompi\" is still requested by 1 job");
    fixture_delete(f, "alice", "3");
    assert_string_equal(delete_object(f, GDI_PE, "ompi"),
                        "boss@node1 removed \"ompi\" from parallel environment list");
    assert_string_equal(delete_object(f, GDI_PE, "omp"),
                        "denied: Parallel environment \"omp\" is still requested by 2 jobs");
    fixture_delete(f, "alice", "1");
    fixture_delete(f, "alice", "2");
    assert_string_equal(delete_object(f, GDI_PE, "omp"),
                        "boss@node1 removed \"omp\" from parallel environment list");
}

static void a_checkpointing_environment_that_a_job_requests_stays(void **state)
{
    struct fixture *f = *state;
    struct JB_Type want = { 0 };
    add_object(f, GDI_CKPT, "save", NULL, NULL);
    cull_set(&want, JB_checkpoint_name, "save");
    alter_job(f, submit(f), &want);
    assert_string_equal(delete_object(f, GDI_CKPT, "save"),
                        "denied: Checkpoint interface \"save\" is still requested by 1 job");
    fixture_delete(f, "alice", "1");
    assert_string_equal(delete_object(f, GDI_CKPT, "save"),
                        "boss@node1 removed \"save\" from checkpoint interface list");
}

static void request_resource(struct JB_Type *want, const char *name)
{
    struct CE_Type *ce = cull_append(want, JB_hard_resource_list);
    cull_set(ce, CE_name, name);
    cull_set(ce, CE_stringval, "1");
}

static void a_resource_that_a_job_requests_by_its_shortcut_stays(void **state)
{
    struct fixture *f = *state;
    struct JB_Type want = { 0 };
    add_object(f, GDI_COMPLEX, "license", "shortcut", "lic");
    request_resource(&want, "lic");
    alter_job(f, submit(f), &want);
    assert_string_equal(delete_object(f, GDI_COMPLEX, "license"),
                        "denied: Complex attribute \"license\" is still requested by 1 job");
    request_resource(&want, "h_rt");
    alter_job(f, 1, &want);
    assert_string_equal(delete_object(f, GDI_COMPLEX, "license"),
                        "boss@node1 removed \"license\" from complex list");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_project_that_jobs_have_stays_until_the_last_is_gone,
                                        fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(a_parallel_environment_stays_while_a_task_is_in_it,
                                        fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(a_parallel_environment_that_a_job_requests_stays,
                                        fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(
            the_last_parallel_environment_that_a_requested_pattern_matches_stays, fixture_setup,
            fixture_teardown),
        cmocka_unit_test_setup_teardown(a_checkpointing_environment_that_a_job_requests_stays,
                                        fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(a_resource_that_a_job_requests_by_its_shortcut_stays,
                                        fixture_setup, fixture_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
