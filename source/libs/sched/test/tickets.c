/* Tickets against what was captured, and against a definition by brute force. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "libs/sched/policy/tickets.h"
#include "libs/uti/alloc.h"

enum { ALICE, BOB, OLGA, P1, P2, DEPT_A, DEPT_B, HOLDERS };
enum { NONE = -1 };
/* a job of the captures: one task, which waits or runs */
struct one {
    uint32_t number;
    int user, project, department;
    double job_share, override;
    bool runs;
    int leaf;
};
struct scene {
    struct ticket_holder holders[HOLDERS];
    struct ticket_class classes[16];
    struct tickets pending[16];
    uint32_t numbers[16];
    struct ticket_cell cell;
};

static void set_scene(struct scene *s, const struct one *jobs, uint32_t n)
{
    s->cell.holders = s->holders;
    s->cell.n_holders = HOLDERS;
    s->cell.classes = s->classes;
    s->cell.n_classes = n;
    for (uint32_t i = 0; i < n; i++) {
        const struct one *j = &jobs[i];
        s->numbers[i] = j->number;
        s->classes[i] = (struct ticket_class){
            .holders = { (uint32_t)j->user, (uint32_t)j->project, (uint32_t)j->department },
            .leaf = (uint32_t)j->leaf,
            .job_share = j->job_share,
            .override = j->override,
            .running = j->runs,
            .n_pending = !j->runs,
            .jobs = &s->numbers[i],
            .pending = &s->pending[i],
        };
    }
}

static void expect_tickets(struct scene *s, const struct ticket_conf *conf, unsigned policy,
                           const int *expected)
{
    tickets_compute(conf, &s->cell);
    for (uint32_t i = 0; i < s->cell.n_classes; i++) {
        const struct ticket_class *c = &s->classes[i];
        const struct tickets *t = c->running > 0 ? &c->each_running : &c->pending[0];
        assert_int_equal((int)t->of[policy], expected[i]);
    }
}

/* ---- functional, as in policies/functional.txt ---- */
static const struct ticket_conf functional = { .weights = { 0.25, 0.25, 0.25 },
                                               .weight_job = 0.25,
                                               .functional = 10000,
                                               .shares_functional = true,
                                               .functional_most = 200,
                                               .hierarchy = "OFS" };
static const struct one functional_jobs[] = {
    { 14, ALICE, P1, DEPT_A, 0, 0, false, NONE },   { 15, ALICE, P2, DEPT_A, 0, 0, false, NONE },
    { 16, BOB, P1, DEPT_B, 0, 0, false, NONE },     { 17, BOB, P2, DEPT_B, 0, 0, false, NONE },
    { 18, OLGA, NONE, DEPT_B, 0, 0, false, NONE },  { 19, ALICE, P1, DEPT_A, 5, 0, false, NONE },
    { 20, BOB, NONE, DEPT_B, 100, 0, false, NONE },
};

static void set_functional(struct scene *s)
{
    *s = (struct scene){ 0 };
    s->holders[ALICE].fshare = 100;
    s->holders[BOB].fshare = 50;
    s->holders[P1].fshare = 70;
    s->holders[P2].fshare = 30;
    s->holders[DEPT_A].fshare = 30;
    s->holders[DEPT_B].fshare = 10;
    set_scene(s, functional_jobs, 7);
}

static void functional_tickets_are_those_of_the_capture(void **state)
{
    (void)state;
    struct scene s;
    struct ticket_conf conf = functional;
    set_functional(&s);
    expect_tickets(&s, &conf, TICKETS_FUNCTIONAL,
                   (const int[]){ 3020, 1930, 1312, 861, 156, 10000, 3839 });
    conf.shares_functional = false;
    expect_tickets(&s, &conf, TICKETS_FUNCTIONAL,
                   (const int[]){ 3321, 1905, 1268, 763, 192, 10000, 3839 });
    conf = functional;
    conf.weights[TICKETS_OF_PROJECT] = conf.weights[TICKETS_OF_DEPARTMENT] = conf.weight_job = 0;
    expect_tickets(&s, &conf, TICKETS_FUNCTIONAL,
                   (const int[]){ 10000, 5000, 3333, 1666, 0, 2222, 1111 });
    conf = functional;
    conf.weights[0] = conf.weights[1] = conf.weights[2] = 0;
    expect_tickets(&s, &conf, TICKETS_FUNCTIONAL, (const int[]){ 0, 0, 0, 0, 0, 476, 10000 });
    conf = functional;
    conf.weights[0] = conf.weights[1] = conf.weights[2] = conf.weight_job = 0.5;
    expect_tickets(&s, &conf, TICKETS_FUNCTIONAL,
                   (const int[]){ 3020, 1930, 1312, 861, 156, 10000, 3839 });
}

static void functional_tickets_of_what_runs_are_those_of_the_capture(void **state)
{
    (void)state;
    struct scene s;
    struct one jobs[7];
    set_functional(&s);
    memcpy(jobs, functional_jobs, sizeof jobs);
    jobs[0].runs = jobs[1].runs = jobs[5].runs = jobs[6].runs = true;
    set_scene(&s, jobs, 7);
    expect_tickets(&s, &functional, TICKETS_FUNCTIONAL,
                   (const int[]){ 2055, 1930, 1312, 861, 156, 2174, 3839 });
}

static void no_more_jobs_than_configured_get_functional_tickets(void **state)
{
    (void)state;
    struct scene s;
    struct ticket_conf conf = functional;
    set_functional(&s);
    conf.functional_most = 2;
    expect_tickets(&s, &conf, TICKETS_FUNCTIONAL, (const int[]){ 0, 0, 0, 0, 0, 10000, 3839 });
}

/* ---- override, as in policies/override-deadline-urgency.txt ---- */
static void override_tickets_are_those_of_the_capture(void **state)
{
    (void)state;
    static const struct one jobs[] = {
        { 21, ALICE, P1, DEPT_A, 0, 0, false, NONE },
        { 22, ALICE, P2, DEPT_A, 0, 0, false, NONE },
        { 23, BOB, P1, DEPT_B, 0, 0, false, NONE },
        { 24, BOB, P2, DEPT_B, 0, 0, false, NONE },
        { 25, OLGA, NONE, DEPT_B, 0, 300, false, NONE },
        { 26, ALICE, P1, DEPT_A, 5, 0, false, NONE },
        { 27, BOB, NONE, DEPT_B, 100, 0, false, NONE },
    };
    struct ticket_conf conf = { .shares_override = true, .hierarchy = "OFS" };
    struct scene s = { 0 };
    s.holders[ALICE].oticket = 100;
    s.holders[P2].oticket = 50;
    s.holders[DEPT_B].oticket = 20;
    set_scene(&s, jobs, 7);
    expect_tickets(&s, &conf, TICKETS_OVERRIDE, (const int[]){ 50, 150, 6, 35, 320, 33, 5 });
    conf.shares_override = false;
    expect_tickets(&s, &conf, TICKETS_OVERRIDE, (const int[]){ 100, 150, 20, 70, 320, 100, 20 });
}

/* ---- the share tree, as in sharetree/running.txt ---- */
/* P1 60 (alice 3, bob 1), P2 40, default 10 */
enum { ROOT, N_P1, N_P1_ALICE, N_P1_BOB, N_P2, N_OLGA, N_ALICE, NODES };
static const struct ticket_conf by_tree = { .share = 10000, .compensation = 5, .hierarchy = "OFS" };

static void set_tree(struct ticket_node *nodes)
{
    static const struct ticket_node tree[NODES] = {
        { .parent = TICKETS_NOBODY, .shares = 1 }, { .parent = ROOT, .shares = 60 },
        { .parent = N_P1, .shares = 3 },           { .parent = N_P1, .shares = 1 },
        { .parent = ROOT, .shares = 40 },          { .parent = ROOT, .shares = 10 },
        { .parent = ROOT, .shares = 10 },
    };
    memcpy(nodes, tree, sizeof tree);
}

static const struct one tree_jobs[10] = {
    { 1, ALICE, P1, NONE, 0, 0, false, N_P1_ALICE },
    { 2, ALICE, P2, NONE, 0, 0, false, N_P2 },
    { 3, BOB, P1, NONE, 0, 0, false, N_P1_BOB },
    { 4, BOB, P2, NONE, 0, 0, false, N_P2 },
    { 5, ALICE, P1, NONE, 0, 0, false, N_P1_ALICE },
    { 6, ALICE, P2, NONE, 0, 0, false, N_P2 },
    { 7, BOB, P1, NONE, 0, 0, false, N_P1_BOB },
    { 8, BOB, P2, NONE, 0, 0, false, N_P2 },
    { 9, OLGA, NONE, NONE, 0, 0, false, N_OLGA },
    { 10, ALICE, NONE, NONE, 0, 0, false, N_ALICE },
};

static void share_tree_tickets_are_those_of_the_capture(void **state)
{
    (void)state;
    struct ticket_node nodes[NODES];
    struct scene s = { 0 };
    struct one jobs[10];
    set_tree(nodes);
    s.cell.nodes = nodes;
    s.cell.n_nodes = NODES;
    set_scene(&s, tree_jobs, 10);
    expect_tickets(&s, &by_tree, TICKETS_SHARE,
                   (const int[]){ 5000, 3333, 1666, 1666, 2500, 1111, 1250, 833, 833, 833 });
    memcpy(jobs, tree_jobs, sizeof jobs);
    jobs[0].runs = jobs[1].runs = jobs[2].runs = jobs[4].runs = true;
    set_scene(&s, jobs, 10);
    expect_tickets(&s, &by_tree, TICKETS_SHARE,
                   (const int[]){ 2250, 4000, 1500, 1666, 2250, 1111, 1250, 833, 833, 833 });
}

static void usage_is_compensated_as_in_the_capture(void **state)
{
    (void)state;
    static const struct one jobs[] = {
        { 4, BOB, P2, NONE, 0, 0, true, N_P2 },      { 7, BOB, P1, NONE, 0, 0, true, N_P1_BOB },
        { 9, OLGA, NONE, NONE, 0, 0, true, N_OLGA }, { 10, ALICE, NONE, NONE, 0, 0, true, N_ALICE },
        { 6, ALICE, P2, NONE, 0, 0, false, N_P2 },   { 8, BOB, P2, NONE, 0, 0, false, N_P2 },
    };
    struct ticket_node nodes[NODES];
    struct scene s = { 0 };
    set_tree(nodes);
    nodes[N_P1].usage = 14.903518;
    nodes[N_P1_ALICE].usage = 10.002509;
    nodes[N_P1_BOB].usage = 4.901009;
    nodes[N_P2].usage = 4.890798;
    s.cell.nodes = nodes;
    s.cell.n_nodes = NODES;
    set_scene(&s, jobs, 6);
    expect_tickets(&s, &by_tree, TICKETS_SHARE, (const int[]){ 1101, 813, 4042, 4042, 550, 367 });
}

static void a_share_is_at_most_the_compensation_factor_times_its_target(void **state)
{
    (void)state;
    static const struct one jobs[] = { { 1, ALICE, NONE, NONE, 0, 0, true, 1 },
                                       { 2, BOB, NONE, NONE, 0, 0, true, 2 },
                                       { 3, OLGA, NONE, NONE, 0, 0, true, 3 } };
    struct ticket_node nodes[] = { { .parent = TICKETS_NOBODY, .shares = 1 },
                                   { .parent = ROOT, .shares = 30, .usage = 1e6 },
                                   { .parent = ROOT, .shares = 60, .usage = 2e6 },
                                   { .parent = ROOT, .shares = 10 } };
    struct ticket_conf conf = by_tree;
    struct scene s = { 0 };
    s.cell.nodes = nodes;
    s.cell.n_nodes = 4;
    set_scene(&s, jobs, 3);
    expect_tickets(&s, &conf, TICKETS_SHARE, (const int[]){ 1666, 3333, 5000 });
    conf.compensation = 2;
    expect_tickets(&s, &conf, TICKETS_SHARE, (const int[]){ 2666, 5333, 2000 });
    conf.compensation = 0; /* no bound */
    expect_tickets(&s, &conf, TICKETS_SHARE, (const int[]){ 0, 0, 9999 });
}

/* ---- policies together ---- */
static void a_dominating_policy_decides_who_comes_first_in_the_others(void **state)
{
    (void)state;
    static const struct one jobs[] = { { 1, ALICE, NONE, NONE, 0, 0, false, NONE },
                                       { 2, ALICE, NONE, NONE, 0, 50, false, NONE } };
    struct ticket_conf conf = functional;
    struct scene s = { 0 };
    s.holders[ALICE].fshare = 1;
    conf.weights[1] = conf.weights[2] = conf.weight_job = 0;
    set_scene(&s, jobs, 2);
    expect_tickets(&s, &conf, TICKETS_FUNCTIONAL, (const int[]){ 5000, 10000 });
    conf.hierarchy[0] = 'F';
    conf.hierarchy[1] = '\0';
    expect_tickets(&s, &conf, TICKETS_FUNCTIONAL, (const int[]){ 10000, 5000 });
    conf.hierarchy[0] = '\0'; /* NONE: each for itself */
    expect_tickets(&s, &conf, TICKETS_FUNCTIONAL, (const int[]){ 10000, 5000 });
    expect_tickets(&s, &conf, TICKETS_OVERRIDE, (const int[]){ 0, 50 });
}

/* ---- a definition by brute force ---- */
enum { CLASSES = 12, TASKS = 6, FLAT = 5 };
struct world {
    struct ticket_holder holders[HOLDERS];
    struct ticket_node nodes[FLAT + 1];
    struct ticket_class classes[CLASSES];
    struct tickets pending[CLASSES][TASKS];
    uint32_t numbers[CLASSES][TASKS];
    struct ticket_cell cell;
};
static uint32_t seed;

static uint32_t roll_dice(uint32_t sides)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % sides;
}

static void make_world(struct world *w)
{
    uint32_t number = 1;
    *w = (struct world){ 0 };
    for (unsigned h = 0; h < HOLDERS; h++)
        w->holders[h] =
            (struct ticket_holder){ .fshare = roll_dice(4) * 10, .oticket = roll_dice(3) * 7 };
    w->nodes[0] = (struct ticket_node){ .parent = TICKETS_NOBODY, .shares = 1 };
    for (unsigned i = 1; i <= FLAT; i++)
        w->nodes[i] = (struct ticket_node){ .shares = 1 + roll_dice(9),
                                            .usage = roll_dice(3) * roll_dice(50) };
    for (unsigned i = 0; i < CLASSES; i++) {
        w->classes[i] = (struct ticket_class){
            .holders = { ALICE + roll_dice(3),
                         roll_dice(3) > 0 ? P1 + roll_dice(2) : TICKETS_NOBODY,
                         DEPT_A + roll_dice(2) },
            .leaf = 1 + roll_dice(FLAT),
            .job_share = roll_dice(3),
            .override = roll_dice(4) == 0 ? roll_dice(90) : 0,
            .running = roll_dice(3),
            .n_pending = roll_dice(TASKS + 1),
            .jobs = w->numbers[i],
            .pending = w->pending[i],
        };
        for (unsigned k = 0; k < TASKS; k++)
            w->numbers[i][k] = number++;
    }
    w->cell = (struct ticket_cell){ w->holders, w->nodes, w->classes, HOLDERS, FLAT + 1, CLASSES };
}

/* tickets of a task of class C if TASKS of each class are there, C's among them */
static double defined_tickets(const struct world *w, const struct ticket_conf *conf,
                              const uint32_t *tasks, unsigned c, unsigned policy)
{
    const struct ticket_class *of = &w->classes[c];
    double value = policy == TICKETS_OVERRIDE ? of->override : 0, weights = conf->weight_job,
           jobs = 0;
    for (unsigned i = 0; i < CLASSES; i++)
        jobs += tasks[i] * w->classes[i].job_share;
    if (policy == TICKETS_FUNCTIONAL && jobs > 0)
        value += conf->weight_job * of->job_share / jobs;
    for (unsigned kind = 0; kind < TICKET_KINDS; kind++) {
        uint32_t count[HOLDERS] = { 0 }, me = of->holders[kind];
        double shared = 0, all = 0;
        weights += conf->weights[kind];
        for (unsigned i = 0; i < CLASSES; i++)
            if (w->classes[i].holders[kind] != TICKETS_NOBODY)
                count[w->classes[i].holders[kind]] += tasks[i];
        for (unsigned h = 0; h < HOLDERS; h++) {
            shared += count[h] > 0 ? w->holders[h].fshare : 0;
            all += count[h] * w->holders[h].fshare;
        }
        if (me == TICKETS_NOBODY)
            continue;
        if (policy == TICKETS_OVERRIDE)
            value += w->holders[me].oticket / (conf->shares_override ? count[me] : 1);
        else if (shared > 0)
            value += conf->weights[kind] * w->holders[me].fshare /
                     (conf->shares_functional ? shared * count[me] : all);
    }
    return policy == TICKETS_OVERRIDE ? value : conf->functional * value / weights;
}

/* of equal ones: by job share, then the older one */
static bool goes_first(const struct world *w, const struct ticket_conf *conf, unsigned i,
                       uint32_t task, unsigned best, uint32_t best_task)
{
    double share = w->classes[i].job_share, other = w->classes[best].job_share;
    if (conf->weight_job > 0 && share != other)
        return share > other;
    return w->numbers[i][task] < w->numbers[best][best_task];
}

/* the task with the most tickets first, each as if it, those before it and what runs were all */
static void expect_as_defined(struct world *w, const struct ticket_conf *conf, unsigned policy)
{
    uint32_t tasks[CLASSES], given[CLASSES] = { 0 };
    for (unsigned i = 0; i < CLASSES; i++)
        tasks[i] = w->classes[i].running;
    for (unsigned i = 0; i < CLASSES; i++)
        if (tasks[i] > 0)
            assert_true(fabs(w->classes[i].each_running.of[policy] -
                             defined_tickets(w, conf, tasks, i, policy)) < 1e-6);
    for (;;) {
        double most = -1;
        unsigned best = 0;
        for (unsigned i = 0; i < CLASSES; i++) {
            if (given[i] == w->classes[i].n_pending)
                continue;
            tasks[i]++;
            double value = defined_tickets(w, conf, tasks, i, policy);
            tasks[i]--;
            bool is_equal = fabs(value - most) < 1e-6;
            if (most < 0 ||
                (is_equal ? goes_first(w, conf, i, given[i], best, given[best]) : value > most)) {
                most = value;
                best = i;
            }
        }
        if (most < 0)
            return;
        assert_true(fabs(w->pending[best][given[best]].of[policy] - most) < 1e-5);
        tasks[best]++;
        given[best]++;
    }
}

static void any_cell_gets_tickets_as_defined(void **state)
{
    (void)state;
    seed = 4;
    for (unsigned round = 0; round < 2000; round++) {
        struct world w;
        make_world(&w);
        struct ticket_conf conf = functional;
        conf.hierarchy[0] = '\0';
        conf.functional_most = CLASSES * TASKS;
        conf.shares_functional = roll_dice(2) == 0;
        conf.shares_override = roll_dice(2) == 0;
        conf.weights[roll_dice(3)] = roll_dice(2);
        tickets_compute(&conf, &w.cell);
        expect_as_defined(&w, &conf, TICKETS_OVERRIDE);
        expect_as_defined(&w, &conf, TICKETS_FUNCTIONAL);
    }
}

/* what runs gets all tickets of the tree; further tasks of a leaf get less than its first */
static void a_share_tree_gives_out_what_it_has(void **state)
{
    (void)state;
    seed = 5;
    for (unsigned round = 0; round < 2000; round++) {
        struct world w;
        struct ticket_conf conf = by_tree;
        double sum = 0;
        bool any = false;
        make_world(&w);
        conf.compensation = roll_dice(4);
        tickets_compute(&conf, &w.cell);
        for (unsigned i = 0; i < CLASSES; i++) {
            any |= w.classes[i].running > 0;
            sum += w.classes[i].running * w.classes[i].each_running.of[TICKETS_SHARE];
            for (unsigned k = 1; k < w.classes[i].n_pending; k++)
                assert_true(w.pending[i][k].of[TICKETS_SHARE] <=
                            w.pending[i][k - 1].of[TICKETS_SHARE]);
        }
        assert_true(!any || fabs(sum - conf.share) < 1e-3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functional_tickets_are_those_of_the_capture),
        cmocka_unit_test(functional_tickets_of_what_runs_are_those_of_the_capture),
        cmocka_unit_test(no_more_jobs_than_configured_get_functional_tickets),
        cmocka_unit_test(override_tickets_are_those_of_the_capture),
        cmocka_unit_test(share_tree_tickets_are_those_of_the_capture),
        cmocka_unit_test(usage_is_compensated_as_in_the_capture),
        cmocka_unit_test(a_share_is_at_most_the_compensation_factor_times_its_target),
        cmocka_unit_test(a_dominating_policy_decides_who_comes_first_in_the_others),
        cmocka_unit_test(any_cell_gets_tickets_as_defined),
        cmocka_unit_test(a_share_tree_gives_out_what_it_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
