/* Below the fields of an object. */
#include "clients/qmon/object_about.h"

#include <Xm/Form.h>
#include <Xm/Text.h>
#include <stdlib.h>

#include "clients/qmon/settings_panel.h"
#include "clients/qmon/week_panel.h"
#include "clients/qmon/window.h"
#include "libs/config/object.h"
#include "libs/gdi/cell.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/view/attr_words.h"

enum { HELP_RIGHT = 54 }; /* hundredths of the width, if something stands beside it */

struct object_about {
    const struct cell *cell;
    struct object_form *form;
    const struct object_field *field; /* that is told of; NULL: none */
    Widget whole, help;
    struct settings_panel *settings; /* NULL: the kind has no values of single hosts */
    struct week_panel *week;         /* NULL: it is no calendar */
};

/* ---- what is told ---- */

static void add_help(const struct object_about *a, struct dstr *out)
{
    const struct object_field *field = a->field;
    if (field->rule != NULL)
        rule_help(field->rule, out);
    man_words(a->cell->root, kind_page(object_form_kind(a->form)), field->name, out);
}

/* of a kind that is edited as text: its attributes */
static void add_syntax(const struct object_about *a, struct dstr *out)
{
    const struct kind *kind = object_form_kind(a->form);
    const struct object_rules *rules = kind_has_lines(kind) ? NULL : kind_rules(kind);
    for (unsigned i = 0; rules != NULL && i < rules->attrs_n; i++)
        rule_help(&rules->attrs[i].rule, out);
}

void object_about_enter(struct object_about *a, const struct object_field *field)
{
    struct dstr help = DSTR_INIT;
    a->field = field;
    if (field != NULL)
        add_help(a, &help);
    else
        add_syntax(a, &help);
    XmTextSetString(a->help, (char *)dstr_get(&help));
    dstr_free(&help);
    object_about_renew(a);
}

void object_about_renew(struct object_about *a)
{
    if (a->settings != NULL)
        settings_panel_show(a->settings, a->field);
    if (a->week != NULL)
        week_panel_show(a->week);
}

/* ---- widgets ---- */

static void on_destroy(Widget w SGE_UNUSED, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    free(ctx);
}

static void make_help(struct object_about *a, int right)
{
    a->help = window_text(a->whole, "fieldHelp", false);
    XtVaSetValues(XtParent(a->help), XmNtopAttachment, XmATTACH_FORM, XmNbottomAttachment,
                  XmATTACH_FORM, XmNleftAttachment, XmATTACH_FORM, XmNrightAttachment,
                  XmATTACH_POSITION, XmNrightPosition, right, NULL);
}

static Widget make_panel(const struct object_about *a)
{
    return XtVaCreateManagedWidget("ownPanel", xmFormWidgetClass, a->whole, XmNtopAttachment,
                                   XmATTACH_FORM, XmNbottomAttachment, XmATTACH_FORM,
                                   XmNrightAttachment, XmATTACH_FORM, XmNleftAttachment,
                                   XmATTACH_POSITION, XmNleftPosition, HELP_RIGHT + 1, NULL);
}

struct object_about *object_about_new(struct qmon *q, struct object_form *form, Widget form_widget,
                                      Widget below, void (*changed)(void *ctx), void *ctx)
{
    struct object_about *a = uti_calloc(1, sizeof *a);
    const struct kind *kind = object_form_kind(form);
    bool has_settings = (kind->traits & KIND_HOST_VALUES) != 0;
    bool has_week = kind->target == GDI_CALENDAR;
    *a = (struct object_about){ .cell = q->cell, .form = form };
    a->whole = XtVaCreateManagedWidget("about", xmFormWidgetClass, form_widget, XmNfractionBase,
                                       100, XmNbottomAttachment, XmATTACH_WIDGET, XmNbottomWidget,
                                       below, XmNleftAttachment, XmATTACH_FORM, XmNrightAttachment,
                                       XmATTACH_FORM, NULL);
    make_help(a, has_settings || has_week ? HELP_RIGHT : 100);
    if (has_settings)
        a->settings = settings_panel_new(make_panel(a), q->paint, form, changed, ctx);
    if (has_week)
        a->week = week_panel_new(make_panel(a), q->paint, form, changed, ctx);
    XtAddCallback(a->whole, XtNdestroyCallback, on_destroy, a);
    object_about_enter(a, NULL);
    return a;
}

Widget object_about_widget(const struct object_about *a)
{
    return a->whole;
}
