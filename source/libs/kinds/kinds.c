/* The table of kinds, made of the rows of sge_object_kindsL.h: queues, hosts, configurations, and
 * the kinds of libs/config/object.h; before it how objects are written, and what their attributes
 * are, form by form. What comes from a file, an editor or a window is read here, so that mistakes
 * are reported early; the qmaster checks again. Source: qconf(1). */
#include "libs/kinds/kinds.h"

#include <string.h>

#include "libs/config/conf.h"
#include "libs/config/cqueue.h"
#include "libs/config/host.h"
#include "libs/config/object.h"
#include "libs/uti/dstr.h"
#include "libs/uti/host_name.h"

/* a new element of LIST, which is empty and of records of KIND */
static void *push_only(const struct kind *kind, struct cull_list *list)
{
    return cull_push_element(list, kind_type(kind)->bytes);
}

/* RESULT of reading the one element of LIST: no part of it stays after a failure */
static int parsed_only(const struct kind *kind, struct cull_list *list, int result)
{
    if (result < 0)
        cull_list_clear(kind_type(kind), list);
    return result;
}

/* ---- queues ---- */
static int queue_parse(const struct kind *kind, const char *text, const char *name SGE_UNUSED,
                       struct cull_list *out, struct answer *ans)
{
    return parsed_only(kind, out, cqueue_parse(text, push_only(kind, out), ans));
}

static void queue_print(const struct kind *kind SGE_UNUSED, const void *object,
                        bool is_edited SGE_UNUSED, bool is_single, struct dstr *out)
{
    cqueue_text(object, is_single, out);
}

static void *queue_blank(const struct kind *kind SGE_UNUSED, const char *name)
{
    return cqueue_template(name);
}

static const struct attr_rule *queue_rule(const struct kind *kind SGE_UNUSED, const char *attr)
{
    static const struct attr_rule hostlist = ATTR_ROW("hostlist", ATTR_HOSTS, "NONE");
    const struct cqueue_attr *row = cqueue_attr_find(attr);
    if (row != NULL)
        return &row->rule;
    return strcmp(attr, hostlist.name) == 0 ? &hostlist : NULL;
}

static void queue_value(const void *object, const char *attr, struct dstr *out)
{
    (void)cqueue_value(object, attr, out);
}

static int queue_set(const struct kind *kind SGE_UNUSED, void *object, const char *attr,
                     const char *value, struct answer *ans)
{
    return cqueue_set(object, attr, value, ans);
}

static const struct kind_form kind_queue_form = { queue_parse, queue_print, queue_blank };
static const struct kind_attrs kind_queue_attrs = { queue_rule, queue_value, queue_set };

/* ---- hosts ---- */
static int parse_host(const struct kind *kind, const char *text, const char *name SGE_UNUSED,
                      struct cull_list *out, struct answer *ans)
{
    return parsed_only(kind, out, host_parse(text, push_only(kind, out), ans));
}

static void host_print(const struct kind *kind SGE_UNUSED, const void *object, bool is_edited,
                       bool is_single, struct dstr *out)
{
    host_text(object, is_edited, is_single, out);
}

static void *host_blank(const struct kind *kind SGE_UNUSED, const char *name)
{
    return host_template(name);
}

static const struct attr_rule *host_rule(const struct kind *kind SGE_UNUSED, const char *attr)
{
    return host_attr_rule(attr);
}

static void host_value(const void *object, const char *attr, struct dstr *out)
{
    struct host_attr_view view;
    for (size_t i = 0; host_attr(object, i, &view, out); i++)
        if (strcmp(view.name, attr) == 0)
            return;
}

static int host_attr_set(const struct kind *kind SGE_UNUSED, void *object, const char *attr,
                         const char *value, struct answer *ans)
{
    host_complete(object); /* one of which nobody has said anything has no attributes yet */
    return host_set(object, attr, value, ans);
}

static const struct kind_form kind_host_form = { parse_host, host_print, host_blank };
static const struct kind_attrs kind_host_attrs = { host_rule, host_value, host_attr_set };

/* ---- configurations ---- */
static int parse_conf(const struct kind *kind, const char *text, const char *name,
                      struct cull_list *out, struct answer *ans)
{
    return parsed_only(kind, out, conf_parse(text, name, push_only(kind, out), ans));
}

static void conf_print(const struct kind *kind SGE_UNUSED, const void *object, bool is_edited,
                       bool is_single, struct dstr *out)
{
    if (!is_edited)
        dstr_addf(out, "#%s:\n", ((const struct CONF_Type *)object)->CONF_name);
    conf_text(object, is_single, out);
    dstr_addc(out, '\n');
}

static void sched_conf_print(const struct kind *kind SGE_UNUSED, const void *object,
                             bool is_edited SGE_UNUSED, bool is_single, struct dstr *out)
{
    conf_text(object, is_single, out);
}

/* a host's says only where the host differs */
static void *conf_blank(const struct kind *kind, const char *name)
{
    struct CONF_Type *conf = cull_new(kind_type(kind));
    cull_set(conf, CONF_name, name);
    return conf;
}

static const struct attr_rule *param_rule(const struct kind *kind SGE_UNUSED, const char *attr)
{
    return conf_rule(attr);
}

static void param_value(const void *object, const char *attr, struct dstr *out)
{
    dstr_add(out, conf_get(NULL, object, attr));
}

static int param_set(const struct kind *kind SGE_UNUSED, void *object, const char *attr,
                     const char *value, struct answer *ans)
{
    return conf_set(object, attr, value, ans);
}

static const struct kind_attrs kind_conf_attrs = { param_rule, param_value, param_set };
static const struct kind_form kind_conf_form = { parse_conf, conf_print, conf_blank };
static const struct kind_form kind_sched_conf_form = { parse_conf, sched_conf_print, conf_blank };

/* ---- the other kinds ---- */
static int parse_objects(const struct kind *kind, const char *text, const char *name SGE_UNUSED,
                         struct cull_list *out, struct answer *ans)
{
    struct TX_Type_list list = { 0 };
    int result = object_parse_all(kind_rules(kind), text, &list, ans);
    *out = (struct cull_list){ list.v, list.n, list.cap };
    return result;
}

static void object_print(const struct kind *kind, const void *object, bool is_edited SGE_UNUSED,
                         bool is_single, struct dstr *out)
{
    object_text(kind_rules(kind), object, is_single, out);
}

static void *object_blank(const struct kind *kind, const char *name)
{
    struct TX_Type *tx = cull_new(kind_type(kind));
    object_template(kind_rules(kind), name, tx);
    return tx;
}

static const struct attr_rule *object_rule(const struct kind *kind, const char *attr)
{
    const struct object_attr *row = object_attr_find(kind_rules(kind), attr);
    return row != NULL && !row->is_repeated ? &row->rule : NULL;
}

static void object_value_add(const void *object, const char *attr, struct dstr *out)
{
    const char *value = object_value(object, attr);
    dstr_add(out, value != NULL ? value : "NONE");
}

static int object_attr_set(const struct kind *kind, void *object, const char *attr,
                           const char *value, struct answer *ans)
{
    return object_set(kind_rules(kind), object, attr, value, ans);
}

static const struct kind_form kind_object_form = { parse_objects, object_print, object_blank };
static const struct kind_attrs kind_object_attrs = { object_rule, object_value_add,
                                                     object_attr_set };

/* ---- the table ---- */

/* what the kinds of one form have in common */
/* clang-format off */
#define KIND_OF_TEXTS                                                                              \
    .answer = GA_texts, .request = GR_texts, .seen = GR_seen, .form = &kind_object_form,           \
    .attrs = &kind_object_attrs
#define KIND_OF_CQUEUES                                                                            \
    .answer = GA_cqueues, .request = GR_cqueues, .seen = GR_seen_cqueues, .form = &kind_queue_form,\
    .attrs = &kind_queue_attrs, .noun = "cluster queue", .file = "Cluster queue",                  \
    .unknown_before = "denied: cluster queue \"", .unknown_after = "\" does not exist",            \
    .name_attr = "qname"
#define KIND_OF_HOSTS                                                                              \
    .answer = GA_hosts, .request = GR_hosts, .seen = GR_seen_hosts, .form = &kind_host_form,       \
    .attrs = &kind_host_attrs, .noun = "exechost", .file = "Execution host",                       \
    .unknown_before = "can't resolve hostname \"", .unknown_after = "\"", .name_attr = "hostname"
#define KIND_OF_CONFS                                                                              \
    .answer = GA_confs, .request = GR_confs, .seen = GR_seen_confs, .form = &kind_conf_form,       \
    .attrs = &kind_conf_attrs, .noun = "configuration", .file = "Configuration",                   \
    .unknown_before = "configuration ", .unknown_after = " not defined", .unnamed = CONF_GLOBAL
#define KIND_OF_SCHEDCONF                                                                          \
    .answer = GA_confs, .request = GR_confs, .seen = GR_seen_confs, .form = &kind_sched_conf_form, \
    .attrs = &kind_conf_attrs, .noun = "scheduler configuration",                                  \
    .file = "Scheduler configuration", .unknown_before = "no scheduler configuration defined",     \
    .only = CONF_SCHEDULER, .title = "scheduler"
/* clang-format on */

static const struct kind kinds[] = {
#define OBJECT_KIND(name, number, word, attr_word, page, letters, group, button, of_form, has)     \
    { .target = GDI_##name, .traits = (has), KIND_OF_##of_form },
#include "libs/sgeobj/sge_object_kindsL.h"
#undef OBJECT_KIND
};

const struct kind *kind_of(enum gdi_target target)
{
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (kinds[i].target == target)
            return &kinds[i];
    return NULL;
}

const struct kind *kind_at(unsigned i)
{
    return i < ARRAY_LEN(kinds) ? &kinds[i] : NULL;
}

const struct kind *kind_find(const char *word)
{
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        const char *own = object_kind_attr_word(kinds[i].target);
        if (own != NULL && strcmp(own, word) == 0)
            return &kinds[i];
    }
    return NULL;
}

const struct object_rules *kind_rules(const struct kind *kind)
{
    return object_rules_of((enum object_kind)kind->target);
}

const struct cull_type *kind_type(const struct kind *kind)
{
    return cull_GR_Type.fields[kind->request].element;
}

const char *kind_noun(const struct kind *kind)
{
    return kind->noun != NULL ? kind->noun : kind_rules(kind)->words.noun;
}

const char *kind_file(const struct kind *kind)
{
    return kind->file != NULL ? kind->file : kind_rules(kind)->words.file;
}

const char *kind_only(const struct kind *kind)
{
    return kind_rules(kind) != NULL ? kind_rules(kind)->own->only : kind->only;
}

void kind_add_unknown(const struct kind *kind, const char *name, struct dstr *out)
{
    const struct object_rules *rules = kind_rules(kind);
    const char *before = rules != NULL ? rules->words.unknown_before : kind->unknown_before;
    const char *after = rules != NULL ? rules->words.unknown_after : kind->unknown_after;
    dstr_add(out, before);
    if (kind_only(kind) == NULL)
        dstr_addf(out, "%s%s", name, after);
}

const char *kind_name_attr(const struct kind *kind)
{
    return kind_rules(kind) != NULL ? kind_rules(kind)->name_attr : kind->name_attr;
}

bool kind_has_lines(const struct kind *kind)
{
    const struct object_rules *rules = kind_rules(kind);
    return rules == NULL || (!rules->has_braces && rules->own->parse == NULL);
}

/* the first text of the record */
static unsigned name_field(const struct cull_type *type)
{
    unsigned field = 0;
    while (type->fields[field].kind != CULL_STRING)
        field++;
    return field;
}

const char *kind_name(const struct kind *kind, const void *object)
{
    const struct cull_type *type = kind_type(kind);
    const char *const *name = cull_member(type, object, name_field(type));
    return *name;
}

void kind_rename(const struct kind *kind, void *object, const char *name)
{
    const struct cull_type *type = kind_type(kind);
    unsigned field = name_field(type);
    cull_set_string(object, type->fields[field].offset, field, name);
}

const struct cull_list *kind_objects(const struct kind *kind, const struct GA_Type *all)
{
    return cull_member(&cull_GA_Type, all, kind->answer);
}

/* hosts and their configurations are called what the host is, which has several names */
static bool is_called(const struct kind *kind, const char *its, const char *name)
{
    bool is_host = kind->target == GDI_EXECHOST || kind->target == GDI_CONFIG;
    return strcmp(its, name) == 0 || (is_host && host_name_equal(its, name));
}

void *kind_find_object(const struct kind *kind, const struct cull_list *l, const char *name)
{
    for (uint32_t i = 0; i < l->n; i++) {
        void *object = (char *)l->v + i * kind_type(kind)->bytes;
        const char *its = kind_name(kind, object);
        if (its != NULL && is_called(kind, its, name))
            return object;
    }
    return NULL;
}

void *kind_object(const struct kind *kind, const struct GA_Type *all, const char *name)
{
    return kind_find_object(kind, kind_objects(kind, all), name);
}

void *kind_builtin(const struct kind *kind, const char *name)
{
    bool is_builtin = strcmp(name, "global") == 0 || strcmp(name, "template") == 0;
    return kind->target == GDI_EXECHOST && is_builtin ? kind->form->blank(kind, name) : NULL;
}

void kind_put(const struct kind *kind, struct GR_Type *request, unsigned field, const void *object)
{
    const struct cull_type *type = kind_type(kind);
    void *copy =
        cull_append_element(request, cull_GR_Type.fields[field].offset, field, type->bytes);
    cull_copy(type, copy, object);
}
