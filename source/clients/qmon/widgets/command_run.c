/* A program beside the windows. Owns its process and the pipe that it speaks through, for as long
 * as it runs: one that was killed is waited for when its pipe is closed. */
#include "clients/qmon/widgets/command_run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clients/qmon/widgets/msg_qmon.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

enum { READ_BYTES = 4096 };

struct command {
    pid_t pid;
    int out;
    XtInputId input;
    struct dstr said;
    command_done_fn done; /* NULL: it was stopped */
    void *ctx;
};

static void end_run(struct command *c)
{
    int status = 0;
    XtRemoveInput(c->input);
    close(c->out);
    while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (c->done != NULL)
        c->done(c->ctx, WIFEXITED(status) && WEXITSTATUS(status) == 0, dstr_get(&c->said));
    dstr_free(&c->said);
    free(c);
}

static void on_output(XtPointer ctx, int *fd SGE_UNUSED, XtInputId *id SGE_UNUSED)
{
    struct command *c = ctx;
    char data[READ_BYTES];
    ssize_t n = read(c->out, data, sizeof data);
    size_t room = COMMAND_SAID_MOST - c->said.len;
    if (n > 0)
        dstr_addn(&c->said, data, (size_t)n < room ? (size_t)n : room);
    else if (n == 0 || (n < 0 && errno != EINTR))
        end_run(c);
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
    if (strchr(words->v[0], '/') == NULL)
        dstr_addf(&path, "%s/", bin_dir);
    dstr_add(&path, words->v[0]);
    memcpy(argv, words->v, words->n * sizeof *argv);
    int err = start_process(dstr_get(&path), argv, out, pid);
    free(argv);
    dstr_free(&path);
    return err;
}

struct command *command_run(XtAppContext app, const char *bin_dir, const struct words *words,
                            command_done_fn done, void *ctx, struct answer *ans)
{
    int ends[2];
    pid_t pid;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return ans_null(ans, STATUS_ESYSTEM, MSG_QMON_RUN_SS, words->v[0], strerror(errno));
    int err = start_words(bin_dir, words, ends[1], &pid);
    close(ends[1]);
    if (err != 0) {
        close(ends[0]);
        return ans_null(ans, STATUS_ENOFILE, MSG_QMON_RUN_SS, words->v[0], strerror(err));
    }
    struct command *c = uti_calloc(1, sizeof *c);
    *c = (struct command){ .pid = pid, .out = ends[0], .done = done, .ctx = ctx };
    c->input = XtAppAddInput(app, c->out, (XtPointer)XtInputReadMask, on_output, c);
    return c;
}

void command_stop(struct command *c)
{
    if (c == NULL)
        return;
    c->done = NULL;
    (void)kill(c->pid, SIGKILL);
}

/* ---- the commands that show a task ---- */

static void add_word(struct words *words, const char *word)
{
    words_add(words, word, strlen(word), 0);
}

static void add_number(struct words *words, uint32_t number)
{
    struct dstr word = DSTR_INIT;
    dstr_addf(&word, "%u", number);
    add_word(words, word.s);
    dstr_free(&word);
}

static void add_qstat(const struct board_job *job, uint32_t ordinal, struct words *words)
{
    struct dstr task = DSTR_INIT;
    dstr_addf(&task, "%u.%u", job->rec.JB_job_number, job_task_id(&job->rec, ordinal));
    add_word(words, "qstat");
    add_word(words, "-j");
    add_word(words, task.s);
    dstr_free(&task);
}

void task_why_words(const struct board_job *job, uint32_t ordinal, struct words *words)
{
    add_qstat(job, ordinal, words);
    add_word(words, "-why");
}

void task_record_words(const struct board_job *job, uint32_t ordinal, struct words *words)
{
    if (!look_is_ended(board_task_look(job, ordinal))) {
        add_qstat(job, ordinal, words);
        return;
    }
    add_word(words, "qacct");
    add_word(words, "-j");
    add_number(words, job->rec.JB_job_number);
    if (!job_is_array(&job->rec))
        return;
    add_word(words, "-t");
    add_number(words, job_task_id(&job->rec, ordinal));
}

void task_output_words(const char *path, const char *name, uint32_t most, struct words *words)
{
    static const char script[] = "f=$1; [ ! -d \"$f\" ] || f=${f%/}/$2; "
                                 "[ ! -e \"$f\" ] || [ -f \"$f\" ] || "
                                 "{ echo \"$f keeps nothing\"; exit 1; }; "
                                 "exec tail -c \"$3\" -- \"$f\"";
    const char *const argv[] = { "/bin/sh", "-c", script, "sh", path, name };
    for (size_t i = 0; i < ARRAY_LEN(argv); i++)
        add_word(words, argv[i]);
    add_number(words, most);
}
