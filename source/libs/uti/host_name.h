#ifndef UTI_HOST_NAME_H
#define UTI_HOST_NAME_H

#include "common/basis.h"

/* Names of hosts: the one place that says what can be one, and which mean the same host. */

/* host_name_is_valid - may NAME be a host's: 1 to 253 letters, digits, "-", "_" and ".", a letter
 * or digit first? */
bool host_name_is_valid(const char *name);
/* host_name_equal - do A and B name the same host? Case and what follows the first "." do not count
 * (ignore_fqdn of bootstrap(5)). */
bool host_name_equal(const char *a, const char *b);

#endif
