/* Objects of one window: lists of names, of which one is shown, and the text of the object that is
 * selected. Names and texts are asked for anew whenever the cell may have changed. */
#include "clients/qmon/objects_window_priv.h"

#include <Xm/Form.h>
#include <Xm/Text.h>
#include <stdlib.h>
#include <string.h>

#include "clients/common/printable.h"
#include "clients/qmon/asking.h"
#include "clients/qmon/choices.h"
#include "clients/qmon/msg_qmon.h"
#include "clients/qmon/window.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/view/object_list.h"

enum { PAUSE_MS = 500 }; /* events come in crowds */

const struct kind *kind_shown(const struct objects_window *w)
{
    return kind_of(w->shown->target);
}

const char *chosen_name(const struct objects_window *w)
{
    const struct range_set *chosen = table_chosen(w->table);
    struct range run;
    if (range_set_count(chosen) != 1 || !range_set_next_run(chosen, 0, &run))
        return NULL;
    return object_list_find(w->list, run.first);
}

static void set_title(const struct objects_window *w)
{
    struct dstr title = DSTR_INIT;
    uint32_t n = object_list_count(w->list);
    const char *name = chosen_name(w);
    dstr_addf(&title, ": " MSG_QMON_OBJECTS_US, n, n == 1 ? "" : "s");
    if (name != NULL)
        dstr_addf(&title, ", %s", name);
    if (!w->q->status.is_synced)
        dstr_add(&title, MSG_QMON_OLD);
    window_title(w->shell, dstr_get(&title));
    dstr_free(&title);
}

/* ---- the object that is selected ---- */

static void show_text(const struct objects_window *w, const char *text)
{
    char *now = XmTextGetString(w->text);
    if (strcmp(now, text) != 0)
        XmTextSetString(w->text, (char *)text);
    XtFree(now);
}

void *wanted_object(const struct objects_window *w, const struct GA_Type *all)
{
    const char *name = chosen_name(w);
    return all != NULL && kind_shown(w) != NULL && name != NULL
               ? kind_object(kind_shown(w), all, name)
               : NULL;
}

/* groups are in groups: then all of them are needed to show one */
static bool is_in_others(const struct objects_window *w)
{
    return w->shown->target == GDI_HOSTGROUP;
}

static void got_object(void *ctx, const struct GA_Type *all, const struct answer *texts SGE_UNUSED)
{
    struct objects_window *w = ctx;
    struct dstr text = DSTR_INIT, clean = DSTR_INIT;
    void *object = wanted_object(w, all);
    if (object == NULL)
        return;
    kind_shown(w)->form->print(kind_shown(w), object, false, true, &text);
    if (is_in_others(w)) {
        dstr_add(&text, "\n" MSG_QMON_MEMBERS "\n");
        group_tree_words(&all->GA_texts, chosen_name(w), &text);
    }
    for (char *at = text.s, *line; at != NULL && (line = strsep(&at, "\n")) != NULL;) {
        text_add_printable(&clean, line);
        dstr_add(&clean, at != NULL ? "\n" : "");
    }
    show_text(w, dstr_get(&clean));
    dstr_free(&text);
    dstr_free(&clean);
}

void objects_show_chosen(struct objects_window *w)
{
    const char *name = chosen_name(w);
    set_title(w);
    if (name == NULL || kind_shown(w) == NULL || w->whole != NULL)
        show_text(w, "");
    else
        (void)ask_get(w->q, w->shown->target, is_in_others(w) ? NULL : name, NULL, got_object, w,
                      w->said);
}

/* ---- the list ---- */

static void add_name(void *ctx, const char *name)
{
    object_list_add(((struct objects_window *)ctx)->list, name);
}

static void got_names(void *ctx, const struct GA_Type *all, const struct answer *texts)
{
    struct objects_window *w = ctx;
    w->is_asking = false;
    if (all == NULL)
        window_say(w->said, ans_first_error(texts));
    if (all != NULL && !w->is_behind) {
        objects_table_take(w, all);
        object_list_begin(w->list);
        target_names(w->shown->target, all, add_name, w);
        object_list_end(w->list);
        table_update(w->table);
        objects_show_chosen(w);
    }
    if (w->is_behind)
        objects_window_renew(w);
}

void objects_window_renew(struct objects_window *w)
{
    if (w == NULL || !w->is_open)
        return;
    w->is_behind = w->is_asking;
    if (w->is_asking)
        return;
    w->is_asking = objects_table_is_wide(w)
                       ? ask_get(w->q, w->shown->target, NULL, NULL, got_names, w, w->said)
                       : ask_names(w->q, w->shown->target, got_names, w, w->said);
}

static void on_time(XtPointer ctx, XtIntervalId *id SGE_UNUSED)
{
    struct objects_window *w = ctx;
    w->is_timed = false;
    objects_window_renew(w);
}

void objects_window_changed(struct objects_window *w)
{
    if (w == NULL || !w->is_open || w->is_timed)
        return;
    w->is_timed = true;
    XtAppAddTimeOut(w->q->app, PAUSE_MS, on_time, w);
}

/* ---- the window ---- */

/* another kind: nothing of the one before stays */
static void show_kind(struct objects_window *w, const struct group_kind *kind)
{
    w->shown = kind;
    object_list_begin(w->list);
    object_list_end(w->list);
    table_update(w->table);
    objects_show_chosen(w);
    objects_window_renew(w);
}

static void on_kind(void *ctx, unsigned number)
{
    struct objects_window *w = ctx;
    show_kind(w, object_group_kind(w->group, number));
}

static void on_words(void *ctx, const char *words)
{
    struct objects_window *w = ctx;
    object_list_words(w->list, words);
    table_update(w->table);
    objects_show_chosen(w);
}

static Widget make_filters(struct objects_window *w, Widget form, Widget menu)
{
    const char *names[GROUP_KINDS_MOST];
    unsigned n = 0;
    for (const struct group_kind *kind; (kind = object_group_kind(w->group, n)) != NULL; n++)
        names[n] = kind->name;
    Widget row = choices_row(form, menu);
    (void)choices_new(row, "stages", names, n, on_kind, w);
    (void)choices_words(row, "nameLabel", "words", on_words, w);
    return row;
}

static void make_body(struct objects_window *w, Widget form)
{
    size_t n;
    const struct window_button *acts = objects_acts(&n);
    struct window_frame made = window_frame(form, "object", acts, n, w);
    Widget filters = make_filters(w, form, made.menu);
    w->said = made.said;
    w->table = objects_table_new(w, form);
    w->text = window_text(form, "shown", false);
    window_between(table_widget(w->table), filters, made.buttons);
    if (objects_table_is_wide(w)) {
        XtUnmanageChild(XtParent(w->text));
        return;
    }
    XtVaSetValues(table_widget(w->table), XmNrightAttachment, XmATTACH_POSITION, XmNrightPosition,
                  34, NULL);
    window_between(XtParent(w->text), filters, made.buttons);
    XtVaSetValues(XtParent(w->text), XmNleftAttachment, XmATTACH_POSITION, XmNleftPosition, 35,
                  NULL);
}

static void on_popdown(Widget shell SGE_UNUSED, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    ((struct objects_window *)ctx)->is_open = false;
}

static struct objects_window *make_window(struct qmon *q, enum object_group group)
{
    struct objects_window *w = uti_calloc(1, sizeof *w);
    w->q = q;
    w->group = group;
    w->shown = object_group_kind(group, 0);
    w->list = object_list_new();
    w->shell = window_shell(q, object_group_name(group));
    XtAddCallback(w->shell, XtNpopdownCallback, on_popdown, w);
    make_body(w, XtVaCreateManagedWidget("form", xmFormWidgetClass, w->shell, XmNfractionBase, 100,
                                         NULL));
    return w;
}

void objects_window_open(struct qmon *q, enum object_group group)
{
    if (q->objects[group] == NULL)
        q->objects[group] = make_window(q, group);
    struct objects_window *w = q->objects[group];
    w->is_open = true;
    objects_window_status(w);
    window_open(w->shell);
    objects_window_renew(w);
}

void objects_window_status(struct objects_window *w)
{
    if (w == NULL)
        return;
    table_set_faint(w->table, !w->q->status.is_synced);
    set_title(w);
    if (w->q->status.is_synced)
        objects_window_renew(w);
}

void objects_window_free(struct objects_window *w)
{
    if (w == NULL)
        return;
    object_list_free(w->list);
    free(w->asked);
    cull_delete(&cull_GA_Type, w->whole);
    free(w);
}
