/* The options that show: lists of names, objects in their text forms, and objects by the values of
 * their attributes. Names are sorted, whatever order they come in. Source: qconf(1). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clients/qconf/msg_qconf.h"
#include "clients/qconf/output.h"
#include "clients/qconf/qconf.h"
#include "libs/config/attr_names.h"
#include "libs/config/attr_text.h"
#include "libs/config/conf.h"
#include "libs/config/cqueue.h"
#include "libs/config/host.h"
#include "libs/config/object.h"
#include "libs/config/qinstance.h"
#include "libs/kinds/kinds.h"
#include "libs/uti/file.h"
#include "libs/uti/parse.h"
#include "libs/uti/pattern.h"

/* What is said when there is none. */
static const char *noun_of(enum gdi_target target)
{
    static const char *const nouns[GDI_TARGETS] = {
        [GDI_CQUEUE] = "cqueue list",
        [GDI_EXECHOST] = "execution host",
        [GDI_ADMINHOST] = "administrative host",
        [GDI_SUBMITHOST] = "submit host",
        [GDI_MANAGER] = "manager",
        [GDI_OPERATOR] = "operator",
    };
    const struct object_rules *rules = object_rules_of((enum object_kind)target);
    if (rules != NULL)
        return rules->words.none;
    return nouns[target] != NULL ? nouns[target] : "object";
}

static void add_name(struct name_list *names, const char *name)
{
    if (name != NULL)
        name_list_add(names, name, strlen(name));
}

static void collect_names(const struct GA_Type *all, struct name_list *names)
{
    for (uint32_t i = 0; i < all->GA_cqueues.n; i++)
        add_name(names, all->GA_cqueues.v[i].CQ_name);
    for (uint32_t i = 0; i < all->GA_names.n; i++)
        add_name(names, all->GA_names.v[i].NM_name);
    for (uint32_t i = 0; i < all->GA_texts.n; i++)
        add_name(names, all->GA_texts.v[i].TX_name);
    for (uint32_t i = 0; i < all->GA_hosts.n; i++) {
        const char *name = all->GA_hosts.v[i].EH_name;
        if (name != NULL && strcmp(name, "global") != 0 && strcmp(name, "template") != 0)
            add_name(names, name);
    }
}

static int name_compare(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static int print_names(struct qconf *q, const char *option, struct name_list *names,
                       const char *noun)
{
    if (names->n > 1)
        qsort(names->v, names->n, sizeof *names->v, name_compare);
    output_names(q, option);
    for (uint32_t i = 0; i < names->n; i++)
        output_name(q, names->v[i]);
    output_end(q);
    int status = names->n > 0 ? 0 : qconf_fail(q, MSG_NONE_DEFINED_S, noun);
    name_list_free(names);
    return status;
}

int show_names(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)args;
    (void)n;
    struct name_list names = { 0 };
    struct GA_Type *all = qconf_get_names(q, row->target);
    if (all == NULL)
        return 1;
    collect_names(all, &names);
    cull_delete(&cull_GA_Type, all);
    return print_names(q, row->name, &names, noun_of(row->target));
}

static void put_cqueue(struct qconf *q, const struct CQ_Type *queue)
{
    struct dstr text = DSTR_INIT;
    cqueue_text(queue, output_is_single(q), &text);
    output_object(q, queue->CQ_name, dstr_get(&text));
    dstr_free(&text);
}

/* between two queues */
static void put_blank_line(struct qconf *q, bool is_wanted)
{
    if (is_wanted && output_page(q) != NULL)
        (void)fputc('\n', output_page(q));
}

static int cqueue_compare(const void *left, const void *right)
{
    return strcmp(((const struct CQ_Type *)left)->CQ_name,
                  ((const struct CQ_Type *)right)->CQ_name);
}

void sort_queues(struct CQ_Type_list *queues)
{
    if (queues->n > 1)
        qsort(queues->v, queues->n, sizeof queues->v[0], cqueue_compare);
}

static int qinstance_compare(const void *left, const void *right)
{
    return strcmp(((const struct QU_Type *)left)->QU_full_name,
                  ((const struct QU_Type *)right)->QU_full_name);
}

/* "queue" shows cluster queues, "queue@host" queue instances; with a blank line between two. */
static int show_matching(struct qconf *q, const char *pattern)
{
    bool is_instance = strchr(pattern, '@') != NULL;
    struct GA_Type *all = qconf_get(q, is_instance ? GDI_QINSTANCE : GDI_CQUEUE, pattern);
    if (all == NULL)
        return 1;
    sort_queues(&all->GA_cqueues);
    if (all->GA_queues.n > 1)
        qsort(all->GA_queues.v, all->GA_queues.n, sizeof all->GA_queues.v[0], qinstance_compare);
    for (uint32_t i = 0; i < all->GA_cqueues.n; i++) {
        put_blank_line(q, i > 0);
        put_cqueue(q, &all->GA_cqueues.v[i]);
    }
    for (uint32_t i = 0; i < all->GA_queues.n; i++) {
        struct dstr text = DSTR_INIT;
        qinstance_text(&all->GA_queues.v[i], output_is_single(q), &text);
        put_blank_line(q, i > 0);
        output_object(q, all->GA_queues.v[i].QU_full_name, dstr_get(&text));
        dstr_free(&text);
    }
    bool is_found = all->GA_cqueues.n + all->GA_queues.n > 0;
    cull_delete(&cull_GA_Type, all);
    return is_found ? 0 : qconf_fail(q, MSG_NO_QUEUE_MATCHES_S, pattern);
}

static int show_template(struct qconf *q)
{
    struct CQ_Type *template = cqueue_template("template");
    put_cqueue(q, template);
    cull_delete(&cull_CQ_Type, template);
    return 0;
}

int show_queues(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    struct name_list patterns = { 0 };
    output_objects(q, row->name);
    int status = n == 0 ? show_template(q) : 0;
    for (int i = 0; i < n; i++)
        name_list_split(&patterns, args[i]);
    for (uint32_t i = 0; i < patterns.n && status == 0; i++) {
        put_blank_line(q, i > 0);
        status = show_matching(q, patterns.v[i]);
    }
    output_end(q);
    name_list_free(&patterns);
    return status;
}

/* ---- objects of all kinds ---- */

static void put_object(struct qconf *q, const struct kind *kind, const char *name,
                       const void *object)
{
    const struct object_rules *rules = object_rules_of((enum object_kind)kind->target);
    bool has_blocks = rules != NULL && rules->own->print != NULL;
    struct dstr text = DSTR_INIT;
    kind->form->print(kind, object, false, output_is_single(q), &text);
    (has_blocks ? output_blocks : output_object)(q, kind->title != NULL ? kind->title : name,
                                                 dstr_get(&text));
    dstr_free(&text);
}

static int show_one(struct qconf *q, const struct kind *kind, const char *name)
{
    struct GA_Type *all = qconf_get(q, kind->target, name);
    int status = 0;
    if (all == NULL)
        return 1;
    const void *object = kind_object(kind, all, name);
    void *builtin = object == NULL ? kind_builtin(kind, name) : NULL;
    if (object != NULL || builtin != NULL)
        put_object(q, kind, name, object != NULL ? object : builtin);
    else
        status = say_unknown(q, kind, name);
    cull_delete(kind_type(kind), builtin);
    cull_delete(&cull_GA_Type, all);
    return status;
}

int show_objects(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    const struct kind *kind = kind_of(row->target);
    struct name_list names = { 0 };
    int status = named_objects(q, kind, args, n, &names);
    output_objects(q, row->name);
    for (uint32_t i = 0; i < names.n && status == 0; i++)
        status = show_one(q, kind, names.v[i]);
    output_end(q);
    name_list_free(&names);
    return status;
}

int show_conf_names(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    struct name_list names = { 0 };
    (void)args;
    (void)n;
    struct GA_Type *all = qconf_get_names(q, row->target);
    if (all == NULL)
        return 1;
    for (uint32_t i = 0; i < all->GA_confs.n; i++) {
        if (all->GA_confs.v[i].CONF_name != NULL &&
            strcmp(all->GA_confs.v[i].CONF_name, CONF_GLOBAL) != 0)
            add_name(&names, all->GA_confs.v[i].CONF_name);
    }
    cull_delete(&cull_GA_Type, all);
    return print_names(q, row->name, &names, "config");
}

static int client_compare(const void *left, const void *right)
{
    const char *l = object_value(left, "id"), *r = object_value(right, "id");
    uint32_t l_id = 0, r_id = 0;
    (void)(l != NULL && parse_u32(l, &l_id));
    (void)(r != NULL && parse_u32(r, &r_id));
    return l_id < r_id ? -1 : l_id > r_id;
}

static void put_event_client(struct qconf *q, const struct TX_Type *client)
{
    const char *id = object_value(client, "id"), *host = object_value(client, "host");
    struct dstr text = DSTR_INIT;
    if (id == NULL || host == NULL || client->TX_name == NULL)
        return;
    dstr_addf(&text, "id %s\nhost %s\n", id, host);
    if (output_page(q) != NULL)
        (void)fprintf(output_page(q), "%8s %-15s %-25s\n", id, client->TX_name, host);
    else
        output_object(q, client->TX_name, dstr_get(&text));
    dstr_free(&text);
}

int show_event_clients(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    static const char line[] = "--------------------------------------------------";
    struct GA_Type *all = qconf_get(q, row->target, NULL);
    (void)args;
    (void)n;
    if (all == NULL)
        return 1;
    if (all->GA_texts.n > 1)
        qsort(all->GA_texts.v, all->GA_texts.n, sizeof all->GA_texts.v[0], client_compare);
    output_objects(q, row->name);
    if (output_page(q) != NULL && all->GA_texts.n > 0)
        (void)fprintf(output_page(q), "%8s %-15s %-25s\n%s\n", "ID", "NAME", "HOST", line);
    for (uint32_t i = 0; i < all->GA_texts.n; i++)
        put_event_client(q, &all->GA_texts.v[i]);
    output_end(q);
    int status = all->GA_texts.n > 0 ? 0 : qconf_fail(q, MSG_NONE_DEFINED_S, "event client");
    cull_delete(&cull_GA_Type, all);
    return status;
}

/* The scheduler runs beside the qmaster, whose host is written in the cell. */
int show_scheduler_host(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    struct answer ans = ANSWER_INIT;
    struct dstr text = DSTR_INIT;
    char *path = path_join(q->common_dir, "act_qmaster");
    int status = 0;
    (void)args;
    (void)n;
    output_names(q, row->name);
    if (file_read(path, 4096, &text, &ans) == 0) {
        char *host = uti_strndup(dstr_get(&text), strcspn(dstr_get(&text), "\n"));
        output_name(q, host);
        free(host);
    } else {
        status = qconf_print_failure(q, &ans, "");
    }
    output_end(q);
    dstr_free(&text);
    free(path);
    return status;
}

/* ---- objects by the values of their attributes: -sobjl ---- */
/* Each object is read in its text form, the one that all kinds have. A queue has values for all
 * hosts, and others for single hosts and groups: value,[host=value]. */

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
