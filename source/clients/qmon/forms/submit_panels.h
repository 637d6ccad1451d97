#ifndef CLIENTS_QMON_FORMS_SUBMIT_PANELS_H
#define CLIENTS_QMON_FORMS_SUBMIT_PANELS_H

#include "clients/qmon/widgets/qmon.h"
#include "libs/mir/board.h"
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

/* What stands beside the fields of Submit Job: the jobs that a list could go on with, which tasks
 * of the job would wait for which, and its script. Only read, but for the jobs, which can be
 * taken. */
struct paint;
struct submit_side;

/* a job was taken, and LIST is what the field says with it; borrowed */
typedef void (*job_taken_fn)(void *ctx, const char *list);

/* submit_side_new - in PARENT, a form; jobs of BOARD that USER owns are offered. All is borrowed
 * for life. New: submit_side_free */
struct submit_side *submit_side_new(Widget parent, const struct paint *paint,
                                    const struct board *board, const char *user, job_taken_fn taken,
                                    void *ctx);
void submit_side_free(struct submit_side *side);
/* submit_side_show - what follows from FORM; HELD is the field of jobs that is being filled */
void submit_side_show(struct submit_side *side, const struct submit_form *form,
                      const struct form_field *held);
/* submit_side_script - the text of a script */
void submit_side_script(struct submit_side *side, const char *text);

#endif
