#ifndef COMM_NAMES_H
#define COMM_NAMES_H

#include <sys/types.h>

#include "common/basis.h"

/* Names of users and groups, and who is in which, from the name service, kept for some minutes. The
 * service may take as long as it likes: a thread of its own asks for each name, and only who needs
 * that name waits. But for names_set_time, all functions run on the loop's thread. */
struct answer;
struct loop;
struct names;
struct turn_counts;

/* names_new - ARRIVED is called with CTX, from the loop L, when names have come that a peer waits
 * for
 * Returns new: names_free; NULL with ans. */
struct names *names_new(struct loop *l, void (*arrived)(void *ctx), void *ctx, struct answer *ans);
/* names_free - questions under way are abandoned; NULL is fine */
void names_free(struct names *n);
/* names_user, names_group - the name, or the number as text if it has none; NULL: a thread asks for
 * it, call again when it has arrived. Borrowed until the next call. A known user keeps the name
 * until there is a new one: a service that is slow, or fails, changes nothing. */
const char *names_user(struct names *n, uid_t uid, uint64_t now_s);
const char *names_group(struct names *n, gid_t gid, uint64_t now_s);
/* names_find_user - the user who has UID, and no number in its place
 *   out  filled if that is NAMES_FOUND; the name as of names_user, GID is the primary group */
enum names_found {
    NAMES_ASKED, /* a thread asks for it */
    NAMES_FOUND,
    NAMES_NOBODY, /* it does not exist */
    NAMES_UNSURE  /* the service failed */
};
struct names_user {
    const char *name;
    gid_t gid;
};
enum names_found names_find_user(struct names *n, uid_t uid, uint64_t now_s,
                                 struct names_user *out);
/* names_find_groups - the groups that the user UID is in
 *   text  as member_of_read says it, borrowed until the next call, if that is NAMES_FOUND: no older
 *         than names_set_time allows, but for a service that fails */
enum names_found names_find_groups(struct names *n, uid_t uid, uint64_t now_s, const char **text);
/* names_set_time - answers are asked for again after KEEP_S seconds, from the next answer on; any
 * thread */
void names_set_time(struct names *n, uint32_t keep_s);
enum { NAMES_TIME_S = 300 };
/* names_turns - what the questions have cost, each a turn; any thread */
const struct turn_counts *names_turns(const struct names *n);
/* names_known_user - the name if it is cached, else NULL; no lookup */
const char *names_known_user(struct names *n, uid_t uid);

/* As many names are kept, those used last, and of ids without a name what room they leave. As many
 * are asked for at a time, the newest first: what hangs holds up few others; and so many of them
 * from one range of ids. The subordinate ids of a user, 65,536 as a rule, lie in two ranges at
 * most, which leaves the others 32 threads. */
enum { NAMES_KEPT = 10000, NAMES_THREADS = 128, NAMES_RANGE = 65536, NAMES_SHARE = 48 };

#endif
