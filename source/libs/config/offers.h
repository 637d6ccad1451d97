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

/* What a request for a resource (-l) means beside what a place has of it. Pure. */

/* complex_meets - does a place that has OFFERED of CE suit a request for WANTED?
 *
 * The relation of complex(5) stands between them: WANTED <= OFFERED for memory, OFFERED == WANTED
 * for an architecture. What is wanted of a text is a pattern of sge_types(1), whose case does not
 * count for CSTRING and hosts; a host also is what its short name says. EXCL is no relation of
 * values: it is always met.
 * A value that is not of the type of CE is never met. */
bool complex_meets(const struct CE_Type *ce, const char *wanted, const char *offered);

/* complex_is_text - are values of TYPE compared as texts?
 * numbers_meet - complex_meets of two numbers with the relation RELOP */
bool complex_is_text(uint32_t type);
bool numbers_meet(uint32_t relop, double wanted, double offered);

#endif
