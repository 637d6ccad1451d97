/* The closed list of what a qmaster does as root: it reads bootstrap(5), raises its limit of open
 * files, hides from the kernel when memory runs out, and stops being root. Everything after that,
 * each byte of users and of the spool, is the admin user's. Source: sge_qmaster(8) */
#include "daemons/qmaster/privilege.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include "daemons/qmaster/msg_qmaster.h"
#include "libs/gdi/cell.h"
#include "libs/uti/answer.h"
#include "libs/uti/os.h"

static int become_user(const struct passwd *pw, struct answer *ans)
{
    if (initgroups(pw->pw_name, pw->pw_gid) != 0 ||
        setresgid(pw->pw_gid, pw->pw_gid, pw->pw_gid) != 0 ||
        setresuid(pw->pw_uid, pw->pw_uid, pw->pw_uid) != 0 || os_no_new_privileges() != 0)
        return ans_sys(ans, errno, MSG_BECOME_S, pw->pw_name);
    if (setuid(0) == 0 || geteuid() != pw->pw_uid || getegid() != pw->pw_gid)
        return ans_fail(ans, STATUS_ESYSTEM, MSG_STILL_ROOT_S, pw->pw_name);
    return 0;
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
        return become_user(pw, ans);
    if (geteuid() != pw->pw_uid)
        return ans_fail(ans, STATUS_DENIED, MSG_NOT_ADMIN_S, cell->admin_user);
    return 0;
}
