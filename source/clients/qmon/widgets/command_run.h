#ifndef CLIENTS_QMON_WIDGETS_COMMAND_RUN_H
#define CLIENTS_QMON_WIDGETS_COMMAND_RUN_H

#include <X11/Intrinsic.h>

#include "libs/cli/words.h"
#include "libs/view/board.h"

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

/* The commands that show a task, as words that are appended. Pure. */

/* task_why_words - why it waits, or where it runs
 * task_record_words - its accounting record; of a task that has not ended what it uses
 * task_output_words - the last MOST bytes of the file PATH, or if that is a directory of NAME in
 * it */
enum { TASK_OUTPUT_MOST = 64 * 1024 };
void task_why_words(const struct board_job *job, uint32_t ordinal, struct words *words);
void task_record_words(const struct board_job *job, uint32_t ordinal, struct words *words);
void task_output_words(const char *path, const char *name, uint32_t most, struct words *words);

#endif
