#ifndef KINDS_SHARE_NODES_H
#define KINDS_SHARE_NODES_H

#include "common/basis.h"

/* The share tree as nodes that know each other, made of the texts in which it is kept and made
 * such texts again. Pure. Source: sge_share_tree(5). */
struct TX_Type;

struct share_node {
    uint32_t id, shares;
    bool is_project;
    char *name;
    struct share_node *parent; /* NULL for the root, and for a node without a parent */
    struct share_node **below;
    uint32_t below_n;
};
struct share_tree {
    struct share_node **nodes; /* owned; in the order of the texts, the root first */
    uint32_t n;
};

/* share_tree_read - the nodes of TX; what is wrong there becomes no circle here, so that a walk
 * from the root ends. Clear it with share_tree_clear. O(n log n) */
struct share_tree share_tree_read(const struct TX_Type *tx);
void share_tree_clear(struct share_tree *t);
/* share_tree_write - the nodes of TX become those of T */
void share_tree_write(const struct share_tree *t, struct TX_Type *tx);

/* share_tree_find - the node at PATH, LEN bytes: names from below the root on, with / or . between
 * them; "" and "/" are the root
 * Returns the node, borrowed; NULL if none is there, or if the tree is empty. */
struct share_node *share_tree_find(const struct share_tree *t, const char *path, size_t len);
/* share_tree_parent - the node below which a node at PATH is or would be; *NAME is what it would
 * be called. A dot may be part of that name: the longest way down that exists counts. NULL if
 * none exists. */
struct share_node *share_tree_parent(const struct share_tree *t, const char *path, size_t len,
                                     const char **name);

/* share_tree_add - a new leaf below PARENT, the last of its children; borrowed
 * share_tree_remove - NODE, a leaf that is not the root, goes */
struct share_node *share_tree_add(struct share_tree *t, struct share_node *parent, const char *name,
                                  size_t name_len);
void share_tree_remove(struct share_tree *t, struct share_node *node);
/* share_tree_move - NODE comes below PARENT, the last of its children, with all below it; false,
 * and nothing happens, if NODE is the root, or PARENT is it or below it. O(levels) */
bool share_tree_move(struct share_tree *t, struct share_node *node, struct share_node *parent);

#endif
