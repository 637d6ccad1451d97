/* Host groups with what is in them: as a tree, and as the hosts they come to. A group may hold
 * groups; one that holds itself is cut off at GROUP_DEPTH_MAX. Source: qconf(1), hostgroup(5). */
#include <stdlib.h>
#include <string.h>

#include "clients/qconf/msg_qconf.h"
#include "clients/qconf/output.h"
#include "clients/qconf/qconf.h"
#include "libs/config/attr_text.h"
#include "libs/config/cqueue.h"
#include "libs/config/object.h"
#include "libs/uti/hash.h"

enum { GROUP_DEPTH_MAX = 16 };
typedef void (*member_fn)(void *ctx, const char *name, unsigned depth);

/* the hosts and groups in group NAME as text, or NULL if there is no such group */
static const char *members_of(const struct GA_Type *all, const char *name)
{
    for (uint32_t i = 0; *name == '@' && i < all->GA_texts.n; i++) {
        const struct TX_Type *group = &all->GA_texts.v[i];
        if (group->TX_name != NULL && strcmp(group->TX_name, name) == 0)
            return object_value(group, "hostlist") != NULL ? object_value(group, "hostlist") : "";
    }
    return NULL;
}

/* FN for NAME, a host or a group, and all that is in it, a group before its members
 *
 *   all    the host groups there are
 *   depth  of NAME; what is deeper than 16 is left out */
static void walk_group(const struct GA_Type *all, const char *name, unsigned depth, member_fn fn,
                       void *ctx)
{
    const char *members = members_of(all, name);
    fn(ctx, name, depth);
    if (members == NULL || depth == GROUP_DEPTH_MAX)
        return;
    for (members += strspn(members, " ,"); *members != '\0'; members += strspn(members, " ,")) {
        size_t len = strcspn(members, " ,");
        char *member = uti_strndup(members, len);
        if (strcmp(member, "NONE") != 0)
            walk_group(all, member, depth + 1, fn, ctx);
        free(member);
        members += len;
    }
}

static void put_branch(void *ctx, const char *name, unsigned depth)
{
    output_member(ctx, name, depth);
}

static void add_host(void *ctx, const char *name, unsigned depth)
{
    (void)depth;
    if (*name != '@')
        name_list_add(ctx, name, strlen(name));
}

static int host_compare(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* each host once; on the page all on one line */
static void put_hosts(struct qconf *q, const struct GA_Type *all, const char *group)
{
    struct name_list hosts = { 0 };
    walk_group(all, group, 0, add_host, &hosts);
    if (hosts.n > 1)
        qsort(hosts.v, hosts.n, sizeof *hosts.v, host_compare);
    FILE *page = output_page(q);
    for (uint32_t i = 0; i < hosts.n; i++) {
        if (i > 0 && strcmp(hosts.v[i - 1], hosts.v[i]) == 0)
            continue;
        if (page != NULL)
            (void)fprintf(page, "%s%s", i > 0 ? " " : "", hosts.v[i]);
        else
            output_name(q, hosts.v[i]);
    }
    if (hosts.n > 0 && page != NULL)
        (void)fputc('\n', page);
    name_list_free(&hosts);
}

static int show_group(struct qconf *q, const struct qconf_row *row, const char *group, bool is_tree)
{
    struct GA_Type *all = qconf_get(q, GDI_HOSTGROUP, NULL);
    if (all == NULL)
        return 1;
    int status = 0;
    (is_tree ? output_objects : output_names)(q, row->name);
    if (members_of(all, group) == NULL)
        status = qconf_fail(q, MSG_NO_HOST_GROUP_S, group);
    else if (is_tree)
        walk_group(all, group, 0, put_branch, q);
    else
        put_hosts(q, all, group);
    output_end(q);
    cull_delete(&cull_GA_Type, all);
    return status;
}

int show_group_tree(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)n;
    return show_group(q, row, args[0], true);
}

int show_group_hosts(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    (void)n;
    return show_group(q, row, args[0], false);
}

/* ---- settings that count nowhere ---- */
/* Settings that count nowhere: -sds. A queue may have values for hosts and groups that its hostlist
 * does not have, or no longer has. A setting for a group is attached if the hostlist comes to the
 * group itself, though it be empty, or to a host in it. Source: qconf(1), queue_conf(5). */

/* the hosts and groups in the hostlist of a queue, and in its groups */
struct attached {
    const struct GA_Type *groups; /* all there are */
    struct name_list names;
    struct name_set set; /* of NAMES */
};

static void attach_member(void *ctx, const char *name, unsigned depth)
{
    struct attached *a = ctx;
    (void)depth;
    if (name_set_has(&a->set, name))
        return;
    name_list_add(&a->names, name, strlen(name));
    (void)name_set_add(&a->set, a->names.v[a->names.n - 1]);
}

struct look {
    const struct attached *attached;
    bool is_found;
};

static void look_at_member(void *ctx, const char *name, unsigned depth)
{
    struct look *look = ctx;
    (void)depth;
    look->is_found = look->is_found || name_set_has(&look->attached->set, name);
}

/* HREF: the host or the group that a setting is for */
static bool is_attached(const struct attached *a, const char *href)
{
    struct look look = { a, false };
    walk_group(a->groups, href, 0, look_at_member, &look);
    return look.is_found;
}

static void add_line(const struct attached *a, const struct CQ_Type *queue,
                     const struct cqueue_attr *attr, bool is_single, struct dstr *out)
{
    const struct AT_Type_list *l = cqueue_settings(queue, attr);
    struct dstr value = DSTR_INIT;
    for (uint32_t i = 1; i < l->n; i++)
        if (!is_attached(a, l->v[i].AT_href))
            dstr_addf(&value, "%s[%s=%s]", value.len > 0 ? "," : "", l->v[i].AT_href,
                      l->v[i].AT_value);
    if (value.len > 0)
        attr_print(out, CQUEUE_TEXT_COLUMN, attr->rule.name, dstr_get(&value), is_single);
    dstr_free(&value);
}

/* appends the lines of QUEUE; nothing if all that it has is attached */
static void add_detached(const struct GA_Type *groups, const struct CQ_Type *queue, bool is_single,
                         struct dstr *out)
{
    struct attached a = { .groups = groups };
    struct dstr lines = DSTR_INIT;
    for (uint32_t i = 0; i < queue->CQ_hostlist.n; i++)
        walk_group(groups, queue->CQ_hostlist.v[i].ST_name, 0, attach_member, &a);
    for (unsigned i = 0; i < cqueue_attrs_n; i++)
        add_line(&a, queue, &cqueue_attrs[i], is_single, &lines);
    if (lines.len > 0) {
        attr_print(out, CQUEUE_TEXT_COLUMN, "qname", queue->CQ_name, is_single);
        dstr_add(out, dstr_get(&lines));
    }
    dstr_free(&lines);
    name_set_free(&a.set);
    name_list_free(&a.names);
}

/* one after the other; on the page with a blank line between two */
static void put_detached(struct qconf *q, const struct GA_Type *groups,
                         const struct CQ_Type_list *queues)
{
    bool is_first = true;
    for (uint32_t i = 0; i < queues->n; i++) {
        struct dstr text = DSTR_INIT;
        add_detached(groups, &queues->v[i], output_is_single(q), &text);
        if (text.len > 0 && !is_first && output_page(q) != NULL)
            (void)fputc('\n', output_page(q));
        if (text.len > 0)
            output_object(q, queues->v[i].CQ_name, dstr_get(&text));
        is_first = is_first && text.len == 0;
        dstr_free(&text);
    }
}

int show_detached(struct qconf *q, const struct qconf_row *row, char *const *args, int n)
{
    struct GA_Type *all = qconf_get(q, GDI_CQUEUE, NULL), *groups = NULL;
    (void)args;
    (void)n;
    if (all != NULL)
        groups = qconf_get(q, GDI_HOSTGROUP, NULL);
    if (groups != NULL) {
        sort_queues(&all->GA_cqueues);
        output_objects(q, row->name);
        put_detached(q, groups, &all->GA_cqueues);
        output_end(q);
    }
    cull_delete(&cull_GA_Type, all);
    cull_delete(&cull_GA_Type, groups);
    return groups != NULL ? 0 : 1;
}
