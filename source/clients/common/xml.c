/* The clients' side of XML output: finds and loads the writer, keeps text well formed, and remembers what an element holds
 * so that empty ones look as users know them. After the first failed write everything is a no-op and xml_close says so. */
#include "clients/common/xml.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/common/msg_clients.h"
#include "clients/common/xml/backend.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/os.h"

struct xml {
    const struct xml_backend *backend;
    void *writer;
    char *indent;      /* NULL: none */
    unsigned depth;    /* open elements */
    bool *has_content; /* of each open element */
    uint32_t cap;
    bool is_broken;
};

/* bin/<arch>/qstat finds ../../lib/<arch>/, a program in a build tree finds it beside itself */
static char *writer_path(const char *format)
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
    dstr_add(&path, SGE_XML_BACKEND_FILE);
    return dstr_take(&path);
}

static void *writer_load(struct answer *ans)
{
    static const char *const places[] = { "@/../../lib/#/", "@/../common/", "@/" };
    const char *reason = "";
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        char *path = writer_path(places[i]);
        int flags = RTLD_NOW | RTLD_LOCAL |
                    RTLD_NODELETE; /* libxml2 keeps data that unloading would leak */
        void *library = path != NULL && access(path, R_OK) == 0 ? dlopen(path, flags) : NULL;
        if (library == NULL && path != NULL && access(path, R_OK) == 0)
            reason = dlerror();
        free(path);
        if (library != NULL)
            return library;
    }
    return ans_null(ans, STATUS_ESYSTEM, MSG_XML_LOAD_SS, SGE_XML_BACKEND_FILE, reason);
}

struct xml *xml_open(FILE *out, const char *indent, struct answer *ans)
{
    void *library = writer_load(ans);
    if (library == NULL)
        return NULL;
    const struct xml_backend *backend = dlsym(library, SGE_XML_BACKEND_SYMBOL);
    void *writer = backend != NULL && backend->version == SGE_XML_BACKEND_VERSION
                       ? backend->open(out, indent)
                       : NULL;
    if (writer == NULL) {
        dlclose(library);
        return ans_null(ans, STATUS_ESYSTEM, MSG_XML_LOAD_SS, SGE_XML_BACKEND_FILE,
                        "wrong version");
    }
    struct xml *x = uti_calloc(1, sizeof *x);
    x->backend = backend;
    x->writer = writer;
    x->indent = indent != NULL ? uti_strdup(indent) : NULL;
    return x;
}

static void note(struct xml *x, int result)
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
    note(x, x->backend->start(x->writer, name));
}

/* Bytes of one UTF-8 character at S, or 0 if they are none that XML may hold. */
static size_t xml_char_bytes(const unsigned char *s)
{
    if (s[0] < 0x80)
        return s[0] >= 0x20 || s[0] == '\t' || s[0] == '\n' || s[0] == '\r' ? 1 : 0;
    size_t len = s[0] >= 0xC2 && s[0] <= 0xDF   ? 2
                 : (s[0] & 0xF0) == 0xE0        ? 3
                 : s[0] >= 0xF0 && s[0] <= 0xF4 ? 4
                                                : 0;
    for (size_t i = 1; i < len; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    }
    bool is_bad = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F) ||
                  (s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F) ||
                  (s[0] == 0xEF && s[1] == 0xBF && s[2] > 0xBD);
    return is_bad ? 0 : len;
}

static void add_clean(struct dstr *out, const char *text)
{
    for (const unsigned char *s = (const unsigned char *)text; *s != '\0';) {
        size_t len = xml_char_bytes(s);
        if (len == 0)
            dstr_addc(out, '?');
        else
            dstr_addn(out, (const char *)s, len);
        s += len == 0 ? 1 : len;
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
    note(x, x->backend->attribute(x->writer, name, dstr_get(&clean), has_apostrophe ? '"' : quote));
    dstr_free(&clean);
}

void xml_tag_blank(struct xml *x)
{
    if (!x->is_broken)
        note(x, x->backend->tag_blank(x->writer));
}

void xml_text(struct xml *x, const char *text)
{
    if (x->is_broken)
        return;
    struct dstr clean = DSTR_INIT;
    add_clean(&clean, text);
    parent_has_content(x);
    note(x, x->backend->text(x->writer, dstr_get(&clean)));
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
    note(x, x->backend->text(x->writer, dstr_get(&white)));
    dstr_free(&white);
}

void xml_end(struct xml *x)
{
    if (x->is_broken || x->depth == 0)
        return;
    if (x->indent != NULL && !x->has_content[x->depth - 1])
        put_empty(x);
    note(x, x->backend->end(x->writer));
    x->depth--;
}

int xml_close(struct xml *x, struct answer *ans)
{
    while (!x->is_broken && x->depth > 0)
        xml_end(x);
    note(x, x->backend->close(x->writer));
    bool is_broken = x->is_broken;
    /* the library stays loaded: libxml2 keeps memory of its own, which would be lost with it */
    free(x->indent);
    free(x->has_content);
    free(x);
    return is_broken ? ans_fail(ans, STATUS_ESYSTEM, MSG_XML_WRITE) : 0;
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
