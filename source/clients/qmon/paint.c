/* Drawing: into a pixmap, which is copied when it is ready, so that nothing flickers and a redraw
 * needs no answer of the X server. */
#include "clients/qmon/paint.h"

#include <X11/StringDefs.h>
#include <X11/Xresource.h>
#include <stdlib.h>
#include <string.h>

#include "clients/qmon/msg_qmon.h"
#include "libs/uti/answer.h"

enum { LINE_GAP = 4, TEXT_GAP = 4 };

static const struct {
    const char *resource, *otherwise;
} inks[INKS] = {
    [INK_TEXT] = { "colorText", "#1a1a1a" },     [INK_PAPER] = { "colorPaper", "#ffffff" },
    [INK_STRIPE] = { "colorStripe", "#f3f5f7" }, [INK_CHOSEN] = { "colorChosen", "#cfe3f7" },
    [INK_LINE] = { "colorLine", "#b8bec4" },     [INK_FAINT] = { "colorFaint", "#6a7076" },
}, looks[LOOKS] = {
    [LOOK_ERROR] = { "colorError", "#d55e00" },
    [LOOK_SUSPENDED] = { "colorSuspended", "#cc79a7" },
    [LOOK_RUNNING] = { "colorRunning", "#0072b2" },
    [LOOK_READY] = { "colorPending", "#e6b800" },
    [LOOK_HELD] = { "colorHeld", "#8c9299" },
    [LOOK_DONE] = { "colorDone", "#009e73" },
};

/* ---- fonts and colours ---- */

static bool read_color(const struct qmon *q, const char *resource, const char *otherwise,
                       XftColor *out, struct answer *ans)
{
    int screen = DefaultScreen(q->display);
    const char *name = qmon_text(q, resource, otherwise);
    if (XftColorAllocName(q->display, DefaultVisual(q->display, screen),
                          DefaultColormap(q->display, screen), name, out))
        return true;
    ans_fail(ans, STATUS_ESEMANTIC, MSG_QMON_COLOR_SS, resource, name);
    return false;
}

static bool read_colors(struct paint *p, const struct qmon *q, struct answer *ans)
{
    for (size_t i = 0; i < INKS; i++)
        if (!read_color(q, inks[i].resource, inks[i].otherwise, &p->inks[i], ans))
            return false;
    for (size_t i = 0; i < LOOKS; i++)
        if (!read_color(q, looks[i].resource, looks[i].otherwise, &p->looks[i], ans))
            return false;
    return true;
}

static XftFont *open_font(const struct qmon *q, const char *resource, const char *otherwise,
                          struct answer *ans)
{
    const char *name = qmon_text(q, resource, otherwise);
    XftFont *font = XftFontOpenName(q->display, DefaultScreen(q->display), name);
    return font != NULL ? font : ans_null(ans, STATUS_ESEMANTIC, MSG_QMON_FONT_SS, resource, name);
}

struct paint *paint_new(const struct qmon *q, struct answer *ans)
{
    struct paint *p = uti_calloc(1, sizeof *p);
    p->display = q->display;
    p->font = open_font(q, "tableFont", "Sans-10", ans);
    p->bold = p->font != NULL ? open_font(q, "titleFont", "Sans-10:bold", ans) : NULL;
    if (p->bold == NULL || !read_colors(p, q, ans)) {
        paint_free(p);
        return NULL;
    }
    p->row_height = p->font->ascent + p->font->descent + LINE_GAP;
    p->text_drop = p->font->ascent + LINE_GAP / 2;
    return p;
}

void paint_free(struct paint *p)
{
    if (p == NULL)
        return;
    if (p->bold != NULL)
        XftFontClose(p->display, p->bold);
    if (p->font != NULL)
        XftFontClose(p->display, p->font);
    free(p);
}

static int width_in(const struct paint *p, XftFont *font, const char *text)
{
    XGlyphInfo info;
    XftTextExtentsUtf8(p->display, font, (const FcChar8 *)text, (int)strlen(text), &info);
    return info.xOff;
}

int paint_width(const struct paint *p, const char *text)
{
    return width_in(p, p->font, text);
}

/* ---- a picture ---- */

void canvas_make(struct canvas *c, const struct paint *p, Window window, unsigned width,
                 unsigned height)
{
    int screen = DefaultScreen(p->display);
    unsigned depth = (unsigned)DefaultDepth(p->display, screen);
    *c = (struct canvas){ .paint = p, .window = window, .width = width, .height = height };
    c->pixmap = XCreatePixmap(p->display, c->window, width, height, depth);
    c->gc = XCreateGC(p->display, c->pixmap, 0, NULL);
    c->draw = XftDrawCreate(p->display, c->pixmap, DefaultVisual(p->display, screen),
                            DefaultColormap(p->display, screen));
    canvas_box(c, &p->inks[INK_PAPER], 0, 0, (int)width, (int)height);
}

void canvas_drop(struct canvas *c)
{
    XftDrawDestroy(c->draw);
    XFreeGC(c->paint->display, c->gc);
    XFreePixmap(c->paint->display, c->pixmap);
}

void canvas_begin(struct canvas *c, const struct paint *p, Widget widget)
{
    Dimension width = 1, height = 1;
    XtVaGetValues(widget, XtNwidth, &width, XtNheight, &height, NULL);
    canvas_make(c, p, XtWindow(widget), width, height);
}

void canvas_end(struct canvas *c)
{
    XCopyArea(c->paint->display, c->pixmap, c->window, c->gc, 0, 0, c->width, c->height, 0, 0);
    canvas_drop(c);
}

void canvas_box(struct canvas *c, const XftColor *color, int x, int y, int width, int height)
{
    if (width <= 0 || height <= 0)
        return;
    XSetForeground(c->paint->display, c->gc, color->pixel);
    XFillRectangle(c->paint->display, c->pixmap, c->gc, x, y, (unsigned)width, (unsigned)height);
}

static void draw_frame(struct canvas *c, int x, int y, int width, int height)
{
    if (width > 1 && height > 1)
        XDrawRectangle(c->paint->display, c->pixmap, c->gc, x, y, (unsigned)width - 1,
                       (unsigned)height - 1);
}

/* held: an empty frame; pending: the lower half; running: full; done: full and low; suspended: two
 * bars; in error: crossed out */
void canvas_look(struct canvas *c, enum task_look look, int x, int y, int width, int height)
{
    const XftColor *color = &c->paint->looks[look];
    XSetForeground(c->paint->display, c->gc, color->pixel);
    if (look == LOOK_RUNNING)
        canvas_box(c, color, x, y, width, height);
    else if (look == LOOK_DONE)
        canvas_box(c, color, x, y + height / 3, width, height - 2 * (height / 3));
    else
        draw_frame(c, x, y, width, height);
    if (look == LOOK_READY)
        canvas_box(c, color, x, y + height / 2, width, height - height / 2);
    if (look == LOOK_SUSPENDED) {
        canvas_box(c, color, x, y, (width + 2) / 3, height);
        canvas_box(c, color, x + width - (width + 2) / 3, y, (width + 2) / 3, height);
    }
    if (look != LOOK_ERROR)
        return;
    XDrawLine(c->paint->display, c->pixmap, c->gc, x, y, x + width - 1, y + height - 1);
    XDrawLine(c->paint->display, c->pixmap, c->gc, x, y + height - 1, x + width - 1, y);
}

void canvas_text(struct canvas *c, const struct place *at, const char *text)
{
    const struct paint *p = c->paint;
    XftFont *font = at->is_bold ? p->bold : p->font;
    int space = at->width - 2 * TEXT_GAP;
    int x = at->x + TEXT_GAP + (at->is_right ? space - width_in(p, font, text) : 0);
    if (space <= 0)
        return;
    XRectangle clip = { (short)(at->x + TEXT_GAP), (short)at->y, (unsigned short)space,
                        (unsigned short)p->row_height };
    XftDrawSetClipRectangles(c->draw, 0, 0, &clip, 1);
    XftDrawStringUtf8(c->draw, &p->inks[at->ink], font, x, at->y + p->text_drop,
                      (const FcChar8 *)text, (int)strlen(text));
    XftDrawSetClip(c->draw, NULL);
}
