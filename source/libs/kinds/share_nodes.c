/* The nodes of a share tree. A node is kept as a text, `id=1 name=eve type=0 shares=10
 * childnodes=NONE`. Each node has one parent at most and the root has none, whatever the texts
 * say. */
#include "libs/kinds/share_nodes.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/attr_names.h"
#include "libs/gdi/message.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

/* the value of WORD in a node; new: free() */
static char *node_value(const char *text, const char *word)
{
    size_t len = strlen(word);
    for (const char *at = text; *at != '\0'; at += strcspn(at, " "), at += *at == ' ')
        if (strncmp(at, word, len) == 0 && at[len] == '=')
            return uti_strndup(at + len + 1, strcspn(at + len + 1, " "));
    return uti_strdup("");
}

static uint32_t node_number(const char *text, const char *word)
{
    char *value = node_value(text, word);
    uint32_t number;
    if (!parse_u32(value, &number))
        number = UINT32_MAX; /* which no node has */
    free(value);
    return number;
}

static void node_append(struct share_node ***list, uint32_t *n, struct share_node *node)
{
    *list = uti_realloc(*list, (*n + 1) * sizeof(struct share_node *));
    (*list)[(*n)++] = node;
}

static void node_drop(struct share_node **list, uint32_t *n, const struct share_node *node)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *n; i++)
        if (list[i] != node)
            list[kept++] = list[i];
    *n = kept;
}

static void node_free(struct share_node *node)
{
    free(node->below);
    free(node->name);
    free(node);
}

/* ---- from texts ---- */
static struct share_node *node_read(const char *text)
{
    struct share_node *node = uti_calloc(1, sizeof *node);
    node->id = node_number(text, "id");
    node->shares = node_number(text, "shares");
    node->is_project = node_number(text, "type") == 1;
    node->name = node_value(text, "name");
    return node;
}

static int id_compare(const void *left, const void *right)
{
    const struct share_node *l = *(const struct share_node *const *)left;
    const struct share_node *r = *(const struct share_node *const *)right;
    return l->id < r->id ? -1 : l->id > r->id;
}

static struct share_node *node_by_id(const struct share_tree *sorted, uint32_t id)
{
    const struct share_node key = { .id = id }, *at = &key;
    struct share_node **found =
        bsearch(&at, sorted->nodes, sorted->n, sizeof(struct share_node *), id_compare);
    return found != NULL ? *found : NULL;
}

/* the children that TEXT names come below NODE, unless they are somebody's already */
static void node_adopt(const struct share_tree *t, const struct share_tree *sorted,
                       struct share_node *node, const char *text)
{
    char *children = node_value(text, "childnodes");
    struct dstr word = DSTR_INIT;
    uint32_t id;
    for (const char *at = children; attr_next_word(&at, ",", &word);) {
        /* NONE is no id */
        struct share_node *child = parse_u32(dstr_get(&word), &id) ? node_by_id(sorted, id) : NULL;
        if (child == NULL || child == t->nodes[0] || child->parent != NULL)
            continue;
        child->parent = node;
        node_append(&node->below, &node->below_n, child);
    }
    dstr_free(&word);
    free(children);
}

static bool is_node(const struct VA_Type *va)
{
    return va->VA_variable != NULL && va->VA_value != NULL && strcmp(va->VA_variable, "node") == 0;
}

struct share_tree share_tree_read(const struct TX_Type *tx)
{
    const struct VA_Type_list *l = &tx->TX_entries;
    struct share_tree t = { .nodes = uti_calloc(l->n + 1, sizeof(struct share_node *)) };
    struct share_tree sorted = { .nodes = uti_calloc(l->n + 1, sizeof(struct share_node *)) };
    for (uint32_t i = 0; i < l->n; i++)
        if (is_node(&l->v[i]))
            sorted.nodes[sorted.n++] = t.nodes[t.n++] = node_read(l->v[i].VA_value);
    qsort(sorted.nodes, sorted.n, sizeof(struct share_node *), id_compare);
    for (uint32_t i = 0, at = 0; i < l->n; i++)
        if (is_node(&l->v[i]))
            node_adopt(&t, &sorted, t.nodes[at++], l->v[i].VA_value);
    free(sorted.nodes);
    return t;
}

void share_tree_clear(struct share_tree *t)
{
    for (uint32_t i = 0; i < t->n; i++)
        node_free(t->nodes[i]);
    free(t->nodes);
    *t = (struct share_tree){ 0 };
}

/* ---- to texts ---- */
void share_tree_write(const struct share_tree *t, struct TX_Type *tx)
{
    cull_list_clear(&cull_VA_Type, &tx->TX_entries);
    for (uint32_t i = 0; i < t->n; i++) {
        const struct share_node *node = t->nodes[i];
        struct dstr text = DSTR_INIT;
        dstr_addf(&text, "id=%u name=%s type=%d shares=%u childnodes=", node->id, node->name,
                  node->is_project, node->shares);
        for (uint32_t k = 0; k < node->below_n; k++)
            dstr_addf(&text, "%s%u", k > 0 ? "," : "", node->below[k]->id);
        if (node->below_n == 0)
            dstr_add(&text, "NONE");
        struct VA_Type *va = cull_append(tx, TX_entries);
        cull_set(va, VA_variable, "node");
        cull_set(va, VA_value, dstr_get(&text));
        dstr_free(&text);
    }
}

/* ---- paths ---- */
static struct share_node *child_named(const struct share_node *node, const char *name, size_t len)
{
    for (uint32_t i = 0; i < node->below_n; i++)
        if (strncmp(node->below[i]->name, name, len) == 0 && node->below[i]->name[len] == '\0')
            return node->below[i];
    return NULL;
}

static bool is_separator(char c)
{
    return c == '/' || c == '.';
}

/* A dot may be part of a name: a child of the whole name goes before a way through others. */
static struct share_node *find_below(struct share_node *node, const char *path, size_t len)
{
    struct share_node *found = len > 0 ? child_named(node, path, len) : node;
    for (size_t i = 1; found == NULL && i < len; i++) {
        struct share_node *child = is_separator(path[i]) ? child_named(node, path, i) : NULL;
        if (child != NULL)
            found = find_below(child, path + i + 1, len - i - 1);
    }
    return found;
}

struct share_node *share_tree_find(const struct share_tree *t, const char *path, size_t len)
{
    size_t skip = len > 0 && path[0] == '/';
    return t->n > 0 ? find_below(t->nodes[0], path + skip, len - skip) : NULL;
}

struct share_node *share_tree_parent(const struct share_tree *t, const char *path, size_t len,
                                     const char **name)
{
    for (size_t i = len; i > 0; i--) {
        struct share_node *parent =
            is_separator(path[i - 1]) ? share_tree_find(t, path, i - 1) : NULL;
        *name = path + i;
        if (parent != NULL)
            return parent;
        if (path[i - 1] == '/')
            return NULL; /* no name has one */
    }
    *name = path;
    return t->n > 0 ? t->nodes[0] : NULL;
}

/* ---- changes ---- */
static uint32_t free_id(const struct share_tree *t)
{
    uint32_t id = 0;
    for (uint32_t i = 0; i < t->n; i++)
        if (t->nodes[i]->id >= id)
            id = t->nodes[i]->id + 1;
    return id;
}

struct share_node *share_tree_add(struct share_tree *t, struct share_node *parent, const char *name,
                                  size_t name_len)
{
    struct share_node *node = uti_calloc(1, sizeof *node);
    node->id = free_id(t);
    node->name = uti_strndup(name, name_len);
    node->parent = parent;
    node_append(&parent->below, &parent->below_n, node);
    node_append(&t->nodes, &t->n, node);
    return node;
}

void share_tree_remove(struct share_tree *t, struct share_node *node)
{
    node_drop(node->parent->below, &node->parent->below_n, node);
    node_drop(t->nodes, &t->n, node);
    node_free(node);
}

bool share_tree_move(struct share_tree *t, struct share_node *node, struct share_node *parent)
{
    if (node == t->nodes[0])
        return false;
    for (const struct share_node *at = parent; at != NULL; at = at->parent)
        if (at == node)
            return false;
    if (node->parent != NULL)
        node_drop(node->parent->below, &node->parent->below_n, node);
    node->parent = parent;
    node_append(&parent->below, &parent->below_n, node);
    return true;
}
