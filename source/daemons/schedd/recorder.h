#ifndef SCHEDD_RECORDER_H
#define SCHEDD_RECORDER_H

#include "libs/sgeobj/rows.h"

/* The record of what the scheduler is given and decides (libs/sched/record.h), in a file that a
 * thread writes. While nothing is recorded, and with NULL, all functions return at once. Source:
 * sched_conf(5) params RECORD */
struct recorder;

/* recorder_new - nothing is recorded yet; PATH is copied. New: recorder_free
 * recorder_free - waits until what was recorded is written; NULL is fine */
struct recorder *recorder_new(const char *path);
void recorder_free(struct recorder *r);

/* recorder_follow - RECORD is MIB now. Returns whether a record is to begin: the caller sees to it
 *   that the state of the cell arrives anew, and calls recorder_begin
 * recorder_begin - the record begins, or goes on with a new scheduler, which has been given
 *   nothing, with slices of SLICE_LOOKS. The one that was there is PATH.1 now. Waits until what was
 *   recorded before is written */
bool recorder_follow(struct recorder *r, uint32_t mib);
void recorder_begin(struct recorder *r, uint64_t slice_looks);

/* recorder_event, recorder_decisions, recorder_refusal - as record_event ...
 * recorder_send - give what was recorded to the thread. The record ends, and the log says so, when
 *   it has more than MIB, or cannot be written */
void recorder_event(struct recorder *r, const struct EV_Type *event);
void recorder_decisions(struct recorder *r, uint64_t now_s, uint32_t most,
                        const struct OR_Type_list *orders);
void recorder_refusal(struct recorder *r, const struct OR_Type *order);
void recorder_send(struct recorder *r);

#endif
