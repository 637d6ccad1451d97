#ifndef QMASTER_IO_ACCOUNT_FILE_H
#define QMASTER_IO_ACCOUNT_FILE_H

#include "common/basis.h"
#include "libs/uti/dstr.h"

/* The accounting file as an appender that survives a crash at any byte: opened anew when it was
 * moved away (log rotation), a torn last line is cut off, lines that are in it already are not
 * written twice. Owned by the committer thread. */
struct answer;
struct account_file;

/* account_file_open - PATH is created with its header when missing; new: account_file_close; NULL
 * with ans */
struct account_file *account_file_open(const char *path, struct answer *ans);
/* account_file_close - without a sync; NULL is fine. account_file_path - borrowed */
void account_file_close(struct account_file *f);
const char *account_file_path(const struct account_file *f);
/* account_file_error - errno of what failed last: ENOSPC or EDQUOT if there was no room */
int account_file_error(const struct account_file *f);
/* account_file_append - whole lines with one write; 0, or -1 with ans and the file as it was. From
 * so many bytes on that are not known to be on disk it syncs first, and fails with the sync. */
enum { ACCOUNT_FILE_UNSYNCED_MOST = 16 << 20 };
int account_file_append(struct account_file *f, const char *lines, size_t len, struct answer *ans);
/* account_file_sync - what was appended is on disk; 0, or -1 with ans, and the next call writes and
 * syncs all of it again */
int account_file_sync(struct account_file *f, struct answer *ans);
/* account_file_append_missing - append those of LINES that are not among the last bytes of the
 * file, nor of a file that it was moved to: one in the same directory whose name begins with its
 * name. For the restart.
 *   left  gets the missing lines when they cannot be written
 * Returns 0, or -1 with ans. */
int account_file_append_missing(struct account_file *f, const char *lines, size_t len,
                                size_t look_back, struct dstr *left, struct answer *ans);

/* The reporting file (reporting(5)): lines for external programs. It is opened anew each time,
 * so that it may be moved away at any moment; nothing in it is synced. It leaves the last
 * REPORTING_LEAVES_BYTES of the disk to the accounting file, which must not lose a line. */
enum { REPORTING_LEAVES_BYTES = 64 << 20 };
struct answer;

/* reporting_file_append - whole LINES behind what is in PATH, which is made if it is missing.
 * Returns 0, or -1 with ans and the file as it was. */
int reporting_file_append(const char *path, const char *lines, size_t len, struct answer *ans);

#endif
