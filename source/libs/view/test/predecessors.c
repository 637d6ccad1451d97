/* Tests of libs/view/predecessors.c: jobs to wait for, and which tasks for which */
#include "libs/view/predecessors.h"

#include "libs/mir/test/board_lines.h"
#include "libs/uti/dstr.h"

static const struct ja_shape hundred = { 1, 100, 1 };

/* 7 "render" 1-100 of alice, 8 "single", 9 "short" 1-50 of bob, 10 "render2" 1-100 */
static struct board *some_jobs(void)
{
    static const struct {
        uint32_t number, n;
        const char *name, *owner;
    } jobs[] = { { 7, 100, "render", "alice" },
                 { 9, 50, "short", "bob" },
                 { 10, 100, "render2", "alice" } };
    struct board *b = board_new();
    for (size_t i = 0; i < ARRAY_LEN(jobs); i++) {
        struct EV_Type *event = array_event(jobs[i].number, jobs[i].n, 0, 0);
        cull_set(event->EV_jobs.v, JB_job_name, jobs[i].name);
        cull_set(event->EV_jobs.v, JB_owner, jobs[i].owner);
        tell_event(b, event);
    }
    struct EV_Type *single = array_event(8, 1, 0, 0);
    cull_set(single->EV_jobs.v, JB_job_name, "single");
    cull_set(single->EV_jobs.v, JB_type, 0u);
    tell_event(b, single);
    return b;
}

static void expect_why(const char *list, const struct ja_shape *array, const char *expected)
{
    struct board *b = some_jobs();
    struct dstr why = DSTR_INIT;
    assert_int_equal(predecessors_why_not(b, list, array, &why), expected[0] != '\0');
    assert_string_equal(dstr_get(&why), expected);
    dstr_free(&why);
    board_free(b);
}

static void jobs_that_can_be_waited_for_are_fine(void **state SGE_UNUSED)
{
    expect_why("", NULL, "");
    expect_why("7, 8,single", NULL, "");
    expect_why("7,render2", &hundred, "");
    expect_why("render*", &hundred, "");
}

static void what_is_wrong_is_said(void **state SGE_UNUSED)
{
    expect_why("7,99", NULL, "job 99 does not exist");
    expect_why("none", NULL, "no job is named \"none\"");
    expect_why("8", &hundred, "job 8 (single) is not an array job");
    expect_why("7,short", &hundred, "job 9 (short) has the tasks 1-50, not 1-100");
}

static void the_first_word_says_which_array_it_is(void **state SGE_UNUSED)
{
    struct board *b = some_jobs();
    struct ja_shape found;
    assert_true(predecessors_first(b, "short,7", &found));
    assert_int_equal(found.last, 50);
    assert_false(predecessors_first(b, "single", &found));
    assert_false(predecessors_first(b, "", &found));
    board_free(b);
}

static void expect_jobs(const char *list, const char *owner, uint32_t most, const char *expected)
{
    struct board *b = some_jobs();
    struct dstr found = DSTR_INIT;
    predecessors_complete(b, list, owner, most, &found);
    assert_string_equal(dstr_get(&found), expected);
    dstr_free(&found);
    board_free(b);
}

static void the_last_word_is_completed(void **state SGE_UNUSED)
{
    expect_jobs("8,ren", NULL, 9, "10 render2\n7 render\n");
    expect_jobs("1", NULL, 9, "10 render2\n");
    expect_jobs("", "bob", 9, "9 short\n");
    expect_jobs("", NULL, 2, "10 render2\n9 short\n");
    expect_jobs("x", NULL, 9, "");
}

static void expect_chunks(const struct ja_shape *a, const struct ja_shape *b, const char *expected)
{
    struct dstr text = DSTR_INIT;
    chunks_text(a, b, 3, &text);
    assert_string_equal(dstr_get(&text), expected);
    dstr_free(&text);
}

static void chunks_say_which_tasks_wait_for_which(void **state SGE_UNUSED)
{
    static const struct ja_shape one = { 1, 6, 1 }, two = { 1, 6, 2 }, three = { 1, 6, 3 };
    expect_chunks(&one, &one, "1: 1\n2: 2\n3: 3\n... and 3 more tasks\n");
    expect_chunks(&one, &three, "1: 1-3\n4: 4-6\n");
    expect_chunks(&three, &one, "1-3: 1\n4-6: 4\n");
    expect_chunks(&two, &three, "1: 1-3:2\n4: 3-5:2\n");
    expect_chunks(&three, &two, "1: 1\n3: 1-4:3\n5: 4\n");
}

static void a_hundred_million_tasks_cost_no_more(void **state SGE_UNUSED)
{
    static const struct ja_shape a = { 1, 100000000, 10000000 }, b = { 1, 100000000, 1 };
    expect_chunks(&a, &b,
                  "1-10000000: 1\n10000001-20000000: 10000001\n20000001-30000000: 20000001\n"
                  "... and 70000000 more tasks\n");
}

/* ---- chunk maps ---- */

enum { MOST = 100 };

static void assert_covers(const struct ja_shape *s, const struct chunk_block *v, uint32_t n,
                          int width)
{
    int x = 0;
    uint32_t ordinal = 0;
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(v[i].x, x);
        assert_int_equal(v[i].first, ordinal);
        x += v[i].width;
        ordinal = v[i].last + 1;
    }
    assert_int_equal(x, width);
    assert_int_equal(ordinal, ja_task_count(s));
}

static void a_task_is_as_wide_as_its_step(void **state SGE_UNUSED)
{
    const struct ja_shape s = { 1, 10, 4 }; /* 1 5 9: the last one covers 9 and 10 */
    struct chunk_block v[MOST];
    assert_int_equal(chunk_blocks(&s, 100, 3, v, MOST), 3);
    assert_covers(&s, v, 3, 100);
    assert_int_equal(v[0].width, 40);
    assert_int_equal(v[2].width, 20);
}

static void many_tasks_share_blocks(void **state SGE_UNUSED)
{
    const struct ja_shape s = { 1, 10000000, 1 };
    struct chunk_block v[MOST];
    assert_int_equal(chunk_blocks(&s, 90, 3, v, MOST), 30);
    assert_covers(&s, v, 30, 90);
    assert_int_equal(chunk_blocks(&s, 900, 3, v, MOST), MOST);
    assert_covers(&s, v, MOST, 900);
    assert_int_equal(chunk_blocks(&s, 1, 3, v, MOST), 1);
    assert_covers(&s, v, 1, 1);
}

static void a_block_waits_for_what_its_tasks_wait_for(void **state SGE_UNUSED)
{
    const struct ja_shape a = { 1, 8, 1 }, b = { 1, 8, 4 };
    const struct chunk_block second = { .first = 1, .last = 1 }, both = { .first = 0, .last = 1 };
    struct chunk_block waited = chunk_waited(&a, &b, &second, 80);
    assert_int_equal(waited.first, 4);
    assert_int_equal(waited.last, 7);
    assert_int_equal(waited.x, 40);
    assert_int_equal(waited.width, 40);
    waited = chunk_waited(&a, &b, &both, 80);
    assert_int_equal(waited.first, 0);
    assert_int_equal(waited.last, 7);
}

static void a_place_has_a_block(void **state SGE_UNUSED)
{
    const struct ja_shape s = { 1, 4, 1 };
    struct chunk_block v[MOST];
    uint32_t n = chunk_blocks(&s, 40, 3, v, MOST);
    assert_int_equal(chunk_at(v, n, 0), 0);
    assert_int_equal(chunk_at(v, n, 10), 1);
    assert_int_equal(chunk_at(v, n, 39), 3);
    assert_int_equal(chunk_at(v, n, 40), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_that_can_be_waited_for_are_fine),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(the_first_word_says_which_array_it_is),
        cmocka_unit_test(the_last_word_is_completed),
        cmocka_unit_test(chunks_say_which_tasks_wait_for_which),
        cmocka_unit_test(a_hundred_million_tasks_cost_no_more),
        cmocka_unit_test(a_task_is_as_wide_as_its_step),
        cmocka_unit_test(many_tasks_share_blocks),
        cmocka_unit_test(a_block_waits_for_what_its_tasks_wait_for),
        cmocka_unit_test(a_place_has_a_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
