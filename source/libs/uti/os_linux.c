/* What is Linux's own, and nothing else. No state; nothing here resolves names. Calls for which not
 * every C library has a function are made by number. */
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/msg_uti.h"
#include "libs/uti/os.h"
#include "libs/uti/parse.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/close_range.h>
#include <linux/fs.h>
#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>
#include <linux/stat.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

const char *os_arch(void)
{
    return SGE_ARCH;
}

int os_hostname(char *buf, size_t bytes)
{
    if (bytes == 0 || gethostname(buf, bytes) != 0)
        return -1;
    if (memchr(buf, '\0', bytes) == NULL) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return 0;
}

int os_become_subreaper(void)
{
    return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

void os_thread_name(const char *name)
{
    if (syscall(SYS_gettid) != getpid())
        (void)prctl(PR_SET_NAME, name, 0, 0, 0);
}

void os_process_name(const char *name)
{
    (void)prctl(PR_SET_NAME, name, 0, 0, 0);
}

int os_die_with_parent(int sig)
{
    return prctl(PR_SET_PDEATHSIG, sig, 0, 0, 0);
}

int os_no_new_privileges(void)
{
    int rc = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return rc == 0 ? prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) : rc;
}

int os_oom_adjust(int score)
{
    char text[8];
    size_t at = sizeof text;
    unsigned left = (unsigned)(score < 0 ? -score : score) % 10000;
    do
        text[--at] = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    if (score < 0)
        text[--at] = '-';
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t n = write(fd, text + at, sizeof text - at);
    int err = errno;
    close(fd);
    errno = err;
    return n > 0 ? 0 : -1;
}

int os_pidfd_open(pid_t pid)
{
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

int os_pidfd_signal(int pidfd, int sig)
{
    return (int)syscall(SYS_pidfd_send_signal, pidfd, sig, NULL, 0);
}

int os_shared_memory(size_t bytes, int least)
{
    int fd = memfd_create("shared", MFD_CLOEXEC);
    if (fd < 0)
        return -1;
    int high = ftruncate(fd, (off_t)bytes) == 0 ? fcntl(fd, F_DUPFD_CLOEXEC, least + 1) : -1;
    int err = errno;
    close(fd);
    errno = err;
    return high;
}

int os_lock_take(int fd)
{
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    return fcntl(fd, F_OFD_SETLK, &whole);
}

int os_lock_is_held(int fd)
{
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    if (fcntl(fd, F_OFD_GETLK, &whole) != 0)
        return -1;
    return whole.l_type != F_UNLCK;
}

int os_signal_fd(const sigset_t *signals)
{
    return signalfd(-1, signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

int os_signal_take(int signal_fd)
{
    struct signalfd_siginfo info;
    return read(signal_fd, &info, sizeof info) == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}

int os_arrivals_fd(const char *dir)
{
    int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (fd < 0 || inotify_add_watch(fd, dir, IN_CREATE | IN_MOVED_TO | IN_ONLYDIR) >= 0)
        return fd;
    int err = errno;
    close(fd);
    errno = err;
    return -1;
}

bool os_arrivals_have(int fd, const char *name)
{
    _Alignas(struct inotify_event) char buf[4096];
    bool is_there = false;
    ssize_t n;
    while ((n = read(fd, buf, sizeof buf)) > 0)
        for (const char *at = buf; at < buf + n;) {
            const struct inotify_event *e = (const void *)at;
            is_there = is_there || (e->len > 0 && strcmp(e->name, name) == 0);
            at += sizeof *e + e->len;
        }
    return is_there;
}

int os_close_from(int lowest)
{
    return (int)syscall(SYS_close_range, (unsigned)lowest, ~0u, 0);
}

int os_close_on_exec_from(int lowest)
{
    return (int)syscall(SYS_close_range, (unsigned)lowest, ~0u, CLOSE_RANGE_CLOEXEC);
}

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* not readdir, whose buffer is as dear as the rest of a look at a small directory */
int os_dir_each(int dir_fd, os_dir_entry_fn *entry_fn, void *ctx)
{
    _Alignas(struct dirent) char buf[1024];
    long n;
    while ((n = syscall(SYS_getdents64, dir_fd, buf, sizeof buf)) > 0)
        for (long at = 0; at < n;) {
            const struct dirent *entry = (const void *)(buf + at); /* the kernel's form, too */
            if (!is_dots(entry->d_name) && !entry_fn(ctx, entry->d_name))
                return 0;
            at += entry->d_reclen;
        }
    return n == 0 ? 1 : -1;
}

static bool stop_at_any(void *ctx, const char *name)
{
    (void)ctx;
    (void)name;
    return false;
}

int os_dir_is_empty(int dir_fd)
{
    return os_dir_each(dir_fd, stop_at_any, NULL);
}

int os_rename_new(int from_dir, const char *from, int to_dir, const char *to)
{
    return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, RENAME_NOREPLACE);
}

int os_file_admit(int fd, uid_t uid)
{
    enum { READ_EXECUTE = 5, ALL = 7, ENTRIES = 5 };
    const struct {
        struct posix_acl_xattr_header header;
        struct posix_acl_xattr_entry entries[ENTRIES];
    } list = { { POSIX_ACL_XATTR_VERSION },
               { { ACL_USER_OBJ, ALL, (uint32_t)ACL_UNDEFINED_ID },
                 { ACL_USER, READ_EXECUTE, uid },
                 { ACL_GROUP_OBJ, 0, (uint32_t)ACL_UNDEFINED_ID },
                 { ACL_MASK, READ_EXECUTE, (uint32_t)ACL_UNDEFINED_ID },
                 { ACL_OTHER, 0, (uint32_t)ACL_UNDEFINED_ID } } };
    return fsetxattr(fd, "system.posix_acl_access", &list, sizeof list, 0);
}

void os_fill_standard_streams(void)
{
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)open("/dev/null", O_RDWR);
}

int os_peer_ids(int fd, uid_t *uid, gid_t *gid, pid_t *pid)
{
    struct ucred peer;
    socklen_t len = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) != 0)
        return -1;
    *uid = peer.uid;
    *gid = peer.gid;
    *pid = peer.pid;
    return 0;
}

#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif

int os_refuse_descriptors(int fd)
{
    static const int off = 0;
    return setsockopt(fd, SOL_SOCKET, SO_PASSRIGHTS, &off, sizeof off);
}

int os_copy_descriptors(void)
{
    return unshare(CLONE_FILES);
}

/* a small file of /proc or /sys as text; returns its length or -1 */
static ssize_t read_small(const char *path, char *buf, size_t bytes)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t n = read(fd, buf, bytes - 1);
    int err = errno;
    close(fd);
    errno = err;
    if (n >= 0)
        buf[n] = '\0';
    return n;
}

int os_process_start(pid_t pid, uint64_t *ticks)
{
    enum { FIELDS_TO_SKIP = 19 }; /* from the state, the third, to starttime, the 22nd */
    char path[40], buf[1024];
    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    if (read_small(path, buf, sizeof buf) <= 0)
        return -1;
    char *at = strrchr(buf, ')'); /* the name before it may hold anything */
    for (int i = 0; at != NULL && i <= FIELDS_TO_SKIP; i++)
        at = strchr(at + 1, ' ');
    if (at == NULL)
        return -1;
    at[1 + strcspn(at + 1, " \n")] = '\0';
    return parse_u64(at + 1, ticks) ? 0 : -1;
}

int os_boot_id(char *buf, size_t bytes)
{
    char text[80];
    if (read_small("/proc/sys/kernel/random/boot_id", text, sizeof text) <= 0)
        return -1;
    size_t len = strcspn(text, "\n");
    if (len >= bytes)
        return -1;
    memcpy(buf, text, len);
    buf[len] = '\0';
    return 0;
}

int os_is_mount_root(int dir_fd)
{
    struct statx st;
    if (syscall(SYS_statx, dir_fd, "", AT_EMPTY_PATH, STATX_TYPE, &st) != 0)
        return -1;
    return (st.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

/* ---- random bytes: up to 256 come whole, whatever signals do (getrandom(2)) ---- */
enum { WHOLE_BYTES = 256 };

int random_bytes(void *out, size_t n, struct answer *ans)
{
    if (getrandom(out, n, 0) == (ssize_t)n)
        return 0;
    return ans_sys(ans, errno, MSG_NO_RANDOM);
}

int random_text(struct dstr *out, size_t n, struct answer *ans)
{
    uint8_t bytes[WHOLE_BYTES];
    if (random_bytes(bytes, n, ans) != 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        dstr_addc(out, "0123456789abcdef"[bytes[i] >> 4]);
        dstr_addc(out, "0123456789abcdef"[bytes[i] & 15]);
    }
    return 0;
}
