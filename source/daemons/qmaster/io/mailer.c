/* The threads that run mailers. Invariants: a sender (the mails of one user) is in `turn` if it
 * has mails that can be sent now, in `resting` if its first mail failed a while ago, and in
 * neither while a thread sends one of its mails; one without mails does not exist. All rest
 * equally long, so that the first of `resting` is due first. Source: sge_conf(5) mailer. */
#include "daemons/qmaster/io/mailer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemons/qmaster/io/msg_io.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"
#include "libs/uti/log.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

enum { STOP_US = 1000000, LOOK_MS = 50, SAID_MOST = 300, ENVIRONMENT = 8 };

struct sender {
    char *name;
    struct mail_list mails;
    uint64_t due_us; /* of one that rests */
    TAILQ_ENTRY(sender) next;
    UT_hash_handle hh;
};
TAILQ_HEAD(sender_list, sender);

struct mailer {
    char *environment[ENVIRONMENT]; /* owned, of the children; NULL behind the last */
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

static void add_variable(struct mailer *r, unsigned *n, const char *name, const char *value)
{
    struct dstr text = DSTR_INIT;
    if (value == NULL)
        return;
    dstr_addf(&text, "%s=%s", name, value);
    r->environment[(*n)++] = dstr_take(&text);
}

struct mailer *mailer_new(const char *user, unsigned deadline_ms, unsigned rest_ms)
{
    struct mailer *r = uti_calloc(1, sizeof *r);
    pthread_condattr_t attr;
    unsigned n = 0;
    r->deadline_ms = deadline_ms;
    r->rest_ms = rest_ms;
    add_variable(r, &n, "PATH", "/usr/bin:/bin:/usr/sbin:/sbin");
    add_variable(r, &n, "HOME", "/");
    add_variable(r, &n, "LANG", "C.UTF-8");
    add_variable(r, &n, "TZ", getenv("TZ"));
    add_variable(r, &n, "USER", user);
    add_variable(r, &n, "LOGNAME", user);
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
    for (unsigned i = 0; r->environment[i] != NULL; i++)
        free(r->environment[i]);
    if (r->stop_fd >= 0)
        close(r->stop_fd);
    pthread_cond_destroy(&r->work);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

/* ---- one child ---- */
struct child {
    pid_t pid;
    int pid_fd;        /* -1: the system has no such descriptors */
    int input, output; /* -1: done with */
    const char *left;  /* of the input */
    uint64_t until_us;
    bool is_killed;
    int status;
};

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static int spawn_mailer(struct mailer *r, struct child *c, const struct mail *m, int input,
                        int output)
{
    char *argv[] = { m->program, (char[]){ "-s" }, m->subject, m->to[m->at], NULL };
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attr;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                        POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attr, 0);
    posix_spawnattr_setsigmask(&attr, &none);
    posix_spawnattr_setsigdefault(&attr, &all);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
    int err = posix_spawn(&c->pid, m->program, &files, &attr, argv, r->environment);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attr);
    return err;
}

/* 0, or an errno; the child reads c->left */
static int start_child(struct mailer *r, struct child *c, const struct mail *m)
{
    int in[2] = { -1, -1 }, out[2] = { -1, -1 };
    int err = 0;
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
        err = errno;
    if (err == 0)
        err = spawn_mailer(r, c, m, in[0], out[1]);
    close_end(&in[0]);
    close_end(&out[1]);
    *c = (struct child){ .pid = c->pid, .pid_fd = -1, .input = in[1], .output = out[0] };
    c->left = m->body;
    c->until_us = uti_mono_us() + (uint64_t)r->deadline_ms * 1000;
    if (err == 0) {
        (void)fcntl(c->input, F_SETFL, O_NONBLOCK);
        (void)fcntl(c->output, F_SETFL, O_NONBLOCK);
        c->pid_fd = os_pidfd_open(c->pid);
    }
    return err;
}

/* the system holds little of it until the child reads */
static void write_input(struct child *c)
{
    size_t len = strlen(c->left);
    ssize_t n = len > 0 ? write(c->input, c->left, len) : 0;
    if (n > 0)
        c->left += n;
    if (*c->left == '\0' || (n < 0 && errno != EAGAIN && errno != EINTR))
        close_end(&c->input);
}

/* the beginning of what it says is for the log */
static void read_output(struct child *c, struct dstr *said)
{
    char buf[512];
    ssize_t n = read(c->output, buf, sizeof buf);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        close_end(&c->output);
    for (ssize_t i = 0; i < n && said->len < SAID_MOST; i++)
        dstr_addc(said, buf[i] >= ' ' && buf[i] <= '~' ? buf[i] : ' ');
}

/* waits for something to happen, and ends the child if it takes too long */
static void wait_a_while(struct mailer *r, struct child *c, struct dstr *said)
{
    uint64_t now_us = uti_mono_us();
    int most_ms = c->pid_fd >= 0 ? (int)r->deadline_ms : LOOK_MS;
    if (now_us >= c->until_us && !c->is_killed) {
        c->is_killed = true;
        (void)kill(-c->pid, SIGKILL);
        (void)kill(c->pid, SIGKILL);
    }
    if (!c->is_killed && (c->until_us - now_us) / 1000 + 1 < (uint64_t)most_ms)
        most_ms = (int)((c->until_us - now_us) / 1000) + 1;
    bool has_heard = c->until_us <= now_us + STOP_US; /* of the stop, or it is of no interest */
    struct pollfd fds[] = { { .fd = c->pid_fd, .events = POLLIN },
                            { .fd = c->input, .events = POLLOUT },
                            { .fd = c->output, .events = POLLIN },
                            { .fd = has_heard ? -1 : r->stop_fd, .events = POLLIN } };
    if (poll(fds, ARRAY_LEN(fds), most_ms) <= 0)
        return;
    if (fds[1].revents != 0)
        write_input(c);
    if (fds[2].revents != 0)
        read_output(c, said);
    if (fds[3].revents != 0)
        c->until_us = uti_mono_us() + STOP_US;
}

/* true: it was sent, or the mailer says so; else SAID has why not */
static bool run_mailer(struct mailer *r, const struct mail *m, bool *is_late, struct dstr *said)
{
    struct child c = { 0 };
    int err = start_child(r, &c, m);
    while (err == 0 && waitpid(c.pid, &c.status, WNOHANG) == 0)
        wait_a_while(r, &c, said);
    if (err == 0 && c.output >= 0)
        read_output(&c, said);
    close_end(&c.input);
    close_end(&c.output);
    close_end(&c.pid_fd);
    *is_late = c.is_killed;
    bool is_sent = err == 0 && WIFEXITED(c.status) && WEXITSTATUS(c.status) == 0;
    if (err != 0)
        dstr_addf(said, "%s", strerror(err));
    else if (said->len == 0 && WIFSIGNALED(c.status))
        dstr_addf(said, "ended by signal %d", WTERMSIG(c.status));
    else if (said->len == 0)
        dstr_addf(said, "exit status %d", WEXITSTATUS(c.status));
    return is_sent;
}

/* ---- the threads ---- */
/* go on to the next address; true: M was sent to all of them */
static bool next_address(struct mail *m)
{
    m->tries = 0;
    return ++m->at >= m->n_to;
}

/* sends M to one address; true: it is done with. *RESTS: after a failure it is tried again later */
static bool send_one(struct mailer *r, struct mail *m, bool *rests)
{
    struct dstr said = DSTR_INIT;
    bool is_late = false, is_sent = run_mailer(r, m, &is_late, &said);
    *rests = !is_sent && !is_late && ++m->tries < MAIL_TRIES;
    if (is_late)
        log_msg_of(0, LOG_LEVEL_ERROR, MSG_MAIL_LATE_SSU, m->to[m->at], m->program,
                   r->deadline_ms / 1000);
    else if (!is_sent)
        log_msg_of(0, LOG_LEVEL_ERROR, *rests ? MSG_MAIL_AGAIN_SSS : MSG_MAIL_FAILED_SSS,
                   m->to[m->at], m->program, dstr_get(&said));
    dstr_free(&said);
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
