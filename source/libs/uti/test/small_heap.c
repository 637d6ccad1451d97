/* The heap of small programs, under names of its own: programs of a test have the C library's. */
#include "libs/uti/small_heap.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUND = 16, MANY = 2000, PAGE = 4096, MIB = 1 << 20 };

static bool is_all(const char *block, size_t bytes, char byte)
{
    for (size_t i = 0; i < bytes; i++)
        if (block[i] != byte)
            return false;
    return true;
}

static int new_heap(void **state)
{
    *state = calloc(1, sizeof(struct small_heap));
    return *state == NULL;
}

static int end_heap(void **state)
{
    free(*state);
    return 0;
}

/* ---- sizes ---- */
static void every_size_has_room_and_wastes_a_fifth_at_most(void **state)
{
    struct small_heap *h = *state;
    for (size_t bytes = 0; bytes <= SMALL_HEAP_LARGE_BYTES; bytes += bytes < 1024 ? 1 : 613) {
        char *block = small_heap_alloc(h, bytes);
        size_t usable = small_heap_usable(h, block);
        assert_int_equal((uintptr_t)block % ROUND, 0);
        assert_in_range(usable, bytes, bytes * 5 / 4 + 24);
        memset(block, 1, usable);
        small_heap_free(h, block);
    }
}

static void blocks_of_all_sizes_share_the_first_pages(void **state)
{
    struct small_heap *h = *state;
    char *low = h->first, *high = h->first + PAGE;
    for (size_t bytes = 1; bytes < 400; bytes += 37) {
        char *block = small_heap_alloc(h, bytes);
        assert_true(block > low && block < high);
    }
}

static void more_than_there_is_is_refused(void **state)
{
    struct small_heap *h = *state;
    volatile size_t huge[] = { SIZE_MAX, (size_t)PTRDIFF_MAX, SIZE_MAX - 15, SIZE_MAX / 4 };
    char *kept = small_heap_alloc(h, 10);
    for (size_t i = 0; i < ARRAY_LEN(huge); i++) {
        errno = 0;
        assert_null(small_heap_alloc(h, huge[i]));
        assert_int_equal(errno, ENOMEM);
        assert_null(small_heap_realloc(h, kept, huge[i]));
        assert_null(small_heap_aligned(h, 64, huge[i]));
    }
    assert_null(small_heap_calloc(h, (size_t)1 << 33, (size_t)1 << 33));
    assert_null(small_heap_calloc(h, SIZE_MAX, 2));
    small_heap_free(h, kept);
}

static void nothing_is_something(void **state)
{
    struct small_heap *h = *state;
    void *a = small_heap_alloc(h, 0), *b = small_heap_calloc(h, 0, 8);
    void *c = small_heap_realloc(h, NULL, 0);
    assert_non_null(a);
    assert_ptr_not_equal(a, b);
    assert_ptr_not_equal(b, c);
    small_heap_free(h, NULL);
    assert_int_equal(small_heap_usable(h, NULL), 0);
}

/* ---- memory that is used again ---- */
static void what_was_freed_serves_the_next_of_its_size(void **state)
{
    struct small_heap *h = *state;
    void *first = small_heap_alloc(h, 100);
    small_heap_free(h, first);
    char *next = h->next;
    for (int i = 0; i < MANY; i++) {
        void *again = small_heap_alloc(h, 97 + (size_t)i % 8);
        assert_ptr_equal(again, first);
        small_heap_free(h, again);
    }
    assert_ptr_equal(h->next, next);
}

static void many_blocks_again_take_no_more_memory(void **state)
{
    struct small_heap *h = *state;
    static void *blocks[MANY];
    char *next = NULL;
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < MANY; i++)
            blocks[i] = small_heap_alloc(h, i * 7 % 3000);
        for (size_t i = 0; i < MANY; i++)
            small_heap_free(h, blocks[i * 3 % MANY]);
        assert_true(round == 0 || h->next == next);
        next = h->next;
    }
}

static void calloc_is_zero_whoever_had_it_before(void **state)
{
    struct small_heap *h = *state;
    for (size_t bytes = 1; bytes < 3 * MIB; bytes += 1 + bytes / 2) {
        for (int round = 0; round < 2; round++) {
            char *block = small_heap_calloc(h, bytes, 1);
            assert_true(is_all(block, bytes, 0));
            memset(block, 1, small_heap_usable(h, block));
            small_heap_free(h, block);
        }
    }
}

/* ---- realloc ---- */
static void what_grows_and_goes_again_and_again_takes_no_more(void **state)
{
    struct small_heap *h = *state;
    const char *end = NULL;
    for (int round = 0; round < 1000; round++) {
        char *block = small_heap_alloc(h, 10);
        for (size_t bytes = 100; bytes < SMALL_HEAP_LARGE_BYTES / 4; bytes *= 3)
            block = small_heap_realloc(h, block, bytes);
        small_heap_free(h, block);
        if (round == 10)
            end = h->next;
    }
    assert_ptr_equal(h->next, end);
}

static void the_last_block_grows_where_it_is(void **state)
{
    struct small_heap *h = *state;
    char *block = small_heap_alloc(h, 10), *grown = block;
    memset(block, 1, 10);
    for (size_t bytes = 10; bytes < SMALL_HEAP_LARGE_BYTES; bytes *= 2)
        grown = small_heap_realloc(h, grown, bytes);
    assert_ptr_equal(grown, block);
    assert_true(is_all(grown, 10, 1));
    char *zero = small_heap_calloc(h, 500, 1);
    assert_true(is_all(zero, 500, 0));
}

static void a_block_keeps_its_bytes_as_it_grows_and_shrinks(void **state)
{
    struct small_heap *h = *state;
    static const size_t sizes[] = { 5, 200, 100, 5000, MIB, 3 * MIB, 2 * MIB, 40000, 5 * MIB, 20 };
    char *block = small_heap_alloc(h, 5);
    size_t has = 5;
    memset(block, 7, has);
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        (void)small_heap_alloc(h, 1); /* so that it is not the last one */
        block = small_heap_realloc(h, block, sizes[i]);
        assert_true(is_all(block, has < sizes[i] ? has : sizes[i], 7));
        assert_true(small_heap_usable(h, block) >= sizes[i]);
        has = sizes[i];
        memset(block, 7, has);
    }
    small_heap_free(h, block);
}

static void a_large_block_returns_to_the_system(void **state)
{
    struct small_heap *h = *state;
    char *block = small_heap_alloc(h, MIB);
    char *page = block - ROUND;
    memset(block, 1, MIB);
    assert_int_equal(msync(page, PAGE, MS_ASYNC), 0);
    small_heap_free(h, block);
    assert_int_equal(msync(page, PAGE, MS_ASYNC), -1);
    assert_int_equal(errno, ENOMEM);
}

/* ---- alignment ---- */
static void aligned_blocks_are_blocks_like_others(void **state)
{
    struct small_heap *h = *state;
    for (size_t align = 1; align <= MIB; align *= 2) {
        for (size_t bytes = 1; bytes < 200000; bytes *= 9) {
            char *block = small_heap_aligned(h, align, bytes);
            assert_int_equal((uintptr_t)block % align, 0);
            assert_true(small_heap_usable(h, block) >= bytes);
            memset(block, 3, bytes);
            block = small_heap_realloc(h, block, bytes + 1000);
            assert_true(is_all(block, bytes, 3));
            small_heap_free(h, block);
        }
    }
}

static void what_is_no_alignment_is_refused(void **state)
{
    struct small_heap *h = *state;
    static const size_t wrong[] = { 0, 3, 48, SIZE_MAX, (size_t)1 << 27 };
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        errno = 0;
        assert_null(small_heap_aligned(h, wrong[i], 10));
        assert_int_equal(errno, EINVAL);
    }
}

/* ---- misuse ends the process with one line ---- */
static void free_twice(struct small_heap *h)
{
    void *block = small_heap_alloc(h, 30);
    small_heap_free(h, block);
    small_heap_free(h, block);
}

static void free_aligned_twice(struct small_heap *h)
{
    void *block = small_heap_aligned(h, 256, 30);
    small_heap_free(h, block);
    small_heap_free(h, block);
}

static void write_behind_the_end(struct small_heap *h)
{
    char *block = small_heap_alloc(h, 24), *behind = small_heap_alloc(h, 24);
    memset(block, 'x', 28);
    small_heap_free(h, behind);
}

static void write_what_was_freed(struct small_heap *h)
{
    void **block = small_heap_alloc(h, 30);
    char elsewhere[64] = { 0 };
    small_heap_free(h, block);
    *block = elsewhere + 24 - (uintptr_t)elsewhere % ROUND;
    (void)small_heap_alloc(h, 30);
    (void)small_heap_alloc(h, 30);
}

static void free_the_middle(struct small_heap *h)
{
    char *block = small_heap_calloc(h, 1, 100);
    small_heap_free(h, block + 32);
}

static void free_beside_an_address(struct small_heap *h)
{
    char *block = small_heap_alloc(h, 100);
    small_heap_free(h, block + 1);
}

static void grow_what_was_freed(struct small_heap *h)
{
    void *block = small_heap_alloc(h, 100);
    small_heap_free(h, block);
    (void)small_heap_realloc(h, block, 1000);
}

/* what a child that calls MISUSE says before it aborts; the rest of LINE is zero */
static void misuse_says(struct small_heap *h, void (*misuse)(struct small_heap *), char line[300])
{
    int said[2], status;
    memset(line, 0, 300);
    assert_int_equal(pipe(said), 0);
    pid_t pid = fork();
    if (pid == 0) {
        (void)dup2(said[1], STDERR_FILENO);
        (void)setrlimit(RLIMIT_CORE, &(struct rlimit){ 0 });
        misuse(h);
        _exit(0);
    }
    close(said[1]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(read(said[0], line, 299) >= 0);
    close(said[0]);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void misuse_ends_the_process_with_one_line(void **state)
{
    static const struct {
        void (*misuse)(struct small_heap *);
        const char *claim;
    } cases[] = {
        { free_twice, "is_freed_before" },          { free_aligned_twice, "is_freed_before" },
        { grow_what_was_freed, "is_freed_before" }, { write_behind_the_end, "head_is_intact" },
        { free_the_middle, "head_is_intact" },      { write_what_was_freed, "head_is_intact" },
        { free_beside_an_address, "UNIT == 0" },
    };
    char line[300];
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        misuse_says(*state, cases[i].misuse, line);
        assert_non_null(strstr(line, cases[i].claim));
        assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
    }
}

/* ---- everything together ---- */
struct owned {
    char *block;
    size_t bytes;
    char byte;
};

static uint32_t random_next(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

static size_t random_size(uint32_t *seed)
{
    uint32_t most = 1U << (3 + random_next(seed) % 15);
    return random_next(seed) % most;
}

static void change_one(struct small_heap *h, struct owned *o, uint32_t *seed)
{
    size_t bytes = random_size(seed);
    unsigned how = random_next(seed) % 4;
    if (how == 0) {
        small_heap_free(h, o->block);
        *o = (struct owned){ NULL, 0, 0 };
        return;
    }
    if (how == 1) {
        o->block = small_heap_realloc(h, o->block, bytes);
        assert_true(is_all(o->block, o->bytes < bytes ? o->bytes : bytes, o->byte));
    } else {
        small_heap_free(h, o->block);
        o->block = how == 2 ? small_heap_alloc(h, bytes)
                            : small_heap_aligned(h, (size_t)1 << random_next(seed) % 10, bytes);
    }
    o->bytes = bytes;
    o->byte = (char)random_next(seed);
    memset(o->block, o->byte, bytes);
}

static void blocks_never_share_a_byte(void **state)
{
    enum { OWNED = 200, CHANGES = 60000 };
    static struct owned all[OWNED];
    uint32_t seed = 1;
    for (int i = 0; i < CHANGES; i++) {
        struct owned *o = &all[random_next(&seed) % OWNED];
        assert_true(is_all(o->block, o->bytes, o->byte));
        change_one(*state, o, &seed);
    }
    for (int i = 0; i < OWNED; i++) {
        assert_true(is_all(all[i].block, all[i].bytes, all[i].byte));
        small_heap_free(*state, all[i].block);
    }
}

#define WITH_HEAP(test) cmocka_unit_test_setup_teardown(test, new_heap, end_heap)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_HEAP(every_size_has_room_and_wastes_a_fifth_at_most),
        WITH_HEAP(blocks_of_all_sizes_share_the_first_pages),
        WITH_HEAP(more_than_there_is_is_refused),
        WITH_HEAP(nothing_is_something),
        WITH_HEAP(what_was_freed_serves_the_next_of_its_size),
        WITH_HEAP(many_blocks_again_take_no_more_memory),
        WITH_HEAP(calloc_is_zero_whoever_had_it_before),
        WITH_HEAP(the_last_block_grows_where_it_is),
        WITH_HEAP(what_grows_and_goes_again_and_again_takes_no_more),
        WITH_HEAP(a_block_keeps_its_bytes_as_it_grows_and_shrinks),
        WITH_HEAP(a_large_block_returns_to_the_system),
        WITH_HEAP(aligned_blocks_are_blocks_like_others),
        WITH_HEAP(what_is_no_alignment_is_refused),
        WITH_HEAP(misuse_ends_the_process_with_one_line),
        WITH_HEAP(blocks_never_share_a_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
