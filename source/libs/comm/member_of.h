#ifndef COMM_MEMBER_OF_H
#define COMM_MEMBER_OF_H

#include <sys/types.h>

#include "common/basis.h"

/* member_of_read - the user UID and the groups of the system that he is in, his primary group and
 * those that list him, with ':' behind each name: "alice:users:staff:". A group without a name is
 * left out, and so are those that come after MEMBER_OF_MOST bytes, which the log says.
 *
 *   text  new: free; NULL: the id does not exist, or the lookup failed
 *
 * Returns 0, or an error number if the name service fails. Waits for the service: not for the loop
 * or the core. */
int member_of_read(uid_t uid, char **text);

/* of the names of one user's groups: some 2,000 of them */
enum { MEMBER_OF_MOST = 32 * 1024 };

#endif
