/* Drawing: into a pixmap, which is copied when it is ready, so that nothing flickers and a redraw
 * needs no answer of the X server. */
#include "clients/qmon/widgets/paint.h"

#include <X11/StringDefs.h>
#include <X11/Xresource.h>
#include <X11/Xutil.h>
#include <stdlib.h>
#include <string.h>

#include "clients/qmon/widgets/msg_qmon.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

const char *qmon_text(const struct qmon *q, const char *name, const char *otherwise)
{
    struct dstr full = DSTR_INIT, class = DSTR_INIT;
    char *type = NULL;
    XrmValue value = { 0, NULL };
    dstr_addf(&full, "qmon.%s", name);
    dstr_addf(&class, "Qmon.%s", name);
    XrmDatabase db = XtScreenDatabase(DefaultScreenOfDisplay(q->display));
    bool is_set = XrmGetResource(db, dstr_get(&full), dstr_get(&class), &type, &value);
    dstr_free(&full);
    dstr_free(&class);
    return is_set ? value.addr : otherwise;
}

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
    [LOOK_FAILED] = { "colorFailed", "#a3001e" },
    [LOOK_UNKNOWN] = { "colorUnknown", "#5c6670" },
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

int paint_bold_width(const struct paint *p, const char *text)
{
    return width_in(p, p->bold, text);
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

/* both diagonals; THICK pixels wide */
static void draw_cross(struct canvas *c, int x, int y, int width, int height, int thick)
{
    for (int i = 0; i < thick; i++) {
        XDrawLine(c->paint->display, c->pixmap, c->gc, x + i, y, x + width - thick + i,
                  y + height - 1);
        XDrawLine(c->paint->display, c->pixmap, c->gc, x + i, y + height - 1, x + width - thick + i,
                  y);
    }
}

/* full, with a cross of paper; where there is no room for that, a gap in the middle */
static void draw_failed(struct canvas *c, int x, int y, int width, int height)
{
    enum { CROSS_LEAST = 7, THICK = 2 };
    const XftColor *paper = &c->paint->inks[INK_PAPER];
    canvas_box(c, &c->paint->looks[LOOK_FAILED], x, y, width, height);
    XSetForeground(c->paint->display, c->gc, paper->pixel);
    if (width >= CROSS_LEAST)
        draw_cross(c, x, y, width, height, THICK);
    else
        canvas_box(c, paper, x, y + height / 3, width, height - 2 * (height / 3));
}

/* held: an empty frame; pending: the lower half; running: full; done: full and low; ended in an
 * unknown way: an empty frame that is low; failed: full and crossed out; suspended: two bars; in
 * error: a frame that is crossed out */
void canvas_look(struct canvas *c, enum task_look look, int x, int y, int width, int height)
{
    const XftColor *color = &c->paint->looks[look];
    int third = height / 3, low = height - 2 * third, part = (width + 2) / 3;
    XSetForeground(c->paint->display, c->gc, color->pixel);
    switch (look) {
    case LOOK_RUNNING:
        canvas_box(c, color, x, y, width, height);
        break;
    case LOOK_DONE:
        canvas_box(c, color, x, y + third, width, low);
        break;
    case LOOK_UNKNOWN:
        draw_frame(c, x, y + third, width, low);
        break;
    case LOOK_FAILED:
        draw_failed(c, x, y, width, height);
        break;
    case LOOK_READY:
        draw_frame(c, x, y, width, height);
        canvas_box(c, color, x, y + height / 2, width, height - height / 2);
        break;
    case LOOK_SUSPENDED:
        draw_frame(c, x, y, width, height);
        canvas_box(c, color, x, y, part, height);
        canvas_box(c, color, x + width - part, y, part, height);
        break;
    case LOOK_ERROR:
        draw_frame(c, x, y, width, height);
        draw_cross(c, x, y, width, height, 1);
        break;
    case LOOK_HELD:
    case LOOKS:
        draw_frame(c, x, y, width, height);
        break;
    }
}

/* in the order in which tasks go, from the left */
static const enum task_look bar_order[] = { LOOK_DONE,      LOOK_UNKNOWN, LOOK_FAILED, LOOK_RUNNING,
                                            LOOK_SUSPENDED, LOOK_ERROR,   LOOK_READY,  LOOK_HELD };

/* pixels of N of ALL on WIDTH: what there is is seen, however few that are */
static int part_width(uint64_t n, uint64_t all, int width)
{
    enum { PART_LEAST = 4 };
    int part = (int)((double)n / (double)all * width);
    return n > 0 && part < PART_LEAST ? PART_LEAST : part;
}

void canvas_bar(struct canvas *c, const uint64_t counts[LOOKS], int x, int y, int width, int height)
{
    uint64_t all = 0;
    int parts[ARRAY_LEN(bar_order)], sum = 0;
    size_t widest = 0;
    for (size_t i = 0; i < ARRAY_LEN(bar_order); i++)
        all += counts[bar_order[i]];
    for (size_t i = 0; i < ARRAY_LEN(bar_order); i++) {
        parts[i] = all > 0 ? part_width(counts[bar_order[i]], all, width) : 0;
        sum += parts[i];
        widest = parts[i] > parts[widest] ? i : widest;
    }
    parts[widest] += width - sum;
    for (size_t i = 0; i < ARRAY_LEN(bar_order) && all > 0; x += parts[i++])
        if (parts[i] > 0)
            canvas_look(c, bar_order[i], x, y, parts[i], height);
}

/* what of TEXT has room, and a sign that there is more; appended to OUT */
static void cut_text(const struct paint *p, XftFont *font, const char *text, int space,
                     struct dstr *out)
{
    static const char more[] = "\342\200\246";
    int room = space - width_in(p, font, more);
    size_t shown = 0, beyond = strlen(text) + 1;
    while (beyond - shown > 1) {
        size_t middle = shown + (beyond - shown) / 2;
        dstr_clear(out);
        dstr_addn(out, text, middle);
        if (width_in(p, font, dstr_get(out)) <= room)
            shown = middle;
        else
            beyond = middle;
    }
    while (shown > 0 && ((unsigned char)text[shown] & 0xc0) == 0x80)
        shown--;
    dstr_clear(out);
    dstr_addn(out, text, shown);
    dstr_add(out, more);
}

static void draw_text(struct canvas *c, const struct place *at, XftFont *font, const char *text)
{
    const struct paint *p = c->paint;
    int space = at->width - 2 * TEXT_GAP;
    int x = at->x + TEXT_GAP + (at->is_right ? space - width_in(p, font, text) : 0);
    XRectangle clip = { (short)(at->x + TEXT_GAP), (short)at->y, (unsigned short)space,
                        (unsigned short)p->row_height };
    XftDrawSetClipRectangles(c->draw, 0, 0, &clip, 1);
    XftDrawStringUtf8(c->draw, &p->inks[at->ink], font, x, at->y + p->text_drop,
                      (const FcChar8 *)text, (int)strlen(text));
    XftDrawSetClip(c->draw, NULL);
}

void canvas_text(struct canvas *c, const struct place *at, const char *text)
{
    XftFont *font = at->is_bold ? c->paint->bold : c->paint->font;
    int space = at->width - 2 * TEXT_GAP;
    struct dstr cut = DSTR_INIT;
    if (space <= 0)
        return;
    if (width_in(c->paint, font, text) <= space) {
        draw_text(c, at, font, text);
        return;
    }
    cut_text(c->paint, font, text, space, &cut);
    draw_text(c, at, font, dstr_get(&cut));
    dstr_free(&cut);
}

/* ---- pictures for files ---- */
/* A canvas as a picture: what the X server has of it, in strips so that an answer of the server
 * stays small. */

enum { STRIP_ROWS = 64, COLORS = 3 };

/* the part of PIXEL that MASK has, as a byte */
static unsigned char color_of(unsigned long pixel, unsigned long mask)
{
    if (mask == 0)
        return 0;
    while ((mask & 1) == 0) {
        mask >>= 1;
        pixel >>= 1;
    }
    return (unsigned char)((pixel & mask) * UINT8_MAX / mask);
}

static void take_strip(XImage *image, const Visual *visual, unsigned char *rgb)
{
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            unsigned long pixel = XGetPixel(image, x, y);
            *rgb++ = color_of(pixel, visual->red_mask);
            *rgb++ = color_of(pixel, visual->green_mask);
            *rgb++ = color_of(pixel, visual->blue_mask);
        }
}

static bool read_strip(const struct canvas *c, unsigned y, unsigned rows, unsigned char *rgb)
{
    Display *display = c->paint->display;
    XImage *image = XGetImage(display, c->pixmap, 0, (int)y, c->width, rows, AllPlanes, ZPixmap);
    if (image == NULL)
        return false;
    take_strip(image, DefaultVisual(display, DefaultScreen(display)), rgb);
    XDestroyImage(image);
    return true;
}

int canvas_read(const struct canvas *c, struct picture *out, struct answer *ans)
{
    size_t row = (size_t)c->width * COLORS;
    *out = (struct picture){ c->width, c->height, uti_try_alloc(row * c->height) };
    bool is_good = out->rgb != NULL;
    for (unsigned y = 0; is_good && y < c->height; y += STRIP_ROWS) {
        unsigned rows = c->height - y < STRIP_ROWS ? c->height - y : STRIP_ROWS;
        is_good = read_strip(c, y, rows, out->rgb + row * y);
    }
    if (is_good)
        return 0;
    picture_free(out);
    return ans_fail(ans, STATUS_ENOMEM, MSG_QMON_NO_PICTURE);
}
