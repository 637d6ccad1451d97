#ifndef TASK_START_FILE_H
#define TASK_START_FILE_H

#include "common/basis.h"

/* A command that a configured daemon starts (rsh_daemon of sge_conf(5)): the shepherd writes it
 * down in the TMPDIR of the job, as the job's owner, and qrsh_starter executes it there, and writes
 * down its exit status. All of it belongs to the owner of the job, and is gone with TMPDIR. */
struct start_file { /* lists end with NULL; NULL is an empty one */
    const char *cwd;
    char *const *paths;    /* tried in this order */
    char *const *argv;     /* argv[0] first */
    char *const *fallback; /* path, argv: for a script without "#!"; may be empty */
    char *const *envp;
};
enum { START_FILE_MOST = 64 * 1024 * 1024 };

/* start_file_write - in DIR, in which it must not exist yet. Returns 0, or an errno.
 * start_file_read - from DIR. OUT stands in *BYTES, new: free() both with start_file_free. Returns
 * 0, or an errno: EBADMSG if that is no such file, EFBIG if it is longer than START_FILE_MOST. */
int start_file_write(const char *dir, const struct start_file *f);
int start_file_read(const char *dir, struct start_file *out, char **bytes);
void start_file_free(struct start_file *f, char *bytes);

/* start_status_write - the exit status of the command, in DIR. Returns 0, or an errno.
 * start_status_read - that, or -1: there is no such file */
int start_status_write(const char *dir, int status);
int start_status_read(const char *dir);

#endif
