/* From pipes or a terminal into files. The process does nothing else, so that a slow file system
 * delays its job alone. Source: qrsh(1) -detach. */
#include "daemons/shepherd/detached.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libs/task/session_frame.h"

enum { OUTPUT, ERRORS, STREAMS };

static int open_file(const struct detached_file *o)
{
    const int flags = O_WRONLY | O_CREAT | O_APPEND | O_NOCTTY | O_CLOEXEC;
    int fd = open(o->path, flags, 0666);
    return fd < 0 && errno == EISDIR ? open(o->in_dir, flags, 0666) : fd;
}

static void open_files(struct detached *d, const struct detached_files *files)
{
    d->files[OUTPUT] = open_file(&files->out);
    d->files[ERRORS] = files->err.path != NULL ? open_file(&files->err) : d->files[OUTPUT];
}

static void write_all(int fd, const uint8_t *bytes, size_t len)
{
    while (fd >= 0 && len > 0) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno != EINTR)
            return;
        bytes += n > 0 ? n : 0;
        len -= n > 0 ? (size_t)n : 0;
    }
}

/* the client may have had a part of it */
static void write_rest(const struct detached *d, const struct session_writer *w)
{
    struct session_frame f;
    if (session_writer_is_empty(w) || session_header_unpack(w->bytes, SESSION_DATA_MOST, &f) != 0)
        return;
    if (f.kind == SESSION_STDOUT || f.kind == SESSION_STDERR)
        write_all(d->files[f.kind == SESSION_STDERR], w->bytes + SESSION_HEADER_BYTES, f.len);
}

/* true: there was something, and there may be more */
static bool take_some(int *fd, int file, uint8_t *room)
{
    ssize_t n = *fd >= 0 ? read(*fd, room, SESSION_DATA_MOST) : 0;
    if (n > 0) {
        write_all(file, room, (size_t)n);
    } else if (*fd >= 0 && (n == 0 || errno != EAGAIN)) {
        close(*fd);
        *fd = -1;
    }
    return n > 0;
}

bool detached_run(struct detached *d, const struct detached_files *files,
                  struct session_writer *writer)
{
    bool has_shepherd = true, is_left = true;
    (void)umask(022); /* as the job has it */
    open_files(d, files);
    write_rest(d, writer);
    writer->n = writer->at = 0; /* its room is ours now */
    uint8_t *room = session_writer_room(writer);
    while (has_shepherd && (!d->has_ended || is_left)) {
        struct pollfd fds[] = { { d->out, POLLIN, 0 },
                                { d->err, POLLIN, 0 },
                                { d->has_ended ? -1 : d->control, POLLIN, 0 } };
        if (poll(fds, ARRAY_LEN(fds), d->has_ended ? 0 : -1) < 0)
            continue;
        uint8_t status[SESSION_TEXT_MOST];
        if (fds[STREAMS].revents != 0) {
            d->has_ended = true;
            has_shepherd = read(d->control, status, sizeof status) > 0;
        }
        is_left = take_some(&d->err, d->files[ERRORS], room);
        is_left = take_some(&d->out, d->files[OUTPUT], room) || is_left;
    }
    return has_shepherd;
}
