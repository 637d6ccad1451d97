/* Documents: which form writes them, the stack of what is open, and values as words. The one place
 * where the numbers and times of text and XML are written. */
#include "libs/doc/doc.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/doc/doc_priv.h"
#include "libs/doc/msg_doc.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

/* ---- text ---- */
/* A document as a page of text: fields one after another, each in its column, and what ends the
 * record. Lists and the names of things leave no trace; headings are the command's (doc_page).
 * Fields are written as they come, or all of a line at once (doc_gather). A failed write stays in
 * the stream, where output_finish finds it. */

static int text_open(struct doc *d, const char *indent, struct answer *ans)
{
    (void)d;
    (void)indent;
    (void)ans;
    return 0;
}

static void flush_line(struct doc *d)
{
    if (d->line.len > 0)
        (void)fwrite_unlocked(d->line.s, 1, d->line.len, d->out);
    dstr_clear(&d->line);
}

static void add_words(struct doc *d, const char *text)
{
    if (text != NULL)
        dstr_add(&d->line, text);
}

static void end_line(struct doc *d, struct doc_frame *f)
{
    if (!f->is_list && !f->is_ended)
        add_words(d, f->kind->end);
    flush_line(d);
    f->is_ended = true;
}

/* what stands in a record comes below its line */
static void text_begin(struct doc *d, struct doc_frame *f)
{
    struct doc_frame *outer = doc_outer(d);
    (void)f;
    if (outer != NULL)
        end_line(d, outer);
}

/* TEXT, MOST bytes of it at most, in a column of WIDTH, as printf's; then what comes AFTER */
static void add_cell(struct doc *d, const char *text, size_t most, int width, const char *after)
{
    size_t len = strnlen(text, most), wanted = (size_t)abs(width), end = strlen(after);
    size_t column = len < wanted ? wanted : len, before = width > 0 ? column - len : 0;
    char *at = dstr_extend(&d->line, column + end);
    if (column > len)
        memset(at, ' ', column);
    memcpy(at + before, text, len);
    memcpy(at + column, after, end);
}

static void text_field(struct doc *d, const struct doc_field *field, const struct doc_value *value)
{
    const struct doc_frame *f = doc_top(d);
    const char *words =
        value->is_hidden ? "" : doc_words(d, value, field->text.digits, field->text.time);
    if (f != NULL && f->kind->label > 0)
        add_cell(d, field->name, SIZE_MAX, -f->kind->label, "");
    add_words(d, field->text.before);
    add_cell(d, words, field->text.most > 0 ? (size_t)field->text.most : SIZE_MAX,
             field->text.width, field->text.after != NULL ? field->text.after : "");
    if (!d->gathers)
        flush_line(d);
}

static int text_close(struct doc *d, struct answer *ans)
{
    (void)d;
    (void)ans;
    return 0;
}

const struct doc_writer doc_text_writer = {
    .open = text_open,
    .begin = text_begin,
    .end = end_line,
    .field = text_field,
    .gathered = flush_line,
    .close = text_close,
};

struct doc *doc_open(enum doc_form form, FILE *out, const char *indent, struct answer *ans)
{
    struct doc *d = uti_calloc(1, sizeof *d);
    d->form = form != 0 ? form : DOC_TEXT;
    d->out = out;
    d->writer = form == DOC_XML    ? &doc_xml_writer
                : form == DOC_JSON ? &doc_json_writer
                                   : &doc_text_writer;
    if (d->writer->open(d, indent, ans) < 0) {
        free(d);
        return NULL;
    }
    return d;
}

struct doc_frame *doc_top(struct doc *d)
{
    return d->depth > 0 ? &d->stack[d->depth - 1] : NULL;
}

struct doc_frame *doc_outer(struct doc *d)
{
    return d->depth > 1 ? &d->stack[d->depth - 2] : NULL;
}

static void open_frame(struct doc *d, const struct doc_kind *kind, bool is_list)
{
    d->stack = uti_vec_grow(d->stack, &d->cap, d->depth + 1, sizeof *d->stack);
    d->stack[d->depth++] = (struct doc_frame){ .kind = kind, .is_list = is_list };
    d->writer->begin(d, doc_top(d));
}

void doc_begin(struct doc *d, const struct doc_kind *kind)
{
    open_frame(d, kind, false);
}

void doc_list(struct doc *d, const struct doc_kind *kind)
{
    open_frame(d, kind, true);
}

void doc_end(struct doc *d)
{
    struct doc_frame *f = doc_top(d);
    if (f == NULL)
        return;
    d->writer->end(d, f);
    free(f->owner);
    d->depth--;
}

void doc_field(struct doc *d, const struct doc_field *field, struct doc_value value)
{
    if (field->only == 0 || (field->only & d->form) != 0)
        d->writer->field(d, field, &value);
}

void doc_gather(struct doc *d)
{
    d->gathers = true;
}

void doc_gathered(struct doc *d)
{
    d->gathers = false;
    if (d->writer->gathered != NULL)
        d->writer->gathered(d);
}

enum doc_form doc_form_of(const struct doc *d)
{
    return d->form;
}

FILE *doc_page(struct doc *d)
{
    return d->form == DOC_TEXT ? d->out : NULL;
}

static void free_doc(struct doc *d)
{
    for (; d->depth > 0; d->depth--)
        free(doc_top(d)->owner);
    free(d->stack);
    dstr_free(&d->scratch);
    dstr_free(&d->line);
    free(d);
}

int doc_close(struct doc *d, struct answer *ans)
{
    while (d->depth > 0)
        doc_end(d);
    int result = d->writer->close(d, ans);
    free_doc(d);
    return result;
}

void doc_drop(struct doc *d)
{
    if (d->writer->drop != NULL)
        d->writer->drop(d);
    free_doc(d);
}

const char *doc_digits(uint64_t n, char digits[DOC_DIGITS])
{
    char *at = digits + DOC_DIGITS - 1;
    *at = '\0';
    do
        *--at = (char)('0' + n % 10);
    while ((n /= 10) > 0);
    return at;
}

static void add_digits(struct dstr *out, uint64_t n)
{
    char digits[DOC_DIGITS];
    dstr_add(out, doc_digits(n, digits));
}

static void add_time(uint64_t at_s, enum doc_time time, struct dstr *out)
{
    switch (time) {
    case DOC_SECONDS:
        add_digits(out, at_s);
        break;
    case DOC_US_DATE:
        uti_time_us_date(at_s, out);
        break;
    case DOC_CTIME:
        uti_time_ctime(at_s, out);
        break;
    case DOC_ISO:
        uti_time_iso(at_s, out);
        break;
    }
}

static const char *moment_words(struct doc *d, uint64_t at_s, enum doc_time time)
{
    if (d->last_moment.words[0] != '\0' && d->last_moment.at_s == at_s &&
        d->last_moment.time == time)
        return d->last_moment.words;
    dstr_clear(&d->scratch);
    add_time(at_s, time, &d->scratch);
    if (d->scratch.len < sizeof d->last_moment.words) {
        d->last_moment.at_s = at_s;
        d->last_moment.time = time;
        memcpy(d->last_moment.words, dstr_get(&d->scratch), d->scratch.len + 1);
    }
    return dstr_get(&d->scratch);
}

static const char *real_words(struct doc *d, double value, int digits)
{
    if (d->last_real.words[0] != '\0' && d->last_real.digits == digits &&
        memcmp(&d->last_real.value, &value, sizeof value) == 0)
        return d->last_real.words;
    dstr_clear(&d->scratch);
    dstr_add_decimal(&d->scratch, value, digits);
    if (d->scratch.len < sizeof d->last_real.words) {
        d->last_real.value = value;
        d->last_real.digits = digits;
        memcpy(d->last_real.words, dstr_get(&d->scratch), d->scratch.len + 1);
    }
    return dstr_get(&d->scratch);
}

const char *doc_words(struct doc *d, const struct doc_value *value, int digits, enum doc_time time)
{
    if (value->shown != NULL)
        return value->shown;
    switch (value->type) {
    case DOC_NONE:
        return "";
    case DOC_STRING:
        return value->as.string;
    case DOC_BOOL:
        return value->as.is_true ? "true" : "false";
    case DOC_NUMBER:
        return doc_digits(value->as.number, d->digits);
    case DOC_SIGNED:
        if (value->as.signed_number >= 0)
            return doc_digits((uint64_t)value->as.signed_number, d->digits);
        dstr_clear(&d->scratch);
        dstr_addf(&d->scratch, "%lld", (long long)value->as.signed_number);
        break;
    case DOC_REAL:
        return real_words(d, value->as.real, digits);
    case DOC_MOMENT:
        return moment_words(d, value->as.number, time);
    }
    return dstr_get(&d->scratch);
}

/* ---- shared objects, which only some documents need ---- */
/* bin/<arch>/qstat finds ../../lib/<arch>/, a program in a build tree ../../libs/doc/ */
static char *library_path(const char *format, const char *file)
{
    char exe[4096];
    ssize_t len = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (len <= 0)
        return NULL;
    exe[len] = '\0';
    char *slash = strrchr(exe, '/');
    if (slash != NULL)
        *slash = '\0';
    struct dstr path = DSTR_INIT;
    for (const char *at = format; *at != '\0'; at++) {
        if (*at == '@')
            dstr_add(&path, exe);
        else if (*at == '#')
            dstr_add(&path, os_arch());
        else
            dstr_addc(&path, *at);
    }
    dstr_add(&path, file);
    return dstr_take(&path);
}

static void *open_first(const char *file, struct answer *ans)
{
    static const char *const places[] = { "@/../../lib/#/", "@/../../libs/doc/", "@/" };
    const char *reason = strerror(ENOENT);
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        char *path = library_path(places[i], file);
        bool is_there = path != NULL && access(path, R_OK) == 0;
        /* unloading would lose what the libraries keep for themselves */
        void *library = is_there ? dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) : NULL;
        if (is_there && library == NULL)
            reason = dlerror();
        free(path);
        if (library != NULL)
            return library;
    }
    return ans_null(ans, STATUS_ESYSTEM, MSG_LIBRARY_LOAD_SS, file, reason);
}

const void *library_load(const char *file, const char *symbol, int version, struct answer *ans)
{
    void *library = open_first(file, ans);
    if (library == NULL)
        return NULL;
    const int *table = dlsym(library, symbol);
    if (table != NULL && *table == version)
        return table;
    (void)dlclose(library);
    return ans_null(ans, STATUS_ESYSTEM, MSG_LIBRARY_LOAD_SS, file, "wrong version");
}
