#ifndef CLIENTS_QMON_WIDGETS_CHOICES_H
#define CLIENTS_QMON_WIDGETS_CHOICES_H

#include <X11/Intrinsic.h>

/* What stands above a list: buttons of which one is chosen, and words that filter. */

/* choices_row - a row in FORM below ABOVE, to be filled from left to right */
Widget choices_row(Widget form, Widget above);

/* choice_fn - the button with this number was chosen
 * choices_new - a button in PARENT for each of the N names, the first is chosen; NAME is that of
 * the box, which is returned
 * choices_set - button NUMBER is chosen now; no callback runs */
typedef void (*choice_fn)(void *ctx, unsigned number);
Widget choices_new(Widget parent, const char *name, const char *const *names, unsigned n,
                   choice_fn chosen, void *ctx);
void choices_set(Widget box, unsigned number);

/* words_fn - what the field says now, borrowed
 * choices_words - a field NAME in ROW, behind a label LABEL; WRITTEN is called for each change */
typedef void (*words_fn)(void *ctx, const char *words);
Widget choices_words(Widget row, const char *label, const char *name, words_fn written, void *ctx);

#endif
