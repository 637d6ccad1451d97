#ifndef QMASTER_NAMES_H
#define QMASTER_NAMES_H

#include <sys/types.h>

#include "common/basis.h"

/* Names of users and groups, from the name service, kept for some minutes. Asking may take as long as that service likes: for the
 * network thread, never for the core. */
struct names;

struct names *names_new(void); /* new: names_free */
void names_free(struct names *n);
/* names_user, names_group - the name, its number as text if there is none. Borrowed until the next call.
 * A service that fails changes nothing: who was known keeps the name, and it is asked again soon. */
const char *names_user(struct names *n, uid_t uid, uint64_t now_s);
const char *names_group(struct names *n, gid_t gid, uint64_t now_s);

#endif
