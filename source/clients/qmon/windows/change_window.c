/* Change: existing jobs, in the form of Submit Job. The qalter line that the window shows is
 * sent as qalter sends it, with the options alone that are not as they were. */
#include "clients/qmon/windows/windows.h"

#include <Xm/Form.h>
#include <Xm/TextF.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/qmon/forms/form_request.h"
#include "clients/qmon/forms/submit_panels.h"
#include "clients/qmon/widgets/msg_qmon.h"
#include "clients/qmon/widgets/requests.h"
#include "clients/qmon/widgets/window.h"
#include "libs/cli/submitter.h"
#include "libs/feed/calls.h"
#include "libs/gdi/cell.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/view/submit_form.h"

enum { SAID_MOST = 300 }; /* bytes: about what fits */

struct change_window {
    struct qmon *q;
    struct submitter by;
    struct submit_form *form;
    struct submit_rows *rows;
    struct range_set jobs;
    Widget shell, said, line;
    struct form_request request;
};

/* in one line; of what is said of many jobs the beginning */
static void say_text(struct change_window *w, const char *text)
{
    struct dstr one = DSTR_INIT;
    for (; *text != '\0' && one.len < SAID_MOST; text++)
        if (*text != '\n')
            dstr_addc(&one, *text);
        else if (text[1] != '\0')
            dstr_add(&one, "   ");
    if (*text != '\0')
        dstr_add(&one, " ...");
    window_say(w->said, dstr_get(&one));
    dstr_free(&one);
}

static void show_line(struct change_window *w)
{
    struct dstr line = DSTR_INIT;
    submit_form_line(w->form, &line);
    XmTextFieldSetString(w->line, line.s);
    dstr_free(&line);
}

static void show_form(struct change_window *w)
{
    submit_rows_renew(w->rows);
    show_line(w);
}

static void on_changed(void *ctx, const struct form_field *field SGE_UNUSED)
{
    show_line(ctx);
}

/* ---- the options of the jobs ---- */

static void show_title(struct change_window *w, const char *state)
{
    struct dstr text = DSTR_INIT;
    uint64_t n = range_set_count(&w->jobs);
    uint32_t number = 0;
    (void)range_set_min(&w->jobs, &number);
    if (n == 1)
        dstr_addf(&text, ": %u", number);
    else
        dstr_addf(&text, MSG_JOBS_SEVERAL_U, (unsigned)n);
    dstr_add(&text, state);
    window_title(w->shell, dstr_get(&text));
    dstr_free(&text);
}

/* an answer about a job that is not asked about any more says nothing */
static void on_job(void *ctx, const struct GA_Type *all, const struct answer *texts)
{
    struct change_window *w = ctx;
    const struct JB_Type *job = all != NULL && all->GA_jobs.n > 0 ? all->GA_jobs.v : NULL;
    if (job == NULL) {
        say_text(w, ans_has_error(texts) ? ans_first_error(texts) : MSG_JOBS_GONE);
        return;
    }
    if (range_set_count(&w->jobs) != 1 || !range_set_has(&w->jobs, job->JB_job_number))
        return;
    job_options_fill(w->form, job);
    show_form(w);
    show_title(w, "");
}

static void read_jobs(void *ctx)
{
    struct change_window *w = ctx;
    struct GR_Type request = { 0 };
    struct answer ans = ANSWER_INIT;
    submit_form_clear(w->form);
    show_form(w);
    show_title(w, range_set_count(&w->jobs) == 1 ? MSG_JOBS_READING : "");
    say_text(w, MSG_JOBS_CHANGE);
    if (range_set_count(&w->jobs) != 1)
        return;
    job_get_request(&w->jobs, NULL, &request);
    if (calls_get(w->q->calls, &request, on_job, w, &ans) != 0)
        say_text(w, ans_first_error(&ans));
    cull_clear(&cull_GR_Type, &request);
    ans_free(&ans);
}

/* ---- changing ---- */

/* the keys go to FIELD, REASON stands beside it (NULL: that of the model), the title names it */
static void blame_field(struct change_window *w, const struct form_field *field, const char *reason)
{
    struct dstr title = DSTR_INIT;
    const struct submit_place *place = submit_place_of(field, QALTER);
    submit_rows_note(w->rows, field, reason);
    submit_rows_go(w->rows, field);
    if (place != NULL)
        dstr_addf(&title, MSG_JOBS_REFUSED_S, place->label);
    show_title(w, dstr_get(&title));
    dstr_free(&title);
}

static void on_change_answered(void *ctx, bool is_good, const char *said)
{
    struct change_window *w = ctx;
    const struct form_field *blamed = is_good ? NULL : submit_form_blamed(w->form, said);
    if (is_good)
        read_jobs(w);
    say_text(w, said);
    if (blamed != NULL)
        blame_field(w, blamed, said);
}

static bool is_any_changed(const struct submit_form *form)
{
    for (uint32_t i = 0; i < submit_form_count(form); i++)
        if (submit_form_is_changed(submit_form_at(form, i)))
            return true;
    return false;
}

static void run_form(struct change_window *w)
{
    struct words words = WORDS_INIT;
    struct answer ans = ANSWER_INIT;
    submit_form_words(w->form, &words);
    int result = form_request_send(&w->request, &words, &ans);
    say_text(w, result == 0 ? MSG_JOBS_CHANGING : ans_first_error(&ans));
    words_free(&words);
    ans_free(&ans);
}

static void change_jobs(void *ctx)
{
    struct change_window *w = ctx;
    const struct form_field *wrong = submit_form_wrong(w->form);
    if (w->request.is_open)
        return;
    if (wrong != NULL)
        blame_field(w, wrong, NULL);
    else if (is_any_changed(w->form))
        run_form(w);
    else
        say_text(w, MSG_JOBS_NO_CHANGE);
}

static const struct window_button acts[] = {
    BUTTON("change", change_jobs),
    BUTTON("readAgain", read_jobs),
    BUTTON_CLOSE,
};

/* ---- the window ---- */

static void make_body(struct change_window *w, Widget form)
{
    struct window_frame made = window_frame(form, "changeForm", acts, ARRAY_LEN(acts), w);
    w->said = made.said;
    w->line = XtVaCreateManagedWidget("line", xmTextFieldWidgetClass, form, XmNeditable, False,
                                      XmNbottomAttachment, XmATTACH_WIDGET, XmNbottomWidget,
                                      made.buttons, XmNleftAttachment, XmATTACH_FORM,
                                      XmNrightAttachment, XmATTACH_FORM, NULL);
    Widget scrolled = window_scrolled(form, "scrolled");
    window_between(scrolled, made.menu, w->line);
    w->rows = submit_rows_new(scrolled, w->form, on_changed, w);
}

struct change_window *change_window_new(struct qmon *q)
{
    struct change_window *w = uti_calloc(1, sizeof *w);
    w->q = q;
    w->request = (struct form_request){ .q = q, .done = on_change_answered, .ctx = w };
    (void)submitter_init(&w->by, environ, NULL);
    w->form = submit_form_new_change(&w->by);
    w->shell = window_shell(q, "changeJob");
    make_body(w, XtVaCreateManagedWidget("form", xmFormWidgetClass, w->shell, NULL));
    return w;
}

void change_window_open(struct change_window *w, const struct range_set *jobs)
{
    range_set_copy(&w->jobs, jobs);
    submit_form_jobs(w->form, jobs);
    read_jobs(w);
    window_open(w->shell);
    submit_rows_ask_names(w->rows, w->q, w->said);
    submit_rows_go(w->rows, NULL);
}

void change_window_free(struct change_window *w)
{
    if (w == NULL)
        return;
    form_request_free(&w->request);
    submit_rows_free(w->rows);
    submit_form_free(w->form);
    submitter_free(&w->by);
    range_set_free(&w->jobs);
    free(w);
}
