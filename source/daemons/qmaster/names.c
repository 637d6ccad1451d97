/* What the name service said. Owners of jobs are told apart by their names: a service that is down for a moment must not turn bob into
 * 1001, who owns none of bob's jobs. */
#include "daemons/qmaster/names.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>

#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"

enum { KEEP_S = 300, KEEP_FAILURE_S = 5, BUFFER_BYTES = 4096, BUFFER_MOST = 4 << 20 };

struct known { /* a number and its name */
    uint32_t id;
    char *name;
    uint64_t until_s;
    UT_hash_handle hh;
};
struct names {
    struct known *users, *groups;
};

/* the name of ID, which lies in BUF, NULL if it has none; an error number if that cannot be told */
typedef int (*ask_fn)(uint32_t id, char *buf, size_t bytes, const char **name);

static int ask_user(uint32_t id, char *buf, size_t bytes, const char **name)
{
    struct passwd entry, *found = NULL;
    int err = getpwuid_r((uid_t)id, &entry, buf, bytes, &found);
    *name = found != NULL ? found->pw_name : NULL;
    return err;
}

static int ask_group(uint32_t id, char *buf, size_t bytes, const char **name)
{
    struct group entry, *found = NULL;
    int err = getgrgid_r((gid_t)id, &entry, buf, bytes, &found);
    *name = found != NULL ? found->gr_name : NULL;
    return err;
}

/* new, NULL if ID has no name; *HAS_FAILED if nobody knows whether it has. Groups with thousands of members need large buffers. */
static char *look_up(ask_fn ask, uint32_t id, bool *has_failed)
{
    size_t bytes = BUFFER_BYTES;
    char *buf = uti_alloc(bytes), *own = NULL;
    const char *name = NULL;
    int err;
    while ((err = ask(id, buf, bytes, &name)) == ERANGE && bytes < BUFFER_MOST)
        buf = uti_realloc(buf, bytes *= 2);
    if (name != NULL)
        own = uti_strdup(name);
    *has_failed = name == NULL && err != 0 && err != ENOENT && err != ESRCH;
    free(buf);
    return own;
}

static char *number_as_name(uint32_t id)
{
    struct dstr d = DSTR_INIT;
    dstr_addf(&d, "%u", id);
    return dstr_take(&d);
}

static void ask_again(struct known *k, ask_fn ask, uint64_t now_s)
{
    bool has_failed;
    char *name = look_up(ask, k->id, &has_failed);
    k->until_s = now_s + (has_failed ? KEEP_FAILURE_S : KEEP_S);
    if (has_failed && k->name != NULL)
        return;
    free(k->name);
    k->name = name != NULL ? name : number_as_name(k->id);
}

static const char *name_of(struct known **table, uint32_t id, ask_fn ask, uint64_t now_s)
{
    struct known *k;
    HASH_FIND_U32(*table, &id, k);
    if (k == NULL) {
        k = uti_calloc(1, sizeof *k);
        k->id = id;
        HASH_ADD_U32(*table, id, k);
    }
    if (k->name == NULL || now_s >= k->until_s)
        ask_again(k, ask, now_s);
    return k->name;
}

const char *names_user(struct names *n, uid_t uid, uint64_t now_s)
{
    return name_of(&n->users, uid, ask_user, now_s);
}

const char *names_group(struct names *n, gid_t gid, uint64_t now_s)
{
    return name_of(&n->groups, gid, ask_group, now_s);
}

struct names *names_new(void)
{
    return uti_calloc(1, sizeof(struct names));
}

static void forget(struct known **table)
{
    struct known *k, *next;
    HASH_ITER(hh, *table, k, next) {
        HASH_DEL(*table, k);
        free(k->name);
        free(k);
    }
}

void names_free(struct names *n)
{
    if (n == NULL)
        return;
    forget(&n->users);
    forget(&n->groups);
    free(n);
}
