#ifndef CLI_JOB_COMMAND_H
#define CLI_JOB_COMMAND_H

#include "libs/sgeobj/rows.h"

/* What one command line of qsub, qalter, qresub, qhold, qrls, qdel or qmod says, with the files it
 * draws on: the job's fields that were named, the jobs it speaks of, and what the program itself
 * shall do. A client makes one GDI request of it. */

struct answer;
struct option_row; /* option.h */
struct submitter;

struct queue_action { /* qmod: one option and what it names */
    const struct option_row *row;
    struct ID_Type_list select;
};
struct job_command {
    unsigned program;             /* QSUB ... */
    const struct submitter *by;   /* borrowed */
    struct JB_Type job;           /* only what was named is present; a qsub is complete */
    struct ID_Type_list select;   /* jobs named by operands; ranges of tasks as given */
    struct ST_Type_list users;    /* -u */
    struct queue_action *actions; /* qmod */
    uint32_t n_actions, cap_actions;
    unsigned add_holds, remove_holds; /* -h of qalter, qhold ...: MINUS_H_TGT_... */
    bool is_hold_cleared;             /* -h n */
    bool is_held;                     /* -h of qsub: user hold on all tasks */
    uint64_t end_s, duration_s;       /* of an advance reservation: -e, -d; 0: not said */
    bool is_help, is_terse, is_forced, is_sync, is_soft, is_verify;
    /* qrsh and qlogin */
    bool has_no_shell, has_no_stdin, is_verbose, is_suspended_too;
};

/* job_command_init - an empty command of PROGRAM; BY is borrowed
 * job_command_free - C is empty afterwards */
void job_command_init(struct job_command *c, unsigned program, const struct submitter *by);
void job_command_free(struct job_command *c);

/* job_command_read - read the command line of a program other than qsub
 *   argc, argv  with the program's name first
 * Options and operands may be mixed; `-t range` belongs to the operand before it. Returns 0, or -1
 * with ans: its first error carries the status, texts are complete ("qalter: invalid option
 * argument ..."). Warnings may be in ans either way. */
int job_command_read(struct job_command *c, int argc, char *const *argv, struct answer *ans);

/* Where the options of a qsub come from beside its command line. NULL or "" = none. */
struct submit_files {
    char *request[3]; /* owned; sge_request(5): of the cell, the user, the working directory */
};

/* submit_files_find - in rising rank: the cell's, which is OF_CELL (taken; NULL: there is none),
 * the user's, the working directory's; OUT: submit_files_free */
void submit_files_find(struct submit_files *out, char *of_cell, const struct submitter *by);
void submit_files_free(struct submit_files *files);

/* job_command_submit - read the command line of qsub, the request files and the script
 *   files  borrowed
 * On success c->job is complete but for what the qmaster gives it: script, arguments, environment,
 * name, tasks. -help in the command line ends the reading: only c->is_help is meaningful then.
 * Reads the script, or standard input. */
int job_command_submit(struct job_command *c, int argc, char *const *argv,
                       const struct submit_files *files, struct answer *ans);

/* A job that a program describes (DRMAA) instead of a command line. Borrowed; NULL = none. */
struct submit_description {
    const char *command; /* what runs: not NULL */
    const char *script;  /* where it is read from here if it is no binary */
    char *const *args;   /* n_args of them */
    uint32_t n_args;
    const char *category; /* options, as in a request file */
    const char *native;   /* likewise; they rank above those of the category */
};
/* job_command_describe - the same of a description; what c->job holds already ranks below all other
 * sources (JB_type, for instance). Options that speak to qsub (-cwd, -help, -sync, -t, -terse,
 * -verify, -w w, v and p) are passed over, but -t is refused where the description itself has it.
 * On success c->job lacks what job_command_complete gives it, so that the caller may say more of
 * it before.
 * job_command_complete - name, priority, mail address, tasks, hold: the defaults of what was not
 * given */
int job_command_describe(struct job_command *c, const struct submit_description *d,
                         const struct submit_files *files, struct answer *ans);
void job_command_complete(struct job_command *c);

#endif
