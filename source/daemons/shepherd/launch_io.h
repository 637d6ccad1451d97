#ifndef SHEPHERD_LAUNCH_IO_H
#define SHEPHERD_LAUNCH_IO_H

#include "common/basis.h"

/* Standard input, output and error of a process of the task, behind one interface: files, or for
 * the job of an interactive task a terminal or pipes, whose other ends are with its client
 * (session.h). Hooks always have files. */
struct environment;
struct session;
struct task_config;

/* Whose process it is. What is the job's own to break, its directory,
 * does not keep a hook from running. */
enum launch_kind { LAUNCH_JOB, LAUNCH_HOOK, LAUNCH_PE_HOOK };
enum launch_stage {
    LAUNCH_DONE,
    LAUNCH_LIMIT,
    LAUNCH_PROCESSORS,
    LAUNCH_GROUPS,
    LAUNCH_GID,
    LAUNCH_UID,
    LAUNCH_CWD,
    LAUNCH_CLIENT,
    LAUNCH_STDIN,
    LAUNCH_STDOUT,
    LAUNCH_STDERR,
    LAUNCH_EXEC
};
struct launch_result {
    enum launch_stage stage; /* where it failed */
    int err;
    const char *what; /* which path or limit; borrowed from the launch */
    const char *log;  /* the file that has its standard error; borrowed, NULL: none */
};

struct launch_io;
/* OPEN - in the child, as the job's owner: have descriptors 0, 1 and 2. Makes system calls alone
 * (apart.h). R gets the log, and when it fails also err and what. Returns LAUNCH_DONE, or where it
 * failed. */
typedef enum launch_stage launch_io_open_fn(const struct launch_io *io, struct launch_result *r);

struct output {       /* where standard output or standard error go */
    char *path;       /* as configured; a directory gets a file of the default name */
    char *in_dir;     /* path/name.o12.3 */
    char *env_in_dir; /* SGE_STDOUT_PATH=path/name.o12.3 */
    char **env_slot;  /* where in the environment that variable stands; NULL: nowhere */
    char *env_before; /* what stood there; the environment's */
};
struct launch_io {
    launch_io_open_fn *open;
    const char *stdin_path;        /* borrowed; of a job */
    const struct session *session; /* borrowed; of a job with a client */
    const char *script;     /* borrowed: standard input instead (script_from_stdin); NULL: none */
    bool is_script_open;    /* it is descriptor 0 already, when files are opened */
    struct output out, err; /* err.path NULL: merged into out */
};

/* launch_io_files - files, as the configuration says; ENV gets SGE_STDIN_PATH, SGE_STDOUT_PATH and
 * SGE_STDERR_PATH. What is the job's own to break does not keep a hook from running: its output
 * goes nowhere then. A hook of the parallel environment has output files of its own where the job's
 * are directories: "name.po12" and "name.pe12" in place of "name.o12" and "name.e12". Pure. */
void launch_io_files(struct launch_io *io, enum launch_kind kind, const struct task_config *conf,
                     struct environment *env);
/* launch_io_bind - ENV, which stays as it is until launch_io_clear, may get the path of a file that
 * went into a directory
 * launch_io_clear - free what it owns, and give ENV back as it was; nothing for one that is all
 * zero */
void launch_io_bind(struct launch_io *io, const struct environment *env);
void launch_io_clear(struct launch_io *io);

#endif
