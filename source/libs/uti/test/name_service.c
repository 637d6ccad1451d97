/* The name service says who a user id is and whether a host is known, the same in both forms. */
#include "libs/uti/name_service.h"

#include <pwd.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { NOBODYS_UID = 0x7fedcba9 };

struct finding {
    uid_t uid;
    const char *name, *home; /* NULL: nobody is found */
};

static void check_find(const char *text, const struct finding *want)
{
    char *name = NULL, *home = NULL;
    FILE *f = fmemopen((char *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(f);
    assert_int_equal(passwd_find(f, want->uid, &name, &home), want->name != NULL ? 0 : -1);
    fclose(f);
    if (want->name == NULL) {
        assert_true(name == NULL && home == NULL);
        return;
    }
    assert_string_equal(name, want->name);
    assert_string_equal(home, want->home);
    free(name);
    free(home);
}

static void the_first_entry_of_an_id_counts(void **state)
{
    (void)state;
    static const char text[] = "root:x:0:0:root:/root:/bin/sh\n"
                               "a:x:7:7::/home/a:/bin/sh\n"
                               "b:x:7:7::/home/b:\n"
                               "last:x:8:8:::";
    static const struct finding all[] = {
        { 0, "root", "/root" }, { 7, "a", "/home/a" }, { 8, "last", "" }, { 9, NULL, NULL }
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        check_find(text, &all[i]);
}

static void what_is_no_entry_is_passed_over(void **state)
{
    (void)state;
    static const char text[] = "\n:\n# x:x:7:7::/x:\n+:x:7:7::/x:\n-nis:x:7:7::/x:\n"
                               "short:x:7:7::/x\nlong:x:7:7::/x:y:z\n"
                               "words:x:seven:7::/x:\nsign:x:+7:7::/x:\nlarge:x:4294967303:7::/x:\n"
                               ":x:7:7::/nameless:\ngood:x:7:7::/home/good:\n";
    check_find(text, &(struct finding){ 7, "good", "/home/good" });
}

static void a_user_is_known_by_id(void **state)
{
    (void)state;
    const struct passwd *entry = getpwuid(getuid());
    char *name = NULL, *home = NULL;
    assert_non_null(entry);
    assert_int_equal(name_service_user(getuid(), &name, &home), 0);
    assert_string_equal(name, entry->pw_name);
    assert_string_equal(home, entry->pw_dir);
    free(name);
    free(home);
}

static void a_home_is_known_by_name(void **state)
{
    (void)state;
    static const char text[] =
        "+a:x:7:7::/no:\na:x:seven:7::/no:\na:x:7:7::/home/a:\nb:x:8:8::/b:\n";
    const struct passwd *entry = getpwuid(getuid());
    char *home = NULL;
    assert_int_equal(name_service_home(entry->pw_name, &home), 0);
    assert_string_equal(home, entry->pw_dir);
    free(home);
    home = NULL;
    assert_int_equal(name_service_home("no such user", &home), -1);
    assert_int_equal(name_service_home("0", &home), -1); /* a name, and no id */
    assert_int_equal(name_service_home("--help", &home), -1);
    assert_int_equal(name_service_home("", &home), -1);
    assert_null(home);
    FILE *f = fmemopen((char *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(f);
    assert_int_equal(passwd_find_home(f, "a", &home), 0);
    assert_string_equal(home, "/home/a");
    free(home);
    fclose(f);
}

static void an_id_of_nobody_is_not_known(void **state)
{
    (void)state;
    char *name = NULL, *home = NULL;
    assert_int_equal(name_service_user(NOBODYS_UID, &name, &home), -1);
    assert_true(name == NULL && home == NULL);
}

static void hosts_are_known_by_name_and_address(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool is_known;
    } hosts[] = { { "localhost", true },     { "127.0.0.1", true }, { "", false },
                  { "no such host", false }, { "-V", false },       { "--help", false } };
    for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++)
        assert_int_equal(name_service_has_host(hosts[i].name), hosts[i].is_known);
}

static void who_ignores_children_is_answered_too(void **state)
{
    (void)state;
    struct sigaction ignore = { .sa_handler = SIG_IGN }, before;
    sigaction(SIGCHLD, &ignore, &before);
    assert_true(name_service_has_host("localhost"));
    assert_false(name_service_has_host("no such host"));
    sigaction(SIGCHLD, &before, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_entry_of_an_id_counts),
        cmocka_unit_test(what_is_no_entry_is_passed_over),
        cmocka_unit_test(a_user_is_known_by_id),
        cmocka_unit_test(a_home_is_known_by_name),
        cmocka_unit_test(an_id_of_nobody_is_not_known),
        cmocka_unit_test(hosts_are_known_by_name_and_address),
        cmocka_unit_test(who_ignores_children_is_answered_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
