/* The user's editor on a temporary file. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clients/qconf/msg_qconf.h"
#include "clients/qconf/qconf.h"
#include "libs/uti/file.h"

enum { EDIT_MAX_BYTES = 16 * 1024 * 1024 };

extern char **environ;

static const char *editor_name(void)
{
    const char *editor = getenv("EDITOR");
    if (editor == NULL || *editor == '\0')
        editor = getenv("VISUAL");
    return editor != NULL && *editor != '\0' ? editor : "vi";
}

/* $EDITOR may hold arguments, so a shell takes it apart; the path is handed over as a word of its
 * own. */
static int run_editor(const char *path, struct answer *ans)
{
    const char *editor = editor_name();
    struct dstr command = DSTR_INIT;
    pid_t pid;
    int status = 0;
    dstr_addf(&command, "exec %s \"$0\"", editor);
    char *const args[] = { "sh", "-c", command.s, (char *)path, NULL };
    int err = posix_spawn(&pid, "/bin/sh", NULL, NULL, args, environ);
    while (err == 0 && waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR)
            err = errno;
    }
    dstr_free(&command);
    if (err != 0)
        return ans_sys(ans, err, "%s", editor);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_EDITOR_FAILED_SD, editor,
                        WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    return 0;
}

/* a new temporary file with TEXT in it; its path is new, NULL with ans */
static char *write_temporary(const char *text, struct answer *ans)
{
    const char *dir = getenv("TMPDIR");
    char *path = path_join(dir != NULL && *dir != '\0' ? dir : "/tmp", "qconf-XXXXXX");
    int fd = mkostemp(path, O_CLOEXEC);
    int err = fd < 0 || file_write_all(fd, text, strlen(text)) < 0 ? errno : 0;
    if (fd >= 0 && close(fd) < 0 && err == 0)
        err = errno;
    if (err == 0)
        return path;
    (void)ans_sys(ans, err, MSG_EDITOR_FILE_S, path);
    if (fd >= 0)
        (void)unlink(path);
    free(path);
    return NULL;
}

int edit_with_editor(void *ctx, const char *text, struct dstr *out, struct answer *ans)
{
    struct qconf *q = ctx;
    char *path = write_temporary(text, ans);
    int result = -1;
    if (path == NULL)
        return -1;
    (void)fflush(q->out);
    if (run_editor(path, ans) == 0 && file_read(path, EDIT_MAX_BYTES, out, ans) == 0)
        result = strcmp(dstr_get(out), text) != 0;
    (void)unlink(path);
    free(path);
    return result;
}

void edit_keep(struct qconf *q, const char *text)
{
    struct answer ans = ANSWER_INIT;
    char *path = write_temporary(text, &ans);
    if (path != NULL)
        (void)qconf_fail(q, MSG_EDIT_KEPT_S, path);
    else
        (void)qconf_print_failure(q, &ans, "");
    free(path);
}
