#ifndef CLIENTS_QMON_SUBMIT_INPUT_H
#define CLIENTS_QMON_SUBMIT_INPUT_H

#include <X11/Intrinsic.h>
#include <Xm/Xm.h>

#include "libs/view/submit_form.h"

/* The widgets in which one field of a job is entered: a text, a switch, a choice, a text with the
 * names of the cell's objects, or a parallel environment and its slots. */
struct submit_input;

/* the user has entered VALUE; NULL: nothing any more. Borrowed */
typedef void (*input_changed_fn)(void *ctx, const char *value);

/* submit_input_new - for FIELD, in the form ROW between LEFT and RIGHT, hundredths of its width
 *   place  of the field, borrowed; NULL: a text
 * New: submit_input_free, when its widgets have gone. */
struct submit_input *submit_input_new(Widget row, const struct form_field *field,
                                      const struct submit_place *place, int left, int right,
                                      input_changed_fn changed, void *ctx);
void submit_input_free(struct submit_input *in);
/* submit_input_set - show VALUE; the user has not changed it
 * submit_input_offer - the N names can be chosen from a list
 * submit_input_go - the keys go to it */
void submit_input_set(struct submit_input *in, const char *value);
void submit_input_offer(struct submit_input *in, XmString *names, int n);
void submit_input_go(struct submit_input *in);

#endif
