/* The configured program: started as a child in the foreground, with the terminal and all streams
 * of this one, so that it is as if it had been started by hand. Which connections are its own is
 * read from the kernel's table of sockets. Source: sge_conf(5) qlogin_command; proc(5). */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clients/qrsh/msg_qrsh.h"
#include "clients/qrsh/qrsh.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/os.h"
#include "libs/uti/parse.h"

enum { END_MS = 10000, KILL_MS = 1000, NOT_EXECUTED = 127, SIGNAL_BASE = 128 };
enum { OFFER_PORT, OFFER_STARTER, OFFER_DIR, OFFER_TEXTS };

struct words {
    char **v; /* owned, as each of them; NULL behind the last */
    uint32_t n, cap;
};

static void add_word(struct words *w, const char *text, size_t len)
{
    w->v = uti_vec_grow(w->v, &w->cap, w->n + 2, sizeof *w->v);
    w->v[w->n++] = uti_strndup(text, len);
    w->v[w->n] = NULL;
}

static void add_text(struct words *w, const char *text)
{
    add_word(w, text, strlen(text));
}

static void add_quoted(struct words *w, const char *text)
{
    struct dstr quoted = DSTR_INIT;
    dstr_addf(&quoted, "'%s'", text);
    add_text(w, dstr_get(&quoted));
    dstr_free(&quoted);
}

/* as existing cells call these programs */
static void add_arguments(struct words *w, const struct session_options *o,
                          const char *const *offer)
{
    if (o->form == FORM_QLOGIN) {
        add_text(w, o->host);
        add_text(w, offer[OFFER_PORT]);
        return;
    }
    add_text(w, "-p");
    add_text(w, offer[OFFER_PORT]);
    add_text(w, o->host);
    if (o->form == FORM_RLOGIN)
        return;
    add_text(w, "exec");
    add_quoted(w, offer[OFFER_STARTER]);
    add_quoted(w, offer[OFFER_DIR]);
}

static void make_words(struct words *w, const struct session_options *o, const char *const *offer)
{
    static const char blanks[] = " \t";
    const char *at = o->command + strspn(o->command, blanks);
    for (; *at != '\0'; at += strspn(at, blanks)) {
        size_t len = strcspn(at, blanks);
        add_word(w, at, len);
        at += len;
    }
    add_arguments(w, o, offer);
}

static void free_words(struct words *w)
{
    for (uint32_t i = 0; i < w->n; i++)
        free(w->v[i]);
    free(w->v);
}

/* standard input of a command that is to have none */
static void close_input(void)
{
    FILE *none = freopen("/dev/null", "r", stdin);
    if (none == NULL)
        _exit(NOT_EXECUTED);
}

int command_start(struct command_run *c, const struct session_options *o,
                  const struct session_frame *offer, uint16_t *port)
{
    const char *texts[OFFER_TEXTS];
    struct words words = { NULL, 0, 0 };
    uint32_t number;
    if (!session_hello_texts(offer->data, offer->len, texts, OFFER_TEXTS) ||
        !parse_u32(texts[OFFER_PORT], &number) || number == 0 || number > UINT16_MAX ||
        strchr(texts[OFFER_STARTER], '\'') != NULL || strchr(texts[OFFER_DIR], '\'') != NULL) {
        fputs(MSG_COMMAND_OFFER, stderr);
        return -1;
    }
    *port = (uint16_t)number;
    make_words(&words, o, texts);
    fflush(NULL);
    c->pid = fork();
    if (c->pid == 0) {
        if (o->has_no_stdin)
            close_input();
        (void)execvp(words.v[0], words.v);
        fprintf(stderr, MSG_COMMAND_EXEC_SS, words.v[0], strerror(errno));
        _exit(NOT_EXECUTED);
    }
    if (c->pid < 0)
        fprintf(stderr, MSG_COMMAND_EXEC_SS, words.v[0], strerror(errno));
    free_words(&words);
    if (c->pid < 0) {
        c->pid = 0;
        return -1;
    }
    c->pid_fd = os_pidfd_open(c->pid);
    return 0;
}

static bool has_ended(const struct command_run *c, int ms)
{
    struct pollfd p = { .fd = c->pid_fd, .events = POLLIN };
    return c->pid_fd < 0 || poll(&p, 1, ms) > 0;
}

int command_end(struct command_run *c, const struct session_options *o)
{
    int status = 0;
    if (!has_ended(c, END_MS))
        (void)os_pidfd_signal(c->pid_fd, SIGTERM);
    if (!has_ended(c, KILL_MS))
        (void)os_pidfd_signal(c->pid_fd, SIGKILL);
    while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (c->pid_fd >= 0)
        close(c->pid_fd);
    *c = (struct command_run){ .pid_fd = -1 };
    int code = WIFSIGNALED(status) ? SIGNAL_BASE + WTERMSIG(status) : WEXITSTATUS(status);
    if (o->is_verbose)
        fprintf(stderr, MSG_COMMAND_EXITED_SI, o->command, code);
    return code;
}

/* ---- whose a connection is ---- */

/* the address of PEER as the table shows it: each 32 bits as a number of this host */
static void address_text(const uint8_t *peer, bool is_v4, char out[40])
{
    size_t len = 0;
    for (int i = is_v4 ? 12 : 0; i < 16; i += 4) {
        uint32_t word;
        memcpy(&word, peer + i, sizeof word);
        len += (size_t)snprintf(out + len, 40 - len, "%08X", (unsigned)word);
    }
}

/* a line of the table: "  0: LOCAL:PORT REMOTE:PORT STATE QUEUES TIMER RETRANSMITS UID ..." */
static bool is_line_ours(const char *line, const char *local, uint16_t port)
{
    char at[48], to[48];
    unsigned state, uid;
    if (sscanf(line, " %*u: %47s %47s %x %*s %*s %*s %u", at, to, &state, &uid) != 4)
        return false;
    const char *colon = strchr(to, ':');
    return strcmp(at, local) == 0 && colon != NULL && strtoul(colon + 1, NULL, 16) == port &&
           uid == (unsigned)getuid();
}

static bool is_in_table(const char *path, const char *local, uint16_t port)
{
    FILE *table = fopen(path, "re");
    char line[512];
    bool is_found = false;
    while (table != NULL && !is_found && fgets(line, sizeof line, table) != NULL)
        is_found = is_line_ours(line, local, port);
    if (table != NULL)
        fclose(table);
    return is_found;
}

bool command_has_peer(const uint8_t *peer, uint16_t port)
{
    static const uint8_t of_v4[12] = { [10] = 0xff, [11] = 0xff };
    char address[40], local[48];
    unsigned from = (unsigned)peer[16] << 8 | peer[17];
    address_text(peer, false, address);
    (void)snprintf(local, sizeof local, "%s:%04X", address, from);
    if (is_in_table("/proc/self/net/tcp6", local, port))
        return true;
    if (memcmp(peer, of_v4, sizeof of_v4) != 0)
        return false;
    address_text(peer, true, address);
    (void)snprintf(local, sizeof local, "%s:%04X", address, from);
    return is_in_table("/proc/self/net/tcp", local, port);
}
