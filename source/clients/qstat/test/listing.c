/* Long listings, which are shown while they come: the same page as one that is gathered first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "clients/qstat/qstat.h"
#include "libs/show/test/sample.h"
#include "libs/uti/answer.h"

enum {
    PART_JOBS = 400,
    N_RUNNING = 3,
    N_READY = 10000,
    N_HELD = 6000,
    FIRST_READY = 100,
    FIRST_HELD = 50000
};

/* a qmaster with that many jobs */
struct cell {
    bool is_ranked;      /* it says so */
    uint32_t lost_after; /* so many parts the connection is lost; 0: never */
    struct GA_Type part;
    uint32_t n_parts;
    answer_part_fn fn;
    void *ctx;
    struct answer *ans;
};

static int send_part(struct cell *c, bool rest_waits)
{
    if (rest_waits)
        cull_set(&c->part, GA_rest_waits, true);
    int result = c->fn(c->ctx, &c->part, c->ans);
    cull_clear(&cull_GA_Type, &c->part);
    c->n_parts++;
    if (result == 0 && c->n_parts == c->lost_after)
        return ans_fail(c->ans, STATUS_ENOCONN, "lost");
    return result;
}

/* what the qmaster says of it: the older, the more */
static double prior_at(uint32_t at_s)
{
    return 0.75 - 0.5 * at_s / N_READY;
}

/* of the next job: jobs in a row that have the same share them */
static void add_figures(struct GA_Type *part, double prior)
{
    struct PF_Type *last = part->GA_priors.n > 0 ? &part->GA_priors.v[part->GA_priors.n - 1] : NULL;
    if (last == NULL || last->PF_prior > prior || last->PF_prior < prior) {
        last = cull_append(part, GA_priors);
        cull_set(last, PF_prior, prior);
        cull_set(last, PF_nurg, 2 * prior - 0.5);
    }
    cull_set(last, PF_jobs, last->PF_jobs + 1);
}

static struct JB_Type *add_job(struct cell *c, uint32_t number, uint32_t at_s)
{
    struct JB_Type *job = cull_append(&c->part, GA_jobs);
    sample_job(job, number, "J", 1, 20, 1);
    cull_set(job, JB_submission_time, (uint64_t)SAMPLE_SUBMIT_S + at_s);
    range_set_add(cull_ranges(job, JB_ja_pending_ids), 5, 9);
    add_figures(&c->part, prior_at(at_s / 3 * 3));
    return job;
}

/* Jobs of which a task runs, and others wait: these rank among those that come later. */
static void add_running(struct cell *c)
{
    for (uint32_t i = 0; i < N_RUNNING; i++) {
        struct JB_Type *job = add_job(c, FIRST_READY + N_READY + 7 * i, 3000 * i);
        sample_task(cull_append(&c->part, GA_tasks), job, 1 + i, 0.25, 1);
    }
}

static int give_answer(void *state, struct GR_Type *request, answer_part_fn fn, void *ctx,
                       struct answer *ans)
{
    struct cell *c = state;
    assert_int_equal(request->GR_options & GDI_RANKED, GDI_RANKED);
    c->fn = fn, c->ctx = ctx, c->ans = ans, c->n_parts = 0;
    cull_set(&c->part, GA_is_ranked, c->is_ranked);
    add_running(c);
    int result = send_part(c, false);
    for (uint32_t i = 0; result == 0 && i < N_READY + N_HELD; i++) {
        bool is_ready = i < N_READY;
        struct JB_Type *job =
            add_job(c, is_ready ? FIRST_READY + i : FIRST_HELD + i, is_ready ? i : 0);
        if (!is_ready)
            range_set_add(cull_ranges(job, JB_ja_u_h_ids), 0, 19);
        if (i % 2000 == 0) /* some are on two lines */
            range_set_add(cull_ranges(job, JB_ja_o_h_ids), 5, 6);
        if (c->part.GA_jobs.n == PART_JOBS)
            result = send_part(c, true);
    }
    return result == 0 ? send_part(c, true) : -1;
}

struct page {
    char *out;
    int status;
};

static struct page run_command(struct cell *cell, int n, const char *const *args)
{
    struct page p = { 0 };
    struct qstat_options o = { 0 };
    struct answer ans = ANSWER_INIT;
    size_t len;
    bool shows_usage;
    assert_int_equal(qstat_parse(n, (char *const *)args, &o, &shows_usage, &ans), 0);
    struct qstat_world w = { .from = { .get = give_answer, .state = cell },
                             .user = "alice",
                             .now_s = SAMPLE_NOW_S + 2 * N_READY };
    w.out = open_memstream(&p.out, &len);
    w.err = stderr;
    p.status = qstat_run(&w, &o, &ans);
    assert_int_equal(fclose(w.out), 0);
    assert_int_equal(p.status != 0, ans_has_error(&ans));
    qstat_options_free(&o);
    ans_free(&ans);
    return p;
}

static void expect_same_page(int n, const char *const *args)
{
    struct cell gathered = { 0 }, shown = { .is_ranked = true };
    struct page a = run_command(&gathered, n, args), b = run_command(&shown, n, args);
    assert_int_equal(a.status, 0);
    assert_int_equal(b.status, 0);
    assert_true(strcmp(a.out, b.out) == 0);
    free(a.out);
    free(b.out);
}

static void a_listing_that_flows_is_the_page_of_one_that_is_gathered(void **state)
{
    (void)state;
    expect_same_page(0, NULL);
    expect_same_page(1, (const char *[]){ "-xml" });
    expect_same_page(1, (const char *[]){ "-urg" });
    expect_same_page(1, (const char *[]){ "-ext" });
    expect_same_page(2, (const char *[]){ "-s", "p" });
    expect_same_page(2, (const char *[]){ "-s", "hu" });
    expect_same_page(2, (const char *[]){ "-g", "d" });
}

/* whether, and what, the page has when the answer ends early */
static struct page lose_after(uint32_t parts, bool is_ranked, const char *option)
{
    struct cell cell = { .is_ranked = is_ranked, .lost_after = parts };
    return run_command(&cell, option != NULL, &option);
}

static void it_is_shown_before_the_answer_is_complete(void **state)
{
    (void)state;
    struct page p = lose_after(20, true, NULL);
    assert_int_equal(p.status, 1);
    assert_true(strlen(p.out) > 4000 * 80);
    free(p.out);
    p = lose_after(20, false, NULL); /* in another order than that of the page */
    assert_int_equal(p.status, 1);
    assert_string_equal(p.out, "");
    free(p.out);
}

static void a_document_whose_answer_ends_early_is_not_whole(void **state)
{
    (void)state;
    struct page p = lose_after(20, true, "-xml");
    assert_int_equal(p.status, 1);
    assert_non_null(strstr(p.out, "<job_list"));
    assert_null(strstr(p.out, "</job_info>"));
    free(p.out);
    p = lose_after(20, true, "-json");
    assert_int_equal(p.status, 1);
    assert_non_null(strstr(p.out, "pending_jobs"));
    assert_null(strstr(p.out, "]\n}"));
    free(p.out);
}

static int in_utc(void **state)
{
    (void)state;
    sample_utc();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_listing_that_flows_is_the_page_of_one_that_is_gathered),
        cmocka_unit_test(it_is_shown_before_the_answer_is_complete),
        cmocka_unit_test(a_document_whose_answer_ends_early_is_not_whole),
    };
    return cmocka_run_group_tests(tests, in_utc, NULL);
}
