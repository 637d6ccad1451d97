/* Fairness over weeks: the real scheduler in a cell of pretended tasks, in virtual time. The shares
 * of the users on each day are held against what sched_conf(5) and sge_share_tree(5) promise.
 *
 * `test_sched_fairness plots DIR` writes the same days as tables, from which ./aimk plots draws the
 * pictures of doc/administering/fair-share.md. */
#include <math.h>

#include "libs/config/usage_params.h"
#include "libs/sched/test/feed.h"
#include "libs/sgeobj/object_kind.h"

enum { A, B, C, USERS };
enum { HOSTS = 5, HOST_SLOTS = 10, SLOTS = HOSTS * HOST_SLOTS, BACKLOG = 40 };
enum { MINUTE_S = 60, HOUR_S = 3600, DAY_S = 86400, STEP_S = 10 * MINUTE_S, DAYS = 35 };
static const char *const names[USERS] = { "anna", "ben", "cleo" };

struct task {
    uint64_t end_s, submitted_s;
    uint32_t job, user, host;
    bool is_urgent;
};
struct site {
    struct sched *s;
    uint64_t now_s, begun_s;
    uint32_t next_job, seed;
    bool demands[USERS];
    uint32_t pending[USERS];
    double usage[USERS]; /* as of now, decayed */
    struct task *jobs;   /* by number */
    uint32_t jobs_cap;
    struct task running[SLOTS];
    uint32_t n_running;
    uint64_t used_s[DAYS][USERS]; /* slots times seconds */
    double urgent_wait_s;
    uint32_t n_urgent;
    FILE *table; /* NULL: none is written */
};

/* ---- a site ---- */
static uint32_t roll_dice(struct site *w, uint32_t sides)
{
    w->seed = w->seed * 1664525u + 1013904223u;
    return (w->seed >> 8) % sides;
}

static void site_begin(struct site *w, FILE *table)
{
    *w = (struct site){ .begun_s = 1000000, .now_s = 1000000, .next_job = 1, .seed = 7 };
    w->table = table;
    w->s = sched_new();
    feed(w->s, "conf weight_ticket 1");
    feed(w->s, "conf weight_priority 0");
    feed(w->s, "conf weight_urgency 0");
    for (unsigned h = 0; h < HOSTS; h++)
        feedf(w->s, "queue all.q@h%u %d", h, HOST_SLOTS);
    for (unsigned u = 0; u < USERS; u++)
        w->demands[u] = true;
}

static void site_end(struct site *w)
{
    free(w->jobs);
    sched_free(w->s);
}

static void put_object(struct site *w, enum object_kind kind, const char *name, const char *attrs)
{
    feedf(w->s, "object %u %s %s", (unsigned)kind, name, attrs);
}

/* 30 : 60 : 10 */
static void put_tree(struct site *w)
{
    static const char *const nodes[] = { "id=0 name=Root type=0 shares=1 childnodes=1,2,3",
                                         "id=1 name=anna type=0 shares=30 childnodes=NONE",
                                         "id=2 name=ben type=0 shares=60 childnodes=NONE",
                                         "id=3 name=cleo type=0 shares=10 childnodes=NONE" };
    feed_share_tree(w->s, nodes, ARRAY_LEN(nodes));
    feed(w->s, "conf weight_tickets_share 10000");
}

/* functional shares of the users alone */
static void put_functional(struct site *w)
{
    feed(w->s, "conf weight_tickets_functional 10000");
    feed(w->s, "conf weight_user 1");
    feed(w->s, "conf weight_project 0");
    feed(w->s, "conf weight_department 0");
    feed(w->s, "conf weight_job 0");
    put_object(w, OBJECT_USER, "anna", "fshare 30");
    put_object(w, OBJECT_USER, "ben", "fshare 60");
    put_object(w, OBJECT_USER, "cleo", "fshare 10");
}

static void submit_job(struct site *w, uint32_t user, uint32_t override)
{
    uint32_t number = w->next_job++;
    w->jobs = uti_vec_grow(w->jobs, &w->jobs_cap, number + 1, sizeof *w->jobs);
    w->jobs[number] = (struct task){
        .job = number, .user = user, .submitted_s = w->now_s, .is_urgent = override > 0
    };
    w->pending[user]++;
    feedf(w->s, "job %u 0 owner %s sub %u ot %u", number, names[user], (unsigned)w->now_s,
          override);
}

/* ---- time ---- */
/* as the qmaster sums and sends it; the half-life is the default's week */
static void count_usage(struct site *w)
{
    enum { HALFTIME_S = 168 * HOUR_S };
    uint32_t running[USERS] = { 0 };
    uint64_t day = (w->now_s - w->begun_s) / DAY_S;
    for (uint32_t i = 0; i < w->n_running; i++)
        running[w->running[i].user]++;
    for (unsigned u = 0; u < USERS; u++) {
        double used = (double)running[u] * STEP_S;
        w->used_s[day][u] += (uint64_t)running[u] * STEP_S;
        w->usage[u] =
            usage_decayed(w->usage[u], HALFTIME_S, STEP_S) + usage_spread(used, HALFTIME_S, STEP_S);
        feed_share_usage(w->s, names[u], NULL, w->now_s + STEP_S, w->usage[u]);
    }
}

static void end_tasks(struct site *w)
{
    for (uint32_t i = 0; i < w->n_running;) {
        const struct task *t = &w->running[i];
        if (t->end_s > w->now_s) {
            i++;
            continue;
        }
        feedf(w->s, "ended %u 0 all.q@h%u", t->job, t->host);
        feedf(w->s, "del %u", t->job);
        w->running[i] = w->running[--w->n_running];
    }
}

/* tasks take from 30 minutes to 90 */
static void start_task(struct site *w, uint32_t number, const char *queue)
{
    struct task *t = &w->jobs[number];
    assert_true(w->n_running < SLOTS);
    t->host = (uint32_t)strtoul(queue + strlen("all.q@h"), NULL, 10);
    t->end_s = w->now_s + (uint64_t)(3 + roll_dice(w, 7)) * STEP_S;
    w->running[w->n_running++] = *t;
    w->pending[t->user]--;
    if (t->is_urgent) {
        w->urgent_wait_s += (double)(w->now_s - t->submitted_s);
        w->n_urgent++;
    }
    feedf(w->s, "started %u 0 %s", number, queue);
}

static void start_tasks(struct site *w)
{
    struct OR_Type_list orders = { 0 };
    (void)sched_run(w->s, w->now_s, SLOTS, &orders);
    for (uint32_t i = 0; i < orders.n; i++)
        start_task(w, orders.v[i].OR_job_number, allocation_queue(&orders.v[i].OR_granted));
    orders_clear(&orders);
}

static double day_share(const struct site *w, uint64_t day, unsigned user)
{
    double all = 0;
    for (unsigned u = 0; u < USERS; u++)
        all += (double)w->used_s[day][u];
    return all > 0 ? (double)w->used_s[day][user] / all : 0;
}

/* of what counts, in the long run */
static double usage_share(const struct site *w, unsigned user)
{
    return w->usage[user] / (w->usage[A] + w->usage[B] + w->usage[C]);
}

static void write_day(const struct site *w, uint64_t day)
{
    if (w->table == NULL)
        return;
    fprintf(w->table, "%u", (unsigned)day + 1);
    for (unsigned u = 0; u < USERS; u++)
        fprintf(w->table, " %.2f", 100 * day_share(w, day, u));
    for (unsigned u = 0; u < USERS; u++)
        fprintf(w->table, " %.2f", 100 * usage_share(w, u));
    fputc('\n', w->table);
}

/* until the end of day UNTIL; each EVERY_S, if it is not 0, anna submits a job with override
 * tickets */
static void live_until(struct site *w, uint64_t until, uint64_t every_s)
{
    while ((w->now_s - w->begun_s) / DAY_S < until) {
        end_tasks(w);
        for (unsigned u = 0; u < USERS; u++)
            while (w->demands[u] && w->pending[u] < BACKLOG)
                submit_job(w, u, 0);
        if (every_s > 0 && (w->now_s - w->begun_s) % every_s == 0)
            submit_job(w, A, 50);
        start_tasks(w);
        count_usage(w);
        w->now_s += STEP_S;
        if ((w->now_s - w->begun_s) % DAY_S == 0)
            write_day(w, (w->now_s - w->begun_s) / DAY_S - 1);
    }
}

static double mean_share(const struct site *w, uint64_t from, uint64_t until, unsigned user)
{
    double sum = 0;
    for (uint64_t day = from; day < until; day++)
        sum += day_share(w, day, user);
    return sum / (double)(until - from);
}

static void expect_near(double value, double expected, double most)
{
    if (fabs(value - expected) > most)
        fail_msg("%.4f is not within %.4f of %.4f", value, most, expected);
}

/* ---- a share tree of 30:60:10 ---- */
/* ben has no jobs in the first ten days */
static void live_by_tree(struct site *w, FILE *table)
{
    site_begin(w, table);
    put_tree(w);
    w->demands[B] = false;
    live_until(w, 10, 0);
    w->demands[B] = true;
    live_until(w, DAYS, 0);
    site_end(w);
}

static void a_tree_compensates_and_converges(void **state SGE_UNUSED)
{
    struct site w;
    live_by_tree(&w, NULL);
    expect_near(mean_share(&w, 1, 10, A), 0.75, 0.02); /* what is his is divided 30:10 */
    expect_near(mean_share(&w, 1, 10, C), 0.25, 0.02);
    assert_true(day_share(&w, 10, B) > 0.8); /* he who used nothing */
    assert_true(mean_share(&w, 11, 13, B) > 0.65);
    for (uint64_t day = 11; day < 20; day++)
        assert_true(day_share(&w, day, B) > 0.6);
    expect_near(mean_share(&w, DAYS - 5, DAYS, A), 0.3, 0.02);
    expect_near(mean_share(&w, DAYS - 5, DAYS, B), 0.6, 0.02);
    expect_near(mean_share(&w, DAYS - 5, DAYS, C), 0.1, 0.02);
    expect_near(usage_share(&w, B), 0.6, 0.02);
}

/* cleo never has a job */
static void the_share_of_an_idle_user_is_divided_as_the_others_shares(void **state SGE_UNUSED)
{
    struct site w;
    site_begin(&w, NULL);
    put_tree(&w);
    w.demands[C] = false;
    live_until(&w, 20, 0);
    site_end(&w);
    expect_near(mean_share(&w, 1, 20, A), 1.0 / 3, 0.01);
    expect_near(mean_share(&w, 1, 20, B), 2.0 / 3, 0.01);
    assert_true(mean_share(&w, 0, 20, C) == 0);
}

/* ---- functional ---- */
static void live_by_functional(struct site *w, FILE *table)
{
    site_begin(w, table);
    put_functional(w);
    w->demands[B] = false;
    live_until(w, 10, 0);
    w->demands[B] = true;
    live_until(w, DAYS, 0);
    site_end(w);
}

static void functional_shares_hold_whatever_was_used_before(void **state SGE_UNUSED)
{
    struct site w;
    live_by_functional(&w, NULL);
    expect_near(mean_share(&w, 1, 10, A), 0.75, 0.02);
    for (uint64_t day = 11; day < DAYS; day++) { /* from the first day: nothing is made up for */
        expect_near(day_share(&w, day, A), 0.3, 0.03);
        expect_near(day_share(&w, day, B), 0.6, 0.03);
        expect_near(day_share(&w, day, C), 0.1, 0.03);
    }
}

/* ---- together ---- */
/* a tree; from day 15 to 18 cleo has override tickets that outweigh it */
static void live_with_override(struct site *w, FILE *table)
{
    site_begin(w, table);
    put_tree(w);
    live_until(w, 15, 0);
    feed(w->s, "conf share_override_tickets FALSE");
    put_object(w, OBJECT_USER, "cleo", "oticket 20000");
    live_until(w, 18, 0);
    put_object(w, OBJECT_USER, "cleo", "oticket 0");
    live_until(w, DAYS, 0);
    site_end(w);
}

static void override_tickets_outweigh_a_tree_which_remembers_it(void **state SGE_UNUSED)
{
    struct site w;
    live_with_override(&w, NULL);
    expect_near(mean_share(&w, 12, 15, C), 0.1, 0.02);
    assert_true(day_share(&w, 16, C) > 0.99);
    assert_true(day_share(&w, 19, C) < 0.05);
    expect_near(mean_share(&w, DAYS - 3, DAYS, C), 0.1, 0.03);
    expect_near(mean_share(&w, DAYS - 3, DAYS, B) / mean_share(&w, DAYS - 3, DAYS, A), 2, 0.2);
}

/* anna's jobs with -ot 50 among all of hers: how long they are pending, in hours */
static double hours_of_urgent(const char *hierarchy)
{
    struct site w;
    site_begin(&w, NULL);
    put_functional(&w);
    feedf(w.s, "conf policy_hierarchy %s", hierarchy);
    live_until(&w, 5, 2 * HOUR_S);
    site_end(&w);
    assert_true(w.n_urgent > 50);
    expect_near(mean_share(&w, 1, 5, A), 0.3, 0.03); /* what she has follows from her share */
    return w.urgent_wait_s / w.n_urgent / HOUR_S;
}

static void a_dominating_policy_decides_which_job_of_a_user_comes_first(void **state SGE_UNUSED)
{
    double dominating = hours_of_urgent("OF"), dominated = hours_of_urgent("FO");
    print_message("override before functional: %.2f hours, behind it: %.2f\n", dominating,
                  dominated);
    assert_true(dominating < 0.25);
    assert_true(dominated > 1);
    assert_true(fabs(hours_of_urgent("NONE") - dominated) < 0.25);
}

/* ---- tables for plots ---- */
static int write_tables(const char *dir)
{
    static const struct {
        const char *name;
        void (*live)(struct site *w, FILE *table);
    } tables[] = { { "share-tree", live_by_tree },
                   { "functional", live_by_functional },
                   { "override", live_with_override } };
    struct site w;
    int rc = 0;
    for (size_t i = 0; i < ARRAY_LEN(tables); i++) {
        struct dstr path = DSTR_INIT;
        dstr_addf(&path, "%s/%s.dat", dir, tables[i].name);
        FILE *table = fopen(dstr_get(&path), "w");
        dstr_free(&path);
        if (table == NULL)
            return 1;
        tables[i].live(&w, table);
        rc |= fclose(table) != 0;
    }
    return rc;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_compensates_and_converges),
        cmocka_unit_test(the_share_of_an_idle_user_is_divided_as_the_others_shares),
        cmocka_unit_test(functional_shares_hold_whatever_was_used_before),
        cmocka_unit_test(override_tickets_outweigh_a_tree_which_remembers_it),
        cmocka_unit_test(a_dominating_policy_decides_which_job_of_a_user_comes_first),
    };
    if (argc == 3 && strcmp(argv[1], "plots") == 0)
        return write_tables(argv[2]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
