/* The clients' side of XML output: loads the writer, keeps text well formed, and remembers what an
 * element holds so that empty ones look as users know them. After the first failed write everything
 * is a no-op and xml_close says so. */
#include "clients/common/xml.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "clients/common/library.h"
#include "clients/common/msg_clients.h"
#include "clients/common/xml/backend.h"
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

void xml_elementf(struct xml *x, const char *name, const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    int len = vasprintf(&text, format, args);
    va_end(args);
    xml_element(x, name, len >= 0 ? text : "");
    if (len >= 0)
        free(text);
}
