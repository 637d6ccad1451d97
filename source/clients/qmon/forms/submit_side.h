#ifndef CLIENTS_QMON_FORMS_SUBMIT_SIDE_H
#define CLIENTS_QMON_FORMS_SUBMIT_SIDE_H

#include <X11/Intrinsic.h>

#include "libs/mir/board.h"
#include "libs/view/submit_form.h"

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
