#ifndef EXECD_TMPDIRS_H
#define EXECD_TMPDIRS_H

#include <sys/types.h>

#include "common/basis.h"

/* The jobs' TMPDIRs, <tmpdir>/<job>.<task>.<queue>. One that its job has left empty is renamed and given to the next task of the same
 * user: making and removing a directory costs ten times as much as renaming it, and all tasks of a host do it in one
 * place. Spares stand beside the others under hidden names of this cell's own and go when the execd ends. */
struct answer;
struct tmpdir_spare {
    char *path; /* owned */
    uid_t uid;
    gid_t gid;
};
struct tmpdirs {
    char *prefix;    /* owned: what names of our spares begin with */
    char *list_path; /* owned: the file that says in which directories there may be spares */
    char **parents;  /* owned: those in the file */
    uint32_t n_parents, cap_parents;
    struct tmpdir_spare *spare;
    uint32_t n, cap, next;
};

/* tmpdirs_init - for the execd whose directory is HOST_DIR; removes what an execd before us left */
void tmpdirs_init(struct tmpdirs *d, const char *host_dir);
void tmpdirs_free(struct tmpdirs *d); /* removes the spares */

/* tmpdirs_make - PATH as an empty directory of UID and GID alone; what stands in its place is removed. 0, or -1 with ans */
int tmpdirs_make(struct tmpdirs *d, const char *path, uid_t uid, gid_t gid, struct answer *ans);
/* tmpdirs_recycle - the shepherd has left PATH empty, or removed it: keep it for the next task */
void tmpdirs_recycle(struct tmpdirs *d, const char *path);

#endif
