/* The windows of objects, and what they ask the qmaster. No window here. */
#include "clients/qmon/widgets/object_groups.h"

static const struct {
    const char *name;
    struct group_kind kinds[GROUP_KINDS_MOST]; /* behind the last they have no name */
} groups[OBJECT_GROUPS] = {
    [GROUP_COMPLEX] = { "complexObjects", { { GDI_COMPLEX, "complexes" } } },
    [GROUP_CLUSTER] = { "clusterObjects", { { GDI_CONFIG, "configurations" } } },
    [GROUP_HOST] = { "hostObjects",
                     { { GDI_EXECHOST, "execHosts" },
                       { GDI_HOSTGROUP, "hostGroups" },
                       { GDI_ADMINHOST, "adminHosts" },
                       { GDI_SUBMITHOST, "submitHosts" } } },
    [GROUP_CALENDAR] = { "calendarObjects", { { GDI_CALENDAR, "calendars" } } },
    [GROUP_USER] = { "userObjects",
                     { { GDI_USER, "users" },
                       { GDI_USERSET, "userSets" },
                       { GDI_MANAGER, "managers" },
                       { GDI_OPERATOR, "operators" } } },
    [GROUP_PE] = { "parallelObjects", { { GDI_PE, "environments" } } },
    [GROUP_CHECKPOINT] = { "checkpointObjects", { { GDI_CKPT, "checkpoints" } } },
    [GROUP_SCHEDULER] = { "schedulerObjects",
                          { { GDI_SCHEDCONF, "scheduler" }, { GDI_SHARETREE, "shareTree" } } },
    [GROUP_PROJECT] = { "projectObjects", { { GDI_PROJECT, "projects" } } },
    [GROUP_QUOTA] = { "quotaObjects", { { GDI_RQS, "quotas" } } },
};

const char *object_group_name(enum object_group group)
{
    return groups[group].name;
}

const struct group_kind *object_group_kind(enum object_group group, unsigned number)
{
    bool is_there = number < GROUP_KINDS_MOST && groups[group].kinds[number].name != NULL;
    return is_there ? &groups[group].kinds[number] : NULL;
}

void target_names(enum gdi_target target, const struct GA_Type *all,
                  void (*fn)(void *ctx, const char *name), void *ctx)
{
    const struct kind *kind = kind_of(target);
    const struct cull_list *objects = kind != NULL ? kind_objects(kind, all) : NULL;
    for (uint32_t i = 0; objects != NULL && i < objects->n; i++) {
        const char *name = kind_name(kind, cull_list_at(kind_type(kind), objects, i));
        if (name != NULL)
            fn(ctx, name);
    }
    for (uint32_t i = 0; kind == NULL && i < all->GA_names.n; i++)
        if (all->GA_names.v[i].NM_name != NULL)
            fn(ctx, all->GA_names.v[i].NM_name);
}

static void begin_request(enum gdi_verb verb, enum gdi_target target, struct GR_Type *out)
{
    cull_set(out, GR_verb, (uint32_t)verb);
    cull_set(out, GR_target, (uint32_t)target);
}

void target_request_add(enum gdi_target target, const char *name, struct GR_Type *out)
{
    begin_request(GDI_ADD, target, out);
    cull_set(cull_append(out, GR_names), NM_name, name);
}

void target_request_delete(enum gdi_target target, const char *name, struct GR_Type *out)
{
    begin_request(GDI_DEL, target, out);
    cull_set(cull_append(out, GR_select), ID_str, name);
}
