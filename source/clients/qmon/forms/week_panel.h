#ifndef CLIENTS_QMON_FORMS_WEEK_PANEL_H
#define CLIENTS_QMON_FORMS_WEEK_PANEL_H

#include "clients/qmon/widgets/paint.h"
#include "libs/view/object_form.h"

/* The week of a calendar as a picture to paint on. */
struct week_panel;

/* week_panel_new - in PARENT, a form that it fills; CHANGED is called with CTX when the user has
 * painted, and the form has the new text
 * Lives as long as its widgets, which free it. */
struct week_panel *week_panel_new(Widget parent, const struct paint *paint,
                                  struct object_form *form, void (*changed)(void *ctx), void *ctx);
/* week_panel_show - the week as the form has it by now */
void week_panel_show(struct week_panel *p);

#endif
