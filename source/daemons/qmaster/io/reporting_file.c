/* Appends lines, all or none. Owns no data. */
#include "daemons/qmaster/io/reporting_file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "daemons/qmaster/io/msg_io.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"

int reporting_file_append(const char *path, const char *lines, size_t len, struct answer *ans)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    off_t before = fd >= 0 ? lseek(fd, 0, SEEK_END) : -1;
    int rc = before >= 0 ? file_write_all(fd, lines, len) : -1, error = errno;
    if (rc != 0 && before >= 0)
        (void)!ftruncate(fd, before);
    if (fd >= 0)
        close(fd);
    return rc == 0 ? 0 : ans_sys(ans, error, MSG_REPORTING_S, path);
}
