/* How objects are written, and what their attributes are, kind by kind. What comes from a file, an
 * editor or a window is read here, so that the user hears of a mistake while it is at hand; the
 * qmaster checks again. */
#include "libs/kinds/kinds_priv.h"

#include <string.h>

#include "libs/config/conf.h"
#include "libs/config/cqueue.h"
#include "libs/config/host.h"
#include "libs/config/object_text.h"
#include "libs/uti/dstr.h"

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

const struct kind_form kind_queue_form = { queue_parse, queue_print, queue_blank };
const struct kind_attrs kind_queue_attrs = { queue_rule, queue_value, queue_set };

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

const struct kind_form kind_host_form = { parse_host, host_print, host_blank };
const struct kind_attrs kind_host_attrs = { host_rule, host_value, host_attr_set };

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

const struct kind_attrs kind_conf_attrs = { param_rule, param_value, param_set };
const struct kind_form kind_conf_form = { parse_conf, conf_print, conf_blank };
const struct kind_form kind_sched_conf_form = { parse_conf, sched_conf_print, conf_blank };

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

const struct kind_form kind_object_form = { parse_objects, object_print, object_blank };
const struct kind_attrs kind_object_attrs = { object_rule, object_value_add, object_attr_set };
