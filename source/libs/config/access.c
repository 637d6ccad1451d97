/* Who may use what. Lists are kept as the text that the administrator wrote, which all instances of
 * a queue share; nothing is looked at where there is no list. Source: queue_conf(5),
 * access_list(5) */
#include "libs/config/access.h"

#include <string.h>

#include "libs/config/attr_names.h"
#include "libs/uti/dstr.h"

static const char separators[] = " ,\t";

/* is NAME, of LEN bytes, a word of LIST? */
static bool has_word(const char *list, const char *name, size_t len)
{
    for (const char *at = list; *at != '\0';) {
        size_t word = strcspn(at, separators);
        if (word == len && memcmp(at, name, len) == 0)
            return true;
        at += word;
        at += strspn(at, separators);
    }
    return false;
}

/* is a word of WORDS also one of LIST? Either may be NULL */
static bool has_any_word(const char *list, const char *words)
{
    if (list == NULL || words == NULL)
        return false;
    for (const char *at = words; *at != '\0';) {
        size_t word = strcspn(at, separators);
        if (word > 0 && has_word(list, at, word))
            return true;
        at += word;
        at += strspn(at, separators);
    }
    return false;
}

static enum access ask_at(const struct AC_Type *door, const char *sets, const char *project)
{
    if (has_any_word(door->AC_xuser_lists, sets) ||
        (door->AC_user_lists != NULL && !has_any_word(door->AC_user_lists, sets)))
        return ACCESS_NOT_OF_USER;
    if (has_any_word(door->AC_xprojects, project) ||
        (door->AC_projects != NULL && !has_any_word(door->AC_projects, project)))
        return ACCESS_NOT_OF_PROJECT;
    return ACCESS_GRANTED;
}

enum access access_ask(const struct AC_Type_list *doors, const char *sets, const char *project)
{
    enum access access = ACCESS_GRANTED;
    for (uint32_t i = 0; i < doors->n && access == ACCESS_GRANTED; i++)
        access = ask_at(&doors->v[i], sets, project);
    return access;
}

static const char *list_or_null(const char *list)
{
    return list != NULL && *list != '\0' && !attr_is_none(list) ? list : NULL;
}

void access_add_door(struct AC_Type_list *doors, const struct access_lists *lists)
{
    const char *user_lists = list_or_null(lists->user_lists);
    const char *xuser_lists = list_or_null(lists->xuser_lists);
    const char *projects = list_or_null(lists->projects);
    const char *xprojects = list_or_null(lists->xprojects);
    if (user_lists == NULL && xuser_lists == NULL && projects == NULL && xprojects == NULL)
        return;
    struct AC_Type *door = cull_push(doors);
    cull_set(door, AC_user_lists, user_lists);
    cull_set(door, AC_xuser_lists, xuser_lists);
    cull_set(door, AC_projects, projects);
    cull_set(door, AC_xprojects, xprojects);
}

/* NAMES as a list of a configuration; "" if there are none */
static void join_names(const struct ST_Type_list *names, struct dstr *out)
{
    for (uint32_t i = 0; i < names->n; i++)
        dstr_addf(out, "%s%s", i > 0 ? " " : "", names->v[i].ST_name);
}

void access_add_sets(struct AC_Type_list *doors, const struct ST_Type_list *in,
                     const struct ST_Type_list *out)
{
    struct dstr user_lists = DSTR_INIT, xuser_lists = DSTR_INIT;
    join_names(in, &user_lists);
    join_names(out, &xuser_lists);
    access_add_door(doors, &(struct access_lists){ .user_lists = dstr_get(&user_lists),
                                                   .xuser_lists = dstr_get(&xuser_lists) });
    dstr_free(&user_lists);
    dstr_free(&xuser_lists);
}

bool access_admits(const struct ST_Type_list *in, const struct ST_Type_list *out, const char *sets)
{
    struct AC_Type_list doors = { 0 };
    if (in->n == 0 && out->n == 0)
        return true;
    access_add_sets(&doors, in, out);
    bool is_admitted = access_ask(&doors, sets, NULL) == ACCESS_GRANTED;
    cull_list_clear(&cull_AC_Type, &doors);
    return is_admitted;
}

bool access_has_name(const char *list, const char *name)
{
    return !attr_is_none(list) && has_word(list, name, strlen(name));
}

static bool is_in_group(const struct userset_of *who, const char *group)
{
    size_t len = strlen(group);
    if (who->group != NULL && strcmp(group, who->group) == 0)
        return true;
    for (const char *at = who->groups; at != NULL && at[0] == ':'; at = strchr(at + 1, ':'))
        if (strncmp(at + 1, group, len) == 0 && at[len + 1] == ':')
            return true;
    return false;
}

bool userset_has(const struct US_Type *set, const struct userset_of *who)
{
    for (uint32_t i = 0; i < set->US_entries.n; i++) {
        const char *entry = set->US_entries.v[i].ST_name;
        if (entry[0] == '@' ? is_in_group(who, entry + 1) : strcmp(entry, who->user) == 0)
            return true;
    }
    return false;
}

uint32_t userset_groups(const struct US_Type *set)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < set->US_entries.n; i++)
        n += set->US_entries.v[i].ST_name[0] == '@';
    return n;
}
