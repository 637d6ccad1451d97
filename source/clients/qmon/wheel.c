/* The wheel over what scrolls. Motif gives wheel events to the widget under the pointer, which
 * ignores them: the outermost scrolled window takes them (a passive grab), and moves the scroll bar
 * of the innermost one. */
#include "clients/qmon/wheel.h"

#include <X11/IntrinsicP.h>
#include <Xm/ScrollBar.h>
#include <Xm/ScrolledW.h>

#include "common/basis.h"

enum { STEPS = 3, PARTS = 8 };

/* the widget below the pointer, as deep as there is one */
static Widget widget_under(Widget top, const XButtonEvent *event)
{
    Display *display = event->display;
    Window window = event->root, child = XtWindow(top);
    int x = event->x_root, y = event->y_root;
    Widget found = top;
    while (child != None) {
        Window next = None;
        Widget w = XtWindowToWidget(display, child);
        found = w != NULL ? w : found;
        if (!XTranslateCoordinates(display, window, child, x, y, &x, &y, &next))
            break;
        window = child;
        child = next;
    }
    return found;
}

/* true if W has a bar that can move */
static bool scroll_bar(Widget w, bool is_up)
{
    Widget bar = NULL;
    int value, slider, step, page, least, most;
    XtVaGetValues(w, XmNverticalScrollBar, &bar, NULL);
    if (bar == NULL || !XtIsManaged(bar))
        return false;
    XtVaGetValues(bar, XmNminimum, &least, XmNmaximum, &most, NULL);
    XmScrollBarGetValues(bar, &value, &slider, &step, &page);
    if (most - least <= slider)
        return false;
    int by = STEPS * step > slider / PARTS ? STEPS * step : slider / PARTS;
    int to = is_up ? value - by : value + by;
    to = to > most - slider ? most - slider : to;
    XmScrollBarSetValues(bar, to > least ? to : least, slider, step, page, True);
    return true;
}

static void on_wheel(Widget scrolled, XtPointer ctx SGE_UNUSED, XEvent *event,
                     Boolean *goes_on SGE_UNUSED)
{
    unsigned button = event->type == ButtonPress ? event->xbutton.button : 0;
    if (button != Button4 && button != Button5)
        return;
    for (Widget w = widget_under(scrolled, &event->xbutton); w != NULL; w = XtParent(w)) {
        bool is_done = XmIsScrolledWindow(w) && scroll_bar(w, button == Button4);
        if (is_done || w == scrolled)
            return;
    }
}

void wheel_scrolls(Widget scrolled)
{
    for (int button = Button4; button <= Button5; button++)
        XtGrabButton(scrolled, button, AnyModifier, False, ButtonPressMask, GrabModeAsync,
                     GrabModeAsync, None, None);
    XtAddEventHandler(scrolled, ButtonPressMask, False, on_wheel, NULL);
}
