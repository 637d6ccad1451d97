#ifndef CLIENTS_QMON_SUBMIT_ROWS_H
#define CLIENTS_QMON_SUBMIT_ROWS_H

#include <X11/Intrinsic.h>

#include "libs/view/submit_form.h"

/* The fields of a form as rows of widgets on two pages: what it is called, what it says, and what
 * it means or what is wrong with it. They show the model and tell it what the user types. */
struct submit_rows;

/* what the user has made of a field; the model knows already */
typedef void (*row_changed_fn)(void *ctx, const struct form_field *field);

/* submit_rows_new - rows for all fields of FORM in PARENT, which is scrolled; CHANGED is called
 * with CTX for each change that the user makes. New: submit_rows_free */
struct submit_rows *submit_rows_new(Widget parent, struct submit_form *form, row_changed_fn changed,
                                    void *ctx);
void submit_rows_free(struct submit_rows *rows);
/* submit_rows_page - show the page of what is asked for most, or that of all other options */
void submit_rows_page(struct submit_rows *rows, bool is_advanced);
/* submit_rows_renew - show what the form says now, whoever has changed it */
void submit_rows_renew(struct submit_rows *rows);
/* submit_rows_note - TEXT stands beside FIELD; NULL: what the model says of it */
void submit_rows_note(struct submit_rows *rows, const struct form_field *field, const char *text);
/* submit_rows_go - the keys go to FIELD */
void submit_rows_go(struct submit_rows *rows, const struct form_field *field);

#endif
