/* Range sets answer like a plain array of flags, whatever the order of operations and the form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libs/cull/test/random_record.h"

static void starts_empty(void **state)
{
    struct range_set s = { 0 };
    struct range r;
    uint32_t m;

    (void)state;
    assert_true(range_set_is_empty(&s));
    assert_int_equal(range_set_count(&s), 0);
    assert_false(range_set_min(&s, &m) || range_set_max(&s, &m) || range_set_next_run(&s, 0, &r));
    range_set_remove(&s, 0, UINT32_MAX);
    range_set_free(&s);
    range_set_free(NULL);
}

static void one_range_needs_no_memory(void **state)
{
    struct range_set s = { 0 };
    uint32_t m;

    (void)state;
    range_set_add(&s, 0, 9999999);
    assert_int_equal(range_set_bytes(&s), 0);
    assert_int_equal(range_set_count(&s), 10000000);
    range_set_remove(&s, 0, 10);
    range_set_remove(&s, 9999990, UINT32_MAX);
    assert_int_equal(range_set_bytes(&s), 0);
    assert_true(range_set_min(&s, &m) && m == 11);
    assert_true(range_set_max(&s, &m) && m == 9999989);
    range_set_remove(&s, 500, 500);
    assert_true(range_set_bytes(&s) > 0 && range_set_bytes(&s) < 200);
    range_set_add(&s, 500, 500);
    assert_int_equal(range_set_bytes(&s), 0); /* whole again: inline again */
    range_set_free(&s);
}

static void highest_member_is_below_the_maximum(void **state)
{
    struct range_set s = { 0 };
    struct range r;
    uint32_t m;

    (void)state;
    range_set_add(&s, UINT32_MAX - 1, UINT32_MAX - 1);
    range_set_add(&s, 0, 0);
    range_set_add(&s, 70000, UINT32_MAX - 3);
    assert_true(range_set_max(&s, &m) && m == UINT32_MAX - 1);
    assert_true(range_set_next_run(&s, 1, &r) && r.first == 70000 && r.last == UINT32_MAX - 3);
    assert_false(range_set_next_run(&s, UINT32_MAX, &r));
    range_set_free(&s);
}

/* every other one of FIRST..LAST, and one more, so that it is no stride: words */
static void add_words(struct range_set *s, uint32_t first, uint32_t last)
{
    range_set_add_stride(s, first, last, 2);
    range_set_add(s, first + 1, first + 1);
}

/* ---- against a model ---- */
enum { SPAN = 150000 };
struct pair {
    struct range_set set;
    uint8_t *model;
};

static void check_pair(const struct pair *p)
{
    uint64_t count = 0, at = 0;
    struct range r;

    for (uint32_t i = 0; i < SPAN;) {
        if (!p->model[i]) {
            i++;
            continue;
        }
        uint32_t end = i;
        while (end < SPAN && p->model[end])
            end++;
        assert_true(range_set_next_run(&p->set, at, &r));
        assert_int_equal(r.first, i);
        assert_int_equal(r.last, end - 1);
        assert_true(range_set_has(&p->set, i) && range_set_has(&p->set, end - 1) &&
                    !range_set_has(&p->set, end));
        count += end - i;
        at = i = end;
    }
    assert_false(range_set_next_run(&p->set, at, &r));
    assert_int_equal(range_set_count(&p->set), count);
    assert_int_equal(range_set_is_empty(&p->set), count == 0);
}

static void change_some(uint64_t *seed, struct pair *p, bool is_scattered)
{
    uint32_t n = is_scattered ? 4000 : 1 + random_below(seed, 4),
             width = is_scattered ? 3 : SPAN / 2;

    if (random_below(seed, 6) == 0)
        width = 1;
    bool add = random_below(seed, 2) != 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t first = random_below(seed, SPAN), last = first + random_below(seed, width);
        if (last >= SPAN)
            last = SPAN - 1;
        memset(p->model + first, add, last - first + 1);
        (add ? range_set_add : range_set_remove)(&p->set, first, last);
    }
}

/* every few members of a part come in, go, or alone stay */
static void change_by_stride(uint64_t *seed, struct pair *p)
{
    uint32_t first = random_below(seed, SPAN), last = first + random_below(seed, SPAN - first);
    uint32_t stride = 2 + random_below(seed, random_below(seed, 2) == 0 ? 2 : 300);
    uint32_t which = random_below(seed, 3);
    struct range_set strided = { 0 };

    range_set_add_stride(&strided, first, last, stride);
    for (uint32_t i = 0; i < SPAN; i++) {
        bool has = i >= first && i <= last && (i - first) % stride == 0;
        if (which == 2 ? !has : has)
            p->model[i] = which == 0;
    }
    (which == 0   ? range_set_unite
     : which == 1 ? range_set_subtract
                  : range_set_intersect)(&p->set, &strided);
    range_set_free(&strided);
}

/* all members go, then some of a stride come in: what follows works with strides */
static void become_stride(uint64_t *seed, struct pair *p)
{
    range_set_remove(&p->set, 0, UINT32_MAX);
    memset(p->model, 0, SPAN);
    while (range_set_is_empty(&p->set))
        change_by_stride(seed, p);
}

static void combine_pairs(uint64_t *seed, struct pair *a, const struct pair *b)
{
    uint32_t which = random_below(seed, 3);
    struct range_set shared = { 0 };

    range_set_intersection(&shared, &a->set, &b->set);
    assert_int_equal(range_set_meets(&a->set, &b->set), !range_set_is_empty(&shared));
    for (uint32_t i = 0; i < SPAN; i++) {
        if (which == 0)
            a->model[i] |= b->model[i];
        else
            a->model[i] &= which == 1 ? b->model[i] : !b->model[i];
    }
    (which == 0   ? range_set_unite
     : which == 1 ? range_set_intersect
                  : range_set_subtract)(&a->set, &b->set);
    if (which == 1)
        assert_true(range_set_equal(&a->set, &shared));
    range_set_free(&shared);
}

static void a_set_and_a_window_share_what_is_in_both(void **state)
{
    (void)state;
    struct range_set odd = { 0 }, window = { 0 }, shared = { 0 };
    range_set_add_stride(&odd, 1, 9999999, 2);
    range_set_add(&window, 70000, 199999);
    range_set_intersection(&shared, &window, &odd);
    assert_int_equal(range_set_count(&shared), 65000);
    range_set_intersect(&window, &odd);
    assert_true(range_set_equal(&window, &shared));
    assert_true(range_set_meets(&window, &odd));
    range_set_subtract(&odd, &shared);
    assert_false(range_set_meets(&shared, &odd));
    range_set_intersection(&window, &shared, &odd);
    assert_true(range_set_is_empty(&window));
    range_set_free(&odd);
    range_set_free(&window);
    range_set_free(&shared);
}

/* how many members S shares with FIRST..LAST */
static uint64_t count_within(const struct range_set *s, uint32_t first, uint32_t last)
{
    struct range_set window = { 0 };
    range_set_add(&window, first, last);
    range_set_intersect(&window, s);
    uint64_t count = range_set_count(&window);
    range_set_free(&window);
    return count;
}

static void a_window_beside_a_set_shares_nothing(void **state)
{
    (void)state;
    enum { FIRST = 70016, LAST = 80000 }; /* FIRST begins a word */
    struct range_set even = { 0 };
    range_set_add_stride(&even, FIRST, LAST, 2);
    assert_int_equal(count_within(&even, 0, 65535), 0);
    assert_int_equal(count_within(&even, 0, FIRST - 1), 0);
    assert_int_equal(count_within(&even, 0, FIRST), 1);
    assert_int_equal(count_within(&even, LAST + 1, LAST + 1), 0);
    assert_int_equal(count_within(&even, LAST + 1, UINT32_MAX - 1), 0);
    assert_int_equal(count_within(&even, LAST, UINT32_MAX - 1), 1);
    range_set_free(&even);
}

static uint32_t model_count(const struct pair *p, uint32_t first, uint32_t last)
{
    uint32_t count = 0;
    for (uint32_t i = first; i <= last; i++)
        count += p->model[i];
    return count;
}

static void check_windows(uint64_t *seed, const struct pair *p)
{
    for (int i = 0; i < 20; i++) {
        uint32_t first = random_below(seed, SPAN), last = first + random_below(seed, 40);
        if (last >= SPAN)
            last = SPAN - 1;
        uint32_t count = model_count(p, first, last);
        assert_int_equal(range_set_any_in(&p->set, first, last), count > 0);
        assert_int_equal(count_within(&p->set, first, last), count);
    }
}

static void behaves_like_a_bitmap(void **state)
{
    struct pair p[3];
    uint64_t seed = 1;

    (void)state;
    for (int i = 0; i < 3; i++)
        p[i] = (struct pair){ { 0 }, calloc(SPAN, 1) };
    for (int round = 0; round < 400; round++) {
        struct pair *a = &p[random_below(&seed, 3)], *b = &p[random_below(&seed, 3)];
        if (random_below(&seed, 8) == 0 && a != b) {
            range_set_copy(&a->set, &b->set);
            memcpy(a->model, b->model, SPAN);
        } else if (random_below(&seed, 3) == 0) {
            combine_pairs(&seed, a, b);
        } else if (random_below(&seed, 4) == 0) {
            change_by_stride(&seed, a);
        } else if (random_below(&seed, 4) == 0) {
            become_stride(&seed, a);
        } else {
            change_some(&seed, a, random_below(&seed, 3) == 0);
        }
        check_pair(a);
        check_windows(&seed, a);
        assert_int_equal(range_set_equal(&a->set, &b->set), memcmp(a->model, b->model, SPAN) == 0);
    }
    for (int i = 0; i < 3; i++) {
        range_set_free(&p[i].set);
        free(p[i].model);
    }
}

/* Runs that begin or end where a word does, with and without a neighbour there. */
static void borders_of_words_are_no_borders_of_runs(void **state)
{
    static const struct range rows[] = { { 4500, 4543 },    { 4543, 4544 },   { 4544, 4607 },
                                         { 4544, 4608 },    { 5000, 65535 },  { 65535, 65536 },
                                         { 65536, 131071 }, { 60000, 140000 } };

    (void)state;
    for (unsigned i = 0; i < ARRAY_LEN(rows); i++) {
        struct range_set s = { 0 };
        struct range r;
        for (uint32_t m = 0; m < 4500; m += 2)
            range_set_add(&s, m, m);
        range_set_add(&s, rows[i].first, rows[i].last);
        assert_true(range_set_next_run(&s, 4500, &r));
        assert_int_equal(r.first, rows[i].first);
        assert_int_equal(r.last, rows[i].last);
        assert_false(range_set_next_run(&s, (uint64_t)r.last + 1, &r));
        assert_int_equal(range_set_count(&s), 2250 + rows[i].last - rows[i].first + 1);
        range_set_free(&s);
    }
}

/* the same sets, built up and taken down to them, are equal whichever form they are in */
static void equality_is_of_members(void **state)
{
    struct range_set up = { 0 }, down = { 0 };

    (void)state;
    for (uint32_t i = 0; i < 4000; i += 20)
        range_set_add(&up, i, i);
    for (uint32_t i = 0; i < 4000; i += 2)
        range_set_add(&down, i, i);
    assert_false(range_set_equal(&up, &down));
    for (uint32_t i = 0; i < 4000; i += 2) {
        if (i % 20 != 0)
            range_set_remove(&down, i, i);
    }
    assert_true(range_set_equal(&up, &down) && range_set_equal(&down, &up));
    range_set_move(&up, &down);
    assert_true(range_set_is_empty(&down));
    assert_int_equal(range_set_count(&up), 200);
    range_set_free(&up);
}

static void a_set_with_itself(void **state)
{
    struct range_set s = { 0 };

    (void)state;
    for (uint32_t i = 0; i < 4000; i += 2)
        range_set_add(&s, i, i);
    range_set_unite(&s, &s);
    range_set_intersect(&s, &s);
    range_set_copy(&s, &s);
    range_set_move(&s, &s);
    assert_int_equal(range_set_count(&s), 2000);
    range_set_subtract(&s, &s);
    assert_true(range_set_is_empty(&s));
}

/* ---- copies ---- */
static const struct range_words *words_of(const struct range_set *s)
{
    struct range_walk walk;

    range_walk_begin(&walk, s);
    return walk.words;
}

static void add_one(struct range_set *s)
{
    range_set_add(s, 3, 3);
}
static void remove_one(struct range_set *s)
{
    range_set_remove(s, 2, 2);
}
static void remove_half(struct range_set *s)
{
    range_set_remove(s, 60000, UINT32_MAX);
}
static void unite_thirds(struct range_set *s)
{
    range_set_add_stride(s, 0, 100000, 3);
}
static void with_thirds(struct range_set *s,
                        void (*change)(struct range_set *s, const struct range_set *other))
{
    struct range_set thirds = { 0 };

    range_set_add_stride(&thirds, 0, 100000, 3);
    change(s, &thirds);
    range_set_free(&thirds);
}
static void keep_thirds(struct range_set *s)
{
    with_thirds(s, range_set_intersect);
}
static void lose_thirds(struct range_set *s)
{
    with_thirds(s, range_set_subtract);
}
static void lose_itself(struct range_set *s)
{
    struct range_set same = { 0 };

    range_set_copy(&same, s);
    range_set_subtract(s, &same);
    range_set_free(&same);
}

/* ... whichever of the two it is */
static void a_copy_is_the_same_until_one_of_them_changes(void **state)
{
    static void (*const changes[])(struct range_set *) = { add_one,      remove_one,    remove_half,
                                                           unite_thirds, keep_thirds,   lose_thirds,
                                                           lose_itself,  range_set_free };

    (void)state;
    for (unsigned i = 0; i < 4 * ARRAY_LEN(changes); i++) {
        struct range_set s = { 0 }, copy = { 0 }, as_made = { 0 }, changed = { 0 };
        void (*change)(struct range_set *) = changes[i / 4];
        uint32_t more = i / 2 % 2 == 0 ? 0 : 7; /* a stride, words */
        struct range_set *const same[] = { &s, &as_made, &changed };
        for (unsigned k = 0; k < ARRAY_LEN(same); k++) {
            range_set_add_stride(same[k], 0, 100000, 2);
            range_set_add(same[k], more, more);
        }
        range_set_copy(&copy, &s);
        assert_ptr_equal(words_of(&copy), words_of(&s));
        change(&changed);
        change(i % 2 == 0 ? &s : &copy);
        assert_true(range_set_equal(i % 2 == 0 ? &s : &copy, &changed));
        assert_true(range_set_equal(i % 2 == 0 ? &copy : &s, &as_made));
        range_set_free(&s);
        range_set_free(&copy);
        range_set_free(&as_made);
        range_set_free(&changed);
    }
}

static void what_changes_nothing_leaves_copies_the_same(void **state)
{
    struct range_set s = { 0 }, copy = { 0 }, odd = { 0 }, all = { 0 }, shared = { 0 };

    (void)state;
    add_words(&s, 0, 100000);
    add_words(&odd, 3, 99999);
    range_set_remove(&odd, 4, 4);
    range_set_add(&all, 0, 200000);
    range_set_copy(&copy, &s);
    range_set_subtract(&copy, &odd);
    range_set_remove(&copy, 99999, 99999);
    range_set_unite(&copy, &s);
    range_set_intersect(&copy, &s);
    range_set_intersect(&copy, &all);
    range_set_intersect(&all, &copy);
    range_set_intersection(&shared, &s, &copy);
    assert_ptr_equal(words_of(&copy), words_of(&s));
    assert_ptr_equal(words_of(&all), words_of(&s));
    assert_ptr_equal(words_of(&shared), words_of(&s));
    range_set_free(&s);
    range_set_free(&copy);
    range_set_free(&odd);
    range_set_free(&all);
    range_set_free(&shared);
}

/* ---- strides and bits ---- */
/* of words, of runs, of one run; beside those that have a member too few, too many or elsewhere */
static void a_progression_is_known_for_one(void **state)
{
    static const uint32_t strides[] = { 1, 2, 3, 63, 64, 65, 100, 1000 };

    (void)state;
    for (unsigned i = 0; i < ARRAY_LEN(strides); i++) {
        struct range_set s = { 0 };
        uint32_t first = 0, last = 0, stride = 0, by = strides[i], end = 77 + 1500 * by;
        range_set_add_stride(&s, 77, end, by);
        assert_true(range_set_is_progression(&s, &first, &last, &stride));
        assert_int_equal(first, 77);
        assert_int_equal(last, end);
        assert_int_equal(stride, by);
        range_set_remove(&s, 77 + 9 * by, 77 + 9 * by);
        assert_false(range_set_is_progression(&s, &first, &last, &stride));
        range_set_add(&s, 78 + 9 * by, 78 + 9 * by);
        assert_false(by > 1 && range_set_is_progression(&s, &first, &last, &stride));
        range_set_add(&s, 77 + 9 * by, 77 + 9 * by);
        assert_int_equal(range_set_is_progression(&s, &first, &last, &stride), by == 1);
        range_set_free(&s);
    }
}

static void less_than_two_members_are_no_progression(void **state)
{
    struct range_set s = { 0 };
    uint32_t first, last, stride;

    (void)state;
    assert_false(range_set_is_progression(&s, &first, &last, &stride));
    range_set_add(&s, 5, 5);
    assert_false(range_set_is_progression(&s, &first, &last, &stride));
}

/* every form: few members, runs, bits; and beside what is there already */
static void a_stride_adds_every_nth_member(void **state)
{
    static const uint32_t strides[] = { 1, 2, 3, 7, 63, 64, 65, 100, 1000, 3000 };
    static const struct range spans[] = { { 0, 0 },      { 5, 70 },        { 63, 64 },
                                          { 64, 127 },   { 100, 149999 },  { 65535, 65537 },
                                          { 1, 131071 }, { 65536, 149998 } };

    (void)state;
    for (unsigned i = 0; i < ARRAY_LEN(strides); i++)
        for (unsigned k = 0; k < ARRAY_LEN(spans); k++) {
            struct pair p = { { 0 }, calloc(SPAN, 1) };
            range_set_add(&p.set, 200, 210);
            memset(p.model + 200, 1, 11);
            range_set_add_stride(&p.set, spans[k].first, spans[k].last, strides[i]);
            for (uint32_t m = spans[k].first; m <= spans[k].last; m += strides[i])
                p.model[m] = 1;
            check_pair(&p);
            range_set_free(&p.set);
            free(p.model);
        }
}

static void half_of_ten_million_is_not_added_one_by_one(void **state)
{
    struct range_set s = { 0 }, all = { 0 };
    uint32_t m;

    (void)state;
    for (int i = 0; i < 10; i++)
        range_set_add_stride(&s, 0, 9999999, 2);
    assert_int_equal(range_set_count(&s), 5000000);
    range_set_add(&all, 0, 9999999);
    range_set_subtract(&all, &s);
    assert_int_equal(range_set_count(&all), 5000000);
    assert_true(range_set_min(&all, &m) && m == 1);
    range_set_free(&s);
    range_set_free(&all);
}

/* ... and neither what it is nor what it leaves has a word for each 64 numbers */
static void every_other_one_of_ten_million_needs_no_memory(void **state)
{
    enum { LAST = 9999999, FEW_BYTES = 200 };
    struct range_set even = { 0 }, rest = { 0 }, sum = { 0 };

    (void)state;
    range_set_add_stride(&even, 0, LAST, 2);
    range_set_add(&rest, 0, LAST);
    range_set_subtract(&rest, &even);
    range_set_remove(&rest, 0, 999); /* from its ends it may shrink ... */
    range_set_add(&rest, 999, 999);  /* ... and grow */
    assert_int_equal(range_set_count(&rest), (LAST + 1) / 2 - 499);
    assert_false(range_set_meets(&even, &rest));
    range_set_add_stride(&rest, 1, 999, 2);
    assert_true(range_set_bytes(&even) < FEW_BYTES && range_set_bytes(&rest) < FEW_BYTES);
    range_set_copy(&sum, &even);
    range_set_unite(&sum, &rest);
    assert_int_equal(range_set_count(&sum), LAST + 1);
    assert_int_equal(range_set_bytes(&sum), 0); /* one range again */
    range_set_free(&even);
    range_set_free(&rest);
    range_set_free(&sum);
}

/* one that goes from the middle leaves words; when the whole is put together again, they go */
static void words_that_have_become_a_stride_are_one(void **state)
{
    struct range_set s = { 0 }, strided = { 0 };

    (void)state;
    range_set_add_stride(&s, 0, 9999999, 2);
    range_set_copy(&strided, &s);
    range_set_remove(&s, 5000, 5000);
    assert_true(range_set_bytes(&s) > 1000000 && !range_set_equal(&s, &strided));
    range_set_add(&s, 5000, 5000);
    assert_true(range_set_equal(&s, &strided) && range_set_equal(&strided, &s));
    range_set_remove(&s, 5000, 5000);
    range_set_unite(&s, &strided);
    assert_true(range_set_bytes(&s) < 200 && range_set_equal(&s, &strided));
    range_set_free(&s);
    range_set_free(&strided);
}

static void assert_walks_its_runs(const struct range_set *s)
{
    struct range_walk w;
    struct range r, there;
    uint64_t at = 0, n = 0;

    range_walk_begin(&w, s);
    for (; range_walk_next(&w, &r); at = (uint64_t)r.last + 1, n++) {
        assert_true(range_set_next_run(s, at, &there));
        assert_int_equal(r.first, there.first);
        assert_int_equal(r.last, there.last);
    }
    assert_false(range_set_next_run(s, at, &there));
    assert_true(n <= range_set_runs_most(s));
}

/* walks over windows of SPAN members, whose runs together are the set */
static void assert_walks_in_windows(const struct range_set *s, uint32_t span)
{
    struct range_set sum = { 0 };
    struct range_walk w;
    struct range r;

    for (uint32_t first = 0; first < SPAN; first += span) {
        uint64_t at = first;
        range_walk_begin_in(&w, s, first, first + span - 1);
        for (; range_walk_next(&w, &r); at = (uint64_t)r.last + 1) {
            assert_true(r.first >= at && r.first <= r.last && r.last < first + span);
            range_set_add(&sum, r.first, r.last);
        }
    }
    assert_true(range_set_equal(&sum, s));
    range_set_free(&sum);
}

/* windows of WORDS words over all of the set, put together again */
static void assert_same_in_windows(const struct range_set *s, uint32_t words)
{
    struct range_set sum = { 0 }, part = { 0 };
    uint64_t *v = calloc(words, sizeof *v);

    for (uint32_t first = 0; first < SPAN; first += words * 64) {
        range_set_bits(s, first, v, words);
        range_set_fill_bits(&part, first, v, words);
        range_set_unite(&sum, &part);
        range_set_free(&part);
    }
    assert_true(range_set_equal(&sum, s));
    range_set_free(&sum);
    free(v);
}

static void sets_are_the_same_as_bits(void **state)
{
    struct pair p = { { 0 }, calloc(SPAN, 1) };
    uint64_t seed = 3;

    (void)state;
    for (int round = 0; round < 60; round++) {
        if (round % 3 == 0)
            become_stride(&seed, &p);
        else
            change_some(&seed, &p, random_below(&seed, 2) == 0);
        assert_walks_its_runs(&p.set);
        assert_walks_in_windows(&p.set, 100003);
        assert_walks_in_windows(&p.set, 1 << 17);
        assert_same_in_windows(&p.set, 20);
        assert_same_in_windows(&p.set, 3000);
    }
    range_set_free(&p.set);
    free(p.model);
}

static void words_with_few_runs_are_walked_too(void **state)
{
    struct range_set holes = { 0 }, s = { 0 };

    (void)state;
    range_set_add_stride(&holes, 0, 140000, 2);
    range_set_add(&s, 0, 149999);
    range_set_add_stride(&s, 0, 149999, 2);
    range_set_subtract(&s, &holes);
    range_set_add(&s, 20000, 130000);
    assert_walks_its_runs(&s);
    assert_walks_in_windows(&s, 100003);
    assert_walks_in_windows(&s, 1 << 17);
    assert_same_in_windows(&s, 3000);
    range_set_free(&s);
    range_set_free(&holes);
}

/* ---- how words grow ---- */
static void words_grow_at_both_ends(void **state)
{
    enum { MIDDLE = 1000000, AROUND = 20000, OUT = 100000 };
    struct range_set s = { 0 }, same = { 0 };
    uint32_t m;

    (void)state;
    range_set_add_stride(&s, MIDDLE - AROUND, MIDDLE + AROUND, 2);
    range_set_add(&s, MIDDLE + 1, MIDDLE + 1); /* no stride any more */
    for (uint32_t by = AROUND + 2; by <= OUT; by += 2) {
        range_set_add(&s, MIDDLE - by, MIDDLE - by);
        range_set_add(&s, MIDDLE + by, MIDDLE + by);
    }
    range_set_add_stride(&same, MIDDLE - OUT, MIDDLE + OUT, 2);
    range_set_add(&same, MIDDLE + 1, MIDDLE + 1);
    assert_true(range_set_equal(&s, &same));
    assert_int_equal(range_set_count(&s), OUT + 2);
    for (uint32_t by = OUT; by > AROUND; by -= 2) {
        assert_true(range_set_min(&s, &m) && m == MIDDLE - by);
        assert_true(range_set_max(&s, &m) && m == MIDDLE + by);
        range_set_remove(&s, m, m);
        range_set_remove(&s, MIDDLE - by, MIDDLE - by);
    }
    range_set_free(&same);
    range_set_add_stride(&same, MIDDLE - AROUND, MIDDLE + AROUND, 2);
    range_set_add(&same, MIDDLE + 1, MIDDLE + 1);
    assert_true(range_set_equal(&s, &same));
    range_set_free(&s);
    range_set_free(&same);
}

/* Between members that are far from each other there would be words of nothing. */
static void far_members_cost_what_their_runs_do(void **state)
{
    enum { FAR = 1u << 31, SPAN_OF_EACH = 100000, RUN_BYTES_MOST = 64 };
    struct range_set low = { 0 }, high = { 0 }, both = { 0 };

    (void)state;
    add_words(&low, 0, SPAN_OF_EACH - 1);
    add_words(&high, FAR, FAR + SPAN_OF_EACH - 1);
    range_set_copy(&both, &low);
    range_set_unite(&both, &high);
    assert_int_equal(range_set_count(&both), SPAN_OF_EACH + 2);
    assert_true(range_set_bytes(&both) < SPAN_OF_EACH * RUN_BYTES_MOST);
    range_set_subtract(&both, &high);
    assert_true(range_set_equal(&both, &low));
    range_set_add(&both, FAR, FAR);
    assert_true(range_set_has(&both, FAR) && range_set_has(&both, 0) && !range_set_has(&both, 3));
    assert_true(range_set_bytes(&both) < SPAN_OF_EACH * RUN_BYTES_MOST);
    range_set_intersect(&both, &high);
    assert_int_equal(range_set_count(&both), 1);
    assert_true(range_set_bytes(&both) < 2 * RUN_BYTES_MOST);
    range_set_free(&low);
    range_set_free(&high);
    range_set_free(&both);
}

/* Where a range begins decides its form, and nothing else. */
static void one_range_is_a_set_wherever_it_begins(void **state)
{
    static const uint32_t firsts[] = {
        0, 1, INT32_MAX - 1u, INT32_MAX, 1u << 31, (1u << 31) + 1, UINT32_MAX - 4
    };
    (void)state;
    for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; i++) {
        uint32_t first = firsts[i];
        struct range_set s = { 0 }, same = { 0 };
        range_set_add(&s, first, first + 3);
        range_set_add(&same, first + 1, first + 3);
        assert_false(range_set_equal(&s, &same));
        range_set_add(&same, first, first); /* what is before it begins earlier */
        assert_true(range_set_equal(&s, &same));
        range_set_remove(&s, first, first); /* and later again */
        assert_int_equal(range_set_count(&s), 3);
        range_set_subtract(&same, &s);
        assert_true(range_set_has(&same, first));
        assert_int_equal(range_set_count(&same), 1);
        range_set_intersect(&same, &s);
        assert_true(range_set_is_empty(&same));
        assert_int_equal(range_set_bytes(&same), 0);
        range_set_remove(&s, 0, UINT32_MAX);
        assert_true(range_set_equal(&s, &same));
    }
}

/* What is left of many goes back to the form of few. */
static void words_shrink_with_their_members(void **state)
{
    struct range_set s = { 0 };

    (void)state;
    add_words(&s, 0, 9999999);
    size_t had = range_set_bytes(&s);
    for (uint32_t m = 0; m < 10000000; m++)
        if (m % 1000 != 0)
            range_set_remove(&s, m, m);
    assert_int_equal(range_set_count(&s), 10000);
    assert_true(range_set_bytes(&s) < had / 4);
    range_set_free(&s);
}

/* removals from ten million, through both forms */
static void many_removals_are_fast(void **state)
{
    struct range_set s = { 0 };
    uint64_t seed = 7, removed = 0;

    (void)state;
    range_set_add(&s, 0, 9999999);
    for (uint32_t i = 0; i < 100000; i++) {
        uint32_t m = random_below(&seed, 10000000);
        removed += range_set_has(&s, m);
        range_set_remove(&s, m, m);
    }
    assert_int_equal(range_set_count(&s), 10000000 - removed);
    range_set_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_empty),
        cmocka_unit_test(one_range_needs_no_memory),
        cmocka_unit_test(highest_member_is_below_the_maximum),
        cmocka_unit_test(behaves_like_a_bitmap),
        cmocka_unit_test(borders_of_words_are_no_borders_of_runs),
        cmocka_unit_test(equality_is_of_members),
        cmocka_unit_test(a_set_with_itself),
        cmocka_unit_test(a_set_and_a_window_share_what_is_in_both),
        cmocka_unit_test(a_window_beside_a_set_shares_nothing),
        cmocka_unit_test(a_copy_is_the_same_until_one_of_them_changes),
        cmocka_unit_test(what_changes_nothing_leaves_copies_the_same),
        cmocka_unit_test(a_progression_is_known_for_one),
        cmocka_unit_test(less_than_two_members_are_no_progression),
        cmocka_unit_test(a_stride_adds_every_nth_member),
        cmocka_unit_test(half_of_ten_million_is_not_added_one_by_one),
        cmocka_unit_test(every_other_one_of_ten_million_needs_no_memory),
        cmocka_unit_test(words_that_have_become_a_stride_are_one),
        cmocka_unit_test(sets_are_the_same_as_bits),
        cmocka_unit_test(words_with_few_runs_are_walked_too),
        cmocka_unit_test(words_grow_at_both_ends),
        cmocka_unit_test(far_members_cost_what_their_runs_do),
        cmocka_unit_test(one_range_is_a_set_wherever_it_begins),
        cmocka_unit_test(words_shrink_with_their_members),
        cmocka_unit_test(many_removals_are_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
