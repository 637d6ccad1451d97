/* Submit Job: the form of a job that is to be, what it would wait for, and the qsub line that it
 * is. The words of that line are read as qsub reads them, so that a job from here is a job from a
 * shell. */
#include "clients/qmon/windows/windows.h"

#include <Xm/Form.h>
#include <Xm/TextF.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/qmon/forms/form_request.h"
#include "clients/qmon/forms/submit_panels.h"
#include "clients/qmon/widgets/msg_qmon.h"
#include "clients/qmon/widgets/terminal.h"
#include "clients/qmon/widgets/window.h"
#include "libs/cli/submit_files.h"
#include "libs/cli/submitter.h"
#include "libs/gdi/cell.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/view/predecessors.h"
#include "libs/view/submit_form.h"

struct submit_window {
    struct qmon *q;
    struct submitter by;
    struct submit_form *form;
    struct submit_rows *rows;
    const struct form_field *held; /* the field of jobs that was typed into last */
    struct submit_side *side;
    struct script_window *script; /* NULL until it was opened */
    Widget shell, said, line;
    struct form_request request;
};

static void say_text(struct submit_window *w, const char *text)
{
    struct dstr one = DSTR_INIT;
    for (const char *at = text; *at != '\0'; at++)
        if (*at != '\n')
            dstr_addc(&one, *at);
        else if (at[1] != '\0')
            dstr_add(&one, "   ");
    window_say(w->said, dstr_get(&one));
    dstr_free(&one);
}

/* the title names the field that was refused; NULL: none was */
static void show_refused(struct submit_window *w, const struct form_field *field)
{
    struct dstr title = DSTR_INIT;
    const struct submit_place *place = field != NULL ? submit_place_of(field, QSUB) : NULL;
    if (place != NULL)
        dstr_addf(&title, MSG_QMON_REFUSED_S, place->label);
    window_title(w->shell, dstr_get(&title));
    dstr_free(&title);
}

/* the keys go to FIELD, and REASON stands beside it; NULL: that of the model */
static void blame_field(struct submit_window *w, const struct form_field *field, const char *reason)
{
    submit_rows_note(w->rows, field, reason);
    submit_rows_go(w->rows, field);
    show_refused(w, field);
}

/* ---- consequences of the form ---- */

static void show_line(struct submit_window *w)
{
    struct dstr line = DSTR_INIT;
    submit_form_line(w->form, &line);
    XmTextFieldSetString(w->line, (char *)dstr_get(&line));
    dstr_free(&line);
}

/* a list of jobs that cannot be waited for says why, as far as the windows know the cell */
static void check_holds(struct submit_window *w, const struct form_field *field)
{
    struct ja_shape array = { 1, 1, 1 };
    struct dstr why = DSTR_INIT;
    if (field->value == NULL || field->wrong != NULL)
        return;
    (void)submit_form_array(w->form, &array);
    bool is_wrong = predecessors_why_not(
        w->q->board, field->value,
        field == submit_form_find(w->form, "-hold_jid_ad", false) ? &array : NULL, &why);
    submit_rows_note(w->rows, field, is_wrong ? dstr_get(&why) : NULL);
    dstr_free(&why);
}

static bool is_of_jobs(const struct form_field *field)
{
    return field->row != NULL && strncmp(field->row->name, "-hold_jid", strlen("-hold_jid")) == 0;
}

static void show_holds(struct submit_window *w)
{
    check_holds(w, submit_form_find(w->form, "-hold_jid", false));
    check_holds(w, submit_form_find(w->form, "-hold_jid_ad", false));
    submit_side_show(w->side, w->form, w->held);
}

static void on_changed(void *ctx, const struct form_field *field)
{
    struct submit_window *w = ctx;
    if (is_of_jobs(field))
        w->held = field;
    if (!w->request.is_open)
        say_text(w, " ");
    show_refused(w, NULL);
    show_line(w);
    show_holds(w);
}

static void show_form(struct submit_window *w)
{
    submit_rows_renew(w->rows);
    show_line(w);
    show_holds(w);
}

static void on_taken(void *ctx, const char *list)
{
    struct submit_window *w = ctx;
    (void)submit_form_set(w->form, w->held, list);
    show_form(w);
}

/* ---- scripts and files ---- */

static void show_script(struct submit_window *w, const char *path)
{
    struct dstr text = DSTR_INIT;
    if (script_read(path, &text, NULL) == 0)
        submit_side_script(w->side, dstr_get(&text));
    dstr_free(&text);
}

static void take_script(void *ctx, const char *path)
{
    struct submit_window *w = ctx;
    struct answer ans = ANSWER_INIT;
    if (submit_form_take_script(w->form, path, &ans) == 0) {
        show_script(w, path);
        show_form(w);
    } else {
        say_text(w, ans_first_error(&ans));
    }
    ans_free(&ans);
}

static void load_file(void *ctx, const char *path)
{
    struct submit_window *w = ctx;
    struct answer ans = ANSWER_INIT;
    if (submit_form_load(w->form, path, &ans) == 0)
        show_form(w);
    else
        say_text(w, ans_first_error(&ans));
    ans_free(&ans);
}

/* what its #$ lines say by now */
static void reload_script(void *ctx)
{
    struct submit_window *w = ctx;
    struct answer ans = ANSWER_INIT;
    struct dstr path = DSTR_INIT;
    if (submit_form_reload(w->form, &ans) == 0) {
        (void)submit_form_script(w->form, &path);
        show_script(w, dstr_get(&path));
        show_form(w);
    }
    say_text(w, ans.n > 0 ? ans_first_error(&ans) : MSG_JOBS_RELOADED);
    dstr_free(&path);
    ans_free(&ans);
}

/* the script of the form is read again; another one becomes its script */
static void on_saved(void *ctx, const char *path)
{
    struct submit_window *w = ctx;
    struct dstr mine = DSTR_INIT;
    if (submit_form_script(w->form, &mine) && strcmp(dstr_get(&mine), path) == 0)
        reload_script(w);
    else
        take_script(w, path);
    dstr_free(&mine);
}

static void edit_file(void *ctx, const char *path)
{
    struct submit_window *w = ctx;
    if (path[0] == '\0')
        return;
    if (w->script == NULL)
        w->script = script_window_new(w->q, on_saved, w);
    script_window_open(w->script, path);
}

static void edit_script(void *ctx)
{
    struct submit_window *w = ctx;
    struct dstr path = DSTR_INIT;
    if (submit_form_script(w->form, &path))
        edit_file(w, dstr_get(&path));
    else
        window_ask(w->shell, "editScript", edit_file, w);
    dstr_free(&path);
}

static void add_settings(void *ctx, struct dstr *out)
{
    submit_form_text(((struct submit_window *)ctx)->form, out);
}

static void ask_script(void *ctx)
{
    window_ask(((struct submit_window *)ctx)->shell, "takeScript", take_script, ctx);
}

static void ask_load(void *ctx)
{
    window_ask(((struct submit_window *)ctx)->shell, "loadForm", load_file, ctx);
}

static void ask_save(void *ctx)
{
    struct submit_window *w = ctx;
    window_save(w->shell, w->said, add_settings, w);
}

/* ---- submitting ---- */

static void on_submitted(void *ctx, bool is_good, const char *said)
{
    struct submit_window *w = ctx;
    const struct form_field *blamed = is_good ? NULL : submit_form_blamed(w->form, said);
    say_text(w, said);
    if (blamed != NULL)
        blame_field(w, blamed, said);
}

static void run_form(struct submit_window *w)
{
    struct words words = WORDS_INIT;
    struct answer ans = ANSWER_INIT;
    submit_form_words(w->form, &words);
    int result = form_request_send(&w->request, &words, &ans);
    say_text(w, result == 0 ? MSG_QMON_SUBMITTING : ans_first_error(&ans));
    words_free(&words);
    ans_free(&ans);
}

static void submit_job(void *ctx)
{
    struct submit_window *w = ctx;
    const struct form_field *wrong = submit_form_wrong(w->form);
    const struct form_field *command = submit_form_at(w->form, 0);
    if (w->request.is_open)
        return;
    if (wrong != NULL)
        blame_field(w, wrong, NULL);
    else if (command->value == NULL)
        blame_field(w, command, MSG_QMON_NO_COMMAND);
    else
        run_form(w);
}

/* the same in a terminal, through qrsh; without a command that is a login */
static void run_interactive(void *ctx)
{
    struct submit_window *w = ctx;
    const struct form_field *wrong = submit_form_wrong(w->form);
    struct words words = WORDS_INIT;
    struct answer ans = ANSWER_INIT;
    if (wrong != NULL) {
        blame_field(w, wrong, NULL);
        return;
    }
    submit_form_words(w->form, &words);
    int result = terminal_start(w->q, "qrsh", &words, &ans);
    say_text(w, result == 0 ? MSG_QMON_INTERACTIVE : ans_first_error(&ans));
    words_free(&words);
    ans_free(&ans);
}

static void clear_form(void *ctx)
{
    struct submit_window *w = ctx;
    submit_form_clear(w->form);
    submit_side_script(w->side, "");
    say_text(w, "");
    show_form(w);
}

static const struct window_button acts[] = {
    BUTTON("submit", submit_job),
    BUTTON("interactive", run_interactive),
    BUTTON("clear", clear_form),
    BUTTON("script", ask_script),
    BUTTON("edit", edit_script),
    BUTTON("reload", reload_script),
    BUTTON("load", ask_load),
    BUTTON("save", ask_save),
    BUTTON_CLOSE,
};

/* ---- the window ---- */

static void make_line(struct submit_window *w, Widget form, Widget above)
{
    w->line = XtVaCreateManagedWidget("line", xmTextFieldWidgetClass, form, XmNeditable, False,
                                      XmNbottomAttachment, XmATTACH_WIDGET, XmNbottomWidget, above,
                                      XmNleftAttachment, XmATTACH_FORM, XmNrightAttachment,
                                      XmATTACH_FORM, NULL);
}

static void make_body(struct submit_window *w, Widget form)
{
    struct window_frame made = window_frame(form, "submitForm", acts, ARRAY_LEN(acts), w);
    w->said = made.said;
    make_line(w, form, made.buttons);
    Widget above = made.menu, below = w->line;
    Widget beside = XtVaCreateManagedWidget(
        "side", xmFormWidgetClass, form, XmNtopAttachment, XmATTACH_WIDGET, XmNtopWidget, above,
        XmNbottomAttachment, XmATTACH_WIDGET, XmNbottomWidget, below, XmNrightAttachment,
        XmATTACH_FORM, XmNleftAttachment, XmATTACH_POSITION, XmNleftPosition, 70, NULL);
    w->side = submit_side_new(beside, w->q->paint, w->q->board, w->q->user, on_taken, w);
    Widget scrolled = window_scrolled(form, "scrolled");
    window_between(scrolled, above, below);
    XtVaSetValues(scrolled, XmNrightAttachment, XmATTACH_POSITION, XmNrightPosition, 69, NULL);
    w->rows = submit_rows_new(scrolled, w->form, on_changed, w);
}

static struct submit_window *make_window(struct qmon *q)
{
    struct submit_window *w = uti_calloc(1, sizeof *w);
    struct answer ans = ANSWER_INIT;
    w->q = q;
    w->request = (struct form_request){ .q = q, .done = on_submitted, .ctx = w };
    int result = submitter_init(&w->by, environ, &ans);
    w->form = submit_form_new(&w->by);
    w->held = submit_form_find(w->form, "-hold_jid_ad", false);
    w->shell = window_shell(q, "submitJob");
    make_body(w, XtVaCreateManagedWidget("form", xmFormWidgetClass, w->shell, XmNfractionBase, 100,
                                         NULL));
    if (result != 0)
        say_text(w, ans_first_error(&ans));
    ans_free(&ans);
    return w;
}

void submit_window_open(void *ctx)
{
    struct qmon *q = ctx;
    if (q->submit == NULL)
        q->submit = make_window(q);
    show_form(q->submit);
    window_title(q->submit->shell, "");
    window_open(q->submit->shell);
    submit_rows_ask_names(q->submit->rows, q, q->submit->said);
    submit_rows_go(q->submit->rows, NULL);
}

void submit_window_refresh(struct submit_window *w)
{
    if (w != NULL)
        show_holds(w);
}

void submit_window_free(struct submit_window *w)
{
    if (w == NULL)
        return;
    form_request_free(&w->request);
    script_window_free(w->script);
    submit_side_free(w->side);
    submit_rows_free(w->rows);
    submit_form_free(w->form);
    submitter_free(&w->by);
    free(w);
}
