#ifndef VIEW_GROUP_TREE_H
#define VIEW_GROUP_TREE_H

#include "libs/sgeobj/rows.h"

struct dstr;

/* group_tree_words - append what is in host group NAME, a line each, what is in a group further
 * right than the group
 *
 *   groups  all host groups
 *
 * GROUP_TREE_LINES at most, and GROUP_TREE_DEPTH groups in each other. Pure. O(lines x groups) */
enum { GROUP_TREE_LINES = 2000, GROUP_TREE_DEPTH = 16 };
void group_tree_words(const struct TX_Type_list *groups, const char *name, struct dstr *out);

#endif
