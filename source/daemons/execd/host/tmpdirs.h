#ifndef EXECD_HOST_TMPDIRS_H
#define EXECD_HOST_TMPDIRS_H

#include <sys/types.h>

#include "common/basis.h"
#include "libs/uti/tree.h"

/* Directories that are being removed, each by a process of its own: a tree of a user has any size
 * and may grow while it goes, which must not delay others. */
struct loop;
struct removal;
TAILQ_HEAD(removal_queue, removal);
struct removals {
    struct loop *loop;          /* borrowed */
    const char *program;        /* borrowed: path of sge_shepherd */
    struct removal_queue going; /* those that have a process */
    struct removal_queue waiting;
    uint32_t n_going, n_waiting;
};

void removals_init(struct removals *r, struct loop *loop, const char *program);
/* removals_add - remove PATH soon; more than REMOVALS_WAITING_MOST at a time are left for the next
 * start of the execd */
enum { REMOVALS_GOING_MOST = 4, REMOVALS_WAITING_MOST = 10000 };
void removals_add(struct removals *r, const char *path);
/* removals_has - is PID one of our processes? */
bool removals_has(const struct removals *r, pid_t pid);
/* removals_free - end those that go on; what they leave is for the next start */
void removals_free(struct removals *r);

/* The jobs' TMPDIRs, <tmpdir>/<job>.<task>.<queue>. One that its job has left empty is renamed and
 * given to the next task of the same user: making and removing a directory costs ten times as much
 * as renaming it, and all tasks of a host do it in one place. Spares stand beside the others under
 * hidden names of this cell's own and go when the execd ends. */
struct answer;
struct tmpdir_spare {
    char *path; /* owned */
    uid_t uid;
    gid_t gid;
};
/* called with a directory that was put aside, or that an earlier execd left: remove it, some
 * time */
typedef void (*tmpdirs_remove_fn)(void *ctx, const char *path);
struct tmpdirs {
    tmpdirs_remove_fn remove;
    void *ctx;
    uint64_t begun_us; /* makes hidden names of this execd its own */
    char *prefix;      /* owned: what names of our spares begin with */
    char *list_path;   /* owned: the file that says in which directories there may be spares */
    char **parents;    /* owned: those in the file */
    uint32_t n_parents, cap_parents;
    struct tmpdir_spare *spare;
    uint32_t n, cap, next;
    bool
        is_put_aside; /* something was handed to `remove`: the list stays, for the next start to see whether it has gone */
};

/* tmpdirs_init - for the execd whose directory is HOST_DIR; has what an execd before us left
 * removed */
void tmpdirs_init(struct tmpdirs *d, const char *host_dir, tmpdirs_remove_fn remove, void *ctx);
void tmpdirs_free(struct tmpdirs *d); /* removes the spares */

/* tmpdirs_make - PATH, or a longer name if that one stays taken, as an empty directory of
 * UID and GID alone; what stands in its place is put aside, and the directory that it stands in is
 * made if that alone is missing. O(1). Returns its path, new: free(); NULL with ans */
char *tmpdirs_make(struct tmpdirs *d, const char *path, uid_t uid, gid_t gid, struct answer *ans);
/* tmpdirs_recycle - the task of PATH is over: keep it for the next one if it is empty. O(1) */
void tmpdirs_recycle(struct tmpdirs *d, const char *path);
/* tmpdirs_discard - have PATH removed, whatever it is. O(1) */
void tmpdirs_discard(struct tmpdirs *d, const char *path);

#endif
