/* The process of a scheduler plug-in. A request lies in memory that the process shares, and its
 * length goes over a socket; the answer comes back there. So neither side is ever in the middle of
 * a write that the other would have to wait for.
 *
 * A process that has failed is killed, and its remains stay until the kernel says that it has
 * ended. */
#include "daemons/schedd/plugin_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemons/schedd/msg_schedd.h"
#include "libs/comm/loop.h"
#include "libs/plugin/wire.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/os.h"

/* READ_MOST: bytes of an answer that are read in a turn; LOWEST_FD: above those of the process;
 * END_MS: how long it may take to end when it has closed the connection */
enum { END_MS = 500 };
enum { HEADER_BYTES = 4, READ_MOST = 256 * 1024, LOWEST_FD = 10, US_OF_MS = 1000 };
extern char **environ;

struct plugin_process {
    const struct plugin_calls *calls; /* NULL: it is only waited for */
    void *ctx;
    struct loop *loop;
    pid_t pid;
    int pidfd, socket, state_fd;
    struct loop_watch *readable, *ended;
    struct loop_timer *timer;
    bool is_closed;     /* its end of the socket */
    struct dstr answer; /* as far as it has come, with its length */
};

/* ---- its end ---- */
static void free_all(struct plugin_process *p)
{
    loop_watch_free(p->readable);
    loop_watch_free(p->ended);
    loop_timer_free(p->timer);
    if (p->socket >= 0)
        close(p->socket);
    if (p->state_fd >= 0)
        close(p->state_fd);
    if (p->pidfd >= 0)
        close(p->pidfd);
    dstr_free(&p->answer);
    free(p);
}

/* nothing more of it counts */
static void let_go(struct plugin_process *p)
{
    p->calls = NULL;
    loop_timer_clear(p->timer);
    loop_watch_free(p->readable);
    p->readable = NULL;
    if (p->pid > 0)
        (void)kill(p->pid, SIGKILL);
}

static void process_fail(struct plugin_process *p, const char *why)
{
    const struct plugin_calls *calls = p->calls;
    void *ctx = p->ctx;
    let_go(p);
    calls->on_end(ctx, why);
}

static void on_ended(void *arg)
{
    struct plugin_process *p = arg;
    const struct plugin_calls *calls = p->calls;
    void *ctx = p->ctx;
    struct dstr why = DSTR_INIT;
    int status = 0;
    if (waitpid(p->pid, &status, WNOHANG) == 0)
        return;
    p->pid = 0;
    if (WIFSIGNALED(status))
        dstr_addf(&why, MSG_PLUGIN_SIGNAL_IS, WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        dstr_addf(&why, MSG_PLUGIN_EXIT_I, WEXITSTATUS(status));
    free_all(p);
    if (calls != NULL)
        calls->on_end(ctx, dstr_get(&why));
    dstr_free(&why);
}

static void on_late(void *arg)
{
    const struct plugin_process *p = arg;
    process_fail(arg, p->is_closed ? MSG_PLUGIN_CLOSED : MSG_PLUGIN_LATE);
}

/* ---- answers ---- */
static void take_answer(struct plugin_process *p, const char *data, size_t bytes)
{
    struct unpacker body = unpacker_over(data, bytes);
    uint8_t what = unpack_u8(&body);
    loop_timer_clear(p->timer);
    if (what == PLUGIN_REFUSED) {
        char *why = unpack_string(&body);
        process_fail(p, why != NULL ? why : MSG_PLUGIN_ANSWER);
        free(why);
    } else if (what == PLUGIN_LOADED) {
        p->calls->on_loaded(p->ctx, unpack_varint32(&body));
    } else if (what == PLUGIN_READ || what == PLUGIN_DECIDED) {
        p->calls->on_answer(p->ctx, what, &body);
    } else {
        process_fail(p, MSG_PLUGIN_ANSWER);
    }
}

static void on_readable(void *arg)
{
    struct plugin_process *p = arg;
    char *room = dstr_extend(&p->answer, READ_MOST);
    ssize_t n = recv(p->socket, room, READ_MOST, MSG_DONTWAIT);
    p->answer.len -= n > 0 ? READ_MOST - (size_t)n : READ_MOST;
    if (n == 0) { /* it has ended, or will be ended: on_ended says how */
        loop_watch_free(p->readable);
        p->readable = NULL;
        p->is_closed = true;
        loop_timer_set(p->timer, (uint64_t)END_MS * US_OF_MS);
        return;
    }
    if (p->answer.len < HEADER_BYTES)
        return;
    struct unpacker header = unpacker_over(p->answer.s, HEADER_BYTES);
    size_t bytes = unpack_u32be(&header);
    if (bytes > PLUGIN_ANSWER_MOST || p->answer.len > HEADER_BYTES + bytes) {
        process_fail(p, MSG_PLUGIN_ANSWER);
        return;
    }
    if (p->answer.len < HEADER_BYTES + bytes)
        return;
    struct dstr whole = p->answer;
    p->answer = (struct dstr)DSTR_INIT;
    take_answer(p, whole.s + HEADER_BYTES, bytes);
    dstr_free(&whole);
}

/* ---- its life ---- */
static int high_fd(int fd)
{
    int high = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, LOWEST_FD) : -1;
    int err = errno;
    if (fd >= 0)
        close(fd);
    errno = err;
    return high;
}

/* 0, or an errno */
static int spawn_runner(struct plugin_process *p, const char *program, const char *path, int theirs)
{
    char *argv[] = { (char *)program, (char *)path, NULL };
    sigset_t none;
    posix_spawnattr_t attr;
    posix_spawn_file_actions_t files;
    sigemptyset(&none);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attr, &none);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, theirs, PLUGIN_FD);
    posix_spawn_file_actions_adddup2(&files, p->state_fd, PLUGIN_STATE_FD);
    int err = posix_spawn(&p->pid, program, &files, &attr, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attr);
    return err;
}

/* 0, or an errno */
static int start_runner(struct plugin_process *p, const char *program, const char *path)
{
    int ends[2] = { -1, -1 };
    p->state_fd = os_shared_memory(0, LOWEST_FD);
    if (p->state_fd < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return errno;
    p->socket = ends[0];
    int theirs = high_fd(ends[1]);
    int err = theirs >= 0 ? spawn_runner(p, program, path, theirs) : errno;
    if (theirs >= 0)
        close(theirs);
    if (err == 0) {
        p->pidfd = os_pidfd_open(p->pid);
        err = p->pidfd < 0 ? errno : 0;
    }
    return err;
}

struct plugin_process *plugin_process_new(struct loop *l, const char *program, const char *path,
                                          const struct plugin_calls *calls, void *ctx,
                                          struct answer *ans)
{
    struct plugin_process *p = uti_calloc(1, sizeof *p);
    *p = (struct plugin_process){
        .calls = calls, .ctx = ctx, .loop = l, .pidfd = -1, .socket = -1, .state_fd = -1
    };
    int err = start_runner(p, program, path);
    if (err != 0) {
        if (p->pid > 0) {
            (void)kill(p->pid, SIGKILL);
            (void)waitpid(p->pid, NULL, 0);
        }
        free_all(p);
        return ans_sys_null(ans, err, MSG_PLUGIN_START_S, program);
    }
    p->readable = loop_watch_read(l, p->socket, on_readable, p);
    p->ended = loop_watch_read(l, p->pidfd, on_ended, p);
    p->timer = loop_timer_new(l, on_late, p);
    loop_timer_set(p->timer, (uint64_t)PLUGIN_LOAD_MS * US_OF_MS);
    return p;
}

static bool write_state(int fd, const struct packer *request)
{
    for (size_t at = 0; at < request->len;) {
        ssize_t n = pwrite(fd, request->data + at, request->len - at, (off_t)at);
        if (n <= 0)
            return false;
        at += (size_t)n;
    }
    return true;
}

/* what cannot be sent is never answered: on_late, or on_ended, says so */
void plugin_process_ask(struct plugin_process *p, const struct packer *request)
{
    uint64_t bytes = request->len;
    loop_timer_set(p->timer, (uint64_t)PLUGIN_ANSWER_MS * US_OF_MS);
    if (write_state(p->state_fd, request))
        (void)send(p->socket, &bytes, sizeof bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
}

void plugin_process_free(struct plugin_process *p)
{
    if (p != NULL)
        let_go(p);
}

void plugin_process_end(struct plugin_process *p)
{
    if (p == NULL)
        return;
    let_go(p);
    if (p->pid > 0)
        (void)waitpid(p->pid, NULL, 0);
    free_all(p);
}
