/* A kernel before Linux 6.16, which cannot refuse descriptors: preloaded into a daemon. */
#include <dlfcn.h>
#include <errno.h>
#include <sys/socket.h>

#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif

int setsockopt(int fd, int level, int option, const void *value, socklen_t len)
{
    int (*next)(int, int, int, const void *, socklen_t);
    *(void **)&next = dlsym(RTLD_NEXT, "setsockopt");
    if (level == SOL_SOCKET && option == SO_PASSRIGHTS) {
        errno = ENOPROTOOPT;
        return -1;
    }
    return next(fd, level, option, value, len);
}
