#ifndef CLIENTS_QMON_QUEUES_WINDOW_PRIV_H
#define CLIENTS_QMON_QUEUES_WINDOW_PRIV_H

#include "clients/qmon/table.h"
#include "clients/qmon/window.h"
#include "libs/view/object_form.h"
#include "libs/view/queue_list.h"

/* Queue Control: queues_window.c shows, queues_acts.c does what its buttons say. */
struct queues_window {
    struct qmon *q;
    Widget shell, said;
    struct queue_list *list;
    struct table *table;
    struct GA_Type
        *queues; /* on their way: the answer about queues, until that about hosts comes */
    bool is_open;
    bool is_asking, is_behind; /* an answer is on its way; it is old already */
    bool is_timed;             /* the next question will come by itself */
    uint64_t asked_us;         /* monotonic: when the last question was asked */
    struct range_set asked;    /* the rows of the question that is open */
    enum object_deed deed;     /* of the queue that was asked for to be edited */
    char *edited;              /* owned; its name */
};

/* queues_acts - the rows of its buttons
 *   n  out: how many
 * queues_modify - what a double click at a queue does */
const struct window_button *queues_acts(size_t *n);
void queues_modify(void *window);

#endif
