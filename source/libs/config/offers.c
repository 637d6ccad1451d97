/* complex_values as lists. Owns no data. */
#include "libs/config/offers.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/attr_names.h"

void offers_read(const char *text, struct CE_Type_list *out)
{
    if (text == NULL || attr_is_none(text))
        return;
    for (size_t len; *text != '\0'; text += len + (text[len] == ',')) {
        len = strcspn(text, ",");
        size_t name_len = strcspn(text, "=");
        char *name = uti_strndup(text, name_len);
        char *value = uti_strndup(text + name_len + 1, len - name_len - 1);
        struct CE_Type *offer = cull_push(out);
        cull_set(offer, CE_name, name);
        cull_set(offer, CE_stringval, value);
        free(name);
        free(value);
    }
}

const char *offers_value(const struct CE_Type_list *offers, const char *name)
{
    for (uint32_t i = 0; i < offers->n; i++)
        if (strcmp(offers->v[i].CE_name, name) == 0)
            return offers->v[i].CE_stringval;
    return NULL;
}
