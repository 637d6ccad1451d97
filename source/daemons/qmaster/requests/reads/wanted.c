/* Fields by name. What a newer client asks for and is not known here is passed over. */
#include "daemons/qmaster/requests/reads/wanted.h"

#include "libs/config/cqueue.h"
#include "libs/uti/assert.h"

enum { WORD_BITS = 64 };

static void want_field(struct wanted *w, unsigned field)
{
    w->fields[field / WORD_BITS] |= UINT64_C(1) << (field % WORD_BITS);
}

static bool is_wanted(const struct wanted *w, unsigned field)
{
    return (w->fields[field / WORD_BITS] >> (field % WORD_BITS) & 1) != 0;
}

/* an attribute of queue_conf(5); false if NAME is none */
static bool want_setting(struct wanted *w, const char *name)
{
    const struct cqueue_attr *attr = w->type == &cull_QU_Type ? cqueue_attr_find(name) : NULL;
    if (attr != NULL)
        w->settings |= UINT64_C(1) << (attr - cqueue_attrs);
    return attr != NULL;
}

static bool want_name(struct wanted *w, const char *name)
{
    int field = cull_field_index(w->type, name);
    if (field < 0)
        return want_setting(w, name);
    want_field(w, (unsigned)field);
    return true;
}

void wanted_read(struct wanted *w, const struct cull_type *type, const struct ST_Type_list *names)
{
    ASSERT(type->n_fields <= ARRAY_LEN(w->fields) * WORD_BITS && cqueue_attrs_n <= WORD_BITS);
    *w = (struct wanted){ .type = type, .is_all = true };
    for (uint32_t i = 0; i < names->n; i++)
        if (names->v[i].ST_name != NULL && want_name(w, names->v[i].ST_name))
            w->is_all = false;
    for (unsigned field = 0; field < type->n_fields; field++)
        if ((type->fields[field].flags & CULL_PRIMARY_KEY) != 0)
            want_field(w, field);
}

/* QU_settings of an instance are in the order of the table */
static void copy_settings(const struct wanted *w, struct QU_Type *to, const struct QU_Type *from)
{
    for (uint32_t i = 0; i < from->QU_settings.n && i < cqueue_attrs_n; i++)
        if ((w->settings >> i & 1) != 0)
            cull_copy(&cull_VA_Type, cull_append(to, QU_settings), &from->QU_settings.v[i]);
}

bool wanted_has(const struct wanted *w, unsigned field)
{
    return w->is_all || is_wanted(w, field);
}

void wanted_copy(const struct wanted *w, void *to, const void *from)
{
    if (w->is_all) {
        cull_copy(w->type, to, from);
        return;
    }
    for (unsigned field = 0; field < w->type->n_fields; field++)
        if (is_wanted(w, field) && cull_is_present(from, field))
            cull_copy_field(w->type, to, from, field);
    if (w->settings != 0 && !is_wanted(w, QU_settings))
        copy_settings(w, to, from);
}
