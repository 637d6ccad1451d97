/* Reads of the accounting file: parts that are bounded, one slice in memory, and what is kept from
 * whom. The reader's thread is played between the turns. */
#include "daemons/qmaster/requests/reads/reads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemons/qmaster/change/connections.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/io/account_walk.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"

enum { SERIAL = 78 };

static void ask_for_lines(struct fixture *f, const char *user, const char *first,
                          const char *second)
{
    const char *jobs[] = { first, second };
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_verb, (uint32_t)GDI_GET);
    cull_set(&gr, GR_target, (uint32_t)GDI_ACCOUNTING);
    for (size_t i = 0; i < ARRAY_LEN(jobs) && jobs[i] != NULL; i++)
        cull_set(cull_append(&gr, GR_select), ID_str, jobs[i]);
    fixture_hear(f, fixture_connection(f, user), SERIAL, &gr);
}

struct heard {
    struct dstr lines, texts;
    uint32_t parts;
    size_t longest; /* part */
    bool is_complete;
};

static void hear_parts(struct fixture *f, struct heard *h)
{
    for (uint32_t i = 0; i < f->n_sent; i++) {
        struct GA_Type part = { 0 };
        struct unpacker u = unpacker_over(f->sent[i].body, f->sent[i].len);
        if (f->sent[i].kind != GDI_FRAME_ANSWER || f->sent[i].serial != SERIAL)
            continue;
        assert_false(h->is_complete);
        assert_int_equal(cull_unpack(&u, &cull_GA_Type, NULL, NULL, &part, NULL), 0);
        dstr_add(&h->lines, part.GA_lines != NULL ? part.GA_lines : "");
        for (uint32_t k = 0; k < part.GA_answers.n; k++)
            dstr_add(&h->texts, part.GA_answers.v[k].AN_text);
        h->longest = f->sent[i].len > h->longest ? f->sent[i].len : h->longest;
        h->parts++;
        h->is_complete = part.GA_is_last;
        cull_clear(&cull_GA_Type, &part);
    }
    fixture_forget_sent(f);
}

static void hear_to_the_end(struct fixture *f, struct heard *h)
{
    while (fixture_turn(f))
        hear_parts(f, h);
    hear_parts(f, h);
}

static void forget_heard(struct heard *h)
{
    dstr_free(&h->lines);
    dstr_free(&h->texts);
}

static void add_lines(struct fixture *f, unsigned first_job, unsigned n)
{
    FILE *file = fopen(f->accounting, "a");
    for (unsigned i = 0; i < n; i++)
        fprintf(file, "all.q:host:alice:alice:name:%u:rest\n", first_job + i);
    assert_int_equal(fclose(file), 0);
}

static void lines_of_jobs_come_alone(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    add_lines(f, 1, 20);
    add_lines(f, 7, 1);
    ask_for_lines(f, "alice", "12", "7");
    hear_to_the_end(f, &h);
    assert_true(h.is_complete);
    assert_string_equal(dstr_get(&h.lines), "all.q:host:alice:alice:name:7:rest\n"
                                            "all.q:host:alice:alice:name:12:rest\n"
                                            "all.q:host:alice:alice:name:7:rest\n");
    forget_heard(&h);
}

static void a_long_file_comes_in_bounded_parts_whole(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    add_lines(f, 1, 50000);
    ask_for_lines(f, "alice", NULL, NULL);
    hear_to_the_end(f, &h);
    assert_true(h.is_complete);
    assert_in_range(h.parts, 5, 10);
    assert_in_range(h.longest, 1, ACCOUNT_SLICE_FOUND + 4096);
    const char *at = strstr(dstr_get(&h.lines), "name:1:");
    for (unsigned job = 1; job <= 50000; job++, at = strchr(at, '\n') + 1) {
        const char *number = strstr(at, "name:");
        assert_int_equal(strtoul(number + strlen("name:"), NULL, 10), job);
    }
    forget_heard(&h);
}

/* Its slices find nothing, and the core goes on between them. */
static void one_line_far_behind_is_found(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    add_lines(f, 1000, ACCOUNT_SLICE_READ / 30);
    add_lines(f, 3, 1);
    ask_for_lines(f, "alice", "3", NULL);
    hear_to_the_end(f, &h);
    assert_string_equal(dstr_get(&h.lines), "all.q:host:alice:alice:name:3:rest\n");
    assert_int_equal(h.parts, 1);
    forget_heard(&h);
}

static void half_a_line_is_not_told(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    add_lines(f, 5, 1);
    FILE *file = fopen(f->accounting, "a");
    fputs("all.q:host:alice:alice:name:5:begun and not", file);
    assert_int_equal(fclose(file), 0);
    ask_for_lines(f, "alice", "5", NULL);
    hear_to_the_end(f, &h);
    assert_true(h.is_complete);
    assert_string_equal(dstr_get(&h.lines), "all.q:host:alice:alice:name:5:rest\n");
    forget_heard(&h);
}

static void a_file_that_is_moved_away_is_read_to_its_end(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    char moved[4096];
    (void)snprintf(moved, sizeof moved, "%s.1", f->accounting);
    add_lines(f, 1, 20000);
    ask_for_lines(f, "alice", NULL, NULL);
    while (fixture_turn(f) && h.parts == 0)
        hear_parts(f, &h);
    assert_false(h.is_complete);
    assert_int_equal(rename(f->accounting, moved), 0);
    hear_to_the_end(f, &h);
    assert_true(h.is_complete);
    assert_non_null(strstr(dstr_get(&h.lines), "name:20000:"));
    forget_heard(&h);
}

static void a_file_that_others_may_not_read_is_for_managers(void **state)
{
    struct fixture *f = *state;
    struct heard alice = { 0 }, root = { 0 };
    add_lines(f, 5, 1);
    assert_int_equal(chmod(f->accounting, 0640), 0);
    ask_for_lines(f, "alice", "5", NULL);
    hear_to_the_end(f, &alice);
    assert_true(alice.is_complete);
    assert_string_equal(dstr_get(&alice.lines), "");
    assert_string_equal(dstr_get(&alice.texts),
                        "the qmaster cannot read the accounting file for you: Permission denied");
    ask_for_lines(f, "root", "5", NULL);
    hear_to_the_end(f, &root);
    assert_string_equal(dstr_get(&root.lines), "all.q:host:alice:alice:name:5:rest\n");
    forget_heard(&alice);
    forget_heard(&root);
}

static void a_file_that_is_not_there_has_no_lines(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    assert_int_equal(unlink(f->accounting), 0);
    ask_for_lines(f, "alice", NULL, NULL);
    hear_to_the_end(f, &h);
    assert_true(h.is_complete);
    assert_string_equal(dstr_get(&h.lines), "");
    assert_string_equal(dstr_get(&h.texts), "");
    forget_heard(&h);
}

static void what_is_no_number_is_refused(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    ask_for_lines(f, "alice", "7", "4294967296");
    hear_to_the_end(f, &h);
    assert_true(h.is_complete);
    assert_string_equal(dstr_get(&h.texts), "denied: \"4294967296\" is not the number of a job");
    forget_heard(&h);
}

static void nothing_is_read_for_who_does_not_read(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    add_lines(f, 1, 50000);
    ask_for_lines(f, "alice", NULL, NULL);
    f->queued = WORK_BYTES_UNREAD + 1;
    while (fixture_turn(f))
        hear_parts(f, &h);
    assert_int_equal(h.parts, 0);
    f->queued = 0;
    lane_drained(fixture_connection(f, "alice")->lane);
    hear_to_the_end(f, &h);
    assert_true(h.is_complete);
    forget_heard(&h);
}

/* The leak checker watches: the walk is with the reader when its connection goes. */
static void who_has_gone_is_told_nothing(void **state)
{
    struct fixture *f = *state;
    struct heard h = { 0 };
    add_lines(f, 1, 50000);
    ask_for_lines(f, "alice", NULL, NULL);
    assert_true(work_step(&f->q));
    connections_close(&f->q, fixture_connection(f, "alice")->conn);
    hear_to_the_end(f, &h);
    assert_int_equal(h.parts, 0);
    forget_heard(&h);
}

int main(void)
{
#define LINES_TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
    static const struct CMUnitTest tests[] = {
        LINES_TEST(lines_of_jobs_come_alone),
        LINES_TEST(a_long_file_comes_in_bounded_parts_whole),
        LINES_TEST(one_line_far_behind_is_found),
        LINES_TEST(half_a_line_is_not_told),
        LINES_TEST(a_file_that_is_moved_away_is_read_to_its_end),
        LINES_TEST(a_file_that_others_may_not_read_is_for_managers),
        LINES_TEST(a_file_that_is_not_there_has_no_lines),
        LINES_TEST(what_is_no_number_is_refused),
        LINES_TEST(nothing_is_read_for_who_does_not_read),
        LINES_TEST(who_has_gone_is_told_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
