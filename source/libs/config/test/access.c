/* Tests of libs/config/access.c: queue_conf(5) user_lists, xuser_lists, projects, xprojects. */
#include "libs/config/access.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static enum access ask_doors(const struct access_lists *lists, const char *sets,
                             const char *project)
{
    struct AC_Type_list doors = { 0 };
    access_add_door(&doors, lists);
    enum access access = access_ask(&doors, sets, project);
    cull_list_clear(&cull_AC_Type, &doors);
    return access;
}

static void each_list_says_who_gets_in(void **state SGE_UNUSED)
{
    static const struct {
        struct access_lists lists;
        const char *sets, *project;
        enum access access;
    } rows[] = {
        { { .user_lists = "crew" }, "crew", NULL, ACCESS_GRANTED },
        { { .user_lists = "crew" }, "gang crew", NULL, ACCESS_GRANTED },
        { { .user_lists = "crew" }, "gang", NULL, ACCESS_NOT_OF_USER },
        { { .user_lists = "crew" }, NULL, NULL, ACCESS_NOT_OF_USER },
        { { .user_lists = "crew" }, "", NULL, ACCESS_NOT_OF_USER },
        { { .user_lists = "crews acrew" }, "crew", NULL, ACCESS_NOT_OF_USER },
        { { .user_lists = "gang,crew" }, "crew", NULL, ACCESS_GRANTED },
        { { .xuser_lists = "crew" }, "gang crew", NULL, ACCESS_NOT_OF_USER },
        { { .xuser_lists = "crew" }, "gang", NULL, ACCESS_GRANTED },
        { { .xuser_lists = "crew" }, NULL, NULL, ACCESS_GRANTED },
        { { .user_lists = "gang", .xuser_lists = "crew" }, "gang crew", NULL, ACCESS_NOT_OF_USER },
        { { .projects = "film" }, NULL, "film", ACCESS_GRANTED },
        { { .projects = "film" }, NULL, "fil", ACCESS_NOT_OF_PROJECT },
        { { .projects = "film" }, NULL, NULL, ACCESS_NOT_OF_PROJECT },
        { { .xprojects = "film" }, NULL, "film", ACCESS_NOT_OF_PROJECT },
        { { .xprojects = "film" }, NULL, NULL, ACCESS_GRANTED },
        { { .user_lists = "crew", .projects = "film" }, "gang", "film", ACCESS_NOT_OF_USER },
        { { .user_lists = "NONE", .projects = "none" }, NULL, NULL, ACCESS_GRANTED },
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        assert_int_equal(ask_doors(&rows[i].lists, rows[i].sets, rows[i].project), rows[i].access);
}

static void who_passes_one_door_may_stand_before_the_next(void **state SGE_UNUSED)
{
    struct AC_Type_list doors = { 0 };
    access_add_door(&doors, &(struct access_lists){ .user_lists = "crew" });
    access_add_door(&doors, &(struct access_lists){ .user_lists = "NONE" });
    access_add_door(&doors, &(struct access_lists){ .user_lists = "gang", .xprojects = "film" });
    assert_int_equal(doors.n, 2);
    assert_int_equal(access_ask(&doors, "crew", NULL), ACCESS_NOT_OF_USER);
    assert_int_equal(access_ask(&doors, "crew gang", NULL), ACCESS_GRANTED);
    assert_int_equal(access_ask(&doors, "crew gang", "film"), ACCESS_NOT_OF_PROJECT);
    cull_list_clear(&cull_AC_Type, &doors);
}

static void a_set_has_users_by_name_and_by_group(void **state SGE_UNUSED)
{
    struct US_Type set = { 0 };
    struct ST_Type *entry = cull_append(&set, US_entries);
    cull_set(entry, ST_name, "alice");
    entry = cull_append(&set, US_entries);
    cull_set(entry, ST_name, "@staff");
    assert_true(userset_has(&set, &(struct userset_of){ "alice", "users", NULL }));
    assert_true(userset_has(&set, &(struct userset_of){ "bob", "staff", NULL }));
    assert_false(userset_has(&set, &(struct userset_of){ "bob", "users", NULL }));
    assert_false(userset_has(&set, &(struct userset_of){ "bob", NULL, NULL }));
    assert_false(userset_has(&set, &(struct userset_of){ "@staff", "users", NULL }));
    assert_false(userset_has(&set, &(struct userset_of){ "staff", "alice", NULL }));
    struct userset_of bob = { "bob", "users", ":users:staffs:staff:" };
    assert_true(userset_has(&set, &bob));
    bob.groups = ":users:staffs:";
    assert_false(userset_has(&set, &bob));
    assert_int_equal(userset_groups(&set), 1);
    cull_clear(&cull_US_Type, &set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_list_says_who_gets_in),
        cmocka_unit_test(who_passes_one_door_may_stand_before_the_next),
        cmocka_unit_test(a_set_has_users_by_name_and_by_group),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
