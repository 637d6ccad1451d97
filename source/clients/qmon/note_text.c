/* Labels of several lines: Motif's labels do not wrap. */
#include "clients/qmon/note_text.h"

#include <Xm/Label.h>
#include <string.h>

#include "common/basis.h"
#include "libs/uti/dstr.h"

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
