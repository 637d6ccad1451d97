/* Which attributes name other objects, and the names in their values. */
#include "libs/config/reference.h"

#include <string.h>

#include "libs/config/attr_names.h"
#include "libs/uti/dstr.h"

static const struct attr_reference references[] = {
    { "pe_list", OBJECT_PE, "parallel environment" },
    { "ckpt_list", OBJECT_CKPT, "checkpointing environment" },
    { "user_lists", OBJECT_USERSET, "user set" },
    { "xuser_lists", OBJECT_USERSET, "user set" },
    { "acl", OBJECT_USERSET, "user set" },
    { "xacl", OBJECT_USERSET, "user set" },
    { "projects", OBJECT_PROJECT, "project" },
    { "xprojects", OBJECT_PROJECT, "project" },
    { "default_project", OBJECT_PROJECT, "project" },
    { "auto_user_default_project", OBJECT_PROJECT, "project" },
    { "calendar", OBJECT_CALENDAR, "calendar" },
    { "subordinate_list", OBJECT_CQUEUE, "cluster queue" },
    { "complex_values", OBJECT_COMPLEX, "resource" },
    { "load_thresholds", OBJECT_COMPLEX, "resource" },
    { "suspend_thresholds", OBJECT_COMPLEX, "resource" },
    { "load_scaling", OBJECT_COMPLEX, "resource" },
    { "report_variables", OBJECT_COMPLEX, "resource" },
};

const struct attr_reference *attr_reference_find(const char *attr)
{
    for (size_t i = 0; i < ARRAY_LEN(references); i++)
        if (strcmp(references[i].attr, attr) == 0)
            return &references[i];
    return NULL;
}

bool attr_value_next_name(const char **at, struct dstr *name)
{
    if (attr_is_none(*at) || !attr_next_word(at, " ,", name))
        return false;
    size_t len = strcspn(name->s, "=");
    if (name->s[len] != '\0') {
        name->s[len] = '\0';
        name->len = len;
    }
    return true;
}

bool attr_value_has_name(const char *value, const char *name)
{
    struct dstr word = DSTR_INIT;
    bool is_found = false;
    for (const char *at = value; !is_found && attr_value_next_name(&at, &word);)
        is_found = strcmp(word.s, name) == 0;
    dstr_free(&word);
    return is_found;
}
