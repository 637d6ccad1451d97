#ifndef CONFIG_ATTR_EXAMPLE_H
#define CONFIG_ATTR_EXAMPLE_H

#include "libs/config/attr_syntax.h"

/* An example for each attribute whose values have a syntax: what an editor shows beside an empty
 * field. Pure. */
struct attr_example {
    const char *attr;    /* NULL: of all with the syntax that have no row of their own */
    const char *value;   /* a valid value */
    const char *meaning; /* of that value: one line */
};

/* attr_example_of - the example for the attribute with RULE; NULL: its rule says all (a number, a
 * choice) */
const struct attr_example *attr_example_of(const struct attr_rule *rule);

#endif
