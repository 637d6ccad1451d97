/* ADD_AS: root submits a job that is somebody else's. By the owner's rights and limits, as the name
 * service knows him, in a session of root's; nobody else does, and nothing is done in the name of
 * root that was to be done in another's. drmaa_attributes(3) drmaa_submit_as_euid */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "daemons/qmaster/sessions/job_sessions.h"
#include "daemons/qmaster/test/ends_asks.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/sgeobj/job_request.h"
#include "libs/uti/alloc.h"

enum { NOBODYS_UID = 4242 };

static uid_t uid_of(struct fixture *f, const char *user)
{
    return fixture_connection(f, user)->who.uid;
}

static struct JB_Type *put_job(struct GR_Type *gr)
{
    struct JB_Type *job = cull_append(gr, GR_jobs);
    cull_set(job, JB_job_name, "J");
    cull_set(job, JB_type, (uint32_t)JOB_TYPE_BINARY);
    return job;
}

/* a submit for UID, with a good job */
static struct GR_Type for_user(uid_t uid)
{
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_verb, (uint32_t)GDI_ADD_AS);
    cull_set(&gr, GR_target, (uint32_t)GDI_JOB);
    cull_set(&gr, GR_owner, (uint32_t)uid);
    put_job(&gr);
    return gr;
}

/* what USER hears of GR, which is emptied, when it is all done: "1:job1." */
static const char *answer_to(struct fixture *f, const char *user, struct GR_Type gr)
{
    fixture_hear(f, fixture_connection(f, user), 1, &gr);
    return told_after_sync(f, user);
}

/* USER's GR is refused with TEXT, and the cell is as it was */
static void assert_refused(struct fixture *f, const char *user, struct GR_Type gr, const char *text)
{
    char *before = fixture_picture(f), *whole = NULL;
    const char *heard = answer_to(f, user, gr);
    assert_true(strncmp(heard, "1:", 2) == 0);
    whole = uti_strdup(heard + 2);
    whole[strlen(whole) - 1] = '\0'; /* the full stop behind the last part */
    assert_string_equal(whole, text);
    fixture_assert_picture(f, before);
    free(whole);
}

static void a_job_is_the_owners_whom_root_names(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = for_user(uid_of(f, "alice"));
    assert_string_equal(answer_to(f, "root", gr), "1:job1.");
    const struct JB_Type *rec = &fixture_job(f, 1)->rec;
    assert_string_equal(rec->JB_owner, "alice");
    assert_string_equal(rec->JB_group, "alice");
    assert_int_equal(rec->JB_uid, uid_of(f, "alice"));
    assert_int_equal(rec->JB_gid, uid_of(f, "alice"));
    fixture_restart(f);
    assert_string_equal(fixture_job(f, 1)->rec.JB_owner, "alice");
}

static void names_and_groups_of_the_message_count_for_nothing(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = for_user(uid_of(f, "alice"));
    struct JB_Type *job = &gr.GR_jobs.v[0];
    cull_set(job, JB_owner, "bob");
    cull_set(job, JB_uid, 0u);
    cull_set(job, JB_group, "wheel");
    cull_set(job, JB_gid, 0u);
    assert_string_equal(answer_to(f, "root", gr), "1:job1.");
    job = &fixture_job(f, 1)->rec;
    assert_string_equal(job->JB_owner, "alice");
    assert_string_equal(job->JB_group, "alice");
    assert_int_equal(job->JB_uid, uid_of(f, "alice"));
    assert_int_equal(job->JB_gid, uid_of(f, "alice"));
}

static void nobody_but_root_submits_for_others(void **state)
{
    struct fixture *f = *state;
    assert_refused(f, "alice", for_user(uid_of(f, "bob")),
                   "denied: \"alice\" may not submit for others: only root may");
    assert_refused(f, "alice", for_user(uid_of(f, "alice")),
                   "denied: \"alice\" may not submit for others: only root may");
    assert_refused(f, "boss", for_user(uid_of(f, "alice")),
                   "denied: \"boss\" may not submit for others: only root may");
}

static void the_owner_must_be_a_user(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = for_user(0);
    assert_refused(f, "root", for_user(NOBODYS_UID), "denied: no user has the id 4242");
    assert_refused(f, "root", for_user(UINT32_MAX), "denied: no user has the id 4294967295");
    assert_refused(f, "root", for_user(FIXTURE_UNSURE_UID),
                   "the name service cannot look up user id 7777: try again later");
    cull_clear_field(&cull_GR_Type, &gr, GR_owner);
    assert_refused(f, "root", gr, "a submit for another user must name that user");
}

static void only_a_submit_names_an_owner(void **state)
{
    struct fixture *f = *state;
    uid_t alice = uid_of(f, "alice");
    for (uint32_t verb = GDI_ADD; verb < GDI_ADD_AS; verb++)
        for (uint32_t target = GDI_JOB; target <= GDI_SESSION; target++) {
            struct GR_Type gr = for_user(alice);
            cull_set(&gr, GR_verb, verb);
            cull_set(&gr, GR_target, target);
            char *before = fixture_picture(f);
            const char *heard = answer_to(f, "root", gr);
            assert_true(strcmp(heard, "1:denied: only a submit may be for another user.") == 0 ||
                        strstr(heard, "is not supported yet") != NULL);
            fixture_assert_picture(f, before);
        }
    assert_null(f->q.job_sessions->by_name);
}

static void limits_and_rights_are_the_owners(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = for_user(uid_of(f, "alice"));
    cull_set(&gr.GR_jobs.v[0], JB_priority, (uint32_t)JOB_PRIORITY_BASE + 1);
    assert_refused(f, "root", gr,
                   "job rejected: positive submission priority requires operator privileges");
    gr = for_user(uid_of(f, "alice"));
    range_set_add(cull_ranges(&gr.GR_jobs.v[0], JB_ja_s_h_ids), 0, 0);
    assert_refused(f, "root", gr, "denied: \"alice\" must be manager to set manager hold");
    f->q.settings.max_u_jobs = 1;
    assert_string_equal(answer_to(f, "root", for_user(uid_of(f, "alice"))), "1:job1.");
    assert_refused(f, "root", for_user(uid_of(f, "alice")),
                   "job rejected: only 1 jobs are allowed per user (current job count: 1)");
    assert_string_equal(answer_to(f, "root", for_user(uid_of(f, "bob"))), "1:job2.");
    f->q.settings.max_u_jobs = 0;
    f->q.settings.share_limits[SHARE_USER_MEMORY] = 1;
    assert_non_null(strstr(answer_to(f, "root", for_user(uid_of(f, "alice"))), "alice"));
    assert_null(jobs_find(&f->q.jobs, 3));
}

static void a_cell_that_runs_no_jobs_of_root_runs_those_of_others(void **state)
{
    struct fixture *f = *state;
    f->q.refuses_root = true;
    assert_refused(
        f, "root", for_user(0),
        "denied: this cell runs no jobs of root: \"root_jobs\" in bootstrap(5) is false");
    assert_string_equal(answer_to(f, "root", for_user(uid_of(f, "alice"))), "1:job1.");
}

static void names_of_jobs_mean_those_of_the_owner(void **state)
{
    struct fixture *f = *state;
    uint32_t hers = submit(f, .owner = "alice", .name = "A");
    submit(f, .owner = "root", .name = "A");
    struct GR_Type gr = for_user(uid_of(f, "alice"));
    struct JRE_Type *a = cull_append(&gr.GR_jobs.v[0], JB_jid_request_list);
    cull_set(a, JRE_job_name, "A");
    assert_string_equal(answer_to(f, "root", gr), "1:job3.");
    const struct JRE_Type_list *waits_for = &fixture_job(f, 3)->rec.JB_jid_predecessor_list;
    assert_int_equal(waits_for->n, 1);
    assert_int_equal(waits_for->v[0].JRE_job_number, hers);
}

static void the_session_is_roots(void **state)
{
    struct fixture *f = *state;
    ask_session(f, "root", 1, GDI_ADD, "s");
    fixture_commit(f);
    struct GR_Type gr = for_user(uid_of(f, "alice"));
    cull_set(&gr, GR_session, "s");
    told_after_sync(f, "root");
    assert_string_equal(answer_to(f, "root", gr), "1:job1.");
    fixture_run(f, 1, 1, 0);
    fixture_commit(f);
    assert_string_equal(kept_of(f, "root", "s"), "99:end1.1/0 99:|");
    assert_null(job_session_find(&f->q, "alice", "s"));
}

static void a_submit_asked_again_makes_one_job(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = for_user(uid_of(f, "alice"));
    cull_set(&gr, GR_request_id, "id");
    assert_string_equal(answer_to(f, "root", gr), "1:job1.");
    fixture_restart(f);
    gr = for_user(uid_of(f, "alice"));
    cull_set(&gr, GR_request_id, "id");
    assert_string_equal(answer_to(f, "root", gr), "1:job1.");
    assert_null(jobs_find(&f->q.jobs, 2));
}

static void who_hangs_up_before_the_owner_is_known_has_submitted_nothing(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = for_user(uid_of(f, "alice"));
    fixture_hear(f, fixture_connection(f, "root"), 1, &gr);
    fixture_hang_up(f, "root");
    fixture_commit(f);
    assert_null(jobs_find(&f->q.jobs, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(a_job_is_the_owners_whom_root_names),
        TEST(names_and_groups_of_the_message_count_for_nothing),
        TEST(nobody_but_root_submits_for_others),
        TEST(the_owner_must_be_a_user),
        TEST(only_a_submit_names_an_owner),
        TEST(limits_and_rights_are_the_owners),
        TEST(a_cell_that_runs_no_jobs_of_root_runs_those_of_others),
        TEST(names_of_jobs_mean_those_of_the_owner),
        TEST(the_session_is_roots),
        TEST(a_submit_asked_again_makes_one_job),
        TEST(who_hangs_up_before_the_owner_is_known_has_submitted_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
