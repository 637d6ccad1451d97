#ifndef CLIENTS_COMMON_XML_BACKEND_H
#define CLIENTS_COMMON_XML_BACKEND_H

#include <stdbool.h>
#include <stdio.h>

/* What the shared object with libxml2 offers: one symbol, SGE_XML_BACKEND_SYMBOL, a struct of
 * functions. Every function but open returns 0, or -1 on a failed write or lack of memory. Text is
 * valid UTF-8 without control characters. */
#define SGE_XML_BACKEND_SYMBOL "sge_xml_backend"
#define SGE_XML_BACKEND_FILE   "libsgexml.so"
enum { SGE_XML_BACKEND_VERSION = 2 };

struct xml_backend {
    int version;
    void *(*open)(FILE *out,
                  const char *indent); /* NULL on failure; the declaration line is written */
    int (*start)(void *w, const char *name);
    int (*attribute)(void *w, const char *name, const char *value, char quote);
    int (*tag_blank)(void *w);
    int (*text)(void *w, const char *text);
    int (*end)(void *w);
    int (*close)(void *w, bool is_whole); /* ends what is open if it is whole, flushes, frees */
};

#endif
