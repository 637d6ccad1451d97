/* One byte for each message, and descriptors with those to the shepherd (fd_pass.h). */
#include "libs/task/task_line.h"

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libs/uti/fd_pass.h"
#include "libs/uti/os.h"

int task_line_new(int *own, int *shepherds)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return -1;
    (void)os_refuse_descriptors(ends[0]); /* only we pass any */
    *own = ends[0];
    *shepherds = ends[1];
    return fcntl(*own, F_SETFL, O_NONBLOCK);
}

int task_line_say_free(int shepherds)
{
    return send(shepherds, "", 1, MSG_NOSIGNAL) == 1 ? 0 : -1;
}

bool task_line_hear_free(int own)
{
    char byte;
    return recv(own, &byte, 1, MSG_DONTWAIT) == 1;
}

int task_line_give(int own, int dir_fd, int pid_fd)
{
    const int fds[] = { dir_fd, pid_fd };
    return fd_pass(own, fds, ARRAY_LEN(fds));
}

int task_line_take(int shepherds, int *dir_fd, int *pid_fd)
{
    int fds[2];
    if (fd_receive(shepherds, fds, ARRAY_LEN(fds)) != 0)
        return -1;
    *dir_fd = fds[0];
    *pid_fd = fds[1];
    return 0;
}
