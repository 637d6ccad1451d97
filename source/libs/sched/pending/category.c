/* Categories: jobs with equal requests. Owns struct category.
 *
 * A category has the need that its requests mean: which queue instances, and what of their
 * resources. Categories that differ in nothing that decides where a job runs, or when, share a
 * need, so they cost nothing when something ends. The requests are kept packed, as the key. */
#include "libs/sched/pending/category.h"

#include <stdlib.h>

#include "libs/cull/pack.h"
#include "libs/sched/pending/need.h"
#include "libs/sched/place/condition.h"
#include "libs/sched/place/parallel.h"
#include "libs/sched/place/soft.h"
#include "libs/sched/supply/queue_request.h"
#include "libs/sched/supply/queue_set.h"
#include "libs/sched/supply/quota_use.h"
#include "libs/sched/supply/resource.h"
#include "libs/uti/assert.h"

enum { IDLE_MOST = 64 }; /* categories without a job that are kept: making one costs O(queues) */

enum { KEY_WORDS = (JB_Type_FIELDS + 63) / 64 };

/* ---- keys ---- */
/* does FIELD decide where a job may run? Who owns a job, and for which project, makes it a job
 * group. */
static bool is_of_key(unsigned field)
{
    return (cull_JB_Type.fields[field].flags & JOB_IN_CATEGORY) != 0;
}

static bool field_is_empty(const struct JB_Type *job, unsigned field)
{
    static const struct JB_Type empty;

    return !cull_has(job, field) || cull_field_equal(&cull_JB_Type, job, &empty, field);
}

bool category_depends_on(const struct JB_Type *job)
{
    for (unsigned f = 0; f < JB_Type_FIELDS; f++)
        if (is_of_key(f) && cull_has(job, f))
            return true;
    return false;
}

/* which fields of the key JOB has; empty ones are as good as missing, so that equal requests are
 * equal bytes when packed */
static void key_of(const struct JB_Type *job, uint64_t only[KEY_WORDS])
{
    for (unsigned f = 0; f < JB_Type_FIELDS; f++)
        if (is_of_key(f) && !field_is_empty(job, f))
            only[f / 64] |= UINT64_C(1) << (f % 64);
}

/* OUT, which is empty, gets the fields that the key of C has */
static void request_of(const struct category *c, struct JB_Type *out)
{
    struct unpacker u = unpacker_over_own(c->key, c->request_bytes);
    int rc = cull_unpack(&u, &cull_JB_Type, NULL, NULL, out, NULL);
    ASSERT(rc == 0);
}

/* ---- needs ---- */
static struct need *need_of(struct category *c, const struct JB_Type *request)
{
    struct sched_pending *pending = c->pending;
    struct need_key key = { .set = queue_set_use(c->request->set),
                            .conditions = conditions_get(pending->finder, request),
                            .soft = soft_get(pending->finder, request),
                            .parallel = parallel_get(pending->finder, request),
                            .quota = c->quota,
                            .ar = request->JB_ar };
    request_demands(pending->cell, request, &key.demand, &key.on_host, &key.of_job);
    return need_get(pending, &key);
}

/* its job groups move with it */
static void category_renew(struct category *c)
{
    struct JB_Type request = { 0 };
    struct job_group *group;
    request_of(c, &request);
    struct need *need = need_of(c, &request), *old = c->need;
    cull_clear(&cull_JB_Type, &request);
    if (need != old) {
        LIST_FOREACH(group, &c->groups, of_category)
            if (group->is_listed)
                need_unlist_group(old, group);
        LIST_FOREACH(group, &c->groups, of_category)
            if (group->is_listed)
                need_list_group(need, group);
    }
    c->need = need;
    need_drop(c->pending, old);
}

void categories_move(struct queue_request *request)
{
    struct category *c;
    LIST_FOREACH(c, &request->categories, of_request)
        category_renew(c);
}

static void category_ask_anew(struct category *c)
{
    struct JB_Type request = { 0 };
    struct queue_request *old = c->request;
    request_of(c, &request);
    const struct job_group *group = LIST_FIRST(&c->groups);
    LIST_REMOVE(c, of_request);
    c->request = queue_request_get(c->pending->cell, &request, group != NULL ? group->of : NULL);
    LIST_INSERT_HEAD(&c->request->categories, c, of_request);
    cull_clear(&cull_JB_Type, &request);
    category_renew(c);
    queue_request_drop(c->pending->cell, old);
}

void categories_renew(struct sched_pending *pending)
{
    for (struct category *c = pending->categories; c != NULL; c = c->hh.next)
        category_ask_anew(c);
}

void categories_set_urgencies(struct sched_pending *pending)
{
    for (struct category *c = pending->categories; c != NULL; c = c->hh.next) {
        struct JB_Type request = { 0 };
        request_of(c, &request);
        c->rrcontr = urgency_of(&pending->cell->urgencies, &request);
        cull_clear(&cull_JB_Type, &request);
    }
}

/* ---- life ---- */
static struct category *category_new(struct sched_pending *pending, struct packer *key,
                                     size_t request_bytes, const struct quota_class *quota,
                                     const struct JB_Type *request, struct sched_owner *by)
{
    struct category *c = uti_calloc(1, sizeof *c);
    c->pending = pending;
    c->quota = quota;
    c->request = queue_request_get(pending->cell, request, by);
    LIST_INSERT_HEAD(&c->request->categories, c, of_request);
    c->run_s = request_run_s(request);
    c->rrcontr = urgency_of(&pending->cell->urgencies, request);
    c->wants_reservation = request->JB_reserve;
    c->need = need_of(c, request);
    LIST_INIT(&c->groups);
    c->key = key->data;
    c->key_bytes = key->len;
    c->request_bytes = request_bytes;
    *key = (struct packer){ 0 };
    HASH_ADD_KEYPTR(hh, pending->categories, c->key, c->key_bytes, c);
    return c;
}

static void category_free(struct sched_pending *pending, struct category *c)
{
    HASH_DEL(pending->categories, c);
    need_drop(pending, c->need);
    LIST_REMOVE(c, of_request);
    queue_request_drop(pending->cell, c->request);
    free(c->key);
    free(c);
}

static void category_leave_idle(struct sched_pending *pending, struct category *c)
{
    TAILQ_REMOVE(&pending->idle, c, of_idle);
    pending->n_idle--;
}

static struct category *category_of(struct sched_pending *pending, const struct JB_Type *request,
                                    struct sched_owner *by)
{
    uint64_t only[KEY_WORDS] = { 0 };
    struct packer key = { 0 };
    struct category *c;
    key_of(request, only);
    cull_pack(&key, &cull_JB_Type, request, only);
    const struct quota_class *quota = quotas_class(pending->cell, request, by);
    size_t request_bytes = key.len;
    if (quota != NULL) {
        pack_bytes(&key, &pending->cell->quota_round, sizeof pending->cell->quota_round);
        pack_bytes(&key, &quota, sizeof quota);
    }
    HASH_FIND(hh, pending->categories, key.data, key.len, c);
    if (c == NULL)
        c = category_new(pending, &key, request_bytes, quota, request, by);
    else if (c->users == 0)
        category_leave_idle(pending, c);
    c->users++;
    packer_free(&key);
    return c;
}

/* what JOB does not speak of is as in BASE */
static struct category *category_merged(struct sched_pending *pending, const struct category *base,
                                        const struct JB_Type *job, struct sched_owner *by)
{
    struct JB_Type merged = { 0 };
    request_of(base, &merged);
    for (unsigned f = 0; f < JB_Type_FIELDS; f++)
        if (is_of_key(f) && cull_has(job, f))
            cull_copy_field(&cull_JB_Type, &merged, job, f);
    struct category *c = category_of(pending, &merged, by);
    cull_clear(&cull_JB_Type, &merged);
    return c;
}

struct category *category_get(struct sched_pending *pending, const struct category *base,
                              const struct JB_Type *job, struct sched_owner *by)
{
    return base == NULL ? category_of(pending, job, by) : category_merged(pending, base, job, by);
}

void category_drop(struct sched_pending *pending, struct category *c)
{
    if (--c->users > 0)
        return;
    TAILQ_INSERT_TAIL(&pending->idle, c, of_idle);
    if (++pending->n_idle <= IDLE_MOST)
        return;
    struct category *oldest = TAILQ_FIRST(&pending->idle);
    category_leave_idle(pending, oldest);
    category_free(pending, oldest);
}

void categories_forget_idle(struct sched_pending *pending)
{
    struct category *c;
    while ((c = TAILQ_FIRST(&pending->idle)) != NULL) {
        category_leave_idle(pending, c);
        category_free(pending, c);
    }
}

void categories_free(struct sched_pending *pending)
{
    struct category *c, *next;

    HASH_ITER(hh, pending->categories, c, next)
        category_free(pending, c);
}
