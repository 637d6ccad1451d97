/* A qsub beside the windows. Owns its process and the pipe that it speaks through, for as long as
 * it runs. */
#include "clients/qmon/qsub_run.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clients/qmon/msg_qmon.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

enum { READ_BYTES = 4096, SAID_MOST = 64 * 1024 };

struct running {
    pid_t pid;
    int out;
    XtInputId input;
    struct dstr said;
    qsub_done_fn done;
    void *ctx;
};

static void end_run(struct running *r)
{
    int status = 0;
    XtRemoveInput(r->input);
    close(r->out);
    while (waitpid(r->pid, &status, 0) < 0 && errno == EINTR)
        ;
    r->done(r->ctx, WIFEXITED(status) && WEXITSTATUS(status) == 0, dstr_get(&r->said));
    dstr_free(&r->said);
    free(r);
}

static void on_output(XtPointer ctx, int *fd SGE_UNUSED, XtInputId *id SGE_UNUSED)
{
    struct running *r = ctx;
    char data[READ_BYTES];
    ssize_t n = read(r->out, data, sizeof data);
    if (n > 0 && r->said.len + (size_t)n <= SAID_MOST)
        dstr_addn(&r->said, data, (size_t)n);
    else if (n == 0 || (n < 0 && errno != EINTR))
        end_run(r);
}

/* returns 0 or an error */
static int start_process(const char *path, char **argv, int out, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, out, STDERR_FILENO);
    int err = posix_spawn(pid, path, &files, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    return err;
}

static int start_words(const char *bin_dir, const struct words *words, int out, pid_t *pid)
{
    struct dstr path = DSTR_INIT;
    char **argv = uti_calloc(words->n + 1, sizeof *argv);
    dstr_addf(&path, "%s/%s", bin_dir, words->v[0]);
    memcpy(argv, words->v, words->n * sizeof *argv);
    int err = start_process(dstr_get(&path), argv, out, pid);
    free(argv);
    dstr_free(&path);
    return err;
}

int qsub_run(XtAppContext app, const char *bin_dir, const struct words *words, qsub_done_fn done,
             void *ctx, struct answer *ans)
{
    int ends[2];
    pid_t pid;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return ans_fail(ans, STATUS_ESYSTEM, MSG_QMON_QSUB_S, strerror(errno));
    int err = start_words(bin_dir, words, ends[1], &pid);
    close(ends[1]);
    if (err != 0) {
        close(ends[0]);
        return ans_fail(ans, STATUS_ENOFILE, MSG_QMON_QSUB_S, strerror(err));
    }
    struct running *r = uti_calloc(1, sizeof *r);
    *r = (struct running){ .pid = pid, .out = ends[0], .done = done, .ctx = ctx };
    r->input = XtAppAddInput(app, r->out, (XtPointer)XtInputReadMask, on_output, r);
    return 0;
}
