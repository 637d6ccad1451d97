/* TMPDIRs. A spare belongs to its user, who may do to it what he likes, so that it is looked at when it is given out, not when it
 * is kept: it must be a directory, his, closed to others, and empty. Where spares may be is noted on disk before the
 * first is made, so that none outlives a crash for longer than until the next start. */
#include "daemons/execd/tmpdirs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemons/execd/msg_execd.h"
#include "daemons/execd/privilege.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/fnv.h"
#include "libs/uti/log.h"

enum { SPARES_MAX = 256, LIST_BYTES_MAX = 1 << 20, TMPDIR_MODE = 0700 };

/* ---- which directories may hold spares ---- */

static bool is_listed(const struct tmpdirs *d, const char *parent, size_t len)
{
    for (uint32_t i = 0; i < d->n_parents; i++)
        if (strlen(d->parents[i]) == len && memcmp(d->parents[i], parent, len) == 0)
            return true;
    return false;
}

/* note the directory that PATH stands in; false if it cannot be noted: then no spare may be made there */
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
    if (!is_written)
        return false;
    d->parents = uti_vec_grow(d->parents, &d->cap_parents, d->n_parents + 1, sizeof *d->parents);
    d->parents[d->n_parents++] = uti_strndup(path, len);
    return true;
}

static void remove_path(const char *path)
{
    struct answer ans = ANSWER_INIT;
    if (privilege_remove_tmpdir(path, &ans) != 0)
        log_answer(&ans);
    ans_free(&ans);
}

static void remove_spares_in(const struct tmpdirs *d, const char *parent)
{
    DIR *dir = opendir(parent);
    struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL)
        if (strncmp(entry->d_name, d->prefix, strlen(d->prefix)) == 0) {
            char *path = path_join(parent, entry->d_name);
            remove_path(path);
            free(path);
        }
    if (dir != NULL)
        closedir(dir);
}

static void remove_left_over(const struct tmpdirs *d)
{
    struct dstr text = DSTR_INIT;
    if (file_read(d->list_path, LIST_BYTES_MAX, &text, NULL) == 0)
        for (char *line = text.s; line != NULL && *line != '\0';) {
            char *end = line + strcspn(line, "\n"), *next = end + (*end != '\0');
            *end = '\0';
            remove_spares_in(d, line);
            line = next;
        }
    (void)unlink(d->list_path);
    dstr_free(&text);
}

void tmpdirs_init(struct tmpdirs *d, const char *host_dir)
{
    struct dstr prefix = DSTR_INIT;
    *d = (struct tmpdirs){ 0 };
    /* two cells must not take each other's spares */
    dstr_addf(&prefix, ".sge-%016llx-", (unsigned long long)uti_fnv1a(host_dir, strlen(host_dir)));
    d->prefix = dstr_take(&prefix);
    d->list_path = path_join(host_dir, "tmpdirs");
    remove_left_over(d);
}

void tmpdirs_free(struct tmpdirs *d)
{
    for (uint32_t i = 0; i < d->n; i++) {
        remove_path(d->spare[i].path);
        free(d->spare[i].path);
    }
    for (uint32_t i = 0; i < d->n_parents; i++)
        free(d->parents[i]);
    if (d->list_path != NULL)
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

/* make PATH from a spare of the same user in the same directory; false if there is none that is as new */
static bool take_spare(struct tmpdirs *d, const char *path, uid_t uid, gid_t gid)
{
    for (uint32_t i = d->n; i > 0; i--) {
        struct tmpdir_spare *s = &d->spare[i - 1];
        if (s->uid != uid || s->gid != gid || !is_beside(s->path, path))
            continue;
        char *from = s->path;
        *s = d->spare[--d->n];
        bool is_taken = rename(from, path) == 0;
        free(from);
        return is_taken && is_as_new(path, uid, gid);
    }
    return false;
}

int tmpdirs_make(struct tmpdirs *d, const char *path, uid_t uid, gid_t gid, struct answer *ans)
{
    if (strrchr(path, '/') != NULL && take_spare(d, path, uid, gid))
        return 0;
    return privilege_make_tmpdir(path, TMPDIR_MODE, uid, gid, ans);
}

void tmpdirs_recycle(struct tmpdirs *d, const char *path)
{
    struct stat st;
    const char *slash = strrchr(path, '/');
    if (lstat(path, &st) != 0)
        return; /* the shepherd has removed it: it was not empty */
    if (d->n >= SPARES_MAX || !S_ISDIR(st.st_mode) || !list_parent(d, path)) {
        remove_path(path);
        return;
    }
    struct dstr spare = DSTR_INIT;
    dstr_addn(&spare, path, (size_t)(slash - path) + 1);
    dstr_addf(&spare, "%s%u", d->prefix, d->next++);
    if (rename(path, dstr_get(&spare)) != 0) {
        remove_path(path);
        dstr_free(&spare);
        return;
    }
    d->spare = uti_vec_grow(d->spare, &d->cap, d->n + 1, sizeof *d->spare);
    d->spare[d->n++] = (struct tmpdir_spare){ dstr_take(&spare), st.st_uid, st.st_gid };
}
