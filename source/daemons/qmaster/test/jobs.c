/* The job table: numbers, names and patterns of each owner, tasks that become records and stop
 * being ones. */
#include "daemons/qmaster/tables/jobs.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemons/qmaster/tables/walk.h"
#include "libs/uti/dstr.h"
#include "libs/uti/pattern.h"

struct table {
    struct jobs jobs;
    struct dstr seen;
};

static int set_up(void **state)
{
    static struct table t;
    memset(&t, 0, sizeof t);
    jobs_init(&t.jobs);
    *state = &t;
    return 0;
}

static int tear_down(void **state)
{
    struct table *t = *state;
    jobs_clear(&t->jobs);
    dstr_free(&t->seen);
    return 0;
}

static struct job *add_job(struct table *t, uint32_t number, const char *owner, const char *name,
                           uint32_t tasks)
{
    struct JB_Type rec = { 0 };
    cull_set(&rec, JB_job_number, number);
    cull_set(&rec, JB_owner, owner);
    cull_set(&rec, JB_job_name, name);
    cull_set(&rec, JB_ja_first, 1u);
    cull_set(&rec, JB_ja_last, tasks);
    cull_set(&rec, JB_ja_step, 1u);
    struct job *job = job_new(&t->jobs, &rec);
    assert_null(rec.JB_job_name); /* moved in */
    jobs_add(&t->jobs, job);
    return job;
}

/* the jobs of OWNER whose name is or matches WHAT, as a walk over names comes to them */
static const char *match_word(struct table *t, const char *owner, const char *what)
{
    struct name_walk w;
    const struct job *job;
    dstr_clear(&t->seen);
    name_walk_begin(&w, &t->jobs, owner, pattern_is_wild(what) ? NULL : what);
    while (w.named != NULL) {
        const struct named_jobs *named = w.named;
        if (!pattern_match(what, named->name)) {
            name_walk_pass(&w);
            continue;
        }
        name_walk_into(&w);
        while (w.named == named && (job = name_walk_job(&w)) != NULL)
            dstr_addf(&t->seen, "%s%u", t->seen.len > 0 ? " " : "", job->rec.JB_job_number);
    }
    name_walk_end(&w);
    return dstr_get(&t->seen);
}

static void jobs_are_found_by_number_and_walked_in_order(void **state)
{
    struct table *t = *state;
    add_job(t, 30, "alice", "A", 1);
    add_job(t, 10, "alice", "A", 1);
    struct job *middle = add_job(t, 20, "bob", "A", 1);
    assert_ptr_equal(jobs_find(&t->jobs, 20), middle);
    assert_null(jobs_find(&t->jobs, 21));
    assert_ptr_equal(jobs_at_or_after(&t->jobs, 11), middle);
    assert_int_equal(jobs_next(&t->jobs, middle)->rec.JB_job_number, 30);
    assert_null(jobs_at_or_after(&t->jobs, 31));
    assert_int_equal(t->jobs.n, 3);
    jobs_remove(&t->jobs, middle);
    job_free(&t->jobs, middle);
    assert_null(jobs_find(&t->jobs, 20));
    assert_null(
        jobs_owner(&t->jobs, "bob")); /* the last of an owner's jobs takes the owner along */
    assert_int_equal(jobs_owner(&t->jobs, "alice")->n_jobs, 2);
}

static void names_and_patterns_match_jobs_of_their_owner(void **state)
{
    struct table *t = *state;
    add_job(t, 4, "alice", "render", 1);
    add_job(t, 1, "alice", "rib", 1);
    add_job(t, 2, "alice", "render", 1);
    add_job(t, 3, "bob", "render", 1);
    assert_string_equal(match_word(t, "alice", "render"), "4 2");
    assert_string_equal(match_word(t, "alice", "r*"), "4 2 1");
    assert_string_equal(match_word(t, "alice", "r[ix]b"), "1");
    assert_string_equal(match_word(t, "alice", "re?der"), "4 2");
    assert_string_equal(match_word(t, "alice", "rib|nothing"), "1");
    assert_string_equal(match_word(t, "carol", "*"), "");
    assert_string_equal(match_word(t, "alice", "ren"), "");
    assert_string_equal(match_word(t, "alice", ""), "");
}

static void a_renamed_job_answers_to_its_new_name_only(void **state)
{
    struct table *t = *state;
    struct job *job = add_job(t, 1, "alice", "old", 1);
    jobs_rename(&t->jobs, job, "new");
    assert_string_equal(match_word(t, "alice", "old"), "");
    assert_string_equal(match_word(t, "alice", "new"), "1");
    assert_string_equal(job->rec.JB_job_name, "new");
}

static void drop_job(struct table *t, struct job *job)
{
    jobs_remove(&t->jobs, job);
    job_free(&t->jobs, job);
}

/* between any two steps of it */
static void a_walk_over_names_passes_over_what_goes(void **state)
{
    struct table *t = *state;
    struct job *all[6];
    struct name_walk w;
    for (uint32_t i = 0; i < 6; i++)
        all[i] = add_job(t, i + 1, "alice", i < 3 ? "A" : i < 5 ? "B" : "C", 1);
    name_walk_begin(&w, &t->jobs, "alice", NULL);
    name_walk_into(&w);
    assert_ptr_equal(name_walk_job(&w), all[0]);
    drop_job(t, all[1]); /* the one that it is at */
    assert_ptr_equal(w.job, all[2]);
    drop_job(t, all[2]); /* the last of its name */
    assert_string_equal(w.named->name, "B");
    jobs_rename(&t->jobs, all[3], "D");
    drop_job(t, all[4]); /* a name that it has just reached goes */
    assert_string_equal(w.named->name, "C");
    name_walk_pass(&w);
    assert_string_equal(w.named->name, "D"); /* a new name comes last */
    drop_job(t, all[3]);
    assert_null(w.named);
    name_walk_end(&w);
}

static void the_last_job_takes_no_walk_along(void **state)
{
    struct table *t = *state;
    struct job *job = add_job(t, 1, "alice", "A", 1);
    struct name_walk w;
    name_walk_begin(&w, &t->jobs, "alice", "A");
    drop_job(t, job);
    assert_null(jobs_owner(&t->jobs, "alice"));
    assert_null(w.named);
    name_walk_end(&w);
}

static void what_is_claimed_counts_until_it_is_given_back(void **state)
{
    struct table *t = *state;
    jobs_claim(&t->jobs, "alice", 1000); /* who has no job yet */
    struct job *job = add_job(t, 1, "alice", "A", 1);
    assert_int_equal(jobs_owner(&t->jobs, "alice")->share.memory, 1000);
    assert_int_equal(t->jobs.share.memory, 1000);
    drop_job(t, job);
    jobs_claim(&t->jobs, "alice", 24);
    jobs_unclaim(&t->jobs, "alice", 1000);
    assert_int_equal(jobs_owner(&t->jobs, "alice")->share.memory, 24);
    jobs_unclaim(&t->jobs, "alice", 24);
    assert_null(jobs_owner(&t->jobs, "alice"));
    assert_int_equal(t->jobs.share.memory, 0);
}

static void a_task_is_pending_or_has_a_record_never_both(void **state)
{
    struct table *t = *state;
    struct job *job = add_job(t, 1, "alice", "A", 10000000);
    assert_int_equal(range_set_count(&job->rec.JB_ja_pending_ids), 10000000);
    assert_int_equal(range_set_bytes(&job->rec.JB_ja_pending_ids),
                     0); /* untouched: nothing on the heap */
    struct task *task = job_task_add(job, 4711);
    assert_int_equal(task->rec.JAT_task_number, 4712);
    assert_false(range_set_has(&job->rec.JB_ja_pending_ids, 4711));
    assert_true(range_set_has(&job->unfinished, 4711));
    assert_ptr_equal(job_task(job, 4711), task);
    assert_null(job_task(job, 4710));
    assert_ptr_equal(job_task_first(job, 0), task);
    assert_null(job_task_first(job, 4712));
    struct task *later = job_task_add(job, 5000);
    assert_ptr_equal(job_task_next(task), later);
    assert_null(job_task_next(later));
    job_task_remove(job, task);
    assert_null(job_task(job, 4711));
}

static void startable_is_pending_or_put_back_and_not_held(void **state)
{
    struct table *t = *state;
    struct job *job = add_job(t, 1, "alice", "A", 10);
    struct range_set out = { 0 };
    struct dstr text = DSTR_INIT;
    job_task_add(job, 0); /* runs */
    job_task_add(job, 1); /* put back */
    range_set_add(&job_rare(job)->waiting, 1, 1);
    range_set_add(cull_ranges(&job->rec, JB_ja_u_h_ids), 2, 2);
    range_set_add(cull_ranges(&job->rec, JB_ja_o_h_ids), 3, 3);
    range_set_add(cull_ranges(&job->rec, JB_ja_s_h_ids), 4, 4);
    range_set_add(cull_ranges(&job->rec, JB_ja_a_h_ids), 5, 5);
    job_startable(job, &job->unfinished, &out);
    job_ids_text(&job->rec, &out, &text);
    assert_string_equal(dstr_get(&text), "2,7-10:1");
    for (uint32_t i = 0; i < 10; i++)
        assert_int_equal(job_is_startable(job, i), range_set_has(&out, i));
    range_set_add(cull_ranges(&job->rec, JB_ja_u_h_ids), 1, 1);
    assert_false(job_is_startable(job, 1)); /* a hold counts for a task that was put back, too */
    struct JRE_Type *before = cull_append(&job->rec, JB_jid_predecessor_list);
    cull_set(before, JRE_job_number, 7u);
    job_startable(job, &job->unfinished, &out);
    assert_true(range_set_is_empty(&out));
    range_set_free(&out);
    dstr_free(&text);
}

static void many_jobs_cost_little_each(void **state)
{
    struct table *t = *state;
    char name[16];
    for (uint32_t i = 1; i <= 20000; i++) {
        snprintf(name, sizeof name, "n%u", i);
        add_job(t, i, i % 2 ? "alice" : "bob", name, 1000000);
    }
    for (uint32_t i = 1; i <= 20000; i++) {
        snprintf(name, sizeof name, "n%u", i);
        assert_int_not_equal(strlen(match_word(t, i % 2 ? "alice" : "bob", name)), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
        TEST(jobs_are_found_by_number_and_walked_in_order),
        TEST(names_and_patterns_match_jobs_of_their_owner),
        TEST(a_renamed_job_answers_to_its_new_name_only),
        TEST(a_walk_over_names_passes_over_what_goes),
        TEST(the_last_job_takes_no_walk_along),
        TEST(what_is_claimed_counts_until_it_is_given_back),
        TEST(a_task_is_pending_or_has_a_record_never_both),
        TEST(startable_is_pending_or_put_back_and_not_held),
        TEST(many_jobs_cost_little_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
