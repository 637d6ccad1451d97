#ifndef VIEW_HOST_SETTINGS_H
#define VIEW_HOST_SETTINGS_H

#include "libs/view/object_form.h"

/* The values that an attribute of a queue has on single hosts and host groups, as rows: the first
 * is the value everywhere else, called HOST_SETTINGS_ELSE. Pure. */
#define HOST_SETTINGS_ELSE "all others"

/* host_settings_count - how many rows FIELD of F has; 0: its kind has no such values
 * host_settings_place, host_settings_value - of a row; borrowed until the form changes */
uint32_t host_settings_count(const struct object_form *f, const struct object_field *field);
const char *host_settings_place(const struct object_form *f, const struct object_field *field,
                                uint32_t row);
const char *host_settings_value(const struct object_form *f, const struct object_field *field,
                                uint32_t row);
/* host_settings_set - the value on PLACE, a host, a @group or HOST_SETTINGS_ELSE; NULL: what all
 * others have
 * Returns as object_form_set does. O(settings) */
bool host_settings_set(struct object_form *f, const struct object_field *field, const char *place,
                       const char *value);

#endif
