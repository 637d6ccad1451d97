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

#endif
