/* A table: what is chosen in it, by keys and pointer. A key moves the cursor, and with it the
 * choice; with Shift the choice grows, with Control the cursor moves alone and Space adds and
 * removes rows. Ctrl+C copies the chosen rows to the clipboard, a line each, with tabs between the
 * columns. */
#include "clients/qmon/widgets/table.h"

#include <X11/Xutil.h>
#include <X11/keysym.h>
#include <Xm/CutPaste.h>
#include <Xm/DrawingA.h>
#include <Xm/ScrollBar.h>
#include <Xm/ScrolledW.h>
#include <Xm/Xm.h>
#include <stdlib.h>
#include <string.h>

#include "clients/qmon/widgets/table_picture.h"
#include "libs/uti/dstr.h"

enum { COPY_MOST_BYTES = 1 << 20 };
enum { WHEEL_ROWS = 3, WHEEL_UP = Button4, WHEEL_DOWN = Button5 };

/* ---- the choice ---- */

static uint32_t key_of(const struct table *t, uint32_t row)
{
    return t->model->key(t->ctx, row);
}

static void tell_chosen(const struct table *t)
{
    if (t->model->chosen != NULL)
        t->model->chosen(t->ctx);
}

static void choose_range(struct table *t, uint32_t a, uint32_t b)
{
    range_set_free(&t->chosen);
    for (uint32_t row = a < b ? a : b; row <= (a < b ? b : a); row++)
        range_set_add(&t->chosen, key_of(t, row), key_of(t, row));
}

static void toggle_row(struct table *t, uint32_t row)
{
    uint32_t key = key_of(t, row);
    if (range_set_has(&t->chosen, key))
        range_set_remove(&t->chosen, key, key);
    else
        range_set_add(&t->chosen, key, key);
}

/* the cursor comes to ROW, which is there */
static void go_to(struct table *t, uint32_t row, unsigned modifiers)
{
    t->cursor = row;
    if ((modifiers & ShiftMask) == 0)
        t->anchor = row;
    if ((modifiers & ShiftMask) != 0)
        choose_range(t, t->anchor < t->model->count(t->ctx) ? t->anchor : row, row);
    else if ((modifiers & ControlMask) == 0)
        choose_range(t, row, row);
    table_see(t, row);
    tell_chosen(t);
}

static void toggle_at(struct table *t, uint32_t row)
{
    t->cursor = t->anchor = row;
    toggle_row(t, row);
    table_show(t);
    tell_chosen(t);
}

/* ---- keys ---- */

static uint32_t row_moved(const struct table *t, int64_t by)
{
    int64_t n = t->model->count(t->ctx), row = (int64_t)t->cursor + by;
    return (uint32_t)(row < 0 ? 0 : row >= n ? n - 1 : row);
}

/* how far a key moves the cursor; 0: it does not */
static int64_t move_of(const struct table *t, KeySym key)
{
    int64_t page = table_page(t), all = INT32_MAX;
    switch (key) {
    case XK_Up:
        return -1;
    case XK_Down:
        return 1;
    case XK_Prior:
        return -page;
    case XK_Next:
        return page;
    case XK_Home:
        return -all;
    case XK_End:
        return all;
    default:
        return 0;
    }
}

static void add_row(const struct table *t, uint32_t row, struct dstr *out)
{
    for (unsigned i = 0; i < t->n_shown; i++) {
        if (i > 0)
            dstr_add(out, "\t");
        t->model->cell(t->ctx, row, t->shown[i], out);
    }
    dstr_add(out, "\n");
}

static void copy_text(const struct table *t, struct dstr *text, Time when)
{
    Display *display = XtDisplay(t->area);
    Window window = XtWindow(t->area);
    XmString label = XmStringCreateLocalized(XtName(t->area));
    unsigned long len = text->len;
    long item = 0;
    if (XmClipboardStartCopy(display, window, label, when, NULL, NULL, &item) ==
        XmClipboardSuccess) {
        XmClipboardCopy(display, window, item, "UTF8_STRING", text->s, len, 0, NULL);
        XmClipboardCopy(display, window, item, "STRING", text->s, len, 0, NULL);
        XmClipboardEndCopy(display, window, item);
    }
    XmStringFree(label);
}

static void copy_chosen(const struct table *t, Time when)
{
    struct dstr text = DSTR_INIT;
    uint32_t n = t->model->count(t->ctx);
    for (uint32_t row = 0; row < n && text.len < COPY_MOST_BYTES; row++)
        if (range_set_has(&t->chosen, key_of(t, row)))
            add_row(t, row, &text);
    if (text.len > 0)
        copy_text(t, &text, when);
    dstr_free(&text);
}

static void on_other_key(struct table *t, KeySym key, unsigned modifiers, Time when)
{
    if (key == XK_space)
        toggle_at(t, t->cursor);
    else if (key == XK_c && (modifiers & ControlMask) != 0)
        copy_chosen(t, when);
    else if (key == XK_Return && t->model->entered != NULL)
        t->model->entered(t->ctx, t->cursor);
    else if (key == XK_a && (modifiers & ControlMask) != 0) {
        choose_range(t, 0, t->model->count(t->ctx) - 1);
        table_show(t);
        tell_chosen(t);
    }
}

static void on_key(struct table *t, XKeyEvent *event)
{
    KeySym key = XLookupKeysym(event, 0);
    int64_t by = move_of(t, key);
    if (t->model->count(t->ctx) == 0)
        return;
    if (by != 0)
        go_to(t, row_moved(t, by), event->state);
    else
        on_other_key(t, key, event->state, event->time);
}

/* ---- the pointer ---- */

static void on_title(struct table *t, int at_x)
{
    int x = t->paint->font->ascent;
    for (unsigned i = 0; i < t->n_shown; i++)
        if ((x += t->widths[t->shown[i]]) > at_x) {
            if (t->model->sort != NULL)
                t->model->sort(t->ctx, t->shown[i]);
            table_update(t);
            return;
        }
}

static void on_wheel(struct table *t, bool is_up)
{
    uint32_t by = t->top < WHEEL_ROWS ? t->top : WHEEL_ROWS;
    table_scroll(t, is_up ? t->top - by : t->top + WHEEL_ROWS);
}

static int64_t row_at(const struct table *t, int y)
{
    int line = y / t->paint->row_height;
    int64_t row = (int64_t)t->top + line - 1;
    return y >= 0 && line > 0 && row < t->model->count(t->ctx) ? row : -1;
}

static void point_at(struct table *t, int64_t row)
{
    if (row == t->pointed)
        return;
    t->pointed = row;
    t->model->pointed(t->ctx, row);
}

static void on_motion(Widget w SGE_UNUSED, XtPointer ctx, XEvent *event,
                      Boolean *goes_on SGE_UNUSED)
{
    point_at(ctx, event->type == MotionNotify ? row_at(ctx, event->xmotion.y) : -1);
}

/* twice at the same row, soon after each other */
static bool is_double(struct table *t, const XButtonEvent *event, int64_t row)
{
    bool is_second = row == t->pressed &&
                     event->time - t->pressed_ms < (Time)XtGetMultiClickTime(event->display);
    t->pressed = row;
    t->pressed_ms = is_second ? 0 : event->time;
    return is_second;
}

static void on_row(struct table *t, const XButtonEvent *event)
{
    int64_t row = row_at(t, event->y);
    bool is_entered = is_double(t, event, row) && t->model->entered != NULL;
    if (row < 0)
        return;
    if ((event->state & ControlMask) != 0)
        toggle_at(t, (uint32_t)row);
    else if (is_entered)
        t->model->entered(t->ctx, (uint32_t)row);
    else
        go_to(t, (uint32_t)row, event->state);
}

static void on_release(const struct table *t, const XButtonEvent *event)
{
    int64_t to = row_at(t, event->y);
    bool is_drop = event->button == Button1 && t->pressed >= 0 && to >= 0 && to != t->pressed;
    if (is_drop && t->model->dropped != NULL && t->pressed < t->model->count(t->ctx))
        t->model->dropped(t->ctx, (uint32_t)t->pressed, (uint32_t)to);
}

static void on_button(struct table *t, const XButtonEvent *event)
{
    int line = event->y / t->paint->row_height;
    XmProcessTraversal(t->area, XmTRAVERSE_CURRENT);
    if (event->button == WHEEL_UP || event->button == WHEEL_DOWN)
        on_wheel(t, event->button == WHEEL_UP);
    else if (event->button == Button1 && line == 0)
        on_title(t, event->x);
    else if (event->button == Button1)
        on_row(t, event);
}

static void on_input(Widget w SGE_UNUSED, XtPointer ctx, XtPointer call)
{
    XEvent *event = ((XmDrawingAreaCallbackStruct *)call)->event;
    if (event->type == KeyPress)
        on_key(ctx, &event->xkey);
    else if (event->type == ButtonPress)
        on_button(ctx, &event->xbutton);
    else if (event->type == ButtonRelease)
        on_release(ctx, &event->xbutton);
}

/* ---- widgets ---- */

static void on_bar(Widget w SGE_UNUSED, XtPointer ctx, XtPointer call)
{
    struct table *t = ctx;
    t->top = (uint32_t)((XmScrollBarCallbackStruct *)call)->value;
    table_show(t);
}

static void on_expose(Widget w SGE_UNUSED, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    table_show(ctx);
}

static void on_resize(Widget w SGE_UNUSED, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    struct table *t = ctx;
    table_set_widths(t);
    if (t->model->resized != NULL)
        t->model->resized(t->ctx);
    table_scroll(t, t->top);
}

static void on_destroy(Widget w SGE_UNUSED, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    struct table *t = ctx;
    range_set_free(&t->chosen);
    free(t->widths);
    free(t->usual);
    free(t->needed);
    free(t->shown);
    free(t);
}

static void show_all_columns(struct table *t)
{
    t->n_shown = t->model->n_columns;
    t->shown = uti_calloc(t->n_shown, sizeof *t->shown);
    for (unsigned i = 0; i < t->n_shown; i++)
        t->shown[i] = i;
}

void table_columns(struct table *t, const unsigned *columns, unsigned n)
{
    t->n_shown = n < t->model->n_columns ? n : t->model->n_columns;
    memcpy(t->shown, columns, t->n_shown * sizeof *columns);
    t->is_grown = true;
    table_show(t);
}

static void make_widgets(struct table *t, Widget parent, const char *name)
{
    t->frame =
        XtVaCreateManagedWidget(name, xmScrolledWindowWidgetClass, parent, XmNscrollingPolicy,
                                XmAPPLICATION_DEFINED, XmNvisualPolicy, XmVARIABLE, NULL);
    t->bar = XtVaCreateManagedWidget("bar", xmScrollBarWidgetClass, t->frame, XmNtraversalOn, False,
                                     NULL);
    t->area = XtVaCreateManagedWidget("area", xmDrawingAreaWidgetClass, t->frame, NULL);
    XtVaSetValues(t->frame, XmNverticalScrollBar, t->bar, XmNworkWindow, t->area, NULL);
    XtAddCallback(t->bar, XmNvalueChangedCallback, on_bar, t);
    XtAddCallback(t->bar, XmNdragCallback, on_bar, t);
    XtAddCallback(t->area, XmNexposeCallback, on_expose, t);
    XtAddCallback(t->area, XmNresizeCallback, on_resize, t);
    XtAddCallback(t->area, XtNdestroyCallback, on_destroy, t);
}

struct table *table_new(Widget parent, const char *name, const struct paint *paint,
                        const struct table_model *model, const char *widths, void *ctx)
{
    struct table *t = uti_calloc(1, sizeof *t);
    t->model = model;
    t->ctx = ctx;
    t->paint = paint;
    t->pressed = t->pointed = -1;
    t->is_grown = true;
    table_read_widths(t, widths);
    show_all_columns(t);
    make_widgets(t, parent, name);
    XtAddCallback(t->area, XmNinputCallback, on_input, t);
    if (model->pointed != NULL)
        XtAddEventHandler(t->area, PointerMotionMask | LeaveWindowMask, False, on_motion, t);
    return t;
}

int table_room(const struct table *t)
{
    Dimension width = 0;
    XtVaGetValues(t->area, XtNwidth, &width, NULL);
    return (int)width - t->paint->font->ascent - 3 * TABLE_CELL_GAP;
}

Widget table_widget(const struct table *t)
{
    return t->frame;
}

static void keep_chosen(struct table *t, uint32_t n)
{
    struct range_set keys = { 0 };
    if (range_set_is_empty(&t->chosen))
        return;
    for (uint32_t row = 0; row < n; row++) {
        uint32_t key = t->model->key(t->ctx, row);
        range_set_add(&keys, key, key);
    }
    range_set_intersect(&t->chosen, &keys);
    range_set_free(&keys);
}

void table_update(struct table *t)
{
    uint32_t n = t->model->count(t->ctx);
    keep_chosen(t, n);
    t->cursor = n == 0 ? 0 : t->cursor < n ? t->cursor : n - 1;
    if (XtIsRealized(t->area))
        table_scroll(t, t->top);
}

void table_set_faint(struct table *t, bool is_faint)
{
    t->is_faint = is_faint;
    table_show(t);
}

const struct range_set *table_chosen(const struct table *t)
{
    return &t->chosen;
}
