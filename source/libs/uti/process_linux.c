/* Processes as /proc shows them. No state. A process that ends while it is being read is not an
 * error. */
#include "libs/uti/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/os.h"
#include "libs/uti/parse.h"

enum { PROC_FILE_MAX_BYTES = 4 * 1024 * 1024, PATH_BYTES = 64 };

void process_list_free(struct process_list *l)
{
    free(l->v);
    *l = (struct process_list){ 0 };
}

static void list_add(struct process_list *l, pid_t pid)
{
    l->v = uti_vec_grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
    l->v[l->n++] = pid;
}

static bool parse_pid(const char *s, pid_t *pid)
{
    int32_t v;
    if (!parse_i32(s, &v) || v <= 0)
        return false;
    *pid = v;
    return true;
}

/* append the pids in the blank separated TEXT, which is cut up */
static void add_pids(char *text, struct process_list *out)
{
    for (char *at = text; *at != '\0';) {
        char *end = at + strcspn(at, " \n");
        char *next = end + (*end != '\0');
        pid_t pid;
        *end = '\0';
        if (parse_pid(at, &pid))
            list_add(out, pid);
        at = next;
    }
}

/* call FN for each number among the names in directory PATH; -1 if it cannot be opened */
static int each_number(const char *path, void (*fn)(void *ctx, pid_t n), void *ctx)
{
    DIR *dir = opendir(path);
    if (dir == NULL)
        return -1;
    struct dirent *entry;
    while ((entry = readdir(dir)) != NULL) {
        pid_t n;
        if (parse_pid(entry->d_name, &n))
            fn(ctx, n);
    }
    closedir(dir);
    return 0;
}

struct threads_ctx {
    pid_t pid;
    struct process_list *out;
};

static void add_children_of_thread(void *arg, pid_t tid)
{
    struct threads_ctx *ctx = arg;
    char path[PATH_BYTES];
    struct dstr text = DSTR_INIT;
    (void)snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)ctx->pid, (int)tid);
    if (file_read(path, PROC_FILE_MAX_BYTES, &text, NULL) == 0 && text.s != NULL)
        add_pids(text.s, ctx->out);
    dstr_free(&text);
}

int os_children(pid_t pid, struct process_list *out)
{
    struct threads_ctx ctx = { pid, out };
    char path[PATH_BYTES];
    (void)snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    return each_number(path, add_children_of_thread, &ctx);
}

void process_descendants(pid_t root, struct process_list *out)
{
    uint32_t at = out->n;
    (void)os_children(root, out);
    for (; at < out->n; at++)
        (void)os_children(out->v[at], out);
}

/* ---- signals ---- */

enum { STOP_LOOK_NS = 200 * 1000, STOP_LOOKS = 100 };

struct member { /* of a tree, below its parent when the tree was looked at */
    pid_t pid, parent;
    bool has_children;
};

/* its parent, and its STATE as /proc has it; 0 and '-' if it is gone */
static pid_t parent_of(pid_t pid, char *state)
{
    char path[PATH_BYTES];
    struct dstr text = DSTR_INIT;
    int parent = 0;
    *state = '-';
    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    if (file_read(path, PROC_FILE_MAX_BYTES, &text, NULL) == 0 && text.s != NULL) {
        const char *at = strrchr(text.s, ')'); /* the name before it may hold anything */
        if (at == NULL || sscanf(at + 1, " %c %d", state, &parent) != 2)
            parent = 0;
    }
    dstr_free(&text);
    return parent;
}

/* no descriptor can be had in a shortage of them: the next look finds it again, nearer to ROOT */
static void signal_member(const struct member *m, pid_t root, int sig)
{
    char state;
    int fd = os_pidfd_open(m->pid);
    if (fd < 0)
        return;
    pid_t parent = parent_of(m->pid, &state);
    if (parent == m->parent || parent == root || parent == getpid())
        (void)os_pidfd_signal(fd, sig);
    close(fd);
}

/* May M still run what its children do? One that waits for them must not see them stop. LOOKS: how
 * often all members together may be looked at; one that hangs in the kernel does not stop. */
static void wait_until_stopped(const struct member *m, unsigned *looks)
{
    const struct timespec pause = { 0, STOP_LOOK_NS };
    char state;
    for (; *looks > 0; (*looks)--) {
        (void)parent_of(m->pid, &state);
        if (strchr("TtZX-", state) != NULL)
            return;
        (void)nanosleep(&pause, NULL);
    }
}

/* Parents are stopped before their children and continue after them: a shell with job control waits
 * for stopped children, too. */
static void signal_members(const struct member *tree, uint32_t n, pid_t root, int sig)
{
    unsigned looks = STOP_LOOKS;
    for (uint32_t i = 0; i < n; i++) {
        const struct member *m = &tree[sig == SIGCONT ? n - 1 - i : i];
        signal_member(m, root, sig);
        if (sig == SIGSTOP && m->has_children)
            wait_until_stopped(m, &looks);
    }
}

uint32_t process_signal_below(pid_t root, pid_t but, int sig)
{
    struct process_list children = { 0 };
    struct member *tree = NULL;
    uint32_t n = 0, cap = 0;
    for (uint32_t at = 0; at <= n; at++) { /* parents before children; before all of them ROOT */
        pid_t parent = at == 0 ? root : tree[at - 1].pid;
        children.n = 0;
        (void)os_children(parent, &children);
        tree = uti_vec_grow(tree, &cap, n + children.n, sizeof *tree);
        if (at > 0)
            tree[at - 1].has_children = children.n > 0;
        for (uint32_t i = 0; i < children.n; i++)
            if (children.v[i] != but)
                tree[n++] = (struct member){ children.v[i], parent, false };
    }
    signal_members(tree, n, root, sig);
    process_list_free(&children);
    free(tree);
    return n;
}

struct match_ctx {
    gid_t group;
    const char *variable;
    struct process_list *out;
};

/* it has ended, and only waits for its parent to ask about it */
static bool is_zombie(const char *status)
{
    return strstr(status, "\nState:\tZ") != NULL && strstr(status, "\nThreads:\t1\n") != NULL;
}

bool os_has_group(pid_t pid, gid_t group)
{
    char path[PATH_BYTES], wanted[16];
    struct dstr text = DSTR_INIT;
    bool found = false;
    (void)snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    (void)snprintf(wanted, sizeof wanted, " %u ", (unsigned)group);
    if (file_read(path, PROC_FILE_MAX_BYTES, &text, NULL) == 0 && text.s != NULL) {
        char *line = strstr(text.s, "\nGroups:");
        if (line != NULL && !is_zombie(text.s)) {
            line[strlen("\nGroups:")] = ' '; /* was a tab; the list ends in a blank */
            line[1 + strcspn(line + 1, "\n")] = '\0';
            found = strstr(line, wanted) != NULL;
        }
    }
    dstr_free(&text);
    return found;
}

static bool has_variable(pid_t pid, const char *variable)
{
    char path[PATH_BYTES];
    struct dstr text = DSTR_INIT;
    bool found = false;
    (void)snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    if (file_read(path, PROC_FILE_MAX_BYTES, &text, NULL) == 0 && text.s != NULL) {
        const char *end = text.s + text.len;
        for (const char *at = text.s; at < end && !found; at += strlen(at) + 1)
            found = strcmp(at, variable) == 0;
    }
    dstr_free(&text);
    return found;
}

static bool is_marked(pid_t pid, gid_t group, const char *variable)
{
    return (group != 0 && os_has_group(pid, group)) ||
           (variable != NULL && has_variable(pid, variable));
}

static void add_if_marked(void *arg, pid_t pid)
{
    struct match_ctx *ctx = arg;
    if (is_marked(pid, ctx->group, ctx->variable))
        list_add(ctx->out, pid);
}

int os_signal_marked(pid_t pid, gid_t group, const char *variable, int sig)
{
    int fd = os_pidfd_open(pid), err = ESRCH;
    if (fd < 0)
        return -1;
    if (is_marked(pid, group, variable))
        err = os_pidfd_signal(fd, sig) == 0 ? 0 : errno;
    close(fd);
    errno = err;
    return err == 0 ? 0 : -1;
}

void os_processes_of(gid_t group, const char *variable, struct process_list *out)
{
    struct match_ctx ctx = { group, variable, out };
    if (group != 0 || variable != NULL)
        (void)each_number("/proc", add_if_marked, &ctx);
}

/* the number behind LABEL in the text of a status file; 0 if it is not there */
static unsigned long status_figure(const char *text, const char *label)
{
    const char *at = strstr(text, label);
    unsigned long v = 0;
    return at != NULL && sscanf(at + strlen(label), " %lu", &v) == 1 ? v : 0;
}

/* is the process with this status text called NAME, and the caller's? */
static bool is_ours_called(const char *text, const char *name)
{
    size_t len = strlen(name);
    return strncmp(text, "Name:\t", 6) == 0 && strncmp(text + 6, name, len) == 0 &&
           text[6 + len] == '\n' && status_figure(text, "\nUid:") == geteuid();
}

bool os_stands_below(pid_t pid, const char *name)
{
    bool found = false;
    for (bool is_first = true; !found && pid > 1 && pid != getpid(); is_first = false) {
        char path[PATH_BYTES];
        struct dstr text = DSTR_INIT;
        (void)snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
        pid = 0;
        if (file_read(path, PROC_FILE_MAX_BYTES, &text, NULL) == 0 && text.s != NULL) {
            found = !is_first && is_ours_called(text.s, name);
            pid = (pid_t)status_figure(text.s, "\nPPid:");
        }
        dstr_free(&text);
    }
    return found;
}

static bool is_stopped(pid_t pid)
{
    char path[PATH_BYTES];
    struct dstr text = DSTR_INIT;
    bool found = false;
    (void)snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    if (file_read(path, PROC_FILE_MAX_BYTES, &text, NULL) == 0 && text.s != NULL)
        found = strstr(text.s, "\nState:\tT") != NULL || strstr(text.s, "\nState:\tt") != NULL;
    dstr_free(&text);
    return found;
}

bool process_is_stopped(pid_t pid)
{
    struct process_list below = { 0 };
    bool found = is_stopped(pid);
    process_descendants(pid, &below);
    for (uint32_t i = 0; !found && i < below.n; i++)
        found = is_stopped(below.v[i]);
    process_list_free(&below);
    return found;
}

/* ---- one process, for certain ---- */

int process_id_self(struct process_id *id)
{
    *id = (struct process_id){ .pid = getpid() };
    if (os_process_start(id->pid, &id->start_ticks) != 0)
        return -1;
    return os_boot_id(id->boot_id, sizeof id->boot_id);
}

void process_id_text(const struct process_id *id, struct dstr *out)
{
    dstr_addf(out, "%d %llu %s\n", (int)id->pid, (unsigned long long)id->start_ticks, id->boot_id);
}

bool process_id_parse(const char *text, struct process_id *id)
{
    unsigned long long start;
    int pid, end = 0;
    char boot[BOOT_ID_BYTES];
    *id = (struct process_id){ 0 };
    if (sscanf(text, "%d %llu %39[0-9a-f-]%n", &pid, &start, boot, &end) != 3 || pid <= 0 ||
        text[end] != '\n' || text[end + 1] != '\0')
        return false;
    id->pid = pid;
    id->start_ticks = start;
    memcpy(id->boot_id, boot, sizeof boot);
    return true;
}

static bool runs_as_ours(pid_t pid, const char *name)
{
    char path[PATH_BYTES];
    struct dstr text = DSTR_INIT;
    (void)snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    bool is_ours = file_read(path, PROC_FILE_MAX_BYTES, &text, NULL) == 0 && text.s != NULL &&
                   is_ours_called(text.s, name);
    dstr_free(&text);
    return is_ours;
}

int os_process_open(const struct process_id *id, const char *name)
{
    uint64_t start_ticks = 0;
    char boot_id[BOOT_ID_BYTES] = "";
    int fd = os_pidfd_open(id->pid);
    if (fd < 0)
        return -1;
    if (os_process_start(id->pid, &start_ticks) == 0 && start_ticks == id->start_ticks &&
        os_boot_id(boot_id, sizeof boot_id) == 0 && strcmp(boot_id, id->boot_id) == 0 &&
        runs_as_ours(id->pid, name) && os_pidfd_signal(fd, 0) == 0)
        return fd; /* it has lived all the time since it was opened: what was read is its own */
    close(fd);
    errno = ESRCH;
    return -1;
}

/* numbers of /proc/PID/stat from field 14 on; 0 or -1 */
static int read_stat(pid_t pid, unsigned long long ticks[4], unsigned long long *vsize,
                     long long *rss_pages)
{
    char path[PATH_BYTES];
    struct dstr text = DSTR_INIT;
    int rc = -1;
    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    if (file_read(path, PROC_FILE_MAX_BYTES, &text, NULL) == 0 && text.s != NULL) {
        const char *at = strrchr(text.s, ')'); /* the name before it may hold anything */
        if (at != NULL && sscanf(at + 1,
                                 " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu "
                                 "%*d %*d %*d %*d %*u %llu %lld",
                                 &ticks[0], &ticks[1], &ticks[2], &ticks[3], vsize, rss_pages) == 6)
            rc = 0;
    }
    dstr_free(&text);
    return rc;
}

/* the number after NAME in the io file; 0 if it is not there or not ours to read */
static uint64_t io_figure(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    unsigned long long v = 0;
    return at != NULL && sscanf(at + strlen(name), " %llu", &v) == 1 ? v : 0;
}

int os_process_size(pid_t pid, struct process_usage *sum)
{
    unsigned long long ticks[4], vsize;
    long long rss_pages;
    if (read_stat(pid, ticks, &vsize, &rss_pages) != 0)
        return -1;
    sum->cpu_s +=
        (double)(ticks[0] + ticks[1] + ticks[2] + ticks[3]) / (double)sysconf(_SC_CLK_TCK);
    sum->vmem_bytes += vsize;
    sum->rss_bytes += (uint64_t)(rss_pages > 0 ? rss_pages : 0) * (uint64_t)sysconf(_SC_PAGESIZE);
    return 0;
}

int os_process_usage(pid_t pid, struct process_usage *sum)
{
    if (os_process_size(pid, sum) != 0)
        return -1;
    char path[PATH_BYTES];
    struct dstr text = DSTR_INIT;
    (void)snprintf(path, sizeof path, "/proc/%d/io", (int)pid);
    if (file_read(path, PROC_FILE_MAX_BYTES, &text, NULL) == 0 && text.s != NULL)
        sum->io_bytes += io_figure(text.s, "\nread_bytes:") + io_figure(text.s, "\nwrite_bytes:");
    dstr_free(&text);
    return 0;
}
