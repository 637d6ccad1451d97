/* Attributes of objects: -mattr, -rattr, -aattr, -dattr, each with its form for files, and -purge.
 * Of an object the qmaster sends all, and all goes back as one change, whatever part of it was
 * changed (attr_change.h). Source: qconf(1). */
#include <stdlib.h>
#include <string.h>

#include "clients/qconf/attr_change.h"
#include "clients/qconf/msg_qconf.h"
#include "libs/config/attr_text.h"
#include "libs/config/cqueue.h"

/* What is changed is named: the qmaster takes patterns where objects are shown. Of a queue only
 * OBJECT up to its @ is the name. */
static struct GA_Type *get_object(struct qconf *q, const struct attr_kind *kind, const char *object,
                                  void **record)
{
    size_t len = kind->has_hosts ? strcspn(object, "@") : strlen(object);
    char *name = uti_strndup(object, len);
    struct GA_Type *all = qconf_get(q, kind->target, name);
    *record = all != NULL ? attr_kind_object(kind, all, name) : NULL;
    if (all != NULL && *record == NULL) {
        (void)qconf_fail(q, MSG_ATTR_UNKNOWN_SS, attr_kind_noun(kind), name);
        cull_delete(&cull_GA_Type, all);
        all = NULL;
    }
    free(name);
    return all;
}

/* attributes and values, as many of each */
struct changes {
    struct name_list attrs, values;
};

static void changes_add(struct changes *c, const char *attr, const char *value)
{
    name_list_add(&c->attrs, attr, strlen(attr));
    name_list_add(&c->values, value, strlen(value));
}

static void changes_free(struct changes *c)
{
    name_list_free(&c->attrs);
    name_list_free(&c->values);
}

/* all attributes, and then one request */
static int change_object(struct qconf *q, const struct attr_kind *kind, enum attr_op op,
                         const struct changes *c, const char *object)
{
    const char *at = kind->has_hosts ? strchr(object, '@') : NULL;
    struct attr_target t = { .kind = kind, .object = object, .host = at != NULL ? at + 1 : "/" };
    struct GA_Type *all = get_object(q, kind, object, &t.record);
    int status = all != NULL ? 0 : 1;
    for (uint32_t i = 0; i < c->attrs.n && status == 0; i++) {
        t.attr = c->attrs.v[i];
        status = attr_change(q, &t, op, c->values.v[i]);
    }
    if (status == 0)
        status = attr_kind_send(kind, q, t.record);
    cull_delete(&cull_GA_Type, all);
    return status;
}

static int change_objects(struct qconf *q, const struct attr_kind *kind, enum attr_op op,
                          const struct changes *c, char *const *objects, int n)
{
    int status = 0;
    for (int i = 0; i < n && status == 0; i++)
        status = change_object(q, kind, op, c, objects[i]);
    return status;
}

static int no_such_kind(struct qconf *q, const struct qconf_row *row, const char *word)
{
    return qconf_fail(q, "%s %s: not supported yet", row->name, word);
}

static int change_by_words(struct qconf *q, const struct qconf_row *row, enum attr_op op,
                           char *const *args, int n)
{
    const struct attr_kind *kind = attr_kind_find(args[0]);
    struct changes c = { 0 };
    if (kind == NULL)
        return no_such_kind(q, row, args[0]);
    changes_add(&c, args[1], args[2]);
    int status = change_objects(q, kind, op, &c, args + 3, n - 3);
    changes_free(&c);
    return status;
}

int attr_modify(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    return change_by_words(q, row, OP_MODIFY, args, n);
}

int attr_replace(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    return change_by_words(q, row, OP_REPLACE, args, n);
}

int attr_add(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    return change_by_words(q, row, OP_ADD, args, n);
}

int attr_delete(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    return change_by_words(q, row, OP_DELETE, args, n);
}

/* ---- attributes and values from a file, a line each ---- */
static int change_by_file(struct qconf *q, const struct qconf_row *row, enum attr_op op,
                          char *const *args, int n)
{
    const struct attr_kind *kind = attr_kind_find(args[0]);
    struct changes c = { 0 };
    struct dstr text = DSTR_INIT, attr = DSTR_INIT, value = DSTR_INIT;
    int status = 1;
    if (kind == NULL)
        return no_such_kind(q, row, args[0]);
    if (qconf_read_file(q, attr_kind_file(kind), args[1], &text)) {
        struct attr_reader reader = ATTR_READER(dstr_get(&text));
        while (attr_read(&reader, &attr, &value))
            changes_add(&c, dstr_get(&attr), dstr_get(&value));
        status = c.attrs.n > 0 ? change_objects(q, kind, op, &c, args + 2, n - 2)
                               : qconf_fail(q, MSG_FILE_WRONG_SS, attr_kind_file(kind), args[1]);
    }
    changes_free(&c);
    dstr_free(&text);
    dstr_free(&attr);
    dstr_free(&value);
    return status;
}

int attr_modify_file(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    return change_by_file(q, row, OP_MODIFY, args, n);
}

int attr_replace_file(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    return change_by_file(q, row, OP_REPLACE, args, n);
}

int attr_add_file(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    return change_by_file(q, row, OP_ADD, args, n);
}

int attr_delete_file(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    return change_by_file(q, row, OP_DELETE, args, n);
}

/* ---- -purge queue ATTR[,ATTR]|'*' QUEUE@HOST: the host goes back to the values for all hosts
 * ---- */
static int purge_attrs(struct qconf *q, struct attr_target *t, const char *attrs)
{
    struct name_list names = { 0 };
    bool is_changed = false, is_all = strcmp(attrs, "*") == 0;
    if (!is_all)
        name_list_split(&names, attrs);
    for (unsigned i = 0; is_all && i < cqueue_attrs_n; i++)
        name_list_add(&names, cqueue_attrs[i].rule.name, strlen(cqueue_attrs[i].rule.name));
    for (uint32_t i = 0; i < names.n; i++)
        is_changed = attr_purge_own(t, names.v[i]) || is_changed;
    name_list_free(&names);
    return is_changed ? attr_kind_send(t->kind, q, t->record)
                      : qconf_fail(q, MSG_PURGE_NOTHING_SS, attrs, t->host);
}

int attr_purge(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)n;
    const struct attr_kind *kind = attr_kind_find(args[0]);
    const char *at = strchr(args[2], '@');
    if (kind == NULL || !kind->has_hosts)
        return no_such_kind(q, row, args[0]);
    if (at == NULL || at[1] == '\0')
        return qconf_fail(q, MSG_PURGE_OBJECT_S, args[2]);
    struct attr_target t = { .kind = kind, .object = args[2], .host = at + 1 };
    struct GA_Type *all = get_object(q, kind, args[2], &t.record);
    if (all == NULL)
        return 1;
    int status = purge_attrs(q, &t, args[1]);
    cull_delete(&cull_GA_Type, all);
    return status;
}
