/* Between two tasks. Nothing of the last one is left when the execd hears that this shepherd is
 * free: no process, no memory, neither its directory nor its lock. What comes while there is no
 * task ends the shepherd; what comes with the next task is that task's. */
#include "daemons/shepherd/next_task.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "daemons/shepherd/shepherd.h"
#include "libs/task/task_dir.h"
#include "libs/task/task_line.h"
#include "libs/uti/os.h"

/* readable while any signal is pending but that of a child that has ended */
static int open_signals(void)
{
    sigset_t signals;
    sigfillset(&signals);
    sigdelset(&signals, SIGCHLD);
    return os_signal_fd(&signals);
}

/* false: there will be no next task */
static bool wait_for_line(const struct shepherd *s)
{
    struct pollfd fds[] = { { .fd = TASK_LINE_FD, .events = POLLIN },
                            { .fd = s->signal_fd, .events = POLLIN } };
    return poll(fds, ARRAY_LEN(fds), -1) > 0 && (fds[0].revents & POLLIN) != 0;
}

static bool take_task(void)
{
    int dir_fd, pid_fd;
    if (task_line_take(TASK_LINE_FD, &dir_fd, &pid_fd) != 0)
        return false;
    bool is_there = fchdir(dir_fd) == 0;
    close(dir_fd);
    if (pid_fd != TASK_PID_FD) {
        is_there = is_there && dup3(pid_fd, TASK_PID_FD, O_CLOEXEC) >= 0;
        close(pid_fd);
    }
    return is_there;
}

bool next_task_wait(struct shepherd *s)
{
    shepherd_clear(s);
    if (s->signal_fd == 0) /* while TASK_PID_FD is open: it must not get that number */
        s->signal_fd = open_signals();
    close(TASK_PID_FD);
    (void)chdir("/"); /* the directory of the task is the execd's now */
    return s->signal_fd >= 0 && task_line_say_free(TASK_LINE_FD) == 0 && wait_for_line(s) &&
           take_task();
}
