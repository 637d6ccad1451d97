/* A document as a page of text: fields one after another, each in its column, and what ends the
 * record. Lists and the names of things leave no trace; headings are the command's (doc_page).
 * Fields are written as they come, or all of a line at once (doc_gather). A failed write stays in
 * the stream, where output_finish finds it. */
#include <stdlib.h>
#include <string.h>

#include "clients/common/doc_priv.h"

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
