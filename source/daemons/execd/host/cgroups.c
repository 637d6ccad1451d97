/* The place of the tasks' cgroups. It is found below wherever the execd itself stands: what is its
 * own there (a unit with Delegate=yes, a container, a machine without systemd) is its to divide,
 * and nothing above it is touched. No controller is switched on: that would keep the execd from
 * standing in its own cgroup. An execd that is started again may stand elsewhere, so the file
 * "cgroups" in the host's directory lists the places that were ever made: what is empty of them is
 * taken away at the next start. Source: cgroups(7). */
#include "daemons/execd/host/cgroups.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemons/execd/host/msg_host.h"
#include "libs/uti/alloc.h"
#include "libs/uti/cgroup.h"
#include "libs/uti/dstr.h"
#include "libs/uti/file.h"
#include "libs/uti/hash.h"
#include "libs/uti/log.h"

enum { LIST_BYTES_MAX = 1 << 20 };

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

/* ---- the list of places ---- */
/* whoever cannot write it leaves no more than empty directories behind */
static void write_list(const struct cgroups *c)
{
    struct dstr text = DSTR_INIT;
    dstr_add(&text, dstr_get(&c->elsewhere));
    if (c->is_listed)
        dstr_addf(&text, "%s\n", c->place);
    if (text.len > 0)
        (void)file_replace(c->list_path, dstr_get(&text), text.len, 0644, NULL);
    else
        (void)unlink(c->list_path);
    dstr_free(&text);
}

static void list_place(struct cgroups *c, bool is_listed)
{
    if (c->is_listed == is_listed)
        return;
    c->is_listed = is_listed;
    write_list(c);
}

/* false while tasks run on in it */
static bool take_away(const char *place)
{
    remove_left_over(place);
    return cgroup_remove(place) == 0 || errno == ENOENT;
}

/* LINE of the list: only what an execd of this host's directory would call its place is touched */
static void see_to(struct cgroups *c, const char *line, const char *name)
{
    size_t len = strlen(line), of_name = strlen(name);
    if (c->place != NULL && strcmp(line, c->place) == 0)
        c->is_listed = true;
    else if (len > of_name && strcmp(line + len - of_name, name) == 0 && !take_away(line))
        dstr_addf(&c->elsewhere, "%s\n", line);
}

static void sweep_group(struct cgroups *c, const char *name)
{
    struct dstr text = DSTR_INIT;
    if (file_read(c->list_path, LIST_BYTES_MAX, &text, NULL) == 0) {
        char *rest = text.s, *line;
        while ((line = strsep(&rest, "\n")) != NULL)
            see_to(c, line, name);
        write_list(c);
    }
    dstr_free(&text);
}

void cgroups_init(struct cgroups *c, const char *host_dir)
{
    struct dstr path = DSTR_INIT, name = DSTR_INIT;
    *c = (struct cgroups){ .list_path = path_join(host_dir, "cgroups") };
    dstr_addf(&name, "/sge-%016llx", (unsigned long long)uti_fnv1a(host_dir, strlen(host_dir)));
    if (cgroup_find(&path) == 0) {
        dstr_add(&path, dstr_get(&name));
        c->place = dstr_take(&path);
    }
    sweep_group(c, dstr_get(&name));
    dstr_free(&path);
    dstr_free(&name);
}

/* ---- the place ---- */
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

/* it goes, unless tasks run in it */
static void leave_place(struct cgroups *c)
{
    if (c->place != NULL && (cgroup_remove(c->place) == 0 || errno == ENOENT))
        list_place(c, false);
}

void cgroups_use(struct cgroups *c, bool wanted)
{
    if (!wanted)
        leave_place(c);
    if (!wanted || c->is_on) {
        c->is_on = wanted;
        return;
    }
    if (c->place != NULL)
        list_place(c, true);
    errno = ENOENT;
    c->is_on = c->place != NULL && make_place(c->place) == 0;
    if (!c->is_on && !c->is_told) {
        log_msg(LOG_LEVEL_INFO, MSG_NO_CGROUPS_S, strerror(errno));
        c->is_told = true;
    }
}

char *cgroups_of_task(const struct cgroups *c, const char *name)
{
    if (!c->is_on)
        return NULL;
    char *path = path_join(c->place, name);
    for (char *at = path + strlen(c->place) + 1; (at = strchr(at, '/')) != NULL;)
        *at = '.';
    return path;
}

void cgroups_free(struct cgroups *c)
{
    leave_place(c);
    free(c->place);
    free(c->list_path);
    dstr_free(&c->elsewhere);
    *c = (struct cgroups){ 0 };
}
