/* Host groups with what is in them: as a tree, and as the hosts they come to. A group may hold
 * groups; one that holds itself is cut off at GROUP_DEPTH_MAX. Source: qconf(1), hostgroup(5). */
#include <stdlib.h>
#include <string.h>

#include "clients/qconf/msg_qconf.h"
#include "clients/qconf/shown.h"
#include "libs/config/object.h"

enum { GROUP_DEPTH_MAX = 16 };

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

void walk_group(const struct GA_Type *all, const char *name, unsigned depth, member_fn fn,
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
    shown_member(ctx, name, depth);
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
    FILE *page = shown_page(q);
    for (uint32_t i = 0; i < hosts.n; i++) {
        if (i > 0 && strcmp(hosts.v[i - 1], hosts.v[i]) == 0)
            continue;
        if (page != NULL)
            (void)fprintf(page, "%s%s", i > 0 ? " " : "", hosts.v[i]);
        else
            shown_name(q, hosts.v[i]);
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
    (is_tree ? shown_objects : shown_names)(q, row->name);
    if (members_of(all, group) == NULL)
        status = qconf_fail(q, MSG_NO_HOST_GROUP_S, group);
    else if (is_tree)
        walk_group(all, group, 0, put_branch, q);
    else
        put_hosts(q, all, group);
    shown_end(q);
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
