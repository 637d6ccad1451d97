/* Leaves: jobs of one category, owner and project, which is what policies order. Owns struct leaf
 * and the order of jobs within it.
 *
 * Within a leaf, jobs go by priority and number, whatever the policy; leaves go by the rank that
 * the policy gives them, then by their first jobs. A leaf stands in its need's tree, or parked in
 * its owner's, by a copy of that, which changes only while it is in neither. */
#include "libs/sched/sched_priv.h"

#include <stdlib.h>
#include <string.h>

#include "libs/cull/pack.h"

static int job_order(struct sched_job *a, struct sched_job *b)
{
    a->leaf->category->sched->work.compared++;
    if (a->priority != b->priority)
        return a->priority > b->priority ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}
TREE_GENERATE(ready_tree, sched_job, at, job_order)

struct sched_job *leaf_first_job(struct leaf *leaf)
{
    return RB_MIN(ready_tree, &leaf->ready);
}

uint32_t leaf_priority(const struct leaf *leaf)
{
    struct ready_tree tree = leaf->ready;
    const struct sched_job *head = RB_MIN(ready_tree, &tree);
    return head != NULL ? head->priority : 0;
}

/* ---- where it stands ---- */
static struct standing standing_of(struct leaf *leaf, const struct sched_job *head)
{
    const struct sched *s = leaf->category->sched;
    int64_t rank = s->policy->rank != NULL ? s->policy->rank(s->own, leaf) : 0;
    return (struct standing){ rank, head->priority, head->number };
}

/* take LEAF out of the tree that it is in, if it is in any */
static void leaf_leave(struct leaf *leaf)
{
    if (leaf->is_listed)
        need_unlist_leaf(leaf->category->need, leaf);
    if (leaf->is_parked)
        owner_unpark(leaf->category->sched, leaf);
    leaf->is_listed = leaf->is_parked = false;
}

static void leaf_enter(struct leaf *leaf, bool is_parked)
{
    leaf->is_parked = is_parked;
    leaf->is_listed = !is_parked;
    if (is_parked)
        owner_park(leaf->category->sched, leaf);
    else
        need_list_leaf(leaf->category->need, leaf);
}

/* put LEAF where it belongs after its first job, or what the policy thinks of it, may have
 * changed */
static void leaf_settle(struct leaf *leaf)
{
    const struct sched_job *head = leaf_first_job(leaf);
    struct standing now = { 0 };
    bool is_parked = leaf->is_parked;
    if (head != NULL)
        now = standing_of(leaf, head);
    if ((leaf->is_listed || is_parked) && head != NULL &&
        standing_order(&now, &leaf->standing) == 0)
        return;
    leaf_leave(leaf);
    leaf->standing = now;
    if (head != NULL)
        leaf_enter(leaf, is_parked);
}

void leaf_park(struct leaf *leaf)
{
    leaf_leave(leaf);
    leaf_enter(leaf, true);
}

void leaf_let_go(struct leaf *leaf)
{
    leaf_leave(leaf);
    leaf->standing = standing_of(leaf, leaf_first_job(leaf));
    leaf_enter(leaf, false);
}

bool leaf_rank(struct leaf *leaf)
{
    int64_t before = leaf->standing.rank;
    if (leaf->category->sched->policy->rank == NULL)
        return false;
    leaf_settle(leaf);
    return leaf->standing.rank < before;
}

void leaves_rank(struct sched *s)
{
    for (struct leaf *leaf = s->leaves; leaf != NULL; leaf = leaf->hh.next)
        leaf_settle(leaf);
}

void leaf_add_job(struct leaf *leaf, struct sched_job *job)
{
    RB_INSERT(ready_tree, &leaf->ready, job);
    leaf_settle(leaf);
}

void leaf_remove_job(struct leaf *leaf, struct sched_job *job)
{
    RB_REMOVE(ready_tree, &leaf->ready, job);
    leaf_settle(leaf);
}

/* ---- life ---- */
bool leaf_depends_on(const struct JB_Type *job)
{
    return cull_has(job, JB_owner) || cull_has(job, JB_project) || category_depends_on(job);
}

/* the category, then both names, each with its end */
static void key_of(struct packer *key, const struct category *category, const char *owner,
                   const char *project)
{
    pack_bytes(key, &category, sizeof category);
    pack_bytes(key, owner, strlen(owner) + 1);
    pack_bytes(key, project, strlen(project) + 1);
}

static struct leaf *leaf_new(struct sched *s, struct category *category, const char *owner,
                             struct packer *key)
{
    struct leaf *leaf = uti_calloc(1, sizeof *leaf);
    leaf->category = category;
    leaf->key = key->data;
    leaf->key_bytes = key->len;
    *key = (struct packer){ 0 };
    leaf->owner = (const char *)leaf->key + sizeof category;
    leaf->project = leaf->owner + strlen(leaf->owner) + 1;
    leaf->of = owner_get(s, owner);
    RB_INIT(&leaf->ready);
    LIST_INSERT_HEAD(&category->leaves, leaf, of_category);
    HASH_ADD_KEYPTR(hh, s->leaves, leaf->key, leaf->key_bytes, leaf);
    return leaf;
}

struct leaf *leaf_get(struct sched *s, struct category *category, const char *owner,
                      const char *project)
{
    struct packer key = { 0 };
    struct leaf *leaf;
    key_of(&key, category, owner, project);
    HASH_FIND(hh, s->leaves, key.data, key.len, leaf);
    if (leaf == NULL)
        leaf = leaf_new(s, category, owner, &key);
    else
        category_drop(s, category);
    leaf->users++;
    packer_free(&key);
    return leaf;
}

static void leaf_free(struct sched *s, struct leaf *leaf)
{
    HASH_DEL(s->leaves, leaf);
    LIST_REMOVE(leaf, of_category);
    category_drop(s, leaf->category);
    owner_drop(s, leaf->of);
    free(leaf->key);
    free(leaf);
}

static void leaf_move(struct sched *s, struct leaf *leaf)
{
    static const struct JB_Type as_before;
    struct category *old = leaf->category;
    bool is_in = leaf->is_listed || leaf->is_parked, is_parked = leaf->is_parked;
    s->asking = leaf->of;
    struct category *category = category_get(s, old, &as_before);
    s->asking = NULL;
    leaf_leave(leaf);
    HASH_DEL(s->leaves, leaf);
    LIST_REMOVE(leaf, of_category);
    memcpy(leaf->key, &category, sizeof category);
    leaf->category = category;
    LIST_INSERT_HEAD(&category->leaves, leaf, of_category);
    HASH_ADD_KEYPTR(hh, s->leaves, leaf->key, leaf->key_bytes, leaf);
    if (is_in)
        leaf_enter(leaf, is_parked);
    category_drop(s, old);
}

void leaves_move(struct sched *s)
{
    uint32_t n = 0;
    struct leaf **all = uti_alloc((HASH_COUNT(s->leaves) + 1) * sizeof(struct leaf *));
    for (struct leaf *leaf = s->leaves; leaf != NULL; leaf = leaf->hh.next)
        all[n++] = leaf;
    for (uint32_t i = 0; i < n; i++)
        leaf_move(s, all[i]);
    free(all);
    categories_forget_idle(s);
}

void leaf_drop(struct sched *s, struct leaf *leaf)
{
    if (--leaf->users == 0)
        leaf_free(s, leaf);
}
