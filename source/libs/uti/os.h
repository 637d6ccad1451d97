#ifndef UTI_OS_H
#define UTI_OS_H

#include "common/basis.h"

#include <signal.h>
#include <sys/types.h>

struct answer;

/* What differs between systems; os_linux.c and memory_linux.c are the only places with system-only
 * calls. */

/* os_arch - what dist/util/arch printed when this was built, so that scripts and programs agree */
const char *os_arch(void);
/* os_hostname - the name of this host, NUL-terminated. Returns 0 or -1. */
int os_hostname(char *buf, size_t bytes);
/* os_become_subreaper - orphans below us become our children. Returns 0, or -1 with errno. */
int os_become_subreaper(void);
/* os_thread_name - what ps -L shows of this thread; a process's first thread keeps the program's
 * name */
void os_thread_name(const char *name);
/* os_process_name - what ps -o comm shows of a process that was forked and runs no other program */
void os_process_name(const char *name);
/* os_die_with_parent - get SIG when the parent thread ends (PDEATHSIG). Returns 0, or -1 with
 * errno. */
int os_die_with_parent(int sig);
/* os_no_new_privileges - neither this process nor what it starts can gain a privilege again, by
 * set-user-id programs for instance; a process that has changed its user may leave a core file all
 * the same. Returns 0, or -1 with errno. */
int os_no_new_privileges(void);
enum { OS_OOM_DAEMON = -900 }; /* for os_oom_adjust: what daemons take */
/* os_oom_adjust - how willingly the kernel ends this process, and those it will start, when memory
 * is short: -1000 (never) to 1000. To lower it needs root. Async-signal-safe. Returns 0, or -1 with
 * errno. */
int os_oom_adjust(int score);
/* os_pidfd_open - a descriptor of the process PID, close-on-exec; -1 with errno
 * os_pidfd_signal - send SIG to it, never to a successor with its pid; 0, or -1 with errno */
int os_pidfd_open(pid_t pid);
int os_pidfd_signal(int pidfd, int sig);
/* os_shared_memory - a descriptor, close-on-exec and above LEAST, of BYTES of memory, all zero,
 * which processes that have it share; -1 with errno */
int os_shared_memory(size_t bytes, int least);
/* os_arrivals_fd - readable when a file has come into directory DIR, made there or moved;
 * close-on-exec, never blocks. Returns -1 with errno where such a look cannot be had.
 * os_arrivals_have - was one of those that came since the last call NAME? Takes them all; some may
 * be missed when thousands come at once. */
int os_arrivals_fd(const char *dir);
bool os_arrivals_have(int fd, const char *name);
/* os_close_from, os_close_on_exec_from - close, or mark close-on-exec, all descriptors >= LOWEST
 * Return 0, or -1 with errno. */
int os_close_from(int lowest);
int os_close_on_exec_from(int lowest);
/* os_dir_each - call ENTRY_FN for each name in directory DIR_FD but "." and "..". It begins behind
 * the last name that was read from DIR_FD and stops when ENTRY_FN returns false, which may remove
 * the file of that name. Takes no memory. Returns 1 after the last name, 0 if ENTRY_FN stopped it,
 * -1 with errno.
 * os_dir_is_empty - 1 if it would find no name, 0 if one, -1 with errno */
typedef bool os_dir_entry_fn(void *ctx, const char *name);
int os_dir_each(int dir_fd, os_dir_entry_fn *entry_fn, void *ctx);
int os_dir_is_empty(int dir_fd);
/* os_rename_new - rename(2) between open directories (or AT_FDCWD) that replaces nothing. Returns
 * 0, or -1 with errno: EEXIST; EINVAL where the file system cannot do that. */
int os_rename_new(int from_dir, const char *from, int to_dir, const char *to);
/* os_file_admit - beside its owner, only user UID may read and execute the open file.
 * The owner alone can change or enlarge it, and who may do what. Returns 0, or -1 with errno:
 * EOPNOTSUPP where the file system has no access control lists. */
int os_file_admit(int fd, uid_t uid);
/* os_fill_standard_streams - open /dev/null for those of 0, 1 and 2 that are closed, so that no
 * file opened later gets such a number, to which any code may write messages */
void os_fill_standard_streams(void);
/* os_peer_ids - who is at the other end of a connected unix socket, as the kernel says. Returns 0,
 * or -1 with errno. */
int os_peer_ids(int fd, uid_t *uid, gid_t *gid, pid_t *pid);
/* os_refuse_descriptors - a peer that sends a descriptor to the unix socket FD, or to a connection
 * that FD accepts, gets EPERM. Returns 0, or -1 with errno: the kernel cannot (Linux before 6.16).
 * os_copy_descriptors - the calling thread has a table of descriptors of its own from now on, with
 * copies of all that are open. Returns 0, or -1 with errno. */
int os_refuse_descriptors(int fd);
int os_copy_descriptors(void);
/* os_process_start - start time of PID in clock ticks since boot: with the pid it names a process
 * for ever. Returns 0 or -1 (gone). */
int os_process_start(pid_t pid, uint64_t *ticks);
/* os_boot_id - a text that changes with every boot of this machine; 0 or -1 */
int os_boot_id(char *buf, size_t bytes);
/* os_lock_take - take the exclusive lock of the file behind FD without waiting. FD must be open for
 * writing, so that those who may only read the file cannot take its lock. The lock belongs to the
 * open file: processes that inherit the descriptor hold it together, and it goes with the last of
 * them. Returns 0, or -1 errno: EAGAIN if another has it.
 * os_lock_is_held - has another open file that lock? Takes nothing; FD may be read-only. 1, 0, or
 * -1 errno */
int os_lock_take(int fd);
int os_lock_is_held(int fd);
/* os_signal_fd - readable while one of SIGNALS, which are blocked, is pending; close-on-exec, -1
 * errno
 * os_signal_take - take the next pending signal without waiting; 0 if none is */
int os_signal_fd(const sigset_t *signals);
int os_signal_take(int signal_fd);
/* os_return_large_blocks - blocks of 2 MiB and more go back to the system when they are freed,
 * however many there were; without this the C library comes to keep those of a few long messages
 * for ever. Smaller ones stay: a set of 10,000,000 tasks as bits has 1.2 MiB, and to map such a
 * block anew for each step costs more than the step. Call it before the threads start. */
void os_return_large_blocks(void);
/* os_trim_heap - whole pages that the C library holds free go back to the system. Takes ms, and
 * longer the more there are; threads that need memory meanwhile may wait */
void os_trim_heap(void);
/* os_drop_pages - of BYTES from MEMORY, which stays the caller's, the whole pages go back to the
 * system: what they held is lost */
void os_drop_pages(void *memory, size_t bytes);
/* os_memory_bytes - how much memory this process may have: the machine's, its cgroups' or its
 * address space, whichever is least */
uint64_t os_memory_bytes(void);
/* os_is_mount_root - is the open directory the top of a mount (bind mounts too)? 1, 0 or -1
 * errno */
int os_is_mount_root(int dir_fd);

/* Unpredictable bytes, from the system. */
struct answer;
struct dstr;
/* random_bytes - fill OUT with N of them, 256 at most. Returns 0, or -1 with ans.
 * random_text - append N of them, 256 at most, as two hexadecimal digits each; the same */
int random_bytes(void *out, size_t n, struct answer *ans);
int random_text(struct dstr *out, size_t n, struct answer *ans);

#endif
