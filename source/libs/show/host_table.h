#ifndef SHOW_HOST_TABLE_H
#define SHOW_HOST_TABLE_H

#include "libs/doc/doc.h"
#include "libs/show/job_row.h"
#include "libs/uti/parse.h"

/* The listing of hosts with their figures, resources, queues and jobs. Source: qhost(1). */

/* lines that options add and columns that they take away */
enum {
    HOSTS_RESOURCES = 1,  /* -F */
    HOSTS_QUEUES = 2,     /* -q */
    HOSTS_JOBS = 4,       /* -j */
    HOSTS_NO_TOPOLOGY = 8 /* -ncb */
};

/* struct host_line - what is shown of one host; borrowed but for the arrays, which are the
 * caller's */
struct host_line {
    const char *name;
    const struct EH_Type *host;         /* NULL: "global" */
    const struct EH_Type *cell;         /* what "global" has; NULL: nothing */
    const struct CE_Type_list *complex; /* for HOSTS_RESOURCES */
    const struct QU_Type **queues;
    uint32_t n_queues;
    struct job_row *rows; /* of tasks that have slots on it, one for each queue instance */
    uint32_t n_rows;
};

/* struct host_table - a listing under way; borrows */
struct host_table {
    struct doc *doc;
    unsigned options;
    const struct name_list *resources; /* for HOSTS_RESOURCES; empty: all */
};
/* host_table_begin - the document and its list of hosts; host_table_line - one of them */
void host_table_begin(const struct host_table *t);
void host_table_line(const struct host_table *t, const struct host_line *line);

#endif
