/* A week on a drawing area: days below each other, half hours side by side. The first button, or
 * the space bar, turns a half hour from on to off, suspended, and on again; a drag along a day
 * paints what it began with. What the grid cannot show is not painted over. */
#include "clients/qmon/forms/object_panels.h"

#include <X11/Xutil.h>
#include <X11/keysym.h>
#include <Xm/DrawingA.h>
#include <Xm/Form.h>
#include <Xm/Xm.h>
#include <stdlib.h>

#include "clients/qmon/widgets/msg_qmon.h"
#include "clients/qmon/widgets/window.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/view/week_grid.h"

enum { NAME_LETTERS = 5, HOURS_A_LABEL = 3 };

struct week_panel {
    const struct paint *paint;
    struct object_form *form;
    Widget area;
    struct week_grid grid;
    bool is_readable;
    unsigned day, half;        /* where the keys are, and a drag began */
    enum calendar_state brush; /* what the drag paints */
    bool is_dragging;
    void (*changed)(void *ctx);
    void *ctx;
};

/* ---- drawing ---- */

static int grid_left(const struct week_panel *p)
{
    return NAME_LETTERS * paint_width(p->paint, "n");
}

static int half_x(const struct week_panel *p, unsigned half, unsigned width)
{
    int left = grid_left(p), room = (int)width - left;
    return left + (room > 0 ? room : 0) * (int)half / DAY_HALVES;
}

static void draw_hours(const struct week_panel *p, struct canvas *c)
{
    for (unsigned hour = 0; hour < DAY_HALVES / 2; hour += HOURS_A_LABEL) {
        struct dstr text = DSTR_INIT;
        int x = half_x(p, 2 * hour, c->width);
        struct place at = { .x = x, .width = (int)c->width - x, .ink = INK_FAINT };
        dstr_addf(&text, "%u", hour);
        canvas_text(c, &at, dstr_get(&text));
        dstr_free(&text);
    }
}

static void draw_state(const struct week_panel *p, struct canvas *c, enum calendar_state state,
                       int x, int y, int width, int height)
{
    if (state == CALENDAR_SUSPENDED)
        canvas_look(c, LOOK_SUSPENDED, x, y, width, height);
    else
        canvas_box(c, &p->paint->inks[state == CALENDAR_OFF ? INK_FAINT : INK_CHOSEN], x, y, width,
                   height);
}

/* below the days: what the colors mean */
static void draw_legend(const struct week_panel *p, struct canvas *c)
{
    static const struct {
        enum calendar_state state;
        const char *name;
    } parts[] = { { CALENDAR_ON, MSG_QMON_WEEK_ON },
                  { CALENDAR_OFF, MSG_QMON_WEEK_OFF },
                  { CALENDAR_SUSPENDED, MSG_QMON_WEEK_SUSPENDED } };
    int height = p->paint->row_height, y = (WEEK_DAYS_N + 1) * height, x = grid_left(p);
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        int width = paint_width(p->paint, parts[i].name) + 4 * height;
        struct place at = { .x = x + height + 4, .y = y, .width = width - height };
        draw_state(p, c, parts[i].state, x, y + 2, height, height - 4);
        canvas_text(c, &at, parts[i].name);
        x += width;
    }
}

static void draw_half(const struct week_panel *p, struct canvas *c, unsigned day, unsigned half)
{
    int x = half_x(p, half, c->width), y = ((int)day + 1) * p->paint->row_height;
    int width = half_x(p, half + 1, c->width) - x - 1, height = p->paint->row_height - 1;
    draw_state(p, c, (enum calendar_state)p->grid.state[day][half], x, y, width, height);
    if (day == p->day && half == p->half)
        canvas_box(c, &p->paint->inks[INK_TEXT], x, y + height - 2, width, 2);
}

static void draw_week(struct week_panel *p)
{
    struct canvas c;
    if (!XtIsRealized(p->area))
        return;
    canvas_begin(&c, p->paint, p->area);
    draw_hours(p, &c);
    for (unsigned day = 0; day < WEEK_DAYS_N; day++) {
        struct place at = { .y = ((int)day + 1) * p->paint->row_height, .width = grid_left(p) };
        canvas_text(&c, &at, week_day_name(day));
        for (unsigned half = 0; half < DAY_HALVES; half++)
            draw_half(p, &c, day, half);
    }
    draw_legend(p, &c);
    canvas_end(&c);
}

/* ---- painting ---- */

static bool is_paintable(const struct week_panel *p)
{
    return p->is_readable && p->grid.is_exact;
}

static void tell_change(struct week_panel *p)
{
    struct dstr text = DSTR_INIT;
    week_grid_text(&p->grid, &text);
    (void)object_form_set(p->form, object_form_find(p->form, "week"), dstr_get(&text));
    dstr_free(&text);
    draw_week(p);
    p->changed(p->ctx);
}

static void turn_half(struct week_panel *p)
{
    static const enum calendar_state next[] = { [CALENDAR_ON] = CALENDAR_OFF,
                                                [CALENDAR_OFF] = CALENDAR_SUSPENDED,
                                                [CALENDAR_SUSPENDED] = CALENDAR_ON };
    if (!is_paintable(p))
        return;
    p->brush = next[p->grid.state[p->day][p->half]];
    week_grid_paint(&p->grid, p->day, p->half, p->half, p->brush);
    tell_change(p);
}

static void paint_to(struct week_panel *p, unsigned half)
{
    unsigned first = half < p->half ? half : p->half, last = half < p->half ? p->half : half;
    if (!is_paintable(p))
        return;
    week_grid_paint(&p->grid, p->day, first, last, p->brush);
    tell_change(p);
}

/* ---- keys and pointer ---- */

/* the half hour at X, which may lie outside */
static unsigned half_at(const struct week_panel *p, int x)
{
    Dimension width = 1;
    XtVaGetValues(p->area, XmNwidth, &width, NULL);
    unsigned half = 0;
    while (half + 1 < DAY_HALVES && half_x(p, half + 1, width) <= x)
        half++;
    return half;
}

static void on_press(struct week_panel *p, const XButtonEvent *event)
{
    int day = event->y / p->paint->row_height - 1;
    if (event->button != Button1 || day < 0 || day >= WEEK_DAYS_N || event->x < grid_left(p))
        return;
    p->day = (unsigned)day;
    p->half = half_at(p, event->x);
    p->is_dragging = true;
    XmProcessTraversal(p->area, XmTRAVERSE_CURRENT);
    turn_half(p);
}

static void on_drag(Widget area SGE_UNUSED, XtPointer ctx, XEvent *event, Boolean *go SGE_UNUSED)
{
    struct week_panel *p = ctx;
    if (p->is_dragging)
        paint_to(p, half_at(p, event->xmotion.x));
}

static void on_key(struct week_panel *p, KeySym key)
{
    if (key == XK_Left && p->half > 0)
        p->half--;
    else if (key == XK_Right && p->half + 1 < DAY_HALVES)
        p->half++;
    else if (key == XK_Up && p->day > 0)
        p->day--;
    else if (key == XK_Down && p->day + 1 < WEEK_DAYS_N)
        p->day++;
    else if (key == XK_space)
        turn_half(p);
    draw_week(p);
}

static void on_input(Widget area SGE_UNUSED, XtPointer ctx, XtPointer call)
{
    XEvent *event = ((XmDrawingAreaCallbackStruct *)call)->event;
    struct week_panel *p = ctx;
    char text[8];
    KeySym key = NoSymbol;
    if (event->type == ButtonPress)
        on_press(p, &event->xbutton);
    else if (event->type == ButtonRelease)
        p->is_dragging = false;
    else if (event->type == KeyPress) {
        XLookupString(&event->xkey, text, sizeof text, &key, NULL);
        on_key(p, key);
    }
}

static void on_expose(Widget area SGE_UNUSED, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    draw_week(ctx);
}

/* ---- the panel ---- */

struct week_panel *week_panel_new(Widget parent, const struct paint *paint,
                                  struct object_form *form, void (*changed)(void *ctx), void *ctx)
{
    struct week_panel *p = uti_calloc(1, sizeof *p);
    *p = (struct week_panel){ .paint = paint, .form = form, .changed = changed, .ctx = ctx };
    p->area = XtVaCreateManagedWidget("week", xmDrawingAreaWidgetClass, parent, XmNtopAttachment,
                                      XmATTACH_FORM, XmNbottomAttachment, XmATTACH_FORM,
                                      XmNleftAttachment, XmATTACH_FORM, XmNrightAttachment,
                                      XmATTACH_FORM, NULL);
    XtAddCallback(p->area, XmNinputCallback, on_input, p);
    XtAddCallback(p->area, XmNexposeCallback, on_expose, p);
    XtAddCallback(p->area, XmNresizeCallback, on_expose, p);
    XtAddEventHandler(p->area, Button1MotionMask, False, on_drag, p);
    window_own(p->area, p);
    week_panel_show(p);
    return p;
}

void week_panel_show(struct week_panel *p)
{
    p->is_readable = week_grid_read(object_form_find(p->form, "week")->value, &p->grid, NULL) == 0;
    draw_week(p);
}
