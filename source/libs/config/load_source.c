/* Load values by resource. Owns no data. */
#include "libs/config/load_source.h"

#include "libs/config/complex.h"
#include "libs/config/host.h"

bool load_value_find(const struct load_source *load, const struct CE_Type *ce,
                     struct load_value *out)
{
    const struct EH_Type *from[] = { load->host, load->global };
    for (size_t i = 0; i < ARRAY_LEN(from); i++) {
        out->text = from[i] != NULL ? host_load_value(from[i], ce->CE_name) : NULL;
        out->is_global = i == 1;
        if (out->text != NULL && complex_value_parse(ce, out->text, &out->number, NULL) == 0)
            return true;
    }
    return false;
}
