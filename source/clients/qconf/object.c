/* Objects of all kinds (libs/kinds), added and changed: from files, from the files of a directory,
 * or through an editor. What is wrong with an attribute is said here, with the text still at hand;
 * the qmaster checks again, and says what is wrong with the whole. Who edits an object changes what
 * he saw: if it is another by then, the qmaster refuses. What was written in an editor is kept when
 * it is not taken. Source: qconf(1). */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "clients/qconf/msg_qconf.h"
#include "clients/qconf/qconf.h"
#include "libs/uti/file.h"

/* one or more objects as text */
struct written {
    const char *text;
    const char *path;               /* of its file; NULL: from an editor */
    const char *name;               /* of the object, if the text has none */
    const void *seen;               /* what was edited; NULL: nothing that is there */
    const struct name_list *wanted; /* those of the objects that are taken; NULL: all of them */
};

static int send_object(struct qconf *q, const struct kind *kind, enum gdi_verb verb,
                       const void *object, const void *seen)
{
    struct GR_Type request = { 0 };
    if (check_named_hosts(q, kind, object) != 0)
        return 1;
    qconf_request(&request, verb, kind->target);
    kind_put(kind, &request, kind->request, object);
    if (seen != NULL)
        kind_put(kind, &request, kind->seen, seen);
    bool is_on_stdout = (kind->traits & KIND_ADDS_ON_STDOUT) != 0 && verb == GDI_ADD;
    return qconf_send(q, &request, is_on_stdout ? q->out : q->err);
}

/* One that was renamed in the editor would overwrite another that the user has not seen. */
static bool is_still_called(struct qconf *q, const struct kind *kind, const void *object,
                            const void *seen)
{
    const char *name = kind_name(kind, object);
    if (seen == NULL || kind_only(kind) != NULL || strcmp(name, kind_name(kind, seen)) == 0)
        return true;
    (void)qconf_fail(q, MSG_EDIT_RENAMED_SSS, kind_noun(kind), kind_name(kind, seen), name);
    return false;
}

/* does OBJECTS have all that are wanted? Asked before the first is sent */
static bool are_all_there(struct qconf *q, const struct kind *kind, const struct written *w,
                          const struct cull_list *objects)
{
    for (uint32_t i = 0; w->wanted != NULL && i < w->wanted->n; i++) {
        const char *name = w->wanted->v[i];
        if (kind_find_object(kind, objects, name) != NULL)
            continue;
        (void)qconf_fail(q, MSG_NOT_IN_FILE_SSS, kind_noun(kind), name, w->path);
        return false;
    }
    return true;
}

static int take_object(struct qconf *q, const struct kind *kind, enum gdi_verb verb,
                       const struct written *w, const void *object)
{
    if (w->wanted != NULL && !name_list_has(w->wanted, kind_name(kind, object)))
        return 0;
    return is_still_called(q, kind, object, w->seen) ? send_object(q, kind, verb, object, w->seen)
                                                     : 1;
}

static int take_written(struct qconf *q, const struct kind *kind, enum gdi_verb verb,
                        const struct written *w)
{
    struct cull_list objects = { 0 };
    struct answer ans = ANSWER_INIT;
    if (kind->form->parse(kind, w->text, w->name, &objects, &ans) < 0)
        return w->path != NULL ? qconf_bad_file(q, kind_file(kind), w->path, &ans)
                               : qconf_print_failure(q, &ans, "");
    int status = are_all_there(q, kind, w, &objects) ? 0 : 1;
    for (uint32_t i = 0; i < objects.n && status == 0; i++)
        status = take_object(q, kind, verb, w, cull_list_at(kind_type(kind), &objects, i));
    cull_list_clear(kind_type(kind), &objects);
    return status;
}

/* ---- files ---- */

/* A text that does not name its object cannot be told from that of another: is the one that its
 * file is called after there, if it is to be changed, and not, if it is new? */
static bool is_in_place(struct qconf *q, const struct kind *kind, enum gdi_verb verb,
                        const char *name)
{
    struct GA_Type *all = qconf_get(q, kind->target, name);
    if (all == NULL)
        return false;
    bool is_there = kind_object(kind, all, name) != NULL;
    cull_delete(&cull_GA_Type, all);
    if (is_there && verb == GDI_ADD)
        (void)qconf_fail(q, MSG_EXISTS_SS, kind_noun(kind), name);
    else if (!is_there && verb == GDI_MOD)
        (void)qconf_fail(q, MSG_NO_SUCH_SS, kind_noun(kind), name);
    return is_there == (verb == GDI_MOD);
}

/* WANTED: the names of the objects that are taken; NULL: all of them */
static int from_file(struct qconf *q, const struct kind *kind, enum gdi_verb verb, const char *path,
                     const struct name_list *wanted)
{
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
    bool is_named_by_file = (kind->traits & KIND_NAMED_BY_FILE) != 0;
    struct dstr text = DSTR_INIT;
    int status = 1;
    if (qconf_read_file(q, kind_file(kind), path, &text) &&
        (!is_named_by_file || is_in_place(q, kind, verb, base))) {
        struct written w = { dstr_get(&text), path, is_named_by_file ? base : kind_only(kind), NULL,
                             wanted };
        status = take_written(q, kind, verb, &w);
    }
    dstr_free(&text);
    return status;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* every file of the directory, by name; those that are wrong do not keep the others out */
static int from_directory(struct qconf *q, const struct kind *kind, enum gdi_verb verb,
                          const char *path)
{
    struct dirent **entries = NULL;
    int status = 0, n = scandir(path, &entries, is_visible, alphasort);
    for (int i = 0; i < n; i++) {
        char *file = path_join(path, entries[i]->d_name);
        struct stat st;
        if (stat(file, &st) == 0 && S_ISREG(st.st_mode) &&
            from_file(q, kind, verb, file, NULL) != 0)
            status = 1;
        free(file);
        free(entries[i]);
    }
    free(entries);
    return status;
}

static int from_path(struct qconf *q, const struct kind *kind, enum gdi_verb verb, const char *path)
{
    struct stat st;
    bool is_directory = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
    return is_directory ? from_directory(q, kind, verb, path)
                        : from_file(q, kind, verb, path, NULL);
}

/* WORD: a path; of a kind that is named by its files a list of them */
static int from_paths(struct qconf *q, const struct kind *kind, enum gdi_verb verb,
                      const char *word)
{
    struct name_list paths = { 0 };
    int status = 0;
    if ((kind->traits & KIND_NAMED_BY_FILE) == 0)
        return from_path(q, kind, verb, word);
    name_list_split(&paths, word);
    for (uint32_t i = 0; i < paths.n && status == 0; i++)
        status = from_path(q, kind, verb, paths.v[i]);
    name_list_free(&paths);
    return status;
}

int object_add_file(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)n;
    return from_paths(q, kind_of(row->target), GDI_ADD, args[0]);
}

int object_modify_file(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    const struct kind *kind = kind_of(row->target);
    struct name_list wanted = { 0 };
    if (n < 2)
        return from_paths(q, kind, GDI_MOD, args[0]);
    name_list_split(&wanted, args[1]);
    int status = from_file(q, kind, GDI_MOD, args[0], &wanted);
    name_list_free(&wanted);
    return status;
}

/* ---- the editor ---- */
static int say_unchanged(struct qconf *q, const struct kind *kind)
{
    if ((kind->traits & KIND_MAY_STAY) == 0)
        return qconf_fail(q, "%s",
                          kind->target == GDI_CONFIG ? MSG_CONF_UNCHANGED : MSG_FILE_UNCHANGED);
    (void)fprintf(q->out, "%s\n", MSG_FILE_UNCHANGED);
    return 0;
}

/* OBJECT: what is changed, or what a new one begins as */
static int edit_object(struct qconf *q, const struct kind *kind, enum gdi_verb verb,
                       const void *object)
{
    struct dstr before = DSTR_INIT, after = DSTR_INIT;
    struct answer ans = ANSWER_INIT;
    int status;
    kind->form->print(kind, object, true, q->is_single, &before);
    int edited = q->edit(q->edit_ctx, dstr_get(&before), &after, &ans);
    bool is_taken = edited > 0 || (verb == GDI_ADD && (kind->traits & KIND_NEW_AS_IT_IS) != 0);
    struct written w = { dstr_get(&after), NULL, kind_name(kind, object),
                         verb == GDI_MOD ? object : NULL, NULL };
    if (edited < 0)
        status = qconf_print_failure(q, &ans, "");
    else if (is_taken)
        status = take_written(q, kind, verb, &w);
    else
        status = say_unchanged(q, kind);
    if (edited > 0 && status != 0)
        edit_keep(q, dstr_get(&after));
    dstr_free(&before);
    dstr_free(&after);
    return status;
}

static int edit_blank(struct qconf *q, const struct kind *kind, const char *name)
{
    void *object = kind->form->blank(kind, name);
    int status = edit_object(q, kind, GDI_ADD, object);
    cull_delete(kind_type(kind), object);
    return status;
}

typedef int edit_fn(struct qconf *q, const struct kind *kind, const char *name, void *object);

/* a new one; OBJECT: the one that is there, or NULL */
static int edit_new(struct qconf *q, const struct kind *kind, const char *name, void *object)
{
    if (object == NULL)
        return edit_blank(q, kind, name);
    return qconf_fail(q, MSG_EXISTS_SS, kind_noun(kind), name);
}

static int edit_copy(struct qconf *q, const struct kind *kind, const char *name, void *object)
{
    return object != NULL ? edit_object(q, kind, GDI_ADD, object) : say_unknown(q, kind, name);
}

static int edit_old(struct qconf *q, const struct kind *kind, const char *name, void *object)
{
    return object != NULL ? edit_object(q, kind, GDI_MOD, object) : say_unknown(q, kind, name);
}

/* the one object of its kind: what is there, or else the template */
static int edit_only(struct qconf *q, const struct kind *kind, const char *name, void *object)
{
    return object != NULL ? edit_object(q, kind, GDI_MOD, object) : edit_blank(q, kind, name);
}

static int edit_named(struct qconf *q, const struct kind *kind, edit_fn *edit, const char *name)
{
    struct GA_Type *all = qconf_get_raw(q, kind->target, name);
    int status = all != NULL ? edit(q, kind, name, kind_object(kind, all, name)) : 1;
    cull_delete(&cull_GA_Type, all);
    return status;
}

static int edit_each(struct qconf *q, const struct kind *kind, edit_fn *edit,
                     const struct name_list *names)
{
    int status = qconf_may_change(q, kind->target) ? 0 : 1;
    for (uint32_t i = 0; i < names->n && status == 0; i++)
        status = edit_named(q, kind, edit, names->v[i]);
    return status;
}

int object_add(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    const struct kind *kind = kind_of(row->target);
    struct name_list names = { 0 };
    bool is_copy = n > 0 && (kind->traits & KIND_LIKE_ANOTHER) != 0;
    if (n > 0 || kind_only(kind) != NULL)
        (void)named_objects(q, kind, args, n, &names);
    else
        name_list_add(&names, "template", strlen("template"));
    int status = edit_each(q, kind,
                           kind_only(kind) != NULL ? edit_only
                           : is_copy               ? edit_copy
                                                   : edit_new,
                           &names);
    name_list_free(&names);
    return status;
}

int object_modify(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    const struct kind *kind = kind_of(row->target);
    struct name_list names = { 0 };
    int status = named_objects(q, kind, args, n, &names);
    if (status == 0)
        status = edit_each(q, kind, kind_only(kind) != NULL ? edit_only : edit_old, &names);
    name_list_free(&names);
    return status;
}
