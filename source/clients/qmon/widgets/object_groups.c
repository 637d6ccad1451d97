/* The windows of objects, and what they ask the qmaster. No window here. */
#include "clients/qmon/widgets/object_groups.h"

static const char *const names[OBJECT_GROUPS] = {
    [GROUP_COMPLEX] = "complexObjects",
    [GROUP_CLUSTER] = "clusterObjects",
    [GROUP_HOST] = "hostObjects",
    [GROUP_CALENDAR] = "calendarObjects",
    [GROUP_USER] = "userObjects",
    [GROUP_PE] = "parallelObjects",
    [GROUP_CHECKPOINT] = "checkpointObjects",
    [GROUP_SCHEDULER] = "schedulerObjects",
    [GROUP_PROJECT] = "projectObjects",
    [GROUP_QUOTA] = "quotaObjects",
};

/* the kinds of all windows; lists of names come last */
static const struct {
    enum object_group group;
    struct group_kind kind;
} kinds[] = {
#define OBJECT_KIND(name, number, word, attr_word, page, letters, group, button, ...)              \
    { GROUP_##group, { GDI_##name, button } },
#include "libs/sgeobj/sge_object_kindsL.h"
#undef OBJECT_KIND
    { GROUP_HOST, { GDI_ADMINHOST, "adminHosts" } },
    { GROUP_HOST, { GDI_SUBMITHOST, "submitHosts" } },
    { GROUP_USER, { GDI_MANAGER, "managers" } },
    { GROUP_USER, { GDI_OPERATOR, "operators" } },
};

const char *object_group_name(enum object_group group)
{
    return names[group];
}

const struct group_kind *object_group_kind(enum object_group group, unsigned number)
{
    for (size_t i = 0; number < GROUP_KINDS_MOST && i < ARRAY_LEN(kinds); i++)
        if (kinds[i].group == group && number-- == 0)
            return &kinds[i].kind;
    return NULL;
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
