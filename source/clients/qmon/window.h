#ifndef CLIENTS_QMON_WINDOW_H
#define CLIENTS_QMON_WINDOW_H

#include "clients/qmon/qmon.h"

/* What all windows have in common. Their layout and words come from the app-defaults file, by the
 * names of their widgets. */

/* window_shell - a window beside the main one, not yet seen; who closes it only hides it
 * window_open - show it, in front of the others
 * window_close - hide it */
Widget window_shell(const struct qmon *q, const char *name);
void window_open(Widget shell);
void window_close(Widget shell);
/* window_title - the title of a shell becomes TEXT, behind what its resource `label` says */
void window_title(Widget shell, const char *text);
/* window_say - the text of a label becomes TEXT (UTF-8) */
void window_say(Widget label, const char *text);

/* window_button - a push button in PARENT; ACT is called with CTX; NULL: it does nothing yet, and
 * looks so */
typedef void (*window_act_fn)(void *ctx);
struct window_button {
    const char *name;
    window_act_fn act;
};
/* window_buttons - a button in PARENT for each of the N rows, which are borrowed for good */
void window_buttons(Widget parent, const struct window_button *rows, size_t n, void *ctx);
/* window_menu - a menu bar in PARENT with one menu, NAME, that has the same rows: so that each has
 * a key. Its pane is called NAMEMenu. Returns the bar. */
Widget window_menu(Widget parent, const char *name, const struct window_button *rows, size_t n,
                   void *ctx);
/* window_ask - a question in front of SHELL that a line of text answers; ACT hears it unless the
 * user takes it back */
typedef void (*window_answer_fn)(void *ctx, const char *text);
void window_ask(Widget shell, const char *name, window_answer_fn act, void *ctx);

#endif
