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
    const char *text; /* as reported; borrowed */
    double number;    /* 0 of a text */
    bool is_global;   /* it is one for all hosts */
};

/* load_value_find - the value of the resource CE: the host's own before one for all hosts. False if
 * nobody reports it, or what is reported is not of its type. O(values) */
bool load_value_find(const struct load_source *load, const struct CE_Type *ce,
                     struct load_value *out);

#endif
