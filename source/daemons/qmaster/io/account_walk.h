#ifndef QMASTER_IO_ACCOUNT_WALK_H
#define QMASTER_IO_ACCOUNT_WALK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "libs/uti/dstr.h"
#include "libs/uti/tree.h"

/* One way through the accounting file, from its beginning, in slices. It is owned by the thread
 * that works on it: the core between two slices, the thread that reads (account_reader.h) during
 * one, a note on its way back. */
struct account_walk {
    STAILQ_ENTRY(account_walk) next;
    uint64_t id;        /* the core's */
    uint32_t *jobs;     /* owned: lines of these jobs alone, ascending; none: all lines */
    uint32_t n_jobs;    /* of them */
    bool reads_private; /* also a file that is not readable by everybody */
    FILE *file;         /* open after the first slice: also when the file is moved away meanwhile */
    char *line;         /* of getline */
    size_t cap;         /* of line */
    /* what the last slice has found, whole lines */
    struct dstr lines;
    bool is_complete; /* there are no more */
    int error;        /* errno of what kept it from being read: it is complete */
};
/* account_walk_new - nothing is read yet; JOBS are taken. New: account_walk_free (NULL is fine) */
struct account_walk *account_walk_new(uint64_t id, uint32_t *jobs, uint32_t n_jobs,
                                      bool reads_private);
void account_walk_free(struct account_walk *w);
/* account_walk_slice - read on in the file at PATH: lines and what follows them are filled. A slice
 * ends with ACCOUNT_SLICE_FOUND bytes of lines, or when it has looked at ACCOUNT_SLICE_READ bytes:
 * lines may then be empty. May wait for the disk. */
void account_walk_slice(struct account_walk *w, const char *path);
enum { ACCOUNT_SLICE_FOUND = 256 << 10, ACCOUNT_SLICE_READ = 16 << 20 };

#endif
