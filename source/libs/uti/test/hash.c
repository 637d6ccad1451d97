/* The hash of tables: spread over the buckets, and different in each process. */
#include "libs/uti/hash.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KEYS = 4096, BUCKETS = 1024, MOST_IN_ONE = 32 };

static void check_spread(size_t len, uint64_t step)
{
    uint32_t in[BUCKETS] = { 0 };
    for (uint64_t i = 0; i < KEYS; i++) {
        char key[16] = { 0 };
        uint64_t number = i * step;
        memcpy(key, &number, sizeof number);
        in[uti_table_hash(key, len) % BUCKETS]++;
    }
    for (size_t i = 0; i < BUCKETS; i++)
        assert_true(in[i] <= MOST_IN_ONE);
}

static void keys_are_spread_over_the_buckets(void **state)
{
    static const uint64_t steps[] = { 1, 2, 64, 1024, 65536, 1000003 };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
        check_spread(sizeof(uint32_t), steps[i]);
        check_spread(sizeof(uint64_t), steps[i]);
        check_spread(11, steps[i]);
    }
    check_spread(sizeof(uint64_t), UINT64_C(1) << 32);
}

struct hashes {
    unsigned of_u32, of_u64, of_text;
};

static struct hashes hashes_here(void)
{
    static const uint64_t number = 4711;
    unsigned of_text;
    HASH_VALUE("alice", 5, of_text);
    struct hashes h = { .of_text = of_text };
    HASH_VALUE(&number, sizeof(uint32_t), h.of_u32);
    HASH_VALUE(&number, sizeof(uint64_t), h.of_u64);
    return h;
}

static struct hashes hashes_of_a_new_process(void)
{
    struct hashes h = { 0 };
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execl("/proc/self/exe", "hash", "print", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &h, sizeof h), sizeof h);
    close(ends[0]);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    return h;
}

static void each_process_has_a_seed_of_its_own(void **state)
{
    struct hashes here = hashes_here(), again = hashes_here(), other = hashes_of_a_new_process();
    (void)state;
    assert_memory_equal(&here, &again, sizeof here);
    assert_int_not_equal(here.of_u32, other.of_u32); /* alike once in four thousand million runs */
    assert_int_not_equal(here.of_u64, other.of_u64);
    assert_int_not_equal(here.of_text, other.of_text);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_spread_over_the_buckets),
        cmocka_unit_test(each_process_has_a_seed_of_its_own),
    };
    struct hashes h = hashes_here();
    (void)argv;
    if (argc > 1)
        return write(STDOUT_FILENO, &h, sizeof h) == sizeof h ? 0 : 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
