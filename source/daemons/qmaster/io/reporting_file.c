/* Appends lines, all or none. Owns no data. */
#include "daemons/qmaster/io/reporting_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "daemons/qmaster/io/msg_io.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"

/* is there room for LEN bytes more? -1 with errno if not */
static int check_room(int fd, size_t len)
{
    struct statvfs disk;
    if (fstatvfs(fd, &disk) != 0)
        return -1;
    if ((uint64_t)disk.f_bavail * disk.f_frsize >= REPORTING_LEAVES_BYTES + len)
        return 0;
    errno = ENOSPC;
    return -1;
}

/* all of LINES or nothing; 0, or -1 with errno */
static int append_all(int fd, const char *lines, size_t len)
{
    off_t before = lseek(fd, 0, SEEK_END);
    if (before < 0 || check_room(fd, len) != 0)
        return -1;
    if (file_write_all(fd, lines, len) == 0)
        return 0;
    int error = errno;
    (void)!ftruncate(fd, before);
    errno = error;
    return -1;
}

int reporting_file_append(const char *path, const char *lines, size_t len, struct answer *ans)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    int rc = fd >= 0 ? append_all(fd, lines, len) : -1, error = errno;
    if (fd >= 0)
        close(fd);
    return rc == 0 ? 0 : ans_sys(ans, error, MSG_REPORTING_S, path);
}
