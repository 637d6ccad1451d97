/* libsgejson.so: the one place that knows jansson. It is loaded by libs/doc/json.c when a
 * document is wanted. jansson writes whole trees; a document that is never whole in memory has its
 * values written one by one, and json.c puts the brackets round them. Source: backend.h. */
#include "libs/doc/backend.h"

#include <jansson.h>

/* what a double holds for certain: 0.1 stays 0.1 */
enum { REAL_DIGITS = 15 };

static int put_json(FILE *out, json_t *value, size_t flags)
{
    int result = json_dumpf(value, out, JSON_ENCODE_ANY | flags);
    json_decref(value);
    return result;
}

static int put_string(FILE *out, const char *text)
{
    json_t *value = json_string(text);
    return value != NULL ? put_json(out, value, JSON_ENSURE_ASCII) : -1;
}

static int put_real(FILE *out, double x)
{
    json_t *value = json_real(x);
    return put_json(out, value != NULL ? value : json_null(), JSON_REAL_PRECISION(REAL_DIGITS));
}

extern const struct json_backend sge_json_backend;
const struct json_backend sge_json_backend = {
    .version = SGE_JSON_BACKEND_VERSION,
    .string = put_string,
    .real = put_real,
};
