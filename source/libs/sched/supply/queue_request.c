/* Requests for queues: which set each means. Owns struct queue_request.
 *
 * A request is -q, -pe, -ckpt and what opens doors, which is not the name of the owner but the user
 * sets that he is in: users with equal rights share it, however many they are. Equal requests are
 * one. Which queue instances it means is asked once for each of them: when the request is new, and
 * when an instance comes or its host groups, doors, pe_list or ckpt_list change. If that is much
 * work, it is put off until the turn of a job that asks so has come, and then counts as that job's.
 */
#include "libs/sched/supply/queue_request.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/access.h"
#include "libs/config/complex.h"
#include "libs/config/qinstance.h"
#include "libs/cull/pack.h"
#include "libs/resource/consumption.h"
#include "libs/sched/supply/offer.h"
#include "libs/sched/supply/queue_set.h"
#include "libs/sgeobj/pe_match.h"
#include "libs/sgeobj/queue_match.h"
#include "libs/uti/pattern.h"

/* immediate jobs are what interactive queues are for */
static bool type_suits(const struct JB_Type *asked, const struct sched_queue *q)
{
    bool is_immediate = asked->JB_is_immediate;
    uint32_t types = cull_has(&q->known, QU_qtype) ? q->known.QU_qtype : QTYPE_BATCH;
    return (types & (is_immediate ? QTYPE_INTERACTIVE : QTYPE_BATCH)) != 0;
}

static bool request_suits(struct sched_cell *cell, const struct queue_request *request,
                          const struct sched_queue *q)
{
    const struct JB_Type *asked = &request->asked;
    cell->work.matched++;
    cell->work.looks += request->looks;
    return asked->JB_ar == q->ar && type_suits(asked, q) &&
           queue_match_any(&asked->JB_hard_queue_list, q->name, &q->known.QU_hostgroups) &&
           access_ask(&q->known.QU_access, asked->JB_user_sets, asked->JB_project) ==
               ACCESS_GRANTED &&
           !queue_lacks(cell, q, &asked->JB_hard_resource_list) &&
           (asked->JB_pe == NULL || pe_list_meets(q->known.QU_pe_list, asked->JB_pe)) &&
           (asked->JB_checkpoint_name == NULL ||
            pe_list_has(q->known.QU_ckpt_list, asked->JB_checkpoint_name));
}

/* ---- which instances a request means ---- */
struct meaning {
    uint64_t stamp, members;
    uint32_t n;
};

static struct meaning find_meaning(struct sched_cell *cell, const struct queue_request *request)
{
    struct meaning m = { .stamp = ++cell->stamps };
    for (struct sched_queue *q = cell->queues; q != NULL; q = q->hh.next) {
        if (!request_suits(cell, request, q))
            continue;
        q->stamp = m.stamp;
        m.members += q->mark;
        m.n++;
    }
    return m;
}

/* what a look at one instance costs; patterns cost more, the longer they are */
static uint64_t looks_of(const struct queue_request *request)
{
    enum { BYTES_OF_LOOK = 8 };
    const struct QR_Type_list *names = &request->asked.JB_hard_queue_list;
    uint64_t looks = 1 + request->asked.JB_hard_resource_list.n;
    for (uint32_t i = 0; i < names->n; i++)
        looks += names->v[i].QR_name != NULL && pattern_is_wild(names->v[i].QR_name)
                     ? 1 + strlen(names->v[i].QR_name) / BYTES_OF_LOOK
                     : 1;
    return looks;
}

/* may a set of N instances be made for OWNER? */
static bool may_have(const struct sched_cell *cell, const struct sched_owner *owner, uint32_t n)
{
    uint64_t most = (uint64_t)HASH_COUNT(cell->queues) * SETS_OF_OWNER;
    most = most > PLACES_OF_OWNER ? most : PLACES_OF_OWNER;
    return owner == NULL || owner->n_places + n <= most;
}

/* the set that REQUEST means; a loose one, with nothing computed, if that would cost too much for
 * now, or too much memory; counted */
static struct queue_set *find_set(struct sched_cell *cell, const struct queue_request *request,
                                  struct sched_owner *by)
{
    if (request->looks > PLAIN_LOOKS && request->looks * HASH_COUNT(cell->queues) > EAGER_LOOKS)
        return loose_set_new(cell);
    struct meaning m = find_meaning(cell, request);
    if (queue_set_find(cell, m.stamp, m.members, m.n) == NULL && !may_have(cell, by, m.n))
        return loose_set_new(cell);
    return queue_set_get(cell, m.stamp, m.members, m.n, by);
}

static void enter_set(struct queue_request *request, struct queue_set *set)
{
    request->set = set;
    LIST_INSERT_HEAD(&set->requests, request, of_set);
    set->n_requests++;
}

static void leave_set(struct sched_cell *cell, struct queue_request *request)
{
    LIST_REMOVE(request, of_set);
    request->set->n_requests--;
    queue_set_drop(cell, request->set);
}

/* takes ASKED and KEY */
static struct queue_request *request_new(struct sched_cell *cell, struct JB_Type *asked,
                                         struct packer *key, struct sched_owner *by)
{
    struct queue_request *request = uti_calloc(1, sizeof *request);
    request->asked = *asked;
    *asked = (struct JB_Type){ 0 };
    request->key = key->data;
    request->key_bytes = key->len;
    *key = (struct packer){ 0 };
    LIST_INIT(&request->categories);
    HASH_ADD_KEYPTR(hh, cell->requests, request->key, request->key_bytes, request);
    request->looks = looks_of(request);
    struct queue_set *set = find_set(cell, request, by);
    enter_set(request, set);
    return request;
}

static void copy_resource(struct sched_cell *cell, struct JB_Type *asked,
                          const struct CE_Type *wanted)
{
    const struct CE_Type *row = consumables_find(&cell->complex, wanted->CE_name);
    (void)resource_name_get(&cell->names, wanted->CE_name);
    if (row == NULL ||
        (row->CE_consumable == COMPLEX_CONSUMABLE_NO &&
         row->CE_requestable != COMPLEX_REQUEST_FORCED && !resource_decides_places(row)))
        return;
    struct CE_Type *copy = cull_append(asked, JB_hard_resource_list);
    cull_share(copy, CE_name, wanted->CE_name);
    if (resource_decides_places(row))
        cull_share(copy, CE_stringval, wanted->CE_stringval);
}

/* What decides where JOB may run; equal requests are equal bytes when packed. Of resources that run
 * out, or change, that is their names: how much is asked for is a matter of needs. */
static void copy_resources(struct sched_cell *cell, struct JB_Type *asked,
                           const struct JB_Type *job)
{
    const struct CE_Type_list *wanted = &job->JB_hard_resource_list;
    for (uint32_t i = 0; i < wanted->n; i++)
        if (wanted->v[i].CE_name != NULL)
            copy_resource(cell, asked, &wanted->v[i]);
}

static void copy_asked(struct sched_cell *cell, struct JB_Type *asked, const struct JB_Type *job)
{
    copy_resources(cell, asked, job);
    if (job->JB_ar != 0)
        cull_set(asked, JB_ar, job->JB_ar);
    if (job->JB_is_immediate)
        cull_set(asked, JB_is_immediate, true);
    if (job->JB_hard_queue_list.n > 0)
        cull_copy_field(&cull_JB_Type, asked, job, JB_hard_queue_list);
    if (job->JB_user_sets != NULL)
        cull_share(asked, JB_user_sets, job->JB_user_sets);
    if (job->JB_project != NULL)
        cull_share(asked, JB_project, job->JB_project);
    if (job->JB_pe != NULL)
        cull_share(asked, JB_pe, job->JB_pe);
    if (job->JB_checkpoint_name != NULL)
        cull_share(asked, JB_checkpoint_name, job->JB_checkpoint_name);
}

struct queue_request *queue_request_get(struct sched_cell *cell, const struct JB_Type *job,
                                        struct sched_owner *by)
{
    struct JB_Type asked = { 0 };
    struct packer key = { 0 };
    struct queue_request *request;
    copy_asked(cell, &asked, job);
    cull_pack(&key, &cull_JB_Type, &asked, NULL);
    HASH_FIND(hh, cell->requests, key.data, key.len, request);
    if (request == NULL)
        request = request_new(cell, &asked, &key, by);
    request->users++;
    packer_free(&key);
    cull_clear(&cull_JB_Type, &asked);
    return request;
}

void queue_request_drop(struct sched_cell *cell, struct queue_request *request)
{
    if (--request->users > 0)
        return;
    leave_set(cell, request);
    HASH_DEL(cell->requests, request);
    cull_clear(&cull_JB_Type, &request->asked);
    free(request->key);
    free(request);
}

/* the old set stays until the categories have left it */
static void move_request(struct sched_cell *cell, struct queue_request *request,
                         struct queue_set *set)
{
    struct queue_set *old = queue_set_use(request->set);
    leave_set(cell, request);
    enter_set(request, queue_set_use(set));
    cell_report(cell, &(struct cell_change){ .kind = REQUEST_MOVED, .request = request });
    queue_set_drop(cell, old);
}

void queue_request_resolve(struct sched_cell *cell, struct queue_request *request,
                           struct sched_owner *owner)
{
    if (!request->set->is_loose || request->set->bits != NULL)
        return;
    struct meaning m = find_meaning(cell, request);
    if (queue_set_find(cell, m.stamp, m.members, m.n) == NULL && !may_have(cell, owner, m.n)) {
        loose_set_fill(cell, request->set, m.stamp);
        return;
    }
    struct queue_set *set = queue_set_get(cell, m.stamp, m.members, m.n, owner);
    move_request(cell, request, set);
    queue_set_drop(cell, set);
}

/* ---- an instance comes ---- */
/* Q joins those requests of SET that it suits */
static void set_join(struct sched_cell *cell, struct queue_set *set, struct sched_queue *q)
{
    struct queue_request *request, *next;
    uint32_t n_suited = 0;
    LIST_FOREACH(request, &set->requests, of_set) {
        request->is_suited = request_suits(cell, request, q);
        n_suited += request->is_suited;
    }
    if (n_suited == set->n_requests)
        queue_set_add(set, q);
    if (n_suited == set->n_requests || n_suited == 0)
        return;
    struct queue_set *own = queue_set_copy(set);
    queue_set_add(own, q);
    LIST_FOREACH_SAFE(request, &set->requests, of_set, next)
        if (request->is_suited)
            move_request(cell, request, own);
}

void queue_join_sets(struct sched_cell *cell, struct sched_queue *q)
{
    struct queue_set *set, *next;
    loose_sets_forget(cell);
    LIST_FOREACH_SAFE(set, &cell->all_sets, of_sched, next)
        set_join(cell, set, q);
}
