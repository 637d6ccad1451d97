#ifndef CONFIG_LOAD_VALUES_H
#define CONFIG_LOAD_VALUES_H

#include <float.h>

#include "libs/sgeobj/rows.h"

/* What is known of the load where a queue instance is. Pure. */
struct load_source {
    const struct EH_Type *host;         /* NULL: its execd is not there */
    const struct EH_Type *global;       /* what counts for all hosts; NULL: nothing does */
    const struct CE_Type_list *complex; /* what the values are */
};

struct load_value {
    const char *text; /* as reported; borrowed. load_value_text says what counts */
    double number;    /* after load_scaling; 0 of a text */
    char scaled[32];  /* the number as text; "" if load_scaling says nothing of it */
    bool is_global;   /* it is one for all hosts */
    char left_at;     /* `place` of load_left: what is left, and not a load; 0: it is a load */
};

/* load_value_find - the value of the resource CE, by the factor that load_scaling of host_conf(5)
 * has for it: the host's own before one for all hosts. False if it is not reported, or what is
 * reported is not of its type. O(values + factors)
 * load_value_text - what counts, as text; borrowed from V */
bool load_value_find(const struct load_source *load, const struct CE_Type *ce,
                     struct load_value *out);
const char *load_value_text(const struct load_value *v);

/* load_formula of sched_conf(5): what makes a host busier than another. Pure. */
struct load_formula {
    struct load_term {
        char *resource; /* owned; NULL: `factor` alone */
        double factor;
    } * v;
    uint32_t n, cap;
};                           /* all zero: 0, whatever the load */
#define LOAD_UNKNOWN DBL_MAX /* sorts behind all others */

/* load_formula_read - replace F by TEXT ("np_load_avg*2+load_short-1"), which was checked
 * (sched_params.h); NONE and NULL are 0. End with load_formula_clear, which frees all of it. */
void load_formula_read(struct load_formula *f, const char *text);
void load_formula_clear(struct load_formula *f);

/* load_formula_value - of the load of a host; LOAD_UNKNOWN if a value is not known, or if the
 * result is not a number. O(terms x (resources + values)) */
double load_formula_value(const struct load_formula *f, const struct load_source *load);

/* load_formula_step - by how much ADJUSTMENTS (job_load_adjustments: "np_load_avg=0.5,mem_used=1G",
 * NONE) raise that value for each slot that is taken; what is meant for a processor (np_...) is
 * divided by their number
 * O(terms x adjustments) */
double load_formula_step(const struct load_formula *f, const char *adjustments,
                         const struct load_source *load);

/* Thresholds of queues beside the load of their hosts. Pure. Source: load_thresholds in
 * queue_conf(5) */
struct dstr;

/* what is left of a resource that runs out */
struct load_left {
    double number;
    char exact[32], shown[32]; /* for comparisons, and for people; the first is not below 0 */
    char place;                /* 'q', 'h', 'g': the queue, the host or the cell has the least */
};
/* load_left_fn - how much of CE, which runs out, is left there; false: nothing limits it */
typedef bool load_left_fn(void *of, const struct CE_Type *ce, struct load_left *out);

/* what is known where a queue instance is */
struct threshold_source {
    struct load_source load;
    load_left_fn *left; /* called with `of`; NULL: load alone counts */
    void *of;
    /* what each of so many slots that were taken lately adds to a load, as of load_formula_step */
    const char *adjustments;
    double slots;
};

/* a threshold that is exceeded; all borrowed from the arguments, but for `limit` */
struct threshold_alarm {
    const struct CE_Type *resource; /* NULL: there is none of that name */
    const char *name;               /* of the resource, its full one if it is known */
    struct load_value value;        /* its text is NULL: it is not reported, which counts as much */
    const char *limit;
    /* what is counted beside the load that is reported: 0 slots, nothing */
    double reported, adjustment, slots;
    uint32_t divisor; /* processors; 0: it is not divided */
};
typedef void threshold_fn(void *ctx, const struct threshold_alarm *alarm);

/* thresholds_exceeded - is one of THRESHOLDS ("np_load_avg=1.75,mem_free=1G", NONE) exceeded?
 *
 *   tell  called with each of those that are; may be NULL
 *
 * That is so if the relation of complex(5) holds between value and limit: load >= 1.75, memory that
 * is free <= 1G. Of a resource that runs out, what is left counts, and a load value if it is less.
 * A value that is not reported, or that is not of its type, exceeds every limit:
 * what cannot be seen is not trusted. O(thresholds x resources). */
bool thresholds_exceeded(const char *thresholds, const struct threshold_source *from,
                         threshold_fn *tell, void *ctx);

/* suspend_thresholds_exceeded - the same for those at which tasks are suspended: what no host
 * reports suspends nothing, and neither do adjustments */
bool suspend_thresholds_exceeded(const char *thresholds, const struct threshold_source *from);

/* load_thresholds_explain - append a line for each of THRESHOLDS that is exceeded, as qstat
 * -explain a shows them
 * suspend_thresholds_explain - the same of suspend thresholds, for -explain A
 * load_thresholds_why - append the first of them, as `scheduling info:` does */
void load_thresholds_explain(const char *thresholds, const struct threshold_source *from,
                             struct dstr *out);
void suspend_thresholds_explain(const char *thresholds, const struct threshold_source *from,
                                struct dstr *out);
void load_thresholds_why(const char *thresholds, const struct threshold_source *from,
                         struct dstr *out);

#endif
