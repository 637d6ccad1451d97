/* libsgexml.so: the one place that knows libxml2. It is loaded by libs/doc/xml.c when a
 * document is wanted. The writer owns its output buffer; what open returns owns both. Source:
 * backend.h. */
#include "libs/doc/backend.h"

#include <libxml/xmlerror.h>
#include <libxml/xmlwriter.h>
#include <stdlib.h>

struct writer {
    xmlTextWriterPtr text;
    xmlOutputBufferPtr out; /* owned by text */
};

static int write_to_file(void *context, const char *data, int len)
{
    size_t bytes = (size_t)len;
    return fwrite(data, 1, bytes, context) == bytes ? len : -1;
}

/* Failures come back as results; libxml2's own lines on stderr would only confuse. */
static void stay_silent(void *context, xmlErrorPtr error)
{
    (void)context;
    (void)error;
}

static int writer_begin(struct writer *w, const char *indent)
{
    if (indent != NULL && (xmlTextWriterSetIndent(w->text, 1) < 0 ||
                           xmlTextWriterSetIndentString(w->text, BAD_CAST indent) < 0))
        return -1;
    if (xmlTextWriterSetQuoteChar(w->text, '\'') < 0)
        return -1;
    return xmlTextWriterStartDocument(w->text, "1.0", NULL, NULL) < 0 ? -1 : 0;
}

static void *writer_open(FILE *out, const char *indent)
{
    xmlSetStructuredErrorFunc(NULL, stay_silent);
    struct writer *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->out = xmlOutputBufferCreateIO(write_to_file, NULL, out, NULL);
    w->text = w->out != NULL ? xmlNewTextWriter(w->out) : NULL;
    if (w->text == NULL) {
        if (w->out != NULL)
            xmlOutputBufferClose(w->out);
        free(w);
        return NULL;
    }
    if (writer_begin(w, indent) < 0) {
        xmlFreeTextWriter(w->text);
        free(w);
        return NULL;
    }
    return w;
}

static int writer_start(void *state, const char *name)
{
    struct writer *w = state;
    return xmlTextWriterStartElement(w->text, BAD_CAST name) < 0 ? -1 : 0;
}

static int writer_attribute(void *state, const char *name, const char *value, char quote)
{
    struct writer *w = state;
    if (xmlTextWriterSetQuoteChar(w->text, (xmlChar)quote) < 0)
        return -1;
    return xmlTextWriterWriteAttribute(w->text, BAD_CAST name, BAD_CAST value) < 0 ? -1 : 0;
}

/* The start tag is still open in the buffer, so a blank may follow what is there. */
static int writer_tag_blank(void *state)
{
    struct writer *w = state;
    return xmlOutputBufferWriteString(w->out, " ") < 0 ? -1 : 0;
}

static int writer_text(void *state, const char *text)
{
    struct writer *w = state;
    return xmlTextWriterWriteString(w->text, BAD_CAST text) < 0 ? -1 : 0;
}

static int writer_end(void *state)
{
    struct writer *w = state;
    return xmlTextWriterEndElement(w->text) < 0 ? -1 : 0;
}

static int writer_close(void *state, bool is_whole)
{
    struct writer *w = state;
    int result = is_whole && xmlTextWriterEndDocument(w->text) < 0 ? -1 : 0;
    if (xmlTextWriterFlush(w->text) < 0)
        result = -1;
    xmlFreeTextWriter(w->text);
    free(w);
    return result;
}

extern const struct xml_backend sge_xml_backend;
const struct xml_backend sge_xml_backend = {
    .version = SGE_XML_BACKEND_VERSION,
    .open = writer_open,
    .start = writer_start,
    .attribute = writer_attribute,
    .tag_blank = writer_tag_blank,
    .text = writer_text,
    .end = writer_end,
    .close = writer_close,
};
