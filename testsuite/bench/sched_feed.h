#ifndef BENCH_SCHED_FEED_H
#define BENCH_SCHED_FEED_H

/* Events for programs that measure the scheduler alone. */
#include <stdlib.h>

#include "libs/sched/sched.h"
#include "libs/sgeobj/event.h"
#include "libs/sgeobj/object_kind.h"

static inline void apply(struct sched *s, struct EV_Type *event)
{
    if (sched_apply(s, event, NULL) < 0)
        abort();
    cull_clear(&cull_EV_Type, event);
}

/* a resource with the relation <= */
static inline void add_resource(struct sched *s, const char *name, const char *type,
                                const char *consumable)
{
    const char *const columns[][2] = {
        { "shortcut", name },
        { "type", type },
        { "relop", "<=" },
        { "requestable", "YES" },
        { "consumable", consumable },
        { "default", "0" },
        { "urgency", "0" },
    };
    struct EV_Type event = { 0 };
    struct TX_Type *row = cull_append(&event, EV_texts);
    cull_set(&event, EV_kind, EV_OBJECT);
    cull_set(row, TX_kind, (uint32_t)OBJECT_COMPLEX);
    cull_set(row, TX_name, name);
    for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
        struct VA_Type *column = cull_append(row, TX_entries);
        cull_set(column, VA_variable, columns[i][0]);
        cull_set(column, VA_value, columns[i][1]);
    }
    apply(s, &event);
}

#endif
