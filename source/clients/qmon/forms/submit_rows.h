#ifndef CLIENTS_QMON_FORMS_SUBMIT_ROWS_H
#define CLIENTS_QMON_FORMS_SUBMIT_ROWS_H

#include "clients/qmon/widgets/qmon.h"
#include "libs/view/submit_form.h"

/* The fields of a form as rows of widgets, in groups under headings: the label, the option in small
 * print, the input, and an example or the reason why the value is refused. The rows show the model
 * and set it when the user changes something. */
struct submit_rows;

/* the user has changed a field; the model has the new value */
typedef void (*row_changed_fn)(void *ctx, const struct form_field *field);

/* submit_rows_new - rows for all fields of FORM in PARENT, which is scrolled; CHANGED is called
 * with CTX for each change that the user makes. New: submit_rows_free */
struct submit_rows *submit_rows_new(Widget parent, struct submit_form *form, row_changed_fn changed,
                                    void *ctx);
void submit_rows_free(struct submit_rows *rows);
/* submit_rows_ask_names - query the names of queues, projects ... for the lists of the rows; the
 * label SAID shows an error. The rows must live until the answers have come. */
void submit_rows_ask_names(struct submit_rows *rows, struct qmon *q, Widget said);
/* submit_rows_renew - show the values of the form again */
void submit_rows_renew(struct submit_rows *rows);
/* submit_rows_note - TEXT, a reason, stands beside FIELD; NULL: that of the model, or the example
 */
void submit_rows_note(struct submit_rows *rows, const struct form_field *field, const char *text);
/* submit_rows_go - the keys go to FIELD, which is scrolled into sight; NULL: to the first one */
void submit_rows_go(struct submit_rows *rows, const struct form_field *field);

#endif
