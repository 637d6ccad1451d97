/* What the buttons of Queue Control do: to the rows that are selected. A row of a queue or a host
 * stands for all its instances. What ends work or removes a queue asks first, and says what it is
 * about. */
#include <stdlib.h>
#include <string.h>

#include "clients/qmon/asking.h"
#include "clients/qmon/msg_qmon.h"
#include "clients/qmon/object_groups.h"
#include "clients/qmon/object_window.h"
#include "clients/qmon/queues_window_priv.h"
#include "clients/qmon/windows.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

enum { NAMED_MOST = 5, ACT_QUEUES_MOST = 10000 };

/* FN for the name of each row of ROWS that is still there */
static void each_name(const struct queues_window *w, const struct range_set *rows,
                      void (*fn)(void *ctx, const char *name), void *ctx)
{
    struct range run;
    for (uint64_t at = 0; at <= UINT32_MAX && range_set_next_run(rows, at, &run);
         at = (uint64_t)run.last + 1)
        for (uint64_t key = run.first; key <= run.last; key++) {
            const char *name = queue_list_name(w->list, (uint32_t)key);
            if (name != NULL)
                fn(ctx, name);
        }
}

/* the rows that are selected; NULL after saying why nothing can be done */
static const struct range_set *chosen_rows(const struct queues_window *w)
{
    const struct range_set *rows = table_chosen(w->table);
    uint64_t n = range_set_count(rows);
    if (n == 0)
        window_say(w->said, MSG_QMON_SELECT_QUEUES);
    else if (n > ACT_QUEUES_MOST)
        window_say(w->said, MSG_QMON_TOO_MANY_QUEUES);
    return n > 0 && n <= ACT_QUEUES_MOST ? rows : NULL;
}

/* ---- states ---- */

static void on_answered(void *ctx, const struct answer *texts, uint32_t n_texts)
{
    struct queues_window *w = ctx;
    said_answer(w->said, texts, n_texts);
    if (!ans_has_error(texts))
        objects_changed(w->q);
}

static void send_change(struct queues_window *w, struct GR_Type *request)
{
    window_say(w->said, MSG_QMON_ASKED);
    (void)ask_change(w->q, request, on_answered, w, w->said);
}

static void select_name(void *ctx, const char *name)
{
    struct GR_Type *request = ctx;
    cull_set(cull_append(request, GR_select), ID_str, name);
}

static void act_on(struct queues_window *w, enum gdi_action action, const struct range_set *rows)
{
    struct GR_Type request = { 0 };
    cull_set(&request, GR_verb, (uint32_t)GDI_ACT);
    cull_set(&request, GR_target, (uint32_t)GDI_QINSTANCE);
    cull_set(&request, GR_action, (uint32_t)action);
    cull_set(&request, GR_options, (uint32_t)GDI_QUEUES_ONLY);
    each_name(w, rows, select_name, &request);
    send_change(w, &request);
}

static void act_at_once(struct queues_window *w, enum gdi_action action)
{
    const struct range_set *rows = chosen_rows(w);
    if (rows != NULL)
        act_on(w, action, rows);
}

static void enable_queues(void *w)
{
    act_at_once(w, GDI_ACT_ENABLE);
}

static void disable_queues(void *w)
{
    act_at_once(w, GDI_ACT_DISABLE);
}

static void suspend_queues(void *w)
{
    act_at_once(w, GDI_ACT_SUSPEND);
}

static void resume_queues(void *w)
{
    act_at_once(w, GDI_ACT_UNSUSPEND);
}

static void clear_error(void *w)
{
    act_at_once(w, GDI_ACT_CLEAR_ERROR);
}

/* ---- what asks first ---- */

struct naming {
    struct dstr *out;
    unsigned n;
};

static void add_name(void *ctx, const char *name)
{
    struct naming *naming = ctx;
    if (naming->n++ < NAMED_MOST)
        dstr_addf(naming->out, "%s%s", naming->n > 1 ? ", " : "", name);
}

static void reschedule_asked(void *ctx)
{
    struct queues_window *w = ctx;
    act_on(w, GDI_ACT_RESCHEDULE, &w->asked);
}

static void reschedule_queues(void *ctx)
{
    struct queues_window *w = ctx;
    const struct range_set *rows = chosen_rows(w);
    struct dstr question = DSTR_INIT;
    struct naming naming = { .out = &question };
    if (rows == NULL)
        return;
    range_set_copy(&w->asked, rows);
    dstr_add(&question, MSG_QMON_RESCHEDULE_QUEUES);
    each_name(w, rows, add_name, &naming);
    if (naming.n > NAMED_MOST)
        dstr_addf(&question, MSG_QMON_AND_MORE_U, naming.n - NAMED_MOST);
    dstr_addc(&question, '?');
    window_confirm(w->shell, "rescheduleQueues", dstr_get(&question), reschedule_asked, w);
    dstr_free(&question);
}

/* ---- cluster queues ---- */

/* the cluster queue of the only row that is selected becomes w->edited; false after saying why
 * not */
static bool choose_queue(struct queues_window *w)
{
    const struct range_set *rows = table_chosen(w->table);
    struct range run;
    const char *name = range_set_count(rows) == 1 && range_set_next_run(rows, 0, &run)
                           ? queue_list_name(w->list, run.first)
                           : NULL;
    if (name == NULL || name[0] == '*') {
        window_say(w->said, MSG_QMON_SELECT_QUEUE);
        return false;
    }
    free(w->edited);
    w->edited = uti_strdup(name);
    w->edited[strcspn(w->edited, "@")] = '\0';
    return true;
}

static void got_queue(void *ctx, const struct GA_Type *all, const struct answer *texts)
{
    struct queues_window *w = ctx;
    const struct kind *kind = kind_of(GDI_CQUEUE);
    const void *queue = all != NULL ? kind_object(kind, all, w->edited) : NULL;
    if (queue != NULL)
        object_window_open(w->q, kind, queue, w->deed, w->said);
    else
        window_say(w->said, all == NULL ? ans_first_error(texts) : MSG_QMON_OBJECT_GONE);
}

static void edit_queue(struct queues_window *w, enum object_deed deed)
{
    w->deed = deed;
    if (choose_queue(w))
        (void)ask_get(w->q, GDI_CQUEUE, w->edited, NULL, got_queue, w, w->said);
}

void queues_modify(void *ctx)
{
    edit_queue(ctx, OBJECT_CHANGE);
}

static void clone_queue(void *ctx)
{
    edit_queue(ctx, OBJECT_CREATE);
}

static void add_queue(void *ctx)
{
    struct queues_window *w = ctx;
    const struct kind *kind = kind_of(GDI_CQUEUE);
    void *queue = kind->form->blank(kind, "");
    object_window_open(w->q, kind, queue, OBJECT_CREATE, w->said);
    cull_delete(kind_type(kind), queue);
}

static void delete_asked(void *ctx)
{
    struct queues_window *w = ctx;
    struct GR_Type request = { 0 };
    target_request_delete(GDI_CQUEUE, w->edited, &request);
    send_change(w, &request);
}

static void delete_queue(void *ctx)
{
    struct queues_window *w = ctx;
    struct dstr question = DSTR_INIT;
    if (!choose_queue(w))
        return;
    dstr_addf(&question, MSG_QMON_DELETE_SS, kind_noun(kind_of(GDI_CQUEUE)), w->edited);
    window_confirm(w->shell, "deleteObject", dstr_get(&question), delete_asked, w);
    dstr_free(&question);
}

/* ---- what changes nothing ---- */

static void add_text(void *ctx, struct dstr *out)
{
    queue_list_text(((struct queues_window *)ctx)->list, out);
}

static void save_rows(void *ctx)
{
    struct queues_window *w = ctx;
    window_save(w->shell, w->said, add_text, w);
}

static void ask_again(void *ctx)
{
    queues_window_renew(ctx);
}

static void close_window(void *ctx)
{
    window_close(((struct queues_window *)ctx)->shell);
}

static const struct window_button acts[] = {
    { "enable", enable_queues }, { "disable", disable_queues }, { "suspend", suspend_queues },
    { "resume", resume_queues }, { "clear", clear_error },      { "reschedule", reschedule_queues },
    { "add", add_queue },        { "modify", queues_modify },   { "clone", clone_queue },
    { "delete", delete_queue },  { "reload", ask_again },       { "save", save_rows },
    { "close", close_window },
};

const struct window_button *queues_acts(size_t *n)
{
    *n = ARRAY_LEN(acts);
    return acts;
}
