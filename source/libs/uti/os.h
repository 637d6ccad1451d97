#ifndef UTI_OS_H
#define UTI_OS_H

#include <signal.h>
#include <sys/types.h>

#include "common/basis.h"

struct answer;

/* What differs between systems; os_linux.c is the only place with system-only calls. */

const char *os_arch(void);                /* "lx-amd64" */
int os_hostname(char *buf, size_t bytes); /* 0 or -1; NUL-terminated */
int os_become_subreaper(void);            /* orphans below us become our children; 0 or -1 errno */
void os_thread_name(
    const char *
        name); /* what ps -L shows of this thread; a process's first thread keeps the program's name */
int os_die_with_parent(int sig);         /* prctl PDEATHSIG; 0 or -1 errno */
int os_pidfd_open(pid_t pid);            /* close-on-exec; -1 errno */
int os_pidfd_signal(int pidfd, int sig); /* 0 or -1 errno */
int os_close_from(int lowest);           /* closes all descriptors >= lowest */
int os_close_on_exec_from(int lowest);   /* marks them all close-on-exec */
/* os_peer_ids - who is at the other end of a connected unix socket, as the kernel says */
int os_peer_ids(int fd, uid_t *uid, gid_t *gid, pid_t *pid);
/* os_process_start - start time of PID in clock ticks since boot: with the pid it names a process for
 * ever. Returns 0 or -1 (gone). */
int os_process_start(pid_t pid, uint64_t *ticks);
/* os_boot_id - a text that changes with every boot of this machine; 0 or -1 */
int os_boot_id(char *buf, size_t bytes);
/* os_signal_fd - readable while one of SIGNALS, which are blocked, is pending; close-on-exec, -1 errno
 * os_signal_take - take the next that is pending, without waiting; 0 if there is none */
int os_signal_fd(const sigset_t *signals);
int os_signal_take(int signal_fd);
/* os_is_mount_root - is the open directory the top of a mount (bind mounts too)? 1, 0 or -1 errno */
int os_is_mount_root(int dir_fd);

#endif
