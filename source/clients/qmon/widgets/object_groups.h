#ifndef CLIENTS_QMON_WIDGETS_OBJECT_GROUPS_H
#define CLIENTS_QMON_WIDGETS_OBJECT_GROUPS_H

#include "libs/kinds/kinds.h"

/* Which kinds of objects are in which window, a window for each button of qmon's main window; the
 * rows of sge_object_kindsL.h say it. What has no row there is a list of names and nothing else. */
enum object_group {
    GROUP_COMPLEX,
    GROUP_CLUSTER,
    GROUP_HOST,
    GROUP_CALENDAR,
    GROUP_USER,
    GROUP_PE,
    GROUP_CHECKPOINT,
    GROUP_SCHEDULER,
    GROUP_PROJECT,
    GROUP_QUOTA,
    OBJECT_GROUPS,
    GROUP_NONE = OBJECT_GROUPS
};

/* a kind in a window */
struct group_kind {
    enum gdi_target target;
    const char *name; /* of the button that chooses it; its words are in the app-defaults */
};
enum { GROUP_KINDS_MOST = 8 };
/* object_group_name - of the window
 * object_group_kind - the kind NUMBER of it, from 0; NULL behind the last */
const char *object_group_name(enum object_group group);
const struct group_kind *object_group_kind(enum object_group group, unsigned number);

/* target_names - the names of the objects of TARGET that are in ALL: FN for each */
void target_names(enum gdi_target target, const struct GA_Type *all,
                  void (*fn)(void *ctx, const char *name), void *ctx);
/* target_request_add - a list of names gets NAME: into OUT, which is empty
 * target_request_delete - the object of that name goes */
void target_request_add(enum gdi_target target, const char *name, struct GR_Type *out);
void target_request_delete(enum gdi_target target, const char *name, struct GR_Type *out);

#endif
