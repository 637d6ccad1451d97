/* One byte for each message, and descriptors with it. Source: unix(7), SCM_RIGHTS. */
#include "libs/uti/fd_pass.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

union fd_control { /* aligned as the kernel wants it */
    struct cmsghdr head;
    char room[CMSG_SPACE(FD_PASS_MOST * sizeof(int))];
};

int fd_pass(int socket, const int *fds, unsigned n)
{
    char byte = 0;
    struct iovec data = { &byte, 1 };
    union fd_control control = { .head = { .cmsg_len = CMSG_LEN(n * sizeof *fds),
                                           .cmsg_level = SOL_SOCKET,
                                           .cmsg_type = SCM_RIGHTS } };
    struct msghdr m = { .msg_iov = &data,
                        .msg_iovlen = 1,
                        .msg_control = &control,
                        .msg_controllen = CMSG_SPACE(n * sizeof *fds) };
    memcpy(CMSG_DATA(&control.head), fds, n * sizeof *fds);
    return sendmsg(socket, &m, MSG_NOSIGNAL | MSG_DONTWAIT) == 1 ? 0 : -1;
}

int fd_receive(int socket, int *fds, unsigned n)
{
    char byte;
    int came[FD_PASS_MOST];
    struct iovec data = { &byte, 1 };
    union fd_control control;
    struct msghdr m = { .msg_iov = &data,
                        .msg_iovlen = 1,
                        .msg_control = &control,
                        .msg_controllen = sizeof control.room };
    ssize_t got = recvmsg(socket, &m, MSG_CMSG_CLOEXEC);
    if (got != 1) {
        errno = got == 0 ? EPIPE : errno;
        return -1;
    }
    const struct cmsghdr *head = CMSG_FIRSTHDR(&m);
    errno = EBADMSG;
    if (head == NULL || head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS)
        return -1;
    unsigned n_came = (unsigned)((head->cmsg_len - CMSG_LEN(0)) / sizeof *came);
    memcpy(came, CMSG_DATA(head), n_came * sizeof *came);
    if (n_came == n) {
        memcpy(fds, came, n * sizeof *fds);
        return 0;
    }
    for (unsigned i = 0; i < n_came; i++)
        close(came[i]);
    errno = EBADMSG;
    return -1;
}
