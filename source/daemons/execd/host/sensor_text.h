#ifndef EXECD_HOST_SENSOR_TEXT_H
#define EXECD_HOST_SENSOR_TEXT_H

#include "libs/uti/dstr.h"

/* What a load sensor prints: reports, each from a line "begin" to a line "end" with lines
 * HOST:NAME:VALUE between them. Pure. Source: load_sensor in sge_conf(5) */
enum {
    SENSOR_LINE_MOST = 4096,  /* bytes; longer lines count as malformed */
    SENSOR_NAME_MOST = 512,   /* of a host, and of a value */
    SENSOR_VALUES_MOST = 256, /* of one report; the rest is skipped */
};
struct sensor_value {
    char *host, *name, *value; /* owned, not empty but for `value` */
};
struct sensor_values {
    struct sensor_value *v; /* owned */
    uint32_t n, cap;
};
/* sensor_values_free - the list is empty afterwards */
void sensor_values_free(struct sensor_values *l);

/* all zero: nothing has come */
struct sensor_text {
    struct sensor_values whole; /* the last whole report */
    struct sensor_values coming;
    struct dstr line; /* of which the end has not come */
    bool is_begun;    /* a report */
    uint32_t n_bad;   /* lines that were skipped */
    struct dstr bad;  /* the first of them */
};
/* sensor_text_add - N bytes more have come. Returns how many reports became whole; the last of them
 * is `whole` now. O(n) */
uint32_t sensor_text_add(struct sensor_text *t, const char *data, size_t n);
/* sensor_text_free - all zero afterwards */
void sensor_text_free(struct sensor_text *t);

#endif
