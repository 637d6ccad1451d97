#ifndef CLIENTS_COMMON_LOAD_H
#define CLIENTS_COMMON_LOAD_H

#include "common/basis.h"

/* Load values as qhost shows them. Pure. */
struct dstr;

/* load_short_memory, load_short_number - append VALUE for qhost's columns: memory "23.5G" and load
 * "12.21"; "-" if NULL */
void load_short_memory(const char *value, struct dstr *out);
void load_short_number(const char *value, struct dstr *out);

#endif
