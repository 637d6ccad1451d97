/* What `12.3-9:2`, a name or a pattern means: jobs and ordinals. */
#include "daemons/qmaster/requests/steps/select.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>

#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"

/* the task ids that USER means with WHAT: "1:1,3 2:5", a job with the whole array as "1:*" */
static const char *tasks_meant(struct fixture *f, const char *user, const char *what)
{
    struct selection s;
    struct dstr text = DSTR_INIT;
    fixture_select(f, user, what, &s);
    for (uint32_t i = 0; i < s.n; i++) {
        dstr_addf(&text, "%s%u:", i > 0 ? " " : "", s.v[i].job);
        if (s.v[i].is_whole)
            dstr_add(&text, "*");
        else
            job_ids_text(&fixture_job(f, s.v[i].job)->rec, &s.v[i].ordinals, &text);
    }
    selection_free(&s);
    if (s.n > 0 || text.len > 0 || f->said.len == 0) {
        dstr_clear(&f->said);
        dstr_add(&f->said, dstr_get(&text));
    }
    dstr_free(&text);
    return dstr_get(&f->said);
}

/* every range of ids against every small array, one id at a time */
static void ranges_mean_the_ids_that_the_array_has(void **state)
{
    struct fixture *f = *state;
    for (uint32_t step = 1; step <= 4; step++) {
        char tasks[16], what[32];
        snprintf(tasks, sizeof tasks, "3-14:%u", step);
        uint32_t number = submit(f, .tasks = tasks);
        const struct JB_Type *job = &fixture_job(f, number)->rec;
        for (uint32_t min = 1; min <= 16; min++)
            for (uint32_t max = min; max <= 16; max++)
                for (uint32_t by = 1; by <= 5; by++) {
                    struct selection s;
                    snprintf(what, sizeof what, "%u.%u-%u:%u", number, min, max, by);
                    fixture_select(f, "alice", what, &s);
                    assert_int_equal(s.n, 1);
                    for (uint32_t i = 0; i < job_task_count(job); i++) {
                        uint32_t id = job_task_id(job, i);
                        bool is_meant = id >= min && id <= max && (id - min) % by == 0;
                        if (range_set_has(&s.v[0].ordinals, i) != is_meant)
                            fail_msg("%s of %s: task %u", what, tasks, id);
                    }
                    assert_false(
                        range_set_any_in(&s.v[0].ordinals, job_task_count(job), UINT32_MAX));
                    selection_free(&s);
                }
    }
}

static void ids_names_and_patterns_mean_jobs(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .name = "A1", .tasks = "1-4"), b = submit(f, .name = "A2"),
             c = submit(f, .name = "A2", .owner = "bob");
    char want[64], what[16];
    snprintf(want, sizeof want, "%u:* %u:*", a, b);
    assert_string_equal(tasks_meant(f, "alice", "A*"), want);
    snprintf(want, sizeof want, "%u:*", c);
    assert_string_equal(tasks_meant(f, "bob", "A*"), want);
    snprintf(what, sizeof what, "%u", c);
    assert_string_equal(
        tasks_meant(f, "alice", what),
        want); /* an id may be anybody's; whether one may touch it is another question */
    assert_string_equal(tasks_meant(f, "alice", "B"), "no B");
    assert_string_equal(tasks_meant(f, "alice", "4711"), "no 4711");
}

static void a_whole_job_is_all_of_its_tasks(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-10000000:3");
    struct selection s;
    char what[16];
    snprintf(what, sizeof what, "%u", a);
    fixture_select(f, "alice", what, &s);
    assert_true(s.v[0].is_whole);
    assert_int_equal(range_set_count(&s.v[0].ordinals), 3333334);
    selection_free(&s);
}

/* 40 ranges with a step over ten million tasks, whatever the steps of both: arithmetic, not a
 * walk */
static void ranges_of_millions_are_arithmetic(void **state)
{
    static const char *const arrays[] = { "1-10000000", "1-10000000:3", "7-9999999:6" };
    struct fixture *f = *state;
    for (size_t a = 0; a < ARRAY_LEN(arrays); a++) {
        uint32_t number = submit(f, .tasks = arrays[a]);
        const struct JB_Type *job = &fixture_job(f, number)->rec;
        for (uint32_t by = 2; by <= 15; by++) {
            struct selection s;
            char what[40];
            uint64_t n = 0, expected = 0;
            snprintf(what, sizeof what, "%u.5-4000000000:%u", number, by);
            fixture_select(f, "alice", what, &s);
            for (uint64_t id = 5; id <= 10000000; id += by)
                expected += id >= job->JB_ja_first && id <= job->JB_ja_last &&
                            (id - job->JB_ja_first) % job->JB_ja_step == 0;
            n = range_set_count(&s.v[0].ordinals);
            assert_int_equal(n, expected);
            selection_free(&s);
        }
    }
}

/* ---- requests of many words ---- */
static void ask_to_delete(struct GR_Type *gr)
{
    cull_set(gr, GR_verb, (uint32_t)GDI_DEL);
    cull_set(gr, GR_target, (uint32_t)GDI_JOB);
}

static void what_several_words_mean_is_meant_once(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    for (int i = 0; i < 20; i++)
        submit(f, .name = i % 2 == 0 ? "A" : "B");
    ask_to_delete(&gr);
    for (int i = 0; i < 500; i++)
        fixture_name(&gr, i % 3 == 0 ? "*" : i % 3 == 1 ? "A" : "B|A");
    fixture_name(&gr, "7");
    assert_true(fixture_ask(f, "alice", delete_request, &gr));
    assert_int_equal(f->q.jobs.n, 0);
    uint32_t lines = 1;
    for (const char *c = dstr_get(&f->said); *c != '\0'; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 20);
}

static void words_that_mean_nothing_are_named_though_all_jobs_are_meant(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    submit(f, .name = "A1");
    ask_to_delete(&gr);
    fixture_name(&gr, "A*");
    fixture_name(&gr, "?1");
    fixture_name(&gr, "C*");
    assert_false(fixture_ask(f, "alice", delete_request, &gr));
    assert_non_null(strstr(dstr_get(&f->said), "C*"));
    assert_null(strstr(dstr_get(&f->said), "?1"));
    assert_int_equal(f->q.jobs.n, 0);
}

static void task_ranges_of_several_words_add_up(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    uint32_t a = submit(f, .name = "A", .tasks = "1-9");
    ask_to_delete(&gr);
    for (uint32_t first = 1; first <= 4; first += 3) {
        struct ID_Type *id = cull_append(&gr, GR_select);
        cull_set(id, ID_str, first == 1 ? "A*" : "*A");
        struct TR_Type *tr = cull_append(id, ID_tasks);
        cull_set(tr, TR_min, first);
        cull_set(tr, TR_max, first + 1);
        cull_set(tr, TR_step, 1u);
    }
    assert_true(fixture_ask(f, "alice", delete_request, &gr));
    assert_string_equal(fixture_ready(f, a), "3,6-9:1");
}

/* a slice that is over at once makes each step as short as can be */
static void a_selection_goes_on_in_slices(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    for (int i = 0; i < 10; i++)
        submit(f, .name = "A");
    ask_to_delete(&gr);
    fixture_name(&gr, "A*");
    f->q.slice_until_us = 1;
    fixture_ask(f, "alice", delete_request, &gr);
    assert_int_equal(f->q.jobs.n, 10); /* it is not known yet what is meant */
    uint32_t later = submit(f, .name = "A9");
    fixture_commit(f);
    assert_int_equal(f->q.jobs.n, 1);
    fixture_job(f, later); /* it came after the request */
    f->q.slice_until_us = 0;
}

/* A pattern of 512 bytes takes up to 0.3 ms: 10,000 of them are not held against a name in one
 * step. */
static void many_patterns_are_held_against_one_name_in_slices(void **state)
{
    enum { WORDS = 1000, WORDS_OF_A_SLICE = 10 };
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    unsigned slices = 0;
    uint32_t other = submit(f, .name = "B");
    (void)submit(f, .name = "A");
    ask_to_delete(&gr);
    for (int i = 0; i < WORDS; i++)
        fixture_name(&gr, "*[b]*[c]");
    fixture_name(&gr, "A*");
    f->q.slice_until_us = 1;
    fixture_ask(f, "alice", delete_request, &gr);
    while (f->q.jobs.n == 2 && work_step(&f->q))
        slices++;
    assert_true(slices >= 2 * WORDS / WORDS_OF_A_SLICE);
    fixture_commit(f);
    assert_int_equal(f->q.jobs.n, 1);
    fixture_job(f, other);
    f->q.slice_until_us = 0;
}

/* each of them may mean millions of tasks */
static void a_slice_works_out_one_range_with_a_name(void **state)
{
    enum { RANGES = 5 };
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    uint32_t a = submit(f, .name = "A", .tasks = "1-10");
    ask_to_delete(&gr);
    struct ID_Type *id = cull_append(&gr, GR_select);
    cull_set(id, ID_str, "A");
    for (uint32_t i = 0; i < RANGES; i++) {
        struct TR_Type *tr = cull_append(id, ID_tasks);
        cull_set(tr, TR_min, 2 * i + 1);
        cull_set(tr, TR_max, 2 * i + 1);
        cull_set(tr, TR_step, 1u);
    }
    f->q.slice_until_us = 1;
    fixture_ask(f, "alice", delete_request, &gr);
    for (uint32_t i = 0; i + 1 < RANGES; i++) {
        assert_true(work_step(&f->q));
        assert_string_equal(fixture_ready(f, a), "1-10:1");
    }
    fixture_commit(f);
    assert_string_equal(fixture_ready(f, a), "2-10:2");
    f->q.slice_until_us = 0;
}

static void a_request_has_a_limit_of_words(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    submit(f, .name = "A");
    ask_to_delete(&gr);
    for (int i = 0; i < SELECT_WORDS_MOST + 1; i++)
        fixture_name(&gr, "A");
    assert_false(fixture_ask(f, "alice", delete_request, &gr));
    assert_string_equal(
        dstr_get(&f->said),
        "denied: the request names 10001 jobs or patterns; the limit of one request is 10000");
    assert_int_equal(f->q.jobs.n, 1);
    for (int i = 0; i < SELECT_WORDS_MOST + 1; i++) {
        struct ST_Type *user = cull_append(&gr, GR_users);
        cull_set(user, ST_name, "u");
    }
    ask_to_delete(&gr);
    assert_false(fixture_ask(f, "alice", delete_request, &gr));
    assert_string_equal(dstr_get(&f->said),
                        "denied: the request names 10001 users; the limit of one request is 10000");
}

static void a_pattern_has_a_limit_of_ranges(void **state)
{
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    uint32_t a = submit(f, .name = "A", .tasks = "1-100");
    for (int is_number = 0; is_number < 2; is_number++) {
        ask_to_delete(&gr);
        struct ID_Type *id = cull_append(&gr, GR_select);
        cull_set(id, ID_str, is_number ? "1" : "A");
        for (uint32_t i = 1; i <= SELECT_RANGES_MOST + 1; i++) {
            struct TR_Type *tr = cull_append(id, ID_tasks);
            cull_set(tr, TR_min, i);
            cull_set(tr, TR_max, i);
        }
        assert_int_equal(fixture_ask(f, "alice", delete_request, &gr), is_number);
        if (!is_number)
            assert_string_equal(
                dstr_get(&f->said),
                "denied: \"A\" has 65 ranges of task ids; the limit with a job name is 64");
    }
    assert_string_equal(fixture_ready(f, a), "66-100:1");
}

static void users_mean_their_jobs(void **state)
{
    static const char *const users[] = { "b*", "nobody", "alice" };
    struct fixture *f = *state;
    struct GR_Type gr = { 0 };
    submit(f, .owner = "alice");
    submit(f, .owner = "bob");
    submit(f, .owner = "carol");
    ask_to_delete(&gr);
    for (size_t i = 0; i < ARRAY_LEN(users); i++) {
        struct ST_Type *user = cull_append(&gr, GR_users);
        cull_set(user, ST_name, users[i]);
    }
    assert_true(fixture_ask(f, "boss", delete_request, &gr));
    assert_non_null(strstr(dstr_get(&f->said), "nobody")); /* beside others that is no failure */
    assert_int_equal(f->q.jobs.n, 1);
    fixture_job(f, 3);
}

/* Sets over millions of tasks take milliseconds each: to find them is one piece of the core's time,
 * to delete them is another. */
static void what_took_a_slice_to_find_has_another_one(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f, .tasks = "1-10000");
    f->q.slice_until_us = 1;
    fixture_delete(f, "alice", "1.1-10000:2");
    for (int slices = 0; slices < 2; slices++) { /* the word; the tasks that it means */
        assert_int_equal(range_set_count(&fixture_job(f, a)->unfinished), 10000);
        assert_true(work_step(&f->q));
    }
    assert_int_equal(range_set_count(&fixture_job(f, a)->unfinished), 5000);
    f->q.slice_until_us = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(ranges_mean_the_ids_that_the_array_has),
        TEST(ids_names_and_patterns_mean_jobs),
        TEST(a_whole_job_is_all_of_its_tasks),
        TEST(ranges_of_millions_are_arithmetic),
        TEST(what_several_words_mean_is_meant_once),
        TEST(words_that_mean_nothing_are_named_though_all_jobs_are_meant),
        TEST(task_ranges_of_several_words_add_up),
        TEST(a_selection_goes_on_in_slices),
        TEST(many_patterns_are_held_against_one_name_in_slices),
        TEST(a_slice_works_out_one_range_with_a_name),
        TEST(what_took_a_slice_to_find_has_another_one),
        TEST(a_request_has_a_limit_of_words),
        TEST(a_pattern_has_a_limit_of_ranges),
        TEST(users_mean_their_jobs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
