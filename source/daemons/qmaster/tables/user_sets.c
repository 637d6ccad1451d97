/* Which user sets a user is in, and which groups of the system. Invariants: what is kept of sets is
 * what they said in its round, and in another one it is looked up again; a member is in `known`
 * once the name service has answered, and in `open` until then. */
#include "daemons/qmaster/tables/user_sets.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/access.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

/* ---- groups of the system ---- */

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

bool members_answered(struct members *ms, struct member *m, const char *text, uint64_t due_s)
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

/* ---- user sets ---- */

struct user_sets {          /* of one user and group */
    const char *sets;       /* counted; NULL: none */
    const char *department; /* the same */
    uint64_t round;
    uint64_t groups_round; /* of the groups of the system that it is about */
    UT_hash_handle hh;
    size_t key_bytes;
    char key[]; /* the user, the group, each with its end */
};

static void forget_sets(struct settings *s)
{
    struct user_sets *u, *next;
    HASH_ITER(hh, s->user_sets, u, next) {
        HASH_DEL(s->user_sets, u);
        cull_string_drop(u->sets);
        cull_string_drop(u->department);
        free(u);
    }
}

static bool is_for_access(const struct US_Type *set)
{
    return set->US_type == NULL || strstr(set->US_type, "ACL") != NULL;
}

/* counted; NULL: none */
static const char *sets_now(const struct settings *s, const struct userset_of *who)
{
    struct dstr names = DSTR_INIT;
    for (const struct text_object *t = s->texts[GDI_USERSET]; t != NULL; t = t->hh.next) {
        const struct US_Type *set = t->record;
        if (set != NULL && is_for_access(set) && userset_has(set, who))
            dstr_addf(&names, "%s%s", names.len > 0 ? " " : "", t->rec.TX_name);
    }
    const char *sets = names.len > 0 ? cull_string_new(names.s, names.len) : NULL;
    dstr_free(&names);
    return sets;
}

static bool is_department(const struct US_Type *set)
{
    return set->US_type != NULL && strstr(set->US_type, "DEPT") != NULL;
}

/* the same for all users, in whatever order the sets came */
static const char *first_of(const char *a, const char *b)
{
    return a == NULL || strcmp(b, a) < 0 ? b : a;
}

/* counted; NULL: none */
static const char *department_now(const struct settings *s, const struct userset_of *who)
{
    const struct userset_of name_alone = { .user = who->user };
    const char *by_name = NULL, *by_group = NULL;
    for (const struct text_object *t = s->texts[GDI_USERSET]; t != NULL; t = t->hh.next) {
        const struct US_Type *set = t->record;
        if (set == NULL || !is_department(set))
            continue;
        if (userset_has(set, &name_alone))
            by_name = first_of(by_name, t->rec.TX_name);
        else if (userset_has(set, who))
            by_group = first_of(by_group, t->rec.TX_name);
    }
    const char *name = by_name != NULL ? by_name : by_group;
    return name != NULL ? cull_string_new(name, strlen(name)) : NULL;
}

static struct user_sets *find_user(struct settings *s, const char *user, const char *group)
{
    size_t user_bytes = strlen(user) + 1, key_bytes = user_bytes + strlen(group) + 1;
    struct user_sets *known, *u = uti_calloc(1, sizeof *u + key_bytes);
    u->key_bytes = key_bytes;
    memcpy(u->key, user, user_bytes);
    memcpy(u->key + user_bytes, group, key_bytes - user_bytes);
    HASH_FIND(hh, s->user_sets, u->key, key_bytes, known);
    if (known != NULL) {
        free(u);
        return known;
    }
    if (HASH_COUNT(s->user_sets) >= USER_SETS_KEPT)
        forget_sets(s);
    HASH_ADD_KEYPTR(hh, s->user_sets, u->key, u->key_bytes, u);
    return u;
}

/* NULL: there are no sets */
static const struct user_sets *look_up(struct settings *s, const struct set_user *who)
{
    if (s->texts[GDI_USERSET] == NULL)
        return NULL;
    uint64_t groups_round;
    const char *groups = member_groups(&s->members, who->uid, who->user, &groups_round);
    struct user_sets *u = find_user(s, who->user, who->group != NULL ? who->group : "");
    if (u->round != s->user_sets_round || u->groups_round != groups_round) {
        struct userset_of of = { .user = who->user, .group = who->group, .groups = groups };
        cull_string_drop(u->sets);
        cull_string_drop(u->department);
        u->sets = sets_now(s, &of);
        u->department = department_now(s, &of);
        u->round = s->user_sets_round;
        u->groups_round = groups_round;
    }
    return u;
}

const char *user_sets_of(struct settings *s, const struct set_user *who)
{
    const struct user_sets *u = look_up(s, who);
    return u != NULL ? u->sets : NULL;
}

const char *user_department_of(struct settings *s, const struct set_user *who)
{
    const struct user_sets *u = look_up(s, who);
    return u != NULL ? u->department : NULL;
}

void user_sets_init(struct settings *s)
{
    s->members = (struct members){ 0 };
    TAILQ_INIT(&s->members.known);
    TAILQ_INIT(&s->members.open);
}

void user_sets_clear(struct settings *s)
{
    struct member *m, *next;
    HASH_ITER(hh, s->members.all, m, next)
        members_drop(&s->members, m);
    forget_sets(s);
}
