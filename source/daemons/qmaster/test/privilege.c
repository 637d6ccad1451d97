/* Who the qmaster is: each case in a child process, since there is no way back. What only root can
 * do is skipped elsewhere. */
#include "daemons/qmaster/privilege.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libs/gdi/cell.h"
#include "libs/uti/answer.h"

static char nobody[] = "nobody", ghost[] = "no-such-user", common[] = "/cell/common";

/* CHECK in a child, which reports by its exit status: 0 = true */
static void in_a_child(bool (*check)(void))
{
    int status = -1;
    pid_t pid = fork();
    if (pid == 0)
        _exit(check() ? 0 : 1);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static bool drops_all(void)
{
    struct cell cell = { .admin_user = nobody, .common_dir = common };
    struct passwd *pw = getpwnam(nobody);
    struct rlimit before, after;
    uid_t r, e, s;
    gid_t groups[64];
    if (pw == NULL || getrlimit(RLIMIT_NOFILE, &before) != 0)
        return false;
    uid_t uid = pw->pw_uid;
    gid_t gid = pw->pw_gid;
    if (privilege_drop(&cell, NULL) != 0 || getrlimit(RLIMIT_NOFILE, &after) != 0)
        return false;
    int n = getgroups(64, groups);
    bool has_root_group = false;
    for (int i = 0; i < n; i++)
        has_root_group |= groups[i] == 0;
    return getresuid(&r, &e, &s) == 0 && r == uid && e == uid && s == uid && getegid() == gid &&
           n >= 0 && !has_root_group && setuid(0) != 0 && setgid(0) != 0 &&
           prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 && prctl(PR_GET_DUMPABLE) == 1 &&
           before.rlim_max == after.rlim_max;
}

static void root_becomes_the_admin_user_for_good(void **state)
{
    (void)state;
    if (geteuid() != 0) {
        print_message("impossible here: only root becomes another user\n");
        skip();
    }
    in_a_child(drops_all);
}

static bool drops_and_asks_again(void)
{
    struct cell cell = { .admin_user = nobody, .common_dir = common };
    return privilege_drop(&cell, NULL) == 0 && privilege_drop(&cell, NULL) == 0;
}

static void the_admin_user_may_start_it_as_well(void **state)
{
    (void)state;
    if (geteuid() != 0) {
        print_message("impossible here: only root becomes another user\n");
        skip();
    }
    in_a_child(drops_and_asks_again);
}

static bool is_refused_to_others(void)
{
    struct answer ans = ANSWER_INIT;
    struct cell cell = { .admin_user = (char[]){ "root" }, .common_dir = common };
    if (geteuid() == 0 && setuid(12345) != 0)
        return false;
    return privilege_drop(&cell, &ans) == -1 &&
           strcmp(ans_first_error(&ans),
                  "only root and the cell's admin_user \"root\" can run its qmaster") == 0;
}

static void nobody_else_can_run_it(void **state)
{
    (void)state;
    in_a_child(is_refused_to_others);
}

static void an_admin_user_that_does_not_exist_is_named(void **state)
{
    (void)state;
    struct answer ans = ANSWER_INIT;
    struct cell cell = { .admin_user = ghost, .common_dir = common };
    uid_t before = geteuid();
    assert_int_equal(privilege_drop(&cell, &ans), -1);
    assert_string_equal(
        ans_first_error(&ans),
        "/cell/common/bootstrap: there is no user \"no-such-user\" to be the admin_user");
    assert_int_equal(geteuid(), before);
    ans_free(&ans);
}

static void without_an_admin_user_nothing_changes(void **state)
{
    (void)state;
    struct cell cell = { .common_dir = common };
    uid_t before = geteuid();
    assert_int_equal(privilege_drop(&cell, NULL), 0);
    assert_int_equal(geteuid(), before);
    assert_int_equal(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(root_becomes_the_admin_user_for_good),
        cmocka_unit_test(the_admin_user_may_start_it_as_well),
        cmocka_unit_test(nobody_else_can_run_it),
        cmocka_unit_test(an_admin_user_that_does_not_exist_is_named),
        cmocka_unit_test(without_an_admin_user_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
