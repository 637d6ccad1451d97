/* Submit Job: the form of a job that is to be, what it would wait for, and the qsub line that it
 * is. That very line is run, so that a job from here is a job from a shell. */
#include <Xm/Form.h>
#include <Xm/Label.h>
#include <Xm/List.h>
#include <Xm/RowColumn.h>
#include <Xm/ScrolledW.h>
#include <Xm/Text.h>
#include <Xm/TextF.h>
#include <Xm/ToggleB.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/qmon/msg_qmon.h"
#include "clients/qmon/qsub_run.h"
#include "clients/qmon/submit_rows.h"
#include "clients/qmon/window.h"
#include "clients/qmon/windows.h"
#include "libs/cli/script.h"
#include "libs/cli/submitter.h"
#include "libs/gdi/cell.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/view/holds.h"

enum { SAVED_MODE = 0600, CHUNK_LINES = 200, CANDIDATES = 100 };

struct submit_window {
    struct qmon *q;
    struct submitter by;
    struct submit_form *form;
    struct submit_rows *rows;
    const struct form_field *held; /* the field of jobs that was typed into last */
    Widget shell, said, line, chunks, script, candidates;
    char *listed;    /* owned: what `candidates` shows, a line each */
    bool is_running; /* a qsub is under way */
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

/* ---- what follows from the form ---- */

static void show_line(struct submit_window *w)
{
    struct dstr line = DSTR_INIT;
    submit_form_line(w->form, &line);
    XmTextFieldSetString(w->line, (char *)dstr_get(&line));
    dstr_free(&line);
}

static const struct form_field *array_holds(const struct submit_window *w)
{
    return submit_form_find(w->form, "-hold_jid_ad", false);
}

/* a list of jobs that cannot be waited for says why, as far as the windows know the cell */
static void check_holds(struct submit_window *w, const struct form_field *field)
{
    struct ja_shape array = { 1, 1, 1 };
    struct dstr why = DSTR_INIT;
    if (field->value == NULL || field->wrong != NULL)
        return;
    (void)submit_form_array(w->form, &array);
    bool is_wrong =
        holds_why_not(w->q->board, field->value, field == array_holds(w) ? &array : NULL, &why);
    submit_rows_note(w->rows, field, is_wrong ? dstr_get(&why) : NULL);
    dstr_free(&why);
}

/* a text that is only read; as long as it is the same, it stays where it was scrolled to */
static void show_text(Widget text, const char *news)
{
    char *now = XmTextGetString(text);
    if (strcmp(now, news) != 0)
        XmTextSetString(text, (char *)news);
    XtFree(now);
}

static void show_chunks(struct submit_window *w)
{
    struct ja_shape before, array;
    struct dstr text = DSTR_INIT;
    const char *list = array_holds(w)->value;
    if (list != NULL && holds_first(w->q->board, list, &before) &&
        submit_form_array(w->form, &array) && ja_same_range(&before, &array))
        chunks_text(&before, &array, CHUNK_LINES, &text);
    show_text(w->chunks, dstr_get(&text));
    dstr_free(&text);
}

/* TEXT has a line for each of them */
static void list_candidates(struct submit_window *w, struct dstr *text)
{
    XmListDeleteAllItems(w->candidates);
    for (char *at = text->s, *line; at != NULL && (line = strsep(&at, "\n")) != NULL;) {
        XmString item = XmStringCreateLocalized(line);
        if (*line != '\0')
            XmListAddItem(w->candidates, item, 0);
        XmStringFree(item);
    }
}

/* as long as they are the same, what the user has chosen there stays */
static void show_candidates(struct submit_window *w)
{
    struct dstr text = DSTR_INIT;
    holds_complete(w->q->board, w->held->value != NULL ? w->held->value : "", w->q->user,
                   CANDIDATES, &text);
    if (w->listed == NULL || strcmp(w->listed, dstr_get(&text)) != 0) {
        free(w->listed);
        w->listed = uti_strdup(dstr_get(&text));
        list_candidates(w, &text);
    }
    dstr_free(&text);
}

static bool is_of_jobs(const struct form_field *field)
{
    return field->row != NULL && strncmp(field->row->name, "-hold_jid", strlen("-hold_jid")) == 0;
}

static void show_holds(struct submit_window *w)
{
    check_holds(w, submit_form_find(w->form, "-hold_jid", false));
    check_holds(w, array_holds(w));
    show_chunks(w);
    show_candidates(w);
}

static void on_changed(void *ctx, const struct form_field *field)
{
    struct submit_window *w = ctx;
    if (is_of_jobs(field))
        w->held = field;
    show_line(w);
    show_holds(w);
}

static void show_form(struct submit_window *w)
{
    submit_rows_renew(w->rows);
    show_line(w);
    show_holds(w);
}

/* the last word of the list gives way to the number of the job that was chosen */
static void on_candidate(Widget list SGE_UNUSED, XtPointer ctx, XtPointer call)
{
    struct submit_window *w = ctx;
    struct dstr value = DSTR_INIT;
    char *item = XmStringUnparse(((XmListCallbackStruct *)call)->item, NULL, XmCHARSET_TEXT,
                                 XmCHARSET_TEXT, NULL, 0, XmOUTPUT_ALL);
    const char *now = w->held->value != NULL ? w->held->value : "";
    const char *comma = strrchr(now, ',');
    dstr_addn(&value, now, comma != NULL ? (size_t)(comma - now) + 1 : 0);
    dstr_addn(&value, item, strcspn(item, " "));
    (void)submit_form_set(w->form, w->held, dstr_get(&value));
    show_form(w);
    XtFree(item);
    dstr_free(&value);
}

/* ---- scripts and files ---- */

static void show_script(struct submit_window *w, const char *path)
{
    struct dstr text = DSTR_INIT;
    if (script_read(path, &text, NULL) == 0)
        show_text(w->script, dstr_get(&text));
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

/* a file that is there stays as it is */
static int write_form(const struct submit_window *w, const char *path, struct answer *ans)
{
    struct dstr text = DSTR_INIT;
    if (access(path, F_OK) == 0)
        return ans_fail(ans, STATUS_EEXIST, MSG_QMON_EXISTS_S, path);
    submit_form_text(w->form, &text);
    int result = file_write(path, dstr_get(&text), text.len, SAVED_MODE, ans);
    dstr_free(&text);
    return result;
}

static void save_file(void *ctx, const char *path)
{
    struct submit_window *w = ctx;
    struct answer ans = ANSWER_INIT;
    if (write_form(w, path, &ans) == 0)
        ans_info(&ans, MSG_QMON_SAVED_S, path);
    say_text(w, ans.v[ans.n - 1].text);
    ans_free(&ans);
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
    window_ask(((struct submit_window *)ctx)->shell, "saveForm", save_file, ctx);
}

/* ---- submitting ---- */

/* the field that a refusal speaks of, by the name of its option; NULL: none */
static const struct form_field *blamed_field(const struct submit_window *w, const char *said)
{
    for (uint32_t i = 1; i < submit_form_count(w->form); i++) {
        const struct form_field *field = submit_form_at(w->form, i);
        const char *at = field->value != NULL ? strstr(said, field->row->name) : NULL;
        if (at != NULL && strchr(" :\",\n", at[strlen(field->row->name)]) != NULL)
            return field;
    }
    return NULL;
}

static void on_submitted(void *ctx, bool is_good, const char *said)
{
    struct submit_window *w = ctx;
    const struct form_field *blamed = is_good ? NULL : blamed_field(w, said);
    w->is_running = false;
    say_text(w, said);
    if (blamed == NULL)
        return;
    submit_rows_go(w->rows, blamed);
    submit_rows_note(w->rows, blamed, said);
}

static void run_form(struct submit_window *w)
{
    struct words words = WORDS_INIT;
    struct answer ans = ANSWER_INIT;
    submit_form_words(w->form, &words);
    w->is_running = qsub_run(w->q->app, w->q->cell->bin_dir, &words, on_submitted, w, &ans) == 0;
    say_text(w, w->is_running ? MSG_QMON_SUBMITTING : ans_first_error(&ans));
    words_free(&words);
    ans_free(&ans);
}

static void submit_job(void *ctx)
{
    struct submit_window *w = ctx;
    const struct form_field *wrong = submit_form_wrong(w->form);
    if (w->is_running)
        return;
    if (wrong == NULL && submit_form_at(w->form, 0)->value == NULL) {
        wrong = submit_form_at(w->form, 0);
        submit_rows_note(w->rows, wrong, MSG_QMON_NO_COMMAND);
    }
    if (wrong != NULL)
        submit_rows_go(w->rows, wrong);
    else
        run_form(w);
}

static void clear_form(void *ctx)
{
    struct submit_window *w = ctx;
    submit_form_clear(w->form);
    show_text(w->script, "");
    say_text(w, "");
    show_form(w);
}

static void close_window(void *ctx)
{
    window_close(((struct submit_window *)ctx)->shell);
}

static const struct window_button acts[] = {
    { "submit", submit_job }, { "clear", clear_form }, { "script", ask_script },
    { "load", ask_load },     { "save", ask_save },    { "close", close_window },
};

/* ---- the window ---- */

static void on_page(Widget button, XtPointer ctx, XtPointer call)
{
    if (((XmToggleButtonCallbackStruct *)call)->set)
        submit_rows_page(((struct submit_window *)ctx)->rows,
                         strcmp(XtName(button), "advancedPage") == 0);
}

static Widget make_pages(struct submit_window *w, Widget form)
{
    static const char *const names[] = { "generalPage", "advancedPage" };
    Widget bar = window_menu(form, "submitMenu", acts, ARRAY_LEN(acts), w);
    XtVaSetValues(bar, XmNtopAttachment, XmATTACH_FORM, XmNleftAttachment, XmATTACH_FORM,
                  XmNrightAttachment, XmATTACH_FORM, NULL);
    Widget box = XmCreateRadioBox(form, "whichPage", NULL, 0);
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        Widget one =
            XtVaCreateManagedWidget(names[i], xmToggleButtonWidgetClass, box, XmNset, i == 0, NULL);
        XtAddCallback(one, XmNvalueChangedCallback, on_page, w);
    }
    XtVaSetValues(box, XmNtopAttachment, XmATTACH_WIDGET, XmNtopWidget, bar, XmNleftAttachment,
                  XmATTACH_FORM, NULL);
    XtManageChild(box);
    return box;
}

/* a label over a text that is only read, between FROM and TO percent of the height */
static Widget make_text(Widget form, const char *name, int from, int to)
{
    Widget label =
        XtVaCreateManagedWidget(name, xmLabelWidgetClass, form, XmNtopAttachment, XmATTACH_POSITION,
                                XmNtopPosition, from, XmNleftAttachment, XmATTACH_FORM, NULL);
    Arg args[8];
    Cardinal n = 0;
    XtSetArg(args[n], XmNeditable, False), n++;
    XtSetArg(args[n], XmNeditMode, XmMULTI_LINE_EDIT), n++;
    Widget text = XmCreateScrolledText(form, (char *)"readText", args, n);
    XtVaSetValues(XtParent(text), XmNtopAttachment, XmATTACH_WIDGET, XmNtopWidget, label,
                  XmNbottomAttachment, XmATTACH_POSITION, XmNbottomPosition, to, XmNleftAttachment,
                  XmATTACH_FORM, XmNrightAttachment, XmATTACH_FORM, NULL);
    XtManageChild(text);
    return text;
}

static void make_candidates(struct submit_window *w, Widget form)
{
    Widget label =
        XtVaCreateManagedWidget("candidatesLabel", xmLabelWidgetClass, form, XmNtopAttachment,
                                XmATTACH_FORM, XmNleftAttachment, XmATTACH_FORM, NULL);
    w->candidates = XmCreateScrolledList(form, (char *)"candidates", NULL, 0);
    XtVaSetValues(XtParent(w->candidates), XmNtopAttachment, XmATTACH_WIDGET, XmNtopWidget, label,
                  XmNbottomAttachment, XmATTACH_POSITION, XmNbottomPosition, 30, XmNleftAttachment,
                  XmATTACH_FORM, XmNrightAttachment, XmATTACH_FORM, NULL);
    XtAddCallback(w->candidates, XmNdefaultActionCallback, on_candidate, w);
    XtManageChild(w->candidates);
}

/* what stands beside the rows */
static Widget make_side(struct submit_window *w, Widget form, Widget above, Widget below)
{
    Widget side = XtVaCreateManagedWidget(
        "side", xmFormWidgetClass, form, XmNtopAttachment, XmATTACH_WIDGET, XmNtopWidget, above,
        XmNbottomAttachment, XmATTACH_WIDGET, XmNbottomWidget, below, XmNrightAttachment,
        XmATTACH_FORM, XmNleftAttachment, XmATTACH_POSITION, XmNleftPosition, 70, NULL);
    make_candidates(w, side);
    w->chunks = make_text(side, "chunksLabel", 31, 65);
    w->script = make_text(side, "scriptLabel", 66, 100);
    return side;
}

/* the line, the buttons and what was said, from the bottom up; returns the highest */
static Widget make_foot(struct submit_window *w, Widget form)
{
    w->said = XtVaCreateManagedWidget("said", xmLabelWidgetClass, form, XmNbottomAttachment,
                                      XmATTACH_FORM, XmNleftAttachment, XmATTACH_FORM,
                                      XmNrightAttachment, XmATTACH_FORM, NULL);
    Widget row = XtVaCreateManagedWidget(
        "acts", xmRowColumnWidgetClass, form, XmNorientation, XmHORIZONTAL, XmNbottomAttachment,
        XmATTACH_WIDGET, XmNbottomWidget, w->said, XmNleftAttachment, XmATTACH_FORM, NULL);
    window_buttons(row, acts, ARRAY_LEN(acts), w);
    w->line = XtVaCreateManagedWidget("line", xmTextFieldWidgetClass, form, XmNeditable, False,
                                      XmNbottomAttachment, XmATTACH_WIDGET, XmNbottomWidget, row,
                                      XmNleftAttachment, XmATTACH_FORM, XmNrightAttachment,
                                      XmATTACH_FORM, NULL);
    return w->line;
}

/* the keys go to a row that is not seen: then it is to be seen */
static void on_obscured(Widget scrolled, XtPointer ctx SGE_UNUSED, XtPointer call)
{
    enum { MARGIN = 20 };
    XmScrollVisible(scrolled, ((XmTraverseObscuredCallbackStruct *)call)->traversal_destination,
                    MARGIN, MARGIN);
}

static void make_body(struct submit_window *w, Widget form)
{
    Widget above = make_pages(w, form), below = make_foot(w, form);
    (void)make_side(w, form, above, below);
    Widget scrolled = XtVaCreateManagedWidget(
        "scrolled", xmScrolledWindowWidgetClass, form, XmNscrollingPolicy, XmAUTOMATIC,
        XmNtopAttachment, XmATTACH_WIDGET, XmNtopWidget, above, XmNbottomAttachment,
        XmATTACH_WIDGET, XmNbottomWidget, below, XmNleftAttachment, XmATTACH_FORM,
        XmNrightAttachment, XmATTACH_POSITION, XmNrightPosition, 69, NULL);
    XtAddCallback(scrolled, XmNtraverseObscuredCallback, on_obscured, NULL);
    w->rows = submit_rows_new(scrolled, w->form, on_changed, w);
}

static struct submit_window *make_window(struct qmon *q)
{
    struct submit_window *w = uti_calloc(1, sizeof *w);
    struct answer ans = ANSWER_INIT;
    w->q = q;
    int result = submitter_init(&w->by, environ, &ans);
    w->form = submit_form_new(&w->by);
    w->held = array_holds(w);
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
    submit_rows_go(q->submit->rows, submit_form_at(q->submit->form, 0));
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
    free(w->listed);
    submit_rows_free(w->rows);
    submit_form_free(w->form);
    submitter_free(&w->by);
    free(w);
}
