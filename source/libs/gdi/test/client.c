/* gdi_call against a qmaster of a few lines. */
#include "libs/gdi/client.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/gdi/cell.h"
#include "libs/gdi/message.h"
#include "libs/gdi/test/fixture.h"
#include "libs/uti/answer.h"

struct seen {
    uint32_t n, stop_at;
};

static int on_part(void *ctx, const struct GA_Type *part)
{
    struct seen *s = ctx;
    assert_int_equal(part->GA_job_number, s->n);
    s->n++;
    return s->n == s->stop_at ? -1 : 0;
}

static int call_qmaster(struct gdi *g, enum gdi_verb verb, struct seen *seen, struct answer *ans)
{
    struct GR_Type request = { 0 };
    cull_set(&request, GR_verb, (uint32_t)verb);
    int rc = gdi_call(g, &request, seen != NULL ? on_part : NULL, seen, ans);
    cull_clear(&cull_GR_Type, &request);
    return rc;
}

static struct gdi *open_gdi(struct fixture *t)
{
    struct gdi *g = gdi_open(t->cell, "qtest", NULL);
    assert_non_null(g);
    gdi_set_retry(g, 5000);
    return g;
}

static void all_parts_and_the_answers_arrive(void **state)
{
    struct fixture *t = *state;
    t->parts = 300;
    struct gdi *g = open_gdi(t);
    struct seen seen = { 0 };
    struct answer ans = ANSWER_INIT;
    assert_int_equal(call_qmaster(g, GDI_GET, &seen, &ans), 0);
    assert_int_equal(seen.n, 300);
    assert_int_equal(ans.n, 1);
    assert_int_equal(ans.v[0].status, STATUS_DENIED);
    assert_string_equal(ans.v[0].text, "denied: no");
    ans_free(&ans);
    gdi_close(g);
}

static void requests_on_one_connection_have_ids_of_their_own(void **state)
{
    struct fixture *t = *state;
    struct gdi *g = open_gdi(t);
    assert_int_equal(call_qmaster(g, GDI_ADD, NULL, NULL), 0);
    assert_int_equal(call_qmaster(g, GDI_ADD, NULL, NULL), 0);
    assert_int_equal(t->n_requests, 2);
    assert_int_equal(strlen(t->ids[0]), 32);
    assert_string_not_equal(t->ids[0], t->ids[1]);
    gdi_close(g);
}

static void count_wait(void *ctx)
{
    ++*(int *)ctx;
}

static void lost_before_the_answer_is_sent_again_with_the_same_id(void **state)
{
    struct fixture *t = *state;
    t->hang_ups = 2;
    struct gdi *g = open_gdi(t);
    int waits = 0;
    gdi_on_wait(g, count_wait, &waits);
    struct seen seen = { 0 };
    assert_int_equal(call_qmaster(g, GDI_ADD, &seen, NULL), 0);
    assert_int_equal(seen.n, 1);
    assert_int_equal(t->n_requests, 3);
    assert_string_equal(t->ids[0], t->ids[1]);
    assert_string_equal(t->ids[0], t->ids[2]);
    assert_int_equal(waits, 1);
    gdi_close(g);
}

static void lost_for_good_says_that_the_outcome_is_unknown(void **state)
{
    struct fixture *t = *state;
    t->hang_ups = 1000;
    struct gdi *g = open_gdi(t);
    gdi_set_retry(g, 50);
    struct answer ans = ANSWER_INIT;
    assert_int_equal(call_qmaster(g, GDI_ADD, NULL, &ans), -1);
    assert_int_equal(ans.n, 1);
    assert_int_equal(ans.v[0].status, STATUS_ENOCONN);
    assert_non_null(strstr(ans.v[0].text, "not known whether the request was carried out"));
    ans_free(&ans);
    gdi_close(g);
}

static void who_is_refused_for_good_hears_why_and_that_nothing_was_done(void **state)
{
    struct fixture *t = *state;
    struct gdi *g = open_gdi(t);
    gdi_set_retry(g, 50);
    struct answer ans = ANSWER_INIT;
    assert_int_equal(call_qmaster(g, GDI_ADD, NULL, &ans), -1);
    assert_int_equal(ans.n, 1);
    assert_int_equal(ans.v[0].status, STATUS_DENIED);
    assert_string_equal(ans.v[0].text, "qmaster refused the connection for 0 seconds: its user has "
                                       "too many connections, the limit is 0");
    ans_free(&ans);
    gdi_close(g);
}

static void who_is_refused_for_a_while_gets_in(void **state)
{
    struct fixture *t = *state;
    struct gdi *g = open_gdi(t);
    gdi_on_wait(g, fixture_make_room, t);
    assert_int_equal(call_qmaster(g, GDI_ADD, NULL, NULL), 0);
    assert_int_equal(t->n_requests, 1);
    gdi_close(g);
}

static void lost_midway_is_not_repeated(void **state)
{
    struct fixture *t = *state;
    t->hang_ups = 1;
    t->after = 2;
    struct gdi *g = open_gdi(t);
    struct seen seen = { 0 };
    struct answer ans = ANSWER_INIT;
    assert_int_equal(call_qmaster(g, GDI_GET, &seen, &ans), -1);
    assert_int_equal(seen.n, 2);
    assert_int_equal(t->n_requests, 1);
    assert_string_equal(ans_first_error(&ans),
                        "connection to qmaster was lost in the middle of its answer");
    ans_free(&ans);
    gdi_close(g);
}

static void a_watch_goes_on_after_a_loss(void **state)
{
    struct fixture *t = *state;
    t->hang_ups = 1;
    t->after = 2;
    struct gdi *g = open_gdi(t);
    assert_int_equal(call_qmaster(g, GDI_WATCH, NULL, NULL), 0);
    assert_int_equal(t->n_requests, 2);
    gdi_close(g);
}

static void stopping_leaves_the_connection_usable_again(void **state)
{
    struct fixture *t = *state;
    t->parts = 50;
    struct gdi *g = open_gdi(t);
    struct seen seen = { .stop_at = 3 };
    assert_int_equal(call_qmaster(g, GDI_GET, &seen, NULL), 1);
    assert_int_equal(seen.n, 3);
    seen = (struct seen){ 0 };
    assert_int_equal(call_qmaster(g, GDI_GET, &seen, NULL), 0);
    assert_int_equal(seen.n, 50);
    gdi_close(g);
}

/* qsub -sync y: an interrupt ends the wait, and the job can be deleted on the same client */
static void a_descriptor_ends_the_wait(void **state)
{
    struct fixture *t = *state;
    int fds[2];
    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    struct gdi *g = open_gdi(t);
    gdi_stop_on(g, fds[0]);
    assert_int_equal(call_qmaster(g, GDI_GET, NULL, NULL), 0); /* not readable yet */
    assert_int_equal(write(fds[1], "x", 1), 1);
    t->parts = 0; /* no answer comes */
    assert_int_equal(call_qmaster(g, GDI_WATCH, NULL, NULL), 1);
    t->hang_ups = 1; /* nor while a lost connection is to be made again */
    assert_int_equal(call_qmaster(g, GDI_WATCH, NULL, NULL), 1);
    gdi_stop_on(g, -1);
    t->hang_ups = 0;
    t->parts = 2;
    struct seen seen = { 0 };
    assert_int_equal(call_qmaster(g, GDI_GET, &seen, NULL), 0);
    assert_int_equal(seen.n, 2);
    gdi_close(g);
    close(fds[0]);
    close(fds[1]);
}

static void nobody_there_reads_as_captured(void **state)
{
    struct fixture *t = *state;
    struct answer ans = ANSWER_INIT;
    assert_null(gdi_open(t->cell, "qtest", &ans));
    assert_int_equal(ans.n, 2);
    assert_string_equal(ans.v[0].text,
                        "commlib error: got select error (No such file or directory)");
    assert_int_equal(strncmp(ans.v[1].text, "unable to send message to qmaster using ", 40), 0);
    assert_non_null(strstr(ans.v[1].text, ": got send error"));
    assert_int_equal(ans.v[1].status, STATUS_ENOCONN);
    ans_free(&ans);
}

static void answers_out_of_range_are_errors(void **state)
{
    (void)state;
    struct GA_Type part = { 0 };
    struct AN_Type *a = cull_append(&part, GA_answers);
    cull_set(a, AN_status, 70000u);
    cull_set(a, AN_quality, 4u);
    struct answer ans = ANSWER_INIT;
    gdi_answers(&part.GA_answers, &ans);
    assert_int_equal(ans.v[0].quality, ANSWER_QUALITY_ERROR);
    assert_int_equal(ans.v[0].status, STATUS_ESEMANTIC);
    assert_string_equal(ans.v[0].text, "");
    ans_free(&ans);
    cull_clear(&cull_GA_Type, &part);
}

#define SERVED(test) cmocka_unit_test_setup_teardown(test, fixture_served, fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERVED(all_parts_and_the_answers_arrive),
        SERVED(requests_on_one_connection_have_ids_of_their_own),
        SERVED(lost_before_the_answer_is_sent_again_with_the_same_id),
        SERVED(lost_for_good_says_that_the_outcome_is_unknown),
        cmocka_unit_test_setup_teardown(who_is_refused_for_good_hears_why_and_that_nothing_was_done,
                                        fixture_full, fixture_teardown),
        cmocka_unit_test_setup_teardown(who_is_refused_for_a_while_gets_in, fixture_full,
                                        fixture_teardown),
        SERVED(lost_midway_is_not_repeated),
        SERVED(a_watch_goes_on_after_a_loss),
        SERVED(stopping_leaves_the_connection_usable_again),
        SERVED(a_descriptor_ends_the_wait),
        cmocka_unit_test_setup_teardown(nobody_there_reads_as_captured, fixture_cell,
                                        fixture_teardown),
        cmocka_unit_test(answers_out_of_range_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
