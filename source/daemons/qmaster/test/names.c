/* Names of users and groups, against a name service that the test plays. */
#include "daemons/qmaster/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>

enum { NOW_S = 1000, BOB = 1001, LARGE_BYTES = 100000 };

static struct service { /* what it answers; set by each test */
    int err;            /* instead of an answer */
    const char *bob;    /* the name of BOB; NULL: there is no such user */
    size_t needs_bytes;
    int asked;
} service;

int __wrap_getpwuid_r(uid_t uid, struct passwd *entry, char *buf, size_t bytes,
                      struct passwd **found);
int __wrap_getgrgid_r(gid_t gid, struct group *entry, char *buf, size_t bytes,
                      struct group **found);

/* writes the name into BUF, as the real ones do; an error number */
static int play(uint32_t id, char *buf, size_t bytes, char **name)
{
    service.asked++;
    if (service.err != 0)
        return service.err;
    if (bytes < service.needs_bytes)
        return ERANGE;
    if (id == BOB && service.bob != NULL)
        *name = memcpy(buf, service.bob, strlen(service.bob) + 1);
    return 0;
}

int __wrap_getpwuid_r(uid_t uid, struct passwd *entry, char *buf, size_t bytes,
                      struct passwd **found)
{
    *entry = (struct passwd){ 0 };
    *found = NULL;
    int err = play(uid, buf, bytes, &entry->pw_name);
    if (entry->pw_name != NULL)
        *found = entry;
    return err;
}

int __wrap_getgrgid_r(gid_t gid, struct group *entry, char *buf, size_t bytes, struct group **found)
{
    *entry = (struct group){ 0 };
    *found = NULL;
    int err = play(gid, buf, bytes, &entry->gr_name);
    if (entry->gr_name != NULL)
        *found = entry;
    return err;
}

static int setup(void **state)
{
    service = (struct service){ .bob = "bob" };
    *state = names_new();
    return 0;
}

static int teardown(void **state)
{
    names_free(*state);
    return 0;
}

static void a_user_has_a_name_and_is_asked_for_once(void **state)
{
    assert_string_equal(names_user(*state, BOB, NOW_S), "bob");
    assert_string_equal(names_user(*state, BOB, NOW_S + 299), "bob");
    assert_int_equal(service.asked, 1);
}

static void a_new_name_is_seen_after_some_minutes(void **state)
{
    assert_string_equal(names_user(*state, BOB, NOW_S), "bob");
    service.bob = "robert";
    assert_string_equal(names_user(*state, BOB, NOW_S + 300), "robert");
    service.bob = NULL; /* he has gone */
    assert_string_equal(names_user(*state, BOB, NOW_S + 600), "1001");
}

static void who_has_no_name_is_a_number(void **state)
{
    assert_string_equal(names_user(*state, 4242, NOW_S), "4242");
    assert_string_equal(names_group(*state, 4243, NOW_S), "4243");
    service.err = ENOENT; /* some services say it so */
    assert_string_equal(names_user(*state, 4244, NOW_S), "4244");
    assert_string_equal(names_user(*state, 4244, NOW_S + 299), "4244");
    assert_int_equal(service.asked, 3);
}

static void a_group_with_thousands_of_members_has_a_name(void **state)
{
    service.needs_bytes = LARGE_BYTES;
    assert_string_equal(names_group(*state, BOB, NOW_S), "bob");
}

static void a_service_that_always_wants_more_ends(void **state)
{
    service.needs_bytes = SIZE_MAX;
    assert_string_equal(names_group(*state, BOB, NOW_S), "1001");
}

static void a_service_that_fails_takes_nobodys_name(void **state)
{
    assert_string_equal(names_user(*state, BOB, NOW_S), "bob");
    service.err = EIO;
    assert_string_equal(names_user(*state, BOB, NOW_S + 300), "bob");
    assert_string_equal(names_user(*state, BOB, NOW_S + 304), "bob");
    assert_int_equal(service.asked, 2);
    service.err = 0;
    service.bob = "robert";
    assert_string_equal(names_user(*state, BOB, NOW_S + 305), "robert");
}

static void who_comes_while_it_fails_is_a_number_for_a_moment(void **state)
{
    service.err = EIO;
    assert_string_equal(names_user(*state, BOB, NOW_S), "1001");
    service.err = 0;
    assert_string_equal(names_user(*state, BOB, NOW_S + 4), "1001");
    assert_string_equal(names_user(*state, BOB, NOW_S + 5), "bob");
}

static void users_and_groups_are_not_mixed_up(void **state)
{
    assert_string_equal(names_user(*state, BOB, NOW_S), "bob");
    service.bob = "staff";
    assert_string_equal(names_group(*state, BOB, NOW_S), "staff");
    assert_string_equal(names_user(*state, BOB, NOW_S), "bob");
    names_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
        TEST(a_user_has_a_name_and_is_asked_for_once),
        TEST(a_new_name_is_seen_after_some_minutes),
        TEST(who_has_no_name_is_a_number),
        TEST(a_group_with_thousands_of_members_has_a_name),
        TEST(a_service_that_always_wants_more_ends),
        TEST(a_service_that_fails_takes_nobodys_name),
        TEST(who_comes_while_it_fails_is_a_number_for_a_moment),
        TEST(users_and_groups_are_not_mixed_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
