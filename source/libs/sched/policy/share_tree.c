/* The nodes of a share tree. Owns them and their names. The text has been checked when the tree was
 * configured (libs/config/share_tree.c); what makes no sense all the same is passed over. */
#include "libs/sched/policy/share_tree.h"

#include <stdlib.h>
#include <string.h>

#include "libs/uti/alloc.h"
#include "libs/uti/hash.h"

enum { ROOT };
/* a name is unique among the projects, and within a project or outside of all */
struct share_name {
    uint32_t node;
    bool has_children;
    UT_hash_handle hh;
    char key[]; /* the scope, then the name */
};
/* of projects; other scopes are the nodes of projects, or ROOT */
static const uint32_t all_projects = UINT32_MAX;

/* the key is made in T, so that looking one up allocates nothing */
static struct share_name *name_find(struct share_tree *t, uint32_t scope, const char *name)
{
    struct share_name *found = NULL;
    t->key.len = 0;
    pack_bytes(&t->key, &scope, sizeof scope);
    pack_bytes(&t->key, name, strlen(name));
    if (t->names != NULL)
        HASH_FIND(hh, t->names, t->key.data, t->key.len, found);
    return found;
}

static void name_add(struct share_tree *t, uint32_t scope, const char *name, uint32_t node,
                     bool has_children)
{
    if (name_find(t, scope, name) != NULL)
        return;
    size_t bytes = t->key.len;
    struct share_name *own = uti_alloc(sizeof *own + bytes);
    memcpy(own->key, t->key.data, bytes);
    own->node = node;
    own->has_children = has_children;
    HASH_ADD_KEYPTR(hh, t->names, own->key, bytes, own);
}

static uint32_t node_add(struct share_tree *t, uint32_t parent, double shares)
{
    t->nodes = uti_vec_grow(t->nodes, &t->cap, t->n + 1, sizeof *t->nodes);
    t->nodes[t->n] = (struct ticket_node){ .parent = parent, .shares = shares };
    return t->n++;
}

/* ---- the text ---- */
/* `id=1 name=eve type=0 shares=10 childnodes=2,3` */
struct words {
    uint32_t id, shares;
    bool is_project;
    const char *name, *children; /* until a blank, or the end */
    size_t name_len;
    uint32_t parent, scope; /* of the node that is made; found from above */
    bool is_reached;
};

static const char *text_behind(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    return at != NULL ? at + strlen(word) : "";
}

static struct words words_of(const char *text)
{
    struct words w = { .name = text_behind(text, " name="),
                       .children = text_behind(text, " childnodes=") };
    w.id = (uint32_t)strtoul(text_behind(text, "id="), NULL, 10);
    w.shares = (uint32_t)strtoul(text_behind(text, " shares="), NULL, 10);
    w.is_project = *text_behind(text, " type=") == '1';
    w.name_len = strcspn(w.name, " ");
    return w;
}

static int words_order(const void *a, const void *b)
{
    const struct words *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

static struct words *words_find(struct words *all, uint32_t n, uint32_t id)
{
    const struct words wanted = { .id = id };
    return bsearch(&wanted, all, n, sizeof *all, words_order);
}

/* a node with its name; returns its index */
static uint32_t node_make(struct share_tree *t, const struct words *w)
{
    char *name = uti_strndup(w->name, w->name_len);
    uint32_t node = node_add(t, w->parent, w->shares);
    bool has_children = w->children[0] >= '0' && w->children[0] <= '9';
    if (node != ROOT)
        name_add(t, w->is_project ? all_projects : w->scope, name, node, has_children);
    free(name);
    return node;
}

/* those that CHILDREN names wait in QUEUE for their turn */
static void queue_children(struct words *all, uint32_t n, const struct words *of, uint32_t node,
                           struct words **queue, uint32_t *queued)
{
    const char *at = of->children;
    while (*at >= '0' && *at <= '9') {
        char *end;
        struct words *child = words_find(all, n, (uint32_t)strtoul(at, &end, 10));
        if (child != NULL && !child->is_reached) {
            child->is_reached = true;
            child->parent = node;
            child->scope = of->is_project ? node : of->scope;
            queue[(*queued)++] = child;
        }
        at = *end == ',' ? end + 1 : end;
    }
}

void share_tree_read(struct share_tree *t, const struct TX_Type *object)
{
    uint32_t n = object != NULL ? object->TX_entries.n : 0, queued = 0;
    if (n == 0)
        return;
    struct words *all = uti_calloc(n, sizeof *all), **queue = uti_calloc(n, sizeof(struct words *));
    uint32_t used = 0, root_id = 0;
    for (uint32_t i = 0; i < n; i++) {
        const char *text = object->TX_entries.v[i].VA_value;
        if (text == NULL || strncmp(text, "id=", 3) != 0)
            continue;
        all[used++] = words_of(text);
        if (used == 1)
            root_id = all[0].id;
    }
    qsort(all, used, sizeof *all, words_order);
    struct words *root = used > 0 ? words_find(all, used, root_id) : NULL;
    if (root != NULL) {
        root->is_reached = true;
        root->parent = TICKETS_NOBODY;
        queue[queued++] = root;
    }
    for (uint32_t i = 0; i < queued; i++) /* parents before their children */
        queue_children(all, used, queue[i], node_make(t, queue[i]), queue, &queued);
    free(all);
    free(queue);
}

void share_tree_free(struct share_tree *t)
{
    struct share_name *name, *next;
    HASH_ITER(hh, t->names, name, next) {
        HASH_DEL(t->names, name);
        free(name);
    }
    free(t->nodes);
    packer_free(&t->key);
    *t = (struct share_tree){ 0 };
}

/* ---- leaves ---- */
static uint32_t leaf_of_user(struct share_tree *t, uint32_t scope, const char *owner)
{
    const struct share_name *own = name_find(t, scope, owner);
    if (own != NULL)
        return own->has_children ? TICKETS_NOBODY : own->node;
    const struct share_name *usual = name_find(t, scope, "default");
    if (usual == NULL)
        return TICKETS_NOBODY;
    uint32_t node = node_add(t, t->nodes[usual->node].parent, t->nodes[usual->node].shares);
    name_add(t, scope, owner, node, false);
    return node;
}

uint32_t share_tree_leaf(struct share_tree *t, const char *owner, const char *project)
{
    if (t->n == 0)
        return TICKETS_NOBODY;
    const struct share_name *of = project[0] != '\0' ? name_find(t, all_projects, project) : NULL;
    if (of == NULL)
        return leaf_of_user(t, ROOT, owner);
    return of->has_children ? leaf_of_user(t, of->node, owner) : of->node;
}
