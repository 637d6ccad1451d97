#ifndef QMASTER_TABLES_ARS_H
#define QMASTER_TABLES_ARS_H

#include <sys/queue.h>

#include "libs/resource/supply.h"
#include "libs/sgeobj/ar.h"
#include "libs/uti/hash.h"

/* Advance reservations. State only; the core's alone. What they have, and will have, is booked in
 * timelines beside the supplies of queue instances, hosts, the cell and environments
 * (jobs/ar_books.h), so that what tasks book there is the same with and without them. */
struct qinstance;
struct text_object;
struct ar_place {
    struct qinstance *qi;
    uint32_t slots;
    struct supply has;         /* what tasks in it may take here, and have taken */
    struct demand_part *parts; /* owned: the same as a demand */
    uint32_t n_parts;
};
struct ar {
    struct AR_Type rec;
    struct ar_place *places; /* as AR_granted has them; N_PLACES 0: it is not booked yet */
    uint32_t n_places;
    struct text_object *pe; /* NULL: none; it stays while a reservation has slots in it */
    struct range_set jobs;  /* numbers of the jobs that were submitted into it */
    bool is_forced;         /* its end does not wait for hosts */
    bool is_told;           /* the last mail said that something is wrong */
    uint64_t next_job;      /* while it ends: those before have been looked at */
    UT_hash_handle hh;      /* by AR_id */
};
struct ars {
    struct ar *all; /* in the order of their numbers */
    uint32_t n, last_id;
    uint64_t due_s; /* wall clock: when one begins or ends; 0: to be looked at */
    uint32_t n_ending;
    uint32_t watched; /* the number of the one that was looked at last for what is wrong */
    uint64_t quiet_s; /* until then no mail says what is wrong: hosts come back after a restart */
    struct ar_booked *booked; /* timelines, by supply (jobs/ar_books.c) */
    struct supply unlimited;  /* stands for what a reservation does not limit */
    /* tasks that hold what is no host's, in the order of their starts, but for those in
     * reservations; how often that has changed */
    TAILQ_HEAD(, task) wide;
    uint64_t wide_round;
    struct ar_ends *ends; /* when what they hold is free (jobs/ar_books.c); NULL: not asked yet */
};

/* ars_init - none; ars_clear - free all of them, booked or not
 * ars_find - the one with ID, or NULL. O(1)
 * ars_add - REC is moved in; no other has its id
 * ars_remove - free AR, which is not booked */
void ars_init(struct ars *ars);
void ars_clear(struct ars *ars);
struct ar *ars_find(const struct ars *ars, uint32_t id);
struct ar *ars_add(struct ars *ars, struct AR_Type *rec);
void ars_remove(struct ars *ars, struct ar *ar);
/* ars_submission_time - when the one with ID was made, or 0 */
uint64_t ars_submission_time(const struct ars *ars, uint32_t id);
/* ar_request - what AR was made of; borrowed
 * ar_place_of - its place at QI; NULL: it has none. O(places) */
const struct JB_Type *ar_request(const struct ar *ar);
struct ar_place *ar_place_of(struct ar *ar, const struct qinstance *qi);

#endif
