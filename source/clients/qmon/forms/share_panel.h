#ifndef CLIENTS_QMON_FORMS_SHARE_PANEL_H
#define CLIENTS_QMON_FORMS_SHARE_PANEL_H

#include "clients/qmon/widgets/table.h"
#include "libs/view/object_form.h"

/* The share tree as a tree: its nodes with what they are entitled to, to be changed, and dragged to
 * another place. */
struct share_panel;

/* share_panel_new - in PARENT; CHANGED is called with CTX when the user has changed the tree, which
 * the form knows already. New: share_panel_free, when its widgets have gone. NULL is fine there. */
struct share_panel *share_panel_new(Widget parent, const struct paint *paint,
                                    struct object_form *form, void (*changed)(void *ctx),
                                    void *ctx);
void share_panel_free(struct share_panel *p);
/* share_panel_widget - what its parent lays out
 * share_panel_renew - the form was changed elsewhere */
Widget share_panel_widget(const struct share_panel *p);
void share_panel_renew(struct share_panel *p);

#endif
