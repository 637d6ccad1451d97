/* Who may use the cell and its places: user sets, projects, and the lists that name them
 * (access_list(5), project(5), queue_conf(5), host_conf(5), sge_conf(5)). */
#include "libs/config/access.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>

#include "daemons/qmaster/config/users.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/requests/objects/object_requests.h"
#include "daemons/qmaster/tables/user_sets.h"
#include "daemons/qmaster/test/config_asks.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/config/conf.h"
#include "libs/sgeobj/job_request.h"

/* the set NAME has these entries, as qconf -Mu would */
static void put_set(struct fixture *f, const char *name, const char *entries)
{
    bool is_there = settings_text(&f->q.settings, GDI_USERSET, name) != NULL;
    put_object(f, is_there ? mod_config_request : add_config_request, GDI_USERSET, name, "entries",
               entries);
    assert_non_null(strstr(dstr_get(&f->said), name));
    assert_null(strstr(dstr_get(&f->said), "denied"));
}

static const char *sets_of_job(struct fixture *f, uint32_t number)
{
    const char *sets = fixture_job(f, number)->rec.JB_user_sets;
    return sets != NULL ? sets : "";
}

static const char *sets_of(struct fixture *f, const char *user, const char *group)
{
    struct set_user who = { user, group, 0 };
    const char *sets = user_sets_of(&f->q.settings, &who);
    return sets != NULL ? sets : "";
}

static void users_are_in_sets_by_name_and_by_group(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(sets_of(f, "alice", "users"), "");
    put_set(f, "crew", "alice,bob");
    put_set(f, "gang", "@staff");
    assert_string_equal(sets_of(f, "alice", "users"), "crew");
    assert_string_equal(sets_of(f, "alice", "staff"), "crew gang");
    assert_string_equal(sets_of(f, "carol", "staff"), "gang");
    assert_string_equal(sets_of(f, "carol", "users"), "");
    put_set(f, "crew", "carol");
    assert_string_equal(sets_of(f, "carol", "users"), "crew");
    assert_string_equal(sets_of(f, "alice", "users"), "");
}

/* the same with a TYPE, as qconf -Mu would; the manager's request */
static void put_set_of_type(struct fixture *f, const char *name, const char *type,
                            const char *entries)
{
    const struct object_rules *rules = object_rules_of(OBJECT_USERSET);
    bool is_there = settings_text(&f->q.settings, GDI_USERSET, name) != NULL;
    struct TX_Type set = { 0 };
    struct GR_Type gr = { 0 };
    object_template(rules, name, &set);
    assert_int_equal(object_set(rules, &set, "type", type, NULL), 0);
    assert_int_equal(object_set(rules, &set, "entries", entries, NULL), 0);
    *(struct TX_Type *)cull_append(&gr, GR_texts) = set;
    ask_as(f, "boss", is_there ? mod_config_request : add_config_request, GDI_USERSET, &gr);
    assert_null(strstr(said(f), "denied"));
}

static void a_set_of_a_department_alone_opens_no_door(void **state)
{
    struct fixture *f = *state;
    put_set_of_type(f, "crew", "DEPT", "alice");
    assert_string_equal(sets_of(f, "alice", "users"), "");
    put_set_of_type(f, "crew", "ACL DEPT", "alice");
    assert_string_equal(sets_of(f, "alice", "users"), "crew");
}

static const char *department_of(struct fixture *f, const char *user, const char *group)
{
    struct set_user who = { user, group, 0 };
    const char *department = user_department_of(&f->q.settings, &who);
    return department != NULL ? department : "";
}

static void a_user_is_in_the_first_department_that_names_him(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(department_of(f, "alice", "users"), "");
    put_set_of_type(f, "sound", "DEPT", "alice,carol");
    put_set_of_type(f, "light", "ACL DEPT", "bob,alice,@users");
    put_set_of_type(f, "cut", "DEPT", "@users");
    put_set(f, "access", "alice,dave");
    assert_string_equal(department_of(f, "alice", "users"), "light");
    assert_string_equal(department_of(f, "carol", "users"), "sound"); /* not her group's */
    assert_string_equal(department_of(f, "dave", "users"), "cut");
    assert_string_equal(department_of(f, "dave", "staff"), "");
    delete_as(f, "boss", GDI_USERSET, "light");
    assert_string_equal(department_of(f, "alice", "users"), "sound");
}

static const char *department_of_job(struct fixture *f, uint32_t number)
{
    const char *department = fixture_job(f, number)->rec.JB_department;
    return department != NULL ? department : "";
}

static void a_job_is_of_its_owners_department(void **state)
{
    struct fixture *f = *state;
    put_set_of_type(f, "sound", "DEPT", "alice");
    uint32_t job = submit(f, .owner = "alice"), other = submit(f, .owner = "bob");
    assert_string_equal(department_of_job(f, job), "sound");
    assert_string_equal(department_of_job(f, other), "");
    put_set_of_type(f, "sound", "DEPT", "bob");
    assert_string_equal(department_of_job(f, job), "");
    assert_string_equal(department_of_job(f, other), "sound");
    fixture_commit(f);
    fixture_restart(f);
    assert_string_equal(department_of_job(f, job), "");
    assert_string_equal(department_of_job(f, other), "sound");
    fixture_run(f, job, 1, 0);
    fixture_run(f, other, 1, 0);
    fixture_commit(f);
    char *lines = fixture_accounting(f);
    const char *second = strchr(lines, '\n') + 1;
    assert_non_null(strstr(lines, ":defaultdepartment:"));
    assert_ptr_equal(strstr(lines, ":sound:"), strstr(second, ":sound:"));
    assert_non_null(strstr(second, ":sound:"));
    free(lines);
}

static void a_job_says_which_sets_its_owner_is_in(void **state)
{
    struct fixture *f = *state;
    put_set(f, "crew", "alice");
    uint32_t job = submit(f, .name = "J"), other = submit(f, .owner = "bob");
    assert_string_equal(sets_of_job(f, job), "crew");
    assert_string_equal(sets_of_job(f, other), "");
    put_set(f, "crew", "bob");
    assert_string_equal(sets_of_job(f, job), "");
    assert_string_equal(sets_of_job(f, other), "crew");
    assert_string_equal(delete_as(f, "boss", GDI_USERSET, "crew"),
                        "boss@node1 removed \"crew\" from userset list");
    assert_string_equal(sets_of_job(f, other), "");
}

static void what_a_client_says_of_its_sets_is_not_believed(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    uint32_t job = submit(f, .owner = "bob");
    fixture_name(&gr, "1");
    struct JB_Type *want = cull_append(&gr, GR_jobs);
    cull_set(want, JB_user_sets, "crew");
    cull_set(want, JB_department, "sound");
    fixture_ask(f, "bob", alter_request, &gr);
    assert_string_equal(sets_of_job(f, job), "");
    assert_string_equal(department_of_job(f, job), "");
}

static void a_restart_finds_the_sets_again(void **state)
{
    struct fixture *f = *state;
    put_set(f, "crew", "alice");
    uint32_t job = submit(f, .name = "J");
    assert_true(fixture_set_queue(f, "user_lists", "crew"));
    fixture_commit(f);
    fixture_restart(f);
    assert_string_equal(sets_of_job(f, job), "crew");
    assert_int_equal(fixture_queue(f)->rec.QU_access.n, 1);
    assert_string_equal(fixture_queue(f)->rec.QU_access.v[0].AC_user_lists, "crew");
}

static enum access ask_queue(struct fixture *f, const char *sets, const char *project)
{
    return access_ask(&fixture_queue(f)->rec.QU_access, sets, project);
}

static void a_queue_instance_has_the_doors_of_queue_host_and_cell(void **state)
{
    struct fixture *f = *state;
    put_set(f, "crew", "alice");
    put_set(f, "gang", "bob");
    put_object(f, add_config_request, GDI_PROJECT, "film", NULL, NULL);
    assert_true(fixture_set_queue(f, "user_lists", "NONE,[node1=crew]"));
    assert_int_equal(ask_queue(f, "crew", NULL), ACCESS_GRANTED);
    assert_int_equal(ask_queue(f, "gang", NULL), ACCESS_NOT_OF_USER);
    put_host(f, mod_config_request, "node1", "film");
    assert_int_equal(ask_queue(f, "crew", NULL), ACCESS_NOT_OF_PROJECT);
    assert_int_equal(ask_queue(f, "crew", "film"), ACCESS_GRANTED);
    put_conf(f, mod_config_request, GDI_CONFIG, CONF_GLOBAL, "xuser_lists", "crew");
    assert_int_equal(ask_queue(f, "crew", "film"), ACCESS_NOT_OF_USER);
    put_conf(f, mod_config_request, GDI_CONFIG, CONF_GLOBAL, "xuser_lists", "none");
    assert_int_equal(ask_queue(f, "crew", "film"), ACCESS_GRANTED);
    put_host(f, mod_config_request, "node1", "NONE");
    assert_true(fixture_set_queue(f, "user_lists", "NONE"));
    assert_int_equal(fixture_queue(f)->rec.QU_access.n, 0);
}

static void verification_says_that_lists_keep_a_job_out(void **state)
{
    struct fixture *f = *state;
    put_set(f, "crew", "alice");
    assert_true(fixture_set_queue(f, "user_lists", "crew"));
    assert_int_equal(submit(f, .owner = "bob"), 1);
    struct GR_Type gr = { 0 };
    fixture_name(&gr, "1");
    struct JB_Type *want = cull_append(&gr, GR_jobs);
    cull_set(want, JB_verify_suitable_queues, (uint32_t)VERIFY_ERROR);
    assert_false(fixture_ask(f, "bob", alter_request, &gr));
    assert_string_equal(said(f), "warning: bob's job is not allowed to run in any queue");
}

static void the_cell_refuses_whom_its_lists_keep_out(void **state)
{
    struct fixture *f = *state;
    put_set(f, "crew", "alice");
    put_object(f, add_config_request, GDI_PROJECT, "film", NULL, NULL);
    put_conf(f, mod_config_request, GDI_CONFIG, CONF_GLOBAL, "user_lists", "crew");
    assert_int_equal(submit(f, .owner = "bob"), 0);
    assert_string_equal(said(f), "job rejected: user \"bob\" has no permission in this cell "
                                 "(user_lists, xuser_lists)");
    assert_true(submit(f, .owner = "alice") > 0);
    put_conf(f, mod_config_request, GDI_CONFIG, CONF_GLOBAL, "xprojects", "film");
    assert_int_equal(submit(f, .owner = "alice", .project = "film"), 0);
    assert_string_equal(said(f), "job rejected: project \"film\" has no permission in this cell "
                                 "(projects, xprojects)");
    put_conf(f, mod_config_request, GDI_CONFIG, CONF_GLOBAL, "xprojects", "none");
    put_conf(f, mod_config_request, GDI_CONFIG, CONF_GLOBAL, "projects", "film");
    assert_int_equal(submit(f, .owner = "alice"), 0);
    assert_string_equal(
        said(f), "job rejected: this cell accepts only jobs of certain projects (-P, projects)");
    assert_true(submit(f, .owner = "alice", .project = "film") > 0);
}

static bool move_to_project(struct fixture *f, const char *user, const char *project)
{
    struct GR_Type gr = { 0 };
    fixture_name(&gr, "1");
    cull_set(cull_append(&gr, GR_jobs), JB_project, project);
    return fixture_ask(f, user, alter_request, &gr);
}

static void a_project_is_for_the_users_of_its_lists(void **state)
{
    static const char no[] = "job rejected: no access to project \"film\" for user \"bob\"";
    struct fixture *f = *state;
    put_set(f, "crew", "alice");
    put_object(f, add_config_request, GDI_PROJECT, "film", "acl", "crew");
    assert_int_equal(submit(f, .owner = "bob", .project = "film"), 0);
    assert_string_equal(said(f), no);
    assert_int_equal(submit(f, .owner = "bob"), 1);
    assert_false(move_to_project(f, "bob", "film"));
    assert_string_equal(said(f), no);
    assert_false(move_to_project(f, "boss", "film")); /* it would be bob's all the same */
    assert_true(submit(f, .owner = "alice", .project = "film") > 0);
    put_object(f, mod_config_request, GDI_PROJECT, "film", "xacl", "crew");
    assert_int_equal(submit(f, .owner = "alice", .project = "film"), 0);
    assert_true(submit(f, .owner = "bob", .project = "film") > 0);
}

/* ---- groups that the name service knows of ---- */

static void a_user_is_in_a_set_by_any_group(void **state)
{
    struct fixture *f = *state;
    f->groups = "audio:staff:";
    put_set(f, "gang", "@staff");
    put_set(f, "band", "@aud,@audi,@taff");
    put_set_of_type(f, "sound", "DEPT", "@audio");
    uint32_t job = submit(f, .owner = "alice");
    assert_string_equal(sets_of_job(f, job), "gang");
    assert_string_equal(department_of_job(f, job), "sound");
}

static void nobody_is_asked_for_while_no_set_names_a_group(void **state)
{
    struct fixture *f = *state;
    put_set(f, "crew", "alice");
    submit(f, .owner = "alice");
    assert_int_equal(f->n_groups_asked, 0);
    f->groups = "";
    put_set(f, "gang", "@staff");
    fixture_commit(f);
    for (int i = 0; i < 3; i++)
        submit(f, .owner = "alice");
    assert_int_equal(f->n_groups_asked, 1);
    delete_as(f, "boss", GDI_USERSET, "gang");
    submit(f, .owner = "bob");
    assert_int_equal(f->n_groups_asked, 1);
}

static void a_set_that_comes_to_name_a_group_has_jobs_that_wait(void **state)
{
    struct fixture *f = *state;
    f->groups = "staff:";
    put_set(f, "gang", "carol");
    uint32_t job = submit(f, .owner = "alice"), other = submit(f, .owner = "alice");
    put_set(f, "gang", "@staff");
    fixture_commit(f);
    assert_string_equal(sets_of_job(f, job), "gang");
    assert_string_equal(sets_of_job(f, other), "gang");
    assert_int_equal(f->n_groups_asked, 1);
}

/* housekeeping, SECONDS later */
static void wait_seconds(struct fixture *f, uint32_t seconds)
{
    f->q.now_s += seconds;
    membership_check(&f->q);
    fixture_commit(f);
}

static void whoever_leaves_a_group_leaves_its_sets_after_a_time(void **state)
{
    struct fixture *f = *state;
    f->groups = "staff:";
    put_set(f, "gang", "@staff");
    put_conf(f, mod_config_request, GDI_CONFIG, CONF_GLOBAL, "qmaster_params", "NAMES_TIME=60");
    uint32_t job = submit(f, .owner = "alice");
    f->groups = "";
    wait_seconds(f, 50);
    assert_string_equal(sets_of_job(f, job), "gang");
    wait_seconds(f, 20);
    assert_string_equal(sets_of_job(f, job), "");
    f->groups = NULL; /* the service fails: what is known counts on */
    wait_seconds(f, 100);
    f->groups = "staff:";
    wait_seconds(f, 100);
    assert_string_equal(sets_of_job(f, job), "gang");
}

static void of_whoever_has_no_jobs_nothing_is_kept(void **state)
{
    struct fixture *f = *state;
    f->groups = "staff:";
    put_set(f, "gang", "@staff");
    submit(f, .owner = "alice");
    submit(f, .owner = "bob");
    fixture_delete(f, "bob", "2");
    assert_int_equal(HASH_COUNT(f->q.settings.members.all), 2);
    wait_seconds(f, 1000);
    assert_int_equal(HASH_COUNT(f->q.settings.members.all), 1);
    assert_non_null(members_find(&f->q.settings.members, fixture_job(f, 1)->rec.JB_uid));
}

static void a_question_that_hangs_holds_up_nobody_else(void **state)
{
    struct fixture *f = *state;
    f->groups = "staff:";
    put_set(f, "gang", "@staff");
    submit(f, .owner = "alice");
    uint32_t other = submit(f, .owner = "bob");
    members_find(&f->q.settings.members, fixture_job(f, 1)->rec.JB_uid)->is_asked = true;
    f->groups = "";
    wait_seconds(f, 1000);
    assert_string_equal(sets_of_job(f, 1), "gang");
    assert_string_equal(sets_of_job(f, other), "");
}

static void a_submit_is_refused_while_groups_cannot_be_told(void **state)
{
    struct fixture *f = *state;
    put_set(f, "gang", "@staff");
    assert_int_equal(submit(f, .owner = "alice"), 0);
    f->groups = "staff:";
    uint32_t job = submit(f, .owner = "alice");
    assert_string_equal(sets_of_job(f, job), "gang");
}

static void a_restart_asks_for_groups_again(void **state)
{
    struct fixture *f = *state;
    f->groups = "staff:";
    put_set(f, "gang", "@staff");
    uint32_t job = submit(f, .owner = "alice");
    fixture_commit(f);
    f->groups = NULL;
    fixture_restart(f);
    fixture_commit(f);
    assert_string_equal(sets_of_job(f, job), "");
    fixture_connection(f, "boss");
    fixture_connection(f, "alice");
    f->groups = "staff:";
    wait_seconds(f, 10);
    assert_string_equal(sets_of_job(f, job), "gang");
}

int main(void)
{
#define IN_A_CELL(test) cmocka_unit_test_setup_teardown(test, fixture_setup, fixture_teardown)
    const struct CMUnitTest tests[] = {
        IN_A_CELL(users_are_in_sets_by_name_and_by_group),
        IN_A_CELL(a_set_of_a_department_alone_opens_no_door),
        IN_A_CELL(a_user_is_in_the_first_department_that_names_him),
        IN_A_CELL(a_job_is_of_its_owners_department),
        IN_A_CELL(a_job_says_which_sets_its_owner_is_in),
        IN_A_CELL(what_a_client_says_of_its_sets_is_not_believed),
        IN_A_CELL(a_restart_finds_the_sets_again),
        IN_A_CELL(a_queue_instance_has_the_doors_of_queue_host_and_cell),
        IN_A_CELL(verification_says_that_lists_keep_a_job_out),
        IN_A_CELL(the_cell_refuses_whom_its_lists_keep_out),
        IN_A_CELL(a_project_is_for_the_users_of_its_lists),
        IN_A_CELL(a_user_is_in_a_set_by_any_group),
        IN_A_CELL(nobody_is_asked_for_while_no_set_names_a_group),
        IN_A_CELL(a_set_that_comes_to_name_a_group_has_jobs_that_wait),
        IN_A_CELL(whoever_leaves_a_group_leaves_its_sets_after_a_time),
        IN_A_CELL(of_whoever_has_no_jobs_nothing_is_kept),
        IN_A_CELL(a_question_that_hangs_holds_up_nobody_else),
        IN_A_CELL(a_submit_is_refused_while_groups_cannot_be_told),
        IN_A_CELL(a_restart_asks_for_groups_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
