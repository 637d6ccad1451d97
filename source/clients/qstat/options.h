#ifndef CLIENTS_QSTAT_OPTIONS_H
#define CLIENTS_QSTAT_OPTIONS_H

#include "clients/common/doc.h"
#include "clients/common/queue_choice.h"

/* The command line of qstat. Source: qstat(1). */
struct answer;
struct dstr;

struct qstat_options {
    unsigned table;             /* TABLE_... of job_table.h */
    unsigned show;              /* SHOW_... of job_row.h; 0 = the default */
    struct name_list states;    /* -s as given */
    struct name_list users;     /* -u; empty = the caller */
    struct name_list jobs;      /* -j */
    struct queue_choice choice; /* -q -qs -pe */
    struct name_list resources; /* -F; empty: all */
    char *explain;              /* -explain letters */
    bool wants_detail;          /* -j */
    bool wants_why;             /* -why */
    bool wants_summary;         /* -g c */
    bool wants_resources;       /* -F */
    enum doc_form form;         /* -xml, -json; 0: text */
    bool has_users;             /* -u was given */
    bool wants_help;
    bool hides_empty; /* -ne */
};

/* qstat_parse - read the N words ARGS (without the program's name)
 * Returns 0, or -1 with ans: one error; *shows_usage is set when users know the usage text to come
 * before it. */
int qstat_parse(int n, char *const *args, struct qstat_options *o, bool *shows_usage,
                struct answer *ans);
void qstat_options_free(struct qstat_options *o);
/* qstat_usage - append the text of -help */
void qstat_usage(struct dstr *out);

#endif
