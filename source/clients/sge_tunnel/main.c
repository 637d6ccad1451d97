/* sge_tunnel - carry one connection of a client to the qmaster, over TLS and with a user's
 * certificate. For libs/gdi/tunnel.h; see sge_tunnel(8). Invariants: the client hears TUNNEL_STANDS
 * and the qmaster's bytes, or TUNNEL_FAILED and one line; nothing is open but the two sockets, so
 * that nobody waits for the end of a pipe that we hold. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clients/sge_tunnel/pump.h"
#include "clients/sge_tunnel/way.h"
#include "libs/gdi/reach.h"
#include "libs/tls/tls.h"
#include "libs/uti/answer.h"
#include "libs/uti/detached.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

struct place { /* borrowed */
    const char *papers, *host, *port;
};

static void say_to_client(enum tunnel_greeting first, const char *text)
{
    struct dstr said = DSTR_INIT;
    dstr_addc(&said, (char)first);
    dstr_addf(&said, "%.*s", (int)TUNNEL_TEXT_BYTES, text);
    for (size_t at = 0; at < said.len;) {
        ssize_t n = send(STDIN_FILENO, said.s + at, said.len - at, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR)
            break;
        at += n > 0 ? (size_t)n : 0;
    }
    dstr_free(&said);
}

/* no terminal, no file, no directory that somebody may want to unmount; 0, or an error number */
static int leave_all(void)
{
    (void)setsid();
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0 ||
        os_close_from(STDERR_FILENO + 1) != 0 || chdir("/") != 0)
        return errno;
    return 0;
}

/* ---- renewal ---- */

/* the program that renews, in the directory of this one */
static char *renewing_program(void)
{
    char exe[4096];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    exe[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(exe, '/');
    if (slash == NULL)
        return NULL;
    *slash = '\0';
    return path_join(exe, "sge_ca");
}

/* Many clients may run at a time; who has the lock of the key renews, and sge_ca keeps it. What
 * goes wrong is tried again by the next. */
static void renew_papers(const struct place *p)
{
    struct dstr qmaster = DSTR_INIT;
    char *program = renewing_program(), *key = path_join(p->papers, TLS_FILE_KEY);
    int lock = open(key, O_RDWR);
    dstr_addf(&qmaster, "%s:%s", p->host, p->port);
    char *argv[] = { "sge_ca", "renew", (char *)p->papers, qmaster.s, NULL };
    pid_t pid;
    if (program != NULL && lock >= 0 && os_lock_take(lock) == 0)
        (void)posix_spawn(&pid, program, NULL, NULL, argv, environ);
    if (lock >= 0)
        close(lock);
    dstr_free(&qmaster);
    free(key);
    free(program);
}

static void look_at_papers(const struct place *p)
{
    uint64_t renew_at_s, until_s;
    if (tls_renewal_at(p->papers, &renew_at_s, &until_s, NULL) == 0 && uti_now_s() >= renew_at_s)
        renew_papers(p);
}

/* ---- the tunnel ---- */

static int carry_all(const struct place *p, struct answer *ans)
{
    struct tls_context *c = tls_context_new(p->papers, TLS_USER, ans);
    struct stream s = c != NULL ? way_open(c, p->host, p->port, ans) : (struct stream)STREAM_CLOSED;
    bool is_open = stream_is_open(&s);
    if (is_open) {
        say_to_client(TUNNEL_STANDS, "");
        look_at_papers(p);
        pump_run(STDIN_FILENO, &s);
        stream_close(&s);
    }
    tls_context_free(c);
    return is_open ? 0 : -1;
}

static bool is_socket(int fd)
{
    int type;
    socklen_t len = sizeof type;
    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len) == 0;
}

int main(int argc, char **argv)
{
    struct answer ans = ANSWER_INIT;
    detached_begin();
    os_fill_standard_streams();
    if (argc != 4 || !is_socket(STDIN_FILENO)) {
        (void)fputs("sge_tunnel: clients start it, over a socket: PAPERS_DIR HOST PORT\n", stderr);
        return 1;
    }
    int err = leave_all();
    struct place p = { argv[1], argv[2], argv[3] };
    int rc = err == 0 ? carry_all(&p, &ans) : ans_sys(&ans, err, "sge_tunnel");
    if (rc != 0)
        say_to_client(TUNNEL_FAILED, ans_first_error(&ans));
    ans_free(&ans);
    return rc == 0 ? 0 : 1;
}
