#ifndef UTI_ANSWER_H
#define UTI_ANSWER_H

#include "common/basis.h"

/* Failure is a value that travels to the code that reports it to the user: a list of entries of
 * status, quality and text (what AN_Type carries on the wire). Libraries fill it and never
 * print. */

/* Where a number is given it is the exit status of qsub, qalter, qhold and qrls for that failure,
 * which scripts know. */
enum answer_status {
    STATUS_OK = 0,
    STATUS_ESEMANTIC = 1,      /* parsed, but makes no sense here */
    STATUS_EUSAGE = 2,         /* no such option, or without its argument */
    STATUS_EUNKNOWN = 3,       /* no such object */
    STATUS_EINPUT = 4,         /* a script that cannot be read */
    STATUS_ESYNTAX = 7,        /* text could not be parsed */
    STATUS_ENOOPR = 10,        /* caller must be operator or manager */
    STATUS_ENOFILE = 14,       /* a script or file of options that cannot be opened */
    STATUS_ENOTOWNER = 18,     /* caller must own the object */
    STATUS_NOTOK_DOAGAIN = 25, /* not now, try again */
    STATUS_EEXIST = 32,        /* object exists already */
    STATUS_DENIED = 33,        /* caller may not do this */
    STATUS_ENOCONN = 34,       /* peer not reachable or lost */
    STATUS_EPROTO = 35,        /* peer sent something malformed */
    STATUS_ESYSTEM = 36,       /* a system call failed; the text names it */
    STATUS_ENOMEM = 37,        /* out of memory (libdrmaa) */
    STATUS_EDISK = 38,         /* a disk is full, or the spool cannot be written */
    STATUS_ENOTSUP = 39,       /* not supported yet */
    STATUS_ESHORTAGE = 40      /* processes, memory or descriptors are used up for now */
};

enum answer_quality {
    ANSWER_QUALITY_CRITICAL = 0,
    ANSWER_QUALITY_ERROR = 1,
    ANSWER_QUALITY_WARNING = 2,
    ANSWER_QUALITY_INFO = 3
};

struct answer_entry {
    enum answer_status status;
    enum answer_quality quality;
    char *text; /* owned, no newline at the end */
};

struct answer {
    struct answer_entry *v;
    uint32_t n, cap;
};
#define ANSWER_INIT                                                                                \
    {                                                                                              \
        NULL, 0, 0                                                                                 \
    }

/* ans_add - append an entry; ANS may be NULL (then nothing happens) */
void ans_add(struct answer *ans, enum answer_status status, enum answer_quality quality,
             const char *format, ...) SGE_PRINTF(4, 5);
/* ans_info - append what has been done: STATUS_OK, ANSWER_QUALITY_INFO */
void ans_info(struct answer *ans, const char *format, ...) SGE_PRINTF(2, 3);

/* ans_fail / ans_null - append an error so that a failure is one line at its place
 * `return ans_fail(ans, STATUS_ESEMANTIC, MSG_JOB_TASK_UU, job, task);`
 * Return -1 and NULL. ANS may be NULL. */
int ans_fail(struct answer *ans, enum answer_status status, const char *format, ...)
    SGE_PRINTF(3, 4);
void *ans_null(struct answer *ans, enum answer_status status, const char *format, ...)
    SGE_PRINTF(3, 4);

/* ans_sys / ans_sys_null - the same for a failed system call: ": <strerror(err)>" is appended to
 * the text; STATUS_EDISK when there was no space, else STATUS_ESYSTEM */
int ans_sys(struct answer *ans, int err, const char *format, ...) SGE_PRINTF(3, 4);
void *ans_sys_null(struct answer *ans, int err, const char *format, ...) SGE_PRINTF(3, 4);

/* ans_has_error - is there an entry of quality ERROR or CRITICAL? */
bool ans_has_error(const struct answer *ans);
/* ans_first_error - text of the first such entry, borrowed; "" if there is none */
const char *ans_first_error(const struct answer *ans);
/* ans_move - append all of FROM to TO; FROM is empty then */
void ans_move(struct answer *to, struct answer *from);
/* ans_free - frees the entries; ANS is empty afterwards; NULL is fine */
void ans_free(struct answer *ans);

#endif
