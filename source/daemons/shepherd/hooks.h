#ifndef SHEPHERD_HOOKS_H
#define SHEPHERD_HOOKS_H

#include <sys/types.h>

#include "daemons/shepherd/plan.h"

/* Commands around the job: prolog, pe_start, pe_stop, epilog, and the methods that suspend, resume
 * and terminate it. They run as the job's owner, or as the user in front of them, with the
 * environment of the job or a part of it (config.h), write into its output files where these are
 * plain files (launch_io.h says which file a directory gets), and take at most script_timeout
 * seconds. What a user can break, his directories and files, does not keep them from running: a
 * hook that fails is the queue's fault. One that a signal ended, or stopped until its time was
 * over, is the job's: its owner can send signals to it. */
struct exec_command;
struct shepherd;

/* hook_run - run the command of ROW, if one is configured
 * Returns TASK_FAILED_NOT or the failure, an enum task_failure; its words are in the file "error"
 * then. */
unsigned hook_run(struct shepherd *s, const struct plan_row *row);
/* hook_method - act on the running job by STEP, one of those on request: a command, the name of a
 * signal, or nothing. The limits of the job are kept meanwhile.
 * Returns false if nothing is configured: then the default is the caller's. */
bool hook_method(struct shepherd *s, enum plan_step step);
/* hook_command - the command of ROW with its variables replaced; new: command_free */
void hook_command(const struct shepherd *s, const struct plan_row *row, struct exec_command *out);

#endif
