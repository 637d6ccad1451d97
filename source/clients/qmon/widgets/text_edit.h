#ifndef CLIENTS_QMON_WIDGETS_TEXT_EDIT_H
#define CLIENTS_QMON_WIDGETS_TEXT_EDIT_H

#include <X11/Intrinsic.h>

/* text_edit_install - the actions that the translations of text fields in the app-defaults file
 * name, beside Motif's own: text-watch() when a field gets the focus, text-undo() and text-redo().
 * Whatever changes the field that has the focus can be undone; the history of another field ends
 * when qmon writes into it. */
void text_edit_install(XtAppContext app);

#endif
