#ifndef CLIENTS_QMON_FORMS_SETTINGS_PANEL_H
#define CLIENTS_QMON_FORMS_SETTINGS_PANEL_H

#include "clients/qmon/widgets/table.h"
#include "libs/view/object_form.h"

/* The values that a field has on single hosts, as a table to change them in. */
struct settings_panel;

/* settings_panel_new - in PARENT, a form that it fills; CHANGED is called with CTX when the user
 * has changed the field that is shown
 * Lives as long as its widgets, which free it. */
struct settings_panel *settings_panel_new(Widget parent, const struct paint *paint,
                                          struct object_form *form, void (*changed)(void *ctx),
                                          void *ctx);
/* settings_panel_show - those of FIELD from now on, as they are by now; NULL: none */
void settings_panel_show(struct settings_panel *p, const struct object_field *field);

#endif
