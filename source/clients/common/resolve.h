#ifndef CLIENTS_COMMON_RESOLVE_H
#define CLIENTS_COMMON_RESOLVE_H

#include "common/basis.h"

/* host_resolves - does the name service of this host know NAME? Asks it, and waits for it. */
bool host_resolves(const char *name);

#endif
