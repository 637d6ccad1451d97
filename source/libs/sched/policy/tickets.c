/* Tickets. Owns no data but what it needs while it computes. Each policy takes tasks from a heap of
 * classes, whose values only fall while tasks are taken: the first of the heap is looked at again
 * before it is taken. */
#include "libs/sched/policy/tickets.h"

#include <stdlib.h>

#include "libs/uti/alloc.h"

/* ---- heaps ---- */
/* keys are whole millionths of a ticket, so that equal ones are equal; then the greater job share
 * goes first, as captured, then the older job */
struct choice {
    int64_t key;
    double job_share;
    uint32_t job, of;
};
static const double millionth = 1e6, key_most = 9e18;

static int64_t key_of(double tickets)
{
    double key = tickets * millionth;
    return key < key_most ? (int64_t)(key + 0.5) : INT64_MAX;
}

static bool is_before(const struct choice *a, const struct choice *b)
{
    if (a->key != b->key)
        return a->key > b->key;
    return a->job_share != b->job_share ? a->job_share > b->job_share : a->job < b->job;
}

static void sift_down(struct choice *heap, uint32_t n, uint32_t at)
{
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child + 1 < n && is_before(&heap[child + 1], &heap[child]))
            child++;
        if (child >= n || !is_before(&heap[child], &heap[at]))
            return;
        struct choice lower = heap[at];
        heap[at] = heap[child];
        heap[child] = lower;
        at = child;
    }
}

static void make_heap(struct choice *heap, uint32_t n)
{
    for (uint32_t i = n / 2; i > 0; i--)
        sift_down(heap, n, i - 1);
}

/* the first one is no longer there */
static void drop_first(struct choice *heap, uint32_t *n)
{
    heap[0] = heap[--*n];
    sift_down(heap, *n, 0);
}

/* ---- what the policies have in common ---- */
struct turn {
    const struct ticket_conf *conf;
    struct ticket_cell *cell;
    double sums[TICKET_KINDS], sum_job; /* functional: fshares of what is there */
    double weights;                     /* the sum of the four */
    bool is_dominating[TICKET_POLICIES];
};

double tickets_sum(const struct tickets *t)
{
    return t->of[TICKETS_OVERRIDE] + t->of[TICKETS_FUNCTIONAL] + t->of[TICKETS_SHARE];
}

static double dominating_tickets(const struct turn *t, const struct ticket_class *c)
{
    double sum = 0;
    for (unsigned p = 0; p < TICKET_POLICIES; p++)
        sum += t->is_dominating[p] ? c->pending[c->next].of[p] : 0;
    return sum;
}

static struct ticket_holder *holder_of(const struct turn *t, const struct ticket_class *c,
                                       unsigned kind)
{
    return c->holders[kind] != TICKETS_NOBODY ? &t->cell->holders[c->holders[kind]] : NULL;
}

/* N tasks more of C are there */
static void join_tasks(struct turn *t, const struct ticket_class *c, uint32_t n)
{
    for (unsigned kind = 0; kind < TICKET_KINDS && n > 0; kind++) {
        struct ticket_holder *h = holder_of(t, c, kind);
        if (h == NULL)
            continue;
        t->sums[kind] += !t->conf->shares_functional ? h->fshare * n
                         : h->tasks == 0             ? h->fshare
                                                     : 0;
        h->tasks += n;
    }
    t->sum_job += c->job_share * n;
}

/* ---- override and functional ---- */
/* MORE: 1 for a task that is not yet there, 0 for one that is */
static double override_of(const struct turn *t, const struct ticket_class *c, uint32_t more)
{
    double tickets = c->override;
    for (unsigned kind = 0; kind < TICKET_KINDS; kind++) {
        const struct ticket_holder *h = holder_of(t, c, kind);
        if (h != NULL)
            tickets += h->oticket / (t->conf->shares_override ? (double)(h->tasks + more) : 1);
    }
    return tickets;
}

static double part_of(double share, double sum, double divisor)
{
    return sum > 0 ? share / sum / divisor : 0;
}

static double functional_of(const struct turn *t, const struct ticket_class *c, uint32_t more)
{
    bool shared = t->conf->shares_functional;
    double value = t->conf->weight_job * part_of(c->job_share, t->sum_job + more * c->job_share, 1);
    for (unsigned kind = 0; kind < TICKET_KINDS; kind++) {
        const struct ticket_holder *h = holder_of(t, c, kind);
        if (h == NULL)
            continue;
        bool joins = more > 0 && (!shared || h->tasks == 0);
        value +=
            t->conf->weights[kind] * part_of(h->fshare, t->sums[kind] + (joins ? h->fshare : 0),
                                             shared ? (double)(h->tasks + more) : 1);
    }
    return t->weights > 0 ? t->conf->functional * value / t->weights : 0;
}

typedef double value_fn(const struct turn *t, const struct ticket_class *c, uint32_t more);

static void begin_turn(struct turn *t)
{
    for (uint32_t i = 0; i < t->cell->n_holders; i++)
        t->cell->holders[i].tasks = 0;
    for (unsigned kind = 0; kind < TICKET_KINDS; kind++)
        t->sums[kind] = 0;
    t->sum_job = 0;
    for (uint32_t i = 0; i < t->cell->n_classes; i++) {
        join_tasks(t, &t->cell->classes[i], t->cell->classes[i].running);
        t->cell->classes[i].next = 0;
    }
}

static struct choice choice_of(const struct turn *t, uint32_t i, value_fn *value)
{
    const struct ticket_class *c = &t->cell->classes[i];
    return (struct choice){ key_of(value(t, c, 1) + dominating_tickets(t, c)),
                            t->conf->weight_job > 0 ? c->job_share : 0, c->jobs[c->next], i };
}

static void give_out(struct turn *t, unsigned policy, value_fn *value, uint32_t most)
{
    struct ticket_cell *cell = t->cell;
    struct choice *heap = uti_alloc(((size_t)cell->n_classes + 1) * sizeof *heap);
    uint32_t n = 0;
    begin_turn(t);
    for (uint32_t i = 0; i < cell->n_classes; i++) {
        struct ticket_class *c = &cell->classes[i];
        c->each_running.of[policy] = c->running > 0 ? value(t, c, 0) : 0;
        if (c->n_pending > 0)
            heap[n++] = choice_of(t, i, value);
    }
    make_heap(heap, n);
    while (n > 0 && most > 0) {
        struct choice now = choice_of(t, heap[0].of, value);
        bool has_fallen = now.key < heap[0].key;
        heap[0] = now;
        if (has_fallen) {
            sift_down(heap, n, 0);
            continue;
        }
        struct ticket_class *c = &cell->classes[now.of];
        c->pending[c->next].of[policy] = value(t, c, 1);
        join_tasks(t, c, 1);
        most--;
        if (++c->next == c->n_pending)
            drop_first(heap, &n);
        else
            heap[0] = choice_of(t, now.of, value), sift_down(heap, n, 0);
    }
    free(heap);
}

/* ---- the share tree ---- */
enum { ROOT };

/* the nodes that N tasks of LEAF count in */
static void count_up(struct ticket_node *nodes, uint32_t leaf, uint32_t running, bool is_pending)
{
    for (uint32_t at = leaf; at != TICKETS_NOBODY; at = nodes[at].parent) {
        nodes[at].running += running;
        nodes[at].is_active |= is_pending || running > 0;
    }
}

static bool is_in(const struct ticket_node *node, bool running_alone)
{
    return node->shares > 0 && (running_alone ? node->running > 0 : node->is_active);
}

/* what the siblings of a node add up to */
struct family {
    double shares, adjusted, cut; /* of all; of those that are not cut; the shares of those cut */
};

static double long_term(const struct ticket_node *node, const struct family *f)
{
    return node->shares / f->shares;
}

static double adjusted_share(const struct ticket_node *node, const struct family *f)
{
    double t = long_term(node, f);
    return t * t / (node->usage > t ? node->usage : t);
}

/* its short-term share, without the bound */
static double uncut_share(const struct ticket_node *node, const struct family *f)
{
    return f->adjusted > 0 ? adjusted_share(node, f) / f->adjusted * (1 - f->cut) : 0;
}

/* the short-term shares of all nodes that are there, into `share`: until no further node is cut, at
 * most as often as a factor of at least 1 can be exceeded */
static void short_term(struct ticket_cell *cell, double factor, bool running_alone)
{
    struct ticket_node *nodes = cell->nodes;
    struct family *families = uti_calloc(cell->n_nodes, sizeof *families);
    bool *is_cut = uti_calloc(cell->n_nodes, sizeof *is_cut), again = factor >= 1;
    for (uint32_t i = 1; i < cell->n_nodes; i++)
        families[nodes[i].parent].shares += is_in(&nodes[i], running_alone) ? nodes[i].shares : 0;
    for (uint32_t i = 1; i < cell->n_nodes; i++)
        if (is_in(&nodes[i], running_alone))
            families[nodes[i].parent].adjusted +=
                adjusted_share(&nodes[i], &families[nodes[i].parent]);
    for (unsigned rounds = 0; again && rounds < 16; rounds++) {
        struct family *next = uti_alloc(cell->n_nodes * sizeof *next);
        again = false;
        for (uint32_t i = 0; i < cell->n_nodes; i++)
            next[i] = families[i];
        for (uint32_t i = 1; i < cell->n_nodes; i++) {
            const struct family *f = &families[nodes[i].parent];
            if (!is_in(&nodes[i], running_alone) || is_cut[i] ||
                uncut_share(&nodes[i], f) <= factor * long_term(&nodes[i], f))
                continue;
            is_cut[i] = again = true;
            next[nodes[i].parent].cut += factor * long_term(&nodes[i], f);
            next[nodes[i].parent].adjusted -= adjusted_share(&nodes[i], f);
        }
        free(families);
        families = next;
    }
    for (uint32_t i = 0; i < cell->n_nodes; i++) {
        const struct family *f = i != ROOT ? &families[nodes[i].parent] : NULL;
        double share = f == NULL                          ? 1
                       : !is_in(&nodes[i], running_alone) ? 0
                       : is_cut[i]                        ? factor * long_term(&nodes[i], f)
                                                          : uncut_share(&nodes[i], f);
        *(running_alone ? &nodes[i].running_share : &nodes[i].pending_share) = share;
    }
    free(families);
    free(is_cut);
}

static void give_running(struct turn *t)
{
    struct ticket_node *nodes = t->cell->nodes;
    for (uint32_t i = 0; i < t->cell->n_classes; i++) {
        struct ticket_class *c = &t->cell->classes[i];
        c->each_running.of[TICKETS_SHARE] = 0;
        if (c->leaf == TICKETS_NOBODY || c->running == 0)
            continue;
        double share = t->conf->share;
        for (uint32_t at = c->leaf; at != ROOT; at = nodes[at].parent)
            share *= nodes[at].running_share;
        c->each_running.of[TICKETS_SHARE] = share / (double)nodes[c->leaf].running;
    }
}

/* A heap of each node: of its children with pending tasks, and of a leaf of its classes. Elements
 * of nodes are below n_nodes, those of classes behind. */
static struct choice element_of(const struct turn *t, struct choice *const heaps, uint32_t id)
{
    const struct ticket_cell *cell = t->cell;
    if (id >= cell->n_nodes) {
        const struct ticket_class *c = &cell->classes[id - cell->n_nodes];
        return (struct choice){ key_of(dominating_tickets(t, c)), 0, c->jobs[c->next], id };
    }
    const struct ticket_node *node = &cell->nodes[id];
    uint32_t best = heaps[node->first].of;
    for (; best < cell->n_nodes;)
        best = heaps[cell->nodes[best].first].of;
    const struct ticket_class *c = &cell->classes[best - cell->n_nodes];
    double value = t->conf->share * node->pending_share / (double)(node->taken + 1);
    return (struct choice){ key_of(value + dominating_tickets(t, c)), 0, c->jobs[c->next], id };
}

/* room for the heaps, one behind the other; how many elements each may have is in `n`, which is 0
 * afterwards */
static void lay_out(struct ticket_cell *cell)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < cell->n_nodes; i++)
        cell->nodes[i].n = 0;
    for (uint32_t i = 1; i < cell->n_nodes; i++)
        cell->nodes[cell->nodes[i].parent].n++;
    for (uint32_t i = 0; i < cell->n_classes; i++)
        if (cell->classes[i].leaf != TICKETS_NOBODY)
            cell->nodes[cell->classes[i].leaf].n++;
    for (uint32_t i = 0; i < cell->n_nodes; i++) {
        cell->nodes[i].first = first;
        first += cell->nodes[i].n;
        cell->nodes[i].n = 0;
    }
}

static void heap_add(struct ticket_node *node, struct choice *heaps, struct choice what)
{
    heaps[node->first + node->n++] = what;
}

static void fill_heaps(struct turn *t, struct choice *heaps)
{
    struct ticket_cell *cell = t->cell;
    for (uint32_t i = 0; i < cell->n_classes; i++) {
        const struct ticket_class *c = &cell->classes[i];
        if (c->leaf != TICKETS_NOBODY && c->n_pending > 0)
            heap_add(&cell->nodes[c->leaf], heaps, element_of(t, heaps, cell->n_nodes + i));
    }
    for (uint32_t i = cell->n_nodes; i-- > 0;) { /* children before their parents */
        struct ticket_node *node = &cell->nodes[i];
        make_heap(&heaps[node->first], node->n);
        if (node->n > 0 && i != ROOT)
            heap_add(&cell->nodes[node->parent], heaps, element_of(t, heaps, i));
    }
}

/* the path to the class whose next task it is; returns its length, the class is last */
static uint32_t path_to_best(const struct ticket_cell *cell, const struct choice *heaps,
                             uint32_t *path)
{
    uint32_t n = 0, at = ROOT;
    for (; at < cell->n_nodes; at = heaps[cell->nodes[at].first].of)
        path[n++] = at;
    path[n++] = at;
    return n;
}

/* the first element of each heap on PATH is what it now is, the lowest first */
static void settle_path(const struct turn *t, struct choice *heaps, const uint32_t *path,
                        uint32_t n)
{
    struct ticket_cell *cell = t->cell;
    bool is_over = cell->classes[path[n - 1] - cell->n_nodes].next ==
                   cell->classes[path[n - 1] - cell->n_nodes].n_pending;
    for (uint32_t i = n - 1; i > 0; i--) {
        struct ticket_node *above = &cell->nodes[path[i - 1]];
        struct choice *heap = &heaps[above->first];
        if (is_over) {
            drop_first(heap, &above->n);
        } else {
            heap[0] = element_of(t, heaps, path[i]);
            sift_down(heap, above->n, 0);
        }
        is_over = above->n == 0;
    }
}

static void give_pending(struct turn *t)
{
    struct ticket_cell *cell = t->cell;
    struct choice *heaps = uti_alloc(((size_t)cell->n_nodes + cell->n_classes + 1) * sizeof *heaps);
    uint32_t *path = uti_alloc(((size_t)cell->n_nodes + 1) * sizeof *path);
    lay_out(cell);
    fill_heaps(t, heaps);
    while (cell->nodes[ROOT].n > 0) {
        uint32_t n = path_to_best(cell, heaps, path);
        struct ticket_class *c = &cell->classes[path[n - 1] - cell->n_nodes];
        const struct ticket_node *top = &cell->nodes[path[n > 2 ? 1 : 0]];
        c->pending[c->next].of[TICKETS_SHARE] =
            t->conf->share * top->pending_share / (double)(top->taken + 1);
        c->next++;
        for (uint32_t i = 0; i + 1 < n; i++)
            cell->nodes[path[i]].taken++;
        settle_path(t, heaps, path, n);
    }
    free(heaps);
    free(path);
}

static void give_shares(struct turn *t)
{
    struct ticket_cell *cell = t->cell;
    for (uint32_t i = 0; i < cell->n_nodes; i++) {
        cell->nodes[i].running = 0;
        cell->nodes[i].is_active = false;
    }
    for (uint32_t i = 0; i < cell->n_classes; i++) {
        cell->classes[i].next = 0;
        if (cell->classes[i].leaf != TICKETS_NOBODY)
            count_up(cell->nodes, cell->classes[i].leaf, cell->classes[i].running,
                     cell->classes[i].n_pending > 0);
    }
    for (uint32_t i = 0; i < cell->n_nodes; i++)
        cell->nodes[i].taken = cell->nodes[i].running;
    short_term(cell, t->conf->compensation, true);
    short_term(cell, t->conf->compensation, false);
    give_running(t);
    give_pending(t);
}

/* ---- all of them ---- */
static bool is_overridden(const struct ticket_cell *cell)
{
    bool is_any = false;
    for (uint32_t i = 0; i < cell->n_holders && !is_any; i++)
        is_any = cell->holders[i].oticket > 0;
    for (uint32_t i = 0; i < cell->n_classes && !is_any; i++)
        is_any = cell->classes[i].override > 0;
    return is_any;
}

static void give_policy(struct turn *t, unsigned policy)
{
    if (policy == TICKETS_OVERRIDE && is_overridden(t->cell))
        give_out(t, policy, override_of, UINT32_MAX);
    else if (policy == TICKETS_FUNCTIONAL && t->conf->functional > 0)
        give_out(t, policy, functional_of, t->conf->functional_most);
    else if (policy == TICKETS_SHARE && t->conf->share > 0 && t->cell->n_nodes > 0)
        give_shares(t);
}

void tickets_compute(const struct ticket_conf *conf, struct ticket_cell *cell)
{
    static const char letters[TICKET_POLICIES] = { 'O', 'F', 'S' };
    struct turn t = { .conf = conf, .cell = cell };
    t.weights = conf->weight_job;
    for (unsigned kind = 0; kind < TICKET_KINDS; kind++)
        t.weights += conf->weights[kind];
    for (uint32_t i = 0; i < cell->n_classes; i++) {
        struct ticket_class *c = &cell->classes[i];
        c->each_running = (struct tickets){ { 0 } };
        for (uint32_t k = 0; k < c->n_pending; k++)
            c->pending[k] = (struct tickets){ { 0 } };
    }
    bool is_given[TICKET_POLICIES] = { false };
    for (const char *at = conf->hierarchy; *at != '\0'; at++)
        for (unsigned p = 0; p < TICKET_POLICIES; p++)
            if (*at == letters[p]) {
                give_policy(&t, p);
                t.is_dominating[p] = is_given[p] = true;
            }
    struct turn alone = { .conf = conf, .cell = cell, .weights = t.weights };
    for (unsigned p = 0; p < TICKET_POLICIES; p++)
        if (!is_given[p])
            give_policy(&alone, p);
}
