/* Job Control: the list of jobs with its filters. */
#include "clients/qmon/windows/windows.h"

#include <Xm/Form.h>
#include <Xm/TextF.h>
#include <Xm/Xm.h>
#include <stdlib.h>
#include <string.h>

#include "clients/qmon/widgets/choices.h"
#include "clients/qmon/widgets/msg_qmon.h"
#include "clients/qmon/widgets/requests.h"
#include "clients/qmon/widgets/window.h"
#include "clients/qmon/windows/jobs_columns.h"
#include "libs/config/quantity.h"
#include "libs/uti/dstr.h"

/* ---- buttons ---- */
/* What the buttons of Job Control do: to the jobs that are selected, or nothing. What ends or
 * undoes work asks first, and says what it is about; what the qmaster answers stands at the
 * bottom. */

enum { NAMED_MOST = 5, PRIORITY_LEAST = -1023, PRIORITY_MOST = 1024 };

/* the jobs that are selected, or NULL after saying why nothing can be done */
static const struct range_set *chosen_jobs(struct jobs_window *w)
{
    const struct range_set *jobs = table_chosen(w->table);
    uint64_t n = range_set_count(jobs);
    if (n == 0)
        window_say(w->said, MSG_QMON_SELECT);
    else if (n > ACT_JOBS_MOST)
        window_say(w->said, MSG_QMON_TOO_MANY);
    return n > 0 && n <= ACT_JOBS_MOST ? jobs : NULL;
}

static void act_on(struct jobs_window *w, enum job_act act, const struct range_set *jobs)
{
    struct GR_Type request = { 0 };
    job_act_request(act, jobs, &request);
    request_send(w->q, w->said, &request);
}

static void act_at_once(void *ctx, int act)
{
    struct jobs_window *w = ctx;
    const struct range_set *jobs = chosen_jobs(w);
    if (jobs != NULL)
        act_on(w, (enum job_act)act, jobs);
}

/* ---- buttons with a question ---- */

/* "12 ribs, 13 render and 4 more" */
static void name_jobs(const struct jobs_window *w, const struct range_set *jobs, struct dstr *out)
{
    struct range run;
    uint64_t named = 0, n = range_set_count(jobs);
    for (uint64_t at = 0; named < NAMED_MOST && range_set_next_run(jobs, at, &run); at++, named++) {
        const struct board_job *job = board_job(w->q->board, run.first);
        dstr_addf(out, "%s%u", named > 0 ? ", " : "", run.first);
        if (job != NULL && job->rec.JB_job_name != NULL)
            dstr_addf(out, " %s", job->rec.JB_job_name);
        at = run.first;
    }
    if (n > named)
        dstr_addf(out, MSG_QMON_AND_MORE_U, (unsigned)(n - named));
}

static void confirm_act(struct jobs_window *w, const char *question, const char *name,
                        window_act_fn act)
{
    const struct range_set *jobs = chosen_jobs(w);
    struct dstr text = DSTR_INIT;
    if (jobs == NULL)
        return;
    range_set_copy(&w->asked, jobs);
    dstr_add(&text, question);
    name_jobs(w, jobs, &text);
    dstr_addc(&text, '?');
    window_confirm(w->shell, name, dstr_get(&text), act, w);
    dstr_free(&text);
}

static void delete_asked(void *ctx)
{
    struct jobs_window *w = ctx;
    act_on(w, ACT_DELETE, &w->asked);
}

static void delete_jobs(void *w)
{
    confirm_act(w, MSG_QMON_DELETE, "deleteJobs", delete_asked);
}

static void reschedule_asked(void *ctx)
{
    struct jobs_window *w = ctx;
    act_on(w, ACT_RESCHEDULE, &w->asked);
}

static void reschedule_jobs(void *w)
{
    confirm_act(w, MSG_QMON_RESCHEDULE, "rescheduleJobs", reschedule_asked);
}

static void set_priority(void *ctx, const char *text)
{
    struct jobs_window *w = ctx;
    struct GR_Type request = { 0 };
    int32_t priority;
    if (!quantity_int_parse(text, &priority) || priority < PRIORITY_LEAST ||
        priority > PRIORITY_MOST) {
        window_say(w->said, MSG_QMON_PRIORITY);
        return;
    }
    job_priority_request(&w->asked, priority, &request);
    request_send(w->q, w->said, &request);
}

static void ask_priority(void *ctx)
{
    struct jobs_window *w = ctx;
    const struct range_set *jobs = chosen_jobs(w);
    if (jobs == NULL)
        return;
    range_set_copy(&w->asked, jobs);
    window_ask(w->shell, "askPriority", set_priority, w);
}

/* ---- buttons that change nothing ---- */

static void add_text(void *ctx, struct dstr *out)
{
    const struct jobs_window *w = ctx;
    job_list_text(w->list, &w->columns, out);
}

static void save_rows(void *ctx)
{
    struct jobs_window *w = ctx;
    window_save(w->shell, w->said, add_text, w);
}

static void show_frames(void *ctx)
{
    struct jobs_window *w = ctx;
    const struct range_set *jobs = chosen_jobs(w);
    if (jobs != NULL)
        frames_window_open(w->q, jobs);
}

/* why the job of that number waits */
static void jobs_why(struct jobs_window *w, uint32_t number)
{
    if (w->why == NULL)
        w->why = why_window_new(w->q);
    why_window_open(w->why, number);
}

static void ask_why(void *ctx)
{
    struct jobs_window *w = ctx;
    const struct range_set *jobs = chosen_jobs(w);
    uint32_t number;
    if (jobs != NULL && range_set_min(jobs, &number))
        jobs_why(w, number);
}

static void change_jobs(void *ctx)
{
    struct jobs_window *w = ctx;
    const struct range_set *jobs = chosen_jobs(w);
    if (jobs == NULL)
        return;
    if (w->change == NULL)
        w->change = change_window_new(w->q);
    change_window_open(w->change, jobs);
}

/* the filter lets through what the selected job waits for, and what waits for it */
static void filter_pipeline(void *ctx)
{
    struct jobs_window *w = ctx;
    const struct range_set *jobs = chosen_jobs(w);
    struct dstr words = DSTR_INIT;
    uint32_t number;
    if (jobs == NULL || !range_set_min(jobs, &number))
        return;
    dstr_addf(&words, "with:%u", number);
    XmTextFieldSetString(w->words, words.s);
    dstr_free(&words);
}

static const struct window_button acts[] = {
    BUTTON_WITH("hold", act_at_once, ACT_HOLD),
    BUTTON_WITH("release", act_at_once, ACT_RELEASE),
    BUTTON_WITH("suspend", act_at_once, ACT_SUSPEND),
    BUTTON_WITH("resume", act_at_once, ACT_RESUME),
    BUTTON_WITH("clear", act_at_once, ACT_CLEAR),
    BUTTON("priority", ask_priority),
    BUTTON("changeJobs", change_jobs),
    BUTTON_GAP,
    BUTTON("frames", show_frames),
    BUTTON("why", ask_why),
    BUTTON("pipeline", filter_pipeline),
    BUTTON("columns", jobs_columns_open),
    BUTTON("save", save_rows),
    BUTTON_CLOSE,
    BUTTON_GAP,
    BUTTON("reschedule", reschedule_jobs),
    BUTTON("delete", delete_jobs),
};

/* ---- the table ---- */

static uint32_t count_rows(void *ctx)
{
    return job_list_count(((struct jobs_window *)ctx)->list);
}

static struct board_job *job_at(void *ctx, uint32_t row)
{
    return job_list_at(((struct jobs_window *)ctx)->list, row);
}

static uint32_t row_key(void *ctx, uint32_t row)
{
    return job_at(ctx, row)->rec.JB_job_number;
}

static void row_cell(void *ctx, uint32_t row, unsigned column, struct dstr *out)
{
    job_cell(job_at(ctx, row), (enum job_column)column, out);
}

static enum task_look row_look(void *ctx, uint32_t row)
{
    return board_job_look(job_at(ctx, row));
}

static bool row_bar(void *ctx, uint32_t row, unsigned column, uint64_t counts[LOOKS])
{
    const struct board_job *job = job_at(ctx, row);
    for (enum task_look look = 0; column == COLUMN_PROGRESS && look < LOOKS; look++)
        counts[look] = board_look(job, look);
    return column == COLUMN_PROGRESS;
}

static unsigned sorted_by(void *ctx)
{
    return job_list_sorted_by(((struct jobs_window *)ctx)->list);
}

static void sort_rows(void *ctx, unsigned column)
{
    struct jobs_window *w = ctx;
    job_list_sort(w->list, (enum job_column)column);
    (void)job_list_refresh(w->list);
}

static void set_title(struct jobs_window *w)
{
    struct dstr text = DSTR_INIT;
    uint64_t chosen = range_set_count(table_chosen(w->table));
    uint32_t n = job_list_count(w->list);
    dstr_addf(&text, ": " MSG_QMON_JOBS_US, n, n == 1 ? "" : "s");
    if (chosen > 0)
        dstr_addf(&text, MSG_QMON_CHOSEN_U, (unsigned)chosen);
    if (!w->q->status.is_synced)
        dstr_add(&text, MSG_QMON_OLD);
    window_title(w->shell, dstr_get(&text));
    dstr_free(&text);
}

/* the job under the pointer, or else the only one that is selected, in numbers */
static void tell_job(struct jobs_window *w)
{
    struct dstr text = DSTR_INIT;
    const struct range_set *chosen = table_chosen(w->table);
    uint32_t number = w->pointed;
    if (number == 0 && range_set_count(chosen) == 1)
        (void)range_set_min(chosen, &number);
    const struct board_job *job = number != 0 ? board_job(w->q->board, number) : NULL;
    if (job != NULL) {
        job_cell(job, COLUMN_NAME, &text);
        dstr_addf(&text, " %u: ", number);
        job_progress(job, &text);
    }
    window_say(w->told, text.len > 0 ? text.s : " ");
    dstr_free(&text);
}

static void on_pointed(void *ctx, int64_t row)
{
    struct jobs_window *w = ctx;
    w->pointed = row >= 0 ? row_key(w, (uint32_t)row) : 0;
    tell_job(w);
}

static void on_chosen(void *ctx)
{
    window_say(((struct jobs_window *)ctx)->said, " "); /* what it said was about other rows */
    set_title(ctx);
    tell_job(ctx);
    jobs_holds_chosen(ctx);
}

static void on_entered(void *ctx, uint32_t row)
{
    jobs_why(ctx, row_key(ctx, row));
}

static const struct table_model jobs_model = {
    .n_columns = JOB_COLUMNS,
    .title = job_column_title,
    .is_number = job_column_is_number,
    .count = count_rows,
    .key = row_key,
    .cell = row_cell,
    .look = row_look,
    .bar = row_bar,
    .sorted_by = sorted_by,
    .sort = sort_rows,
    .chosen = on_chosen,
    .entered = on_entered,
    .pointed = on_pointed,
};

/* ---- filters ---- */

static void show_again(struct jobs_window *w)
{
    if (job_list_refresh(w->list)) {
        table_update(w->table);
        set_title(w);
        tell_job(w);
    }
    jobs_holds_refresh(w);
}

static void on_words(void *ctx, const char *words)
{
    struct jobs_window *w = ctx;
    job_list_words(w->list, words);
    show_again(w);
}

static const char *const stages[JOB_STAGES] = { "all",      "pending", "running",
                                                "finished", "error",   "failed" };

static void on_stage(void *ctx, unsigned number)
{
    struct jobs_window *w = ctx;
    job_list_stage(w->list, (enum job_stage)number);
    show_again(w);
}

/* ---- the window ---- */

static Widget make_filters(struct jobs_window *w, Widget form, Widget menu)
{
    Widget row = choices_row(form, menu);
    (void)choices_new(row, "stages", stages, JOB_STAGES, on_stage, w);
    w->words = choices_words(row, "wordsLabel", "words", on_words, w);
    return row;
}

static void make_body(struct jobs_window *w, Widget form)
{
    struct window_frame made = window_frame(form, "job", acts, ARRAY_LEN(acts), w);
    Widget filters = make_filters(w, form, made.menu);
    w->said = made.said;
    w->table =
        table_new(form, "table", w->q->paint, &jobs_model, qmon_text(w->q, "jobColumns", ""), w);
    w->told = window_line(form, "told", jobs_holds_make(w, form, made.buttons));
    window_between(table_widget(w->table), filters, w->told);
    jobs_columns_init(w);
}

static struct jobs_window *make_window(struct qmon *q)
{
    struct jobs_window *w = uti_calloc(1, sizeof *w);
    w->q = q;
    w->refresh = jobs_window_refresh;
    w->list = job_list_new(q->board);
    w->shell = window_shell(q, "jobs");
    window_note_closing(w->shell, &w->is_open);
    Widget form = XtVaCreateManagedWidget("form", xmFormWidgetClass, w->shell, NULL);
    make_body(w, form);
    return w;
}

void jobs_window_open(void *ctx)
{
    struct qmon *q = ctx;
    if (q->jobs == NULL)
        q->jobs = make_window(q);
    q->jobs->is_open = true;
    show_again(q->jobs);
    jobs_window_status(q->jobs);
    window_open(q->jobs->shell);
}

void jobs_window_refresh(struct jobs_window *w)
{
    if (w != NULL)
        show_again(w);
}

void jobs_window_status(struct jobs_window *w)
{
    if (w == NULL)
        return;
    table_set_faint(w->table, !w->q->status.is_synced);
    set_title(w);
}

void jobs_window_free(struct jobs_window *w)
{
    if (w == NULL)
        return;
    board_unwatch(&w->watcher);
    why_window_free(w->why);
    change_window_free(w->change);
    job_list_free(w->list);
    range_set_free(&w->asked);
    free(w);
}
