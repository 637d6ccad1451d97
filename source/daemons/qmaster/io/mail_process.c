/* The process that runs mailers, and how it is reached. There are two of it: a keeper, which waits,
 * and a server, its child, which serves requests. The keeper starts another server when that dies,
 * and a server whose keeper has died becomes a keeper itself: requests stay in the socket, which
 * both have, until a server takes them.
 *
 * A request is a packet with two descriptors:
 * memory that holds the mail, and a socket for the answer. For each a child is forked that copies
 * the mail, checks it, runs the mailer and answers. It ends the mailer after the deadline, or a
 * second after the qmaster has closed the other end of the answer: so nothing outlives the qmaster
 * for long. Invariant: what is executed, its arguments and its input have passed
 * `request_is_good`. */
#include "daemons/qmaster/io/mail_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "daemons/qmaster/io/msg_io.h"
#include "libs/sgeobj/mail_address.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/fd_pass.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

enum { STOP_US = 1000000, LOOK_MS = 50, ENVIRONMENT = 8, TEXTS = 4, MEMORY = 0, ANSWER = 1 };

/* at the begin of the memory of a request; the texts follow, each with its NUL */
struct request_head {
    uint32_t deadline_ms;
    uint32_t bytes[TEXTS]; /* program, subject, address, body; the NUL not counted */
};
_Static_assert(MAIL_SUBJECT_MOST == 1000 && MAIL_BODY_MOST == 262144 && MAIL_PROGRAM_MOST == 4096,
               "MSG_MAIL_LONG names them");
static const uint32_t most_bytes[TEXTS] = { MAIL_PROGRAM_MOST, MAIL_SUBJECT_MOST, MAIL_ADDRESS_MOST,
                                            MAIL_BODY_MOST };

/* ---- requests: the side of the qmaster ---- */
static bool write_all(int fd, const void *data, size_t bytes)
{
    const char *at = data;
    while (bytes > 0) {
        ssize_t n = write(fd, at, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        bytes -= (size_t)n;
    }
    return true;
}

/* a descriptor of memory with M, or -1 with errno */
static int request_memory(const struct mail_request *m)
{
    const char *texts[TEXTS] = { m->program, m->subject, m->address, m->body };
    struct request_head head = { .deadline_ms = m->deadline_ms };
    for (int i = 0; i < TEXTS; i++) {
        size_t len = strlen(texts[i]);
        if (len > most_bytes[i]) {
            errno = E2BIG;
            return -1;
        }
        head.bytes[i] = (uint32_t)len;
    }
    int fd = os_shared_memory(0, STDERR_FILENO);
    bool is_written = fd >= 0 && write_all(fd, &head, sizeof head);
    for (int i = 0; i < TEXTS && is_written; i++)
        is_written = write_all(fd, texts[i], head.bytes[i] + 1);
    if (fd >= 0 && !is_written) {
        int err = errno;
        close(fd);
        errno = err;
        return -1;
    }
    return fd;
}

/* 0, or an errno; waits for room no longer than until STOP_FD is readable */
static int pass_on(int fd, const int *passed, int stop_fd)
{
    for (;;) {
        if (fd_pass(fd, passed, 2) == 0)
            return 0;
        if (errno != EAGAIN && errno != EINTR)
            return errno;
        struct pollfd fds[] = { { .fd = fd, .events = POLLOUT },
                                { .fd = stop_fd, .events = POLLIN } };
        (void)poll(fds, ARRAY_LEN(fds), -1);
        if (fds[1].revents != 0)
            return ECANCELED;
    }
}

/* false: nothing came; else OUT, LOST if the other end was closed */
static bool take_answer(int fd, struct mail_answer *out)
{
    ssize_t n = recv(fd, out, sizeof *out, MSG_DONTWAIT);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return false;
    if (n != (ssize_t)sizeof *out)
        *out = (struct mail_answer){ .result = MAIL_LOST };
    out->said[MAIL_SAID_MOST] = '\0';
    return true;
}

/* once STOP_FD is readable the other end is told, and has a second to end the mailer */
static void receive_answer(int fd, int stop_fd, struct mail_answer *out)
{
    uint64_t until_us = UINT64_MAX;
    while (uti_mono_us() < until_us) {
        bool is_stopping = until_us != UINT64_MAX;
        struct pollfd fds[] = { { .fd = fd, .events = POLLIN },
                                { .fd = is_stopping ? -1 : stop_fd, .events = POLLIN } };
        (void)poll(fds, ARRAY_LEN(fds), is_stopping ? LOOK_MS : -1);
        if (fds[0].revents != 0 && take_answer(fd, out))
            return;
        if (fds[1].revents != 0) {
            (void)shutdown(fd, SHUT_WR);
            until_us = uti_mono_us() + STOP_US + STOP_US / 4;
        }
    }
}

int mail_process_send(int fd, const struct mail_request *m, int stop_fd, struct mail_answer *out)
{
    int ends[2];
    *out = (struct mail_answer){ .result = MAIL_LOST };
    int memory = request_memory(m);
    if (memory < 0)
        return errno;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        int err = errno;
        close(memory);
        return err;
    }
    int err = pass_on(fd, (int[]){ [MEMORY] = memory, [ANSWER] = ends[1] }, stop_fd);
    close(memory);
    close(ends[1]);
    if (err == 0)
        receive_answer(ends[0], stop_fd, out);
    close(ends[0]);
    return err;
}

/* ---- requests: the side of the process ---- */
/* the memory behind FD, copied, so that nobody changes it any more; NULL: no request */
static char *copy_request(int fd, struct mail_request *m)
{
    struct request_head head;
    size_t total = 0;
    if (pread(fd, &head, sizeof head, 0) != (ssize_t)sizeof head)
        return NULL;
    for (int i = 0; i < TEXTS; i++) {
        if (head.bytes[i] > most_bytes[i])
            return NULL;
        total += head.bytes[i] + 1;
    }
    char *copy = uti_calloc(1, total), *at = copy;
    const char **texts[TEXTS] = { &m->program, &m->subject, &m->address, &m->body };
    bool is_whole = pread(fd, copy, total, sizeof head) == (ssize_t)total;
    for (int i = 0; i < TEXTS && is_whole; i++) {
        is_whole = memchr(at, '\0', head.bytes[i] + 1) == at + head.bytes[i];
        *texts[i] = at;
        at += head.bytes[i] + 1;
    }
    m->deadline_ms = head.deadline_ms < MAIL_DEADLINE_MS ? head.deadline_ms : MAIL_DEADLINE_MS;
    if (is_whole)
        return copy;
    free(copy);
    return NULL;
}

static bool header_is_good(const char *text)
{
    for (; *text != '\0'; text++)
        if (*text < ' ' || *text > '~' || (text[0] == '=' && text[1] == '?'))
            return false;
    return true;
}

/* no line is a command of a mailer, no byte controls a terminal */
static bool body_is_good(const char *text)
{
    for (bool is_first = true; *text != '\0'; text++) {
        bool is_control = ((unsigned char)*text < ' ' && *text != '\n' && *text != '\t');
        if (is_control || *text == 0x7f || (is_first && (*text == '~' || *text == '.')))
            return false;
        is_first = *text == '\n';
    }
    return true;
}

static bool address_is_good(const char *address)
{
    struct dstr user = DSTR_INIT;
    const char *at = strchr(address, '@');
    dstr_addn(&user, address, at != NULL ? (size_t)(at - address) : strlen(address));
    bool is_good = mail_address_is_good(dstr_get(&user), at != NULL ? at + 1 : NULL);
    dstr_free(&user);
    return is_good;
}

static bool request_is_good(const struct mail_request *m)
{
    return *m->program == '/' && header_is_good(m->subject) && address_is_good(m->address) &&
           body_is_good(m->body);
}

static bool is_trusted(const struct mail_process *p, const char *program)
{
    static const char between[] = " \t,";
    const char *at = p->trusted != NULL ? p->trusted : "";
    for (;;) {
        at += strspn(at, between);
        size_t len = strcspn(at, between);
        if (len == 0)
            return false;
        if (strlen(program) == len && memcmp(at, program, len) == 0)
            return true;
        at += len;
    }
}

/* ---- one mailer ---- */
struct child {
    pid_t pid;
    int pid_fd;        /* -1: the system has no such descriptors */
    int input, output; /* -1: done with */
    int answer;        /* hangs up when the answer is not wanted any more */
    const char *left;  /* of the input */
    unsigned deadline_ms;
    uint64_t until_us;
    bool is_stopping, is_killed;
    int status;
};

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void add_variable(char **environment, const char *name, const char *value)
{
    struct dstr text = DSTR_INIT;
    while (*environment != NULL)
        environment++;
    if (value == NULL)
        return;
    dstr_addf(&text, "%s=%s", name, value);
    *environment = dstr_take(&text);
}

static int spawn_mailer(const struct mail_process *p, struct child *c, const struct mail_request *m,
                        int input, int output)
{
    char *environment[ENVIRONMENT] = { NULL };
    char *argv[] = { (char *)m->program, (char[]){ "-s" }, (char *)m->subject, (char *)m->address,
                     NULL };
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attr;
    sigset_t none, all;
    add_variable(environment, "PATH", "/usr/bin:/bin:/usr/sbin:/sbin");
    add_variable(environment, "HOME", "/");
    add_variable(environment, "LANG", "C.UTF-8");
    add_variable(environment, "TZ", getenv("TZ"));
    add_variable(environment, "USER", p->user);
    add_variable(environment, "LOGNAME", p->user);
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
    int err = posix_spawn(&c->pid, m->program, &files, &attr, argv, environment);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attr);
    return err;
}

/* a program that may not gain privileges runs as the qmaster does. 0, or an errno */
static int give_up_privileges(const struct mail_process *p)
{
    bool is_done = setresgid(p->group, p->group, p->group) == 0 && os_no_new_privileges() == 0;
    return is_done ? 0 : errno;
}

/* 0, or an errno; the mailer reads c->left */
static int start_child(const struct mail_process *p, struct child *c, const struct mail_request *m)
{
    int in[2] = { -1, -1 }, out[2] = { -1, -1 };
    int err = 0;
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
        err = errno;
    if (err == 0 && p->is_hardened && !is_trusted(p, m->program))
        err = give_up_privileges(p);
    if (err == 0)
        err = spawn_mailer(p, c, m, in[0], out[1]);
    close_end(&in[0]);
    close_end(&out[1]);
    c->pid_fd = -1;
    c->input = in[1];
    c->output = out[0];
    c->left = m->body;
    c->until_us = uti_mono_us() + (uint64_t)m->deadline_ms * 1000;
    c->deadline_ms = m->deadline_ms;
    if (err == 0) {
        (void)fcntl(c->input, F_SETFL, O_NONBLOCK);
        (void)fcntl(c->output, F_SETFL, O_NONBLOCK);
        c->pid_fd = os_pidfd_open(c->pid);
    }
    return err;
}

/* the system holds little of it until the mailer reads */
static void write_input(struct child *c)
{
    size_t len = strlen(c->left);
    ssize_t n = len > 0 ? write(c->input, c->left, len) : 0;
    if (n > 0)
        c->left += n;
    if (*c->left == '\0' || (n < 0 && errno != EAGAIN && errno != EINTR))
        close_end(&c->input);
}

/* the begin of what it prints is for the log */
static void read_output(struct child *c, struct dstr *said)
{
    char buf[512];
    ssize_t n = read(c->output, buf, sizeof buf);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        close_end(&c->output);
    for (ssize_t i = 0; i < n && said->len < MAIL_SAID_MOST; i++)
        dstr_addc(said, buf[i] >= ' ' && buf[i] <= '~' ? buf[i] : ' ');
}

/* waits for something to happen, and ends the mailer if it takes too long */
static void wait_a_while(struct child *c, struct dstr *said)
{
    uint64_t now_us = uti_mono_us();
    int most_ms = c->pid_fd >= 0 ? (int)c->deadline_ms : LOOK_MS;
    if (now_us >= c->until_us && !c->is_killed) {
        c->is_killed = true;
        (void)kill(-c->pid, SIGKILL);
        (void)kill(c->pid, SIGKILL);
    }
    if (!c->is_killed && (c->until_us - now_us) / 1000 + 1 < (uint64_t)most_ms)
        most_ms = (int)((c->until_us - now_us) / 1000) + 1;
    struct pollfd fds[] = { { .fd = c->pid_fd, .events = POLLIN },
                            { .fd = c->input, .events = POLLOUT },
                            { .fd = c->output, .events = POLLIN },
                            { .fd = c->is_stopping ? -1 : c->answer, .events = POLLIN } };
    if (poll(fds, ARRAY_LEN(fds), most_ms) <= 0)
        return;
    if (fds[1].revents != 0)
        write_input(c);
    if (fds[2].revents != 0)
        read_output(c, said);
    if (fds[3].revents != 0) {
        c->is_stopping = true;
        if (c->until_us > uti_mono_us() + STOP_US)
            c->until_us = uti_mono_us() + STOP_US;
    }
}

/* the result; SAID: what the mailer printed, or why it failed */
static enum mail_result run_mailer(const struct mail_process *p, const struct mail_request *m,
                                   int answer, struct dstr *said)
{
    struct child c = { .answer = answer };
    int err = start_child(p, &c, m);
    while (err == 0 && waitpid(c.pid, &c.status, WNOHANG) == 0)
        wait_a_while(&c, said);
    if (err == 0 && c.output >= 0)
        read_output(&c, said);
    if (err != 0)
        dstr_addf(said, "%s", strerror(err));
    else if (said->len == 0 && WIFSIGNALED(c.status))
        dstr_addf(said, "ended by signal %d", WTERMSIG(c.status));
    else if (said->len == 0)
        dstr_addf(said, "exit status %d", WEXITSTATUS(c.status));
    if (c.is_killed)
        return MAIL_LATE;
    return err == 0 && WIFEXITED(c.status) && WEXITSTATUS(c.status) == 0 ? MAIL_SENT : MAIL_FAILED;
}

static void answer_with(int fd, enum mail_result result, const char *said)
{
    struct mail_answer a = { .result = result };
    memcpy(a.said, said, strnlen(said, MAIL_SAID_MOST));
    (void)send(fd, &a, sizeof a, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* the life of a child of the process: one mail */
static void serve_request(const struct mail_process *p, int memory, int answer)
{
    struct mail_request m;
    struct dstr said = DSTR_INIT;
    char *copy = copy_request(memory, &m);
    enum mail_result result = MAIL_FAILED;
    if (copy != NULL && request_is_good(&m))
        result = run_mailer(p, &m, answer, &said);
    else
        dstr_add(&said, MSG_MAIL_REFUSED);
    answer_with(answer, result, dstr_get(&said));
    dstr_free(&said);
    free(copy);
}

/* ---- the process ---- */
/* children that have ended are counted, and one is waited for if MAILERS run: each ends in time */
static void count_ended(unsigned *running)
{
    while (*running > 0) {
        pid_t pid = waitpid(-1, NULL, *running < MAILERS ? WNOHANG : 0);
        if (pid == 0 || (pid < 0 && errno != EINTR))
            return;
        if (pid > 0)
            --*running;
    }
}

/* 1 if a child serves the request now, 0 if not, with an answer */
static unsigned start_to_serve(const struct mail_process *p, int fd, const int *passed)
{
    pid_t pid = fork();
    if (pid == 0) {
        close(fd);
        serve_request(p, passed[MEMORY], passed[ANSWER]);
        _exit(0);
    }
    if (pid > 0)
        return 1;
    answer_with(passed[ANSWER], MAIL_FAILED, strerror(errno));
    return 0;
}

enum serving { SERVED, IS_ALONE };

/* serves requests until the qmaster has gone, or until the keeper KEEPER has */
static enum serving serve_requests(const struct mail_process *p, int fd, pid_t keeper)
{
    int keeper_fd = os_pidfd_open(keeper); /* -1: the system has no such descriptors */
    enum serving end = getppid() == keeper ? SERVED : IS_ALONE;
    unsigned running = 0;
    int passed[2];
    while (end == SERVED) {
        struct pollfd fds[] = { { .fd = fd, .events = POLLIN },
                                { .fd = keeper_fd, .events = POLLIN } };
        (void)poll(fds, ARRAY_LEN(fds), -1);
        if (fds[1].revents != 0)
            end = IS_ALONE;
        if (fds[0].revents == 0)
            continue;
        bool is_request = fd_receive(fd, passed, 2) == 0;
        if (!is_request && errno != EBADMSG && errno != EINTR)
            break;
        count_ended(&running);
        if (is_request) {
            running += start_to_serve(p, fd, passed);
            close_end(&passed[MEMORY]);
            close_end(&passed[ANSWER]);
        }
    }
    close_end(&keeper_fd);
    return end;
}

/* true if the server PID has ended because the qmaster has; mailers of an earlier life of this
 * process may end meanwhile */
static bool wait_for_server(pid_t pid)
{
    int status;
    pid_t ended;
    do
        ended = waitpid(-1, &status, 0);
    while (ended != pid && (ended >= 0 || errno == EINTR));
    return ended < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* the first at once; from one that lived shortly to the next ever longer */
static void rest_before_next(uint64_t started_us, uint32_t *rest_s)
{
    if (uti_mono_us() - started_us > (uint64_t)MAIL_PROCESS_REST_MOST_S * 1000000)
        *rest_s = 0;
    struct timespec rest = { .tv_sec = *rest_s };
    (void)nanosleep(&rest, NULL);
    *rest_s = *rest_s == 0 ? 1 : *rest_s * 2;
    if (*rest_s > MAIL_PROCESS_REST_MOST_S)
        *rest_s = MAIL_PROCESS_REST_MOST_S;
}

int mail_process_run(const struct mail_process *p, int fd)
{
    uint32_t rest_s = 0;
    sigset_t pipes;
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    sigprocmask(SIG_BLOCK, &pipes, NULL);
    for (;;) {
        uint64_t started_us = uti_mono_us();
        pid_t keeper = getpid(), pid = fork();
        if (pid == 0 && serve_requests(p, fd, keeper) == SERVED)
            return 0;
        if (pid > 0 && wait_for_server(pid))
            return 0;
        rest_before_next(started_us, &rest_s);
    }
}
