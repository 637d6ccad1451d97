/* sge_shepherd - starts a task, stays with it to its end, and leaves nothing of it behind; then it
 * may be given another. See sge_shepherd(8). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemons/shepherd/privilege.h"
#include "daemons/shepherd/run.h"
#include "daemons/shepherd/shepherd.h"
#include "libs/task/task_dir.h"
#include "libs/uti/os.h"
#include "libs/uti/signals.h"
#include "libs/uti/time.h"
#include "libs/uti/usage.h"

static const char other_options[] = "   [-bg]                                    started by "
                                    "sge_execd: \"pid\" is open and locked\n"
                                    "   [-remove directory]                      remove it, run "
                                    "no task\n";

enum { REMOVE_S = 600, NICE = 10 };

/* "sge_shepherd -remove PATH": remove a directory that the execd, which must not wait for it, has
 * put aside. What users put into a directory has no bounds, so time has. Returns the exit
 * status. */
static int remove_directory(const char *path)
{
    privilege_nice(NICE);
    (void)os_oom_adjust(0);
    return privilege_remove_tree(path, uti_mono_us() + REMOVE_S * 1000000ULL) == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    bool has_pid_fd = argc == 2 && strcmp(argv[1], "-bg") == 0;
    bool is_removal = argc == 3 && strcmp(argv[1], "-remove") == 0;
    if (argc > 1 && !has_pid_fd && !is_removal)
        return usage_of_daemon("sge_shepherd", other_options, argv[argc - 1]);
    /* Daemons that a shell started in the background ignore SIGINT and SIGQUIT; a job must not
     * inherit that. The execd has seen to it. */
    if (!has_pid_fd)
        signal_default_all();
    os_fill_standard_streams();
    (void)os_close_on_exec_from(STDERR_FILENO + 1);
    if (is_removal)
        return remove_directory(argv[2]);
    supervise_block();
    (void)os_become_subreaper();
    struct shepherd s = { 0 };
    unsigned failed;
    do
        failed = shepherd_run(&s, has_pid_fd);
    while (has_pid_fd && failed == TASK_FAILED_NOT && next_task_wait(&s));
    exit((int)failed); /* with S, of which the last task's is not freed */
}
