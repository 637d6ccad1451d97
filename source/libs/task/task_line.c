/* One byte for each message, and descriptors with those to the shepherd. Source: unix(7),
 * SCM_RIGHTS. */
#include "libs/task/task_line.h"

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libs/uti/os.h"

enum { FDS = 2 };
union fd_control { /* aligned as the kernel wants it */
    struct cmsghdr head;
    char room[CMSG_SPACE(FDS * sizeof(int))];
};

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
    char byte = 0;
    int fds[FDS] = { dir_fd, pid_fd };
    struct iovec data = { &byte, 1 };
    union fd_control control = { .head = { .cmsg_len = CMSG_LEN(sizeof fds),
                                           .cmsg_level = SOL_SOCKET,
                                           .cmsg_type = SCM_RIGHTS } };
    struct msghdr m = { .msg_iov = &data,
                        .msg_iovlen = 1,
                        .msg_control = &control,
                        .msg_controllen = sizeof control.room };
    memcpy(CMSG_DATA(&control.head), fds, sizeof fds);
    return sendmsg(own, &m, MSG_NOSIGNAL) == 1 ? 0 : -1;
}

int task_line_take(int shepherds, int *dir_fd, int *pid_fd)
{
    char byte;
    int fds[FDS];
    struct iovec data = { &byte, 1 };
    union fd_control control;
    struct msghdr m = { .msg_iov = &data,
                        .msg_iovlen = 1,
                        .msg_control = &control,
                        .msg_controllen = sizeof control.room };
    if (recvmsg(shepherds, &m, MSG_CMSG_CLOEXEC) != 1)
        return -1;
    const struct cmsghdr *head = CMSG_FIRSTHDR(&m);
    if (head == NULL || head->cmsg_type != SCM_RIGHTS || head->cmsg_len != CMSG_LEN(sizeof fds))
        return -1; /* only our execd is at the other end */
    memcpy(fds, CMSG_DATA(head), sizeof fds);
    *dir_fd = fds[0];
    *pid_fd = fds[1];
    return 0;
}
