#ifndef QMASTER_IO_OWNERS_H
#define QMASTER_IO_OWNERS_H

#include <sys/types.h>

#include "common/basis.h"

/* Who the user with a certain id is, and in which groups, for the core, which waits for no name
 * service: it asks here, and goes on when a NOTE_OWNER or a NOTE_GROUPS is in its inbox. */
struct answer;
struct inbox;
struct loop;
struct names;
struct owners;

/* owners_new - of this host, which is called HOST; names, loop and inbox are borrowed
 * Returns new: owners_free; NULL with ans. */
struct owners *owners_new(struct loop *l, struct names *names, const char *host, struct inbox *core,
                          struct answer *ans);
/* owners_free - pending answers are dropped; NULL is fine */
void owners_free(struct owners *o);
/* owners_ask - who is UID? One NOTE_OWNER for each call; any thread; never waits
 * owners_ask_groups - the same for the groups of UID, as a NOTE_GROUPS */
void owners_ask(struct owners *o, uid_t uid);
void owners_ask_groups(struct owners *o, uid_t uid);
/* owners_look - names have arrived; on the loop's thread */
void owners_look(struct owners *o);

#endif
