/* A document as a page of text: fields one after another, each in its column, and what ends the
 * record. Lists and the names of things leave no trace; headings are the command's (doc_page). A
 * failed write stays in the stream, where output_finish finds it. */
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

static void put_words(FILE *out, const char *text)
{
    if (text != NULL)
        (void)fwrite_unlocked(text, 1, strlen(text), out);
}

static void put_blanks(FILE *out, size_t n)
{
    while (n-- > 0)
        (void)putc_unlocked(' ', out);
}

static void end_line(struct doc *d, struct doc_frame *f)
{
    if (!f->is_list && !f->is_ended)
        put_words(d->out, f->kind->end);
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

static void put_padded(FILE *out, const char *text, size_t most, int width)
{
    size_t len = strnlen(text, most), wanted = (size_t)abs(width);
    size_t padding = len < wanted ? wanted - len : 0;
    put_blanks(out, width > 0 ? padding : 0);
    (void)fwrite_unlocked(text, 1, len, out);
    put_blanks(out, width < 0 ? padding : 0);
}

static void text_field(struct doc *d, const struct doc_field *field, const struct doc_value *value)
{
    const struct doc_frame *f = doc_top(d);
    const char *words =
        value->is_hidden ? "" : doc_words(d, value, field->text.digits, field->text.time);
    if (f != NULL && f->kind->label > 0)
        put_padded(d->out, field->name, SIZE_MAX, -f->kind->label);
    put_words(d->out, field->text.before);
    put_padded(d->out, words, field->text.most > 0 ? (size_t)field->text.most : SIZE_MAX,
               field->text.width);
    put_words(d->out, field->text.after);
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
    .close = text_close,
};
