#ifndef CLIENTS_QMON_WIDGETS_TEXTS_H
#define CLIENTS_QMON_WIDGETS_TEXTS_H

#include <X11/Intrinsic.h>

/* Texts that are only read, each with a label above it. */

/* read_text_new - the text NAME between FROM and TO percent of the height of FORM, below a label
 * called LABEL; returns the text */
Widget read_text_new(Widget form, const char *label, const char *name, int from, int to);
/* read_text_show - NEWS is shown, UTF-8; what is the same as before stays as it was scrolled
 * read_text_follow - the same for bytes of a file that grows: a view of its end continues to show
 * it; bytes that are no characters become question marks */
void read_text_show(Widget text, const char *news);
void read_text_follow(Widget text, const char *news);
/* read_text_add - append to OUT what is shown */
struct dstr;
void read_text_add(Widget text, struct dstr *out);

/* note_say - LABEL shows TEXT (UTF-8), broken into lines between words so that none is wider than
 * WIDTH pixels; a single word may be */
void note_say(Widget label, const char *text, int width);

/* note_room - the pixels of PERCENT hundredths of the width of the parent of LABEL */
int note_room(Widget label, int percent);

#endif
