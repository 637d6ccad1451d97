/* A document as XML: records are elements, their fields elements in them, attributes or their text.
 * White space is the document's indent, or what the kinds say. Below it: elements, which keep text
 * well formed and remember what they hold, so that empty ones look as users know them. After the
 * first failed write everything is a no-op and xml_close fails. */
#include <stdlib.h>
#include <string.h>

#include "libs/doc/backend.h"
#include "libs/doc/doc_priv.h"
#include "libs/doc/msg_doc.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

struct xml {
    const struct xml_backend *backend;
    void *writer;
    char *indent;      /* NULL: none */
    unsigned depth;    /* open elements */
    bool *has_content; /* of each open element */
    uint32_t cap;
    bool is_broken;
};

struct xml *xml_open(FILE *out, const char *indent, struct answer *ans)
{
    const struct xml_backend *backend =
        library_load(SGE_XML_BACKEND_FILE, SGE_XML_BACKEND_SYMBOL, SGE_XML_BACKEND_VERSION, ans);
    if (backend == NULL)
        return NULL;
    void *writer = backend->open(out, indent);
    if (writer == NULL)
        return ans_null(ans, STATUS_ESYSTEM, MSG_XML_WRITE);
    struct xml *x = uti_calloc(1, sizeof *x);
    x->backend = backend;
    x->writer = writer;
    x->indent = indent != NULL ? uti_strdup(indent) : NULL;
    return x;
}

static void note_result(struct xml *x, int result)
{
    if (result < 0)
        x->is_broken = true;
}

static void parent_has_content(struct xml *x)
{
    if (x->depth > 0)
        x->has_content[x->depth - 1] = true;
}

void xml_start(struct xml *x, const char *name)
{
    if (x->is_broken)
        return;
    parent_has_content(x);
    x->has_content = uti_vec_grow(x->has_content, &x->cap, x->depth + 1, sizeof *x->has_content);
    x->has_content[x->depth++] = false;
    note_result(x, x->backend->start(x->writer, name));
}

/* Bytes of one UTF-8 character at S, or 0 if XML may not hold it. */
static size_t xml_char_bytes(const char *s)
{
    static const char no_character[] = "\xEF\xBF"; /* U+FFFE and U+FFFF begin with these */
    unsigned char first = (unsigned char)s[0];
    if (first < 0x20 && first != '\t' && first != '\n' && first != '\r')
        return 0;
    size_t len = utf8_bytes(s);
    bool is_none = len == 3 && memcmp(s, no_character, 2) == 0 && (unsigned char)s[2] > 0xBD;
    return is_none ? 0 : len;
}

static void add_clean(struct dstr *out, const char *text)
{
    for (size_t len; *text != '\0'; text += len > 0 ? len : 1) {
        len = xml_char_bytes(text);
        dstr_addn(out, len > 0 ? text : "?", len > 0 ? len : 1);
    }
}

void xml_attribute(struct xml *x, const char *name, const char *value, char quote)
{
    if (x->is_broken)
        return;
    struct dstr clean = DSTR_INIT;
    add_clean(&clean, value != NULL ? value : "");
    /* libxml2 escapes the double quote only, so a value with an apostrophe takes double quotes */
    bool has_apostrophe = strchr(dstr_get(&clean), '\'') != NULL;
    note_result(
        x, x->backend->attribute(x->writer, name, dstr_get(&clean), has_apostrophe ? '"' : quote));
    dstr_free(&clean);
}

void xml_tag_blank(struct xml *x)
{
    if (!x->is_broken)
        note_result(x, x->backend->tag_blank(x->writer));
}

void xml_text(struct xml *x, const char *text)
{
    if (x->is_broken)
        return;
    struct dstr clean = DSTR_INIT;
    add_clean(&clean, text);
    parent_has_content(x);
    note_result(x, x->backend->text(x->writer, dstr_get(&clean)));
    dstr_free(&clean);
}

void xml_space(struct xml *x, const char *white)
{
    xml_text(x, white);
}

static void put_empty(struct xml *x)
{
    struct dstr white = DSTR_INIT;
    dstr_addc(&white, '\n');
    for (unsigned i = 1; i < x->depth; i++)
        dstr_add(&white, x->indent);
    note_result(x, x->backend->text(x->writer, dstr_get(&white)));
    dstr_free(&white);
}

void xml_end(struct xml *x)
{
    if (x->is_broken || x->depth == 0)
        return;
    if (x->indent != NULL && !x->has_content[x->depth - 1])
        put_empty(x);
    note_result(x, x->backend->end(x->writer));
    x->depth--;
}

/* the library stays loaded: libxml2 keeps memory of its own, which would be lost with it */
static int end_writer(struct xml *x, bool is_whole)
{
    note_result(x, x->backend->close(x->writer, is_whole));
    int result = x->is_broken ? -1 : 0;
    free(x->indent);
    free(x->has_content);
    free(x);
    return result;
}

int xml_close(struct xml *x, struct answer *ans)
{
    while (!x->is_broken && x->depth > 0)
        xml_end(x);
    return end_writer(x, true) < 0 ? ans_fail(ans, STATUS_ESYSTEM, MSG_XML_WRITE) : 0;
}

void xml_drop(struct xml *x)
{
    (void)end_writer(x, false);
}

void xml_element(struct xml *x, const char *name, const char *value)
{
    xml_start(x, name);
    xml_text(x, value != NULL ? value : "");
    xml_end(x);
}

/* ---- records, lists and fields ---- */
/* before each value of a kind that has its own white space */
#define VALUE_SPACE "\n   "

static int open_document(struct doc *d, const char *indent, struct answer *ans)
{
    d->xml = xml_open(d->out, indent, ans);
    return d->xml != NULL ? 0 : -1;
}

static void end_element(struct doc *d, struct doc_frame *f)
{
    if (f->has_children && f->kind->xml.space != NULL)
        xml_space(d->xml, f->kind->xml.space);
    xml_end(d->xml);
    f->is_ended = true;
}

/* A new element stands in the innermost one around it that is not flat: flat ones end before it. */
static void leave_flat_nodes(struct doc *d)
{
    for (uint32_t i = d->depth - 1; i-- > 0;) {
        struct doc_frame *f = &d->stack[i];
        if (f->kind->name == NULL)
            continue;
        f->has_children = true;
        if (!f->kind->xml.is_flat)
            return;
        if (!f->is_ended)
            end_element(d, f);
    }
}

static void begin_node(struct doc *d, struct doc_frame *f)
{
    if (f->kind->name == NULL) {
        f->is_ended = true;
        return;
    }
    leave_flat_nodes(d);
    if (f->kind->xml.space != NULL && d->depth > 1)
        xml_space(d->xml, f->kind->xml.space);
    xml_start(d->xml, f->kind->name);
    if (f->kind->xml.has_blank)
        xml_tag_blank(d->xml);
}

static void end_node(struct doc *d, struct doc_frame *f)
{
    if (!f->is_ended)
        end_element(d, f);
}

static char quote_of(const struct doc_kind *kind)
{
    return kind->xml.quote != 0 ? kind->xml.quote : '"';
}

static void put_attribute(struct doc *d, struct doc_frame *f, const char *name, const char *words)
{
    if (f->kind->xml.owner != NULL && f->owner == NULL)
        f->owner = uti_strdup(words);
    xml_attribute(d->xml, name, words, quote_of(f->kind));
}

static void put_value(struct doc *d, struct doc_frame *f, const char *name, const char *words)
{
    const struct doc_kind *kind = f->kind;
    f->has_children = true;
    xml_space(d->xml, VALUE_SPACE);
    xml_start(d->xml, kind->xml.value);
    if (f->owner != NULL)
        xml_attribute(d->xml, kind->xml.owner, f->owner, quote_of(kind));
    xml_attribute(d->xml, "name", name, quote_of(kind));
    xml_text(d->xml, words);
    xml_end(d->xml);
}

static void put_field(struct doc *d, const struct doc_field *field, const struct doc_value *value)
{
    struct doc_frame *f = doc_top(d);
    if (value->type == DOC_NONE && value->shown == NULL)
        return;
    const char *words = doc_words(d, value, field->xml.digits, field->xml.time);
    if (field->xml.place == DOC_ATTRIBUTE) {
        put_attribute(d, f, field->name, words);
    } else if (field->xml.place == DOC_CONTENT) {
        xml_text(d->xml, words);
    } else if (f->kind->xml.value != NULL) {
        put_value(d, f, field->name, words);
    } else {
        f->has_children = true;
        xml_element(d->xml, field->name, words);
    }
}

static int close_document(struct doc *d, struct answer *ans)
{
    return xml_close(d->xml, ans);
}

static void drop_document(struct doc *d)
{
    xml_drop(d->xml);
}

const struct doc_writer doc_xml_writer = {
    .open = open_document,
    .begin = begin_node,
    .end = end_node,
    .field = put_field,
    .close = close_document,
    .drop = drop_document,
};
