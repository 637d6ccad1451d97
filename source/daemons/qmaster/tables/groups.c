/* Host groups as a net. An edge is in two lists: of the group that names, and of what it names. A
 * node is there as long as it has an edge or is a group. A walk looks at a node once: `visit` tells
 * whose walk has been there, so that any number of ways between groups, and circles that an older
 * spool may have, cost no more than the edges. */
#include "daemons/qmaster/tables/groups.h"

#include <stdlib.h>
#include <string.h>

#include "daemons/qmaster/tables/msg_tables.h"
#include "libs/cull/cull.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"

struct group_edge {
    struct group_node *group, *member;
    LIST_ENTRY(group_edge) in_group, in_member;
};

static struct group_node *node_find(const struct groups *g, const char *name)
{
    struct group_node *node;
    HASH_FIND_STR(g->nodes, name, node);
    return node;
}

static struct group_node *node_get(struct groups *g, const char *name)
{
    struct group_node *node = node_find(g, name);
    if (node != NULL)
        return node;
    node = uti_calloc(1, sizeof *node);
    node->name = cull_string_new(name, strlen(name));
    LIST_INIT(&node->above);
    LIST_INIT(&node->below);
    HASH_ADD_KEYPTR(hh, g->nodes, node->name, strlen(node->name), node);
    return node;
}

static void node_settle(struct groups *g, struct group_node *node)
{
    if (node->is_there || !LIST_EMPTY(&node->above) || !LIST_EMPTY(&node->below))
        return;
    HASH_DEL(g->nodes, node);
    cull_string_drop(node->name);
    free(node);
}

static void edges_free(struct groups *g, struct group_node *group)
{
    struct group_edge *edge;
    while ((edge = LIST_FIRST(&group->below)) != NULL) {
        struct group_node *member = edge->member;
        LIST_REMOVE(edge, in_group);
        LIST_REMOVE(edge, in_member);
        free(edge);
        if (member != group)
            node_settle(g, member);
    }
}

/* ---- changes ---- */

void groups_put(struct groups *g, const struct HGRP_Type *group)
{
    struct group_node *node = node_get(g, group->HGRP_name);
    node->is_there = true; /* now it stays whatever loses its edges */
    edges_free(g, node);
    for (uint32_t i = 0; i < group->HGRP_host_list.n; i++) {
        struct group_edge *edge = uti_calloc(1, sizeof *edge);
        edge->group = node;
        edge->member = node_get(g, group->HGRP_host_list.v[i].ST_name);
        LIST_INSERT_HEAD(&node->below, edge, in_group);
        LIST_INSERT_HEAD(&edge->member->above, edge, in_member);
    }
}

void groups_drop(struct groups *g, const char *name)
{
    struct group_node *node = node_find(g, name);
    if (node == NULL)
        return;
    edges_free(g, node);
    node->is_there = false;
    node_settle(g, node);
}

static void node_free(struct groups *g, struct group_node *node)
{
    struct group_edge *edge;
    while ((edge = LIST_FIRST(&node->below)) != NULL) {
        LIST_REMOVE(edge, in_group);
        free(edge);
    }
    HASH_DEL(g->nodes, node);
    cull_string_drop(node->name);
    free(node);
}

/* there are no more lookups, so that nodes may go with edges that others have to them */
void groups_clear(struct groups *g)
{
    struct group_node *node, *next;
    HASH_ITER(hh, g->nodes, node, next) {
        node_free(g, node);
    }
    free(g->found);
    *g = (struct groups){ 0 };
}

/* ---- questions ---- */

static bool is_first_look(const struct groups *g, struct group_node *node)
{
    bool is_first = node->visit != g->visits;
    node->visit = g->visits;
    return is_first;
}

static void find_above(struct groups *g, const struct group_node *node)
{
    struct group_edge *edge;
    LIST_FOREACH(edge, &node->above, in_member) {
        if (!is_first_look(g, edge->group))
            continue;
        g->found = uti_vec_grow(g->found, &g->cap, g->n_found + 1, sizeof(struct group_node *));
        g->found[g->n_found++] = edge->group;
    }
}

void groups_find(struct groups *g, const char *name)
{
    const struct group_node *node = node_find(g, name);
    g->visits++;
    g->n_found = 0;
    if (node == NULL)
        return;
    find_above(g, node);
    for (uint32_t i = 0; i < g->n_found; i++)
        find_above(g, g->found[i]);
}

bool groups_has(const struct groups *g, const char *group)
{
    const struct group_node *node = node_find(g, group);
    return node != NULL && node->visit == g->visits;
}

/* groups on the longest way from NODE, itself counted if it is one; up or down. What is deeper
 * than GROUP_DEPTH is not looked at. */
static unsigned height_of(struct groups *g, struct group_node *node, bool is_up, unsigned depth)
{
    struct group_edge *edge;
    unsigned most = 0;
    if (depth > GROUP_DEPTH || node->name[0] != '@')
        return 0;
    if (!is_first_look(g, node))
        return node->height;
    node->height = 1;
    for (edge = is_up ? LIST_FIRST(&node->above) : LIST_FIRST(&node->below); edge != NULL;
         edge = is_up ? LIST_NEXT(edge, in_member) : LIST_NEXT(edge, in_group)) {
        unsigned there = height_of(g, is_up ? edge->group : edge->member, is_up, depth + 1);
        most = there > most ? there : most;
    }
    node->height = most + 1;
    return node->height;
}

/* groups on the longest way through one called NAME with the members L */
static unsigned depth_with(struct groups *g, const char *name, const struct ST_Type_list *l)
{
    struct group_node *node = node_find(g, name);
    unsigned below = 0;
    g->visits++;
    unsigned above = node != NULL ? height_of(g, node, true, 0) : 1;
    g->visits++;
    for (uint32_t i = 0; i < l->n; i++) {
        struct group_node *member = node_find(g, l->v[i].ST_name);
        unsigned there = member != NULL ? height_of(g, member, false, 0) : 0;
        below = there > below ? there : below;
    }
    return above + below;
}

int groups_check(struct groups *g, const struct HGRP_Type *group, struct answer *ans)
{
    const struct ST_Type_list *l = &group->HGRP_host_list;
    groups_find(g, group->HGRP_name);
    for (uint32_t i = 0; i < l->n; i++)
        if (strcmp(l->v[i].ST_name, group->HGRP_name) == 0 || groups_has(g, l->v[i].ST_name))
            return ans_fail(ans, STATUS_ESEMANTIC, MSG_GROUP_IN_ITSELF_S, group->HGRP_name);
    if (depth_with(g, group->HGRP_name, l) > GROUP_DEPTH)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_GROUP_DEPTH_SI, group->HGRP_name,
                        (int)GROUP_DEPTH);
    return 0;
}

/* MEMBER and what is below it; a foreign spool's way may be long, so the walk keeps its own list */
static void find_below(struct groups *g, struct group_node *node)
{
    if (!is_first_look(g, node))
        return;
    g->found = uti_vec_grow(g->found, &g->cap, g->n_found + 1, sizeof(struct group_node *));
    g->found[g->n_found++] = node;
}

void groups_each_host(struct groups *g, const struct ST_Type_list *l, group_host_fn fn, void *ctx)
{
    struct group_edge *edge;
    g->visits++;
    g->n_found = 0;
    for (uint32_t i = 0; i < l->n; i++) {
        struct group_node *node = node_find(g, l->v[i].ST_name);
        if (node != NULL)
            find_below(g, node);
        else if (l->v[i].ST_name[0] != '@')
            fn(ctx, l->v[i].ST_name); /* it was in one group only, and is in none any more */
    }
    for (uint32_t i = 0; i < g->n_found; i++) {
        LIST_FOREACH(edge, &g->found[i]->below, in_group) {
            find_below(g, edge->member);
        }
        if (g->found[i]->name[0] != '@')
            fn(ctx, g->found[i]->name);
    }
}
