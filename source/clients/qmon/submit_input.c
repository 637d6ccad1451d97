/* Inputs of the fields of a job. What the program itself shows is not reported as a change. */
#include "clients/qmon/submit_input.h"

#include <Xm/ComboBox.h>
#include <Xm/Form.h>
#include <Xm/List.h>
#include <Xm/PushB.h>
#include <Xm/RowColumn.h>
#include <Xm/TextF.h>
#include <Xm/ToggleB.h>
#include <stdlib.h>
#include <string.h>

#include "clients/qmon/msg_qmon.h"
#include "clients/qmon/window.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

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

/* ---- what the user does ---- */

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

struct submit_input *submit_input_new(Widget row, const struct form_field *field,
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

void submit_input_free(struct submit_input *in)
{
    free(in);
}

/* ---- what is shown ---- */

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

void submit_input_set(struct submit_input *in, const char *value)
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

void submit_input_offer(struct submit_input *in, XmString *names, int n)
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

void submit_input_go(struct submit_input *in)
{
    (void)XmProcessTraversal(in->value, XmTRAVERSE_CURRENT);
}
