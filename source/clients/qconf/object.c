/* Objects of the kinds of libs/config/object.h: shown, added and changed from files, from the
 * files of a directory, or through an editor. What is wrong with an attribute is said here, with
 * the text still at hand; the qmaster checks again, and says what is wrong with the whole.
 * Source: qconf(1). */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "clients/qconf/msg_qconf.h"
#include "clients/qconf/shown.h"
#include "libs/config/attr_names.h"
#include "libs/config/object_text.h"
#include "libs/uti/file.h"

static const struct object_rules *rules_of(const struct qconf_row *row)
{
    return object_rules_of((enum object_kind)row->target);
}

static int say_unknown(struct qconf *q, const struct object_rules *rules, const char *name)
{
    bool is_only = rules->own->only != NULL;
    return qconf_fail(q, "%s%s%s", rules->words.unknown_before, is_only ? "" : name,
                      is_only ? "" : rules->words.unknown_after);
}

/* the object called NAME among those that the qmaster sent: it takes patterns, and what is
 * changed is named */
static struct TX_Type *find_object(struct GA_Type *all, const char *name)
{
    for (uint32_t i = 0; i < all->GA_texts.n; i++)
        if (all->GA_texts.v[i].TX_name != NULL && strcmp(all->GA_texts.v[i].TX_name, name) == 0)
            return &all->GA_texts.v[i];
    return NULL;
}

/* ---- showing ---- */
static int show_one(struct qconf *q, const struct object_rules *rules, enum gdi_target target,
                    const char *name)
{
    struct GA_Type *all = qconf_get(q, target, name);
    struct dstr text = DSTR_INIT;
    int status = 0;
    if (all == NULL)
        return 1;
    const struct TX_Type *object = find_object(all, name);
    if (object != NULL) {
        object_text(rules, object, shown_is_single(q), &text);
        (rules->own->print != NULL ? shown_blocks : shown_object)(q, name, dstr_get(&text));
    } else {
        status = say_unknown(q, rules, name);
    }
    dstr_free(&text);
    cull_delete(&cull_GA_Type, all);
    return status;
}

/* the names in ARGS; without one those of all objects of the kind. 0, or 1 after saying that
 * there are none */
static int names_of(struct qconf *q, const struct qconf_row *row, char *const *args, int n,
                    struct name_list *names)
{
    const char *only = rules_of(row)->own->only;
    if (n > 0 || only != NULL) {
        name_list_split(names, only != NULL ? only : args[0]);
        return 0;
    }
    struct GA_Type *all = qconf_get(q, row->target, NULL);
    for (uint32_t i = 0; all != NULL && i < all->GA_texts.n; i++)
        name_list_add(names, all->GA_texts.v[i].TX_name, strlen(all->GA_texts.v[i].TX_name));
    cull_delete(&cull_GA_Type, all);
    return names->n > 0 ? 0 : qconf_fail(q, MSG_NONE_FOUND_S, rules_of(row)->words.noun);
}

int show_objects(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    struct name_list names = { 0 };
    int status = names_of(q, row, args, n, &names);
    shown_objects(q, row->name);
    for (uint32_t i = 0; i < names.n && status == 0; i++)
        status = show_one(q, rules_of(row), row->target, names.v[i]);
    shown_end(q);
    name_list_free(&names);
    return status;
}

/* ---- what is changed ---- */
static int send_object(struct qconf *q, enum gdi_verb verb, const struct qconf_row *row,
                       const struct TX_Type *object)
{
    struct GR_Type request = { 0 };
    if (row->target == GDI_HOSTGROUP &&
        qconf_check_host_words(q, object_value(object, "hostlist")) != 0)
        return 1;
    qconf_request(&request, verb, row->target);
    cull_copy(&cull_TX_Type, cull_append(&request, GR_texts), object);
    /* as scripts know it */
    bool is_on_stdout = row->target == GDI_RQS && verb == GDI_ADD;
    return qconf_send(q, &request, is_on_stdout ? q->out : q->err);
}

/* PATH: of the file; NULL: from an editor */
static int from_text(struct qconf *q, enum gdi_verb verb, const struct qconf_row *row,
                     const char *text, const char *path)
{
    struct TX_Type_list objects = { 0 };
    struct answer ans = ANSWER_INIT;
    int status = 0;
    if (object_parse_all(rules_of(row), text, &objects, &ans) < 0)
        status = path != NULL ? qconf_bad_file(q, rules_of(row)->words.file, path, &ans)
                              : qconf_print_failure(q, &ans, "");
    for (uint32_t i = 0; i < objects.n && status == 0; i++)
        status = send_object(q, verb, row, &objects.v[i]);
    cull_list_clear(&cull_TX_Type, &objects);
    return status;
}

/* ---- files ---- */
static int from_file(struct qconf *q, enum gdi_verb verb, const struct qconf_row *row,
                     const char *path)
{
    struct dstr text = DSTR_INIT;
    int status = 1;
    if (qconf_read_file(q, rules_of(row)->words.file, path, &text))
        status = from_text(q, verb, row, dstr_get(&text), path);
    dstr_free(&text);
    return status;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* every file of the directory, by name; those that are wrong do not keep the others out */
static int from_directory(struct qconf *q, enum gdi_verb verb, const struct qconf_row *row,
                          const char *path)
{
    struct dirent **entries = NULL;
    int status = 0, n = scandir(path, &entries, is_visible, alphasort);
    for (int i = 0; i < n; i++) {
        char *file = path_join(path, entries[i]->d_name);
        struct stat st;
        if (stat(file, &st) == 0 && S_ISREG(st.st_mode) && from_file(q, verb, row, file) != 0)
            status = 1;
        free(file);
        free(entries[i]);
    }
    free(entries);
    return status;
}

static int from_path(struct qconf *q, enum gdi_verb verb, const struct qconf_row *row,
                     const char *path)
{
    struct stat st;
    bool is_directory = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
    return (is_directory ? from_directory : from_file)(q, verb, row, path);
}

int object_add_file(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)n;
    return from_path(q, GDI_ADD, row, args[0]);
}

int object_modify_file(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)n;
    return from_path(q, GDI_MOD, row, args[0]);
}

/* ---- the editor ---- */

/* what an editor leaves as it was: a new host group may be empty, and that a user set stays is
 * no failure */
static int say_unchanged(struct qconf *q, const struct qconf_row *row)
{
    if (row->target != GDI_USERSET)
        return qconf_fail(q, MSG_FILE_UNCHANGED);
    (void)fprintf(q->out, "%s\n", MSG_FILE_UNCHANGED);
    return 0;
}

static int edit_object(struct qconf *q, enum gdi_verb verb, const struct qconf_row *row,
                       const struct TX_Type *object)
{
    struct dstr before = DSTR_INIT, after = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    int status;
    object_text(rules_of(row), object, q->is_single, &before);
    int edited = q->edit(q->edit_ctx, dstr_get(&before), &after, &ans);
    bool is_taken = edited > 0 || (verb == GDI_ADD && row->target == GDI_HOSTGROUP);
    if (edited < 0)
        status = qconf_print_failure(q, &ans, "");
    else if (is_taken)
        status = from_text(q, verb, row, dstr_get(&after), NULL);
    else
        status = say_unchanged(q, row);
    dstr_free(&before);
    dstr_free(&after);
    return status;
}

static int edit_template(struct qconf *q, const struct qconf_row *row, const char *name)
{
    struct TX_Type object = { 0 };
    object_template(rules_of(row), name, &object);
    int status = edit_object(q, GDI_ADD, row, &object);
    cull_clear(&cull_TX_Type, &object);
    return status;
}

/* what is there, or else the template */
static int edit_only(struct qconf *q, const struct qconf_row *row)
{
    const char *name = rules_of(row)->own->only;
    struct GA_Type *all = qconf_may_change(q, row->target) ? qconf_get(q, row->target, name) : NULL;
    if (all == NULL)
        return 1;
    const struct TX_Type *object = find_object(all, name);
    int status =
        object != NULL ? edit_object(q, GDI_MOD, row, object) : edit_template(q, row, name);
    cull_delete(&cull_GA_Type, all);
    return status;
}

int object_add(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    const char *name = n > 0 ? args[0] : "template";
    if (rules_of(row)->own->only != NULL)
        return edit_only(q, row);
    struct GA_Type *all = qconf_may_change(q, row->target) ? qconf_get(q, row->target, name) : NULL;
    if (all == NULL)
        return 1;
    int status = find_object(all, name) != NULL
                     ? qconf_fail(q, MSG_EXISTS_SS, rules_of(row)->words.noun, name)
                     : edit_template(q, row, name);
    cull_delete(&cull_GA_Type, all);
    return status;
}

static int modify_object(struct qconf *q, const struct qconf_row *row, const char *name)
{
    struct GA_Type *all = qconf_get(q, row->target, name);
    if (all == NULL)
        return 1;
    const struct TX_Type *object = find_object(all, name);
    int status =
        object != NULL ? edit_object(q, GDI_MOD, row, object) : say_unknown(q, rules_of(row), name);
    cull_delete(&cull_GA_Type, all);
    return status;
}

int object_modify(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    struct name_list names = { 0 };
    if (rules_of(row)->own->only != NULL)
        return edit_only(q, row);
    int status = qconf_may_change(q, row->target) ? names_of(q, row, args, n, &names) : 1;
    for (uint32_t i = 0; i < names.n && status == 0; i++)
        status = modify_object(q, row, names.v[i]);
    name_list_free(&names);
    return status;
}

/* ---- users of user sets ---- */

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

/* USER comes into SET, or goes; IS_THERE: the qmaster has the set */
static int change_user(struct qconf *q, const struct qconf_row *row, struct TX_Type *set,
                       bool is_there, const char *user, bool is_added)
{
    const char *entries = object_value(set, "entries");
    struct name_list had = { 0 };
    struct dstr value = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    struct GR_Type request = { 0 };
    int status;
    name_list_split(&had, entries);
    if (name_list_has(&had, user) == is_added) {
        status = is_added ? qconf_fail(q, MSG_USER_THERE_SS, user, set->TX_name)
                          : qconf_fail(q, MSG_USER_NOT_THERE_SS, user, set->TX_name);
    } else {
        entries_change(entries, user, is_added, &value);
        status = object_set(rules_of(row), set, "entries", dstr_get(&value), &ans) == 0
                     ? 0
                     : qconf_print_failure(q, &ans, "");
        qconf_request(&request, is_there ? GDI_MOD : GDI_ADD, row->target);
        cull_copy(&cull_TX_Type, cull_append(&request, GR_texts), set);
        if (status == 0)
            status = qconf_send(q, &request, NULL);
        if (status == 0 && is_added)
            (void)fprintf(q->err, MSG_USER_ADDED_SS "\n", user, set->TX_name);
        else if (status == 0)
            (void)fprintf(q->err, MSG_USER_DELETED_SS "\n", user, set->TX_name);
        cull_clear(&cull_GR_Type, &request);
    }
    dstr_free(&value);
    name_list_free(&had);
    return status;
}

/* all USERS; of a set that is not there the first one makes it */
static int change_set(struct qconf *q, const struct qconf_row *row, const char *name,
                      const struct name_list *users, bool is_added)
{
    struct GA_Type *all = qconf_get(q, row->target, name);
    struct TX_Type set = { 0 };
    int status = 0;
    if (all == NULL)
        return 1;
    bool is_there = find_object(all, name) != NULL;
    if (is_there)
        cull_copy(&cull_TX_Type, &set, find_object(all, name));
    else if (is_added)
        object_template(rules_of(row), name, &set);
    else
        status = say_unknown(q, rules_of(row), name);
    for (uint32_t i = 0; set.TX_name != NULL && i < users->n; i++) {
        if (change_user(q, row, &set, is_there, users->v[i], is_added) == 0)
            is_there = true;
        else
            status = 1;
    }
    cull_clear(&cull_TX_Type, &set);
    cull_delete(&cull_GA_Type, all);
    return status;
}

static int change_sets(struct qconf *q, const struct qconf_row *row, char *const *args,
                       bool is_added)
{
    struct name_list users = { 0 }, sets = { 0 };
    int status = 0;
    name_list_split(&users, args[0]);
    name_list_split(&sets, args[1]);
    for (uint32_t i = 0; i < sets.n; i++)
        if (change_set(q, row, sets.v[i], &users, is_added) != 0)
            status = 1;
    name_list_free(&users);
    name_list_free(&sets);
    return status;
}

int userset_add_users(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)n;
    return change_sets(q, row, args, true);
}

int userset_delete_users(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)n;
    return change_sets(q, row, args, false);
}
