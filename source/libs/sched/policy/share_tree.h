#ifndef SCHED_POLICY_SHARE_TREE_H
#define SCHED_POLICY_SHARE_TREE_H

#include "libs/cull/pack.h"
#include "libs/sched/policy/tickets.h"
#include "libs/sgeobj/rows.h"

/* A share tree (sge_share_tree(5)) as nodes with shares. A user without a node of his own has what
 * `default` says, as a node beside it, from when his leaf is first asked for. */
struct share_name;
struct share_tree {
    struct ticket_node *nodes; /* none: there is no tree */
    uint32_t n, cap;
    struct share_name *names;
    struct packer key; /* of the name that is looked up */
};
/* share_tree_read - of OBJECT, which may be NULL; T, which is empty, is freed by share_tree_free
 * share_tree_leaf - where jobs of OWNER in PROJECT ("": none) count: in the project's node, or in
 * the owner's below it; else in the owner's outside of all projects. TICKETS_NOBODY: nowhere. O(1)
 */
void share_tree_read(struct share_tree *t, const struct TX_Type *object);
void share_tree_free(struct share_tree *t);
uint32_t share_tree_leaf(struct share_tree *t, const char *owner, const char *project);

#endif
