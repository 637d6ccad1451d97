/* What a cell wants to know of a job's owner: enforce_user, auto users, enforce_project, default
 * projects (user(5), sge_conf(5)). */
#include "daemons/qmaster/config/users.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/requests/objects/object_requests.h"
#include "daemons/qmaster/test/config_asks.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/config/conf.h"

enum { DAY_S = 86400 };

static void set_global(struct fixture *f, const char *param, const char *value)
{
    put_conf(f, mod_config_request, GDI_CONFIG, CONF_GLOBAL, param, value);
    assert_null(strstr(said(f), "denied"));
}

static const struct UU_Type *user_of(struct fixture *f, const char *name)
{
    const struct text_object *t = settings_text(&f->q.settings, GDI_USER, name);
    return t != NULL ? t->record : NULL;
}

static void expire_all(struct fixture *f)
{
    users_expire(&f->q); /* the end of the last round */
    users_expire(&f->q);
}

static void whoever_submits_gets_a_user_object(void **state)
{
    struct fixture *f = *state;
    put_object(f, add_config_request, GDI_PROJECT, "film", NULL, NULL);
    set_global(f, "auto_user_fshare", "7");
    set_global(f, "auto_user_oticket", "3");
    set_global(f, "auto_user_default_project", "film");
    assert_null(user_of(f, "alice"));
    uint32_t job = submit(f, .owner = "alice");
    const struct UU_Type *alice = user_of(f, "alice");
    assert_int_equal(alice->UU_fshare, 7);
    assert_int_equal(alice->UU_oticket, 3);
    assert_string_equal(alice->UU_default_project, "film");
    assert_int_equal(alice->UU_delete_time, f->q.now_s + DAY_S);
    assert_string_equal(fixture_job(f, job)->rec.JB_project, "film");
    fixture_commit(f);
    fixture_restart(f);
    assert_int_equal(user_of(f, "alice")->UU_fshare, 7);
}

static void a_refused_job_brings_no_user(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(submit(f, .owner = "alice", .project = "nope"), 0);
    assert_null(user_of(f, "alice"));
}

static void an_auto_user_stays_as_long_as_it_is_used(void **state)
{
    struct fixture *f = *state;
    submit(f, .owner = "alice");
    submit(f, .owner = "bob");
    uint64_t until_s = user_of(f, "alice")->UU_delete_time;
    f->q.now_s += DAY_S / 4;
    submit(f, .owner = "alice"); /* more than half of the time is left: nothing is written */
    assert_int_equal(user_of(f, "alice")->UU_delete_time, until_s);
    f->q.now_s += DAY_S / 2;
    submit(f, .owner = "alice");
    assert_int_equal(user_of(f, "alice")->UU_delete_time, f->q.now_s + DAY_S);
    f->q.now_s = until_s;
    expire_all(f);
    assert_non_null(user_of(f, "bob")); /* he has a job */
    fixture_delete(f, "bob", "2");
    expire_all(f);
    assert_null(user_of(f, "bob"));
    assert_non_null(user_of(f, "alice"));
    fixture_commit(f);
    fixture_restart(f);
    assert_null(user_of(f, "bob"));
    assert_non_null(user_of(f, "alice"));
}

static void what_an_administrator_made_stays_as_it_is(void **state)
{
    struct fixture *f = *state;
    put_object(f, add_config_request, GDI_USER, "alice", "fshare", "9");
    submit(f, .owner = "alice");
    fixture_delete(f, "alice", "1");
    f->q.now_s += 2 * DAY_S;
    expire_all(f);
    assert_int_equal(user_of(f, "alice")->UU_fshare, 9);
    assert_int_equal(user_of(f, "alice")->UU_delete_time, 0);
}

static void a_time_of_zero_is_for_ever(void **state)
{
    struct fixture *f = *state;
    set_global(f, "auto_user_delete_time", "0");
    submit(f, .owner = "alice");
    fixture_delete(f, "alice", "1");
    assert_int_equal(user_of(f, "alice")->UU_delete_time, 0);
    f->q.now_s += 2 * DAY_S;
    expire_all(f);
    assert_non_null(user_of(f, "alice"));
}

static void many_users_go_some_at_a_time(void **state)
{
    struct fixture *f = *state;
    char name[16];
    for (uint32_t i = 0; i < 3 * USERS_LOOKED_AT; i++) {
        (void)snprintf(name, sizeof name, "user%u", i);
        users_note(&f->q, name);
    }
    f->q.now_s += DAY_S;
    users_expire(&f->q);
    for (uint32_t i = 1; i <= 3; i++) {
        users_expire(&f->q);
        assert_int_equal(HASH_COUNT(f->q.settings.texts[GDI_USER]), (3 - i) * USERS_LOOKED_AT);
    }
}

static void only_users_that_there_are_submit_where_they_must_be_there(void **state)
{
    struct fixture *f = *state;
    set_global(f, "enforce_user", "true");
    assert_int_equal(submit(f, .owner = "alice"), 0);
    assert_string_equal(said(f), "job rejected: the user \"alice\" does not exist");
    put_object(f, add_config_request, GDI_USER, "alice", NULL, NULL);
    assert_true(submit(f, .owner = "alice") > 0);
    set_global(f, "enforce_user", "false");
    assert_true(submit(f, .owner = "bob") > 0);
    assert_null(user_of(f, "bob"));
}

static void so_many_users_come_by_themselves(void **state)
{
    struct fixture *f = *state;
    set_global(f, "qmaster_params", "MAX_AUTO_USERS=1");
    assert_true(submit(f, .owner = "alice") > 0);
    assert_int_equal(submit(f, .owner = "bob"), 0);
    assert_string_equal(said(f), "job rejected: user \"bob\" cannot be added to the 1 existing "
                                 "users; the limit is 1 (qmaster_params MAX_AUTO_USERS)");
    assert_true(submit(f, .owner = "alice") > 0);
}

static bool move_to_project(struct fixture *f, const char *project)
{
    struct GR_Type gr = { 0 };
    fixture_name(&gr, "1");
    cull_set(cull_append(&gr, GR_jobs), JB_project, project);
    return fixture_ask(f, "alice", alter_request, &gr);
}

static void a_project_is_wanted_where_it_is_enforced(void **state)
{
    struct fixture *f = *state;
    set_global(f, "enforce_project", "true");
    put_object(f, add_config_request, GDI_PROJECT, "film", NULL, NULL);
    assert_int_equal(submit(f, .owner = "alice"), 0);
    assert_string_equal(said(f), "job rejected: no project was assigned to job");
    assert_int_equal(submit(f, .owner = "alice", .project = "film"), 1);
    assert_false(move_to_project(f, NULL));
    assert_string_equal(said(f), "job rejected: no project was assigned to job");
    put_object(f, add_config_request, GDI_USER, "bob", "default_project", "film");
    uint32_t job = submit(f, .owner = "bob");
    assert_string_equal(fixture_job(f, job)->rec.JB_project, "film");
    set_global(f, "enforce_project", "false");
    assert_true(move_to_project(f, NULL));
}

/* who asks for another one gets that one, and the lists of the default project count, too */
static void a_default_project_is_a_project_like_others(void **state)
{
    struct fixture *f = *state;
    put_object(f, add_config_request, GDI_USERSET, "crew", "entries", "carol");
    put_object(f, add_config_request, GDI_PROJECT, "film", "acl", "crew");
    put_object(f, add_config_request, GDI_PROJECT, "game", NULL, NULL);
    put_object(f, add_config_request, GDI_USER, "alice", "default_project", "film");
    assert_int_equal(submit(f, .owner = "alice"), 0);
    assert_string_equal(said(f), "job rejected: no access to project \"film\" for user \"alice\"");
    uint32_t job = submit(f, .owner = "alice", .project = "game");
    assert_string_equal(fixture_job(f, job)->rec.JB_project, "game");
}

int main(void)
{
#define IN_A_CELL(test) cmocka_unit_test_setup_teardown(test, fixture_setup, fixture_teardown)
    const struct CMUnitTest tests[] = {
        IN_A_CELL(whoever_submits_gets_a_user_object),
        IN_A_CELL(a_refused_job_brings_no_user),
        IN_A_CELL(an_auto_user_stays_as_long_as_it_is_used),
        IN_A_CELL(what_an_administrator_made_stays_as_it_is),
        IN_A_CELL(a_time_of_zero_is_for_ever),
        IN_A_CELL(many_users_go_some_at_a_time),
        IN_A_CELL(only_users_that_there_are_submit_where_they_must_be_there),
        IN_A_CELL(so_many_users_come_by_themselves),
        IN_A_CELL(a_project_is_wanted_where_it_is_enforced),
        IN_A_CELL(a_default_project_is_a_project_like_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
