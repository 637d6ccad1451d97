#ifndef CLIENTS_QMON_OBJECT_WINDOW_PRIV_H
#define CLIENTS_QMON_OBJECT_WINDOW_PRIV_H

#include "clients/qmon/object_about.h"
#include "clients/qmon/object_rows.h"
#include "clients/qmon/object_window.h"
#include "clients/qmon/share_panel.h"
#include "clients/qmon/window.h"

/* The window of an object: object_window.c shows, object_acts.c sends and closes. */
struct object_window {
    struct qmon *q;
    struct object_form *form;
    struct object_rows *rows; /* NULL: the kind has no fields */
    Widget shell, said, parent_said;
    struct object_about *about;
    struct share_panel *tree; /* NULL: it is no share tree */
    Widget pages;             /* which of these is seen */
    Widget fields, text;      /* the pages; the text's is its parent */
    bool is_text;             /* the text is seen */
    bool is_asking;           /* the qmaster is */
    bool is_closed;
    LIST_ENTRY(object_window) in_qmon;
};

/* object_take_text - what the user has written is the object from now on; false after saying why it
 * cannot be */
bool object_take_text(struct object_window *w);

/* object_acts - the rows of its buttons
 *   n  out: how many
 * object_on_popdown - the shell W was closed, by whomever
 * object_end - the window goes, with all that it has */
const struct window_button *object_acts(size_t *n);
void object_on_popdown(Widget shell, XtPointer w, XtPointer call);
void object_end(struct object_window *w);

#endif
