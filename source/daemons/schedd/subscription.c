/* What policies need, as kinds of events and of objects. Pure. */
#include "daemons/schedd/subscription.h"

#include "libs/sched/policy/policy.h"
#include "libs/sgeobj/event.h"
#include "libs/sgeobj/object_kind.h"

static const struct {
    unsigned need;
    enum event_kind kind;     /* 0: it is about objects */
    enum object_kind objects; /* of this kind */
} rows[] = {
    { SCHED_NEEDS_USERS, 0, OBJECT_USER },
    { SCHED_NEEDS_PROJECTS, 0, OBJECT_PROJECT },
    { SCHED_NEEDS_USER_SETS, 0, OBJECT_USERSET },
    { SCHED_NEEDS_SHARE_TREE, 0, OBJECT_SHARETREE },
    { SCHED_NEEDS_CALENDARS, 0, OBJECT_CALENDAR },
    { SCHED_NEEDS_SUSPENSIONS, EV_TASKS_STATE, OBJECT_NONE },
    { SCHED_NEEDS_USAGE, EV_USAGE, OBJECT_NONE },
    { SCHED_NEEDS_SHARE_USAGE, EV_SHARE_USAGE, OBJECT_NONE },
};

void subscription_make(struct subscription *s, unsigned needs)
{
    unsigned n_kinds = 0, n_objects = 0;
    _Static_assert(ARRAY_LEN(rows) < SUBSCRIPTION_NAMES, "all of them, and the end");
    *s = (struct subscription){ .needs = needs };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        if ((needs & rows[i].need) == 0)
            continue;
        if (rows[i].objects != OBJECT_NONE)
            s->objects[n_objects++] = object_kind_name(rows[i].objects);
        else
            s->kinds[n_kinds++] = event_kind_name(rows[i].kind);
    }
    s->wish = (struct evc_wish){ .kinds = s->kinds, .objects = s->objects };
}
