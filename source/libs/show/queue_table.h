#ifndef SHOW_QUEUE_TABLE_H
#define SHOW_QUEUE_TABLE_H

#include "libs/doc/doc.h"
#include "libs/sgeobj/rows.h"

/* Lines of queue instances. Source: qstat(1) -f, qhost(1) -q. */
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

#endif
