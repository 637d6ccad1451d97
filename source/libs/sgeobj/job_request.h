#ifndef SGEOBJ_JOB_REQUEST_H
#define SGEOBJ_JOB_REQUEST_H

#include "common/basis.h"

/* Values of the fields of JB_Type that a submit sets from letters: written by libs/cli, shown by
 * qstat -j, obeyed by the qmaster.
 * Source: submit(1). */
struct dstr;

/* A letter of an option's argument, and the bits that it means. Tables end with a letter of 0, and
 * are in the order in which letters are shown. */
struct job_letter {
    char letter;
    uint32_t bits;
};
/* job_letters_parse - the bits of all letters of TEXT together; false if it is empty or has a
 * letter that is not in the table
 * job_letters_text - append the letters of those of the table's bits that are in BITS */
bool job_letters_parse(const char *text, const struct job_letter *table, uint32_t *bits);
void job_letters_text(uint32_t bits, const struct job_letter *table, struct dstr *out);

/* JB_mail_options: the letters of -m */
enum {
    MAIL_AT_BEGIN = 1,      /* b */
    MAIL_AT_EXIT = 2,       /* e */
    MAIL_AT_ABORT = 4,      /* a */
    MAIL_AT_SUSPENSION = 8, /* s */
    MAIL_OPTIONS_MOST = 15
};
extern const struct job_letter job_mail_letters[]; /* with n, none of them */

/* JB_checkpoint_attr: the letters of -c; an interval goes to JB_checkpoint_interval, in seconds */
enum {
    CHECKPOINT_AT_SHUTDOWN = 1,         /* s */
    CHECKPOINT_AT_MINIMUM_INTERVAL = 2, /* m */
    CHECKPOINT_SUSPEND = 4,             /* x */
    CHECKPOINT_NEVER = 8,               /* n */
    CHECKPOINT_RESCHEDULE = 16,         /* r */
    CHECKPOINT_ATTR_MOST = 31
};
extern const struct job_letter job_checkpoint_letters[];

/* JB_verify_suitable_queues: -w */
enum {
    VERIFY_NOT = 0,   /* n: take it as it is (default) */
    VERIFY_WARN = 1,  /* w: say when no queue suits, submit all the same */
    VERIFY_ERROR = 2, /* e: refuse then */
    VERIFY_ONLY = 3,  /* v: submit nothing, say whether an empty cluster could run it */
    VERIFY_POKE = 4   /* p: the same for the cluster as it is loaded now */
};
extern const struct job_letter job_verify_letters[]; /* of which -w takes one */

/* JB_restart: -r */
enum { RESTART_AS_QUEUE = 0, RESTART_YES = 1, RESTART_NO = 2 };

/* JB_context of a change (GDI_MOD): entries named "+", "-" or "=" say what the entries after them
 * do: add or replace (-ac), delete (-dc), be all there is (-sc). In a stored job, and in a submit,
 * the list holds the variables alone. */
#define CONTEXT_ADD    "+"
#define CONTEXT_DELETE "-"
#define CONTEXT_SET    "="
struct JB_Type;
struct VA_Type_list;
/* job_context_apply - carry out the operations of a change on the context of JOB; variables before
 * the first one are added
 * CHANGES is borrowed and may not be JOB's own list. O(variables of both). */
void job_context_apply(struct JB_Type *job, const struct VA_Type_list *changes);

/* job_lists_merge - the lists of queues, paths, addresses, jobs to wait for and variables in JOB, a
 * request, name each thing once afterwards: of equal entries the first stays, a variable has its
 * last value. Clients do the same; other programs may send anything. The context of a change, which
 * has operations, stays as it is: IS_NEW, the request is for a new job. O(entries) */
void job_lists_merge(struct JB_Type *job, bool is_new);

/* Variables of the submitter that a job carries beside its environment: __SGE_PREFIX__O_HOME and so
 * on; execd makes SGE_O_HOME of it. */
#define ENV_SUBMIT_PREFIX "__SGE_PREFIX__"
/* job_env_keep_submitter - a job gets a new environment (qalter -v, qresub -v): what OLD says of
 * the submitter is appended to it */
void job_env_keep_submitter(struct JB_Type *job, const struct VA_Type_list *old);

#endif
