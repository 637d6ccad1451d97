#ifndef CLIENTS_COMMON_JSON_BACKEND_H
#define CLIENTS_COMMON_JSON_BACKEND_H

#include <stdio.h>

/* What the shared object with jansson offers: one symbol, SGE_JSON_BACKEND_SYMBOL, a struct of
 * functions. They write one value each and return 0, or -1 on a failed write or lack of memory.
 * Texts are valid UTF-8. */
#define SGE_JSON_BACKEND_SYMBOL "sge_json_backend"
#define SGE_JSON_BACKEND_FILE   "libsgejson.so"
enum { SGE_JSON_BACKEND_VERSION = 1 };

struct json_backend {
    int version;
    int (*string)(FILE *out, const char *text); /* ASCII: all else is \uXXXX */
    int (*real)(FILE *out, double x);           /* null if it is infinite or no number */
};

#endif
