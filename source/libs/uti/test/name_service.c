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

static void check_find(const char *text, uid_t uid, const char *name, const char *home)
{
    char *n = NULL, *h = NULL;
    FILE *f = fmemopen((char *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(f);
    assert_int_equal(passwd_find(f, uid, &n, &h), name != NULL ? 0 : -1);
    fclose(f);
    if (name == NULL) {
        assert_true(n == NULL && h == NULL);
        return;
    }
    assert_string_equal(n, name);
    assert_string_equal(h, home);
    free(n);
    free(h);
}

static void the_first_entry_of_an_id_counts(void **state)
{
    (void)state;
    static const char text[] = "root:x:0:0:root:/root:/bin/sh\n"
                               "a:x:7:7::/home/a:/bin/sh\n"
                               "b:x:7:7::/home/b:\n"
                               "last:x:8:8:::";
    check_find(text, 0, "root", "/root");
    check_find(text, 7, "a", "/home/a");
    check_find(text, 8, "last", "");
    check_find(text, 9, NULL, NULL);
}

static void what_is_no_entry_is_passed_over(void **state)
{
    (void)state;
    static const char text[] = "\n:\n# x:x:7:7::/x:\n+:x:7:7::/x:\n-nis:x:7:7::/x:\n"
                               "short:x:7:7::/x\nlong:x:7:7::/x:y:z\n"
                               "words:x:seven:7::/x:\nsign:x:+7:7::/x:\nlarge:x:4294967303:7::/x:\n"
                               ":x:7:7::/nameless:\ngood:x:7:7::/home/good:\n";
    check_find(text, 7, "good", "/home/good");
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
    assert_true(name_service_has_host("localhost"));
    assert_true(name_service_has_host("127.0.0.1"));
    assert_false(name_service_has_host(""));
    assert_false(name_service_has_host("no such host"));
    assert_false(name_service_has_host("-V"));
    assert_false(name_service_has_host("--help"));
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
        cmocka_unit_test(an_id_of_nobody_is_not_known),
        cmocka_unit_test(hosts_are_known_by_name_and_address),
        cmocka_unit_test(who_ignores_children_is_answered_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
