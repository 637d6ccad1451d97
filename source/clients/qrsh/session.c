/* The client's end of a session: a loop over the connection, standard input and a signal's byte.
 * Invariants: one frame waits in each direction, so that a reader that is slow slows the job and
 * nothing else; input is read when the job is there, so that what is typed before is not lost. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clients/qrsh/msg_qrsh.h"
#include "clients/qrsh/qrsh.h"
#include "libs/comm/unix_socket.h"
#include "libs/gdi/reach.h"
#include "libs/task/session_frame.h"
#include "libs/uti/answer.h"
#include "libs/uti/name_service.h"
#include "libs/uti/time.h"

enum {
    CONNECT_MS = 10000,
    AFTER_COMMAND_US = 10 * 1000 * 1000,
    SIGNAL_EXIT_BASE = 128,
    WATCHED = 5
};

struct link {
    const struct session_options *o;
    int fd;
    struct session_reader reader;
    struct session_writer writer;
    struct session_frame output; /* what is there of it for `to`, from `done` on */
    int to;
    size_t done;
    bool is_there; /* the task, which a client may send to */
    bool is_ready, has_input_end, has_new_window;
    int status;
    struct command_run command; /* if one is configured; it connects to `port` */
    uint16_t port;
    uint8_t peer[SESSION_PEER_BYTES]; /* a connection to be judged */
    bool has_peer, has_connected;
    uint64_t until_us; /* monotonic: the program has ended, the job has until then; 0: it runs */
};

static bool send_all(const struct link *s, const void *bytes, size_t len)
{
    const char *at = bytes;
    while (len > 0) {
        ssize_t n = send(s->fd, at, len, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR)
            return false;
        at += n > 0 ? n : 0;
        len -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* a piece of the request for a petask; LEN 0: its end */
static bool send_piece(const struct link *s, const char *bytes, size_t len)
{
    uint8_t header[SESSION_HEADER_BYTES];
    session_header_pack(SESSION_PETASK_REQUEST, len, header);
    return send_all(s, header, sizeof header) && send_all(s, bytes, len);
}

/* An execd that refuses reads no more of it, and has said why. */
static void send_request(const struct link *s)
{
    const struct petask_order *order = s->o->petask;
    size_t len, sent = 0;
    for (bool is_taken = true; is_taken && sent < order->len; sent += len) {
        len = order->len - sent < SESSION_DATA_MOST ? order->len - sent : SESSION_DATA_MOST;
        is_taken = send_piece(s, order->bytes + sent, len);
    }
    (void)send_piece(s, "", 0);
}

static bool send_hello(struct link *s)
{
    uint8_t hello[SESSION_HEADER_BYTES + SESSION_HELLO_MOST];
    const struct petask_order *order = s->o->petask;
    unsigned flags = s->o->is_terminal ? PETASK_IS_TERMINAL : 0;
    char flags_text[16];
    if (order != NULL && order->has_no_shell)
        flags |= PETASK_HAS_NO_SHELL;
    (void)snprintf(flags_text, sizeof flags_text, "%u", flags);
    const char *const texts[] = { s->o->host, s->o->task, s->o->secret, flags_text };
    size_t len = session_hello(order != NULL ? SESSION_PETASK : SESSION_CLIENT, texts,
                               order != NULL ? 4 : 3, hello);
    if (len == 0 || !send_all(s, hello, len))
        return false;
    if (order != NULL)
        send_request(s);
    return true;
}

static void send_window(struct link *s)
{
    if (!s->has_new_window || !s->is_there || !session_writer_is_empty(&s->writer))
        return;
    terminal_window(session_writer_room(&s->writer));
    session_writer_put(&s->writer, SESSION_WINDOW, SESSION_WINDOW_BYTES);
    s->has_new_window = false;
}

static void read_input(struct link *s)
{
    ssize_t n = s->o->has_no_stdin
                    ? 0
                    : read(STDIN_FILENO, session_writer_room(&s->writer), SESSION_DATA_MOST);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    s->has_input_end = n <= 0;
    session_writer_put(&s->writer, SESSION_STDIN, n > 0 ? (size_t)n : 0);
}

/* what is there for a stream, as far as that takes it; false: nothing reads that stream any more */
static bool write_output(struct link *s)
{
    while (s->output.data != NULL && s->done < s->output.len) {
        ssize_t n = write(s->to, s->output.data + s->done, s->output.len - s->done);
        if (n < 0)
            return errno == EINTR || errno == EAGAIN;
        s->done += (size_t)n;
    }
    s->output.data = NULL;
    return true;
}

static enum session_result take_exit(struct link *s, const struct session_frame *f)
{
    if (f->len < 4)
        return SESSION_LOST;
    s->status = (int)((unsigned)f->data[0] << 24 | (unsigned)f->data[1] << 16 |
                      (unsigned)f->data[2] << 8 | f->data[3]);
    if (f->len == 4)
        return SESSION_ENDED;
    terminal_restore();
    fprintf(stderr, "%.*s\n", (int)(f->len - 4), (const char *)f->data + 4);
    return SESSION_UNSTARTED;
}

static void begin_session(struct link *s)
{
    s->is_ready = true;
    if (s->o->is_terminal)
        terminal_raw();
}

/* a configured program and a builtin session, or the reverse, do not meet */
static bool is_mismatch(const struct link *s, bool has_daemon)
{
    const struct session_options *o = s->o;
    if ((o->command != NULL) == has_daemon)
        return false;
    if (has_daemon)
        fprintf(stderr, MSG_HOST_HAS_DAEMON_SS, o->setting, o->host);
    else
        fprintf(stderr, MSG_HOST_IS_BUILTIN_SSS, o->setting, o->command, o->host);
    return true;
}

/* of the host: connect there with the configured program; true: that cannot be */
static bool take_offer(struct link *s, const struct session_frame *f)
{
    if (is_mismatch(s, true) || s->command.pid != 0)
        return true;
    return command_start(&s->command, s->o, f, &s->port) != 0;
}

static void take_peer(struct link *s, const struct session_frame *f)
{
    s->has_peer = f->len == SESSION_PEER_BYTES;
    if (s->has_peer)
        memcpy(s->peer, f->data, f->len);
}

static void judge_peer(struct link *s)
{
    if (!s->has_peer || !session_writer_is_empty(&s->writer))
        return;
    bool is_ours = command_has_peer(s->peer, s->port);
    *session_writer_room(&s->writer) = is_ours;
    s->has_connected = s->has_connected || is_ours;
    session_writer_put(&s->writer, SESSION_PEER_IS, 1);
    s->has_peer = false;
}

static void say_refused(const struct link *s, const struct session_frame *f)
{
    const char *why = (const char *)f->data;
    if (s->o->petask == NULL)
        fprintf(stderr, "error: %.*s\n", (int)f->len, why);
    else if (name_service_has_host(s->o->host))
        fprintf(stderr, MSG_INHERIT_FAILED_SS, s->o->petask->number, (int)f->len, why);
    else
        fprintf(stderr, MSG_INHERIT_NO_HOST_SS, s->o->petask->number, s->o->host);
}

static void take_petask(struct link *s, const struct session_frame *f)
{
    s->is_there = true;
    if (s->o->petask != NULL && s->o->petask->is_verbose)
        fprintf(stderr, MSG_INHERIT_STARTED_SS, (int)f->len, (const char *)f->data);
}

/* true with *RESULT when the session is over */
static bool take_frame(struct link *s, const struct session_frame *f, enum session_result *result)
{
    switch (f->kind) {
    case SESSION_READY:
        begin_session(s);
        *result = SESSION_NOT_MADE;
        return is_mismatch(s, false);
    case SESSION_DAEMON:
        *result = SESSION_NOT_MADE;
        return take_offer(s, f);
    case SESSION_PEER:
        take_peer(s, f);
        return false;
    case SESSION_STDOUT:
    case SESSION_STDERR:
        s->output = *f;
        s->to = f->kind == SESSION_STDOUT ? STDOUT_FILENO : STDERR_FILENO;
        s->done = 0;
        return false;
    case SESSION_EXIT:
        *result = take_exit(s, f);
        return true;
    case SESSION_REFUSED:
        say_refused(s, f);
        *result = SESSION_NOT_MADE;
        return true;
    case SESSION_PETASK_STARTED:
        take_petask(s, f);
        return false;
    case SESSION_CLIENT:
    case SESSION_TASK:
    case SESSION_STDIN:
    case SESSION_WINDOW:
    case SESSION_USER:
    case SESSION_PETASK:
    case SESSION_PETASK_REQUEST:
    case SESSION_KINDS:
    case SESSION_PEER_IS:
        break;
    }
    return false;
}

/* frames, until one has to wait for its stream */
static bool take_frames(struct link *s, enum session_result *result)
{
    struct session_frame f;
    int rc = 0;
    while (s->output.data == NULL && (rc = session_reader_next(&s->reader, &f)) == 1) {
        if (take_frame(s, &f, result))
            return true;
        if (s->output.data != NULL && f.len == 0)
            s->output.data = NULL;
    }
    *result = SESSION_LOST;
    return rc < 0;
}

static void watch_ends(const struct link *s, struct pollfd fds[WATCHED])
{
    bool is_idle = session_writer_is_empty(&s->writer);
    bool is_input = s->is_ready && !s->has_input_end && is_idle && !s->o->has_no_stdin;
    short of_link = s->output.data == NULL ? POLLIN : 0;
    fds[0] = (struct pollfd){ s->fd, (short)(is_idle ? of_link : of_link | POLLOUT), 0 };
    fds[1] = (struct pollfd){ is_input ? STDIN_FILENO : -1, POLLIN, 0 };
    fds[2] = (struct pollfd){ s->output.data != NULL ? s->to : -1, POLLOUT, 0 };
    fds[3] = (struct pollfd){ s->o->wake_fd, POLLIN, 0 };
    fds[4] = (struct pollfd){ s->until_us == 0 ? s->command.pid_fd : -1, POLLIN, 0 };
}

/* suspended, with the job, until it is continued */
static void stop_here(struct link *s)
{
    s->o->on_stop(s->o->ctx, true);
    terminal_restore();
    (void)raise(SIGSTOP);
    if (s->is_ready && s->o->is_terminal)
        terminal_raw();
    s->o->on_stop(s->o->ctx, false);
}

/* a byte of a signal: one that ends this program, or the window is another */
static int take_signal(struct link *s)
{
    s->has_new_window = s->o->is_terminal && s->o->command == NULL;
    int sig = terminal_ending(s->o->wake_fd);
    if (sig != SIGTSTP)
        return sig;
    stop_here(s);
    return 0;
}

static int pause_ms(const struct link *s)
{
    uint64_t now_us = s->until_us != 0 ? uti_mono_us() : 0;
    if (s->until_us == 0)
        return -1;
    return s->until_us > now_us ? (int)((s->until_us - now_us) / 1000) + 1 : 0;
}

static enum session_result carry_bytes(struct link *s)
{
    struct pollfd fds[WATCHED];
    enum session_result result = SESSION_LOST;
    int sig;
    for (;;) {
        send_window(s);
        judge_peer(s);
        watch_ends(s, fds);
        if (poll(fds, WATCHED, pause_ms(s)) < 0)
            continue;
        if (fds[3].revents != 0 && (sig = take_signal(s)) != 0) {
            s->status = SIGNAL_EXIT_BASE + sig;
            return SESSION_SIGNALLED;
        }
        if (fds[2].revents != 0 && !write_output(s))
            return SESSION_LOST;
        bool has_ended = s->output.data == NULL && (fds[0].revents & (POLLIN | POLLHUP)) != 0 &&
                         session_reader_fill(&s->reader, s->fd) < 0;
        if (take_frames(s, &result) || (has_ended && s->output.data == NULL))
            return result;
        if (fds[4].revents != 0 && s->until_us == 0)
            s->until_us = uti_mono_us() + (s->has_connected ? AFTER_COMMAND_US : 0);
        if (s->until_us != 0 && uti_mono_us() >= s->until_us)
            return SESSION_COMMAND;
        if (fds[1].revents != 0)
            read_input(s);
        if (s->o->has_no_stdin && s->is_ready && !s->has_input_end &&
            session_writer_is_empty(&s->writer))
            read_input(s);
        if (session_writer_flush(&s->writer, s->fd) < 0)
            session_writer_put(&s->writer, SESSION_STDIN, 0); /* what it has sent is still read */
    }
}

/* a login has the exit status of the program; so has a command that it could not start */
static void take_command_status(struct link *s, enum session_result result)
{
    int status = command_end(&s->command, s->o);
    if (result == SESSION_COMMAND || (result == SESSION_ENDED && s->o->form != FORM_RSH) ||
        (result == SESSION_ENDED && s->status == 0))
        s->status = status;
}

/* the execution daemon of this host, or where there is none that of the job's, with a certificate
 * of the user; -1: it is said why not */
static int connect_execd(const struct session_options *o)
{
    struct answer ans = ANSWER_INIT;
    int fd = unix_connect(o->socket, CONNECT_MS), err = errno;
    if (fd < 0 && o->cell != NULL)
        fd = tunnel_session(o->cell, o->host, &ans);
    if (fd < 0 && ans_has_error(&ans))
        fprintf(stderr, MSG_NO_TUNNEL_SS, o->host, ans_first_error(&ans));
    else if (fd < 0)
        fprintf(stderr, MSG_NO_EXECD_SS, o->socket, strerror(err));
    ans_free(&ans);
    return fd;
}

enum session_result session_run(const struct session_options *o, int *status)
{
    struct link s = { .o = o,
                      .is_there = o->petask == NULL,
                      .has_new_window = o->is_terminal && o->command == NULL,
                      .status = EXIT_FAILURE,
                      .command = { .pid_fd = -1 } };
    s.fd = connect_execd(o);
    if (s.fd < 0)
        return SESSION_NOT_MADE;
    session_reader_init(&s.reader);
    session_writer_init(&s.writer);
    enum session_result result = SESSION_LOST;
    if (send_hello(&s) && fcntl(s.fd, F_SETFL, O_NONBLOCK) == 0)
        result = carry_bytes(&s);
    terminal_restore();
    close(s.fd);
    if (s.command.pid != 0)
        take_command_status(&s, result);
    session_reader_free(&s.reader);
    session_writer_free(&s.writer);
    *status = s.status;
    return result;
}
