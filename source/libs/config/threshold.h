#ifndef CONFIG_THRESHOLD_H
#define CONFIG_THRESHOLD_H

#include "libs/config/load_source.h"

/* Thresholds of queues beside the load of their hosts. Pure. Source: load_thresholds in
 * queue_conf(5) */
struct dstr;

/* a threshold that is exceeded; all borrowed from the arguments, but for `limit` */
struct threshold_alarm {
    const struct CE_Type *resource; /* NULL: there is none of that name */
    const char *name;               /* of the resource, its full one if it is known */
    struct load_value value;        /* its text is NULL: it is not reported, which counts as much */
    const char *limit;
};
typedef void threshold_fn(void *ctx, const struct threshold_alarm *alarm);

/* thresholds_exceeded - is one of THRESHOLDS ("np_load_avg=1.75,mem_free=1G", NONE) exceeded?
 *
 *   tell  called with each of those that are; may be NULL
 *
 * That is so if the relation of complex(5) holds between value and limit: load >= 1.75, memory that
 * is free <= 1G. A value that is not reported, or that is not of its type, exceeds every limit:
 * what cannot be seen is not trusted. O(thresholds x resources). */
bool thresholds_exceeded(const char *thresholds, const struct load_source *load, threshold_fn *tell,
                         void *ctx);

/* suspend_thresholds_exceeded - the same for those at which tasks are suspended: what no host
 * reports suspends nothing */
bool suspend_thresholds_exceeded(const char *thresholds, const struct load_source *load);

/* load_thresholds_explain - append a line for each of THRESHOLDS that is exceeded, as qstat
 * -explain a shows them
 * suspend_thresholds_explain - the same of suspend thresholds, for -explain A
 * load_thresholds_why - append the first of them, as `scheduling info:` does */
void load_thresholds_explain(const char *thresholds, const struct load_source *load,
                             struct dstr *out);
void suspend_thresholds_explain(const char *thresholds, const struct load_source *load,
                                struct dstr *out);
void load_thresholds_why(const char *thresholds, const struct load_source *load, struct dstr *out);

#endif
