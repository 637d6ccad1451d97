#ifndef SGEOBJ_ACCOUNTING_H
#define SGEOBJ_ACCOUNTING_H

#include "libs/sgeobj/rows.h"

/* The accounting file (accounting(5)): one line of 45 fields with `:` between them for each end of
 * a start. Pure.
 *
 * In text fields `:` is written %3A and a newline %0A, so that a line stays a line; the parser
 * takes that back. */
struct answer;
struct dstr;

struct accounting {
    const char *qname, *hostname, *group, *owner, *job_name, *account, *project, *department,
        *granted_pe, *category, *pe_taskid; /* borrowed */
    uint32_t job_number, task_number, failed, exit_status, slots,
        arid; /* task_number 0: no array */
    int32_t priority;
    uint64_t submission_time, start_time, end_time, ar_submission_time; /* seconds; 0 = never */
    double ru_wallclock, ru_utime, ru_stime, ru_maxrss, ru_ixrss, ru_ismrss, ru_idrss, ru_isrss,
        ru_minflt, ru_majflt, ru_nswap, ru_inblock, ru_oublock, ru_msgsnd, ru_msgrcv, ru_nsignals,
        ru_nvcsw, ru_nivcsw;
    double cpu, mem, io, iow, maxvmem;
};

/* accounting_header - append the comment lines that a new file starts with */
void accounting_header(struct dstr *out);
/* accounting_fill - what is known of one start of a task
 *
 *   jat, report  either may be NULL: a task that never started
 *   scratch      replaced: holds the texts that have to be made; A's strings point into it and into
 *                the others
 *
 * Usage figures are found in JR_usage by the names of the members: "cpu", "ru_utime" ... */
void accounting_fill(struct accounting *a, const struct JB_Type *job, const struct JAT_Type *jat,
                     const struct JR_Type *report, struct dstr *scratch);
/* accounting_line - append the line, with its newline */
void accounting_line(const struct accounting *a, struct dstr *out);

/* accounting_parse - read LINE (without newline; changed: A's strings point into it)
 * Lines of 43 to 45 fields are known, further ones are ignored. Returns 1, 0 for a comment or an
 * empty line, or -1 with ans naming the field that is wrong. */
int accounting_parse(char *line, struct accounting *a, struct answer *ans);

/* accounting_failed_text - append "100 : assumedly after job", as qacct shows the code */
void accounting_failed_text(uint32_t failed, struct dstr *out);
/* accounting_failed_words - what the code means; "" for 0 */
const char *accounting_failed_words(uint32_t failed);

#endif
