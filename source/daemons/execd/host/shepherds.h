#ifndef EXECD_HOST_SHEPHERDS_H
#define EXECD_HOST_SHEPHERDS_H

#include <sys/types.h>

#include "common/basis.h"
#include "libs/uti/tree.h"

/* The shepherds of this host, one for each task that runs. One whose task went its usual way is
 * free afterwards (libs/task/task_line.h) and stays for some seconds as a spare: the next task of
 * the same user is given to it, which costs a small part of starting a process. One that was
 * ordered anything, by a signal that may still be under way, is no spare. */
struct answer;
struct loop;
struct loop_timer;
struct shepherd;
typedef void shepherd_over_fn(void *task);
TAILQ_HEAD(shepherd_queue, shepherd);
struct shepherds {
    struct loop *loop;           /* borrowed */
    const char *program;         /* borrowed: path of sge_shepherd */
    char *command, *pag;         /* owned: shepherd_cmd and pag_cmd of sge_conf(5); NULL: none */
    shepherd_over_fn *over;      /* the shepherd of a task is free, or has gone */
    uint32_t version;            /* counts changes of them */
    struct shepherd_queue spare; /* the one that was free last stands first */
    struct shepherd_queue going; /* spares whose end has not been seen */
    uint32_t n_spare;
    struct loop_timer *timer; /* owned: set while there is a spare */
};
enum { SHEPHERDS_SPARE_MOST = 256, SHEPHERDS_SPARE_US = 5 * 1000 * 1000 };

void shepherds_init(struct shepherds *h, struct loop *loop, const char *program,
                    shepherd_over_fn *over);
/* shepherds_free - spares are ended; those that have a task were forgotten before */
void shepherds_free(struct shepherds *h);
/* shepherds_use - from now on start COMMAND in place of the program, and through the shell PAG, in
 * which each task is to be alone: then no shepherd stays as a spare. NULL: as before */
void shepherds_use(struct shepherds *h, const char *command, const char *pag);
/* shepherds_have - is PID a spare, or one that was? */
bool shepherds_have(const struct shepherds *h, pid_t pid);

/* shepherds_start - give TASK, in directory DIR_FD whose locked file "pid" is PID_FD, to a spare
 * that has been USER's alone, or else to a new shepherd
 * Returns it, the caller's until shepherd_release or shepherd_forget; NULL with ans. It may be one
 * that cannot be watched now. */
struct shepherd *shepherds_start(struct shepherds *h, uid_t user, int dir_fd, int pid_fd,
                                 void *task, struct answer *ans);
/* shepherds_find - the shepherd of TASK is the process behind PIDFD, which is taken: another execd
 * has started it, or it could not be watched then. Returns it likewise, or NULL if it cannot be
 * watched. */
struct shepherd *shepherds_find(struct shepherds *h, pid_t pid, int pidfd, void *task);

bool shepherd_is_watched(const struct shepherd *s);
pid_t shepherd_pid(const struct shepherd *s);
/* shepherd_is_free - has it said that its task is over? Then its process lives.
 * shepherd_is_old - has it had a task before this one? */
bool shepherd_is_free(const struct shepherd *s);
bool shepherd_is_old(const struct shepherd *s);
/* shepherd_signal - 0, or -1 with errno */
int shepherd_signal(struct shepherd *s, int sig);
/* shepherd_release - its task is over: it becomes a spare if it may, and else ends
 * shepherd_forget - its process goes on without us. NULL is fine. */
void shepherd_release(struct shepherd *s);
void shepherd_forget(struct shepherd *s);

#endif
