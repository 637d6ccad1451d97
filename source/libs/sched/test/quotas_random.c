/* Random jobs under random quotas: nothing exceeds a count by hand, and nothing that fits waits. */
#include "libs/resource/quota_book.h"
#include "libs/sched/policy/model.h"
#include "libs/sched/test/quota_cell.h"

#include "libs/config/complex.h"
#include "libs/config/rqs.h"

/* ---- against a count by hand ---- */
enum { JOBS = 40, TASKS = 4, HOSTS = 4, OWNERS = 3, SLOTS = 5 };
static const char *const owners[OWNERS] = { "ann", "bob", "eve" };
static const char *const projects[] = { "", "p", "q" };
struct task {
    enum { WAITS, RUNS, OVER } state;
    unsigned at;
};
struct world {
    struct sched *s;
    unsigned seed;
    struct task tasks[JOBS + 1][TASKS];
    unsigned owner[JOBS + 1], project[JOBS + 1], n_jobs;
    const char *rules[2];
    bool has_moved[HOSTS]; /* into @even, or out of it */
};
static const char *const rule_texts[] = {
    "",
    "users {*} to slots=3",
    "users * to slots=5",
    "users ann to slots=2\nusers {bob} hosts {*} to slots=1\nhosts h0,h1 to slots=3",
    "projects {*} to slots=2\nprojects !* hosts h3 to slots=1",
    "users !eve projects - to slots=4\nhosts @even to slots=3",
    "hosts {!h2} to slots=2\nqueues {*} to slots=4",
    "users {ann,eve} projects {*} to slots=1\nusers {ann} to slots=0",
};

static unsigned random_of(struct world *w, unsigned n)
{
    return (unsigned)rand_r(&w->seed) % n;
}

/* SLOTS slots are counted as taken AT a place */
static void take_slots(struct quota_book *b, const struct quota_path *at, uint64_t slots)
{
    struct demand_part part = { RESOURCE_SLOTS, slots };
    const struct demand d = { .n = 1, .parts = &part };
    struct growing_path path = { 0 };
    quota_members(b, at, &d, QUOTA_BOOK, &path);
    path_book(path_grown(&path, 0), &d, 1);
    free(path.v);
}

static bool has_slot(struct quota_book *b, const struct quota_path *at)
{
    struct demand_part part = { RESOURCE_SLOTS, 1 };
    const struct demand d = { .n = 1, .parts = &part };
    struct growing_path path = { 0 };
    quota_members(b, at, &d, QUOTA_LOOK, &path);
    uint64_t room = path_room(path_grown(&path, 0), &d, TIME_NOW);
    free(path.v);
    return room > 0;
}

/* a book of its own, by the rules that W has */
static struct quota_book *book_by_hand(struct world *w)
{
    struct RQS_Type *sets[2];
    uint32_t n = 0;
    for (int i = 0; i < 2; i++) {
        char *copy = strdup(w->rules[i]), *save = NULL;
        sets[n] = cull_new(&cull_RQS_Type);
        cull_set(sets[n], RQS_name, i == 0 ? "r1" : "r2");
        cull_set(sets[n], RQS_enabled, true);
        for (char *l = strtok_r(copy, "\n", &save); l != NULL; l = strtok_r(NULL, "\n", &save))
            assert_int_equal(rqs_read_limit(sets[n], l, NULL), 0);
        n++;
        free(copy);
    }
    struct quota_rules *rules =
        quota_rules_new((const struct RQS_Type *const *)sets, n, &w->s->cell.complex);
    cull_delete(&cull_RQS_Type, sets[0]);
    cull_delete(&cull_RQS_Type, sets[1]);
    return rules != NULL ? quota_book_new(rules, &w->s->cell.names) : NULL;
}

static bool is_even(const struct world *w, unsigned host)
{
    return (host % 2 == 0) != w->has_moved[host];
}

static bool path_by_hand(struct world *w, struct quota_book *b, unsigned job, unsigned host,
                         struct quota_path *out)
{
    const char *project = projects[w->project[job]];
    char name[8];
    struct ST_Type_list groups = { 0 };
    (void)snprintf(name, sizeof name, "h%u", host);
    if (is_even(w, host))
        cull_set((struct ST_Type *)cull_push(&groups), ST_name, "@even");
    *out = (struct quota_path){ .who = quota_class_of(b->rules, owners[w->owner[job]], NULL,
                                                      *project != '\0' ? project : NULL),
                                .pe = quota_pe_of(b->rules, NULL),
                                .at = quota_place_of(b->rules, "all.q", name, &groups) };
    cull_list_clear(&cull_ST_Type, &groups);
    return out->who != NULL;
}

static unsigned used_at(const struct world *w, unsigned host)
{
    unsigned n = 0;
    for (unsigned j = 1; j <= w->n_jobs; j++)
        for (unsigned t = 0; t < TASKS; t++)
            n += w->tasks[j][t].state == RUNS && w->tasks[j][t].at == host;
    return n;
}

static struct quota_book *count_by_hand(struct world *w)
{
    struct quota_book *b = book_by_hand(w);
    struct quota_path path;
    for (unsigned j = 1; b != NULL && j <= w->n_jobs; j++)
        for (unsigned t = 0; t < TASKS; t++)
            if (w->tasks[j][t].state == RUNS && path_by_hand(w, b, j, w->tasks[j][t].at, &path))
                take_slots(b, &path, 1);
    return b;
}

static bool has_room(struct world *w, struct quota_book *b, unsigned job, unsigned host)
{
    struct quota_path path;
    return used_at(w, host) < SLOTS &&
           (b == NULL || !path_by_hand(w, b, job, host, &path) || has_slot(b, &path));
}

/* there are enough: they make needs of one class different */
static unsigned licences_of(unsigned job)
{
    return 1 + job % 5;
}

static void start_task(struct world *w, unsigned job, unsigned task, unsigned host)
{
    struct dstr line = DSTR_INIT;
    struct quota_book *b = count_by_hand(w);
    assert_int_equal(w->tasks[job][task].state, WAITS);
    assert_true(has_room(w, b, job, host));
    quota_book_free(b);
    w->tasks[job][task] = (struct task){ RUNS, host };
    dstr_addf(&line, "started %u %u all.q@h%u 1 take lic=%u", job, task, host, licences_of(job));
    feed(w->s, dstr_get(&line));
    dstr_free(&line);
}

/* all orders start, each within its quotas */
static void run_once(struct world *w)
{
    struct OR_Type_list orders = { 0 };
    (void)sched_run(w->s, 1000, 1000, &orders);
    for (uint32_t i = 0; i < orders.n; i++) {
        unsigned host = 0;
        struct range r;
        assert_int_equal(sscanf(orders.v[i].OR_granted.v[0].JG_qname, "all.q@h%u", &host), 1);
        for (uint64_t at = 0; range_set_next_run(&orders.v[i].OR_ids, at, &r);
             at = (uint64_t)r.last + 1)
            for (uint32_t id = r.first; id <= r.last; id++)
                start_task(w, orders.v[i].OR_job_number, id, host);
    }
    orders_clear(&orders);
}

/* when the scheduler has nothing to do any more, nothing that waits could start */
static void run_all(struct world *w)
{
    do
        run_once(w);
    while (sched_has_work(w->s));
    struct quota_book *b = count_by_hand(w);
    for (unsigned j = 1; j <= w->n_jobs; j++)
        for (unsigned t = 0; t < TASKS; t++)
            for (unsigned h = 0; w->tasks[j][t].state == WAITS && h < HOSTS; h++)
                assert_false(has_room(w, b, j, h));
    quota_book_free(b);
}

static void submit_one(struct world *w)
{
    struct dstr line = DSTR_INIT;
    unsigned j = ++w->n_jobs;
    w->owner[j] = random_of(w, OWNERS);
    w->project[j] = random_of(w, 3);
    dstr_addf(&line, "job %u 0-%u owner %s l lic:1=%u", j, TASKS - 1, owners[w->owner[j]],
              licences_of(j));
    if (w->project[j] > 0)
        dstr_addf(&line, " project %s", projects[w->project[j]]);
    feed(w->s, dstr_get(&line));
    dstr_free(&line);
}

static void end_one(struct world *w)
{
    unsigned n = random_of(w, JOBS * TASKS);
    for (unsigned i = 0; i < JOBS * TASKS; i++, n = (n + 1) % (JOBS * TASKS)) {
        struct task *t = &w->tasks[1 + n / TASKS][n % TASKS];
        if (t->state != RUNS)
            continue;
        struct dstr line = DSTR_INIT;
        dstr_addf(&line, "ended %u %u all.q@h%u 1 take lic=%u", 1 + n / TASKS, n % TASKS, t->at,
                  licences_of(1 + n / TASKS));
        t->state = OVER;
        feed(w->s, dstr_get(&line));
        dstr_free(&line);
        return;
    }
}

static void move_job(struct world *w)
{
    struct dstr line = DSTR_INIT;
    unsigned j = 1 + random_of(w, w->n_jobs);
    w->project[j] = 1 + random_of(w, 2);
    unsigned left = 0;
    for (unsigned t = 0; t < TASKS; t++)
        left += w->tasks[j][t].state != OVER;
    if (left == 0)
        return;
    dstr_addf(&line, "mod %u project %s", j, projects[w->project[j]]);
    feed(w->s, dstr_get(&line));
    dstr_free(&line);
}

static void change_groups(struct world *w)
{
    unsigned host = random_of(w, HOSTS);
    struct dstr line = DSTR_INIT;
    w->has_moved[host] = !w->has_moved[host];
    dstr_addf(&line, "queue+ all.q@h%u 5 group %s", host, is_even(w, host) ? "@even" : "none");
    feed(w->s, dstr_get(&line));
    dstr_free(&line);
}

static void change_rules(struct world *w)
{
    int i = (int)random_of(w, 2);
    w->rules[i] = rule_texts[random_of(w, ARRAY_LEN(rule_texts))];
    feed_rules(w->s, i == 0 ? "r1" : "r2", w->rules[i]);
}

/* in one run each time, and in slices, with events between them */
static void nothing_exceeds_and_nothing_is_forgotten(void **state SGE_UNUSED)
{
    for (unsigned seed = 1; seed <= 120; seed++) {
        bool is_sliced = seed % 2 == 1;
        struct world w = { .s = sched_new(), .seed = seed, .rules = { "", "" } };
        feed_resource(w.s, "slots", "YES");
        feed_resource(w.s, "lic", "YES");
        feed(w.s, "host global lic=100000");
        sched_set_slice(w.s, is_sliced ? 1 + seed % 20 : 0);
        feed(w.s, "queue all.q@h0 5 group @even");
        feed(w.s, "queue all.q@h1 5");
        feed(w.s, "queue all.q@h2 5 group @even");
        feed(w.s, "queue all.q@h3 5");
        for (int step = 0; step < 120; step++) {
            unsigned what = random_of(&w, 11);
            if (what < 3 && w.n_jobs < JOBS)
                submit_one(&w);
            else if (what < 8)
                end_one(&w);
            else if (what == 8 && w.n_jobs > 0)
                move_job(&w);
            else if (what == 10)
                change_groups(&w);
            else
                change_rules(&w);
            if (is_sliced && random_of(&w, 4) > 0)
                run_once(&w);
            else
                run_all(&w);
        }
        sched_free(w.s);
    }
}

/* ---- parallel jobs, at random ---- */
enum { WIDE_JOBS = 30 };
static const char *const wide_rules[] = {
    "users {*} to slots=7",
    "pes {*} to slots=5\n",
    "users {*} hosts {*} to slots=3",
    "hosts @rack to slots=4\nhosts {*} pes mpi to slots=6",
    "users {ann} pes smp to slots=4\nto slots=9",
};
struct wide_job {
    char line[80];
    enum { WIDE_WAITS, WIDE_RUNS, WIDE_OVER } state;
    struct JG_Type_list granted; /* while it runs */
    const char *owner;
};

static struct sched *wide_cell(const char *rules)
{
    struct sched *s = two_hosts(rules);
    feed(s, "queue all.q@j 6 seq 3 pes smp,mpi");
    return s;
}

/* what the running tasks take, counted by hand, exceeds no limit */
static void expect_within(struct sched *s, const char *rules, const struct wide_job *jobs)
{
    struct world w = { .s = s, .rules = { rules, "" } };
    struct quota_book *b = book_by_hand(&w);
    for (int j = 0; j < WIDE_JOBS; j++)
        for (uint32_t i = 0; jobs[j].state == WIDE_RUNS && i < jobs[j].granted.n; i++) {
            const struct JG_Type *jg = &jobs[j].granted.v[i];
            struct ST_Type_list groups = { 0 };
            if (strchr(jg->JG_qname, '@')[1] == 'h')
                cull_set((struct ST_Type *)cull_push(&groups), ST_name, "@rack");
            struct quota_path path = {
                .who = quota_class_of(b->rules, jobs[j].owner, NULL, NULL),
                .pe = quota_pe_of(b->rules, allocation_pe(&jobs[j].granted)),
                .at = quota_place_of(b->rules, "all.q", strchr(jg->JG_qname, '@') + 1, &groups)
            };
            if (path.who != NULL)
                take_slots(b, &path, jg->JG_slots);
            cull_list_clear(&cull_ST_Type, &groups);
        }
    for (const struct quota_member *m = b->all; m != NULL; m = m->hh.next)
        assert_true(quota_booked(m, &m->rule->limits[0]) <= m->rule->limits[0].amount);
    quota_book_free(b);
}

static void feed_granted(struct sched *s, const char *word, int job, const struct JG_Type_list *g)
{
    struct dstr line = DSTR_INIT;
    dstr_addf(&line, "%s %d 0", word, job + 1);
    if (allocation_pe(g) != NULL)
        dstr_addf(&line, " pe %s", allocation_pe(g));
    for (uint32_t i = 0; i < g->n; i++)
        dstr_addf(&line,
                  g->n == 1 && g->v[i].JG_slots == 1 && allocation_pe(g) == NULL ? " %s" : " %s %u",
                  g->v[i].JG_qname, g->v[i].JG_slots);
    feed(s, dstr_get(&line));
    dstr_free(&line);
}

/* returns how many started */
static uint32_t run_wide(struct sched *s, struct wide_job *jobs)
{
    struct OR_Type_list orders = { 0 };
    uint32_t n = sched_run(s, 1000, 1000, &orders);
    for (uint32_t i = 0; i < orders.n; i++) {
        struct wide_job *job = &jobs[orders.v[i].OR_job_number - 1];
        assert_int_equal(job->state, WIDE_WAITS);
        job->state = WIDE_RUNS;
        job->granted = orders.v[i].OR_granted;
        orders.v[i].OR_granted = (struct JG_Type_list){ 0 };
        feed_granted(s, "started", (int)(job - jobs), &job->granted);
    }
    orders_clear(&orders);
    return n;
}

static void end_wide(struct sched *s, struct wide_job *jobs, int j)
{
    if (jobs[j].state != WIDE_RUNS)
        return;
    jobs[j].state = WIDE_OVER;
    feed_granted(s, "ended", j, &jobs[j].granted);
    cull_list_clear(&cull_JG_Type, &jobs[j].granted);
}

static void parallel_tasks_never_exceed_and_are_not_forgotten(void **state SGE_UNUSED)
{
    for (unsigned seed = 1; seed <= 100; seed++) {
        struct world w = { .seed = seed };
        struct wide_job jobs[WIDE_JOBS] = { 0 };
        const char *rules = wide_rules[seed % ARRAY_LEN(wide_rules)];
        struct sched *s = wide_cell(rules);
        for (int j = 0; j < WIDE_JOBS; j++) {
            static const char *const pes[] = { "smp", "mpi", "*" };
            unsigned least = 1 + random_of(&w, 5), most = least + random_of(&w, 4);
            jobs[j].owner = owners[random_of(&w, OWNERS)];
            (void)snprintf(jobs[j].line, sizeof jobs[j].line, "job %d 0 owner %s pe %s %u-%u",
                           j + 1, jobs[j].owner, pes[random_of(&w, 3)], least, most);
            feed(s, jobs[j].line);
            (void)run_wide(s, jobs);
            expect_within(s, rules, jobs);
            end_wide(s, jobs, (int)random_of(&w, WIDE_JOBS));
        }
        for (int j = 0; j < 4 * WIDE_JOBS; j++) {
            (void)run_wide(s, jobs);
            expect_within(s, rules, jobs);
            end_wide(s, jobs, j % WIDE_JOBS);
        }
        while (run_wide(s, jobs) > 0)
            for (int j = 0; j < WIDE_JOBS; j++)
                end_wide(s, jobs, j);
        for (int j = 0; j < WIDE_JOBS; j++) { /* what still waits fits in no empty cell */
            end_wide(s, jobs, j);
            if (jobs[j].state != WIDE_WAITS)
                continue;
            struct sched *empty = wide_cell(rules);
            feed(empty, jobs[j].line);
            EXPECT(empty, "");
            sched_free(empty);
        }
        sched_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_exceeds_and_nothing_is_forgotten),
        cmocka_unit_test(parallel_tasks_never_exceed_and_are_not_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
