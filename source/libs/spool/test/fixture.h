#ifndef SPOOL_TEST_FIXTURE_H
#define SPOOL_TEST_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/spool/spool.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"

/* an environment that failed keeps a few hundred bytes of its transaction for ever: the library's,
 * not ours */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:__os_malloc";
}

/* A world to crash in: batch K sets eight records to K, adds the record K to a table and removes
 * record K - WORLD_KEPT. So any state tells which batch was the last, and whether all of it is
 * there. */
enum { WORLD_SLOTS = 8, WORLD_KEPT = 20 };

static inline void world_key(uint8_t key[4], uint32_t n)
{
    for (int i = 0; i < 4; i++)
        key[i] = (uint8_t)(n >> (24 - 8 * i));
}

/* the value of batch K: its number and a filling of 0 to 2.2 KB that depends on it */
static inline size_t world_value(uint8_t *value, uint32_t k)
{
    size_t len = 4 + k * 7919 % 2200;
    world_key(value, k);
    memset(value + 4, (int)(k & 0xff), len - 4);
    return len;
}

static inline struct spool_batch *world_batch(uint32_t k)
{
    struct spool_batch *b = spool_batch_new();
    uint8_t key[4], value[4096];
    size_t len = world_value(value, k);
    for (uint32_t slot = 0; slot < WORLD_SLOTS; slot++) {
        world_key(key, slot);
        spool_put(b, SPOOL_JOB, key, sizeof key, value, len);
    }
    world_key(key, k);
    spool_put(b, SPOOL_TASK, key, sizeof key, value, len);
    if (k > WORLD_KEPT) {
        world_key(key, k - WORLD_KEPT);
        spool_del_prefix(b, SPOOL_TASK, key, sizeof key);
    }
    return b;
}

/* world_last - the batch that SPOOL holds; fails the test if it is not there whole and alone. 0:
 * none */
static inline uint32_t world_last(struct spool *s)
{
    uint8_t key[4], want[4096];
    uint32_t last = 0;
    for (uint32_t slot = 0; slot < WORLD_SLOTS; slot++) {
        uint8_t *value = NULL;
        size_t len = 0;
        world_key(key, slot);
        int found = spool_get(s, SPOOL_JOB, key, sizeof key, (void **)&value, &len, NULL);
        assert_true(found >= 0);
        assert_true(slot == 0 || found == (last > 0));
        if (slot == 0 && found == 1)
            last = (uint32_t)value[0] << 24 | (uint32_t)value[1] << 16 | (uint32_t)value[2] << 8 |
                   value[3];
        assert_int_equal(len, found == 1 ? world_value(want, last) : 0);
        if (found == 1)
            assert_memory_equal(value, want, len);
        free(value);
    }
    return last;
}

struct world_walk {
    uint32_t next;
    bool is_bad;
};
static inline int world_walk_one(void *ctx, const void *key, size_t key_len, const void *value,
                                 size_t len)
{
    struct world_walk *w = ctx;
    uint8_t want_key[4], want[4096];
    world_key(want_key, w->next);
    w->is_bad = key_len != 4 || memcmp(key, want_key, 4) != 0 ||
                len != world_value(want, w->next) || memcmp(value, want, len) != 0;
    w->next++;
    return w->is_bad;
}

/* world_check - the whole state is what batches 1..LAST leave; returns LAST */
static inline uint32_t world_check(struct spool *s)
{
    uint32_t last = world_last(s);
    struct world_walk w = { last > WORLD_KEPT ? last - WORLD_KEPT + 1 : 1, false };
    assert_int_equal(spool_walk(s, SPOOL_TASK, world_walk_one, &w, NULL), 0);
    assert_false(w.is_bad);
    assert_int_equal(w.next, last + 1);
    return last;
}

/* world_dir - a new empty directory, in memory where there is such a file system; new:
 * world_remove */
static inline char *world_dir(void)
{
    const char *base = getenv("TMPDIR");
    if (base == NULL)
        base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    char *dir = path_join(base, "spool-test-XXXXXX");
    assert_non_null(mkdtemp(dir));
    return dir;
}

static inline void world_remove(char *dir)
{
    assert_int_equal(file_rmtree(dir, NULL), 0);
    free(dir);
}

/* world_copy - a new directory with the spool as it lies on the disk now: what a power cut would
 * leave */
static inline char *world_copy(const char *from)
{
    char *to = world_dir(), *pattern = path_join(from, "*");
    glob_t found;
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *name = strrchr(found.gl_pathv[i], '/') + 1;
        struct dstr data = DSTR_INIT;
        char *path = path_join(to, name);
        if (strcmp(name, "filler") != 0 && strcmp(name, "ballast") != 0) {
            assert_int_equal(file_read(found.gl_pathv[i], 1 << 26, &data, NULL), 0);
            assert_int_equal(file_write(path, dstr_get(&data), data.len, 0600, NULL), 0);
        }
        dstr_free(&data);
        free(path);
    }
    globfree(&found);
    free(pattern);
    return to;
}

/* world_durable - the last batch that a power cut now would leave */
static inline uint32_t world_durable(const char *dir)
{
    const struct spool_options options = { .ballast_bytes = 4096 };
    char *copy = world_copy(dir);
    struct spool *s = spool_open(copy, &options, NULL);
    assert_non_null(s);
    uint32_t last = world_check(s);
    spool_close(s);
    world_remove(copy);
    return last;
}

/* world_log_files - how many files the log of Berkeley DB has now */
static inline unsigned world_log_files(const char *dir)
{
    char *pattern = path_join(dir, "log.*");
    glob_t found;
    unsigned n = glob(pattern, 0, NULL, &found) == 0 ? (unsigned)found.gl_pathc : 0;
    globfree(&found);
    free(pattern);
    return n;
}

#endif
