#ifndef CLIENTS_QMON_WIDGETS_PAINT_H
#define CLIENTS_QMON_WIDGETS_PAINT_H

#include <X11/Xft/Xft.h>

#include "clients/qmon/widgets/png_file.h"
#include "clients/qmon/widgets/qmon.h"

/* Fonts, colours and forms of what qmon draws itself. Each look of a task has a colour and a form,
 * so that colour is not needed. */
enum paint_ink { INK_TEXT, INK_PAPER, INK_STRIPE, INK_CHOSEN, INK_LINE, INK_FAINT, INKS };

struct paint {
    Display *display;
    XftFont *font, *bold;
    XftColor inks[INKS];
    XftColor looks[LOOKS];
    int row_height, text_drop; /* pixels: of a line, from its top to the base of its letters */
};
/* paint_new - fonts and colours as the resources say
 * Returns new: paint_free; NULL with ans, naming the resource. */
struct paint *paint_new(const struct qmon *q, struct answer *ans);
void paint_free(struct paint *p);

/* qmon_text - what the resource NAME says, borrowed; OTHERWISE if it is not set */
const char *qmon_text(const struct qmon *q, const char *name, const char *otherwise);

/* struct canvas - a picture that becomes visible when it is ready */
struct canvas {
    const struct paint *paint;
    Window window;
    Pixmap pixmap;
    XftDraw *draw;
    GC gc;
    unsigned width, height;
};
/* canvas_begin - an empty picture as large as WIDGET, which is realized
 * canvas_end - show it, and free what it has; always after canvas_begin */
void canvas_begin(struct canvas *c, const struct paint *p, Widget widget);
void canvas_end(struct canvas *c);
/* canvas_make - an empty picture of that size that is not displayed, for the screen of WINDOW
 * canvas_drop - free what it has */
void canvas_make(struct canvas *c, const struct paint *p, Window window, unsigned width,
                 unsigned height);
void canvas_drop(struct canvas *c);
/* canvas_box - fill a rectangle
 * canvas_look - the form and colour of a look of tasks within it
 * canvas_text - TEXT (UTF-8), cut at WIDTH pixels with dots, in a line whose top is Y; at the right
 * if it is a number */
void canvas_box(struct canvas *c, const XftColor *color, int x, int y, int width, int height);
void canvas_look(struct canvas *c, enum task_look look, int x, int y, int width, int height);
/* canvas_bar - a bar of parts as wide as the tasks of each look are many */
void canvas_bar(struct canvas *c, const uint64_t counts[LOOKS], int x, int y, int width,
                int height);
struct place {
    int x, y, width;
    bool is_right, is_bold;
    enum paint_ink ink;
};
void canvas_text(struct canvas *c, const struct place *at, const char *text);
/* paint_width, paint_bold_width - pixels that TEXT takes */
int paint_width(const struct paint *p, const char *text);
int paint_bold_width(const struct paint *p, const char *text);

/* canvas_read - what is drawn on C, which need not be seen; asks the X server
 * Returns 0, or -1 with ans: not enough memory for a picture of this size. OUT: picture_free. */
int canvas_read(const struct canvas *c, struct picture *out, struct answer *ans);

#endif
