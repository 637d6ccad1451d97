#ifndef CLIENTS_QMON_TASK_COMMANDS_H
#define CLIENTS_QMON_TASK_COMMANDS_H

#include "libs/cli/words.h"
#include "libs/view/board.h"

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
