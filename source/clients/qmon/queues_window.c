/* Queue Control: the queue instances of the cell with their load, slots and states. They are asked
 * for while the window is open: when events tell of queues or tasks, and for the load every few
 * seconds, but never so often that it takes more than a tenth of the time. */
#include <Xm/Form.h>
#include <stdlib.h>

#include "clients/common/printable.h"
#include "clients/qmon/asking.h"
#include "clients/qmon/choices.h"
#include "clients/qmon/msg_qmon.h"
#include "clients/qmon/queues_window_priv.h"
#include "clients/qmon/windows.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"

enum { LOAD_MS = 10000, SHARE = 10, US_PER_MS = 1000, PAUSE_LEAST_MS = 500 };

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

/* ---- asking ---- */

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

/* an answer, or none, has come */
static void end_asking(struct queues_window *w)
{
    uint64_t took_ms = (uti_mono_us() - w->asked_us) / US_PER_MS;
    uint64_t pause_ms = took_ms * SHARE < PAUSE_LEAST_MS ? PAUSE_LEAST_MS : took_ms * SHARE;
    w->is_asking = false;
    cull_delete(&cull_GA_Type, w->queues);
    w->queues = NULL;
    if (w->is_open)
        ask_later(w, w->is_behind || pause_ms > LOAD_MS ? pause_ms : LOAD_MS);
    w->is_behind = false;
}

static void got_hosts(void *ctx, const struct GA_Type *all, const struct answer *texts)
{
    struct queues_window *w = ctx;
    if (all != NULL) {
        queue_list_take(w->list, &w->queues->GA_queues, &all->GA_hosts);
        show_rows(w);
    } else {
        window_say(w->said, ans_first_error(texts));
    }
    end_asking(w);
}

static void got_queues(void *ctx, const struct GA_Type *all, const struct answer *texts)
{
    static const char *const fields[] = { "EH_name", "EH_load_list", NULL };
    struct queues_window *w = ctx;
    bool is_sent = false;
    if (all == NULL) {
        window_say(w->said, ans_first_error(texts));
    } else {
        w->queues = cull_new(&cull_GA_Type);
        cull_copy(&cull_GA_Type, w->queues, all);
        is_sent = ask_get(w->q, GDI_EXECHOST, NULL, fields, got_hosts, w, w->said);
    }
    if (!is_sent)
        end_asking(w);
}

void queues_window_renew(struct queues_window *w)
{
    if (w == NULL || !w->is_open)
        return;
    w->is_behind = w->is_asking;
    if (w->is_asking)
        return;
    w->asked_us = uti_mono_us();
    w->is_asking = ask_get(w->q, GDI_QINSTANCE, NULL, queue_entry_fields, got_queues, w, w->said);
    if (!w->is_asking)
        ask_later(w, LOAD_MS);
}

void queues_window_changed(struct queues_window *w)
{
    if (w == NULL || !w->is_open)
        return;
    w->is_behind = w->is_asking;
    if (!w->is_asking)
        ask_later(w, PAUSE_LEAST_MS);
}

/* ---- what the table shows ---- */

static const char *column_title(unsigned column)
{
    return queue_column_title((enum queue_column)column);
}

static bool is_number(unsigned column)
{
    return queue_column_is_number((enum queue_column)column);
}

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
        queues_modify(w);
}

static const struct table_model queues_model = {
    .n_columns = QUEUE_COLUMNS,
    .title = column_title,
    .is_number = is_number,
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
    size_t n;
    const struct window_button *acts = queues_acts(&n);
    struct window_frame made = window_frame(form, "queue", acts, n, w);
    Widget filters = make_filters(w, form, made.menu);
    w->said = made.said;
    w->table = table_new(form, "table", w->q->paint, &queues_model,
                         qmon_text(w->q, "queueColumns", ""), w);
    window_between(table_widget(w->table), filters, made.buttons);
}

static void on_popdown(Widget shell SGE_UNUSED, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    ((struct queues_window *)ctx)->is_open = false;
}

static struct queues_window *make_window(struct qmon *q)
{
    struct queues_window *w = uti_calloc(1, sizeof *w);
    w->q = q;
    w->list = queue_list_new();
    w->shell = window_shell(q, "queues");
    XtAddCallback(w->shell, XtNpopdownCallback, on_popdown, w);
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
    cull_delete(&cull_GA_Type, w->queues);
    free(w->edited);
    free(w);
}
