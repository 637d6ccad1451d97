/* Rows of the form of a job. Which rows there are, and in which order, is the table of
 * submit_form.h. */
#include "clients/qmon/forms/submit_panels.h"

#include <X11/Intrinsic.h>
#include <Xm/ComboBox.h>
#include <Xm/Form.h>
#include <Xm/Label.h>
#include <Xm/List.h>
#include <Xm/PushB.h>
#include <Xm/RowColumn.h>
#include <Xm/TextF.h>
#include <Xm/ToggleB.h>
#include <Xm/Xm.h>
#include <stdlib.h>
#include <string.h>

#include "clients/qmon/widgets/msg_qmon.h"
#include "clients/qmon/widgets/requests.h"
#include "clients/qmon/widgets/texts.h"
#include "clients/qmon/widgets/window.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/view/submit_form.h"

/* The widgets in which one field of a job is entered: a text, a switch, a choice, a text with the
 * names of the cell's objects, or a parallel environment and its slots. */

/* the user has entered VALUE; NULL: nothing any more. Borrowed */
typedef void (*input_changed_fn)(void *ctx, const char *value);

/* ---- inputs ---- */
/* Inputs of the fields of a job. What the program itself shows is not reported as a change. */

enum { RADIO_MOST = 2, SLOTS_PERCENT = 30, LIST_ROWS = 8, NAME_COLUMNS = 10, SLOTS_COLUMNS = 4 };

struct submit_input {
    const struct form_field *field;
    const struct submit_place *place;
    enum submit_input_kind { AS_TEXT, AS_TOGGLE, AS_RADIO, AS_MENU, AS_NAMES, AS_PE } kind;
    Widget value; /* text, toggle, box or menu; of AS_NAMES and AS_PE the text in the combo box */
    Widget combo, slots,
        choices; /* NULL if the field has no such input; CHOICES: the parent of the buttons */
    input_changed_fn changed;
    void *ctx;
    bool is_quiet;
};

/* ---- callbacks ---- */

static void report_value(struct submit_input *in, const char *value)
{
    if (!in->is_quiet)
        in->changed(in->ctx, value);
}

/* one text, or the two of a parallel environment with a blank between */
static void on_text(Widget text SGE_UNUSED, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    struct submit_input *in = ctx;
    struct dstr whole = DSTR_INIT;
    char *value = XmTextFieldGetString(in->value);
    char *slots = in->slots != NULL ? XmTextFieldGetString(in->slots) : NULL;
    dstr_add(&whole, value);
    if (slots != NULL && slots[0] != '\0')
        dstr_addf(&whole, " %s", slots);
    report_value(in, dstr_get(&whole));
    XtFree(value);
    XtFree(slots);
    dstr_free(&whole);
}

static void on_toggle(Widget w SGE_UNUSED, XtPointer ctx, XtPointer call)
{
    report_value(ctx, ((XmToggleButtonCallbackStruct *)call)->set ? "" : NULL);
}

/* the first button is the default: nothing is set */
static void report_choice(struct submit_input *in, Widget button)
{
    XtPointer number = NULL;
    XtVaGetValues(button, XmNuserData, &number, NULL);
    report_value(in,
                 (uintptr_t)number > 0 ? in->place->choices[(uintptr_t)number - 1].value : NULL);
}

static void on_radio(Widget button, XtPointer ctx, XtPointer call)
{
    if (((XmToggleButtonCallbackStruct *)call)->set)
        report_choice(ctx, button);
}

static void on_menu(Widget button, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    report_choice(ctx, button);
}

/* ---- widgets ---- */

static unsigned count_choices(const struct submit_place *place)
{
    unsigned n = 0;
    while (place->choices[n].value != NULL)
        n++;
    return n;
}

static void attach_sides(Widget w, int left, int right)
{
    XtVaSetValues(w, XmNleftAttachment, XmATTACH_POSITION, XmNleftPosition, left,
                  XmNrightAttachment, XmATTACH_POSITION, XmNrightPosition, right, NULL);
}

static Widget make_text(struct submit_input *in, Widget parent, const char *name)
{
    Widget text = XtVaCreateManagedWidget(name, xmTextFieldWidgetClass, parent, NULL);
    XtAddCallback(text, XmNvalueChangedCallback, on_text, in);
    return text;
}

static void add_choice(struct submit_input *in, unsigned number)
{
    bool is_radio = in->kind == AS_RADIO;
    Widget button =
        XtVaCreateManagedWidget(number == 0 ? "default" : in->place->choices[number - 1].value,
                                is_radio ? xmToggleButtonWidgetClass : xmPushButtonWidgetClass,
                                in->choices, XmNuserData, (XtPointer)(uintptr_t)number, NULL);
    window_say(button, number == 0 ? MSG_QMON_DEFAULT : in->place->choices[number - 1].label);
    XtAddCallback(button, is_radio ? XmNvalueChangedCallback : XmNactivateCallback,
                  is_radio ? on_radio : on_menu, in);
}

static void make_choice(struct submit_input *in, Widget row, const char *name)
{
    if (in->kind == AS_RADIO) {
        in->value = in->choices = XmCreateRadioBox(row, (char *)name, NULL, 0);
        XtVaSetValues(in->value, XmNorientation, XmHORIZONTAL, NULL);
    } else {
        in->choices = XmCreatePulldownMenu(row, (char *)"choices", NULL, 0);
        Arg args[] = { { XmNsubMenuId, (XtArgVal)in->choices } };
        in->value = XmCreateOptionMenu(row, (char *)name, args, ARRAY_LEN(args));
    }
    for (unsigned i = 0; i <= count_choices(in->place); i++)
        add_choice(in, i);
    XtManageChild(in->value);
}

static void make_names(struct submit_input *in, Widget row, const char *name)
{
    Arg args[] = { { XmNvisibleItemCount, LIST_ROWS }, { XmNcolumns, NAME_COLUMNS } };
    in->combo = XmCreateDropDownComboBox(row, (char *)name, args, ARRAY_LEN(args));
    in->value = XtNameToWidget(in->combo, "*Text");
    XtAddCallback(in->value, XmNvalueChangedCallback, on_text, in);
    XtManageChild(in->combo);
}

static void make_toggle(struct submit_input *in, Widget row, const char *name)
{
    in->value = XtVaCreateManagedWidget(name, xmToggleButtonWidgetClass, row, NULL);
    window_say(in->value, "");
    XtAddCallback(in->value, XmNvalueChangedCallback, on_toggle, in);
}

static enum submit_input_kind kind_for(const struct form_field *field,
                                       const struct submit_place *place)
{
    static const enum submit_input_kind kinds[] = { [INPUT_TEXT] = AS_TEXT,
                                                    [INPUT_FLAG] = AS_TOGGLE,
                                                    [INPUT_CHOICE] = AS_RADIO,
                                                    [INPUT_NAMES] = AS_NAMES,
                                                    [INPUT_PE] = AS_PE };
    if (field->kind == FIELD_FLAG)
        return AS_TOGGLE;
    if (place == NULL)
        return AS_TEXT;
    if (place->input == INPUT_CHOICE && count_choices(place) > RADIO_MOST)
        return AS_MENU;
    return kinds[place->input];
}

/* for FIELD, in the form ROW between LEFT and RIGHT, hundredths of its width
 *   place  of the field, borrowed; NULL: a text
 * New: submit_input_free, when its widgets have gone. */
static struct submit_input *submit_input_new(Widget row, const struct form_field *field,
                                             const struct submit_place *place, int left, int right,
                                             input_changed_fn changed, void *ctx)
{
    struct submit_input *in = uti_calloc(1, sizeof *in);
    const char *name = field->row != NULL ? field->row->name + 1 : "command";
    *in = (struct submit_input){ .field = field, .place = place, .changed = changed, .ctx = ctx };
    in->kind = kind_for(field, place);
    int middle = right - (right - left) * SLOTS_PERCENT / 100;
    if (in->kind == AS_TOGGLE)
        make_toggle(in, row, name);
    else if (in->kind == AS_RADIO || in->kind == AS_MENU)
        make_choice(in, row, name);
    else if (in->kind == AS_TEXT)
        in->value = make_text(in, row, name);
    else
        make_names(in, row, name);
    attach_sides(in->combo != NULL ? in->combo : in->value, left,
                 in->kind == AS_PE ? middle : right);
    if (in->kind == AS_PE) {
        in->slots = make_text(in, row, "slots");
        XtVaSetValues(in->slots, XmNcolumns, SLOTS_COLUMNS, NULL);
        attach_sides(in->slots, middle, right);
    }
    return in;
}

/* ---- values ---- */

static void set_pe(const struct submit_input *in, const char *value)
{
    struct dstr name = DSTR_INIT;
    size_t len = strcspn(value, " ");
    dstr_addn(&name, value, len);
    XmTextFieldSetString(in->value, (char *)dstr_get(&name));
    XmTextFieldSetString(in->slots, (char *)value + len + strspn(value + len, " "));
    dstr_free(&name);
}

static void set_choice(const struct submit_input *in, const char *value)
{
    WidgetList buttons;
    Cardinal n;
    unsigned chosen = (unsigned)(submit_choice_number(in->place->choices, value) + 1);
    XtVaGetValues(in->choices, XmNchildren, &buttons, XmNnumChildren, &n, NULL);
    if (in->kind == AS_MENU)
        XtVaSetValues(in->value, XmNmenuHistory, buttons[chosen], NULL);
    for (Cardinal i = 0; in->kind == AS_RADIO && i < n; i++)
        XmToggleButtonSetState(buttons[i], i == chosen && (i > 0 || value == NULL), False);
}

/* show VALUE; the user has not changed it */
static void submit_input_set(struct submit_input *in, const char *value)
{
    const char *text = value != NULL ? value : "";
    in->is_quiet = true;
    if (in->kind == AS_TOGGLE)
        XmToggleButtonSetState(in->value, value != NULL, False);
    else if (in->choices != NULL)
        set_choice(in, value);
    else if (in->kind == AS_PE)
        set_pe(in, text);
    else
        XmTextFieldSetString(in->value, (char *)text);
    in->is_quiet = false;
}

/* the N names can be chosen from a list */
static void submit_input_offer(struct submit_input *in, XmString *names, int n)
{
    if (in->combo == NULL)
        return;
    Widget list = XtNameToWidget(in->combo, "*List");
    char *value = XmTextFieldGetString(in->value);
    in->is_quiet = true; /* what is written stays */
    XmListDeleteAllItems(list);
    XmListAddItems(list, names, n, 0);
    XmComboBoxUpdate(in->combo);
    XmTextFieldSetString(in->value, value);
    in->is_quiet = false;
    XtFree(value);
}

/* hundredths of the width */
enum { OPTION_LEFT = 20, VALUE_LEFT = 29, NOTE_LEFT = 64, ALL = 100 };

static const enum gdi_target listed[] = { GDI_CQUEUE, GDI_PE, GDI_PROJECT, GDI_CKPT };

struct row {
    struct submit_rows *rows;
    const struct form_field *field;
    const struct submit_place *place; /* NULL: a field that the table does not have */
    struct submit_input *input;
    Widget note;
};
/* what is listed of one kind of objects */
struct offer {
    struct submit_rows *rows;
    enum gdi_target target;
    XmString *names; /* while they are collected */
    uint32_t n, cap;
};
struct submit_rows {
    struct submit_form *form;
    row_changed_fn changed;
    void *ctx;
    struct row *v; /* in the order in which they are shown */
    uint32_t n;
    struct offer offers[ARRAY_LEN(listed)];
};

/* ---- notes ---- */

static void add_hint(const struct row *row, struct dstr *out)
{
    if (row->place != NULL)
        dstr_add(out, row->place->hint);
    if (row->field->row != NULL && row->field->row->effect == OPTION_KEPT)
        dstr_add(out, MSG_QMON_STORED);
}

/* the first line after the warnings, without the words that every refusal begins with */
static void add_reason(const char *text, struct dstr *out)
{
    static const char warning[] = "warning:", refused[] = "Unable to run job: ";
    struct dstr line = DSTR_INIT;
    const char *rest = text;
    while (strncmp(text, warning, strlen(warning)) == 0 && (rest = strchr(text, '\n')) != NULL)
        text = rest + 1;
    if (strncmp(text, refused, strlen(refused)) == 0)
        text += strlen(refused);
    dstr_addn(&line, text, strcspn(text, "\n"));
    dstr_addf(out, MSG_QMON_WRONG_S, dstr_get(&line));
    dstr_free(&line);
}

static void set_note(const struct row *row, const char *text)
{
    struct dstr note = DSTR_INIT;
    const char *reason = text != NULL ? text : row->field->wrong;
    if (reason != NULL)
        add_reason(reason, &note);
    else
        add_hint(row, &note);
    note_say(row->note, dstr_get(&note), note_room(row->note, ALL - NOTE_LEFT));
    dstr_free(&note);
}

static void on_input(void *ctx, const char *value)
{
    struct row *row = ctx;
    (void)submit_form_set(row->rows->form, row->field, value);
    set_note(row, NULL);
    row->rows->changed(row->rows->ctx, row->field);
}

/* ---- widgets ---- */

static Widget add_label(Widget form, const char *name, const char *text, int left, int right)
{
    Widget label = XtVaCreateManagedWidget(
        name, xmLabelWidgetClass, form, XmNleftAttachment, XmATTACH_POSITION, XmNleftPosition, left,
        XmNrightAttachment, XmATTACH_POSITION, XmNrightPosition, right, XmNtopAttachment,
        XmATTACH_FORM, XmNbottomAttachment, XmATTACH_FORM, NULL);
    window_say(label, text);
    return label;
}

static void add_row(struct submit_rows *rows, Widget parent, const struct form_field *field,
                    const struct submit_place *place)
{
    struct row *row = &rows->v[rows->n++];
    struct dstr option = DSTR_INIT;
    Widget form =
        XtVaCreateManagedWidget("row", xmFormWidgetClass, parent, XmNfractionBase, ALL, NULL);
    *row = (struct row){ .rows = rows, .field = field, .place = place };
    add_label(form, "fieldName", place != NULL ? place->label : "", 0, OPTION_LEFT);
    add_label(form, "optionName", field->row != NULL ? field_name(field, &option) : "", OPTION_LEFT,
              VALUE_LEFT);
    row->input = submit_input_new(form, field, place, VALUE_LEFT, NOTE_LEFT, on_input, row);
    row->note = add_label(form, "note", "", NOTE_LEFT, ALL);
    set_note(row, NULL);
    dstr_free(&option);
}

static void add_heading(Widget parent, enum submit_group group)
{
    Widget label = XtVaCreateManagedWidget("groupName", xmLabelWidgetClass, parent, NULL);
    window_say(label, submit_group_title(group));
}

static void add_rows(struct submit_rows *rows, Widget parent)
{
    unsigned group = SUBMIT_GROUPS;
    for (unsigned i = 0; i < submit_places_n; i++) {
        const struct submit_place *place = &submit_places[i];
        const struct form_field *field = submit_place_field(rows->form, place);
        if (field == NULL)
            continue;
        if (place->group != group)
            add_heading(parent, place->group);
        group = place->group;
        add_row(rows, parent, field, place);
    }
    for (uint32_t i = 0; i < submit_form_count(rows->form); i++) {
        const struct form_field *field = submit_form_at(rows->form, i);
        if (submit_place_of(field, submit_form_program(rows->form)) == NULL)
            add_row(rows, parent, field, NULL);
    }
}

struct submit_rows *submit_rows_new(Widget parent, struct submit_form *form, row_changed_fn changed,
                                    void *ctx)
{
    struct submit_rows *rows = uti_calloc(1, sizeof *rows);
    *rows = (struct submit_rows){ .form = form, .changed = changed, .ctx = ctx };
    Widget column = XtVaCreateManagedWidget("fields", xmRowColumnWidgetClass, parent, NULL);
    rows->v = uti_calloc(submit_form_count(form), sizeof *rows->v);
    add_rows(rows, column);
    return rows;
}

void submit_rows_free(struct submit_rows *rows)
{
    if (rows == NULL)
        return;
    for (uint32_t i = 0; i < rows->n; i++)
        free(rows->v[i].input);
    free(rows->v);
    free(rows);
}

/* ---- names of objects ---- */

static void take_name(void *ctx, const char *name)
{
    struct offer *offer = ctx;
    offer->names = uti_vec_grow(offer->names, &offer->cap, offer->n + 1, sizeof *offer->names);
    offer->names[offer->n++] = XmStringCreateLocalized((char *)name);
}

static void got_names(void *ctx, const struct GA_Type *all, const struct answer *texts SGE_UNUSED)
{
    struct offer *offer = ctx;
    if (all == NULL)
        return;
    target_names(offer->target, all, take_name, offer);
    for (uint32_t i = 0; i < offer->rows->n; i++) {
        const struct row *row = &offer->rows->v[i];
        if (row->place != NULL && row->place->names == offer->target)
            submit_input_offer(row->input, offer->names, (int)offer->n);
    }
    for (uint32_t i = 0; i < offer->n; i++)
        XmStringFree(offer->names[i]);
    free(offer->names);
    offer->names = NULL;
    offer->n = offer->cap = 0;
}

void submit_rows_ask_names(struct submit_rows *rows, struct qmon *q, Widget said)
{
    for (size_t i = 0; i < ARRAY_LEN(listed); i++) {
        rows->offers[i].rows = rows;
        rows->offers[i].target = listed[i];
        (void)ask_names(q, listed[i], got_names, &rows->offers[i], said);
    }
}

/* ---- values ---- */

void submit_rows_renew(struct submit_rows *rows)
{
    for (uint32_t i = 0; i < rows->n; i++) {
        submit_input_set(rows->v[i].input, rows->v[i].field->value);
        set_note(&rows->v[i], NULL);
    }
}

static struct row *row_of(struct submit_rows *rows, const struct form_field *field)
{
    uint32_t i = 0;
    while (i + 1 < rows->n && rows->v[i].field != field)
        i++;
    return &rows->v[i];
}

void submit_rows_note(struct submit_rows *rows, const struct form_field *field, const char *text)
{
    set_note(row_of(rows, field), text);
}

void submit_rows_go(struct submit_rows *rows, const struct form_field *field)
{
    const struct row *row = field != NULL ? row_of(rows, field) : &rows->v[0];
    (void)XmProcessTraversal(row->input->value, XmTRAVERSE_CURRENT);
}
