/* Work that blocks does not delay the main thread, and what hangs is bounded. */
#include "libs/feed/workers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka last: it needs the four above */
#include <cmocka.h>

#include <poll.h>
#include <stdatomic.h>
#include <unistd.h>

#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"

static atomic_uint n_freed;

/* it runs until a byte comes over the pipe */
struct gate {
    int fds[2];
    unsigned n_done;
};

static void read_byte(void *data)
{
    char byte;
    (void)!read(((struct gate *)data)->fds[0], &byte, 1);
}

static void count_done(void *ctx, void *data SGE_UNUSED)
{
    ((struct gate *)ctx)->n_done++;
}

static void count_free(void *data SGE_UNUSED)
{
    n_freed++;
}

static struct work work_at(struct gate *g)
{
    return (struct work){ read_byte, count_done, count_free, g, g };
}

static void open_gate(struct gate *g, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        assert_int_equal(write(g->fds[1], "x", 1), 1);
}

static void take_until_freed(struct workers *w, unsigned n)
{
    while (n_freed < n) {
        struct pollfd fd = { .fd = workers_fd(w), .events = POLLIN };
        assert_int_equal(poll(&fd, 1, 60000), 1);
        workers_take(w);
    }
}

static void ends_come_to_the_main_thread(void **state SGE_UNUSED)
{
    struct workers *w = workers_new(NULL);
    struct gate a, b;
    n_freed = a.n_done = b.n_done = 0;
    assert_int_equal(pipe(a.fds), 0);
    assert_int_equal(pipe(b.fds), 0);
    struct work first = work_at(&a), second = work_at(&b);
    assert_int_equal(workers_run(w, &first, NULL), 0);
    assert_int_equal(workers_run(w, &second, NULL), 0);
    workers_take(w);
    assert_int_equal(a.n_done + b.n_done, 0);
    open_gate(&b, 1);
    take_until_freed(w, 1);
    assert_int_equal(a.n_done, 0);
    assert_int_equal(b.n_done, 1);
    workers_forget(w, &a);
    open_gate(&a, 1);
    take_until_freed(w, 2);
    assert_int_equal(a.n_done, 0);
    assert_false(workers_free(w));
    assert_false(workers_free(NULL));
}

static void what_hangs_is_bounded_and_is_left_behind(void **state SGE_UNUSED)
{
    struct workers *w = workers_new(NULL);
    struct answer ans = ANSWER_INIT;
    struct gate g;
    n_freed = g.n_done = 0;
    assert_int_equal(pipe(g.fds), 0);
    struct work work = work_at(&g);
    for (unsigned i = 0; i < WORKERS_MOST; i++)
        assert_int_equal(workers_run(w, &work, &ans), 0);
    assert_int_equal(workers_run(w, &work, &ans), -1);
    assert_true(ans_has_error(&ans));
    assert_int_equal(n_freed, 1);
    ans_free(&ans);
    open_gate(&g, 1);
    take_until_freed(w, 2);
    assert_int_equal(workers_run(w, &work, NULL), 0);
    assert_true(workers_free(w));
    open_gate(&g, WORKERS_MOST);
    while (n_freed < WORKERS_MOST + 2)
        (void)poll(NULL, 0, 1);
    assert_int_equal(g.n_done, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_come_to_the_main_thread),
        cmocka_unit_test(what_hangs_is_bounded_and_is_left_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
