#ifndef QMASTER_IO_REPORTING_FILE_H
#define QMASTER_IO_REPORTING_FILE_H

#include "common/basis.h"

/* The reporting file (reporting(5)): lines for external programs. It is opened anew each time,
 * so that it may be moved away at any moment; nothing in it is synced. It leaves the last
 * REPORTING_LEAVES_BYTES of the disk to the accounting file, which must not lose a line. */
enum { REPORTING_LEAVES_BYTES = 64 << 20 };
struct answer;

/* reporting_file_append - whole LINES behind what is in PATH, which is made if it is missing.
 * Returns 0, or -1 with ans and the file as it was. */
int reporting_file_append(const char *path, const char *lines, size_t len, struct answer *ans);

#endif
