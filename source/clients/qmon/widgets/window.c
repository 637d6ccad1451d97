/* Shells, buttons, questions. A callback that Motif calls finds what it needs in a small record
 * which goes with its widget. */
#include "clients/qmon/widgets/window.h"

#include <X11/IntrinsicP.h>
#include <X11/Shell.h>
#include <Xm/CascadeB.h>
#include <Xm/Form.h>
#include <Xm/Label.h>
#include <Xm/MessageB.h>
#include <Xm/PushB.h>
#include <Xm/RowColumn.h>
#include <Xm/ScrollBar.h>
#include <Xm/ScrolledW.h>
#include <Xm/SelectioB.h>
#include <Xm/Separator.h>
#include <Xm/Text.h>
#include <Xm/Xm.h>
#include <stdlib.h>
#include <unistd.h>

#include "clients/qmon/widgets/msg_qmon.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

enum { SAVED_MODE = 0666 };

Widget window_shell(const struct qmon *q, const char *name)
{
    return XtVaCreatePopupShell(name, topLevelShellWidgetClass, q->top, XmNdeleteResponse, XmUNMAP,
                                XtNallowShellResize, False, NULL);
}

void window_close(Widget shell)
{
    XtPopdown(shell);
}

static void on_popdown(Widget shell SGE_UNUSED, XtPointer is_open, XtPointer call SGE_UNUSED)
{
    *(bool *)is_open = false;
}

void window_note_closing(Widget shell, bool *is_open)
{
    XtAddCallback(shell, XtNpopdownCallback, on_popdown, is_open);
}

static void free_record(Widget w SGE_UNUSED, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    free(ctx);
}

void window_own(Widget w, void *record)
{
    XtAddCallback(w, XtNdestroyCallback, free_record, record);
}

void window_title(Widget shell, const char *text)
{
    struct dstr title = DSTR_INIT;
    char *label = NULL;
    XtVaGetValues(shell, XtNiconName, &label, NULL);
    dstr_addf(&title, "%s%s", label != NULL ? label : XtName(shell), text);
    XtVaSetValues(shell, XtNtitle, dstr_get(&title), NULL);
    dstr_free(&title);
}

void window_say(Widget label, const char *text)
{
    XmString s = XmStringCreateLocalized((char *)text);
    XtVaSetValues(label, XmNlabelString, s, NULL);
    XmStringFree(s);
}

/* ---- buttons ---- */

/* the window that W is in; menus have shells of their own */
static Widget shell_of(Widget w)
{
    while (!XtIsTopLevelShell(w))
        w = XtParent(w);
    return w;
}

struct button_call {
    const struct window_button *row; /* borrowed */
    void *ctx;
};

static void on_button(Widget w, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    const struct button_call *b = ctx;
    if (b->row->act != NULL)
        b->row->act(b->ctx);
    else if (b->row->with != NULL)
        b->row->with(b->ctx, b->row->what);
    else
        window_close(shell_of(w));
}

static void add_button(Widget parent, const struct window_button *row, void *ctx)
{
    if (row->name == NULL) {
        (void)XtVaCreateManagedWidget("gap", xmSeparatorWidgetClass, parent, NULL);
        return;
    }
    Widget w = XtVaCreateManagedWidget(row->name, xmPushButtonWidgetClass, parent, NULL);
    struct button_call *call = uti_alloc(sizeof *call);
    *call = (struct button_call){ row, ctx };
    window_own(w, call);
    if (row->act != NULL || row->with != NULL || row->what == BUTTON_CLOSES)
        XtAddCallback(w, XmNactivateCallback, on_button, call);
    else
        XtSetSensitive(w, False);
}

void window_buttons(Widget parent, const struct window_button *rows, size_t n, void *ctx)
{
    for (size_t i = 0; i < n; i++)
        add_button(parent, &rows[i], ctx);
}

Widget window_menu(Widget parent, const char *name, const struct window_button *rows, size_t n,
                   void *ctx)
{
    struct dstr pane = DSTR_INIT;
    dstr_addf(&pane, "%sMenu", name);
    Widget bar = XmCreateMenuBar(parent, "menuBar", NULL, 0);
    Widget menu = XmCreatePulldownMenu(bar, pane.s, NULL, 0);
    XtVaCreateManagedWidget(name, xmCascadeButtonWidgetClass, bar, XmNsubMenuId, menu, NULL);
    window_buttons(menu, rows, n, ctx);
    XtManageChild(bar);
    dstr_free(&pane);
    return bar;
}

/* ---- the banner ---- */

static Widget main_banner(Widget top)
{
    return XtNameToWidget(top, "main.work.banner");
}

/* one that says nothing has no height: the window is as if there were none */
static void set_banner(Widget banner, const char *text)
{
    enum { NO_HEIGHT = 1 };
    window_say(banner, text != NULL ? text : "");
    XtVaSetValues(banner, XmNrecomputeSize, text != NULL, XmNmappedWhenManaged, text != NULL, NULL);
    if (text == NULL)
        XtVaSetValues(banner, XmNheight, NO_HEIGHT, NULL);
    else
        window_say(banner, text);
}

Widget window_banner(Widget form)
{
    Widget banner = XtVaCreateManagedWidget("banner", xmLabelWidgetClass, form, XmNtopAttachment,
                                            XmATTACH_FORM, XmNleftAttachment, XmATTACH_FORM,
                                            XmNrightAttachment, XmATTACH_FORM, NULL);
    set_banner(banner, NULL);
    return banner;
}

void window_banners(const struct qmon *q, const char *text)
{
    set_banner(main_banner(q->top), text);
    for (Cardinal i = 0; i < q->top->core.num_popups; i++) {
        Widget banner = XtNameToWidget(q->top->core.popup_list[i], "form.banner");
        if (banner != NULL)
            set_banner(banner, text);
    }
}

/* a window that is made while the qmaster is lost says so, too */
static void copy_banner(Widget shell)
{
    Widget from = main_banner(XtParent(shell)), to = XtNameToWidget(shell, "form.banner");
    Boolean is_seen = False;
    XmString label = NULL;
    if (from == NULL || to == NULL)
        return;
    XtVaGetValues(from, XmNmappedWhenManaged, &is_seen, XmNlabelString, &label, NULL);
    if (is_seen)
        XtVaSetValues(to, XmNmappedWhenManaged, True, XmNrecomputeSize, True, XmNlabelString, label,
                      NULL);
    XmStringFree(label);
}

void window_open(Widget shell)
{
    copy_banner(shell);
    XtPopup(shell, XtGrabNone);
    XMapRaised(XtDisplay(shell), XtWindow(shell));
}

/* the keys of a menu are seen at its buttons, too */
static void add_tips(const struct window_frame *made, const struct window_button *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct dstr name = DSTR_INIT;
        XmString keys = NULL;
        dstr_addf(&name, "*%s", rows[i].name != NULL ? rows[i].name : "");
        Widget entry = rows[i].name != NULL ? XtNameToWidget(made->menu, dstr_get(&name)) : NULL;
        Widget button = entry != NULL ? XtNameToWidget(made->buttons, rows[i].name) : NULL;
        if (button != NULL)
            XtVaGetValues(entry, XmNacceleratorText, &keys, NULL);
        if (keys != NULL)
            XtVaSetValues(button, XmNtoolTipString, keys, NULL);
        XmStringFree(keys);
        dstr_free(&name);
    }
}

struct window_frame window_frame(Widget form, const char *name, const struct window_button *rows,
                                 size_t n, void *ctx)
{
    Widget banner = window_banner(form);
    struct window_frame made = { .menu = window_menu(form, name, rows, n, ctx) };
    XtVaSetValues(made.menu, XmNtopAttachment, XmATTACH_WIDGET, XmNtopWidget, banner,
                  XmNleftAttachment, XmATTACH_FORM, XmNrightAttachment, XmATTACH_FORM, NULL);
    made.said = XtVaCreateManagedWidget("said", xmLabelWidgetClass, form, XmNbottomAttachment,
                                        XmATTACH_FORM, XmNleftAttachment, XmATTACH_FORM,
                                        XmNrightAttachment, XmATTACH_FORM, NULL);
    window_say(made.said, " "); /* what is said later moves nothing */
    made.buttons = XtVaCreateManagedWidget(
        "acts", xmRowColumnWidgetClass, form, XmNorientation, XmHORIZONTAL, XmNbottomAttachment,
        XmATTACH_WIDGET, XmNbottomWidget, made.said, XmNleftAttachment, XmATTACH_FORM, NULL);
    window_buttons(made.buttons, rows, n, ctx);
    add_tips(&made, rows, n);
    return made;
}

/* ---- parts of a form ---- */

Widget window_line(Widget form, const char *name, Widget below)
{
    Widget line = XtVaCreateManagedWidget(name, xmLabelWidgetClass, form, XmNbottomAttachment,
                                          XmATTACH_WIDGET, XmNbottomWidget, below,
                                          XmNleftAttachment, XmATTACH_FORM, XmNrightAttachment,
                                          XmATTACH_FORM, XmNalignment, XmALIGNMENT_BEGINNING, NULL);
    window_say(line, " "); /* what it says later moves nothing */
    return line;
}

/* the keys go to what is not seen: then it is to be seen */
static void on_obscured(Widget scrolled, XtPointer ctx SGE_UNUSED, XtPointer call)
{
    enum { MARGIN = 20 };
    XmScrollVisible(scrolled, ((XmTraverseObscuredCallbackStruct *)call)->traversal_destination,
                    MARGIN, MARGIN);
}

/* ---- the wheel ---- */
/* Motif gives wheel events to the widget under the pointer, which ignores them: the outermost
 * scrolled window takes them (a passive grab), and moves the scroll bar of the innermost one. */

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

/* the wheel of the pointer scrolls SCROLLED, a scrolled window, or the one within it that the
 * pointer is in */
static void wheel_scrolls(Widget scrolled)
{
    for (int button = Button4; button <= Button5; button++)
        XtGrabButton(scrolled, button, AnyModifier, False, ButtonPressMask, GrabModeAsync,
                     GrabModeAsync, None, None);
    XtAddEventHandler(scrolled, ButtonPressMask, False, on_wheel, NULL);
}

/* ---- parts of windows ---- */
Widget window_scrolled(Widget parent, const char *name)
{
    Widget scrolled = XtVaCreateManagedWidget(name, xmScrolledWindowWidgetClass, parent,
                                              XmNscrollingPolicy, XmAUTOMATIC, NULL);
    XtAddCallback(scrolled, XmNtraverseObscuredCallback, on_obscured, NULL);
    wheel_scrolls(scrolled);
    return scrolled;
}

void window_between(Widget one, Widget above, Widget below)
{
    XtVaSetValues(one, XmNtopAttachment, XmATTACH_WIDGET, XmNtopWidget, above, XmNbottomAttachment,
                  XmATTACH_WIDGET, XmNbottomWidget, below, XmNleftAttachment, XmATTACH_FORM,
                  XmNrightAttachment, XmATTACH_FORM, NULL);
}

Widget window_text(Widget parent, const char *name, bool is_editable)
{
    Arg args[] = { { XmNeditMode, XmMULTI_LINE_EDIT },
                   { XmNeditable, is_editable },
                   { XmNcursorPositionVisible, is_editable } };
    Widget text = XmCreateScrolledText(parent, (char *)name, args, ARRAY_LEN(args));
    XtManageChild(text);
    return text;
}

/* ---- questions ---- */

/* below the pointer, or above it where there is no room: what the question is about stays
 * visible */
static void on_mapped(Widget box, XtPointer ctx SGE_UNUSED, XtPointer call SGE_UNUSED)
{
    enum { AWAY = 30 };
    Window root, child;
    int x, y, in_x, in_y;
    unsigned mask;
    Dimension width = 0, height = 0;
    Screen *screen = XtScreen(box);
    XtVaGetValues(box, XtNwidth, &width, XtNheight, &height, NULL);
    if (!XQueryPointer(XtDisplay(box), RootWindowOfScreen(screen), &root, &child, &x, &y, &in_x,
                       &in_y, &mask))
        return;
    int most = WidthOfScreen(screen) - (int)width, left = x - (int)width / 2;
    left = left > most ? most : left;
    int top = y + AWAY + (int)height < HeightOfScreen(screen) ? y + AWAY : y - AWAY - (int)height;
    XtVaSetValues(box, XmNx, left > 0 ? left : 0, XmNy, top > 0 ? top : 0, NULL);
}

static void manage_beside(Widget box)
{
    XtVaSetValues(box, XmNdefaultPosition, False, NULL);
    XtAddCallback(box, XmNmapCallback, on_mapped, NULL);
    XtManageChild(box);
}

struct question {
    window_answer_fn act;
    void *ctx;
};

static void on_answer(Widget w, XtPointer ctx, XtPointer call)
{
    const struct question *q = ctx;
    char *text = XmStringUnparse(((XmSelectionBoxCallbackStruct *)call)->value, NULL,
                                 XmCHARSET_TEXT, XmCHARSET_TEXT, NULL, 0, XmOUTPUT_ALL);
    q->act(q->ctx, text != NULL ? text : "");
    XtFree(text);
    XtDestroyWidget(XtParent(w));
}

static void on_no_answer(Widget w, XtPointer ctx SGE_UNUSED, XtPointer call SGE_UNUSED)
{
    XtDestroyWidget(XtParent(w));
}

Widget window_ask(Widget shell, const char *name, window_answer_fn act, void *ctx)
{
    Widget box = XmCreatePromptDialog(shell, (char *)name, NULL, 0);
    struct question *q = uti_alloc(sizeof *q);
    *q = (struct question){ act, ctx };
    XtVaSetValues(box, XmNdialogStyle, XmDIALOG_PRIMARY_APPLICATION_MODAL, NULL);
    XtUnmanageChild(XtNameToWidget(box, "Help"));
    XtAddCallback(box, XmNokCallback, on_answer, q);
    XtAddCallback(box, XmNcancelCallback, on_no_answer, q);
    window_own(box, q);
    manage_beside(box);
    return box;
}

struct confirmation {
    window_act_fn act;
    void *ctx;
};

static void on_yes(Widget w, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    const struct confirmation *c = ctx;
    c->act(c->ctx);
    XtDestroyWidget(XtParent(w));
}

void window_confirm(Widget shell, const char *name, const char *question, window_act_fn act,
                    void *ctx)
{
    Widget box = XmCreateQuestionDialog(shell, (char *)name, NULL, 0);
    struct confirmation *call = uti_alloc(sizeof *call);
    *call = (struct confirmation){ act, ctx };
    XmString text = XmStringCreateLocalized((char *)question);
    XtVaSetValues(box, XmNmessageString, text, XmNdefaultButtonType, XmDIALOG_CANCEL_BUTTON,
                  XmNdialogStyle, XmDIALOG_PRIMARY_APPLICATION_MODAL, NULL);
    XmStringFree(text);
    XtUnmanageChild(XtNameToWidget(box, "Help"));
    XtAddCallback(box, XmNokCallback, on_yes, call);
    XtAddCallback(box, XmNcancelCallback, on_no_answer, NULL);
    window_own(box, call);
    manage_beside(box);
}

/* ---- saving ---- */

struct saving {
    Widget said;
    window_write_fn write; /* NULL: what `text` appends is written */
    window_text_fn text;
    void *ctx;
};

static int write_text(const struct saving *s, const char *path, struct answer *ans)
{
    struct dstr text = DSTR_INIT;
    s->text(s->ctx, &text);
    int result = file_write(path, dstr_get(&text), text.len, SAVED_MODE, ans);
    dstr_free(&text);
    return result;
}

static int write_saved(const struct saving *s, const char *path, struct answer *ans)
{
    if (access(path, F_OK) == 0)
        return ans_fail(ans, STATUS_EEXIST, MSG_QMON_EXISTS_S, path);
    return s->write != NULL ? s->write(s->ctx, path, ans) : write_text(s, path, ans);
}

static void save_in(void *ctx, const char *path)
{
    struct saving *s = ctx;
    struct answer ans = ANSWER_INIT;
    if (write_saved(s, path, &ans) == 0)
        ans_info(&ans, MSG_QMON_SAVED_S, path);
    window_say(s->said, ans.v[ans.n - 1].text);
    ans_free(&ans);
}

static void ask_path(Widget shell, const char *name, struct saving saving)
{
    struct saving *s = uti_alloc(sizeof *s);
    *s = saving;
    Widget box = window_ask(shell, name, save_in, s);
    window_own(box, s);
}

void window_save(Widget shell, Widget said, window_text_fn text, void *ctx)
{
    ask_path(shell, "saveText", (struct saving){ said, NULL, text, ctx });
}

void window_save_as(Widget shell, const char *name, Widget said, window_write_fn write, void *ctx)
{
    ask_path(shell, name, (struct saving){ said, write, NULL, ctx });
}
