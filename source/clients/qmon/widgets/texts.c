/* Texts that are only read. Whatever is the same as before stays as it was scrolled, however often
 * it is shown. */
#include "clients/qmon/widgets/texts.h"

#include <Xm/Form.h>
#include <Xm/Label.h>
#include <Xm/Text.h>
#include <string.h>

#include "clients/qmon/widgets/window.h"
#include "common/basis.h"
#include "libs/uti/dstr.h"

Widget read_text_new(Widget form, const char *label, const char *name, int from, int to)
{
    Widget above = XtVaCreateManagedWidget(label, xmLabelWidgetClass, form, XmNtopAttachment,
                                           XmATTACH_POSITION, XmNtopPosition, from,
                                           XmNleftAttachment, XmATTACH_FORM, NULL);
    Widget text = window_text(form, name, false);
    XtVaSetValues(XtParent(text), XmNtopAttachment, XmATTACH_WIDGET, XmNtopWidget, above,
                  XmNbottomAttachment, XmATTACH_POSITION, XmNbottomPosition, to, XmNleftAttachment,
                  XmATTACH_FORM, XmNrightAttachment, XmATTACH_FORM, NULL);
    return text;
}

void read_text_show(Widget text, const char *news)
{
    char *now = XmTextGetString(text);
    if (strcmp(now, news) != 0)
        XmTextSetString(text, (char *)news);
    XtFree(now);
}

static bool sees_end(Widget text)
{
    Position x, y;
    return XmTextPosToXY(text, XmTextGetLastPosition(text), &x, &y);
}

/* without what would draw as something else than a letter */
static void add_printable(const char *bytes, struct dstr *out)
{
    utf8_add_valid(out, bytes);
    for (char *c = out->s; c != NULL && *c != '\0'; c++)
        if (((unsigned char)*c < ' ' && *c != '\n' && *c != '\t') || *c == 0x7f)
            *c = '?';
}

void read_text_follow(Widget text, const char *news)
{
    struct dstr clean = DSTR_INIT;
    bool was_at_end = sees_end(text);
    add_printable(news, &clean);
    read_text_show(text, dstr_get(&clean));
    if (was_at_end)
        XmTextSetInsertionPosition(text, XmTextGetLastPosition(text));
    dstr_free(&clean);
}

void read_text_add(Widget text, struct dstr *out)
{
    char *now = XmTextGetString(text);
    dstr_add(out, now);
    XtFree(now);
}

/* ---- labels that are broken into lines ---- */

enum { MARGIN = 8 };

static int text_width(XmRenderTable fonts, const char *text, size_t len)
{
    struct dstr part = DSTR_INIT;
    dstr_addn(&part, text, len);
    XmString s = XmStringCreateLocalized((char *)dstr_get(&part));
    int width = XmStringWidth(fonts, s);
    XmStringFree(s);
    dstr_free(&part);
    return width;
}

/* how many bytes of TEXT, whole words and at least one, are not wider than WIDTH */
static size_t line_length(XmRenderTable fonts, const char *text, int width)
{
    size_t taken = strcspn(text, " ");
    while (text[taken] != '\0') {
        size_t next = taken + 1 + strcspn(text + taken + 1, " ");
        if (text_width(fonts, text, next) > width)
            break;
        taken = next;
    }
    return taken;
}

void note_say(Widget label, const char *text, int width)
{
    struct dstr lines = DSTR_INIT;
    XmRenderTable fonts = NULL;
    XtVaGetValues(label, XmNrenderTable, &fonts, NULL);
    while (*text != '\0') {
        size_t len = line_length(fonts, text, width - MARGIN);
        dstr_add(&lines, lines.len > 0 ? "\n" : "");
        dstr_addn(&lines, text, len);
        text += len + (text[len] == ' ');
    }
    XmString s = XmStringGenerate((char *)dstr_get(&lines), NULL, XmCHARSET_TEXT, NULL);
    XtVaSetValues(label, XmNlabelString, s, NULL);
    XmStringFree(s);
    dstr_free(&lines);
}

int note_room(Widget label, int percent)
{
    Dimension width = 0;
    XtVaGetValues(XtParent(label), XmNwidth, &width, NULL);
    return (int)width * percent / 100;
}
