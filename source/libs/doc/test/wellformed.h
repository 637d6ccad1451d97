#ifndef DOC_TEST_WELLFORMED_H
#define DOC_TEST_WELLFORMED_H

#include <stdbool.h>

/* is_well_formed, is_json - does libxml2, does jansson read TEXT without complaint? A key that
 * comes twice is one. */
bool is_well_formed(const char *text);
bool is_json(const char *text);

#endif
