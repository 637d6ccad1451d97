/* The parent's half of an interactive task's input and output. The pump is a process of its own, so
 * that a client that does not read delays nothing but its job, and what a client sends is never
 * read with more rights than the owner has. Invariants: it keeps one frame in each direction; the
 * exit status leaves after all that the job has written; it ends when its client, or the shepherd,
 * has gone, and closes the job's terminal with that. Source: "The shepherd", communication with
 * qrsh; pty(7). */
#include "daemons/shepherd/session.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "daemons/shepherd/daemon_port.h"
#include "daemons/shepherd/detached.h"
#include "daemons/shepherd/msg_shepherd.h"
#include "daemons/shepherd/privilege.h"
#include "libs/task/session_frame.h"
#include "libs/uti/answer.h"
#include "libs/uti/fd_pass.h"
#include "libs/uti/file.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

enum {
    CONNECT_AGAIN_MS = 50,
    LATE_CLIENT_MS = 5000,  /* for the client of a job that is over already */
    LAST_OUTPUT_MS = 1000,  /* of a terminal that processes of others hold open */
    LAST_WRITES_MS = 10000, /* of a pump whose client has gone, into files */
    FRAMES_A_TURN = 16,
    PUMP_FDS_MOST = 6, /* that it keeps */
    PUMP_FDS = 7
};

bool launch_io_kind_of(const char *text, enum launch_io_kind *out)
{
    static const char *const names[] = { [LAUNCH_IO_FILES] = "files",
                                         [LAUNCH_IO_TERMINAL] = "pty",
                                         [LAUNCH_IO_PIPES] = "relay",
                                         [LAUNCH_IO_DAEMON] = "daemon" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (strcmp(text, names[i]) == 0) {
            *out = (enum launch_io_kind)i;
            return true;
        }
    return false;
}

/* ---- the pump ---- */

struct pump {
    const struct session_place *place;
    int line;         /* to the execd; afterwards -1 */
    int client;       /* -1 before it has come */
    int in, out, err; /* -1: closed; of a terminal `in` and `out` are the same */
    int control, go;  /* -1: ended, said */
    struct daemon_port daemon;
    struct session_reader reader;
    struct session_writer writer;
    struct session_frame input; /* of it `done` bytes are written */
    size_t done;
    uint64_t until_us; /* monotonic: when it gives up waiting */
    bool has_ended;    /* the status is here */
    uint8_t status[4];
    char text[SESSION_TEXT_MOST];
    size_t text_len;
};

static SGE_NORETURN void leave_session(bool is_done)
{
    _exit(is_done ? 0 : 1);
}

static void drop_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static int connect_to(const char *path)
{
    struct sockaddr_un to = { .sun_family = AF_UNIX };
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    char dir[SESSION_HELLO_MOST * 4];
    size_t len = (size_t)(name - path);
    if (strlen(name) >= sizeof to.sun_path || len >= sizeof dir)
        return -1;
    memcpy(dir, path, len);
    dir[len] = '\0';
    memcpy(to.sun_path, name, strlen(name) + 1);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || (len > 0 && chdir(dir) != 0) ||
        connect(fd, (const struct sockaddr *)&to, sizeof to) != 0) {
        if (fd >= 0)
            close(fd);
        return -1;
    }
    return fd;
}

/* An execd that is away comes back. Its socket is asked with the shepherd's rights, by which it
 * knows us; nothing is read before they are given up. */
static int call_execd(const struct session_place *place, uint64_t until_us)
{
    const struct timespec pause = { 0, CONNECT_AGAIN_MS * 1000000L };
    uint8_t hello[SESSION_HEADER_BYTES + SESSION_HELLO_MOST];
    char uid[16];
    (void)snprintf(uid, sizeof uid, "%u", (unsigned)place->who->uid);
    const char *const texts[] = { place->task, place->digest, uid };
    size_t len = session_hello(SESSION_TASK, texts, ARRAY_LEN(texts), hello);
    while (len > 0) {
        int fd = connect_to(place->socket);
        if (fd >= 0 && send(fd, hello, len, MSG_NOSIGNAL) == (ssize_t)len)
            return fd;
        if (fd >= 0)
            close(fd);
        if (uti_mono_us() >= until_us)
            break;
        (void)nanosleep(&pause, NULL);
    }
    return -1;
}

static void set_window(const struct pump *p, const uint8_t *data)
{
    struct winsize size = { .ws_row = (unsigned short)(data[0] << 8 | data[1]),
                            .ws_col = (unsigned short)(data[2] << 8 | data[3]),
                            .ws_xpixel = (unsigned short)(data[4] << 8 | data[5]),
                            .ws_ypixel = (unsigned short)(data[6] << 8 | data[7]) };
    (void)ioctl(p->in, TIOCSWINSZ, &size);
}

static void let_job_begin(struct pump *p)
{
    if (p->go < 0)
        return;
    (void)!write(p->go, "", 1);
    drop_fd(&p->go);
    session_writer_put(&p->writer, SESSION_READY, 0);
}

/* the client has no more input; a terminal has a character for that */
static void end_input(struct pump *p)
{
    static const char end_of_file = 4;
    if (p->in < 0)
        return;
    if (p->place->is_terminal)
        (void)!write(p->in, &end_of_file, 1);
    else
        drop_fd(&p->in);
}

/* the frame that is there, as far as that goes now */
static void use_input(struct pump *p)
{
    while (p->input.data != NULL && p->done < p->input.len && p->in >= 0) {
        ssize_t n = write(p->in, p->input.data + p->done, p->input.len - p->done);
        if (n < 0 && errno == EAGAIN)
            return;
        if (n < 0) { /* the job has closed it: what comes is dropped */
            if (p->place->is_terminal)
                break;
            drop_fd(&p->in);
        } else {
            p->done += (size_t)n;
        }
    }
    p->input = (struct session_frame){ .data = NULL };
    p->done = 0;
}

/* what the client says of a connection: its own is the job's */
static void use_verdict(struct pump *p, bool is_clients)
{
    if (!daemon_port_judged(&p->daemon, is_clients, p->go))
        return;
    drop_fd(&p->go);
    p->until_us = UINT64_MAX;
}

/* the frames of the client, until one has to wait for the job */
static void take_frames(struct pump *p)
{
    struct session_frame f;
    int rc = 0;
    while (p->input.data == NULL && (rc = session_reader_next(&p->reader, &f)) == 1) {
        if (f.kind == SESSION_WINDOW && f.len == SESSION_WINDOW_BYTES && p->place->is_terminal) {
            set_window(p, f.data);
            let_job_begin(p);
        } else if (f.kind == SESSION_STDIN && f.len == 0) {
            end_input(p);
        } else if (f.kind == SESSION_STDIN) {
            p->input = f;
            use_input(p);
        } else if (f.kind == SESSION_PEER_IS && f.len == 1) {
            use_verdict(p, f.data[0] == 1);
        }
    }
    if (rc < 0)
        leave_session(false);
}

static SGE_NORETURN void refuse_client(struct pump *p, const char *why)
{
    size_t len = strlen(why);
    memcpy(session_writer_room(&p->writer), why, len);
    session_writer_put(&p->writer, SESSION_REFUSED, len);
    (void)session_writer_flush(&p->writer, p->client);
    leave_session(false);
}

/* the client learns where its command is to connect to, for which it has as long as it had to come
 * itself */
static void offer_daemon(struct pump *p)
{
    char why[SESSION_TEXT_MOST];
    size_t len = 0;
    if (daemon_port_open(&p->daemon, p->place->daemon, why, sizeof why) == 0)
        len = daemon_port_offer(&p->daemon, session_writer_room(&p->writer), SESSION_DATA_MOST);
    else
        refuse_client(p, why);
    session_writer_put(&p->writer, SESSION_DAEMON, len);
    p->until_us = uti_mono_us() + (uint64_t)SESSION_CLIENT_MS * 1000;
}

static void take_client(struct pump *p)
{
    if (fd_receive(p->line, &p->client, 1) != 0)
        leave_session(false);
    drop_fd(&p->line);
    (void)fcntl(p->client, F_SETFL, O_NONBLOCK);
    if (p->place->daemon != NULL)
        offer_daemon(p);
    else if (!p->place->is_terminal)
        let_job_begin(p);
}

static void take_status(struct pump *p)
{
    uint8_t message[sizeof p->status + SESSION_TEXT_MOST];
    ssize_t n = read(p->control, message, sizeof message);
    if (n < (ssize_t)sizeof p->status)
        leave_session(false); /* the shepherd has gone */
    drop_fd(&p->control);
    drop_fd(&p->go);
    memcpy(p->status, message, sizeof p->status);
    p->text_len = (size_t)n - sizeof p->status;
    memcpy(p->text, message + sizeof p->status, p->text_len);
    p->has_ended = true;
    uint64_t most_ms = p->client < 0 ? LATE_CLIENT_MS : LAST_OUTPUT_MS;
    p->until_us = uti_mono_us() + most_ms * 1000;
}

/* a frame of what FD has; true if there was something */
static bool take_output(struct pump *p, int *fd, enum session_kind kind)
{
    if (*fd < 0 || !session_writer_is_empty(&p->writer))
        return false;
    ssize_t n = read(*fd, session_writer_room(&p->writer), SESSION_DATA_MOST);
    if (n > 0)
        session_writer_put(&p->writer, kind, (size_t)n);
    else if (n == 0 || errno != EAGAIN)
        drop_fd(fd);
    return n > 0;
}

/* all that the job has written has left, and nothing can follow */
static bool is_drained(const struct pump *p)
{
    return !p->place->is_terminal || p->out < 0 || uti_mono_us() >= p->until_us;
}

static SGE_NORETURN void write_status(struct pump *p)
{
    uint8_t *room = session_writer_room(&p->writer);
    memcpy(room, p->status, sizeof p->status);
    memcpy(room + sizeof p->status, p->text, p->text_len);
    session_writer_put(&p->writer, SESSION_EXIT, sizeof p->status + p->text_len);
    (void)fcntl(p->client, F_SETFL, 0); /* the last frame: a client that has gone wakes us, too */
    leave_session(session_writer_flush(&p->writer, p->client) == 1);
}

/* the client has gone: its job ends, or goes on in its files */
static SGE_NORETURN void lose_client(struct pump *p)
{
    if (p->place->files == NULL)
        leave_session(false);
    struct detached d = { .out = p->out, .err = p->err, .control = p->control };
    d.has_ended = p->has_ended;
    if (!p->place->is_terminal)
        drop_fd(&p->in);
    drop_fd(&p->client);
    drop_fd(&p->line);
    leave_session(detached_run(&d, p->place->files, &p->writer));
}

/* some frames, so that input has its turn, too */
static void write_more(struct pump *p)
{
    int rc = session_writer_flush(&p->writer, p->client);
    for (int i = 0; i < FRAMES_A_TURN && rc == 1; i++) {
        if (!take_output(p, &p->err, SESSION_STDERR) && !take_output(p, &p->out, SESSION_STDOUT)) {
            if (p->has_ended && is_drained(p))
                write_status(p);
            return;
        }
        rc = session_writer_flush(&p->writer, p->client);
    }
    if (rc < 0)
        lose_client(p);
}

/* false: the client has gone */
static bool has_input(struct pump *p)
{
    return p->input.data == NULL && session_reader_fill(&p->reader, p->client) >= 0;
}

static short wanted_of_client(const struct pump *p)
{
    short wanted = p->input.data == NULL ? POLLIN : 0;
    return session_writer_is_empty(&p->writer) ? wanted : (short)(wanted | POLLOUT);
}

static int pause_ms(const struct pump *p)
{
    if (p->until_us == UINT64_MAX)
        return -1;
    uint64_t now_us = uti_mono_us();
    return p->until_us > now_us ? (int)((p->until_us - now_us) / 1000) + 1 : 0;
}

static void wait_for_more(struct pump *p, struct pollfd fds[PUMP_FDS])
{
    bool has_room = p->client >= 0 && session_writer_is_empty(&p->writer);
    fds[0] = (struct pollfd){ .fd = p->line, .events = POLLIN };
    fds[1] = (struct pollfd){ .fd = p->client, .events = wanted_of_client(p) };
    fds[2] = (struct pollfd){ .fd = p->input.data != NULL ? p->in : -1, .events = POLLOUT };
    fds[3] = (struct pollfd){ .fd = has_room ? p->out : -1, .events = POLLIN };
    fds[4] = (struct pollfd){ .fd = has_room ? p->err : -1, .events = POLLIN };
    fds[5] = (struct pollfd){ .fd = p->control, .events = POLLIN };
    fds[6] = (struct pollfd){ .fd = has_room ? daemon_port_fd(&p->daemon) : -1, .events = POLLIN };
    while (poll(fds, PUMP_FDS, pause_ms(p)) < 0)
        ;
}

static SGE_NORETURN void carry_bytes(struct pump *p)
{
    struct pollfd fds[PUMP_FDS];
    for (;;) {
        wait_for_more(p, fds);
        if (fds[5].revents != 0)
            take_status(p);
        if (fds[0].revents != 0)
            take_client(p);
        if (p->client < 0) {
            if (uti_mono_us() >= p->until_us)
                leave_session(false);
            continue;
        }
        if (p->daemon.is_open && uti_mono_us() >= p->until_us)
            refuse_client(p, MSG_NO_COMMAND);
        if (!p->has_ended && !p->daemon.is_open)
            p->until_us = UINT64_MAX;
        if ((fds[1].revents & (POLLIN | POLLHUP | POLLERR)) != 0 && !has_input(p))
            lose_client(p);
        if (fds[2].revents != 0)
            use_input(p);
        take_frames(p);
        if (fds[6].revents != 0 && session_writer_is_empty(&p->writer) &&
            daemon_port_accept(&p->daemon, session_writer_room(&p->writer)))
            session_writer_put(&p->writer, SESSION_PEER, SESSION_PEER_BYTES);
        write_more(p);
    }
}

/* the pump has its own descriptors and nothing else: not the lock on "pid", for instance */
static void keep_only(struct pump *p)
{
    int *const kept[] = { &p->in, &p->out, &p->err, &p->control, &p->go, &p->line };
    int from = STDERR_FILENO + 1;
    for (size_t i = 0; i < ARRAY_LEN(kept); i++)
        if (*kept[i] >= from)
            from = *kept[i] + 1;
    for (size_t i = 0; i < ARRAY_LEN(kept); i++)
        if (*kept[i] >= 0 && (*kept[i] = dup3(*kept[i], from + (int)i, O_CLOEXEC)) < 0)
            leave_session(false);
    for (int fd = STDERR_FILENO + 1; fd < from; fd++)
        close(fd);
    (void)os_close_from(from + PUMP_FDS_MOST);
}

static SGE_NORETURN void run_pump(struct pump *p)
{
    int err = 0;
    privilege_expose();
    p->until_us = uti_mono_us() + (uint64_t)SESSION_CLIENT_MS * 1000;
    p->line = call_execd(p->place, p->until_us);
    if (identity_become(p->place->who, &err) != IDENTITY_DONE || chdir("/") != 0)
        leave_session(false);
    keep_only(p);
    if (p->line < 0)
        leave_session(false);
    session_reader_init(&p->reader);
    session_writer_init(&p->writer);
    carry_bytes(p);
}

/* ---- the shepherd ---- */

struct ends {
    int of_job[3], in, out, err;
};

static void close_ends(struct ends *e)
{
    for (int i = 0; i < 3; i++)
        drop_fd(&e->of_job[i]);
    drop_fd(&e->in);
    drop_fd(&e->out);
    drop_fd(&e->err);
}

static int make_terminal(struct ends *e, const struct session_place *place)
{
    if (privilege_make_terminal(place->who, &e->in, &e->of_job[0]) != 0)
        return -1;
    e->out = fcntl(e->in, F_DUPFD_CLOEXEC, 0);
    for (int i = 1; i < 3; i++)
        e->of_job[i] = fcntl(e->of_job[0], F_DUPFD_CLOEXEC, 0);
    return e->out >= 0 && e->of_job[1] >= 0 && e->of_job[2] >= 0 ? 0 : -1;
}

static int make_pipes(struct ends *e)
{
    int in[2], out[2], err[2];
    if (pipe2(in, O_CLOEXEC) != 0)
        return -1;
    e->of_job[0] = in[0];
    e->in = in[1];
    if (pipe2(out, O_CLOEXEC) != 0)
        return -1;
    e->of_job[1] = out[1];
    e->out = out[0];
    if (pipe2(err, O_CLOEXEC) != 0)
        return -1;
    e->of_job[2] = err[1];
    e->err = err[0];
    return 0;
}

static bool set_nonblocking(const struct ends *e)
{
    return fcntl(e->in, F_SETFL, O_NONBLOCK) == 0 && fcntl(e->out, F_SETFL, O_NONBLOCK) == 0 &&
           (e->err < 0 || fcntl(e->err, F_SETFL, O_NONBLOCK) == 0);
}

/* the pump reads CONTROL, a pipe, and writes GO, a pipe or, to pass a connection, two sockets */
static int make_lines(bool has_daemon, int control[2], int go[2])
{
    if (pipe2(control, O_CLOEXEC) != 0)
        return -1;
    return has_daemon ? socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, go)
                      : pipe2(go, O_CLOEXEC);
}

static int make_ends(struct ends *e, const struct session_place *place)
{
    if (place->daemon != NULL)
        return 0; /* its connection is all of them */
    int rc = place->is_terminal ? make_terminal(e, place) : make_pipes(e);
    return rc == 0 && set_nonblocking(e) ? 0 : -1;
}

static pid_t start_pump(const struct session_place *place, struct ends *e, const int control[2],
                        const int go[2])
{
    struct pump p = { .place = place,
                      .line = -1,
                      .client = -1,
                      .in = e->in,
                      .out = e->out,
                      .err = e->err,
                      .control = control[0],
                      .go = go[1],
                      .daemon = DAEMON_PORT_INIT };
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    for (int i = 0; i < 3; i++)
        drop_fd(&e->of_job[i]);
    close(control[1]);
    close(go[0]);
    run_pump(&p);
}

int session_begin(struct session *s, const struct session_place *place, struct answer *ans)
{
    struct ends e = { { -1, -1, -1 }, -1, -1, -1 };
    int control[2] = { -1, -1 }, go[2] = { -1, -1 };
    pid_t pump = -1;
    if (make_ends(&e, place) == 0 && make_lines(place->daemon != NULL, control, go) == 0)
        pump = start_pump(place, &e, control, go);
    int err = errno;
    drop_fd(&control[0]);
    drop_fd(&go[1]);
    drop_fd(&e.in);
    drop_fd(&e.out);
    drop_fd(&e.err);
    *s = (struct session){ 0 };
    if (pump < 0) {
        close_ends(&e);
        drop_fd(&control[1]);
        drop_fd(&go[0]);
        return ans_sys(ans, err, MSG_SESSION);
    }
    *s = (struct session){ .pump = pump,
                           .control = control[1],
                           .go = go[0],
                           .of_job = { e.of_job[0], e.of_job[1], e.of_job[2] },
                           .is_terminal = place->is_terminal };
    return 0;
}

void session_job_started(struct session *s)
{
    if (s->pump == 0)
        return;
    for (int i = 0; i < 3; i++)
        drop_fd(&s->of_job[i]);
    drop_fd(&s->go);
}

/* A pump with a client closes its end at once; one without has written all into the job's files
 * then, which are complete when the task has ended. */
static void wait_for_writes(const struct session *s)
{
    struct pollfd end = { .fd = s->control };
    uint64_t until_us = uti_mono_us() + (uint64_t)LAST_WRITES_MS * 1000, now_us;
    while ((now_us = uti_mono_us()) < until_us &&
           poll(&end, 1, (int)((until_us - now_us) / 1000) + 1) < 0 && errno == EINTR)
        ;
}

void session_end(struct session *s, int status, const char *text)
{
    uint8_t message[4 + SESSION_TEXT_MOST] = { (uint8_t)((unsigned)status >> 24),
                                               (uint8_t)((unsigned)status >> 16),
                                               (uint8_t)((unsigned)status >> 8), (uint8_t)status };
    size_t len = text != NULL ? strlen(text) : 0;
    if (s->pump == 0)
        return;
    session_job_started(s);
    if (len > SESSION_TEXT_MOST)
        len = SESSION_TEXT_MOST;
    if (len > 0)
        memcpy(message + 4, text, len);
    (void)!write(s->control, message, 4 + len);
    wait_for_writes(s);
    drop_fd(&s->control);
}
