/* The place of the tasks' cgroups. It is found below wherever the execd itself stands: what is its own there (a unit with Delegate=yes,
 * a container, a machine without systemd) is its to divide, and nothing above it is touched. No controller is switched on: that would
 * keep the execd from standing in its own cgroup. Source: cgroups(7). */
#include "daemons/execd/host/cgroups.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "daemons/execd/host/msg_host.h"
#include "libs/uti/alloc.h"
#include "libs/uti/cgroup.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/fnv.h"
#include "libs/uti/log.h"

void cgroups_init(struct cgroups *c, const char *host_dir)
{
    struct dstr path = DSTR_INIT;
    *c = (struct cgroups){ 0 };
    if (cgroup_find(&path) == 0) {
        dstr_addf(&path, "/sge-%016llx", (unsigned long long)uti_fnv1a(host_dir, strlen(host_dir)));
        c->place = dstr_take(&path);
    }
    dstr_free(&path);
}

/* those of tasks that ended while there was no execd; those of tasks that run stay */
static void remove_left_over(const char *place)
{
    DIR *dir = opendir(place);
    struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        char *path = path_join(place, entry->d_name);
        if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
            (void)cgroup_remove(path);
        free(path);
    }
    if (dir != NULL)
        closedir(dir);
}

/* one in which every step that a task needs works; 0, or -1 errno */
static int make_place(const char *place)
{
    if (mkdir(place, 0755) != 0 && errno != EEXIST)
        return -1;
    remove_left_over(place);
    char *trial = path_join(place, "trial");
    int rc = cgroup_try(trial), err = errno;
    free(trial);
    errno = err;
    return rc;
}

void cgroups_use(struct cgroups *c, bool wanted)
{
    if (!wanted && c->place != NULL)
        (void)cgroup_remove(c->place); /* unless tasks run in it */
    if (!wanted || c->is_on) {
        c->is_on = wanted;
        return;
    }
    errno = ENOENT;
    c->is_on = c->place != NULL && make_place(c->place) == 0;
    if (!c->is_on && !c->is_told) {
        log_msg(LOG_LEVEL_INFO, MSG_NO_CGROUPS_S, strerror(errno));
        c->is_told = true;
    }
}

char *cgroups_of_task(const struct cgroups *c, const char *name)
{
    return c->is_on ? path_join(c->place, name) : NULL;
}

void cgroups_free(struct cgroups *c)
{
    if (c->place != NULL)
        (void)cgroup_remove(c->place);
    free(c->place);
    *c = (struct cgroups){ 0 };
}
