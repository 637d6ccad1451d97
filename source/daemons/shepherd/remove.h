#ifndef SHEPHERD_REMOVE_H
#define SHEPHERD_REMOVE_H

#include "common/basis.h"

/* remove_run - "sge_shepherd -remove PATH": remove a directory that execd has put aside, for
 * REMOVE_S seconds at most
 * Returns 0, or 1 if something is left. */
enum { REMOVE_S = 600 };
int remove_run(const char *path);

#endif
