/* Records of a scheduler: a replay decides as it did, and what is not a record says so. */
#include "libs/sched/record.h"

#include "libs/sched/test/feed.h"

enum {
    HOSTS = 1000,
    SLOTS = 4,
    HOURS = 24,
    SLICE = 20000,
    MOST = 1000,
    STEP_S = 120,
    JOBS_A_STEP = 5
};

/* a scheduler that is recorded */
struct recorded {
    struct sched *sched;
    struct packer record;
};

static void begin_sched(struct recorded *r)
{
    sched_free(r->sched);
    r->sched = sched_new();
    sched_set_slice(r->sched, SLICE);
    record_begin(&r->record, SLICE);
}

static int recorded_setup(void **state)
{
    struct recorded *r = calloc(1, sizeof *r);
    assert_non_null(r);
    record_greet(&r->record);
    begin_sched(r);
    *state = r;
    return 0;
}

static int recorded_teardown(void **state)
{
    struct recorded *r = *state;
    sched_free(r->sched);
    packer_free(&r->record);
    free(r);
    return 0;
}

static void say_line(struct recorded *r, const char *format, ...) SGE_PRINTF(2, 3);
static void say_line(struct recorded *r, const char *format, ...)
{
    char line[8192];
    struct answer ans = ANSWER_INIT;
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    struct EV_Type *e = feed_event(line);
    assert_int_equal(sched_apply(r->sched, e, &ans), 0);
    record_event(&r->record, e);
    ans_free(&ans);
    cull_delete(&cull_EV_Type, e);
}

static void decide_at(struct recorded *r, uint64_t now_s, struct OR_Type_list *orders)
{
    orders_clear(orders);
    (void)sched_decide(r->sched, now_s, MOST, orders);
    record_decisions(&r->record, now_s, MOST, orders);
}

static void expect_replayed(const struct recorded *r, struct record_replay *got)
{
    struct answer ans = ANSWER_INIT;
    assert_int_equal(record_replay(r->record.data, r->record.len, got, &ans), 0);
    assert_int_equal(got->left_bytes, 0);
    ans_free(&ans);
}

static void expect_no_replay(const void *data, size_t bytes, const char *why)
{
    struct record_replay got;
    struct answer ans = ANSWER_INIT;
    assert_int_equal(record_replay(data, bytes, &got, &ans), -1);
    assert_non_null(strstr(ans.v[0].text, why));
    ans_free(&ans);
    record_replay_free(&got);
}

/* ---- a site, in virtual time ---- */
struct site {
    struct recorded *r;
    uint64_t dice;
    uint32_t next_job;
    struct running {
        uint64_t end_s;
        uint32_t job, task;
        char *where;
    } * v;
    uint32_t n, cap;
};

static unsigned roll_dice(struct site *site, unsigned sides)
{
    site->dice ^= site->dice << 13;
    site->dice ^= site->dice >> 7;
    site->dice ^= site->dice << 17;
    return (unsigned)(site->dice % sides);
}

static void open_site(struct site *site)
{
    say_line(site->r, "conf max_reservation 2");
    say_line(site->r, "object 12 mpi slots 9999 allocation_rule $fill_up");
    for (unsigned h = 0; h < HOSTS; h++)
        say_line(site->r, "queue all.q@h%u %u pes mpi seq %u", h, SLOTS, h % 7);
}

static void submit_job(struct site *site)
{
    uint32_t job = ++site->next_job, owner = roll_dice(site, 20), hours = 1 + roll_dice(site, 6);
    if (roll_dice(site, 100) == 0)
        say_line(site->r, "job %u 0 R y pe mpi %u owner u%u l h_rt:3=%u", job,
                 8 + roll_dice(site, 200), owner, hours * 3600);
    else
        say_line(site->r, "job %u 0-%u p %d owner u%u l h_rt:3=%u", job, roll_dice(site, 60),
                 (int)roll_dice(site, 3) * 100, owner, hours * 3600);
}

/* as events say it: the queue, or of a parallel task all of them; new */
static char *allocation_text(const struct OR_Type *order)
{
    struct dstr text = DSTR_INIT;
    const char *pe = allocation_pe(&order->OR_granted);
    if (pe != NULL)
        dstr_addf(&text, "pe %s", pe);
    for (uint32_t i = 0; i < order->OR_granted.n; i++)
        dstr_addf(&text, " %s %u", order->OR_granted.v[i].JG_qname,
                  order->OR_granted.v[i].JG_slots);
    return dstr_take(&text);
}

static void start_tasks(struct site *site, const struct OR_Type *order, struct range ids,
                        uint64_t now_s)
{
    char *where = allocation_text(order);
    say_line(site->r, "started %u %u-%u since %llu %s", order->OR_job_number, ids.first, ids.last,
             (unsigned long long)now_s, where);
    for (uint32_t task = ids.first; task <= ids.last; task++) {
        site->v = uti_vec_grow(site->v, &site->cap, site->n + 1, sizeof *site->v);
        site->v[site->n++] = (struct running){ now_s + 60 + roll_dice(site, 7200),
                                               order->OR_job_number, task, strdup(where) };
    }
    free(where);
}

/* the tasks that ORDERS start run */
static void start_ordered(struct site *site, const struct OR_Type_list *orders, uint64_t now_s)
{
    for (uint32_t i = 0; i < orders->n; i++) {
        const struct OR_Type *order = &orders->v[i];
        struct range ids;
        for (uint64_t at = 0;
             order->OR_kind == ORDER_START && range_set_next_run(&order->OR_ids, at, &ids);
             at = (uint64_t)ids.last + 1)
            start_tasks(site, order, ids, now_s);
    }
}

static void end_some(struct site *site, uint64_t now_s)
{
    for (uint32_t i = 0; i < site->n;) {
        struct running *run = &site->v[i];
        if (run->end_s > now_s) {
            i++;
            continue;
        }
        say_line(site->r, "ended %u %u %s", run->job, run->task, run->where);
        free(run->where);
        *run = site->v[--site->n];
    }
}

static uint64_t count_reserved(const struct OR_Type_list *orders)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < orders->n; i++)
        n += orders->v[i].OR_reserved.n;
    return n;
}

static void a_day_of_a_site_is_decided_again_as_it_was(void **state)
{
    struct site site = { .r = *state, .dice = 88172645463325252u };
    struct OR_Type_list orders = { 0 };
    struct record_replay got;
    uint64_t n_orders = 0, n_reserved = 0;
    open_site(&site);
    for (uint64_t now_s = 1000000; now_s < 1000000 + HOURS * 3600; now_s += STEP_S) {
        end_some(&site, now_s);
        for (unsigned i = 0; i < JOBS_A_STEP; i++)
            submit_job(&site);
        if (roll_dice(&site, 10) == 0)
            say_line(site.r, "queue+ all.q@h%u %u state %u", roll_dice(&site, HOSTS), SLOTS,
                     roll_dice(&site, 2));
        do {
            decide_at(site.r, now_s, &orders);
            n_orders += orders.n;
            n_reserved += count_reserved(&orders);
            start_ordered(&site, &orders, now_s);
        } while (sched_is_cut(site.r->sched));
        if (roll_dice(&site, 200) == 0)
            (void)sched_prior_due(site.r->sched); /* questions change nothing */
    }
    expect_replayed(site.r, &got);
    assert_int_equal(got.n_schedulers, 1);
    assert_true(n_orders > 10000);
    assert_true(n_reserved > 100);
    assert_int_equal(got.n_orders, n_orders);
    assert_int_equal(sched_work(got.sched)->looks, sched_work(site.r->sched)->looks);
    record_replay_free(&got);
    orders_clear(&orders);
    end_some(&site, UINT64_MAX);
    free(site.v);
}

/* ---- what else there is in records ---- */
static void a_small_record(struct recorded *r)
{
    struct OR_Type_list orders = { 0 };
    say_line(r, "queue all.q@a 2");
    say_line(r, "job 7 1-3");
    decide_at(r, 100, &orders);
    assert_true(orders.n > 0);
    orders_clear(&orders);
}

static void refusals_and_new_schedulers_are_repeated(void **state)
{
    struct recorded *r = *state;
    struct OR_Type_list orders = { 0 };
    struct record_replay got;
    say_line(r, "queue all.q@a 2");
    say_line(r, "job 7 1-3");
    decide_at(r, 100, &orders);
    sched_refused(r->sched, &orders.v[0]);
    record_refusal(&r->record, &orders.v[0]);
    decide_at(r, 101, &orders);
    begin_sched(r);
    say_line(r, "queue all.q@a 1");
    say_line(r, "job 7 1-3");
    decide_at(r, 102, &orders);
    expect_replayed(r, &got);
    assert_int_equal(got.n_schedulers, 2);
    assert_int_equal(got.n_events, 4);
    assert_int_equal(got.n_decisions, 3);
    assert_int_equal(got.now_s, 102);
    record_replay_free(&got);
    orders_clear(&orders);
}

static void another_decision_is_named(void **state)
{
    struct recorded *r = *state;
    struct OR_Type_list nothing = { 0 };
    say_line(r, "queue all.q@a 2");
    say_line(r, "job 7 1-3");
    record_decisions(&r->record, 100, MOST, &nothing);
    expect_no_replay(r->record.data, r->record.len,
                     "decision 1, at 100, is another one than was recorded, from its order 1 on");
}

/* each end: it is the last whole frame that counts */
static void a_record_may_end_anywhere(void **state)
{
    struct recorded *r = *state;
    struct record_replay got;
    struct answer ans = ANSWER_INIT;
    size_t greeting = 16;
    a_small_record(r);
    for (size_t bytes = greeting; bytes < r->record.len; bytes++) {
        assert_int_equal(record_replay(r->record.data, bytes, &got, &ans), 0);
        assert_true(got.n_decisions == 0);
        record_replay_free(&got);
    }
    ans_free(&ans);
    for (size_t bytes = 0; bytes < greeting; bytes++)
        expect_no_replay(r->record.data, bytes,
                         bytes < 8 ? "this is no record of a scheduler" : "other tables");
}

/* each byte: an error with a reason, or a record of something else; never a crash */
static void damaged_records_are_refused_or_replayed(void **state)
{
    struct recorded *r = *state;
    size_t n_refused = 0;
    a_small_record(r);
    for (size_t at = 0; at < r->record.len; at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            struct record_replay got;
            struct answer ans = ANSWER_INIT;
            r->record.data[at] ^= (uint8_t)(1u << bit);
            int rc = record_replay(r->record.data, r->record.len, &got, &ans);
            assert_int_equal(rc < 0, ans_has_error(&ans));
            n_refused += rc < 0;
            record_replay_free(&got);
            ans_free(&ans);
            r->record.data[at] ^= (uint8_t)(1u << bit);
        }
    assert_true(n_refused > r->record.len);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_day_of_a_site_is_decided_again_as_it_was, recorded_setup,
                                        recorded_teardown),
        cmocka_unit_test_setup_teardown(refusals_and_new_schedulers_are_repeated, recorded_setup,
                                        recorded_teardown),
        cmocka_unit_test_setup_teardown(another_decision_is_named, recorded_setup,
                                        recorded_teardown),
        cmocka_unit_test_setup_teardown(a_record_may_end_anywhere, recorded_setup,
                                        recorded_teardown),
        cmocka_unit_test_setup_teardown(damaged_records_are_refused_or_replayed, recorded_setup,
                                        recorded_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
