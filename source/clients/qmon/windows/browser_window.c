/* Browser: what there is, as it is: any object as text or XML, the last lines of the qmaster's
 * messages file, and the last events as they come. */
#include "clients/qmon/windows/windows.h"

#include <Xm/Form.h>
#include <Xm/Label.h>
#include <Xm/Text.h>
#include <Xm/TextF.h>
#include <Xm/ToggleB.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/qmon/widgets/choices.h"
#include "clients/qmon/widgets/msg_qmon.h"
#include "clients/qmon/widgets/requests.h"
#include "clients/qmon/widgets/window.h"
#include "libs/doc/doc.h"
#include "libs/gdi/cell.h"
#include "libs/gdi/message.h"
#include "libs/show/printable.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/view/event_log.h"

/* What the browser asks for, and how it is written. No window. */

/* struct browsed_words - "queue all.q": a kind of objects, and the name or number of one; NULL:
 * all */
struct browsed_words {
    enum gdi_target target;
    const char *name; /* borrowed from the text */
};

enum { BROWSED_BYTES = 4 << 20 };

/* ---- objects as text and XML ---- */
/* Objects for the browser, by the descriptors of their types. */

/* the words of commands (sge_object_kindsL.h), shorter ones, and those of what has no kind */
static const struct {
    const char *word;
    enum gdi_target target;
} kinds[] = {
    { "job", GDI_JOB },
    { "instance", GDI_QINSTANCE },
    { "host", GDI_EXECHOST },
    { "adminhost", GDI_ADMINHOST },
    { "submithost", GDI_SUBMITHOST },
    { "manager", GDI_MANAGER },
    { "operator", GDI_OPERATOR },
    { "sharetree", GDI_SHARETREE },
    { "quota", GDI_RQS },
    { "eventclient", GDI_EVENTCLIENT },
#define OBJECT_KIND(name, number, word, ...) { word, GDI_##name },
#include "libs/sgeobj/sge_object_kindsL.h"
#undef OBJECT_KIND
};

static int refuse_word(const char *text, struct answer *ans)
{
    struct dstr words = DSTR_INIT;
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        dstr_addf(&words, " %s", kinds[i].word);
    int result = ans_fail(ans, STATUS_EUNKNOWN, MSG_QMON_WHAT_SS, text, dstr_get(&words));
    dstr_free(&words);
    return result;
}

/* TEXT as such words; 0, or -1 with ans, which names the kinds there are */
static int browsed_read(const char *text, struct browsed_words *out, struct answer *ans)
{
    text += strspn(text, " ");
    size_t len = strcspn(text, " ");
    const char *name = text + len + strspn(text + len, " ");
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if (strlen(kinds[i].word) != len || strncmp(kinds[i].word, text, len) != 0)
            continue;
        *out = (struct browsed_words){ kinds[i].target, *name != '\0' ? name : NULL };
        return 0;
    }
    return refuse_word(text, ans);
}

/* ---- text ---- */

/* does an answer have no objects? */
static bool browsed_is_empty(const struct GA_Type *all)
{
    for (unsigned f = 0; f < cull_GA_Type.n_fields; f++)
        if (cull_GA_Type.fields[f].kind == CULL_LIST && f != GA_answers &&
            ((const struct cull_list *)cull_member(&cull_GA_Type, all, f))->n > 0)
            return false;
    return true;
}

static void add_objects(const struct cull_field *field, const struct cull_list *list,
                        struct dstr *out)
{
    for (uint32_t i = 0; i < list->n && out->len < BROWSED_BYTES; i++) {
        dstr_addf(out, "%s%s\n", out->len > 0 ? "\n" : "", field->element->name);
        record_lines(field->element, cull_list_at(field->element, list, i), 1, out);
    }
}

/* append all objects of an answer, a line for each field; BROWSED_BYTES at most, and a line that
 * says so */
static void browsed_text(const struct GA_Type *all, struct dstr *out)
{
    for (unsigned f = 0; f < cull_GA_Type.n_fields; f++)
        if (cull_GA_Type.fields[f].kind == CULL_LIST && f != GA_answers)
            add_objects(&cull_GA_Type.fields[f], cull_member(&cull_GA_Type, all, f), out);
    if (out->len >= BROWSED_BYTES)
        dstr_add(out, MSG_QMON_CUT);
}

/* ---- XML ---- */

static void write_record(struct doc *d, const struct cull_type *type, const void *record);

static void write_field(struct doc *d, const struct cull_type *type, const void *record, unsigned f)
{
    const struct cull_field *field = &type->fields[f];
    if (field->kind != CULL_LIST) {
        struct dstr text = DSTR_INIT;
        record_field(type, record, f, &text);
        doc_field(d, &(struct doc_field){ .name = field->name }, doc_string(dstr_get(&text)));
        dstr_free(&text);
        return;
    }
    const struct cull_list *list = cull_member(type, record, f);
    doc_list(d, &(struct doc_kind){ .name = field->name });
    for (uint32_t i = 0; i < list->n; i++)
        write_record(d, field->element, cull_list_at(field->element, list, i));
    doc_end(d);
}

static void write_record(struct doc *d, const struct cull_type *type, const void *record)
{
    doc_begin(d, &(struct doc_kind){ .name = type->name });
    for (unsigned f = 0; f < type->n_fields; f++)
        if (cull_is_present(record, f))
            write_field(d, type, record, f);
    doc_end(d);
}

static int write_document(FILE *file, const struct GA_Type *all, struct answer *ans)
{
    struct doc *d = doc_open(DOC_XML, file, "  ", ans);
    if (d == NULL)
        return -1;
    write_record(d, &cull_GA_Type, all);
    return doc_close(d, ans);
}

/* the same as an XML document; 0, or -1 with ans */
static int browsed_xml(const struct GA_Type *all, struct dstr *out, struct answer *ans)
{
    char *text = NULL;
    size_t len = 0;
    FILE *file = open_memstream(&text, &len);
    if (file == NULL)
        return ans_sys(ans, errno, MSG_QMON_XML);
    int result = write_document(file, all, ans);
    if (fclose(file) == 0 && result == 0)
        dstr_addn(out, text, len < BROWSED_BYTES ? len : BROWSED_BYTES);
    if (result == 0 && len > BROWSED_BYTES)
        dstr_add(out, MSG_QMON_CUT);
    free(text);
    return result;
}

enum { MESSAGES_MOST = 64 * 1024 };
enum browser_page { PAGE_EVENTS, PAGE_MESSAGES, PAGE_OBJECT, BROWSER_PAGES };

struct browser_window {
    struct qmon *q;
    Widget shell, said, text, what, pages;
    enum browser_page page;
    struct event_log *log;
    uint64_t n_shown; /* events when the page was drawn */
    bool is_open, is_xml;
};

static const char *const page_names[BROWSER_PAGES] = { "events", "messages", "anObject" };

/* the end is seen, unless it is an object */
static void show_text(struct browser_window *w, const char *text)
{
    XmTextSetString(w->text, (char *)text);
    if (w->page != PAGE_OBJECT)
        XmTextShowPosition(w->text, XmTextGetLastPosition(w->text));
}

/* ---- events ---- */

static void show_events(struct browser_window *w)
{
    struct dstr text = DSTR_INIT, title = DSTR_INIT;
    w->n_shown = event_log_count(w->log);
    event_log_text(w->log, &text);
    show_text(w, dstr_get(&text));
    dstr_addf(&title, MSG_QMON_EVENTS_LUS, (unsigned long long)w->n_shown,
              w->n_shown == 1 ? "" : "s");
    window_title(w->shell, dstr_get(&title));
    dstr_free(&text);
    dstr_free(&title);
}

void browser_window_event(struct browser_window *w, const struct EV_Type *event)
{
    if (w != NULL && w->is_open)
        event_log_add(w->log, event);
}

void browser_window_refresh(struct browser_window *w)
{
    if (w != NULL && w->is_open && w->page == PAGE_EVENTS && w->n_shown != event_log_count(w->log))
        show_events(w);
}

/* ---- messages ---- */

static void show_messages(struct browser_window *w)
{
    char *path = path_join(w->q->cell->qmaster_spool_dir, "messages");
    struct dstr text = DSTR_INIT, clean = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    int result = file_read_tail(path, MESSAGES_MOST, &text, &ans);
    window_say(w->said, result == 0 ? path : ans_first_error(&ans));
    for (char *at = text.s, *line; at != NULL && (line = strsep(&at, "\n")) != NULL;) {
        text_add_printable(&clean, line);
        dstr_addc(&clean, '\n');
    }
    show_text(w, dstr_get(&clean));
    window_title(w->shell, MSG_QMON_MESSAGES);
    dstr_free(&text);
    dstr_free(&clean);
    ans_free(&ans);
    free(path);
}

/* ---- objects ---- */

static void show_object(struct browser_window *w, const struct GA_Type *all)
{
    struct dstr text = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    if (w->is_xml && browsed_xml(all, &text, &ans) != 0)
        window_say(w->said, ans_first_error(&ans));
    if (!w->is_xml)
        browsed_text(all, &text);
    show_text(w, dstr_get(&text));
    dstr_free(&text);
    ans_free(&ans);
}

static void got_object(void *ctx, const struct GA_Type *all, const struct answer *texts)
{
    struct browser_window *w = ctx;
    if (w->page != PAGE_OBJECT)
        return;
    window_say(w->said, all == NULL             ? ans_first_error(texts)
                        : browsed_is_empty(all) ? MSG_QMON_NOTHING
                                                : " ");
    if (all != NULL)
        show_object(w, all);
}

static void ask_object(struct browser_window *w)
{
    struct browsed_words words = { 0 };
    char *what = XmTextFieldGetString(w->what);
    struct dstr title = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    dstr_addf(&title, ": %s", what);
    window_title(w->shell, dstr_get(&title));
    if (browsed_read(what, &words, &ans) == 0)
        (void)ask_get(w->q, words.target, words.name, NULL, got_object, w, w->said);
    else
        window_say(w->said, ans_first_error(&ans));
    XtFree(what);
    dstr_free(&title);
    ans_free(&ans);
}

/* ---- the window ---- */

static void show_page(void *ctx)
{
    struct browser_window *w = ctx;
    window_say(w->said, " ");
    if (w->page == PAGE_EVENTS)
        show_events(w);
    else if (w->page == PAGE_MESSAGES)
        show_messages(w);
    else
        ask_object(w);
}

static void add_text(void *ctx, struct dstr *out)
{
    char *text = XmTextGetString(((struct browser_window *)ctx)->text);
    dstr_add(out, text);
    XtFree(text);
}

static void save_text(void *ctx)
{
    struct browser_window *w = ctx;
    window_save(w->shell, w->said, add_text, w);
}

static const struct window_button acts[] = { BUTTON("reload", show_page), BUTTON("save", save_text),
                                             BUTTON_CLOSE };

static void turn_to(void *ctx, unsigned page)
{
    struct browser_window *w = ctx;
    w->page = (enum browser_page)page;
    choices_set(w->pages, page);
    show_page(w);
}

static void on_what(Widget text SGE_UNUSED, XtPointer ctx, XtPointer call SGE_UNUSED)
{
    turn_to(ctx, PAGE_OBJECT);
}

static void on_xml(Widget button SGE_UNUSED, XtPointer ctx, XtPointer call)
{
    struct browser_window *w = ctx;
    w->is_xml = ((XmToggleButtonCallbackStruct *)call)->set;
    turn_to(w, PAGE_OBJECT);
}

static Widget make_choices(struct browser_window *w, Widget form, Widget menu)
{
    Widget row = choices_row(form, menu);
    w->pages = choices_new(row, "stages", page_names, BROWSER_PAGES, turn_to, w);
    (void)XtVaCreateManagedWidget("whatLabel", xmLabelWidgetClass, row, NULL);
    w->what = XtVaCreateManagedWidget("what", xmTextFieldWidgetClass, row, NULL);
    XtAddCallback(w->what, XmNactivateCallback, on_what, w);
    Widget xml = XtVaCreateManagedWidget("asXml", xmToggleButtonWidgetClass, row, NULL);
    XtAddCallback(xml, XmNvalueChangedCallback, on_xml, w);
    return row;
}

static struct browser_window *make_window(struct qmon *q)
{
    struct browser_window *w = uti_calloc(1, sizeof *w);
    w->q = q;
    w->log = event_log_new();
    w->shell = window_shell(q, "browserWindow");
    window_note_closing(w->shell, &w->is_open);
    Widget form = XtVaCreateManagedWidget("form", xmFormWidgetClass, w->shell, NULL);
    struct window_frame made = window_frame(form, "browse", acts, ARRAY_LEN(acts), w);
    Widget choices = make_choices(w, form, made.menu);
    w->said = made.said;
    w->text = window_text(form, "shown", false);
    window_between(XtParent(w->text), choices, made.buttons);
    return w;
}

void browser_window_open(void *ctx)
{
    struct qmon *q = ctx;
    if (q->browser == NULL)
        q->browser = make_window(q);
    q->browser->is_open = true;
    show_page(q->browser);
    window_open(q->browser->shell);
}

void browser_window_free(struct browser_window *w)
{
    if (w == NULL)
        return;
    event_log_free(w->log);
    free(w);
}
