/* Which attributes name other objects, and the names in their values. */
#include "libs/config/reference.h"

#include <string.h>

#include "libs/config/attr_names.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

static const struct attr_reference references[] = {
    { "pe_list", OBJECT_PE, NULL },
    { "ckpt_list", OBJECT_CKPT, NULL },
    { "user_lists", OBJECT_USERSET, NULL },
    { "xuser_lists", OBJECT_USERSET, NULL },
    { "acl", OBJECT_USERSET, NULL },
    { "xacl", OBJECT_USERSET, NULL },
    { "projects", OBJECT_PROJECT, NULL },
    { "xprojects", OBJECT_PROJECT, NULL },
    { "default_project", OBJECT_PROJECT, NULL },
    { "auto_user_default_project", OBJECT_PROJECT, NULL },
    { "calendar", OBJECT_CALENDAR, NULL },
    { "subordinate_list", OBJECT_CQUEUE, NULL },
    { "complex_values", OBJECT_COMPLEX, NULL },
    { "load_thresholds", OBJECT_COMPLEX, NULL },
    { "suspend_thresholds", OBJECT_COMPLEX, NULL },
    { "load_scaling", OBJECT_COMPLEX, NULL },
    { "report_variables", OBJECT_COMPLEX, NULL },
    { "hostlist", OBJECT_HOSTGROUP, NULL },
    { "job_load_adjustments", OBJECT_COMPLEX, NULL },
    { "load_formula", OBJECT_COMPLEX, "+-" },
};

const struct attr_reference *attr_reference_find(const char *attr)
{
    for (size_t i = 0; i < ARRAY_LEN(references); i++)
        if (strcmp(references[i].attr, attr) == 0)
            return &references[i];
    return NULL;
}

/* the next name in a value, without its =something; false at the end */
static bool next_name(const char **at, const char *between, struct dstr *name)
{
    if (attr_is_none(*at) || !attr_next_element(at, between, name))
        return false;
    size_t len = strcspn(name->s, "=*");
    if (name->s[len] != '\0') {
        name->s[len] = '\0';
        name->len = len;
    }
    return true;
}

/* host groups stand among hosts, and resources among numbers */
static bool is_reference(enum object_kind kind, const char *name)
{
    double number;
    if (kind == OBJECT_COMPLEX && parse_double(name, &number))
        return false;
    return kind != OBJECT_HOSTGROUP || name[0] == '@';
}

bool attr_references(const char *attr, const char *value, reference_fn *fn, void *ctx)
{
    const struct attr_reference *to = attr_reference_find(attr);
    struct dstr name = DSTR_INIT;
    bool goes_on = true;
    if (to == NULL || value == NULL)
        return true;
    const char *between = to->between != NULL ? to->between : " ,";
    for (const char *at = value; goes_on && next_name(&at, between, &name);)
        if (is_reference(to->kind, dstr_get(&name)))
            goes_on = fn(ctx, &(struct reference){ attr, to->kind, dstr_get(&name) });
    dstr_free(&name);
    return goes_on;
}
