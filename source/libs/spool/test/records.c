/* Records and the releases that write them: three of them, each with fewer fields than the next,
 * take turns with one spool. */
#include "libs/spool/records.h"

#include "libs/spool/test/fixture.h"

/* ---- what each release knows ---- */
struct NE_Type {
    uint64_t present[1];
    const char *E_name, *E_note;
};
struct NE_list {
    struct NE_Type *v;
    uint32_t n, cap;
};
/* of the newest release; the others have the first two fields, or only the first */
struct N_Type {
    uint64_t present[1];
    uint32_t N_number;
    const char *N_name;
    struct NE_list N_list;
    const char *N_colour;
};
enum { N_NUMBER, N_NAME, N_LIST, N_COLOUR };

#define ROW(s, n, k, f, e)                                                                         \
    {                                                                                              \
#n, k, CULL_SPOOL | (f), offsetof(struct s, n), e                                          \
    }
static const struct cull_field element_rows[] = {
    ROW(NE_Type, E_name, CULL_STRING, CULL_PRIMARY_KEY, NULL),
    ROW(NE_Type, E_note, CULL_STRING, 0, NULL),
};
static const struct cull_type old_element = { "NE_Type", sizeof(struct NE_Type), 1, element_rows };
static const struct cull_type new_element = { "NE_Type", sizeof(struct NE_Type), 2, element_rows };
static const struct cull_field old_rows[] = {
    ROW(N_Type, N_number, CULL_ULONG, CULL_PRIMARY_KEY, NULL),
    ROW(N_Type, N_name, CULL_STRING, 0, NULL),
    ROW(N_Type, N_list, CULL_LIST, 0, &old_element),
};
static const struct cull_field new_rows[] = {
    ROW(N_Type, N_number, CULL_ULONG, CULL_PRIMARY_KEY, NULL),
    ROW(N_Type, N_name, CULL_STRING, 0, NULL),
    ROW(N_Type, N_list, CULL_LIST, 0, &new_element),
    ROW(N_Type, N_colour, CULL_STRING, 0, NULL),
};
static const struct cull_type oldest_type = { "N_Type", sizeof(struct N_Type), 2, old_rows };
static const struct cull_type old_type = { "N_Type", sizeof(struct N_Type), 3, old_rows };
static const struct cull_type new_type = { "N_Type", sizeof(struct N_Type), 4, new_rows };
static const struct cull_type *const oldest_types[] = { &oldest_type },
                                     *const old_types[] = { &old_element, &old_type },
                                     *const new_types[] = { &new_element, &new_type };
static const struct release {
    const char *name;
    const struct cull_type *type;
    struct cull_schema tables;
} oldest = { "9.0.0", &oldest_type, { oldest_types, 1 } },
  old = { "9.0.7", &old_type, { old_types, 2 } }, new = { "9.1.0", &new_type, { new_types, 2 } },
  renamed = { "10.0.0", &new_type, { new_types, 2 } };

/* ---- a spool and the release that runs on it ---- */
struct world {
    char *dir;
    struct spool *s;
    struct spool_records *r;
    const struct release *now;
};

static const struct spool_key the_key = { SPOOL_JOB, "\0\0\0\7", 4 };

static void commit_batch(struct world *w, struct spool_batch *b)
{
    assert_int_equal(spool_commit(w->s, b, NULL), 0);
    spool_batch_free(b);
}

/* the release R runs from here on: it has stored its schema if that was missing */
static void run_release(struct world *w, const struct release *r)
{
    spool_records_free(w->r);
    w->r = spool_records_open(w->s, &r->tables, r->name, NULL);
    assert_non_null(w->r);
    w->now = r;
    struct spool_batch *b = spool_batch_new();
    spool_records_stage(w->r, b);
    commit_batch(w, b);
}

static int set_up(void **state)
{
    static const struct spool_options options = { .is_new = true, .ballast_bytes = 4096 };
    static struct world w;
    w = (struct world){ .dir = world_dir() };
    w.s = spool_open(w.dir, &options, NULL);
    *state = &w;
    return w.s != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
    struct world *w = *state;
    spool_records_free(w->r);
    spool_close(w->s);
    world_remove(w->dir);
    return 0;
}

static size_t write_record(struct world *w, const struct N_Type *o)
{
    struct spool_batch *b = spool_batch_new();
    struct packer p = { 0 };
    spool_record_pack(w->r, &p, the_key, w->now->type, o);
    spool_put(b, the_key.table, the_key.bytes, the_key.len, p.data, p.len);
    commit_batch(w, b);
    size_t len = p.len;
    packer_free(&p);
    return len;
}

static int try_read(struct world *w, struct N_Type *o, struct answer *ans)
{
    void *value;
    size_t len;
    assert_int_equal(spool_get(w->s, the_key.table, the_key.bytes, the_key.len, &value, &len, NULL),
                     1);
    *o = (struct N_Type){ 0 };
    int ret = spool_record_read(w->r, the_key, w->now->type, NULL, value, len, o, ans);
    free(value);
    return ret;
}

static void read_record(struct world *w, struct N_Type *o)
{
    assert_int_equal(try_read(w, o, NULL), 0);
}

static void set_text(struct N_Type *o, unsigned field, const char **at, const char *text)
{
    cull_put_string(at, text);
    o->present[0] |= UINT64_C(1) << field;
}

static void clear_object(struct N_Type *o)
{
    cull_clear(&new_type, o);
}

/* by the newest release: number 7, with a colour and an element "a" that has a note */
static void write_rich_record(struct world *w)
{
    struct N_Type o = { .present = { 1u << N_NUMBER | 1u << N_LIST }, .N_number = 7 };
    run_release(w, &new);
    set_text(&o, N_NAME, &o.N_name, "first");
    set_text(&o, N_COLOUR, &o.N_colour, "blue");
    struct NE_Type *e = cull_push_element(&o.N_list, sizeof *e);
    e->present[0] = 3;
    cull_put_string(&e->E_name, "a");
    cull_put_string(&e->E_note, "note");
    write_record(w, &o);
    clear_object(&o);
}

/* release R changes the name to NAME; returns the bytes that the record has then */
static size_t change_name(struct world *w, const struct release *r, const char *name)
{
    struct N_Type o;
    run_release(w, r);
    read_record(w, &o);
    set_text(&o, N_NAME, &o.N_name, name);
    size_t len = write_record(w, &o);
    clear_object(&o);
    return len;
}

static void assert_rich(struct world *w, const char *name)
{
    struct N_Type o;
    run_release(w, &new);
    read_record(w, &o);
    assert_int_equal(o.N_number, 7);
    assert_string_equal(o.N_name, name);
    assert_string_equal(o.N_colour, "blue");
    assert_int_equal(o.N_list.n, 1);
    assert_string_equal(o.N_list.v[0].E_note, "note");
    assert_int_equal(spool_records_kept(w->r), 0);
    clear_object(&o);
}

/* ---- what is promised ---- */
static void a_newer_release_reads_an_older_record(void **state)
{
    struct world *w = *state;
    struct N_Type o = { .present = { 1u << N_NUMBER }, .N_number = 7 };
    run_release(w, &oldest);
    write_record(w, &o);
    run_release(w, &new);
    read_record(w, &o);
    assert_int_equal(o.N_number, 7);
    assert_null(o.N_colour);
    assert_int_equal(spool_records_kept(w->r), 0);
    clear_object(&o);
}

static int count_record(void *ctx, const void *key SGE_UNUSED, size_t key_len SGE_UNUSED,
                        const void *value SGE_UNUSED, size_t len SGE_UNUSED)
{
    ++*(int *)ctx;
    return 0;
}

static void each_schema_is_stored_once(void **state)
{
    struct world *w = *state;
    int n = 0;
    run_release(w, &old);
    run_release(w, &new);
    run_release(w, &old);
    run_release(w, &renamed); /* of the same tables as `new` */
    assert_int_equal(spool_walk_keys(w->s, SPOOL_SCHEMA, count_record, &n, NULL), 0);
    assert_int_equal(n, 2);
}

static void an_older_release_keeps_what_it_does_not_know(void **state)
{
    struct world *w = *state;
    struct N_Type o;
    write_rich_record(w);
    run_release(w, &old);
    read_record(w, &o);
    assert_string_equal(o.N_name, "first");
    assert_int_equal(spool_records_kept(w->r), 1);
    clear_object(&o);
    change_name(w, &old, "second");
    assert_rich(w, "second");
}

static void so_do_two_of_them_after_each_other(void **state)
{
    struct world *w = *state;
    write_rich_record(w);
    change_name(w, &old, "second");
    change_name(w, &oldest, "third");
    assert_rich(w, "third");
    change_name(w, &oldest, "fourth");
    change_name(w, &old, "fifth");
    assert_rich(w, "fifth");
}

static void taking_turns_does_not_make_a_record_grow(void **state)
{
    struct world *w = *state;
    size_t most = 0;
    write_rich_record(w);
    for (int i = 0; i < 10; i++) {
        const struct release *turns[] = { &oldest, &old, &oldest, &new, &old };
        for (size_t k = 0; k < ARRAY_LEN(turns); k++) {
            size_t len = change_name(w, turns[k], "again");
            if (i < 2)
                most = len > most ? len : most;
            assert_in_range(len, 1, most);
        }
    }
    assert_rich(w, "again");
}

static void the_release_that_knows_it_all_writes_it_once(void **state)
{
    struct world *w = *state;
    write_rich_record(w);
    size_t alone = change_name(w, &new, "equal");
    size_t with_earlier = change_name(w, &old, "equal");
    assert_true(with_earlier > alone);
    assert_int_equal(change_name(w, &new, "equal"), alone);
}

static void an_element_that_is_removed_stays_removed(void **state)
{
    struct world *w = *state;
    struct N_Type o;
    write_rich_record(w);
    run_release(w, &old);
    read_record(w, &o);
    cull_list_clear(&old_element, &o.N_list);
    write_record(w, &o);
    clear_object(&o);
    run_release(w, &new);
    read_record(w, &o);
    assert_int_equal(o.N_list.n, 0);
    assert_string_equal(o.N_colour, "blue");
    clear_object(&o);
}

/* job numbers are used again */
static void what_was_kept_goes_with_its_record(void **state)
{
    struct world *w = *state;
    for (int is_job_gone = 0; is_job_gone <= 1; is_job_gone++) {
        struct N_Type o;
        write_rich_record(w);
        run_release(w, &old);
        read_record(w, &o);
        if (is_job_gone)
            spool_records_gone(w->r, SPOOL_JOB, 7);
        else
            spool_record_gone(w->r, the_key);
        assert_int_equal(spool_records_kept(w->r), 0);
        write_record(w, &o);
        clear_object(&o);
        run_release(w, &new);
        read_record(w, &o);
        assert_null(o.N_colour);
        clear_object(&o);
    }
}

static void another_record_s_going_changes_nothing(void **state)
{
    struct world *w = *state;
    struct N_Type o;
    write_rich_record(w);
    run_release(w, &old);
    read_record(w, &o);
    spool_records_gone(w->r, SPOOL_TASK, 7);
    spool_records_gone(w->r, SPOOL_JOB, 8);
    spool_record_gone(w->r, (struct spool_key){ SPOOL_JOB, "\0\0\0\7\1", 5 });
    spool_record_gone(w->r, (struct spool_key){ SPOOL_JOB, "\0\0", 2 });
    write_record(w, &o);
    clear_object(&o);
    assert_rich(w, "first");
}

static void a_newer_release_is_named(void **state)
{
    struct world *w = *state;
    run_release(w, &new);
    assert_null(spool_records_newer(w->r));
    run_release(w, &renamed); /* the tables are those of `new`: nothing of it is newer */
    run_release(w, &old);
    assert_string_equal(spool_records_newer(w->r), "9.1.0");
    run_release(w, &new);
    assert_null(spool_records_newer(w->r));
}

/* ---- damage ---- */
static void put_value(struct world *w, enum spool_table t, const char *bytes, size_t len)
{
    struct spool_batch *b = spool_batch_new();
    spool_put(b, t, the_key.bytes, the_key.len, bytes, len);
    commit_batch(w, b);
}

static void expect_damage(struct world *w, const char *bytes, size_t len, const char *what)
{
    struct answer ans = ANSWER_INIT;
    struct N_Type o;
    put_value(w, SPOOL_JOB, bytes, len);
    assert_int_equal(try_read(w, &o, &ans), -1);
    assert_string_equal(ans_first_error(&ans), what);
    assert_int_equal(o.present[0], 0);
    ans_free(&ans);
}

static void a_damaged_record_is_refused(void **state)
{
    struct world *w = *state;
    run_release(w, &oldest);
    run_release(w, &new);
    expect_damage(w, "\x09\0", 2, "N_Type record: the spool has no schema 9 to read it with");
    expect_damage(w, "", 0, "N_Type record: the spool has no schema 0 to read it with");
    expect_damage(w, "\2\1\1", 3, "malformed N_Type record: cannot read field N_number");
    expect_damage(w, "\1\0\5\1", 4, "malformed N_Type record: its earlier states cannot be read");
    expect_damage(w, "\1\0\2\x09\0", 5, "N_Type record: the spool has no schema 9 to read it with");
}

/* deeper than any release makes it: an end, and no stack that overflows */
static void endless_earlier_states_are_refused(void **state)
{
    struct world *w = *state;
    enum { LEVELS = 1000, BYTES = 3 };
    char bytes[2 + LEVELS * BYTES] = { 1, 0 };
    run_release(w, &oldest);
    run_release(w, &new);
    for (int i = 0; i < LEVELS; i++)
        memcpy(bytes + 2 + BYTES * i, "\2\1\0", BYTES);
    expect_damage(w, bytes, sizeof bytes,
                  "malformed N_Type record: its earlier states cannot be read");
}

static void a_damaged_schema_is_refused(void **state)
{
    struct world *w = *state;
    struct answer ans = ANSWER_INIT;
    put_value(w, SPOOL_SCHEMA,
              "\6"
              "9.1.0"
              "\3\1",
              8);
    assert_null(spool_records_open(w->s, &new.tables, new.name, &ans));
    assert_string_equal(ans_first_error(&ans), "the spool's schema 7 is malformed");
    ans_free(&ans);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
        TEST(a_newer_release_reads_an_older_record),
        TEST(each_schema_is_stored_once),
        TEST(an_older_release_keeps_what_it_does_not_know),
        TEST(so_do_two_of_them_after_each_other),
        TEST(taking_turns_does_not_make_a_record_grow),
        TEST(the_release_that_knows_it_all_writes_it_once),
        TEST(an_element_that_is_removed_stays_removed),
        TEST(what_was_kept_goes_with_its_record),
        TEST(another_record_s_going_changes_nothing),
        TEST(a_newer_release_is_named),
        TEST(a_damaged_record_is_refused),
        TEST(endless_earlier_states_are_refused),
        TEST(a_damaged_schema_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
