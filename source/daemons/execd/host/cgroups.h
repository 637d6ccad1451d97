#ifndef EXECD_HOST_CGROUPS_H
#define EXECD_HOST_CGROUPS_H

#include "libs/uti/dstr.h"

/* Where the cgroups of tasks are: one directory of this cell and host, below the execd's own
 * cgroup. A shepherd makes its task's below that, and removes it. */
struct cgroups {
    char *place; /* owned, absolute; NULL: this host has none */
    /* places of execds before us in which tasks run on, a line for each */
    struct dstr elsewhere;
    char *list_path; /* owned: the file that lists those and ours */
    bool is_listed;  /* ours is in it */
    bool is_on;      /* tasks that start get one */
    bool is_told;    /* that there can be none has been logged */
};

/* cgroups_init - for the execd whose directory is HOST_DIR: nothing is made yet; what execds before
 * us left elsewhere goes, unless tasks run in it */
void cgroups_init(struct cgroups *c, const char *host_dir);
/* cgroups_use - from now on tasks that start get a cgroup, if WANTED and if this host can have one:
 * see whether it works, and take away what an earlier execd left empty */
void cgroups_use(struct cgroups *c, bool wanted);
/* cgroups_of_task - the path of the one for task NAME ("12.3"; that of "12.3/1.node7" stands beside
 * it, not in it); new: free(), NULL if there is to be none */
char *cgroups_of_task(const struct cgroups *c, const char *name);
void cgroups_free(struct cgroups *c); /* the place goes, unless tasks run on in it */

#endif
