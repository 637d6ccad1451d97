#ifndef SHEPHERD_HOOKS_H
#define SHEPHERD_HOOKS_H

#include <sys/types.h>

#include "common/basis.h"

/* Commands around the job: prolog, pe_start, pe_stop, epilog, and the methods that suspend, resume
 * and terminate it. They run as the job's owner, with what the system says of the job for an
 * environment (environment_for_hooks), write into its output files where these are plain files
 * (job_exec.h says which file a directory gets), and take at most script_timeout seconds. What a
 * user can break, his directories and files, does not keep them from running: a hook that fails is
 * the queue's fault. One that a signal ended, or stopped until its time was over, is the job's: its
 * owner can send signals to it. */
struct shepherd;

/* hook_run - run the command that the configuration names under KEY, if it does
 *
 *   failure  which enum task_failure it is when the command does not exit with 0
 *
 * Exit 99 asks to put the task back, 100 to park it, as for the job. Returns TASK_FAILED_NOT or the
 * failure; its words are in the file "error" then. */
unsigned hook_run(struct shepherd *s, const char *key, unsigned failure);

/* hook_method - act on the running job by KEY ("suspend_method" ...): a command, the name of a
 * signal, or nothing.
 * Returns false if nothing is configured: then the default is the caller's. */
bool hook_method(struct shepherd *s, const char *key);

#endif
