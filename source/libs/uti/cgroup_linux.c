/* Cgroups as Linux shows them. No state. Files of a cgroup are small texts of "name figure"
 * lines. */
#include "libs/uti/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/parse.h"

enum { FILE_MAX_BYTES = 4 * 1024 * 1024, DEPTH_MOST = 32 };

/* ---- where they are ---- */

/* the path behind "0::" of /proc/self/cgroup; new, NULL if the caller is in no cgroup of version 2,
 * or in one that it cannot see */
static char *own_path(const char *own)
{
    const char *at = strncmp(own, "0::/", 4) == 0 ? own : strstr(own, "\n0::/");
    if (at == NULL)
        return NULL;
    at = strchr(at, '/');
    if (strncmp(at, "/..", 3) == 0)
        return NULL;
    size_t len = strcspn(at, "\n");
    return uti_strndup(at, len == 1 ? 0 : len);
}

/* append the directory of PATH in what this LINE of mountinfo mounts */
static bool add_directory(const char *line, const char *path, struct dstr *out)
{
    char *root = uti_alloc(PATH_MAX), *point = uti_alloc(PATH_MAX);
    _Static_assert(PATH_MAX == 4096, "the width below");
    bool found = sscanf(line, "%*d %*d %*s %4095s %4095s", root, point) == 2;
    size_t len = found && strcmp(root, "/") != 0 ? strlen(root) : 0;
    found = found && strncmp(path, root, len) == 0 && (path[len] == '\0' || path[len] == '/');
    if (found)
        dstr_addf(out, "%s%s", point, path + len);
    free(root);
    free(point);
    return found;
}

bool cgroup_directory(const char *mounts, const char *own, struct dstr *path)
{
    char *below = own_path(own);
    bool found = false;
    for (const char *line = mounts; below != NULL && !found && *line != '\0';) {
        size_t len = strcspn(line, "\n");
        char *text = uti_strndup(line, len);
        found = strstr(text, " - cgroup2 ") != NULL && add_directory(text, below, path);
        free(text);
        line += len + (line[len] == '\n');
    }
    free(below);
    return found;
}

int cgroup_find(struct dstr *path)
{
    struct dstr mounts = DSTR_INIT, own = DSTR_INIT;
    bool found = file_read("/proc/self/mountinfo", FILE_MAX_BYTES, &mounts, NULL) == 0 &&
                 file_read("/proc/self/cgroup", FILE_MAX_BYTES, &own, NULL) == 0 &&
                 cgroup_directory(dstr_get(&mounts), dstr_get(&own), path);
    dstr_free(&mounts);
    dstr_free(&own);
    if (found)
        return access(dstr_get(path), W_OK);
    errno = ENOENT;
    return -1;
}

int cgroup_open(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* ---- what it says ---- */

/* add the figure behind NAME in the file FILE of a cgroup to *OUT; 0 or -1 */
static int add_figure(int cgroup_fd, const char *file, const char *name, uint64_t *out)
{
    struct dstr text = DSTR_INIT;
    uint64_t figure = 0;
    size_t len = strlen(name);
    int rc = -1, fd = openat(cgroup_fd, file, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    (void)file_read_fd(fd, file, FILE_MAX_BYTES, &text, NULL);
    close(fd);
    for (char *line = text.s; rc != 0 && line != NULL && *line != '\0';) {
        char *end = line + strcspn(line, "\n"), *next = end + (*end != '\0');
        *end = '\0';
        if (strncmp(line, name, len) == 0 && line[len] == ' ' && parse_u64(line + len + 1, &figure))
            rc = 0;
        line = next;
    }
    dstr_free(&text);
    *out += figure;
    return rc;
}

bool cgroup_is_populated(int cgroup_fd)
{
    uint64_t figure = 0;
    return add_figure(cgroup_fd, "cgroup.events", "populated", &figure) == 0 && figure != 0;
}

int cgroup_cpu_us(int cgroup_fd, uint64_t *out)
{
    uint64_t sum = 0;
    if (add_figure(cgroup_fd, "cpu.stat", "usage_usec", &sum) != 0)
        return -1;
    *out = sum;
    return 0;
}

int cgroup_rss_bytes(int cgroup_fd, uint64_t *out)
{
    uint64_t sum = 0;
    if (add_figure(cgroup_fd, "memory.stat", "anon", &sum) != 0 ||
        add_figure(cgroup_fd, "memory.stat", "file_mapped", &sum) != 0)
        return -1;
    *out = sum;
    return 0;
}

/* ---- processors ---- */

/* into a file that the kernel has made: 0, or -1 errno */
static int write_setting(int dir_fd, const char *file, const char *text)
{
    int fd = openat(dir_fd, file, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t n = write(fd, text, strlen(text));
    int err = errno;
    close(fd);
    errno = err;
    return n == (ssize_t)strlen(text) ? 0 : -1;
}

int cgroup_set_processors(int cgroup_fd, const char *list)
{
    return write_setting(cgroup_fd, "cpuset.cpus", list);
}

int cgroup_offer_processors(const char *path)
{
    int fd = cgroup_open(path);
    int rc = fd >= 0 ? write_setting(fd, "cgroup.subtree_control", "+cpuset") : -1;
    int err = errno;
    if (fd >= 0)
        close(fd);
    errno = err;
    return rc;
}

/* ---- making and removing ---- */

int cgroup_make(const char *path)
{
    if (mkdir(path, 0755) != 0 &&
        (errno != EEXIST || cgroup_remove(path) != 0 || mkdir(path, 0755) != 0))
        return -1;
    return cgroup_open(path);
}

static int remove_at(int dir_fd, const char *name, unsigned depth);

static void remove_below(int fd, unsigned depth)
{
    DIR *dir = fdopendir(fd); /* has FD from now on */
    struct dirent *entry;
    if (dir == NULL)
        close(fd);
    while (dir != NULL && (entry = readdir(dir)) != NULL)
        if (entry->d_type == DT_DIR && strcmp(entry->d_name, ".") != 0 &&
            strcmp(entry->d_name, "..") != 0)
            (void)remove_at(dirfd(dir), entry->d_name, depth);
    if (dir != NULL)
        closedir(dir);
}

/* a job that may do so makes cgroups below its own; DEPTH is how many levels more are looked at */
static int remove_at(int dir_fd, const char *name, unsigned depth)
{
    if (unlinkat(dir_fd, name, AT_REMOVEDIR) == 0)
        return 0;
    if (errno != EBUSY || depth == 0)
        return -1;
    int fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0)
        remove_below(fd, depth - 1);
    return unlinkat(dir_fd, name, AT_REMOVEDIR);
}

int cgroup_remove(const char *path)
{
    if (rmdir(path) == 0)
        return 0;
    int fd = cgroup_open(path);
    if (fd < 0)
        return -1;
    bool is_populated = cgroup_is_populated(fd);
    close(fd);
    if (is_populated) {
        errno = EBUSY;
        return -1;
    }
    return remove_at(AT_FDCWD, path, DEPTH_MOST);
}

/* ---- processes ---- */

pid_t cgroup_fork(int cgroup_fd)
{
    struct clone_args args = { .flags = CLONE_INTO_CGROUP,
                               .exit_signal = SIGCHLD,
                               .cgroup = (unsigned)cgroup_fd };
    return (pid_t)syscall(SYS_clone3, &args, sizeof args);
}

/* a child that begins in the cgroup and says nothing but that it has lived; 0, or -1 errno */
static int try_child(int cgroup_fd)
{
    int status = -1;
    pid_t pid = cgroup_fork(cgroup_fd), ended;
    if (pid == 0)
        _exit(0);
    if (pid < 0)
        return -1;
    while ((ended = waitpid(pid, &status, 0)) < 0 && errno == EINTR)
        ;
    if (ended == pid && WIFEXITED(status))
        return 0;
    errno = EOPNOTSUPP;
    return -1;
}

int cgroup_try(const char *path)
{
    int fd = cgroup_make(path);
    if (fd < 0)
        return -1;
    int rc = try_child(fd), err = errno;
    close(fd);
    (void)cgroup_remove(path);
    errno = err;
    return rc;
}

int cgroup_kill(int cgroup_fd)
{
    int fd = openat(cgroup_fd, "cgroup.kill", O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    int rc = file_write_all(fd, "1", 1), err = errno;
    close(fd);
    errno = err;
    return rc;
}
