#ifndef SCHEDD_OUTPUT_FILE_H
#define SCHEDD_OUTPUT_FILE_H

#include <sys/types.h>

#include "common/basis.h"

/* Files of the scheduler, each written by a thread of its own: a slow disk delays no run. */
struct output_file;

struct output_file_kind {
    const char *thread;    /* what the thread is called; static */
    mode_t mode;           /* of a new file */
    uint64_t bytes_most;   /* a file with so many becomes PATH.1, in place of an older one */
    uint32_t waiting_most; /* bytes that may wait for the disk */
    const char *when_late; /* what happens to what comes then, for the log; static */
    bool is_whole;         /* a file that is there becomes PATH.1 before the first bytes; what
                            * cannot be written, or is left out, is the end of the file */
};

/* output_file_new - PATH and KIND are copied; nothing is opened, no thread runs until the first
 *   output_file_add
 * output_file_add - write BYTES of DATA behind all others. Returns false if they are left out:
 *   too many wait, which the log says, or the file has ended. Blocks nothing
 * output_file_free - waits until all of it is written; NULL is fine */
struct output_file *output_file_new(const char *path, const struct output_file_kind *kind);
bool output_file_add(struct output_file *f, const void *data, size_t bytes);
void output_file_free(struct output_file *f);

#endif
