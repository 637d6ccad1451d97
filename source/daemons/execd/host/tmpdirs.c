/* TMPDIRs. A spare belongs to its user, who may do to it what he likes, so that it is looked at
 * when it is given out: it must be a directory, his, closed to others, and empty. What stands in
 * the way of a TMPDIR, or was not left empty, is put aside by renaming it, which costs the same
 * whatever is in it, and handed to `remove`; nothing here reads more than the first entry of a
 * directory of a user. Where spares and what was put aside may be is noted on disk before the first
 * is made, so that none outlives a crash for longer than until the next start. */
#include "daemons/execd/host/tmpdirs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemons/execd/host/msg_host.h"
#include "daemons/execd/host/privilege.h"
#include "libs/comm/loop.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/hash.h"
#include "libs/uti/log.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

/* ---- removals ---- */
/* Removing directories beside the loop. A removal has a process while it goes on; its end is seen
 * through a pidfd, and whether the directory is gone by looking. Nothing here reads a directory. */

struct removal {
    struct removals *of;
    char *path; /* owned */
    pid_t pid;
    int pidfd;
    struct loop_watch *watch;
    TAILQ_ENTRY(removal) next;
};

static void start_some(struct removals *r);

static void removal_free(struct removal *m)
{
    loop_watch_free(m->watch);
    if (m->pidfd >= 0)
        close(m->pidfd);
    free(m->path);
    free(m);
}

static void on_process_gone(void *ctx)
{
    struct removal *m = ctx;
    struct removals *r = m->of;
    if (faccessat(AT_FDCWD, m->path, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
        log_msg(LOG_LEVEL_WARNING, MSG_NOT_REMOVED_S, m->path);
    TAILQ_REMOVE(&r->going, m, next);
    r->n_going--;
    removal_free(m);
    start_some(r);
}

static bool start_removal(struct removals *r, struct removal *m)
{
    struct answer ans = ANSWER_INIT;
    m->pid = privilege_spawn_removal(r->program, m->path, &ans);
    if (m->pid > 0)
        m->pidfd = os_pidfd_open(m->pid);
    if (m->pidfd >= 0)
        m->watch = loop_watch_read(r->loop, m->pidfd, on_process_gone, m);
    if (m->watch == NULL)
        log_msg(LOG_LEVEL_WARNING, MSG_NOT_REMOVED_S, m->path);
    ans_free(&ans);
    return m->watch != NULL;
}

static void start_some(struct removals *r)
{
    struct removal *m;
    while (r->n_going < REMOVALS_GOING_MOST && (m = TAILQ_FIRST(&r->waiting)) != NULL) {
        TAILQ_REMOVE(&r->waiting, m, next);
        r->n_waiting--;
        if (start_removal(r, m)) {
            TAILQ_INSERT_TAIL(&r->going, m, next);
            r->n_going++;
        } else {
            removal_free(m);
        }
    }
}

void removals_init(struct removals *r, struct loop *loop, const char *program)
{
    *r = (struct removals){ .loop = loop, .program = program };
    TAILQ_INIT(&r->going);
    TAILQ_INIT(&r->waiting);
}

void removals_add(struct removals *r, const char *path)
{
    if (r->n_waiting >= REMOVALS_WAITING_MOST) {
        log_msg(LOG_LEVEL_WARNING, MSG_NOT_REMOVED_S, path);
        return;
    }
    struct removal *m = uti_calloc(1, sizeof *m);
    *m = (struct removal){ .of = r, .path = uti_strdup(path), .pidfd = -1 };
    TAILQ_INSERT_TAIL(&r->waiting, m, next);
    r->n_waiting++;
    start_some(r);
}

bool removals_has(const struct removals *r, pid_t pid)
{
    const struct removal *m;
    TAILQ_FOREACH(m, &r->going, next)
        if (m->pid == pid)
            return true;
    return false;
}

void removals_free(struct removals *r)
{
    struct removal *m;
    if (r->loop == NULL)
        return;
    while ((m = TAILQ_FIRST(&r->waiting)) != NULL) {
        TAILQ_REMOVE(&r->waiting, m, next);
        removal_free(m);
    }
    while ((m = TAILQ_FIRST(&r->going)) != NULL) {
        TAILQ_REMOVE(&r->going, m, next);
        (void)os_pidfd_signal(m->pidfd, SIGKILL);
        removal_free(m);
    }
    *r = (struct removals){ 0 };
}

/* ---- directories of tasks ---- */

enum { SPARES_MAX = 256, LIST_BYTES_MAX = 1 << 20, TMPDIR_MODE = 0700, TRIES = 3 };

/* ---- which directories may hold spares ---- */

static bool is_listed(const struct tmpdirs *d, const char *parent, size_t len)
{
    for (uint32_t i = 0; i < d->n_parents; i++)
        if (strlen(d->parents[i]) == len && memcmp(d->parents[i], parent, len) == 0)
            return true;
    return false;
}

static void add_parent(struct tmpdirs *d, const char *parent, size_t len)
{
    d->parents = uti_vec_grow(d->parents, &d->cap_parents, d->n_parents + 1, sizeof *d->parents);
    d->parents[d->n_parents++] = uti_strndup(parent, len);
}

/* note the directory that PATH stands in; false if it cannot be noted: then no spare may be made
 * there */
static bool list_parent(struct tmpdirs *d, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t len = slash != NULL ? (size_t)(slash - path) : 0;
    struct dstr line = DSTR_INIT;
    if (len == 0 || memchr(path, '\n', len) != NULL)
        return false;
    if (is_listed(d, path, len))
        return true;
    dstr_addn(&line, path, len);
    dstr_addc(&line, '\n');
    int fd = open(d->list_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    bool is_written = fd >= 0 && file_write_all(fd, dstr_get(&line), line.len) == 0;
    if (fd >= 0)
        close(fd);
    dstr_free(&line);
    if (is_written)
        add_parent(d, path, len);
    return is_written;
}

/* a hidden name of ours beside PATH; appends */
static void hidden_name(struct tmpdirs *d, const char *path, struct dstr *out)
{
    const char *slash = strrchr(path, '/');
    dstr_addn(out, path, (size_t)(slash - path) + 1);
    dstr_addf(out, "%s%llx-%u", d->prefix, (unsigned long long)d->begun_us, d->next++);
}

/* rename PATH to a hidden name beside it, which is appended to TO; false if it cannot be */
static bool hide_dir(struct tmpdirs *d, const char *path, struct dstr *to)
{
    if (strrchr(path, '/') == NULL || !list_parent(d, path))
        return false;
    for (int tries = 0; tries < TRIES; tries++) {
        dstr_clear(to);
        hidden_name(d, path, to);
        if (file_rename_new(path, dstr_get(to)) == 0)
            return true;
    }
    return false;
}

/* an empty directory costs nothing to remove; anything else is another process's work */
static void remove_hidden(struct tmpdirs *d, const char *path)
{
    if (rmdir(path) == 0 || errno == ENOENT)
        return;
    d->is_put_aside = true;
    d->remove(d->ctx, path);
}

void tmpdirs_discard(struct tmpdirs *d, const char *path)
{
    struct dstr hidden = DSTR_INIT;
    if (rmdir(path) != 0 && errno != ENOENT) {
        if (hide_dir(d, path, &hidden))
            remove_hidden(d, dstr_get(&hidden));
        else
            log_msg(LOG_LEVEL_WARNING, MSG_NOT_REMOVED_S, path);
    }
    dstr_free(&hidden);
}

static void remove_spares_in(struct tmpdirs *d, const char *parent)
{
    DIR *dir = opendir(parent);
    struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL)
        if (strncmp(entry->d_name, d->prefix, strlen(d->prefix)) == 0) {
            char *path = path_join(parent, entry->d_name);
            remove_hidden(d, path);
            free(path);
        }
    if (dir != NULL)
        closedir(dir);
}

static void remove_left_over(struct tmpdirs *d)
{
    struct dstr text = DSTR_INIT;
    if (file_read(d->list_path, LIST_BYTES_MAX, &text, NULL) == 0)
        for (char *line = text.s; line != NULL && *line != '\0';) {
            char *end = line + strcspn(line, "\n"), *next = end + (*end != '\0');
            *end = '\0';
            add_parent(d, line, strlen(line));
            remove_spares_in(d, line);
            line = next;
        }
    dstr_free(&text);
}

void tmpdirs_init(struct tmpdirs *d, const char *host_dir, tmpdirs_remove_fn remove, void *ctx)
{
    struct dstr prefix = DSTR_INIT;
    *d = (struct tmpdirs){ .remove = remove, .ctx = ctx, .begun_us = uti_mono_us() };
    /* two cells must not take each other's spares */
    dstr_addf(&prefix, ".sge-%016llx-", (unsigned long long)uti_fnv1a(host_dir, strlen(host_dir)));
    d->prefix = dstr_take(&prefix);
    d->list_path = path_join(host_dir, "tmpdirs");
    remove_left_over(d);
}

void tmpdirs_free(struct tmpdirs *d)
{
    bool is_left = d->is_put_aside; /* for the next start to look at */
    for (uint32_t i = 0; i < d->n; i++) {
        is_left = (rmdir(d->spare[i].path) != 0 && errno != ENOENT) || is_left;
        free(d->spare[i].path);
    }
    for (uint32_t i = 0; i < d->n_parents; i++)
        free(d->parents[i]);
    if (d->list_path != NULL && !is_left)
        (void)unlink(d->list_path);
    free(d->spare);
    free(d->parents);
    free(d->prefix);
    free(d->list_path);
    *d = (struct tmpdirs){ 0 };
}

/* ---- giving out and taking back ---- */

static bool is_as_new(const char *path, uid_t uid, gid_t gid)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return false;
    if (fstat(fd, &st) != 0 || st.st_uid != uid || st.st_gid != gid ||
        (st.st_mode & 07777) != TMPDIR_MODE) {
        close(fd);
        return false;
    }
    return file_dir_is_empty(fd);
}

static bool is_beside(const char *a, const char *b)
{
    const char *slash_a = strrchr(a, '/'), *slash_b = strrchr(b, '/');
    return slash_a - a == slash_b - b && memcmp(a, b, (size_t)(slash_a - a)) == 0;
}

/* make PATH from a spare of the same user in the same directory; false if there is none that is as
 * new */
static bool take_spare(struct tmpdirs *d, const char *path, uid_t uid, gid_t gid)
{
    for (uint32_t i = d->n; i > 0; i--) {
        struct tmpdir_spare *s = &d->spare[i - 1];
        if (s->uid != uid || s->gid != gid || !is_beside(s->path, path))
            continue;
        char *from = s->path;
        *s = d->spare[--d->n];
        bool is_taken = file_rename_new(from, path) == 0;
        if (!is_taken)
            remove_hidden(d, from);
        free(from);
        return is_taken && is_as_new(path, uid, gid);
    }
    return false;
}

/* the directory that PATH is to stand in, which is missing: the tmpdir of a queue; one level alone,
 * since more may be a mount that has not come */
static bool make_parent(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL || slash == path)
        return false;
    char *parent = uti_strndup(path, (size_t)(slash - path));
    bool is_made = privilege_make_tmp(parent) == 0;
    if (is_made)
        log_msg(LOG_LEVEL_WARNING, MSG_MADE_TMP_S, parent);
    free(parent);
    return is_made;
}

/* a new directory; false with errno, EEXIST if something stands there and comes back as soon as it
 * is put aside */
static bool make_new(struct tmpdirs *d, const char *path, uid_t uid, gid_t gid)
{
    for (int tries = 0; tries < TRIES; tries++) {
        if (privilege_make_tmpdir(path, TMPDIR_MODE, uid, gid) == 0)
            return true;
        int err = errno;
        if (err == ENOENT && make_parent(path))
            continue;
        errno = err;
        if (err != EEXIST)
            return false;
        tmpdirs_discard(d, path);
    }
    errno = EEXIST;
    return false;
}

char *tmpdirs_make(struct tmpdirs *d, const char *path, uid_t uid, gid_t gid, struct answer *ans)
{
    struct dstr name = DSTR_INIT;
    dstr_add(&name, path);
    bool is_made = (strrchr(path, '/') != NULL && take_spare(d, path, uid, gid)) ||
                   make_new(d, path, uid, gid);
    if (!is_made &&
        errno == EEXIST) { /* somebody keeps the name taken: another, that nobody can know before */
        dstr_addf(&name, ".%llx", (unsigned long long)uti_mono_us());
        is_made = make_new(d, dstr_get(&name), uid, gid);
    }
    if (is_made)
        return dstr_take(&name);
    (void)ans_sys(ans, errno, MSG_MAKE_TMPDIR_S, dstr_get(&name));
    dstr_free(&name);
    return NULL;
}

/* an empty directory of anybody: what else it is does not matter before it is used again. False
 * with errno ENOENT if it has gone */
static bool is_empty_dir(const char *path, struct stat *st)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool is_empty = fstat(fd, st) == 0;
    if (is_empty)
        is_empty = file_dir_is_empty(fd);
    else
        close(fd);
    errno = 0;
    return is_empty;
}

void tmpdirs_recycle(struct tmpdirs *d, const char *path)
{
    struct stat st;
    struct dstr spare = DSTR_INIT;
    bool is_good = is_empty_dir(path, &st);
    if (!is_good && errno == ENOENT)
        return; /* the shepherd has removed it: it was not empty */
    if (!is_good || d->n >= SPARES_MAX || !hide_dir(d, path, &spare)) {
        tmpdirs_discard(d, path);
    } else {
        d->spare = uti_vec_grow(d->spare, &d->cap, d->n + 1, sizeof *d->spare);
        d->spare[d->n++] = (struct tmpdir_spare){ dstr_take(&spare), st.st_uid, st.st_gid };
    }
    dstr_free(&spare);
}
