#ifndef CLIENTS_COMMON_TEST_WELLFORMED_H
#define CLIENTS_COMMON_TEST_WELLFORMED_H

#include <stdbool.h>

/* is_well_formed - does libxml2 read TEXT without complaint? */
bool is_well_formed(const char *text);

#endif
