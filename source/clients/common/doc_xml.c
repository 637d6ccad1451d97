/* A document as XML: records are elements, their fields elements in them, attributes or their text.
 * White space is the document's indent, or what the kinds say. */
#include <stdlib.h>

#include "clients/common/doc_priv.h"
#include "clients/common/xml.h"
#include "libs/uti/alloc.h"

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

const struct doc_writer doc_xml_writer = {
    .open = open_document,
    .begin = begin_node,
    .end = end_node,
    .field = put_field,
    .close = close_document,
};
