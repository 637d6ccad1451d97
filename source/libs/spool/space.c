/* Room on the disk: a ballast file that is given up when a commit finds none, and the question
 * whether new work may come.
 *
 * is_enough is false from the moment the ballast is gone until it could be laid down again. Only
 * spool_space_look and spool_space_relieve touch the disk; the answer itself is one atomic. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "libs/spool/msg_spool.h"
#include "libs/spool/spool_priv.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"

/* space_fill - lay the ballast down: blocks that are really there; 0 or an error number, no file
 * left on error */
static int space_fill(const char *path, size_t bytes)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return errno;
    int err = posix_fallocate(fd, 0, (off_t)bytes);
    if (close(fd) < 0 && err == 0)
        err = errno;
    if (err != 0)
        unlink(path);
    return err;
}

static bool space_is_free(const char *dir, size_t bytes)
{
    struct statvfs fs;
    return statvfs(dir, &fs) == 0 && (uint64_t)fs.f_bavail * fs.f_frsize >= bytes;
}

int spool_space_open(struct spool_space *sp, const char *dir, size_t ballast_bytes,
                     struct answer *ans)
{
    sp->dir = uti_strdup(dir);
    sp->ballast_path = path_join(dir, "ballast");
    sp->ballast_bytes = ballast_bytes;
    int err = space_fill(sp->ballast_path, ballast_bytes);
    sp->has_ballast = err == 0;
    sp->is_enough = err == 0 && space_is_free(dir, ballast_bytes);
    /* a full disk must not keep the qmaster from starting: it refuses new work, and ends what
     * runs */
    if (err == 0 || err == ENOSPC || err == EDQUOT)
        return 0;
    ans_sys(ans, err, MSG_SPOOL_BALLAST_S, dir);
    spool_space_close(sp);
    return -1;
}

void spool_space_close(struct spool_space *sp)
{
    free(sp->dir);
    free(sp->ballast_path);
    sp->dir = sp->ballast_path = NULL;
}

size_t spool_space_bytes(const struct spool_space *sp)
{
    return sp->has_ballast ? sp->ballast_bytes : 2 * sp->ballast_bytes;
}

int spool_space_error(const struct spool_space *sp)
{
    enum { PROBE_BYTES = 64 * 1024 };
    char *path = path_join(sp->dir, "probe");
    int err = space_fill(path, PROBE_BYTES);
    if (err == 0 && unlink(path) != 0)
        err = errno;
    free(path);
    return err;
}

uint64_t spool_space_disk_bytes(const struct spool_space *sp)
{
    struct statvfs fs;
    return statvfs(sp->dir, &fs) == 0 ? (uint64_t)fs.f_blocks * fs.f_frsize : 0;
}

void spool_space_look(struct spool_space *sp)
{
    bool is_free = space_is_free(sp->dir, spool_space_bytes(sp));
    if (is_free && !sp->has_ballast)
        sp->has_ballast = space_fill(sp->ballast_path, sp->ballast_bytes) == 0;
    sp->is_enough = is_free && sp->has_ballast;
}

bool spool_space_relieve(struct spool_space *sp)
{
    sp->is_enough = false;
    if (!sp->has_ballast)
        return false;
    sp->has_ballast = false;
    return unlink(sp->ballast_path) == 0;
}
