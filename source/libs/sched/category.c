/* Categories: jobs that may run in exactly the same places. Owns struct category and the order of jobs within it.
 *
 * A job that cannot be placed speaks for its whole category, which is then blocked and passed over until its queue set gains slots.
 * `open` holds the categories that are not blocked and have a job, by their first job; so the most important job of all is found
 * without looking at any other. A category leaves `open` before its first job may change (category_close) and comes back after. */
#include "libs/sched/sched_priv.h"

#include <stdlib.h>

#include "libs/cull/pack.h"

enum { IDLE_MOST = 64 }; /* categories without a job that are kept: making one costs O(queues) */

/* What decides where a job may run; not who owns it. */
static const unsigned key_fields[] = {
    JB_hard_resource_list,
    JB_soft_resource_list,
    JB_hard_queue_list,
    JB_soft_queue_list,
    JB_master_hard_queue_list,
    JB_pe,
    JB_pe_range,
    JB_checkpoint_name,
    JB_project,
    JB_reserve,
};

static int order_of(uint32_t a_priority, uint32_t a_number, uint32_t b_priority, uint32_t b_number)
{
    if (a_priority != b_priority)
        return a_priority > b_priority ? -1 : 1;
    return a_number < b_number ? -1 : a_number > b_number;
}

static int job_order(struct sched_job *a, struct sched_job *b)
{
    a->category->sched->work.compared++;
    return order_of(a->priority, a->number, b->priority, b->number);
}
TREE_GENERATE(ready_tree, sched_job, at, job_order)

static int category_order(struct category *a, struct category *b)
{
    a->sched->work.compared++;
    return order_of(a->head_priority, a->head_number, b->head_priority, b->head_number);
}
TREE_GENERATE(open_tree, category, at, category_order)

/* ---- open and blocked ---- */
static void category_close(struct category *c)
{
    if (c->is_open)
        RB_REMOVE(open_tree, &c->sched->open, c);
    c->is_open = false;
}

static void category_reopen(struct category *c)
{
    const struct sched_job *head = category_first_job(c);

    if (c->is_blocked || head == NULL)
        return;
    c->head_priority = head->priority;
    c->head_number = head->number;
    RB_INSERT(open_tree, &c->sched->open, c);
    c->is_open = true;
}

void category_block(struct category *c)
{
    if (c->is_blocked)
        return;
    category_close(c);
    c->is_blocked = true;
    LIST_INSERT_HEAD(&c->set->blocked, c, of_blocked);
}

void category_unblock(struct category *c)
{
    if (!c->is_blocked)
        return;
    c->is_blocked = false;
    LIST_REMOVE(c, of_blocked);
    category_reopen(c);
}

struct category *category_first_open(struct sched *s)
{
    return RB_MIN(open_tree, &s->open);
}

struct sched_job *category_first_job(struct category *c)
{
    return RB_MIN(ready_tree, &c->ready);
}

void category_add_job(struct category *c, struct sched_job *job)
{
    category_close(c);
    RB_INSERT(ready_tree, &c->ready, job);
    category_reopen(c);
}

void category_remove_job(struct category *c, struct sched_job *job)
{
    category_close(c);
    RB_REMOVE(ready_tree, &c->ready, job);
    category_reopen(c);
}

/* ---- keys ---- */
static bool field_is_empty(const struct JB_Type *job, unsigned field)
{
    static const struct JB_Type empty;

    return !cull_has(job, field) || cull_field_equal(&cull_JB_Type, job, &empty, field);
}

bool category_depends_on(const struct JB_Type *job)
{
    for (unsigned i = 0; i < ARRAY_LEN(key_fields); i++)
        if (cull_has(job, key_fields[i]))
            return true;
    return false;
}

/* OUT: the key fields of JOB, those it lacks from BASE (may be NULL), so that equal requests are equal bytes when packed */
static void request_of(const struct category *base, const struct JB_Type *job, struct JB_Type *out)
{
    for (unsigned i = 0; i < ARRAY_LEN(key_fields); i++) {
        const struct JB_Type *from = job;
        if (base != NULL && !cull_has(job, key_fields[i]))
            from = &base->request;
        if (!field_is_empty(from, key_fields[i]))
            cull_copy_field(&cull_JB_Type, out, from, key_fields[i]);
    }
}

/* ---- life ---- */
static struct category *category_new(struct sched *s, struct packer *key,
                                     const struct JB_Type *request)
{
    struct category *c = uti_calloc(1, sizeof *c);

    c->sched = s;
    cull_copy(&cull_JB_Type, &c->request, request);
    c->set = queue_set_get(s, request);
    RB_INIT(&c->ready);
    c->key = key->data;
    c->key_bytes = key->len;
    *key = (struct packer){ 0 };
    HASH_ADD_KEYPTR(hh, s->categories, c->key, c->key_bytes, c);
    return c;
}

static void category_free(struct sched *s, struct category *c)
{
    category_close(c);
    if (c->is_blocked)
        LIST_REMOVE(c, of_blocked);
    HASH_DEL(s->categories, c);
    queue_set_drop(s, c->set);
    cull_clear(&cull_JB_Type, &c->request);
    free(c->key);
    free(c);
}

static void category_leave_idle(struct sched *s, struct category *c)
{
    TAILQ_REMOVE(&s->idle, c, of_idle);
    s->n_idle--;
}

struct category *category_get(struct sched *s, const struct category *base,
                              const struct JB_Type *job)
{
    struct JB_Type request = { 0 };
    struct packer key = { 0 };
    struct category *c;

    request_of(base, job, &request);
    cull_pack(&key, &cull_JB_Type, &request, NULL);
    HASH_FIND(hh, s->categories, key.data, key.len, c);
    if (c == NULL)
        c = category_new(s, &key, &request);
    else if (c->users == 0)
        category_leave_idle(s, c);
    c->users++;
    packer_free(&key);
    cull_clear(&cull_JB_Type, &request);
    return c;
}

void category_drop(struct sched *s, struct category *c)
{
    if (--c->users > 0)
        return;
    TAILQ_INSERT_TAIL(&s->idle, c, of_idle);
    if (++s->n_idle <= IDLE_MOST)
        return;
    struct category *oldest = TAILQ_FIRST(&s->idle);
    category_leave_idle(s, oldest);
    category_free(s, oldest);
}

void categories_free(struct sched *s)
{
    struct category *c, *next;

    HASH_ITER(hh, s->categories, c, next)
        category_free(s, c);
}
