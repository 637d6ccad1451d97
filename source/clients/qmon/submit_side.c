/* What stands beside the fields of Submit Job. Whatever is the same as before stays as it was
 * scrolled and chosen, however often it is shown. */
#include "clients/qmon/submit_side.h"

#include <Xm/Form.h>
#include <Xm/Label.h>
#include <Xm/List.h>
#include <stdlib.h>
#include <string.h>

#include "clients/qmon/chunk_panel.h"
#include "clients/qmon/read_text.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"
#include "libs/view/holds.h"

enum { CHUNK_LINES = 200, CANDIDATES = 100 };

struct submit_side {
    const struct board *board;
    const char *user;
    job_taken_fn taken;
    void *ctx;
    struct chunk_panel *map;
    Widget chunks, script, candidates;
    char *listed, *list; /* owned: what `candidates` shows, a line each, and for which list */
};

/* ---- what is shown ---- */

/* LIST is one of jobs, of which the first has the tasks BEFORE; NULL: there is no map */
static void show_map(struct submit_side *side, const char *list, const struct ja_shape *before,
                     const struct ja_shape *array)
{
    struct dstr name = DSTR_INIT;
    if (list == NULL) {
        chunk_panel_show(side->map, NULL, NULL, NULL);
        return;
    }
    struct list_reader r = list_reader_over_names(list);
    (void)list_next(&r, &name);
    chunk_panel_show(side->map, dstr_get(&name), before, array);
    dstr_free(&name);
}

static void show_chunks(struct submit_side *side, const struct submit_form *form)
{
    struct ja_shape before, array;
    struct dstr text = DSTR_INIT;
    const char *list = submit_form_find(form, "-hold_jid_ad", false)->value;
    bool is_map = list != NULL && holds_first(side->board, list, &before) &&
                  submit_form_array(form, &array) && ja_same_range(&before, &array);
    if (is_map)
        chunks_text(&before, &array, CHUNK_LINES, &text);
    show_map(side, is_map ? list : NULL, &before, &array);
    read_text_show(side->chunks, dstr_get(&text));
    dstr_free(&text);
}

/* TEXT has a line for each of them */
static void list_candidates(struct submit_side *side, struct dstr *text)
{
    XmListDeleteAllItems(side->candidates);
    for (char *at = text->s, *line; at != NULL && (line = strsep(&at, "\n")) != NULL;) {
        XmString item = XmStringCreateLocalized(line);
        if (*line != '\0')
            XmListAddItem(side->candidates, item, 0);
        XmStringFree(item);
    }
}

static void show_candidates(struct submit_side *side)
{
    struct dstr text = DSTR_INIT;
    holds_complete(side->board, side->list, side->user, CANDIDATES, &text);
    if (side->listed == NULL || strcmp(side->listed, dstr_get(&text)) != 0) {
        free(side->listed);
        side->listed = uti_strdup(dstr_get(&text));
        list_candidates(side, &text);
    }
    dstr_free(&text);
}

void submit_side_show(struct submit_side *side, const struct submit_form *form,
                      const struct form_field *held)
{
    free(side->list);
    side->list = uti_strdup(held->value != NULL ? held->value : "");
    show_chunks(side, form);
    show_candidates(side);
}

void submit_side_script(struct submit_side *side, const char *text)
{
    read_text_show(side->script, text);
}

/* ---- what is taken ---- */

/* the last word of the list gives way to the number of the job */
static void on_candidate(Widget list SGE_UNUSED, XtPointer ctx, XtPointer call)
{
    struct submit_side *side = ctx;
    struct dstr value = DSTR_INIT;
    char *item = XmStringUnparse(((XmListCallbackStruct *)call)->item, NULL, XmCHARSET_TEXT,
                                 XmCHARSET_TEXT, NULL, 0, XmOUTPUT_ALL);
    const char *comma = strrchr(side->list, ',');
    dstr_addn(&value, side->list, comma != NULL ? (size_t)(comma - side->list) + 1 : 0);
    dstr_addn(&value, item, strcspn(item, " "));
    side->taken(side->ctx, dstr_get(&value));
    XtFree(item);
    dstr_free(&value);
}

/* ---- widgets ---- */

static Widget make_candidates(struct submit_side *side, Widget form, int to)
{
    Widget label =
        XtVaCreateManagedWidget("candidatesLabel", xmLabelWidgetClass, form, XmNtopAttachment,
                                XmATTACH_FORM, XmNleftAttachment, XmATTACH_FORM, NULL);
    Widget list = XmCreateScrolledList(form, (char *)"candidates", NULL, 0);
    XtVaSetValues(XtParent(list), XmNtopAttachment, XmATTACH_WIDGET, XmNtopWidget, label,
                  XmNbottomAttachment, XmATTACH_POSITION, XmNbottomPosition, to, XmNleftAttachment,
                  XmATTACH_FORM, XmNrightAttachment, XmATTACH_FORM, NULL);
    XtAddCallback(list, XmNdefaultActionCallback, on_candidate, side);
    XtManageChild(list);
    return list;
}

struct submit_side *submit_side_new(Widget parent, const struct paint *paint,
                                    const struct board *board, const char *user, job_taken_fn taken,
                                    void *ctx)
{
    struct submit_side *side = uti_calloc(1, sizeof *side);
    *side = (struct submit_side){ .board = board, .user = user, .taken = taken, .ctx = ctx };
    side->list = uti_strdup("");
    side->candidates = make_candidates(side, parent, 22);
    side->map = chunk_panel_new(parent, paint, 23, 48);
    side->chunks = read_text_new(parent, "chunksLabel", "readText", 49, 68);
    side->script = read_text_new(parent, "scriptLabel", "readText", 69, 100);
    return side;
}

void submit_side_free(struct submit_side *side)
{
    if (side == NULL)
        return;
    free(side->listed);
    free(side->list);
    free(side);
}
