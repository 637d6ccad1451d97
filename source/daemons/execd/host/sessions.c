/* Rendezvous of clients and tasks. Invariants: a guest is in the list from its accept until its
 * descriptor has been passed or closed; what it sends behind its first frame is not read here, as
 * that is for the other end; no guest waits longer than its task exists, or than SESSION_CLIENT_MS
 * for a task that does not. Source: qrsh(1); unix(7). */
#include "daemons/execd/host/sessions.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemons/execd/host/msg_host.h"
#include "daemons/execd/host/petask_request.h"
#include "daemons/execd/host/session_relay.h"
#include "libs/comm/loop.h"
#include "libs/comm/passed_fds.h"
#include "libs/comm/stream.h"
#include "libs/comm/unix_socket.h"
#include "libs/task/session_frame.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/fd_pass.h"
#include "libs/uti/host_name.h"
#include "libs/uti/os.h"
#include "libs/uti/parse.h"
#include "libs/uti/sha256.h"
#include "libs/uti/time.h"
#include "libs/uti/tree.h"

enum {
    ACCEPTS_A_TURN = 16,
    HELLO_MS = 10000,
    LOOK_US = 1000000 /* while somebody waits */
};

struct guest {
    struct sessions *of;
    struct stream stream;
    struct loop_watch *watch; /* while its first frame comes */
    uint8_t bytes[SESSION_HEADER_BYTES + SESSION_HELLO_MOST];
    size_t n;
    uid_t uid;
    char *from;      /* owned: the host that names the user; NULL: see session_first */
    bool is_relayed; /* it did not connect here */
    bool is_counted; /* as one that waits, and may be a client */
    pid_t pid;
    struct petask_pieces *request; /* owned; NULL: it asks for no petask, or has it */
    uint32_t flags;                /* of its petask */
    char *petask;                  /* owned: its key as text */
    uint64_t since_us;
    enum session_kind kind; /* 0: not known yet */
    const char *task;       /* in `bytes` */
    const char *proof;      /* a client's secret, a task's digest */
    uint32_t owner;         /* of a task */
    TAILQ_ENTRY(guest) next;
};
TAILQ_HEAD(guest_list, guest);

struct task_end { /* of a task whose client had not come */
    char *task;   /* owned */
    uint64_t at_us;
};

struct sessions {
    struct loop *loop;
    char *path;
    const char *host;
    const struct session_ops *ops;
    void *ctx;
    int listen_fd;
    struct fd_closer *closer;
    struct loop_watch *watch;
    struct loop_timer *timer;
    struct guest_list guests;
    uint32_t n_counted;
    uint32_t hello_ms, client_ms;
    struct task_end ends[SESSION_ENDS_KEPT]; /* a ring */
    uint32_t next_end;
};

/* ---- guests ---- */

static void drop_request(struct guest *g)
{
    if (g->request == NULL)
        return;
    petask_pieces_free(g->request);
    free(g->request);
    g->request = NULL;
}

static void guest_free(struct guest *g)
{
    TAILQ_REMOVE(&g->of->guests, g, next);
    g->of->n_counted -= g->is_counted;
    loop_watch_free(g->watch);
    stream_close(&g->stream);
    free(g->from);
    drop_request(g);
    free(g->petask);
    free(g);
}

static void send_text(struct stream *s, enum session_kind kind, const char *text)
{
    uint8_t header[SESSION_HEADER_BYTES];
    size_t len = strnlen(text, SESSION_TEXT_MOST);
    session_header_pack(kind, len, header);
    struct iovec v[] = { { header, sizeof header }, { (void *)(uintptr_t)text, len } };
    (void)stream_write(s, v, ARRAY_LEN(v));
}

static void send_refusal(struct stream *s, const char *why)
{
    send_text(s, SESSION_REFUSED, why);
}

static void refuse_guest(struct guest *g, const char *why)
{
    send_refusal(&g->stream, why);
    guest_free(g);
}

/* ---- the meeting ---- */

static bool is_of(const struct guest *g, enum session_kind kind, const char *task)
{
    return g->kind == kind && strcmp(g->task, task) == 0;
}

static bool is_client_of(const struct guest *client, const struct guest *task)
{
    char digest[SHA256_TEXT_BYTES];
    sha256_text(client->proof, strlen(client->proof), digest);
    return client->uid == task->owner && strcmp(digest, task->proof) == 0;
}

/* CLIENT has gone afterwards, and TASK if they have met */
static void join_guests(struct guest *client, struct guest *task)
{
    if (!is_client_of(client, task)) {
        refuse_guest(client, MSG_SESSION_DENIED);
        return;
    }
    if (fd_pass(task->stream.fd, &client->stream.fd, 1) != 0)
        send_refusal(&client->stream, MSG_SESSION_TASK_GONE);
    guest_free(client);
    guest_free(task);
}

/* false: it is not there */
static bool meet_task(struct guest *client)
{
    struct guest *task;
    TAILQ_FOREACH(task, &client->of->guests, next) {
        if (is_of(task, SESSION_TASK, client->task)) {
            join_guests(client, task);
            return true;
        }
    }
    return false;
}

/* has its task ended before it came? A newer attempt that was ordered since counts more */
static bool has_ended(const struct guest *client)
{
    const struct sessions *s = client->of;
    uint64_t now_us = uti_mono_us();
    for (uint32_t i = 0; i < SESSION_ENDS_KEPT; i++) {
        const struct task_end *end = &s->ends[i];
        if (end->task != NULL && strcmp(end->task, client->task) == 0 &&
            now_us - end->at_us < (uint64_t)s->client_ms * 1000)
            return !s->ops->has_task(s->ctx, client->task);
    }
    return false;
}

/* of those who say that they are its client, one is: the others are refused */
static void meet_clients(struct guest *task)
{
    struct sessions *s = task->of;
    struct guest *g, *next, *client = NULL;
    TAILQ_FOREACH_SAFE(g, &s->guests, next, next)
    {
        if (!is_of(g, SESSION_CLIENT, task->task))
            continue;
        if (client == NULL && is_client_of(g, task))
            client = g;
        else
            refuse_guest(g, MSG_SESSION_DENIED);
    }
    if (client != NULL)
        join_guests(client, task);
}

/* ---- the first frame ---- */

static void take_client(struct guest *g, const char *const *texts)
{
    g->kind = SESSION_CLIENT;
    g->task = texts[1];
    g->proof = texts[2];
    if (!meet_task(g) && has_ended(g))
        refuse_guest(g, MSG_SESSION_TASK_GONE);
}

/* G's first frame is for HOST, another one */
static void send_on(struct guest *g, const char *host)
{
    const struct session_ops *ops = g->of->ops;
    struct dstr why = DSTR_INIT;
    struct session_first first = {
        .uid = g->uid, .from = g->from, .is_relayed = g->is_relayed, .bytes = g->bytes, .n = g->n
    };
    unsigned most = 0;
    if (ops->send != NULL && ops->send(g->of->ctx, &g->stream, &first, host, &most)) {
        guest_free(g);
        return;
    }
    if (most > 0)
        dstr_addf(&why, MSG_SESSION_RELAYS_U, most);
    else
        dstr_addf(&why, MSG_SESSION_OTHER_HOST_SS, host, g->of->host);
    refuse_guest(g, dstr_get(&why));
    dstr_free(&why);
}

/* a shepherd runs as this execd does, on this host; who else says so is no shepherd */
static void take_task(struct guest *g, const char *const *texts)
{
    if (g->is_relayed || g->uid != geteuid() || !parse_u32(texts[2], &g->owner)) {
        refuse_guest(g, MSG_SESSION_DENIED);
        return;
    }
    g->kind = SESSION_TASK;
    g->task = texts[0];
    g->proof = texts[1];
    meet_clients(g);
}

/* ---- requests for petasks ---- */

static void refuse_petask(struct guest *g, const char *why)
{
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, MSG_PETASK_NOT_ACCEPTED_S ": %s", g->of->host, why);
    refuse_guest(g, dstr_get(&text));
    dstr_free(&text);
}

/* it is the client of its petask from now on */
static void start_petask(struct guest *g)
{
    char digest[SHA256_TEXT_BYTES];
    struct dstr out = DSTR_INIT;
    sha256_text(g->proof, strlen(g->proof), digest);
    struct session_petask ask = { .uid = g->uid,
                                  .pid = g->pid,
                                  .is_relayed = g->is_relayed,
                                  .from = g->from,
                                  .task = g->task,
                                  .digest = digest,
                                  .flags = g->flags,
                                  .request = dstr_get(&g->request->text),
                                  .len = g->request->text.len };
    bool is_started = g->of->ops->start_petask(g->of->ctx, &ask, &out);
    drop_request(g);
    if (!is_started) {
        refuse_petask(g, dstr_get(&out));
        dstr_free(&out);
        return;
    }
    g->petask = dstr_take(&out);
    g->task = g->petask;
    g->kind = SESSION_CLIENT;
    send_text(&g->stream, SESSION_PETASK_STARTED, strchr(g->petask, '/') + 1);
    (void)meet_task(g);
}

static void on_request(void *ctx)
{
    struct guest *g = ctx;
    loop_doing(g->of->loop, "reading a request for a petask");
    enum petask_pieces_state state = petask_pieces_read(g->request, &g->stream);
    if (state == PETASK_PIECES_MORE)
        return;
    loop_watch_free(g->watch);
    g->watch = NULL;
    if (state == PETASK_PIECES_WHOLE)
        start_petask(g);
    else
        refuse_petask(g, state == PETASK_PIECES_LONG ? MSG_PETASK_REQUEST_LONG
                                                     : MSG_SESSION_MALFORMED);
}

static uint32_t requests_of(const struct sessions *s, const struct guest *user)
{
    const struct guest *g;
    uint32_t n = 0;
    TAILQ_FOREACH(g, &s->guests, next)
        n += g->request != NULL && (user == NULL || g->uid == user->uid);
    return n;
}

/* this host vouches for it: it sees the process */
static void send_petask_on(struct guest *g, const char *host)
{
    struct session_petask ask = { .uid = g->uid, .pid = g->pid, .task = g->task };
    struct dstr why = DSTR_INIT;
    if (g->is_relayed || g->of->ops->may_ask(g->of->ctx, &ask, &why))
        send_on(g, host);
    else
        refuse_petask(g, dstr_get(&why));
    dstr_free(&why);
}

static void take_petask(struct guest *g)
{
    const char *texts[4];
    if (g->of->ops->start_petask == NULL ||
        !session_hello_texts(g->bytes + SESSION_HEADER_BYTES, g->n - SESSION_HEADER_BYTES, texts,
                             ARRAY_LEN(texts)) ||
        !parse_u32(texts[3], &g->flags)) {
        refuse_guest(g, MSG_SESSION_MALFORMED);
        return;
    }
    g->task = texts[1];
    g->proof = texts[2];
    if (!host_name_equal(texts[0], g->of->host)) {
        send_petask_on(g, texts[0]);
        return;
    }
    if (requests_of(g->of, NULL) >= PETASK_REQUESTS_MOST ||
        requests_of(g->of, g) >= PETASK_REQUESTS_OF_USER) {
        refuse_petask(g, MSG_PETASK_REQUESTS_MOST);
        return;
    }
    g->kind = SESSION_PETASK;
    g->since_us = uti_mono_us();
    (void)fcntl(g->stream.fd, F_SETFL, O_NONBLOCK); /* one that another process has passed */
    g->request = uti_calloc(1, sizeof *g->request);
    g->watch = loop_watch_read(g->of->loop, g->stream.fd, on_request, g);
    on_request(g);
}

/* the first text of such a frame is the host that it is for */
static bool is_for_a_host(enum session_kind kind)
{
    return kind == SESSION_CLIENT;
}

static void take_hello(struct guest *g, enum session_kind kind)
{
    const char *texts[3];
    loop_watch_free(g->watch);
    g->watch = NULL;
    if (kind == SESSION_PETASK)
        take_petask(g);
    else if (!session_hello_texts(g->bytes + SESSION_HEADER_BYTES, g->n - SESSION_HEADER_BYTES,
                                  texts, ARRAY_LEN(texts)))
        refuse_guest(g, MSG_SESSION_MALFORMED);
    else if (is_for_a_host(kind) && !host_name_equal(texts[0], g->of->host))
        send_on(g, texts[0]);
    else if (kind == SESSION_CLIENT)
        take_client(g, texts);
    else if (kind == SESSION_TASK)
        take_task(g, texts);
    else
        refuse_guest(g, MSG_SESSION_MALFORMED);
}

/* Exactly the first frame is read: the bytes behind it are for the other end. True once it is
 * whole. */
static bool read_hello(struct guest *g, struct session_frame *f, bool *is_bad)
{
    size_t wanted = SESSION_HEADER_BYTES;
    *f = (struct session_frame){ 0 };
    for (;;) {
        if (g->n >= SESSION_HEADER_BYTES) {
            *is_bad = session_header_unpack(g->bytes, SESSION_HELLO_MOST, f) != 0;
            wanted += f->len;
        }
        if (*is_bad || (g->n >= SESSION_HEADER_BYTES && g->n == wanted))
            return !*is_bad;
        struct iovec v = { g->bytes + g->n, wanted - g->n };
        ssize_t n = stream_read(&g->stream, &v, 1);
        *is_bad = n == 0 || (n < 0 && errno != EAGAIN);
        if (n <= 0)
            return false;
        g->n += (size_t)n;
        wanted = SESSION_HEADER_BYTES;
    }
}

static void on_readable(void *ctx)
{
    struct guest *g = ctx;
    struct session_frame f;
    bool is_bad = false;
    loop_doing(g->of->loop, "reading the first frame of a session");
    if (read_hello(g, &f, &is_bad))
        take_hello(g, f.kind);
    else if (is_bad)
        refuse_guest(g, MSG_SESSION_MALFORMED);
}

/* ---- those who come ---- */

static uint32_t count_of(const struct sessions *s, uid_t uid)
{
    const struct guest *g;
    uint32_t n = 0;
    TAILQ_FOREACH(g, &s->guests, next)
        n += g->is_counted && g->uid == uid;
    return n;
}

static void add_limit(const struct sessions *s, uid_t uid, struct dstr *why)
{
    if (s->n_counted >= SESSIONS_WAITING_MOST)
        dstr_addf(why, MSG_SESSIONS_MOST_U, (unsigned)SESSIONS_WAITING_MOST);
    else if (count_of(s, uid) >= SESSIONS_WAITING_OF_USER)
        dstr_addf(why, MSG_SESSIONS_OF_USER_U, (unsigned)SESSIONS_WAITING_OF_USER);
}

/* STREAM is moved in */
static struct guest *guest_new(struct sessions *s, struct stream *stream, uid_t uid,
                               bool is_counted)
{
    struct guest *g = uti_calloc(1, sizeof *g);
    g->of = s;
    g->stream = *stream;
    g->uid = uid;
    g->is_counted = is_counted;
    g->since_us = uti_mono_us();
    if (TAILQ_EMPTY(&s->guests))
        loop_timer_set(s->timer, LOOK_US);
    TAILQ_INSERT_TAIL(&s->guests, g, next);
    s->n_counted += is_counted;
    return g;
}

static void let_in(struct sessions *s, int fd)
{
    struct dstr why = DSTR_INIT;
    struct stream stream = stream_of_user(fd, s->closer);
    uid_t uid = 0;
    gid_t gid;
    pid_t pid = 0;
    bool is_known = os_peer_ids(fd, &uid, &gid, &pid) == 0;
    /* those of the execd's own user are shepherds, which come one for each task, and find room
     * whoever waits */
    bool is_counted = uid != geteuid();
    if (is_known && is_counted)
        add_limit(s, uid, &why);
    if (!is_known || why.len > 0) {
        send_refusal(&stream, dstr_get(&why));
        stream_close(&stream);
        dstr_free(&why);
        return;
    }
    struct guest *g = guest_new(s, &stream, uid, is_counted);
    g->pid = pid;
    g->watch = loop_watch_read(s->loop, fd, on_readable, g);
}

void sessions_take(struct sessions *s, int fd, const struct session_first *first)
{
    struct dstr why = DSTR_INIT;
    struct stream stream = stream_unix(fd);
    struct session_frame f;
    add_limit(s, first->uid, &why);
    bool is_frame = first->n >= SESSION_HEADER_BYTES &&
                    first->n <= sizeof((struct guest *)NULL)->bytes &&
                    session_header_unpack(first->bytes, SESSION_HELLO_MOST, &f) == 0 &&
                    first->n == SESSION_HEADER_BYTES + f.len;
    if (!is_frame)
        dstr_addf(&why, "%s", MSG_SESSION_MALFORMED);
    if (why.len > 0) {
        send_refusal(&stream, dstr_get(&why));
        stream_close(&stream);
        dstr_free(&why);
        return;
    }
    struct guest *g = guest_new(s, &stream, first->uid, true);
    g->from = first->from != NULL ? uti_strdup(first->from) : NULL;
    g->is_relayed = first->is_relayed;
    memcpy(g->bytes, first->bytes, first->n);
    g->n = first->n;
    take_hello(g, f.kind);
}

static void on_acceptable(void *ctx)
{
    struct sessions *s = ctx;
    loop_doing(s->loop, "accepting sessions");
    for (int i = 0; i < ACCEPTS_A_TURN; i++) {
        int fd = accept4(s->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0)
            return;
        let_in(s, fd);
    }
}

/* ---- those who wait ---- */

static bool has_gone(const struct guest *g)
{
    struct pollfd p = { .fd = g->stream.fd };
    return poll(&p, 1, 0) > 0 && (p.revents & (POLLHUP | POLLERR)) != 0;
}

static void refuse_slow(struct guest *g)
{
    struct dstr why = DSTR_INIT;
    dstr_addf(&why, MSG_SESSION_SLOW_U, (g->of->hello_ms + 999) / 1000);
    if (g->request != NULL)
        refuse_petask(g, dstr_get(&why));
    else
        refuse_guest(g, dstr_get(&why));
    dstr_free(&why);
}

static void look_at(struct guest *g, uint64_t now_us)
{
    uint64_t waited_ms = (now_us - g->since_us) / 1000;
    if (has_gone(g))
        guest_free(g);
    else if ((g->kind == 0 || g->request != NULL) && waited_ms > g->of->hello_ms)
        refuse_slow(g);
    else if (g->kind == SESSION_CLIENT && waited_ms > g->of->client_ms &&
             !g->of->ops->has_task(g->of->ctx, g->task))
        refuse_guest(g, MSG_SESSION_NO_TASK);
}

static void on_timer(void *ctx)
{
    struct sessions *s = ctx;
    struct guest *g, *next;
    loop_doing(s->loop, "looking at sessions that wait");
    uint64_t now_us = uti_mono_us();
    TAILQ_FOREACH_SAFE(g, &s->guests, next, next)
    {
        look_at(g, now_us);
    }
    if (!TAILQ_EMPTY(&s->guests))
        loop_timer_set(s->timer, LOOK_US);
}

static void keep_end(struct sessions *s, const char *task)
{
    struct task_end *end = &s->ends[s->next_end++ % SESSION_ENDS_KEPT];
    free(end->task);
    *end = (struct task_end){ uti_strdup(task), uti_mono_us() };
}

void sessions_task_ended(struct sessions *s, const char *task, bool may_come)
{
    struct guest *g, *next;
    if (s == NULL)
        return;
    if (may_come)
        keep_end(s, task);
    TAILQ_FOREACH_SAFE(g, &s->guests, next, next)
    {
        if (is_of(g, SESSION_CLIENT, task))
            refuse_guest(g, MSG_SESSION_TASK_GONE); /* why is not for whoever has asked */
    }
}

/* ---- life ---- */

struct sessions *sessions_new(struct loop *l, const char *socket, const char *host,
                              const struct session_ops *ops, void *ctx, struct answer *ans)
{
    int fd = unix_listen(socket, 0666);
    if (fd < 0)
        return ans_sys_null(ans, errno, MSG_SESSIONS_LISTEN_S, socket);
    struct sessions *s = uti_calloc(1, sizeof *s);
    s->loop = l;
    s->path = uti_strdup(socket);
    s->host = host;
    s->ops = ops;
    s->ctx = ctx;
    s->listen_fd = fd;
    sessions_set_patience(s, HELLO_MS, SESSION_CLIENT_MS);
    s->closer = fd_closer_new();
    s->watch = loop_watch_read(l, fd, on_acceptable, s);
    s->timer = loop_timer_new(l, on_timer, s);
    TAILQ_INIT(&s->guests);
    return s;
}

void sessions_set_patience(struct sessions *s, uint32_t hello_ms, uint32_t client_ms)
{
    s->hello_ms = hello_ms;
    s->client_ms = client_ms;
}

void sessions_free(struct sessions *s)
{
    struct guest *g;
    if (s == NULL)
        return;
    for (uint32_t i = 0; i < SESSION_ENDS_KEPT; i++)
        free(s->ends[i].task);
    while ((g = TAILQ_FIRST(&s->guests)) != NULL)
        guest_free(g);
    loop_watch_free(s->watch);
    loop_timer_free(s->timer);
    (void)unlink(s->path);
    fd_closer_close_listener(s->closer, s->listen_fd);
    fd_closer_free(s->closer);
    free(s->path);
    free(s);
}
