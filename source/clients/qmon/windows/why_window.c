/* Why: a list of lines, of which long ones take several rows. Invariants: what is
 * read is about the place that the list is about; `rows` are those of the list at the
 * present width. */
#include "clients/qmon/windows/windows.h"

#include <Xm/Form.h>
#include <stdlib.h>
#include <string.h>

#include "clients/qmon/forms/why_read.h"
#include "clients/qmon/widgets/msg_qmon.h"
#include "clients/qmon/widgets/table.h"
#include "clients/qmon/widgets/window.h"
#include "libs/gdi/cell.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/view/why_list.h"

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
