#ifndef CLIENTS_QMON_WIDGETS_WINDOW_H
#define CLIENTS_QMON_WIDGETS_WINDOW_H

#include "clients/qmon/widgets/qmon.h"

struct answer;
struct dstr;

/* What all windows have in common. Their layout and words come from the app-defaults file, by the
 * names of their widgets. */

/* window_shell - a window beside the main one, not yet seen; who closes it only hides it
 * window_open - show it, in front of the others
 * window_close - hide it */
Widget window_shell(const struct qmon *q, const char *name);
void window_open(Widget shell);
void window_close(Widget shell);
/* window_note_closing - *IS_OPEN becomes false whenever SHELL is hidden
 * window_own - RECORD is freed when W is destroyed */
void window_note_closing(Widget shell, bool *is_open);
void window_own(Widget w, void *record);
/* window_title - the title of a shell becomes TEXT, behind what its resource `label` says */
void window_title(Widget shell, const char *text);
/* window_say - the text of a label becomes TEXT (UTF-8) */
void window_say(Widget label, const char *text);

/* window_button - a push button in PARENT: BUTTON calls ACT with CTX, NULL: it does nothing yet,
 * and looks so; BUTTON_WITH calls WITH with CTX and WHAT; BUTTON_CLOSE hides its window;
 * BUTTON_GAP stands between others. */
typedef void (*window_act_fn)(void *ctx);
struct window_button {
    const char *name;
    window_act_fn act;
    void (*with)(void *ctx, int what);
    int what;
};
enum { BUTTON_CLOSES = -1 };
/* clang-format off */
#define BUTTON(name, act)             { name, act, NULL, 0 }
#define BUTTON_WITH(name, with, what) { name, NULL, with, what }
#define BUTTON_CLOSE                  { "close", NULL, NULL, BUTTON_CLOSES }
#define BUTTON_GAP                    { NULL, NULL, NULL, 0 }
/* clang-format on */

/* window_buttons - a button in PARENT for each of the N rows, which are borrowed permanently */
void window_buttons(Widget parent, const struct window_button *rows, size_t n, void *ctx);
/* window_menu - a menu bar in PARENT with one menu, NAME, that has the same rows: so that each has
 * a key. Its pane is called NAMEMenu. Returns the bar. */
Widget window_menu(Widget parent, const char *name, const struct window_button *rows, size_t n,
                   void *ctx);
/* window_frame - what the windows have around their contents, in FORM: at the top a menu, at the
 * bottom a line for messages, above it the buttons of the same rows */
struct window_frame {
    Widget menu, buttons, said;
};
struct window_frame window_frame(Widget form, const char *name, const struct window_button *rows,
                                 size_t n, void *ctx);
/* window_line - a line of text in FORM above BELOW, initially empty */
Widget window_line(Widget form, const char *name, Widget below);
/* window_banner - a line at the top of FORM that is seen while the qmaster is lost; what stands
 * below it is attached to it
 * window_banners - all windows say TEXT there; NULL: nothing */
Widget window_banner(Widget form);
void window_banners(const struct qmon *q, const char *text);
/* window_scrolled - a window in PARENT that scrolls what is put into it; what the keys go to comes
 * into sight */
Widget window_scrolled(Widget parent, const char *name);
/* window_between - ONE fills its form between ABOVE and BELOW */
void window_between(Widget one, Widget above, Widget below);
/* window_text - a text of several lines in PARENT, to be read or edited; its parent is what is laid
 * out */
Widget window_text(Widget parent, const char *name, bool is_editable);
/* window_save - ask for the name of a file, and write what TEXT appends into it; SAID says how that
 * went. A file that is there stays as it is. */
typedef void (*window_text_fn)(void *ctx, struct dstr *out);
void window_save(Widget shell, Widget said, window_text_fn text, void *ctx);
/* window_save_as - the same for what WRITE writes into the new file PATH; NAME is that of the
 * question. WRITE returns 0, or -1 with ans. */
typedef int (*window_write_fn)(void *ctx, const char *path, struct answer *ans);
void window_save_as(Widget shell, const char *name, Widget said, window_write_fn write, void *ctx);
/* window_confirm - QUESTION in front of SHELL, which waits for it; ACT is called if the user says
 * yes */
void window_confirm(Widget shell, const char *name, const char *question, window_act_fn act,
                    void *ctx);
/* window_ask - the same with a line of text for an answer; ACT receives it unless the
 * user takes it back. Returns the box, which goes with the answer. */
typedef void (*window_answer_fn)(void *ctx, const char *text);
Widget window_ask(Widget shell, const char *name, window_answer_fn act, void *ctx);

/* text_edit_install - the actions that the translations of text fields in the app-defaults file
 * name, beside Motif's own: text-watch() when a field gets the focus, text-undo() and text-redo()
 * (text_edit.c). Whatever changes the field that has the focus can be undone; the history of
 * another field ends when qmon writes into it. */
void text_edit_install(XtAppContext app);

#endif
