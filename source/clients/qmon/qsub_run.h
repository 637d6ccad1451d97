#ifndef CLIENTS_QMON_QSUB_RUN_H
#define CLIENTS_QMON_QSUB_RUN_H

#include <X11/Intrinsic.h>

#include "libs/cli/words.h"

/* A qsub that runs beside the windows: what it does is what the line in the window says. */
struct answer;

/* what became of it; SAID is all that it printed, borrowed */
typedef void (*qsub_done_fn)(void *ctx, bool is_good, const char *said);

/* qsub_run - start WORDS ("qsub" first) from the directory BIN_DIR; DONE is called once, from the
 * loop of APP, when it has ended. Returns 0, or -1 with ans. */
int qsub_run(XtAppContext app, const char *bin_dir, const struct words *words, qsub_done_fn done,
             void *ctx, struct answer *ans);

#endif
