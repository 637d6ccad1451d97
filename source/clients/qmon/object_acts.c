/* What the window of an object does besides showing it: it sends the object, and closes, but not
 * without a question if something would be lost. One that was closed while the qmaster is asked
 * goes when the answer has come. */
#include <Xm/Text.h>
#include <stdlib.h>
#include <string.h>

#include "clients/qmon/asking.h"
#include "clients/qmon/msg_qmon.h"
#include "clients/qmon/object_window_priv.h"
#include "clients/qmon/windows.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

void object_end(struct object_window *w)
{
    LIST_REMOVE(w, in_qmon);
    XtDestroyWidget(w->shell);
    object_rows_free(w->rows);
    share_panel_free(w->tree);
    object_form_free(w->form);
    free(w);
}

/* ---- closing ---- */

static bool is_text_changed(const struct object_window *w)
{
    struct dstr before = DSTR_INIT;
    char *now = XmTextGetString(w->text);
    object_form_text(w->form, &before);
    bool is_changed = strcmp(now, dstr_get(&before)) != 0;
    XtFree(now);
    dstr_free(&before);
    return is_changed;
}

/* has the user written what would be lost? */
static bool has_changes(const struct object_window *w)
{
    return object_form_is_changed(w->form) || object_form_wrong(w->form) != NULL ||
           (w->is_text && is_text_changed(w));
}

static void discard_form(void *ctx)
{
    struct object_window *w = ctx;
    w->is_closed = true;
    window_close(w->shell);
    if (!w->is_asking)
        object_end(w);
}

static void close_window(void *ctx)
{
    struct object_window *w = ctx;
    if (!w->is_asking && has_changes(w))
        window_confirm(w->shell, "discardObject", MSG_QMON_DISCARD, discard_form, w);
    else
        discard_form(w);
}

/* somebody closed it without its button */
void object_on_popdown(Widget shell SGE_UNUSED, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    struct object_window *w = ctx;
    if (w->is_closed)
        return;
    if (has_changes(w))
        window_open(w->shell);
    close_window(w);
}

/* ---- asking the qmaster ---- */

static void blame_field(struct object_window *w, const struct object_field *field, const char *why)
{
    uint32_t number = 0;
    while (object_form_at(w->form, number) != field)
        number++;
    object_rows_note(w->rows, number, why);
    object_rows_go(w->rows, number);
}

static void show_refusal(struct object_window *w, const char *why)
{
    const struct object_field *field = object_form_blame(w->form, why);
    window_say(w->said, why);
    if (field != NULL && w->rows != NULL && !w->is_text)
        blame_field(w, field, why);
}

static void on_answered(void *ctx, const struct answer *texts, uint32_t n_texts SGE_UNUSED)
{
    struct object_window *w = ctx;
    struct dstr said = DSTR_INIT;
    bool is_refused = ans_has_error(texts);
    w->is_asking = false;
    said_words(texts, &said);
    if (is_refused && !w->is_closed)
        show_refusal(w, dstr_get(&said));
    else
        window_say(w->parent_said, dstr_get(&said));
    dstr_free(&said);
    if (!is_refused)
        objects_changed(w->q);
    if (!is_refused || w->is_closed)
        object_end(w);
}

/* false: something cannot be so; the user was told */
static bool is_ready(struct object_window *w)
{
    if (w->is_text && !object_take_text(w))
        return false;
    const struct object_field *wrong = w->is_text ? NULL : object_form_wrong(w->form);
    if (wrong != NULL)
        show_refusal(w, wrong->wrong);
    else if (object_form_deed(w->form) == OBJECT_CHANGE && !object_form_is_changed(w->form))
        window_say(w->said, MSG_QMON_UNCHANGED);
    else
        return true;
    return false;
}

static void apply_form(void *ctx)
{
    struct object_window *w = ctx;
    struct GR_Type request = { 0 };
    if (w->is_asking || !is_ready(w))
        return;
    object_form_request(w->form, &request);
    window_say(w->said, MSG_QMON_ASKED);
    w->is_asking = ask_change(w->q, &request, on_answered, w, w->said);
}

static const struct window_button acts[] = { { "apply", apply_form }, { "close", close_window } };

const struct window_button *object_acts(size_t *n)
{
    *n = ARRAY_LEN(acts);
    return acts;
}
