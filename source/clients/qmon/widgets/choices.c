/* Choices. What a callback needs goes with its widget. */
#include "clients/qmon/widgets/choices.h"

#include <Xm/Form.h>
#include <Xm/Label.h>
#include <Xm/RowColumn.h>
#include <Xm/TextF.h>
#include <Xm/ToggleB.h>
#include <stdlib.h>

#include "common/basis.h"
#include "libs/uti/alloc.h"

struct choice {
    choice_fn chosen;
    void *ctx;
    unsigned number;
};

struct field_words {
    words_fn written;
    void *ctx;
};

static void free_record(Widget w SGE_UNUSED, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    free(ctx);
}

Widget choices_row(Widget form, Widget above)
{
    return XtVaCreateManagedWidget("filters", xmRowColumnWidgetClass, form, XmNorientation,
                                   XmHORIZONTAL, XmNtopAttachment, XmATTACH_WIDGET, XmNtopWidget,
                                   above, XmNleftAttachment, XmATTACH_FORM, NULL);
}

/* ---- buttons ---- */

static void on_choice(Widget button SGE_UNUSED, XtPointer ctx, XtPointer call)
{
    const struct choice *c = ctx;
    if (((XmToggleButtonCallbackStruct *)call)->set)
        c->chosen(c->ctx, c->number);
}

Widget choices_new(Widget parent, const char *name, const char *const *names, unsigned n,
                   choice_fn chosen, void *ctx)
{
    Widget box = XmCreateRadioBox(parent, (char *)name, NULL, 0);
    for (unsigned i = 0; i < n; i++) {
        struct choice *c = uti_alloc(sizeof *c);
        *c = (struct choice){ chosen, ctx, i };
        Widget one =
            XtVaCreateManagedWidget(names[i], xmToggleButtonWidgetClass, box, XmNset, i == 0, NULL);
        XtAddCallback(one, XmNvalueChangedCallback, on_choice, c);
        XtAddCallback(one, XtNdestroyCallback, free_record, c);
    }
    XtManageChild(box);
    return box;
}

void choices_set(Widget box, unsigned number)
{
    WidgetList buttons;
    Cardinal n;
    XtVaGetValues(box, XmNchildren, &buttons, XmNnumChildren, &n, NULL);
    for (Cardinal i = 0; i < n; i++)
        XmToggleButtonSetState(buttons[i], i == number, False);
}

/* ---- words ---- */

static void on_words(Widget text, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    const struct field_words *w = ctx;
    char *words = XmTextFieldGetString(text);
    w->written(w->ctx, words);
    XtFree(words);
}

Widget choices_words(Widget row, const char *label, const char *name, words_fn written, void *ctx)
{
    struct field_words *w = uti_alloc(sizeof *w);
    *w = (struct field_words){ written, ctx };
    (void)XtVaCreateManagedWidget(label, xmLabelWidgetClass, row, NULL);
    Widget text = XtVaCreateManagedWidget(name, xmTextFieldWidgetClass, row, NULL);
    XtAddCallback(text, XmNvalueChangedCallback, on_words, w);
    XtAddCallback(text, XtNdestroyCallback, free_record, w);
    return text;
}
