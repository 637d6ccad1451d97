#ifndef SGEOBJ_ACCOUNTING_H
#define SGEOBJ_ACCOUNTING_H

#include "libs/sgeobj/rows.h"

/* The accounting file (accounting(5)): one line of 45 fields with `:` between them for each end of
 * a start, and one field more of a task that had named devices. Pure.
 *
 * In text fields `:` is written %3A and a newline %0A, so that a line stays a line; the parser
 * takes that back. */
struct answer;
struct dstr;

/* A member for each row of sge_accountingL.h. Texts are borrowed, times seconds, 0 = never;
 * task_number 0: no array */
#define ACCT_TYPE_TEXT     const char *
#define ACCT_TYPE_U32      uint32_t
#define ACCT_TYPE_I32      int32_t
#define ACCT_TYPE_U64      uint64_t
#define ACCT_TYPE_WHOLE    double
#define ACCT_TYPE_DECIMAL  double
#define ACCT(member, kind) ACCT_TYPE_##kind member;
struct accounting {
#include "libs/sgeobj/sge_accountingL.h"
};
#undef ACCT
#define ACCT(member, kind) ACCT_##member,
enum {
#include "libs/sgeobj/sge_accountingL.h"
    ACCT_FIELDS
};
#undef ACCT

/* accounting_figure - VALUE as the figure NAME ("cpu", "ru_wallclock") of one task: unchanged, or 0
 * if no task can have used that: a negative number, none at all, more than 30,000 years of time.
 * What comes from a host or from an older file passes through here. Pure. */
double accounting_figure(const char *name, double value);
/* accounting_usage - copy a figure that a host has reported, as accounting_figure has it */
void accounting_usage(struct UA_Type *to, const struct UA_Type *from);

/* accounting_add_usage - SUM, a list of UA_Type in the record of the caller, has those figures of
 * USAGE more that the accounting file has, but for ru_wallclock: tasks run at the same time */
void accounting_add_usage(struct UA_Type_list *sum, const struct UA_Type_list *usage);

/* accounting_header - append the comment lines that a new file starts with */
void accounting_header(struct dstr *out);
/* accounting_fill - what is known of one start of a task
 *
 *   jat, report  either may be NULL: a task that never started
 *   scratch      replaced: holds the texts that have to be made; A's strings point into it and into
 *                the others
 *
 * Usage figures are found in JR_usage by the names of the members: "cpu", "ru_utime" ...; they are
 * as accounting_figure has them. No end is before its start: the clocks of two hosts may differ,
 * and one may be set back. */
void accounting_fill(struct accounting *a, const struct JB_Type *job, const struct JAT_Type *jat,
                     const struct JR_Type *report, struct dstr *scratch);
/* accounting_line - append the line, with its newline */
void accounting_line(const struct accounting *a, struct dstr *out);

/* accounting_parse - read LINE (without newline; changed: A's strings point into it)
 * Lines of 43 to 46 fields are known, further ones are ignored. Figures are as accounting_figure
 * has them, and a time after the year 9999 is 0, whichever program wrote the line. Returns 1, 0
 * for a comment or an empty line, or -1 with ans naming the field that is wrong. */
int accounting_parse(char *line, struct accounting *a, struct answer *ans);

/* accounting_failed_text - append "100 : assumedly after job", as qacct shows the code */
void accounting_failed_text(uint32_t failed, struct dstr *out);
/* accounting_failed_words - what the code means; "" for 0 */
const char *accounting_failed_words(uint32_t failed);

#endif
