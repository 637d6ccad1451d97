/* Undo and redo in text fields, which Motif does not have. Each field that had the focus owns a
 * history of edits: at a position, one text was removed and another inserted. A history has at most
 * MOST_EDITS edits and MOST_BYTES of text; the oldest edits go first. Typing a word is one edit.
 * Positions are counted in characters, as Motif does. */
#include "clients/qmon/widgets/window.h"

#include <Xm/Text.h>
#include <Xm/TextF.h>
#include <Xm/Xm.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

enum { MOST_EDITS = 500, MOST_BYTES = 1 << 20 };

struct edit {
    XmTextPosition at;
    char *removed, *inserted; /* owned */
};

struct history {
    struct edit edits[MOST_EDITS];
    unsigned n, n_done; /* edits; those before n_done stand in the text, the others were undone */
    size_t bytes;
    struct edit coming; /* Motif has announced it; `removed` is NULL if there is none */
    bool is_replaying;
};

/* ---- a history ---- */

static size_t edit_bytes(const struct edit *e)
{
    return strlen(e->removed) + strlen(e->inserted);
}

static void edit_free(struct edit *e)
{
    free(e->removed);
    free(e->inserted);
    *e = (struct edit){ 0 };
}

static void drop_last(struct history *h)
{
    h->bytes -= edit_bytes(&h->edits[--h->n]);
    edit_free(&h->edits[h->n]);
    h->n_done = h->n_done < h->n ? h->n_done : h->n;
}

static void drop_first(struct history *h)
{
    h->bytes -= edit_bytes(&h->edits[0]);
    edit_free(&h->edits[0]);
    memmove(&h->edits[0], &h->edits[1], (h->n - 1) * sizeof h->edits[0]);
    h->n--;
    h->n_done -= h->n_done > 0;
}

static void clear_history(struct history *h)
{
    while (h->n > 0)
        drop_last(h);
    edit_free(&h->coming);
}

/* how many characters TEXT has */
static XmTextPosition n_chars(const char *text)
{
    size_t n = mbstowcs(NULL, text, 0);
    return (XmTextPosition)(n == (size_t)-1 ? strlen(text) : n);
}

/* whether NEXT goes on with the word that LAST inserted */
static bool is_continuation(const struct edit *last, const struct edit *next)
{
    size_t n = strlen(last->inserted);
    bool is_typed = next->removed[0] == '\0' && n_chars(next->inserted) == 1;
    return is_typed && n > 0 && next->at == last->at + n_chars(last->inserted) &&
           (!isspace((unsigned char)last->inserted[n - 1]) ||
            isspace((unsigned char)next->inserted[0]));
}

static void extend_edit(struct history *h, struct edit *last, const struct edit *by)
{
    struct dstr longer = DSTR_INIT;
    dstr_addf(&longer, "%s%s", last->inserted, by->inserted);
    h->bytes += strlen(by->inserted);
    free(last->inserted);
    last->inserted = dstr_take(&longer);
}

/* the announced edit stands in the text now */
static void keep_edit(struct history *h)
{
    struct edit *e = &h->coming;
    while (h->n > h->n_done)
        drop_last(h);
    if (h->n > 0 && is_continuation(&h->edits[h->n - 1], e)) {
        extend_edit(h, &h->edits[h->n - 1], e);
        edit_free(e);
    } else {
        if (h->n == MOST_EDITS)
            drop_first(h);
        h->bytes += edit_bytes(e);
        h->edits[h->n++] = *e;
        *e = (struct edit){ 0 };
    }
    while (h->bytes > MOST_BYTES && h->n > 0)
        drop_first(h);
    h->n_done = h->n;
}

/* ---- callbacks of a field ---- */

static char *text_between(Widget w, XmTextPosition from, XmTextPosition to)
{
    char *all = XmTextGetString(w);
    size_t most = strlen(all) + 1;
    char *part = uti_alloc(most);
    if (XmTextGetSubstring(w, from, (int)(to - from), (int)most, part) == XmCOPY_FAILED)
        part[0] = '\0';
    XtFree(all);
    return part;
}

static void on_modify(Widget w, XtPointer ctx, XtPointer call)
{
    struct history *h = ctx;
    const XmTextVerifyCallbackStruct *v = call;
    if (h->is_replaying)
        return;
    edit_free(&h->coming);
    if (v->event == NULL && XmGetFocusWidget(w) != w) { /* neither typed nor pasted by the user */
        clear_history(h);
        return;
    }
    h->coming = (struct edit){ v->startPos, text_between(w, v->startPos, v->endPos),
                               uti_strndup(v->text->ptr != NULL ? v->text->ptr : "",
                                           v->text->ptr != NULL ? (size_t)v->text->length : 0) };
}

static void on_changed(Widget w SGE_UNUSED, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    struct history *h = ctx;
    if (!h->is_replaying && h->coming.removed != NULL)
        keep_edit(h);
}

static void on_destroyed(Widget w SGE_UNUSED, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    struct history *h = ctx;
    clear_history(h);
    free(h);
}

/* ---- the actions ---- */

static struct history *history_of(Widget w)
{
    XtCallbackList callbacks = NULL;
    XtVaGetValues(w, XmNmodifyVerifyCallback, &callbacks, NULL);
    for (; callbacks != NULL && callbacks->callback != NULL; callbacks++)
        if (callbacks->callback == on_modify)
            return callbacks->closure;
    return NULL;
}

static bool is_text(Widget w)
{
    return XmIsText(w) || XmIsTextField(w);
}

static void watch_field(Widget w, XEvent *event SGE_UNUSED, String *words SGE_UNUSED,
                        Cardinal *n SGE_UNUSED)
{
    if (!is_text(w) || history_of(w) != NULL)
        return;
    struct history *h = uti_calloc(1, sizeof *h);
    XtAddCallback(w, XmNmodifyVerifyCallback, on_modify, h);
    XtAddCallback(w, XmNvalueChangedCallback, on_changed, h);
    XtAddCallback(w, XtNdestroyCallback, on_destroyed, h);
}

/* in W, at AT, NOW stands in place of BEFORE */
static void replace_text(Widget w, struct history *h, XmTextPosition at, const char *before,
                         const char *now)
{
    h->is_replaying = true;
    XmTextReplace(w, at, at + n_chars(before), (char *)now);
    XmTextSetInsertionPosition(w, at + n_chars(now));
    h->is_replaying = false;
}

static void undo_edit(Widget w, XEvent *event SGE_UNUSED, String *words SGE_UNUSED,
                      Cardinal *n SGE_UNUSED)
{
    struct history *h = is_text(w) ? history_of(w) : NULL;
    if (h == NULL || h->n_done == 0 || !XmTextGetEditable(w))
        return;
    const struct edit *e = &h->edits[--h->n_done];
    replace_text(w, h, e->at, e->inserted, e->removed);
}

static void redo_edit(Widget w, XEvent *event SGE_UNUSED, String *words SGE_UNUSED,
                      Cardinal *n SGE_UNUSED)
{
    struct history *h = is_text(w) ? history_of(w) : NULL;
    if (h == NULL || h->n_done == h->n || !XmTextGetEditable(w))
        return;
    const struct edit *e = &h->edits[h->n_done++];
    replace_text(w, h, e->at, e->removed, e->inserted);
}

void text_edit_install(XtAppContext app)
{
    XtActionsRec actions[] = { { (char *)"text-watch", watch_field },
                               { (char *)"text-undo", undo_edit },
                               { (char *)"text-redo", redo_edit } };
    XtAppAddActions(app, actions, ARRAY_LEN(actions));
}
