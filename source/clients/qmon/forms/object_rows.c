/* Rows of an object. Rows and fields have the same numbers. */
#include "clients/qmon/forms/object_panels.h"

#include <Xm/Form.h>
#include <Xm/Label.h>
#include <Xm/RowColumn.h>
#include <Xm/Scale.h>
#include <Xm/TextF.h>
#include <stdlib.h>

#include "clients/qmon/widgets/msg_qmon.h"
#include "clients/qmon/widgets/texts.h"
#include "clients/qmon/widgets/window.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/view/attr_words.h"
#include "libs/view/object_form.h"

/* hundredths of the width */
enum { VALUE_LEFT = 23, SCALE_LEFT = 40, NOTE_LEFT = 59 };

struct object_row {
    struct object_rows *rows;
    uint32_t number;
    Widget value, note;
    Widget scale; /* of a weight; else NULL */
    double range; /* of the scale */
};
struct object_rows {
    struct object_form *form;
    object_field_fn changed, entered;
    void *ctx;
    struct object_row *v;
    uint32_t n;
    bool is_quiet; /* the program itself changes what stands there */
};

static const struct object_field *field_of(const struct object_row *row)
{
    return object_form_at(row->rows->form, row->number);
}

/* ---- the contents of a row ---- */

static void set_note(const struct object_row *row, const char *text)
{
    const struct object_field *field = field_of(row);
    const char *wrong = text != NULL ? text : field->wrong;
    struct dstr note = DSTR_INIT;
    if (wrong != NULL)
        dstr_addf(&note, MSG_QMON_WRONG_S, wrong);
    else if (field->rule != NULL)
        rule_hint(field->rule, &note);
    note_say(row->note, dstr_get(&note), note_room(row->note, 100 - NOTE_LEFT));
    dstr_free(&note);
}

static void set_scale(struct object_row *row)
{
    const struct object_field *field = field_of(row);
    if (row->scale == NULL)
        return;
    row->range = weight_scale_range(field->rule, field->value);
    XmScaleSetValue(row->scale, weight_scale_place(field->value, row->range));
}

static void take_value(struct object_row *row, const char *value)
{
    struct object_rows *rows = row->rows;
    (void)object_form_set(rows->form, field_of(row), value);
    set_note(row, NULL);
    rows->changed(rows->ctx, field_of(row));
}

static void on_text(Widget text, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    struct object_row *row = ctx;
    if (row->rows->is_quiet)
        return;
    char *value = XmTextFieldGetString(text);
    take_value(row, value);
    set_scale(row);
    XtFree(value);
}

/* its range stays what it was while it is drawn */
static void on_scale(Widget scale SGE_UNUSED, XtPointer ctx, XtPointer call)
{
    struct object_row *row = ctx;
    struct dstr value = DSTR_INIT;
    weight_scale_value(field_of(row)->rule, ((XmScaleCallbackStruct *)call)->value, row->range,
                       &value);
    row->rows->is_quiet = true;
    XmTextFieldSetString(row->value, (char *)dstr_get(&value));
    row->rows->is_quiet = false;
    take_value(row, dstr_get(&value));
    dstr_free(&value);
}

static void on_focus(Widget text SGE_UNUSED, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    struct object_row *row = ctx;
    row->rows->entered(row->rows->ctx, field_of(row));
}

/* ---- widgets ---- */

static Widget add_label(Widget form, const char *name, int left, int right)
{
    return XtVaCreateManagedWidget(name, xmLabelWidgetClass, form, XmNleftAttachment,
                                   XmATTACH_POSITION, XmNleftPosition, left, XmNrightAttachment,
                                   XmATTACH_POSITION, XmNrightPosition, right, XmNtopAttachment,
                                   XmATTACH_FORM, XmNbottomAttachment, XmATTACH_FORM, NULL);
}

static void add_scale(struct object_row *row, Widget form)
{
    row->scale = XtVaCreateManagedWidget(
        "weight", xmScaleWidgetClass, form, XmNorientation, XmHORIZONTAL, XmNmaximum,
        WEIGHT_SCALE_MOST, XmNleftAttachment, XmATTACH_POSITION, XmNleftPosition, SCALE_LEFT,
        XmNrightAttachment, XmATTACH_POSITION, XmNrightPosition, NOTE_LEFT - 1, XmNtopAttachment,
        XmATTACH_FORM, NULL);
    XtAddCallback(row->scale, XmNvalueChangedCallback, on_scale, row);
    XtAddCallback(row->scale, XmNdragCallback, on_scale, row);
}

static void add_row(struct object_row *row, Widget parent)
{
    bool is_weight = weight_scale_has(field_of(row)->rule);
    const struct object_field *field = field_of(row);
    Widget form =
        XtVaCreateManagedWidget("row", xmFormWidgetClass, parent, XmNfractionBase, 100, NULL);
    window_say(add_label(form, "fieldName", 0, VALUE_LEFT), field->name);
    row->value = XtVaCreateManagedWidget(
        field->name, xmTextFieldWidgetClass, form, XmNleftAttachment, XmATTACH_POSITION,
        XmNleftPosition, VALUE_LEFT, XmNrightAttachment, XmATTACH_POSITION, XmNrightPosition,
        is_weight ? SCALE_LEFT - 1 : NOTE_LEFT - 1, NULL);
    if (is_weight)
        add_scale(row, form);
    XtAddCallback(row->value, XmNvalueChangedCallback, on_text, row);
    XtAddCallback(row->value, XmNfocusCallback, on_focus, row);
    row->note = add_label(form, "note", NOTE_LEFT, 100);
}

struct object_rows *object_rows_new(Widget parent, struct object_form *form,
                                    object_field_fn changed, object_field_fn entered, void *ctx)
{
    struct object_rows *rows = uti_calloc(1, sizeof *rows);
    *rows = (struct object_rows){ .form = form,
                                  .changed = changed,
                                  .entered = entered,
                                  .ctx = ctx,
                                  .n = object_form_count(form) };
    Widget column = XtVaCreateManagedWidget("fields", xmRowColumnWidgetClass, parent, NULL);
    rows->v = uti_calloc(rows->n + 1, sizeof *rows->v);
    for (uint32_t i = 0; i < rows->n; i++) {
        rows->v[i] = (struct object_row){ .rows = rows, .number = i };
        add_row(&rows->v[i], column);
    }
    object_rows_renew(rows);
    return rows;
}

void object_rows_free(struct object_rows *rows)
{
    if (rows == NULL)
        return;
    free(rows->v);
    free(rows);
}

void object_rows_renew(struct object_rows *rows)
{
    rows->is_quiet = true;
    for (uint32_t i = 0; i < rows->n; i++) {
        XmTextFieldSetString(rows->v[i].value, field_of(&rows->v[i])->value);
        set_note(&rows->v[i], NULL);
        set_scale(&rows->v[i]);
    }
    rows->is_quiet = false;
}

void object_rows_note(struct object_rows *rows, uint32_t number, const char *text)
{
    set_note(&rows->v[number], text);
}

void object_rows_go(struct object_rows *rows, uint32_t number)
{
    (void)XmProcessTraversal(rows->v[number].value, XmTRAVERSE_CURRENT);
}
