#ifndef UTI_PROCESS_H
#define UTI_PROCESS_H

#include <sys/types.h>

#include "common/basis.h"

/* The processes below a process, and those that carry a group: how a job is found that hides behind double forks. A snapshot:
 * processes come and go while it is taken, so whoever ends a tree takes another until none is left. */
struct process_list {
    pid_t *v; /* owned */
    uint32_t n, cap;
};
/* process_list_free - the list is empty afterwards */
void process_list_free(struct process_list *l);

/* os_children - append the direct children of PID (zombies too). Returns 0, or -1 if PID is gone. */
int os_children(pid_t pid, struct process_list *out);
/* process_descendants - append all that stand below ROOT, parents before children; ROOT itself not */
void process_descendants(pid_t root, struct process_list *out);
/* os_processes_of - append the processes that carry GROUP among their supplementary groups (0: none do) or whose initial
 * environment has the line VARIABLE (NULL: none do); not those that have ended. Reads all of /proc. */
void os_processes_of(gid_t group, const char *variable, struct process_list *out);
/* os_stands_below - is there a process called NAME (as /proc/PID/comm has it) of the caller's effective user above PID, nearer than
 * the caller itself? */
bool os_stands_below(pid_t pid, const char *name);

struct process_usage {
    double cpu_s; /* user and system, of the process and of children it has waited for */
    uint64_t vmem_bytes, rss_bytes; /* now */
    uint64_t io_bytes;              /* read from and written to storage */
};
/* os_process_usage - add the figures of PID to SUM. Returns 0, or -1 if it is gone (SUM unchanged). */
int os_process_usage(pid_t pid, struct process_usage *sum);

#endif
