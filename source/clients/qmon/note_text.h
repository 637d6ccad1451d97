#ifndef CLIENTS_QMON_NOTE_TEXT_H
#define CLIENTS_QMON_NOTE_TEXT_H

#include <X11/Intrinsic.h>

/* note_say - LABEL shows TEXT (UTF-8), broken into lines between words so that none is wider than
 * WIDTH pixels; a single word may be */
void note_say(Widget label, const char *text, int width);
/* note_room - the pixels of PERCENT hundredths of the width of the parent of LABEL */
int note_room(Widget label, int percent);

#endif
