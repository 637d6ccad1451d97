#ifndef CLIENTS_QMON_FORMS_OBJECT_ROWS_H
#define CLIENTS_QMON_FORMS_OBJECT_ROWS_H

#include <X11/Intrinsic.h>

#include "libs/view/object_form.h"

/* The fields of an object as rows of widgets: what it is called, its value, and its rule or what is
 * wrong with it. They show the model and pass it what the user types. */
struct object_rows;

/* the user has changed a field, which the model knows already, or has gone to it */
typedef void (*object_field_fn)(void *ctx, const struct object_field *field);

/* object_rows_new - rows for all fields of FORM in PARENT, which is scrolled
 *   changed, entered  are called with CTX
 * New: object_rows_free, when its widgets have gone. */
struct object_rows *object_rows_new(Widget parent, struct object_form *form,
                                    object_field_fn changed, object_field_fn entered, void *ctx);
void object_rows_free(struct object_rows *rows);
/* object_rows_renew - show what the form has now, whatever has changed it */
void object_rows_renew(struct object_rows *rows);
/* object_rows_note - TEXT stands beside field NUMBER; NULL: what the model says of it
 * object_rows_go - the keys go to it */
void object_rows_note(struct object_rows *rows, uint32_t number, const char *text);
void object_rows_go(struct object_rows *rows, uint32_t number);

#endif
