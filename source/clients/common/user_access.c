/* Which queue instances users may use. Departments are no access lists, and projects do not
 * matter. */
#include "clients/common/user_access.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "libs/comm/member_of.h"
#include "libs/config/access.h"
#include "libs/config/object.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

static bool is_for_access(const struct US_Type *set)
{
    return set->US_type == NULL || strstr(set->US_type, "ACL") != NULL;
}

/* is WHO of the set that T describes? */
static bool is_member(const struct TX_Type *t, const struct userset_of *who)
{
    const struct object_rules *rules = object_rules_of(OBJECT_USERSET);
    struct US_Type *set = object_record(rules, t);
    bool is_one = set != NULL && is_for_access(set) && userset_has(set, who);
    cull_delete(rules->type, set);
    return is_one;
}

/* "users:staff:" of USER, behind the user's own name; new, NULL: nobody is called so here */
static char *groups_of(const char *user)
{
    const struct passwd *entry = getpwnam(user);
    char *text = NULL;
    if (entry != NULL && member_of_read(entry->pw_uid, &text) != 0)
        text = NULL;
    return text;
}

/* names of those of SETS that USER is in; new, NULL: none */
static char *sets_of(const struct GA_Type *sets, const char *user)
{
    struct dstr names = DSTR_INIT;
    char *groups = groups_of(user);
    struct userset_of who = { .user = user, .groups = groups != NULL ? strchr(groups, ':') : NULL };
    for (uint32_t i = 0; i < sets->GA_texts.n; i++) {
        const struct TX_Type *t = &sets->GA_texts.v[i];
        if (t->TX_name != NULL && is_member(t, &who))
            dstr_addf(&names, "%s%s", names.len > 0 ? " " : "", t->TX_name);
    }
    free(groups);
    return dstr_take(&names);
}

int user_access_get(const struct source *from, const struct name_list *users, struct user_access *a,
                    struct answer *ans)
{
    *a = (struct user_access){ NULL, 0 };
    struct GA_Type *sets = users->n > 0 ? source_get_target(from, GDI_USERSET, ans) : NULL;
    if (sets == NULL)
        return users->n > 0 ? -1 : 0;
    a->v = uti_calloc(users->n, sizeof *a->v);
    for (; a->n < users->n; a->n++) {
        const char *user = users->v[a->n];
        a->v[a->n].sets = user[0] == '@' ? uti_strdup(user + 1) : sets_of(sets, user);
    }
    cull_delete(&cull_GA_Type, sets);
    return 0;
}

bool user_access_admits(const struct user_access *a, const struct QU_Type *queue)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (access_ask(&queue->QU_access, a->v[i].sets, NULL) == ACCESS_NOT_OF_USER)
            return false;
    return true;
}

void user_access_free(struct user_access *a)
{
    for (uint32_t i = 0; i < a->n; i++)
        free(a->v[i].sets);
    free(a->v);
    *a = (struct user_access){ NULL, 0 };
}
