#ifndef UTI_DETACHED_H
#define UTI_DETACHED_H

/* detached_start - start PROGRAM with ARGV detached, as no child of this process, with FD as its
 * standard input and all signals blocked: it begins with signal_default_all and signal_unblock_all
 * For libraries: no SIGCHLD for that program reaches the process that calls it, and none of its
 * waits does. Returns when the program has begun; memory is not copied, however large the process
 * is. Any thread. Returns 0, or an error number. */
int detached_start(const char *program, char *const *argv, int fd);

#endif
