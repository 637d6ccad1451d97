/* Objects by the values of their attributes: -sobjl. Each object is read in its text form, the one
 * that all kinds have. A queue has values for all hosts, and others for single hosts and groups:
 * value,[host=value]. Source: qconf(1). */
#include <stdlib.h>
#include <string.h>

#include "clients/qconf/exchange.h"
#include "clients/qconf/msg_qconf.h"
#include "clients/qconf/output.h"
#include "libs/config/attr_names.h"
#include "libs/config/attr_text.h"
#include "libs/config/host.h"
#include "libs/kinds/kinds.h"
#include "libs/uti/pattern.h"

/* whose values are looked at, and what is named if one matches */
enum scope {
    SCOPE_OBJECT,   /* those for all hosts; the object */
    SCOPE_DOMAIN,   /* those for host groups; queue@@group */
    SCOPE_INSTANCE, /* those for hosts; queue@host */
};
struct wanted {
    const struct kind *kind;
    enum scope scope;
    const char *attr, *value; /* patterns */
};

/* the whole value, or one element of it if it is a list */
static bool value_matches(const char *value, const char *pattern)
{
    struct dstr word = DSTR_INIT;
    bool is_match = pattern_match(pattern, value);
    for (const char *at = value; !is_match && attr_next_word(&at, ", ", &word);)
        is_match = pattern_match(pattern, dstr_get(&word));
    dstr_free(&word);
    return is_match;
}

static bool part_matches(const char *value, size_t len, const char *pattern)
{
    char *part = uti_strndup(value, len);
    bool is_match = value_matches(part, pattern);
    free(part);
    return is_match;
}

/* QUEUE@HOST, if it is a name of the scope that is wanted and new */
static void add_instance(const struct wanted *w, const char *queue, const char *host, size_t len,
                         struct name_list *found)
{
    struct dstr name = DSTR_INIT;
    dstr_addf(&name, "%s@", queue);
    dstr_addn(&name, host, len);
    if ((host[0] == '@') == (w->scope == SCOPE_DOMAIN) && !name_list_has(found, dstr_get(&name)))
        name_list_add(found, dstr_get(&name), name.len);
    dstr_free(&name);
}

/* the [host=value] of a queue at AT */
static void match_hosts(const struct wanted *w, const char *queue, const char *at,
                        struct name_list *found)
{
    for (; (at = strchr(at, '[')) != NULL; at += strcspn(at, "]")) {
        const char *host = at + 1, *value = host + strcspn(host, "=]");
        size_t host_len = (size_t)(value - host);
        value += *value == '=';
        if (part_matches(value, strcspn(value, "]"), w->value))
            add_instance(w, queue, host, host_len, found);
    }
}

static void match_value(const struct wanted *w, const char *name, const char *value,
                        struct name_list *found)
{
    const char *hosts = (w->kind->traits & KIND_HOST_VALUES) != 0 ? strstr(value, ",[") : NULL;
    size_t len = hosts != NULL ? (size_t)(hosts - value) : strlen(value);
    if (w->scope != SCOPE_OBJECT && hosts != NULL)
        match_hosts(w, name, hosts, found);
    else if (w->scope == SCOPE_OBJECT && !name_list_has(found, name) &&
             part_matches(value, len, w->value))
        name_list_add(found, name, strlen(name));
}

static void match_object(const struct wanted *w, const void *object, struct name_list *found)
{
    struct dstr text = DSTR_INIT, attr = DSTR_INIT, value = DSTR_INIT;
    const char *name = kind_name(w->kind, object);
    w->kind->form->print(w->kind, object, false, true, &text);
    struct attr_reader reader = ATTR_READER(dstr_get(&text));
    while (name != NULL && attr_read(&reader, &attr, &value))
        if (pattern_match(w->attr, dstr_get(&attr)))
            match_value(w, name, dstr_get(&value), found);
    dstr_free(&text);
    dstr_free(&attr);
    dstr_free(&value);
}

/* the hosts that every cell has, though the qmaster may know nothing of them */
static void add_builtin_hosts(const struct kind *kind, struct GA_Type *all)
{
    static const char *const names[] = { "template", "global" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (kind_object(kind, all, names[i]) != NULL)
            continue;
        struct EH_Type *host = host_template(names[i]);
        cull_copy(&cull_EH_Type, cull_append(all, GA_hosts), host);
        cull_delete(&cull_EH_Type, host);
    }
}

static int show_matches(struct qconf *q, const struct qconf_row *row, const struct wanted *w)
{
    struct name_list found = { 0 };
    struct GA_Type *all = qconf_get(q, w->kind->target, NULL);
    if (all == NULL)
        return 1;
    if (w->kind->target == GDI_EXECHOST)
        add_builtin_hosts(w->kind, all);
    const struct cull_list *l = kind_objects(w->kind, all);
    for (uint32_t i = 0; i < l->n; i++)
        match_object(w, (const char *)l->v + i * kind_type(w->kind)->bytes, &found);
    output_names(q, row->name);
    for (uint32_t i = 0; i < found.n; i++)
        output_name(q, found.v[i]);
    output_end(q);
    name_list_free(&found);
    cull_delete(&cull_GA_Type, all);
    return 0;
}

int show_matching_objects(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    struct answer ans = ANSWER_INIT;
    bool is_domain = strcmp(args[0], "queue_domain") == 0;
    bool is_instance = strcmp(args[0], "queue_instance") == 0;
    struct wanted w = { .kind = kind_find(is_domain || is_instance ? "queue" : args[0]),
                        .scope = is_domain     ? SCOPE_DOMAIN
                                 : is_instance ? SCOPE_INSTANCE
                                               : SCOPE_OBJECT,
                        .attr = args[1],
                        .value = args[2] };
    (void)n;
    if (w.kind == NULL)
        return qconf_fail(q, "%s %s: not supported yet", row->name, args[0]);
    if (pattern_check(w.attr, &ans) != 0 || pattern_check(w.value, &ans) != 0)
        return qconf_print_failure(q, &ans, "");
    return show_matches(q, row, &w);
}
