/* The options that show: lists of names, and objects in their text forms. Names are sorted,
 * whatever order they come in. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clients/qconf/exchange.h"
#include "clients/qconf/msg_qconf.h"
#include "clients/qconf/names.h"
#include "clients/qconf/output.h"
#include "libs/config/conf.h"
#include "libs/config/cqueue.h"
#include "libs/config/object.h"
#include "libs/config/qinstance.h"
#include "libs/uti/file.h"
#include "libs/uti/parse.h"

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
