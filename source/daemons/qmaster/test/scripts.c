/* Long scripts come to the spool in pieces before their jobs, and leave it in pieces after them;
 * nothing of a job that was not made stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/job_files.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/requests/requests.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"

enum { PIECES = 5, SCRIPT_BYTES = (PIECES - 1) * SCRIPT_PIECE_BYTES + 77 };

/* a script in which each place is different from its neighbours; new: free() */
static char *a_script(size_t len)
{
    char *text = uti_alloc(len + 1);
    for (size_t i = 0; i < len; i++)
        text[i] = (char)('a' + (i / 7 + i) % 26);
    text[len] = '\0';
    return text;
}

static int count_key(void *ctx, const void *key, size_t key_len, const void *value, size_t len)
{
    uint32_t *n = ctx;
    (void)key;
    assert_null(value);
    assert_int_equal(len, 0);
    assert_int_equal(key_len, 8);
    ++*n;
    return 0;
}

static uint32_t pieces_in_spool(struct fixture *f)
{
    uint32_t n = 0;
    assert_int_equal(spool_walk_keys(f->q.spool, SPOOL_JOB_PIECE, count_key, &n, NULL), 0);
    return n;
}

/* USER's GR (emptied) as a client sends it: the answer comes when the job is on disk */
static void send_request(struct fixture *f, const char *user, struct GR_Type *gr)
{
    cull_set(gr, GR_verb, (uint32_t)GDI_ADD);
    cull_set(gr, GR_target, (uint32_t)GDI_JOB);
    fixture_hear(f, fixture_connection(f, user), 1, gr);
}

/* a job with the script TEXT in GR (empty) */
static struct JB_Type *add_job(struct GR_Type *gr, const char *text)
{
    struct JB_Type *job = cull_append(gr, GR_jobs);
    cull_set(job, JB_job_name, "J");
    cull_set(job, JB_script_ptr, text);
    return job;
}

static void send_submit(struct fixture *f, const char *user, const char *text, const char *id)
{
    struct GR_Type gr = { 0 };
    if (id != NULL)
        cull_set(&gr, GR_request_id, id);
    add_job(&gr, text);
    send_request(f, user, &gr);
}

static uint32_t count_answers(struct fixture *f, const char *user)
{
    return fixture_count_sent(f, fixture_connection(f, user)->conn, GDI_FRAME_ANSWER);
}

static void assert_script(struct fixture *f, uint32_t number, const char *text)
{
    struct job *job = fixture_job(f, number);
    struct JB_Type rec = { 0 };
    while (!job_files_get(&f->q, job, &rec))
        fixture_turn(f);
    assert_string_equal(rec.JB_script_ptr, text);
    cull_clear(&cull_JB_Type, &rec);
}

static void a_long_script_comes_before_its_job_one_piece_in_a_batch(void **state)
{
    struct fixture *f = *state;
    char *text = a_script(SCRIPT_BYTES);
    send_submit(f, "alice", text, NULL);
    for (uint32_t n = 1; n <= PIECES; n++) {
        assert_null(jobs_find(&f->q.jobs, 1));
        assert_int_equal(count_answers(f, "alice"), 0);
        fixture_turn(f);
        assert_int_equal(pieces_in_spool(f), n);
    }
    fixture_commit(f);
    assert_int_equal(count_answers(f, "alice"), 1);
    assert_int_equal(pieces_in_spool(f), PIECES);
    assert_script(f, 1, text);
    fixture_restart(f);
    assert_script(f, 1, text);
    free(text);
}

static void others_do_not_wait_for_it_and_numbers_go_on(void **state)
{
    struct fixture *f = *state;
    char *text = a_script(SCRIPT_BYTES);
    send_submit(f, "alice", text, NULL);
    fixture_turn(f);
    send_submit(f, "bob", "true", NULL);
    fixture_turn(f);
    assert_int_equal(count_answers(f, "bob"), 1);
    assert_int_equal(count_answers(f, "alice"), 0);
    assert_non_null(jobs_find(&f->q.jobs, 2));
    fixture_commit(f);
    assert_script(f, 1, text);
    free(text);
}

/* the objects that the job names were there when it was checked first */
static void what_a_job_names_is_looked_for_again_when_its_script_is_there(void **state)
{
    struct fixture *f = *state;
    static const struct {
        enum gdi_target kind;
        unsigned field; /* of the job */
    } rows[] = {
        { GDI_PROJECT, JB_project },
        { GDI_PE, JB_pe },
        { GDI_CKPT, JB_checkpoint_name },
    };
    char *text = a_script(SCRIPT_BYTES);
    for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct TX_Type object = { 0 };
        struct GR_Type gr = { 0 };
        struct JB_Type *job = add_job(&gr, text);
        cull_set(&object, TX_kind, (uint32_t)rows[i].kind);
        cull_set(&object, TX_name, "film");
        struct text_object *t = settings_put_text(&f->q.settings, &object);
        cull_set_string(job, cull_JB_Type.fields[rows[i].field].offset, rows[i].field, "film");
        send_request(f, "alice", &gr);
        fixture_turn(f);
        assert_int_equal(count_answers(f, "alice"), i);
        settings_drop_text(&f->q.settings, t);
        fixture_commit(f);
        assert_int_equal(count_answers(f, "alice"), i + 1);
        assert_int_equal(f->q.jobs.n, 0);
        assert_int_equal(job_names_count(&f->q.jobs.names, (enum object_kind)rows[i].kind, "film"),
                         0);
    }
    fixture_commit(f);
    assert_int_equal(pieces_in_spool(f), 0);
    free(text);
}

static void the_pieces_of_a_deleted_job_leave_one_in_a_batch(void **state)
{
    struct fixture *f = *state;
    char *text = a_script(SCRIPT_BYTES);
    send_submit(f, "alice", text, NULL);
    fixture_commit(f);
    fixture_delete(f, "alice", "1");
    fixture_turn(f);
    assert_int_equal(pieces_in_spool(f), PIECES - 1);
    f->q.jobs.next_number = 1; /* as after going round: the number is not free yet */
    assert_int_equal(submit(f), 2);
    fixture_commit(f);
    assert_int_equal(pieces_in_spool(f), 0);
    assert_false(scripts_has(&f->q, 1));
    free(text);
}

static void who_hangs_up_leaves_nothing(void **state)
{
    struct fixture *f = *state;
    char *text = a_script(SCRIPT_BYTES);
    send_submit(f, "alice", text, NULL);
    fixture_turn(f);
    fixture_turn(f);
    assert_int_equal(pieces_in_spool(f), 2);
    fixture_hang_up(f, "alice");
    fixture_commit(f);
    assert_int_equal(pieces_in_spool(f), 0);
    assert_null(jobs_find(&f->q.jobs, 1));
    assert_false(scripts_has(&f->q, 1));
    free(text);
}

static void who_hangs_up_before_the_first_piece_leaves_nothing(void **state)
{
    struct fixture *f = *state;
    char *text = a_script(SCRIPT_BYTES);
    send_submit(f, "alice", text, NULL);
    fixture_hang_up(f, "alice");
    assert_false(scripts_has(&f->q, 1));
    fixture_commit(f);
    assert_int_equal(pieces_in_spool(f), 0);
    free(text);
}

static void what_a_crash_left_is_removed_and_its_number_is_not_used_again(void **state)
{
    struct fixture *f = *state;
    char *text = a_script(SCRIPT_BYTES);
    send_submit(f, "alice", text, NULL);
    fixture_turn(f);
    fixture_turn(f);
    fixture_restart(f);
    assert_int_equal(pieces_in_spool(f), 0);
    assert_null(jobs_find(&f->q.jobs, 1));
    assert_int_equal(submit(f), 2);
    free(text);
}

static void a_job_that_is_refused_after_all_leaves_nothing(void **state)
{
    struct fixture *f = *state;
    char *text = a_script(SCRIPT_BYTES);
    send_submit(f, "alice", text, NULL);
    f->q.settings.max_u_jobs = 1; /* meanwhile */
    submit(f);
    fixture_commit(f);
    assert_int_equal(count_answers(f, "alice"), 1);
    assert_int_equal(pieces_in_spool(f), 0);
    assert_null(jobs_find(&f->q.jobs, 1));
    free(text);
}

static void the_same_submit_twice_makes_one_job(void **state)
{
    struct fixture *f = *state;
    char *text = a_script(SCRIPT_BYTES);
    send_submit(f, "alice", text, "once");
    fixture_turn(f);
    send_submit(f, "alice", text, "once"); /* the client believes that the first is lost */
    fixture_commit(f);
    assert_int_equal(count_answers(f, "alice"), 2);
    assert_int_equal(f->q.jobs.n, 1);
    assert_int_equal(pieces_in_spool(f), PIECES);
    free(text);
}

static void copies_have_the_script_too_and_a_user_s_come_a_few_at_a_time(void **state)
{
    struct fixture *f = *state;
    enum { COPIES = 6 };
    char *text = a_script(SCRIPT_BYTES);
    send_submit(f, "alice", text, NULL);
    fixture_commit(f);
    for (int i = 0; i < COPIES; i++) {
        struct GR_Type gr = { 0 };
        cull_set(&gr, GR_job_number, 1u);
        fixture_ask(f, "alice", resubmit_request, &gr);
        assert_true(scripts_are_enough(&f->q, fixture_connection(f, "alice")->who.uid) == (i >= 3));
    }
    assert_false(scripts_are_enough(&f->q, fixture_connection(f, "bob")->who.uid));
    fixture_commit(f);
    assert_int_equal(f->q.jobs.n, 1 + COPIES);
    assert_int_equal(pieces_in_spool(f), (1 + COPIES) * PIECES);
    fixture_restart(f);
    for (uint32_t job = 1; job <= 1 + COPIES; job++)
        assert_script(f, job, text);
    free(text);
}

static void a_new_environment_does_not_write_the_script_again(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    char *text = a_script(SCRIPT_BYTES);
    send_submit(f, "alice", text, NULL);
    fixture_commit(f);
    fixture_name(&gr, "1");
    struct JB_Type *want = cull_append(&gr, GR_jobs);
    struct VA_Type *var = cull_append(want, JB_env_list);
    cull_set(var, VA_variable, "A");
    cull_set(var, VA_value, "1");
    assert_true(fixture_ask(f, "alice", alter_request, &gr));
    assert_true(change_weight(&f->q) < SCRIPT_PIECE_BYTES);
    fixture_restart(f);
    assert_script(f, 1, text);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(a_long_script_comes_before_its_job_one_piece_in_a_batch),
        TEST(others_do_not_wait_for_it_and_numbers_go_on),
        TEST(what_a_job_names_is_looked_for_again_when_its_script_is_there),
        TEST(the_pieces_of_a_deleted_job_leave_one_in_a_batch),
        TEST(who_hangs_up_leaves_nothing),
        TEST(who_hangs_up_before_the_first_piece_leaves_nothing),
        TEST(what_a_crash_left_is_removed_and_its_number_is_not_used_again),
        TEST(a_job_that_is_refused_after_all_leaves_nothing),
        TEST(the_same_submit_twice_makes_one_job),
        TEST(copies_have_the_script_too_and_a_user_s_come_a_few_at_a_time),
        TEST(a_new_environment_does_not_write_the_script_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
