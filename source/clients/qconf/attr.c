/* Attributes of objects: -mattr, -rattr, -aattr, -dattr, each with its form for files, and -purge.
 * Of an object the qmaster sends all, and all goes back as one change, whatever part of it was
 * changed (attr_change.h). Source: qconf(1). */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "clients/qconf/attr_change.h"
#include "clients/qconf/msg_qconf.h"
#include "clients/qconf/qconf.h"
#include "libs/config/attr_names.h"
#include "libs/config/attr_text.h"
#include "libs/config/cqueue.h"
#include "libs/uti/alloc.h"
#include "libs/uti/parse.h"

/* ---- the limits of a rule ---- */
/* -mattr, -rattr, -aattr and -dattr of the attribute limit of a resource quota set, where T->object
 * is "SET/RULE", RULE being the name or the number of the rule */

/* the next word at *AT, which moves behind it; blanks in braces are no end */
static bool rule_word(const char **at, struct dstr *word)
{
    int depth = 0;
    *at += strspn(*at, " \t");
    dstr_clear(word);
    for (; **at != '\0' && (depth > 0 || strchr(" \t", **at) == NULL); (*at)++) {
        depth += (**at == '{') - (**at == '}');
        dstr_addc(word, **at);
    }
    return word->len > 0;
}

/* where the limits of RULE begin; NAME gets its name, if it has one */
static const char *limits_of(const char *rule, struct dstr *name)
{
    struct dstr keyword = DSTR_INIT, list = DSTR_INIT;
    const char *at = rule;
    while (rule_word(&at, &keyword) && strcmp(dstr_get(&keyword), "to") != 0)
        if (rule_word(&at, &list) && strcmp(dstr_get(&keyword), "name") == 0)
            dstr_add(name, dstr_get(&list));
    dstr_free(&keyword);
    dstr_free(&list);
    return at + strspn(at, " \t");
}

static bool is_meant(const char *rule, uint32_t number, const char *wanted)
{
    struct dstr name = DSTR_INIT;
    uint32_t n;
    (void)limits_of(rule, &name);
    bool is_it = strcmp(dstr_get(&name), wanted) == 0 || (parse_u32(wanted, &n) && n == number);
    dstr_free(&name);
    return is_it;
}

/* the rule that OBJECT ("r1/first", "r1/2") names; NULL: none */
static struct VA_Type *find_rule(struct TX_Type *tx, const char *object)
{
    const char *wanted = strchr(object, '/');
    uint32_t number = 0;
    for (uint32_t i = 0; wanted != NULL && i < tx->TX_entries.n; i++) {
        struct VA_Type *va = &tx->TX_entries.v[i];
        if (va->VA_variable == NULL || va->VA_value == NULL ||
            strcmp(va->VA_variable, "limit") != 0)
            continue;
        number++;
        if (is_meant(va->VA_value, number, wanted + 1))
            return va;
    }
    return NULL;
}

static void split_limits(const char *text, struct name_list *out)
{
    struct dstr item = DSTR_INIT;
    for (const char *at = text; attr_next_word(&at, " ,", &item);)
        name_list_add(out, item.s, item.len);
    dstr_free(&item);
}

static uint32_t find_limit(const struct name_list *list, const char *limit)
{
    size_t len = strcspn(limit, "=");
    uint32_t i = 0;
    while (i < list->n && (strcspn(list->v[i], "=") != len || strncmp(list->v[i], limit, len) != 0))
        i++;
    return i;
}

static void drop_limit(struct name_list *have, uint32_t at)
{
    free(have->v[at]);
    memmove(&have->v[at], &have->v[at + 1], (have->n - at - 1) * sizeof *have->v);
    have->n--;
}

static void join_limit(struct attr_target *t, enum attr_op op, struct name_list *have,
                       const char *limit)
{
    uint32_t at = find_limit(have, limit);
    bool is_there = at < have->n;
    if (op == OP_DELETE && !is_there) {
        t->lacks = true;
        dstr_addf(&t->said, MSG_ATTR_NOT_THERE_SSS "\n", limit, t->attr,
                  object_kind_attr_word(t->kind->target));
    }
    if (op == OP_ADD && is_there)
        dstr_addf(&t->said, MSG_ATTR_THERE_SSS "\n", limit, t->attr,
                  object_kind_attr_word(t->kind->target));
    if (op == OP_DELETE && is_there) {
        drop_limit(have, at);
    } else if (op != OP_DELETE && !is_there) {
        name_list_add(have, limit, strlen(limit));
    } else if (op == OP_MODIFY) {
        free(have->v[at]);
        have->v[at] = uti_strdup(limit);
    }
}

static int rule_limits_change(struct qconf *q, struct attr_target *t, enum attr_op op,
                              const char *value)
{
    struct name_list have = { 0 }, more = { 0 };
    struct dstr name = DSTR_INIT, text = DSTR_INIT;
    struct VA_Type *rule = find_rule(t->record, t->object);
    if (rule == NULL)
        return qconf_fail(q, MSG_RULE_NONE);
    const char *limits = limits_of(rule->VA_value, &name);
    if (op != OP_REPLACE)
        split_limits(limits, &have);
    split_limits(value, op == OP_REPLACE ? &have : &more);
    for (uint32_t i = 0; i < more.n; i++)
        join_limit(t, op, &have, more.v[i]);
    dstr_addn(&text, rule->VA_value, (size_t)(limits - rule->VA_value));
    for (uint32_t i = 0; i < have.n; i++)
        dstr_addf(&text, "%s%s", i > 0 ? "," : "", have.v[i]);
    cull_set(rule, VA_value, dstr_get(&text));
    name_list_free(&have);
    name_list_free(&more);
    dstr_free(&name);
    dstr_free(&text);
    return 0;
}

/* ---- by words of the command line ---- */

/* Of a queue only OBJECT up to its @ is the name, of a resource quota set up to its /. */
static struct GA_Type *get_object(struct qconf *q, struct attr_target *t)
{
    bool has_hosts = (t->kind->traits & KIND_HOST_VALUES) != 0;
    const char *end = has_hosts ? "@" : t->kind->target == GDI_RQS ? "/" : "";
    char *name = uti_strndup(t->object, strcspn(t->object, end));
    struct GA_Type *all = qconf_get_raw(q, t->kind->target, name);
    t->record = all != NULL ? kind_object(t->kind, all, name) : NULL;
    if (all != NULL && t->record == NULL)
        t->record = t->made = kind_builtin(t->kind, name);
    if (all != NULL && t->record == NULL) {
        if (t->is_purge)
            (void)qconf_fail(q, MSG_PURGE_UNKNOWN_S, name);
        else
            (void)qconf_fail(q, MSG_ATTR_UNKNOWN_SS, kind_noun(t->kind), name);
        cull_delete(&cull_GA_Type, all);
        all = NULL;
    }
    free(name);
    return all;
}

/* The whole object goes back, with what it was when it was read; one that the qmaster did not have
 * is added. Returns as qconf_try. */
static int send_object(struct qconf *q, const struct attr_target *t, const void *seen,
                       unsigned attempt)
{
    struct GR_Type request = { 0 };
    qconf_request(&request, t->made != NULL ? GDI_ADD : GDI_MOD, t->kind->target);
    kind_put(t->kind, &request, t->kind->request, t->record);
    if (t->made == NULL)
        kind_put(t->kind, &request, t->kind->seen, seen);
    return qconf_try(q, &request, q->out, dstr_get(&t->said), attempt);
}

typedef int work_fn(struct qconf *q, struct attr_target *t, const void *ctx);

/* WORK on what the qmaster has of T->object, and send it. Returns as qconf_try. */
static int change_once(struct qconf *q, struct attr_target *t, work_fn *work, const void *ctx,
                       unsigned attempt)
{
    struct GA_Type *all = get_object(q, t);
    t->lacks = false;
    if (all == NULL)
        return 1;
    void *seen = cull_new(kind_type(t->kind));
    cull_copy(kind_type(t->kind), seen, t->record);
    int status = work(q, t, ctx);
    if (status == 0)
        status = send_object(q, t, seen, attempt);
    dstr_free(&t->said);
    cull_delete(kind_type(t->kind), seen);
    cull_delete(kind_type(t->kind), t->made);
    t->made = NULL;
    cull_delete(&cull_GA_Type, all);
    return status;
}

/* ---- -purge queue ATTR[,ATTR]|'*' QUEUE@HOST: the host goes back to the values for all hosts */
static int purge_attrs(struct qconf *q, struct attr_target *t, const void *ctx)
{
    const char *attrs = ctx;
    struct name_list names = { 0 };
    bool is_changed = false, is_all = strcmp(attrs, "*") == 0;
    if (!is_all)
        name_list_split(&names, attrs);
    for (unsigned i = 0; is_all && i < cqueue_attrs_n; i++)
        name_list_add(&names, cqueue_attrs[i].rule.name, strlen(cqueue_attrs[i].rule.name));
    for (uint32_t i = 0; i < names.n; i++)
        is_changed = attr_purge_own(t, names.v[i]) || is_changed;
    name_list_free(&names);
    return is_changed ? 0 : qconf_fail(q, MSG_PURGE_NOTHING_SS, attrs, t->host);
}

enum { LACKS = 2 }; /* status of a change that names elements which are not there */

/* What somebody else changed meanwhile is read anew: words say what is to become of an object,
 * whatever it is. */
static int change_object(struct qconf *q, const struct kind *kind, const char *object,
                         work_fn *work, const void *ctx)
{
    bool has_hosts = (kind->traits & KIND_HOST_VALUES) != 0;
    const char *at = has_hosts ? strchr(object, '@') : NULL;
    struct attr_target t = { .kind = kind, .object = object, .host = at != NULL ? at + 1 : "/" };
    t.is_purge = work == purge_attrs;
    unsigned attempt = 1;
    int status;
    while ((status = change_once(q, &t, work, ctx, attempt)) == QCONF_AGAIN)
        attempt++;
    return status == 0 && t.lacks ? LACKS : status;
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

struct operation {
    enum attr_op op;
    struct changes c;
};

/* all attributes, and then one request */
static int change_attrs(struct qconf *q, struct attr_target *t, const void *ctx)
{
    const struct operation *o = ctx;
    int status = 0;
    for (uint32_t i = 0; i < o->c.attrs.n && status == 0; i++) {
        t->attr = o->c.attrs.v[i];
        bool is_of_rule = t->kind->target == GDI_RQS && strcmp(t->attr, "limit") == 0;
        status = (is_of_rule ? rule_limits_change : attr_change)(q, t, o->op, o->c.values.v[i]);
    }
    return status;
}

static int change_objects(struct qconf *q, const struct kind *kind, const struct operation *o,
                          char *const *objects, int n)
{
    int status = 0;
    bool lacks = false;
    for (int i = 0; i < n && status != 1; i++) {
        status = change_object(q, kind, objects[i], change_attrs, o);
        lacks = lacks || status == LACKS;
    }
    return lacks ? 1 : status;
}

/* the first letter of the option says it: -aattr, -Aattr ... */
static enum attr_op op_of(const struct qconf_row *row)
{
    switch (tolower((unsigned char)row->name[1])) {
    case 'a':
        return OP_ADD;
    case 'd':
        return OP_DELETE;
    case 'm':
        return OP_MODIFY;
    default:
        return OP_REPLACE;
    }
}

int attr_by_words(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    const struct kind *kind = kind_find(args[0]);
    struct operation o = { .op = op_of(row) };
    if (kind == NULL)
        return qconf_fail(q, MSG_ATTR_KIND_S, args[0]);
    changes_add(&o.c, args[1], args[2]);
    int status = change_objects(q, kind, &o, args + 3, n - 3);
    changes_free(&o.c);
    return status;
}

/* ---- attributes and values from a file, a line each ---- */
int attr_by_file(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    const struct kind *kind = kind_find(args[0]);
    struct operation o = { .op = op_of(row) };
    struct dstr text = DSTR_INIT, attr = DSTR_INIT, value = DSTR_INIT;
    int status = 1;
    if (kind == NULL)
        return qconf_fail(q, MSG_ATTR_KIND_S, args[0]);
    if (qconf_read_file(q, kind_file(kind), args[1], &text)) {
        struct attr_reader reader = ATTR_READER(dstr_get(&text));
        while (attr_read(&reader, &attr, &value))
            changes_add(&o.c, dstr_get(&attr), dstr_get(&value));
        status = o.c.attrs.n > 0 ? change_objects(q, kind, &o, args + 2, n - 2)
                                 : qconf_fail(q, MSG_FILE_WRONG_SS, kind_file(kind), args[1]);
    }
    changes_free(&o.c);
    dstr_free(&text);
    dstr_free(&attr);
    dstr_free(&value);
    return status;
}

int attr_purge(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)row;
    (void)n;
    const struct kind *kind = kind_find(args[0]);
    const char *at = strchr(args[2], '@');
    if (kind == NULL || (kind->traits & KIND_HOST_VALUES) == 0)
        return qconf_fail(q, MSG_PURGE_KIND_S, args[0]);
    if (at == NULL || at[1] == '\0')
        return qconf_fail(q, MSG_PURGE_OBJECT_S, args[2]);
    return change_object(q, kind, args[2], purge_attrs, args[1]);
}
