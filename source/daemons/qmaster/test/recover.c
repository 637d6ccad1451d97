/* A spool that is not as we write it: of another release, with records that are damaged or that we
 * do not know. sge_qmaster(8). */
#include "daemons/qmaster/recover.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "common/version.h"
#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/recent.h"
#include "daemons/qmaster/requests/requests.h"
#include "daemons/qmaster/test/fixture.h"
#include "daemons/qmaster/test/fixture_asks.h"
#include "daemons/qmaster/test/fixture_jobs.h"
#include "libs/gdi/message.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_state.h"
#include "libs/spool/records.h"
#include "libs/task/task_dir.h"
#include "libs/uti/alloc.h"

/* ---- the tables of another release ---- */
struct row {
    const char *name;
    enum cull_kind kind;
    const struct cull_type *element; /* of a list */
};
/* of a release that knew less of jobs than ours, and a thing that ours has forgotten */
static const struct row old_job[] = {
    { "JB_forgotten", CULL_STRING, NULL }, { "JB_owner", CULL_STRING, NULL },
    { "JB_job_number", CULL_ULONG, NULL }, { "JB_job_name", CULL_STRING, NULL },
    { "JB_uid", CULL_ULONG, NULL },
};
static const struct row old_task[] = {
    { "JAT_granted_destin_identifier_list", CULL_LIST, &cull_JG_Type },
    { "JAT_mood", CULL_STRING, NULL },
    { "JAT_status", CULL_ULONG, NULL },
    { "JAT_attempt", CULL_ULONG64, NULL },
};
static const struct row new_object[] = {
    { "TX_entries", CULL_LIST, &cull_VA_Type },
    { "TX_colour", CULL_STRING, NULL },
    { "TX_name", CULL_STRING, NULL },
    { "TX_kind", CULL_ULONG, NULL },
};

static uint32_t number_of(const struct cull_schema *s, const struct cull_type *t)
{
    for (unsigned i = 0; i < s->n; i++)
        if (s->types[i] == t)
            return i + 1;
    return 0;
}

static void pack_row(struct packer *p, const char *name, enum cull_kind kind, uint32_t element)
{
    pack_blob(p, name, strlen(name));
    pack_u8(p, (uint8_t)kind);
    pack_varint(p, element);
}

static void pack_rows(struct packer *p, const struct row *rows, unsigned n)
{
    pack_varint(p, n);
    for (unsigned i = 0; i < n; i++)
        pack_row(p, rows[i].name, rows[i].kind,
                 rows[i].kind == CULL_LIST ? number_of(sgeobj_schema(), rows[i].element) : 0);
}

/* number of the other release's schema, which it wrote before the records */
enum { FOREIGN = 90 };

/* all tables as ours but those above, and one type that we never heard of */
static void write_foreign_tables(struct fixture *f, const char *release)
{
    const struct cull_schema *s = sgeobj_schema();
    struct packer key = { 0 }, p = { 0 };
    pack_u32be(&key, FOREIGN);
    pack_string(&p, release);
    pack_varint(&p, s->n + 1);
    for (unsigned i = 0; i < s->n; i++) {
        const struct cull_type *t = s->types[i];
        pack_blob(&p, t->name, strlen(t->name));
        if (t == &cull_JB_Type) {
            pack_rows(&p, old_job, ARRAY_LEN(old_job));
        } else if (t == &cull_JAT_Type) {
            pack_rows(&p, old_task, ARRAY_LEN(old_task));
        } else if (t == &cull_TX_Type) {
            pack_rows(&p, new_object, ARRAY_LEN(new_object));
        } else {
            pack_varint(&p, t->n_fields);
            for (unsigned k = 0; k < t->n_fields; k++)
                pack_row(&p, t->fields[k].name, t->fields[k].kind,
                         t->fields[k].kind == CULL_LIST ? number_of(s, t->fields[k].element) : 0);
        }
    }
    pack_blob(&p, "ZZ_Type", 7);
    pack_rows(&p, old_job, 1);
    fixture_spool(f, SPOOL_SCHEMA, key.data, key.len, &p);
    packer_free(&key);
    packer_free(&p);
}

static struct packer key_of_job(uint32_t job)
{
    struct packer key = { 0 };
    pack_u32be(&key, job);
    return key;
}

static void write_foreign_job(struct fixture *f, uint32_t number)
{
    struct packer key = key_of_job(number), p = { 0 };
    pack_varint(&p, FOREIGN);
    pack_blob(&p, "\x1f", 1); /* it has all of its fields */
    pack_string(&p, "nobody knows any more");
    pack_string(&p, "alice");
    pack_varint(&p, number);
    pack_string(&p, "old");
    pack_varint(&p, 1001);
    fixture_spool(f, SPOOL_JOB, key.data, key.len, &p);
    packer_free(&key);
    packer_free(&p);
}

/* its only task runs, in its second attempt */
static void write_foreign_task(struct fixture *f, uint32_t number)
{
    struct packer key = key_of_job(number), p = { 0 };
    pack_u32be(&key, 0);
    pack_varint(&p, FOREIGN);
    pack_blob(&p, "\x0f", 1);
    pack_varint(&p, 1); /* one entry, of our JG_Type */
    pack_blob(&p, "\x07", 1);
    pack_string(&p, "all.q@node1");
    pack_string(&p, "node1");
    pack_varint(&p, 1);
    pack_string(&p, "sunny");
    pack_varint(&p, TASK_RUNNING);
    pack_varint(&p, 2);
    fixture_spool(f, SPOOL_TASK, key.data, key.len, &p);
    packer_free(&key);
    packer_free(&p);
}

static void write_foreign_object(struct fixture *f, enum spool_table table, const char *key,
                                 uint32_t kind, const char *name)
{
    struct packer p = { 0 };
    pack_varint(&p, FOREIGN);
    pack_blob(&p, "\x0f", 1);
    pack_varint(&p, 1); /* one entry, of our VA_Type */
    pack_blob(&p, "\x03", 1);
    pack_string(&p, "carol");
    pack_string(&p, "value");
    pack_string(&p, "blue");
    pack_string(&p, name);
    pack_varint(&p, kind);
    fixture_spool(f, table, key, strlen(key), &p);
    packer_free(&p);
}

/* a spool that another release has written to, after and before ours */
static void make_foreign(struct fixture *f)
{
    write_foreign_tables(f, "8.9.9");
    write_foreign_object(f, SPOOL_TEXT, "18 @allhosts", GDI_HOSTGROUP, "@allhosts");
    write_foreign_object(f, SPOOL_NAMES, "managers", 0, "");
}

static bool spool_has(struct fixture *f, enum spool_table table, const char *key)
{
    void *value = NULL;
    size_t len = 0;
    int found = spool_get(f->q.spool, table, key, strlen(key), &value, &len, NULL);
    assert_true(found >= 0);
    free(value);
    return found > 0;
}

/* ---- another release ---- */
static void a_job_of_another_release_is_a_job(void **state)
{
    struct fixture *f = *state;
    make_foreign(f);
    write_foreign_job(f, 7);
    fixture_restart(f);
    const struct JB_Type *rec = &fixture_job(f, 7)->rec;
    assert_string_equal(rec->JB_job_name, "old");
    assert_string_equal(rec->JB_owner, "alice");
    assert_int_equal(rec->JB_uid, 1001);
    assert_int_equal(rec->JB_priority, JOB_PRIORITY_BASE); /* not in its tables: the default */
    assert_int_equal(job_task_count(rec), 1);
    assert_null(rec->JB_cwd);
    assert_string_equal(fixture_ready(f, 7), "1");
}

static void its_running_task_ends_here(void **state)
{
    struct fixture *f = *state;
    make_foreign(f);
    assert_true(fixture_set_queue(f, "hostlist", "node1"));
    fixture_commit(f);
    make_foreign(f);
    write_foreign_job(f, 7);
    write_foreign_task(f, 7);
    fixture_restart(f);
    struct task *t = fixture_task(f, 7, 1);
    assert_int_equal(t->rec.JAT_attempt, 2);
    assert_int_equal(fixture_queue(f)->rec.QU_slots_used, 1);
    fixture_report(f, 7, 1, REPORT_ENDED, 0);
    fixture_commit(f);
    char *text = fixture_accounting(f);
    assert_non_null(strstr(text, ":alice:old:7:"));
    free(text);
}

static struct packer job_record(struct fixture *f, uint32_t number)
{
    struct packer key = key_of_job(number), value = { 0 };
    void *data = NULL;
    assert_int_equal(spool_get(f->q.spool, SPOOL_JOB, key.data, key.len, &data, &value.len, NULL),
                     1);
    value.data = data;
    packer_free(&key);
    return value;
}

static bool has_text(const struct packer *p, const char *text)
{
    return memmem(p->data, p->len, text, strlen(text)) != NULL;
}

static void nothing_is_converted_at_a_start(void **state)
{
    struct fixture *f = *state;
    make_foreign(f);
    write_foreign_job(f, 7);
    struct packer before = job_record(f, 7);
    fixture_restart(f);
    fixture_restart(f);
    struct packer after = job_record(f, 7);
    assert_int_equal(after.len, before.len);
    assert_memory_equal(after.data, before.data, before.len);
    packer_free(&before);
    packer_free(&after);
}

static void fields_we_do_not_know_survive_a_change(void **state)
{
    struct fixture *f = *state;
    make_foreign(f);
    write_foreign_job(f, 7);
    for (int i = 0; i < 3; i++) {
        fixture_restart(f);
        struct job *job = fixture_job(f, 7);
        cull_set(&job->rec, JB_job_name, i == 0 ? "second" : "third");
        change_job(&f->q, job);
        fixture_commit(f);
    }
    struct packer p = job_record(f, 7);
    assert_true(has_text(&p, "nobody knows any more"));
    assert_true(has_text(&p, "third"));
    assert_false(has_text(&p, "second"));
    packer_free(&p);
    fixture_restart(f);
    assert_string_equal(fixture_job(f, 7)->rec.JB_job_name, "third");
}

static void they_do_not_come_back_with_the_number_of_their_job(void **state)
{
    struct fixture *f = *state;
    make_foreign(f);
    write_foreign_job(f, 7);
    fixture_restart(f);
    struct job *job = fixture_job(f, 7);
    change_job_gone(&f->q, job);
    change_job(&f->q, job); /* of the same number */
    fixture_commit(f);
    struct packer p = job_record(f, 7);
    assert_false(has_text(&p, "nobody knows any more"));
    packer_free(&p);
}

/* ---- a newer release ---- */
static void the_spool_of_a_newer_release_is_refused(void **state)
{
    struct fixture *f = *state;
    write_foreign_tables(f, "10.2.1");
    char *why = fixture_restart_fails(f);
    assert_non_null(strstr(why, "was written by release 10.2.1, this is release " SGE_VERSION));
    assert_non_null(strstr(why, "\"newer_spool keep\""));
    free(why);
}

static void it_is_kept_where_the_administrator_says_so(void **state)
{
    struct fixture *f = *state;
    write_foreign_tables(f, "10.2.1");
    write_foreign_job(f, 7);
    f->q.keeps_newer = true;
    fixture_restart(f);
    assert_string_equal(fixture_job(f, 7)->rec.JB_job_name, "old");
    assert_int_equal(spool_records_kept(f->q.records), 1);
}

/* told in the messages file; nothing is lost, should the newer release come back */
static void objects_of_an_unknown_kind_are_kept(void **state)
{
    struct fixture *f = *state;
    make_foreign(f);
    write_foreign_object(f, SPOOL_TEXT, "999 mystery", 999, "mystery");
    write_foreign_object(f, SPOOL_NAMES, "gardeners", 0, "");
    struct packer p = { 0 };
    pack_varint(&p, 1);
    fixture_spool(f, SPOOL_META, "season", 6, &p);
    packer_free(&p);
    fixture_restart(f);
    assert_true(settings_has_name(&f->q.settings, NAMES_MANAGER, "carol"));
    config_stage_names(&f->q, NAMES_MANAGER);
    fixture_commit(f);
    fixture_restart(f);
    assert_true(spool_has(f, SPOOL_TEXT, "999 mystery"));
    assert_true(spool_has(f, SPOOL_NAMES, "gardeners"));
    assert_true(spool_has(f, SPOOL_META, "season"));
    assert_true(settings_has_name(&f->q.settings, NAMES_MANAGER, "carol"));
    assert_false(settings_has_name(&f->q.settings, NAMES_OPERATOR, "carol"));
}

static void the_state_of_an_instance_that_is_no_more_goes(void **state)
{
    struct fixture *f = *state;
    change_record(&f->q, SPOOL_QINSTANCE, "all.q@gone", &cull_QU_Type, &fixture_queue(f)->rec);
    fixture_commit(f);
    fixture_restart(f);
    fixture_commit(f);
    assert_false(spool_has(f, SPOOL_QINSTANCE, "all.q@gone"));
}

/* ---- damage: the qmaster does not start with half of its jobs ---- */
static int count_record(void *ctx, const void *key, size_t key_len, const void *value, size_t len)
{
    uint32_t *n = ctx;
    (void)key;
    (void)key_len;
    (void)value;
    (void)len;
    ++*n;
    return 0;
}

static uint32_t instances_in_spool(struct fixture *f)
{
    uint32_t n = 0;
    assert_int_equal(spool_walk(f->q.spool, SPOOL_QINSTANCE, count_record, &n, NULL), 0);
    return n;
}

/* the first batch does not grow with what the spool holds */
static void of_very_many_instances_that_are_no_more_some_go_at_each_start(void **state)
{
    struct fixture *f = *state;
    uint32_t before = instances_in_spool(f);
    for (uint32_t i = 0; i < 10100; i++) {
        char name[32];
        snprintf(name, sizeof name, "all.q@gone%u", i);
        change_record(&f->q, SPOOL_QINSTANCE, name, &cull_QU_Type, &fixture_queue(f)->rec);
    }
    fixture_commit(f);
    for (int start = 0; start < 2; start++) {
        fixture_restart(f);
        fixture_commit(f);
        assert_int_equal(instances_in_spool(f), before + (start == 0 ? 100 : 0));
    }
}

static void refuse_record(struct fixture *f, enum spool_table table, const void *key,
                          size_t key_len, const char *bytes, size_t len, const char *what)
{
    struct packer p = { 0 };
    pack_bytes(&p, bytes, len);
    fixture_spool(f, table, key, key_len, &p);
    packer_free(&p);
    char *why = fixture_restart_fails(f);
    assert_non_null(strstr(why, what));
    free(why);
}

static void a_damaged_job_stops_the_start(void **state)
{
    struct fixture *f = *state;
    submit(f);
    submit(f);
    fixture_commit(f);
    refuse_record(f, SPOOL_JOB, "\0\0\0\1", 4, "\xff\xff", 2,
                  "the spool has a malformed record among its jobs");
}

static void a_job_under_another_number_stops_the_start(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f);
    fixture_commit(f);
    struct packer p = job_record(f, a);
    refuse_record(f, SPOOL_JOB, "\0\0\0\x09", 4, (const char *)p.data, p.len, "among its jobs");
    packer_free(&p);
}

static void a_task_of_no_job_stops_the_start(void **state)
{
    struct fixture *f = *state;
    refuse_record(f, SPOOL_TASK, "\0\0\0\x09\0\0\0\0", 8, "\0", 1, "among its tasks");
}

static void a_task_in_no_state_stops_the_start(void **state)
{
    struct fixture *f = *state;
    uint32_t a = submit(f);
    assert_int_equal(a, 1);
    fixture_commit(f);
    refuse_record(f, SPOOL_TASK, "\0\0\0\1\0\0\0\0", 8, "\0", 1, "among its tasks");
}

static void damaged_ends_stop_the_start(void **state)
{
    struct fixture *f = *state;
    submit(f, .tasks = "1-9");
    fixture_commit(f);
    refuse_record(f, SPOOL_ENDED, "\0\0\0\1\0\0\0\0", 8, "\x7f", 1, "among its ended tasks");
}

static void assert_ordinals(const struct range_set *set, uint32_t first, uint32_t last)
{
    struct range run;
    assert_int_equal(range_set_count(set), last - first + 1);
    assert_true(range_set_next_run(set, 0, &run));
    assert_int_equal(run.first, first);
}

static void a_restart_knows_which_tasks_failed(void **state)
{
    struct fixture *f = *state;
    submit(f, .tasks = "1-9");
    fixture_run(f, 1, 1, TASK_FAILED_NOT);
    fixture_run(f, 1, 2, TASK_FAILED_AFTER_JOB);
    fixture_delete(f, "alice", "1.5-6");
    fixture_commit(f);
    fixture_restart(f);
    const struct job *job = fixture_job(f, 1);
    assert_int_equal(range_set_count(&job->rare->failed), 3);
    assert_true(range_set_has(&job->rare->failed, 1) && range_set_has(&job->rare->failed, 4));
    assert_true(range_set_is_empty(&job->rare->unknown));
}

/* packed ranges and nothing else: a release before wrote only which tasks had ended */
static void how_tasks_of_an_older_release_ended_is_not_known(void **state)
{
    struct fixture *f = *state;
    struct range_set ended = { 0 };
    struct packer p = { 0 };
    submit(f, .tasks = "1-9");
    fixture_commit(f);
    range_set_add(&ended, 0, 3);
    pack_ranges(&p, &ended);
    range_set_free(&ended);
    fixture_spool(f, SPOOL_ENDED, "\0\0\0\1\0\0\0\0", 8, &p);
    packer_free(&p);
    fixture_restart(f);
    assert_ordinals(&fixture_job(f, 1)->rare->unknown, 0, 3);
    fixture_run(f, 1, 5, TASK_FAILED_AFTER_JOB);
    fixture_commit(f);
    fixture_restart(f);
    assert_ordinals(&fixture_job(f, 1)->rare->unknown, 0, 3);
    assert_ordinals(&fixture_job(f, 1)->rare->failed, 4, 4);
}

static void which_tasks_failed_is_charged_to_the_owner(void **state)
{
    struct fixture *f = *state;
    submit(f, .tasks = "1-999");
    fixture_commit(f);
    const struct job *job = fixture_job(f, 1);
    uint64_t before = job->share.memory;
    for (uint32_t id = 1; id < 20; id += 2)
        fixture_run(f, 1, id, TASK_FAILED_AFTER_JOB);
    fixture_commit(f);
    assert_true(job->rare->ends_bytes > 0);
    assert_int_equal(job->share.memory, before + job->rare->ends_bytes);
    assert_int_equal(f->q.jobs.share.memory, job->share.memory);
    fixture_restart(f);
    job = fixture_job(f, 1);
    assert_int_equal(range_set_count(&job->rare->failed), 10);
    assert_true(job->rare->ends_bytes > 0 && job->share.memory > job->rare->ends_bytes);
    assert_int_equal(f->q.jobs.share.memory, job->share.memory);
    fixture_delete(f, "alice", "1");
    fixture_commit(f);
    assert_int_equal(f->q.jobs.share.memory, 0);
}

static void a_damaged_schema_stops_the_start(void **state)
{
    struct fixture *f = *state;
    refuse_record(f, SPOOL_SCHEMA, "\0\0\0\x05", 4, "\x03\x01", 2,
                  "the spool's schema 5 is malformed");
}

static void a_damaged_next_number_stops_the_start(void **state)
{
    struct fixture *f = *state;
    refuse_record(f, SPOOL_META, "next_job", 8, "\xff", 1, "among its numbers");
}

static void a_damaged_request_stops_the_start(void **state)
{
    struct fixture *f = *state;
    refuse_record(f, SPOOL_REQUEST, "1001/x", 6, "\x05", 1, "among its requests");
}

static void damaged_objects_stop_the_start(void **state)
{
    struct fixture *f = *state;
    refuse_record(f, SPOOL_CQUEUE, "all.q", 5, "\x7f", 1, "among its queues");
}

static void a_damaged_queue_state_stops_the_start(void **state)
{
    struct fixture *f = *state;
    refuse_record(f, SPOOL_QINSTANCE, "all.q@node1", 11, "\x7f", 1, "among its queue states");
}

/* ---- what a start takes ---- */
enum { RECORDS = 40, RECORD_BYTES = 1 << 20, LINES_BYTES = 8 << 20, LEEWAY_BYTES = 12 << 20 };

/* a figure of /proc/self/status */
static size_t status_bytes(const char *field)
{
    char line[256];
    size_t kib = 0;
    FILE *status = fopen("/proc/self/status", "re");
    assert_non_null(status);
    while (kib == 0 && fgets(line, sizeof line, status) != NULL)
        if (strncmp(line, field, strlen(field)) == 0)
            kib = strtoul(line + strlen(field), NULL, 10);
    fclose(status);
    return kib * 1024;
}

/* the memory that a restart takes for a while, beside what was there before: the same state */
static size_t peak_of_restart(struct fixture *f)
{
    size_t before = status_bytes("VmRSS:");
    FILE *peak = fopen("/proc/self/clear_refs", "we"); /* 5: the peak is what it is now */
    assert_non_null(peak);
    assert_true(fputs("5", peak) >= 0 && fclose(peak) == 0);
    fixture_restart(f);
    size_t most = status_bytes("VmHWM:");
    return most > before ? most - before : 0;
}

/* a sanitizer keeps for a while what was freed */
static void skip_if_sanitized(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    print_message("impossible here: a sanitizer has memory of its own\n");
    skip();
#endif
}

static void a_start_holds_one_record_at_a_time(void **state)
{
    skip_if_sanitized();
    struct fixture *f = *state;
    char *text = uti_calloc(RECORD_BYTES + 1, 1);
    memset(text, 'x', RECORD_BYTES);
    for (int i = 0; i < RECORDS; i++) {
        struct job *job = fixture_job(f, submit(f));
        struct VA_Type *va = cull_append(&job->rec, JB_context);
        cull_set(va, VA_variable, "V");
        cull_set(va, VA_value, text);
        change_job(&f->q, job);
        fixture_commit(f);
    }
    free(text);
    fixture_restart(f); /* from here on the state comes from the spool, before and after */
    assert_in_range(peak_of_restart(f), 0, LEEWAY_BYTES);
    assert_int_equal(strlen(fixture_job(f, RECORDS)->rec.JB_context.v[0].VA_value), RECORD_BYTES);
}

static void a_start_holds_the_lines_of_the_outbox_four_times_at_most(void **state)
{
    skip_if_sanitized();
    struct fixture *f = *state;
    struct packer lines = { 0 };
    static const uint8_t key[8] = { [7] = 1 };
    for (uint32_t i = 0; lines.len < LINES_BYTES; i++) {
        char line[64];
        int len = snprintf(line, sizeof line, "all.q:node1:alice:%08u:%032u\n", i, 0u);
        pack_bytes(&lines, line, (size_t)len);
    }
    fixture_restart(f);
    fixture_spool(f, SPOOL_OUTBOX, key, sizeof key, &lines);
    assert_in_range(peak_of_restart(f), LINES_BYTES, 4 * LINES_BYTES + LEEWAY_BYTES);
    struct stat st;
    assert_int_equal(stat(f->accounting, &st), 0);
    assert_true((size_t)st.st_size >= lines.len);
    packer_free(&lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)
        TEST(a_job_of_another_release_is_a_job),
        TEST(its_running_task_ends_here),
        TEST(nothing_is_converted_at_a_start),
        TEST(fields_we_do_not_know_survive_a_change),
        TEST(they_do_not_come_back_with_the_number_of_their_job),
        TEST(the_spool_of_a_newer_release_is_refused),
        TEST(it_is_kept_where_the_administrator_says_so),
        TEST(objects_of_an_unknown_kind_are_kept),
        TEST(the_state_of_an_instance_that_is_no_more_goes),
        TEST(of_very_many_instances_that_are_no_more_some_go_at_each_start),
        TEST(a_damaged_job_stops_the_start),
        TEST(a_job_under_another_number_stops_the_start),
        TEST(a_task_of_no_job_stops_the_start),
        TEST(a_task_in_no_state_stops_the_start),
        TEST(damaged_ends_stop_the_start),
        TEST(a_restart_knows_which_tasks_failed),
        TEST(how_tasks_of_an_older_release_ended_is_not_known),
        TEST(which_tasks_failed_is_charged_to_the_owner),
        TEST(a_damaged_schema_stops_the_start),
        TEST(a_damaged_next_number_stops_the_start),
        TEST(a_damaged_request_stops_the_start),
        TEST(damaged_objects_stop_the_start),
        TEST(a_damaged_queue_state_stops_the_start),
        TEST(a_start_holds_one_record_at_a_time),
        TEST(a_start_holds_the_lines_of_the_outbox_four_times_at_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
