/* The closed list of what a qmaster does as root: it reads bootstrap(5), raises its limit of open
 * files, hides from the kernel when memory runs out, starts the process that runs mailers, and
 * stops being root. Everything after that,
 * each byte of users and of the spool, is the admin user's. Source: sge_qmaster(8) */
#include "daemons/qmaster/privilege.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemons/qmaster/io/mail_process.h"
#include "daemons/qmaster/msg_qmaster.h"
#include "libs/gdi/cell.h"
#include "libs/uti/answer.h"
#include "libs/uti/os.h"

/* with GID as its group; its saved group is that of the user, whose groups it has as supplementary
 * ones in any case */
static int become_user(const struct passwd *pw, gid_t gid, struct answer *ans)
{
    if (initgroups(pw->pw_name, pw->pw_gid) != 0 || setresgid(gid, gid, pw->pw_gid) != 0 ||
        setresuid(pw->pw_uid, pw->pw_uid, pw->pw_uid) != 0)
        return ans_sys(ans, errno, MSG_BECOME_S, pw->pw_name);
    if (setuid(0) == 0 || geteuid() != pw->pw_uid || getegid() != gid)
        return ans_fail(ans, STATUS_ESYSTEM, MSG_STILL_ROOT_S, pw->pw_name);
    return 0;
}

static int give_up_privileges(const struct passwd *pw, struct answer *ans)
{
    if (become_user(pw, pw->pw_gid, ans) != 0)
        return -1;
    return os_no_new_privileges() == 0 ? 0 : ans_sys(ans, errno, MSG_BECOME_S, pw->pw_name);
}

int privilege_drop(const struct cell *cell, struct answer *ans)
{
    if (geteuid() == 0) /* where that is not permitted we do without */
        (void)os_oom_adjust(OS_OOM_DAEMON);
    if (cell->admin_user == NULL)
        return 0;
    errno = 0;
    const struct passwd *pw = getpwnam(cell->admin_user);
    if (pw == NULL)
        return ans_fail(ans, STATUS_EUNKNOWN, MSG_NO_ADMIN_SS, cell->common_dir, cell->admin_user);
    if (geteuid() == 0 && pw->pw_uid != 0)
        return give_up_privileges(pw, ans);
    if (geteuid() != pw->pw_uid)
        return ans_fail(ans, STATUS_DENIED, MSG_NOT_ADMIN_S, cell->admin_user);
    return 0;
}

/* a group that the qmaster does not have; no file needs to belong to it */
static gid_t group_of_mailers(const struct passwd *pw)
{
    static const gid_t nogroup = 65534;
    return pw->pw_gid != nogroup ? nogroup : nogroup - 1;
}

/* the life of the process; FD is its end */
static int run_mail(const struct cell *cell, const struct passwd *pw, int fd)
{
    struct mail_process p = { .user = pw != NULL ? pw->pw_name : NULL,
                              .trusted = cell->mailers,
                              .is_hardened = geteuid() == 0,
                              .group = pw != NULL ? pw->pw_gid : getegid() };
    /* a system without that group, as in a user namespace: then it cannot gain privileges, either */
    if (p.is_hardened && become_user(pw, group_of_mailers(pw), NULL) != 0 &&
        give_up_privileges(pw, NULL) != 0)
        return 1;
    os_process_name("sge_mail");
    return mail_process_run(&p, fd);
}

int privilege_start_mail(const struct cell *cell, struct answer *ans)
{
    int ends[2];
    const struct passwd *pw =
        cell->admin_user != NULL ? getpwnam(cell->admin_user) : getpwuid(geteuid());
    if (geteuid() == 0 && (pw == NULL || pw->pw_uid == 0))
        return -1;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return ans_sys(ans, errno, MSG_MAIL_START);
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        _exit(run_mail(cell, pw, ends[1]));
    }
    int err = errno;
    close(ends[1]);
    if (pid > 0)
        return ends[0];
    close(ends[0]);
    return ans_sys(ans, err, MSG_MAIL_START);
}
