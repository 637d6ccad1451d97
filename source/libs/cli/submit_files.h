#ifndef CLI_SUBMIT_FILES_H
#define CLI_SUBMIT_FILES_H

#include "common/basis.h"
#include "libs/cli/words.h"

struct answer;
struct dstr;

/* script_read - append a job script to OUT
 *   path  NULL: standard input, to its end
 * Returns 0, or -1 with ans: STATUS_ENOFILE it cannot be opened, STATUS_EINPUT it cannot be read,
 * is empty (standard input only), over JOB_SCRIPT_MOST (job_state.h) bytes, or no text. */
int script_read(const char *path, struct dstr *out, struct answer *ans);

/* Request files that are read without being asked for: what stands in one decides what a job runs,
 * so it is used only if only the caller and root can have written it. Source:
 * sge_request(5). */

/* request_file_words - append the words of request file PATH to W
 * A file that does not exist adds none. Neither does one that belongs to another user, that others
 * may write, or whose directory is such: ANS gets a warning. The open file and the open directory
 * are judged, so that they cannot be exchanged in between.
 * Returns 0, or -1 with ans naming the file (W as it was): it cannot be read, a quote is open. */
int request_file_words(const char *path, struct words *w, struct answer *ans);

#endif
