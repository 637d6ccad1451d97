#ifndef CLIENTS_QMON_FORMS_OBJECT_PANELS_H
#define CLIENTS_QMON_FORMS_OBJECT_PANELS_H

#include "clients/qmon/widgets/table.h"
#include "libs/view/object_form.h"

/* What a window of an object is made of: a form of libs/view as rows, and panels for what a row
 * cannot show. */

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

/* The week of a calendar as a picture to paint on. */
struct week_panel;

/* week_panel_new - in PARENT, a form that it fills; CHANGED is called with CTX when the user has
 * painted, and the form has the new text
 * Lives as long as its widgets, which free it. */
struct week_panel *week_panel_new(Widget parent, const struct paint *paint,
                                  struct object_form *form, void (*changed)(void *ctx), void *ctx);
/* week_panel_show - the week as the form has it by now */
void week_panel_show(struct week_panel *p);

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
