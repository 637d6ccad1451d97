/* Objects of one window: lists of names, of which one is shown, and the text of the object that is
 * selected. Names and texts are asked for anew whenever the cell may have changed. */
#include "clients/qmon/windows/windows.h"

#include <Xm/Form.h>
#include <Xm/Text.h>
#include <stdlib.h>
#include <string.h>

#include "clients/qmon/widgets/choices.h"
#include "clients/qmon/widgets/msg_qmon.h"
#include "clients/qmon/widgets/requests.h"
#include "clients/qmon/widgets/table.h"
#include "clients/qmon/widgets/window.h"
#include "libs/config/object.h"
#include "libs/show/printable.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/view/object_form.h"
#include "libs/view/object_list.h"

struct objects_window {
    struct qmon *q;
    enum object_group group;
    const struct group_kind *shown; /* the kind whose list is seen */
    struct object_list *list;
    struct table *table;
    Widget shell, said, text;
    bool is_open;
    bool is_asking, is_behind; /* names are on their way; they are old already */
    bool is_timed;             /* the next question will come by itself */
    enum object_deed deed;     /* of the object that was asked for to be edited */
    char *asked;               /* the name that the open question is about */
    struct GA_Type *whole;     /* the objects of a table that shows all of them; else NULL */
};

enum { PAUSE_MS = 500 }; /* events come in crowds */

/* the kind whose list is seen; NULL: names and nothing else */
static const struct kind *kind_shown(const struct objects_window *w)
{
    return kind_of(w->shown->target);
}

/* the name of the one that is selected; NULL: none, or several */
static const char *chosen_name(const struct objects_window *w)
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

/* that object in ALL, an answer; NULL: it is about what was left since */
static void *wanted_object(const struct objects_window *w, const struct GA_Type *all)
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

/* beside the list stands the object that is selected now */
static void show_chosen(void *ctx)
{
    struct objects_window *w = ctx;
    const char *name = chosen_name(w);
    set_title(w);
    if (name == NULL || kind_shown(w) == NULL || w->whole != NULL)
        show_text(w, "");
    else
        (void)ask_get(w->q, w->shown->target, is_in_others(w) ? NULL : name, NULL, got_object, w,
                      w->said);
}

/* ---- the list ---- */

/* does it show whole objects? */
static bool is_wide(const struct objects_window *w)
{
    return w->group == GROUP_COMPLEX;
}

/* ALL, an answer, is what they are now */
static void keep_whole(struct objects_window *w, const struct GA_Type *all)
{
    if (!is_wide(w))
        return;
    cull_delete(&cull_GA_Type, w->whole);
    w->whole = cull_new(&cull_GA_Type);
    cull_copy(&cull_GA_Type, w->whole, all);
}

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
        keep_whole(w, all);
        object_list_begin(w->list);
        target_names(w->shown->target, all, add_name, w);
        object_list_end(w->list);
        table_update(w->table);
        show_chosen(w);
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
    w->is_asking = is_wide(w) ? ask_get(w->q, w->shown->target, NULL, NULL, got_names, w, w->said)
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

/* ---- buttons ---- */
/* What the buttons of a window of objects do: to the one that is selected. What goes is asked about
 * first. */

/* ---- editing ---- */

static void got_for_editing(void *ctx, const struct GA_Type *all, const struct answer *texts)
{
    struct objects_window *w = ctx;
    const void *object = wanted_object(w, all);
    if (object != NULL)
        object_window_open(w->q, kind_shown(w), object, w->deed, w->said);
    else
        window_say(w->said, all == NULL ? ans_first_error(texts) : MSG_QMON_OBJECT_GONE);
}

static void edit_chosen(void *ctx, int deed)
{
    struct objects_window *w = ctx;
    const char *name = chosen_name(w);
    w->deed = (enum object_deed)deed;
    if (kind_shown(w) == NULL)
        window_say(w->said, MSG_QMON_NAMES_ONLY);
    else if (name == NULL)
        window_say(w->said, MSG_QMON_SELECT_ONE);
    else
        (void)ask_get(w->q, w->shown->target, name, NULL, got_for_editing, w, w->said);
}

/* ---- requests ---- */

static void on_change_answered(void *ctx, const struct answer *texts, uint32_t n_texts)
{
    struct objects_window *w = ctx;
    said_answer(w->said, texts, n_texts);
    if (!ans_has_error(texts))
        w->q->objects_changed(w->q);
}

static void change_names(struct objects_window *w, struct GR_Type *request)
{
    window_say(w->said, MSG_QMON_ASKED);
    (void)ask_change(w->q, request, on_change_answered, w, w->said);
}

static void add_asked(void *ctx, const char *name)
{
    struct objects_window *w = ctx;
    struct GR_Type request = { 0 };
    target_request_add(w->shown->target, name, &request);
    change_names(w, &request);
}

static void add_blank(struct objects_window *w)
{
    const struct kind *kind = kind_shown(w);
    void *object = kind->form->blank(kind, kind_only(kind) != NULL ? kind_only(kind) : "");
    object_window_open(w->q, kind, object, OBJECT_CREATE, w->said);
    cull_delete(kind_type(kind), object);
}

static void add_object(void *ctx)
{
    struct objects_window *w = ctx;
    if (kind_shown(w) == NULL)
        window_ask(w->shell, "askName", add_asked, w);
    else
        add_blank(w);
}

static void delete_asked(void *ctx)
{
    struct objects_window *w = ctx;
    struct GR_Type request = { 0 };
    target_request_delete(w->shown->target, w->asked, &request);
    change_names(w, &request);
}

static void delete_chosen(void *ctx)
{
    struct objects_window *w = ctx;
    struct dstr question = DSTR_INIT;
    const char *name = chosen_name(w);
    if (name == NULL) {
        window_say(w->said, MSG_QMON_SELECT_ONE);
        return;
    }
    free(w->asked);
    w->asked = uti_strdup(name);
    dstr_addf(&question, MSG_QMON_DELETE_SS,
              kind_shown(w) != NULL ? kind_noun(kind_shown(w)) : MSG_QMON_NAME, name);
    window_confirm(w->shell, "deleteObject", dstr_get(&question), delete_asked, w);
    dstr_free(&question);
}

static void ask_again(void *ctx)
{
    objects_window_renew(ctx);
}

static const struct window_button acts[] = {
    BUTTON("add", add_object),
    BUTTON_WITH("modify", edit_chosen, OBJECT_CHANGE),
    BUTTON_WITH("clone", edit_chosen, OBJECT_CREATE),
    BUTTON("delete", delete_chosen),
    BUTTON("reload", ask_again),
    BUTTON_CLOSE,
};

/* ---- the table ---- */
/* The table of a window of objects: names alone, or, of resources, which have few and short
 * attributes, everything. */

/* ---- names ---- */

static const char *name_title(unsigned column SGE_UNUSED)
{
    return MSG_QMON_NAME;
}

static uint32_t count_rows(void *ctx)
{
    return object_list_count(((struct objects_window *)ctx)->list);
}

static uint32_t row_key(void *ctx, uint32_t row)
{
    return object_list_key(((struct objects_window *)ctx)->list, row);
}

static void name_cell(void *ctx, uint32_t row, unsigned column SGE_UNUSED, struct dstr *out)
{
    text_add_printable(out, object_list_name(((struct objects_window *)ctx)->list, row));
}

static void on_entered(void *ctx, uint32_t row SGE_UNUSED)
{
    edit_chosen(ctx, OBJECT_CHANGE);
}

/* ---- resources ---- */

static const char *resource_title(unsigned column)
{
    return column == 0 ? MSG_QMON_NAME
                       : object_rules_of(OBJECT_COMPLEX)->attrs[column - 1].rule.name;
}

static void resource_cell(void *ctx, uint32_t row, unsigned column, struct dstr *out)
{
    const struct objects_window *w = ctx;
    const char *name = object_list_name(w->list, row);
    const struct TX_Type *resource =
        column > 0 && w->whole != NULL ? kind_object(kind_shown(w), w->whole, name) : NULL;
    const char *value = resource != NULL ? object_value(resource, resource_title(column)) : NULL;
    text_add_printable(out, column == 0 ? name : value != NULL ? value : "");
}

/* ---- the table ---- */

static const struct table_model names_model = {
    .n_columns = 1,
    .title = name_title,
    .count = count_rows,
    .key = row_key,
    .cell = name_cell,
    .chosen = show_chosen,
    .entered = on_entered,
};

enum { RESOURCE_COLUMNS = 8 };
static const struct table_model resources_model = {
    .n_columns = RESOURCE_COLUMNS,
    .title = resource_title,
    .count = count_rows,
    .key = row_key,
    .cell = resource_cell,
    .chosen = show_chosen,
    .entered = on_entered,
};

/* the table, in FORM */
static struct table *make_table(struct objects_window *w, Widget form)
{
    bool has_all = is_wide(w);
    return table_new(form, "table", w->q->paint, has_all ? &resources_model : &names_model,
                     qmon_text(w->q, has_all ? "resourceColumns" : "nameColumns", "40"), w);
}

/* another kind: nothing of the one before stays */
static void show_kind(struct objects_window *w, const struct group_kind *kind)
{
    w->shown = kind;
    object_list_begin(w->list);
    object_list_end(w->list);
    table_update(w->table);
    show_chosen(w);
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
    show_chosen(w);
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
    struct window_frame made = window_frame(form, "object", acts, ARRAY_LEN(acts), w);
    Widget filters = make_filters(w, form, made.menu);
    w->said = made.said;
    w->table = make_table(w, form);
    w->text = window_text(form, "shown", false);
    window_between(table_widget(w->table), filters, made.buttons);
    if (is_wide(w)) {
        XtUnmanageChild(XtParent(w->text));
        return;
    }
    XtVaSetValues(table_widget(w->table), XmNrightAttachment, XmATTACH_POSITION, XmNrightPosition,
                  34, NULL);
    window_between(XtParent(w->text), filters, made.buttons);
    XtVaSetValues(XtParent(w->text), XmNleftAttachment, XmATTACH_POSITION, XmNleftPosition, 35,
                  NULL);
}

static struct objects_window *make_window(struct qmon *q, enum object_group group)
{
    struct objects_window *w = uti_calloc(1, sizeof *w);
    w->q = q;
    w->group = group;
    w->shown = object_group_kind(group, 0);
    w->list = object_list_new();
    w->shell = window_shell(q, object_group_name(group));
    window_note_closing(w->shell, &w->is_open);
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
