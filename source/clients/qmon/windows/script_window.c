/* Editing a script. Invariant: `was` is what the file said when it was read or written last, so
 * that a file that others have changed meanwhile is noticed before it is overwritten. */
#include "clients/qmon/windows/windows.h"

#include <Xm/Form.h>
#include <Xm/Text.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clients/qmon/widgets/msg_qmon.h"
#include "clients/qmon/widgets/preferences.h"
#include "clients/qmon/widgets/window.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

enum { NEW_SCRIPT_MODE = 0755, MODE_BITS = 07777 };

struct script_window {
    struct qmon *q;
    script_saved_fn saved;
    void *ctx;
    Widget shell, said, text;
    char *path; /* owned; NULL: none yet */
    char *next; /* owned; the one that is opened if the question is answered so */
    char *was;  /* owned; NULL: there was no file */
};

static void set_string(char **to, const char *text)
{
    char *copy = text != NULL ? uti_strdup(text) : NULL;
    free(*to);
    *to = copy;
}

static void say_failure(struct script_window *w, const struct answer *ans)
{
    window_say(w->said, ans_first_error(ans));
}

/* ---- reading ---- */

static bool is_missing(const char *path)
{
    return access(path, F_OK) != 0 && errno == ENOENT;
}

static int read_script(const char *path, struct dstr *text, struct answer *ans)
{
    if (regular_read(path, SCRIPT_EDIT_MOST, text, ans) != 0)
        return -1;
    if (strlen(dstr_get(text)) != text->len || !utf8_is_valid(dstr_get(text)))
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_JOBS_NO_TEXT_S, path);
    return 0;
}

/* false: the locale has no such letters, so that the text would be written as another one */
static bool can_show(struct script_window *w, const char *text)
{
    XmTextSetString(w->text, (char *)text);
    char *now = XmTextGetString(w->text);
    bool is_same = strcmp(now, text) == 0;
    XtFree(now);
    return is_same;
}

/* TEXT is what the file says; NULL: there is no file yet */
static void show_script(struct script_window *w, const char *path, const char *text)
{
    struct dstr title = DSTR_INIT;
    bool is_shown = can_show(w, text != NULL ? text : MSG_JOBS_NEW_SCRIPT);
    set_string(&w->path, is_shown ? path : NULL);
    set_string(&w->was, text);
    window_say(w->said, !is_shown ? MSG_JOBS_LOCALE : text != NULL ? " " : MSG_JOBS_NEW_FILE);
    dstr_addf(&title, ": %s", path);
    window_title(w->shell, title.s);
    dstr_free(&title);
}

static void load_script(struct script_window *w, const char *path)
{
    struct dstr text = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    if (is_missing(path))
        show_script(w, path, NULL);
    else if (read_script(path, &text, &ans) == 0)
        show_script(w, path, dstr_get(&text));
    else
        say_failure(w, &ans);
    dstr_free(&text);
    ans_free(&ans);
}

static void load_next(void *ctx)
{
    struct script_window *w = ctx;
    load_script(w, w->next);
}

static bool is_edited(const struct script_window *w)
{
    char *now = XmTextGetString(w->text);
    const char *was = w->was != NULL ? w->was : MSG_JOBS_NEW_SCRIPT;
    bool is_other = w->path != NULL && strcmp(now, was) != 0;
    XtFree(now);
    return is_other;
}

/* a copy, because PATH may be the window's own */
static void load_after_question(struct script_window *w, const char *path)
{
    set_string(&w->next, path);
    if (is_edited(w))
        window_confirm(w->shell, "forgetScript", MSG_JOBS_FORGET, load_next, w);
    else
        load_next(w);
}

static void read_again(void *ctx)
{
    struct script_window *w = ctx;
    if (w->path != NULL)
        load_after_question(w, w->path);
}

/* ---- writing ---- */

/* a link stays one: what it leads to is replaced */
static int write_script(const char *path, const char *text, struct answer *ans)
{
    struct stat st;
    char *real = realpath(path, NULL);
    const char *to = real != NULL ? real : path;
    mode_t mode = stat(to, &st) == 0 ? st.st_mode & MODE_BITS : NEW_SCRIPT_MODE;
    int result = file_replace(to, text, strlen(text), mode, ans);
    free(real);
    return result;
}

static void save_script(void *ctx)
{
    struct script_window *w = ctx;
    struct answer ans = ANSWER_INIT;
    char *text = XmTextGetString(w->text);
    if (write_script(w->path, text, &ans) == 0) {
        set_string(&w->was, text);
        window_say(w->said, MSG_JOBS_WRITTEN);
        w->saved(w->ctx, w->path);
    } else {
        say_failure(w, &ans);
    }
    XtFree(text);
    ans_free(&ans);
}

/* has the file another text than when it was read? */
static bool is_file_changed(const struct script_window *w)
{
    struct dstr now = DSTR_INIT;
    bool is_same = w->was != NULL && regular_read(w->path, SCRIPT_EDIT_MOST, &now, NULL) == 0 &&
                   strcmp(dstr_get(&now), w->was) == 0;
    dstr_free(&now);
    return !is_same;
}

static void ask_save(void *ctx)
{
    struct script_window *w = ctx;
    struct dstr question = DSTR_INIT;
    if (w->path == NULL)
        return;
    if (is_missing(w->path)) {
        save_script(w);
        return;
    }
    dstr_addf(&question, is_file_changed(w) ? MSG_JOBS_OVERWRITE_CHANGED_S : MSG_JOBS_OVERWRITE_S,
              w->path);
    window_confirm(w->shell, "overwriteScript", question.s, save_script, w);
    dstr_free(&question);
}

/* ---- the window ---- */

static const struct window_button acts[] = {
    BUTTON("saveScript", ask_save),
    BUTTON("readAgain", read_again),
    BUTTON_CLOSE,
};

struct script_window *script_window_new(struct qmon *q, script_saved_fn saved, void *ctx)
{
    struct script_window *w = uti_calloc(1, sizeof *w);
    *w = (struct script_window){ .q = q, .saved = saved, .ctx = ctx };
    w->shell = window_shell(q, "scriptWindow");
    Widget form = XtVaCreateManagedWidget("form", xmFormWidgetClass, w->shell, NULL);
    struct window_frame made = window_frame(form, "scriptText", acts, ARRAY_LEN(acts), w);
    w->said = made.said;
    w->text = window_text(form, "monoText", true);
    XtVaSetValues(w->text, XmNmaxLength, SCRIPT_EDIT_MOST, NULL);
    window_between(XtParent(w->text), made.menu, made.buttons);
    return w;
}

void script_window_open(struct script_window *w, const char *path)
{
    window_open(w->shell);
    load_after_question(w, path);
    (void)XmProcessTraversal(w->text, XmTRAVERSE_CURRENT);
}

void script_window_free(struct script_window *w)
{
    if (w == NULL)
        return;
    free(w->path);
    free(w->next);
    free(w->was);
    free(w);
}
