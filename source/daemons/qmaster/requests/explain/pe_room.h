#ifndef QMASTER_REQUESTS_EXPLAIN_PE_ROOM_H
#define QMASTER_REQUESTS_EXPLAIN_PE_ROOM_H

#include "daemons/qmaster/requests/explain/lacks.h"
#include "libs/sched/supply/spread.h"

/* Would a parallel environment give a job the slots that it asks for? For -w, and for the reasons
 * of qstat -j. The rules are the scheduler's (libs/sched/supply/spread.h). Changes nothing. */
struct dstr;

/* why a queue instance takes no slot of a job with REQUEST; REFUSES_NOT, and nothing in WHY, if it
 * does */
typedef enum refusal (*queue_refuses_fn)(struct qmaster *q, struct qinstance *qi,
                                         const struct JB_Type *request, struct dstr *why);

struct pe_room {
    struct qmaster *q;
    const struct JB_Type *request; /* with -pe */
    queue_refuses_fn refuses;
    bool is_empty; /* ask as if no task had slots */
    uint32_t left; /* so many queue instances may still be looked at */
    bool is_cut;   /* out: these were not enough */
    /* what was gathered of one environment so far; zero: nothing */
    struct gathered {
        bool has_begun;
        struct walk hosts;
        struct spread_site *v; /* owned */
        uint32_t n, cap;
        uint64_t cell; /* for so many slots the cell has enough */
    } sites;
};

/* pe_room_means - does the request mean PE?
 * pe_room_first, pe_room_next - the parallel environments that it means; NULL at the end */
bool pe_room_means(const struct pe_room *room, const struct text_object *pe);
const struct text_object *pe_room_first(const struct pe_room *room);
const struct text_object *pe_room_next(const struct pe_room *room, const struct text_object *pe);

/* pe_room_gather - look for slots in PE for so long as the slice lasts (slice.h), on one host at
 * least; true: on all of them. ROOM stays where it is until pe_room_forget.
 * pe_room_forget - nothing is gathered any more: PE has changed, or the answer is not needed */
bool pe_room_gather(struct pe_room *room, const struct text_object *pe);
void pe_room_forget(struct pe_room *room);

/* pe_room_refuses - why PE gives the job no slots, in numbers; false, and nothing in WHY, if it
 * does, or if it is unknown because the search was cut. What was not gathered before is now, and
 * all of it is forgotten.
 *
 * O(hosts log hosts + queue instances) */
bool pe_room_refuses(struct pe_room *room, const struct text_object *pe, struct dstr *why);

#endif
