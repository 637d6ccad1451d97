/* A user's groups, asked of the name service. Names cannot contain ':' (passwd(5), group(5)), so it
 * ends each of them. */
#include "libs/comm/member_of.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "libs/comm/msg_comm.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/log.h"

enum { BUFFER_BYTES = 4096, BUFFER_MOST = 4 << 20, GROUPS_FIRST = 64, GROUPS_MOST = 65536 };

/* the name of GID, new: free; NULL: it has none, or the lookup failed */
static char *group_name(gid_t gid)
{
    struct group entry, *found = NULL;
    size_t bytes = BUFFER_BYTES;
    char *buf = uti_alloc(bytes);
    while (getgrgid_r(gid, &entry, buf, bytes, &found) == ERANGE && bytes < BUFFER_MOST)
        buf = uti_realloc(buf, bytes *= 2);
    char *name = found != NULL ? uti_strdup(found->gr_name) : NULL;
    free(buf);
    return name;
}

/* the groups of NAME, whose primary group is GID; new: free. N: how many */
static gid_t *read_gids(const char *name, gid_t gid, int *n)
{
    int room = GROUPS_FIRST;
    gid_t *gids = uti_alloc((size_t)room * sizeof *gids);
    *n = room;
    while (getgrouplist(name, gid, gids, n) < 0 && room < GROUPS_MOST) {
        room = *n > room && *n < GROUPS_MOST ? *n : GROUPS_MOST;
        gids = uti_realloc(gids, (size_t)room * sizeof *gids);
        *n = room;
    }
    *n = *n < room ? *n : room;
    return gids;
}

/* false: there is no room for it */
static bool put_group(struct dstr *out, gid_t gid)
{
    char *name = group_name(gid);
    bool fits = name == NULL || out->len + strlen(name) + 1 <= MEMBER_OF_MOST;
    if (name != NULL && fits)
        dstr_addf(out, "%s:", name);
    free(name);
    return fits;
}

static void put_groups(struct dstr *out, const char *name, gid_t gid)
{
    int n, i = 0;
    gid_t *gids = read_gids(name, gid, &n);
    while (i < n && put_group(out, gids[i]))
        i++;
    if (i < n)
        log_msg(LOG_LEVEL_WARNING, MSG_MANY_GROUPS_SIII, name, n, (int)MEMBER_OF_MOST, i);
    free(gids);
}

int member_of_read(uid_t uid, char **text)
{
    struct passwd entry, *found = NULL;
    size_t bytes = BUFFER_BYTES;
    char *buf = uti_alloc(bytes);
    int err;
    *text = NULL;
    while ((err = getpwuid_r(uid, &entry, buf, bytes, &found)) == ERANGE && bytes < BUFFER_MOST)
        buf = uti_realloc(buf, bytes *= 2);
    if (found != NULL) {
        struct dstr out = DSTR_INIT;
        dstr_addf(&out, "%s:", found->pw_name);
        put_groups(&out, found->pw_name, found->pw_gid);
        *text = dstr_take(&out);
    }
    free(buf);
    return found != NULL ? 0 : err;
}
