/* Who may do what: by what the connection proves, by the lists of managers and operators, and by
 * nothing else. */
#include "daemons/qmaster/tables/rights.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <unistd.h>

#include "daemons/qmaster/requests/objects/object_requests.h"
#include "daemons/qmaster/tables/connection.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/comm/server.h"
#include "libs/sgeobj/job_request.h"

static const struct identity *identity_of(struct fixture *f, const char *user)
{
    return &fixture_connection(f, user)->who;
}

/* bob is an operator and carol a manager; alice and dave are neither */
static int name_some(void **state)
{
    if (fixture_setup(state) != 0)
        return -1;
    struct fixture *f = *state;
    settings_put_name(&f->q.settings, NAMES_OPERATOR, "bob");
    settings_put_name(&f->q.settings, NAMES_MANAGER, "carol");
    return 0;
}

static void each_rank_has_the_rights_of_those_below_it(void **state)
{
    static const struct {
        const char *user;
        bool manages, operates, owns;
    } cases[] = { { "root", true, true, true },
                  { "carol", true, true, true },
                  { "bob", false, true, true },
                  { "alice", false, false, true },
                  { "dave", false, false, false } };
    struct fixture *f = *state;
    struct job *job = jobs_find(&f->q.jobs, fixture_submit(f, (struct wish){ 0 }));
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct identity *id = identity_of(f, cases[i].user);
        assert_true(right_manage(&f->q, id) == cases[i].manages);
        assert_true(right_operate(&f->q, id) == cases[i].operates);
        assert_true(right_over_job(&f->q, id, job) == cases[i].owns);
        assert_true((right_to_configure(&f->q, id, NULL) == 0) == cases[i].manages);
    }
}

static void a_role_is_what_comm_proves(void **state)
{
    uid_t other = geteuid() + 1;
    (void)state;
    assert_int_equal(identity_role(&(struct comm_peer){ .uid = 0 }), ROLE_EXECD);
    assert_int_equal(identity_role(&(struct comm_peer){ .uid = geteuid() }), ROLE_EXECD);
    assert_int_equal(identity_role(&(struct comm_peer){ .uid = other }), ROLE_CLIENT);
    assert_int_equal(identity_role(&(struct comm_peer){ .uid = other, .is_child = true }),
                     ROLE_SCHEDULER);
    assert_int_equal(identity_role(&(struct comm_peer){ .uid = 0, .host = "node2" }), ROLE_HOST);
    assert_int_equal(identity_role(&(struct comm_peer){ .uid = geteuid(), .user = "alice" }),
                     ROLE_CLIENT);
}

static void a_host_that_proved_its_name_is_itself_and_no_user(void **state)
{
    struct fixture *f = *state;
    struct comm_peer peer = { .uid = COMM_NO_UID, .gid = COMM_NO_GID, .host = "node2" };
    struct identity who = identity_new(&peer, "node1");
    assert_string_equal(who.host, "node2");
    assert_int_equal(who.proof, PROOF_CERTIFICATE);
    assert_true(right_to_be_host(&who, "node2"));
    assert_true(right_to_be_host(&who, "Node2.example.org"));
    assert_false(right_to_be_host(&who, "node1"));
    assert_false(right_to_be_host(&who, ""));
    assert_false(right_manage(&f->q, &who) || right_operate(&f->q, &who));
    assert_true(right_to_be_host(identity_of(f, "root"), "node2"));
    identity_clear(&who);
}

static void each_frame_has_its_senders(void **state)
{
    static const unsigned senders[GDI_FRAME_KINDS] = {
        [GDI_FRAME_REQUEST] = ROLE_CLIENT | ROLE_EXECD,
        [GDI_FRAME_EVENT_REGISTER] = ROLE_CLIENT | ROLE_EXECD | ROLE_SCHEDULER,
        [GDI_FRAME_EVENT_ACK] = ROLE_CLIENT | ROLE_EXECD | ROLE_SCHEDULER,
        [GDI_FRAME_ORDERS] = ROLE_SCHEDULER,
        [GDI_FRAME_EXEC] = ROLE_EXECD | ROLE_HOST,
    };
    (void)state;
    for (unsigned kind = 0; kind <= UINT8_MAX; kind++) {
        unsigned may = kind < GDI_FRAME_KINDS ? senders[kind] : 0;
        for (unsigned role = ROLE_CLIENT; role <= ROLE_HOST; role *= 2)
            assert_true(right_to_send(role, (uint8_t)kind) == ((may & role) != 0));
    }
}

static void assert_says(struct answer *ans, const char *text)
{
    assert_int_equal(ans->n, 1);
    assert_string_equal(ans->v[0].text, text);
    ans_free(ans);
}

static void a_cell_of_one_user_takes_that_users_jobs_alone(void **state)
{
    struct fixture *f = *state;
    struct answer ans = ANSWER_INIT;
    f->q.only_uid = identity_of(f, "alice")->uid;
    assert_int_equal(right_to_submit(&f->q, identity_of(f, "alice"), &ans), 0);
    assert_int_equal(right_to_submit(&f->q, identity_of(f, "carol"), &ans), -1);
    assert_non_null(strstr(ans.v[0].text, "\"carol\" may not submit"));
    ans_free(&ans);
}

static void jobs_come_from_submit_hosts(void **state)
{
    struct fixture *f = *state;
    struct answer ans = ANSWER_INIT;
    const struct comm_peer peer = { .uid = identity_of(f, "alice")->uid };
    struct identity stranger = identity_new(&peer, "node7");
    identity_set_names(&stranger, "alice", "alice");
    assert_int_equal(right_to_submit(&f->q, &stranger, &ans), -1);
    assert_says(&ans, "denied: host \"node7\" is not a submit host");
    identity_clear(&stranger);
    assert_int_equal(right_to_submit(&f->q, identity_of(f, "alice"), &ans), 0);
}

static void only_root_whom_the_kernel_proves_submits_for_others(void **state)
{
    struct fixture *f = *state;
    struct answer ans = ANSWER_INIT;
    struct comm_peer peer = { .uid = 0, .host = "node2" };
    struct identity host = identity_new(&peer, "node1"), owner = identity_owner(0, 0, "node1");
    identity_set_names(&owner, "root", "root");
    host.uid = 0;
    assert_int_equal(right_to_submit_as(identity_of(f, "root"), &ans), 0);
    assert_int_equal(right_to_submit_as(identity_of(f, "carol"), &ans), -1);
    assert_says(&ans, "denied: \"carol\" may not submit for others: only root may");
    assert_int_equal(right_to_submit_as(&host, NULL), -1);
    assert_int_equal(right_to_submit_as(&owner, NULL), -1);
    identity_clear(&host);
    identity_clear(&owner);
}

/* USER of node7, as its execd says */
static struct identity relayed_user(const char *user, uid_t uid)
{
    struct comm_peer peer = {
        .uid = uid, .gid = uid, .relay = 1, .host = "node7", .user = user, .group = "users"
    };
    return identity_new(&peer, "master");
}

static void expect_kept_out(struct fixture *f, const char *user, uid_t uid, const char *text)
{
    struct answer ans = ANSWER_INIT;
    struct identity who = relayed_user(user, uid);
    assert_int_equal(right_to_come(&f->q, &who, &ans), -1);
    assert_says(&ans, text);
    identity_clear(&who);
}

static void expect_let_in(struct fixture *f, const char *user, uid_t uid)
{
    struct identity who = relayed_user(user, uid);
    assert_int_equal(right_to_come(&f->q, &who, NULL), 0);
    identity_clear(&who);
}

static const uid_t others_uid = 4711;

static void users_of_other_hosts_come_from_submit_and_admin_hosts(void **state)
{
    struct fixture *f = *state;
    expect_kept_out(f, "alice", others_uid,
                    "denied: host \"node7\" is neither a submit host nor an admin host");
    settings_put_name(&f->q.settings, NAMES_SUBMIT_HOST, "node7");
    expect_let_in(f, "alice", others_uid);
    settings_drop_name(&f->q.settings, NAMES_SUBMIT_HOST, "node7");
    settings_put_name(&f->q.settings, NAMES_ADMIN_HOST, "node7");
    expect_let_in(f, "alice", others_uid);
}

static void rank_is_for_admin_hosts(void **state)
{
    struct fixture *f = *state;
    struct answer ans = ANSWER_INIT;
    struct identity carol = relayed_user("carol", others_uid),
                    bob = relayed_user("bob", others_uid);
    settings_put_name(&f->q.settings, NAMES_SUBMIT_HOST, "node7");
    assert_false(right_manage(&f->q, &carol));
    assert_false(right_operate(&f->q, &bob));
    assert_int_equal(right_to_configure(&f->q, &carol, &ans), -1);
    assert_says(&ans, "denied: host \"node7\" is not an admin host");
    settings_put_name(&f->q.settings, NAMES_ADMIN_HOST, "node7");
    assert_true(right_manage(&f->q, &carol));
    assert_true(right_operate(&f->q, &bob));
    assert_false(right_manage(&f->q, &bob));
    identity_clear(&carol);
    identity_clear(&bob);
}

/* by number and by name: a host that lies says either */
static void root_of_another_host_is_nobody_unless_the_cell_says_so(void **state)
{
    struct fixture *f = *state;
    struct answer ans = ANSWER_INIT;
    const struct {
        const char *user;
        uid_t uid;
    } lords[] = { { "root", 0 }, { "root", others_uid }, { "alice", 0 }, { "alice", geteuid() } };
    settings_put_name(&f->q.settings, NAMES_SUBMIT_HOST, "node7");
    settings_put_name(&f->q.settings, NAMES_ADMIN_HOST, "node7");
    for (size_t i = 0; i < ARRAY_LEN(lords); i++) {
        struct identity lord = relayed_user(lords[i].user, lords[i].uid);
        assert_int_equal(right_to_come(&f->q, &lord, &ans), -1);
        assert_non_null(strstr(ans_first_error(&ans), "of host \"node7\" is refused"));
        ans_free(&ans);
        identity_clear(&lord);
    }
    f->q.settings.lets_lords_in = true;
    expect_let_in(f, "root", 0);
    settings_drop_name(&f->q.settings, NAMES_ADMIN_HOST, "node7");
    expect_kept_out(f, "root", 0,
                    "denied: \"root\" (user id 0) of host \"node7\" is refused: root and the user "
                    "that runs the qmaster may connect only from its own host");
}

static void low_ids_of_other_hosts_are_kept_out(void **state)
{
    struct fixture *f = *state;
    settings_put_name(&f->q.settings, NAMES_SUBMIT_HOST, "node7");
    f->q.settings.min_uid = 5000;
    f->q.settings.min_gid = 100;
    expect_kept_out(
        f, "alice", others_uid,
        "denied: \"alice\" has user id 4711 and group id 4711; min_uid is 5000, min_gid 100");
    expect_let_in(f, "alice", 5000);
}

/* an administrator keeps the daemons' users out, and not himself */
static void low_ids_of_this_host_are_kept_out(void **state)
{
    struct fixture *f = *state;
    struct answer ans = ANSWER_INIT;
    const struct identity *dave = identity_of(f, "dave");
    f->q.settings.min_uid = (uint32_t)dave->uid;
    assert_int_equal(right_to_come(&f->q, dave, &ans), 0);
    assert_int_equal(right_to_submit(&f->q, dave, &ans), 0);
    f->q.settings.min_uid++;
    assert_int_equal(right_to_come(&f->q, dave, &ans), -1);
    assert_non_null(strstr(ans_first_error(&ans), "denied: \"dave\" has user id "));
    ans_free(&ans);
    assert_int_equal(right_to_come(&f->q, identity_of(f, "root"), &ans), 0);
    /* no task of root would start */
    assert_int_equal(right_to_submit(&f->q, identity_of(f, "root"), &ans), -1);
    ans_free(&ans);
}

/* no host could run such a job: it would put each queue instance into an error */
static void who_has_a_number_for_a_name_may_not_submit(void **state)
{
    struct fixture *f = *state;
    struct answer ans = ANSWER_INIT;
    struct identity who = *identity_of(f, "dave");
    char number[16];
    (void)snprintf(number, sizeof number, "%u", (unsigned)who.uid);
    who.user = number;
    char said[160];
    (void)snprintf(said, sizeof said,
                   "denied: user id %s has no name on host \"%s\": its jobs could not run", number,
                   who.host);
    assert_int_equal(right_to_come(&f->q, &who, &ans), 0); /* and may look */
    assert_int_equal(right_to_submit(&f->q, &who, &ans), -1);
    assert_string_equal(ans_first_error(&ans), said);
    ans_free(&ans);
    (void)snprintf(number, sizeof number, "%u", (unsigned)who.uid + 1);
    assert_int_equal(right_to_submit(&f->q, &who, &ans), 0); /* a name of digits is one */
}

/* whatever ids it names, a host's users are clients: none is an execd or the scheduler */
static void a_relayed_user_is_a_client(void **state)
{
    (void)state;
    struct comm_peer peer = { .uid = 0, .relay = 1, .host = "node7", .is_child = true };
    assert_int_equal(identity_role(&peer), ROLE_CLIENT);
    peer.uid = geteuid();
    assert_int_equal(identity_role(&peer), ROLE_CLIENT);
}

static bool drop_manager(struct fixture *f, const char *user, const char *name)
{
    struct GR_Type gr = { 0 };
    fixture_name(&gr, name);
    cull_set(&gr, GR_target, (uint32_t)GDI_MANAGER);
    return fixture_ask(f, user, del_config_request, &gr);
}

static void the_last_way_in_stays_open(void **state)
{
    struct fixture *f = *state;
    char owner[] = "owen";
    f->q.runs_as = owner;
    assert_true(right_manage(&f->q, identity_of(f, "owen"))); /* whatever the list says */
    assert_false(drop_manager(f, "carol", "root"));
    assert_string_equal(said(f), "may not remove user \"root\" from manager list");
    assert_false(drop_manager(f, "carol", "owen"));
    assert_string_equal(said(f), "may not remove user \"owen\" from manager list");
    assert_true(drop_manager(f, "carol", "boss"));
    assert_true(drop_manager(f, "carol", "carol"));
    assert_false(drop_manager(f, "carol", "boss"));
    assert_string_equal(said(f), "denied: \"carol\" must be manager for this operation");
    f->q.runs_as = NULL;
}

static void a_queue_is_its_owners(void **state)
{
    struct fixture *f = *state;
    settings_put_name(&f->q.settings, NAMES_SUBMIT_HOST, "node7");
    assert_true(fixture_set_queue(f, "owner_list", "NONE,[node1=dave quinn]"));
    const struct QU_Type *qu = &fixture_queue(f)->rec;
    struct identity there = relayed_user("dave", others_uid);
    assert_true(right_over_queue(&f->q, identity_of(f, "dave"), qu));
    assert_true(right_over_queue(&f->q, identity_of(f, "quinn"), qu));
    assert_false(right_over_queue(&f->q, identity_of(f, "alice"), qu));
    assert_false(right_over_queue(&f->q, identity_of(f, "quin"), qu));
    assert_false(right_over_queue(&f->q, &there, qu));
    settings_put_name(&f->q.settings, NAMES_ADMIN_HOST, "node7");
    assert_true(right_over_queue(&f->q, &there, qu));
    assert_true(fixture_set_queue(f, "owner_list", "NONE"));
    qu = &fixture_queue(f)->rec;
    assert_false(right_over_queue(&f->q, identity_of(f, "dave"), qu));
    assert_false(right_over_queue(&f->q, identity_of(f, "NONE"), qu));
    assert_true(right_over_queue(&f->q, identity_of(f, "bob"), qu));
    identity_clear(&there);
}

static void holds_need_the_right_of_their_kind(void **state)
{
    struct fixture *f = *state;
    struct answer ans = ANSWER_INIT;
    assert_int_equal(right_to_hold(&f->q, identity_of(f, "alice"), MINUS_H_TGT_USER, true, &ans),
                     0);
    assert_int_equal(
        right_to_hold(&f->q, identity_of(f, "alice"), MINUS_H_TGT_OPERATOR, true, &ans), -1);
    assert_says(&ans, "denied: \"alice\" must be operator to set operator hold");
    assert_int_equal(right_to_hold(&f->q, identity_of(f, "bob"), MINUS_H_TGT_OPERATOR, false, &ans),
                     0);
    assert_int_equal(right_to_hold(&f->q, identity_of(f, "bob"), MINUS_H_TGT_SYSTEM, false, &ans),
                     -1);
    assert_says(&ans, "denied: \"bob\" must be manager to remove manager hold");
    assert_int_equal(right_to_hold(&f->q, identity_of(f, "carol"), MINUS_H_TGT_SYSTEM, true, &ans),
                     0);
}

static void only_operators_put_jobs_first(void **state)
{
    struct fixture *f = *state;
    struct answer ans = ANSWER_INIT;
    struct JB_Type rec = { 0 };
    cull_set(&rec, JB_priority, (uint32_t)JOB_PRIORITY_BASE + 1);
    assert_int_equal(right_to_go_first(&f->q, identity_of(f, "bob"), &rec, true, &ans), 0);
    assert_int_equal(right_to_go_first(&f->q, identity_of(f, "alice"), &rec, false, &ans), -1);
    assert_says(&ans, "denied: \"alice\" must be operator to increase job priority");
    cull_set(&rec, JB_priority, (uint32_t)JOB_PRIORITY_BASE);
    assert_int_equal(right_to_go_first(&f->q, identity_of(f, "alice"), &rec, true, &ans), 0);
    cull_set(&rec, JB_deadline, UINT64_C(1));
    assert_int_equal(right_to_go_first(&f->q, identity_of(f, "bob"), &rec, true, &ans), -1);
    assert_says(&ans, "job rejected: the user \"bob\" is not a deadline initiation user");
    assert_int_equal(right_to_go_first(&f->q, identity_of(f, "carol"), &rec, true, &ans), 0);
    cull_clear(&cull_JB_Type, &rec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, name_some, fixture_teardown)
        TEST(each_rank_has_the_rights_of_those_below_it),
        TEST(a_role_is_what_comm_proves),
        TEST(a_host_that_proved_its_name_is_itself_and_no_user),
        TEST(each_frame_has_its_senders),
        TEST(a_cell_of_one_user_takes_that_users_jobs_alone),
        TEST(jobs_come_from_submit_hosts),
        TEST(only_root_whom_the_kernel_proves_submits_for_others),
        TEST(users_of_other_hosts_come_from_submit_and_admin_hosts),
        TEST(rank_is_for_admin_hosts),
        TEST(root_of_another_host_is_nobody_unless_the_cell_says_so),
        TEST(low_ids_of_other_hosts_are_kept_out),
        TEST(low_ids_of_this_host_are_kept_out),
        TEST(who_has_a_number_for_a_name_may_not_submit),
        TEST(a_relayed_user_is_a_client),
        TEST(the_last_way_in_stays_open),
        TEST(a_queue_is_its_owners),
        TEST(holds_need_the_right_of_their_kind),
        TEST(only_operators_put_jobs_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
