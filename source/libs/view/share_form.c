/* Rows of a share tree. Invariant: `rows` are the nodes of `tree` that are below its root, in the
 * order of a walk, and the root. */
#include "libs/view/share_form.h"

#include <stdlib.h>
#include <string.h>

#include "libs/kinds/share_nodes.h"
#include "libs/uti/alloc.h"

struct share_form {
    struct object_form *form;
    struct share_tree tree;
    struct share_node **rows;
    uint32_t n, cap;
};

/* ---- rows ---- */

static void add_rows(struct share_form *s, struct share_node *node)
{
    s->rows = uti_vec_grow(s->rows, &s->cap, s->n + 1, sizeof(struct share_node *));
    s->rows[s->n++] = node;
    for (uint32_t i = 0; i < node->below_n; i++)
        add_rows(s, node->below[i]);
}

static void make_rows(struct share_form *s)
{
    s->n = 0;
    if (s->tree.n > 0)
        add_rows(s, s->tree.nodes[0]);
}

void share_form_renew(struct share_form *s)
{
    share_tree_clear(&s->tree);
    s->tree = share_tree_read(object_form_object(s->form));
    make_rows(s);
}

struct share_form *share_form_new(struct object_form *f)
{
    struct share_form *s = uti_calloc(1, sizeof *s);
    s->form = f;
    share_form_renew(s);
    return s;
}

void share_form_free(struct share_form *s)
{
    if (s == NULL)
        return;
    share_tree_clear(&s->tree);
    free(s->rows);
    free(s);
}

uint32_t share_form_count(const struct share_form *s)
{
    return s->n;
}

uint32_t share_form_key(const struct share_form *s, uint32_t row)
{
    return s->rows[row]->id + 1;
}

const char *share_form_name(const struct share_form *s, uint32_t row)
{
    return s->rows[row]->name;
}

uint32_t share_form_shares(const struct share_form *s, uint32_t row)
{
    return s->rows[row]->shares;
}

uint32_t share_form_depth(const struct share_form *s, uint32_t row)
{
    uint32_t depth = 0;
    for (const struct share_node *at = s->rows[row]->parent; at != NULL; at = at->parent)
        depth++;
    return depth;
}

/* the part that NODE has of what its parent has */
static double part_of(const struct share_node *node)
{
    double all = 0;
    for (uint32_t i = 0; i < node->parent->below_n; i++)
        all += node->parent->below[i]->shares;
    return all > 0 ? node->shares / all : 0;
}

double share_form_percent(const struct share_form *s, uint32_t row)
{
    double percent = 100;
    for (const struct share_node *at = s->rows[row]; at->parent != NULL; at = at->parent)
        percent *= part_of(at);
    return percent;
}

/* ---- changes ---- */

/* the nodes go into the form, and the rows follow them */
static void take_change(struct share_form *s)
{
    const struct TX_Type *before = object_form_object(s->form);
    struct TX_Type tree = { 0 };
    cull_copy(&cull_TX_Type, &tree, before);
    share_tree_write(&s->tree, &tree);
    object_form_put(s->form, &tree);
    cull_clear(&cull_TX_Type, &tree);
    make_rows(s);
}

bool share_form_add(struct share_form *s, uint32_t row, const char *name, uint32_t shares)
{
    if (row >= s->n || name[0] == '\0' || strpbrk(name, " \t\n") != NULL)
        return false;
    share_tree_add(&s->tree, s->rows[row], name, strlen(name))->shares = shares;
    take_change(s);
    return true;
}

bool share_form_set(struct share_form *s, uint32_t row, uint32_t shares)
{
    if (row >= s->n)
        return false;
    s->rows[row]->shares = shares;
    take_change(s);
    return true;
}

static void remove_nodes(struct share_form *s, struct share_node *node)
{
    while (node->below_n > 0)
        remove_nodes(s, node->below[node->below_n - 1]);
    share_tree_remove(&s->tree, node);
}

bool share_form_remove(struct share_form *s, uint32_t row)
{
    if (row == 0 || row >= s->n)
        return false;
    remove_nodes(s, s->rows[row]);
    take_change(s);
    return true;
}

bool share_form_move(struct share_form *s, uint32_t row, uint32_t to)
{
    if (row >= s->n || to >= s->n || !share_tree_move(&s->tree, s->rows[row], s->rows[to]))
        return false;
    take_change(s);
    return true;
}
