/* A share tree: a table of its nodes, and below it the name and shares for what the buttons do. A
 * row that is dragged onto another comes below that. */
#include "clients/qmon/forms/object_panels.h"

#include <Xm/Form.h>
#include <Xm/Label.h>
#include <Xm/RowColumn.h>
#include <Xm/TextF.h>
#include <stdlib.h>

#include "clients/qmon/widgets/msg_qmon.h"
#include "clients/qmon/widgets/window.h"
#include "libs/config/quantity.h"
#include "libs/show/printable.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/view/share_form.h"

enum { INDENT = 4 };
enum share_column { SHARE_NAME, SHARE_SHARES, SHARE_PERCENT, SHARE_COLUMNS };

struct share_panel {
    struct share_form *rows;
    struct table *table;
    Widget whole, name, shares;
    void (*changed)(void *ctx);
    void *ctx;
};

/* ---- the table ---- */

static const char *column_title(unsigned column)
{
    return column == SHARE_NAME     ? MSG_QMON_NODE
           : column == SHARE_SHARES ? MSG_QMON_SHARES
                                    : MSG_QMON_PERCENT;
}

static bool is_number(unsigned column)
{
    return column != SHARE_NAME;
}

static uint32_t count_rows(void *ctx)
{
    return share_form_count(((struct share_panel *)ctx)->rows);
}

static uint32_t row_key(void *ctx, uint32_t row)
{
    return share_form_key(((struct share_panel *)ctx)->rows, row);
}

static void row_cell(void *ctx, uint32_t row, unsigned column, struct dstr *out)
{
    const struct share_form *rows = ((struct share_panel *)ctx)->rows;
    if (column == SHARE_NAME) {
        dstr_addf(out, "%*s", (int)share_form_depth(rows, row) * INDENT, "");
        text_add_printable(out, share_form_name(rows, row));
    } else if (column == SHARE_SHARES) {
        dstr_addf(out, "%u", share_form_shares(rows, row));
    } else {
        dstr_addf(out, "%.2f %%", share_form_percent(rows, row));
    }
}

/* the row that is selected; -1: none, or several */
static int64_t chosen_row(const struct share_panel *p)
{
    const struct range_set *chosen = table_chosen(p->table);
    for (uint32_t row = 0; range_set_count(chosen) == 1 && row < share_form_count(p->rows); row++)
        if (range_set_has(chosen, share_form_key(p->rows, row)))
            return row;
    return -1;
}

static void on_chosen(void *ctx)
{
    struct share_panel *p = ctx;
    int64_t row = chosen_row(p);
    struct dstr shares = DSTR_INIT;
    if (row < 0)
        return;
    dstr_addf(&shares, "%u", share_form_shares(p->rows, (uint32_t)row));
    XmTextFieldSetString(p->name, (char *)share_form_name(p->rows, (uint32_t)row));
    XmTextFieldSetString(p->shares, (char *)dstr_get(&shares));
    dstr_free(&shares);
}

/* ---- changes ---- */

static void show_change(struct share_panel *p, bool is_changed)
{
    table_update(p->table);
    if (is_changed)
        p->changed(p->ctx);
}

static void on_dropped(void *ctx, uint32_t from, uint32_t to)
{
    struct share_panel *p = ctx;
    show_change(p, share_form_move(p->rows, from, to));
}

static uint32_t written_shares(const struct share_panel *p)
{
    uint32_t shares;
    char *text = XmTextFieldGetString(p->shares);
    if (!quantity_count_parse(text, &shares))
        shares = 0;
    XtFree(text);
    return shares;
}

static void add_node(void *ctx)
{
    struct share_panel *p = ctx;
    int64_t row = chosen_row(p);
    char *name = XmTextFieldGetString(p->name);
    show_change(p, row >= 0 && share_form_add(p->rows, (uint32_t)row, name, written_shares(p)));
    XtFree(name);
}

static void set_shares(void *ctx)
{
    struct share_panel *p = ctx;
    int64_t row = chosen_row(p);
    show_change(p, row >= 0 && share_form_set(p->rows, (uint32_t)row, written_shares(p)));
}

static void remove_node(void *ctx)
{
    struct share_panel *p = ctx;
    int64_t row = chosen_row(p);
    show_change(p, row >= 0 && share_form_remove(p->rows, (uint32_t)row));
}

static const struct window_button acts[] = { BUTTON("addBelow", add_node),
                                             BUTTON("setShares", set_shares),
                                             BUTTON("removeNode", remove_node) };

/* ---- the panel ---- */

static const struct table_model share_model = {
    .n_columns = SHARE_COLUMNS,
    .title = column_title,
    .is_number = is_number,
    .count = count_rows,
    .key = row_key,
    .cell = row_cell,
    .chosen = on_chosen,
    .dropped = on_dropped,
};

static Widget make_row(struct share_panel *p)
{
    Widget row = XtVaCreateManagedWidget("sharesRow", xmRowColumnWidgetClass, p->whole,
                                         XmNorientation, XmHORIZONTAL, XmNbottomAttachment,
                                         XmATTACH_FORM, XmNleftAttachment, XmATTACH_FORM, NULL);
    (void)XtVaCreateManagedWidget("nodeLabel", xmLabelWidgetClass, row, NULL);
    p->name = XtVaCreateManagedWidget("nodeName", xmTextFieldWidgetClass, row, NULL);
    (void)XtVaCreateManagedWidget("sharesLabel", xmLabelWidgetClass, row, NULL);
    p->shares = XtVaCreateManagedWidget("nodeShares", xmTextFieldWidgetClass, row, NULL);
    window_buttons(row, acts, ARRAY_LEN(acts), p);
    return row;
}

struct share_panel *share_panel_new(Widget parent, const struct paint *paint,
                                    struct object_form *form, void (*changed)(void *ctx), void *ctx)
{
    struct share_panel *p = uti_calloc(1, sizeof *p);
    p->rows = share_form_new(form);
    p->changed = changed;
    p->ctx = ctx;
    p->whole = XtVaCreateManagedWidget("sharePanel", xmFormWidgetClass, parent, NULL);
    Widget row = make_row(p);
    p->table = table_new(p->whole, "shares", paint, &share_model, "60 12 12", p);
    window_between(table_widget(p->table), p->whole, row);
    XtVaSetValues(table_widget(p->table), XmNtopAttachment, XmATTACH_FORM, NULL);
    return p;
}

void share_panel_free(struct share_panel *p)
{
    if (p == NULL)
        return;
    share_form_free(p->rows);
    free(p);
}

Widget share_panel_widget(const struct share_panel *p)
{
    return p->whole;
}

void share_panel_renew(struct share_panel *p)
{
    share_form_renew(p->rows);
    table_update(p->table);
}
