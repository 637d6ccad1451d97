/* Rows of a form. A row's value widget is a text field, or a toggle button for what is said or not.
 */
#include "clients/qmon/submit_rows.h"

#include <Xm/Form.h>
#include <Xm/Label.h>
#include <Xm/RowColumn.h>
#include <Xm/TextF.h>
#include <Xm/ToggleB.h>
#include <stdlib.h>
#include <string.h>

#include "clients/qmon/msg_qmon.h"
#include "clients/qmon/window.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

struct row {
    struct submit_rows *rows;
    const struct form_field *field;
    Widget value, note;
};
struct submit_rows {
    struct submit_form *form;
    row_changed_fn changed;
    void *ctx;
    Widget pages[2]; /* general, advanced */
    struct row *v;   /* one for each field of the form, by its number */
    bool is_quiet;   /* the program itself changes what stands there */
};

/* what most jobs say; the rest is on the other page */
static bool is_general(const struct form_field *field)
{
    static const char *const names[] = { "-N",  "-t", "-tc", "-hold_jid", "-hold_jid_ad", "-q",
                                         "-pe", "-l", "-b",  "-cwd",      "-o",           "-e",
                                         "-j",  "-p", "-a",  "-P",        "-V",           "-h" };
    if (field->row == NULL)
        return true;
    for (size_t i = 0; i < ARRAY_LEN(names) && !field->is_soft; i++)
        if (strcmp(field->row->name, names[i]) == 0)
            return true;
    return false;
}

/* ---- what stands in a row ---- */

static void say_help(const struct form_field *field, struct dstr *out)
{
    const char *help = field->row != NULL ? field_help(field) : MSG_QMON_COMMAND;
    dstr_addn(out, help, strcspn(help, "\n"));
    if (field->row != NULL && field->row->effect == OPTION_KEPT)
        dstr_add(out, MSG_QMON_STORED);
}

/* the first line of it */
static void add_wrong(const char *wrong, struct dstr *out)
{
    struct dstr line = DSTR_INIT;
    dstr_addn(&line, wrong, strcspn(wrong, "\n"));
    dstr_addf(out, MSG_QMON_WRONG_S, dstr_get(&line));
    dstr_free(&line);
}

static void set_note(const struct row *row, const char *text)
{
    struct dstr help = DSTR_INIT;
    const char *wrong = text != NULL ? text : row->field->wrong;
    if (wrong != NULL)
        add_wrong(wrong, &help);
    else
        say_help(row->field, &help);
    window_say(row->note, dstr_get(&help));
    dstr_free(&help);
}

static void set_value(const struct row *row)
{
    const char *value = row->field->value;
    if (row->field->kind == FIELD_FLAG)
        XmToggleButtonSetState(row->value, value != NULL, False);
    else
        XmTextFieldSetString(row->value, (char *)(value != NULL ? value : ""));
}

static void take_change(struct row *row, const char *value)
{
    struct submit_rows *rows = row->rows;
    if (rows->is_quiet)
        return;
    (void)submit_form_set(rows->form, row->field, value);
    set_note(row, NULL);
    rows->changed(rows->ctx, row->field);
}

static void on_text(Widget text, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    char *value = XmTextFieldGetString(text);
    take_change(ctx, value);
    XtFree(value);
}

static void on_toggle(Widget w SGE_UNUSED, XtPointer ctx, XtPointer call)
{
    take_change(ctx, ((XmToggleButtonCallbackStruct *)call)->set ? "" : NULL);
}

/* ---- widgets ---- */

static void add_name(Widget form, const struct form_field *field)
{
    struct dstr name = DSTR_INIT;
    Widget label = XtVaCreateManagedWidget(
        "fieldName", xmLabelWidgetClass, form, XmNleftAttachment, XmATTACH_POSITION,
        XmNleftPosition, 0, XmNrightAttachment, XmATTACH_POSITION, XmNrightPosition, 14,
        XmNtopAttachment, XmATTACH_FORM, XmNbottomAttachment, XmATTACH_FORM, NULL);
    window_say(label, field->row != NULL ? field_name(field, &name) : MSG_QMON_COMMAND_NAME);
    dstr_free(&name);
}

static void add_value(struct row *row, Widget form)
{
    bool is_flag = row->field->kind == FIELD_FLAG;
    row->value =
        XtVaCreateManagedWidget(row->field->row != NULL ? row->field->row->name + 1 : "command",
                                is_flag ? xmToggleButtonWidgetClass : xmTextFieldWidgetClass, form,
                                XmNleftAttachment, XmATTACH_POSITION, XmNleftPosition, 14,
                                XmNrightAttachment, XmATTACH_POSITION, XmNrightPosition, 56, NULL);
    if (is_flag)
        window_say(row->value, "");
    XtAddCallback(row->value, XmNvalueChangedCallback, is_flag ? on_toggle : on_text, row);
}

static void add_row(struct row *row, Widget page)
{
    Widget form =
        XtVaCreateManagedWidget("row", xmFormWidgetClass, page, XmNfractionBase, 100, NULL);
    add_name(form, row->field);
    add_value(row, form);
    row->note = XtVaCreateManagedWidget(
        "note", xmLabelWidgetClass, form, XmNleftAttachment, XmATTACH_POSITION, XmNleftPosition, 57,
        XmNrightAttachment, XmATTACH_POSITION, XmNrightPosition, 100, XmNtopAttachment,
        XmATTACH_FORM, XmNbottomAttachment, XmATTACH_FORM, XmNrecomputeSize, False, NULL);
    set_note(row, NULL);
}

struct submit_rows *submit_rows_new(Widget parent, struct submit_form *form, row_changed_fn changed,
                                    void *ctx)
{
    struct submit_rows *rows = uti_calloc(1, sizeof *rows);
    *rows = (struct submit_rows){ .form = form, .changed = changed, .ctx = ctx };
    Widget both = XtVaCreateManagedWidget("pages", xmRowColumnWidgetClass, parent, NULL);
    rows->pages[0] = XtVaCreateWidget("general", xmRowColumnWidgetClass, both, NULL);
    rows->pages[1] = XtVaCreateWidget("advanced", xmRowColumnWidgetClass, both, NULL);
    rows->v = uti_calloc(submit_form_count(form), sizeof *rows->v);
    for (uint32_t i = 0; i < submit_form_count(form); i++) {
        rows->v[i] = (struct row){ .rows = rows, .field = submit_form_at(form, i) };
        add_row(&rows->v[i], rows->pages[!is_general(rows->v[i].field)]);
    }
    submit_rows_page(rows, false);
    return rows;
}

void submit_rows_free(struct submit_rows *rows)
{
    if (rows == NULL)
        return;
    free(rows->v);
    free(rows);
}

/* ---- pages ---- */

void submit_rows_page(struct submit_rows *rows, bool is_advanced)
{
    XtUnmanageChild(rows->pages[!is_advanced]);
    XtManageChild(rows->pages[is_advanced]);
}

void submit_rows_renew(struct submit_rows *rows)
{
    rows->is_quiet = true;
    for (uint32_t i = 0; i < submit_form_count(rows->form); i++) {
        set_value(&rows->v[i]);
        set_note(&rows->v[i], NULL);
    }
    rows->is_quiet = false;
}

static struct row *row_of(struct submit_rows *rows, const struct form_field *field)
{
    return &rows->v[field - submit_form_at(rows->form, 0)];
}

void submit_rows_note(struct submit_rows *rows, const struct form_field *field, const char *text)
{
    set_note(row_of(rows, field), text);
}

void submit_rows_go(struct submit_rows *rows, const struct form_field *field)
{
    submit_rows_page(rows, !is_general(field));
    (void)XmProcessTraversal(row_of(rows, field)->value, XmTRAVERSE_CURRENT);
}
