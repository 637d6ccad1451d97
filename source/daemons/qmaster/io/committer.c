/* The committer thread. One batch is in work at a time; the core collects the next meanwhile (group
 * commit). Invariants:
 *   - a frame of batch N is sent after the sync of N and after its accounting lines are in the
 *     file, and frames in the order given;
 *   - a batch that cannot be written, or whose accounting lines cannot, is kept and tried again:
 *     nothing of it leaves, nothing after it overtakes it. A full disk is waited out; another error
 *     that stays for PERMANENT_TRIES ends the qmaster, so that the next start can recover;
 *   - records are changed by this thread alone. */
#include "daemons/qmaster/io/committer.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "daemons/qmaster/io/account_file.h"
#include "daemons/qmaster/io/inbox.h"
#include "daemons/qmaster/io/msg_io.h"
#include "libs/comm/server.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/assert.h"
#include "libs/uti/log.h"
#include "libs/uti/time.h"

enum { SYNC_AGAIN_US = 1000000, REPORTING_KEPT = 1 << 20, RETRY_MS = 500, PERMANENT_TRIES = 60 };

struct committer {
    struct spool *spool;
    struct comm_server *server;
    struct inbox *core;
    struct account_file *accounting;
    struct mailer *mailer; /* or NULL */
    char *reporting_path;
    struct dstr reporting; /* lines that are not written yet; this thread's own */
    uint64_t reporting_due_us;
    bool has_reporting_failed;   /* the log says so */
    uint64_t accounting_written; /* last batch whose lines were appended; this thread's own */
    uint64_t accounting_sync_at_us, accounting_sync_us; /* when next, and how often */
    bool has_sync_failed;                               /* which has been said */

    /* written by one thread and read by the other, each for itself */
    _Atomic uint64_t accounting_synced;
    _Atomic enum committer_trouble trouble; /* with the batch in work */
    atomic_bool is_given_up;                /* the batch in work, if any, stays unwritten */
    atomic_bool has_failed;                 /* by itself */

    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t work;
    struct batch *batch; /* given, not yet durable; its frames are guarded, too */
    uint64_t durable;    /* the last batch that is on disk and of which everything has been sent */
    bool is_stopping;
};

struct batch *batch_new(uint64_t number)
{
    struct batch *b = uti_calloc(1, sizeof *b);
    b->number = number;
    b->spool = spool_batch_new();
    STAILQ_INIT(&b->outgoing);
    STAILQ_INIT(&b->mails);
    return b;
}

static void outgoing_free(struct outgoing *p)
{
    free(p->body);
    free(p);
}

void batch_free(struct batch *b)
{
    if (b == NULL)
        return;
    struct outgoing *p;
    while ((p = STAILQ_FIRST(&b->outgoing)) != NULL) {
        STAILQ_REMOVE_HEAD(&b->outgoing, next);
        outgoing_free(p);
    }
    struct mail *m;
    while ((m = STAILQ_FIRST(&b->mails)) != NULL) {
        STAILQ_REMOVE_HEAD(&b->mails, next);
        mail_free(m);
    }
    spool_batch_free(b->spool);
    dstr_free(&b->accounting);
    dstr_free(&b->reporting);
    free(b);
}

/* NAME in the directory of PATH; new: free() */
static char *path_beside(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    struct dstr text = DSTR_INIT;
    dstr_addn(&text, path, slash != NULL ? (size_t)(slash + 1 - path) : 0);
    dstr_add(&text, name);
    return dstr_take(&text);
}

struct committer *committer_new(struct spool *spool, const char *accounting_path,
                                struct comm_server *server, struct inbox *core)
{
    struct answer ans = ANSWER_INIT;
    struct account_file *file = account_file_open(accounting_path, &ans);
    if (file == NULL) {
        log_answer(&ans);
        ans_free(&ans);
        return NULL;
    }
    struct committer *c = uti_calloc(1, sizeof *c);
    c->spool = spool;
    c->server = server;
    c->core = core;
    c->accounting = file;
    c->reporting_path = path_beside(accounting_path, "reporting");
    pthread_mutex_init(&c->lock, NULL);
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&c->work, &attr);
    pthread_condattr_destroy(&attr);
    return c;
}

void committer_free(struct committer *c)
{
    if (c == NULL)
        return;
    batch_free(c->batch);
    account_file_close(c->accounting);
    dstr_free(&c->reporting);
    free(c->reporting_path);
    pthread_cond_destroy(&c->work);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

void committer_send_mails(struct committer *c, struct mailer *mailer)
{
    c->mailer = mailer;
}

/* Releases the lock before it wakes the committer, which then finds it free. */
static void unlock_and_wake(struct committer *c)
{
    pthread_mutex_unlock(&c->lock);
    pthread_cond_signal(&c->work);
}

void committer_give(struct committer *c, struct batch *b)
{
    pthread_mutex_lock(&c->lock);
    ASSERT(c->batch == NULL);
    c->batch = b;
    unlock_and_wake(c);
}

void committer_stop(struct committer *c)
{
    pthread_mutex_lock(&c->lock);
    c->is_stopping = true;
    unlock_and_wake(c);
}

void committer_give_up(struct committer *c)
{
    pthread_mutex_lock(&c->lock);
    c->is_given_up = c->is_stopping = true;
    unlock_and_wake(c);
}

bool committer_has_failed(const struct committer *c)
{
    return c->has_failed;
}

uint64_t committer_synced_accounting(const struct committer *c)
{
    return c->accounting_synced;
}

static void send_outgoing(struct committer *c, struct outgoing *p)
{
    comm_server_send(c->server, p->conn, p->kind, p->serial, p->body, p->len);
    p->body = NULL;
    outgoing_free(p);
}

void committer_send_after(struct committer *c, uint64_t number, struct outgoing *p)
{
    pthread_mutex_lock(&c->lock);
    bool is_waiting = c->durable < number;
    if (is_waiting)
        STAILQ_INSERT_TAIL(&c->batch->outgoing, p, next);
    pthread_mutex_unlock(&c->lock);
    if (is_waiting)
        return;
    send_outgoing(c, p);
    comm_server_flush(c->server);
}

enum committer_trouble committer_trouble(const struct committer *c)
{
    return c->trouble;
}

const char *committer_accounting_path(const struct committer *c)
{
    return account_file_path(c->accounting);
}

/* One more attempt has failed: WHY is said once. The ballast may be what is missing; it helps once.
 * It goes first: who is refused from the moment of trouble reads that the disk is full. */
static void wait_for_disk(struct committer *c, enum committer_trouble trouble, struct answer *why,
                          bool *has_failed)
{
    if (!*has_failed)
        log_answer(why);
    ans_free(why);
    bool is_relieved = !*has_failed && spool_disk_relieve(c->spool);
    c->trouble = trouble;
    if (!is_relieved)
        uti_sleep_ms(RETRY_MS);
    *has_failed = true;
}

static void disk_is_back(struct committer *c, const char *text)
{
    log_msg(LOG_LEVEL_INFO, "%s", text);
    c->trouble = COMMITTER_WORKS;
}

/* the disk has failed in a way that waiting does not cure: the core learns of it, and nothing more
 * is written */
static void fail_for_good(struct committer *c, enum committer_trouble trouble, int err)
{
    unsigned seconds = PERMANENT_TRIES * RETRY_MS / 1000;
    if (trouble == COMMITTER_NO_ACCOUNTING)
        log_msg(LOG_LEVEL_CRITICAL, MSG_ACCT_FAILED_SSU, account_file_path(c->accounting),
                strerror(err), seconds);
    else
        log_msg(LOG_LEVEL_CRITICAL, MSG_SPOOL_FAILED_SSU, spool_dir(c->spool), strerror(err),
                seconds);
    pthread_mutex_lock(&c->lock);
    c->has_failed = c->is_given_up = c->is_stopping = true;
    pthread_mutex_unlock(&c->lock);
    inbox_put(c->core, note_new(NOTE_STOP, 0));
}

/* one more attempt has failed, with ERR; *TRIES counts those that a full disk does not explain */
static void look_at_error(struct committer *c, enum committer_trouble trouble, int err,
                          unsigned *tries)
{
    *tries = err == 0 || err == ENOSPC || err == EDQUOT ? 0 : *tries + 1;
    if (*tries == PERMANENT_TRIES)
        fail_for_good(c, trouble, err);
}

/* write and sync until it is done: an acknowledged change is never given up, an unacknowledged one
 * never half done. False: given up. */
static bool commit_with_patience(struct committer *c, const struct batch *b)
{
    struct answer ans = ANSWER_INIT;
    bool has_failed = false;
    unsigned tries = 0;
    if (spool_batch_is_empty(b->spool))
        return true;
    while (!c->is_given_up && spool_commit(c->spool, b->spool, &ans) != 0) {
        look_at_error(c, COMMITTER_NO_SPOOL, spool_disk_error(c->spool), &tries);
        wait_for_disk(c, COMMITTER_NO_SPOOL, &ans, &has_failed);
    }
    ans_free(&ans);
    bool is_done = !c->is_given_up;
    if (has_failed && is_done)
        disk_is_back(c, MSG_SPOOL_WRITES_AGAIN);
    return is_done;
}

/* false: given up; the next start finds the lines in the outbox */
static bool append_accounting(struct committer *c, const struct batch *b)
{
    struct answer ans = ANSWER_INIT;
    bool has_failed = false;
    unsigned tries = 0;
    if (b->accounting.len == 0)
        return true;
    while (!c->is_given_up && account_file_append(c->accounting, dstr_get(&b->accounting),
                                                  b->accounting.len, &ans) != 0) {
        look_at_error(c, COMMITTER_NO_ACCOUNTING, account_file_error(c->accounting), &tries);
        wait_for_disk(c, COMMITTER_NO_ACCOUNTING, &ans, &has_failed);
    }
    ans_free(&ans);
    bool is_done = !c->is_given_up;
    if (has_failed && is_done)
        disk_is_back(c, MSG_ACCT_WRITES_AGAIN);
    return is_done;
}

/* the file is synced now and then, not with every batch: until then the outbox record has the
 * lines */
static void sync_accounting(struct committer *c, uint64_t now_us)
{
    if (c->accounting_written == 0 || now_us < c->accounting_sync_at_us)
        return;
    c->accounting_sync_at_us = now_us + c->accounting_sync_us;
    struct answer ans = ANSWER_INIT;
    if (account_file_sync(c->accounting, &ans) == 0) {
        c->accounting_synced = c->accounting_written;
        c->accounting_written = 0;
        c->has_sync_failed = false;
    } else if (!c->has_sync_failed) { /* it is tried every second */
        log_answer(&ans);
        c->has_sync_failed = true;
    }
    if (c->accounting_written != 0)
        c->accounting_sync_at_us = now_us + SYNC_AGAIN_US;
    ans_free(&ans);
}

/* The batch counts as durable when the last of its frames has been sent, not before: what the core
 * adds meanwhile goes behind them. Sent by the core itself, the next part of an answer could
 * overtake this one. */
static void send_all_outgoing(struct committer *c, struct batch *b)
{
    for (bool is_all = false; !is_all;) {
        struct outgoing_list ready = STAILQ_HEAD_INITIALIZER(ready);
        struct outgoing *p;
        pthread_mutex_lock(&c->lock);
        STAILQ_CONCAT(&ready, &b->outgoing);
        is_all = STAILQ_EMPTY(&ready);
        if (is_all) {
            c->durable = b->number;
            c->batch = NULL;
        }
        pthread_mutex_unlock(&c->lock);
        while ((p = STAILQ_FIRST(&ready)) != NULL) {
            STAILQ_REMOVE_HEAD(&ready, next);
            send_outgoing(c, p);
        }
    }
    comm_server_flush(c->server);
}

/* No answer waits for these lines, nor does anything for their disk. */
static void write_reporting(struct committer *c)
{
    struct answer ans = ANSWER_INIT;
    if (c->reporting.len == 0)
        return;
    bool is_written = reporting_file_append(c->reporting_path, dstr_get(&c->reporting),
                                            c->reporting.len, &ans) == 0;
    dstr_free(&c->reporting);
    if (!is_written && !c->has_reporting_failed)
        log_answer(&ans);
    c->has_reporting_failed = !is_written;
    ans_free(&ans);
}

/* they wait for others, as long as flush_time says */
static void append_reporting(struct committer *c, const struct batch *b)
{
    if (b->reporting.len == 0)
        return;
    if (c->reporting.len == 0)
        c->reporting_due_us = uti_mono_us() + (uint64_t)b->reporting_flush_s * 1000000;
    dstr_addn(&c->reporting, b->reporting.s, b->reporting.len);
    if (c->reporting.len >= REPORTING_KEPT || b->reporting_flush_s == 0)
        write_reporting(c);
}

/* a batch that is given up stays where the core may still add frames to it; it is freed with the
 * committer */
static void do_batch(struct committer *c, struct batch *b)
{
    if (!commit_with_patience(c, b) || !append_accounting(c, b))
        return;
    if (b->accounting.len > 0) {
        c->accounting_written = b->number;
        c->accounting_sync_us = (uint64_t)b->accounting_flush_s * 1000000;
        if (c->accounting_sync_at_us == 0)
            c->accounting_sync_at_us = uti_mono_us() + c->accounting_sync_us;
    }
    send_all_outgoing(c, b);
    struct note *n = note_new(NOTE_DURABLE, 0);
    n->number = b->number;
    inbox_put(c->core, n);
    append_reporting(c, b);
    if (c->mailer != NULL && !STAILQ_EMPTY(&b->mails))
        mailer_give(c->mailer, &b->mails);
    batch_free(b);
}

/* when there is something to do, whether work comes or not; UINT64_MAX: never */
static uint64_t next_due_us(const struct committer *c)
{
    uint64_t due_us = c->accounting_written != 0 ? c->accounting_sync_at_us : UINT64_MAX;
    if (c->reporting.len > 0 && c->reporting_due_us < due_us)
        due_us = c->reporting_due_us;
    return due_us;
}

/* waits for work; false: there will be no more */
static bool next_work(struct committer *c, struct batch **b)
{
    pthread_mutex_lock(&c->lock);
    for (;;) {
        *b = c->batch;
        if (*b != NULL || c->is_stopping)
            break;
        uint64_t due_us = next_due_us(c);
        if (due_us == UINT64_MAX) {
            pthread_cond_wait(&c->work, &c->lock);
            continue;
        }
        struct timespec until = {
            .tv_sec = (time_t)(due_us / 1000000),
            .tv_nsec = (long)(due_us % 1000000) * 1000,
        };
        if (pthread_cond_timedwait(&c->work, &c->lock, &until) != 0)
            break;
    }
    bool is_more = (*b != NULL || !c->is_stopping) && !c->is_given_up;
    pthread_mutex_unlock(&c->lock);
    return is_more;
}

/* a clean end leaves no doubt which lines are in the file, so that it may be moved anywhere before
 * the next start */
static void forget_outbox(struct committer *c)
{
    struct answer ans = ANSWER_INIT;
    struct spool_batch *b = spool_batch_new();
    spool_del_prefix(b, SPOOL_OUTBOX, "", 0);
    if (spool_commit(c->spool, b, &ans) != 0)
        log_answer(&ans);
    ans_free(&ans);
    spool_batch_free(b);
}

void committer_run(struct committer *c)
{
    struct batch *b;
    log_thread("committer");
    while (next_work(c, &b)) {
        if (b != NULL)
            do_batch(c, b);
        sync_accounting(c, uti_mono_us());
        if (uti_mono_us() >= c->reporting_due_us)
            write_reporting(c);
    }
    write_reporting(c);
    if (c->accounting_written != 0) {
        c->accounting_sync_at_us = 0;
        sync_accounting(c, uti_mono_us());
    }
    if (c->accounting_written == 0 && c->accounting_synced != 0 && !c->is_given_up)
        forget_outbox(c);
}
