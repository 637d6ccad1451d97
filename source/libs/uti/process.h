#ifndef UTI_PROCESS_H
#define UTI_PROCESS_H

#include <sys/types.h>

#include "common/basis.h"

struct dstr;
/* A process, distinguished from all that had or will have its pid: what a file says about a
 * process is this, never a mere pid. */
enum { BOOT_ID_BYTES = 40 };
struct process_id {
    pid_t pid; /* 0: none */
    uint64_t start_ticks;
    char boot_id[BOOT_ID_BYTES];
};
/* process_id_self - the calling process. Returns 0, or -1 errno. */
int process_id_self(struct process_id *id);
/* process_id_text - append "PID START BOOT\n"; process_id_parse - read that; false, with *ID
 * none, unless it is whole */
void process_id_text(const struct process_id *id, struct dstr *out);
bool process_id_parse(const char *text, struct process_id *id);
/* os_process_open - a descriptor of that very process, if it runs a program called NAME as the
 * caller's effective user
 * Close-on-exec. Returns it, or -1 errno: ESRCH if there is no such process, or only another one
 * with its pid. */
int os_process_open(const struct process_id *id, const char *name);

/* The processes below a process, and those that carry a group: how a job is found that hides behind
 * double forks. A snapshot: processes come and go while it is taken, so to end a tree take another
 * until that is empty. */
struct process_list {
    pid_t *v; /* owned */
    uint32_t n, cap;
};
/* process_list_free - the list is empty afterwards */
void process_list_free(struct process_list *l);

/* os_children - append the direct children of PID (zombies too). Returns 0, or -1 if PID is
 * gone. */
int os_children(pid_t pid, struct process_list *out);
/* process_descendants - append all that stand below ROOT, parents before children; ROOT itself
 * not */
void process_descendants(pid_t root, struct process_list *out);
/* process_signal_below - send SIG to each process that stands below ROOT: the caller, or a child
 * that it has not waited for; not to BUT (0: to all), a child of the caller, and what is below that
 * A process is signalled through a descriptor that was opened before it was seen once more to be a
 * child of its parent, of ROOT, or of the caller, which orphans fall to: never a stranger that got
 * the pid of one that has ended. Parents are stopped before their children, which takes 20 ms at
 * most, and continue after them. Returns how many were found. */
uint32_t process_signal_below(pid_t root, pid_t but, int sig);
/* os_processes_of - append the processes that carry GROUP among their supplementary groups (0: none
 * do) or whose initial environment has the line VARIABLE (NULL: none do); not those that have
 * ended. Reads all of /proc. */
void os_processes_of(gid_t group, const char *variable, struct process_list *out);
/* os_has_group - does PID, which has not ended, carry GROUP among its supplementary groups? */
bool os_has_group(pid_t pid, gid_t group);
/* os_signal_marked - send SIG to PID if it still has GROUP or VARIABLE: through a descriptor, as
 * above. 0, or -1 errno (ESRCH) */
int os_signal_marked(pid_t pid, gid_t group, const char *variable, int sig);
/* os_stands_below - is there a process called NAME (as /proc/PID/comm has it) of the caller's
 * effective user above PID, nearer than the caller itself? */
bool os_stands_below(pid_t pid, const char *name);

/* process_is_stopped - is PID, or a process below it, stopped by a signal or a tracer? */
bool process_is_stopped(pid_t pid);

struct process_usage {
    double cpu_s; /* user and system, of the process and of children it has waited for */
    uint64_t vmem_bytes, rss_bytes; /* now */
    uint64_t io_bytes;              /* read from and written to storage */
};
/* os_process_size - add the figures of PID to SUM but for io_bytes, at half the cost. Returns 0, or
 * -1 (SUM unchanged). */
int os_process_size(pid_t pid, struct process_usage *sum);
/* os_process_usage - add the figures of PID to SUM. Returns 0, or -1 if it is gone (SUM
 * unchanged). */
int os_process_usage(pid_t pid, struct process_usage *sum);

#endif
