/* Is an object still what the sender saw before he changed it? A request may say what he saw, in
 * full: a list of GR_Type for each form of objects. What is compared is what administrators set,
 * which is what the spool keeps; loads of hosts change all the time. Who does not say what he saw
 * means the object whatever it is. */
#include "daemons/qmaster/requests/objects/config.h"

#include "daemons/qmaster/requests/steps/msg_requests.h"

static const void *find_cqueue(struct qmaster *q, const struct request *r SGE_UNUSED,
                               const char *name)
{
    const struct cqueue *cq = queues_cqueue(&q->queues, name);
    return cq != NULL ? &cq->rec : NULL;
}

static const void *find_host(struct qmaster *q, const struct request *r SGE_UNUSED,
                             const char *name)
{
    const struct host *h = hosts_find(&q->hosts, name);
    return h != NULL ? &h->rec : NULL;
}

static const void *find_conf(struct qmaster *q, const struct request *r SGE_UNUSED,
                             const char *name)
{
    const struct conf *c = settings_conf(&q->settings, name);
    return c != NULL ? &c->rec : NULL;
}

static const void *find_text(struct qmaster *q, const struct request *r, const char *name)
{
    const struct text_object *t =
        settings_text(&q->settings, (enum gdi_target)r->gr.GR_target, name);
    return t != NULL ? &t->rec : NULL;
}

/* names of lists come and go, and never change */
static const struct sight {
    unsigned field; /* of GR_Type */
    const void *(*find)(struct qmaster *q, const struct request *r, const char *name);
} sights[CONFIG_FORMS] = {
    [IS_CQUEUE] = { GR_seen_cqueues, find_cqueue },
    [IS_HOST] = { GR_seen_hosts, find_host },
    [IS_CONF] = { GR_seen_confs, find_conf },
    [IS_OBJECT] = { GR_seen, find_text },
};

const char *config_name_of(const struct cull_type *type, const void *record)
{
    unsigned field = 0;
    while (type->fields[field].kind != CULL_STRING)
        field++;
    const char *const *name = cull_member(type, record, field);
    return *name;
}

static bool is_same(const struct cull_type *type, const void *seen, const void *now)
{
    for (unsigned i = 0; i < type->n_fields; i++)
        if ((type->fields[i].flags & CULL_SPOOL) != 0 && !cull_field_equal(type, seen, now, i))
            return false;
    return true;
}

bool config_is_as_seen(struct qmaster *q, struct request *r, const char *name)
{
    const struct sight *sight = &sights[config_kind_of(r)->form];
    if (sight->find == NULL || name == NULL)
        return true;
    const struct cull_type *type = cull_GR_Type.fields[sight->field].element;
    const struct cull_list *seen = cull_member(&cull_GR_Type, &r->gr, sight->field);
    for (uint32_t i = 0; i < seen->n; i++) {
        const void *it = cull_list_at(type, seen, i);
        const char *its = config_name_of(type, it);
        if (its == NULL || strcmp(its, name) != 0)
            continue;
        const void *now = sight->find(q, r, name);
        if (now != NULL && is_same(type, it, now))
            continue;
        config_say_moved(r, name);
        return false;
    }
    return true;
}
