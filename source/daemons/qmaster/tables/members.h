#ifndef QMASTER_TABLES_MEMBERS_H
#define QMASTER_TABLES_MEMBERS_H

#include <sys/types.h>

#include "libs/uti/hash.h"
#include "libs/uti/tree.h"

/* In which groups of the system users are, as the name service of the qmaster's host said last, for
 * the "@group" entries of user sets. The core's alone; config/membership.h asks. */
TAILQ_HEAD(member_list, member);
struct member { /* of one uid */
    uint32_t uid;
    char *user;       /* owned: who was asked about, whatever the name service calls him */
    bool is_known;    /* the name service has said it, once at least */
    bool is_asked;    /* a question is under way */
    const char *text; /* counted: as member_of_read; NULL: unknown, or the id does not exist */
    uint64_t round;   /* unlike that of any other text */
    uint64_t due_s;   /* when to ask again */
    TAILQ_ENTRY(member) next;
    UT_hash_handle hh;
};
struct members {
    struct member *all;             /* by uid */
    struct member_list known, open; /* the one asked for longest ago first */
    uint64_t round;
    uint32_t n_entries; /* "@group" entries of all user sets; 0: no lookups are needed */
    bool has_said_full;
};
/* members_init - no users; members_clear frees it */
void members_init(struct members *m);
void members_clear(struct members *m);
/* members_find - NULL without one;
 * members_add - UID, called USER, of whom nothing is known yet; NULL if there are MEMBERS_KEPT */
struct member *members_find(const struct members *m, uid_t uid);
struct member *members_add(struct members *m, uid_t uid, const char *user);
/* members_asked - the question for M has gone out
 * members_heard - TEXT (NULL: no such user) is what the
 * name service says, and it is to be asked again at DUE_S. Returns whether it said something else
 * before.
 * members_unsure - it fails, which leaves what is known as it is
 * members_drop - M is not needed any more */
void members_asked(struct members *ms, struct member *m);
bool members_heard(struct members *ms, struct member *m, const char *text, uint64_t due_s);
void members_unsure(struct members *ms, struct member *m, uint64_t due_s);
void members_drop(struct members *ms, struct member *m);
/* member_groups - of USER, who has UID: ":users:staff:"; NULL if that is not known, if no user has
 * that uid, or another user has it on this host. ROUND changes when the text does. O(1) */
const char *member_groups(const struct members *ms, uid_t uid, const char *user, uint64_t *round);

/* so many users are known; of others the primary group counts alone */
enum { MEMBERS_KEPT = 20000 };

#endif
