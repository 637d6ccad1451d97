/* Users of user sets, by name: -au and -du. A set is read, and goes back as one change with all the
 * users who came or went; if it is another by then, it is read again. Source: qconf(1). */
#include <string.h>

#include "clients/qconf/msg_qconf.h"
#include "clients/qconf/qconf.h"
#include "libs/config/attr_names.h"
#include "libs/config/object.h"

/* ENTRIES, a list or NONE, with or without USER */
static void entries_change(const char *entries, const char *user, bool is_added, struct dstr *out)
{
    struct dstr word = DSTR_INIT;
    if (!attr_is_none(entries))
        for (const char *at = entries; attr_next_word(&at, ", ", &word);)
            if (strcmp(dstr_get(&word), user) != 0)
                dstr_addf(out, "%s%s", out->len > 0 ? "," : "", dstr_get(&word));
    if (is_added)
        dstr_addf(out, "%s%s", out->len > 0 ? "," : "", user);
    if (out->len == 0)
        dstr_add(out, "NONE");
    dstr_free(&word);
}

static bool has_user(const struct TX_Type *set, const char *user)
{
    struct name_list entries = { 0 };
    name_list_split(&entries, object_value(set, "entries"));
    bool is_there = name_list_has(&entries, user);
    name_list_free(&entries);
    return is_there;
}

/* USER comes into SET, or goes, here alone; 0, or 1 after saying why not */
static int change_user(struct qconf *q, struct TX_Type *set, const char *user, bool is_added)
{
    struct dstr value = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    entries_change(object_value(set, "entries"), user, is_added, &value);
    int result =
        object_set(object_rules_of(OBJECT_USERSET), set, "entries", dstr_get(&value), &ans);
    dstr_free(&value);
    return result == 0 ? 0 : qconf_print_failure(q, &ans, "");
}

/* SEEN: the set as the qmaster has it; NULL: it is new */
static int send_set(struct qconf *q, const struct TX_Type *set, const struct TX_Type *seen,
                    unsigned attempt)
{
    struct GR_Type request = { 0 };
    qconf_request(&request, seen != NULL ? GDI_MOD : GDI_ADD, GDI_USERSET);
    cull_copy(&cull_TX_Type, cull_append(&request, GR_texts), set);
    if (seen != NULL)
        cull_copy(&cull_TX_Type, cull_append(&request, GR_seen), seen);
    return qconf_try(q, &request, NULL, "", attempt);
}

/* what became of a user */
enum fate { CAME, WENT, WAS_THERE, WAS_NOT_THERE };

static int say_fate(struct qconf *q, enum fate fate, const char *user, const char *set)
{
    switch (fate) {
    case CAME:
        return qconf_fail(q, MSG_USER_ADDED_SS, user, set);
    case WENT:
        return qconf_fail(q, MSG_USER_DELETED_SS, user, set);
    case WAS_THERE:
        return qconf_fail(q, MSG_USER_THERE_SS, user, set);
    case WAS_NOT_THERE:
        break;
    }
    return qconf_fail(q, MSG_USER_NOT_THERE_SS, user, set);
}

static void say_fates(struct qconf *q, enum fate fate, const struct name_list *users,
                      const char *set)
{
    for (uint32_t i = 0; i < users->n; i++)
        (void)say_fate(q, fate, users->v[i], set);
}

/* Those of USERS that can be; the others do not keep them out. Returns as qconf_try. */
static int change_users(struct qconf *q, struct TX_Type *set, const struct TX_Type *seen,
                        const struct name_list *users, bool is_added, unsigned attempt)
{
    struct name_list changed = { 0 }, refused = { 0 };
    int status = 0;
    for (uint32_t i = 0; i < users->n && status == 0; i++) {
        bool is_refused = has_user(set, users->v[i]) == is_added;
        name_list_add(is_refused ? &refused : &changed, users->v[i], strlen(users->v[i]));
        status = is_refused ? 0 : change_user(q, set, users->v[i], is_added);
    }
    if (status == 0 && changed.n > 0)
        status = send_set(q, set, seen, attempt);
    if (status != QCONF_AGAIN)
        say_fates(q, is_added ? WAS_THERE : WAS_NOT_THERE, &refused, set->TX_name);
    if (status == 0)
        say_fates(q, is_added ? CAME : WENT, &changed, set->TX_name);
    if (status == 0 && refused.n > 0)
        status = 1;
    name_list_free(&changed);
    name_list_free(&refused);
    return status;
}

/* A set that is not there comes with its first users. Returns as qconf_try. */
static int change_set(struct qconf *q, const char *name, const struct name_list *users,
                      bool is_added, unsigned attempt)
{
    const struct kind *kind = kind_of(GDI_USERSET);
    struct GA_Type *all = qconf_get_raw(q, GDI_USERSET, name);
    struct TX_Type set = { 0 };
    int status = 1;
    if (all == NULL)
        return 1;
    const struct TX_Type *seen = kind_object(kind, all, name);
    if (seen != NULL)
        cull_copy(&cull_TX_Type, &set, seen);
    else if (is_added)
        object_template(object_rules_of(OBJECT_USERSET), name, &set);
    if (set.TX_name != NULL)
        status = change_users(q, &set, seen, users, is_added, attempt);
    else
        (void)say_unknown(q, kind, name);
    cull_clear(&cull_TX_Type, &set);
    cull_delete(&cull_GA_Type, all);
    return status;
}

static int change_sets(struct qconf *q, char *const *args, bool is_added)
{
    struct name_list users = { 0 }, sets = { 0 };
    int status = 0;
    name_list_split(&users, args[0]);
    name_list_split(&sets, args[1]);
    for (uint32_t i = 0; i < sets.n; i++) {
        unsigned attempt = 1;
        int result;
        while ((result = change_set(q, sets.v[i], &users, is_added, attempt)) == QCONF_AGAIN)
            attempt++;
        if (result != 0)
            status = 1;
    }
    name_list_free(&users);
    name_list_free(&sets);
    return status;
}

int userset_add_users(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)row;
    (void)n;
    return change_sets(q, args, true);
}

int userset_delete_users(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)row;
    (void)n;
    return change_sets(q, args, false);
}
