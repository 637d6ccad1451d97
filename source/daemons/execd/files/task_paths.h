#ifndef EXECD_FILES_TASK_PATHS_H
#define EXECD_FILES_TASK_PATHS_H

#include "libs/sgeobj/path_expand.h"

/* Where the standard files of a task are: -i, -o and -e with their variables replaced, and which of
 * them the site's prolog and epilog copy from other hosts and to other hosts. Pure. */
struct dstr;
struct task_text_input;

/* task_path_vars - what the variables in paths of -i, -o, -e and -S stand for; borrows from IN */
struct path_vars task_path_vars(const struct task_text_input *in);
/* task_cwd - where the job runs and relative output paths begin; borrowed */
const char *task_cwd(const struct task_text_input *in);

/* task_paths_config - append stdin_path, stdout_path and stderr_path to a "config", and the lines
 * fs_stdin_host ... fs_stderr_file_staging for hooks where delegated_file_staging is true
 *
 * A file that is staged (PN_file_staging) is in TMPDIR while the task is here; hooks copy it from
 * PN_path on PN_file_host, or there. Source: sge_conf(5) delegated_file_staging; captured config
 * files */
void task_paths_config(const struct task_text_input *in, struct dstr *out);

#endif
