/* Reads job scripts from files and standard input, within a limit. The texts are those users know
 * from qsub. */
#include "libs/cli/script.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "libs/cli/msg_cli.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/guard.h"

static int read_fd(int fd, const char *name, struct dstr *out, struct answer *ans)
{
    char chunk[16384];
    for (;;) {
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n == 0)
            return 0;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EISDIR)
            return ans_fail(ans, STATUS_EINPUT, MSG_FILE_IS_DIRECTORY_SS, name, name);
        if (n < 0)
            return ans_fail(ans, STATUS_EINPUT, MSG_FILE_READ_SS, name, strerror(errno));
        if (out->len + (size_t)n > JOB_SCRIPT_MOST)
            return ans_fail(ans, STATUS_EINPUT, MSG_FILE_BIG_SI, name, JOB_SCRIPT_MOST);
        if (memchr(chunk, '\0', (size_t)n) != NULL)
            return ans_fail(ans, STATUS_EINPUT, MSG_FILE_NUL_S, name);
        dstr_addn(out, chunk, (size_t)n);
    }
}

static int read_stdin(struct dstr *out, struct answer *ans)
{
    if (read_fd(STDIN_FILENO, "standard input", out, ans) < 0)
        return -1;
    return out->len > 0 ? 0 : ans_fail(ans, STATUS_EINPUT, MSG_STDIN_EMPTY);
}

int script_read(const char *path, struct dstr *out, struct answer *ans)
{
    if (path == NULL)
        return read_stdin(out, ans);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return ans_fail(ans, STATUS_ENOFILE, MSG_FILE_OPEN_SS, path, strerror(errno));
    int result = read_fd(guard_opened(fd), path, out, ans);
    guard_close(fd);
    return result;
}
