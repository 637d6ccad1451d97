#ifndef CLI_SCRIPT_H
#define CLI_SCRIPT_H

#include "common/basis.h"

struct answer;
struct dstr;

/* script_read - append a job script to OUT
 *   path  NULL: standard input, to its end
 * Returns 0, or -1 with ans: STATUS_ENOFILE it cannot be opened, STATUS_EINPUT it cannot be read,
 * is empty (standard input only), over JOB_SCRIPT_MOST (job_state.h) bytes, or no text. */
int script_read(const char *path, struct dstr *out, struct answer *ans);

#endif
