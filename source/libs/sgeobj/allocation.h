#ifndef SGEOBJ_ALLOCATION_H
#define SGEOBJ_ALLOCATION_H

#include "libs/sgeobj/rows.h"

struct dstr;

/* An allocation: where a task has its slots. A list of {host, queue instance, slots} with one
 * entry for each queue instance. The first is the master's: there the task itself runs, and what
 * is called "the queue" and "the host" of a task is its. Orders, events, task records and what
 * the hosts are sent have it in this form, also when it has one entry. Pure. */

/* allocation_is_whole - has it an entry, and each entry a queue instance that no other has?
 * O(entries log entries) */
bool allocation_is_whole(const struct JG_Type_list *a);
/* allocation_add - one entry more; QUEUE and HOST are counted strings and are shared, HOST may
 * be NULL */
void allocation_add(struct JG_Type_list *a, const char *queue, const char *host, uint32_t slots);
/* allocation_set_pe - it is of the parallel environment PE, shared with other holders; NULL: of
 * none. It has an entry. */
void allocation_set_pe(struct JG_Type_list *a, const char *pe);
/* allocation_keep_pe - it keeps what PE, whose name it has, says of a task from its start to its
 * end, whatever becomes of PE meanwhile; the strings are shared */
void allocation_keep_pe(struct JG_Type_list *a, const struct PE_Type *pe);
/* allocation_equal - the same slots and amounts in the same queue instances, in the same order,
 * and the same parallel environment, by its name? Which devices they are does not count. */
bool allocation_equal(const struct JG_Type_list *a, const struct JG_Type_list *b);

/* allocation_queue, allocation_host - those of its master, borrowed; "" if there is none */
const char *allocation_queue(const struct JG_Type_list *a);
const char *allocation_host(const struct JG_Type_list *a);
/* allocation_pe - the parallel environment, borrowed; NULL without one */
const char *allocation_pe(const struct JG_Type_list *a);
/* allocation_pe_start, allocation_pe_stop - what that runs before and after the task, borrowed;
 * NULL: nothing */
const char *allocation_pe_start(const struct JG_Type_list *a);
const char *allocation_pe_stop(const struct JG_Type_list *a);
/* allocation_controls_slaves - do its hosts start petasks (task_key.h) for the task? */
bool allocation_controls_slaves(const struct JG_Type_list *a);
/* allocation_slots - all of them together, UINT32_MAX if they are more; 0: there are none */
uint32_t allocation_slots(const struct JG_Type_list *a);
/* allocation_hosts - how many hosts it is on. O(entries log entries) */
uint32_t allocation_hosts(const struct JG_Type_list *a);
/* allocation_slots_on - those on HOST together, as allocation_slots */
uint32_t allocation_slots_on(const struct JG_Type_list *a, const char *host);

/* allocation_devices_text - append the named devices in it, resource=host=(names), with commas
 * between: "gpu=node1=(0 2),gpu=node2=(1)". O(devices) */
void allocation_devices_text(const struct JG_Type_list *a, struct dstr *out);

#endif
