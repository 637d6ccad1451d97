/* Settings of single hosts. What they are stands in the object of the form; a change goes through
 * the form as a whole value, "default,[host=value]". */
#include "libs/view/host_settings.h"

#include <string.h>

#include "libs/config/cqueue.h"
#include "libs/uti/dstr.h"
#include "libs/uti/host_name.h"

static const struct AT_Type_list *settings_of(const struct object_form *f,
                                              const struct object_field *field)
{
    const struct cqueue_attr *attr = NULL;
    if (object_form_kind(f)->target == GDI_CQUEUE && !field->is_name)
        attr = cqueue_attr_find(field->name);
    return attr != NULL ? cqueue_settings(object_form_object(f), attr) : NULL;
}

uint32_t host_settings_count(const struct object_form *f, const struct object_field *field)
{
    const struct AT_Type_list *l = settings_of(f, field);
    return l != NULL ? l->n : 0;
}

const char *host_settings_place(const struct object_form *f, const struct object_field *field,
                                uint32_t row)
{
    return row == 0 ? HOST_SETTINGS_ELSE : settings_of(f, field)->v[row].AT_href;
}

const char *host_settings_value(const struct object_form *f, const struct object_field *field,
                                uint32_t row)
{
    return settings_of(f, field)->v[row].AT_value;
}

static void add_setting(const char *place, const char *value, struct dstr *out)
{
    if (strcmp(place, HOST_SETTINGS_ELSE) == 0)
        dstr_add(out, value);
    else
        dstr_addf(out, ",[%s=%s]", place, value);
}

bool host_settings_set(struct object_form *f, const struct object_field *field, const char *place,
                       const char *value)
{
    struct dstr text = DSTR_INIT;
    bool is_there = false;
    for (uint32_t row = 0; row < host_settings_count(f, field); row++) {
        const char *its = host_settings_place(f, field, row);
        bool is_meant = strcmp(its, place) == 0 || host_name_equal(its, place);
        is_there = is_there || is_meant;
        if (!is_meant)
            add_setting(its, host_settings_value(f, field, row), &text);
        else if (value != NULL || row == 0)
            add_setting(its, value != NULL ? value : host_settings_value(f, field, 0), &text);
    }
    if (!is_there && value != NULL)
        add_setting(place, value, &text);
    bool is_set = object_form_set(f, field, dstr_get(&text));
    dstr_free(&text);
    return is_set;
}
