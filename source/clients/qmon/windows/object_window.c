/* An object of the administrator in a window: its fields, or its text. Which of both is seen is
 * what counts; the other one follows when it is turned to. A window that was closed while the
 * qmaster is asked goes when the answer has come. */
#include "clients/qmon/windows/windows.h"

#include <Xm/Form.h>
#include <Xm/Text.h>
#include <stdlib.h>
#include <string.h>

#include "clients/qmon/forms/object_panels.h"
#include "clients/qmon/widgets/choices.h"
#include "clients/qmon/widgets/msg_qmon.h"
#include "clients/qmon/widgets/requests.h"
#include "clients/qmon/widgets/window.h"
#include "libs/config/object.h"
#include "libs/gdi/cell.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/view/attr_words.h"

struct object_window {
    struct qmon *q;
    struct object_form *form;
    struct object_rows *rows; /* NULL: the kind has no fields */
    Widget shell, said, parent_said;
    struct attr_panel *about;
    struct share_panel *tree; /* NULL: it is no share tree */
    Widget pages;             /* which of these is seen */
    Widget fields, text;      /* the pages; the text's is its parent */
    bool is_text;             /* the text is seen */
    bool is_asking;           /* the qmaster is */
    bool is_closed;
    LIST_ENTRY(object_window) in_qmon;
};

/* ---- below the fields: the attribute ---- */

enum { HELP_RIGHT = 54 }; /* hundredths of the width, if something stands beside it */

struct attr_panel {
    const struct cell *cell;
    struct object_form *form;
    const struct object_field *field; /* what is shown; NULL: nothing */
    Widget whole, help;
    struct settings_panel *settings; /* NULL: the kind has no values of single hosts */
    struct week_panel *week;         /* NULL: it is no calendar */
};

/* ---- the text on an attribute ---- */

static void add_help(const struct attr_panel *a, struct dstr *out)
{
    const struct object_field *field = a->field;
    if (field->rule != NULL)
        rule_help(field->rule, out);
    man_words(a->cell->root, object_kind_page(object_form_kind(a->form)->target), field->name, out);
}

/* of a kind that is edited as text: its attributes */
static void add_syntax(const struct attr_panel *a, struct dstr *out)
{
    const struct kind *kind = object_form_kind(a->form);
    const struct object_rules *rules = kind_has_lines(kind) ? NULL : kind_rules(kind);
    for (unsigned i = 0; rules != NULL && i < rules->attrs_n; i++)
        rule_help(&rules->attrs[i].rule, out);
}

/* fields have other values by now */
static void attr_panel_renew(struct attr_panel *a)
{
    if (a->settings != NULL)
        settings_panel_show(a->settings, a->field);
    if (a->week != NULL)
        week_panel_show(a->week);
}

/* the keys are in FIELD; NULL: in none, and no field of before is there */
static void attr_panel_enter(struct attr_panel *a, const struct object_field *field)
{
    struct dstr help = DSTR_INIT;
    a->field = field;
    if (field != NULL)
        add_help(a, &help);
    else
        add_syntax(a, &help);
    XmTextSetString(a->help, (char *)dstr_get(&help));
    dstr_free(&help);
    attr_panel_renew(a);
}

/* ---- widgets ---- */

static void make_help(struct attr_panel *a, int right)
{
    a->help = window_text(a->whole, "fieldHelp", false);
    XtVaSetValues(XtParent(a->help), XmNtopAttachment, XmATTACH_FORM, XmNbottomAttachment,
                  XmATTACH_FORM, XmNleftAttachment, XmATTACH_FORM, XmNrightAttachment,
                  XmATTACH_POSITION, XmNrightPosition, right, NULL);
}

static Widget make_panel(const struct attr_panel *a)
{
    return XtVaCreateManagedWidget("ownPanel", xmFormWidgetClass, a->whole, XmNtopAttachment,
                                   XmATTACH_FORM, XmNbottomAttachment, XmATTACH_FORM,
                                   XmNrightAttachment, XmATTACH_FORM, XmNleftAttachment,
                                   XmATTACH_POSITION, XmNleftPosition, HELP_RIGHT + 1, NULL);
}

/* in FORM_WIDGET, above BELOW; CHANGED is called with CTX when the user has changed a field there
 * Lives as long as its widgets, which free it. */
static struct attr_panel *attr_panel_new(struct qmon *q, struct object_form *form,
                                         Widget form_widget, Widget below,
                                         void (*changed)(void *ctx), void *ctx)
{
    struct attr_panel *a = uti_calloc(1, sizeof *a);
    const struct kind *kind = object_form_kind(form);
    bool has_settings = (kind->traits & KIND_HOST_VALUES) != 0;
    bool has_week = kind->target == GDI_CALENDAR;
    *a = (struct attr_panel){ .cell = q->cell, .form = form };
    a->whole = XtVaCreateManagedWidget("about", xmFormWidgetClass, form_widget, XmNfractionBase,
                                       100, XmNbottomAttachment, XmATTACH_WIDGET, XmNbottomWidget,
                                       below, XmNleftAttachment, XmATTACH_FORM, XmNrightAttachment,
                                       XmATTACH_FORM, NULL);
    make_help(a, has_settings || has_week ? HELP_RIGHT : 100);
    if (has_settings)
        a->settings = settings_panel_new(make_panel(a), q->paint, form, changed, ctx);
    if (has_week)
        a->week = week_panel_new(make_panel(a), q->paint, form, changed, ctx);
    window_own(a->whole, a);
    attr_panel_enter(a, NULL);
    return a;
}

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
    attr_panel_renew(w->about);
    window_say(w->said, field->wrong != NULL ? field->wrong : " ");
    if (field->is_name)
        show_title(w);
}

static void on_entered(void *ctx, const struct object_field *field)
{
    attr_panel_enter(((struct object_window *)ctx)->about, field);
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
    attr_panel_enter(w->about, NULL);
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

/* what the user has written is the object from now on; false after saying why it cannot be */
static bool object_take_text(struct object_window *w)
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

/* ---- closing and applying ---- */
/* What the window of an object does besides showing it: it sends the object, and closes, but not
 * without a question if something would be lost. One that was closed while the qmaster is asked
 * goes when the answer has come. */

/* the window goes, with all that it has */
static void object_end(struct object_window *w)
{
    LIST_REMOVE(w, in_qmon);
    XtDestroyWidget(w->shell);
    object_rows_free(w->rows);
    share_panel_free(w->tree);
    object_form_free(w->form);
    free(w);
}

/* ---- closing ---- */

static bool is_text_changed(const struct object_window *w)
{
    struct dstr before = DSTR_INIT;
    char *now = XmTextGetString(w->text);
    object_form_text(w->form, &before);
    bool is_changed = strcmp(now, dstr_get(&before)) != 0;
    XtFree(now);
    dstr_free(&before);
    return is_changed;
}

/* has the user written what would be lost? */
static bool has_changes(const struct object_window *w)
{
    return object_form_is_changed(w->form) || object_form_wrong(w->form) != NULL ||
           (w->is_text && is_text_changed(w));
}

static void discard_form(void *ctx)
{
    struct object_window *w = ctx;
    w->is_closed = true;
    window_close(w->shell);
    if (!w->is_asking)
        object_end(w);
}

static void close_window(void *ctx)
{
    struct object_window *w = ctx;
    if (!w->is_asking && has_changes(w))
        window_confirm(w->shell, "discardObject", MSG_QMON_DISCARD, discard_form, w);
    else
        discard_form(w);
}

/* the shell W was closed, by whomever */
/* somebody closed it without its button */
static void object_on_popdown(Widget shell SGE_UNUSED, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    struct object_window *w = ctx;
    if (w->is_closed)
        return;
    if (has_changes(w))
        window_open(w->shell);
    close_window(w);
}

/* ---- requests ---- */

static void blame_field(struct object_window *w, const struct object_field *field, const char *why)
{
    uint32_t number = 0;
    while (object_form_at(w->form, number) != field)
        number++;
    object_rows_note(w->rows, number, why);
    object_rows_go(w->rows, number);
}

static void show_refusal(struct object_window *w, const char *why)
{
    const struct object_field *field = object_form_blame(w->form, why);
    window_say(w->said, why);
    if (field != NULL && w->rows != NULL && !w->is_text)
        blame_field(w, field, why);
}

static void on_change_answered(void *ctx, const struct answer *texts, uint32_t n_texts SGE_UNUSED)
{
    struct object_window *w = ctx;
    struct dstr said = DSTR_INIT;
    bool is_refused = ans_has_error(texts);
    w->is_asking = false;
    said_words(texts, &said);
    if (is_refused && !w->is_closed)
        show_refusal(w, dstr_get(&said));
    else
        window_say(w->parent_said, dstr_get(&said));
    dstr_free(&said);
    if (!is_refused)
        w->q->objects_changed(w->q);
    if (!is_refused || w->is_closed)
        object_end(w);
}

/* false: something cannot be so; the user was told */
static bool is_ready(struct object_window *w)
{
    if (w->is_text && !object_take_text(w))
        return false;
    const struct object_field *wrong = w->is_text ? NULL : object_form_wrong(w->form);
    if (wrong != NULL)
        show_refusal(w, wrong->wrong);
    else if (object_form_deed(w->form) == OBJECT_CHANGE && !object_form_is_changed(w->form))
        window_say(w->said, MSG_QMON_UNCHANGED);
    else
        return true;
    return false;
}

static void apply_form(void *ctx)
{
    struct object_window *w = ctx;
    struct GR_Type request = { 0 };
    if (w->is_asking || !is_ready(w))
        return;
    object_form_request(w->form, &request);
    window_say(w->said, MSG_QMON_ASKED);
    w->is_asking = ask_change(w->q, &request, on_change_answered, w, w->said);
}

static const struct window_button acts[] = { BUTTON("apply", apply_form),
                                             BUTTON("close", close_window) };

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
    struct window_frame made = window_frame(form, "objectForm", acts, ARRAY_LEN(acts), w);
    Widget above = choices_row(form, made.menu);
    w->pages = choices_new(above, "whichForm", page_names, ARRAY_LEN(page_names), on_page, w);
    w->said = made.said;
    w->about = attr_panel_new(w->q, w->form, form, made.buttons, on_other_change, w);
    Widget below = w->about->whole;
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
