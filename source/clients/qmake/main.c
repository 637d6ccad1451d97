/* qmake - GNU make whose commands run as parts of a parallel job
 *
 * make itself runs unchanged, with this program as its SHELL: then this is called for each command
 * (qmake -c COMMAND), takes one of the slots of the job, and has the command run there by qrsh
 * -inherit, or here if the slot is here. A slot is a file that is locked as long as its command
 * runs. Commands that call make again run here without a slot, as they wait for others. Outside of
 * a parallel job each command is a job of its own. Source: qmake(1). */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clients/qmake/msg_qmake.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/parse.h"

/* what the first qmake tells those that make calls */
#define ENV_SLOTS                                                                                  \
    "SGE_QMAKE_SLOTS" /* the directory of the slots; not set: a job for each command */
#define ENV_OPTIONS "SGE_QMAKE_OPTIONS" /* those of qrsh then, a line for each word */
enum { SLOTS_MOST = 65536 };

struct words {
    char **v; /* owned, with the end */
    uint32_t n, cap;
};

static void add_word(struct words *w, const char *text)
{
    w->v = uti_vec_grow(w->v, &w->cap, w->n + 2, sizeof *w->v);
    w->v[w->n++] = uti_strdup(text);
    w->v[w->n] = NULL;
}

static void words_free(struct words *w)
{
    for (uint32_t i = 0; i < w->n; i++)
        free(w->v[i]);
    free(w->v);
    *w = (struct words){ 0 };
}

/* the file of this program; qrsh stands beside it. New: free() */
static char *own_path(void)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n < 0)
        return uti_strdup("qmake");
    path[n] = '\0';
    return uti_strdup(path);
}

static char *qrsh_path(void)
{
    char *self = own_path(), *slash = strrchr(self, '/');
    if (slash != NULL)
        *slash = '\0';
    char *path = slash != NULL ? path_join(self, "qrsh") : uti_strdup("qrsh");
    free(self);
    return path;
}

/* never comes back: the exit status when that fails is a shell's */
static int run_here(const struct words *w)
{
    (void)execvp(w->v[0], w->v);
    int status = errno == ENOENT ? 127 : 126;
    fprintf(stderr, MSG_QMAKE_EXECUTE_SS, w->v[0], strerror(errno));
    return status;
}

/* ---- a command of make ---- */

static void add_shell(struct words *w, const char *flags, const char *command)
{
    add_word(w, "/bin/sh");
    add_word(w, flags);
    add_word(w, command);
}

static int run_by_shell(const char *flags, const char *command)
{
    struct words w = { 0 };
    add_shell(&w, flags, command);
    return run_here(&w);
}

/* The slots are the files 0, 1, 2 ... Each command begins at another one, so that all hosts have
 * some; when all are locked it waits for that one. Returns the descriptor, -1 without one. */
static int take_slot(const char *directory, uint32_t n)
{
    uint32_t first = (uint32_t)getpid() % n;
    for (uint32_t i = 0; i <= n; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "%u", (first + i) % n);
        char *path = path_join(directory, name);
        int fd = open(path, O_RDONLY); /* the command holds it */
        free(path);
        int how = i < n ? LOCK_EX | LOCK_NB : LOCK_EX, rc = -1;
        while (fd >= 0 && (rc = flock(fd, how)) != 0 && errno == EINTR)
            ;
        if (rc == 0)
            return fd;
        if (fd >= 0)
            close(fd);
    }
    return -1;
}

/* the line in the file of a slot: its host, empty: here. New: free(); NULL if it cannot be read */
static char *host_of_slot(int fd)
{
    char host[300];
    ssize_t n = pread(fd, host, sizeof host - 1, 0);
    if (n < 0)
        return NULL;
    host[n] = '\0';
    host[strcspn(host, "\n")] = '\0';
    return uti_strdup(host);
}

static void add_qrsh(struct words *w)
{
    char *qrsh = qrsh_path();
    add_word(w, qrsh);
    free(qrsh);
}

static int run_in_slot(const char *directory, const char *flags, const char *command)
{
    struct dstr text = DSTR_INIT;
    uint32_t n = 0;
    char *path = path_join(directory, "slots"), *host = NULL;
    if (file_read(path, 64, &text, NULL) == 0 && text.len > 0)
        text.s[strcspn(text.s, "\n")] = '\0';
    bool is_known = parse_u32(dstr_get(&text), &n) && n > 0 && n <= SLOTS_MOST;
    int fd = is_known ? take_slot(directory, n) : -1;
    dstr_free(&text);
    free(path);
    if (fd >= 0)
        host = host_of_slot(fd);
    if (host == NULL) {
        fprintf(stderr, MSG_QMAKE_NO_SLOT_S, directory);
        return 2;
    }
    if (*host == '\0')
        return run_by_shell(flags, command);
    struct words w = { 0 };
    add_qrsh(&w);
    add_word(&w, "-inherit");
    add_word(&w, "-nostdin");
    add_word(&w, "-cwd");
    add_word(&w, "-V");
    add_word(&w, "-noshell");
    add_word(&w, host);
    add_shell(&w, flags, command);
    return run_here(&w);
}

static int run_as_job(const char *flags, const char *command)
{
    struct words w = { 0 };
    const char *at = getenv(ENV_OPTIONS);
    add_qrsh(&w);
    add_word(&w, "-now");
    add_word(&w, "n");
    add_word(&w, "-nostdin");
    add_word(&w, "-noshell");
    while (at != NULL && *at != '\0') {
        char *word = uti_strndup(at, strcspn(at, "\n"));
        add_word(&w, word);
        at += strlen(word);
        at += *at == '\n';
        free(word);
    }
    add_shell(&w, flags, command);
    fputs(MSG_QMAKE_DYNAMIC, stderr);
    return run_here(&w);
}

static int run_command(const char *flags, const char *command)
{
    char *self = own_path();
    bool calls_make = strstr(command, self) != NULL;
    const char *slots = getenv(ENV_SLOTS);
    free(self);
    if (calls_make)
        return run_by_shell(flags, command);
    return slots != NULL ? run_in_slot(slots, flags, command) : run_as_job(flags, command);
}

/* ---- the first qmake ---- */

static bool write_text(const char *directory, const char *name, const char *text)
{
    char *path = path_join(directory, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool is_written = fd >= 0 && file_write_all(fd, text, strlen(text)) == 0;
    if (fd >= 0)
        close(fd);
    free(path);
    return is_written;
}

/* the next N of the slots are on HOST */
static bool add_slots(const char *directory, const char *host, uint32_t n, uint32_t *made)
{
    const char *here = getenv("HOSTNAME");
    bool is_here = here != NULL && strcmp(here, host) == 0;
    for (uint32_t i = 0; i < n; i++) {
        char name[16];
        if (*made >= SLOTS_MOST)
            return true;
        (void)snprintf(name, sizeof name, "%u", *made);
        if (!write_text(directory, name, is_here ? "" : host))
            return false;
        (*made)++;
    }
    return true;
}

static bool make_slots(const char *directory, char *hostfile)
{
    uint32_t made = 0;
    char text[16];
    for (char *at = hostfile; *at != '\0';) {
        char *line = at, *number;
        uint32_t n;
        at += strcspn(at, "\n");
        if (*at == '\n')
            *at++ = '\0';
        number = line + strcspn(line, " ");
        if (*number == '\0')
            continue;
        *number++ = '\0';
        number[strcspn(number, " ")] = '\0';
        if (!parse_u32(number, &n) || !add_slots(directory, line, n, &made))
            return false;
    }
    (void)snprintf(text, sizeof text, "%u\n", made);
    return made > 0 && write_text(directory, "slots", text);
}

/* below the TMPDIR of the job, which goes with that. New: free(); NULL with a line on standard
 * error */
static char *open_slots(const char *hostfile)
{
    const char *tmpdir = getenv("TMPDIR");
    struct dstr text = DSTR_INIT, path = DSTR_INIT;
    dstr_addf(&path, "%s/qmake.XXXXXX", tmpdir != NULL ? tmpdir : "/tmp");
    char *directory = dstr_take(&path);
    bool is_made = file_read(hostfile, 16 * 1024 * 1024, &text, NULL) == 0 && text.s != NULL &&
                   mkdtemp(directory) != NULL && make_slots(directory, text.s);
    dstr_free(&text);
    if (is_made)
        return directory;
    fprintf(stderr, MSG_QMAKE_SLOTS_S, hostfile);
    free(directory);
    return NULL;
}

static bool has_word(int n, char *const *argv, const char *word)
{
    for (int i = 0; i < n; i++)
        if (strcmp(argv[i], word) == 0)
            return true;
    return false;
}

/* the job that runs qmake again, with the slots */
static int run_in_job(int n_options, char *const *options, int n, char *const *args)
{
    struct words w = { 0 };
    char *self = own_path();
    add_qrsh(&w);
    add_word(&w, "-now");
    add_word(&w, "n");
    add_word(&w, "-noshell");
    for (int i = 0; i < n_options; i++)
        add_word(&w, options[i]);
    add_word(&w, self);
    add_word(&w, "-inherit");
    add_word(&w, "--");
    for (int i = 0; i < n; i++)
        add_word(&w, args[i]);
    free(self);
    return run_here(&w);
}

static void set_options(int n, char *const *options)
{
    struct dstr text = DSTR_INIT;
    for (int i = 0; i < n; i++)
        if (strcmp(options[i], "-inherit") != 0)
            dstr_addf(&text, "%s\n", options[i]);
    (void)setenv(ENV_OPTIONS, dstr_get(&text), 1);
    dstr_free(&text);
}

/* make, whose commands and whose own calls come back to this program */
static int run_make(int n, char *const *args)
{
    struct words w = { 0 };
    struct dstr text = DSTR_INIT;
    char *self = own_path();
    add_word(&w, "make");
    dstr_addf(&text, "SHELL=%s", self);
    add_word(&w, dstr_get(&text));
    dstr_clear(&text);
    dstr_addf(&text, "MAKE=%s", self);
    add_word(&w, dstr_get(&text));
    dstr_free(&text);
    for (int i = 0; i < n; i++)
        add_word(&w, args[i]);
    free(self);
    return run_here(&w);
}

/* make again, below a make: the slots are those that there are */
static int run_again(int n, char *const *args)
{
    struct words w = { 0 };
    add_word(&w, "make");
    for (int i = 0; i < n; i++)
        add_word(&w, args[i]);
    int status = run_here(&w);
    words_free(&w);
    return status;
}

/* -c COMMAND, or what .SHELLFLAGS has in place of -c */
static bool is_command(int argc, char *const *argv)
{
    if (argc != 3 || getenv(ENV_OPTIONS) == NULL || argv[1][0] != '-')
        return false;
    return argv[1][strlen(argv[1]) - 1] == 'c' && argv[1][1] != '-';
}

/* with what stands before "--", and is for qrsh, and behind it, for make; without it all is */
int main(int argc, char **argv)
{
    int n_options = 0;
    if (is_command(argc, argv))
        return run_command(argv[1], argv[2]);
    for (int i = 1; i < argc && n_options == 0; i++)
        n_options = strcmp(argv[i], "--") == 0 ? i : 0;
    int n = n_options > 0 ? n_options - 1 : 0;
    char **args = n_options > 0 ? argv + n_options + 1 : argv + 1;
    int n_args = (int)(argv + argc - args);
    if (getenv("MAKELEVEL") != NULL && getenv(ENV_OPTIONS) != NULL)
        return run_again(n_args, args);
    bool is_in_job = getenv("JOB_ID") != NULL && getenv("PE_HOSTFILE") != NULL;
    if (!is_in_job && has_word(n, argv + 1, "-pe"))
        return run_in_job(n, argv + 1, n_args, args);
    set_options(n, argv + 1);
    if (!is_in_job)
        return run_make(n_args, args);
    char *slots = open_slots(getenv("PE_HOSTFILE"));
    if (slots == NULL)
        return 2;
    (void)setenv(ENV_SLOTS, slots, 1);
    free(slots);
    return run_make(n_args, args);
}
