#ifndef CLI_REQUEST_FILE_H
#define CLI_REQUEST_FILE_H

#include "libs/cli/words.h"

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
