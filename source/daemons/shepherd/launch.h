#ifndef SHEPHERD_LAUNCH_H
#define SHEPHERD_LAUNCH_H

#include <sys/types.h>

#include "daemons/shepherd/launch_io.h"
#include "libs/task/processors.h"
#include "libs/uti/apart.h"

/* Starting a process of the task: the job, or a hook. Everything is built before; the new process
 * makes system calls alone until it executes, and none through the C library. */
struct answer;
struct exec_command;
struct task_config;
struct dstr;
struct environment;
struct job_identity;
struct limits;

struct launch {
    const struct exec_command *command;
    const struct job_identity *who;
    const struct job_identity *files_as; /* as whom it opens its files; NULL: as WHO */
    const struct limits *limits;         /* NULL: none, for hooks */
    char **envp;
    const char *cwd; /* NULL = "/" */
    struct launch_io io;
    const struct processors *processors; /* on which it runs; NULL: on all */
    int nice_value;
    int cgroup_fd; /* of the cgroup that it begins in; 0: in the shepherd's own */
    enum launch_kind kind;
    bool is_forked; /* a job's process, too: it begins in a copy of the shepherd's memory */
};
/* launch_prepare - files and environment of a process of KIND, from the configuration
 * ENV gets SGE_CWD_PATH, and what launch_io.h says. All other members are
 * the caller's. Pure. */
void launch_prepare(struct launch *l, enum launch_kind kind, const struct task_config *conf,
                    struct environment *env);
/* launch_clear - no process of it is left: free what it owns, and give ENV back as it was; nothing
 * for a launch that is all zero */
void launch_clear(struct launch *l);

/* What shepherd and children have in common even after a fork: one page, for the life of the
 * process. */
enum { LAUNCHES_AT_ONCE = 3 };
struct launch_start { /* what a child is to do */
    const struct launch *launch;
    struct launch_result *result;
};
struct launch_page {
    struct apart apart;
    struct launch_start start;
    struct launch_result results[LAUNCHES_AT_ONCE];
};
_Static_assert(sizeof(struct launch_page) <= 4096, "one page, which is touched in any case");
struct launch_page *launch_page_new(struct answer *ans);

/* launch_start - start the process; RESULT shows, after it has ended, at which stage it failed, if
 * it did. A job's may change entries of L's environment vector: they must not be used before
 * launch_clear.
 * Returns the pid, which leads a session and a process group of its own, or -1 with ans. */
pid_t launch_start(const struct launch *l, struct launch_page *page, struct launch_result *result,
                   struct answer *ans);
/* launch_failure - which enum task_failure a result is; WORDS gets the line for the file "error" */
unsigned launch_failure(const struct launch_result *r, struct dstr *words);
/* launch_is_owners_fault - did it fail since the owner has too many processes, or too large an
 * environment? */
bool launch_is_owners_fault(const struct launch_result *r);

#endif
