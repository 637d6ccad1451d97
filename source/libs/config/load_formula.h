#ifndef CONFIG_LOAD_FORMULA_H
#define CONFIG_LOAD_FORMULA_H

#include <float.h>

#include "libs/config/load_source.h"

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

#endif
