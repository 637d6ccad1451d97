/* Unix sockets at paths of any length. sun_path has 108 bytes: a longer path is reached through an
 * open descriptor of its directory, as /proc/self/fd/N/name. No state. */
#include "libs/comm/unix_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/os.h"

static void close_keep_errno(int fd)
{
    int err = errno;
    if (fd >= 0)
        close(fd);
    errno = err;
}

/* the address of PATH. *dir_fd is -1, or a descriptor that must stay open while it is used.
 * Returns 0, or -1 with errno. */
static int address_of(const char *path, struct sockaddr_un *a, int *dir_fd)
{
    *a = (struct sockaddr_un){ .sun_family = AF_UNIX };
    *dir_fd = -1;
    size_t len = strlen(path);
    if (len < sizeof a->sun_path) {
        memcpy(a->sun_path, path, len + 1);
        return 0;
    }
    const char *slash = strrchr(path, '/');
    if (slash == NULL) {
        errno = ENAMETOOLONG;
        return -1;
    }
    char *dir = uti_strndup(path, (size_t)(slash - path) + 1);
    *dir_fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
    free(dir);
    if (*dir_fd < 0)
        return -1;
    int n = snprintf(a->sun_path, sizeof a->sun_path, "/proc/self/fd/%d%s", *dir_fd, slash);
    if (n > 0 && (size_t)n < sizeof a->sun_path)
        return 0;
    errno = ENAMETOOLONG;
    close_keep_errno(*dir_fd);
    *dir_fd = -1;
    return -1;
}

static int connect_socket(int fd, const char *path, int timeout_ms)
{
    struct sockaddr_un a;
    int dir_fd, rc;
    if (timeout_ms > 0) {
        struct timeval t = { timeout_ms / 1000, timeout_ms % 1000 * 1000 };
        if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &t, sizeof t) != 0)
            return -1;
    }
    if (address_of(path, &a, &dir_fd) != 0)
        return -1;
    do
        rc = connect(fd, (const struct sockaddr *)&a, sizeof a);
    while (rc != 0 && errno == EINTR);
    close_keep_errno(dir_fd);
    return rc;
}

int unix_connect(const char *path, int timeout_ms)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | (timeout_ms == 0 ? SOCK_NONBLOCK : 0), 0);
    if (fd < 0)
        return -1;
    if (connect_socket(fd, path, timeout_ms) == 0)
        return fd;
    close_keep_errno(fd);
    return -1;
}

/* 0 if PATH is free or a socket without a listener; else -1 with errno */
static int path_is_free(const char *path)
{
    struct stat st;
    if (lstat(path, &st) != 0)
        return errno == ENOENT ? 0 : -1;
    if (!S_ISSOCK(st.st_mode)) {
        errno = ENOTSOCK;
        return -1;
    }
    int fd = unix_connect(path, 0);
    if (fd < 0 && (errno == ECONNREFUSED || errno == ENOENT))
        return 0;
    if (fd >= 0)
        close(fd);
    if (fd >= 0 || errno == EAGAIN)
        errno = EADDRINUSE; /* a full queue has a listener too */
    return -1;
}

/* everything is done under TEMP, so that PATH never shows a socket with a wrong mode or no
 * listener */
static int bind_and_listen(int fd, const char *temp, mode_t mode, const char *path)
{
    struct sockaddr_un a;
    int dir_fd;
    if (address_of(temp, &a, &dir_fd) != 0)
        return -1;
    int rc = bind(fd, (const struct sockaddr *)&a, sizeof a);
    close_keep_errno(dir_fd);
    if (rc != 0)
        return -1;
    if (chmod(temp, mode) == 0 && listen(fd, SOMAXCONN) == 0 && rename(temp, path) == 0)
        return 0;
    int err = errno;
    unlink(temp);
    errno = err;
    return -1;
}

int unix_listen(const char *path, mode_t mode)
{
    if (path_is_free(path) != 0)
        return -1;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    (void)os_refuse_descriptors(fd); /* passed_fds.h: who accepts looks again */
    struct dstr temp = DSTR_INIT;
    dstr_addf(&temp, "%s.%d", path, (int)getpid());
    unlink(temp.s); /* of an earlier process with our number that died right here */
    if (bind_and_listen(fd, temp.s, mode, path) != 0) {
        close_keep_errno(fd);
        fd = -1;
    }
    dstr_free(&temp);
    return fd;
}
