/* Tests of daemons/schedd/recorder.c: what is recorded is replayed from the file, and where a
 * record ends. */
#include "daemons/schedd/recorder.h"

#include <sys/stat.h>
#include <unistd.h>

#include "libs/sched/record.h"
#include "libs/sched/test/feed.h"
#include "libs/uti/file.h"

struct fixture {
    char dir[32];
    char *path;
    struct recorder *recorder;
    struct sched *sched;
};

static int set_up(void **state)
{
    struct fixture *f = uti_calloc(1, sizeof *f);
    (void)snprintf(f->dir, sizeof f->dir, "/tmp/recorder.XXXXXX");
    if (mkdtemp(f->dir) == NULL)
        return -1;
    f->path = path_join(f->dir, "record");
    f->recorder = recorder_new(f->path);
    f->sched = sched_new();
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    recorder_free(f->recorder);
    sched_free(f->sched);
    (void)file_rmtree(f->dir, NULL);
    free(f->path);
    free(f);
    return 0;
}

static void say_line(struct fixture *f, const char *line)
{
    struct EV_Type *event = feed_event(line);
    recorder_event(f->recorder, event);
    assert_int_equal(sched_apply(f->sched, event, NULL), 0);
    cull_delete(&cull_EV_Type, event);
}

static void decide_at(struct fixture *f, uint64_t now_s, struct OR_Type_list *orders)
{
    (void)sched_decide(f->sched, now_s, 100, orders);
    recorder_decisions(f->recorder, now_s, 100, orders);
}

static void end_recorder(struct fixture *f)
{
    recorder_free(f->recorder);
    f->recorder = NULL;
}

/* rc as of record_replay; R: record_replay_free */
static int replay_file(const char *path, struct record_replay *r)
{
    struct dstr text = DSTR_INIT;
    assert_int_equal(file_read(path, 100 << 20, &text, NULL), 0);
    int rc = record_replay(dstr_get(&text), text.len, r, NULL);
    dstr_free(&text);
    return rc;
}

static void what_is_recorded_is_replayed(void **state)
{
    struct fixture *f = *state;
    struct OR_Type_list orders = { 0 };
    struct record_replay r;
    assert_true(recorder_follow(f->recorder, 1));
    assert_false(recorder_follow(f->recorder, 1));
    recorder_begin(f->recorder, 0);
    say_line(f, "queue all.q@a 2");
    say_line(f, "job 7 1-3");
    decide_at(f, 100, &orders);
    assert_true(orders.n > 0 && orders.v[0].OR_kind == ORDER_START);
    sched_refused(f->sched, &orders.v[0]);
    recorder_refusal(f->recorder, &orders.v[0]);
    orders_clear(&orders);
    decide_at(f, 101, &orders);
    orders_clear(&orders);
    recorder_send(f->recorder);
    end_recorder(f);
    assert_int_equal(replay_file(f->path, &r), 0);
    assert_int_equal(r.n_schedulers, 1);
    assert_int_equal(r.n_events, 2);
    assert_int_equal(r.n_decisions, 2);
    assert_int_equal(r.left_bytes, 0);
    record_replay_free(&r);
}

static void nothing_is_recorded_unless_it_is_wanted(void **state)
{
    struct fixture *f = *state;
    struct OR_Type_list orders = { 0 };
    recorder_begin(f->recorder, 0);
    say_line(f, "queue all.q@a 2");
    decide_at(f, 100, &orders);
    recorder_send(f->recorder);
    assert_false(recorder_follow(f->recorder, 0));
    assert_false(recorder_follow(NULL, 1));
    recorder_begin(NULL, 0);
    recorder_send(NULL);
    end_recorder(f);
    orders_clear(&orders);
    assert_int_not_equal(access(f->path, F_OK), 0);
}

static void a_full_record_ends_and_can_be_replayed(void **state)
{
    struct fixture *f = *state;
    struct record_replay r;
    struct stat st;
    assert_true(recorder_follow(f->recorder, 1));
    recorder_begin(f->recorder, 0);
    for (unsigned i = 0; i < 50000; i++) {
        char line[64];
        (void)snprintf(line, sizeof line, "queue all.q@h%u 2", i % 100);
        say_line(f, line);
    }
    end_recorder(f);
    assert_int_equal(stat(f->path, &st), 0);
    assert_true(st.st_size > (900 << 10) && st.st_size <= (1 << 20));
    assert_int_equal(replay_file(f->path, &r), 0);
    assert_int_equal(r.left_bytes, 0);
    assert_true(r.n_events > 1000 && r.n_events < 50000);
    record_replay_free(&r);
}

static void a_record_begins_anew_and_goes_on_with_a_new_scheduler(void **state)
{
    struct fixture *f = *state;
    struct record_replay r;
    char *before = path_join(f->dir, "record.1");
    assert_true(recorder_follow(f->recorder, 1));
    recorder_begin(f->recorder, 0);
    say_line(f, "queue all.q@a 2");
    recorder_begin(f->recorder, 0);
    say_line(f, "queue all.q@b 2");
    assert_true(recorder_follow(f->recorder, 2));
    say_line(f, "queue all.q@c 2"); /* of a state that is void */
    recorder_begin(f->recorder, 0);
    say_line(f, "queue all.q@d 2");
    end_recorder(f);
    assert_int_equal(replay_file(before, &r), 0);
    assert_int_equal(r.n_schedulers, 2);
    assert_int_equal(r.n_events, 2);
    record_replay_free(&r);
    assert_int_equal(replay_file(f->path, &r), 0);
    assert_int_equal(r.n_schedulers, 1);
    assert_int_equal(r.n_events, 1);
    record_replay_free(&r);
    free(before);
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(what_is_recorded_is_replayed),
        T(nothing_is_recorded_unless_it_is_wanted),
        T(a_full_record_ends_and_can_be_replayed),
        T(a_record_begins_anew_and_goes_on_with_a_new_scheduler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
