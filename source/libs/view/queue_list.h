#ifndef VIEW_QUEUE_LIST_H
#define VIEW_QUEUE_LIST_H

#include "libs/mir/board.h"
#include "libs/mir/mir.h"

/* The queue instances of a cell as rows: one below the other, or below their cluster queues or
 * hosts, which are rows then, too, open or closed. Each row has a number that it keeps. Pure; one
 * thread. */
struct dstr;
struct queue_list;

enum queue_column {
    QUEUE_NAME,
    QUEUE_TYPE,
    QUEUE_USED,
    QUEUE_SLOTS,
    QUEUE_LOAD,
    QUEUE_ARCH,
    QUEUE_STATES,
    QUEUE_WHY,
    QUEUE_COLUMNS
};

enum queue_order { QUEUES_FLAT, QUEUES_BY_QUEUE, QUEUES_BY_HOST, QUEUE_ORDERS };

/* queue_list_new - no rows; new: queue_list_free. NULL is fine for queue_list_free */
struct queue_list *queue_list_new(void);
void queue_list_free(struct queue_list *l);

/* queue_list_take - the rows are the queue instances of M, borrowed for the call, with the load of
 * their hosts, from now on. O(queues log queues) */
void queue_list_take(struct queue_list *l, const struct mir *m);
/* queue_list_order - below what the instances stand
 * queue_list_words - show instances alone with one of WORDS in their names (object_list.h)
 * queue_list_sort - by COLUMN; again by the same one: the other way round. Rows of queues and hosts
 * stay sorted by name */
void queue_list_order(struct queue_list *l, enum queue_order order);
void queue_list_words(struct queue_list *l, const char *words);
void queue_list_sort(struct queue_list *l, enum queue_column column);
enum queue_column queue_list_sorted_by(const struct queue_list *l);
/* queue_list_turn - close the row of a queue or host if it is open, open it if it is closed */
void queue_list_turn(struct queue_list *l, uint32_t row);

/* queue_list_count - how many rows there are
 * queue_list_instances - how many queue instances there are, with those not shown
 * queue_list_key - the number of a row
 * queue_list_cell - append what stands there
 * queue_list_look - how it is */
uint32_t queue_list_count(const struct queue_list *l);
uint32_t queue_list_instances(const struct queue_list *l);
uint32_t queue_list_key(const struct queue_list *l, uint32_t row);
void queue_list_cell(const struct queue_list *l, uint32_t row, enum queue_column column,
                     struct dstr *out);
enum task_look queue_list_look(const struct queue_list *l, uint32_t row);

/* queue_list_name - what qmod takes for the row with number KEY: "all.q", "all.q@node1", "*@node1";
 * borrowed, NULL: it is not there */
const char *queue_list_name(const struct queue_list *l, uint32_t key);
/* queue_list_text - append all rows with their titles, columns divided by tabs */
void queue_list_text(const struct queue_list *l, struct dstr *out);

/* queue_reason_fields - the fields of queue instances that events do not have, for the column of
 * reasons, ended by NULL
 * queue_reason_event - those of QUEUE as an event for a mirror, into OUT, which is empty */
extern const char *const queue_reason_fields[];
void queue_reason_event(const struct QU_Type *queue, struct EV_Type *out);

const char *queue_column_title(unsigned column);
bool queue_column_is_number(unsigned column);

#endif
