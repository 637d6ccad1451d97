#ifndef MIR_MIR_H
#define MIR_MIR_H

#include "libs/sgeobj/rows.h"

/* A mirror: lists kept current from events (evc), for programs that show or watch a cell. Tables by key, a call before and after each
 * change. What an event does not say stays as it was; events about objects that are not there are passed over. */
struct answer;
struct mir;

enum mir_table { MIR_JOB, MIR_QUEUE, MIR_CONF, MIR_TABLES };
enum mir_change { MIR_ADD, MIR_MOD, MIR_DEL };

struct mir_job {
    struct JB_Type rec;       /* as far as events told it */
    struct range_set ready;   /* ordinals of tasks that may start */
    struct range_set running; /* of tasks that occupy slots */
};
struct mir_queue {
    struct QU_Type rec; /* QU_slots_used is kept from the tasks that started and ended in it */
};
/* one change, told with the object as it is at that moment; the members that TABLE does not name are NULL */
struct mir_note {
    enum mir_table table;
    enum mir_change change;
    const struct mir_job *job;
    const struct mir_queue *queue;
    const struct CONF_Type *conf;
};
struct mir_ops { /* either may be NULL; they must not call into the mirror but to read */
    void (*before)(void *ctx,
                   const struct mir_note *note); /* not for MIR_ADD: there is nothing yet */
    void (*after)(void *ctx,
                  const struct mir_note *note); /* not for MIR_DEL: there is nothing any more */
};

struct mir *mir_new(const struct mir_ops *ops,
                    void *ctx); /* new: mir_free; ops borrowed for life, may be NULL */
void mir_free(struct mir *m);
/* mir_clear - forget everything (a connection was lost); each object is told as MIR_DEL */
void mir_clear(struct mir *m);

/* mir_apply - take one event. Returns 0, or -1 with ans if it is malformed (nothing changed, nothing told). O(what changes). */
int mir_apply(struct mir *m, const struct EV_Type *event, struct answer *ans);
bool mir_is_synced(const struct mir *m); /* has EV_SYNCED come? */

/* Look-ups in O(1); borrowed until the next mir_apply; NULL if there is none. The _next functions walk a table in the order in
 * which objects came; NULL begins and ends. */
const struct mir_job *mir_job(const struct mir *m, uint32_t job_number);
const struct mir_queue *mir_queue(const struct mir *m, const char *full_name);
const struct CONF_Type *mir_conf(const struct mir *m, const char *name);
const struct mir_job *mir_job_next(const struct mir *m, const struct mir_job *job);
const struct mir_queue *mir_queue_next(const struct mir *m, const struct mir_queue *queue);
uint32_t mir_count(const struct mir *m, enum mir_table table);

#endif
