/* The fetcher against a spool that the test plays. The order of things is written down as text: R a
 * record was read, r a read that failed, z a pause. */
#include "daemons/qmaster/io/fetcher.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "daemons/qmaster/io/inbox.h"
#include "libs/cull/pack.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

struct play { /* stands where the fetcher has its spool */
    struct inbox *core;
    struct fetcher *fetcher;
    struct dstr order;
    int reads_to_fail;
    const char *stored; /* NULL: there is no record */
    unsigned n_pieces;
};
static struct play *on_stage; /* for nanosleep, which is told nothing */

int __wrap_spool_get(struct spool *s, enum spool_table t, const void *key, size_t key_len,
                     void **value, size_t *len, struct answer *ans);
int __wrap_nanosleep(const struct timespec *want, struct timespec *left);

int __wrap_spool_get(struct spool *s, enum spool_table t, const void *key, size_t key_len,
                     void **value, size_t *len, struct answer *ans)
{
    struct play *p = (struct play *)s;
    if (t != SPOOL_END) {
        assert_memory_equal(key, "\0\0\0\14", 4);
        assert_int_equal(key_len, t == SPOOL_JOB_PIECE ? 8 : 4);
    }
    if (p->reads_to_fail > 0) {
        p->reads_to_fail--;
        dstr_add(&p->order, "r");
        return ans_fail(ans, STATUS_ESYSTEM, "input/output error");
    }
    dstr_add(&p->order, "R");
    if (t == SPOOL_JOB_PIECE) {
        uint8_t n = ((const uint8_t *)key)[7];
        if (n >= p->n_pieces)
            return 0;
        *value = uti_strdup(n % 2 == 0 ? "even " : "odd ");
        *len = strlen(*value);
        return 1;
    }
    if (p->stored == NULL || (t == SPOOL_END && ((const uint8_t *)key)[0] == 'n'))
        return 0;
    *value = uti_strdup(p->stored);
    *len = strlen(p->stored);
    return 1;
}

int __wrap_nanosleep(const struct timespec *want, struct timespec *left)
{
    (void)want;
    (void)left;
    dstr_add(&on_stage->order, "z");
    if (on_stage->reads_to_fail == 1)
        fetcher_stop(on_stage->fetcher);
    return 0;
}

static int set_up(void **state)
{
    struct play *p = uti_calloc(1, sizeof *p);
    p->core = inbox_new();
    p->fetcher = fetcher_new((struct spool *)p, p->core);
    *state = on_stage = p;
    return 0;
}

static int tear_down(void **state)
{
    struct play *p = *state;
    fetcher_free(p->fetcher);
    inbox_free(p->core);
    dstr_free(&p->order);
    free(p);
    return 0;
}

/* what the core hears of the record; NULL: nothing, "": there is none */
static char *text_heard(struct play *p)
{
    struct note_list notes;
    inbox_take(p->core, 1, &notes);
    struct note *n = STAILQ_FIRST(&notes);
    if (n == NULL)
        return NULL;
    assert_null(STAILQ_NEXT(n, next));
    assert_int_equal(n->kind, NOTE_FETCHED);
    assert_int_equal(n->conn, SPOOL_JOB_SCRIPT);
    assert_int_equal(n->number, 12);
    char *data = n->data != NULL ? uti_strndup(n->data, n->len) : uti_strdup("");
    note_free(n);
    return data;
}

static void expect_data(struct play *p, const char *order, const char *data)
{
    fetcher_get(p->fetcher, SPOOL_JOB_SCRIPT, 12);
    fetcher_run(p->fetcher);
    assert_string_equal(dstr_get(&p->order), order);
    char *got = text_heard(p);
    if (data != NULL)
        assert_string_equal(got, data);
    else
        assert_null(got);
    free(got);
}

static void a_record_goes_to_the_core(void **state)
{
    struct play *p = *state;
    p->stored = "script";
    fetcher_stop(p->fetcher); /* it does what there is and returns */
    expect_data(p, "R", "script");
}

static void the_core_hears_that_there_is_none(void **state)
{
    struct play *p = *state;
    fetcher_stop(p->fetcher);
    expect_data(p, "RR", "");
}

static void a_script_in_pieces_comes_whole(void **state)
{
    struct play *p = *state;
    p->n_pieces = 3;
    fetcher_stop(p->fetcher);
    expect_data(p, "RRRRR", "even odd even ");
}

static void many_records_come_in_the_order_of_their_keys(void **state)
{
    struct play *p = *state;
    struct packer keys = { 0 }, expected = { 0 };
    struct note_list notes;
    p->stored = "end";
    pack_bytes(&keys, "yesno!yea", 9);
    pack_u8(&expected, 1);
    pack_blob(&expected, "end", 3);
    pack_u8(&expected, 0);
    pack_blob(&expected, "", 0);
    pack_u8(&expected, 1);
    pack_blob(&expected, "end", 3);
    fetcher_get_many(p->fetcher, SPOOL_END, 77, &keys, 3);
    assert_null(keys.data); /* taken */
    fetcher_stop(p->fetcher);
    fetcher_run(p->fetcher);
    inbox_take(p->core, 1, &notes);
    struct note *n = STAILQ_FIRST(&notes);
    assert_int_equal(n->conn, SPOOL_END);
    assert_int_equal(n->number, 77);
    assert_int_equal(n->len, expected.len);
    assert_memory_equal(n->data, expected.data, expected.len);
    note_free(n);
    packer_free(&expected);
}

static void many_records_of_which_one_cannot_be_read_are_not_told(void **state)
{
    struct play *p = *state;
    struct packer keys = { 0 };
    struct note_list notes;
    p->reads_to_fail = 4;
    pack_bytes(&keys, "yesyea", 6);
    fetcher_get_many(p->fetcher, SPOOL_END, 77, &keys, 2);
    fetcher_run(p->fetcher);
    inbox_take(p->core, 1, &notes);
    assert_true(STAILQ_EMPTY(&notes));
}

static void a_read_that_fails_says_nothing_of_the_record(void **state)
{
    struct play *p = *state;
    p->stored = "script";
    p->reads_to_fail =
        4; /* asked to end while three have failed: one more attempt, and no answer */
    expect_data(p, "rzrzrzr", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
        TEST(a_record_goes_to_the_core),
        TEST(the_core_hears_that_there_is_none),
        TEST(a_script_in_pieces_comes_whole),
        TEST(many_records_come_in_the_order_of_their_keys),
        TEST(many_records_of_which_one_cannot_be_read_are_not_told),
        TEST(a_read_that_fails_says_nothing_of_the_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
