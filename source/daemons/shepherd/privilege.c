/* The closed list of what a shepherd does with root's rights. As an ordinary user the same calls
 * are made and the kernel decides. Nothing here reads a name service: execd has written numbers. */
#include "daemons/shepherd/privilege.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemons/shepherd/config.h"
#include "daemons/shepherd/msg_shepherd.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/cgroup.h"
#include "libs/uti/file.h"
#include "libs/uti/os.h"
#include "libs/uti/parse.h"
#include "libs/uti/process.h"

static void add_group(struct job_identity *who, uint32_t *cap, gid_t gid)
{
    who->groups = uti_vec_grow(who->groups, cap, (uint32_t)who->n_groups + 1, sizeof *who->groups);
    who->groups[who->n_groups++] = gid;
}

/* the numbers of "1001,27,100"; false if one is not a number */
static bool add_groups(struct job_identity *who, uint32_t *cap, const char *list)
{
    while (*list != '\0') {
        size_t len = strcspn(list, ",");
        char *word = uti_strndup(list, len);
        uint32_t gid;
        bool is_number = parse_u32(word, &gid);
        free(word);
        if (!is_number)
            return false;
        add_group(who, cap, gid);
        list += len + (list[len] == ',');
    }
    return true;
}

static int get_id(const struct config *conf, const char *key, uint32_t *id, struct answer *ans)
{
    const char *value = config_get(conf, key, NULL);
    if (value == NULL)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_CONFIG_NO_VALUE_S, key);
    if (!parse_u32(value, id))
        return ans_fail(ans, STATUS_ESYNTAX, MSG_CONFIG_BAD_VALUE_SS, key, value);
    return 0;
}

int identity_from(struct job_identity *who, const struct config *conf, struct answer *ans)
{
    *who = (struct job_identity){ 0 };
    who->uid = geteuid();
    who->gid = getegid();
    if (who->uid != 0)
        return 0;
    uint32_t cap = 0, additional;
    who->is_switch = true;
    if (get_id(conf, "job_uid", &who->uid, ans) != 0 ||
        get_id(conf, "job_gid", &who->gid, ans) != 0)
        return -1;
    const char *list = config_get(conf, "job_groups", "");
    if (!add_groups(who, &cap, list)) {
        identity_free(who);
        return ans_fail(ans, STATUS_ESYNTAX, MSG_CONFIG_BAD_VALUE_SS, "job_groups", list);
    }
    if (parse_u32(config_get(conf, "add_grp_id", "0"), &additional) && additional != 0)
        add_group(who, &cap, additional);
    return 0;
}

static int bad_value(const char *key, const char *value, struct answer *ans)
{
    return ans_fail(ans, STATUS_ESYNTAX, MSG_CONFIG_BAD_VALUE_SS, key, value);
}

/* the number before the ":" at *AT, which moves behind that */
static bool take_id(const char **at, uint32_t *id)
{
    size_t len = strcspn(*at, ":");
    char *word = uti_strndup(*at, len);
    bool is_number = (*at)[len] == ':' && parse_u32(word, id);
    free(word);
    *at += len + ((*at)[len] == ':');
    return is_number;
}

int identity_of_hook(struct job_identity *who, const struct config *conf, const char *key,
                     struct answer *ans)
{
    uint32_t cap = 0, additional;
    char as[32];
    *who = (struct job_identity){ .uid = geteuid(), .gid = getegid() };
    (void)snprintf(as, sizeof as, "%s_as", key);
    const char *value = config_get(conf, as, NULL), *at = value;
    if (value == NULL)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_CONFIG_NO_VALUE_S, as);
    if (who->uid != 0)
        return 0;
    who->is_switch = true;
    if (!take_id(&at, &who->uid) || !take_id(&at, &who->gid) || !add_groups(who, &cap, at)) {
        identity_free(who);
        return bad_value(as, value, ans);
    }
    if (parse_u32(config_get(conf, "add_grp_id", "0"), &additional) && additional != 0)
        add_group(who, &cap, additional);
    return 0;
}

void identity_free(struct job_identity *who)
{
    free(who->groups);
    *who = (struct job_identity){ 0 };
}

/* the kernel takes back what made this process private when it executes */
enum identity_step identity_become(const struct job_identity *who, int *err)
{
    if (!who->is_switch)
        return IDENTITY_DONE;
    if ((*err = apart_setgroups(who->n_groups, who->groups)) != 0)
        return IDENTITY_GROUPS;
    if ((*err = apart_setgid(who->gid)) != 0)
        return IDENTITY_GID;
    if ((*err = apart_setuid(who->uid)) != 0)
        return IDENTITY_UID;
    (void)apart_call(SYS_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
    return IDENTITY_DONE;
}

/* the kernel says which id counts for files, and not whether it has changed it */
static bool set_file_id(long call, long id)
{
    (void)apart_call(call, id, 0, 0, 0, 0);
    return apart_call(call, -1, 0, 0, 0, 0) == id;
}

enum identity_step identity_borrow(const struct job_identity *who, int *err)
{
    if (!who->is_switch)
        return IDENTITY_DONE;
    if ((*err = apart_setgroups(who->n_groups, who->groups)) != 0)
        return IDENTITY_GROUPS;
    *err = EPERM;
    if (!set_file_id(SYS_setfsgid, (long)who->gid))
        return IDENTITY_GID;
    return set_file_id(SYS_setfsuid, (long)who->uid) ? IDENTITY_DONE : IDENTITY_UID;
}

void identity_return(const struct job_identity *who)
{
    if (!who->is_switch)
        return;
    (void)set_file_id(SYS_setfsuid, 0);
    (void)set_file_id(SYS_setfsgid, 0);
}

int privilege_open_script(const char *path)
{
    const int flags = O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK;
    int fd = (int)apart_call(SYS_openat, AT_FDCWD, (long)path, flags, 0, 0);
    if (fd < 0)
        return -fd;
    (void)apart_call(SYS_dup3, fd, STDIN_FILENO, 0, 0, 0);
    return 0;
}

bool identity_is_traced(const struct job_identity *who)
{
    char mode = '1';
    if (!who->is_switch)
        return false;
    int fd = open("/proc/sys/fs/suid_dumpable", O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && read(fd, &mode, 1) != 1)
        mode = '1';
    if (fd >= 0)
        close(fd);
    return mode == '1';
}

void privilege_expose(void)
{
    (void)os_oom_adjust(0);
}

void privilege_protect(void)
{
    (void)os_oom_adjust(OS_OOM_DAEMON);
    (void)prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
}

void privilege_nice(int nice_value)
{
    (void)apart_call(SYS_setpriority, PRIO_PROCESS, 0, nice_value, 0, 0);
}

static int set_limit(int resource, const struct rlimit *next, struct rlimit *now)
{
    return (int)-apart_call(SYS_prlimit64, 0, resource, (long)next, (long)now, 0);
}

int privilege_limit(int resource, const struct rlimit *wanted)
{
    struct rlimit now, next = *wanted;
    bool is_kept =
        resource == RLIMIT_CORE; /* who forbade core files to the execd meant its jobs, too */
    int err = is_kept ? EPERM : set_limit(resource, wanted, NULL);
    if (err != EPERM)
        return err;
    err = set_limit(resource, NULL, &now);
    if (err != 0)
        return err;
    if (next.rlim_max > now.rlim_max) /* RLIM_INFINITY is the greatest number */
        next.rlim_max = now.rlim_max;
    if (next.rlim_cur > next.rlim_max)
        next.rlim_cur = next.rlim_max;
    return set_limit(resource, &next, NULL);
}

int privilege_signal(pid_t pid, int sig)
{
    return kill(pid, sig);
}

uint32_t privilege_signal_below(pid_t but, int sig)
{
    return process_signal_below(getpid(), but, sig);
}

int privilege_make_terminal(const struct job_identity *who, int *master, int *terminal)
{
    *master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (*master < 0 || unlockpt(*master) != 0)
        return -1;
    *terminal = ioctl(*master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (*terminal < 0)
        return -1;
    return !who->is_switch ||
                   (fchown(*terminal, who->uid, (gid_t)-1) == 0 && fchmod(*terminal, 0620) == 0)
               ? 0
               : -1;
}

int privilege_make_cgroup(const char *path)
{
    return cgroup_make(path);
}

pid_t privilege_start_apart(struct apart *a, int cgroup_fd, apart_fn *run, void *ctx)
{
    return apart_start(a, cgroup_fd, run, ctx);
}

pid_t privilege_fork_into(int cgroup_fd)
{
    return cgroup_fork(cgroup_fd);
}

int privilege_confine_cgroup(int cgroup_fd, const char *list)
{
    return cgroup_set_processors(cgroup_fd, list);
}

int privilege_kill_cgroup(int cgroup_fd)
{
    return cgroup_kill(cgroup_fd);
}

int privilege_remove_cgroup(const char *path)
{
    return cgroup_remove(path);
}

int privilege_clean_tmpdir(const char *path, uint64_t until_us, struct answer *ans)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return fd >= 0 && file_dir_is_empty(fd) ? 0 : file_rmtree_until(path, until_us, ans);
}

static void remove_as(const char *path, uid_t uid, gid_t gid, uint64_t until_us)
{
    pid_t pid = fork();
    if (pid == 0) {
        bool is_owner = setgroups(0, NULL) == 0 && setgid(gid) == 0 && setuid(uid) == 0;
        _exit(is_owner && file_rmtree_until(path, until_us, NULL) == 0 ? 0 : 1);
    }
    if (pid > 0)
        (void)waitpid(pid, NULL, 0);
}

int privilege_remove_tree(const char *path, uint64_t until_us)
{
    struct stat st;
    if (lstat(path, &st) != 0)
        return errno == ENOENT ? 0 : -1;
    if (geteuid() == 0 && st.st_uid != 0)
        remove_as(path, st.st_uid, st.st_gid, until_us);
    return file_rmtree_until(path, until_us, NULL); /* what others have in it */
}
