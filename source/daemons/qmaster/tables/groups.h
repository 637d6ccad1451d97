#ifndef QMASTER_TABLES_GROUPS_H
#define QMASTER_TABLES_GROUPS_H

#include <sys/queue.h>
#include <sys/types.h>

#include "libs/sgeobj/rows.h"
#include "libs/uti/hash.h"
#include "libs/uti/tree.h"

/* Who is in which host group: a net of hosts and groups, kept from both ends, so that a question
 * costs what it finds: the groups that a host is in, not the groups that there are. The core's
 * alone. */
struct answer;
struct group_edge;

/* the most groups on a way down from a group */
enum { GROUP_DEPTH = 16 };

/* a host or a group that is in a group, or is one */
struct group_node {
    const char *name;              /* counted */
    bool is_there;                 /* a group that has been put */
    LIST_HEAD(, group_edge) above; /* the groups that name it */
    LIST_HEAD(, group_edge) below; /* what it names */
    uint64_t visit;                /* the question that looked at it last */
    unsigned height;               /* of that question: groups on the longest way from here */
    UT_hash_handle hh;             /* by name */
};
struct groups {
    struct group_node *nodes;
    uint64_t visits;           /* questions so far */
    struct group_node **found; /* what the last groups_find has found */
    uint32_t n_found, cap;
};
void groups_clear(struct groups *g);

/* groups_put - GROUP is new or has other members; O(members). groups_drop - it goes; who names
 * it still does */
void groups_put(struct groups *g, const struct HGRP_Type *group);
void groups_drop(struct groups *g, const char *name);
/* groups_check - may GROUP be: is it neither in itself, by whatever way, nor are more than
 * GROUP_DEPTH groups on a way through it?
 * Returns 0, or -1 with ans. O(what is above and below it) */
int groups_check(struct groups *g, const struct HGRP_Type *group, struct answer *ans);

/* groups_find - find the groups that NAME, a host or a group, is in, directly or through others:
 * g->found, those it is in directly first.
 * O(groups found). groups_has - is GROUP among them? O(1) */
void groups_find(struct groups *g, const char *name);
bool groups_has(const struct groups *g, const char *group);

/* groups_each_host - FN for everything below the members L that is no group, once each; FN must
 * not change groups */
typedef void (*group_host_fn)(void *ctx, const char *host);
void groups_each_host(struct groups *g, const struct ST_Type_list *l, group_host_fn fn, void *ctx);

/* In which groups of the system users are, as the name service of the qmaster's host said last, for
 * the "@group" entries of user sets. The core's alone; config/users.h asks. */
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
 * members_answered - TEXT (NULL: no such user) is what the
 * name service says, and it is to be asked again at DUE_S. Returns whether it said something else
 * before.
 * members_unsure - it fails, which leaves what is known as it is
 * members_drop - M is not needed any more */
void members_asked(struct members *ms, struct member *m);
bool members_answered(struct members *ms, struct member *m, const char *text, uint64_t due_s);
void members_unsure(struct members *ms, struct member *m, uint64_t due_s);
void members_drop(struct members *ms, struct member *m);
/* member_groups - of USER, who has UID: ":users:staff:"; NULL if that is not known, if no user has
 * that uid, or another user has it on this host. ROUND changes when the text does. O(1) */
const char *member_groups(const struct members *ms, uid_t uid, const char *user, uint64_t *round);

/* so many users are known; of others the primary group counts alone */
enum { MEMBERS_KEPT = 20000 };

#endif
