/* What the buttons of a window of objects do: to the one that is selected. What goes is asked about
 * first. */
#include <stdlib.h>

#include "clients/qmon/asking.h"
#include "clients/qmon/msg_qmon.h"
#include "clients/qmon/object_window.h"
#include "clients/qmon/objects_window_priv.h"
#include "clients/qmon/windows.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

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

static void edit_chosen(struct objects_window *w, enum object_deed deed)
{
    const char *name = chosen_name(w);
    w->deed = deed;
    if (kind_shown(w) == NULL)
        window_say(w->said, MSG_QMON_NAMES_ONLY);
    else if (name == NULL)
        window_say(w->said, MSG_QMON_SELECT_ONE);
    else
        (void)ask_get(w->q, w->shown->target, name, NULL, got_for_editing, w, w->said);
}

void modify_chosen(void *ctx)
{
    edit_chosen(ctx, OBJECT_CHANGE);
}

static void clone_chosen(void *ctx)
{
    edit_chosen(ctx, OBJECT_CREATE);
}

/* ---- asking the qmaster ---- */

static void on_answered(void *ctx, const struct answer *texts, uint32_t n_texts)
{
    struct objects_window *w = ctx;
    said_answer(w->said, texts, n_texts);
    if (!ans_has_error(texts))
        objects_changed(w->q);
}

static void change_names(struct objects_window *w, struct GR_Type *request)
{
    window_say(w->said, MSG_QMON_ASKED);
    (void)ask_change(w->q, request, on_answered, w, w->said);
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

static void close_window(void *ctx)
{
    window_close(((struct objects_window *)ctx)->shell);
}

static const struct window_button acts[] = {
    { "add", add_object },       { "modify", modify_chosen }, { "clone", clone_chosen },
    { "delete", delete_chosen }, { "reload", ask_again },     { "close", close_window },
};

const struct window_button *objects_acts(size_t *n)
{
    *n = ARRAY_LEN(acts);
    return acts;
}
