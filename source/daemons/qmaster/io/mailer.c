/* The threads that send mail. Invariants: a sender (the mails of one user) is in `turn` if it
 * has mails that can be sent now, in `resting` if its first mail failed a while ago, and in
 * neither while a thread sends one of its mails; one without mails does not exist. All rest
 * equally long, so that the first of `resting` is due first. Source: sge_conf(5) mailer. */
#include "daemons/qmaster/io/mailer.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "daemons/qmaster/io/mail_process.h"
#include "daemons/qmaster/io/msg_io.h"
#include "libs/uti/alloc.h"
#include "libs/uti/hash.h"
#include "libs/uti/log.h"
#include "libs/uti/time.h"

struct sender {
    char *name;
    struct mail_list mails;
    uint64_t due_us; /* of one that rests */
    TAILQ_ENTRY(sender) next;
    UT_hash_handle hh;
};
TAILQ_HEAD(sender_list, sender);

struct mailer {
    int process_fd; /* owned, of the process that runs mailers */
    unsigned deadline_ms, rest_ms;
    int stop_fd; /* readable from mailer_stop on */

    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t work;
    struct sender *senders;
    struct sender_list turn, resting;
    unsigned n_turn;         /* in `turn` */
    size_t n_waiting, bytes; /* of mails that are not sent yet */
    pthread_t threads[MAILERS];
    unsigned n_threads, n_idle;
    bool is_stopping;
};

void mail_free(struct mail *m)
{
    if (m == NULL)
        return;
    for (unsigned i = 0; i < m->n_to; i++)
        free(m->to[i]);
    free(m->to);
    free(m->user);
    free(m->program);
    free(m->subject);
    free(m->body);
    free(m);
}

static size_t mail_bytes(const struct mail *m)
{
    return sizeof *m + strlen(m->subject) + strlen(m->body);
}

struct mailer *mailer_new(int process_fd, unsigned deadline_ms, unsigned rest_ms)
{
    struct mailer *r = uti_calloc(1, sizeof *r);
    pthread_condattr_t attr;
    r->process_fd = process_fd;
    r->deadline_ms = deadline_ms;
    r->rest_ms = rest_ms;
    r->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    TAILQ_INIT(&r->turn);
    TAILQ_INIT(&r->resting);
    pthread_mutex_init(&r->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&r->work, &attr);
    pthread_condattr_destroy(&attr);
    return r;
}

/* ---- senders: under the lock ---- */
static void has_turn(struct mailer *r, struct sender *s)
{
    TAILQ_INSERT_TAIL(&r->turn, s, next);
    r->n_turn++;
}

static struct sender *sender_of(struct mailer *r, const char *name)
{
    struct sender *s;
    HASH_FIND_STR(r->senders, name, s);
    if (s != NULL)
        return s;
    s = uti_calloc(1, sizeof *s);
    s->name = uti_strdup(name);
    STAILQ_INIT(&s->mails);
    HASH_ADD_KEYPTR(hh, r->senders, s->name, strlen(s->name), s);
    has_turn(r, s);
    return s;
}

static void sender_free(struct mailer *r, struct sender *s)
{
    HASH_DEL(r->senders, s);
    free(s->name);
    free(s);
}

void mailer_free(struct mailer *r)
{
    struct sender *s, *next;
    if (r == NULL)
        return;
    HASH_ITER(hh, r->senders, s, next) {
        struct mail *m;
        while ((m = STAILQ_FIRST(&s->mails)) != NULL) {
            STAILQ_REMOVE_HEAD(&s->mails, next);
            mail_free(m);
        }
        sender_free(r, s);
    }
    if (r->stop_fd >= 0)
        close(r->stop_fd);
    close(r->process_fd);
    pthread_cond_destroy(&r->work);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

/* ---- the threads ---- */
static bool is_stopped(struct mailer *r)
{
    pthread_mutex_lock(&r->lock);
    bool is = r->is_stopping;
    pthread_mutex_unlock(&r->lock);
    return is;
}

/* go on to the next address; true: M was sent to all of them */
static bool next_address(struct mail *m)
{
    m->tries = 0;
    return ++m->at >= m->n_to;
}

/* sends M to one address; true: it is done with. *RESTS: after a failure it is tried again later */
static bool send_one(struct mailer *r, struct mail *m, bool *rests)
{
    const struct mail_request request = { .program = m->program,
                                          .subject = m->subject,
                                          .address = m->to[m->at],
                                          .body = m->body,
                                          .deadline_ms = r->deadline_ms };
    struct mail_answer answer;
    int err = mail_process_send(r->process_fd, &request, r->stop_fd, &answer);
    bool is_late = answer.result == MAIL_LATE, is_sent = answer.result == MAIL_SENT;
    if (!is_sent && is_stopped(r)) {
        *rests = false; /* it is counted as not sent */
        return false;
    }
    const char *said = err == E2BIG ? MSG_MAIL_LONG : err != 0 ? strerror(err) : answer.said;
    if (err == 0 && answer.result == MAIL_LOST)
        said = MSG_MAIL_PROCESS;
    *rests = !is_sent && !is_late && ++m->tries < MAIL_TRIES;
    if (is_late)
        log_msg_of(0, LOG_LEVEL_ERROR, MSG_MAIL_LATE_SSU, m->to[m->at], m->program,
                   r->deadline_ms / 1000);
    else if (!is_sent)
        log_msg_of(0, LOG_LEVEL_ERROR, *rests ? MSG_MAIL_AGAIN_SSS : MSG_MAIL_FAILED_SSS,
                   m->to[m->at], m->program, said);
    return !*rests && next_address(m);
}

static void *send_mails(void *ctx);
/* under the lock: one more thread, if more senders have a turn than threads are idle */
static void more_threads(struct mailer *r)
{
    if (r->n_turn <= r->n_idle || r->n_threads == MAILERS || r->is_stopping)
        return;
    if (pthread_create(&r->threads[r->n_threads], NULL, send_mails, r) == 0)
        r->n_threads++;
    else
        log_msg_of(0, LOG_LEVEL_ERROR, MSG_MAIL_THREAD);
}

/* under the lock: whose rest is over has a turn; when the next one's is, or UINT64_MAX */
static uint64_t end_rests(struct mailer *r)
{
    uint64_t now_us = uti_mono_us();
    struct sender *s;
    while ((s = TAILQ_FIRST(&r->resting)) != NULL && s->due_us <= now_us) {
        TAILQ_REMOVE(&r->resting, s, next);
        has_turn(r, s);
    }
    return s != NULL ? s->due_us : UINT64_MAX;
}

/* under the lock: the sender whose turn it is, out of the list; NULL: there will be no more */
static struct sender *next_sender(struct mailer *r)
{
    for (;;) {
        uint64_t due_us = end_rests(r);
        struct sender *s = TAILQ_FIRST(&r->turn);
        if (r->is_stopping)
            return NULL;
        if (s != NULL) {
            TAILQ_REMOVE(&r->turn, s, next);
            r->n_turn--;
            more_threads(r);
            return s;
        }
        struct timespec until = { .tv_sec = (time_t)(due_us / 1000000),
                                  .tv_nsec = (long)(due_us % 1000000) * 1000 };
        r->n_idle++;
        if (due_us == UINT64_MAX)
            pthread_cond_wait(&r->work, &r->lock);
        else
            pthread_cond_timedwait(&r->work, &r->lock, &until);
        r->n_idle--;
    }
}

/* under the lock: where S goes on */
static void put_back(struct mailer *r, struct sender *s, bool rests)
{
    if (STAILQ_EMPTY(&s->mails)) {
        sender_free(r, s);
    } else if (rests) {
        s->due_us = uti_mono_us() + (uint64_t)r->rest_ms * 1000;
        TAILQ_INSERT_TAIL(&r->resting, s, next);
    } else {
        has_turn(r, s);
    }
}

static void *send_mails(void *ctx)
{
    struct mailer *r = ctx;
    struct sender *s;
    log_thread("mail");
    pthread_mutex_lock(&r->lock);
    while ((s = next_sender(r)) != NULL) {
        struct mail *m = STAILQ_FIRST(&s->mails);
        bool rests = false;
        pthread_mutex_unlock(&r->lock);
        bool is_done = send_one(r, m, &rests);
        pthread_mutex_lock(&r->lock);
        if (is_done) {
            STAILQ_REMOVE_HEAD(&s->mails, next);
            r->n_waiting--;
            r->bytes -= mail_bytes(m);
            mail_free(m);
        }
        put_back(r, s, rests);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

void mailer_give(struct mailer *r, struct mail_list *mails)
{
    struct mail *m;
    pthread_mutex_lock(&r->lock);
    while ((m = STAILQ_FIRST(mails)) != NULL) {
        STAILQ_REMOVE_HEAD(mails, next);
        bool has_room = r->n_waiting < MAILS_WAIT_MOST &&
                        r->bytes + mail_bytes(m) <= MAILS_WAIT_BYTES && !r->is_stopping;
        if (!has_room) {
            log_msg_of(0, LOG_LEVEL_ERROR, MSG_MAILS_FULL_SU, m->user, (unsigned)MAILS_WAIT_MOST);
            mail_free(m);
            continue;
        }
        r->n_waiting++;
        r->bytes += mail_bytes(m);
        struct sender *s = sender_of(r, m->user);
        STAILQ_INSERT_TAIL(&s->mails, m, next);
        more_threads(r);
        pthread_cond_signal(&r->work);
    }
    pthread_mutex_unlock(&r->lock);
}

void mailer_stop(struct mailer *r)
{
    static const uint64_t one = 1;
    if (r == NULL)
        return;
    pthread_mutex_lock(&r->lock);
    r->is_stopping = true;
    pthread_cond_broadcast(&r->work);
    unsigned n = r->n_threads;
    pthread_mutex_unlock(&r->lock);
    (void)!write(r->stop_fd, &one, sizeof one);
    for (unsigned i = 0; i < n; i++)
        pthread_join(r->threads[i], NULL);
    if (r->n_waiting > 0)
        log_msg(LOG_LEVEL_WARNING, MSG_MAILS_LEFT_Z, r->n_waiting);
}
