#ifndef CLIENTS_QMON_COMMAND_RUN_H
#define CLIENTS_QMON_COMMAND_RUN_H

#include <X11/Intrinsic.h>

#include "libs/cli/words.h"

/* A program that runs beside the windows, which do not wait for it: what a window shows of a
 * command is what the command says in a shell. */
struct answer;
struct command;
enum { COMMAND_SAID_MOST = 128 * 1024 }; /* bytes of what it prints; the rest is dropped */

/* what became of it; SAID is what it printed on both streams, borrowed */
typedef void (*command_done_fn)(void *ctx, bool is_good, const char *said);

/* command_run - start WORDS, of which the first is a program of BIN_DIR, or has a "/"
 * DONE is called once, from the loop of APP, when it has ended. Returns a handle for command_stop
 * that is valid until then, or NULL with ans. */
struct command *command_run(XtAppContext app, const char *bin_dir, const struct words *words,
                            command_done_fn done, void *ctx, struct answer *ans);
/* command_stop - kill it; DONE is not called any more. NULL is fine. Does not wait. */
void command_stop(struct command *c);

#endif
