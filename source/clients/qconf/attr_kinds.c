/* What an attribute is in queues, in hosts, and in the kinds of libs/config/object.h. */
#include "clients/qconf/attr_kinds.h"

#include <string.h>

#include "libs/config/cqueue.h"
#include "libs/config/host.h"
#include "libs/config/object.h"

/* ---- queues ---- */
static bool queue_syntax(const struct attr_kind *kind SGE_UNUSED, const char *attr,
                         enum attr_syntax *out)
{
    const struct cqueue_attr *row = cqueue_attr_find(attr);
    bool is_hosts = strcmp(attr, "hostlist") == 0;
    *out = row != NULL ? row->rule.syntax : ATTR_HOSTS;
    return row != NULL || is_hosts;
}

static void queue_value(const void *object, const char *attr, struct dstr *out)
{
    (void)cqueue_value(object, attr, out);
}

static int queue_set(const struct attr_kind *kind SGE_UNUSED, void *object, const char *attr,
                     const char *value, struct answer *ans)
{
    return cqueue_set(object, attr, value, ans);
}

/* ---- hosts ---- */
static bool host_syntax(const struct attr_kind *kind SGE_UNUSED, const char *attr,
                        enum attr_syntax *out)
{
    const struct attr_rule *rule = host_attr_rule(attr);
    if (rule != NULL)
        *out = rule->syntax;
    return rule != NULL;
}

static void host_value(const void *object, const char *attr, struct dstr *out)
{
    struct host_attr_view view;
    for (size_t i = 0; host_attr(object, i, &view, out); i++)
        if (strcmp(view.name, attr) == 0)
            return;
}

static int host_attr_set(const struct attr_kind *kind SGE_UNUSED, void *object, const char *attr,
                         const char *value, struct answer *ans)
{
    host_complete(object); /* one of which nobody has said anything has no attributes yet */
    return host_set(object, attr, value, ans);
}

/* ---- the other kinds ---- */
static const struct object_rules *rules_of(const struct attr_kind *kind)
{
    return object_rules_of((enum object_kind)kind->target);
}

static bool object_syntax(const struct attr_kind *kind, const char *attr, enum attr_syntax *out)
{
    const struct object_attr *row = object_attr_find(rules_of(kind), attr);
    if (row == NULL || row->is_repeated)
        return false;
    *out = row->rule.syntax;
    return true;
}

static void object_value_add(const void *object, const char *attr, struct dstr *out)
{
    const char *value = object_value(object, attr);
    dstr_add(out, value != NULL ? value : "NONE");
}

static int object_attr_set(const struct attr_kind *kind, void *object, const char *attr,
                           const char *value, struct answer *ans)
{
    return object_set(rules_of(kind), object, attr, value, ans);
}

#define OBJECT_ROW(word, target)                                                                   \
    {                                                                                              \
        word, target, false, GA_texts, GR_texts, &cull_TX_Type, NULL, NULL, object_syntax,         \
            object_value_add, object_attr_set                                                      \
    }
static const struct attr_kind attr_kinds[] = {
    { "queue", GDI_CQUEUE, true, GA_cqueues, GR_cqueues, &cull_CQ_Type, "cluster queue",
      "Cluster queue", queue_syntax, queue_value, queue_set },
    { "exechost", GDI_EXECHOST, false, GA_hosts, GR_hosts, &cull_EH_Type, "exechost",
      "Execution host", host_syntax, host_value, host_attr_set },
    OBJECT_ROW("pe", GDI_PE),
    OBJECT_ROW("ckpt", GDI_CKPT),
    OBJECT_ROW("hostgroup", GDI_HOSTGROUP),
    OBJECT_ROW("calendar", GDI_CALENDAR),
    OBJECT_ROW("userset", GDI_USERSET),
    OBJECT_ROW("project", GDI_PROJECT),
    OBJECT_ROW("user", GDI_USER),
    OBJECT_ROW("resource_quota", GDI_RQS),
};

const struct attr_kind *attr_kind_find(const char *word)
{
    for (size_t i = 0; i < ARRAY_LEN(attr_kinds); i++)
        if (strcmp(attr_kinds[i].word, word) == 0)
            return &attr_kinds[i];
    return NULL;
}

const char *attr_kind_noun(const struct attr_kind *kind)
{
    return kind->noun != NULL ? kind->noun : rules_of(kind)->words.noun;
}

const char *attr_kind_file(const struct attr_kind *kind)
{
    return kind->file != NULL ? kind->file : rules_of(kind)->words.file;
}

static unsigned name_field(const struct cull_type *type)
{
    unsigned field = 0;
    while (type->fields[field].kind != CULL_STRING)
        field++;
    return field;
}

const char *attr_kind_name(const struct attr_kind *kind, const void *object)
{
    const char *const *name = cull_member(kind->type, object, name_field(kind->type));
    return *name;
}

void *attr_kind_object(const struct attr_kind *kind, const struct GA_Type *all, const char *name)
{
    const struct cull_list *l = cull_member(&cull_GA_Type, all, kind->answer);
    for (uint32_t i = 0; i < l->n; i++) {
        void *object = (char *)l->v + i * kind->type->bytes;
        const char *its = attr_kind_name(kind, object);
        if (its != NULL && strcmp(its, name) == 0)
            return object;
    }
    return NULL;
}

int attr_kind_send(const struct attr_kind *kind, struct qconf *q, const void *object)
{
    struct GR_Type request = { 0 };
    qconf_request(&request, GDI_MOD, kind->target);
    void *copy = cull_append_element(&request, cull_GR_Type.fields[kind->request].offset,
                                     kind->request, kind->type->bytes);
    cull_copy(kind->type, copy, object);
    return qconf_send(q, &request, q->out);
}
