/* One directory, watched for one name. The descriptor and its watch live as long as the struct. A
 * server moves its socket to the path when it listens already (unix_socket.c), so whoever is told
 * here can connect. */
#include "libs/comm/comeback.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/comm/loop.h"
#include "libs/uti/alloc.h"
#include "libs/uti/os.h"

struct comeback {
    int fd;
    char *name; /* in the directory */
    struct loop_watch *watch;
    void (*came)(void *ctx);
    void *ctx;
};

static void on_arrivals(void *ctx)
{
    const struct comeback *c = ctx;
    if (os_arrivals_have(c->fd, c->name))
        c->came(c->ctx);
}

/* the directory of PATH, whose name begins at NAME: new, free() */
static char *directory_of(const char *path, const char *name)
{
    size_t len = (size_t)(name - path);
    return len == 0 ? uti_strdup(".") : uti_strndup(path, len);
}

struct comeback *comeback_new(struct loop *l, const char *path, void (*came)(void *ctx), void *ctx)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    char *dir = directory_of(path, name);
    int fd = os_arrivals_fd(dir);
    free(dir);
    if (fd < 0)
        return NULL;
    struct comeback *c = uti_alloc(sizeof *c);
    *c = (struct comeback){ .fd = fd, .name = uti_strdup(name), .came = came, .ctx = ctx };
    c->watch = loop_watch_read(l, fd, on_arrivals, c);
    if (c->watch != NULL)
        return c;
    comeback_free(c);
    return NULL;
}

void comeback_free(struct comeback *c)
{
    if (c == NULL)
        return;
    loop_watch_free(c->watch);
    close(c->fd);
    free(c->name);
    free(c);
}
