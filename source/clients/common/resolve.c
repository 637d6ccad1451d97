/* Names of hosts that somebody typed. A client may wait for a name service; the qmaster may not. */
#include "clients/common/resolve.h"

#include <netdb.h>
#include <stddef.h>

bool host_resolves(const char *name)
{
    struct addrinfo *found = NULL;
    if (getaddrinfo(name, NULL, NULL, &found) != 0)
        return false;
    freeaddrinfo(found);
    return true;
}
