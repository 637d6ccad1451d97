#ifndef QMASTER_JOBS_AR_BOOKS_H
#define QMASTER_JOBS_AR_BOOKS_H

#include "daemons/qmaster/jobs/places.h"
#include "libs/resource/supply.h"

/* What advance reservations have, in time. A reservation has what its record says from its start
 * until its end, or until its last task has ended; tasks in it book in supplies of its own, and
 * all others must leave it that. What a task that runs now holds later follows from its end as
 * foreseen: its h_rt, that of its queue, or default_duration of sched_conf(5). Without a
 * reservation nothing here is called. */

/* ar_book - AR has its places from now on. False, with AR not booked: one of them is not there
 * ar_release - it has nothing any more; ar_unbook - and forgets where that was */
bool ar_book(struct qmaster *q, struct ar *ar);
void ar_release(struct qmaster *q, struct ar *ar);
void ar_unbook(struct qmaster *q, struct ar *ar);
/* ar_extend - AR, whose end has come, keeps what it has until ar_unbook */
void ar_extend(struct qmaster *q, struct ar *ar);

/* ars_run_span - when a task of REQUEST that starts now is in QI
 * ars_room - how many tasks with D fit in QI, on its host and in the cell during SPAN, beside what
 * runs and what is reserved; it may be less than there is if MOST fit. O(tasks of the host x steps
 * of the reservations there) at worst
 * ars_room_in_pe - how many slots PE has left in SPAN, likewise
 * Of what is no host's, the ends of the AR_WIDE_MOST tasks that started first are foreseen; what is
 * found of them is kept for the second, or until such a task starts or ends. */
struct time_span ars_run_span(struct qmaster *q, const struct qinstance *qi,
                              const struct JB_Type *request);
uint64_t ars_room(struct qmaster *q, struct qinstance *qi, const struct demand *d, uint64_t most,
                  struct time_span span);
uint64_t ars_room_in_pe(struct qmaster *q, const struct text_object *pe, uint64_t most,
                        struct time_span span);
/* ars_fit - do all of PLACES together have room in SPAN, and the slots in their environment? */
bool ars_fit(struct qmaster *q, const struct places *places, struct time_span span);
/* ars_slots - the most slots that are reserved in QI at any time from now on; of those that have
 * begun: ars_slots_now */
uint64_t ars_slots(struct qmaster *q, const struct qinstance *qi);
uint64_t ars_slots_now(struct qmaster *q, const struct qinstance *qi);
/* ars_slots_in_pe - the most slots that are reserved in PE at any time from now on
 * ars_fit_in - has NEXT, which OF will be, what is reserved in OF? False: NAME, borrowed, is the
 * resource of which it has too little; slots are not looked at
 * ars_take - does a reservation take of RESOURCE? */
uint64_t ars_slots_in_pe(struct qmaster *q, const struct text_object *pe);
bool ars_fit_in(struct qmaster *q, const struct supply *of, const struct supply *next,
                const char **name);
bool ars_take(const struct qmaster *q, uint32_t resource);
/* ars_supply_of - in which a task of JOB, which is in a reservation, books in QI; never NULL: what
 * is not there limits nothing */
struct supply *ars_supply_of(struct qmaster *q, uint32_t ar, const struct qinstance *qi);

/* ar_books_clear - forget all, at the end */
void ar_books_clear(struct qmaster *q);

#endif
