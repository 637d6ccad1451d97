#ifndef CLIENTS_QCONF_NAMES_H
#define CLIENTS_QCONF_NAMES_H

#include "clients/qconf/qconf.h"
#include "libs/kinds/kinds.h"

/* Objects as the command line names them. */

/* say_unknown - there is no object NAME; 1 */
int say_unknown(struct qconf *q, const struct kind *kind, const char *name);

/* named_objects - append the names in ARGS, a list; without one, those of the objects that are
 * meant then
 * Returns 0, or 1 after saying that there are none. */
int named_objects(struct qconf *q, const struct kind *kind, char *const *args, int n,
                  struct name_list *out);

/* check_named_hosts - the hosts that OBJECT names; 0, or 1 after saying what is wrong */
int check_named_hosts(struct qconf *q, const struct kind *kind, const void *object);

#endif
