/* A table of hosts and values, and below it the row that is to be set. Rows are known by their
 * place in the list. */
#include "clients/qmon/forms/object_panels.h"

#include <Xm/Form.h>
#include <Xm/Label.h>
#include <Xm/RowColumn.h>
#include <Xm/TextF.h>
#include <stdlib.h>

#include "clients/qmon/widgets/msg_qmon.h"
#include "clients/qmon/widgets/window.h"
#include "libs/show/printable.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/view/object_form.h"

struct settings_panel {
    struct object_form *form;
    const struct object_field *field; /* NULL: none is shown yet */
    struct table *table;
    Widget place, value;
    void (*changed)(void *ctx);
    void *ctx;
};

/* ---- the table ---- */

static const char *column_title(unsigned column)
{
    return column == 0 ? MSG_QMON_PLACE : MSG_QMON_VALUE;
}

static uint32_t count_rows(void *ctx)
{
    const struct settings_panel *p = ctx;
    return p->field != NULL ? host_settings_count(p->form, p->field) : 0;
}

static uint32_t row_key(void *ctx SGE_UNUSED, uint32_t row)
{
    return row + 1;
}

static void row_cell(void *ctx, uint32_t row, unsigned column, struct dstr *out)
{
    const struct settings_panel *p = ctx;
    text_add_printable(out, column == 0 ? host_settings_place(p->form, p->field, row)
                                        : host_settings_value(p->form, p->field, row));
}

/* the row that is chosen can be changed below */
static void on_chosen(void *ctx)
{
    struct settings_panel *p = ctx;
    const struct range_set *chosen = table_chosen(p->table);
    struct range run;
    if (!range_set_next_run(chosen, 0, &run) || run.first > count_rows(p))
        return;
    XmTextFieldSetString(p->place, (char *)host_settings_place(p->form, p->field, run.first - 1));
    XmTextFieldSetString(p->value, (char *)host_settings_value(p->form, p->field, run.first - 1));
}

static const struct table_model settings_model = {
    .n_columns = 2,
    .title = column_title,
    .count = count_rows,
    .key = row_key,
    .cell = row_cell,
    .chosen = on_chosen,
};

/* ---- changes ---- */

static void change_setting(struct settings_panel *p, bool is_removed)
{
    char *place = XmTextFieldGetString(p->place), *value = XmTextFieldGetString(p->value);
    if (p->field != NULL && count_rows(p) > 0 && place[0] != '\0') {
        (void)host_settings_set(p->form, p->field, place, is_removed ? NULL : value);
        table_update(p->table);
        p->changed(p->ctx);
    }
    XtFree(place);
    XtFree(value);
}

static void set_setting(void *p)
{
    change_setting(p, false);
}

static void remove_setting(void *p)
{
    change_setting(p, true);
}

static void on_return(Widget text SGE_UNUSED, XtPointer p, XtPointer call SGE_UNUSED)
{
    set_setting(p);
}

static const struct window_button acts[] = { BUTTON("setValue", set_setting),
                                             BUTTON("removeValue", remove_setting) };

/* ---- the panel ---- */

static Widget make_row(struct settings_panel *p, Widget parent)
{
    Widget row = XtVaCreateManagedWidget("settingsRow", xmRowColumnWidgetClass, parent,
                                         XmNorientation, XmHORIZONTAL, XmNbottomAttachment,
                                         XmATTACH_FORM, XmNleftAttachment, XmATTACH_FORM, NULL);
    p->place = XtVaCreateManagedWidget("settingsPlace", xmTextFieldWidgetClass, row, NULL);
    p->value = XtVaCreateManagedWidget("settingsValue", xmTextFieldWidgetClass, row, NULL);
    XtAddCallback(p->value, XmNactivateCallback, on_return, p);
    window_buttons(row, acts, ARRAY_LEN(acts), p);
    return row;
}

struct settings_panel *settings_panel_new(Widget parent, const struct paint *paint,
                                          struct object_form *form, void (*changed)(void *ctx),
                                          void *ctx)
{
    struct settings_panel *p = uti_calloc(1, sizeof *p);
    *p = (struct settings_panel){ .form = form, .changed = changed, .ctx = ctx };
    Widget row = make_row(p, parent);
    p->table = table_new(parent, "settings", paint, &settings_model, "24 40", p);
    window_between(table_widget(p->table), parent, row);
    XtVaSetValues(table_widget(p->table), XmNtopAttachment, XmATTACH_FORM, NULL);
    window_own(row, p);
    return p;
}

void settings_panel_show(struct settings_panel *p, const struct object_field *field)
{
    p->field = field;
    table_update(p->table);
}
