/* A document as JSON: records are objects, lists arrays. What stands in a list begins on a line of
 * its own, the members of an object share one. Strings and reals are jansson's; brackets and commas
 * are written here, as the document goes by. */
#include "libs/doc/backend.h"
#include "libs/doc/doc_priv.h"
#include "libs/doc/msg_doc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

static int json_open(struct doc *d, const char *indent, struct answer *ans)
{
    (void)indent;
    d->json =
        library_load(SGE_JSON_BACKEND_FILE, SGE_JSON_BACKEND_SYMBOL, SGE_JSON_BACKEND_VERSION, ans);
    return d->json != NULL ? 0 : -1;
}

static void put_line_break(struct doc *d, uint32_t level)
{
    (void)putc_unlocked('\n', d->out);
    while (level-- > 0)
        (void)fwrite_unlocked("  ", 1, 2, d->out);
}

static void put_string(struct doc *d, const char *text)
{
    struct dstr clean = DSTR_INIT;
    bool is_clean = utf8_is_valid(text);
    if (!is_clean)
        utf8_add_valid(&clean, text);
    if (d->json->string(d->out, is_clean ? text : dstr_get(&clean)) < 0)
        d->is_broken = true;
    dstr_free(&clean);
}

/* the comma, the line and the key before whatever comes next in PARENT; LEVEL: how many are open
 * around it */
static void put_separator(struct doc *d, struct doc_frame *parent, const char *key, uint32_t level)
{
    if (parent->has_children)
        (void)fputs(parent->is_list ? "," : ", ", d->out);
    parent->has_children = true;
    if (parent->is_list) {
        put_line_break(d, level);
        return;
    }
    /* keys are our own words: nothing in them has to be escaped */
    (void)putc_unlocked('"', d->out);
    (void)fputs(key, d->out);
    (void)fputs("\": ", d->out);
}

static void json_begin(struct doc *d, struct doc_frame *f)
{
    const char *key = f->kind->json != NULL ? f->kind->json : f->kind->name;
    if (d->depth > 1)
        put_separator(d, doc_outer(d), key, d->depth - 1);
    (void)putc_unlocked(f->is_list ? '[' : '{', d->out);
}

static void json_end(struct doc *d, struct doc_frame *f)
{
    if (f->is_list && f->has_children)
        put_line_break(d, d->depth - 1);
    (void)putc_unlocked(f->is_list ? ']' : '}', d->out);
}

static void put_value(struct doc *d, const struct doc_value *value)
{
    char digits[DOC_DIGITS];
    switch (value->type) {
    case DOC_NONE:
        (void)fputs("null", d->out);
        break;
    case DOC_STRING:
        put_string(d, value->as.string);
        break;
    case DOC_BOOL:
        (void)fputs(value->as.is_true ? "true" : "false", d->out);
        break;
    case DOC_NUMBER:
    case DOC_MOMENT:
        (void)fputs(doc_digits(value->as.number, digits), d->out);
        break;
    case DOC_SIGNED:
        (void)fprintf(d->out, "%lld", (long long)value->as.signed_number);
        break;
    case DOC_REAL:
        if (d->json->real(d->out, value->as.real) < 0)
            d->is_broken = true;
        break;
    }
}

static void json_field(struct doc *d, const struct doc_field *field, const struct doc_value *value)
{
    const char *key = field->json != NULL ? field->json : field->name;
    put_separator(d, doc_top(d), key, d->depth);
    put_value(d, value);
}

static int json_close(struct doc *d, struct answer *ans)
{
    (void)putc_unlocked('\n', d->out);
    if (d->is_broken || ferror(d->out) != 0)
        return ans_fail(ans, STATUS_ESYSTEM, MSG_JSON_WRITE);
    return 0;
}

const struct doc_writer doc_json_writer = {
    .open = json_open,
    .begin = json_begin,
    .end = json_end,
    .field = json_field,
    .close = json_close,
};
