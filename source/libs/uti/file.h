#ifndef UTI_FILE_H
#define UTI_FILE_H

#include <sys/types.h>

#include "common/basis.h"

struct answer;
struct dstr;

/* file_read - append the whole file PATH to OUT, refusing more than MAX_BYTES
 * Returns 0, or -1 with ans naming the path (OUT unchanged).
 * file_read_fd - the same for the open file FD, which stays open; PATH is for the texts */
int file_read(const char *path, size_t max_bytes, struct dstr *out, struct answer *ans);
int file_read_fd(int fd, const char *path, size_t max_bytes, struct dstr *out, struct answer *ans);
/* file_read_tail - append the last MOST bytes of PATH, from the first whole line of them on
 * Returns 0, or -1 with ans naming the path (OUT unchanged). */
int file_read_tail(const char *path, size_t most, struct dstr *out, struct answer *ans);

/* file_write - create or replace PATH in place: open(O_TRUNC), write, close. Not atomic, not
 * synced. */
int file_write(const char *path, const char *data, size_t len, mode_t mode, struct answer *ans);

/* file_overwrite_at - write PATH in place, relative to the open directory DIR_FD (or AT_FDCWD),
 * without cutting it to nothing first: ext4 writes a file that was cut to nothing out at its close,
 * which costs more than all the rest. A crash may leave a mixture; a symbolic link is refused. */
int file_overwrite_at(int dir_fd, const char *path, const char *data, size_t len, mode_t mode,
                      struct answer *ans);

/* file_replace - the same so that a reader or a crash sees the old or the new file, never a part:
 * a file beside it, fdatasync, rename, fsync of the directory. */
int file_replace(const char *path, const char *data, size_t len, mode_t mode, struct answer *ans);

/* file_rename_new - rename FROM to TO, which must not exist: 0, or -1 errno (EEXIST) */
int file_rename_new(const char *from, const char *to);

/* file_sync_parent - bring the directory that PATH is in to disk, so that a new name in it lasts; 0
 * or -1 with errno */
int file_sync_parent(const char *path);

/* file_mkdirs - make PATH and the directories above it that are missing; existing ones are fine */
int file_mkdirs(const char *path, mode_t mode, struct answer *ans);

/* file_rmtree - remove PATH and what is below it; follows no symbolic link, crosses no mount.
 * Missing is fine. Returns 0, or -1 naming the first path that could not be removed. */
int file_rmtree(const char *path, struct answer *ans);
/* file_rmtree_until - the same, but give up at UNTIL_US (monotonic): the tree may be growing, or
 * endless. What is left then can be removed by another call. */
int file_rmtree_until(const char *path, uint64_t until_us, struct answer *ans);

/* file_dir_is_empty - is nothing in the open directory DIR_FD, which is closed? false also when it
 * cannot be read */
bool file_dir_is_empty(int dir_fd);

/* file_write_all - write(2) until all is written or an error; EINTR is retried. 0 or -1 with
 * errno. */
int file_write_all(int fd, const void *data, size_t len);

/* file_lock - open or create PATH, for its owner alone, and take an exclusive lock without waiting:
 * no process without write permission can block us with it
 * Returns the descriptor (close it to unlock), or -1 with ans: STATUS_EEXIST if someone holds
 * it. */
int file_lock(const char *path, struct answer *ans);

/* path_join - "DIR/NAME"; new: free() it */
char *path_join(const char *dir, const char *name);

#endif
