#ifndef DOC_BACKEND_H
#define DOC_BACKEND_H

#include <stdbool.h>
#include <stdio.h>

/* What the shared objects with libxml2 and jansson offer: one symbol each, a struct of functions
 * that begins with its version. Every function but open returns 0, or -1 on a failed write or lack
 * of memory. Texts are valid UTF-8; those of XML have no control characters. */
#define SGE_XML_BACKEND_SYMBOL  "sge_xml_backend"
#define SGE_XML_BACKEND_FILE    "libsgexml.so"
#define SGE_JSON_BACKEND_SYMBOL "sge_json_backend"
#define SGE_JSON_BACKEND_FILE   "libsgejson.so"
enum { SGE_XML_BACKEND_VERSION = 2, SGE_JSON_BACKEND_VERSION = 1 };

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

struct json_backend {
    int version;
    int (*string)(FILE *out, const char *text); /* ASCII: all else is \uXXXX */
    int (*real)(FILE *out, double x);           /* null if it is infinite or no number */
};

#endif
