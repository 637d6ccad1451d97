#ifndef CONFIG_OFFERS_H
#define CONFIG_OFFERS_H

#include "libs/sgeobj/rows.h"

/* What a place has of resources: complex_values of a host, a queue or the cell, as a list of names
 * and values (CE_name, CE_stringval). Pure. */

/* offers_read - append those of TEXT, which is right by ATTR_SETTINGS, to OUT. NULL: there are
 * none */
void offers_read(const char *text, struct CE_Type_list *out);
/* offers_value - the value of NAME; borrowed, NULL without one. O(offers) */
const char *offers_value(const struct CE_Type_list *offers, const char *name);

#endif
