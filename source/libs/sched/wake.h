#ifndef SCHED_WAKE_H
#define SCHED_WAKE_H

#include <stdint.h>

/* What the cell reports to the layers above it: something was given back, so that blocked needs may
 * fit, or what requests mean has changed. For the files of this room (sched_priv.h). */
struct pe;
struct queue_request;
struct queue_set;
struct quota_member;
struct sched;
struct sched_host;
struct sched_queue;

enum cell_change_kind {
    QUEUE_GAINED,  /* QUEUE takes tasks, and may have more room than before */
    CELL_GAINED,   /* so may the cell */
    HOST_REPORTED, /* HOST has other load values */
    CELL_REPORTED, /* any host may have others */
    PE_GAINED,     /* PE, of which BEFORE slots were left, has more, or another rule */
    QUOTA_GAINED,  /* QUOTA, which a look found short, has something left; NULL: any may */
    SET_CLEARED,   /* SET, a loose one, loses its bits */
    REQUEST_MOVED, /* REQUEST means another set */
    /* resources have become conditions of requests, or are no more */
    CONDITIONS_CHANGED,
    QUOTA_CLASSES_CHANGED, /* owners may be of others; the book is empty */
    QUOTA_BOOK_EMPTIED     /* what is ordered or runs is to be counted again */
};
struct cell_change {
    enum cell_change_kind kind;
    struct sched_queue *queue;
    struct sched_host *host;
    const struct pe *pe;
    uint64_t before;
    const struct quota_member *quota;
    struct queue_set *set;
    struct queue_request *request;
};
/* cell_change_fn - take CHANGE, which is borrowed; called in the middle of an event, when what it
 * names is complete again */
typedef void cell_change_fn(struct sched *s, const struct cell_change *change);

#endif
