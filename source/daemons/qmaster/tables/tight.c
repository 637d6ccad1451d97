/* What is known of tasks with petasks. Invariant: of_petasks is the sum over those that run, and
 * the counts of the hosts are right. */
#include "daemons/qmaster/tables/tight.h"

#include <stdlib.h>

#include "libs/uti/alloc.h"

const char *const usage_shown[USAGE_SHOWN] = { "cpu", "mem", "io", "vmem", "maxvmem" };

struct tight *tight_new(struct task *task, const struct host *master, struct slave_host *slaves,
                        uint32_t n_slaves)
{
    struct tight *x = uti_calloc(1, sizeof *x);
    x->task = task;
    x->master = master;
    x->slaves = slaves;
    x->n_slaves = x->n_unready = x->n_open = n_slaves;
    return x;
}

void tight_free(struct tight *x)
{
    struct petask *p, *next;
    if (x == NULL)
        return;
    HASH_ITER(hh, x->running, p, next) {
        HASH_DEL(x->running, p);
        free(p);
    }
    tight_wait(x, NULL, 0);
    free(x);
}

void tight_wait(struct tight *x, struct tight_list *list, uint64_t now_us)
{
    if (x->waits_in != NULL)
        TAILQ_REMOVE(x->waits_in, x, in_waiting);
    x->waits_in = list;
    x->since_us = now_us;
    if (list != NULL)
        TAILQ_INSERT_TAIL(list, x, in_waiting);
}

struct slave_host *tight_slave(const struct tight *x, const struct host *h)
{
    for (uint32_t i = 0; i < x->n_slaves; i++)
        if (x->slaves[i].host == h)
            return &x->slaves[i];
    return NULL;
}

static uint32_t *count_on(struct tight *x, const struct host *h)
{
    struct slave_host *slave = x->master != h ? tight_slave(x, h) : NULL;
    return slave != NULL ? &slave->n_petasks : &x->n_on_master;
}

struct petask *petask_find(const struct tight *x, struct host *h, uint32_t number)
{
    struct petask_key key = { h, number };
    struct petask *p;
    HASH_FIND(hh, x->running, &key, sizeof key, p);
    return p;
}

struct petask *petask_add(struct tight *x, struct host *h, uint32_t number)
{
    struct petask *p = uti_calloc(1, sizeof *p);
    p->key = (struct petask_key){ h, number };
    HASH_ADD(hh, x->running, key, sizeof p->key, p);
    (*count_on(x, h))++;
    return p;
}

void petask_remove(struct tight *x, struct petask *p)
{
    static const double nothing[USAGE_SHOWN];
    petask_use(x, p, nothing);
    (*count_on(x, p->key.host))--;
    HASH_DEL(x->running, p);
    free(p);
}

uint32_t petasks_on(struct tight *x, const struct host *h)
{
    return *count_on(x, h);
}

void petask_use(struct tight *x, struct petask *p, const double usage[USAGE_SHOWN])
{
    for (int i = 0; i < USAGE_SHOWN; i++) {
        double sum = x->of_petasks[i] - p->usage[i] + usage[i];
        x->of_petasks[i] = sum > 0 ? sum : 0; /* what was rounded may leave less than nothing */
        p->usage[i] = usage[i];
    }
}
