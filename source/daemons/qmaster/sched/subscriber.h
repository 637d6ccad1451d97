#ifndef QMASTER_SCHED_SUBSCRIBER_H
#define QMASTER_SCHED_SUBSCRIBER_H

#include "daemons/qmaster/change/connections.h"
#include "libs/sgeobj/event.h"
#include "libs/sgeobj/object_kind.h"

/* One event client: what it subscribes to, what is collected for it, how far it is behind. It
 * receives the state by cursor, and changes to what lies behind the cursor; what lies ahead is read
 * when the cursor gets there. Events of a kind for the same job and queue merge. */
struct prior_book;
struct stream;
struct subscriber {
    LIST_ENTRY(subscriber) next;
    uint64_t conn;
    uint32_t id;         /* as administrators see it (qconf -secl) */
    uint32_t account;    /* its user's */
    char *owner;         /* owned: it receives the jobs of this user alone; NULL: of all */
    uint32_t kinds;      /* bits: 1 << EV_... */
    uint64_t of_objects; /* bits: 1 << enum object_kind; whose objects it receives */
    unsigned *fields;    /* owned: of jobs, sorted by nothing; the number is always among them */
    uint32_t n_fields;
    uint64_t priors;                /* fields of figures that come with jobs; 0: none */
    const struct prior_book *prior; /* borrowed: what they follow from */
    bool is_scheduler;
    struct stream
        *stream;      /* the state, on its way in the client's turns (stream.h); NULL: not now */
    uint64_t number;  /* of the last event */
    uint64_t package; /* of the last package sent */
    uint64_t acknowledged;  /* of the last package acknowledged */
    uint64_t silent_us;     /* since when it owes the next acknowledge */
    uint64_t interval_us;   /* between packages, at least */
    uint64_t due_us;        /* no package before */
    struct walk queues;     /* over the instances, which come first; while `cursor` is 0 */
    bool has_queues;        /* it knows those before the walk */
    struct walk objects;    /* over those of object_kind, behind the instances */
    unsigned object_kind;   /* of those before it, which it knows */
    struct walk hosts;      /* behind the objects */
    bool has_hosts;         /* it knows those before the walk */
    struct stream *figures; /* load and used slots on their way (stream.h); NULL: not now */
    struct walk figure_queues, figure_hosts;
    uint64_t figures_from_us;  /* those that changed since then are sent */
    uint64_t figures_begun_us; /* when the last walk over them began */
    uint64_t figures_due_us;   /* the next ones no earlier */
    uint64_t cursor;           /* jobs below this number have been streamed; UINT64_MAX: all */
    struct EP_Type open;       /* what is collected */
    size_t open_bytes;         /* of it, about */
};

/* subscriber_new - for the connection S; it wants nothing yet. New: subscriber_free */
struct subscriber *subscriber_new(const struct connection *s);
void subscriber_free(struct subscriber *sub);
/* subscriber_wish - what a client asks for when it registers: kinds, fields, interval, whose jobs.
 * Names that are not known here are passed over. An empty list of kinds is all of them, an empty
 * list of fields the usual ones. */
void subscriber_wish(struct subscriber *sub, const struct identity *who,
                     const struct EP_Type *wish);
/* subscriber_schedule - what the scheduler needs, and no more: what every policy does, and of
 * kinds of events and objects what WISH names */
void subscriber_schedule(struct subscriber *sub, const struct EP_Type *wish);

/* subscriber_wants - events of KIND? subscriber_gets - and of JOB, as far as it has been
 * streamed? O(1). */
bool subscriber_wants(const struct subscriber *sub, enum event_kind kind);
bool subscriber_gets(const struct subscriber *sub, enum event_kind kind, const struct job *job);
/* subscriber_wants_figures - the load of hosts and the used slots of queue instances, at a limited
 * rate? Clients that ask for hosts by name. */
bool subscriber_wants_figures(const struct subscriber *sub);
/* subscriber_gets_queue - of QI, as far as instances have been streamed? */
bool subscriber_gets_queue(const struct subscriber *sub, enum event_kind kind,
                           const struct qinstance *qi);
/* subscriber_gets_object - of objects of OF? The scheduler receives only those that it works
 * with. */
bool subscriber_gets_object(const struct subscriber *sub, enum event_kind kind,
                            enum object_kind of);
/* subscriber_add - one more event, which the caller fills */
struct EV_Type *subscriber_add(struct subscriber *sub, enum event_kind kind);
/* subscriber_add_job - an event with the fields of JOB that it wants */
struct EV_Type *subscriber_add_job(struct subscriber *sub, enum event_kind kind,
                                   const struct qmaster *q, const struct job *job);
/* subscriber_add_ids - more ordinals of tasks of JOB, in the last event if that is of the same
 * kind, job and allocation; an empty one: they hold no slots */
void subscriber_add_ids(struct subscriber *sub, enum event_kind kind, uint32_t job,
                        const struct JG_Type_list *granted, const struct range_set *ids);
/* subscriber_add_start - T has its slots since its JAT_start_time; in the last event if that is of
 * a task of the same job with the same allocation and time */
void subscriber_add_start(struct subscriber *sub, const struct task *t);
/* subscriber_add_done - tasks of JOB have ended, as END says; NULL: they did not run */
struct JR_Type;
void subscriber_add_done(struct subscriber *sub, uint32_t job, const struct range_set *ids,
                         const struct JR_Type *end);
/* subscriber_add_usage - tasks IDS of JOB, a job's record, have ended with the usage in END */
void subscriber_add_usage(struct subscriber *sub, const struct JB_Type *job,
                          const struct range_set *ids, const struct JR_Type *end);
/* subscriber_add_state - TASK, a task's record, stands for its state from now on */
void subscriber_add_state(struct subscriber *sub, const struct JAT_Type *task, uint32_t ordinal);

/* subscriber_is_behind - has it as many packages as it may have without acknowledging one? */
bool subscriber_is_behind(const struct subscriber *sub);
/* subscriber_is_full - is more collected than a package should hold? */
bool subscriber_is_full(const struct subscriber *sub);
/* subscriber_backlog - bytes collected, when that is more than is kept for it while it is behind;
 * else 0 */
size_t subscriber_backlog(const struct subscriber *sub);
/* subscriber_start_anew - drop what is collected and say so (EV_ANEW); the caller sees to it that
 * the state follows */
void subscriber_start_anew(struct subscriber *sub);
/* subscriber_acknowledge - it has PACKAGE and all before it; a number that was not sent changes
 * nothing */
void subscriber_acknowledge(struct subscriber *sub, uint64_t package, uint64_t now_us);
/* subscriber_flush - send what is collected, unless it is behind or its interval is not over; a
 * full package does not wait for that. To the scheduler it leaves at once, to all others when it
 * is durable. */
void subscriber_flush(struct qmaster *q, struct subscriber *sub);

#endif
