/* What ends a process ends only the call under a guard. */
#include "libs/uti/guard.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"
#include "libs/uti/time.h"

/* the sanitizers' allocator shall refuse as the system's does, not end the test */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

struct scene {
    pthread_mutex_t *lock;
    bool is_past; /* what stands behind the failure was reached */
    enum guard_end inner;
};

static void ask_too_much(void *ctx)
{
    struct scene *s = ctx;
    volatile size_t huge = (size_t)PTRDIFF_MAX;
    if (s->lock != NULL)
        guard_lock(s->lock);
    free(uti_alloc(huge));
    s->is_past = true;
}

static void claim_nonsense(void *ctx)
{
    struct scene *s = ctx;
    ASSERT(s == NULL);
    s->is_past = true;
}

static void do_nothing_wrong(void *ctx)
{
    struct scene *s = ctx;
    guard_lock(s->lock);
    guard_unlock(s->lock);
    s->is_past = true;
}

static void guard_another(void *ctx)
{
    struct scene *s = ctx;
    s->inner = guard_call(ask_too_much, s, NULL);
    claim_nonsense(s);
}

static void a_call_that_succeeds_is_done(void **state)
{
    (void)state;
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct scene s = { .lock = &lock };
    assert_int_equal(guard_call(do_nothing_wrong, &s, NULL), GUARD_DONE);
    assert_true(s.is_past);
}

static void refused_memory_ends_the_call_and_releases_its_lock(void **state)
{
    (void)state;
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct scene s = { .lock = &lock };
    assert_int_equal(guard_call(ask_too_much, &s, NULL), GUARD_NO_MEMORY);
    assert_false(s.is_past);
    assert_int_equal(pthread_mutex_trylock(&lock), 0);
    pthread_mutex_unlock(&lock);
}

static void open_and_ask_too_much(void *ctx)
{
    int *fds = ctx;
    int first = guard_opened(open("/dev/null", O_RDONLY | O_CLOEXEC));
    fds[1] = guard_opened(open("/dev/null", O_RDONLY | O_CLOEXEC));
    guard_close(first);
    fds[0] = dup(fds[1]); /* where the first was; nobody has told the guard of it */
    ask_too_much(&(struct scene){ .lock = NULL });
}

static void refused_memory_closes_what_was_opened_and_not_closed(void **state)
{
    (void)state;
    int fds[2];
    assert_int_equal(guard_call(open_and_ask_too_much, fds, NULL), GUARD_NO_MEMORY);
    assert_int_equal(fcntl(fds[1], F_GETFD), -1);
    assert_int_equal(close(fds[0]), 0);
}

static void a_false_claim_ends_the_call_and_says_which(void **state)
{
    (void)state;
    struct scene s = { .lock = NULL };
    char claim[GUARD_CLAIM_BYTES] = "";
    assert_int_equal(guard_call(claim_nonsense, &s, claim), GUARD_BROKEN);
    assert_false(s.is_past);
    assert_non_null(strstr(claim, "s == NULL in claim_nonsense"));
}

static void guards_stand_within_guards(void **state)
{
    (void)state;
    struct scene s = { .lock = NULL };
    assert_int_equal(guard_call(guard_another, &s, NULL), GUARD_BROKEN);
    assert_int_equal(s.inner, GUARD_NO_MEMORY);
}

static void a_wait_ends_when_its_time_is_over(void **state)
{
    (void)state;
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t cond;
    guard_cond_init(&cond);
    guard_lock(&lock);
    uint64_t until_us = uti_mono_us() + 1000;
    while (guard_wait(&cond, &lock, until_us))
        ;
    assert_true(uti_mono_us() >= until_us);
    guard_unlock(&lock);
    pthread_cond_destroy(&cond);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_that_succeeds_is_done),
        cmocka_unit_test(refused_memory_ends_the_call_and_releases_its_lock),
        cmocka_unit_test(refused_memory_closes_what_was_opened_and_not_closed),
        cmocka_unit_test(a_false_claim_ends_the_call_and_says_which),
        cmocka_unit_test(guards_stand_within_guards),
        cmocka_unit_test(a_wait_ends_when_its_time_is_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
