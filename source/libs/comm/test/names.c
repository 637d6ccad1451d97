/* Names of users and groups, against a name service that the test plays. */
#include "libs/comm/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <grp.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

#include "libs/comm/loop.h"
#include "libs/comm/member_of.h"
#include "libs/uti/alloc.h"

enum { NOW_S = 1000, BOB = 1001, LARGE_BYTES = 100000, HANGING = 2000000, WAITING = 3000000 };

static struct service { /* what it answers; set by each test */
    int err;            /* instead of an answer */
    const char *bob;    /* the name of BOB; NULL: there is no such user */
    size_t needs_bytes;
    gid_t gid; /* the primary group of each */
    int n_groups;
    bool is_everybody; /* everybody has a name */
    _Atomic int asked;
    pthread_mutex_t gate; /* whoever asks for a number from HANGING on goes through it */
    sem_t passes;         /* from WAITING on: each takes one */
} service = { .gate = PTHREAD_MUTEX_INITIALIZER };

int __wrap_getpwuid_r(uid_t uid, struct passwd *entry, char *buf, size_t bytes,
                      struct passwd **found);
int __wrap_getgrgid_r(gid_t gid, struct group *entry, char *buf, size_t bytes,
                      struct group **found);

/* writes the name into BUF, as the real ones do; an error number */
static int play_name(uint32_t id, char *buf, size_t bytes, char **name)
{
    service.asked++;
    if (id >= WAITING) {
        while (sem_wait(&service.passes) != 0)
            assert_int_equal(errno, EINTR);
    } else if (id >= HANGING) {
        pthread_mutex_lock(&service.gate);
        pthread_mutex_unlock(&service.gate);
    }
    if (service.err != 0)
        return service.err;
    if (bytes < service.needs_bytes)
        return ERANGE;
    if (service.is_everybody)
        *name = memcpy(buf, "somebody", sizeof "somebody");
    else if (id == BOB && service.bob != NULL)
        *name = memcpy(buf, service.bob, strlen(service.bob) + 1);
    return 0;
}

int __wrap_getpwuid_r(uid_t uid, struct passwd *entry, char *buf, size_t bytes,
                      struct passwd **found)
{
    *entry = (struct passwd){ 0 };
    *found = NULL;
    int err = play_name(uid, buf, bytes, &entry->pw_name);
    entry->pw_gid = service.gid;
    if (entry->pw_name != NULL)
        *found = entry;
    return err;
}

int __wrap_getgrgid_r(gid_t gid, struct group *entry, char *buf, size_t bytes, struct group **found)
{
    *entry = (struct group){ 0 };
    *found = NULL;
    int err = play_name(gid, buf, bytes, &entry->gr_name);
    if (entry->gr_name != NULL)
        *found = entry;
    return err;
}

/* every user is in the groups BOB and 4242, which has no name, beside the primary one; n_groups
 * more are called as BOB is */
int __wrap_getgrouplist(const char *user, gid_t gid, gid_t *groups, int *n);

int __wrap_getgrouplist(const char *user, gid_t gid, gid_t *groups, int *n)
{
    int room = *n, all = 3 + service.n_groups;
    assert_non_null(user);
    for (int i = 0; i < all && i < room; i++)
        groups[i] = i == 0 ? gid : i == 1 ? 4242 : BOB;
    *n = all;
    return all <= room ? all : -1;
}

/* the loop that names are used in, as far as they use it: a poke of a thread that has asked, and
 * what it calls */
static struct {
    loop_fn fn;
    void *ctx;
    sem_t pokes;
} wake;

struct loop_watch *__wrap_loop_wake_new(struct loop *l, loop_fn fn, void *ctx);
void __wrap_loop_wake(struct loop_watch *w);
void __wrap_loop_watch_free(struct loop_watch *w);

struct loop_watch *__wrap_loop_wake_new(struct loop *l, loop_fn fn, void *ctx)
{
    (void)l;
    wake.fn = fn;
    wake.ctx = ctx;
    return (struct loop_watch *)&wake;
}

void __wrap_loop_wake(struct loop_watch *w)
{
    assert_ptr_equal(w, &wake);
    sem_post(&wake.pokes);
}

void __wrap_loop_watch_free(struct loop_watch *w)
{
    if (w != NULL)
        wake.fn = NULL;
}

struct fixture {
    struct names *names;
    int n_arrived;
};

static void on_arrived(void *ctx)
{
    ((struct fixture *)ctx)->n_arrived++;
}

static int set_up(void **state)
{
    struct fixture *f = uti_calloc(1, sizeof *f);
    service.err = 0;
    service.bob = "bob";
    service.needs_bytes = 0;
    service.gid = 100;
    service.n_groups = 0;
    service.is_everybody = false;
    service.asked = 0;
    sem_init(&service.passes, 0, 0);
    sem_init(&wake.pokes, 0, 0);
    f->names = names_new(NULL, on_arrived, f, NULL);
    assert_non_null(f->names);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    names_free(f->names);
    free(f);
    return 0;
}

/* until something has arrived */
static void wait_arrival(struct fixture *f)
{
    int before = f->n_arrived;
    while (sem_wait(&wake.pokes) != 0)
        assert_int_equal(errno, EINTR);
    wake.fn(wake.ctx);
    assert_int_equal(f->n_arrived, before + 1);
}

typedef const char *(*get_fn)(struct names *n, uid_t id, uint64_t now_s);

/* the name, when it has arrived */
static const char *get_name(void **state, get_fn fn, uint32_t id, uint64_t now_s)
{
    struct fixture *f = *state;
    const char *name;
    while ((name = fn(f->names, id, now_s)) == NULL)
        wait_arrival(f);
    return name;
}

static const char *get_user(void **state, uint32_t uid, uint64_t now_s)
{
    return get_name(state, names_user, uid, now_s);
}

static const char *get_group(void **state, uint32_t gid, uint64_t now_s)
{
    return get_name(state, names_group, gid, now_s);
}

/* what is known has become old: it is used until the new one is there */
static const char *get_renewed(void **state, uint32_t uid, uint64_t now_s)
{
    struct fixture *f = *state;
    assert_non_null(names_user(f->names, uid, now_s));
    wait_arrival(f);
    return names_user(f->names, uid, now_s);
}

static void a_user_has_a_name_and_is_asked_for_once(void **state)
{
    struct fixture *f = *state;
    assert_null(names_user(f->names, BOB, NOW_S));
    assert_null(names_known_user(f->names, BOB));
    assert_string_equal(get_user(state, BOB, NOW_S), "bob");
    assert_string_equal(names_user(f->names, BOB, NOW_S + 299), "bob");
    assert_string_equal(names_known_user(f->names, BOB), "bob");
    assert_int_equal(service.asked, 1);
}

static void a_new_name_is_seen_after_some_minutes(void **state)
{
    assert_string_equal(get_user(state, BOB, NOW_S), "bob");
    service.bob = "robert";
    assert_string_equal(get_renewed(state, BOB, NOW_S + 300), "robert");
    service.bob = NULL; /* he has gone */
    assert_string_equal(get_renewed(state, BOB, NOW_S + 600), "1001");
}

static void who_has_no_name_is_a_number(void **state)
{
    assert_string_equal(get_user(state, 4242, NOW_S), "4242");
    assert_string_equal(get_group(state, 4243, NOW_S), "4243");
    service.err = ENOENT; /* some services say it so */
    assert_string_equal(get_user(state, 4244, NOW_S), "4244");
    assert_string_equal(get_user(state, 4244, NOW_S + 299), "4244");
    assert_int_equal(service.asked, 3);
}

static void a_group_with_thousands_of_members_has_a_name(void **state)
{
    service.needs_bytes = LARGE_BYTES;
    assert_string_equal(get_group(state, BOB, NOW_S), "bob");
}

static void a_service_that_always_wants_more_ends(void **state)
{
    service.needs_bytes = SIZE_MAX;
    assert_string_equal(get_group(state, BOB, NOW_S), "1001");
}

static void a_service_that_fails_takes_nobodys_name(void **state)
{
    assert_string_equal(get_user(state, BOB, NOW_S), "bob");
    service.err = EIO;
    assert_string_equal(get_renewed(state, BOB, NOW_S + 300), "bob");
    assert_string_equal(get_user(state, BOB, NOW_S + 304), "bob");
    assert_int_equal(service.asked, 2);
    service.err = 0;
    service.bob = "robert";
    assert_string_equal(get_renewed(state, BOB, NOW_S + 305), "robert");
}

static void who_comes_while_it_fails_is_a_number_for_a_moment(void **state)
{
    service.err = EIO;
    assert_string_equal(get_user(state, BOB, NOW_S), "1001");
    service.err = 0;
    assert_string_equal(get_user(state, BOB, NOW_S + 4), "1001");
    assert_string_equal(get_renewed(state, BOB, NOW_S + 5), "bob");
}

/* what is found out about UID, when it has arrived */
static enum names_found find_user(void **state, uid_t uid, uint64_t now_s, struct names_user *out)
{
    struct fixture *f = *state;
    enum names_found found;
    while ((found = names_find_user(f->names, uid, now_s, out)) == NAMES_ASKED)
        wait_arrival(f);
    return found;
}

static void a_user_is_found_with_the_primary_group(void **state)
{
    struct fixture *f = *state;
    struct names_user u;
    service.gid = 100;
    assert_int_equal(names_find_user(f->names, BOB, NOW_S, &u), NAMES_ASKED);
    assert_int_equal(find_user(state, BOB, NOW_S, &u), NAMES_FOUND);
    assert_string_equal(u.name, "bob");
    assert_int_equal(u.gid, 100);
    service.err = EIO;
    assert_string_equal(get_renewed(state, BOB, NOW_S + 300), "bob");
    assert_int_equal(find_user(state, BOB, NOW_S + 300, &u), NAMES_FOUND);
    assert_int_equal(u.gid, 100);
}

static void nobody_is_found_by_a_number_instead_of_a_name(void **state)
{
    struct names_user u;
    service.bob = NULL;
    assert_int_equal(find_user(state, BOB, NOW_S, &u), NAMES_NOBODY);
    service.bob = "bob"; /* he comes, and is seen when the answer has become old */
    assert_int_equal(find_user(state, BOB, NOW_S + 299, &u), NAMES_NOBODY);
    assert_int_equal(find_user(state, BOB, NOW_S + 300, &u), NAMES_FOUND);
}

static void a_service_that_fails_leaves_it_open_who_somebody_is(void **state)
{
    struct names_user u;
    service.err = EIO;
    assert_int_equal(find_user(state, BOB, NOW_S, &u), NAMES_UNSURE);
    service.err = 0;
    assert_int_equal(find_user(state, BOB, NOW_S + 5, &u), NAMES_FOUND);
    assert_string_equal(u.name, "bob");
}

/* what groups UID is in, when it is known */
static enum names_found find_groups(void **state, uid_t uid, uint64_t now_s, const char **text)
{
    struct fixture *f = *state;
    enum names_found found;
    while ((found = names_find_groups(f->names, uid, now_s, text)) == NAMES_ASKED)
        wait_arrival(f);
    return found;
}

static void a_user_is_in_groups_that_have_names(void **state)
{
    const char *text;
    service.gid = BOB;
    assert_int_equal(find_groups(state, BOB, NOW_S, &text), NAMES_FOUND);
    assert_string_equal(text, "bob:bob:bob:");
    assert_string_equal(get_user(state, BOB, NOW_S), "bob");
    assert_int_equal(find_groups(state, 4242, NOW_S, &text), NAMES_NOBODY);
}

static void groups_are_believed_for_a_time_and_not_longer(void **state)
{
    struct fixture *f = *state;
    const char *text;
    names_set_time(f->names, 60);
    assert_int_equal(find_groups(state, BOB, NOW_S, &text), NAMES_FOUND);
    assert_int_equal(names_find_groups(f->names, BOB, NOW_S + 59, &text), NAMES_FOUND);
    service.n_groups = 1;
    assert_int_equal(names_find_groups(f->names, BOB, NOW_S + 60, &text), NAMES_ASKED);
    assert_int_equal(find_groups(state, BOB, NOW_S + 60, &text), NAMES_FOUND);
    assert_string_equal(text, "bob:bob:bob:");
    service.err = EIO; /* what is known counts on */
    assert_int_equal(names_find_groups(f->names, BOB, NOW_S + 120, &text), NAMES_ASKED);
    assert_int_equal(find_groups(state, BOB, NOW_S + 120, &text), NAMES_FOUND);
    assert_string_equal(text, "bob:bob:bob:");
}

static void a_service_that_fails_leaves_it_open_who_is_in_a_group(void **state)
{
    const char *text;
    service.err = EIO;
    assert_int_equal(find_groups(state, BOB, NOW_S, &text), NAMES_UNSURE);
}

static void groups_are_as_many_as_fit(void **state)
{
    const char *text;
    service.n_groups = 20000; /* "bob:" each */
    assert_int_equal(find_groups(state, BOB, NOW_S, &text), NAMES_FOUND);
    assert_int_equal(strlen(text), MEMBER_OF_MOST);
    assert_string_equal(text + MEMBER_OF_MOST - 8, "bob:bob:");
}

static void users_and_groups_are_not_mixed_up(void **state)
{
    assert_string_equal(get_user(state, BOB, NOW_S), "bob");
    service.bob = "staff";
    assert_string_equal(get_group(state, BOB, NOW_S), "staff");
    assert_string_equal(get_user(state, BOB, NOW_S), "bob");
    names_free(NULL);
}

/* 64 users hang, and the name of one of those who are known as well */
static void names_that_hang_hold_up_nobody_else(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(get_user(state, BOB, NOW_S), "bob");
    pthread_mutex_lock(&service.gate);
    for (uint32_t i = 0; i < 64; i++)
        assert_null(names_user(f->names, HANGING + i, NOW_S + 300));
    assert_string_equal(names_user(f->names, BOB, NOW_S + 300), "bob");
    assert_string_equal(get_user(state, 4242, NOW_S + 300), "4242"); /* a new one */
    pthread_mutex_unlock(&service.gate);
    for (uint32_t i = 0; i < 64; i++)
        assert_non_null(get_user(state, HANGING + i, NOW_S + 300));
}

static void more_that_hang_than_can_be_asked_for_have_their_turn(void **state)
{
    struct fixture *f = *state;
    pthread_mutex_lock(&service.gate);
    for (uint32_t i = 0; i < 2 * NAMES_THREADS; i++)
        assert_null(names_user(f->names, HANGING + i, NOW_S));
    pthread_mutex_unlock(&service.gate);
    for (uint32_t i = 0; i < 2 * NAMES_THREADS; i++)
        assert_non_null(get_user(state, HANGING + i, NOW_S));
    assert_int_equal(service.asked, 2 * NAMES_THREADS);
}

/* alice's subordinate ids, in two ranges; more of them than there are threads, and all of them
 * hang */
static void ids_of_one_user_leave_threads_to_others(void **state)
{
    struct fixture *f = *state;
    enum { FIRST = (HANGING / NAMES_RANGE + 1) * NAMES_RANGE - NAMES_THREADS };
    pthread_mutex_lock(&service.gate);
    for (uint32_t i = 0; i < 2 * NAMES_THREADS; i++)
        assert_null(names_user(f->names, FIRST + i, NOW_S));
    assert_string_equal(get_user(state, BOB, NOW_S), "bob");
    assert_string_equal(get_group(state, BOB, NOW_S), "bob");
    pthread_mutex_unlock(&service.gate);
    for (uint32_t i = 0; i < 2 * NAMES_THREADS; i++)
        assert_non_null(get_user(state, FIRST + i, NOW_S));
    assert_int_equal(service.asked, 2 * NAMES_THREADS + 2);
}

/* three ranges have taken all threads, each at least 32: who comes then gets the first that is
 * free, before all those who have waited longer */
static void the_range_with_the_fewest_threads_is_next(void **state)
{
    struct fixture *f = *state;
    enum { EACH = NAMES_THREADS, ALL = 3 * EACH };
    for (uint32_t i = 0; i < ALL; i++)
        assert_null(names_user(f->names, WAITING + i / EACH * NAMES_RANGE + i % EACH, NOW_S));
    while (service.asked < NAMES_THREADS)
        sched_yield();
    assert_null(names_user(f->names, BOB, NOW_S));
    assert_null(names_user(f->names, WAITING + EACH, NOW_S));
    assert_int_equal(service.asked, NAMES_THREADS);
    sem_post(&service.passes);
    assert_string_equal(get_user(state, BOB, NOW_S), "bob");
    for (uint32_t i = 0; i < ALL; i++)
        sem_post(&service.passes);
    for (uint32_t i = 0; i < ALL; i++)
        assert_non_null(get_user(state, WAITING + i / EACH * NAMES_RANGE + i % EACH, NOW_S));
    assert_non_null(get_user(state, WAITING + EACH, NOW_S));
}

static void the_table_keeps_those_used_last(void **state)
{
    struct fixture *f = *state;
    service.is_everybody = true;
    for (uint32_t i = 0; i <= NAMES_KEPT; i++) {
        assert_non_null(get_user(state, 50000 + i, NOW_S));
        if (i % 1000 == 0)
            assert_non_null(names_user(f->names, 50000, NOW_S));
    }
    assert_non_null(names_known_user(f->names, 50000));
    assert_null(names_known_user(f->names, 50001));
    assert_non_null(names_known_user(f->names, 50000 + NAMES_KEPT));
}

static void ids_without_a_name_push_nobody_out_of_the_table(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(get_user(state, BOB, NOW_S), "bob");
    for (uint32_t i = 0; i < NAMES_KEPT; i++)
        assert_non_null(get_user(state, 50000 + i, NOW_S));
    assert_string_equal(names_known_user(f->names, BOB), "bob");
    assert_null(names_known_user(f->names, 50000));
    assert_non_null(names_known_user(f->names, 50000 + NAMES_KEPT - 1));
}

static void an_end_waits_for_no_name(void **state)
{
    struct fixture *f = *state;
    pthread_mutex_lock(&service.gate);
    assert_null(names_user(f->names, HANGING, NOW_S));
    names_free(f->names);
    f->names = NULL;
    pthread_mutex_unlock(&service.gate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
        TEST(a_user_has_a_name_and_is_asked_for_once),
        TEST(a_new_name_is_seen_after_some_minutes),
        TEST(who_has_no_name_is_a_number),
        TEST(a_group_with_thousands_of_members_has_a_name),
        TEST(a_service_that_always_wants_more_ends),
        TEST(a_service_that_fails_takes_nobodys_name),
        TEST(who_comes_while_it_fails_is_a_number_for_a_moment),
        TEST(a_user_is_found_with_the_primary_group),
        TEST(nobody_is_found_by_a_number_instead_of_a_name),
        TEST(a_service_that_fails_leaves_it_open_who_somebody_is),
        TEST(a_user_is_in_groups_that_have_names),
        TEST(groups_are_believed_for_a_time_and_not_longer),
        TEST(a_service_that_fails_leaves_it_open_who_is_in_a_group),
        TEST(groups_are_as_many_as_fit),
        TEST(users_and_groups_are_not_mixed_up),
        TEST(names_that_hang_hold_up_nobody_else),
        TEST(more_that_hang_than_can_be_asked_for_have_their_turn),
        TEST(ids_of_one_user_leave_threads_to_others),
        TEST(the_range_with_the_fewest_threads_is_next),
        TEST(the_table_keeps_those_used_last),
        TEST(ids_without_a_name_push_nobody_out_of_the_table),
        TEST(an_end_waits_for_no_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
