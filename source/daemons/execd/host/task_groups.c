/* What marks the processes of a task: an additional group id, and a cgroup. Source: cgroups(7),
 * sge_conf(5) gid_range. */
#include "daemons/execd/host/task_groups.h"

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
#include "libs/uti/parse.h"

/* ---- additional group ids ---- */
/* Additional group ids are handed out in turn, so that an id that has just come back rests before
 * it is used again. Pure. */

/* (gid_t)-1 is no group, and those below 1000 are the system's: the qmaster cannot make a task one
 * of them */
enum { RANGE_MAX = 1000000, GID_LEAST = 1000 };

static bool parse_part(const char *s, size_t len, uint32_t *out)
{
    char *text = uti_strndup(s, len);
    bool is_number = parse_u32(text, out);
    free(text);
    return is_number;
}

static bool parse_range(const char *range, uint32_t *first, uint32_t *last)
{
    size_t len = strcspn(range, ","), dash = strcspn(range, "-");
    if (dash >= len)
        return parse_part(range, len, first) && parse_part(range, len, last) &&
               *first >= GID_LEAST && *last < UINT32_MAX;
    return parse_part(range, dash, first) && parse_part(range + dash + 1, len - dash - 1, last) &&
           *first >= GID_LEAST && *first <= *last && *last < UINT32_MAX &&
           *last - *first < RANGE_MAX;
}

void gid_pool_range(struct gid_pool *p, const char *range)
{
    struct gid_pool next = { 0 };
    uint32_t first, last;
    if (parse_range(range, &first, &last)) {
        next = (struct gid_pool){ .first = first,
                                  .last = last,
                                  .next = first,
                                  .is_used = uti_calloc((size_t)last - first + 1, 1) };
        for (gid_t gid = p->first; p->first != 0 && gid <= p->last; gid++)
            if (p->is_used[gid - p->first])
                gid_pool_set(&next, gid, true);
    }
    free(p->is_used);
    *p = next;
}

gid_t gid_pool_take(struct gid_pool *p)
{
    if (p->first == 0)
        return 0;
    for (gid_t tried = p->first; tried <= p->last; tried++) {
        gid_t gid = p->next;
        p->next = gid == p->last ? p->first : gid + 1;
        if (!p->is_used[gid - p->first]) {
            p->is_used[gid - p->first] = 1;
            return gid;
        }
    }
    return 0;
}

void gid_pool_set(struct gid_pool *p, gid_t gid, bool is_used)
{
    if (p->first != 0 && gid >= p->first && gid <= p->last)
        p->is_used[gid - p->first] = is_used;
}

void gid_pool_free(struct gid_pool *p)
{
    free(p->is_used);
    *p = (struct gid_pool){ 0 };
}

/* ---- cgroups ---- */
/* The place of the tasks' cgroups. It is found below wherever the execd itself stands: what is its
 * own there (a unit with Delegate=yes, a container, a machine without systemd) is its to divide,
 * and nothing above it is touched. No controller is switched on there: that would keep the execd
 * from standing in its own cgroup. One that it has all the same, cpuset, the tasks get too. An
 * execd that is started again may stand elsewhere, so the file "cgroups" in the host's directory
 * lists the places that were ever made: what is empty of them is taken away at the next start.
 * Source: cgroups(7). */

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
/* an execd that cannot write it leaves no more than empty directories behind */
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

/* LINE of the list: only what an execd of this host's directory would call its place is touched */
static void see_to(struct cgroups *c, const char *line, const char *name)
{
    size_t len = strlen(line), of_name = strlen(name);
    if (c->place != NULL && strcmp(line, c->place) == 0) {
        c->is_listed = true;
        return;
    }
    if (len <= of_name || strcmp(line + len - of_name, name) != 0)
        return;
    remove_left_over(line);
    if (cgroup_remove(line) != 0 && errno != ENOENT) /* tasks run on in it */
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
    if (c->is_on)
        (void)cgroup_offer_processors(c->place);
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
