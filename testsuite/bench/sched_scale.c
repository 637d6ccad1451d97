/* sched_scale ROW - what decisions on a large cell cost the scheduler, without network
 *
 * Prints lines of a name and a value: seconds of the processor, bytes, numbers. The scheduler is
 * called as sge_schedd calls it: in slices, and with no more tasks in a package of orders. ROWS
 * below says what each measures. */
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

#include "libs/sched/test/feed.h"
#include "libs/sgeobj/object_kind.h"

enum { SLICE_LOOKS = 50000, PACKAGES_OUT = 4, USERS = 200, HOST_SLOTS = 64, KIB = 1024 };
enum { START_S = 100000, MANY_TASKS = 1000000 };
static uint64_t now_s = START_S;
static double longest; /* time in which no event was taken */

static double processor_s(void)
{
    struct timespec at;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

static void say(const char *name, double value)
{
    printf("%s %.9f\n", name, value);
}

/* ---- cells ---- */
static void feed_resource(struct sched *s, const char *name, const char *type,
                          const char *consumable)
{
    feedf(s,
          "object %u %s shortcut %s type %s relop <= requestable YES consumable %s default 0 "
          "urgency 0",
          (unsigned)OBJECT_COMPLEX, name, name, type, consumable);
}

static struct sched *cell_new(uint32_t hosts, const char *more)
{
    struct sched *s = sched_new();
    sched_set_slice(s, SLICE_LOOKS);
    feed_resource(s, "slots", "INT", "YES");
    feed_resource(s, "h_rt", "TIME", "NO");
    for (uint32_t h = 0; h < hosts; h++)
        feedf(s, "queue all.q@h%u %u %s", h, (unsigned)HOST_SLOTS, more);
    return s;
}

static void fill_hosts(struct sched *s, uint32_t first, uint32_t hosts, uint32_t tasks)
{
    for (uint32_t h = 0; h < hosts; h++) {
        feedf(s, "job %u 0-%u owner u%u sub 1 l h_rt=%u", first + h, tasks - 1, h % USERS,
              3600 + h % 1000);
        feedf(s, "started %u 0-%u since %u all.q@h%u", first + h, tasks - 1, START_S - h % 3600, h);
    }
}

/* N jobs of USERS users, each with TASKS tasks. A user has a category of his own, or, MIXED, jobs
 * of all the categories. */
static void feed_jobs(struct sched *s, uint32_t n, uint32_t tasks, bool mixed)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t user = i % USERS, category = mixed ? i / USERS % USERS : user;
        feedf(s, "job %u 0-%u owner u%u sub %u l h_rt=%u", 1000000 + i, tasks - 1, user, 2 + i / 10,
              1000 + category);
    }
}

static void feed_tree(struct sched *s)
{
    static const char *const nodes[] = { "id=0 name=Root type=0 shares=1 childnodes=1",
                                         "id=1 name=default type=0 shares=10 childnodes=NONE" };
    feed_share_tree(s, nodes, ARRAY_LEN(nodes));
}

/* share tree and functional policy, USERS users who have used something */
static void feed_policies(struct sched *s, uint32_t users)
{
    feed(s, "conf weight_tickets_share 1000000");
    feed(s, "conf weight_tickets_functional 1000000");
    feed_tree(s);
    for (uint32_t u = 0; u < users; u++) {
        char name[16];
        snprintf(name, sizeof name, "u%u", u);
        feed_share_usage(s, name, NULL, START_S, 1000 + u * 37 % 1000);
        feedf(s, "object %u %s fshare %u", (unsigned)OBJECT_USER, name, 10 + u % 7);
    }
}

/* ---- runs ---- */
/* all packages of a run; how many tasks were ordered, up to MOST */
static uint64_t run_all(struct sched *s, uint64_t most)
{
    uint64_t ordered = 0;
    double from = processor_s();
    uint32_t packages = 0;
    for (bool goes_on = true; goes_on && ordered < most;) {
        struct OR_Type_list orders = { 0 };
        uint64_t left = most - ordered;
        uint32_t n = sched_run(
            s, now_s, left < ORDER_PACKAGE_TASKS ? (uint32_t)left : ORDER_PACKAGE_TASKS, &orders);
        (void)sched_prior_order(s, now_s, &orders);
        orders_clear(&orders);
        ordered += n;
        goes_on = n > 0 || sched_is_cut(s);
        if (sched_is_cut(s) || n == 0 || ++packages == PACKAGES_OUT) {
            double to = processor_s();
            longest = to - from > longest ? to - from : longest;
            from = to;
            packages = 0;
        }
    }
    return ordered;
}

static double seconds_of_run(struct sched *s, uint64_t *ordered)
{
    double from = processor_s();
    *ordered = run_all(s, UINT64_MAX);
    return processor_s() - from;
}

/* ---- rows ---- */
/* 1,000 hosts, half of them full, 100,000 pending jobs, share tree and functional policy: all that
 * fits starts; then a run after each end, in the same second and in the next one */
static void measure_full(bool mixed)
{
    enum { HOSTS = 1000, JOBS = 100000, ENDS = 20 };
    uint64_t ordered;
    struct sched *s = cell_new(HOSTS, "");
    feed_policies(s, USERS);
    fill_hosts(s, 1, HOSTS / 2, HOST_SLOTS);
    feed_jobs(s, JOBS, 1, mixed);
    say(mixed ? "full_mixed" : "full", seconds_of_run(s, &ordered));
    if (ordered != HOSTS / 2 * HOST_SLOTS)
        abort();
    double ends = 0, seconds = 0;
    for (uint32_t i = 0; i < 2 * ENDS; i++) {
        feedf(s, "ended %u %u all.q@h%u", 1 + i / 2, i % 2, i / 2);
        now_s += i % 2;
        double took = seconds_of_run(s, &ordered);
        if (ordered != 1)
            abort();
        *(i % 2 == 0 ? &ends : &seconds) += took;
    }
    say(mixed ? "mixed_after_end" : "after_end", ends / ENDS);
    say(mixed ? "mixed_second" : "second", seconds / ENDS);
    sched_free(s);
}

static void full(void)
{
    measure_full(false);
}

static void full_mixed(void)
{
    measure_full(true);
}

/* 10,000 hosts, a million pending tasks, no policy: 640,000 start */
static void million(void)
{
    uint64_t ordered;
    struct rusage used;
    struct sched *s = cell_new(10000, "");
    feed_jobs(s, MANY_TASKS, 1, false);
    say("million", seconds_of_run(s, &ordered));
    if (ordered != 10000 * HOST_SLOTS)
        abort();
    getrusage(RUSAGE_SELF, &used);
    say("million_bytes", (double)used.ru_maxrss * KIB);
    sched_free(s);
}

/* what a task that starts costs, with ever more that wait; a host of each user has room for his */
static void flat(void)
{
    enum { STARTED = 1000 };
    for (uint32_t pending = STARTED; pending <= MANY_TASKS; pending *= 10) {
        char name[32];
        struct sched *s = cell_new(100, "");
        feed_jobs(s, pending, 1, false);
        double from = processor_s();
        if (run_all(s, STARTED) != STARTED)
            abort();
        snprintf(name, sizeof name, "flat_%u", pending);
        say(name, (processor_s() - from) / STARTED);
        sched_free(s);
    }
}

/* one array of 100,000 tasks, with a share tree and without */
static double seconds_of_array(bool has_tree)
{
    enum { TASKS = 100000 };
    uint64_t ordered;
    struct sched *s = cell_new(TASKS / HOST_SLOTS + 1, "");
    if (has_tree)
        feed_policies(s, 2);
    feedf(s, "job 1 0-%d owner u0 sub 1", TASKS - 1);
    feed(s, "job 2 0 owner u1 sub 1");
    double took = seconds_of_run(s, &ordered);
    if (ordered != TASKS + 1)
        abort();
    sched_free(s);
    return took;
}

static void array(void)
{
    say("array", seconds_of_array(false));
    say("array_tree", seconds_of_array(true));
}

/* three rules over the host group of all 1,000 hosts, 50 categories; and the same without */
static double seconds_with_rules(bool has_rules)
{
    static const char rules[][2][64] = {
        { "per_user", "users {*} hosts @all to slots=1000" },
        { "per_host", "hosts {@all} to slots=60" },
        { "all", "hosts @all to slots=50000" },
    };
    uint64_t ordered;
    struct sched *s = cell_new(1000, "group @all,@half,@rack");
    for (size_t i = 0; has_rules && i < ARRAY_LEN(rules); i++) {
        struct EV_Type event = { 0 };
        cull_set(&event, EV_kind, (uint32_t)EV_OBJECT);
        struct TX_Type *set = cull_append(&event, EV_texts);
        cull_set(set, TX_kind, (uint32_t)OBJECT_RQS);
        cull_set(set, TX_name, rules[i][0]);
        const char *const rows[][2] = { { "enabled", "TRUE" }, { "limit", rules[i][1] } };
        for (size_t k = 0; k < ARRAY_LEN(rows); k++) {
            struct VA_Type *va = cull_append(set, TX_entries);
            cull_set(va, VA_variable, rows[k][0]);
            cull_set(va, VA_value, rows[k][1]);
        }
        if (sched_apply(s, &event, NULL) < 0)
            abort();
        cull_clear(&cull_EV_Type, &event);
    }
    for (uint32_t i = 0; i < 50000; i++)
        feedf(s, "job %u 0 owner u%u sub %u l h_rt=%u", 1 + i, i % 50, 1 + i / 10, 1000 + i % 50);
    double took = seconds_of_run(s, &ordered);
    if (ordered != 50000)
        abort();
    sched_free(s);
    return took;
}

static void quotas(void)
{
    double without = seconds_with_rules(false);
    say("quotas", seconds_with_rules(true) - without);
}

/* how many tickets of jobs are in the orders that follow */
static uint32_t grants_sent(struct sched *s)
{
    uint32_t n = 0, before;
    do {
        struct OR_Type_list orders = { 0 };
        before = n;
        (void)sched_prior_order(s, now_s, &orders);
        for (uint32_t i = 0; i < orders.n; i++)
            n += orders.v[i].OR_granted_by_policy.n;
        orders_clear(&orders);
    } while (n > before);
    return n;
}

/* a share tree of 10,000 users, computed anew when a second has gone by, and when one of them has
 * used something */
static void tree(void)
{
    enum { TREE_USERS = 10000 };
    struct OR_Type_list orders = { 0 };
    struct sched *s = cell_new(0, "");
    feed_policies(s, TREE_USERS);
    feed(s, "conf weight_tickets_functional 0");
    for (uint32_t u = 0; u < TREE_USERS; u++)
        feedf(s, "job %u 0 owner u%u sub 1", 1 + u, u);
    (void)sched_run(s, now_s, 1, &orders);
    (void)grants_sent(s);
    now_s++;
    double from = processor_s();
    (void)sched_run(s, now_s, 1, &orders);
    say("tree", processor_s() - from);
    say("tree_sent", grants_sent(s));
    orders_clear(&orders);
    sched_free(s);
}

/* 100 reservations for parallel jobs of 512 slots on 1,000 hosts with 50,000 running tasks, each of
 * a job of its own; then the same again, as one of the tasks has ended */
static void reservations(void)
{
    enum { HOSTS = 1000, RUN = 50000, WIDE = 100, SLOTS = 512 };
    uint64_t ordered;
    struct sched *s = cell_new(HOSTS, "pes mpi");
    feed(s, "object 12 mpi slots 999999 allocation_rule $fill_up");
    feed(s, "conf max_reservation 100");
    for (uint32_t i = 0; i < RUN; i++) {
        feedf(s, "job %u 0 owner u%u sub 1 l h_rt=%u", 1 + i, i % USERS, 7200 + i % 1000);
        feedf(s, "started %u 0 since %u all.q@h%u", 1 + i, START_S - i % 3600, i % HOSTS);
    }
    for (uint32_t i = 0; i < WIDE; i++)
        feedf(s, "job %u 0 owner u%u sub %u R y pe mpi %u l h_rt=%u", 100000 + i, i, 2 + i,
              (unsigned)SLOTS * 32, 1000 + i);
    say("reservations", seconds_of_run(s, &ordered));
    if (ordered != 0)
        abort();
    feed(s, "ended 1 0 all.q@h0");
    now_s++;
    say("reservations_anew", seconds_of_run(s, &ordered));
    sched_free(s);
}

static const struct {
    const char *name;
    void (*measure)(void);
} rows[] = {
    { "full", full },       { "full_mixed", full_mixed },
    { "million", million }, { "flat", flat },
    { "array", array },     { "quotas", quotas },
    { "tree", tree },       { "reservations", reservations },
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < ARRAY_LEN(rows); i++)
        if (strcmp(argv[1], rows[i].name) == 0) {
            rows[i].measure();
            say("longest", longest);
            return 0;
        }
    fputs("usage: sched_scale ROW\n", stderr);
    return 1;
}
