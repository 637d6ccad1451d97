/* Browser: what there is, as it is: any object as text or XML, the last lines of the qmaster's
 * messages file, and the last events as they come. */
#include <Xm/Form.h>
#include <Xm/Label.h>
#include <Xm/Text.h>
#include <Xm/TextF.h>
#include <Xm/ToggleB.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/common/printable.h"
#include "clients/qmon/asking.h"
#include "clients/qmon/browsed.h"
#include "clients/qmon/choices.h"
#include "clients/qmon/msg_qmon.h"
#include "clients/qmon/window.h"
#include "clients/qmon/windows.h"
#include "libs/gdi/cell.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/view/event_log.h"

enum { MESSAGES_MOST = 64 * 1024 };
enum browser_page { PAGE_EVENTS, PAGE_MESSAGES, PAGE_OBJECT, BROWSER_PAGES };

struct browser_window {
    struct qmon *q;
    Widget shell, said, text, what, pages;
    enum browser_page page;
    struct event_log *log;
    uint64_t n_shown; /* events when the page was drawn */
    bool is_open, is_xml;
};

static const char *const page_names[BROWSER_PAGES] = { "events", "messages", "anObject" };

/* the end is seen, unless it is an object */
static void show_text(struct browser_window *w, const char *text)
{
    XmTextSetString(w->text, (char *)text);
    if (w->page != PAGE_OBJECT)
        XmTextShowPosition(w->text, XmTextGetLastPosition(w->text));
}

/* ---- events ---- */

static void show_events(struct browser_window *w)
{
    struct dstr text = DSTR_INIT, title = DSTR_INIT;
    w->n_shown = event_log_count(w->log);
    event_log_text(w->log, &text);
    show_text(w, dstr_get(&text));
    dstr_addf(&title, MSG_QMON_EVENTS_LUS, (unsigned long long)w->n_shown,
              w->n_shown == 1 ? "" : "s");
    window_title(w->shell, dstr_get(&title));
    dstr_free(&text);
    dstr_free(&title);
}

void browser_window_event(struct browser_window *w, const struct EV_Type *event)
{
    if (w != NULL && w->is_open)
        event_log_add(w->log, event);
}

void browser_window_refresh(struct browser_window *w)
{
    if (w != NULL && w->is_open && w->page == PAGE_EVENTS && w->n_shown != event_log_count(w->log))
        show_events(w);
}

/* ---- messages ---- */

static void show_messages(struct browser_window *w)
{
    char *path = path_join(w->q->cell->qmaster_spool_dir, "messages");
    struct dstr text = DSTR_INIT, clean = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    int result = file_read_tail(path, MESSAGES_MOST, &text, &ans);
    window_say(w->said, result == 0 ? path : ans_first_error(&ans));
    for (char *at = text.s, *line; at != NULL && (line = strsep(&at, "\n")) != NULL;) {
        text_add_printable(&clean, line);
        dstr_addc(&clean, '\n');
    }
    show_text(w, dstr_get(&clean));
    window_title(w->shell, MSG_QMON_MESSAGES);
    dstr_free(&text);
    dstr_free(&clean);
    ans_free(&ans);
    free(path);
}

/* ---- objects ---- */

static void show_object(struct browser_window *w, const struct GA_Type *all)
{
    struct dstr text = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    if (w->is_xml && browsed_xml(all, &text, &ans) != 0)
        window_say(w->said, ans_first_error(&ans));
    if (!w->is_xml)
        browsed_text(all, &text);
    show_text(w, dstr_get(&text));
    dstr_free(&text);
    ans_free(&ans);
}

static void got_object(void *ctx, const struct GA_Type *all, const struct answer *texts)
{
    struct browser_window *w = ctx;
    if (w->page != PAGE_OBJECT)
        return;
    window_say(w->said, all == NULL             ? ans_first_error(texts)
                        : browsed_is_empty(all) ? MSG_QMON_NOTHING
                                                : " ");
    if (all != NULL)
        show_object(w, all);
}

static void ask_object(struct browser_window *w)
{
    struct browsed_words words;
    char *what = XmTextFieldGetString(w->what);
    struct dstr title = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    dstr_addf(&title, ": %s", what);
    window_title(w->shell, dstr_get(&title));
    if (browsed_read(what, &words, &ans) == 0)
        (void)ask_get(w->q, words.target, words.name, NULL, got_object, w, w->said);
    else
        window_say(w->said, ans_first_error(&ans));
    XtFree(what);
    dstr_free(&title);
    ans_free(&ans);
}

/* ---- the window ---- */

static void show_page(struct browser_window *w)
{
    window_say(w->said, " ");
    if (w->page == PAGE_EVENTS)
        show_events(w);
    else if (w->page == PAGE_MESSAGES)
        show_messages(w);
    else
        ask_object(w);
}

static void ask_again(void *ctx)
{
    show_page(ctx);
}

static void add_text(void *ctx, struct dstr *out)
{
    char *text = XmTextGetString(((struct browser_window *)ctx)->text);
    dstr_add(out, text);
    XtFree(text);
}

static void save_text(void *ctx)
{
    struct browser_window *w = ctx;
    window_save(w->shell, w->said, add_text, w);
}

static void close_window(void *ctx)
{
    window_close(((struct browser_window *)ctx)->shell);
}

static const struct window_button acts[] = { { "reload", ask_again },
                                             { "save", save_text },
                                             { "close", close_window } };

static void turn_to(void *ctx, unsigned page)
{
    struct browser_window *w = ctx;
    w->page = (enum browser_page)page;
    choices_set(w->pages, page);
    show_page(w);
}

static void on_what(Widget text SGE_UNUSED, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    turn_to(ctx, PAGE_OBJECT);
}

static void on_xml(Widget button SGE_UNUSED, XtPointer ctx, XtPointer call)
{
    struct browser_window *w = ctx;
    w->is_xml = ((XmToggleButtonCallbackStruct *)call)->set;
    turn_to(w, PAGE_OBJECT);
}

static Widget make_choices(struct browser_window *w, Widget form, Widget menu)
{
    Widget row = choices_row(form, menu);
    w->pages = choices_new(row, "stages", page_names, BROWSER_PAGES, turn_to, w);
    (void)XtVaCreateManagedWidget("whatLabel", xmLabelWidgetClass, row, NULL);
    w->what = XtVaCreateManagedWidget("what", xmTextFieldWidgetClass, row, NULL);
    XtAddCallback(w->what, XmNactivateCallback, on_what, w);
    Widget xml = XtVaCreateManagedWidget("asXml", xmToggleButtonWidgetClass, row, NULL);
    XtAddCallback(xml, XmNvalueChangedCallback, on_xml, w);
    return row;
}

static void on_popdown(Widget shell SGE_UNUSED, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    ((struct browser_window *)ctx)->is_open = false;
}

static struct browser_window *make_window(struct qmon *q)
{
    struct browser_window *w = uti_calloc(1, sizeof *w);
    w->q = q;
    w->log = event_log_new();
    w->shell = window_shell(q, "browserWindow");
    XtAddCallback(w->shell, XtNpopdownCallback, on_popdown, w);
    Widget form = XtVaCreateManagedWidget("form", xmFormWidgetClass, w->shell, NULL);
    struct window_frame made = window_frame(form, "browse", acts, ARRAY_LEN(acts), w);
    Widget choices = make_choices(w, form, made.menu);
    w->said = made.said;
    w->text = window_text(form, "shown", false);
    window_between(XtParent(w->text), choices, made.buttons);
    return w;
}

void browser_window_open(void *ctx)
{
    struct qmon *q = ctx;
    if (q->browser == NULL)
        q->browser = make_window(q);
    q->browser->is_open = true;
    show_page(q->browser);
    window_open(q->browser->shell);
}

void browser_window_free(struct browser_window *w)
{
    if (w == NULL)
        return;
    event_log_free(w->log);
    free(w);
}
