/* The share tree against a definition by brute force: random trees of any depth, with projects and
 * default leaves, random usage and jobs, through the whole scheduler. */
#include <math.h>

#include "libs/sched/policy/model.h"
#include "libs/sched/test/feed.h"
#include "libs/sgeobj/object_kind.h"

enum { CELLS = 5000, NODES = 64, JOBS = 12, USERS = 5, PROJECTS = 3, NONE = -1 };
enum kind { GROUP, PROJECT, USER, DEFAULT };
static const double tickets_in_all = 10000;

struct node {
    int parent, scope; /* the project that it is below, or the root */
    enum kind kind;
    int who; /* of a user or project: its number */
    double shares, usage;
    int running, pending, taken; /* tasks below it */
    double share;                /* among its siblings; what is computed last */
};
struct job {
    int user, project; /* NONE: none; PROJECTS: one that is not in the tree */
    int leaf, running, pending;
    double first, each; /* tickets of its first pending task, of each that runs */
};
struct world {
    struct node nodes[NODES];
    struct job jobs[JOBS];
    int n_nodes, n_jobs, n_text; /* n_text: nodes that are configured */
    double factor;
};
static uint32_t seed = 1;

static int roll_dice(int sides)
{
    seed = seed * 1664525u + 1013904223u;
    return (int)((seed >> 8) % (uint32_t)sides);
}

/* ---- a random cell ---- */
static int find_node(const struct world *w, int scope, enum kind kind, int who)
{
    for (int i = 1; i < w->n_nodes; i++)
        if (w->nodes[i].kind == kind && w->nodes[i].who == who &&
            (kind == PROJECT || w->nodes[i].scope == scope))
            return i;
    return NONE;
}

static int add_node(struct world *w, int parent, int scope, enum kind kind, int who, double shares)
{
    w->nodes[w->n_nodes] = (struct node){
        .parent = parent, .scope = scope, .kind = kind, .who = who, .shares = shares
    };
    return w->n_nodes++;
}

static void make_tree(struct world *w)
{
    int most = 2 + roll_dice(20);
    *w = (struct world){ .factor = (const double[]){ 0, 1, 2, 5 }[roll_dice(4)] };
    add_node(w, NONE, 0, GROUP, 0, 1);
    for (int i = 0; i < most; i++) {
        int parent = roll_dice(w->n_nodes);
        const struct node *p = &w->nodes[parent];
        enum kind kind = (enum kind)roll_dice(4);
        int who = kind == USER ? roll_dice(USERS) : kind == PROJECT ? roll_dice(PROJECTS) : 0;
        int scope = p->kind == PROJECT ? parent : p->scope;
        if (p->kind == USER || p->kind == DEFAULT || (kind == PROJECT && scope != 0) ||
            (kind != GROUP && find_node(w, scope, kind, who) != NONE))
            continue;
        add_node(w, parent, scope, kind, who, roll_dice(5) * 10);
    }
    w->n_text = w->n_nodes;
}

static bool has_children(const struct world *w, int node)
{
    for (int i = 1; i < w->n_text; i++)
        if (w->nodes[i].parent == node)
            return true;
    return false;
}

/* where tasks of USER in PROJECT count */
static int leaf_of(struct world *w, int user, int project)
{
    int of = project >= 0 && project < PROJECTS ? find_node(w, 0, PROJECT, project) : NONE;
    if (of != NONE && !has_children(w, of))
        return of;
    int scope = of != NONE ? of : 0, own = find_node(w, scope, USER, user);
    int usual = find_node(w, scope, DEFAULT, 0);
    if (own != NONE || usual == NONE)
        return own;
    return add_node(w, w->nodes[usual].parent, scope, USER, user, w->nodes[usual].shares);
}

static void make_jobs(struct world *w)
{
    w->n_jobs = 1 + roll_dice(JOBS);
    for (int i = 0; i < w->n_jobs; i++) {
        struct job *j = &w->jobs[i];
        *j = (struct job){ .user = roll_dice(USERS),
                           .project = roll_dice(PROJECTS + 2) - 1,
                           .running = roll_dice(3) == 0 ? 1 + roll_dice(3) : 0 };
        j->pending = j->running > 0 ? roll_dice(3) : 1 + roll_dice(3);
        j->leaf = leaf_of(w, j->user, j->project);
    }
}

/* ---- the definition ---- */
static bool is_in(const struct node *n, bool running_alone)
{
    return n->shares > 0 && (n->running > 0 || (!running_alone && n->pending > 0));
}

/* the share of each child of PARENT with tasks: its long-term share, squared, by its usage; what
 * is more than FACTOR times the long-term share is cut, and the others divide it */
static void share_among_siblings(struct world *w, int parent, bool running_alone)
{
    bool is_cut[NODES] = { false };
    double shares = 0;
    for (int i = 1; i < w->n_nodes; i++)
        if (w->nodes[i].parent == parent && is_in(&w->nodes[i], running_alone))
            shares += w->nodes[i].shares;
    for (bool again = true; again;) {
        double weights[NODES] = { 0 }, sum = 0, left = 1;
        again = false;
        for (int i = 1; i < w->n_nodes; i++) {
            const struct node *n = &w->nodes[i];
            if (n->parent != parent || !is_in(n, running_alone))
                continue;
            double target = n->shares / shares;
            if (is_cut[i])
                left -= w->factor * target;
            else
                sum += weights[i] = target * target / fmax(n->usage, target);
        }
        for (int i = 1; i < w->n_nodes; i++) {
            struct node *n = &w->nodes[i];
            if (n->parent != parent)
                continue;
            double most = is_in(n, running_alone) ? w->factor * n->shares / shares : 0;
            n->share = is_cut[i] ? most : weights[i] > 0 ? weights[i] / sum * left : 0;
            if (w->factor >= 1 && !is_cut[i] && n->share > most)
                is_cut[i] = again = true;
        }
    }
}

static void share_all(struct world *w, bool running_alone)
{
    w->nodes[0].share = 1;
    for (int parent = 0; parent < w->n_nodes; parent++)
        share_among_siblings(w, parent, running_alone);
}

static void count_tasks(struct world *w)
{
    for (int j = 0; j < w->n_jobs; j++)
        for (int at = w->jobs[j].leaf; at != NONE; at = w->nodes[at].parent) {
            w->nodes[at].running += w->jobs[j].running;
            w->nodes[at].taken += w->jobs[j].running;
            w->nodes[at].pending += w->jobs[j].pending;
        }
}

/* the job below NODE whose task is next: of the child with the greatest share for each task that
 * it has and this one, the older job of equal ones; LEFT: tasks that have had no turn */
static int best_below(const struct world *w, int node, const int *left)
{
    int best = NONE;
    double best_value = 0;
    for (int j = 0; j < w->n_jobs && best == NONE; j++)
        if (w->jobs[j].leaf == node && left[j] > 0)
            best = j;
    for (int i = 1; i < w->n_nodes && best_value >= 0; i++) {
        const struct node *n = &w->nodes[i];
        int job = n->parent == node ? best_below(w, i, left) : NONE;
        if (job == NONE)
            continue;
        double value = round(tickets_in_all * n->share / (n->taken + 1) * 1e6);
        if (best == NONE || value > best_value || (value == best_value && job < best)) {
            best = job;
            best_value = value;
        }
    }
    return best;
}

static void define_tickets(struct world *w)
{
    int left[JOBS], job;
    count_tasks(w);
    share_all(w, true);
    for (int j = 0; j < w->n_jobs; j++) {
        struct job *of = &w->jobs[j];
        left[j] = of->pending;
        of->each = of->leaf != NONE && of->running > 0 ? tickets_in_all : 0;
        for (int at = of->leaf; at != NONE && of->running > 0; at = w->nodes[at].parent)
            of->each *= w->nodes[at].share;
        if (of->each > 0)
            of->each /= w->nodes[of->leaf].running;
    }
    share_all(w, false);
    while ((job = best_below(w, 0, left)) != NONE) {
        int top = w->jobs[job].leaf;
        while (w->nodes[top].parent > 0)
            top = w->nodes[top].parent;
        if (left[job]-- == w->jobs[job].pending)
            w->jobs[job].first = tickets_in_all * w->nodes[top].share / (w->nodes[top].taken + 1);
        for (int at = w->jobs[job].leaf; at != NONE; at = w->nodes[at].parent)
            w->nodes[at].taken++;
    }
}

/* ---- the scheduler ---- */
static void add_children(const struct world *w, int node, struct dstr *text)
{
    const char *comma = "";
    for (int i = 1; i < w->n_text; i++)
        if (w->nodes[i].parent == node) {
            dstr_addf(text, "%s%d", comma, i);
            comma = ",";
        }
    if (*comma == '\0')
        dstr_add(text, "NONE");
}

static void feed_tree(struct sched *s, const struct world *w)
{
    static const char *const kinds[] = { "g", "p", "u", "default" };
    struct EV_Type event = { 0 };
    cull_set(&event, EV_kind, (uint32_t)EV_OBJECT);
    struct TX_Type *tree = cull_append(&event, EV_texts);
    cull_set(tree, TX_kind, (uint32_t)OBJECT_SHARETREE);
    cull_set(tree, TX_name, "sharetree");
    for (int i = 0; i < w->n_text; i++) {
        const struct node *n = &w->nodes[i];
        struct dstr text = DSTR_INIT;
        dstr_addf(&text, "id=%d name=%s", i, kinds[n->kind]);
        if (n->kind != DEFAULT)
            dstr_addf(&text, "%d", n->kind == GROUP ? i : n->who);
        dstr_addf(&text, " type=%d shares=%.0f childnodes=", n->kind == PROJECT, n->shares);
        add_children(w, i, &text);
        struct VA_Type *va = cull_append(tree, TX_entries);
        cull_set(va, VA_variable, "node");
        cull_set(va, VA_value, dstr_get(&text));
        dstr_free(&text);
    }
    assert_int_equal(sched_apply(s, &event, NULL), 0);
    cull_clear(&cull_EV_Type, &event);
}

static void feed_usage(struct sched *s, struct world *w, int user, int project, double cpu)
{
    char name[16], of[16] = "";
    snprintf(name, sizeof name, "u%d", user);
    if (project != NONE)
        snprintf(of, sizeof of, "p%d", project);
    if (facts_usage(&s->facts, name, of, "cpu", 1000) > 0)
        return;
    for (int at = leaf_of(w, user, project); at != NONE; at = w->nodes[at].parent)
        w->nodes[at].usage += cpu;
    feed_share_usage(s, name, project != NONE ? of : NULL, 1000, cpu);
}

static void feed_jobs(struct sched *s, const struct world *w)
{
    for (int j = 0; j < w->n_jobs; j++) {
        const struct job *of = &w->jobs[j];
        int last = of->running + of->pending - 1;
        if (of->project == NONE)
            feedf(s, "job %d 0-%d owner u%d", j + 1, last, of->user);
        else
            feedf(s, "job %d 0-%d owner u%d project p%d", j + 1, last, of->user, of->project);
        if (of->running > 0)
            feedf(s, "started %d 0-%d all.q@full", j + 1, of->running - 1);
    }
}

static double tickets_of(const struct sched *s, int job)
{
    const struct sched_job *of = job_find(&s->jobs, (uint32_t)job + 1);
    const struct prior_job prior = { .number = of->number,
                                     .priority = of->priority,
                                     .owner = of->group->owner,
                                     .project = of->group->project };
    struct PF_Type figures = { 0 };
    prior_figures(&s->prior, &s->prior.terms, &prior, 1000, &figures);
    return figures.PF_stickets;
}

static void compare_tickets(struct world *w)
{
    struct sched *s = sched_new();
    struct OR_Type_list orders = { 0 };
    feedf(s, "conf weight_tickets_share %.0f", tickets_in_all);
    feedf(s, "conf compensation_factor %.0f", w->factor);
    feed_tree(s, w);
    for (int i = roll_dice(8); i > 0; i--) {
        int user = roll_dice(USERS), project = roll_dice(PROJECTS + 2) - 1, scale = 1;
        for (int k = roll_dice(5); k > 0; k--)
            scale *= 10;
        feed_usage(s, w, user, project, (double)(1 + roll_dice(999)) / 1000 * scale);
    }
    feed(s, "queue all.q@full 1");
    feed(s, "queue+ all.q@full 0");
    feed_jobs(s, w);
    define_tickets(w);
    (void)sched_run(s, 1000, 1, &orders);
    for (int j = 0; j < w->n_jobs; j++) {
        double expected = w->jobs[j].pending > 0 ? w->jobs[j].first : w->jobs[j].each;
        if (fabs(tickets_of(s, j) - expected) > 1e-5)
            fail_msg("job %d: %.6f tickets instead of %.6f", j + 1, tickets_of(s, j), expected);
    }
    orders_clear(&orders);
    sched_free(s);
}

static void random_trees_give_the_tickets_of_the_definition(void **state SGE_UNUSED)
{
    int with_tickets = 0;
    for (int i = 0; i < CELLS; i++) {
        struct world w;
        make_tree(&w);
        make_jobs(&w);
        compare_tickets(&w);
        for (int j = 0; j < w.n_jobs; j++)
            with_tickets += w.jobs[j].first > 0 || w.jobs[j].each > 0;
    }
    assert_true(with_tickets > CELLS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_trees_give_the_tickets_of_the_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
