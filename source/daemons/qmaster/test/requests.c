/* Whatever a peer puts into a request: it is answered, and nothing changes that its sender may not
 * change. Every verb for every kind of object and every action, with each of its lists empty,
 * blank, unknown and given twice. */
#include "daemons/qmaster/requests/requests.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/requests/reads/reads.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"

enum { VERBS_BEYOND = GDI_VERBS + 1, ACTIONS_BEYOND = 10 };

/* what a list of a request holds */
enum shape { EMPTY, BLANK, UNKNOWN, TWICE, SHAPES };

static uint32_t elements_of(enum shape shape)
{
    return shape == EMPTY ? 0 : shape == TWICE ? 2 : 1;
}

/* NAME as SHAPE has it */
static const char *shape_name(enum shape shape, const char *name)
{
    return shape == TWICE ? name : shape == UNKNOWN ? "no[such*" : "";
}

struct ask {
    uint32_t verb, target, action, options;
    enum shape select, users, objects;
};

/* of each kind of object one that is there, if SHAPE says so */
static void add_objects(struct GR_Type *gr, enum shape shape)
{
    for (uint32_t i = 0; i < elements_of(shape); i++) {
        struct JB_Type *job = cull_append(gr, GR_jobs);
        cull_set(job, JB_job_name, shape_name(shape, "hers"));
        struct CQ_Type *cq = cull_append(gr, GR_cqueues);
        cull_set(cq, CQ_name, shape_name(shape, "all.q"));
        struct EH_Type *host = cull_append(gr, GR_hosts);
        cull_set(host, EH_name, shape_name(shape, "node1"));
        struct NM_Type *name = cull_append(gr, GR_names);
        cull_set(name, NM_name, shape_name(shape, "boss"));
        struct CONF_Type *conf = cull_append(gr, GR_confs);
        cull_set(conf, CONF_name, shape_name(shape, "global"));
        struct TX_Type *text = cull_append(gr, GR_texts);
        cull_set(text, TX_name, shape_name(shape, "@nodes"));
        struct VA_Type *entry = cull_append(text, TX_entries);
        cull_set(entry, VA_variable, shape_name(shape, "hostlist"));
        struct ST_Type *field = cull_append(gr, GR_fields);
        cull_set(field, ST_name, shape_name(shape, "JB_job_name"));
    }
}

static const char *name_of_target(uint32_t target)
{
    switch (target) {
    case GDI_JOB:
        return "1";
    case GDI_EXECHOST:
    case GDI_ADMINHOST:
    case GDI_SUBMITHOST:
        return "node1";
    case GDI_CONFIG:
        return "global";
    case GDI_MANAGER:
        return "boss";
    case GDI_HOSTGROUP:
        return "@nodes";
    default:
        return "all.q";
    }
}

static void send_ask(struct fixture *f, const char *user, uint32_t serial, const struct ask *a)
{
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_verb, a->verb);
    cull_set(&gr, GR_target, a->target);
    cull_set(&gr, GR_action, a->action);
    cull_set(&gr, GR_options, a->options);
    cull_set(&gr, GR_job_number, a->objects == TWICE ? 1u : 0u);
    for (uint32_t i = 0; i < elements_of(a->select); i++) {
        struct ID_Type *id = cull_append(&gr, GR_select);
        cull_set(id, ID_str, shape_name(a->select, name_of_target(a->target)));
    }
    for (uint32_t i = 0; i < elements_of(a->users); i++) {
        struct ST_Type *st = cull_append(&gr, GR_users);
        cull_set(st, ST_name, shape_name(a->users, "alice"));
    }
    add_objects(&gr, a->objects);
    fixture_hear(f, fixture_connection(f, user), serial, &gr);
}

/* what came back for each request of a series, by its serial number */
struct heard {
    uint32_t answers, refusals;
};

static void hear_part(const struct sent *sent, struct heard *h)
{
    struct GA_Type part = { 0 };
    struct unpacker u = unpacker_over(sent->body, sent->len);
    assert_int_equal(cull_unpack(&u, &cull_GA_Type, NULL, NULL, &part, NULL), 0);
    h->answers += part.GA_is_last;
    for (uint32_t i = 0; i < part.GA_answers.n; i++)
        h->refusals += part.GA_answers.v[i].AN_quality == ANSWER_QUALITY_ERROR;
    cull_clear(&cull_GA_Type, &part);
}

static void hear_answers(struct fixture *f, struct heard *all)
{
    while (work_step(&f->q))
        ;
    fixture_commit(f);
    while (work_step(&f->q))
        ;
    for (uint32_t i = 0; i < f->n_sent; i++)
        if (f->sent[i].kind == GDI_FRAME_ANSWER)
            hear_part(&f->sent[i], &all[f->sent[i].serial]);
    fixture_forget_sent(f);
}

/* does it change something, so that a request about nothing must be refused? */
static bool is_change(const struct ask *a)
{
    return a->verb != GDI_GET && a->verb != GDI_WATCH && a->verb != GDI_WHY;
}

/* what USER may ask for, whatever the lists hold */
static bool may_be_granted(const char *user, const struct ask *a)
{
    return strcmp(user, "boss") == 0 && a->verb == GDI_ACT &&
           (a->action == GDI_ACT_TRIGGER_SCHEDULING ||
            (a->action == GDI_ACT_SHUTDOWN && a->target == GDI_MASTER));
}

/* an object with a new name may be added, and everybody may have sessions */
static bool is_addition(const char *user, const struct ask *a)
{
    bool is_boss = strcmp(user, "boss") == 0 && a->objects == UNKNOWN;
    return a->verb == GDI_ADD && (is_boss || a->target == GDI_SESSION);
}

static void judge_answer(const char *user, const struct ask *a, const struct heard *h)
{
    const char *why = NULL;
    if (h->answers != 1)
        why = "it is not answered once";
    else if (is_change(a) && h->refusals == 0 && !may_be_granted(user, a))
        why = "it is not refused";
    if (why != NULL)
        fail_msg("%s: verb %u target %u action %u options %u, shapes of select %d, users %d, "
                 "objects %d: %s",
                 user, a->verb, a->target, a->action, a->options, (int)a->select, (int)a->users,
                 (int)a->objects, why);
}

/* the request A with its three kinds of list in all shapes up to MOST */
static void try_shapes(struct fixture *f, const char *user, struct ask a, enum shape most)
{
    struct heard heard[SHAPES * SHAPES * SHAPES] = { 0 };
    struct ask asks[SHAPES * SHAPES * SHAPES];
    uint32_t n = 0;
    for (a.select = EMPTY; a.select <= most; a.select++)
        for (a.users = EMPTY; a.users <= most; a.users++)
            for (a.objects = EMPTY; a.objects <= most; a.objects++)
                if (!is_addition(user, &a)) {
                    asks[n] = a;
                    send_ask(f, user, n++, &a);
                }
    hear_answers(f, heard);
    for (uint32_t i = 0; i < n; i++)
        judge_answer(user, &asks[i], &heard[i]);
    f->q.is_stopping = false;
}

static void try_all(struct fixture *f, const char *user, enum shape most)
{
    static const uint32_t options[] = { 0, GDI_FORCE | GDI_JOBS_ONLY | GDI_WITH_TASKS,
                                        GDI_QUEUES_ONLY | GDI_WITH_ENV | GDI_FINISHED };
    for (uint32_t verb = 0; verb < VERBS_BEYOND; verb++)
        for (uint32_t target = 0; target <= GDI_SESSION + 1; target++)
            for (uint32_t action = 0; action < (verb == GDI_ACT ? ACTIONS_BEYOND : 1); action++)
                for (size_t i = 0; i < ARRAY_LEN(options); i++)
                    try_shapes(f, user, (struct ask){ verb, target, action, options[i], 0, 0, 0 },
                               most);
}

static int add_record(void *ctx, const void *key, size_t key_len, const void *value, size_t len)
{
    struct dstr *out = ctx;
    dstr_addn(out, key, key_len);
    dstr_addn(out, value, len);
    return 0;
}

/* every record of the spool but the accounting lines under way*/
static struct dstr spool_picture(struct fixture *f)
{
    struct dstr all = DSTR_INIT;
    fixture_commit(f);
    for (int table = 0; table < SPOOL_TABLES; table++)
        assert_int_equal(spool_walk(f->q.spool, (enum spool_table)table, add_record, &all, NULL),
                         0);
    return all;
}

static void assert_spool_is(struct fixture *f, struct dstr *before)
{
    struct dstr after = spool_picture(f);
    assert_int_equal(after.len, before->len);
    assert_memory_equal(dstr_get(&after), dstr_get(before), after.len);
    dstr_free(&after);
    dstr_free(before);
}

static void fill_cell(struct fixture *f)
{
    fixture_set_group(f, "@nodes", "node1");
    assert_int_equal(submit(f, .name = "hers", .tasks = "1-3"), 1);
    fixture_start(f, 1, 1);
    fixture_report(f, 1, 1, 1, 0);
}

static void assert_changes_nothing(struct fixture *f, const char *user, enum shape most)
{
    fill_cell(f);
    struct dstr before = spool_picture(f);
    try_all(f, user, most);
    assert_spool_is(f, &before);
}

static void a_stranger_changes_nothing_and_is_always_answered(void **state)
{
    assert_changes_nothing(*state, "mallory", TWICE);
}

static void a_manager_who_names_nothing_changes_nothing(void **state)
{
    assert_changes_nothing(*state, "boss", UNKNOWN);
}

static void an_id_is_short(void **state)
{
    struct fixture *f = *state;
    char id[GDI_REQUEST_ID_MOST + 2];
    memset(id, 'x', sizeof id);
    id[GDI_REQUEST_ID_MOST + 1] = '\0';
    for (int cut = 0; cut < 2; cut++) {
        struct GR_Type gr = { 0 };
        struct heard heard = { 0 };
        cull_set(&gr, GR_request_id, id + cut);
        cull_set(&gr, GR_verb, (uint32_t)GDI_GET);
        cull_set(&gr, GR_target, (uint32_t)GDI_CQUEUE);
        fixture_hear(f, fixture_connection(f, "alice"), 0, &gr);
        hear_answers(f, &heard);
        assert_int_equal(heard.answers, 1);
        assert_int_equal(heard.refusals, cut == 0 ? 1 : 0);
    }
}

static void the_master_says_what_its_turns_have_cost(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    f->q.turns.counts.bucket[3] = 7;
    assert_true(fixture_ask(f, "alice", statistics_request, &gr));
    assert_non_null(strstr(dstr_get(&f->said), "turn budget [us]:         5000\n"));
    assert_non_null(strstr(dstr_get(&f->said), "turns < 8        us:     7"));
    assert_non_null(strstr(dstr_get(&f->said), "network turns:            5"));
    assert_non_null(strstr(dstr_get(&f->said), "network turns < 8        us:     5"));
}

static void the_master_says_what_the_turns_of_an_execd_have_cost(void **state)
{
    struct fixture *f = *state;
    struct host *h = hosts_add(&f->q.hosts, "node7");
    struct turn_counts counts = { 0 };
    struct XM_Type m = { 0 };
    turn_count(&counts, 5, NULL, 1);
    turn_report_fill(&counts, "execd", cull_append(&m, XM_turns));
    turn_reports_take(&h->turns, &m.XM_turns);
    cull_clear(&cull_XM_Type, &m);
    for (uint64_t conn = 0; conn < 2; conn++) { /* it is away, it is here */
        struct GR_Type gr = { 0 };
        struct ID_Type *id = cull_append(&gr, GR_select);
        cull_set(id, ID_str, "node7");
        h->conn = conn;
        assert_true(fixture_ask(f, "alice", statistics_request, &gr) == (conn != 0));
        assert_true((strstr(dstr_get(&f->said), "execd turns:              1") != NULL) ==
                    (conn != 0));
    }
    h->conn = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_stranger_changes_nothing_and_is_always_answered,
                                        fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(a_manager_who_names_nothing_changes_nothing, fixture_setup,
                                        fixture_teardown),
        cmocka_unit_test_setup_teardown(an_id_is_short, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(the_master_says_what_its_turns_have_cost, fixture_setup,
                                        fixture_teardown),
        cmocka_unit_test_setup_teardown(the_master_says_what_the_turns_of_an_execd_have_cost,
                                        fixture_setup, fixture_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
