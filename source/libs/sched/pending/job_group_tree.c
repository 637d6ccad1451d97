/* Job groups in the order in which they have their turn. Owns the order. */
#include "libs/sched/pending/job_group_tree.h"

int standing_order(const struct standing *a, const struct standing *b)
{
    if (a->rank != b->rank)
        return a->rank > b->rank ? -1 : 1;
    if (a->priority != b->priority)
        return a->priority > b->priority ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static int job_group_order(struct job_group *a, struct job_group *b)
{
    (*a->compared)++;
    return standing_order(&a->standing, &b->standing);
}
TREE_GENERATE(job_group_tree, job_group, at, job_group_order)

void job_group_tree_add(struct job_group_tree *tree, struct job_group *group)
{
    RB_INSERT(job_group_tree, tree, group);
}

void job_group_tree_remove(struct job_group_tree *tree, struct job_group *group)
{
    RB_REMOVE(job_group_tree, tree, group);
}
