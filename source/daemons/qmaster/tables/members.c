/* Who is in which groups of the system. Invariant: a member is in `known` once the name service has
 * said something of it, and in `open` until then. */
#include "daemons/qmaster/tables/members.h"

#include <stdlib.h>
#include <string.h>

#include "libs/cull/cull.h"
#include "libs/uti/alloc.h"

void members_init(struct members *ms)
{
    *ms = (struct members){ 0 };
    TAILQ_INIT(&ms->known);
    TAILQ_INIT(&ms->open);
}

void members_clear(struct members *ms)
{
    struct member *m, *next;
    HASH_ITER(hh, ms->all, m, next)
        members_drop(ms, m);
}

struct member *members_find(const struct members *ms, uid_t uid)
{
    struct member *m;
    uint32_t id = uid;
    HASH_FIND_U32(ms->all, &id, m);
    return m;
}

struct member *members_add(struct members *ms, uid_t uid, const char *user)
{
    if (HASH_COUNT(ms->all) >= MEMBERS_KEPT)
        return NULL;
    struct member *m = uti_calloc(1, sizeof *m);
    m->uid = uid;
    m->user = uti_strdup(user);
    HASH_ADD_U32(ms->all, uid, m);
    TAILQ_INSERT_TAIL(&ms->open, m, next);
    return m;
}

static struct member_list *list_of(struct members *ms, const struct member *m)
{
    return m->is_known ? &ms->known : &ms->open;
}

static void put_last(struct members *ms, struct member *m)
{
    TAILQ_REMOVE(list_of(ms, m), m, next);
    TAILQ_INSERT_TAIL(list_of(ms, m), m, next);
}

void members_asked(struct members *ms, struct member *m)
{
    m->is_asked = true;
    put_last(ms, m);
}

static bool is_same(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

bool members_heard(struct members *ms, struct member *m, const char *text, uint64_t due_s)
{
    bool is_new = !m->is_known || !is_same(m->text, text);
    m->is_asked = false;
    m->due_s = due_s;
    TAILQ_REMOVE(list_of(ms, m), m, next);
    m->is_known = true;
    TAILQ_INSERT_TAIL(&ms->known, m, next);
    if (!is_new)
        return false;
    cull_string_drop(m->text);
    m->text = text != NULL ? cull_string_new(text, strlen(text)) : NULL;
    m->round = ++ms->round;
    return true;
}

void members_unsure(struct members *ms, struct member *m, uint64_t due_s)
{
    m->is_asked = false;
    m->due_s = due_s;
    put_last(ms, m);
}

void members_drop(struct members *ms, struct member *m)
{
    TAILQ_REMOVE(list_of(ms, m), m, next);
    HASH_DEL(ms->all, m);
    cull_string_drop(m->text);
    free(m->user);
    free(m);
    ms->has_said_full = false;
}

const char *member_groups(const struct members *ms, uid_t uid, const char *user, uint64_t *round)
{
    const struct member *m = ms->n_entries > 0 ? members_find(ms, uid) : NULL;
    size_t len = strlen(user);
    *round = 0;
    if (m == NULL || m->text == NULL || strncmp(m->text, user, len) != 0 || m->text[len] != ':')
        return NULL;
    *round = m->round;
    return m->text + len;
}
