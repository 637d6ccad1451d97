/* qrsh_starter - the command of a job, as the daemon of a configured session starts it: what the
 * shepherd has written down in the directory is executed, with the environment of the job, and the
 * exit status of that is written there. Source: sge_conf(5) rsh_daemon. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clients/qrsh_starter/msg_qrsh_starter.h"
#include "common/basis.h"
#include "libs/task/start_file.h"

enum { SIGNAL_EXIT_BASE = 128 };

/* those that end the command end this program when it has */
static void leave_signals(bool is_command)
{
    static const int signals[] = { SIGINT, SIGQUIT, SIGHUP, SIGTERM };
    struct sigaction action = { .sa_handler = is_command ? SIG_DFL : SIG_IGN };
    for (size_t i = 0; i < ARRAY_LEN(signals); i++)
        (void)sigaction(signals[i], &action, NULL);
}

static SGE_NORETURN void stop_with(const char *text, const char *what, int err)
{
    fprintf(stderr, text, what, strerror(err));
    _exit(EXIT_FAILURE);
}

static SGE_NORETURN void execute_command(const struct start_file *f)
{
    int reason = ENOENT;
    leave_signals(true);
    if (chdir(f->cwd) != 0)
        stop_with(MSG_NO_DIRECTORY_SS, f->cwd, errno);
    for (unsigned i = 0; f->paths[i] != NULL; i++) {
        (void)execve(f->paths[i], f->argv, f->envp);
        if (errno == ENOEXEC && f->fallback[0] != NULL)
            (void)execve(f->fallback[0], f->fallback + 1, f->envp);
        if (errno != ENOENT && errno != ENOTDIR)
            reason = errno;
    }
    stop_with(MSG_NOT_EXECUTED_SS, f->argv[0], reason);
}

static int wait_for(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFSIGNALED(status) ? SIGNAL_EXIT_BASE + WTERMSIG(status) : WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
    struct start_file f;
    char *bytes;
    if (argc != 2) {
        fputs(MSG_USAGE, stderr);
        return EXIT_FAILURE;
    }
    int err = start_file_read(argv[1], &f, &bytes);
    if (err != 0)
        stop_with(MSG_NO_START_SS, argv[1], err);
    leave_signals(false);
    pid_t pid = fork();
    if (pid == 0)
        execute_command(&f);
    if (pid < 0)
        stop_with(MSG_NOT_EXECUTED_SS, f.argv[0], errno);
    int status = wait_for(pid);
    (void)start_status_write(argv[1], status); /* else the daemon's counts */
    start_file_free(&f, bytes);
    return status;
}
