/* The committer against a spool that the test plays: what leaves when, and what happens while the
 * disk is full. The order of everything is written down as text: C commit, c a commit that failed,
 * B the ballast was given up, z a pause, S a frame sent. A last
 * C after accounting lines is the outbox being emptied. */
#include "daemons/qmaster/io/committer.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "daemons/qmaster/io/account_file.h"
#include "daemons/qmaster/io/inbox.h"
#include "libs/comm/server.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/file.h"

struct play { /* stands where the committer has its spool and its server */
    char dir[40];
    char *accounting;
    struct inbox *core;
    struct committer *committer;
    struct dstr order;
    int commits_to_fail;
    bool is_sync_failing; /* of the accounting file */
    int ballasts;
    int disk_error;                 /* what keeps the disk from being written */
    enum committer_trouble trouble; /* what is said while it waits */
    int mended_at;    /* the accounting file can be made again after this pause, counted down */
    int gives_up_at;  /* the core asks for it during this pause, counted down */
    const char *line; /* must be in the accounting file when a frame leaves */
    uint32_t late;    /* serial of a frame that the core adds while the first one is being sent */
};
static struct play *on_stage; /* for nanosleep, which is told nothing */
static struct outgoing *make_outgoing(uint32_t serial);

int __wrap_spool_commit(struct spool *s, const struct spool_batch *b, struct answer *ans);
bool __wrap_spool_disk_relieve(struct spool *s);
int __wrap_spool_disk_error(const struct spool *s);
const char *__wrap_spool_dir(const struct spool *s);
int __wrap_account_file_sync(struct account_file *f, struct answer *ans);
int __real_account_file_sync(struct account_file *f, struct answer *ans);
int __wrap_nanosleep(const struct timespec *want, struct timespec *left);
void __wrap_comm_server_send(struct comm_server *s, uint64_t conn, uint8_t kind, uint32_t serial,
                             uint8_t *body, size_t len);
void __wrap_comm_server_flush(struct comm_server *s);

int __wrap_spool_commit(struct spool *s, const struct spool_batch *b, struct answer *ans)
{
    struct play *p = (struct play *)s;
    assert_false(spool_batch_is_empty(b));
    if (p->commits_to_fail > 0) {
        p->commits_to_fail--;
        dstr_add(&p->order, "c");
        return ans_fail(ans, STATUS_EDISK, "no space left");
    }
    dstr_add(&p->order, "C");
    return 0;
}

int __wrap_account_file_sync(struct account_file *f, struct answer *ans)
{
    return on_stage->is_sync_failing ? ans_fail(ans, STATUS_ESYSTEM, "input/output error")
                                     : __real_account_file_sync(f, ans);
}

bool __wrap_spool_disk_relieve(struct spool *s)
{
    struct play *p = (struct play *)s;
    if (p->ballasts == 0)
        return false;
    p->ballasts--;
    dstr_add(&p->order, "B");
    return true;
}

int __wrap_spool_disk_error(const struct spool *s)
{
    return ((const struct play *)s)->disk_error;
}

const char *__wrap_spool_dir(const struct spool *s)
{
    (void)s;
    return "the spool";
}

int __wrap_nanosleep(const struct timespec *want, struct timespec *left)
{
    (void)want;
    (void)left;
    if (on_stage->gives_up_at > 0 && --on_stage->gives_up_at == 0)
        committer_give_up(on_stage->committer);
    if (on_stage->mended_at > 0 && --on_stage->mended_at == 0)
        assert_int_equal(rmdir(on_stage->accounting), 0);
    dstr_add(&on_stage->order, "z");
    assert_int_equal(committer_trouble(on_stage->committer), on_stage->trouble);
    return 0;
}

static bool file_has(const struct play *p, const char *line)
{
    struct dstr text = DSTR_INIT;
    assert_int_equal(file_read(p->accounting, 1 << 20, &text, NULL), 0);
    bool has = strstr(dstr_get(&text), line) != NULL;
    dstr_free(&text);
    return has;
}

void __wrap_comm_server_send(struct comm_server *s, uint64_t conn, uint8_t kind, uint32_t serial,
                             uint8_t *body, size_t len)
{
    struct play *p = (struct play *)s;
    (void)conn;
    (void)kind;
    (void)len;
    dstr_addf(&p->order, "S%u", serial);
    assert_true(p->line == NULL || file_has(p, p->line));
    free(body);
    uint32_t late = p->late;
    p->late = 0;
    if (late != 0)
        committer_send_after(p->committer, 1, make_outgoing(late));
}

void __wrap_comm_server_flush(struct comm_server *s)
{
    (void)s;
}

static struct outgoing *make_outgoing(uint32_t serial)
{
    struct outgoing *p = uti_calloc(1, sizeof *p);
    p->serial = serial;
    p->body = uti_calloc(1, 4);
    p->len = 4;
    return p;
}

static int set_up(void **state)
{
    struct play *p = uti_calloc(1, sizeof *p);
    snprintf(p->dir, sizeof p->dir, "/tmp/committer-test-XXXXXX");
    if (mkdtemp(p->dir) == NULL)
        return -1;
    p->accounting = path_join(p->dir, "accounting");
    p->core = inbox_new();
    p->trouble = COMMITTER_NO_SPOOL;
    p->committer =
        committer_new((struct spool *)p, p->accounting, (struct comm_server *)p, p->core);
    committer_stop(p->committer); /* committer_run does what there is and returns */
    *state = on_stage = p;
    return 0;
}

static int tear_down(void **state)
{
    struct play *p = *state;
    committer_free(p->committer);
    inbox_free(p->core);
    file_rmtree(p->dir, NULL);
    free(p->accounting);
    dstr_free(&p->order);
    free(p);
    return 0;
}

/* a batch with one record (if HAS_RECORD), one frame (if SERIAL) and one accounting line (if
 * LINE) */
static struct batch *make_batch(uint64_t number, bool has_record, uint32_t serial, const char *line)
{
    struct batch *b = batch_new(number);
    if (has_record)
        spool_put(b->spool, SPOOL_JOB, "key", 3, "value", 5);
    if (serial != 0) {
        struct outgoing *p = make_outgoing(serial);
        STAILQ_INSERT_TAIL(&b->outgoing, p, next);
    }
    dstr_add(&b->accounting, line != NULL ? line : "");
    return b;
}

/* the next note for the core must be this; its data, if any */
static char *take_note(struct play *p, enum note_kind kind, uint64_t number)
{
    struct note_list notes;
    inbox_take(p->core, 1, &notes);
    struct note *n = STAILQ_FIRST(&notes);
    assert_non_null(n);
    assert_null(STAILQ_NEXT(n, next));
    assert_int_equal(n->kind, kind);
    assert_int_equal(n->number, number);
    char *data = n->data != NULL ? uti_strndup(n->data, n->len) : NULL;
    note_free(n);
    return data;
}

static void frames_leave_after_the_sync(void **state)
{
    struct play *p = *state;
    committer_give(p->committer, make_batch(1, true, 7, NULL));
    assert_string_equal(dstr_get(&p->order), "");
    committer_run(p->committer);
    assert_string_equal(dstr_get(&p->order), "CS7");
    assert_null(take_note(p, NOTE_DURABLE, 1));
}

static void the_accounting_line_is_there_before_the_answer(void **state)
{
    struct play *p = *state;
    p->line = "all.q:1:1\n";
    committer_give(p->committer, make_batch(1, true, 7, p->line));
    committer_run(p->committer);
    assert_string_equal(dstr_get(&p->order), "CS7C");
    assert_true(file_has(p, p->line));
    assert_int_equal(committer_synced_accounting(p->committer),
                     1); /* synced at the end at the latest */
}

/* the answer has left, as the line is in the outbox; there it stays for the next start */
static void a_line_that_is_not_synced_stays_in_the_outbox(void **state)
{
    struct play *p = *state;
    p->is_sync_failing = true;
    committer_give(p->committer, make_batch(1, true, 7, "all.q:1:1\n"));
    committer_run(p->committer);
    assert_string_equal(dstr_get(&p->order), "CS7");
    assert_int_equal(committer_synced_accounting(p->committer), 0);
    p->is_sync_failing = false;
    committer_run(p->committer);
    assert_string_equal(dstr_get(&p->order), "CS7C");
    assert_int_equal(committer_synced_accounting(p->committer), 1);
}

static void a_full_disk_is_waited_out_and_nothing_leaves_meanwhile(void **state)
{
    struct play *p = *state;
    p->commits_to_fail = 4;
    p->ballasts = 1;
    p->disk_error = ENOSPC;
    p->line = "all.q:1:1\n";
    committer_give(p->committer, make_batch(1, true, 7, p->line));
    committer_run(p->committer);
    assert_string_equal(dstr_get(&p->order), "cBczczczCS7C");
    assert_int_equal(committer_trouble(p->committer), COMMITTER_WORKS);
    assert_null(take_note(p, NOTE_DURABLE, 1));
}

static void a_disk_that_stays_full_is_waited_out_however_long(void **state)
{
    struct play *p = *state;
    p->commits_to_fail = 500;
    p->disk_error = ENOSPC;
    committer_give(p->committer, make_batch(1, true, 7, NULL));
    committer_run(p->committer);
    assert_string_equal(dstr_get(&p->order) + p->order.len - 3, "CS7");
    assert_false(committer_has_failed(p->committer));
}

static void a_disk_that_has_failed_ends_the_qmaster(void **state)
{
    struct play *p = *state;
    p->commits_to_fail = 1000;
    p->disk_error = EIO;
    committer_give(p->committer, make_batch(1, true, 7, "all.q:1:1\n"));
    committer_run(p->committer);
    assert_null(strchr(dstr_get(&p->order), 'S')); /* nobody was told of it */
    assert_int_equal(p->order.len, 2 * 60);
    assert_true(committer_has_failed(p->committer));
    assert_null(take_note(p, NOTE_STOP, 0));
    committer_send_after(p->committer, 1, make_outgoing(8)); /* the core has not heard of it yet */
    assert_null(strchr(dstr_get(&p->order), 'S'));
}

/* in the file's place there is a directory; in that of its parent there could be a file */
static void an_accounting_file_that_has_failed_ends_the_qmaster(void **state)
{
    struct play *p = *state;
    assert_int_equal(unlink(p->accounting), 0);
    assert_int_equal(mkdir(p->accounting, 0755), 0);
    p->trouble = COMMITTER_NO_ACCOUNTING;
    committer_give(p->committer, make_batch(1, true, 7, "all.q:1:1\n"));
    committer_run(p->committer);
    assert_null(strchr(dstr_get(&p->order), 'S')); /* nobody was told that the task has gone */
    assert_int_equal(p->order.len, 1 + 60);
    assert_true(committer_has_failed(p->committer));
    assert_null(take_note(p, NOTE_STOP, 0));
}

static void an_accounting_file_that_is_mended_in_time_goes_on(void **state)
{
    struct play *p = *state;
    assert_int_equal(unlink(p->accounting), 0);
    assert_int_equal(mkdir(p->accounting, 0755), 0);
    p->trouble = COMMITTER_NO_ACCOUNTING;
    p->mended_at = 59;
    p->line = "all.q:1:1\n";
    committer_give(p->committer, make_batch(1, true, 7, p->line));
    committer_run(p->committer);
    assert_non_null(strstr(dstr_get(&p->order), "zS7"));
    assert_false(committer_has_failed(p->committer));
    assert_null(take_note(p, NOTE_DURABLE, 1));
}

static void what_the_disk_does_not_take_is_given_up_at_the_end(void **state)
{
    struct play *p = *state;
    p->commits_to_fail = 1000;
    p->disk_error = ENOSPC;
    p->gives_up_at = 3;
    committer_give(p->committer, make_batch(1, true, 7, NULL));
    committer_run(p->committer);
    assert_string_equal(dstr_get(&p->order), "czczcz");
    assert_false(committer_has_failed(p->committer));
}

static void a_batch_without_records_costs_no_sync(void **state)
{
    struct play *p = *state;
    committer_give(p->committer, make_batch(1, false, 7, NULL));
    committer_run(p->committer);
    assert_string_equal(dstr_get(&p->order), "S7");
}

static void a_frame_for_a_batch_under_way_waits_for_it(void **state)
{
    struct play *p = *state;
    committer_give(p->committer, make_batch(1, true, 7, NULL));
    committer_send_after(p->committer, 1, make_outgoing(8));
    assert_string_equal(dstr_get(&p->order), "");
    committer_run(p->committer);
    assert_string_equal(dstr_get(&p->order), "CS7S8");
    committer_send_after(p->committer, 1, make_outgoing(9)); /* durable: at once */
    assert_string_equal(dstr_get(&p->order), "CS7S8S9");
}

/* parts of one answer: the later may not arrive before the earlier */
static void a_frame_added_while_the_batch_is_sent_goes_behind_its_others(void **state)
{
    struct play *p = *state;
    struct batch *b = make_batch(1, true, 7, NULL);
    struct outgoing *second = make_outgoing(8);
    STAILQ_INSERT_TAIL(&b->outgoing, second, next);
    p->late = 9;
    committer_give(p->committer, b);
    committer_run(p->committer);
    assert_string_equal(dstr_get(&p->order), "CS7S8S9");
    assert_null(take_note(p, NOTE_DURABLE, 1));
}

static void an_accounting_file_that_cannot_be_made_ends_the_start(void **state)
{
    struct play *p = *state;
    char *path = path_join(p->dir, "no/accounting");
    assert_null(committer_new((struct spool *)p, path, (struct comm_server *)p, p->core));
    free(path);
    committer_free(NULL);
    batch_free(NULL);
    batch_free(make_batch(1, true, 7, "line\n")); /* never given: its frame goes with it */
}

static void *run_thread(void *ctx)
{
    committer_run(ctx);
    return NULL;
}

static struct batch *make_timed(uint64_t number, uint32_t flush_s)
{
    struct batch *b = make_batch(number, true, 0, "all.q:1:1\n");
    dstr_add(&b->reporting, "1:acct:all.q\n");
    b->reporting_flush_s = b->accounting_flush_s = flush_s;
    return b;
}

/* the next batch can be given: returns when the last one is durable */
static void wait_durable(struct play *p)
{
    struct note_list notes;
    struct note *n;
    for (bool is_done = false; !is_done;) {
        inbox_take(p->core, UINT64_MAX, &notes);
        while ((n = STAILQ_FIRST(&notes)) != NULL) {
            STAILQ_REMOVE_HEAD(&notes, next);
            is_done = true;
            note_free(n);
        }
    }
}

/* sge_conf(5): flush_time and accounting_flush_time; nothing that waits is lost at the end */
static void lines_wait_as_long_as_the_configuration_says(void **state)
{
    struct play *p = *state;
    char *reporting = path_join(p->dir, "reporting");
    pthread_t thread;
    committer_free(p->committer);
    p->committer =
        committer_new((struct spool *)p, p->accounting, (struct comm_server *)p, p->core);
    assert_int_equal(pthread_create(&thread, NULL, run_thread, p->committer), 0);
    committer_give(p->committer, make_timed(1, 60));
    wait_durable(p);
    committer_give(p->committer, make_timed(2, 60)); /* is taken when all of the first is done */
    wait_durable(p);
    assert_int_equal(committer_synced_accounting(p->committer), 0);
    assert_int_not_equal(access(reporting, F_OK), 0);
    committer_stop(p->committer);
    pthread_join(thread, NULL);
    assert_int_equal(committer_synced_accounting(p->committer), 2);
    assert_int_equal(access(reporting, F_OK), 0);
    assert_int_equal(unlink(reporting), 0);

    committer_free(p->committer);
    p->committer =
        committer_new((struct spool *)p, p->accounting, (struct comm_server *)p, p->core);
    assert_int_equal(pthread_create(&thread, NULL, run_thread, p->committer), 0);
    committer_give(p->committer, make_timed(3, 0));
    wait_durable(p);
    committer_give(p->committer, make_timed(4, 0));
    wait_durable(p);
    assert_true(committer_synced_accounting(p->committer) >= 3);
    assert_int_equal(access(reporting, F_OK), 0);
    committer_stop(p->committer);
    pthread_join(thread, NULL);
    free(reporting);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
        TEST(frames_leave_after_the_sync),
        TEST(the_accounting_line_is_there_before_the_answer),
        TEST(a_line_that_is_not_synced_stays_in_the_outbox),
        TEST(a_full_disk_is_waited_out_and_nothing_leaves_meanwhile),
        TEST(a_disk_that_stays_full_is_waited_out_however_long),
        TEST(a_disk_that_has_failed_ends_the_qmaster),
        TEST(an_accounting_file_that_has_failed_ends_the_qmaster),
        TEST(an_accounting_file_that_is_mended_in_time_goes_on),
        TEST(what_the_disk_does_not_take_is_given_up_at_the_end),
        TEST(a_batch_without_records_costs_no_sync),
        TEST(a_frame_for_a_batch_under_way_waits_for_it),
        TEST(a_frame_added_while_the_batch_is_sent_goes_behind_its_others),
        TEST(an_accounting_file_that_cannot_be_made_ends_the_start),
        TEST(lines_wait_as_long_as_the_configuration_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
