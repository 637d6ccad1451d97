/* Why: a list of lines, of which long ones take several rows. Invariants: what is
 * read is about the place that the list is about; `rows` are those of the list at the
 * present width. */
#include "clients/qmon/windows/windows.h"

#include <Xm/Form.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/common/source.h"
#include "clients/common/why_groups.h"
#include "clients/qmon/widgets/msg_qmon.h"
#include "clients/qmon/widgets/table.h"
#include "clients/qmon/widgets/window.h"
#include "libs/feed/calls.h"
#include "libs/gdi/cell.h"
#include "libs/gdi/message.h"
#include "libs/show/job_row.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"
#include "libs/view/why_list.h"

struct why_read {
    struct qmon *q;
    struct why_list *list;   /* filled while answers come */
    void (*done)(void *ctx); /* the list is complete */
    void *ctx;
    bool is_open;
    struct why_groups groups;
    uint32_t at;
    bool has_headings;
};

struct why_window {
    struct qmon *q;
    Widget shell, said;
    struct why_list *list;
    struct table *table;
    struct why_read read;
    struct why_row {
        uint32_t line, at, len; /* LEN bytes from AT on of a line of the list */
    } * rows;                   /* owned */
    uint32_t n_rows, cap_rows;
};

/* ---- reading ----
 *
 * The answers of the qmaster, as qstat -why finds them out: of a whole job, one request for its
 * tasks, and one for each group of them. Invariant: `at` is the group that the open request is
 * about. */

static void ask_group(struct why_read *r);

/* `done` is not called any more; what R holds is free */
static void why_read_stop(struct why_read *r)
{
    calls_forget(r->q->calls, r);
    why_groups_free(&r->groups);
    r->is_open = false;
}

static void finish_list(struct why_read *r)
{
    why_groups_free(&r->groups);
    r->is_open = false;
    r->done(r->ctx);
}

static void add_errors(struct why_read *r, const struct answer *texts)
{
    struct dstr line = DSTR_INIT;
    for (uint32_t i = 0; i < texts->n; i++) {
        bool is_error = texts->v[i].quality <= ANSWER_QUALITY_ERROR;
        dstr_clear(&line);
        dstr_addf(&line, "%s: %s", is_error ? "error" : "warning", texts->v[i].text);
        why_list_add(r->list, dstr_get(&line));
    }
    dstr_free(&line);
}

static void send_request(struct why_read *r, struct GR_Type *request, calls_get_fn got)
{
    struct answer ans = ANSWER_INIT;
    if (calls_get(r->q->calls, request, got, r, &ans) != 0) {
        add_errors(r, &ans);
        finish_list(r);
    }
    cull_clear(&cull_GR_Type, request);
    ans_free(&ans);
}

static void add_group(struct why_read *r, const struct why_group *g, const struct GA_Type *all)
{
    struct dstr heading = DSTR_INIT;
    if (r->has_headings) {
        why_group_heading(g, &heading);
        why_list_add_heading(r->list, (struct why_place){ g->job, g->task }, dstr_get(&heading));
    }
    for (uint32_t i = 0; i < all->GA_waits.n; i++)
        why_list_add_wait(r->list, &all->GA_waits.v[i]);
    for (uint32_t i = 0; i < all->GA_reasons.n; i++)
        if (all->GA_reasons.v[i].ST_name != NULL)
            why_list_add(r->list, all->GA_reasons.v[i].ST_name);
    dstr_free(&heading);
}

static void on_why(void *ctx, const struct GA_Type *all, const struct answer *texts)
{
    struct why_read *r = ctx;
    if (r->at > 0 && all != NULL)
        why_list_add(r->list, "");
    if (all != NULL)
        add_group(r, &r->groups.v[r->at], all);
    add_errors(r, texts);
    r->at++;
    ask_group(r);
}

static void ask_group(struct why_read *r)
{
    struct GR_Type request = { 0 };
    if (r->at >= r->groups.n) {
        finish_list(r);
        return;
    }
    const struct why_group *g = &r->groups.v[r->at];
    cull_set(&request, GR_verb, (uint32_t)GDI_WHY);
    cull_set(&request, GR_target, (uint32_t)GDI_JOB);
    cull_set(&request, GR_job_number, g->job);
    if (g->task != 0)
        cull_set(&request, GR_task_number, g->task);
    send_request(r, &request, on_why);
}

static int take_job(void *ctx, const struct JB_Type *job, const struct JAT_Type *const *tasks,
                    uint32_t n_tasks, struct answer *ans SGE_UNUSED)
{
    struct why_read *r = ctx;
    why_groups_add_job(&r->groups, job, tasks, n_tasks, uti_now_s());
    return 0;
}

static void on_job(void *ctx, const struct GA_Type *all, const struct answer *texts)
{
    struct why_read *r = ctx;
    struct job_stream stream = { .each = take_job, .ctx = r };
    add_errors(r, texts);
    if (all != NULL) {
        (void)job_stream_part(&stream, all, NULL);
        (void)job_stream_end(&stream, NULL);
    }
    r->has_headings = r->groups.n > 1 || (r->groups.n == 1 && r->groups.v[0].n_tasks > 0);
    ask_group(r);
}

static void ask_job(struct why_read *r, uint32_t job)
{
    struct GR_Type request = { 0 };
    char number[16];
    cull_set(&request, GR_verb, (uint32_t)GDI_GET);
    cull_set(&request, GR_target, (uint32_t)GDI_JOB);
    cull_set(&request, GR_options, (uint32_t)GDI_WITH_TASKS);
    request_user(&request, "*");
    (void)snprintf(number, sizeof number, "%u", job);
    cull_set(cull_append(&request, GR_select), ID_str, number);
    send_request(r, &request, on_job);
}

/* about the place of the list; what was asked before is forgotten. `done` is called in any case */
static void why_read_begin(struct why_read *r)
{
    struct why_place place = why_list_place(r->list);
    why_read_stop(r);
    r->is_open = true;
    r->at = 0;
    r->has_headings = false;
    if (place.task == 0) {
        ask_job(r, place.job);
        return;
    }
    why_groups_add_task(&r->groups, place.job, place.task);
    ask_group(r);
}

/* ---- rows ---- */

static void add_piece(const struct why_window *w, const struct why_row *row, struct dstr *out)
{
    struct why_place unused;
    bool is_link = row->at == 0 && why_list_leads(w->list, row->line, &unused);
    dstr_add(out, is_link ? MSG_JOBS_LEADS : "    ");
    dstr_add(out, row->at > 0 ? "    " : "");
    dstr_addn(out, why_list_text(w->list, row->line) + row->at, row->len);
}

static bool has_room(const struct why_window *w, const struct why_row *row)
{
    struct dstr text = DSTR_INIT;
    add_piece(w, row, &text);
    bool fits = paint_width(w->q->paint, dstr_get(&text)) <= table_room(w->table);
    dstr_free(&text);
    return fits;
}

/* as many whole words as have room, and at least one */
static struct why_row next_row(const struct why_window *w, uint32_t line, uint32_t at)
{
    const char *text = why_list_text(w->list, line) + at;
    struct why_row row = { line, at, (uint32_t)strcspn(text, " ") };
    while (text[row.len] != '\0') {
        struct why_row longer = row;
        longer.len += 1 + (uint32_t)strcspn(text + row.len + 1, " ");
        if (!has_room(w, &longer))
            break;
        row = longer;
    }
    return row;
}

static void make_rows(void *ctx)
{
    struct why_window *w = ctx;
    uint32_t n = why_list_count(w->list);
    w->n_rows = 0;
    for (uint32_t line = 0; line < n; line++) {
        const char *text = why_list_text(w->list, line);
        uint32_t at = 0;
        do {
            struct why_row row = next_row(w, line, at);
            w->rows = uti_vec_grow(w->rows, &w->cap_rows, w->n_rows + 1, sizeof *w->rows);
            w->rows[w->n_rows++] = row;
            at += row.len + (text[at + row.len] == ' ');
        } while (text[at] != '\0');
    }
}

static void add_place(const struct why_window *w, struct dstr *out)
{
    struct why_place place = why_list_place(w->list);
    dstr_addf(out, place.task > 0 ? "%u.%u" : "%u", place.job, place.task);
}

/* ---- the reasons ---- */

static void show_lines(struct why_window *w)
{
    struct dstr title = DSTR_INIT;
    dstr_add(&title, ": ");
    add_place(w, &title);
    if (!w->read.is_open)
        dstr_addf(&title, MSG_JOBS_LINES_US, why_list_count(w->list),
                  why_list_count(w->list) == 1 ? "" : "s");
    make_rows(w);
    table_update(w->table);
    window_title(w->shell, dstr_get(&title));
    dstr_free(&title);
}

static void on_read(void *ctx)
{
    struct why_window *w = ctx;
    window_say(w->said, MSG_JOBS_FOLLOW);
    show_lines(w);
}

static void ask_why(void *ctx)
{
    struct why_window *w = ctx;
    why_list_clear(w->list);
    window_say(w->said, MSG_JOBS_LOOKING);
    why_read_begin(&w->read);
    if (w->read.is_open)
        show_lines(w);
}

/* ---- the way ---- */

static void follow_row(void *ctx, uint32_t row)
{
    struct why_window *w = ctx;
    struct why_place to;
    if (row >= w->n_rows || !why_list_leads(w->list, w->rows[row].line, &to)) {
        window_say(w->said, MSG_JOBS_LEADS_NOWHERE);
        return;
    }
    why_list_go(w->list, to);
    ask_why(w);
}

static void follow_chosen(void *ctx)
{
    struct why_window *w = ctx;
    uint32_t key;
    if (range_set_min(table_chosen(w->table), &key))
        follow_row(w, key - 1);
    else
        window_say(w->said, MSG_JOBS_FOLLOW);
}

static void go_back(void *ctx)
{
    struct why_window *w = ctx;
    if (why_list_back(w->list))
        ask_why(w);
    else
        window_say(w->said, MSG_JOBS_NO_WAY_BACK);
}

static const struct window_button acts[] = {
    BUTTON("followLine", follow_chosen),
    BUTTON("goBack", go_back),
    BUTTON("askAgain", ask_why),
    BUTTON_CLOSE,
};

/* ---- the table ---- */

static const char *column_title(unsigned column SGE_UNUSED)
{
    return MSG_JOBS_WHY_TITLE;
}

static uint32_t count_rows(void *ctx)
{
    return ((struct why_window *)ctx)->n_rows;
}

static uint32_t row_key(void *ctx SGE_UNUSED, uint32_t row)
{
    return row + 1;
}

static void row_cell(void *ctx, uint32_t row, unsigned column SGE_UNUSED, struct dstr *out)
{
    const struct why_window *w = ctx;
    add_piece(w, &w->rows[row], out);
}

static const struct table_model why_model = {
    .n_columns = 1,
    .title = column_title,
    .count = count_rows,
    .key = row_key,
    .cell = row_cell,
    .entered = follow_row,
    .resized = make_rows,
};

/* ---- the window ---- */

struct why_window *why_window_new(struct qmon *q)
{
    struct why_window *w = uti_calloc(1, sizeof *w);
    w->q = q;
    w->list = why_list_new();
    w->read = (struct why_read){ .q = q, .list = w->list, .done = on_read, .ctx = w };
    w->shell = window_shell(q, "whyWindow");
    Widget form = XtVaCreateManagedWidget("form", xmFormWidgetClass, w->shell, NULL);
    struct window_frame made = window_frame(form, "whyLine", acts, ARRAY_LEN(acts), w);
    w->said = made.said;
    w->table = table_new(form, "table", q->paint, &why_model, "200", w);
    window_between(table_widget(w->table), made.menu, made.buttons);
    return w;
}

void why_window_open(struct why_window *w, uint32_t number)
{
    why_list_begin(w->list, (struct why_place){ number, 0 });
    window_open(w->shell);
    ask_why(w);
}

void why_window_free(struct why_window *w)
{
    if (w == NULL)
        return;
    why_read_stop(&w->read);
    why_list_free(w->list);
    free(w->rows);
    free(w);
}
