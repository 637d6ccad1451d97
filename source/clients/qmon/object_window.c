/* An object of the administrator in a window: its fields, or its text. Which of both is seen is
 * what counts; the other one follows when it is turned to. A window that was closed while the
 * qmaster is asked goes when the answer has come. */
#include "clients/qmon/object_window_priv.h"

#include <Xm/Form.h>
#include <Xm/Text.h>
#include <stdlib.h>
#include <string.h>

#include "clients/qmon/choices.h"
#include "clients/qmon/msg_qmon.h"
#include "clients/qmon/object_about.h"
#include "clients/qmon/object_rows.h"
#include "clients/qmon/share_panel.h"
#include "clients/qmon/window.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

enum { FIELDS_PAGE, TEXT_PAGE };
static const char *const page_names[] = { "fieldsPage", "textPage" };

static void show_title(struct object_window *w)
{
    struct dstr title = DSTR_INIT;
    const char *name = object_form_name(w->form);
    dstr_addf(&title, ": %s %s",
              object_form_deed(w->form) == OBJECT_CREATE ? MSG_QMON_NEW : MSG_QMON_CHANGE,
              kind_noun(object_form_kind(w->form)));
    if (name != NULL && name[0] != '\0')
        dstr_addf(&title, " %s", name);
    window_title(w->shell, dstr_get(&title));
    dstr_free(&title);
}

/* ---- fields ---- */

static void on_changed(void *ctx, const struct object_field *field)
{
    struct object_window *w = ctx;
    object_about_renew(w->about);
    window_say(w->said, field->wrong != NULL ? field->wrong : " ");
    if (field->is_name)
        show_title(w);
}

static void on_entered(void *ctx, const struct object_field *field)
{
    object_about_enter(((struct object_window *)ctx)->about, field);
}

/* a field was changed elsewhere than in its row */
static void on_other_change(void *ctx)
{
    struct object_window *w = ctx;
    window_say(w->said, " ");
    if (w->rows != NULL)
        object_rows_renew(w->rows);
}

static void make_rows(struct object_window *w)
{
    Widget old = XtNameToWidget(w->fields, "*fields");
    if (old != NULL)
        XtDestroyWidget(old);
    object_rows_free(w->rows);
    object_about_enter(w->about, NULL);
    w->rows = object_rows_new(w->fields, w->form, on_changed, on_entered, w);
}

/* ---- fields or text ---- */

static void show_text(struct object_window *w)
{
    struct dstr text = DSTR_INIT;
    object_form_text(w->form, &text);
    XmTextSetString(w->text, (char *)dstr_get(&text));
    dstr_free(&text);
}

bool object_take_text(struct object_window *w)
{
    struct answer ans = ANSWER_INIT;
    char *text = XmTextGetString(w->text);
    bool is_taken = object_form_take(w->form, text, &ans) == 0;
    if (!is_taken)
        window_say(w->said, ans_first_error(&ans));
    XtFree(text);
    ans_free(&ans);
    return is_taken;
}

static void show_page(struct object_window *w, bool is_text)
{
    Widget seen = is_text ? XtParent(w->text) : w->fields;
    XtUnmanageChild(is_text ? w->fields : XtParent(w->text));
    XtManageChild(seen);
    w->is_text = is_text;
    window_say(w->said, " ");
}

static void turn_to_text(struct object_window *w)
{
    show_text(w);
    show_page(w, true);
}

static void turn_to_fields(struct object_window *w)
{
    if (!object_take_text(w))
        return;
    if (w->tree != NULL)
        share_panel_renew(w->tree);
    else
        make_rows(w);
    show_page(w, false);
}

static void on_page(void *ctx, unsigned page)
{
    struct object_window *w = ctx;
    if ((page == TEXT_PAGE) != w->is_text && w->is_text)
        turn_to_fields(w);
    else if ((page == TEXT_PAGE) != w->is_text)
        turn_to_text(w);
    choices_set(w->pages, w->is_text ? TEXT_PAGE : FIELDS_PAGE);
}

/* ---- the window ---- */

static void make_fields(struct object_window *w, Widget form)
{
    if (object_form_kind(w->form)->target != GDI_SHARETREE) {
        w->fields = window_scrolled(form, "scrolled");
        return;
    }
    w->tree = share_panel_new(form, w->q->paint, w->form, on_other_change, w);
    w->fields = share_panel_widget(w->tree);
}

static void make_body(struct object_window *w, Widget form)
{
    size_t n;
    const struct window_button *acts = object_acts(&n);
    struct window_frame made = window_frame(form, "objectForm", acts, n, w);
    Widget above = choices_row(form, made.menu);
    w->pages = choices_new(above, "whichForm", page_names, ARRAY_LEN(page_names), on_page, w);
    w->said = made.said;
    w->about = object_about_new(w->q, w->form, form, made.buttons, on_other_change, w);
    Widget below = object_about_widget(w->about);
    w->text = window_text(form, "objectText", true);
    window_between(XtParent(w->text), above, below);
    XtUnmanageChild(XtParent(w->text));
    make_fields(w, form);
    window_between(w->fields, above, below);
}

static void show_first(struct object_window *w)
{
    if (kind_has_lines(object_form_kind(w->form)))
        make_rows(w);
    else if (w->tree == NULL)
        turn_to_text(w);
    XtSetSensitive(XtNameToWidget(w->shell, "*fieldsPage"), !w->is_text);
    choices_set(w->pages, w->is_text ? TEXT_PAGE : FIELDS_PAGE);
    show_title(w);
    window_open(w->shell);
    if (w->rows != NULL)
        object_rows_go(w->rows, 0);
}

void object_window_open(struct qmon *q, const struct kind *kind, const void *object,
                        enum object_deed deed, Widget said)
{
    struct object_window *w = uti_calloc(1, sizeof *w);
    w->q = q;
    w->parent_said = said;
    w->form = object_form_new(kind, object, deed);
    w->shell = window_shell(q, "objectEditor");
    XtAddCallback(w->shell, XtNpopdownCallback, object_on_popdown, w);
    LIST_INSERT_HEAD(&q->object_windows, w, in_qmon);
    make_body(w, XtVaCreateManagedWidget("form", xmFormWidgetClass, w->shell, NULL));
    show_first(w);
}

void object_windows_free(struct qmon *q)
{
    struct object_window *w;
    while ((w = LIST_FIRST(&q->object_windows)) != NULL)
        object_end(w);
}
