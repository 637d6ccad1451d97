/* Rows of the form of a job. Which rows there are, and in which order, is the table of
 * submit_place.h. */
#include "clients/qmon/submit_rows.h"

#include <Xm/Form.h>
#include <Xm/Label.h>
#include <Xm/RowColumn.h>
#include <stdlib.h>
#include <string.h>

#include "clients/qmon/asking.h"
#include "clients/qmon/msg_qmon.h"
#include "clients/qmon/note_text.h"
#include "clients/qmon/submit_input.h"
#include "clients/qmon/window.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

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
        submit_input_free(rows->v[i].input);
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

/* ---- what is shown ---- */

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
    submit_input_go(field != NULL ? row_of(rows, field)->input : rows->v[0].input);
}
