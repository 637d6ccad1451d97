/* Load values by resource, and their factors. Owns no data. Source: host_conf(5) */
#include "libs/config/load_source.h"

#include <stdio.h>
#include <string.h>

#include "libs/config/complex.h"
#include "libs/config/host.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

/* more than this, and less than its negative, is not told apart once it is scaled */
static const double scaled_most = 1e15;

/* what load_scaling of HOST says of CE; 1 if nothing */
static double factor_of(const struct EH_Type *host, const struct CE_Type *ce)
{
    for (uint32_t i = 0; i < host->EH_scaling_list.n; i++) {
        const struct VA_Type *va = &host->EH_scaling_list.v[i];
        double factor;
        if (va->VA_variable != NULL && va->VA_value != NULL &&
            (strcmp(va->VA_variable, ce->CE_name) == 0 ||
             strcmp(va->VA_variable, ce->CE_shortcut) == 0) &&
            parse_double(va->VA_value, &factor))
            return factor;
    }
    return 1;
}

static bool is_scalable(const struct CE_Type *ce)
{
    return ce->CE_valtype == COMPLEX_INT || ce->CE_valtype == COMPLEX_TIME ||
           ce->CE_valtype == COMPLEX_MEMORY || ce->CE_valtype == COMPLEX_DOUBLE;
}

/* All but a DOUBLE are whole numbers, and not less than 0. */
static void scale_value(struct load_value *v, const struct CE_Type *ce, double factor)
{
    bool is_double = ce->CE_valtype == COMPLEX_DOUBLE;
    double number = v->number * factor, least = is_double ? -scaled_most : 0;
    v->number = number > scaled_most ? scaled_most : number >= least ? number : least;
    struct dstr text = DSTR_INIT;
    dstr_add_decimal(&text, v->number, is_double ? 6 : 0);
    (void)snprintf(v->scaled, sizeof v->scaled, "%s", dstr_get(&text));
    dstr_free(&text);
}

bool load_value_find(const struct load_source *load, const struct CE_Type *ce,
                     struct load_value *out)
{
    const struct EH_Type *from[] = { load->host, load->global };
    *out = (struct load_value){ 0 };
    for (size_t i = 0; i < ARRAY_LEN(from); i++) {
        const char *text = from[i] != NULL ? host_load_value(from[i], ce->CE_name) : NULL;
        if (text == NULL || complex_value_parse(ce, text, &out->number, NULL) != 0)
            continue;
        out->text = text;
        out->is_global = i == 1;
        double factor = is_scalable(ce) ? factor_of(from[i], ce) : 1;
        if (factor != 1)
            scale_value(out, ce, factor);
        return true;
    }
    return false;
}

const char *load_value_text(const struct load_value *v)
{
    return v->scaled[0] != '\0' ? v->scaled : v->text;
}
