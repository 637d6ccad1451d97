#ifndef MIR_MIR_H
#define MIR_MIR_H

#include "libs/mir/board.h"

/* A mirror of the state that an event client has received: jobs and tasks, queue instances, hosts
 * with their load, and configurations by key, kept current by events. Pure; not thread safe. */
struct answer;
struct mir;

/* mir_new - knows nothing; new: mir_free. NULL is fine for mir_free */
struct mir *mir_new(void);
void mir_free(struct mir *m);

/* mir_apply - EVENT has come
 *
 *   ans  optional; STATUS_EPROTO names the field that its kind needs and it lacks
 *
 * EV_ANEW empties the mirror, but for jobs, which are stale until they come again (board.h). A
 * change adds a queue instance or host that is not known; jobs that are not known are passed over,
 * and so is what is removed and not known. Returns 0, or -1 with ans and nothing changed.
 * O(fields). */
int mir_apply(struct mir *m, const struct EV_Type *event, struct answer *ans);

/* mir_job, mir_queue, mir_host, mir_conf - what is known of it, borrowed until the next mir_apply;
 * NULL: nothing. O(1). */
const struct JB_Type *mir_job(const struct mir *m, uint32_t number);
/* mir_board - the jobs with the states of their tasks, also those that ended lately; borrowed for
 * the life of the mirror */
struct board *mir_board(const struct mir *m);
const struct QU_Type *mir_queue(const struct mir *m, const char *full_name);
const struct EH_Type *mir_host(const struct mir *m, const char *name);
const struct CONF_Type *mir_conf(const struct mir *m, const char *name);
/* mir_object - the object of administrators of KIND (enum object_kind) called NAME, likewise */
const struct TX_Type *mir_object(const struct mir *m, uint32_t kind, const char *name);
/* mir_each_queue - FN for each queue instance, in the order in which they came first; FN changes
 * nothing here. mir_queues - how many there are */
typedef void (*mir_queue_fn)(void *ctx, const struct QU_Type *queue);
void mir_each_queue(const struct mir *m, mir_queue_fn fn, void *ctx);
uint32_t mir_queues(const struct mir *m);

#endif
