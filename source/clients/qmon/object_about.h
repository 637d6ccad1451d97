#ifndef CLIENTS_QMON_OBJECT_ABOUT_H
#define CLIENTS_QMON_OBJECT_ABOUT_H

#include "clients/qmon/qmon.h"
#include "libs/view/object_form.h"

/* What stands below the fields of an object: what the manual says of the one with the keys, and
 * beside it what the kind has of its own: the values of a queue on single hosts, the week of a
 * calendar. */
struct object_about;

/* object_about_new - in FORM_WIDGET, above BELOW; CHANGED is called with CTX when the user has
 * changed a field there
 * Lives as long as its widgets, which free it. */
struct object_about *object_about_new(struct qmon *q, struct object_form *form, Widget form_widget,
                                      Widget below, void (*changed)(void *ctx), void *ctx);
/* object_about_widget - what its parent lays out */
Widget object_about_widget(const struct object_about *a);
/* object_about_enter - the keys are in FIELD; NULL: in none, and no field of before is there
 * object_about_renew - fields have other values by now */
void object_about_enter(struct object_about *a, const struct object_field *field);
void object_about_renew(struct object_about *a);

#endif
