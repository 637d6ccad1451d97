/* Queue Control: the queue instances of the cell with their load, slots and states, as events have
 * them. The reasons for states are asked for when the window opens and when states change, but
 * never so often that it takes more than a tenth of the time. */
#include "clients/qmon/windows/windows.h"

#include <Xm/Form.h>
#include <stdlib.h>
#include <string.h>

#include "clients/qmon/widgets/choices.h"
#include "clients/qmon/widgets/msg_qmon.h"
#include "clients/qmon/widgets/object_groups.h"
#include "clients/qmon/widgets/requests.h"
#include "clients/qmon/widgets/table.h"
#include "clients/qmon/widgets/window.h"
#include "libs/show/printable.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"
#include "libs/view/object_form.h"
#include "libs/view/queue_list.h"

struct queues_window {
    struct qmon *q;
    Widget shell, said;
    struct queue_list *list;
    struct table *table;
    bool is_open;
    bool is_asking, is_behind; /* an answer is on its way; it is old already */
    bool is_timed;             /* the next question will come by itself */
    uint64_t asked_us;         /* monotonic: when the last question was asked */
    struct range_set asked;    /* the rows of the question that is open */
    enum object_deed deed;     /* of the queue that was asked for to be edited */
    char *edited;              /* owned; its name */
};

/* ---- buttons ---- */
/* What the buttons of Queue Control do: to the rows that are selected. A row of a queue or a host
 * stands for all its instances. What ends work or removes a queue asks first, and says what it is
 * about. */

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

static void on_change_answered(void *ctx, const struct answer *texts, uint32_t n_texts)
{
    struct queues_window *w = ctx;
    said_answer(w->said, texts, n_texts);
    if (!ans_has_error(texts))
        w->q->objects_changed(w->q);
}

static void send_change(struct queues_window *w, struct GR_Type *request)
{
    window_say(w->said, MSG_QMON_ASKED);
    (void)ask_change(w->q, request, on_change_answered, w, w->said);
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

static void act_at_once(void *ctx, int action)
{
    struct queues_window *w = ctx;
    const struct range_set *rows = chosen_rows(w);
    if (rows != NULL)
        act_on(w, (enum gdi_action)action, rows);
}

/* ---- buttons with a question ---- */

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

static void edit_queue(void *ctx, int deed)
{
    struct queues_window *w = ctx;
    w->deed = (enum object_deed)deed;
    if (choose_queue(w))
        (void)ask_get(w->q, GDI_CQUEUE, w->edited, NULL, got_queue, w, w->said);
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

/* ---- buttons that change nothing ---- */

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

static const struct window_button acts[] = {
    BUTTON_WITH("enable", act_at_once, GDI_ACT_ENABLE),
    BUTTON_WITH("disable", act_at_once, GDI_ACT_DISABLE),
    BUTTON_WITH("suspend", act_at_once, GDI_ACT_SUSPEND),
    BUTTON_WITH("resume", act_at_once, GDI_ACT_UNSUSPEND),
    BUTTON_WITH("clear", act_at_once, GDI_ACT_CLEAR_ERROR),
    BUTTON("reschedule", reschedule_queues),
    BUTTON("add", add_queue),
    BUTTON_WITH("modify", edit_queue, OBJECT_CHANGE),
    BUTTON_WITH("clone", edit_queue, OBJECT_CREATE),
    BUTTON("delete", delete_queue),
    BUTTON("reload", ask_again),
    BUTTON("save", save_rows),
    BUTTON_CLOSE,
};

enum { SHARE = 10, US_PER_MS = 1000, PAUSE_LEAST_MS = 500 };

static void set_title(const struct queues_window *w)
{
    struct dstr title = DSTR_INIT;
    uint32_t n = queue_list_instances(w->list);
    uint64_t chosen = range_set_count(table_chosen(w->table));
    dstr_addf(&title, ": " MSG_QMON_QUEUES_US, n, n == 1 ? "" : "s");
    if (chosen > 0)
        dstr_addf(&title, MSG_QMON_CHOSEN_U, (unsigned)chosen);
    if (!w->q->status.is_synced)
        dstr_add(&title, MSG_QMON_OLD);
    window_title(w->shell, dstr_get(&title));
    dstr_free(&title);
}

static void show_rows(struct queues_window *w)
{
    table_update(w->table);
    set_title(w);
}

/* ---- requests ---- */

static void on_time(XtPointer ctx, XtIntervalId *id SGE_UNUSED)
{
    struct queues_window *w = ctx;
    w->is_timed = false;
    queues_window_renew(w);
}

static void ask_later(struct queues_window *w, uint64_t pause_ms)
{
    if (!w->is_timed)
        XtAppAddTimeOut(w->q->app, pause_ms, on_time, w);
    w->is_timed = true;
}

static void take_reasons(struct queues_window *w, const struct QU_Type_list *queues)
{
    for (uint32_t i = 0; i < queues->n; i++) {
        struct EV_Type event = { 0 };
        const char *name = queues->v[i].QU_full_name;
        if (name == NULL || mir_queue(w->q->mir, name) == NULL)
            continue;
        queue_reason_event(&queues->v[i], &event);
        (void)mir_apply(w->q->mir, &event, NULL);
        cull_clear(&cull_EV_Type, &event);
    }
}

static void got_reasons(void *ctx, const struct GA_Type *all, const struct answer *texts)
{
    struct queues_window *w = ctx;
    uint64_t pause_ms = (uti_mono_us() - w->asked_us) * SHARE / US_PER_MS;
    w->is_asking = false;
    if (all == NULL) {
        window_say(w->said, ans_first_error(texts));
    } else {
        take_reasons(w, &all->GA_queues);
        queues_window_show(w);
    }
    if (w->is_open && w->is_behind)
        ask_later(w, pause_ms < PAUSE_LEAST_MS ? PAUSE_LEAST_MS : pause_ms);
    w->is_behind = false;
}

void queues_window_renew(struct queues_window *w)
{
    if (w == NULL || !w->is_open || !w->q->status.is_synced)
        return;
    w->is_behind = w->is_asking;
    if (w->is_asking)
        return;
    w->asked_us = uti_mono_us();
    w->is_asking = ask_get(w->q, GDI_QINSTANCE, NULL, queue_reason_fields, got_reasons, w, w->said);
}

void queues_window_show(struct queues_window *w)
{
    if (w == NULL || !w->is_open || !w->q->status.is_synced)
        return;
    queue_list_take(w->list, w->q->mir);
    show_rows(w);
}

/* ---- the table ---- */

static uint32_t count_rows(void *ctx)
{
    return queue_list_count(((struct queues_window *)ctx)->list);
}

static uint32_t row_key(void *ctx, uint32_t row)
{
    return queue_list_key(((struct queues_window *)ctx)->list, row);
}

static void row_cell(void *ctx, uint32_t row, unsigned column, struct dstr *out)
{
    struct dstr text = DSTR_INIT;
    queue_list_cell(((struct queues_window *)ctx)->list, row, (enum queue_column)column, &text);
    text_add_printable(out, dstr_get(&text));
    dstr_free(&text);
}

static enum task_look row_look(void *ctx, uint32_t row)
{
    return queue_list_look(((struct queues_window *)ctx)->list, row);
}

static unsigned sorted_by(void *ctx)
{
    return queue_list_sorted_by(((struct queues_window *)ctx)->list);
}

static void sort_rows(void *ctx, unsigned column)
{
    queue_list_sort(((struct queues_window *)ctx)->list, (enum queue_column)column);
}

static void on_chosen(void *ctx)
{
    window_say(((struct queues_window *)ctx)->said, " "); /* what it said was about other rows */
    set_title(ctx);
}

/* a queue or a host opens or closes; an instance shows its queue */
static void on_entered(void *ctx, uint32_t row)
{
    struct queues_window *w = ctx;
    uint32_t before = queue_list_count(w->list);
    queue_list_turn(w->list, row);
    if (queue_list_count(w->list) != before)
        show_rows(w);
    else
        edit_queue(w, OBJECT_CHANGE);
}

static const struct table_model queues_model = {
    .n_columns = QUEUE_COLUMNS,
    .title = queue_column_title,
    .is_number = queue_column_is_number,
    .count = count_rows,
    .key = row_key,
    .cell = row_cell,
    .look = row_look,
    .sorted_by = sorted_by,
    .sort = sort_rows,
    .chosen = on_chosen,
    .entered = on_entered,
};

/* ---- order and words ---- */

static const char *const orders[QUEUE_ORDERS] = { "flat", "byQueue", "byHost" };

static void on_order(void *ctx, unsigned number)
{
    struct queues_window *w = ctx;
    queue_list_order(w->list, (enum queue_order)number);
    show_rows(w);
}

static void on_words(void *ctx, const char *words)
{
    struct queues_window *w = ctx;
    queue_list_words(w->list, words);
    show_rows(w);
}

static Widget make_filters(struct queues_window *w, Widget form, Widget menu)
{
    Widget row = choices_row(form, menu);
    (void)choices_new(row, "stages", orders, QUEUE_ORDERS, on_order, w);
    (void)choices_words(row, "nameLabel", "words", on_words, w);
    return row;
}

/* ---- the window ---- */

static void make_body(struct queues_window *w, Widget form)
{
    struct window_frame made = window_frame(form, "queue", acts, ARRAY_LEN(acts), w);
    Widget filters = make_filters(w, form, made.menu);
    w->said = made.said;
    w->table = table_new(form, "table", w->q->paint, &queues_model,
                         qmon_text(w->q, "queueColumns", ""), w);
    window_between(table_widget(w->table), filters, made.buttons);
}

static struct queues_window *make_window(struct qmon *q)
{
    struct queues_window *w = uti_calloc(1, sizeof *w);
    w->q = q;
    w->list = queue_list_new();
    w->shell = window_shell(q, "queues");
    window_note_closing(w->shell, &w->is_open);
    make_body(w, XtVaCreateManagedWidget("form", xmFormWidgetClass, w->shell, NULL));
    return w;
}

void queues_window_open(void *ctx)
{
    struct qmon *q = ctx;
    if (q->queues == NULL)
        q->queues = make_window(q);
    q->queues->is_open = true;
    queues_window_status(q->queues);
    window_open(q->queues->shell);
    queues_window_show(q->queues);
    queues_window_renew(q->queues);
}

void queues_window_status(struct queues_window *w)
{
    if (w == NULL)
        return;
    table_set_faint(w->table, !w->q->status.is_synced);
    set_title(w);
    queues_window_renew(w);
}

void queues_window_free(struct queues_window *w)
{
    if (w == NULL)
        return;
    queue_list_free(w->list);
    range_set_free(&w->asked);
    free(w->edited);
    free(w);
}
