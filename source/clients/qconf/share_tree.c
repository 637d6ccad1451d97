/* The share tree and its nodes: shown as a tree or one by one, and changed one by one. Whoever
 * changes nodes sends the tree that he has seen along with the new one, so that the qmaster
 * refuses the change when another administrator was faster. Source: qconf(1). */
#include <stdlib.h>
#include <string.h>

#include "clients/qconf/msg_qconf.h"
#include "clients/qconf/output.h"
#include "clients/qconf/qconf.h"
#include "libs/config/object.h"
#include "libs/config/quantity.h"
#include "libs/kinds/share_nodes.h"
#include "libs/uti/parse.h"

/* ---- showing ---- */
static void show_subtree(struct qconf *q, const struct share_node *node, unsigned level)
{
    struct dstr line = DSTR_INIT;
    dstr_addf(&line, "%s=%u", node->name, node->shares);
    output_member(q, dstr_get(&line), level);
    for (uint32_t i = 0; i < node->below_n; i++)
        show_subtree(q, node->below[i], level + 1);
    dstr_free(&line);
}

static struct GA_Type *get_tree(struct qconf *q, const struct qconf_row *row)
{
    return qconf_get(q, row->target, object_rules_of(OBJECT_SHARETREE)->own->only);
}

int show_share_tree(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    struct GA_Type *all = get_tree(q, row);
    int status = 0;
    (void)args;
    (void)n;
    if (all == NULL)
        return 1;
    output_objects(q, row->name);
    if (all->GA_texts.n > 0) {
        struct share_tree tree = share_tree_read(&all->GA_texts.v[0]);
        if (tree.n > 0)
            show_subtree(q, tree.nodes[0], 0);
        share_tree_clear(&tree);
    } else {
        status = qconf_fail(q, "%s", object_rules_of(OBJECT_SHARETREE)->words.unknown_before);
    }
    output_end(q);
    cull_delete(&cull_GA_Type, all);
    return status;
}

/* the path of NODE, as others than the root have it */
static void add_path(const struct share_node *node, struct dstr *out)
{
    if (node->parent == NULL)
        return;
    add_path(node->parent, out);
    dstr_addf(out, "/%s", node->name);
}

static void show_node(struct qconf *q, const struct share_node *node, bool is_deep)
{
    struct dstr path = DSTR_INIT;
    add_path(node, &path);
    output_share(q, path.len > 0 ? dstr_get(&path) : "/", node->shares);
    for (uint32_t i = 0; is_deep && i < node->below_n; i++)
        show_node(q, node->below[i], true);
    dstr_free(&path);
}

static int show_paths(struct qconf *q, const struct TX_Type *tx, const char *paths, bool is_deep)
{
    struct share_tree tree = share_tree_read(tx);
    struct name_list words = { 0 };
    int status = 0;
    name_list_split(&words, paths);
    for (uint32_t i = 0; i < words.n; i++) {
        const struct share_node *node = share_tree_find(&tree, words.v[i], strlen(words.v[i]));
        if (node != NULL)
            show_node(q, node, is_deep);
        else
            status = qconf_fail(q, MSG_SHARE_UNKNOWN_S, words.v[i]);
    }
    name_list_free(&words);
    share_tree_clear(&tree);
    return status;
}

/* that there is no tree is no failure, as scripts know it */
static int show_nodes(struct qconf *q, const struct qconf_row *row, const char *paths, bool is_deep)
{
    struct GA_Type *all = get_tree(q, row);
    int status = 0;
    if (all == NULL)
        return 1;
    output_objects(q, row->name);
    if (all->GA_texts.n > 0)
        status = show_paths(q, &all->GA_texts.v[0], paths, is_deep);
    else
        (void)qconf_fail(q, MSG_SHARE_NO_TREE);
    output_end(q);
    cull_delete(&cull_GA_Type, all);
    return status;
}

int share_nodes_show(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)n;
    return show_nodes(q, row, args[0], false);
}

int share_nodes_show_all(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)n;
    return show_nodes(q, row, args[0], true);
}

/* ---- changing: PATH, or PATH=SHARES ---- */

/* does the qmaster have an object of the kind with this name? */
static bool is_known(struct qconf *q, enum gdi_target target, const char *name)
{
    struct GA_Type *all = qconf_get(q, target, name);
    bool is_there = false;
    for (uint32_t i = 0; all != NULL && i < all->GA_texts.n; i++)
        is_there = is_there || strcmp(all->GA_texts.v[i].TX_name, name) == 0;
    cull_delete(&cull_GA_Type, all);
    return is_there;
}

/* A new node is a project's if there is a project, and no user, of its name; within a project are
 * users. */
static bool is_project(struct qconf *q, const struct share_node *node)
{
    for (const struct share_node *above = node->parent; above != NULL; above = above->parent)
        if (above->is_project)
            return false;
    return is_known(q, GDI_PROJECT, node->name) && !is_known(q, GDI_USER, node->name);
}

static int read_shares(struct qconf *q, const char *word, size_t *path_len, uint32_t *shares)
{
    const char *equal = strrchr(word, '=');
    if (equal == NULL || equal == word || !quantity_count_parse(equal + 1, shares))
        return qconf_fail(q, MSG_SHARE_FORM_S, word);
    *path_len = (size_t)(equal - word);
    return 0;
}

typedef int change_fn(struct qconf *q, struct share_tree *tree, const char *word);

static int add_node(struct qconf *q, struct share_tree *tree, const char *word)
{
    const char *name;
    size_t len;
    uint32_t shares;
    if (read_shares(q, word, &len, &shares) != 0)
        return 1;
    if (share_tree_find(tree, word, len) != NULL)
        return qconf_fail(q, MSG_SHARE_THERE_S, word);
    struct share_node *parent = share_tree_parent(tree, word, len, &name);
    if (parent == NULL)
        return qconf_fail(q, MSG_SHARE_UNKNOWN_S, word);
    struct share_node *node = share_tree_add(tree, parent, name, len - (size_t)(name - word));
    node->shares = shares;
    node->is_project = is_project(q, node);
    return 0;
}

static int modify_node(struct qconf *q, struct share_tree *tree, const char *word)
{
    size_t len;
    uint32_t shares;
    if (read_shares(q, word, &len, &shares) != 0)
        return 1;
    struct share_node *node = share_tree_find(tree, word, len);
    if (node == NULL)
        return qconf_fail(q, MSG_SHARE_UNKNOWN_S, word);
    node->shares = shares;
    return 0;
}

static int delete_node(struct qconf *q, struct share_tree *tree, const char *word)
{
    struct share_node *node = share_tree_find(tree, word, strlen(word));
    if (node == NULL)
        return qconf_fail(q, MSG_SHARE_UNKNOWN_S, word);
    if (node->parent == NULL)
        return qconf_fail(q, MSG_SHARE_ROOT);
    if (node->below_n > 0)
        return qconf_fail(q, MSG_SHARE_BELOW_S, word);
    share_tree_remove(tree, node);
    return 0;
}

static int send_tree(struct qconf *q, const struct qconf_row *row, const struct share_tree *tree,
                     const struct TX_Type *seen)
{
    struct GR_Type request = { 0 };
    qconf_request(&request, GDI_MOD, row->target);
    cull_copy(&cull_TX_Type, cull_append(&request, GR_seen), seen);
    struct TX_Type *changed = cull_append(&request, GR_texts);
    cull_copy(&cull_TX_Type, changed, seen);
    share_tree_write(tree, changed);
    return qconf_send(q, &request, q->err);
}

/* all WORDS, or nothing */
static int change_tree(struct qconf *q, const struct qconf_row *row, const struct TX_Type *seen,
                       change_fn *change, const char *words)
{
    struct share_tree tree = share_tree_read(seen);
    struct name_list list = { 0 };
    name_list_split(&list, words);
    int status = list.n > 0 ? 0 : qconf_fail(q, MSG_QCONF_NO_ARGUMENT_S, row->name);
    for (uint32_t i = 0; i < list.n && status == 0; i++)
        status = change(q, &tree, list.v[i]);
    if (status == 0)
        status = send_tree(q, row, &tree, seen);
    name_list_free(&list);
    share_tree_clear(&tree);
    return status;
}

static int change_nodes(struct qconf *q, const struct qconf_row *row, change_fn *change,
                        const char *words)
{
    struct GA_Type *all = get_tree(q, row);
    if (all == NULL)
        return 1;
    int status = all->GA_texts.n > 0 ? change_tree(q, row, &all->GA_texts.v[0], change, words)
                                     : qconf_fail(q, MSG_SHARE_NO_TREE);
    cull_delete(&cull_GA_Type, all);
    return status;
}

int share_nodes_add(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)n;
    return change_nodes(q, row, add_node, args[0]);
}

int share_nodes_modify(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)n;
    return change_nodes(q, row, modify_node, args[0]);
}

int share_nodes_delete(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)n;
    return change_nodes(q, row, delete_node, args[0]);
}
