#ifndef CONFIG_LOAD_SOURCE_H
#define CONFIG_LOAD_SOURCE_H

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
};

/* load_value_find - the value of the resource CE, by the factor that load_scaling of host_conf(5)
 * has for it: the host's own before one for all hosts. False if it is not reported, or what is
 * reported is not of its type. O(values + factors)
 * load_value_text - what counts, as text; borrowed from V */
bool load_value_find(const struct load_source *load, const struct CE_Type *ce,
                     struct load_value *out);
const char *load_value_text(const struct load_value *v);

#endif
