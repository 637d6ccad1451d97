/* The share tree as a tree: a line for each node, children further to the right. A node is kept
 * as a text, `id=1 name=eve type=0 shares=10 childnodes=NONE`. Source: qconf(1),
 * sge_share_tree(5). */
#include <stdlib.h>
#include <string.h>

#include "clients/qconf/shown.h"
#include "libs/config/object.h"
#include "libs/uti/parse.h"

enum { LEVELS_MOST = 100 }; /* what comes may be wrong, and have no end */

struct node {
    uint32_t id;
    const char *text; /* borrowed */
};
struct nodes {
    struct node *v; /* sorted by id */
    uint32_t n, root;
};

/* the value of WORD in a node; new: free() */
static char *node_value(const char *text, const char *word)
{
    size_t len = strlen(word);
    for (const char *at = text; *at != '\0'; at += strcspn(at, " "), at += *at == ' ')
        if (strncmp(at, word, len) == 0 && at[len] == '=')
            return uti_strndup(at + len + 1, strcspn(at + len + 1, " "));
    return uti_strdup("");
}

static uint32_t node_id(const char *text)
{
    char *value = node_value(text, "id");
    uint32_t id;
    if (!parse_u32(value, &id))
        id = UINT32_MAX;
    free(value);
    return id;
}

static int node_compare(const void *left, const void *right)
{
    const struct node *l = left, *r = right;
    return l->id < r->id ? -1 : l->id > r->id;
}

static struct nodes nodes_of(const struct TX_Type *tree)
{
    const struct VA_Type_list *l = &tree->TX_entries;
    struct nodes all = { .v = uti_calloc(l->n + 1, sizeof *all.v) };
    for (uint32_t i = 0; i < l->n; i++)
        if (strcmp(l->v[i].VA_variable, "node") == 0)
            all.v[all.n++] = (struct node){ node_id(l->v[i].VA_value), l->v[i].VA_value };
    all.root = all.v[0].id; /* it stands first */
    qsort(all.v, all.n, sizeof *all.v, node_compare);
    return all;
}

static void show_node(struct qconf *q, const struct nodes *all, uint32_t id, unsigned level)
{
    const struct node key = { .id = id },
                      *node = bsearch(&key, all->v, all->n, sizeof key, node_compare);
    if (node == NULL || level > LEVELS_MOST)
        return;
    char *name = node_value(node->text, "name"), *shares = node_value(node->text, "shares");
    char *children = node_value(node->text, "childnodes");
    struct dstr line = DSTR_INIT;
    struct name_list below = { 0 };
    dstr_addf(&line, "%s=%s", name, shares);
    shown_member(q, dstr_get(&line), level);
    name_list_split(&below, children);
    for (uint32_t i = 0; i < below.n; i++)
        if (parse_u32(below.v[i], &id)) /* NONE is no id */
            show_node(q, all, id, level + 1);
    name_list_free(&below);
    dstr_free(&line);
    free(name);
    free(shares);
    free(children);
}

int show_share_tree(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    const struct object_rules *rules = object_rules_of(OBJECT_SHARETREE);
    struct GA_Type *all = qconf_get(q, row->target, rules->own->only);
    int status = 0;
    (void)args;
    (void)n;
    if (all == NULL)
        return 1;
    shown_objects(q, row->name);
    if (all->GA_texts.n > 0) {
        struct nodes nodes = nodes_of(&all->GA_texts.v[0]);
        show_node(q, &nodes, nodes.root, 0);
        free(nodes.v);
    } else {
        status = qconf_fail(q, "%s", rules->words.unknown_before);
    }
    shown_end(q);
    cull_delete(&cull_GA_Type, all);
    return status;
}
