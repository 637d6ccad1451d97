#ifndef SHEPHERD_DETACHED_H
#define SHEPHERD_DETACHED_H

#include "common/basis.h"

/* The output of a job that goes on without its client: into the files that a batch job would have.
 * Run by the pump of a session, as the owner of the job, for the rest of its life. */
struct session_writer;

struct detached_file {         /* borrowed */
    const char *path, *in_dir; /* in_dir: if `path` is a directory */
};
struct detached_files {
    struct detached_file out, err; /* err.path NULL: merged into out */
};
struct detached {
    int out, err, control; /* of the pump, non-blocking but control; -1: closed */
    bool has_ended;        /* the job */
    int files[2];          /* of detached_run */
};
/* detached_run - the frame that WRITER still has, then all that comes, until the job has ended and
 * nothing is left. What cannot be written, for want of a file or of space, is dropped. Returns true
 * unless the shepherd has gone. */
bool detached_run(struct detached *d, const struct detached_files *files,
                  struct session_writer *writer);

#endif
