/* Load values as text, for columns. */
#include "clients/common/load.h"

#include "libs/config/quantity.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

void load_short_memory(const char *value, struct dstr *out)
{
    uint64_t bytes;
    if (value != NULL && quantity_memory_parse(value, &bytes))
        quantity_add_memory((double)bytes, 1, out);
    else
        dstr_addc(out, '-');
}

void load_short_number(const char *value, struct dstr *out)
{
    double number;
    if (value != NULL && parse_double(value, &number))
        dstr_addf(out, "%.2f", number);
    else
        dstr_addc(out, '-');
}
