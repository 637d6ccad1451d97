/* Slots over several queues: slots=N(...) in subordinate_list of queue_conf(5). What tasks have in
 * the queue with the list, in those that it names, and in those that these name in turn, is at most
 * N on a host: as many tasks as it takes are suspended, in the queue with the highest number first,
 * and of the queues that a queue names before itself.
 * Which tasks these are follows from the tasks on the host, when they started and why they are
 * suspended besides, and not from what was suspended before: so a restart finds the same, and each
 * end continues exactly what has room again. A parallel task counts on a host with the slots that
 * it has there, also while it is suspended for another host. */
#include <stdlib.h>

#include "daemons/qmaster/reports/reports.h"
#include "libs/config/subordinates.h"
#include "libs/uti/alloc.h"

/* what a task has in one queue instance on the host */
struct part {
    struct task *task;
    struct slave_host *slave; /* of the task there; NULL: it runs there */
    const struct qinstance *qi;
    uint32_t slots;
    bool counts;       /* it does not stand still for another reason */
    bool is_preempted; /* from now on */
};
struct crowd {
    struct qmaster *q;
    const struct host *host;
    struct part *v; /* the youngest first; those of a task beside each other */
    uint32_t n, cap;
};
/* the queue instances of a list, in the order in which their tasks are suspended */
struct group {
    struct qinstance *superior;
    struct group_member {
        struct qinstance *qi;
        enum subordinate_order order;
    } * v;
    uint32_t n, cap;
    uint64_t stamp;
    uint32_t n_above; /* groups that have the superior as a member */
};

/* ---- the tasks ---- */
static bool stands_still(const struct task *t, const struct qinstance *qi)
{
    uint32_t others = (uint32_t)TASK_SUSPENSIONS & ~(uint32_t)TASK_IS_SUBORDINATE_SUSPENDED;
    return (t->rec.JAT_state & others) != 0 || qi->is_subordinated;
}

static void add_parts(struct crowd *c, struct task *t, struct slave_host *slave)
{
    const struct JG_Type_list *granted = &t->rec.JAT_granted_destin_identifier_list;
    for (uint32_t i = 0; i < granted->n; i++) {
        const struct qinstance *qi = queues_instance(&c->q->queues, granted->v[i].JG_qname);
        if (qi == NULL || qi->host != c->host)
            continue;
        c->v = uti_vec_grow(c->v, &c->cap, c->n + 1, sizeof *c->v);
        c->v[c->n++] = (struct part){ .task = t,
                                      .slave = slave,
                                      .qi = qi,
                                      .slots = granted->v[i].JG_slots,
                                      .counts = !stands_still(t, qi) };
    }
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int youngest_first(const void *left, const void *right)
{
    const struct task *a = ((const struct part *)left)->task,
                      *b = ((const struct part *)right)->task;
    int order = compare_numbers(b->rec.JAT_start_time, a->rec.JAT_start_time);
    if (order == 0)
        order = compare_numbers(b->rec.JAT_job_number, a->rec.JAT_job_number);
    return order != 0 ? order : compare_numbers(b->ordinal, a->ordinal);
}

static void gather_tasks(struct crowd *c, struct host *h)
{
    struct task *t;
    struct slave_host *slave;
    TAILQ_FOREACH(t, &h->tasks, in_host)
        add_parts(c, t, NULL);
    LIST_FOREACH(slave, &h->slaves, in_host)
        add_parts(c, slave->task, slave);
    if (c->n > 1)
        qsort(c->v, c->n, sizeof *c->v, youngest_first);
}

/* ---- the queues ---- */
static bool has_list(const struct qinstance *qi)
{
    return qi->subordination != NULL && qi->subordination->slots > 0 && qinstance_is_there(qi);
}

static struct qinstance *instance_on(const struct host *h, const char *queue)
{
    struct qinstance *qi;
    LIST_FOREACH(qi, &h->instances, in_host)
        if (strcmp(qi->rec.QU_qname, queue) == 0 && qinstance_is_there(qi))
            return qi;
    return NULL;
}

/* those that SUPERIOR names, each behind those that it names itself; one that is in the group
 * already, as in a circle, is passed over */
static void gather_members(struct group *g, const struct qinstance *superior)
{
    const struct subordination *l = superior->subordination;
    for (uint32_t i = 0; i < l->n; i++) {
        struct qinstance *qi = instance_on(superior->host, l->v[i].queue);
        if (qi == NULL || qi->crowd_stamp == g->stamp)
            continue;
        qi->crowd_stamp = g->stamp;
        if (has_list(qi))
            gather_members(g, qi);
        g->v = uti_vec_grow(g->v, &g->cap, g->n + 1, sizeof *g->v);
        g->v[g->n++] = (struct group_member){ qi, l->v[i].order };
    }
}

static void group_begin(struct qmaster *q, struct group *g, struct qinstance *superior)
{
    *g = (struct group){ .superior = superior, .stamp = ++q->queues.last_crowd };
    superior->crowd_stamp = g->stamp;
    gather_members(g, superior);
}

static bool group_has(const struct group *g, const struct qinstance *qi)
{
    bool is_in = qi == g->superior;
    for (uint32_t i = 0; i < g->n; i++)
        is_in |= g->v[i].qi == qi;
    return is_in;
}

static int highest_first(const void *left, const void *right)
{
    const struct group *a = left, *b = right;
    int order = compare_numbers(a->n_above, b->n_above);
    return order != 0 ? order
                      : strcmp(a->superior->rec.QU_full_name, b->superior->rec.QU_full_name);
}

/* the groups of H, those that contain others before these; new: groups_free */
static struct group *groups_of(struct qmaster *q, struct host *h, uint32_t *n)
{
    struct group *v = uti_calloc((size_t)h->n_slotwise + 1, sizeof *v);
    struct qinstance *qi;
    *n = 0;
    LIST_FOREACH(qi, &h->instances, in_host)
        if (has_list(qi))
            group_begin(q, &v[(*n)++], qi);
    for (uint32_t i = 0; i < *n; i++)
        for (uint32_t k = 0; k < *n; k++)
            v[i].n_above += k != i && group_has(&v[k], v[i].superior);
    qsort(v, *n, sizeof *v, highest_first);
    return v;
}

static void groups_free(struct group *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        free(v[i].v);
    free(v);
}

/* ---- who stops ---- */
static uint64_t slots_in(const struct crowd *c, const struct group *g)
{
    uint64_t slots = 0;
    for (uint32_t i = 0; i < c->n; i++)
        if (c->v[i].counts && group_has(g, c->v[i].qi))
            slots += c->v[i].slots;
    return slots;
}

/* the task of C->v[AT] stops, with all that it has on the host; returns its slots in G */
static uint64_t preempt_task(struct crowd *c, const struct group *g, uint32_t at)
{
    const struct task *t = c->v[at].task;
    uint64_t slots = 0;
    while (at > 0 && c->v[at - 1].task == t)
        at--;
    for (; at < c->n && c->v[at].task == t; at++) {
        if (c->v[at].counts && group_has(g, c->v[at].qi))
            slots += c->v[at].slots;
        c->v[at].counts = false;
        c->v[at].is_preempted = true;
    }
    return slots;
}

/* tasks of MEMBER, until no more than MOST slots are taken; returns how many are */
static uint64_t preempt_in(struct crowd *c, const struct group *g,
                           const struct group_member *member, uint64_t taken, uint64_t most)
{
    for (uint32_t i = 0; i < c->n && taken > most; i++) {
        uint32_t at = member->order == SUBORDINATE_SHORTEST_RUN ? i : c->n - 1 - i;
        const struct part *p = &c->v[at];
        if (p->qi == member->qi && p->counts && (p->task->rec.JAT_state & TASK_IS_DELETED) == 0)
            taken -= preempt_task(c, g, at);
    }
    return taken;
}

static void obey_limit(struct crowd *c, const struct group *g)
{
    uint64_t most = g->superior->subordination->slots, taken = slots_in(c, g);
    for (uint32_t i = 0; i < g->n && taken > most; i++)
        taken = preempt_in(c, g, &g->v[i], taken, most);
}

/* ---- the whole ---- */
static void tell_changed(struct crowd *c, slotwise_fn *changed)
{
    for (uint32_t i = 0; i < c->n; i++) {
        struct part *p = &c->v[i];
        bool *flag = p->slave != NULL ? &p->slave->is_preempted : &p->task->is_preempted;
        if ((i > 0 && c->v[i - 1].task == p->task) || *flag == p->is_preempted)
            continue;
        *flag = p->is_preempted;
        changed(c->q, p->task);
    }
}

void slotwise_look(struct qmaster *q, struct host *h, slotwise_fn *changed)
{
    struct crowd c = { .q = q, .host = h };
    uint32_t n;
    struct group *groups = groups_of(q, h, &n);
    gather_tasks(&c, h);
    for (uint32_t i = 0; i < n; i++)
        obey_limit(&c, &groups[i]);
    tell_changed(&c, changed);
    groups_free(groups, n);
    free(c.v);
}
