#ifndef SHOW_QUEUE_TABLE_H
#define SHOW_QUEUE_TABLE_H

#include "libs/doc/doc.h"
#include "libs/sgeobj/rows.h"

/* Lines of queue instances and of cluster queues. Source: qstat(1) -f -g c, qhost(1) -q. */
enum queue_layout {
    QUEUE_IN_LIST,   /* of qstat -f */
    QUEUE_BELOW_HOST /* of qhost -q */
};

/* struct queue_line - what a line is about; all borrowed
 *   host     NULL: nothing is known of it
 *   message  why it is in its state; NULL: that is not shown */
struct queue_line {
    const struct QU_Type *queue;
    const struct EH_Type *host;
    const char *message;
};

/* queue_line_begin - begin a record with the fields of LINE; doc_end ends it */
void queue_line_begin(struct doc *d, enum queue_layout layout, const struct queue_line *line);
/* queue_list_head - titles of the columns of QUEUE_IN_LIST */
void queue_list_head(FILE *page);

/* ---- cluster queues: qstat -g c ---- */
enum { CLUSTER_QUEUE_STATES = 11 }; /* that have a column with -ext */

/* struct cluster_queue - sums over instances; all zero but for the name initially */
struct cluster_queue {
    const char *name; /* borrowed */
    double load;      /* of as many instances as `loads` says */
    uint32_t loads, used, reserved, available, total, temporarily, manually;
    uint32_t in_state[CLUSTER_QUEUE_STATES]; /* slots */
};
/* cluster_queue_add - one more instance; HOST: NULL if nothing is known of it
 * cluster_queue_show - a record with the sums; IS_EXTENDED: with slots by state
 * cluster_queue_head - titles of the columns */
void cluster_queue_add(struct cluster_queue *sums, const struct QU_Type *queue,
                       const struct EH_Type *host);
void cluster_queue_show(struct doc *d, const struct cluster_queue *sums, bool is_extended);
void cluster_queue_head(FILE *page, bool is_extended);

#endif
