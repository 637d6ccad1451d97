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
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemons/qmaster/io/mail_process.h"
#include "libs/gdi/cell.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/time.h"

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

/* a mail whose mailer, in the current directory, notes its ids and waits to be traced */
static bool mailers_are_out_of_reach(void)
{
    char dir[100];
    if (getcwd(dir, sizeof dir) == NULL)
        return false;
    char *mailer = path_join(dir, "mailer"), *noted = path_join(dir, "noted");
    struct cell cell = { .admin_user = nobody, .common_dir = common, .mailers = mailer };
    const struct passwd *pw = getpwnam(nobody);
    const struct mail_request m = {
        .program = mailer, .subject = "s", .address = "a", .body = "", .deadline_ms = 1000
    };
    struct mail_answer answer;
    struct dstr text = DSTR_INIT;
    unsigned pid, uid, gid, gains;
    int stop_fd = eventfd(0, EFD_CLOEXEC);
    struct dstr script = DSTR_INIT;
    dstr_addf(&script,
              "#!/bin/sh\necho $$ $(id -u) $(id -g) $(grep NoNewPrivs /proc/self/status | cut -f2) "
              ">%s\nexec sleep 1000\n",
              noted);
    if (file_write(mailer, dstr_get(&script), script.len, 0755, NULL) != 0 ||
        chmod(mailer, 0755) != 0 || file_write(noted, "", 0, 0666, NULL) != 0 ||
        chmod(noted, 0666) != 0)
        return false;
    int fd = privilege_start_mail(&cell, NULL);
    if (pw == NULL || fd < 0 || privilege_drop(&cell, NULL) != 0)
        return false;
    pid_t sender = fork(); /* the mailer hangs until it is killed */
    if (sender == 0)
        _exit(mail_process_send(fd, &m, stop_fd, &answer) == 0 && answer.result == MAIL_LATE ? 0
                                                                                             : 1);
    while (text.len == 0 && file_read(noted, 100, &text, NULL) == 0)
        uti_sleep_ms(5);
    bool is_apart = sscanf(dstr_get(&text), "%u %u %u %u", &pid, &uid, &gid, &gains) == 4 &&
                    uid == pw->pw_uid && gid != pw->pw_gid && gid != 0 && gains == 0;
    bool is_traced = ptrace(PTRACE_SEIZE, (pid_t)pid, NULL, NULL) == 0;
    int status = -1;
    return waitpid(sender, &status, 0) == sender && status == 0 && is_apart && !is_traced;
}

/* one that root has not named notes its ids */
static bool other_mailers_run_as_the_qmaster(void)
{
    char dir[100];
    if (getcwd(dir, sizeof dir) == NULL)
        return false;
    char *mailer = path_join(dir, "other"), *noted = path_join(dir, "other_noted");
    struct cell cell = { .admin_user = nobody, .common_dir = common };
    const struct passwd *pw = getpwnam(nobody);
    const struct mail_request m = {
        .program = mailer, .subject = "s", .address = "a", .body = "", .deadline_ms = 10000
    };
    struct mail_answer answer;
    struct dstr text = DSTR_INIT, script = DSTR_INIT;
    unsigned uid, gid, gains;
    dstr_addf(
        &script,
        "#!/bin/sh\necho $(id -u) $(id -g) $(grep NoNewPrivs /proc/self/status | cut -f2) >%s\n",
        noted);
    if (file_write(mailer, dstr_get(&script), script.len, 0755, NULL) != 0 ||
        chmod(mailer, 0755) != 0 || file_write(noted, "", 0, 0666, NULL) != 0 ||
        chmod(noted, 0666) != 0)
        return false;
    int fd = privilege_start_mail(&cell, NULL);
    return pw != NULL && fd >= 0 && privilege_drop(&cell, NULL) == 0 &&
           mail_process_send(fd, &m, eventfd(0, EFD_CLOEXEC), &answer) == 0 &&
           answer.result == MAIL_SENT && file_read(noted, 100, &text, NULL) == 0 &&
           sscanf(dstr_get(&text), "%u %u %u", &uid, &gid, &gains) == 3 && uid == pw->pw_uid &&
           gid == pw->pw_gid && gains == 1;
}

static void mailers_run_as_the_admin_user_and_named_ones_cannot_be_traced(void **state)
{
    (void)state;
    if (geteuid() != 0) {
        print_message("impossible here: only root becomes another user\n");
        skip();
    }
    char dir[] = "/tmp/privilege.XXXXXX";
    assert_non_null(mkdtemp(dir));
    assert_int_equal(chmod(dir, 0755), 0);
    assert_int_equal(chdir(dir), 0); /* the child finds it there */
    in_a_child(mailers_are_out_of_reach);
    in_a_child(other_mailers_run_as_the_qmaster);
    assert_int_equal(chdir("/"), 0);
    file_rmtree(dir, NULL);
}

static void a_qmaster_that_stays_root_sends_no_mail(void **state)
{
    (void)state;
    struct answer ans = ANSWER_INIT;
    struct cell cell = { .common_dir = common };
    if (geteuid() != 0) {
        print_message("impossible here: only root stays root\n");
        skip();
    }
    assert_int_equal(privilege_start_mail(&cell, &ans), -1);
    assert_int_equal(ans.n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(root_becomes_the_admin_user_for_good),
        cmocka_unit_test(the_admin_user_may_start_it_as_well),
        cmocka_unit_test(nobody_else_can_run_it),
        cmocka_unit_test(an_admin_user_that_does_not_exist_is_named),
        cmocka_unit_test(without_an_admin_user_nothing_changes),
        cmocka_unit_test(mailers_run_as_the_admin_user_and_named_ones_cannot_be_traced),
        cmocka_unit_test(a_qmaster_that_stays_root_sends_no_mail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
